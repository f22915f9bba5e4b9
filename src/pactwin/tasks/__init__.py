"""What is asked and how answers are scored: questions from records, Inspect tasks, scorers."""

from typing import TYPE_CHECKING, Any

from pactwin.tasks.objects import make_object_questions
from pactwin.tasks.questions import FORMS, make_questions, make_twin_questions
from pactwin.tasks.reading import logs_in, read_answers, read_rows
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
        known_providers,
        resolve_model,
        run_eval,
    )
    from pactwin.tasks.scorers import answer_scorer

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
    "answer_scorer",
    "cameras_of",
    "efforts",
    "export_pacbench",
    "field_agreements",
    "import_pacbench",
    "import_report_path",
    "known_providers",
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
    "resolve_model",
    "run_eval",
    "score_as_published",
    "verify",
    "votes_on",
    "write_projects",
]

# These need inspect_ai, which takes seconds to import; questions and records do not.
_LAZY = {
    "Agreement": "pactwin.tasks.agreement",
    "Claim": "pactwin.tasks.pacbench",
    "Consensus": "pactwin.tasks.pacbench",
    "Effort": "pactwin.tasks.annotation",
    "Estimate": "pactwin.tasks.running",
    "Exported": "pactwin.tasks.pacbench",
    "FieldAgreement": "pactwin.tasks.annotation",
    "Finding": "pactwin.tasks.pacbench",
    "ImportReport": "pactwin.tasks.pacbench",
    "Listener": "pactwin.tasks.running",
    "Oddity": "pactwin.tasks.pacbench",
    "Progress": "pactwin.tasks.running",
    "PublishedCell": "pactwin.tasks.pacbench",
    "PublishedVerdict": "pactwin.tasks.pacbench",
    "Vote": "pactwin.tasks.annotation",
    "answer_scorer": "pactwin.tasks.scorers",
    "efforts": "pactwin.tasks.annotation",
    "export_pacbench": "pactwin.tasks.pacbench",
    "field_agreements": "pactwin.tasks.annotation",
    "import_pacbench": "pactwin.tasks.pacbench",
    "import_report_path": "pactwin.tasks.pacbench",
    "known_providers": "pactwin.tasks.running",
    "measure_agreement": "pactwin.tasks.agreement",
    "pac_affordances": "pactwin.tasks.objects",
    "pac_constraints": "pactwin.tasks.constraints",
    "pac_properties": "pactwin.tasks.objects",
    "published_claims": "pactwin.tasks.pacbench",
    "published_scores": "pactwin.tasks.pacbench",
    "read_exports": "pactwin.tasks.annotation",
    "resolve_model": "pactwin.tasks.running",
    "run_eval": "pactwin.tasks.running",
    "score_as_published": "pactwin.tasks.pacbench",
    "verify": "pactwin.tasks.pacbench",
    "votes_on": "pactwin.tasks.annotation",
    "write_projects": "pactwin.tasks.annotation",
}


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LAZY[name]), name)
