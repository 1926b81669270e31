"""Camera pictures to observations: what lies where on the board, and how sure."""

import os

# OpenCV reads this once, when it is first imported; a small file could ask it for gigabytes otherwise.
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", "64000000")
