"""Camera pictures to observations: what lies where on the board, and how sure."""

import os

# OpenCV reads this limit once, at its first import; without it a small file could make it allocate gigabytes.
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", "64000000")
# NumPy reads these at its first import. Idle BLAS threads spin: with other work on few cores they make
# everything ten times slower, and matrices as small as ours gain nothing by them.
for _library in ("OPENBLAS", "OMP", "MKL"):
    os.environ.setdefault(f"{_library}_NUM_THREADS", "1")
os.environ.setdefault("OPENCV_FOR_THREADS_NUM", "2")
