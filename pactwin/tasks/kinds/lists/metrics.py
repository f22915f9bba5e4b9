"""Metrics of lists: all visible objects, and the tools that a task needs."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from pactwin.tasks.core.metrics import (
    Metric,
    Rate,
    ScoreTable,
    Scoring,
    Smooth,
    columns,
    strictly,
)
from pactwin.tasks.kinds.lists.records import ToolRow
from pactwin.tasks.kinds.lists.scoring import K_VALUES, Failure, Plan, named

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

MANY = 6
"""Plans with at least this many tools share a bucket."""


def _counted(row: ToolRow) -> dict[str, Any]:
    """Counts of one list; a list without an answer names nothing."""
    answered = row.answered
    counts = named(row.found if answered else (), len(row.accepted))
    wrong = [at for at, index in enumerate(row.found) if index is None] if answered else []
    return {
        "tools": str(len(row.accepted)) if len(row.accepted) < MANY else f"{MANY}+",
        "precision": counts.precision,
        "recall": counts.recall,
        "f1": counts.f1,
        "exact": int(counts.exact),
        "wrong_items": len(wrong),
        "distractors_named": sum(at in row.distracted for at in wrong),
    }


def _planned(row: ToolRow) -> dict[str, Any]:
    answered = row.answered
    plan = Plan(row.found if answered else (), row.steps)
    right, _, pairs = plan.ordered_pairs
    counted = _counted(row)
    substituted = answered and plan.failure is Failure.SUBSTITUTE
    found: dict[str, Any] = {
        **counted,
        "exact": int(plan.is_exact),
        "complete": int(plan.completes),
        "missed": frozenset(
            name.casefold()
            for at, name in enumerate(row.accepted)
            if answered and at not in row.found
        ),
        "substitutes": counted["wrong_items"] * substituted,
        "substitutes_shown": counted["distractors_named"] * substituted,
        "substitutes_hallucinated": (counted["wrong_items"] - counted["distractors_named"])
        * substituted,
        "ordered_asked": int(pairs > 0),
        "ordered": int(answered and pairs > 0),
        "order": right / pairs if pairs else 0.0,
    }
    for failure in Failure:
        fails = int(plan.failure is failure)
        found[f"failed_{failure.name.lower()}"] = fails
        found[f"answer_failed_{failure.name.lower()}"] = fails * answered
    for k in K_VALUES:
        asked = plan.is_ordered and len(plan.steps) >= k
        found[f"sr{k}_asked"] = int(asked)
        found[f"sr{k}_answered"] = int(asked and answered)
        found[f"sr{k}"] = int(asked and plan.succeeds_for(k))
        found["sr_all_asked"] = int(plan.is_ordered)
        found["sr_all_answered"] = int(plan.is_ordered and answered)
        found[f"sr{k}_all"] = int(plan.is_ordered and plan.succeeds_for(k))
    return found


def _twins(frame: "pd.DataFrame") -> "pd.DataFrame":
    """One unit per pair, view and epoch answered in both twins: whether both are exact."""
    keys = ["model", "cluster", "domain", "view", "epoch"]
    units = (
        frame[frame.answered == 1]
        .groupby(keys, as_index=False)
        .agg(scenes=("scene", "nunique"), twins_exact=("exact", "min"))
    )
    return units[units.scenes == 2].drop(columns=["scenes", "epoch"]).assign(twins=1)


def _further_named(frame: "pd.DataFrame", rows: Sequence[Any]) -> Iterator["pd.DataFrame"]:
    yield _twins(frame)


def _further_shown(frame: "pd.DataFrame", rows: Sequence[Any]) -> Iterator["pd.DataFrame"]:
    """Twins, and the same system's recognition and named plan of the same scenes."""
    yield _twins(frame)
    seen: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    planned: dict[tuple[str, str, str], list[bool]] = defaultdict(list)
    for row in rows:
        if not isinstance(row, ToolRow):
            continue
        place = row.model, row.suite_hash, row.scene_id
        if row.kind == "recognition":
            seen[place] |= {row.accepted[i].casefold() for i in row.found if i is not None}
        elif row.kind == "named_plan" and row.answered:
            planned[place].append(Plan(row.found, row.steps).completes)
    answered = frame[frame.answered == 1]
    places = list(zip(answered.model, answered.suite, answered.scene, strict=True))
    counts = []
    for place, missed, complete in zip(places, answered.missed, answered.complete, strict=True):
        both = place in planned
        share = sum(planned[place]) / len(planned[place]) if both else 0.0
        asked = place in seen
        counts.append(
            {
                "missed_asked": len(missed) if asked else 0,
                "missed_seen": len(missed & seen[place]) if asked else 0,
                "asked_both": int(both),
                "unplanned": 1 - share if both else 0.0,
                "unperceived": share - complete if both else 0.0,
            }
        )
    keys = answered[["model", "cluster", "domain", "view", "tools"]]
    names = counts[0] if counts else {}
    yield keys.assign(**{name: [c[name] for c in counts] for name in names})


