"""Questions tell twins apart by their truth alone; a model is sent nothing that gives it away."""

import json
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from fakes import FakePair, fake_pairs, make_fake_suite
from hypothesis import given
from hypothesis import strategies as st
from inspect_ai.model import ChatMessageAssistant, ContentText, ModelOutput
from inspect_ai.scorer import SampleScore, Score
from marking import marked

from pactwin.solvers import OPTION_LETTERS, STATEMENTS
from pactwin.suite import (
    SCENE_CONSTRAINTS,
    Check,
    Constraint,
    InvalidInputError,
    Measurement,
    Question,
    Scene,
    Suite,
)
from pactwin.tasks import (
    FORMS,
    AnswerState,
    ConstraintOutcome,
    SampleFacts,
    make_questions,
    pac_constraints,
)
from pactwin.tasks.core.scoring import accuracy_answered, accuracy_strict, coverage


def facts_of(suite: Path, **options: Any) -> list[SampleFacts]:
    return [s.metadata_as(SampleFacts) for s in pac_constraints(str(suite), **options).dataset]


def test_what_is_not_asked_is_counted(tmp_path: Path) -> None:
    suite = make_fake_suite(tmp_path / "suite", n_pairs=12)
    questions = list(Suite.open(suite).questions())
    task = pac_constraints(str(suite), views="each,all,head+side")
    hidden = sum("side" not in q.views for q in questions)
    assert hidden > 0, "the made-up suite has hidden targets"
    assert task.metadata is not None
    assert task.metadata["skipped"] == {
        "front": 0, "agent": 0, "side": hidden, "head": 0, "joint": 0, "side+head": hidden,
    }  # fmt: skip
    assert len(task.dataset) + 2 * hidden == 6 * len(questions)


def test_twins_are_asked_under_the_same_conditions(fake_suite_path: Path) -> None:
    facts = facts_of(fake_suite_path, views="each,joint")
    asked = Counter((f.pair_id, f.view, f.form, f.truth_feasible) for f in facts)
    assert set(asked.values()) == {1}
    for pair, view, form, feasible in asked:
        assert (pair, view, form, not feasible) in asked


def test_a_limit_takes_whole_pairs_from_every_domain(fake_suite_path: Path) -> None:
    for limit in (1, 4, 6):
        facts = facts_of(fake_suite_path, views="head", limit=limit)
        assert len({f.pair_id for f in facts}) == limit
        assert len(facts) == limit * 2 * len(FORMS)
        per_domain = Counter({f.pair_id: f.domain for f in facts}.values())
        assert len(per_domain) == min(limit, 4)
        assert max(per_domain.values()) - min(per_domain.values()) <= 1


def test_a_sample_about_another_picture_is_another_sample(tmp_path: Path) -> None:
    def repainted(pair: FakePair) -> FakePair:
        files = {
            path: data[:-12] + b"\0" + data[-12:] if path.endswith("front.png") else data
            for path, data in pair.files.items()
        }
        return FakePair(pair.scenes, files, pair.rejections)

    def ids(name: str, **change: Any) -> dict[tuple[str, str], str]:
        suite = make_fake_suite(tmp_path / name, **change)
        samples = pac_constraints(str(suite), views="front,head,all").dataset
        facts = {str(s.id): s.metadata_as(SampleFacts) for s in samples}
        return {(f.question_id, f.view): id for id, f in facts.items()}

    before, after = ids("before"), ids("after", change=repainted)
    assert before.keys() == after.keys()
    for (question, view), id in before.items():
        assert (after[question, view] == id) == (view == "head")


