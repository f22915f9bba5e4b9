"""Parse yes or no from a reply, and find the reason.

Positions are read from the most to the least explicit: a JSON object, an announcement ("Answer:
no"), a word that starts a line ("No. Because ..."), a statement ("it cannot be done"). The first
one with an answer decides. A reply that contradicts itself has no answer.
"""

import re
from collections.abc import Iterator, Sequence

from pactwin.solvers.replies.places import (
    ANSWER_KEYS,
    MARK,
    OPENING,
    alternatives,
    consensus,
    fields_and_rest,
    final_matches,
    no_answer,
)
from pactwin.solvers.replies.text import Problem, json_objects
from pactwin.solvers.replies.vocabulary import (
    CONTINUATIONS,
    DENIALS,
    HEDGES,
    NO_WORDS,
    STATEMENTS_OF_FEASIBILITY,
    YES_WORDS,
)

# "Feasible." answers, "Feasible:" announces an answer.
_WORD = (
    rf"(?P<word>{alternatives((*YES_WORDS, *NO_WORDS))}|(?:feasible|possible|doable)(?!\s*[:=?]))"
)
# What may stand after an answer word for it to be one: "No." and "No because", not "No obstacle".
_FOLLOW = (
    r"""(?=\s*(?:$|[\n.,;:!(){}\]"'»。、،，—–|\\]|-\s)"""
    rf"|\s+(?:{alternatives(CONTINUATIONS)})\b)"
)
_LABEL = r"\b(?:feasib(?:le|ility)|possible|doable|can it be done|it can be done)\s*[:=?]"
_CONCLUDES = r"\b(?:so|therefore|thus|hence|overall|in short|in conclusion|in summary)\b[\s,:]*"
_MARKED_WORD = re.compile(
    rf"(?:{MARK}|{_LABEL}|{_CONCLUDES}){OPENING}(?:{HEDGES})?{_WORD}{_FOLLOW}"
)
_LEADING_WORD = re.compile(rf"{OPENING}(?:{HEDGES})?{_WORD}{_FOLLOW}")
_CLOSING_WORD = re.compile(rf"[.!;,]\s*{_WORD}[\s.!]*$")
_ONE_LETTER = re.compile(rf"(?:{MARK})?\W*(?P<letter>[yn])\W*")
_LINE_LEADING_WORD = re.compile(rf"^{_LEADING_WORD.pattern}", re.M)
_ASKS = re.compile(r"\b(?:feasib|possib|can the robot|can (?:it|this|that|the \w+) be)|\bor no")
_CONDITION = re.compile(
    r"(?<!even )(?<!as )\bif\b|\b(?:provided|providing|assuming|unless|on condition|as long as|"
    r"only (?:after|once|when))\b"
)
_HYPOTHETICAL = re.compile(
    r"\b(?:if|unless|only|whether|once|otherwise|except|doubt|unlikely|(?:im)?possible that|"
    r"after(?! (?:\w+ )?(?:examin|look|consider|review|analy[sz]|inspect|check)ing))\b"
)
_FALSE_THAT = re.compile(
    r"\b(?:false|untrue|not true|no reason|(?:don't|do not) (?:think|believe))(?: why| that)? "
)
_OF_NO = frozenset(("it", "this", "that", "the", "action", "instruction", "task"))
_KEYS = ANSWER_KEYS | {
    "feasible", "possible", "is_feasible", "is_possible", "can_be_done", "can_it_be_done"
}  # fmt: skip


def read_yes_no(text: str) -> bool | Problem:
    """True for yes, False for no, or the reason why a reply (visible text) says neither."""
    short = _ONE_LETTER.fullmatch(text)
    if short:
        return short["letter"] == "y"
    fields, rest = fields_and_rest(text, _KEYS)
    marked = final_matches(_MARKED_WORD.finditer(rest))
    explicit = [reading for reading in map(_field_reading, fields) if reading is not None]
    explicit += map(_meaning, marked)

    segments = [s for s in re.split(r"\n|(?<=\?)\s", rest) if s.strip()]
    leads = _leads(segments)
    for match in (*leads[:1], *marked):
        if problem := _withdrawn(match):
            return problem
    if explicit:  # the words that open and close the reply must not say otherwise
        ends = segments[:1] + segments[-1:]
        explicit += [_meaning(m) for m in leads if m.string in ends]
    closing = map(_meaning, _CLOSING_WORD.finditer(rest))
    reading = consensus(explicit, map(_meaning, leads), _statements(rest), closing)
    if reading is None:
        return no_answer(text)
    return reading if isinstance(reading, Problem) else bool(reading)


