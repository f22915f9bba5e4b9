"""Questions tell twins apart by their truth alone."""

import re

import pytest
from fakes import fake_pairs

from pactwin.solvers import STATEMENTS
from pactwin.suite import SCENE_CONSTRAINTS, Check, Constraint, Measurement, Scene
from pactwin.tasks import FORMS, make_questions

SECRET = {"id", "scene_id", "truth", "rationale"}


@pytest.fixture(scope="module")
def pairs() -> list[tuple[Scene, Scene]]:
    return [pair.scenes for pair in fake_pairs(12, seed=3)]


def test_twins_differ_in_nothing_but_ids_and_truth(pairs: list[tuple[Scene, Scene]]) -> None:
    for scene, twin in pairs:
        ours, theirs = make_questions(scene, twin), make_questions(twin, scene)
        assert [q.form for q in ours] == list(FORMS) == [q.form for q in theirs]
        for a, b in zip(ours, theirs, strict=True):
            assert a.model_dump(exclude=SECRET) == b.model_dump(exclude=SECRET)
            assert a.truth != b.truth
            assert a.id != b.id


def test_a_question_is_a_function_of_its_records(pairs: list[tuple[Scene, Scene]]) -> None:
    questions = [q for s, t in pairs for q in (*make_questions(s, t), *make_questions(t, s))]
    again = [q for s, t in pairs for q in (*make_questions(s, t), *make_questions(t, s))]
    assert questions == again
    assert len({q.id for q in questions}) == len(questions)
    assert all(re.fullmatch("[0-9a-f]{16}", q.id) for q in questions)


def test_truth_follows_the_verdict(pairs: list[tuple[Scene, Scene]]) -> None:
    for scene, twin in pairs:
        by_form = {q.form: q for q in make_questions(scene, twin)}
        assert by_form["yes_no"].truth == ("yes" if scene.decided.feasible else "no")
        assert by_form["choice"].truth == STATEMENTS[scene.decided.constraint]
        assert set(by_form["choice"].options) == {STATEMENTS[c] for c in SCENE_CONSTRAINTS}
        assert len(by_form["choice"].options) == len(SCENE_CONSTRAINTS)
        for question in by_form.values():
            assert scene.decided.action.rstrip(".") in question.text
            assert question.objects == scene.decided.objects
            assert "mm" in question.rationale


def test_of_causes_that_hold_together_one_is_an_option(pairs: list[tuple[Scene, Scene]]) -> None:
    for twins in pairs:
        blocked = next(s for s in twins if not s.decided.feasible)
        other = next(
            c for c in SCENE_CONSTRAINTS if c not in (Constraint.NONE, blocked.decided.constraint)
        )
        both = blocked.decided.model_copy(update={"also": (other,)})
        scene, twin = (s.model_copy(update={"verdict": both}) if s is blocked else s for s in twins)
        for one, two in ((scene, twin), (twin, scene)):
            for question in make_questions(one, two):
                assert question.equivalent_constraints == (blocked.decided.constraint, other)
                assert STATEMENTS[other] not in question.options
        (choice,) = (q for q in make_questions(scene, twin) if q.form == "choice")
        assert choice.truth in choice.options
        assert len(choice.options) == len(SCENE_CONSTRAINTS) - 1


def test_the_place_of_the_right_option_is_drawn_anew_for_each_pair() -> None:
    pairs = [pair.scenes for pair in fake_pairs(60, seed=1, cameras=("head",))]
    places: dict[Constraint, set[int]] = {}
    for scene, twin in pairs:
        question = make_questions(scene, twin)[1]
        places.setdefault(scene.decided.constraint, set()).add(
            question.options.index(question.truth)
        )
    assert len(places[Constraint.NONE]) >= 8


@pytest.mark.parametrize(
    ("check", "limits", "told"),
    [
        (
            "hand_holds: red block",
            {"mass": (3.0, "kg"), "width": (0.1, "m")},
            ("one hand, not both", "two opposite sides", "up to 10 cm apart", "up to 3 kg"),
        ),
        (
            "one_hand_holds_it_level",
            {
                "mass": (3.0, "kg"),
                "torque_about_the_grip": (3.0, "N m"),
                "torque_about_the_handle": (0.5, "N m"),
            },
            ("up to 3 kg", "up to 3 N m", "from 0.5 N m on"),
        ),
    ],
)
def test_the_text_holds_every_limit_of_hands_that_decides(pairs, check, limits, told):
    measured = {n: Measurement(value=1.0, limit=v, unit=u) for n, (v, u) in limits.items()}
    decided = Check(holds=True, constraint=Constraint.NONE, measurements=measured, margin=1.0)
    for twins in pairs[:2]:
        scene, twin = (
            s.model_copy(
                update={"verdict": s.decided.model_copy(update={"checks": {check: decided}})}
            )
            for s in twins
        )
        for question in make_questions(scene, twin):
            assert all(words in question.text for words in told), question.text
