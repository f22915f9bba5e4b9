"""Every word and phrase that counts is read as what it says: what the parser knows, spelled out."""

import json
from collections.abc import Sequence

import pytest

from pactwin.solvers import Problem, parse_reply


def listed(text: str) -> list[str]:
    """Phrases between bars, or words."""
    return text.split("|" if "|" in text else None)


YES = listed(
    "yes yeah yep true oui ja sí si sì sim да так tak ano evet kyllä ναι igen "
    "是 是的 可以 能 はい 예 네 نعم हाँ हां כן ya có"
)
NO = listed(
    "no nope false infeasible unfeasible impossible non nein nee nej não нет ні nie hayır όχι nem "
    "否 不 不是 不能 不可以 不行 いいえ 아니요 아니오 لا नहीं לא tidak không"
)
NO_PHRASES = [
    "no way", "i don't think so", "probably not", "most likely not", "likely not",
    "definitely not", "certainly not", "absolutely not", "not feasible", "not possible",
]  # fmt: skip
HEDGES = listed(
    "most likely|very likely|likely|probably|presumably|clearly|definitely|certainly|well|okay|ok|"
    "actually|wait|hmm|unfortunately|sadly|overall|in short|in conclusion|so|i'd say|i would say|"
    "i'd have to say|i would have to say|i think|i would think|i believe|i guess|my answer is"
)
DONE = listed("done|carried out|performed|executed|completed|accomplished")
WHAT = listed("it|this|the action|the instruction|the task")
DOES = listed(
    "do this|do it|do so|do that|carry this out|carry it out|carry out the task|perform this|"
    "execute the instruction|complete the task|follow the instruction"
)
FEASIBLE = [
    *(f"It can be {done}." for done in DONE),
    *(f"{what} is {word}." for what in WHAT for word in ("possible", "feasible", "doable")),
    *(f"The robot can {does}." for does in DOES),
    *(f"Nothing prevents {what}." for what in ("it", "this", "that", "the action")),
]
INFEASIBLE = [
    *(f"It {cannot} be {done}." for done in DONE for cannot in ("cannot", "can't", "can not")),
    *(f"It {cannot} be done." for cannot in ("could not", "couldn't")),
    *(
        f"I see that {what} {be} {word}."
        for what in WHAT
        for be in ("is", "would be")
        for word in listed("impossible|infeasible|unfeasible|not possible|not feasible|not doable")
    ),
    *(
        f"{what} {be} {word}."
        for what in ("It", "This", "That")
        for be in ("isn't", "wouldn't be")
        for word in ("possible", "feasible", "doable")
    ),
    *(f"{word} here." for word in ("Not possible", "Impossible", "Infeasible", "Not feasible")),
    *(f"The robot {c} {does}." for does in DOES for c in ("cannot", "can't", "can not")),
]
DECLINED = [
    *(
        f"I {cannot} {verb} that."
        for cannot in listed("cannot|can't|can not|am unable to|am not able to|won't|will not")
        for verb in listed(
            "help assist comply answer fulfil fulfill provide process analyze analyse view see "
            "determine tell say judge discuss engage"
        )
    ),
    *("I must decline.", "I have to decline.", "As an AI.", "I'm sorry.", "I am not sure."),
    *("I'm unsure.", "I do not know.", "I don't know.", "That is against my policy."),
    *("Against our guidelines.", "Against my policies."),
]
TAKEN_BACK = [
    *(f"it is too {how}" for how in listed("big large wide tall long thick far narrow")),
    *(f"it {does} not fit" for does in listed("do does did will would can could")),
    *("it doesn't fit", "it couldn't reach"),
    *("it could not fit", "it would not reach", "it could not be reached", "it would fall"),
    *("it will tip", "it would surely topple", "it would collapse", "it will collide"),
    *("it is out of the arm's reach", "it is out of reach", "the can is in the way"),
]
FIELDS = "feasible possible is_feasible is_possible can_be_done can_it_be_done answer final_answer"
FIELDS += " response verdict decision choice option selection"


def unread(replies: Sequence[str], said: bool) -> list[str]:
    return [reply for reply in replies if parse_reply("yes_no", reply).feasible is not said]


@pytest.mark.parametrize(
    ("words", "said"), [([*YES, "i think so"], True), (NO + NO_PHRASES, False)]
)
def test_each_word_answers_alone_and_announced(words: list[str], said: bool) -> None:
    assert unread([f"{word}." for word in words], said) == []
    assert unread([f"Answer: {word}" for word in words], said) == []
    more = listed("because since as it this that the there you he she")
    assert unread([f"{words[0]} {follows} block stands there" for follows in more], said) == []


@pytest.mark.parametrize("said", [True, False])
def test_each_hedge_leaves_an_answer_one(said: bool) -> None:
    word = "yes" if said else "no"
    assert unread([f"{hedge}, {word}." for hedge in HEDGES], said) == []
    assert unread([f"Answer: {hedge} {word}." for hedge in HEDGES], said) == []


@pytest.mark.parametrize(("statements", "said"), [(FEASIBLE, True), (INFEASIBLE, False)])
def test_each_statement_answers(statements: list[str], said: bool) -> None:
    assert unread(statements, said) == []
    denials = listed("not no nothing never without neither nor none cannot")
    denied = [f"{word} would say it can be done" for word in (*denials, "rather than", "don't")]
    assert {parse_reply("yes_no", reply).problem for reply in denied} <= {
        Problem.NO_ANSWER,
        Problem.DECLINED,
    }


def test_each_way_to_decline_is_one() -> None:
    for form in ("yes_no", "open"):
        assert [r for r in DECLINED if parse_reply(form, r).problem is not Problem.DECLINED] == []


def test_each_obstacle_takes_a_yes_back() -> None:
    assert parse_reply("open", "Yes, and it stands well.").feasible is True
    problems = {why: parse_reply("open", f"Yes, but {why}.").problem for why in TAKEN_BACK}
    assert {why for why, told in problems.items() if told is not Problem.CONTRADICTION} == set()


@pytest.mark.parametrize("said", [True, False])
def test_each_field_of_an_object_answers(said: bool) -> None:
    replies = [json.dumps({"note": "red", field: said}) for field in listed(FIELDS)]
    assert unread(replies, said) == []
    assert parse_reply("yes_no", json.dumps({"sure": said})).feasible is None
