"""Normalise a reply: remove reasoning and markup, convert to lower case."""

import json
import re
import unicodedata
from collections.abc import Iterator
from enum import StrEnum


class Problem(StrEnum):
    """Reason why a reply has no answer."""

    EMPTY = "the reply is empty"
    CUT_OFF = "the reply ends while the model is still thinking"
    NO_ANSWER = "the reply does not answer"
    CONTRADICTION = "the reply contradicts itself"
    CONDITIONAL = "the reply makes its answer depend on something"
    NO_REASON = "the reply says no, and no more"
    UNCLEAR_REASON = "the reply says no, but not clearly why"
    DECLINED = "the model declined to answer"
    MISFIT = "the reply is JSON that does not fit the schema of the answer"


# Marks that models put around what they think before they answer, where a server leaves them in.
_THOUGHT = r"(?:seed:)?(?:think|thinking|thoughts?|reasoning)"
_OPEN = rf"(?:<{_THOUGHT}>|◁think▷|\[think\]|<\|channel\|>analysis<\|message\|>)"
_CLOSE = rf"(?:</{_THOUGHT}>|◁/think▷|\[/think\]|<\|channel\|>final<\|message\|>)"
_MARKS = re.compile(rf"(?P<open>{_OPEN})|{_CLOSE}", re.I)
_THOUGHTS = re.compile(rf"{_OPEN}.*?(?:{_CLOSE}|$(?!\n))", re.I | re.S)
_CLOSES = re.compile(_CLOSE, re.I)
# Marks around the answer itself mean what "Answer:" means.
_ANSWER_OPENS = re.compile(r"<(?:final_?)?answer>|<\|begin_of_box\|>", re.I)
_ANSWER_CLOSES = re.compile(r"</(?:final_?)?answer>|<\|end_of_box\|>", re.I)
_TOKENS = re.compile(r"<\|[\w ]{1,30}\|>")
_QUOTES = str.maketrans("’‘´“”„「」", '\'\'\'"""""')
_MARKUP = re.compile(r"[*`]|^[^\S\n]*(?:#+|>)[^\S\n]*|(?<!\w)_+|_+(?!\w)", re.M)
_OBJECT_BEGINS = re.compile(r"\{(?=\s*[\"}])")
_BARE_NOT = re.compile(r"\b(do|does|did|is|are|was|were|wo|would|ca|could|should|has|have)nt\b")


def strip_reasoning(reply: str) -> str:
    """Remove reasoning between thinking marks, closed or not.

    An end mark without a start mark ends reasoning that began before the reply.
    """
    return _CLOSES.split(_THOUGHTS.sub(" ", reply))[-1].strip()


def silence_of(reply: str) -> Problem:
    """The problem of a reply without text: it is empty, or ends while reasoning."""
    marks = [mark["open"] for mark in _MARKS.finditer(reply)]
    return Problem.CUT_OFF if marks and marks[-1] else Problem.EMPTY


def visible_text(reply: str) -> str:
    """Visible text of ``reply``: no reasoning, no markup, plain quotes, lower case."""
    text = _ANSWER_OPENS.sub("\nanswer: ", strip_reasoning(reply))
    text = _TOKENS.sub(" ", _ANSWER_CLOSES.sub("\n", text))
    text = unicodedata.normalize("NFKC", text).translate(_QUOTES)
    text = _MARKUP.sub("", text).replace("|", " ").casefold()
    return re.sub(r"[^\S\n]+", " ", _BARE_NOT.sub(r"\1n't", text)).strip()


def json_objects(text: str) -> Iterator[tuple[dict[str, object], str]]:
    """Every outermost JSON object in ``text``, with its source text."""
    decoder = json.JSONDecoder()
    end = 0
    for begin in _OBJECT_BEGINS.finditer(text):
        if begin.start() < end:
            continue
        try:
            value, end = decoder.raw_decode(text, begin.start())
        except (ValueError, RecursionError):
            continue
        yield value, text[begin.start() : end]
