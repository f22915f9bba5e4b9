"""Progress bars with rate and time left, on stderr."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from pactwin.suite import ProgressCallback


class RateColumn(ProgressColumn):
    """Units per second, or seconds per unit below one per second."""

    def render(self, task: Task) -> Text:
        """The rate, or a dash before the first unit."""
        speed = task.finished_speed or task.speed
        if not speed:
            return Text("-")
        return Text(f"{speed:.1f}/s" if speed >= 1 else f"{1 / speed:.1f} s each")


@contextmanager
def steps() -> Iterator[ProgressCallback]:
    """A callback that shows one progress bar per step."""
    bars = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        RateColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    )
    tasks: dict[str, TaskID] = {}

    def advance(step: str, done: int, total: int) -> None:
        if not tasks:
            bars.start()
        if step not in tasks:
            tasks[step] = bars.add_task(step, total=total)
        bars.update(tasks[step], completed=done, total=total)

    try:
        yield advance
    finally:
        if tasks:  # stopping what shows nothing would print an empty line
            bars.stop()
