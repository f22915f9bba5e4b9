"""Keeping a long run's memory small."""

import ctypes


def release_memory() -> None:
    """Give memory that was freed back to the system, where the C library would keep it (glibc).

    Pictures are large and freed by other threads than allocated them, so what is kept gets
    scattered: without this a worker that needs 280 MiB grew from 407 to 531 over 500 scenes. Takes
    some milliseconds. Does nothing where the C library has no ``malloc_trim``.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
