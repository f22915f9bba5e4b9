"""Replies that people labelled: what is read in them, and what should be."""

import json
from collections.abc import Callable, Iterator
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
    read_confident,
    read_solvability,
)
from pactwin.suite import SET_FORMS, parse_yaml

DATA = Path(__file__).parent / "data"
WRITTEN = "written_replies"
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
NAMES = {WRITTEN: ("red apple", "red block", "blue ball", "white plate"), "revised_answers": ()}
Reading = tuple[Problem | None, Any]


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
        problem, said = _READERS[self.kind](self)
        return None if problem else said

    def reading(self) -> Any:
        """What the parser reads, or the name of the problem that it has."""
        problem, said = _READERS[self.kind](self)
        return problem.name.lower() if problem else said


def _letter(option: str | None, options: tuple[str, ...]) -> str | None:
    return None if option is None else OPTION_LETTERS[options.index(option)]


def _yes_no(asked: Labelled) -> Reading:
    answer = parse_reply("yes_no", asked.reply)
    return answer.problem, answer.feasible


def _choice(asked: Labelled) -> Reading:
    answer = parse_reply("choice", asked.reply, asked.options)
    return answer.problem, _letter(answer.option, asked.options)


def _set(asked: Labelled) -> Reading:
    answer = parse_reply(SET_FORM, asked.reply, asked.options)
    return answer.problem, [_letter(option, asked.options) for option in answer.selected]


def _open(asked: Labelled) -> Reading:
    answer = parse_reply("open", asked.reply, (), asked.names)
    return answer.problem, answer.constraint and answer.constraint.value


def _category(asked: Labelled) -> Reading:
    answer = parse_category(asked.reply, asked.options)
    return answer.problem, answer.category


def _uses(asked: Labelled) -> Reading:
    answer = parse_list(asked.reply)
    return answer.problem, list(answer.items)


def _names(asked: Labelled) -> Reading:
    answer = parse_names(asked.reply)
    return answer.problem, list(answer.items)


def _list(asked: Labelled) -> Reading:
    return _uses(asked) if asked.label and asked.label[0] in USES else _names(asked)


def _problem(asked: Labelled) -> Reading:
    read = read_solvability(asked.reply)
    return (read, None) if isinstance(read, Problem) else (None, read)


def _part(asked: Labelled) -> Reading:
    answer = parse_part_choice(asked.reply)
    return answer.problem, [answer.entity, answer.part]


def _inspection(asked: Labelled) -> Reading:
    answer = parse_part_choice(asked.reply)
    return answer.problem, {name: said for name, said in vars(answer).items() if said}


_READERS: dict[str, Callable[[Labelled], Reading]] = {
    "yes_no": _yes_no,
    "choice": _choice,
    "set": _set,
    "open": _open,
    "category": _category,
    "list": _list,
    "uses": _uses,
    "names": _names,
    "problem": _problem,
    "part": _part,
    "inspection": _inspection,
    "confident": lambda asked: (None, read_confident(asked.reply).probability),
    "unsure": lambda asked: (None, read_confident(asked.reply).unsure),
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
            names = NAMES.get(file, ("red ball", "white box")) if kind == "open" else ()
            for reply, label in replies.get(kind, {}).items():
                yield Labelled(file, kind, reply, label, options.get(kind, ()), names)
