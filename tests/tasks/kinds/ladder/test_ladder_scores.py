"""Ladders from asking to the page: planted observers come back with their bias and noise."""

import json
from pathlib import Path

import numpy as np
import pytest
from commands import invoke
from evaluating import evaluate
from fakes import fake_pairs
from ladders import STEPS, make_ladder_suite, observer
from openai_server import openai_server
from scipy.stats import norm

from pactwin.compare.estimates import Cell, estimate
from pactwin.compare.metrics import score_kinds
from pactwin.suite import FRICTION, LadderStep, Measurement, load_suite
from pactwin.tasks import Fitted, make_ladder_questions, read_rows
from pactwin.tasks.kinds.ladder.curve import JND_PER_NOISE, fit_curve

X = np.linspace(-4.0, 4.0, 9)
N = np.full(9, 200.0)


def answers(bias: float, noise: float, guess: float = 0.0, lapse: float = 0.0) -> np.ndarray:
    return N * (guess + (1 - guess - lapse) * norm.cdf((X - bias) / noise))


@pytest.mark.parametrize(
    ("bias", "noise", "guess", "lapse"),
    [(0, 1, 0, 0), (1, 1, 0.02, 0.02), (-2, 0.5, 0.05, 0), (0.5, 1.5, 0, 0.1)],
)
def test_a_curve_without_noise_in_it_is_found(bias, noise, guess, lapse):
    found = fit_curve(X, answers(bias, noise, guess, lapse), N)
    assert found is not None
    assert found.bias == pytest.approx(bias, abs=0.1)
    assert found.resolved("bias", (bias, bias)) == (bias, bias)
    assert found.noise == pytest.approx(noise, rel=0.12)
    assert (found.guess, found.lapse) == pytest.approx((guess, lapse), abs=0.02)
    assert found.fit_p > 0.5


def test_a_step_is_steep_and_a_fall_is_flagged() -> None:
    found = fit_curve(X, np.where(X > 0.5, N, 0.0), N)
    assert found is not None and 0 < found.bias < 1 and found.noise < 0.5
    low, high = found.resolved("bias", (found.bias, found.bias))
    assert low <= 0.1 and high >= 0.9, "it may be anywhere between two steps"
    assert found.resolved("jnd", (found.jnd, found.jnd))[0] == 0.0
    falls_back = np.where(X > 1.5, 0.6 * N, answers(0, 0.7))
    flagged = fit_curve(X, falls_back, N)
    assert flagged is None or flagged.fit_p < 0.01


@pytest.mark.slow
@pytest.mark.parametrize(("parameter", "true"), [("bias", 0.5), ("noise", 2**0.5)])
def test_intervals_hold_the_true_curve(parameter: str, true: float) -> None:
    """Twenty ladders in three views, whose thresholds differ as much as answers are noisy."""
    rng = np.random.default_rng(3)
    ladders, views, runs = 20, 3, 60
    fitted = Fitted(
        "x", "yes", "n", fit_curve, parameter, "log" if parameter == "noise" else "plain"
    )
    x = np.tile(np.repeat(X, views), ladders)
    cluster = np.repeat(np.arange(ladders), len(X) * views)
    held = 0
    for _ in range(runs):
        threshold = 0.5 + rng.standard_normal(ladders)[cluster]
        yes = rng.random(len(x)) < 0.02 + 0.96 * norm.cdf(x - threshold)
        counts = np.column_stack([x, yes, np.ones_like(x)])
        cell = Cell(counts, {"x": 0, "yes": 1, "n": 2}, cluster, np.zeros(len(x), int), {})
        found = estimate(cell, fitted)
        assert found is not None and found[1] is not None
        held += found[1][0] <= true <= found[1][1]
    assert held >= 51, "57 are expected; so few come once in a hundred times"


def annotated(suite: Path, folder: Path, bias: float, noise: float) -> Path:
    """Label Studio's export after one person has answered everything."""
    invoke("people", "export", suite, folder / "projects", "--view", "head")
    loaded, rng = load_suite(suite), np.random.default_rng(4)
    tasks = json.loads((folder / "projects" / "constraints" / "tasks-1.json").read_text())
    for number, task in enumerate(tasks):
        ((field, question),) = task["data"]["questions"].items()
        step = loaded.scenes[loaded.questions[question].scene_id].step
        assert step is not None
        said = "yes" if rng.random() < norm.cdf((step.x - bias) / noise) else "no"
        chosen = {"from_name": field, "value": {"choices": [said]}}
        task |= {"id": number, "annotations": [{"completed_by": 7, "result": [chosen]}]}
    export = folder / "export.json"
    export.write_text(json.dumps(tasks))
    return export


