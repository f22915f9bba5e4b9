"""Statistics of answers: scores with intervals, paired tests, the CI gate and the report page."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pactwin.compare.logs import compare_logs, write_scores
    from pactwin.compare.metrics import METRICS, ObjectScore, Score, score
    from pactwin.compare.objects import OBJECT_METRICS, object_tables, score_objects
    from pactwin.compare.paired import PairedTest, compare_models, compare_views
    from pactwin.compare.report import write_report
    from pactwin.compare.table import Violation, gate, score_table

__all__ = [
    "METRICS",
    "OBJECT_METRICS",
    "ObjectScore",
    "PairedTest",
    "Score",
    "Violation",
    "compare_logs",
    "compare_models",
    "compare_views",
    "gate",
    "object_tables",
    "score",
    "score_objects",
    "score_table",
    "write_report",
    "write_scores",
]

# pandas and statsmodels take seconds to import.
_LAZY = {
    "METRICS": "metrics",
    "OBJECT_METRICS": "objects",
    "ObjectScore": "metrics",
    "PairedTest": "paired",
    "Score": "metrics",
    "Violation": "table",
    "compare_logs": "logs",
    "compare_models": "paired",
    "compare_views": "paired",
    "gate": "table",
    "object_tables": "objects",
    "score": "metrics",
    "score_objects": "objects",
    "score_table": "table",
    "write_report": "report",
    "write_scores": "logs",
}


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_LAZY[name]}"), name)