def reason_beside(text: str) -> str:
    """The text beside the answer of a reply (visible text): in its JSON object, or after it.

    If no answer is announced, it is the whole text. Answer words are left out, so that the "no" of
    "no, it is too far" negates nothing.
    """
    records = [record for record, _ in json_objects(text)]
    announced = list(_MARKED_WORD.finditer(text))
    if not announced and not any(_KEYS & record.keys() for record in records):
        return all_reasons(text)
    fields = [
        f"{key}: {value}"
        for record in records
        for key, value in record.items()
        if isinstance(value, str) and key not in _KEYS
    ]
    after = text[announced[-1].end() :] if announced else ""
    return ". ".join((*fields, after))


def all_reasons(text: str) -> str:
    """All text of a reply (visible text) without its answer words."""
    return _LINE_LEADING_WORD.sub(" ", _MARKED_WORD.sub(" ", text))


def says_more(text: str) -> bool:
    """True if a reply (visible text) says more than "no"."""
    records = [record for record, _ in json_objects(text)]
    if any(record.keys() - _KEYS for record in records):
        return True
    rest = all_reasons(fields_and_rest(text)[1])
    for pattern in STATEMENTS_OF_FEASIBILITY:
        rest = re.sub(pattern, " ", rest)
    return not _OF_NO.issuperset(re.findall(r"\w+", rest))


def _leads(segments: Sequence[str]) -> list[re.Match[str]]:
    """Answer words at the start of segments, without answers to the reply's own questions.

    Thinking aloud, a model may ask itself "Is it too far? No." The answer to a question counts if
    that asks whether the action is possible.
    """
    asked = zip(("", *segments), segments, strict=False)
    stated = (s for before, s in asked if not before.endswith("?") or _ASKS.search(before))
    return [match for segment in stated if (match := _LEADING_WORD.match(segment))]


def _meaning(match: re.Match[str]) -> bool:
    return match["word"] not in NO_WORDS


def _field_reading(value: object) -> bool | None:
    """Read an answer field: a truth value, a word, or a statement."""
    if not isinstance(value, str):
        return value if isinstance(value, bool) else None
    lead = _LEADING_WORD.match(value)
    said = consensus([_meaning(lead)] if lead else _statements(value))
    return said if isinstance(said, bool) and not (lead and _withdrawn(lead)) else None


def _withdrawn(lead: re.Match[str]) -> Problem | None:
    """Why the sentence after ``lead`` is not an answer: "Yes, impossible", "Yes, if it were"."""
    said = _meaning(lead)
    sentence = re.split(r"[.!?;\n]", lead.string[lead.end() :].lstrip(" ,:-–—.!"))[0]
    second = _LEADING_WORD.match(re.sub(r"^(?:but|and|or|though)\b[\s,]*", "", sentence))
    if (second and _meaning(second) != said) or (not said) in set(_statements(sentence)):
        return Problem.CONTRADICTION
    return Problem.CONDITIONAL if said and _CONDITION.search(sentence) else None


def _statements(text: str) -> Iterator[bool]:
    """Feasibility in plain statements of ``text``; hypothetical ones are ignored.

    A denied statement says nothing, but "it is false that", which says the opposite.
    """
    for sentence in re.split(r"(?<=[.!?;])\s|\n", text):
        sentence = sentence.strip()
        if not sentence or sentence.endswith("?") or _HYPOTHETICAL.search(sentence):
            continue
        opposite = _FALSE_THAT.search(sentence)
        said = sentence[opposite.end() :] if opposite else sentence
        barrier = rf"{DENIALS}|," if opposite else DENIALS
        for pattern in STATEMENTS_OF_FEASIBILITY:
            match = re.search(pattern, said)
            if match and not re.search(barrier, said[: match.start()]):
                yield bool(opposite) == any(match.groups())
