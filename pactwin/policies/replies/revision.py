"""Replies that turn round ("Yes... hmm, on second thought no"): the last word counts."""

import re
from collections.abc import Callable

_PHRASES = (
    # English
    "on second thoughts?", "(?:no,? )?wait(?:,? no(?= \\w))?", "hmm+", "scratch that", "correction",
    "i take (?:that|it) back", "let me (?:reconsider|correct (?:myself|that))", "actually",
    "my mistake", "i was wrong", "(?:or|no,?) rather",
    # German, Dutch
    "moment(?: mal)?", "warte(?:n sie)?", "korrektur", "doch", "sondern", "vielmehr", "halt",
    "wacht(?: even)?", "bij nader inzien", "toch",
    # French, Spanish, Italian, Portuguese
    "attend(?:s|ez)", "en fait", "finalement", "réflexion faite", "plutôt",
    "esper[ae]", "en realidad", "pensándolo bien", "mejor dicho", "corrección",
    "aspetta", "anzi", "ripensandoci", "in realtà", "na verdade", "pensando bem", "aliás",
    # Russian, Polish
    "подожди(?:те)?", "хотя нет", "на самом деле", "вернее", "точнее", "czekaj", "właściwie",
)  # fmt: skip
# Written without spaces between words.
_SIGNS = (
    "等等",
    "等一下",
    "不对",
    "再想想",
    "更正",
    "其实",
    "待って",
    "いや",
    "やっぱり",
    "訂正",
    "잠깐",
    "아니,",
)
_TURN = re.compile(rf"(?<!\w)(?:{'|'.join(_PHRASES)})(?!\w)|{'|'.join(_SIGNS)}")
_NOES = r"(?:no|nope|nein|nee|non|não|нет|nie)"
_DENIED = re.compile(rf"(?:^|(?<=[\s,;:.!?)–—-])){_NOES}\b[,:;.!–—-]+\s+(?=\S)")  # "B. No, D."
_NO = re.compile(rf"^{_NOES}\b[\s,:;.!–—-]*")  # "wait, no: B"
_BETWEEN = " ,.:;!?…–—-、，。\n\"'()"


def last_word(
    text: str, answers: Callable[[str], bool], is_option: Callable[[str], bool] = lambda rest: False
) -> str:
    """What of a reply (visible text) counts: all, or what follows its last turn and ``answers``.

    A mere no turns round only where an option and nothing else follows it.
    """
    for turn in reversed(list(_TURN.finditer(text))):
        rest = text[turn.end() :].lstrip(_BETWEEN)
        for counted in (rest, _NO.sub("", rest)):
            if counted and answers(counted):
                return counted
    for denial in reversed(list(_DENIED.finditer(text))):
        if is_option(text[denial.end() :]):
            return text[denial.end() :]
    return text
