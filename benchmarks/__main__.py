"""``python -m benchmarks``: all of them, or those named: ``python -m benchmarks render``."""

import sys
from importlib import import_module

NAMES = (
    "pairs", "render", "asking", "large_run", "generation", "soak", "coverage", "comparing",
    "perception", "episodes", "thresholds", "probabilities",
)  # fmt: skip

if __name__ == "__main__":
    chosen = sys.argv[1:] or NAMES
    unknown = sorted(set(chosen) - set(NAMES))
    if unknown:
        sys.exit(f"unknown benchmark {unknown[0]!r}: use one of {', '.join(NAMES)}")
    for name in chosen:
        import_module(f"benchmarks.{name}").run()