def test_sample_ids_and_inputs_are_opaque(fake_suite_path: Path) -> None:
    task = pac_constraints(str(fake_suite_path), views="each,joint")
    ids = [str(sample.id) for sample in task.dataset]
    assert len(set(ids)) == len(ids)
    for sample in task.dataset:
        facts = sample.metadata_as(SampleFacts)
        assert not isinstance(sample.input, str)
        sent = json.dumps([m.model_dump(include={"role", "content"}) for m in sample.input])
        assert facts.domain not in sent
        assert "feasible" not in sent
        assert not {facts.question_id, facts.scene_id, facts.pair_id} & {str(sample.id)}
        assert sample.input[0].metadata is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"views": "heat"}, "front, agent, side, head"),
        (
            {"form": "essay"},
            "all, checklist, choice, open, outcome, part, repair, thing, told, yes_no",
        ),
        ({"limit": 0}, "at least 1"),
    ],
)
def test_bad_options_say_what_is_allowed(options, message, fake_suite_path):
    with pytest.raises(InvalidInputError, match=message):
        pac_constraints(str(fake_suite_path), **options)


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


@pytest.mark.parametrize(
    ("thing", "cause", "alike"),
    [
        ("cage", "path_blocked", True),
        ("fence", "path_blocked", False),
        ("cage", "occupied", False),
    ],
)
def test_what_a_cage_keeps_hands_from_may_be_said_to_be_covered(pairs, thing, cause, alike) -> None:
    """So it is no option beside the obstacle, in either twin."""
    found = []
    for scene in next(twins for twins in pairs if not any(s.decided.also for s in twins)):
        name = scene.decided.objects[0]
        text = scene.model_dump_json().replace(name, f"{name} {thing}")
        if not scene.decided.feasible:
            text = text.replace(f'"{scene.decided.constraint.value}"', f'"{cause}"')
        found.append(Scene.model_validate_json(text))
    for one, other in (found, found[::-1]):
        (choice,) = (q for q in make_questions(one, other) if q.form == "choice")
        assert (Constraint.COVERED in choice.equivalent_constraints) is alike
        assert (STATEMENTS[Constraint.COVERED] not in choice.options) is alike
        assert STATEMENTS[Constraint(cause)] in choice.options


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
            ("up to 3 kg", "up to 3 N m", "from 0.5 N m on", "weighs"),
        ),
        (
            "it_stays_in_it",
            {},
            ("nearly down to the bottom", "may stick out", "hollow in its foot"),
        ),
        ("it_stays_there", {}, ("rest right on that, not on another thing",)),
        ("nothing_else_moves_with: red block", {}, ("lift a thing straight up or draw it out",)),
    ],
)
def test_the_text_holds_every_limit_and_convention_that_decides(pairs, check, limits, told):
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


def test_weights_of_what_a_balance_hangs_on_are_told_alike_of_both_twins(pairs):
    """No picture shows them; of a block that is larger in one of them, by volume."""
    level = Check(holds=True, constraint=Constraint.NONE, measurements={}, margin=1.0)
    scene = next(one for pair in pairs for one in pair if one.objects[0].category == "block")
    name = scene.objects[0].name
    verdict = scene.decided.model_copy(
        update={"checks": {"one_hand_holds_it_level": level}, "objects": (name,)}
    )

    def with_block(size_m: tuple[float, float, float], mass_kg: float) -> Scene:
        block = scene.objects[0].model_copy(update={"size_m": size_m, "mass_kg": mass_kg})
        return scene.model_copy(update={"objects": (block,), "verdict": verdict})

    small, large = with_block((0.05, 0.05, 0.02), 0.03), with_block((0.05, 0.05, 0.04), 0.06)
    for twins, told in (((small, small), "30 g."), ((small, large), "0.6 g per cubic centimetre.")):
        for alike in (twins, twins[::-1]):
            (asked, *_) = make_questions(*alike)
            assert f"The {name} weighs {told}" in asked.text


ID = "0123456789abcdef"
ANSWERED = (AnswerState.CORRECT, AnswerState.INCORRECT)
forms = st.sampled_from(FORMS)
constraints = st.sampled_from(SCENE_CONSTRAINTS)


def asked(form: Any, truth: Constraint) -> tuple[SampleFacts, Question]:
    feasible = truth is Constraint.NONE
    facts = SampleFacts(
        question_id=ID, scene_id=ID, pair_id=ID, domain="any", view="head", form=form,
        truth_feasible=feasible, truth_constraint=truth,
    )  # fmt: skip
    question = Question(
        id=ID, scene_id=ID, kind="constraint", form=form, text="?",
        options=tuple(STATEMENTS.values()) if form == "choice" else (),
        truth=("yes" if feasible else "no") if form == "yes_no" else STATEMENTS[truth],
        rationale="", objects=("red block",), views=("head",),
    )  # fmt: skip
    return facts, question


