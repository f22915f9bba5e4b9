"""``python -m benchmarks``: all of them, or those named: ``python -m benchmarks render``.

What times and nothing else is in ``bench_*.py``, for pytest-benchmark: ``make bench`` runs both.
"""

import sys
from importlib import import_module

NAMES = (
    "pairs", "render", "asking", "large_run", "generation", "soak", "coverage", "episodes",
    "thresholds", "probabilities",
)  # fmt: skip

if __name__ == "__main__":
    chosen = sys.argv[1:] or NAMES
    unknown = sorted(set(chosen) - set(NAMES))
    if unknown:
        sys.exit(f"unknown benchmark {unknown[0]!r}: use one of {', '.join(NAMES)}")
    for name in chosen:
        import_module(f"benchmarks.{name}").run()
