"""Laws of the parser: decoration and thoughts change nothing, contradiction is never resolved."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pactwin.solvers import (
    OPTION_LETTERS,
    STATEMENTS,
    Answer,
    Problem,
    parse_reply,
    strip_reasoning,
)
from pactwin.solvers.replies.vocabulary import NO_WORDS, YES_WORDS
from pactwin.suite import SCENE_CONSTRAINTS, Constraint

OPTIONS = tuple(STATEMENTS.values())

yes_no = st.booleans()
# Ways to write one answer; {} is the answer word or letter.
WRAPPINGS = st.sampled_from(
    [
        "{}",
        "{}.",
        "**{}.**",
        "**{}**",
        "_{}_",
        "  {}\n",
        '"{}"',
        "Answer: {}",
        "**Answer:** {}",
        "answer is {}.",
        "Final answer: **{}**",
        "The final answer is {}.",
        "\\boxed{{{}}}",
        "$\\boxed{{\\text{{{}}}}}$",
        '{{"answer": "{}"}}',
        '```json\n{{"reason": "looked closely", "answer": "{}"}}\n```',
        "<think>Could be yes. Could be no. A) or B).</think>\n{}",
        "I looked at the blocks and their sizes.\n\nAnswer: {}",
    ]
)
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
answers = st.booleans().map(lambda said: (said, "yes" if said else "no"))
prose = st.text("abc deyn.,?\n ", max_size=60)
# Prose in which no answer, no statement about feasibility and no option hides.
WORDS = st.lists(
    st.sampled_from(["the", "red", "block", "stands", "beside", "its", "box", "near", "wall"]),
    min_size=1,
    max_size=12,
).map(" ".join)


def write(word: str, case: str) -> str:
    return {"lower": word.lower(), "upper": word.upper(), "title": word.capitalize()}[case]


cases = st.sampled_from(["lower", "upper", "title"])


@given(yes_no, WRAPPINGS, cases)
def test_yes_and_no_survive_any_wrapping(said: bool, wrapping: str, case: str) -> None:
    reply = wrapping.format(write("yes" if said else "no", case))
    assert parse_reply("yes_no", reply).feasible is said


@given(yes_no, st.data())
def test_yes_and_no_are_read_in_every_language(said: bool, data: st.DataObject) -> None:
    word = data.draw(st.sampled_from(YES_WORDS if said else NO_WORDS))
    mark = data.draw(st.sampled_from(["", ".", "!", ",", "。", "\n", ": ", " – "]))
    assert parse_reply("yes_no", word + mark).feasible is said


@given(yes_no, WORDS, WORDS)
def test_prose_around_an_answer_changes_nothing(said: bool, before: str, after: str) -> None:
    word = "yes" if said else "no"
    assert parse_reply("yes_no", f"{word}. {after}.").feasible is said
    assert parse_reply("yes_no", f"{before}.\n{word}, {after}.").feasible is said
    assert parse_reply("yes_no", f"{before}. Therefore, {word}.").feasible is said


@given(WORDS)
def test_prose_without_an_answer_is_not_read_as_one(text: str) -> None:
    for form in ("yes_no", "open", "choice"):
        answer = parse_reply(form, text, OPTIONS)
        assert answer == Answer(problem=Problem.NO_ANSWER)


@given(WRAPPINGS, WRAPPINGS, st.booleans())
def test_opposite_answers_are_never_resolved(first: str, second: str, said: bool) -> None:
    words = ("yes", "no") if said else ("no", "yes")
    text = first.format(words[0]) + "\n\n" + second.format(words[1])
    answer = parse_reply("yes_no", text)
    # Only an answer marked as final may take back one that was marked, but not as final.
    if "inal answer" in second and "nswer" in first and "{{" not in first.replace("boxed", ""):
        assert answer.feasible in (not said, None)
    else:
        assert answer.problem is Problem.CONTRADICTION


@given(st.one_of(st.text(), st.text("yesno. ,answer:?\n\"'{}<>|*()thinkABC", max_size=200)))
def test_no_text_breaks_the_parser(text: str) -> None:
    for form in ("yes_no", "choice", "open"):
        answer = parse_reply(form, text, OPTIONS, ("red block",))
        says = answer.option if form == "choice" else answer.feasible
        if form == "open" and says is not None:
            says = answer.constraint
        assert (answer.problem is None) == (says is not None)


@given(st.integers(0, len(OPTIONS) - 1), WRAPPINGS, cases)
def test_letters_survive_any_wrapping(index: int, wrapping: str, case: str) -> None:
    reply = wrapping.format(write(OPTION_LETTERS[index], case))
    assert parse_reply("choice", reply, OPTIONS).option == OPTIONS[index]


@given(
    st.integers(0, len(OPTIONS) - 1),
    st.sampled_from(
        [
            "({l})",
            "{l})",
            "{l}) {t}",
            "({l}) {t}",
            "**{l}.** {t}",
            "Option {l}",
            "{t}",
            "I choose {l}.",
        ]
    ),
)
def test_options_are_read_by_letter_and_by_text(index: int, wording: str) -> None:
    reply = wording.format(l=OPTION_LETTERS[index], t=OPTIONS[index])
    answer = parse_reply("choice", reply, OPTIONS)
    assert answer.option == OPTIONS[index]
    assert answer.constraint is list(STATEMENTS)[index]
    assert answer.feasible is (answer.constraint is Constraint.NONE)


@given(st.permutations(OPTIONS), st.integers(0, 9), st.integers(0, 9))
def test_a_letter_with_anothers_text_is_a_contradiction(options, letter, text):
    answer = parse_reply("choice", f"{OPTION_LETTERS[letter]}) {options[text]}", options)
    if letter == text:
        assert answer.option == options[text]
    else:
        assert answer.problem is Problem.CONTRADICTION


@given(st.permutations(OPTIONS), st.integers(0, 9))
def test_repeating_the_list_of_options_answers_nothing(options: list[str], chosen: int) -> None:
    listed = "\n".join(f"{x}) {o}" for x, o in zip(OPTION_LETTERS, options, strict=False))
    assert parse_reply("choice", listed, options).problem is Problem.CONTRADICTION
    answer = parse_reply("choice", f"{listed}\n\nAnswer: {OPTION_LETTERS[chosen]}", options)
    assert answer.option == options[chosen]


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz ", min_size=1), st.booleans())
def test_json_fields_decide_whatever_the_reason_says(reason: str, said: bool) -> None:
    for answer in (said, "yes" if said else "no", "Yes." if said else "No."):
        reply = json.dumps({"reason": reason, "answer": answer})
        assert parse_reply("yes_no", reply).feasible is said


def test_of_causes_that_hold_together_any_or_all_may_be_named() -> None:
    together = (Constraint.SUPPORTS_OTHER, Constraint.OCCUPIED)
    names = ("red block", "blue coaster")
    on_it = "A can stands on the red block"
    taken = "the blue coaster is already taken"
    for reason in (on_it, taken, f"{on_it}, and {taken}"):
        answer = parse_reply("open", f"No. {reason}.", names=names, equivalent_constraints=together)
        assert answer == Answer(feasible=False, constraint=Constraint.SUPPORTS_OTHER)
    both = parse_reply("open", f"No. {on_it}, and {taken}.", names=names)
    assert both.problem is Problem.UNCLEAR_REASON
    far = parse_reply(
        "open",
        f"No. {on_it}, and it is too far away.",
        names=names,
        equivalent_constraints=together,
    )
    assert far.problem is Problem.UNCLEAR_REASON


def test_an_objects_name_is_no_reason() -> None:
    reply = "No. The box with a lid is too far away."
    assert parse_reply("open", reply, names=("box with a lid",)).constraint == "out_of_reach"
    assert parse_reply("open", reply).problem is Problem.UNCLEAR_REASON


@given(answers, THOUGHTS, prose)
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


@given(answers, st.one_of(MARKED, HEDGED))
def test_marks_and_hedges_leave_an_answer_one(answer: tuple[bool, str], wrapping: str) -> None:
    said, word = answer
    assert parse_reply("yes_no", wrapping.format(word)).feasible is said
    assert parse_reply("yes_no", wrapping.format(word.capitalize())).feasible is said


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
    denied = f"No. It is not {constraint.value}, as the picture shows."
    assert parse_reply("open", denied).constraint is not constraint


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