@pytest.mark.slow
def test_a_served_observer_and_a_person_are_measured_end_to_end(tmp_path: Path) -> None:
    suite = make_ladder_suite(tmp_path / "suite", ladders=16)
    export = annotated(suite, tmp_path, bias=-2.0, noise=2.0)
    told = tmp_path / "answers", "--log-dir", tmp_path / "logs"
    invoke("people", "import", suite, export, "--out", *told)
    with openai_server(observer(suite, bias=2.0, noise=3.0, lapse=0.02)):
        evaluate(
            suite,
            ["openai-api/local/planted", "pactwin/always-yes"],
            log_dir=tmp_path / "logs",
            vision_check=False,
        )
    files = {name: tmp_path / name for name in ("page.html", "s.json", "t.md", "board.html")}
    invoke(
        "compare", *sorted((tmp_path / "logs").glob("*.eval")), "--suite", suite,
        "--out", files["page.html"], "--json", files["s.json"], "--markdown", files["t.md"],
    )  # fmt: skip
    scores = json.loads(files["s.json"].read_text())
    found = {
        (s["model"].rpartition("/")[2], s["metric"], s["domain"]): s
        for s in scores
        if s["view"] == "all"
    }
    bias = found["planted", "ladder_bias", "clearance (mm)"]
    assert bias["low"] < 2.0 < bias["high"] and bias["high"] - bias["low"] < 9
    steps = found["planted", "ladder_bias_steps", "all"]
    assert steps["low"] < 1.0 < steps["high"], "2 mm are one step"
    jnd = found["planted", "ladder_jnd_steps", "all"]
    assert jnd["low"] < JND_PER_NOISE * 1.5 < jnd["high"]
    assert found["planted", "ladder_coverage", "all"]["n"] == 16 * STEPS
    person = found["a1", "ladder_bias", "clearance (mm)"]
    assert person["low"] < -2.0 < person["high"] < 0
    assert found["always-yes", "ladder_bias", "overhang (mm)"]["value"] is None
    assert ("planted", "ladder_bias", "all") not in found, "mm of two quantities do not pool"
    page = files["page.html"].read_text()
    assert page.count('class="fit"') == 2 * 2, "a curve for each quantity and model that has one"
    assert page.count("bias ") >= 2 * 2 and page.count(">no curve") == 2
    assert f"bias −{-person['value']:.2f} (" in page
    assert "Bias, steps" in files["t.md"].read_text()


def test_steps_without_a_verdict_pass_no_epoch(tmp_path: Path) -> None:
    """Whatever is said of them is neither right nor wrong, in one epoch or in all."""
    suite = make_ladder_suite(tmp_path / "suite", ladders=4)
    logs = evaluate(suite, ["pactwin/always-yes"], log_dir=tmp_path / "logs", epochs=2)
    found = {s.metric: s for s in score_kinds(read_rows(logs)) if s.is_pooled}
    decided = STEPS - 2  # both next to the limit have none
    assert found["ladder_pass_k"].n == 4 * decided
    assert found["ladder_pass_k"].value == 0.5
    assert found["ladder_epoch_agreement"].n == 4 * STEPS


def test_the_friction_of_a_slope_is_told_in_the_question() -> None:
    (pair,) = fake_pairs(1)
    told = {FRICTION: Measurement(value=0.7, unit="")}
    steps = [
        scene.model_copy(
            update={
                "twin_id": None,
                "step": LadderStep(ladder=pair.scenes[0].id, quantity="slope", x=x, unit="degrees"),
                "verdict": scene.decided.model_copy(update={"measurements": measured}),
            }
        )
        for scene, x, measured in zip(pair.scenes, (-1.0, 1.0), (told, told), strict=True)
    ]
    texts = {question.text for question in make_ladder_questions(steps)}
    assert len(texts) == 1 and "coefficient of friction between the two is 0.70" in texts.pop()
    silent = [
        step.model_copy(update={"verdict": step.decided.model_copy(update={"measurements": {}})})
        for step in steps
    ]
    assert all("friction" not in question.text for question in make_ladder_questions(silent))
