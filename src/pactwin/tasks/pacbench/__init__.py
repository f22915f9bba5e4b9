"""PAC Bench's own data: read into a suite, written from one, scored by its rules beside ours."""

from typing import TYPE_CHECKING

from pactwin.lazy import later
from pactwin.tasks.pacbench.claims import (
    Claim,
    PublishedVerdict,
    read_published_verdict,
)
from pactwin.tasks.pacbench.drafts import Consensus
from pactwin.tasks.pacbench.exporting import Exported, export_pacbench
from pactwin.tasks.pacbench.findings import (
    Finding,
    ImportReport,
    Oddity,
)
from pactwin.tasks.pacbench.importing import import_pacbench, import_report_path
from pactwin.tasks.pacbench.scoring import PublishedCell, published_claims, published_scores

if TYPE_CHECKING:
    from pactwin.tasks.pacbench.verifying import score_as_published, verify

__all__ = [
    "Claim",
    "Consensus",
    "Exported",
    "Finding",
    "ImportReport",
    "Oddity",
    "PublishedCell",
    "PublishedVerdict",
    "export_pacbench",
    "import_pacbench",
    "import_report_path",
    "published_claims",
    "published_scores",
    "read_published_verdict",
    "score_as_published",
    "verify",
]

# It needs inspect_ai.
__getattr__ = later(__name__, {"verifying": ("score_as_published", "verify")})
