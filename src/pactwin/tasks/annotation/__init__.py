"""People answer a suite's questions: Label Studio projects out, their answers and agreement in."""

from pactwin.tasks.annotation.annotators import (
    Effort,
    FieldAgreement,
    Vote,
    efforts,
    field_agreements,
    votes_on,
)
from pactwin.tasks.annotation.project import write_projects
from pactwin.tasks.annotation.reading import read_exports

__all__ = [
    "Effort",
    "FieldAgreement",
    "Vote",
    "efforts",
    "field_agreements",
    "read_exports",
    "votes_on",
    "write_projects",
]
