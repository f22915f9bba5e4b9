"""How long a report of 5,000 answers takes to write, and to load in headless Chromium.

``python -m benchmarks.report [SUITE]``: answers are made up, about a suite of yours or a made-up
one of 60 pairs with pictures that compress like photographs, with hostile text in every reply. The
page is opened as on a desktop and as on a phone; requests, errors in the console and scripts that
ran are told.
"""

import resource
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from browser import Browser
from made_up import scene_row
from pages import EVIL
from rich.console import Console
from rich.table import Table

from benchmarks.served import large_suite
from pactwin.compare import score, write_report
from pactwin.suite import SET_FORMS, Suite
from pactwin.tasks import AnswerRow

ANSWERS, PAIRS = 5000, 60
SCREENS = {"desktop": (1280, 900), "phone": (390, 844)}
RELOADS = 5
LOADED_MS = "performance.getEntriesByType('navigation')[0].loadEventEnd"


def made_up_answers(suite: Suite, count: int) -> list[AnswerRow]:
    """``count`` answers about ``suite`` by models that are right now and then."""
    rng = np.random.default_rng(0)
    scenes = {scene.id: scene for scene in suite.scenes()}
    rows: list[AnswerRow] = []
    while len(rows) < count:
        model = f"openai-api/lab/model-{len(rows)}"
        for question in suite.questions():
            if question.form in SET_FORMS:
                continue
            scene = scenes[question.scene_id]
            verdict = scene.decided
            for view in question.views:
                right = bool(rng.random() < 0.7)
                rows.append(
                    scene_row(
                        suite.info,
                        scene,
                        says=verdict.feasible == right,
                        view=view,
                        model=model,
                        question_id=question.id,
                        form=question.form,
                        predicted_constraint=verdict.constraint,
                        reply=f"{EVIL} " + "I look at what carries what, and decide. " * 8,
                    )
                )
    return rows[:count]


Visit = tuple[float, float]
"""Seconds to the load event, and until a picture of the screen has come."""


def load(page: Path, folder: Path) -> list[tuple[str, list[Visit], list[str], list[str]]]:
    """Per screen: its visits, foreign requests, errors in the console."""
    found = []
    for name, (width, height) in SCREENS.items():
        with Browser(folder / f"profile-{name}", width, height) as browser:
            visits = []
            for _ in range(RELOADS):
                browser.open("about:blank")
                start = time.perf_counter()
                browser.open(page.as_uri())
                browser.until("location.protocol == 'file:' && document.readyState == 'complete'")
                picture = browser.screenshot()
                shown = time.perf_counter() - start
                visits.append((browser.run(LOADED_MS) / 1e3, shown))
            (folder / f"{name}.png").write_bytes(picture)
            assert browser.run("document.title") != "owned"
            foreign = [url for url in browser.requests if url != page.as_uri()]
            found.append((name, visits, foreign, browser.faults))
    return found


def run(suite_path: Path | None = None, keep: Path | None = None) -> None:
    """Print seconds; ``keep`` is a folder for the page and pictures of both screens."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        if suite_path is None:
            suite_path = large_suite(Path(temporary) / "suite", PAIRS, 640, 480, different=97)
        suite = Suite.open(suite_path)
        rows = made_up_answers(suite, ANSWERS)
        page = folder / "report.html"
        start = time.perf_counter()
        write_report(rows, score(rows), [suite], page)
        wrote_s = time.perf_counter() - start
        gib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        table = Table("screen", "load event, s", "most", "shown, s", "most", "requests", "errors")
        for name, visits, foreign, faults in load(page, folder):
            loaded, shown = zip(*visits, strict=True)
            told = (
                f"{x:.2f}" for x in (np.median(loaded), max(loaded), np.median(shown), max(shown))
            )
            table.add_row(name, *told, str(len(foreign)), str(len(faults)))
            for fault in [*foreign, *faults]:
                print(fault[:200])
        size = page.stat().st_size / 1e6
        said = f"{len(rows):,} answers, page {size:.1f} MB, scored and written in {wrote_s:.1f} s"
        Console().print(table, f"{said}, peak {gib:.2f} GiB")


if __name__ == "__main__":
    run(*(Path(argument) for argument in sys.argv[1:]))
