import json
import re
from pathlib import Path
from typing import Any

import pytest
from browser import Browser
from evaluating import evaluate
from fakes import make_fake_suite
from made_up import scene_row
from pages import CHROMIUM, EVIL, Page, assert_inert

from pactwin.compare import compare_logs, score, write_report
from pactwin.suite import Constraint, InvalidInputError, Suite
from pactwin.tasks import AnswerRow, AnswerState

pytestmark = pytest.mark.slow

CAMERAS = ("front", "head")


def answer_all(suite: Suite, model: str, reply: str = "", view: str = "") -> list[AnswerRow]:
    """Rows of a model that knows the answers, under each camera that can answer (or ``view``)."""
    scenes = {scene.id: scene for scene in suite.scenes()}
    return [
        scene_row(
            suite.info,
            scene,
            says=scene.decided.feasible,
            view=camera,
            model=model,
            question_id=question.id,
            form=question.form,
            predicted_constraint=scene.decided.constraint,
            reply=reply,
        )
        for question in suite.questions()
        for camera in ((view,) if view else question.views)
        for scene in [scenes[question.scene_id]]
    ]


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    path = tmp_path_factory.mktemp("report") / "suite"
    return Suite.open(make_fake_suite(path, n_pairs=10, cameras=CAMERAS))


def report(rows: list[AnswerRow], suites: list[Suite], out: Path, **options: Any) -> str:
    write_report(rows, score(rows), suites, out, **options)
    return out.read_text(encoding="utf-8")


def test_everything_said_is_escaped(suite: Suite, tmp_path: Path) -> None:
    rows = answer_all(suite, f"provider/{EVIL}", reply=EVIL)
    rows += [
        r.model_copy(
            update={
                "model": "evil-names",
                "view": EVIL,
                "domain": EVIL,
                "suite_name": EVIL,
                "reason": EVIL,
                "state": AnswerState.ERROR,
            }
        )
        for r in answer_all(suite, "x", view="head")
    ]
    page = Page(report(rows, [suite], tmp_path / "report.html"))
    assert_inert(page)
    text = "".join(page.text)
    assert text.count("{{ 7 * 7 }}") > 20
    assert not re.search(r"(?<![.\d])49(?![.\d])", text)


@pytest.mark.skipif(CHROMIUM is None, reason="needs chromium")
def test_a_browser_runs_and_loads_nothing_and_applies_the_style(suite, tmp_path):
    """On the same page a script, a picture from elsewhere and an error would be noticed."""
    rows = answer_all(suite, f"provider/{EVIL}", reply=EVIL)
    page, hostile = tmp_path / "report.html", tmp_path / "hostile.html"
    report(rows, [suite], page, pairs_per_domain=1)
    hostile.write_text(f"<!doctype html><title>safe</title><p>{EVIL}</p>", encoding="utf-8")
    with Browser(tmp_path / "profile") as browser:
        browser.open(page.as_uri())
        browser.until("document.title == 'pactwin report · fake'")
        browser.until("document.readyState == 'complete'")
        assert browser.run("document.scripts.length") == 0
        assert "owned'</script>" in browser.text("#scores")
        assert browser.run("getComputedStyle(document.querySelector('nav')).display") == "flex"
        browser.run("document.images[0].scrollIntoView()")
        browser.until("document.images[0].complete && document.images[0].naturalWidth == 128")
        assert_inert(Page(browser.run("document.documentElement.outerHTML")))
        assert (browser.requests, browser.faults) == ([page.as_uri()], [])
        browser.open(hostile.as_uri())
        browser.until("document.title == 'owned'")
        browser.until("document.readyState == 'complete'")
        assert len(browser.requests) == 3
        assert browser.faults


def test_the_page_shows_each_answered_pair_with_all_views(suite: Suite, tmp_path: Path) -> None:
    rows = answer_all(suite, "m", reply="Because it fits.")
    text = report(rows, [suite], tmp_path / "report.html", pairs_per_domain=99)
    page = Page(text)
    assert_inert(page)
    pictures = [a for t, a in page.tags if t == "img"]
    assert len(pictures) == 10 * 2 * len(CAMERAS)
    assert sum(1 for t, a in page.tags if t == "article") == 10
    assert all(a["alt"] and a["width"] == "128" and a["height"] == "96" for a in pictures)
    assert text.count("Because it fits.") == len(rows)
    for wanted in (suite.info.content_hash, "does not fit", "limit", "unstable label", "8 of 8"):
        assert wanted in text
    assert len(text) < 15e6


def test_one_model_in_one_view_and_form_makes_a_page(suite: Suite, tmp_path: Path) -> None:
    rows = [r for r in answer_all(suite, "m") if r.view == "head" and r.form == "choice"]
    text = report(rows, [suite], tmp_path / "report.html")
    assert "nothing to compare" in text
    mute = [
        r.model_copy(
            update={
                "state": AnswerState.REFUSED,
                "predicted_feasible": None,
                "predicted_constraint": None,
            }
        )
        for r in rows
    ]
    assert "no answers" in report(mute, [suite], tmp_path / "mute.html")


def test_logs_become_scores_a_page_and_rows(suite: Suite, tmp_path: Path) -> None:
    """The whole way: the task run by Inspect with baselines, then compared."""
    from pactwin.tasks import read_answers, require_asked

    models = ["pactwin/oracle", "pactwin/always-no"]
    logs = evaluate(
        suite.path, models, log_dir=tmp_path / "logs", views="head", limit=4, display="none"
    )
    page, rows = tmp_path / "report.html", tmp_path / "rows.json"
    scores = compare_logs([tmp_path / "logs"], page, rows)
    assert scores == compare_logs(logs)
    informedness = {
        s.model: s.value
        for s in scores
        if s.metric == "informedness" and s.domain == s.view == s.form == "all"
    }
    assert informedness == {"pactwin/oracle": 1.0, "pactwin/always-no": 0.0}
    assert page.read_text().count("<article") == 4  # found where the log says the suite is
    assert json.loads(rows.read_text())

    rows_read = read_answers(logs)
    require_asked(suite, rows_read)
    made_up = rows_read[0].model_copy(update={"question_id": "0" * 16})
    with pytest.raises(InvalidInputError, match=r"asks no question 0{16}"):
        require_asked(suite, [*rows_read, made_up])
    flipped = {"truth_feasible": not rows_read[0].truth_feasible}
    with pytest.raises(InvalidInputError, match="says otherwise"):
        require_asked(suite, [*rows_read, rows_read[0].model_copy(update=flipped)])

    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(InvalidInputError, match="holds no Inspect log"):
        compare_logs([empty])
    other = make_fake_suite(tmp_path / "other", n_pairs=2, seed=5)
    with pytest.raises(InvalidInputError, match="no log is about"):
        compare_logs(logs, page, suites=[other])
    compare_logs(logs, page, suites=[])
    assert "<article" not in page.read_text()
    assert Constraint.DOES_NOT_FIT.value.replace("_", " ") not in page.read_text()
