"""Statistics of answers: scores with intervals, paired tests, the CI gate and the report page."""

from typing import TYPE_CHECKING

from pactwin.lazy import later

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
__getattr__ = later(
    __name__,
    {
        "logs": ("compare_logs", "write_scores"),
        "metrics": ("METRICS", "ObjectScore", "Score", "score"),
        "objects": ("OBJECT_METRICS", "object_tables", "score_objects"),
        "paired": ("PairedTest", "compare_models", "compare_views"),
        "report": ("write_report",),
        "table": ("Violation", "gate", "score_table"),
    },
)