def f1_of_means(sums: "np.ndarray") -> "np.ndarray":
    """Harmonic mean of mean precision and mean recall, from sums (..., 3): both, and lists."""
    import numpy as np

    with np.errstate(divide="ignore", invalid="ignore"):
        precision, recall = sums[..., 0] / sums[..., 2], sums[..., 1] / sums[..., 2]
        return np.nan_to_num(2 * precision * recall / (precision + recall))


_OF_LISTS = (
    *strictly(
        "precision", "Precision", "Mean over questions of the share of named things that are true."
    ),
    *strictly(
        "recall", "Recall", "Mean over questions of the share of true things that are named."
    ),
    *strictly("f1", "F1", "Mean over questions of the harmonic mean of precision and recall."),
    Metric(
        "f1_of_means",
        Smooth(("precision", "recall", "answered"), f1_of_means),
        label="F1 of means",
        explanation="Harmonic mean of mean precision and mean recall, which is never lower.",
    ),
    Metric("f1_of_means_strict", Smooth(("precision", "recall", "asked"), f1_of_means)),
    *strictly(
        "exact",
        "Exact",
        "Share of questions with all true things and nothing else, for plans in order.",
    ),
    Metric(
        "distractor_rate",
        Rate("distractors_named", "wrong_items"),
        ("wrong_items",),
        "Distractors",
        "Share of wrongly named tools that name one that is there.",
    ),
)


def _of_plans() -> Iterator[Metric]:
    yield from strictly(
        "complete",
        "Complete",
        "Share of plans with all tools, in an order that the steps allow (TCR).",
    )
    for k in K_VALUES:
        yield from strictly(
            f"sr{k}",
            f"SR@{k}",
            f"Share of ordered plans of at least {k} tools whose first {k} are right.",
            bottom=f"sr{k}_answered",
            asked=f"sr{k}_asked",
        )
        yield from strictly(
            f"sr{k}_all",
            f"SR@{k} of all",
            "The same of all ordered plans; one with fewer tools fails.",
            bottom="sr_all_answered",
            asked="sr_all_asked",
        )
    yield from strictly(
        "order",
        "Order",
        "Mean share of pairs of tools of different steps that are rightly ordered.",
        bottom="ordered",
        asked="ordered_asked",
    )
    for failure in Failure:
        name = failure.name.lower()
        yield Metric(
            f"failure_{name}",
            Rate(f"answer_failed_{name}", "answered"),
            label=str(failure).capitalize(),
            explanation="Share of plans in this class of failure; the classes exclude each other.",
        )
        yield Metric(f"failure_{name}_strict", Rate(f"failed_{name}", "asked"))
    yield Metric(
        "twins",
        Rate("twins_exact", "twins"),
        ("twins",),
        "Twins",
        "Share of pairs of twins, view by view, whose plans are both exact: in one of the two "
        "scenes a tool is missing, and the right answer says which.",
    )
    yield Metric(
        "substitute_distractor",
        Rate("substitutes_shown", "substitutes"),
        ("substitutes",),
        "Distractors",
        "Share of substitutes that are there: real distractors.",
    )
    yield Metric(
        "hallucination_rate",
        Rate("substitutes_hallucinated", "substitutes"),
        ("substitutes",),
        "Hallucinated",
        "Share of substitutes that are not there.",
    )


