"""Score answers by the published rules beside pactwin's, for every cell of the published tables.

``docs/pacbench.md`` lists the rules and their differences. In short: the published rules count
every row of a label file, whether or not it was answered or its verifier understood; pactwin's
count answered questions, need no verifier where possible, and state coverage.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from typing import Any, Literal

from pactwin.solvers import parse_category
from pactwin.suite import Question, Suite, load_suite
from pactwin.tasks.core.results import AnswerState, Row
from pactwin.tasks.core.views import JOINT, is_one_camera
from pactwin.tasks.kinds.objects.records import ObjectRow
from pactwin.tasks.published.contract import PublishedTable, Scores, Verify
from pactwin.tasks.published.pacbench import layout
from pactwin.tasks.published.pacbench.layout import category_of
from pactwin.tasks.published.pacbench.verifying import Claim, PublishedVerdict, Verdicts

Metric = Literal["accuracy", "all_correct", "at_least_one"]
POOLED, MEAN = "all rows", "mean of cells"
SIMULATED, EVERYWHERE = "simulated", "all sources"
_NOTE = (
    "As published every row of a label file counts, whether or not the question was answered; a "
    "verifier model decides what is right, and what it says unclearly is wrong. Corrected scores "
    "are over what was answered, read without a verifier. Nothing stands where nothing was "
    "answered, or where it takes a verifier and none was asked."
)
_METRICS: dict[str, tuple[Metric, ...]] = {
    "property": ("accuracy",),
    "affordance": ("all_correct", "at_least_one"),
    "constraint": ("accuracy",),
}
_CAMERAS = {
    layout.CAM0: "cam0",
    layout.CAM1: "cam1",
    f"{layout.CAM0}+{layout.CAM1}": "both",
    JOINT: "both",
}


@dataclass(frozen=True)
class PublishedCell:
    """One cell of a published table, by both sets of rules.

    ``source`` is the domain of photos, renders or captures, ``simulated`` for all four published
    constraints. ``cell`` is a property, class, camera or view; ``all rows`` pools a source's rows,
    ``mean of cells`` is the plain mean of its cells. ``published`` is ``right`` of ``rows`` rows,
    None if that needs a missing verifier. ``corrected`` is over the ``answered`` of ``asked``
    questions and views, None without answers.
    """

    model: str
    kind: str
    source: str
    cell: str
    metric: Metric
    published: float | None
    right: int
    rows: int
    corrected: float | None
    answered: int
    asked: int

    def row(self) -> Scores:
        """The cell's row in the table of its kind and metric."""
        return {k: v for k, v in asdict(self).items() if k not in ("kind", "metric")}


@dataclass(frozen=True)
class _Asked:
    """An answer with its question. ``labels`` says how many rows give which label for it.

    ``published`` is whether the published scripts would ask in this view at all.
    """

    row: Row
    question: Question
    kind: str
    source: str
    cell: str
    labels: dict[str, int]
    published: bool


def score_as_pacbench(
    suite: Suite, rows: Sequence[Row], verify: Verify | None = None
) -> list[PublishedTable]:
    """Two tables per kind and metric: over whole sources, and by cell."""
    verdicts = None if verify is None else verify(published_claims(suite, rows))
    tables: dict[str, list[PublishedCell]] = {}
    for cell in published_scores(suite, rows, verdicts):
        title = f"{cell.kind}: {cell.metric}"
        sums_up = cell.cell in (POOLED, MEAN)
        tables.setdefault(title if sums_up else f"{title}, cell by cell", []).append(cell)
    return [
        PublishedTable(title=title, note=_NOTE, rows=tuple(cell.row() for cell in tables[title]))
        for title in sorted(tables)
    ]


def published_claims(suite: Suite, rows: Sequence[Row]) -> list[Claim]:
    """Claims that a verifier must judge for scoring ``rows`` by the published rules."""
    return [
        claim
        for asked in _asked(suite, rows)
        if asked.published
        for metric in _METRICS[asked.kind]
        for label in asked.labels
        if (claim := _claim(asked, label, metric)) is not None
    ]


def published_scores(
    suite: Suite, rows: Sequence[Row], verdicts: Verdicts | None = None
) -> list[PublishedCell]:
    """Every cell that ``rows`` (answers about ``suite``) fill, by model, kind, source, metric.

    Without ``verdicts`` only properties are scored as published, by exact parsing of the category.
    """
    tables: dict[tuple[str, str], dict[str, list[_Asked]]] = {}
    for asked in _asked(suite, rows):
        sources = tables.setdefault((asked.row.model, asked.kind), defaultdict(list))
        sources[asked.source].append(asked)
    found: list[PublishedCell] = []
    for (model, kind), sources in sorted(tables.items(), key=lambda item: item[0]):
        for metric in _METRICS[kind]:
            every: list[PublishedCell] = []
            for source, answers in sorted(sources.items()):
                cells = [
                    _cell(model, source, cell, metric, some, verdicts)
                    for cell, some in sorted(_by_cell(answers).items())
                ]
                found += [*cells, _cell(model, source, POOLED, metric, answers, verdicts)]
                found.append(_mean(source, cells))
                every += cells
            answers = [asked for some in sources.values() for asked in some]
            found.append(_cell(model, EVERYWHERE, POOLED, metric, answers, verdicts))
            found.append(_mean(EVERYWHERE, every))
    return found


