"""Packs of prompts: what the strategies say, as YAML that can be read, versioned and swapped.

A template is text in which ``$question`` and the like are filled in (a dollar sign itself is
written ``$$``). Which words a template may and must hold is part of its type, so that a mistake is
found when a pack is read, before anything is asked. ``docs/strategies.md`` shows a pack.
"""

import hashlib
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Annotated, Any, Generic, Self, TypeVar

from pydantic import AfterValidator, Field, TypeAdapter, model_validator

from pactwin.suite import InvalidInputError, Record, parse_yaml, read_yaml

OUR_PROMPTS = "pactwin"
"""Name of the pack that comes with pactwin; no other may have it."""


def _words(*allowed: str, needs: tuple[str, ...] = ()) -> Callable[[str], str]:
    """A validator of templates: they hold no words but ``allowed`` and all that ``needs`` names."""

    def check(text: str) -> str:
        template = Template(text)
        if not template.is_valid():
            raise ValueError("a $ stands alone: write $$ for the sign itself")
        found = template.get_identifiers()
        shown = ", ".join(f"${word}" for word in allowed) or "none"
        for word in found:
            if word not in allowed:
                raise ValueError(f"unknown placeholder ${word}: here may stand {shown}")
        for word in needs:
            if word not in found:
                raise ValueError(f"${word} must stand here")
        return text

    return check


_Plain = Annotated[str, Field(min_length=1), AfterValidator(_words())]
_Turn = Annotated[str, Field(min_length=1), AfterValidator(_words("question", "answer"))]
_Asking = Annotated[str, AfterValidator(_words("question", "answer", needs=("question", "answer")))]
_Answering = Annotated[str, AfterValidator(_words("question", "answer", needs=("answer",)))]


class Formats(Record):
    """How to answer, per form of question about constraints; fills in ``$answer``.

    ``all_true`` is for the forms that ask for every option that is true (``SET_FORMS``).
    """

    yes_no: _Plain
    choice: _Plain
    open: _Plain
    all_true: _Plain = (
        'Close with a line of its own that reads "Answer: " and the letters of all that are true, '
        'or "Answer: none".'
    )


class ObjectFormats(Record):
    """How to answer, per kind of question about objects; fills in ``$answer``."""

    property: _Plain
    affordance: _Plain


class ProblemFormats(Record):
    """How to answer a problem; fills in ``$answer``."""

    problem: _Plain


class ListFormats(Record):
    """How to answer what asks for a list, per kind of question; fills in ``$answer``."""

    recognition: _Plain
    plan: _Plain
    named_plan: _Plain


class UseFormats(Record):
    """How to say which part of which thing could serve; fills in ``$answer``."""

    creative_use: _Plain


F = TypeVar("F", Formats, ObjectFormats, ProblemFormats, ListFormats, UseFormats)


class Prompts(Record, Generic[F]):
    """What every strategy has: how to answer, and a system prompt (empty: none is sent)."""

    system: Annotated[str, AfterValidator(_words())] = ""
    answer: F


