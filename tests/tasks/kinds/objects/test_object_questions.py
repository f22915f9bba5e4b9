"""Questions about objects: everything labelled is asked, and nothing gives the answer away."""

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from fake_objects import CAMERAS, fake_object_scene
from hypothesis import given
from hypothesis import strategies as st
from inspect_ai.model import ModelOutput

from pactwin.catalogue import PROPERTIES, affordance_synonyms, load_catalogue
from pactwin.suite import (
    EnvironmentFaultError,
    InvalidInputError,
    Label,
    Question,
    Scene,
    SuiteError,
)
from pactwin.tasks import make_object_questions
from pactwin.tasks.core.judge import JudgeFaultError, read_pairs
from pactwin.tasks.kinds.objects.matching import (
    THRESHOLD,
    calibrate_threshold,
    load_embedder,
    match_affordances,
)


@pytest.fixture(scope="module")
def scenes() -> list[Scene]:
    kinds = sorted(load_catalogue().kinds)[:50]
    return [
        fake_object_scene(load_catalogue().kinds[name], CAMERAS[:3], [1, index])[0]
        for index, name in enumerate(kinds)
    ]


@pytest.fixture(scope="module")
def questions(scenes: list[Scene]) -> list[Question]:
    return [question for scene in scenes for question in make_object_questions(scene)]


def test_each_label_is_asked_once_in_the_same_words_whatever_the_answer(scenes, questions):
    asked = Counter((q.scene_id, q.topic) for q in questions)
    expected = {(s.id, topic) for s in scenes for topic in (*s.objects[0].properties, "")}
    assert asked == dict.fromkeys(expected, 1)
    texts = defaultdict(set)
    for question in questions:
        texts[question.topic].add(question.text)
    assert {topic: len(said) for topic, said in texts.items()} == dict.fromkeys(texts, 1)
    assert set(PROPERTIES) >= set(texts) - {""}


def test_the_order_of_options_does_not_depend_on_the_label(scenes: list[Scene]) -> None:
    for scene in scenes[:5]:
        (first,) = scene.objects
        for topic in first.properties:
            orders = set()
            for value in PROPERTIES[topic]:
                label = Label(value=value, observability="visible", evidence="made up")
                changed = first.model_copy(update={"properties": {topic: label}})
                other = scene.model_copy(update={"objects": (changed,)})
                orders.add(make_object_questions(other)[0].options)
            assert len(orders) == 1


def test_a_box_is_named_instead_of_the_object(scenes: list[Scene]) -> None:
    scene, other = scenes[0], scenes[1]
    second = other.objects[0].model_copy(update={"instance_id": 2})
    visibility = scene.views[0].visibility | other.views[0].visibility
    views = tuple(v.model_copy(update={"visibility": visibility}) for v in scene.views)
    both = scene.model_copy(update={"objects": (scene.objects[0], second), "views": views})

    for question in make_object_questions(both):
        assert f"Look at the {question.objects[0]}." in question.text
    boxed = both.model_copy(update={"appearance": {"box": "yellow", "boxed": second.name}})
    found = make_object_questions(boxed)
    assert {q.objects for q in found} == {(second.name,)}
    assert all("Look at the object in the yellow box." in q.text for q in found)
    assert all(second.name not in q.text for q in found)
    with pytest.raises(SuiteError, match="boxed"):
        make_object_questions(both.model_copy(update={"appearance": {"box": "yellow"}}))


@pytest.mark.parametrize(("topic", "value"), [("SMELL", "Sweet"), ("WEIGHT", "Huge")])
def test_labels_outside_the_vocabulary_are_refused(topic, value, scenes):
    label = Label(value=value, observability="visible", evidence="made up")
    odd = scenes[0].objects[0].model_copy(update={"properties": {topic: label}})
    with pytest.raises(SuiteError, match="not in the vocabulary"):
        make_object_questions(scenes[0].model_copy(update={"objects": (odd,)}))


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
