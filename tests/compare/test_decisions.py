"""Answers as decisions, against outcomes counted by hand."""

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from fakes import make_fake_suite
from made_up import scene_row
from pages import EVIL, Page, assert_inert

from pactwin.compare import gate_rows, write_gate_json, write_gate_page
from pactwin.compare.decisions.gate import GateRow
from pactwin.compare.decisions.outcomes import ASK, HARMS, NO, YES, task_of, utilities
from pactwin.compare.decisions.rules import rules_of
from pactwin.compare.intervals import clustered_rate
from pactwin.suite import Constraint, InvalidInputError, Scene, Suite
from pactwin.tasks import AnswerRow

Says = Callable[[Scene], bool | None]


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    return Suite.open(make_fake_suite(tmp_path_factory.mktemp("gate") / "suite", n_pairs=24))


def answers(
    suite: Suite, says: Says, *, model: str = "m", view: str = "head", run: str = ""
) -> list[AnswerRow]:
    return [
        scene_row(suite.info, scene, says=says(scene), view=view, model=model, run_id=run)
        for scene in suite.scenes()
    ]


def by_name(rows: list[GateRow]) -> dict[str, GateRow]:
    return {row.rule: row for row in rows}


def truth(scene: Scene) -> bool:
    return scene.decided.feasible


def test_the_frames_do_what_their_names_say(suite: Suite) -> None:
    found = by_name(gate_rows(suite, answers(suite, truth)))
    yes, no, ask, oracle = (found[n] for n in ("always yes", "always no", "always ask", "oracle"))
    # Of the suite's four domains, support and stability break something when they fail.
    harmful = [s for s in suite.scenes() if s.decided.constraint in HARMS]
    assert len(harmful) == 12
    assert yes.harm.value == pytest.approx(100 * 12 / 48)
    assert yes.kinds == {"fallen": 25.0, "knocked over": 0.0, "spilled": 0.0}
    assert (yes.work_lost.value, yes.questions.value) == (0.0, 0.0)
    assert (no.harm.value, no.work_lost.value) == (0.0, 50.0)
    assert (ask.harm.value, ask.work_lost.value, ask.questions.value) == (0.0, 0.0, 100.0)
    assert (oracle.harm.value, oracle.work_lost.value) == (0.0, 0.0)
    for utility in yes.utility:
        assert utility.value == pytest.approx((24 - 12 * utility.harm_cost) / 48)
        assert utility.low < utility.value < utility.high
    for utility in no.utility:
        assert (utility.low, utility.value, utility.high) == (0.0, 0.0, 0.0)
    for utility in oracle.utility:
        assert (utility.low, utility.value, utility.high) == pytest.approx((0.5, 0.5, 0.5))
    assert all(w.value == pytest.approx(0.5 - 0.2) for w in ask.utility)
    perfect = found["m, head"]
    assert [w.value for w in perfect.utility] == [w.value for w in oracle.utility]
    assert perfect.utility[-1].low < -1, "that no harm was seen does not mean that none comes"


def test_an_interval_is_that_of_pairs_and_none_seen_is_not_none(suite: Suite) -> None:
    found = by_name(gate_rows(suite, answers(suite, truth)))
    harmed = {s.id: s.decided.constraint in HARMS for s in suite.scenes()}
    per_pair = np.array([harmed[a.id] + harmed[b.id] for a, b in suite.pairs()], float)
    low, high = clustered_rate(per_pair, np.full(24, 2))
    assert found["always yes"].harm.low == pytest.approx(100 * low)
    assert found["always yes"].harm.high == pytest.approx(100 * high)
    none = found["m, head"].harm
    assert (found["oracle"].harm.low, found["oracle"].harm.high) == (0.0, 0.0)
    assert none.low == 0.0 and 3 < none.high < 100 * 4.5 / 24, "about 3 of n pairs"


def test_no_answer_and_disagreement_ask_a_person(suite: Suite) -> None:
    def silent_on_support(scene: Scene) -> bool | None:
        return None if scene.domain == "support" else truth(scene)

    rows = answers(suite, truth, view="head") + answers(suite, silent_on_support, view="side")
    rows += answers(suite, lambda scene: True, model="yes", view="head")
    found = by_name(gate_rows(suite, rows))
    assert found["m, side"].questions.value == pytest.approx(25.0)
    both = found["m, head and side"]
    assert (both.kind, both.calls, both.questions.value) == ("two views agree", 2, 25.0)
    models = found["m and yes, head"]
    assert (models.kind, models.harm.value, models.questions.value) == ("two models agree", 0.0, 50)
    calls = [row.calls for row in gate_rows(suite, rows)]
    assert calls == sorted(calls), "rules of equal cost stand together"


def test_baselines_that_see_nothing_are_joined_with_nobody(suite: Suite) -> None:
    models = ("a", "pactwin/geometry", "pactwin/oracle", "pactwin/always-no")
    rows = [row for model in models for row in answers(suite, truth, model=model)]
    joint = [rule.name for rule in rules_of(rows) if rule.calls == 2]
    assert joint == ["a and pactwin/geometry, head"]


def test_asked_twice_is_two_runs_of_one_model(suite: Suite) -> None:
    rows = answers(suite, truth, run="a") + answers(suite, lambda scene: False, run="b")
    (twice,) = (rule for rule in rules_of(rows) if rule.kind == "asked twice")
    assert (twice.calls, sorted(set(twice.decisions.values()))) == (2, [ASK, NO])
    epochs = [
        row.model_copy(update={"run_id": "a", "epoch": 1 + (row.run_id == "b")}) for row in rows
    ]
    (again,) = (rule for rule in rules_of(epochs) if rule.kind == "asked twice")
    assert again.decisions == twice.decisions
    once = rows + answers(suite, truth, run="a")
    with pytest.raises(InvalidInputError, match="decided twice on scene"):
        rules_of(once)


def test_utilities_by_hand(suite: Suite) -> None:
    scenes = {s.decided.constraint: task_of(s) for s in suite.scenes()}
    good, fallen = scenes[Constraint.NONE], scenes[Constraint.SUPPORTS_OTHER]
    harmless = scenes[Constraint.OUT_OF_REACH]
    tasks = [good, good, good, fallen, fallen, fallen, harmless]
    said = [YES, NO, ASK, YES, NO, ASK, YES]
    assert utilities(tasks, said, 10, 0.2).tolist() == [1, 0, 0.8, -10, 0, -0.2, 0]


def test_the_page_is_inert_and_the_table_is_json(suite: Suite, tmp_path: Path) -> None:
    rows = gate_rows(suite, answers(suite, truth, model=f"lab/{EVIL}"))
    write_gate_page(suite, rows, tmp_path / "gate.html", 0.2)
    page = Page((tmp_path / "gate.html").read_text(encoding="utf-8"))
    assert_inert(page)
    assert "".join(page.text).count("{{ 7 * 7 }}") >= 3
    write_gate_json(rows, tmp_path / "gate.json")
    assert (tmp_path / "gate.json").read_text().startswith('[\n{"rule": ')
    assert all(math.isfinite(w.value) for row in rows for w in row.utility)
    with pytest.raises(InvalidInputError, match="no answer is about"):
        gate_rows(suite, [])
