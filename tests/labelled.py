"""Replies that people labelled: what is read in them, and what should be."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pactwin.solvers import (
    OPTION_LETTERS,
    Problem,
    parse_category,
    parse_list,
    parse_names,
    parse_part_choice,
    parse_reply,
    read_solvability,
)
from pactwin.suite import SET_FORMS, parse_yaml

DATA = Path(__file__).parent / "data"
FILES = ("unseen_replies", "voices_replies", "further_replies", "revised_answers", "open_answers")
CHOICES = (
    "The white box is closed.",
    "The red ball does not fit into the white box.",
    "The red ball is out of reach.",
    "Nothing prevents it.",
)
OLD_CHOICES = ("The lid.", "It is far.", "It fits.", "Nothing prevents it.")
WEIGHTS = ("Medium", "Light", "Dynamic", "Heavy")
USES = ("drink from", "hold pens")
SET_FORM = next(iter(SET_FORMS))


@dataclass(frozen=True)
class Labelled:
    """A reply to a question of ``kind``, what it says and what the question was about."""

    file: str
    kind: str
    reply: str
    label: Any
    options: tuple[str, ...] = ()
    names: tuple[str, ...] = ()

    def read(self) -> Any:
        """What the parser reads, in the words of labels; None if nothing."""
        return _READERS[self.kind](self)


def _yes_no(asked: Labelled) -> bool | None:
    return parse_reply("yes_no", asked.reply).feasible


def _letter(option: str | None, options: tuple[str, ...]) -> str | None:
    return None if option is None else OPTION_LETTERS[options.index(option)]


def _set(asked: Labelled) -> list[str | None] | None:
    answer = parse_reply(SET_FORM, asked.reply, asked.options)
    return None if answer.problem else [_letter(o, asked.options) for o in answer.selected]


def _open(asked: Labelled) -> str | None:
    answer = parse_reply("open", asked.reply, (), asked.names)
    return None if answer.problem or answer.constraint is None else answer.constraint.value


def _list(asked: Labelled) -> list[str] | None:
    read = parse_list if asked.label and asked.label[0] in USES else parse_names
    answer = read(asked.reply)
    return None if answer.problem else list(answer.items)


def _problem(asked: Labelled) -> bool | None:
    read = read_solvability(asked.reply)
    return None if isinstance(read, Problem) else read


def _part(asked: Labelled) -> list[str] | None:
    answer = parse_part_choice(asked.reply)
    return None if answer.problem else [answer.entity, answer.part]


_READERS = {
    "yes_no": _yes_no,
    "choice": lambda a: _letter(parse_reply("choice", a.reply, a.options).option, a.options),
    "set": _set,
    "open": _open,
    "category": lambda a: parse_category(a.reply, a.options).category,
    "list": _list,
    "problem": _problem,
    "part": _part,
}


def labelled(*files: str) -> Iterator[Labelled]:
    """The replies of ``files`` (all by default)."""
    for file in files or FILES:
        if file == "open_answers":
            for line in (DATA / f"{file}.jsonl").read_text(encoding="utf-8").splitlines():
                row = json.loads(line)
                label = None if row["label"] == "unclear" else row["label"]
                yield Labelled(file, "open", row["answer"], label, (), tuple(row["objects"]))
            continue
        replies = parse_yaml((DATA / f"{file}.yaml").read_bytes(), "labelled")
        old = file == "revised_answers"
        options = {"choice": OLD_CHOICES if old else CHOICES, "set": CHOICES, "category": WEIGHTS}
        for kind in _READERS:
            names = ("red ball", "white box") if kind == "open" and not old else ()
            for reply, label in replies.get(kind, {}).items():
                yield Labelled(file, kind, reply, label, options.get(kind, ()), names)