_OF_SHOWN = (
    Metric(
        "missed_seen",
        Rate("missed_seen", "missed_asked"),
        ("missed_asked",),
        "Missed, but seen",
        "Share of a plan's missed tools that the same system named when asked for all.",
    ),
    Metric(
        "planning_error",
        Rate("unplanned", "asked_both"),
        ("asked_both",),
        "Planning error",
        "Share of plans that the system does not complete with all names given either.",
    ),
    Metric(
        "perception_gap",
        Rate("unperceived", "asked_both", lowest=-1.0),
        ("asked_both",),
        "Perception gap",
        "How much of complete is lost when the names are to be seen, not given; below 0 where "
        "pictures help.",
    ),
)

_LISTS = (
    "f1: F1 | f1_strict: strict | f1_of_means: F1 of means | precision | recall | exact | "
    "coverage: cover"
)
_PLANS = (
    "complete | complete_strict: strict | exact | f1: F1 | sr1: SR@1 | sr2: SR@2 | sr3: SR@3 | "
    "sr3_all: SR@3 of all | order | twins | coverage: cover"
)
_FAILURES = (
    "failure_exact: exact match | failure_extra: extra only | failure_order: out of order | "
    "failure_missing: missing only | failure_substitute: substitute | "
    "substitute_distractor: distractors | hallucination_rate: hallucinated | "
    "missed_seen: missed, but seen | planning_error: planning error | "
    "perception_gap: perception gap"
)
_LISTS_NOTE = (
    "Means over pictures, of answers; strict: of all that was asked. F1 of means is that of mean "
    "precision and mean recall."
)
_PLANS_NOTE = (
    "Complete: all tools in an order that works. SR@k: the first k tools are right, of ordered "
    "tasks with at least k tools; of all: of all ordered tasks. Order: pairs rightly ordered. "
    "Twins: pairs of scenes, one without a tool that is needed, both answered exactly."
)
_FAILURES_NOTE = (
    "The classes exclude each other. A tool named in place of a missed one (substitute) is a "
    "distractor that is there, or hallucinated. Missed, but seen: missed tools that the system "
    "named when asked for all. Planning error: not complete with all names given either. "
    "Perception gap: what giving the names adds."
)


def scoring(name: str, title: str) -> Scoring:
    """Scoring of lists of the kind ``name``."""
    plans = name != "recognition"
    metrics = (*_OF_LISTS, *(_of_plans() if plans else ()), *(_OF_SHOWN if name == "plan" else ()))
    heads, note = (_PLANS, _PLANS_NOTE) if plans else (_LISTS, _LISTS_NOTE)
    tables = [ScoreTable(title, columns(heads), note, by=("tools", "domain"), brief=True)]
    if plans:
        tables.append(ScoreTable("How plans fail", columns(_FAILURES), _FAILURES_NOTE))
    further = {"plan": _further_shown, "named_plan": _further_named}
    return Scoring(
        title=title,
        prefix=f"{name}_",
        metrics=metrics,
        tables=tuple(tables),
        truth=lambda row: "; ".join(row.accepted),
        said=lambda row: "; ".join(row.items),
        measured=_planned if plans else _counted,
        further=further.get(name, lambda frame, rows: ()),
        axes=("domain", "view", "tools"),
        splits=((), ("domain",), ("view",), ("tools",)),
        right="the list is the accepted one, in an order that the steps allow",
    )
