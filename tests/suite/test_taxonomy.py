"""A constraint is one row: what is added there is asked, answered, judged and read everywhere."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import pactwin
from pactwin.suite import Constraint

ROW = """
    TOO_HOT = ("too_hot", "The object is too hot to be touched.", (r"\\b(?:too )?hot\\b",))
"""
PROGRAM = """
import sys
from fakes import fake_pairs
from pactwin.solvers import parse_published_answer, parse_reply
from pactwin.solvers.baselines.constraints import write_reply
from pactwin.suite import Constraint
from pactwin.tasks import make_twin_questions
from pactwin.tasks.annotation.interface import options_of
from pactwin.tasks.core.judge import judge_question, read_verdict
from inspect_ai.model import ModelOutput

hot = Constraint("too_hot")
(pair,) = fake_pairs(1)
first, second = pair.scenes
def heated(scene):
    verdict = scene.decided.model_copy(update={"constraint": hot})
    return scene if scene.decided.feasible else scene.model_copy(update={"verdict": verdict})

questions = make_twin_questions((heated(first), heated(second)))
choice = next(q for q in questions if q.form == "choice" and q.truth == hot.statement)
assert hot.statement in choice.rationale and hot.statement in choice.options
assert hot.statement in options_of(choice)
assert parse_reply("choice", write_reply(hot, choice), choice.options).constraint is hot
assert parse_reply("open", "No. The stove made it hot.").constraint is hot
assert parse_reply("open", f"No. {hot.statement}").constraint is hot
assert parse_published_answer(hot.statement) == (False, hot)
assert hot.value in judge_question("?", "no") and hot.statement in judge_question("?", "")
assert read_verdict(ModelOutput.from_content("m", '{"says": "too_hot"}')) is hot
"""


@pytest.mark.slow
def test_a_made_up_row_works_everywhere(tmp_path: Path) -> None:
    source = Path(pactwin.__file__).parent
    copy = shutil.copytree(source, tmp_path / "pactwin", ignore=shutil.ignore_patterns("*.pyc"))
    taxonomy = copy / "suite" / "taxonomy.py"
    taxonomy.write_text(taxonomy.read_text() + ROW)
    stand_ins = Path(__file__).parents[2] / "stand_ins"
    path = os.pathsep.join((str(tmp_path), str(stand_ins)))
    subprocess.run(
        [sys.executable, "-c", PROGRAM],
        check=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path},
    )


@pytest.mark.parametrize("constraint", Constraint)
def test_rows_are_whole(constraint: Constraint) -> None:
    assert constraint.value == constraint.name.lower()
    assert constraint.statement.endswith(".")
    read = constraint is not Constraint.NONE and not constraint.of_things
    assert bool(constraint.strong) == read
    assert set(constraint.overrides) <= set(Constraint)
