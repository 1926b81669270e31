"""A disk that is nearly full."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_room_for_more_than(size: int) -> Iterator[None]:
    """Let no file grow beyond so many bytes, as on a disk that is nearly full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
