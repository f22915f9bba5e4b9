"""Scores of lists of tools, per system, kind of question, domain and number of tools.

The plain value is over answers; ``_strict`` is over all that was asked, where no answer has no
tool right. Each metric has its kind of question before it (``recognition_``, ``plan_``,
``named_plan_``):

==================== ==============================================================================
precision, recall    mean over questions of the share of named things that are true, of true things
                     that are named
f1                   mean over questions of the harmonic mean of the two
f1_of_means          harmonic mean of the two means, which is never lower; no interval
exact                share of questions with all true things and nothing else, for plans in order
complete             share of plans with all tools, in an order that the steps allow (TCR)
sr1, sr2, sr3        share of plans whose first k tools are right (see :class:`Plan`), of those with
                     an order and at least k tools
sr1_all ... sr3_all  the same of all plans with an order; one with fewer tools fails
order                mean share of pairs of tools of different steps that are rightly ordered
failure_...          share of plans in each class of failure; the classes exclude each other
stray_shown          share of wrongly named tools that name a tool that is there, not none
substitute_shown     the same of plans that fail by substitution alone: real distractors
substitute_made_up   the rest of them: tools that are not there, hallucinated
twins                share of pairs of twins, of one view, whose plans are both exact: in one of the
                     two scenes a tool is missing, and the right answer says which
missed_seen          share of a plan's missed tools that the same system named when asked for all
lost_in_planning     share of plans that the system does not complete with all names told either
lost_in_seeing       how much of ``complete`` is lost when the names are to be seen, not told; less
                     than 0 where pictures help
coverage             answered / asked
completeness         asked / planned, over all runs
==================== ==============================================================================

Intervals: Wilson where every question counts as 0 or 1 by itself, else a bootstrap over scenes.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pactwin.compare.counts import POOLED
from pactwin.compare.intervals import RESAMPLES, Interval, wilson
from pactwin.compare.means import Values, clustered_mean
from pactwin.compare.metrics import Score, completeness, planned_questions
from pactwin.tasks import K_VALUES, AnswerState, Failure, Plan, ToolRow, named

ANSWERED = (AnswerState.CORRECT, AnswerState.INCORRECT)
_LIST_KINDS = ("recognition", "plan", "named_plan")
_OF_LISTS = ("precision", "recall", "f1", "f1_of_means", "exact")
_BESIDE = (
    "twins",
    "missed_seen",
    "substitute_shown",
    "substitute_made_up",
    "lost_in_planning",
    "lost_in_seeing",
)
"""What has no strict value: it is not a mean over all that was asked."""
_OF_PLANS = (
    "complete",
    *(f"sr{k}" for k in K_VALUES),
    *(f"sr{k}_all" for k in K_VALUES),
    "order",
    *(f"failure_{failure.name.lower()}" for failure in Failure),
)
MOST = 6
"""From so many tools on, plans share a bucket."""


def _names() -> Iterator[str]:
    for kind in _LIST_KINDS:
        for metric in (*_OF_LISTS, *(_OF_PLANS if kind != "recognition" else ())):
            yield from (f"{kind}_{metric}", f"{kind}_{metric}_strict")
        yield from (f"{kind}_{metric}" for metric in (_BESIDE if kind != "recognition" else ()))
        yield from (f"{kind}_{metric}" for metric in ("stray_shown", "coverage", "completeness"))


TOOL_METRICS = tuple(_names())


@dataclass(frozen=True, slots=True)
class ToolScore(Score):
    """One metric of lists; ``tools`` is the number of true things, ``all``, or ``6+``."""

    tools: str

    @property
    def is_pooled(self) -> bool:
        """Whether it pools all there is of its system."""
        return self.domain == self.view == self.tools == POOLED


def score_tools(
    rows: Sequence[ToolRow], *, resamples: int = RESAMPLES, seed: int = 0
) -> list[ToolScore]:
    """Every metric of every system: pooled, by domain, by view and by number of tools."""
    scores: list[ToolScore] = []
    systems: dict[tuple[str, str], list[ToolRow]] = defaultdict(list)
    for row in sorted(rows, key=lambda r: (r.model, r.suite_hash, r.question_id, r.view)):
        systems[row.model, row.kind].append(row)
    known = _known(rows)
    planned = planned_questions(rows)
    for (model, kind), mine in systems.items():
        cells: dict[tuple[str, str, str], list[ToolRow]] = {(POOLED, POOLED, POOLED): mine}
        for row in mine:
            size = len(row.accepted)
            tools = str(size) if size < MOST else f"{MOST}+"
            for part in (
                (row.domain, POOLED, POOLED),
                (POOLED, row.view, POOLED),
                (POOLED, POOLED, tools),
            ):
                cells.setdefault(part, []).append(row)
        for (domain, view, tools), cell in sorted(cells.items()):
            for metric, (value, bounds, n) in _measure(cell, known, resamples, seed):
                low, high = bounds or (None, None)
                place = (model, domain, view, POOLED, f"{kind}_{metric}", value, low, high, n)
                scores.append(ToolScore(*place, tools))
        asked = sum(row.model == model for row in rows)
        whole = completeness(model, f"{kind}_completeness", asked, planned)
        scores.append(ToolScore(*whole, POOLED))
    return scores


_SceneKey = tuple[str, str, str]


@dataclass(frozen=True)
class _Known:
    """By system, suite and scene: names that it gave when asked for all, lower case, and the share
    of its plans that it completed with all names told.
    """

    seen: dict[_SceneKey, set[str]]
    completed: dict[_SceneKey, float]


def _scene(row: ToolRow) -> _SceneKey:
    return row.model, row.suite_hash, row.scene_id


def _known(rows: Sequence[ToolRow]) -> _Known:
    seen: dict[_SceneKey, set[str]] = defaultdict(set)
    told: dict[_SceneKey, list[bool]] = defaultdict(list)
    for row in rows:
        if row.kind == "recognition":
            seen[_scene(row)] |= {row.accepted[i].casefold() for i in row.found if i is not None}
        elif row.kind == "named_plan" and row.state in ANSWERED:
            told[_scene(row)].append(Plan(row.found, row.steps).completes)
    return _Known(seen, {scene: float(np.mean(plans)) for scene, plans in told.items()})


def _measure(
    rows: Sequence[ToolRow],
    known: _Known,
    resamples: int,
    seed: int,
) -> Iterator[tuple[str, tuple[float | None, Interval | None, int]]]:
    answered = [row for row in rows if row.state in ANSWERED]
    for suffix, some in (("", answered), ("_strict", list(rows))):
        values = _values(some)
        for metric, found in values.items():
            yield metric + suffix, clustered_mean(found, resamples, seed)
        precision, recall = (_plain_mean(values[metric]) for metric in ("precision", "recall"))
        both = precision + recall
        f1 = 2 * precision * recall / both if both else 0.0
        yield f"f1_of_means{suffix}", (f1 if some else None, None, len(some))
    strays = [
        (row.scene_id, float(at in row.distracted))
        for row in answered
        for at, index in enumerate(row.found)
        if index is None
    ]
    yield "stray_shown", clustered_mean(strays, resamples, seed)
    if rows[0].kind != "recognition":
        yield "twins", clustered_mean(list(_twins(answered)), resamples, seed)
        substitutes = [
            (row.scene_id, float(at in row.distracted))
            for row in answered
            if Plan(row.found, row.steps).failure is Failure.SUBSTITUTE
            for at, index in enumerate(row.found)
            if index is None
        ]
        made_up = [(scene, 1.0 - shown) for scene, shown in substitutes]
        yield "substitute_shown", clustered_mean(substitutes, resamples, seed)
        yield "substitute_made_up", clustered_mean(made_up, resamples, seed)
    if rows[0].kind == "plan":
        missed = [
            (row.scene_id, float(name.casefold() in known.seen[_scene(row)]))
            for row in answered
            if _scene(row) in known.seen
            for at, name in enumerate(row.accepted)
            if at not in row.found
        ]
        yield "missed_seen", clustered_mean(missed, resamples, seed)
        asked_both = [row for row in answered if _scene(row) in known.completed]
        told = [(row.scene_id, known.completed[_scene(row)]) for row in asked_both]
        shown = [float(Plan(row.found, row.steps).completes) for row in asked_both]
        unplanned = [(scene, 1.0 - share) for scene, share in told]
        yield "lost_in_planning", clustered_mean(unplanned, resamples, seed)
        # Differences lie in [-1, 1], means of values in [0, 1].
        unseen = [(s, (t - mine + 1) / 2) for (s, t), mine in zip(told, shown, strict=True)]
        value, bounds, n = clustered_mean(unseen, resamples, seed)
        spread = (2 * bounds[0] - 1, 2 * bounds[1] - 1) if bounds else None
        yield "lost_in_seeing", (None if value is None else 2 * value - 1, spread, n)
    n = len(answered)
    yield "coverage", (n / len(rows), wilson(n, len(rows)), len(rows))


def _twins(rows: Sequence[ToolRow]) -> Iterator[tuple[str, float]]:
    """For each view of each pair of twins that was answered in both, whether both are exact."""
    pairs: defaultdict[tuple[str, str], dict[str, bool]] = defaultdict(dict)
    for row in rows:
        exact = Plan(row.found, row.steps).is_exact
        mine = pairs[row.pair_id, row.view]
        mine[row.scene_id] = mine.get(row.scene_id, True) and exact
    for (pair, _), scenes in pairs.items():
        if len(scenes) == 2:
            yield pair, float(all(scenes.values()))


def _values(rows: Sequence[ToolRow]) -> dict[str, Values]:
    """What each question counts in each metric that it is about."""
    found: dict[str, Values] = {metric: [] for metric in ("precision", "recall", "f1", "exact")}
    if rows and rows[0].kind != "recognition":
        found |= {metric: [] for metric in _OF_PLANS}
    for row in rows:
        given = row.found if row.state in ANSWERED else ()
        counts = named(given, len(row.accepted))
        plan = Plan(given, row.steps) if row.kind != "recognition" else None
        counted = {"precision": counts.precision, "recall": counts.recall, "f1": counts.f1}
        counted["exact"] = float(plan.is_exact if plan else counts.exact)
        if plan is not None:
            counted["complete"] = float(plan.completes)
            for failure in Failure:
                counted[f"failure_{failure.name.lower()}"] = float(plan.failure is failure)
            for k in K_VALUES if plan.is_ordered else ():
                counted[f"sr{k}_all"] = float(plan.succeeds_for(k))
                if len(plan.steps) >= k:
                    counted[f"sr{k}"] = counted[f"sr{k}_all"]
            right, _, pairs = plan.ordered_pairs
            if pairs:
                counted["order"] = right / pairs
        for metric, value in counted.items():
            found[metric].append((row.scene_id, value))
    return found


def _plain_mean(values: Values) -> float:
    return float(np.mean([value for _, value in values])) if values else 0.0
