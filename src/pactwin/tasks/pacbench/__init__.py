"""PAC Bench's own data: read into a suite, written from one, scored by its rules beside ours."""

from typing import TYPE_CHECKING, Any

from pactwin.tasks.pacbench.claims import (
    Claim,
    PublishedVerdict,
    Verdicts,
    read_published_verdict,
)
from pactwin.tasks.pacbench.drafts import Consensus
from pactwin.tasks.pacbench.exporting import Exported, export_pacbench
from pactwin.tasks.pacbench.findings import (
    CountComparison,
    Finding,
    ImportReport,
    Oddity,
    TableCount,
)
from pactwin.tasks.pacbench.importing import import_pacbench, import_report_path
from pactwin.tasks.pacbench.scoring import PublishedCell, published_claims, published_scores

if TYPE_CHECKING:
    from pactwin.tasks.pacbench.verifying import score_as_published, verify

__all__ = [
    "Claim",
    "Consensus",
    "CountComparison",
    "Exported",
    "Finding",
    "ImportReport",
    "Oddity",
    "PublishedCell",
    "PublishedVerdict",
    "TableCount",
    "Verdicts",
    "export_pacbench",
    "import_pacbench",
    "import_report_path",
    "published_claims",
    "published_scores",
    "read_published_verdict",
    "score_as_published",
    "verify",
]


def __getattr__(name: str) -> Any:
    if name not in ("score_as_published", "verify"):  # these need inspect_ai
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from pactwin.tasks.pacbench import verifying

    return getattr(verifying, name)
