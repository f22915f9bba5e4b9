"""Reading a model's reply: an answer, or why there is none. It never guesses.

Replies say what they mean in several places: a JSON object, a marker ("Answer: no"), a word that
leads a line ("No. Because ..."), a statement ("it cannot be done"). Places are read from the most
to the least explicit; the first that speaks decides, and if it speaks with two tongues the reply
has no answer. ``PARSER_VERSION`` is raised whenever a reply may be read differently.
"""

import json
import re
import string
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum

from pactwin.policies.answers.reasons import named_constraint
from pactwin.policies.answers.vocabulary import (
    CONTINUATIONS,
    DENIALS,
    FEASIBLE_STATEMENTS,
    INFEASIBLE_STATEMENTS,
    NO_WORDS,
    REFUSALS,
    STATEMENTS,
    YES_WORDS,
)
from pactwin.suite import Constraint, Record

PARSER_VERSION = 1
OPTION_LETTERS = string.ascii_uppercase


class Problem(StrEnum):
    """Why a reply has no answer."""

    EMPTY = "the reply is empty"
    NO_ANSWER = "the reply does not answer"
    CONTRADICTION = "the reply contradicts itself"
    UNCLEAR_REASON = "the reply does not say clearly what prevents it"
    DECLINED = "the model declined to answer"


class Answer(Record):
    """What a reply says. ``problem`` is None exactly if it answers its question.

    ``feasible`` and ``constraint`` are what the reply implies about the action, None where it does
    not say. ``option`` is the chosen option of a choice question, word for word.
    """

    option: str | None = None
    feasible: bool | None = None
    constraint: Constraint | None = None
    problem: Problem | None = None


def parse_reply(
    form: str, reply: str, options: Sequence[str] = (), names: Iterable[str] = ()
) -> Answer:
    """Read the reply to a question of ``form`` (``yes_no``, ``choice`` or ``open``).

    ``options`` are those of a choice question in the order they were asked; ``names`` are the
    objects of the question.
    """
    text = visible_text(reply)
    if not text:
        return Answer(problem=Problem.EMPTY)
    if form == "choice":
        return _parse_choice(text, options)
    feasible = _read_yes_no(text)
    if isinstance(feasible, Problem):
        return Answer(problem=feasible)
    constraint = Constraint.NONE if feasible else named_constraint(_reason(text), names)
    unclear = form == "open" and constraint is None
    return Answer(
        feasible=feasible,
        constraint=constraint,
        problem=Problem.UNCLEAR_REASON if unclear else None,
    )


