"""Engines: units come in order, lost workers are replaced, a unit that kills them is given up."""

import logging
import os
import signal
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from pactwin.sim import (
    ConstraintSuiteConfig,
    Engine,
    LocalEngine,
    RayEngine,
    SceneBatch,
    draw_pair,
    ensure_gl,
)
from pactwin.sim.generation.engines.base import in_order, run_watched, still_alive
from pactwin.suite import EnvironmentFaultError, InvalidInputError, SuiteWriter
from pactwin.tasks import make_twin_questions

REQUEST = ConstraintSuiteConfig(
    seed=5,
    pairs=4,
    domains=("size_mismatch",),
    robot="g1",
    cameras=("head",),
    width_px=320,
    height_px=240,
)


# Tasks, carried out by real workers.


def late_first(number: int) -> int:
    """The first of each four takes longest."""
    time.sleep(0.2 * (number % 4 == 0))
    return number


def stuck(marks: Path, always: bool, number: int) -> int:
    """Batch 2 hangs, the first time or always."""
    tries = len(list(marks.iterdir()))
    if number == 2 and (always or not tries):
        (marks / str(tries)).touch()
        time.sleep(60)
    return number


def dying(marks: Path, number: int) -> int:
    (marks / str(time.monotonic_ns())).touch()
    os.kill(os.getpid(), signal.SIGSEGV)
    return number


def mistaken(number: int) -> int:
    if number == 1:
        raise InvalidInputError("no such thing")
    return number


def wrong(marks: Path, number: int) -> int:
    (marks / str(time.monotonic_ns())).touch()
    raise ZeroDivisionError(number)


def numbers(engine: Engine, task, count: int) -> list[int]:
    with engine:
        return list(in_order(engine, task, range(count)))


def test_units_come_in_order_whichever_is_done_first() -> None:
    assert numbers(LocalEngine(2), late_first, 9) == list(range(9))


def test_no_more_units_are_begun_than_can_wait() -> None:
    begun = []

    class Recording:
        workers = 2

        def submit(self, task, number):
            begun.append(number)
            return partial(task, number)

    results = in_order(Recording(), lambda number: number, range(1000))  # type: ignore[arg-type]
    assert next(results) == 0
    assert len(begun) < 20
    assert list(results) == list(range(1, 1000))


@pytest.mark.slow
def test_a_stuck_worker_is_ended_and_its_unit_tried_again(tmp_path, caplog):
    start = time.monotonic()
    caplog.set_level(logging.WARNING, logger="pactwin")  # whatever others have set before
    task = partial(stuck, tmp_path, False)
    assert numbers(LocalEngine(2, limit_s=1.0), task, 6) == list(range(6))
    assert time.monotonic() - start < 30
    (lost,) = (record.message for record in caplog.records)
    assert lost.startswith("unit 2, try 1 of 3: its worker died or was stuck for 1 s")


@pytest.mark.slow
def test_a_unit_that_is_always_stuck_is_given_up(tmp_path: Path) -> None:
    with pytest.raises(
        EnvironmentFaultError, match=r"unit 2 .* 3 tries.* stuck for 0.5 s"
    ) as found:
        numbers(LocalEngine(1, limit_s=0.5), partial(stuck, tmp_path, True), 6)
    assert "\n" not in str(found.value)
    assert len(list(tmp_path.iterdir())) == 3


def test_a_task_that_gets_on_has_its_time_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    limits: list[float] = []
    monkeypatch.setattr(signal, "setitimer", lambda which, limit_s: limits.append(limit_s))
    still_alive()  # nobody watches
    run_watched(lambda number: still_alive(), 0, 7.0)
    assert limits == [7.0, 7.0, 0.0]


@pytest.mark.slow
def test_a_worker_that_crashes_is_replaced_three_times(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentFaultError, match=r"unit 0 .*worker died"):
        numbers(LocalEngine(1), partial(dying, tmp_path), 1)
    assert len(list(tmp_path.iterdir())) == 3


