"""The text prior knows nothing on twins, and finds a leak where there is one."""

import numpy as np
import pytest

from pactwin.solvers.baselines.blind import text_priors
from pactwin.suite import Constraint

NONE, FAR = Constraint.NONE, Constraint.OUT_OF_REACH
NOUNS = ("ball", "book", "bowl", "bottle", "block", "box", "lid", "cup", "plate", "tray")


def random_texts(n: int, rng: np.random.Generator) -> list[str]:
    return [" ".join(rng.choice(NOUNS, 4)) + f" {i}" for i in range(n)]


@pytest.mark.parametrize("n_pairs", [1, 2, 3, 20])
def test_twins_always_get_the_same_answer(n_pairs: int) -> None:
    rng = np.random.default_rng(n_pairs)
    texts = [t for t in random_texts(n_pairs, rng) for _ in range(2)]
    pairs = [f"p{i}" for i in range(n_pairs) for _ in range(2)]
    reasons = [(FAR, Constraint.COVERED)[i] for i in rng.integers(2, size=n_pairs)]
    truths = [truth for reason in reasons for truth in (NONE, reason)]
    guesses = text_priors(texts, pairs, truths)
    said = np.array([guesses[t][0] is NONE for t in texts])
    true = np.array([t is NONE for t in truths])
    sensitivity, false_alarms = said[true].mean(), said[~true].mean()
    assert sensitivity - false_alarms == 0.0


def test_a_leak_in_the_text_is_found_on_held_out_questions() -> None:
    rng = np.random.default_rng(0)
    texts = random_texts(60, rng)
    truths = [FAR if i % 2 else NONE for i in range(60)]
    leaky = [f"{t} {'far' if c is FAR else 'near'}" for t, c in zip(texts, truths, strict=True)]
    pairs = [f"p{i}" for i in range(60)]
    guesses = text_priors(leaky, pairs, truths)
    assert np.mean([guesses[t][0] is c for t, c in zip(leaky, truths, strict=True)]) > 0.9


def test_a_text_does_not_learn_from_its_own_copy() -> None:
    """Equal texts are one fold, so the only evidence about a text comes from other texts."""
    texts = ["far away ball"] * 10 + [f"near {n}" for n in NOUNS]
    truths = [NONE] * 10 + [FAR] * 10
    guesses = text_priors(texts, [f"p{i}" for i in range(20)], truths)
    assert guesses["far away ball"][0] is FAR
