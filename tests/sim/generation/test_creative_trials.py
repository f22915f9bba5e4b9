"""What tasks mean is played: a brick weighs down, a long plank bridges, and faults are seen."""

from dataclasses import replace

import pytest

from pactwin.catalogue import Entity
from pactwin.sim.generation.creative.measuring import measured_entities
from pactwin.sim.generation.creative.trials import MeantUse, UseTrials, rule_agreement

SEED = 1
ROOM = {"long": 5000.0, "heavy": 50_000.0}
"""What is asked for everywhere, met by everything."""


@pytest.fixture(scope="module")
def entities() -> dict[str, Entity]:
    return measured_entities(SEED, ("brick", "plank", "sponge", "tape_roll", "pry_bar", "mug"))


def heaviest_g(entity: Entity) -> float:
    return max(part.measures["mass_g"] for part in entity.parts.values())


def longest_mm(entity: Entity) -> float:
    return max(part.measures["length_mm"] for part in entity.parts.values())


def test_what_is_meant_serves_and_what_is_too_light_or_short_does_not(entities):
    load = heaviest_g(entities["brick"]) / 2
    depth = longest_mm(entities["plank"]) / 1.3
    assert heaviest_g(entities["sponge"]) < load / 2
    assert longest_mm(entities["sponge"]) < depth / 1.3
    tasks = [
        MeantUse(
            "weigh down", {"load": load, "ledge": 300.0, **ROOM}, "brick", "body", ("sponge",)
        ),
        MeantUse(
            "reach under", {"depth": depth, "slit": 80.0, **ROOM}, "plank", "body", ("sponge",)
        ),
        MeantUse("pad", {"drop": 1.0}, "sponge", "body", ("brick",)),  # no trial plays it
    ]
    rows = rule_agreement(tasks, entities, SEED)
    assert [row.use for row in rows] == ["reach under", "weigh down"]
    for row in rows:
        assert (row.both, row.neither, row.rule_only, row.trial_only) == (1, 1, 0, 0)
        assert (row.meant, row.meant_serve, row.unique, row.agreed) == (1, 1, 1, 1.0)


def test_a_measure_that_is_wrong_is_seen(entities: dict[str, Entity]) -> None:
    """Rules that take a sponge for as heavy as a brick are told from the trial."""
    load = heaviest_g(entities["brick"]) / 2
    claimed = dict(entities, sponge=entities["brick"])
    task = MeantUse("weigh down", {"load": load, "ledge": 300.0, **ROOM}, "sponge", "body", ())
    (row,) = rule_agreement([task], claimed, SEED)
    assert (row.rule_only, row.meant, row.meant_serve, row.agreed) == (1, 1, 0, 0.0)


def test_a_second_thing_that_serves_is_found(entities: dict[str, Entity]) -> None:
    trials = UseTrials(entities, SEED)
    limits = {"load": heaviest_g(entities["plank"]) / 2, "ledge": 300.0, **ROOM}
    beside = MeantUse("weigh down", limits, "brick", "body", ("plank", "sponge"))
    assert trials.serves(beside, "plank") and not trials.borne_out(beside)
    assert trials.borne_out(replace(beside, others=("sponge",)))
    # On a ledge as narrow as this no plank rests: the other needs decide on it.
    assert trials.borne_out(replace(beside, limits={**limits, "ledge": 10.0}))


def test_where_nothing_is_played_the_second_rule_has_to_agree(entities: dict[str, Entity]) -> None:
    trials = UseTrials(entities, SEED)
    limits = {"foot": 50.0, "high": 150.0, **ROOM}
    task = MeantUse("carry a hot pot", limits, "brick", "body", ("sponge",))
    assert not trials.plays(task) and trials.borne_out(task)
    assert not trials.borne_out(replace(task, others=("plank",)))
    assert not trials.borne_out(replace(task, limits={**limits, "high": 20.0}))
    assert not trials.borne_out(replace(task, part="handle"))


def test_a_long_thing_bridges_whichever_way_it_lies(entities: dict[str, Entity]) -> None:
    """A plank that reaches far beyond the banks, and a brick that would have to lie."""
    trials = UseTrials(entities, SEED)
    gap = {"gap": 60.0, "foot": 30.0}
    assert trials.serves(MeantUse("bridge a gap", gap, "plank", "body", ()), "plank")
    assert trials.serves(MeantUse("bridge a gap", gap, "brick", "body", ()), "brick")
    assert not trials.serves(
        MeantUse("bridge a gap", {**gap, "gap": 340.0}, "brick", "body", ()), "brick"
    )


def test_a_lid_keeps_drops_out_and_a_ring_does_not(entities: dict[str, Entity]) -> None:
    trials = UseTrials(entities, SEED)
    assert trials.serves(
        MeantUse("cover an opening", {"mouth": 60.0}, "brick", "body", ()), "brick"
    )
    # All of a tape roll would lie on the mouth, with a hole in the middle.
    assert not trials.serves(
        MeantUse("cover an opening", {"mouth": 60.0}, "tape_roll", "body", ()), "tape_roll"
    )


def test_a_hook_lifts_a_bar_and_a_closed_loop_does_not(entities: dict[str, Entity]) -> None:
    trials = UseTrials(entities, SEED)
    assert trials.serves(MeantUse("hook out", {"wire": 15.0}, "pry_bar", "body", ()), "pry_bar")
    assert trials.serves(MeantUse("hook out", {"wire": 6.0}, "mug", "body", ()), "mug") is not True
