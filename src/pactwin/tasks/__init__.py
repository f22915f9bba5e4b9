"""What is asked and how answers are scored: questions from records, Inspect tasks, scorers."""

from typing import TYPE_CHECKING

from pactwin.lazy import later
from pactwin.tasks.objects import make_object_questions
from pactwin.tasks.questions import FORMS, make_questions, make_twin_questions
from pactwin.tasks.reading import logs_in, read_answers, read_rows, require_asked
from pactwin.tasks.results import (
    TASK_NAMES,
    AnswerRow,
    AnswerState,
    ObjectOutcome,
    ObjectRow,
    ObjectSampleFacts,
    Outcome,
    Row,
    SampleFacts,
)
from pactwin.tasks.views import cameras_of, parse_views

if TYPE_CHECKING:
    from pactwin.tasks.agreement import Agreement, measure_agreement
    from pactwin.tasks.annotation import (
        Effort,
        FieldAgreement,
        Vote,
        efforts,
        field_agreements,
        read_exports,
        votes_on,
        write_projects,
    )
    from pactwin.tasks.constraints import pac_constraints
    from pactwin.tasks.objects import pac_affordances, pac_properties
    from pactwin.tasks.pacbench import (
        Claim,
        Consensus,
        Exported,
        Finding,
        ImportReport,
        Oddity,
        PublishedCell,
        PublishedVerdict,
        export_pacbench,
        import_pacbench,
        import_report_path,
        published_claims,
        published_scores,
        score_as_published,
        verify,
    )
    from pactwin.tasks.running import (
        Estimate,
        Listener,
        Progress,
        resolve_model,
        run_eval,
    )

__all__ = [
    "FORMS",
    "TASK_NAMES",
    "Agreement",
    "AnswerRow",
    "AnswerState",
    "Claim",
    "Consensus",
    "Effort",
    "Estimate",
    "Exported",
    "FieldAgreement",
    "Finding",
    "ImportReport",
    "Listener",
    "ObjectOutcome",
    "ObjectRow",
    "ObjectSampleFacts",
    "Oddity",
    "Outcome",
    "Progress",
    "PublishedCell",
    "PublishedVerdict",
    "Row",
    "SampleFacts",
    "Vote",
    "cameras_of",
    "efforts",
    "export_pacbench",
    "field_agreements",
    "import_pacbench",
    "import_report_path",
    "logs_in",
    "make_object_questions",
    "make_questions",
    "make_twin_questions",
    "measure_agreement",
    "pac_affordances",
    "pac_constraints",
    "pac_properties",
    "parse_views",
    "published_claims",
    "published_scores",
    "read_answers",
    "read_exports",
    "read_rows",
    "require_asked",
    "resolve_model",
    "run_eval",
    "score_as_published",
    "verify",
    "votes_on",
    "write_projects",
]

# These need inspect_ai, which takes seconds to import; questions and records do not.
__getattr__ = later(
    __name__,
    {
        "agreement": ("Agreement", "measure_agreement"),
        "annotation": (
            "Effort",
            "FieldAgreement",
            "Vote",
            "efforts",
            "field_agreements",
            "read_exports",
            "votes_on",
            "write_projects",
        ),
        "constraints": ("pac_constraints",),
        "objects": ("pac_affordances", "pac_properties"),
        "pacbench": (
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
            "score_as_published",
            "verify",
        ),
        "running": (
            "Estimate",
            "Listener",
            "Progress",
            "resolve_model",
            "run_eval",
        ),
    },
)