def _asked(suite: Suite, rows: Sequence[Row]) -> Iterator[_Asked]:
    questions = load_suite(suite.path).questions
    drawn = _drawn_views(rows)
    for row in rows:
        question = questions[row.question_id]
        source = row.domain
        if row.domain in layout.SIMULATED_TRUTHS or row.domain == layout.OTHER_KEYS:
            source = SIMULATED
        single = is_one_camera(row.view)
        published = {
            layout.PHOTOS: single,
            layout.OBJECTS: drawn.get((row.model, row.scene_id)) == row.view,
            layout.HUMANOID: row.view in _CAMERAS,
            SIMULATED: single,
        }[source]
        yield _Asked(
            row=row,
            question=question,
            kind=row.kind if isinstance(row, ObjectRow) else "constraint",
            source=source,
            cell=_cell_of(row, question, source),
            labels=_labels(question, source),
            published=published,
        )


def _drawn_views(rows: Iterable[Row]) -> dict[tuple[str, str], str]:
    """The render of each object that counts, chosen by a hash; the published script draws one."""
    views: dict[tuple[str, str], set[str]] = defaultdict(set)
    for row in rows:
        if row.domain == layout.OBJECTS and is_one_camera(row.view):
            views[row.model, row.scene_id].add(row.view)
    return {
        (model, scene_id): min(
            asked, key=lambda view: hashlib.sha256(f"{scene_id}:{view}".encode()).digest()
        )
        for (model, scene_id), asked in views.items()
    }


def _cell_of(row: Row, question: Question, source: str) -> str:
    if question.kind == "property":
        return question.topic
    if source == layout.HUMANOID:
        return _CAMERAS.get(row.view, row.view)
    if source == SIMULATED:
        return f"{row.domain} {row.view}"
    return question.objects[0] if source == layout.PHOTOS else "objects"


def _labels(question: Question, source: str) -> dict[str, int]:
    """Labels that the published verifier is shown as true, with their numbers of rows."""
    labels: dict[str, int] = defaultdict(int)
    for choice, votes in (question.votes or {question.truth: 1}).items():
        if question.kind == "affordance":
            labels[", ".join(question.accepted)] += votes
        elif question.kind == "property" and source != layout.PHOTOS:
            labels[choice.partition(":")[0]] += votes  # their files have descriptors apart
        else:
            labels[choice] += votes
    return dict(labels)


def _claim(asked: _Asked, label: str, metric: Metric) -> Claim | None:
    """The claim about one label; None without a reply to verify."""
    reply = asked.row.reply.strip()
    if asked.row.state is AnswerState.ERROR or not reply:
        return None
    if asked.kind == "property":
        return Claim("property", label, reply)
    if metric != "accuracy":
        return Claim(metric, label, reply)
    if asked.question.check:
        return Claim("check", asked.question.check, reply)
    return Claim("answer", label, reply)


def _is_right(asked: _Asked, label: str, metric: Metric, verdicts: Verdicts | None) -> bool:
    claim = _claim(asked, label, metric)
    if claim is None:
        return False
    if verdicts is not None:
        return verdicts.get(claim) is PublishedVerdict.CORRECT
    said = parse_category(claim.reply, asked.question.options).category
    return said is not None and said == category_of(label)


def _by_cell(answers: Iterable[_Asked]) -> dict[str, list[_Asked]]:
    cells: dict[str, list[_Asked]] = defaultdict(list)
    for asked in answers:
        cells[asked.cell].append(asked)
    return cells


def _cell(
    model: str,
    source: str,
    cell: str,
    metric: Metric,
    answers: Sequence[_Asked],
    verdicts: Verdicts | None,
) -> PublishedCell:
    kind = answers[0].kind
    counted = [asked for asked in answers if asked.published]
    rows = sum(sum(asked.labels.values()) for asked in counted)
    scored = kind == "property" or verdicts is not None
    right = sum(
        times
        for asked in counted
        if scored
        for label, times in asked.labels.items()
        if _is_right(asked, label, metric, verdicts)
    )
    answered = [asked.row for asked in answers if asked.row.answered]
    ours = sum(_is_right_by_ours(row, metric) for row in answered)
    return PublishedCell(
        model=model,
        kind=kind,
        source=source,
        cell=cell,
        metric=metric,
        published=right / rows if rows and scored else None,
        right=right,
        rows=rows,
        corrected=ours / len(answered) if answered else None,
        answered=len(answered),
        asked=len(answers),
    )


def _is_right_by_ours(row: Row, metric: Metric) -> bool:
    if metric == "at_least_one" and isinstance(row, ObjectRow):
        return bool(row.covered)
    return row.state is AnswerState.CORRECT


def _mean(source: str, cells: Sequence[PublishedCell]) -> PublishedCell:
    """Unweighted mean of cells with a value."""
    update: dict[str, Any] = {
        "source": source,
        "cell": MEAN,
        "published": _plain_mean(cell.published for cell in cells),
        "corrected": _plain_mean(cell.corrected for cell in cells),
        **{
            name: sum(getattr(cell, name) for cell in cells)
            for name in ("right", "rows", "answered", "asked")
        },
    }
    return replace(cells[0], **update)


def _plain_mean(values: Iterable[float | None]) -> float | None:
    known = [Fraction(value) for value in values if value is not None]
    return float(sum(known) / len(known)) if known else None
