"""Laws of reading what models really write: thoughts, marks, hedges, and where a reason stands."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pactwin.solvers import OPTION_LETTERS, STATEMENTS, Problem, parse_reply, strip_reasoning
from pactwin.solvers.replies.places import alternatives
from pactwin.solvers.replies.yes_no import reason_beside
from pactwin.suite import SCENE_CONSTRAINTS, Constraint

OPTIONS = tuple(STATEMENTS.values())
REASONS = [constraint for constraint in SCENE_CONSTRAINTS if constraint is not Constraint.NONE]
THOUGHTS = st.sampled_from(
    [
        ("<think>", "</think>"),
        ("<thinking>", "</thinking>"),
        ("<THOUGHT>", "</THOUGHT>"),
        ("<reasoning>\n", "\n</reasoning>\n"),
        ("<seed:think>", "</seed:think>"),
        ("[THINK]", "[/THINK]"),
        ("◁think▷", "◁/think▷"),
        ("<|channel|>analysis<|message|>", "<|end|><|channel|>final<|message|>"),
    ]
)
MARKED = st.sampled_from(
    [
        "<answer>{}</answer>",
        "<final_answer>{}</final_answer>",
        "<|begin_of_box|>{}<|end_of_box|>",
        "The pictures say it all.\n<answer>\n{}\n</answer>",
        "Verdict: {}",
        "1. {}",
    ]
)
HEDGED = st.sampled_from(
    ["Probably {}.", "Most likely {}, I fear.", "I'd say {}.", "I think {}.", "My answer is {}."]
)
words = st.booleans().map(lambda said: (said, "yes" if said else "no"))
prose = st.text("abc deyn.,?\n ", max_size=60)


@given(words, THOUGHTS, prose)
def test_thoughts_are_not_the_answer(answer, marks, thought):
    said, word = answer
    opening, closing = marks
    other = "no" if said else "yes"
    hidden = f"{opening}{thought}\nAnswer: {other}{closing}"
    assert parse_reply("yes_no", f"{hidden}\n{word}").feasible is said
    assert parse_reply("yes_no", f"{thought}{closing}\n{word}").feasible is said, "opened elsewhere"
    assert parse_reply("yes_no", f"{hidden}{hidden}\n{word}").feasible is said
    assert strip_reasoning(f"{hidden}\n{word}") == word


@given(THOUGHTS, prose, st.sampled_from(["yes_no", "choice", "open"]))
def test_a_reply_that_ends_in_thought_is_cut_off(marks, thought, form):
    answer = parse_reply(form, f"{marks[0]}{thought}\nAnswer: yes", OPTIONS)
    assert answer.problem is Problem.CUT_OFF
    finished = parse_reply(form, "".join(marks), OPTIONS)
    assert finished.problem is Problem.EMPTY, "it thought, and then said nothing"


@given(words, st.one_of(MARKED, HEDGED))
def test_marks_and_hedges_leave_an_answer_one(answer: tuple[bool, str], wrapping: str) -> None:
    said, word = answer
    assert parse_reply("yes_no", wrapping.format(word)).feasible is said
    assert parse_reply("yes_no", wrapping.format(word.capitalize())).feasible is said


@given(st.sampled_from(OPTION_LETTERS[: len(OPTIONS)]), MARKED.filter(lambda mark: mark != "1. {}"))
def test_marks_hold_letters_too(letter: str, wrapping: str) -> None:
    answer = parse_reply("choice", wrapping.format(letter), OPTIONS)
    assert answer.option == OPTIONS[OPTION_LETTERS.index(letter)]


@pytest.mark.parametrize(
    ("feasible", "infeasible"),
    [
        ("Feasible.", "Infeasible."),
        ("Verdict: feasible", "Verdict: infeasible"),
        ("Feasible: yes", "Feasible: no"),
        ("**Possible?** Yes", "**Possible?** No"),
        ('{"verdict": "possible"}', '{"verdict": "impossible"}'),
        ('{"feasible": true, "reason": "no"}', '{"feasible": false, "reason": "yes"}'),
        ("The action is feasible.", "The action is not feasible."),
        ("I think so.", "I don't think so."),
        ("It can be done.", "It cant be done."),
    ],
)
def test_yes_and_no_are_read_alike(feasible: str, infeasible: str) -> None:
    """A wording that is understood for one answer only would tilt every score."""
    assert parse_reply("yes_no", feasible).feasible is True
    assert parse_reply("yes_no", infeasible).feasible is False


@pytest.mark.parametrize(
    "condition",
    ["if the lid is opened", "provided that it is moved", "unless it is blocked", "only once open"],
)
def test_a_yes_with_a_condition_is_no_answer(condition: str) -> None:
    for form in ("yes_no", "open"):
        assert parse_reply(form, f"Yes, {condition}.").problem is Problem.CONDITIONAL
        assert parse_reply(form, f"Answer: yes, {condition}.").problem is Problem.CONDITIONAL
    assert parse_reply("yes_no", f"No, {condition}.").feasible is False
    assert parse_reply("yes_no", "Yes, even if it looks tight.").feasible is True


@given(st.lists(st.sampled_from(["Is it too far", "Does it fit", "Is the lid shut"]), min_size=2),
       st.lists(st.booleans(), min_size=9, max_size=9), st.booleans())  # fmt: skip
def test_answers_to_its_own_questions_are_not_the_answer(questions, replies, said):
    pairs = zip(questions, replies, strict=False)
    aloud = " ".join(f"{question}? {'Yes' if r else 'No'}." for question, r in pairs)
    conclusion = "It can be done." if said else "It cannot be done."
    assert parse_reply("yes_no", aloud).problem is Problem.NO_ANSWER
    assert parse_reply("yes_no", f"{aloud} {conclusion}").feasible is said
    assert parse_reply("yes_no", f"{aloud}\nAnswer: {'yes' if said else 'no'}").feasible is said


@given(st.sampled_from(REASONS), st.permutations(REASONS))
def test_the_reason_is_read_beside_the_answer(given_: Constraint, others: list[Constraint]) -> None:
    """Whoever thinks first names what might prevent it; what counts stands after the answer."""
    aloud = "\n".join(f"Perhaps this: {STATEMENTS[other]}" for other in others[:4])
    reply = f"{aloud}\n\nAnswer: no. {STATEMENTS[given_]}"
    assert parse_reply("open", reply).constraint is given_
    fenced = f'{aloud}\n```json\n{{"answer": "no", "reason": "{STATEMENTS[given_]}"}}\n```'
    assert parse_reply("open", fenced).constraint is given_
    assert parse_reply("open", f"{aloud}\nAnswer: yes").constraint is Constraint.NONE


@given(st.sampled_from(REASONS), st.sampled_from(REASONS))
def test_two_reasons_are_not_one(first: Constraint, second: Constraint) -> None:
    answer = parse_reply("open", f"No. {STATEMENTS[first]} {STATEMENTS[second]}")
    assert answer.feasible is False
    if first is second:
        assert answer.constraint is first
    elif answer.problem is None:  # some reasons are part of what another one says
        assert answer.constraint in (first, second)
    else:
        assert answer.problem is Problem.UNCLEAR_REASON


@pytest.mark.parametrize("constraint", REASONS)
def test_a_reason_may_be_the_taxonomys_own_word(constraint: Constraint) -> None:
    reply = f'{{"answer": "no", "constraint": "{constraint.value}"}}'
    assert parse_reply("open", reply).constraint is constraint


@pytest.mark.parametrize(
    "reply",
    [
        "Yes. The ball is too big for the cup.",
        "Yes, but the green block would fall.",
        "Yes. An obstacle is in the way.",
    ],
)
def test_a_yes_beside_what_prevents_it_is_no_open_answer(reply: str) -> None:
    assert parse_reply("open", reply).problem is Problem.CONTRADICTION
    assert parse_reply("yes_no", reply).feasible is True, "there the word itself was asked for"


@given(st.permutations(OPTIONS), st.integers(0, 9))
def test_going_through_the_options_is_not_choosing(options: list[str], chosen: int) -> None:
    letters = OPTION_LETTERS[: len(options)]
    aloud = "\n".join(f"Option {x}: could that be? Hardly." for x in letters)
    assert parse_reply("choice", aloud, options).problem is Problem.CONTRADICTION
    ruled_out = f"{letters[0]}) is wrong, as one can see.\n{aloud}"
    answer = parse_reply("choice", f"{ruled_out}\nAnswer: {letters[chosen]}", options)
    assert answer.option == options[chosen]
    sentence = f"The correct statement is {letters[chosen]} because the picture shows it."
    assert parse_reply("choice", sentence, options).option == options[chosen]


@given(st.text("yesno. ,answer:?\n\"'{}<>|*()thinkABC", max_size=200))
def test_no_soup_of_marks_breaks_the_parser(text: str) -> None:
    for form in ("yes_no", "choice", "open"):
        answer = parse_reply(form, text, OPTIONS, ("red block",))
        says = answer.option if form == "choice" else answer.feasible
        if form == "open" and says is not None:
            says = answer.constraint
        assert (answer.problem is None) == (says is not None)


def test_a_very_long_reply_is_read_in_a_moment() -> None:
    """No expression goes over the whole of it again for every part: this would take minutes."""
    for piece in (
        "no ",
        "the lid ",
        "<think>",
        "Answer: ",
        "{",
        "a? ",
        "is not within the ",
        "\n- ",
    ):
        long, short = (
            parse_reply("open", piece * count, names=("lid",))
            for count in (60_000 // len(piece), 9)
        )
        assert long == short, piece


def test_beside_the_answer_in_an_object_its_other_sentences_are_the_reason() -> None:
    said = '{"answer": "no", "why": "too far", "certainty": 0.5, "is_feasible": "never"}'
    assert reason_beside(said).split(". ") == ["why: too far", ""]


def test_of_two_words_that_begin_alike_the_longer_one_is_read() -> None:
    assert re.findall(alternatives(["no", "no way", "now"]), "no way, no, now") == [
        "no way",
        "no",
        "now",
    ]
