"""A session at a table that is measured, not rendered: a bench in this process."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from measured import Measured

from pactwin.hardware import FrameSet, JointState, Rig
from pactwin.real.session.guide import Session
from pactwin.real.session.live import LiveBench
from pactwin.sim import Item, Layout
from pactwin.sim.objects.blocks import block
from pactwin.sim.scene.pose import Pose
from pactwin.suite import EnvironmentFaultError, Scene, Suite


def three_things() -> Layout:
    things = (
        named(block("red", (0.05, 0.06, 0.10), "plastic"), "red block", 0.12),
        named(block("green", (0.05, 0.06, 0.10), "plastic"), "blue box", -0.12),
        named(block("yellow", (0.05, 0.14, 0.04), "wood"), "plank", 0.0),
    )
    return Layout(things, "put the red block on the plank", ("red block",))


def named(item: Item, name: str, y_m: float) -> Item:
    return replace(item, name=name, world_from_object=Pose((0.3, y_m, item.size_m[2] / 2)))


@dataclass
class TableBench:
    """What stands on the table is ``items``; with a ``fault`` no device works."""

    measured: Measured
    items: list[Item]
    fault: str = ""
    opened: int = 0
    _kept: dict = field(default_factory=dict)

    @contextmanager
    def open(self) -> Iterator["TableBench"]:
        self.opened += 1
        self._check()
        yield self

    def grab(self, *, thorough: bool = False) -> FrameSet:
        self._check()
        key = tuple(item.world_from_object for item in self.items)
        if key not in self._kept:
            self._kept[key] = self.measured.frames(self.items)
        now = time.time_ns()
        frames = {n: replace(f, captured_at_ns=now) for n, f in self._kept[key].items()}
        return FrameSet(frames, JointState({"waist_yaw_joint": 0.0}, now, 0, 5), 3.0, 2.0)

    def _check(self) -> None:
        if self.fault:
            raise EnvironmentFaultError(self.fault)


@dataclass(frozen=True)
class Table:
    """A fake suite, whose scenes all have :func:`three_things`, and the bench."""

    suite: Suite
    layouts: dict[str, Layout]
    bench: TableBench
    folder: Path

    @property
    def rig(self) -> Rig:
        return self.bench.measured.rig

    def session(self, grab: Callable[[], FrameSet] | None = None) -> Session:
        return Session(self.suite, self.rig, self.folder, self.layout_of, grab or self.bench.grab)

    def layout_of(self, scene: Scene) -> Layout:
        return self.layouts.get(scene.id) or three_things()

    def live(self) -> LiveBench:
        return LiveBench(self.bench.open)


def set_table(suite: Path, folder: Path, measured: Measured) -> Table:
    bench = TableBench(measured, list(three_things().items))
    return Table(Suite.open(suite), {}, bench, folder)
