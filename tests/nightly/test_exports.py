"""Unchanged packages of other people run our exports: the same scores, the same requests.

``PACTWIN_EXPORTED_SUITE`` names a suite of at least 500 questions; default: a made-up one. Each
target gets an environment of its own from the package index, or what ``PACTWIN_ENV_LMMS_EVAL`` and
the like name. VLMEvalKit is no package: ``PACTWIN_VLMEVALKIT`` names a checkout, and
``PACTWIN_ENV_VLMEVALKIT`` an environment with its requirements.
"""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from evaluating import evaluate
from exported import COMPARED, rounded, scores_by_form
from fakes import make_fake_suite
from openai_server import OpenAIServer, openai_server
from reply_styles import answering, request_of
from targets import Scores, run_inspect, run_lmms_eval, run_verifiers, run_vlmevalkit

from pactwin.suite import Suite
from pactwin.tasks import export_harness
from pactwin.tasks.exporting.flat import flat_rows

pytestmark = [pytest.mark.nightly, pytest.mark.timeout(7200)]

N_PAIRS = 46  # two views and three forms, where a view can answer: 500 questions
VIEWS = "front,side"
PINS = {
    "lmms-eval": ("lmms-eval==0.7.3",),
    "inspect": ("inspect-ai==0.3.285", "openai", "pyarrow"),
    "verifiers": ("verifiers==0.4.0", "pyarrow", "hatchling", "editables"),
}


@dataclass
class Asked:
    """A suite with what our own evaluation of the scripted model sent and made of it."""

    suite: Suite
    server: OpenAIServer
    requests: Counter
    scores: Scores
    logs: Path

    @property
    def forms(self) -> list[str]:
        return list(self.scores)


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asked]:
    folder = tmp_path_factory.mktemp("asked")
    given = os.environ.get("PACTWIN_EXPORTED_SUITE")
    path = Path(given) if given else make_fake_suite(folder / "suite", n_pairs=N_PAIRS, seed=22)
    suite = Suite.open(path)
    views = views_asked()
    rows = list(flat_rows(suite, views, ("constraint",)))
    with openai_server(answering(rows)) as server:
        for form in dict.fromkeys(row["form"] for row in rows):
            evaluate(
                path, ["openai-api/local/vlm"], log_dir=folder / "logs" / form, form=form,
                views=views, no_cache=True,
            )  # fmt: skip
        sent = Counter(map(request_of, server.requests))
        assert len(server.requests) == len(rows) >= 500
        yield Asked(suite, server, sent, scores_by_form(folder / "logs"), folder / "logs")


def views_asked() -> str:
    return "each" if "PACTWIN_EXPORTED_SUITE" in os.environ else VIEWS


def environment(target: str, folder: Path) -> Path:
    """An environment that has the target's package and not ours."""
    given = os.environ.get(f"PACTWIN_ENV_{target.replace('-', '_').upper()}")
    if given:
        return Path(given)
    subprocess.run([sys.executable, "-m", "venv", str(folder / "env")], check=True)
    pip: list[Any] = [folder / "env" / "bin" / "python", "-m", "pip", "install", "--quiet"]
    subprocess.run([*pip, *PINS[target]], check=True)
    return folder / "env"


def exported(asked: Asked, target: str, folder: Path) -> Path:
    export_harness(asked.suite, folder / "out", target, views_asked())
    asked.server.requests.clear()
    return folder / "out"


def require_same_scores(asked: Asked, found: Scores) -> None:
    for form, ours in asked.scores.items():
        kept = {name: found[form].get(name, found[form].get(f"set_{name}")) for name in COMPARED}
        want = {name: ours.get(name, ours.get(f"set_{name}")) for name in COMPARED}
        assert rounded(kept) == rounded(want), form  # type: ignore[arg-type]


def require_same_requests(asked: Asked) -> None:
    assert Counter(map(request_of, asked.server.requests)) == asked.requests


def require_read_back(asked: Asked, logs: Path) -> None:
    """Compare makes of the target's logs what it makes of ours, and takes them beside ours."""
    read = scores_by_form(logs)
    for form, ours in asked.scores.items():
        assert rounded(read[form]) == rounded(ours), form


def test_lmms_eval(asked: Asked, tmp_path: Path) -> None:
    env, out = environment("lmms-eval", tmp_path), exported(asked, "lmms-eval", tmp_path)
    require_same_scores(asked, run_lmms_eval(env, out, asked.forms, asked.server))
    require_same_requests(asked)
    require_read_back(asked, out / "logs")
    scores_by_form(asked.logs, out / "logs")


def test_inspect(asked: Asked, tmp_path: Path) -> None:
    env, out = environment("inspect", tmp_path), exported(asked, "inspect", tmp_path)
    found = run_inspect([env / "bin" / "inspect"], out, asked.forms, asked.server)
    require_same_scores(asked, found)
    require_same_requests(asked)
    require_read_back(asked, out / "logs")


def test_verifiers(asked: Asked, tmp_path: Path) -> None:
    env, out = environment("verifiers", tmp_path), exported(asked, "verifiers", tmp_path)
    install: list[Any] = [env / "bin" / "python", "-m", "pip", "install", "--quiet", "--no-deps"]
    subprocess.run([*install, "--no-build-isolation", "-e", out], check=True)
    found = run_verifiers(env, out, asked.forms, asked.server)
    require_same_scores(asked, found)
    require_same_requests(asked)
    for form, ours in asked.scores.items():
        assert found[form]["pair reward"] == pytest.approx(ours["pair_accuracy_strict"], abs=1e-6)


@pytest.mark.skipif("PACTWIN_VLMEVALKIT" not in os.environ, reason="needs a checkout of VLMEvalKit")
def test_vlmevalkit(asked: Asked, tmp_path: Path) -> None:
    env, out = environment("vlmevalkit", tmp_path), exported(asked, "vlmevalkit", tmp_path)
    checkout = Path(os.environ["PACTWIN_VLMEVALKIT"])
    require_same_scores(asked, run_vlmevalkit(env, checkout, out, asked.forms, asked.server))
    texts = {request_of(body)[0] for body in asked.server.requests}
    assert texts == {request[0] for request in asked.requests}
    require_read_back(asked, out / "outputs")