def _alternatives(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


_WORD = rf"(?P<word>{_alternatives((*YES_WORDS, *NO_WORDS))})"
# What may stand after an answer word for it to be one: "No." and "No because", not "No obstacle".
_FOLLOW = (
    r"""(?=\s*(?:$|[\n.,;:!(){}\]"'。、—–|\\]|-\s)"""
    rf"|\s+(?:{_alternatives(CONTINUATIONS)})\b)"
)
_OPENING = r"""[\s"'(\[{\\|>•\-–—✓✔✗✘✅❌]*"""
_MARK = (
    r"\b(?P<final>final\s+)?(?:answer|verdict|conclusion|response|decision|réponse|antwort|"
    r"respuesta|risposta|resposta|ответ|答案|回答|答え|답)"
    r"(?:\s+(?:is|would be|est|ist|es|é))?\s*(?:[:=–—-]|是|は)?"
)
_MARKED_WORD = re.compile(rf"{_MARK}{_OPENING}{_WORD}{_FOLLOW}")
_CONCLUDED_WORD = re.compile(
    rf"\b(?:so|therefore|thus|hence|overall|in short|in conclusion|in summary)\b"
    rf"[\s,:]*{_WORD}{_FOLLOW}"
)
_LEADING_WORD = re.compile(rf"{_OPENING}{_WORD}{_FOLLOW}")
_LINE_LEADING_WORD = re.compile(rf"^{_OPENING}{_WORD}{_FOLLOW}", re.M)
_BOXED = re.compile(r"\\boxed\{(?:\\text\{)?\s*([^{}]*?)\s*\}")
_HYPOTHETICAL = re.compile(r"\b(?:if|unless|only|whether|once|after|otherwise|except)\b")
_ANSWER_KEYS = frozenset(
    ("answer", "final_answer", "response", "verdict", "decision", "choice", "option", "selection")
)
_FEASIBLE_KEYS = frozenset(("feasible", "possible", "is_feasible", "is_possible", "can_be_done"))


def visible_text(reply: str) -> str:
    """The visible reply: no hidden reasoning, no markdown, one kind of quote, no case."""
    text = re.sub(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|$)", " ", reply, flags=re.S | re.I)
    text = re.sub(r"^.*</think(?:ing)?>", " ", text, flags=re.S | re.I)
    text = unicodedata.normalize("NFKC", text).translate(str.maketrans("’‘“”「」", '\'\'""""'))
    text = re.sub(r"[*`]|^\s*(?:#+|>)\s*|(?<!\w)_+|_+(?!\w)", "", text, flags=re.M)
    return text.casefold().strip()


def _agreed(votes: Iterable[bool | str]) -> bool | str | Problem | None:
    """The one value all votes have, CONTRADICTION if they differ, None if there are none."""
    values = set(votes)
    if len(values) > 1:
        return Problem.CONTRADICTION
    return values.pop() if values else None


def _standing(marks: Iterable[re.Match[str]]) -> list[re.Match[str]]:
    """The marked answers that count: none before the first that is marked as final."""
    found = list(marks)
    finals = [m.start() for m in found if m["final"]]
    return [m for m in found if m.start() >= min(finals, default=0)]


def _no_answer(text: str) -> Problem:
    declined = any(re.search(refusal, text) for refusal in REFUSALS)
    return Problem.DECLINED if declined else Problem.NO_ANSWER


def _json_objects(text: str) -> Iterator[tuple[dict[str, object], str]]:
    """Every outermost JSON object in ``text`` with the text that stands for it."""
    decoder = json.JSONDecoder()
    at = text.find("{")
    while at >= 0:
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at = text.find("{", at + 1)
            continue
        if isinstance(value, dict):
            yield value, text[at:end]
        at = text.find("{", end)


# ---- yes or no


def _meaning(word: str) -> bool:
    return word in YES_WORDS


def _read_yes_no(text: str) -> bool | Problem:
    rest, fields = text, []
    for record, source in _json_objects(text):
        rest = rest.replace(source, " ")
        for key, value in record.items():
            if key in _ANSWER_KEYS or key in _FEASIBLE_KEYS:
                fields.append(value)
    explicit = [vote for vote in map(_field_vote, fields) if vote is not None]
    explicit += [_meaning(m["word"]) for m in _standing(_MARKED_WORD.finditer(rest))]
    explicit += [v for v in map(_field_vote, _BOXED.findall(rest)) if v is not None]

    segments = [s for s in re.split(r"\n|(?<=\?)\s", rest) if s.strip()]
    leads = [m for m in map(_LEADING_WORD.match, segments) if m]
    if leads and leads[0].string == segments[0] and _takes_back(leads[0]):
        return Problem.CONTRADICTION
    if explicit:  # the words that open and close the reply must not say otherwise
        ends = (segments[0], segments[-1]) if segments else ()
        explicit += [_meaning(m["word"]) for m in leads if m.string in ends]
    spoken = [_meaning(m["word"]) for m in (*leads, *_CONCLUDED_WORD.finditer(rest))]
    for votes in (explicit, spoken, list(_statements(rest))):
        vote = _agreed(votes)
        if vote is not None:
            return vote if isinstance(vote, Problem) else bool(vote)
    return _no_answer(text)


def _reason(text: str) -> str:
    """``text`` without its answer words, so that the no of "no, it is too far" denies nothing."""
    for pattern in (_MARKED_WORD, _CONCLUDED_WORD, _LINE_LEADING_WORD):
        text = pattern.sub(" ", text)
    return text


def _field_vote(value: object) -> bool | None:
    if isinstance(value, bool):
        return value
    lead = _LEADING_WORD.match(value) if isinstance(value, str) else None
    return _meaning(lead["word"]) if lead else None


def _takes_back(lead: re.Match[str]) -> bool:
    """True if the sentence that ``lead`` opens goes on to say the opposite: "Yes, impossible"."""
    said = _meaning(lead["word"])
    sentence = re.split(r"[.!?;]", lead.string[lead.end() :].lstrip(" ,:-–—.!"))[0]
    again = _LEADING_WORD.match(sentence)
    if again and _meaning(again["word"]) != said:
        return True
    return (not said) in set(_statements(sentence))


def _statements(text: str) -> Iterator[bool]:
    """What plain statements in ``text`` say about feasibility; hypothetical ones say nothing."""
    for sentence in re.split(r"(?<=[.!?;])\s|\n", text):
        sentence = sentence.strip()
        if not sentence or sentence.endswith("?") or _HYPOTHETICAL.search(sentence):
            continue
        if any(re.search(pattern, sentence) for pattern in INFEASIBLE_STATEMENTS):
            yield False
        for pattern in FEASIBLE_STATEMENTS:
            match = re.search(pattern, sentence)
            if match and not re.search(DENIALS, sentence[: match.start()]):
                yield True


# ---- choice


_LETTER = r"(?P<letter>[a-z])"
_MARKED_LETTER = re.compile(
    rf"(?:{_MARK}|\b(?:option|choice|choose|select|pick))"
    rf"{_OPENING}(?:option\s+)?[(\[]?{_LETTER}(?=\s*(?:$|[\n.,;:)\]\"'}}]))"
)
_LEADING_LETTER = re.compile(
    rf"""{_OPENING}(?:option\s+)?(?:\({_LETTER}\)|\[(?P<boxed>[a-z])\]|(?P<bare>[a-z])"""
    rf"""(?:[).:]|["'\s]*$))"""
)


def _parse_choice(text: str, options: Sequence[str]) -> Answer:
    chosen = _read_choice(text, options)
    if isinstance(chosen, Problem):
        return Answer(problem=chosen)
    stated = {statement: constraint for constraint, statement in STATEMENTS.items()}
    constraint = stated.get(chosen)
    feasible = None if constraint is None else constraint is Constraint.NONE
    return Answer(option=chosen, feasible=feasible, constraint=constraint)


def _read_choice(text: str, options: Sequence[str]) -> str | Problem:
    plain = {option: visible_text(option) for option in options}
    fields = [
        str(value)
        for record, _ in _json_objects(text)
        for key, value in record.items()
        if key in _ANSWER_KEYS
    ]
    fields += _BOXED.findall(text)
    explicit = [o for field in fields for o in _selected(field, plain)]
    marks = _standing(_MARKED_LETTER.finditer(text))
    explicit += [o for m in marks for o in _by_letter(m["letter"], options)]

    lines = [line for line in text.splitlines() if line.strip()]
    led = [option for line in lines for option in _led(line, plain)]
    if explicit and len(set(led)) == 1:  # more than one is a list of the options, not an answer
        explicit += led
    for votes in (explicit, led, _mentioned(text, plain)):
        vote = _agreed(votes)
        if vote is not None:
            return vote if isinstance(vote, Problem) else str(vote)
    return _no_answer(text)


def _by_letter(letter: str, options: Iterable[str]) -> list[str]:
    return [o for index, o in zip(OPTION_LETTERS.lower(), options, strict=False) if index == letter]


def _led(line: str, plain: dict[str, str]) -> list[str]:
    """The options that ``line`` opens with: by letter, and by text if it quotes one."""
    match = _LEADING_LETTER.match(line)
    if not match:
        return []
    letter = match["letter"] or match["boxed"] or match["bare"]
    return _by_letter(letter, plain) + _mentioned(line[match.end() :], plain)


def _selected(field: str, plain: dict[str, str]) -> list[str]:
    """The options that a short answer field names, by letter or by text."""
    return _led(field, plain) or _mentioned(field, plain)


def _mentioned(text: str, plain: dict[str, str]) -> list[str]:
    """The options whose text occurs in ``text`` and is not denied just before."""
    found = []
    for option, wording in plain.items():
        at = text.find(wording.rstrip("."))
        if wording and at >= 0 and not re.search(rf"{DENIALS}[^.\n]{{0,20}}$", text[:at]):
            found.append(option)
    return [o for o in found if not any(plain[o] in plain[p] for p in found if p != o)]
