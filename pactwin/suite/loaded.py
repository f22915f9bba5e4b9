"""A suite's records in memory, read once per process."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from pactwin.suite.questions import Question
from pactwin.suite.reader import INFO_FILE, QUESTIONS_FILE, SCENES_FILE, Suite
from pactwin.suite.records import Scene


@dataclass(frozen=True)
class LoadedSuite:
    """An open suite with all its scenes and questions by id, in file order."""

    suite: Suite
    scenes: dict[str, Scene]
    questions: dict[str, Question]


def load_suite(path: Path | str) -> LoadedSuite:
    """The suite at ``path``; read again only if one of its files has changed.

    Raises the errors of :meth:`Suite.open` and :meth:`Suite.records`.
    """
    return _load(Path(path).absolute(), _state(Path(path)))


@lru_cache(maxsize=4)
def _load(path: Path, state: tuple[tuple[int, int], ...]) -> LoadedSuite:
    suite = Suite.open(path)
    return LoadedSuite(suite, *suite.records())


def _state(path: Path) -> tuple[tuple[int, int], ...]:
    """Modification times and sizes of the record files; empty if one is missing."""
    try:
        stats = [(path / name).stat() for name in (INFO_FILE, SCENES_FILE, QUESTIONS_FILE)]
    except OSError:
        return ()
    return tuple((stat.st_mtime_ns, stat.st_size) for stat in stats)
