"""Uses that solutions make of things, by rules of words."""

import pytest

from pactwin.tasks.published.macgyver.uses import uses_of

SOLUTIONS = {
    "reach with a stick": "Step 1: Use the broom handle to reach under the sofa.",
    "hook and pull": "Step 2: Hook the wire around the ring and gently pull it up.",
    "poke through a gap": "Step 1: Slide the card into the gap behind the desk.",
    "bridge a gap": "Lay the plank across the ditch.",
    "prop open": "Step 1: Prop the window open with the book.",
    "wedge shut": "Wedge the spoon under the door to keep the door shut.",
    "weigh down": "Weigh the tarp down with stones.",
    "scoop grains": "Scoop the sand into the bag with the frisbee.",
    "hold liquid": "Fill the boot with water.",
    "guide a pour": "Roll the page to form a funnel to pour the oil.",
    "lever up": "Use the rod as a lever.",
    "block a roll": "Put the brick there to prevent the cart from rolling.",
}


@pytest.mark.parametrize("use", SOLUTIONS)
def test_a_use_is_found_in_the_step_that_makes_it(use: str) -> None:
    assert uses_of(SOLUTIONS[use]) == (use,)
    assert uses_of(f"Step 1: Wash the shirt.\n{SOLUTIONS[use]}") == (use,)


def test_words_of_different_sentences_are_not_read_together() -> None:
    assert uses_of("Take the broom. Then reach for the soap.") == ()
    assert uses_of("Fill the form. The boot has holes. Drink water.") == ()
    assert uses_of("") == ()
