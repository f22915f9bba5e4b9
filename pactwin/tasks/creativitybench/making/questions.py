"""From a plan to a question: the situation in words, every part as measured, and the reasons."""

from collections.abc import Sequence
from string import Template

from pactwin.catalogue import MeasuredPart, Need, Uses, part_camera, thing_camera
from pactwin.suite import Candidate, Question, Scene, opaque_id
from pactwin.tasks.creativitybench.making.affordances import KnowledgeBase
from pactwin.tasks.creativitybench.making.planning import UsePlan, lacking

_ASKS = (
    "Nothing made for this is there: only the things below, all within reach. Which part of which "
    "thing serves, and how would you use it?"
)
_GRADES = (0.2, 0.4, 0.6, 0.8)
"""What fails one need is the more like the meant part the nearer it comes to the limit."""


def make_use_question(known: KnowledgeBase, plan: UsePlan, scene: Scene) -> Question:
    """The question of one plan about its scene."""
    use = known.table.uses[plan.use]
    limits = {name: f"{value:g}" for name, value in plan.limits.items()}
    situation = Template(use.asks[plan.wording]).substitute(limits)
    meant = known.entities[plan.kind].name
    cameras = [view.camera.name for view in scene.views]
    numbers = {obj.name: obj.instance_id for obj in scene.objects}
    return Question(
        id=opaque_id(f"creative:question:{scene.id}"),
        scene_id=scene.id,
        kind="creative_use",
        form="open",
        text=f"In the {plan.setting}: {situation}\n{_ASKS}",
        truth=f"{meant}; {plan.part}",
        rationale=_rationale(known, plan),
        objects=(),
        views=tuple(cameras),
        topic=plan.use,
        accepted=(meant, plan.part),
        candidates=tuple(
            _candidate(known, plan, kind, numbers.get(known.entities[kind].name), cameras)
            for kind in sorted((plan.kind, *plan.others))
        ),
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


def _rationale(known: KnowledgeBase, plan: UsePlan) -> str:
    """Which needs the meant part meets, and what the others lack, a line each."""
    use = known.table.uses[plan.use]
    measured = known.of(plan.kind)[plan.part]
    met = "; ".join(_said(need, measured, plan.limits) for need in use.needs)
    lines = [f"{plan.use}: the {plan.part} of the {known.entities[plan.kind].name} has {met}"]
    for kind in plan.others:
        for part, other in known.of(kind).items():
            ratios = use.ratios(other, plan.limits)
            need = use.needs[min(range(len(ratios)), key=lambda k: ratios[k])]
            lacks = _said(need, other, plan.limits)
            lines.append(f"{known.entities[kind].name}, {part}: fails, {lacks}")
    return "\n".join(lines)


def _said(need: Need, part: MeasuredPart, limits: dict[str, float]) -> str:
    """A need and what a part has of it."""
    if need.trait:
        return f"{need.trait}: {'yes' if need.trait in part.traits else 'no'}"
    if need.lacks:
        return f"{need.lacks}: {'yes' if need.lacks in part.traits else 'no'}"
    limit = limits[need.limit] if isinstance(need.limit, str) else need.limit
    which = "at most" if need.at_least is None else "at least"
    value = part.measures.get(need.measure)
    return f"{need.measure} {'none' if value is None else f'{value:g}'} ({which} {limit:g})"
