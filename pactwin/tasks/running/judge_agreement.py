"""Agreement of the parser and a judge with manual labels.

A labelled answer is a careful reader's reading of it: a name of the taxonomy (``none``: feasible)
or ``unclear``. Agreement is accuracy and Cohen's kappa over these readings.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal

from inspect_ai.model import Model
from pydantic import Field

from pactwin.solvers import PARSER_VERSION, parse_reply
from pactwin.suite import Constraint, Record, read_lines
from pactwin.tasks.core.judge import UNCLEAR, judge_prompt, judge_reading
from pactwin.tasks.kinds.constraint.questions import question_about
from pactwin.tasks.running.ask import ask_each
from pactwin.tasks.running.request import Display

OWN_PARSER = f"parser {PARSER_VERSION}"
"""Name of pactwin's parser as a reader."""


class LabelledAnswer(Record):
    """An open answer to the question about ``action``, with a careful reader's label."""

    action: str = Field(min_length=1)
    objects: tuple[str, ...] = Field(min_length=1)
    truth: Constraint
    answer: str
    label: Constraint | Literal["unclear"]
    style: str


class Agreement(Record):
    """Agreement of one reader with the labels.

    ``n`` answers were read; the reader ``failed`` on others, which count nowhere else. ``definite``
    readings are not unclear; ``misread`` of them differ from the label. ``kappa`` is None if
    undefined because all labels and readings are equal.
    """

    reader: str
    n: int
    failed: int
    accuracy: float
    kappa: float | None
    definite: int
    misread: int


def read_labelled(path: Path | str) -> list[LabelledAnswer]:
    """Read the labelled answers in a JSONL file; InvalidInputError names line and key."""
    return read_lines(LabelledAnswer, path, "labelled answers")


def own_readings(answers: Sequence[LabelledAnswer]) -> list[str]:
    """Parser's reading of each answer."""
    parsed = [parse_reply("open", a.answer, (), a.objects) for a in answers]
    return [UNCLEAR if p.problem or p.constraint is None else p.constraint.value for p in parsed]


def agreement(
    reader: str, pairs: Iterable[tuple[Any, Any]], weights: Literal["linear"] | None = None
) -> Agreement:
    """Agreement of labels and readings (None if failed). ``weights`` are kappa's."""
    from sklearn.metrics import cohen_kappa_score  # takes a second to import

    everything = list(pairs)
    read = [(a, b) for a, b in everything if b is not None]
    truths, said = [a for a, _ in read], [b for _, b in read]
    definite = [a == b for a, b in read if b != UNCLEAR]
    varied = len({*truths, *said}) > 1
    return Agreement(
        reader=reader,
        n=len(read),
        failed=len(everything) - len(read),
        accuracy=sum(a == b for a, b in read) / len(read) if read else 0.0,
        kappa=float(cohen_kappa_score(truths, said, weights=weights)) if varied else None,
        definite=len(definite),
        misread=definite.count(False),
    )


def measure_agreement(
    path: Path | str,
    judge: str | None = None,
    *,
    log_dir: Path | str = "logs",
    display: Display = "plain",
) -> list[Agreement]:
    """Agreement of the parser; with a ``judge``, also of the judge, and of both combined.

    Combined, the judge is asked only if the parser finds nothing clear. Raises InvalidInputError
    for a file without labelled answers, and the errors of :func:`ask_each`.
    """
    answers = read_labelled(path)
    labels, own = [str(a.label) for a in answers], own_readings(answers)
    found = [agreement(OWN_PARSER, zip(labels, own, strict=True))]
    if judge is None:
        return found

    async def say(model: Model, number: str) -> str:
        asked = answers[int(number)]
        says = await judge_reading(model, question_about(asked.action, "open"), asked.answer)
        return UNCLEAR if says is None else says.value

    inputs = {str(number): a.answer or "-" for number, a in enumerate(answers)}
    notes = {"judge_prompt": judge_prompt().identity(), "parser_version": PARSER_VERSION}
    said = ask_each("judge_agreement", inputs, say, judge, log_dir, notes=notes, display=display)
    theirs = [said.get(number) for number in inputs]
    both = [o if o != UNCLEAR else t for o, t in zip(own, theirs, strict=True)]
    return [
        *found,
        agreement(judge, zip(labels, theirs, strict=True)),
        agreement(f"{OWN_PARSER}, {judge}", zip(labels, both, strict=True)),
    ]
