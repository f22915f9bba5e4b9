"""Prompt packs: the texts of strategies as versioned YAML files.

A strategy is a block under its name; one with ``turns`` is a script and may have any name. A
template is text in which ``$question`` and the like are replaced (a dollar sign is written ``$$``).
The type of a template says which placeholders it may and must contain, so that a mistake is found
when a pack is read, before any question. ``docs/strategies.md`` shows a pack.
"""

import hashlib
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Annotated, Any, Self

from pydantic import AfterValidator, ConfigDict, Field, PlainValidator, TypeAdapter, model_validator

from pactwin.suite import SET_FORMS, InvalidInputError, Record, parse_yaml, read_yaml

BY_FORM = ("constraint", "ladder")
"""Kinds of question whose answer instructions depend on the form."""

_CONFIDENCE = "confidence"
"""How to answer yes/no questions where a probability is asked for, too."""
_SAY_PROBABILITY = (
    "Half of all situations like this one can be done, half cannot. Close with two lines: one "
    'reads "Answer: yes", "Answer: no" or "Answer: unsure" (right counts 1, unsure 0, wrong -3), '
    'the other "Probability: " and how likely it is that it can be done, from 0 to 100.'
)
_ALL_TRUE = "all_true"
"""How to answer the forms that ask for every option that is true (``SET_FORMS``)."""
_NAME_ALL = (
    'Close with a line of its own that reads "Answer: " and the letters of all that are true, '
    'or "Answer: none".'
)
"""How to answer them unless a pack says so."""

OUR_PROMPTS = "pactwin"
"""Name of pactwin's own pack; no other pack may use it."""


def _words(*allowed: str, needs: tuple[str, ...] = ()) -> Callable[[str], str]:
    """Validator of templates: placeholders are in ``allowed``, and all of ``needs`` occur."""

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


def _template(*allowed: str, needs: tuple[str, ...] = ()) -> AfterValidator:
    return AfterValidator(_words(*allowed, needs=needs))


_Plain = Annotated[str, Field(min_length=1), _template()]
_Turn = Annotated[str, Field(min_length=1), _template("question", "answer")]


class Prompts(Record):
    """Fields of every strategy: answer instructions, and a system prompt (none is sent if empty).

    ``answer`` replaces ``$answer``: by form for questions about constraints (``all_true`` for forms
    that ask for all true options, ``confidence`` if a probability is also asked for), else by kind.
    """

    system: Annotated[str, _template()] = ""
    answer: dict[str, _Plain]

    def how_to_answer(self, kind: str, form: str, *, confident: bool = False) -> str:
        """Text that replaces ``$answer`` in a question of ``kind`` and ``form``.

        With ``confident`` it also asks for a probability.
        """
        how = form if kind in BY_FORM else kind
        how, default = (_ALL_TRUE, _NAME_ALL) if how in SET_FORMS else (how, "")
        if confident:
            how, default = _CONFIDENCE, _SAY_PROBABILITY
        return Template(self.answer.get(how, default)).substitute()

    @property
    def max_calls(self) -> int:
        """Maximum number of calls for one question."""
        raise NotImplementedError


class Turns(Prompts):
    """Strategy with fixed turns; the last reply is the answer."""

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
        """One call per turn."""
        return len(self.turns)


class Revise(Prompts):
    """Strategy that gives an answer, then checks it up to ``rounds`` times."""

    ask: Annotated[str, _template("question", "answer", needs=("question", "answer"))]
    check: Annotated[str, _template("question", "answer", needs=("answer",))]
    rounds: int = Field(ge=1, le=10)

    @property
    def max_calls(self) -> int:
        """The first answer and every check."""
        return 1 + self.rounds


class Views(Prompts):
    """Strategy that requests pictures one at a time, at most ``looks`` of them.

    ``$next`` is replaced by ``offer`` while another picture may be requested, else by ``close``.
    ``$view`` is the camera of the current picture, ``$others`` the cameras not yet shown, ``$left``
    the number of remaining looks.
    """

    start: Annotated[str, _template("question", "view", "next", needs=("question", "next"))]
    show: Annotated[str, _template("question", "view", "next", needs=("next",))]
    unknown: Annotated[str, _template("question", "next", needs=("next",))]
    offer: Annotated[str, _template("others", "left", "answer", needs=("others", "answer"))]
    close: Annotated[str, _template("answer", needs=("answer",))]
    looks: int = Field(ge=2, le=20)

    @property
    def max_calls(self) -> int:
        """One call per look."""
        return self.looks


class _Looking(Prompts):
    """Objects are named; each reply may ask about one of them, in up to ``turns`` replies.

    ``$things`` are the names of all things, ``$name`` is what was asked for, and ``$left`` says how
    many replies are left.
    """

    start: Annotated[
        str,
        _template("question", "things", "answer", "left", needs=("question", "things", "answer")),
    ]
    unknown: Annotated[str, _template("name", "things", "left")]
    unread: Annotated[str, _template("answer", "left")]
    turns: int = Field(ge=2, le=60)

    @property
    def max_calls(self) -> int:
        """One call per reply."""
        return self.turns


