"""Make a question from a plan: situation in words, measured parts, rationale."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pactwin.catalogue import (
    Measure,
    MeasuredPart,
    Need,
    Uses,
    part_camera,
    quantity,
    thing_camera,
)
from pactwin.suite import Candidate, Question, Scene, opaque_id
from pactwin.tasks.kinds.part.making.affordances import KnowledgeBase
from pactwin.tasks.kinds.part.making.planning import UsePlan, lacking
from pactwin.tasks.kinds.part.making.wording import situation_text

_ASKS = (
    "Only the things below are there, all within reach, and each is used as it is: nothing is "
    "opened, emptied or taken apart. Which part of which thing serves, and how would you use it?"
)
_NOTHING_MADE = "Nothing made for this is there."
_GRADES = (0.2, 0.4, 0.6, 0.8)
"""What fails one need is the more like the meant part the nearer it comes to the limit."""


@dataclass(frozen=True)
class Written:
    """A situation in a model's words."""

    text: str
    writer: str


def make_use_question(
    known: KnowledgeBase, plan: UsePlan, scene: Scene, written: Written | None = None
) -> Question:
    """Question of one plan about its scene, by default in the table's words.

    The rationale names the author of the situation unless it came from the table.
    """
    use = known.table.uses[plan.use]
    made = known.made_for(plan.use) & {plan.kind, *plan.others}
    asks = _ASKS if made else f"{_NOTHING_MADE} {_ASKS}"
    situation = written.text if written else situation_text(known, plan)
    author = f"\nThe situation is in the words of {written.writer}." if written else ""
    meant = known.entities[plan.kind].name
    cameras = [view.camera.name for view in scene.views]
    numbers = {obj.name: obj.instance_id for obj in scene.objects}
    candidates = tuple(
        _candidate(known, plan, kind, numbers.get(known.entities[kind].name), cameras)
        for kind in sorted((plan.kind, *plan.others))
    )
    return Question(
        id=use_question_id(scene.id, plan),
        scene_id=scene.id,
        kind="creative_use",
        form="open",
        text=f"In the {plan.setting}: {situation}\n{asks}",
        truth=f"{meant}; {plan.part}",
        rationale=_rationale(plan, meant, candidates) + author,
        objects=(),
        views=tuple(cameras),
        topic=plan.use,
        accepted=(meant, plan.part),
        candidates=candidates,
        conditions={
            "use": "; ".join(_needed(known.table, need, plan.limits) for need in use.needs)
        },
    )


def use_question_id(scene_id: str, plan: UsePlan) -> str:
    """Id of a plan's question; the questions of a scene have gold objects of different kinds."""
    return opaque_id(f"creative:question:{scene_id}:{plan.kind}")


def told(table: Uses, part: MeasuredPart, *, unseen: bool = False) -> str:
    """Measures of a part in words; with ``unseen`` only those that a picture does not show."""
    words = [part.material.replace("_", " ")]
    for name, measure in table.measures.items():
        if not measure.told or (unseen and measure.shown):
            continue
        words.append(measure.words(part.measures.get(name)))
    words = [word for word in words if word]
    if unseen:
        return "; ".join(words)
    states = [trait for trait in part.traits if trait in ("closed", "filled")]
    return f"{', '.join(words)}; state - {', '.join(states) or 'open, empty, free'}"


def _candidate(
    known: KnowledgeBase, plan: UsePlan, kind: str, number: int | None, cameras: Sequence[str]
) -> Candidate:
    """One candidate, with its ``number`` in the pictures; unpictured parts are described."""
    use = known.table.uses[plan.use]
    short = lacking(known, plan.use, plan.limits)[kind]
    likeness = {}
    for (part, measured), count in zip(known.of(kind).items(), short, strict=True):
        if (kind, part) != (plan.kind, plan.part):
            ratios = use.ratios(measured, plan.limits)
            far = any(
                need.measure and ratio <= _GRADES[0]
                for need, ratio in zip(use.needs, ratios, strict=True)
            )
            grade = 1 + sum(min(ratios) > limit for limit in _GRADES)
            likeness[part] = f"similar-{grade}" if count == 1 and not far else "not similar"
    thing = Candidate(
        name=known.entities[kind].name,
        parts={part: told(known.table, measured) for part, measured in known.of(kind).items()},
        likeness=likeness,
        evidence={
            part: "; ".join(_had(known.table, need, measured, plan.limits) for need in use.needs)
            for part, measured in known.of(kind).items()
        },
    )
    if number is None:
        return thing
    shown = {
        part: camera for part in thing.parts if (camera := part_camera(number, part)) in cameras
    }
    unseen = {
        part: told(known.table, measured, unseen=part in shown)
        for part, measured in known.of(kind).items()
    }
    pictured = {"view": thing_camera(number), "part_views": shown, "unseen": unseen}
    return thing.model_copy(update=pictured)


def _rationale(plan: UsePlan, meant: str, candidates: Sequence[Candidate]) -> str:
    """How the gold part and all others meet the needs, one line each."""
    by_name = {thing.name: thing.evidence for thing in candidates}
    lines = [f"{plan.use}: the {plan.part} of the {meant} has {by_name[meant][plan.part]}"]
    lines += [
        f"{name}, {part}: fails, {has}"
        for name, evidence in by_name.items()
        for part, has in evidence.items()
        if (name, part) != (meant, plan.part)
    ]
    return "\n".join(lines)


def _needed(table: Uses, need: Need, limits: Mapping[str, float]) -> str:
    """A need, in words."""
    if not need.measure:
        return need.trait or f"not {need.lacks}"
    measure = table.measures[need.measure]
    return f"{measure.called} {_limits(measure, need, limits)}"


def _had(table: Uses, need: Need, part: MeasuredPart, limits: Mapping[str, float]) -> str:
    """A part's value for a need, in words."""
    if trait := need.trait or need.lacks:
        return trait if trait in part.traits else f"not {trait}"
    measure = table.measures[need.measure]
    value = part.measures.get(need.measure)
    has = "none" if value is None else quantity(value, measure.unit)
    return f"{measure.called} {has} ({_limits(measure, need, limits)})"


def _limits(measure: Measure, need: Need, limits: Mapping[str, float]) -> str:
    sides = (("at least", need.at_least), ("at most", need.at_most))
    return " and ".join(
        f"{side} {quantity(limits[of] if isinstance(of, str) else float(of), measure.unit)}"
        for side, of in sides
        if of is not None
    )
