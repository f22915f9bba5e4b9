"""Freed memory goes back to the system."""

import ctypes
import os
from pathlib import Path

import pytest

from pactwin.suite import release_memory

MIB = 2**20


def held_mib() -> float:
    """MiB that this process holds (Linux)."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / MIB


@pytest.mark.skipif(
    not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="only glibc keeps what is freed"
)
def test_scattered_memory_is_given_back() -> None:
    release_memory()
    before = held_mib()
    pieces = [bytes([n % 256]) * 65_536 for n in range(2400)]
    kept = pieces[::40]  # so that nothing can simply shrink
    assert held_mib() - before > 100
    del pieces
    release_memory()
    assert held_mib() - before < 50
    assert len(kept) == 60
