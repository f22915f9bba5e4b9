"""Positions of an answer in a reply: JSON fields, boxes, announced answers, the last revision."""

import re
from collections.abc import Callable, Iterable, Sequence, Set

from pactwin.solvers.replies.text import Problem, json_objects
from pactwin.solvers.replies.vocabulary import REFUSALS

MARK = (
    r"\b(?P<final>final\s+)?(?:answer|verdict|conclusion|response|decision|réponse|antwort|"
    r"respuesta|risposta|resposta|ответ|答案|回答|答え|答(?=:)|답)"
    r"(?:\s+(?:is|would be|est|ist|es|é))?\s*(?:[:=–—-]|是|は)?"
)
"""Pattern that announces an answer: "Answer:", "The final answer is"."""

OPENING = r"""[\s"'«¡(\[{\\|>•\-–—✓✔✗✘✅❌]*(?:1[.)]\s*)?"""
"""Pattern of meaningless text before an answer."""

ANSWER_KEYS = frozenset(
    ("answer", "final_answer", "response", "verdict", "decision", "choice", "option", "selection")
)
"""Keys of JSON objects that hold an answer."""

_BOXED = re.compile(r"\\boxed\{(?:\\text\{)?\s*([^{}]*?)\s*\}")
# A reply that revises its answer: "Yes... hmm, on second thought no".
_REVISES = re.compile(
    r"(?<!\w)(?:on second thoughts?|(?:no,? )?(?:wait|hold on)(?:,? no(?= \w))?|hmm+|scratch that|"
    r"correction|i take (?:that|it) back|let me (?:reconsider|correct (?:myself|that))|actually|"
    r"my mistake|i was wrong|just kidding|(?:or|no,?) rather|(?:edit|update)\s*:|"
    r"moment(?: mal)?|warte(?:n sie)?|korrektur|doch|sondern|vielmehr|halt|wacht(?: even)?|"
    r"bij nader inzien|toch|attend(?:s|ez)|en fait|finalement|réflexion faite|plutôt|esper[ae]|"
    r"en realidad|pensándolo bien|mejor dicho|corrección|aspetta|anzi|ripensandoci|in realtà|"
    r"na verdade|pensando bem|aliás|подожди(?:те)?|хотя нет|на самом деле|вернее|точнее|czekaj|"
    r"właściwie)(?!\w)|等等|等一下|不对|再想想|更正|其实|待って|いや|やっぱり|訂正|잠깐|아니,"
)
_DENIED = re.compile(  # "B. No, D."
    r"(?:^|(?<=[\s,;:.!?)–—-]))(?:no|nope|nein|nee|non|não|нет|nie)\b[,:;.!–—-]+\s+(?=\S)"
)
_BETWEEN = " ,.:;!?…–—-、，。\n\"'()"


def fields_and_rest(text: str, keys: Set[str] = ANSWER_KEYS) -> tuple[list[object], str]:
    """Answers in JSON objects and boxes of ``text``, and ``text`` without the objects."""
    fields: list[object] = []
    rest = text
    for record, source in json_objects(text):
        rest = rest.replace(source, " ")
        fields += [value for key, value in record.items() if key in keys]
    return [*fields, *_BOXED.findall(rest)], rest


def alternatives(words: Iterable[str]) -> str:
    """A regular expression for any of ``words``, longer ones first."""
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


def consensus(*places: Iterable[bool | str]) -> bool | str | Problem | None:
    """Value on which all readings of the first non-empty position agree.

    CONTRADICTION if they differ, None if all positions are empty.
    """
    for readings in places:
        if values := set(readings):
            return values.pop() if len(values) == 1 else Problem.CONTRADICTION
    return None


def final_matches(marks: Iterable[re.Match[str]]) -> Sequence[re.Match[str]]:
    """Announced answers that count: from the first one marked as final."""
    found = list(marks)
    finals = [m.start() for m in found if m["final"]]
    return [m for m in found if m.start() >= min(finals, default=0)]


def no_answer(text: str) -> Problem:
    """Problem of a reply without an answer; it may be a refusal."""
    declined = any(re.search(refusal, text) for refusal in REFUSALS)
    return Problem.DECLINED if declined else Problem.NO_ANSWER


def last_word(
    text: str, answers: Callable[[str], bool], is_option: Callable[[str], bool] = lambda rest: False
) -> str:
    """The part of a reply (visible text) that counts: all of it, or its last revision.

    ``answers`` tells whether a text contains an answer. A bare "no" counts as a revision only if an
    option and nothing else follows.
    """
    objects = [(text.find(source), len(source)) for _, source in json_objects(text)]
    for turn in reversed(list(_REVISES.finditer(text))):
        if any(0 < turn.start() - start < length for start, length in objects):
            continue  # said in a field beside the answer
        rest = text[turn.end() :].lstrip(_BETWEEN)
        if rest and answers(rest):
            return rest
    for denial in reversed(list(_DENIED.finditer(text))):
        if is_option(text[denial.end() :]):
            return text[denial.end() :]
    return text
