"""Tasks, the tools of their steps, and a look-alike that may replace one tool."""

from collections.abc import Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Literal

from pydantic import Field, model_validator

from pactwin.catalogue.catalogue import load_catalogue, read_data
from pactwin.suite import InvalidInputError, Record

_FILE = Path(__file__).with_name("procedures.yaml")

CALLED: Mapping[str, str] = {
    "brush": "flat paint brush",
    "clamp": "G-clamp",
    "hammer": "claw hammer",
    "saw": "hand saw",
}
"""Shorter names of tools whose kind has a wider name."""


class Deciding(Record):
    """The ``tool`` that a look-alike (``instead``) replaces, and the name for both.

    ``work`` is the trial that decides whether a tool works; empty if the table decides.
    """

    tool: str
    instead: str
    both: str
    work: str = ""


class Procedure(Record):
    """A task in words and the tools that it needs.

    ``steps`` are in order, each {tool: its job}; tools of one step may come in any order.
    ``source`` is the publication of the practice. ``also`` are equally good tools.
    """

    task: str = Field(min_length=1)
    source: str
    steps: tuple[dict[str, str], ...] = Field(min_length=1)
    decides: Deciding
    also: tuple[str, ...] = ()

    @property
    def tools(self) -> tuple[str, ...]:
        """Names of the kinds of all tools, step by step."""
        return tuple(tool for step in self.steps for tool in step)

    @property
    def numbers(self) -> tuple[int, ...]:
        """Step number of each of ``tools``, from 1."""
        return tuple(number for number, step in enumerate(self.steps, 1) for _ in step)

    @property
    def order_free(self) -> bool:
        """Return whether the tools may be used in any order."""
        return len(self.steps) == 1

    @model_validator(mode="after")
    def _decides_something(self) -> "Procedure":
        if self.tools.count(self.decides.tool) != 1:
            raise ValueError(f"{self.decides.tool!r} decides, but is not the tool of one step")
        for name in (self.decides.instead, *self.also):
            if name in self.tools:
                raise ValueError(f"{name!r} is not to lie beside, but is a tool of the task")
        return self


class ProcedureSource(Record):
    """Source of a practice: a publication's ``title`` and the ``place`` in it.

    ``checked`` says what was verified: its text, its table of contents, or only its existence.
    """

    title: str
    place: str = ""
    checked: Literal["text", "contents", "title"]


class Procedures(Record):
    """The table of sources and of tasks by name."""

    sources: dict[str, ProcedureSource]
    tasks: dict[str, Procedure]

    @cached_property
    def by_task(self) -> Mapping[str, Procedure]:
        """The procedures by the wording of their task."""
        return {procedure.task: procedure for procedure in self.tasks.values()}


@lru_cache(maxsize=1)
def load_procedures() -> Procedures:
    """The table that comes with the package."""
    return read_procedures(_FILE)


def read_procedures(path: Path) -> Procedures:
    """The table in ``path``; InvalidInputError names its first fault."""
    table = read_data(path, Procedures)
    kinds = load_catalogue().kinds
    for name, procedure in table.tasks.items():
        if procedure.source not in table.sources:
            raise InvalidInputError(f"{path.name}: {name}: unknown source {procedure.source!r}")
        for tool in (*procedure.tools, procedure.decides.instead, *procedure.also):
            if tool not in kinds:
                raise InvalidInputError(f"{path.name}: {name}: unknown tool {tool!r}")
    return table


def tool_title(kind: str) -> str:
    """Name of a tool of this kind."""
    return CALLED.get(kind) or load_catalogue().kind(kind).title
