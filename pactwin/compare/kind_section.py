"""The report's section on one kind of question: tables, figures, tests and a gallery."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from pactwin.compare.cards import Card, cards_of
from pactwin.compare.confusion import ConfusionMatrix, confusions
from pactwin.compare.curves import CurvePanel, curve_panels
from pactwin.compare.figures import Panel, shared_axis, strip
from pactwin.compare.index import ScoreIndex
from pactwin.compare.judge_trust import JudgeTrust
from pactwin.compare.paired import PairedTest, compare_models, compare_views
from pactwin.compare.plain import PlainTable, plain_table
from pactwin.compare.ranking import headline, rankings
from pactwin.compare.reliability import ConfidenceSection, confidence_section
from pactwin.compare.scores import Score
from pactwin.suite import Suite
from pactwin.tasks import COMMON, KINDS, PROBABILITY_TABLES, PUBLISHED, Row

BASELINE_PREFIX = "pactwin/"


@dataclass(frozen=True)
class KindSection:
    """One kind of question on the page.

    ``labels`` are the headline's columns {metric: label}, the first of which ranks; ``terms`` are
    their definitions. ``axes`` split the first metric, with their values. ``notes`` say which
    judges suffice for conclusions.
    """

    kind: str
    title: str
    lead: str
    scores: ScoreIndex
    groups: list[tuple[str, list[str]]]
    labels: dict[str, str]
    terms: list[tuple[str, str]]
    warned: dict[str, tuple[str, ...]]
    axes: dict[str, list[str]]
    panels: tuple[Panel, ...]
    curves: tuple[CurvePanel, ...]
    confidence: ConfidenceSection | None
    tables: tuple[PlainTable, ...]
    tests: list[PairedTest]
    view_tests: list[PairedTest]
    confusions: dict[str, list[ConfusionMatrix]]
    cards: list[Card]
    notes: tuple[str, ...]
    questions: int
    clusters: int
    clusters_word: str
    right: str

    @property
    def metric(self) -> str:
        """The metric that ranks models."""
        return next(iter(self.labels))

    def metric_along(self, axis: str) -> str:
        """The first headline metric that is defined for values of ``axis``.

        A mean over properties, for example, is undefined for one property.
        """
        return next(
            metric
            for metric in self.labels
            if any(
                self.scores.get(model, metric, **{axis: name})
                for model in self.scores.models
                for name in self.axes[axis]
            )
        )


def kind_section(
    kind: str,
    rows: Sequence[Row],
    scores: Sequence[Score],
    suites: Sequence[Suite],
    trust: JudgeTrust,
) -> KindSection:
    """Build the section from the answers of one kind, at least one."""
    scoring = KINDS[kind].scoring
    mine = [s for s in scores if s.kind == kind]
    first = headline(kind, mine)
    index = ScoreIndex(kind, mine, [model for model, _ in first.rows])
    declared = {metric.name: metric for metric in (*scoring.metrics, *COMMON)}
    shown = {c.metric: declared[c.metric] for c in first.columns}
    matrices: dict[str, list[ConfusionMatrix]] = {model: [] for model in index.models}
    for matrix in confusions(rows):
        matrices[matrix.model].append(matrix)
    elsewhere = (first.table, *PROBABILITY_TABLES)
    others = [f for f in rankings(mine) if f.place or f.table not in elsewhere]
    evaluated = [row for row in rows if row.strategy != PUBLISHED]
    return KindSection(
        kind=kind,
        title=scoring.title,
        lead=scoring.lead,
        scores=index,
        groups=groups_of(index.models),
        labels={c.metric: first.label(c) for c in first.columns},
        terms=[(metric.label, metric.explanation) for metric in shown.values() if metric.label],
        warned=index.warned(),
        axes={axis: v for axis in scoring.axes if len(v := index.values(axis)) > 1},
        panels=_panels(index, mine, scoring.panels),
        curves=curve_panels(rows, scoring.curves, index) if scoring.curves else (),
        confidence=confidence_section(evaluated, mine, index.models),
        tables=tuple(map(plain_table, others)),
        tests=compare_models(rows, comparable(rows, index.models, trust)),
        view_tests=compare_views(evaluated) if evaluated else [],
        confusions={model: found for model, found in matrices.items() if found},
        cards=cards_of(suites, evaluated),
        notes=_judges(rows, trust) if scoring.judged else (),
        questions=len({(row.suite_hash, row.question_id) for row in rows}),
        clusters=len({(r.suite_hash, getattr(r, KINDS[kind].cluster)) for r in rows}),
        clusters_word=scoring.clusters,
        right=scoring.right,
    )


def groups_of(models: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Split models from baselines, without empty groups."""
    groups = (
        ("Models", [m for m in models if not m.startswith(BASELINE_PREFIX)]),
        ("Baselines", [m for m in models if m.startswith(BASELINE_PREFIX)]),
    )
    return [(name, members) for name, members in groups if members]


def _judges(rows: Sequence[Row], trust: JudgeTrust) -> tuple[str, ...]:
    """A sentence per judge on whether its agreement suffices for conclusions."""
    judges = sorted({judge for row in rows if (judge := getattr(row, "judge", ""))})
    said = (trust.verdict(judge)[1] for judge in judges)
    return tuple(why[0].upper() + why[1:] for why in said)


def comparable(
    rows: Sequence[Row], models: Sequence[str], trust: JudgeTrust
) -> list[tuple[str, str]]:
    """Pairs of models to test: not two released ones, and none with an untrusted judge."""
    by_model: dict[str, list[Row]] = {model: [] for model in sorted(models)}
    for row in rows:
        by_model[row.model].append(row)
    judged = KINDS[rows[0].kind].scoring.judged
    trusted = [m for m, mine in by_model.items() if not (judged and trust.caution(mine))]
    released = {m for m, mine in by_model.items() if mine[0].strategy == PUBLISHED}
    return [both for both in combinations(trusted, 2) if not set(both) <= released]


def _panels(
    index: ScoreIndex, scores: Sequence[Score], declared: tuple[str, str] | None
) -> tuple[Panel, ...]:
    """A figure of the declared metric for each value of the declared axis."""
    if declared is None:
        return ()
    metric, along = declared
    shown = [s for s in scores if s.metric.endswith(metric) and len(s.cell) < 2]
    axis = shared_axis(shown)
    return tuple(
        Panel(
            name.capitalize(),
            axis,
            tuple(
                strip(found, [], axis, index.warnings(model, **{along: name}))
                for model in index.models
                if (found := index.get(model, metric, **{along: name}))
            ),
        )
        for name in index.values(along)
    )
