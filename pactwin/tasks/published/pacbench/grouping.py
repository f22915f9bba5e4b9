"""Group rows of the label files by scene into questions with their gold answers."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pactwin.catalogue import PROPERTIES
from pactwin.tasks.kinds.objects.questions import affordance_question, property_question
from pactwin.tasks.published.contract import ConsensusRule
from pactwin.tasks.published.issues import IssueKind, IssueLog
from pactwin.tasks.published.pacbench.layout import NON_ANSWERS, category_of, read_published_choice
from pactwin.tasks.published.pacbench.tables import TableRow

_ANNOTATOR = ("annotator", "annotator_id", "worker", "worker_id", "user", "user_id")
_NOTHING = ("", "nan", "n/a", "na", "none", "null", "-")


@dataclass(frozen=True)
class QuestionDraft:
    """A question without its scene: its ``fields`` and source ``rows``."""

    fields: dict[str, Any]
    rows: tuple[TableRow, ...]


@dataclass
class SceneDraft:
    """A scene without its pictures: ``key`` identifies it in its domain.

    ``name`` is the object's name in the data; ``pictures`` are paths from the root by camera.
    """

    domain: str
    key: str
    name: str
    pictures: dict[str, str]
    robot: str = "none"
    questions: list[QuestionDraft] = field(default_factory=list)


@dataclass(frozen=True)
class Given:
    """One annotator's choice for one property."""

    choice: str
    row: TableRow


def read_property(row: TableRow, name: str, choice: str, issues: IssueLog) -> Given | None:
    """Parse the choice for the property ``name``; None, with an issue, if there is none."""
    if name not in PROPERTIES:
        issues.skip(IssueKind.UNKNOWN_PROPERTY, *row.place, name)
        return None
    if not choice:
        issues.skip(IssueKind.BLANK_FIELD, *row.place, "no choice")
        return None
    known = read_published_choice(name, choice)
    if known is None:
        issues.skip(IssueKind.UNKNOWN_CATEGORY, *row.place, choice)
        return None
    if known in NON_ANSWERS:
        issues.note(IssueKind.NON_ANSWER, *row.place, known)
    return Given(known, row)


def draft_property(
    name: str,
    given: Sequence[Given],
    consensus: ConsensusRule,
    it: str,
    issues: IssueLog,
) -> QuestionDraft | None:
    """Draft the question about one property of one object; None if annotators disagree.

    Non-answers are counted among the votes, but decide nothing. If annotators are tied and all
    questions are asked, the truth is the tied category that comes first in the vocabulary.
    """
    rows = tuple(g.row for g in given)
    _note_repetitions(rows, issues)
    votes = Counter(g.choice for g in given)
    categories = Counter(c for g in given if (c := category_of(g.choice)) is not None)
    split = ", ".join(f"{choice} x {n}" for choice, n in votes.items())
    if not categories:
        for row in rows:
            issues.skip(IssueKind.ONLY_NON_ANSWERS, *row.place, split)
        return None
    most = max(categories.values())
    best = [word for word in PROPERTIES[name] if categories[word] == most]
    agreed = {
        "unanimous": len(categories) == 1,
        "majority": 2 * most > categories.total(),
        "all": True,
    }[consensus]
    if not agreed:
        for row in rows:
            issues.skip(IssueKind.NO_CONSENSUS, *row.place, f"{name}: {split}")
        return None
    if len(best) > 1:
        issues.note(IssueKind.TIE, *rows[0].place, f"{name}: {split}")
    fields = {
        "kind": "property",
        "form": "choice",
        "topic": name,
        "text": property_question(name, it),
        "options": PROPERTIES[name],
        "truth": best[0],
        "rationale": f"The annotators chose: {split}.",
        "votes": dict(votes),
    }
    return QuestionDraft(fields, rows)


def draft_affordances(rows: Sequence[TableRow], it: str, issues: IssueLog) -> list[QuestionDraft]:
    """Draft one question for each distinct set of affordances in ``rows``."""
    _note_repetitions(rows, issues)
    found: dict[tuple[str, ...], list[TableRow]] = {}
    for row in rows:
        if slots := affordances_of(row):
            found.setdefault(slots, []).append(row)
    return [
        QuestionDraft(
            {
                "kind": "affordance",
                "form": "list",
                "text": affordance_question(it),
                "truth": "; ".join(slots),
                "accepted": slots,
                "rationale": "What the annotators wrote.",
                "votes": {"; ".join(slots): len(theirs)},
            },
            tuple(theirs),
        )
        for slots, theirs in found.items()
    ]


def affordances_of(row: TableRow) -> tuple[str, ...]:
    """Affordance slots of a row, each content once, without blanks."""
    slots = (value for column, value in row.fields.items() if column.startswith("affordance"))
    filled = (" ".join(value.replace(";", ",").split()) for value in slots if not _is_blank(value))
    return tuple(dict.fromkeys(filled))


def check_slots(row: TableRow, issues: IssueLog) -> bool:
    """Report blank slots; False, with the row skipped, if all are blank."""
    blank = [
        column
        for column, value in row.fields.items()
        if column.startswith("affordance") and _is_blank(value)
    ]
    if not affordances_of(row):
        issues.skip(IssueKind.BLANK_FIELD, *row.place, "no affordance")
        return False
    if blank:
        issues.note(IssueKind.BLANK_SLOT, *row.place, ", ".join(blank))
    return True


def _is_blank(value: str) -> bool:
    return value.strip().casefold() in _NOTHING


def _note_repetitions(rows: Sequence[TableRow], issues: IssueLog) -> None:
    """Report duplicate rows and repeated annotators."""
    said: set[tuple[tuple[str, str], ...]] = set()
    annotators: set[str] = set()
    for row in rows:
        whole = tuple(row.fields.items())
        annotator = next((row[column] for column in _ANNOTATOR if row[column]), "")
        if whole in said:
            issues.note(IssueKind.REPEATED_ROW, *row.place)
        elif annotator and annotator in annotators:
            issues.note(IssueKind.SAME_ANNOTATOR, *row.place, annotator)
        said.add(whole)
        annotators.add(annotator)
