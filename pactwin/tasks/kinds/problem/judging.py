"""Grade answers: by rule if solvability decides, otherwise by a judge.

The parser reads whether the answer solves the problem or calls it unsolvable. If that contradicts
the problem's status, the category is F, without a judge. Otherwise a judge's votes grade it,
combined by the paper's rule for its raters. A judge that fails is an instrument failure.
"""

import json
from functools import lru_cache
from string import Template

from inspect_ai.model import Model, ModelOutput
from pydantic import Field, ValidationInfo, field_validator

from pactwin.solvers import final_answer, read_solvability
from pactwin.suite import Question, Record
from pactwin.tasks.core.judge import JudgePrompt, put_to, read_prompt, verdict_in
from pactwin.tasks.kinds.problem.scoring import condense

GRADES = {
    "A": "The answer would reach the goal, with no step or thing that is not needed.",
    "B": "The answer would reach the goal, but clearly with more steps, things or effort than "
    "needed.",
    "C": "The answer says that it cannot be done, which is right, and its reason holds.",
    "D": "Partly right: the idea or most steps would work, but a needed step is missing or would "
    "fail. Or it rightly says that it cannot be done, but its reason does not hold.",
    "E": "Wrong: what decides would not work, or it does not lead to the goal.",
    "F": "Wrong about whether it can be done at all.",
}
"""Meaning of each category, in pactwin's words."""

_POSSIBLE = {
    ("solvable", True): "ABDE",
    ("solvable", None): "ABDEF",
    ("unsolvable", False): "CDE",
    ("unsolvable", None): "CDEF",
}
"""The categories left, by the problem's status and whether the answer solves it."""


class Graded(Record):
    """Grade of an answer; the context holds the ``possible`` grades."""

    grade: str = Field(min_length=1, max_length=1)

    @field_validator("grade")
    @classmethod
    def _was_possible(cls, grade: str, info: ValidationInfo) -> str:
        if grade not in (possible := (info.context or {})["possible"]):
            raise ValueError(f"not one of {possible}")
        return grade


@lru_cache
def problem_judge_prompt() -> JudgePrompt:
    """The built-in prompt."""
    return read_prompt("pactwin.tasks.kinds.problem")


def judge_name(judge: Model | str, votes: int) -> str:
    """Name of a judge in tables and agreements: its model, the rubric, its number of votes."""
    return f"{judge}, rubric {problem_judge_prompt().version}, {votes} votes"


def solves(reply: str) -> bool | None:
    """Return whether an answer gives a solution; False if it denies one, None if unclear."""
    read = read_solvability(reply)
    return read if isinstance(read, bool) else None


def category_without_judge(question: Question, reply: str) -> str | None:
    """F if an answer contradicts the problem's status; None if it needs a judge."""
    said = solves(reply)
    return "F" if said is not None and said != (question.truth == "solvable") else None


def grading_question(question: Question, reply: str) -> str:
    """Message to the judge: the possible grades, and the material as JSON."""
    possible = _POSSIBLE[question.truth, solves(reply)]
    material = {"problem": question.text, "status": question.truth}
    if question.rationale:
        material["reference"] = question.rationale
    material["answer"] = final_answer(reply)
    return Template(problem_judge_prompt().prompt).substitute(
        choices="\n".join(f"- {letter}: {GRADES[letter]}" for letter in possible),
        material=json.dumps(material, ensure_ascii=False, indent=1),
    )


def read_grade(output: ModelOutput, question: Question, reply: str) -> str:
    """Parse the judge's grade; JudgeFaultError for anything but a possible grade."""
    return verdict_in(output, Graded, possible=_POSSIBLE[question.truth, solves(reply)]).grade


async def grade(
    judge: Model, question: Question, reply: str, votes: int
) -> tuple[str, tuple[str, ...]]:
    """The combined grade of an answer, and its votes; JudgeFaultError if a vote fails."""
    prompt = grading_question(question, reply)
    given = []
    for vote in range(1, votes + 1):
        given.append(read_grade(await put_to(judge, prompt, vote), question, reply))
    return condense(given), tuple(given)
