"""Other people's harnesses, each run on an export as its README says; what they say of it."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from openai_server import OpenAIServer

from pactwin.tasks.exporting.harness import table_name

Scores = dict[str, dict[str, float]]
"""By form and metric."""


def run(command: Sequence[object], folder: Path, **more: str) -> str:
    """What a command prints in ``folder``, with a key, without network and without our code."""
    quiet = {"OPENAI_API_KEY": "none", "LOCAL_API_KEY": "none", "HF_HUB_OFFLINE": "1"}
    home = {"HF_HOME": str(folder / "hf-home"), "INSPECT_CACHE_DIR": str(folder / "cache")}
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env={**inherited, **quiet, **home, **more},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


def run_inspect(
    python: Sequence[object], out: Path, forms: Sequence[str], server: OpenAIServer
) -> Scores:
    """``python`` is a command that takes Inspect's words after it."""
    found = {}
    for form in forms:
        words = ("eval", "pactwin_task.py", "--model", "openai-api/local/vlm", "-T", f"form={form}")
        run([*python, *words, "--display", "plain"], out, LOCAL_BASE_URL=server.base_url)
        log = max((out / "logs").glob("*.eval"), key=lambda path: path.stat().st_mtime_ns)
        found[form] = _metrics(log)
    return found


def _metrics(log: Path) -> dict[str, float]:
    from inspect_ai.log import read_eval_log

    results = read_eval_log(str(log), header_only=True).results
    assert results is not None
    return {name: float(metric.value) for name, metric in results.scores[0].metrics.items()}


def run_lmms_eval(env: Path, out: Path, forms: Sequence[str], server: OpenAIServer) -> Scores:
    model = f"model_version=vlm,base_url={server.base_url},api_key=none"
    tasks = ",".join(f"pactwin_{form}" for form in forms)
    run(
        [
            *(env / "bin" / "python", "-m", "lmms_eval", "eval", "--include_path", ".", "--tasks"),
            *(tasks, "--model", "openai", "--model_args", model),
            *("--log_samples", "--output_path", "logs"),
        ],
        out,
    )
    (path,) = (out / "logs").rglob("*_results.json")
    results = json.loads(path.read_text())["results"]
    return {
        form: {
            name.partition(",")[0]: value
            for name, value in results[f"pactwin_{form}"].items()
            if isinstance(value, float)
        }
        for form in forms
    }


def run_verifiers(env: Path, out: Path, forms: Sequence[str], server: OpenAIServer) -> Scores:
    found = {}
    path = f"{env / 'bin'}:{os.environ['PATH']}"
    for form in forms:
        run(
            [
                *(env / "bin" / "vf-eval", "pactwin-constraints", "-m", "vlm"),
                *("--env.taskset.form", form, "--client.base-url", server.base_url),
                *("--client.api-key-var", "LOCAL_API_KEY"),
                *("--env.agent.runtime.type", "subprocess", "--env.agent.harness.id", "null"),
                *("-c", "4", "--no-push", "--no-rich", "--run.name", form),
            ],
            out,
            PATH=path,
        )
        traces = out / "outputs" / form / "traces.jsonl"
        found[form] = json.loads(run([env / "bin" / "python", "score.py", traces], out))
        rewards = [float(r) for r in re.findall(r'"pair":\{"score":([0-9.]+)', _packed(traces))]
        found[form]["pair reward"] = sum(rewards) / len(rewards)
    return found


def _packed(traces: Path) -> str:
    return traces.read_text(encoding="utf-8").replace(" ", "")


def run_vlmevalkit(
    env: Path, checkout: Path, out: Path, forms: Sequence[str], server: OpenAIServer
) -> Scores:
    tables = out / "LMUData"
    tables.mkdir()
    for path in out.glob("*.tsv"):
        shutil.copy(path, tables)
    python = env / "bin" / "python"
    run(
        [
            *(python, "run.py", "--data", *map(table_name, forms), "--model", "vlm"),
            *("--base-url", server.base_url, "--key", "none"),
            *("--mode", "infer", "--work-dir", out / "outputs"),
        ],
        checkout,
        LMUData=str(tables),
        PYTHONPATH=str(checkout),
    )
    found = {}
    for form in forms:
        (path,) = {p.resolve() for p in (out / "outputs").rglob(f"vlm_{table_name(form)}.xlsx")}
        said = run([python, "score.py", path], out)
        found[form] = json.loads(said[said.index("{") :])
    return found
