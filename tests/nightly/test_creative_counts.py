"""Faults that tasks of our own have had, counted over 600 of them: none is left."""

import os
import re
from collections import Counter

import numpy as np
import pytest

from pactwin.catalogue import load_catalogue, load_uses
from pactwin.sim import MeantUse, UseTrials, measured_entities
from pactwin.sim.generation.creative.measuring import specimen
from pactwin.sim.generation.creative.shapes import thing_hook
from pactwin.sim.generation.creative.sides import resting_sides
from pactwin.sim.objects.solids import solid_of
from pactwin.suite import Scene
from pactwin.tasks import KnowledgeBase, UsePlan, make_use_question, plan_tasks

pytestmark = [pytest.mark.nightly, pytest.mark.timeout(14_400)]

SEED = int(os.environ.get("SEED", "5102"))
COUNT = int(os.environ.get("TASKS", "600"))
_EXPONENT = re.compile(r"\d[eE][+-]?\d")


def faults(known: KnowledgeBase, trials: UseTrials, plan: UsePlan, scene: Scene) -> list[str]:
    """What is wrong with a task, judged from the specimens and not from the measures."""
    question = make_use_question(known, plan, scene)
    use = known.table.uses[plan.use]
    catalogue = load_catalogue()
    made = {
        kind
        for kind in (plan.kind, *plan.others)
        if {one.name for one in catalogue.kind(kind).affordances} & set(use.made_for)
    }
    task = MeantUse(plan.use, plan.limits, plan.kind, plan.part, plan.others)
    heavy_g = 1e3 * specimen(plan.kind, trials.seed).mass_kg
    limit = {
        "load": plan.limits["load"] if plan.use == "cover an opening" else plan.limits["heavy"]
    }
    told = " ".join(text for thing in question.candidates for text in thing.parts.values())
    found = {
        "says that nothing made for it is there": made
        and "Nothing made for this is there" in question.text,
        "the whole thing is heavier than what is asked": heavy_g > limit["load"],
        "a limit is out of its range": any(
            not 0.9 * of.least <= plan.limits[name] <= 1.1 * of.most
            for name, of in use.limits.items()
        ),
        "a number has an exponent": _EXPONENT.search(f"{question.text} {told}"),
        "a trial refuses it": not trials.borne_out(task),
    }
    if plan.use == "prop open":
        found["another thing props on one of its sides"] = any(
            plan.limits["low"] <= 1e3 * side.height_m <= plan.limits["high"]
            for kind in plan.others
            for side in resting_sides(specimen(kind, trials.seed))
            if side.steady and trials.rule(task, kind, played=False) >= 1
        )
    if plan.use == "hook out":
        found["its hook is a closed loop"] = _closed(plan, trials.seed)
    return [what for what, is_so in found.items() if is_so]


def _closed(plan: UsePlan, seed: int) -> bool:
    """Whether all rays from where the wire is, in the plane of the hook, meet matter."""
    item = specimen(plan.kind, seed)
    hook = thing_hook(item, plan.limits["wire"])
    assert hook is not None
    solid = solid_of(item).only((plan.part,))
    across = np.cross(*hook.axes)
    start = hook.at_mm @ hook.axes + (solid.points @ across).mean() * across
    turn = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    ways = np.stack([np.cos(turn), np.sin(turn)], axis=1) @ hook.axes
    _, leave = solid.crossings(np.broadcast_to(start, ways.shape), ways)
    return bool((leave.max(axis=0) > 0).all())


def test_none_of_the_faults_that_were_found_is_left() -> None:
    known = KnowledgeBase(measured_entities(SEED, load_uses().kinds()), load_uses())
    trials = UseTrials(known.entities, SEED)

    def borne_out(plan: UsePlan) -> bool:
        return trials.borne_out(MeantUse(plan.use, plan.limits, plan.kind, plan.part, plan.others))

    scene = Scene(
        id="0" * 16, domain="low", source="sim", seed=0, robot="none", objects=(), views=()
    )
    plans = [plan for group in plan_tasks(known, COUNT, SEED, borne_out) for plan in group]
    assert len(plans) == COUNT
    assert Counter(what for plan in plans for what in faults(known, trials, plan, scene)) == {}


def test_faults_would_be_counted() -> None:
    known = KnowledgeBase(measured_entities(SEED, ("brick", "plank", "mug")), load_uses())
    plan = UsePlan(
        setting="garden shed", tier="low", use="weigh down", kind="mug", part="body",
        limits={"load": 9000.0, "ledge": 120.0, "long": 300.0, "heavy": 50.0},
        level=1, cluster_size=2, others=("brick", "plank"), wording=0,
    )  # fmt: skip
    scene = Scene(
        id="0" * 16, domain="low", source="sim", seed=0, robot="none", objects=(), views=()
    )
    found = faults(known, UseTrials(known.entities, SEED), plan, scene)
    assert found == [
        "the whole thing is heavier than what is asked",
        "a limit is out of its range",
        "a trial refuses it",
    ]
