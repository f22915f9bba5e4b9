"""Published benchmarks: their data as suites, and scores by their own rules."""

from importlib import import_module
from typing import TYPE_CHECKING

from pactwin.suite import unknown_name

if TYPE_CHECKING:
    from pactwin.tasks.published.contract import Benchmark

BENCHMARKS = ("pacbench", "macgyver", "phystool", "creativitybench")
"""All benchmarks: each is a package here whose module ``declared`` defines BENCHMARK."""


def benchmark(name: str) -> "Benchmark":
    """The benchmark ``name``; InvalidInputError for an unknown name."""
    if name not in BENCHMARKS:
        raise unknown_name("benchmark", name, BENCHMARKS)
    found: Benchmark = import_module(f"{__name__}.{name}.declared").BENCHMARK
    return found