class Explore(_Looking):
    """Strategy that requests descriptions; ``$description`` is that of the requested object."""

    show: Annotated[str, _template("name", "description", "left", needs=("description",))]


class Inspect(_Looking):
    """Strategy that requests pictures of objects and their parts.

    ``$parts`` are the names of the inspected object's parts, ``$unseen`` describes what the picture
    does not show.
    """

    thing: Annotated[str, _template("name", "parts", "left", needs=("parts",))]
    part: Annotated[str, _template("name", "unseen", "left", needs=("unseen",))]
    unknown_part: Annotated[str, _template("name", "parts", "left")]
    gone: _Plain


_KIND_BY_KEY: Mapping[str, type[Prompts]] = {
    "check": Revise, "offer": Views, "thing": Inspect, "show": Explore
}  # fmt: skip
"""What kind of strategy a block is, by a key that no kind before it has; a script otherwise."""


def _strategy(*forms: str) -> PlainValidator:
    """Validator of blocks, which must say how to answer each of ``forms`` and no others."""

    def read(block: Any) -> Prompts:
        keys = block if isinstance(block, Mapping) else ()
        chosen = next((kind for key, kind in _KIND_BY_KEY.items() if key in keys), Turns)
        prompts = chosen.model_validate(block)
        for form in forms:
            if form not in prompts.answer:
                raise ValueError(f"answer.{form}: Field required")
        for form in prompts.answer if forms else ():
            if form not in (*forms, _ALL_TRUE, _CONFIDENCE):
                raise ValueError(f"answer.{form}: Extra inputs are not permitted")
        return prompts

    return PlainValidator(read)


_Group = dict[str, Annotated[Prompts, _strategy()]]


class Pack(Record):
    """A named and versioned pack: strategies by name; those about constraints are at the top level.

    Groups hold the strategies for other kinds of question. A kind without its own group uses the
    strategies of ``others``. Strategies missing in a pack cannot be used.
    """

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, Annotated[Prompts, _strategy("yes_no", "choice", "open")]]

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9._-]*$")
    version: int = Field(ge=1)
    objects: _Group = Field(default_factory=dict)
    problems: _Group = Field(default_factory=dict)
    lists: _Group = Field(default_factory=dict)
    uses: _Group = Field(default_factory=dict)
    others: _Group = Field(default_factory=dict)

    def strategies_of(self, kind: str) -> dict[str, Prompts]:
        """The strategies for questions of ``kind``, by name."""
        found = self.__pydantic_extra__
        if kind not in BY_FORM:
            groups = (self.objects, self.problems, self.lists, self.uses)
            found = {n: p for group in groups for n, p in group.items() if kind in p.answer}
        return {n.replace("_", "-"): prompts for n, prompts in (found or self.others).items()}

    def prompts_of(self, strategy: str, kind: str = "constraint") -> Any:
        """The prompts of ``strategy`` for questions of ``kind``; InvalidInputError without any."""
        prompts = self.strategies_of(kind)
        if strategy not in prompts:
            raise InvalidInputError(
                f"the prompts {self.name} have none about questions of the kind {kind} for the "
                f"strategy {strategy!r}, only for {', '.join(prompts) or 'no strategy at all'}"
            )
        return prompts[strategy]

    def names(self) -> tuple[str, ...]:
        """Names of all strategies, for all kinds of question."""
        groups = (self.objects, self.problems, self.lists, self.uses)
        names = [name for group in (self.__pydantic_extra__, *groups) for name in group]
        return tuple(dict.fromkeys(name.replace("_", "-") for name in names))


class LoadedPack(Record):
    """A pack and the SHA-256 of the file it was read from."""

    pack: Pack
    sha256: str

    def identity(self) -> dict[str, str | int]:
        """Identity of the pack in logs."""
        return {"name": self.pack.name, "version": self.pack.version, "sha256": self.sha256}


def load_prompts(path: Path | str | None = None) -> LoadedPack:
    """Load the pack in the YAML file at ``path``, or the built-in one.

    Raises InvalidInputError that names the key if it is not a pack or has the built-in pack's name.
    """
    if path is None:
        return _our_prompts()
    pack, data = read_yaml(TypeAdapter(Pack), Path(path), "prompts")
    if pack.name == OUR_PROMPTS:
        raise InvalidInputError(
            f"prompts {path}: name: {OUR_PROMPTS} is the built-in pack's, choose another"
        )
    return LoadedPack(pack=pack, sha256=hashlib.sha256(data).hexdigest())


def direct_prompt(kind: str, form: str, question: str) -> str:
    """Text sent with the pictures for a direct question, with the built-in prompts."""
    prompts = load_prompts().pack.prompts_of("direct", kind)
    answer = prompts.how_to_answer(kind, form)
    return Template(prompts.turns[0]).substitute(question=question, answer=answer).strip()


@cache
def _our_prompts() -> LoadedPack:
    data = (files("pactwin.solvers") / "packs" / "pactwin.yaml").read_bytes()
    pack = Pack.model_validate(parse_yaml(data, "pactwin.yaml"))
    return LoadedPack(pack=pack, sha256=hashlib.sha256(data).hexdigest())
