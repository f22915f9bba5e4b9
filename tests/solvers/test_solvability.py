"""Whether a reply solves a problem or calls it unsolvable."""

import pytest

from pactwin.solvers.replies.solvability import final_answer, read_solvability
from pactwin.solvers.replies.text import Problem


@pytest.mark.parametrize(
    "reply",
    [
        "Step 1: Tie the sock to the rod.\nStep 2: Pull.",
        "Step1: Fill the cup. Step2: Pour it out.",
        "1. Bend the wire.\n2. Hook the ring.",
        "Use the ruler to slide the coin out.",
        "It is possible. Take the rope and throw it over the branch.",
        "<think>It is not possible?</think>Step 1: Hook it with the hanger.",
        "**Step 1:** Put the board over the gap.",
        "Yes. Lay the plank across.",
        "I would use the towel as a rope.",
    ],
)
def test_solutions(reply: str) -> None:
    assert read_solvability(reply) is True


@pytest.mark.parametrize(
    "reply",
    [
        "Unsolvable: nothing here can cut glass.",
        "Unsolvable. None of the items reaches that far.",
        "It is not possible to light a fire with wet matches.",
        "It's not possible with these tools.",
        "Not possible. The spoon is too short.",
        "Unfortunately, it is impossible to lift the car with a straw.",
        "This problem is unsolvable because the rope is too short.",
        "Impossible.",
        "There is no way to open the can.",
        "No, this cannot be done with the given items.",
        "Sealing the leak is not possible with a fork. It would not hold.",
        "<think>Step 1: hook it. No.</think>Unsolvable: it is out of reach.",
    ],
)
def test_refusals_to_solve(reply: str) -> None:
    assert read_solvability(reply) is False


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ("", Problem.EMPTY),
        ("<think>Let me see", Problem.CUT_OFF),
        ("Step 1: Pull it. Justification: it is not possible to reach it.", Problem.CONTRADICTION),
        ("Unsolvable.\nStep 1: Use the rod anyway.", Problem.CONTRADICTION),
        ("It is impossible to climb, but you can use the ladder.", Problem.CONTRADICTION),
        ("What a lovely puzzle!", Problem.NO_ANSWER),
    ],
)
def test_what_is_not_clearly_said_is_not_guessed(reply: str, problem: Problem) -> None:
    assert read_solvability(reply) is problem


def test_the_final_answer_follows_the_last_line_that_announces_one() -> None:
    for announced in ("Answer:", "ANSWER:", "**Answer:**", "  answer :"):
        assert final_answer(f"Answer: no\nAnswer: yes\n{announced} Hook it.") == "Hook it."
    assert final_answer("My answer: hook it.") == "My answer: hook it."