class Turns(Prompts[F], Generic[F]):
    """A conversation whose turns are known beforehand; the last reply is the answer."""

    turns: tuple[_Turn, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if not any("question" in Template(turn).get_identifiers() for turn in self.turns):
            raise ValueError("$question must stand in one of the turns")
        if "answer" not in Template(self.turns[-1]).get_identifiers():
            raise ValueError("$answer must stand in the last turn")
        return self

    @property
    def max_calls(self) -> int:
        """How often a model is called for one question, at most; so for every strategy."""
        return len(self.turns)


class Revise(Prompts[F], Generic[F]):
    """An answer, then at most ``rounds`` checks of it."""

    ask: _Asking
    check: _Answering
    rounds: int = Field(ge=1, le=10)

    @property
    def max_calls(self) -> int:
        """The first answer and every check."""
        return 1 + self.rounds


class Views(Prompts[F], Generic[F]):
    """Pictures one at a time, at most ``looks`` of them.

    ``$next`` is filled in by ``offer`` while another picture may be asked for, else by ``close``.
    ``$view`` is the camera of the picture shown, ``$others`` are the cameras not yet seen,
    ``$left`` says how many more looks there are.
    """

    start: Annotated[
        str,
        AfterValidator(_words("question", "view", "next", needs=("question", "next"))),
    ]
    show: Annotated[str, AfterValidator(_words("question", "view", "next", needs=("next",)))]
    unknown: Annotated[str, AfterValidator(_words("question", "next", needs=("next",)))]
    offer: Annotated[
        str, AfterValidator(_words("others", "left", "answer", needs=("others", "answer")))
    ]
    close: Annotated[str, AfterValidator(_words("answer", needs=("answer",)))]
    looks: int = Field(ge=2, le=20)

    @property
    def max_calls(self) -> int:
        """One call per look."""
        return self.looks


class Explore(Prompts[F], Generic[F]):
    """Things are named, and described one at a time to who asks for one, in ``turns`` replies.

    ``$things`` are their names, ``$name`` and ``$description`` those of the one asked for, and
    ``$left`` says how many replies are left.
    """

    start: Annotated[
        str,
        AfterValidator(
            _words("question", "things", "answer", "left", needs=("question", "things", "answer"))
        ),
    ]
    show: Annotated[
        str, AfterValidator(_words("name", "description", "left", needs=("description",)))
    ]
    unknown: Annotated[str, AfterValidator(_words("name", "things", "left"))]
    unread: Annotated[str, AfterValidator(_words("answer", "left"))]
    turns: int = Field(ge=2, le=60)

    @property
    def max_calls(self) -> int:
        """One call per reply."""
        return self.turns


class Inspect(Prompts[F], Generic[F]):
    """Things are shown, then one thing or part a turn to who asks for it, in ``turns`` replies.

    ``$things`` are the names of all things and ``$parts`` those of the parts of the one inspected;
    ``$name`` is what was asked for, ``$unseen`` what the picture does not show of it, and ``$left``
    says how many replies are left.
    """

    start: Annotated[
        str,
        AfterValidator(
            _words("question", "things", "answer", "left", needs=("question", "things", "answer"))
        ),
    ]
    thing: Annotated[str, AfterValidator(_words("name", "parts", "left", needs=("parts",)))]
    part: Annotated[str, AfterValidator(_words("name", "unseen", "left", needs=("unseen",)))]
    unknown: Annotated[str, AfterValidator(_words("name", "things", "left"))]
    unknown_part: Annotated[str, AfterValidator(_words("name", "parts", "left"))]
    unread: Annotated[str, AfterValidator(_words("answer", "left"))]
    gone: _Plain
    turns: int = Field(ge=2, le=60)

    @property
    def max_calls(self) -> int:
        """One call per reply."""
        return self.turns


class ObjectPrompts(Record):
    """The strategies for questions about objects: what needs an action to check makes no sense."""

    direct: Turns[ObjectFormats] | None = None
    reason: Turns[ObjectFormats] | None = None
    describe: Turns[ObjectFormats] | None = None
    views: Views[ObjectFormats] | None = None


class ProblemPrompts(Record):
    """The strategies for problems told in words."""

    direct: Turns[ProblemFormats] | None = None
    reason: Turns[ProblemFormats] | None = None
    self_reflect: Revise[ProblemFormats] | None = None
    divergent_convergent: Turns[ProblemFormats] | None = None


class ListPrompts(Record):
    """The strategies for questions that ask for a list of things."""

    direct: Turns[ListFormats] | None = None
    reason: Turns[ListFormats] | None = None
    describe: Turns[ListFormats] | None = None


class UsePrompts(Record):
    """The strategies for questions which part of which thing could serve."""

    direct: Turns[UseFormats] | None = None
    reason: Turns[UseFormats] | None = None
    explore: Explore[UseFormats] | None = None
    inspect_last: Inspect[UseFormats] | None = None
    inspect_all: Inspect[UseFormats] | None = None
    inspect_text: Inspect[UseFormats] | None = None


class Pack(Record):
    """A named and versioned pack. A strategy may be left out: then it cannot be asked for."""

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9._-]*$")
    version: int = Field(ge=1)
    direct: Turns[Formats] | None = None
    reason: Turns[Formats] | None = None
    describe: Turns[Formats] | None = None
    affordances: Turns[Formats] | None = None
    verify: Revise[Formats] | None = None
    views: Views[Formats] | None = None
    self_reflect: Revise[Formats] | None = None
    divergent_convergent: Turns[Formats] | None = None
    objects: ObjectPrompts = ObjectPrompts()
    problems: ProblemPrompts = ProblemPrompts()
    lists: ListPrompts = ListPrompts()
    uses: UsePrompts = UsePrompts()

    def prompts_of(self, strategy: str, kind: str = "constraint") -> Any:
        """The prompts of ``strategy`` for questions of ``kind``; InvalidInputError if it has none.

        ``kind`` may be the kind of any question; properties and affordances have theirs in common.
        """
        parts: dict[str, tuple[Record, str]] = {
            "constraint": (self, ""),
            "problem": (self.problems, " about problems"),
            **dict.fromkeys(ListFormats.model_fields, (self.lists, " for lists of things")),
            "creative_use": (self.uses, " for uses of things"),
        }
        part, about = parts.get(kind, (self.objects, " about objects"))
        prompts = {
            key.replace("_", "-"): value for key, value in part if isinstance(value, Prompts)
        }
        if strategy not in prompts:
            raise InvalidInputError(
                f"the prompts {self.name} have none{about} for the strategy {strategy!r}, only for "
                f"{', '.join(prompts) or 'no strategy at all'}"
            )
        return prompts[strategy]


class LoadedPack(Record):
    """A pack and the SHA-256 of the file it was read from."""

    pack: Pack
    sha256: str

    def identity(self) -> dict[str, str | int]:
        """What a log says of it."""
        return {"name": self.pack.name, "version": self.pack.version, "sha256": self.sha256}


def load_prompts(path: Path | str | None = None) -> LoadedPack:
    """The pack in the YAML file at ``path``, or ours.

    Raises InvalidInputError, naming the key, for what is no pack or takes our pack's name.
    """
    if path is None:
        return _our_prompts()
    pack, data = read_yaml(TypeAdapter(Pack), Path(path), "prompts")
    if pack.name == OUR_PROMPTS:
        raise InvalidInputError(f"prompts {path}: name: {OUR_PROMPTS} is ours, choose another")
    return LoadedPack(pack=pack, sha256=hashlib.sha256(data).hexdigest())


@cache
def _our_prompts() -> LoadedPack:
    data = (files("pactwin.policies") / "packs" / "pactwin.yaml").read_bytes()
    pack = Pack.model_validate(parse_yaml(data, "pactwin.yaml"))
    return LoadedPack(pack=pack, sha256=hashlib.sha256(data).hexdigest())
