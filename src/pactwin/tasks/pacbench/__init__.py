"""PAC Bench's own data: read into a suite, written from one, scored by its rules beside ours."""

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

__all__ = [
    "Consensus",
    "CountComparison",
    "Exported",
    "Finding",
    "ImportReport",
    "Oddity",
    "TableCount",
    "export_pacbench",
    "import_pacbench",
    "import_report_path",
]
