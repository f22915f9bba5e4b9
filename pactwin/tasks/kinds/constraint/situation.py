"""Common beginning of questions about an action."""

from collections.abc import Sequence

import numpy as np

from pactwin.suite import Scene, Verdict

_SITUATION = (
    "A robot at a table is told to do the following: {action}. Its feet and trunk stay where "
    "they are, and it does not pass things from one hand to the other. It has to do just this, "
    "starting from the situation shown, and may not move, open or take off anything else first."
)
# What decides a balance, and what carries it.
_BOARD, _BASE = " plank", " base block"
# What counts as done, by the precondition for which it matters.
_COUNTS = {
    "nothing_else_moves_with": "It may lift a thing straight up or draw it out to a side.",
    "it_stays_in_it": (
        "A thing is in there if it gets nearly down to the bottom; it may be turned for that, and "
        "may stick out. Of a vessel that stands upside down the hollow in its foot counts, if it "
        "has one."
    ),
    "it_stays_there": (
        "What is set on something has to rest right on that, not on another thing there."
    ),
}


def situation_of(action: str, limits: str = "") -> str:
    """Describe the situation: a robot with hands of ``limits`` is told to do ``action``."""
    return " ".join(filter(None, (_SITUATION.format(action=action.rstrip(".")), limits)))


def conventions(verdict: Verdict, alike: Sequence[Scene]) -> str:
    """What counts as done, weights, and limits of one hand, as far as preconditions need them.

    It is the same for all scenes that are ``alike``: the twins, or the steps of a ladder.
    """
    keys = {name.partition(":")[0] for name in verdict.checks}
    limits = {
        name: measured.limit
        for check in verdict.checks.values()
        for name, measured in check.measurements.items()
        if measured.limit is not None
    }
    said = [sentence for key, sentence in _COUNTS.items() if key in keys]
    if "one_hand_holds_it_level" in keys or any(name.endswith(_BOARD) for name in verdict.objects):
        said.append(_weights(verdict, alike))
    if "width" in limits:
        said.append(
            "It uses one hand, not both. That hand takes a thing by two opposite sides, as it is, "
            f"that are up to {100 * limits['width']:.3g} cm apart, and bears up to "
            f"{limits['mass']:.3g} kg."
        )
    if "torque_about_the_grip" in limits:
        said.append(
            f"One hand bears up to {limits['mass']:.3g} kg and keeps level what turns the wrist "
            f"with up to {limits['torque_about_the_grip']:.3g} N m."
            + (
                " A handle turns in its grip about the handle's own length from "
                f"{limits['torque_about_the_handle']:.3g} N m on."
                if "torque_about_the_handle" in limits
                else ""
            )
        )
    return " ".join(filter(None, said))


def _weights(verdict: Verdict, alike: Sequence[Scene]) -> str:
    """Weights of the deciding objects; of a block that is not always as large, by volume."""
    said = []
    for name in verdict.objects:
        found = [obj for scene in alike for obj in scene.objects if obj.name == name]
        grams = {round(1000.0 * obj.mass_kg) for obj in found}
        if name.endswith(_BASE) or (name != verdict.objects[0] and name in verdict.action):
            continue
        if len(grams) == 1:
            said.append(f"the {name} weighs {grams.pop()} g")
        elif found[0].category == "block":
            density = found[0].mass_kg / float(np.prod(found[0].size_m)) / 1000.0
            said.append(f"the {name} weighs {density:.2g} g per cubic centimetre")
    text = ", ".join(said)
    return f"{text[0].upper()}{text[1:]}." if text else ""
