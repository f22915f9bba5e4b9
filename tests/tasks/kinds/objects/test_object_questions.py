"""Questions about objects: everything labelled is asked, and nothing gives the answer away."""

from collections import Counter, defaultdict

import pytest
from fake_objects import CAMERAS, fake_object_scene

from pactwin.catalogue import PROPERTIES, load_catalogue
from pactwin.suite import Label, Question, Scene, SuiteError
from pactwin.tasks import make_object_questions


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


def test_each_label_and_the_affordances_are_asked_once(scenes, questions):
    asked = Counter((q.scene_id, q.topic) for q in questions)
    expected = {(s.id, topic) for s in scenes for topic in (*s.objects[0].properties, "")}
    assert asked == dict.fromkeys(expected, 1)
    assert len({q.id for q in questions}) == len(questions)
    for question in questions:
        if question.kind == "property":
            assert question.form == "choice"
            assert sorted(question.options) == sorted(PROPERTIES[question.topic])
            assert question.truth in question.options
            assert question.observability is not None
        else:
            assert (question.kind, question.form) == ("affordance", "list")
            assert question.truth == "; ".join(question.accepted)


def test_views_are_those_that_show_enough_of_the_object(questions: list[Question]) -> None:
    assert {q.views for q in questions} == {CAMERAS[:2]}


def test_the_text_is_the_same_whatever_the_answer(questions: list[Question]) -> None:
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