def outcome_to(asked: tuple[SampleFacts, Question], output: ModelOutput) -> ConstraintOutcome:
    facts, question = asked
    return marked(question, output, facts)


def reply(form: str, said: Constraint) -> str:
    if form == "choice":
        return OPTION_LETTERS[list(STATEMENTS).index(said)]
    return f"{'Yes' if said is Constraint.NONE else 'No'}. {STATEMENTS[said]}"


@given(forms, constraints, constraints)
def test_an_answer_is_correct_exactly_if_it_says_the_truth(form, truth, said):
    outcome = outcome_to(asked(form, truth), ModelOutput.from_content("m", reply(form, said)))
    same = (truth is Constraint.NONE) == (said is Constraint.NONE)
    right = same if form == "yes_no" else truth is said
    assert outcome.state is (AnswerState.CORRECT if right else AnswerState.INCORRECT)
    assert outcome.predicted_feasible is (said is Constraint.NONE)
    assert outcome.predicted_constraint is said
    assert outcome.reason == ""


@given(forms, constraints, constraints, st.text())
def test_whether_there_is_an_answer_does_not_depend_on_the_truth(form, truth, other, text):
    output = ModelOutput.from_content("m", text)
    one, two = (outcome_to(asked(form, truth), output), outcome_to(asked(form, other), output))
    assert (one.state in ANSWERED) == (two.state in ANSWERED)
    assert one.predicted_constraint == two.predicted_constraint


@given(constraints)
def test_a_no_counts_for_feasibility_whatever_becomes_of_its_reason(truth: Constraint) -> None:
    """Whoever gives no reason is wrong; a reason that cannot be read is not called wrong."""
    for said, state in (
        ("No.", AnswerState.INCORRECT),
        ("No. The stars forbid it.", AnswerState.UNPARSED),
    ):
        outcome = outcome_to(asked("open", truth), ModelOutput.from_content("m", said))
        assert outcome.state is state
        assert outcome.predicted_feasible is False
        assert outcome.predicted_constraint is None


@pytest.mark.parametrize(
    ("stop", "state"),
    [
        ("content_filter", AnswerState.REFUSED),
        ("max_tokens", AnswerState.TRUNCATED),
        ("model_length", AnswerState.TRUNCATED),
    ],
)
def test_what_the_instrument_did_comes_before_what_was_said(stop, state):
    for form, truth in product(FORMS, Constraint):
        output = ModelOutput.from_content("m", reply(form, truth), stop_reason=stop)
        outcome = outcome_to(asked(form, truth), output)
        assert outcome.state is state
        assert outcome.predicted_feasible is None
        assert outcome.reason


def test_no_output_is_an_error_and_a_refusal_part_a_refusal() -> None:
    question = asked("yes_no", Constraint.NONE)
    assert outcome_to(question, ModelOutput()).state is AnswerState.ERROR
    assert outcome_to(question, ModelOutput(error="boom")).state is AnswerState.ERROR
    refusal = ChatMessageAssistant(content=[ContentText(text="No.", refusal=True)])
    assert outcome_to(question, ModelOutput.from_message(refusal)).state is AnswerState.REFUSED


@given(st.lists(st.sampled_from(list(AnswerState))))
def test_metrics_count_states(states: list[AnswerState]) -> None:
    scores: Any = [
        SampleScore(
            score=Score(value="N", metadata=ConstraintOutcome(state=s).model_dump(mode="json"))
        )
        for s in states
    ]
    correct = states.count(AnswerState.CORRECT)
    answered = correct + states.count(AnswerState.INCORRECT)
    assert accuracy_strict()(scores) == (correct / len(states) if states else 0)
    assert accuracy_answered()(scores) == (correct / answered if answered else 0)
    assert coverage()(scores) == (answered / len(states) if states else 0)
