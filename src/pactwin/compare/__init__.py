"""Statistics of answers: scores with intervals, paired tests, the CI gate and the report page."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pactwin.compare.logs import compare_logs, write_scores
    from pactwin.compare.metrics import METRICS, Score, score
    from pactwin.compare.paired import PairedTest, compare_models, compare_views
    from pactwin.compare.report import write_report
    from pactwin.compare.table import Violation, gate, score_table

__all__ = [
    "METRICS",
    "PairedTest",
    "Score",
    "Violation",
    "compare_logs",
    "compare_models",
    "compare_views",
    "gate",
    "score",
    "score_table",
    "write_report",
    "write_scores",
]

# pandas and statsmodels take seconds to import.
_LAZY = {
    "METRICS": "metrics",
    "PairedTest": "paired",
    "Score": "metrics",
    "Violation": "table",
    "compare_logs": "logs",
    "compare_models": "paired",
    "compare_views": "paired",
    "gate": "table",
    "score": "metrics",
    "score_table": "table",
    "write_report": "report",
    "write_scores": "logs",
}


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_LAZY[name]}"), name)
