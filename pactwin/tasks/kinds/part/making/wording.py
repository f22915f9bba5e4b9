"""Situations worded by a model: its prompt, and checks of its text.

The model gets the situation from the table of uses, but neither the objects nor the gold answer.
Its text is untrusted: it must state the same requirements, and must not name any of the objects,
nor a part of the gold one, unless the table's own words do.
"""

import re
from functools import lru_cache
from importlib.resources import files
from string import Template

from pactwin.suite import Record, parse_yaml
from pactwin.tasks.kinds.part.making.affordances import KnowledgeBase
from pactwin.tasks.kinds.part.making.planning import UsePlan

_WORDS = (12, 100)
_SHARED = 2
"""How many of the longer words of the table's situation one has to have in common with it."""
_PLAIN = re.compile(r"[\w\s.,;:!?'\"()/%°²³’‘“”–—-]*")


class WriterPrompts(Record):
    """Prompts of a writing model: the first one, and one for a retry after a rejected text."""

    version: int
    prompt: str
    again: str


class SituationBrief(Record):
    """Requirements of a situation: the table's words, and ``names`` that it may not contain."""

    setting: str
    situation: str
    names: tuple[str, ...]

    @property
    def prompt(self) -> str:
        """The model's prompt."""
        words = {"setting": self.setting, "situation": self.situation}
        return Template(writer_prompts().prompt).substitute(words)


@lru_cache
def writer_prompts() -> WriterPrompts:
    """The built-in prompts."""
    text = (files("pactwin.tasks.kinds.part.making") / "writer.yaml").read_text("utf-8")
    return WriterPrompts.model_validate(parse_yaml(text, "writer.yaml"))


def situation_brief(known: KnowledgeBase, plan: UsePlan) -> SituationBrief:
    """The brief of a plan for a writing model, with the forbidden names."""
    things = {known.entities[kind].name for kind in (plan.kind, *plan.others)}
    return SituationBrief(
        setting=plan.setting,
        situation=situation_text(known, plan),
        names=tuple(sorted(things | set(known.of(plan.kind)))),
    )


def situation_text(known: KnowledgeBase, plan: UsePlan) -> str:
    """The situation in the table's own words."""
    limits = {name: f"{value:g}" for name, value in plan.limits.items()}
    return Template(known.table.uses[plan.use].asks[plan.wording]).substitute(limits)


def fault_of_situation(text: str, brief: SituationBrief) -> str:
    """Reason why a model's text cannot be used; empty if it can."""
    words, told = _words(text), _words(brief.situation)
    if not _WORDS[0] <= len(words) <= _WORDS[1]:
        return f"it has {len(words)} words, not {_WORDS[0]} to {_WORDS[1]}"
    if not _PLAIN.fullmatch(text):
        return "it is not plain text"
    if _numbers(text) != _numbers(brief.situation):
        numbers = ", ".join(sorted(_numbers(brief.situation), key=float)) or "none"
        return f"its numbers have to be {numbers}"
    for name in brief.names:
        if _names(name, words) and not _names(name, told):
            return f"it names the {name}"
    if len(_long(words) & _long(told)) < _SHARED:
        return "it does not say what has to be done"
    return ""


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]+", text.casefold())


def _numbers(text: str) -> set[str]:
    return {f"{float(found):g}" for found in re.findall(r"\d+(?:\.\d+)?", text)}


def _names(name: str, words: list[str]) -> bool:
    """Whether ``words`` hold a name, or its plural, in a row."""
    wanted = _words(name)
    ends = {wanted[-1], f"{wanted[-1]}s", f"{wanted[-1]}es"}
    return any(
        words[k : k + len(wanted) - 1] == wanted[:-1] and words[k + len(wanted) - 1] in ends
        for k in range(len(words) - len(wanted) + 1)
    )


def _long(words: list[str]) -> set[str]:
    """The stems of longer words, roughly."""
    return {word[:5] for word in words if len(word) > 3}
