"""Which true affordances a list of words names."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from inspect_ai.model import ModelOutput

from pactwin.catalogue import affordance_synonyms, load_catalogue
from pactwin.suite import EnvironmentFaultError, InvalidInputError
from pactwin.tasks.core.judge import JudgeFaultError, read_pairs
from pactwin.tasks.kinds.objects.matching import (
    THRESHOLD,
    calibrate_threshold,
    load_embedder,
    match_affordances,
)

PAIRS = Path(__file__).parents[3] / "data" / "affordance_pairs.jsonl"
KNOWN = sorted(load_catalogue().affordances)
known_lists = st.lists(st.sampled_from(KNOWN), min_size=1, max_size=5, unique=True)


def embed(texts: Sequence[str]) -> np.ndarray:
    """A deterministic stand-in: texts are near as far as they share words."""
    words = sorted({word for text in texts for word in text.split()})
    vectors = np.array([[word in text.split() for word in words] for text in texts], dtype=float)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@given(known_lists, st.data())
def test_any_synonym_names_its_affordance(accepted: list[str], data: st.DataObject) -> None:
    said = [data.draw(st.sampled_from((name, *affordance_synonyms(name)))) for name in accepted]
    matched = match_affordances(data.draw(st.permutations(said)), accepted)
    assert matched.covered == tuple(accepted)
    assert set(matched.right) == set(matched.items) == set(said)


@given(known_lists, known_lists, st.randoms())
def test_order_does_not_matter_and_nothing_is_counted_twice(items, accepted, order):
    once = match_affordances(items, accepted)
    again = match_affordances([*items[::-1], *items], accepted)
    assert set(once.items) == set(again.items) == set(items)
    assert set(once.right) == set(again.right) == set(items) & set(accepted)
    assert once.covered == again.covered


def test_embeddings_decide_only_what_the_catalogue_does_not_know() -> None:
    accepted = ("frobnicate the wug", "cut")
    items = ["frobnicate some wug", "stack", "wibble"]
    assert match_affordances(items, accepted).covered == ()
    near = match_affordances(items, accepted, embed, threshold=0.6)
    assert near.covered == ("frobnicate the wug",)
    assert near.right == ("frobnicate some wug",)

    def all_alike(texts: Sequence[str]) -> np.ndarray:
        return np.ones((len(texts), 1))

    assert match_affordances(["stack"], ("cut",), all_alike).covered == ()


@given(st.floats(0, 1), st.floats(0, 1))
def test_a_higher_threshold_never_matches_more(one: float, two: float) -> None:
    items, accepted = ["open the glorp", "glorp a thing"], ("glorp the thing", "wug")
    low, high = sorted((one, two))
    more = match_affordances(items, accepted, embed, threshold=low)
    fewer = match_affordances(items, accepted, embed, threshold=high)
    assert set(fewer.right) <= set(more.right)
    assert set(fewer.covered) <= set(more.covered)


def test_the_calibrated_threshold_keeps_its_promise() -> None:
    pairs = [
        ("glorp a b c", "glorp a b c d", True),
        ("glorp a x y", "glorp a b c d", False),
        ("glorp a b z", "glorp a b c d", True),
        ("wug", "blick", False),
    ]
    threshold = calibrate_threshold(pairs, embed, precision=1.0)
    found = [match_affordances([s], (a,), embed, threshold).covered != () for s, a, _ in pairs]
    assert found == [same for _, _, same in pairs]
    with pytest.raises(InvalidInputError, match="no threshold"):
        calibrate_threshold([("wug", "blick", False)], embed)


def test_labelled_pairs_at_our_threshold() -> None:
    """With the real encoder, where it is installed: what our threshold was chosen for."""
    try:
        encode, _ = load_embedder()
    except EnvironmentFaultError as error:
        pytest.skip(str(error))
    rows = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    both = [
        (bool(match_affordances([r["said"]], (r["accepted"],), encode).covered), r["same"])
        for r in rows
        if not match_affordances([r["said"]], (r["accepted"],)).covered
    ]
    matched = [same for found, same in both if found]
    assert len(matched) >= 15
    assert sum(matched) / len(matched) >= 0.75, f"precision at {THRESHOLD}"


def test_a_judge_says_something_of_every_phrase_or_is_broken() -> None:
    accepted, items = ("cut", "grasp"), ["slit", "hug"]

    def says(verdict: object) -> dict[str, str]:
        text = verdict if isinstance(verdict, str) else json.dumps(verdict)
        return read_pairs(ModelOutput.from_content("judge", text), accepted, items)

    assert says({"slit": "cut", "hug": None}) == {"slit": "cut"}
    assert says('```json\n{"slit": null, "hug": null}\n```') == {}
    for broken in ("yes", {"slit": "cut"}, {"slit": "eat", "hug": None}, ["cut"]):
        with pytest.raises(JudgeFaultError):
            says(broken)
