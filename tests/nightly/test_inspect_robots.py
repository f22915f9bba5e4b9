"""Inspect Robots itself runs gated policies, and its grader judges our films.

``PACTWIN_INSPECT_ROBOTS`` names a folder that has the package; default: it is fetched into one.
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from lerobot_episodes import write_episode
from openai_server import Reply, openai_server, sent_text
from reply_styles import pixel_hashes

from pactwin.suite import film_frames
from pactwin.tasks import DecidedRight, GatedPolicy, film_scores, grade_films, model_gate

pytestmark = [pytest.mark.nightly, pytest.mark.timeout(600)]

PIN = "inspect-robots==0.60.0"
MODEL = "openai-api/local/vlm"
SAYS = {"pick the cube": "yes", "lift the table": "no", "think it over": "It depends."}


@pytest.fixture(scope="module", autouse=True)
def package(tmp_path_factory: pytest.TempPathFactory) -> Any:
    given = os.environ.get("PACTWIN_INSPECT_ROBOTS")
    folder = Path(given) if given else tmp_path_factory.mktemp("inspect-robots")
    if not given:
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target"]
        subprocess.run([*pip, str(folder), PIN], check=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        yield


def answer(body: dict[str, Any]) -> Reply:
    text = sent_text(body)
    return Reply(next(said for action, said in SAYS.items() if action in text))


def test_only_what_the_gate_lets_pass_moves(tmp_path: Path) -> None:
    from inspect_robots import Scene, Target, Task, eval
    from inspect_robots.mock.cubepick import CubePickEmbodiment
    from inspect_robots.mock.policies import ScriptedPolicy

    scenes = [
        Scene(str(at), action, Target("pactwin", {"feasible": said != "no"}))
        for at, (action, said) in enumerate(SAYS.items())
    ]
    task = Task("gated", scenes, ["success_at_end", DecidedRight()], max_steps=50)
    inner = ScriptedPolicy()
    with openai_server(answer) as server:
        policy = GatedPolicy(inner, model_gate(MODEL))
        log = eval(task, policy, CubePickEmbodiment(), log_dir=str(tmp_path))[0]
    assert log.status == "success" and len(server.requests) == 3
    assert log.eval.policy == "scripted+gate"
    moved, refused, undecided = log.samples
    assert [s.termination_reasons for s in log.samples] == [
        ("success",), ("pactwin_gate_no",), ("pactwin_gate_ask",)
    ]  # fmt: skip
    scores = [(s.reduced["success_at_end"], s.reduced["decided_right"]) for s in log.samples]
    assert scores == [(1, 1), (0, 1), (0, 0)]
    assert refused.trial_metadata[0]["gate"]["decision"] == "no"
    assert undecided.policy_transcripts[0]["gate"]["reply"] == "It depends."
    assert moved.policy_transcripts[0]["gate"]["model"] == MODEL


def test_a_failed_call_is_an_error_of_the_trial(tmp_path: Path) -> None:
    from inspect_robots import Scene, Task, eval
    from inspect_robots.mock.cubepick import CubePickEmbodiment
    from inspect_robots.mock.policies import ScriptedPolicy

    task = Task("gated", [Scene("0", "pick the cube")], "success_at_end", max_steps=50)
    inner = ScriptedPolicy()
    with openai_server(lambda body: Reply(status=400)):
        log = eval(
            task, GatedPolicy(inner, model_gate(MODEL)), CubePickEmbodiment(), log_dir=str(tmp_path)
        )[0]
    assert log.results.errored_trials == 1 and inner.num_inferences == 0


def test_its_grader_is_scored_by_our_episodes(tmp_path, monkeypatch, capsys):
    from inspect_robots import vlm_grader

    monkeypatch.setenv("GRADER_KEY", "none")
    for seed in range(8):  # of two scenes with even numbers, and odd ones, each is a twin
        done = seed % 2 == 0
        twin, outcome = f"{seed ^ 1:016x}", {"done": done, "stopped": ""}
        write_episode(tmp_path / f"{seed}", 12, seed, twin=twin, episode=outcome, action=f"{seed}")

    def scored(said: Any) -> dict[str, float]:
        with openai_server(said) as server:
            grader = vlm_grader("vlm", base_url=server.base_url, api_key_env="GRADER_KEY")
            graded = grade_films(tmp_path, grader)
        frames = film_frames(tmp_path / "0", {"film": ["head"]}, 12)[[0, -1]]
        assert pixel_hashes(server.requests[0]) == [
            hashlib.sha256(frame.tobytes()).hexdigest() for frame in frames
        ]
        assert "fell, was knocked over" in sent_text(server.requests[0])
        return film_scores(graded)

    def perfect(body: dict[str, Any]) -> Reply:
        seed = int(sent_text(body).partition("Task instruction: ")[2][0])
        return Reply(f"GRADE: {'failure' if seed % 2 else 'success'}")

    assert scored(perfect)["informedness_strict"] == 1
    flattered = scored(lambda body: Reply("GRADE: success"))
    assert (flattered["informedness_strict"], flattered["pair_accuracy_strict"]) == (0, 0)
    silent = scored(lambda body: Reply("Hard to say."))
    assert silent["coverage"] == 0 and silent["informedness_strict"] == -1
    assert "left ungraded" in capsys.readouterr().err