@pytest.mark.slow
def test_an_error_for_the_user_comes_through_as_it_is() -> None:
    with pytest.raises(InvalidInputError, match=r"^no such thing$"):
        numbers(LocalEngine(2), mistaken, 6)


@pytest.mark.slow
def test_a_bug_is_not_tried_again(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        numbers(LocalEngine(1), partial(wrong, tmp_path), 1)
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.slow
def test_leaving_an_engine_ends_its_workers(tmp_path: Path) -> None:
    start = time.monotonic()
    with LocalEngine(2) as engine:
        engine.submit(partial(stuck, tmp_path, True), 2)
        while not list(tmp_path.iterdir()):
            time.sleep(0.01)
            assert time.monotonic() - start < 30
    assert time.monotonic() - start < 30


# Ray


def draw_and_mark(marks: Path, request: ConstraintSuiteConfig, number: int) -> SceneBatch:
    import ray

    node = ray.get_runtime_context().get_node_id()
    (marks / f"{number} {node} {time.monotonic_ns()}").touch()
    return draw_pair(request, number)


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator:
    """A Ray cluster of two nodes with one CPU each, on the loopback device."""
    monkeypatch.setenv("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))  # to this module
    utils = pytest.importorskip("ray.cluster_utils")
    ensure_gl()
    node = {"num_cpus": 1, "include_dashboard": False, "object_store_memory": 100 * 2**20}
    cluster = utils.Cluster(initialize_head=True, head_node_args=node)
    try:
        yield cluster
    finally:
        cluster.shutdown()


@pytest.mark.slow
def test_a_node_killed_midway_changes_nothing(cluster, tmp_path: Path) -> None:
    doomed = cluster.add_node(num_cpus=1, object_store_memory=100 * 2**20)
    marks = tmp_path / "marks"
    marks.mkdir()
    killed = None
    with RayEngine(cluster.address) as engine, _writer(tmp_path / "ray") as writer:
        assert engine.workers == 2
        for pair in in_order(engine, partial(draw_and_mark, marks, REQUEST), range(REQUEST.pairs)):
            if killed is None:
                killed = _begun_on(marks, doomed.node_id)
                cluster.remove_node(doomed, allow_graceful=False)
            writer.add(pair.scenes, pair.files, {pair.scenes[0].domain: pair.rejections})
        on_ray = writer.finish(make_twin_questions)
    tries = [path.name.split()[:2] for path in marks.iterdir()]
    assert len({node for number, node in tries if number == killed}) == 2, "it was not killed"
    with _writer(tmp_path / "here") as writer:
        for number in range(REQUEST.pairs):
            pair = draw_pair(REQUEST, number)
            writer.add(pair.scenes, pair.files, {pair.scenes[0].domain: pair.rejections})
        here = writer.finish(make_twin_questions)
    assert on_ray.content_hash == here.content_hash
    assert on_ray.files == here.files


def _begun_on(marks: Path, node: str) -> str:
    """The last unit that was begun on ``node``; waits for one."""
    give_up = time.monotonic() + 60
    while True:
        begun = sorted((path.name.split() for path in marks.iterdir()), key=lambda mark: mark[2])
        there = [number for number, where, _ in begun if where == node]
        if there:
            return there[-1]
        assert time.monotonic() < give_up, "nothing was begun on the second node"
        time.sleep(0.05)


def _writer(path: Path) -> SuiteWriter:
    return SuiteWriter.open(path, name="engines", request=REQUEST.record())


def test_a_cluster_that_does_not_answer_is_one_line() -> None:
    with pytest.raises(EnvironmentFaultError, match="no Ray cluster answers at localhost:1:"):
        RayEngine("localhost:1").__enter__()


def test_without_ray_the_command_that_installs_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(EnvironmentFaultError, match=r"requirements/scale\.txt"):
        RayEngine().__enter__()
