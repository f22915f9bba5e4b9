"""From a plan to a question: the situation in words, every part as measured, and the reasons."""

from collections.abc import Sequence
from dataclasses import dataclass

from pactwin.catalogue import MeasuredPart, Need, Uses, part_camera, thing_camera
from pactwin.suite import Candidate, Question, Scene, opaque_id
from pactwin.tasks.kinds.part.making.affordances import KnowledgeBase
from pactwin.tasks.kinds.part.making.planning import UsePlan, lacking
from pactwin.tasks.kinds.part.making.wording import situation_text

_ASKS = (
    "Nothing made for this is there: only the things below, all within reach. Which part of which "
    "thing serves, and how would you use it?"
)
_GRADES = (0.2, 0.4, 0.6, 0.8)
"""What fails one need is the more like the meant part the nearer it comes to the limit."""


@dataclass(frozen=True)
class Written:
    """A situation in the words of a model."""

    text: str
    writer: str


def make_use_question(
    known: KnowledgeBase, plan: UsePlan, scene: Scene, written: Written | None = None
) -> Question:
    """The question of one plan about its scene, by default in the table's words.

    The rationale says who wrote the situation, if it was not the table.
    """
    use = known.table.uses[plan.use]
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
        id=opaque_id(f"creative:question:{scene.id}"),
        scene_id=scene.id,
        kind="creative_use",
        form="open",
        text=f"In the {plan.setting}: {situation}\n{_ASKS}",
        truth=f"{meant}; {plan.part}",
        rationale=_rationale(plan, meant, candidates) + author,
        objects=(),
        views=tuple(cameras),
        topic=plan.use,
        accepted=(meant, plan.part),
        candidates=candidates,
        conditions={"use": "; ".join(_needed(need, plan.limits) for need in use.needs)},
    )


def told(table: Uses, part: MeasuredPart, *, unseen: bool = False) -> str:
    """What is measured of a part, in words; with ``unseen`` only what a picture does not show."""
    words = [part.material.replace("_", " ")]
    for name, measure in table.measures.items():
        if unseen and measure.shown:
            continue
        value = part.measures.get(name)
        words.append(measure.absent if value is None else measure.told.format(f"{value:.2g}"))
    if unseen:
        return "; ".join(words)
    states = [trait for trait in part.traits if trait in ("closed", "filled")]
    return f"{', '.join(words)}; state - {', '.join(states) or 'open, empty, free'}"


def _candidate(
    known: KnowledgeBase, plan: UsePlan, kind: str, number: int | None, cameras: Sequence[str]
) -> Candidate:
    """One thing; ``number`` is its own in the pictures. Of a part without one all is told."""
    use = known.table.uses[plan.use]
    short = lacking(known, plan.use, plan.limits)[kind]
    likeness = {}
    for (part, measured), count in zip(known.of(kind).items(), short, strict=True):
        if (kind, part) != (plan.kind, plan.part):
            least = min(use.ratios(measured, plan.limits))
            grade = 1 + sum(least > limit for limit in _GRADES)
            likeness[part] = f"similar-{grade}" if count == 1 else "not similar"
    thing = Candidate(
        name=known.entities[kind].name,
        parts={part: told(known.table, measured) for part, measured in known.of(kind).items()},
        likeness=likeness,
        evidence={
            part: "; ".join(_had(need, measured, plan.limits) for need in use.needs)
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
    """What the meant part has of what is needed, and what all others have, a line each."""
    by_name = {thing.name: thing.evidence for thing in candidates}
    lines = [f"{plan.use}: the {plan.part} of the {meant} has {by_name[meant][plan.part]}"]
    lines += [
        f"{name}, {part}: fails, {has}"
        for name, evidence in by_name.items()
        for part, has in evidence.items()
        if (name, part) != (meant, plan.part)
    ]
    return "\n".join(lines)


def _needed(need: Need, limits: dict[str, float]) -> str:
    """A need, in words."""
    if need.trait:
        return need.trait
    if need.lacks:
        return f"not {need.lacks}"
    limit = limits[need.limit] if isinstance(need.limit, str) else need.limit
    return f"{need.measure} {'at most' if need.at_least is None else 'at least'} {limit:g}"


def _had(need: Need, part: MeasuredPart, limits: dict[str, float]) -> str:
    """What a part has of a need."""
    if trait := need.trait or need.lacks:
        return f"{trait}: {'yes' if trait in part.traits else 'no'}"
    value = part.measures.get(need.measure)
    has = "none" if value is None else f"{round(value, 2):g}"
    return f"{need.measure} {has} ({_needed(need, limits).removeprefix(need.measure).strip()})"
