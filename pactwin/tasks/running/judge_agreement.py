"""How well answers are read: our own reading and a judge's, against labels given by hand.

A labelled answer says what a careful reader takes it to say: a name of the taxonomy (``none``: the
action can be done) or ``unclear``. Agreement is accuracy and Cohen's kappa over these readings.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import CachePolicy, GenerateConfig, Model
from inspect_ai.scorer import CORRECT, INCORRECT, Score, Scorer, Target, accuracy, scorer
from inspect_ai.solver import TaskState, generate
from pydantic import Field

from pactwin.solvers import PARSER_VERSION, parse_reply
from pactwin.suite import Constraint, Record, read_lines
from pactwin.tasks.core.asking import MAX_RETRIES
from pactwin.tasks.core.judge import UNCLEAR, judge_prompt, judge_question, read_verdict
from pactwin.tasks.kinds.constraint.questions import question_about
from pactwin.tasks.running.ask import ask_judge
from pactwin.tasks.running.models import CACHED_FOR, resolve_model
from pactwin.tasks.running.request import Display

OWN_PARSER = f"parser {PARSER_VERSION}"
"""Our own reading, as a reader."""


class LabelledAnswer(Record):
    """One open answer to the question about ``action``, and what a careful reader reads in it."""

    action: str = Field(min_length=1)
    objects: tuple[str, ...] = Field(min_length=1)
    truth: Constraint
    answer: str
    label: Constraint | Literal["unclear"]
    style: str


class Agreement(Record):
    """How one reader's readings compare with the labels.

    ``n`` answers were read; the reader ``failed`` on others, which count nowhere else. ``definite``
    readings say something other than unclear, ``misread`` of them say something else than the
    label. ``kappa`` is None where it is undefined: all labels and readings the same.
    """

    reader: str
    n: int
    failed: int
    accuracy: float
    kappa: float | None
    definite: int
    misread: int


def read_labelled(path: Path | str) -> list[LabelledAnswer]:
    """The labelled answers in a JSONL file; InvalidInputError, naming line and key, for others."""
    return read_lines(LabelledAnswer, path, "labelled answers")


def own_readings(answers: Sequence[LabelledAnswer]) -> list[str]:
    """What our own reading takes each answer to say."""
    parsed = [parse_reply("open", a.answer, (), a.objects) for a in answers]
    return [UNCLEAR if p.problem or p.constraint is None else p.constraint.value for p in parsed]


def judge_readings(
    labels: Path | str, judge: Model, log_dir: Path | str, display: Display = "plain"
) -> list[str | None]:
    """What ``judge`` takes each answer of the file to say, None where it failed; leaves a log.

    Raises what :func:`ask_judge` raises.
    """
    samples = ask_judge(judge_agreement(str(labels)), judge, log_dir, display)
    scores = {
        int(sample.id): score.answer
        for sample in samples
        for score in (sample.scores or {}).values()
    }
    return [scores.get(number) for number in range(1, len(read_labelled(labels)) + 1)]


def agreement(
    reader: str, answers: Sequence[LabelledAnswer], readings: Sequence[str | None]
) -> Agreement:
    """How ``readings``, one per answer, agree with the labels."""
    from sklearn.metrics import cohen_kappa_score  # takes a second to import

    read = [(str(a.label), r) for a, r in zip(answers, readings, strict=True) if r is not None]
    labels, said = [label for label, _ in read], [reading for _, reading in read]
    right = [label == reading for label, reading in read]
    definite = [r for r, reading in zip(right, said, strict=True) if reading != UNCLEAR]
    varied = len({*labels, *said}) > 1
    return Agreement(
        reader=reader,
        n=len(read),
        failed=len(answers) - len(read),
        accuracy=sum(right) / len(read) if read else 0.0,
        kappa=float(cohen_kappa_score(labels, said)) if varied else None,
        definite=len(definite),
        misread=definite.count(False),
    )


def measure_agreement(
    labels: Path | str,
    judge: str | None = None,
    *,
    log_dir: Path | str = "logs",
    display: Display = "plain",
) -> list[Agreement]:
    """Agreement of our own reading; with a ``judge``, also of the judge, and of the two as used.

    As used, the judge is asked only where our own reading finds nothing clear. Raises
    InvalidInputError for a file that holds no labelled answers, and what resolving a model raises.
    """
    answers = read_labelled(labels)
    own = own_readings(answers)
    found = [agreement(OWN_PARSER, answers, own)]
    if judge is not None:
        cached = resolve_model(judge, cache=CachePolicy(expiry=CACHED_FOR))
        theirs = judge_readings(labels, cached, log_dir, display)
        both = [o if o != UNCLEAR else t for o, t in zip(own, theirs, strict=True)]
        found += [
            agreement(judge, answers, theirs),
            agreement(f"{OWN_PARSER}, {judge}", answers, both),
        ]
    return found


@task
def judge_agreement(labels: str) -> Task:
    """Ask a model to judge labelled answers; ``labels`` is their JSONL file."""
    answers = read_labelled(labels)
    samples = [
        Sample(
            id=number,
            input=judge_question(question_about(a.action, "open"), a.answer),
            target=str(a.label),
        )
        for number, a in enumerate(answers, start=1)
    ]
    return Task(
        dataset=MemoryDataset(samples, name=Path(labels).name),
        solver=generate(),
        scorer=verdict_scorer(),
        config=GenerateConfig(max_retries=MAX_RETRIES),
        fail_on_error=False,
        metadata={"judge_prompt": judge_prompt().identity(), "parser_version": PARSER_VERSION},
    )


@scorer(metrics=[accuracy()])
def verdict_scorer() -> Scorer:
    """Compare a judge's verdict with the label; JudgeFaultError, an error, if there is none."""

    async def score(state: TaskState, target: Target) -> Score:
        says = read_verdict(state.output)
        verdict = UNCLEAR if says is None else says.value
        return Score(value=CORRECT if verdict == target.text else INCORRECT, answer=verdict)

    return score
