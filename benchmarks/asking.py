"""How long asking takes, beside a sequential loop and beside bare Inspect, for the same questions.

- Against a model that takes half a second per call: ``sequential`` asks one question after another,
  as published scripts do; ``pactwin`` is :func:`pactwin.tasks.run_eval`.
- Against a model that answers at once, so that only the asking side is timed: ``inspect`` is an
  Inspect task with the same samples, Inspect's own reading of pictures and its ``generate``, and
  no scorer.

Times are wall time within a process that has everything imported. Every repetition is a process of
its own, with an empty cache.
"""

import base64
import json
import os
import statistics
import tempfile
import time
import urllib.request
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.served import MODEL, large_suite, served

QUESTIONS = 120
WIDTH_PX, HEIGHT_PX = 640, 480


def sequential(suite: Path, base_url: str, folder: Path) -> tuple[float, int]:
    """Seconds and answers of a loop that reads, sends and waits for one question at a time."""
    from pactwin.tasks import pac_constraints

    samples = list(pac_constraints(str(suite), views="head", form="yes_no").dataset)
    start = time.perf_counter()
    for sample in samples:
        metadata = sample.metadata or {}
        (picture,) = metadata["pictures"]
        data = base64.b64encode((suite / picture["path"]).read_bytes()).decode()
        content = [
            {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}"}},
            {"type": "text", "text": metadata["question"]["text"]},
        ]
        body = {"model": "vlm", "messages": [{"role": "user", "content": content}]}
        request = urllib.request.Request(
            f"{base_url}/chat/completions", json.dumps(body).encode(), method="POST"
        )
        with urllib.request.urlopen(request, timeout=60) as reply:
            assert json.load(reply)["choices"]
    return time.perf_counter() - start, len(samples)


def pactwin(suite: Path, base_url: str, folder: Path) -> tuple[float, int]:
    """Seconds and answers of ``run_eval``, after a run with one pair that imports everything."""
    from pactwin.tasks import EvalRequest, read_answers, run_eval

    request = EvalRequest(
        suite=suite,
        models=(MODEL,),
        log_dir=folder / "logs",
        views="head",
        form="yes_no",
        no_cache=True,
        base_url=base_url,
        vision_check=False,
    )
    run_eval(request.model_copy(update={"log_dir": folder / "warm", "limit": 1}))
    start = time.perf_counter()
    logs = run_eval(request)
    return time.perf_counter() - start, len(read_answers(logs))


def bare_inspect(suite: Path, base_url: str, folder: Path) -> tuple[float, int]:
    """Seconds and answers of Inspect alone, with the settings it comes with."""
    from inspect_ai import Task
    from inspect_ai import eval as inspect_eval
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ChatMessageUser, ContentImage, ContentText
    from inspect_ai.solver import generate

    from pactwin.tasks import pac_constraints

    def bare(sample: Sample) -> Sample:
        metadata = sample.metadata or {}
        (picture,) = metadata["pictures"]
        image = ContentImage(image=str(suite / picture["path"]))
        text = ContentText(text=metadata["question"]["text"])
        return Sample(id=sample.id, input=[ChatMessageUser(content=[image, text])], target="no")

    samples = [bare(s) for s in pac_constraints(str(suite), views="head", form="yes_no").dataset]

    def ask(samples: list[Sample], name: str) -> int:
        (log,) = inspect_eval(
            Task(dataset=samples, solver=generate()),
            model=MODEL,
            model_base_url=base_url,
            log_dir=str(folder / name),
            display="none",
        )
        assert log.status == "success"
        return len(log.samples or ())

    ask(samples[:2], "warm")
    start = time.perf_counter()
    asked = ask(samples, "logs")
    return time.perf_counter() - start, asked


def run(repeats: int = 3) -> None:
    """Print both comparisons. The sequential loop, which only waits, is timed once."""
    os.environ["SERVED_API_KEY"] = "none"
    table = Table("model answers in", "asked by", "times", "least s", "median s", "least ms each")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        suite = large_suite(
            folder / "suite",
            QUESTIONS // 2,
            WIDTH_PX,
            HEIGHT_PX,
            different=QUESTIONS,
            cameras=("head",),
        )
        for wait_s, ways in ((0.5, (sequential, pactwin)), (0.0, (bare_inspect, pactwin))):
            with served(wait_s) as base_url:
                for way in ways:
                    times = []
                    for repeat in range(1 if way is sequential else repeats):
                        place = folder / f"{way.__name__}-{wait_s}-{repeat}"
                        os.environ["INSPECT_CACHE_DIR"] = str(place / "cache")
                        with ProcessPoolExecutor(1, get_context("spawn")) as pool:
                            seconds, asked = pool.submit(way, suite, base_url, place).result()
                        assert asked == QUESTIONS
                        times.append(seconds)
                    least, median = min(times), statistics.median(times)
                    cells = (f"{least:.2f}", f"{median:.2f}", f"{1000 * least / QUESTIONS:.1f}")
                    table.add_row(f"{wait_s:g} s", way.__name__, str(len(times)), *cells)
    table.caption = f"{QUESTIONS} questions; load of the machine {os.getloadavg()[0]:.1f}"
    Console().print(table)
