"""What the places in which a reply may answer have in common."""

import re
from collections.abc import Iterable, Sequence

from pactwin.policies.replies.text import Problem
from pactwin.policies.replies.vocabulary import REFUSALS

MARK = (
    r"\b(?P<final>final\s+)?(?:answer|verdict|conclusion|response|decision|réponse|antwort|"
    r"respuesta|risposta|resposta|ответ|答案|回答|答え|답)"
    r"(?:\s+(?:is|would be|est|ist|es|é))?\s*(?:[:=–—-]|是|は)?"
)
"""Announces an answer: "Answer:", "The final answer is"."""

OPENING = r"""[\s"'(\[{\\|>•\-–—✓✔✗✘✅❌]*(?:1[.)]\s*)?"""
"""What may stand before an answer without meaning anything."""

BOXED = re.compile(r"\\boxed\{(?:\\text\{)?\s*([^{}]*?)\s*\}")
ANSWER_KEYS = frozenset(
    ("answer", "final_answer", "response", "verdict", "decision", "choice", "option", "selection")
)
"""Keys of JSON objects that hold an answer."""


def alternatives(words: Iterable[str]) -> str:
    """A regular expression for any of ``words``, longer ones first."""
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


def consensus(readings: Iterable[bool | str]) -> bool | str | Problem | None:
    """The one value all readings have, CONTRADICTION if they differ, None if there are none."""
    values = set(readings)
    if len(values) > 1:
        return Problem.CONTRADICTION
    return values.pop() if values else None


def final_matches(marks: Iterable[re.Match[str]]) -> Sequence[re.Match[str]]:
    """The marked answers that count: none before the first that is marked as final."""
    found = list(marks)
    finals = [m.start() for m in found if m["final"]]
    return [m for m in found if m.start() >= min(finals, default=0)]


def no_answer(text: str) -> Problem:
    """Whether a reply without an answer declines to give one."""
    declined = any(re.search(refusal, text) for refusal in REFUSALS)
    return Problem.DECLINED if declined else Problem.NO_ANSWER
