"""Progress of a session through a suite: the next scene, its check, capture and outcome.

Everything that must survive a crash is in files: captures, outcomes and the operator's progress.
The last check is not stored, because objects may have moved since.
"""

import fcntl
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, TextIO

from pactwin.hardware import FrameSet, Rig
from pactwin.real.captures import (
    capture_folder,
    captured_scenes,
    read_outcome,
    write_capture,
    write_outcome,
)
from pactwin.real.raw_streams import raw_path, write_mcap
from pactwin.real.table_check import TableCheck, check_table
from pactwin.sim import Layout
from pactwin.suite import (
    SESSION_FOLDER,
    InvalidInputError,
    OpaqueId,
    Outcome,
    Record,
    Scene,
    Suite,
    SuiteError,
    first_fault,
    parse_json,
    read_untrusted,
    write_file,
)

_STATE_FILE, _LOCK_FILE = "state.json", "lock"
_MAX_BYTES = 2**16


class SessionState(Record):
    """The operator's progress, in a copy of the suite with ``suite_hash``."""

    schema_version: Literal[1] = 1
    suite_hash: str
    current: OpaqueId


class Session:
    """One operator's session with a suite; its captures go to ``folder``. Use as context manager.

    ``layout_of`` returns the layout of a scene. ``grab`` takes pictures from now on; ``raw``
    optionally returns streams to store as MCAP with each capture. ``current`` is the id of the
    scene to set up, ``layout`` its objects' poses, ``found`` the result of the last check, None
    before it; ``doing`` describes the current activity.
    """

    def __init__(
        self,
        suite: Suite,
        rig: Rig,
        folder: Path,
        layout_of: Callable[[Scene], Layout],
        grab: Callable[[], FrameSet],
        raw: Callable[[], Iterable[FrameSet]] | None = None,
        scenes: Sequence[str] | None = None,
    ) -> None:
        """Go on where the session in ``folder`` was, or begin; ``scenes`` in that order, or all.

        Raises InvalidInputError if no scene is left, the rig is not calibrated, the session in
        ``folder`` is of another suite, or another process is at it; SuiteError if its state is
        damaged.
        """
        for camera in rig.cameras:
            rig.calibrated(camera.name)
        self.suite, self.rig, self.folder = suite, rig, folder
        self._layout_of, self._grab, self._raw = layout_of, grab, raw
        twins = list(suite.pairs())
        self.numbers = suite.numbers()
        self._twin_of = {a.id: b.id for pair in twins for a, b in (pair, pair[::-1])}
        every = [scene.id for pair in twins for scene in pair]
        self.scenes = tuple(every if scenes is None else scenes)
        if not self.scenes:
            raise InvalidInputError(
                f"{suite.path}: no scene can be asked about through this rig's cameras: move them "
                "nearer, or where they see into things, and calibrate again"
            )
        self.doing = ""
        self.found: TableCheck | None = None
        self._acting = threading.Lock()
        self._lock = _locked(folder / SESSION_FOLDER / _LOCK_FILE)
        self._show(self._read_state())

    @property
    def number(self) -> int:
        """The current scene's number in the suite."""
        return self.numbers[self.current]

    def captured(self) -> set[str]:
        """Scenes that have been captured."""
        return set(captured_scenes(self.folder))

    def outcome(self) -> Outcome | None:
        """The outcome recorded for the current scene."""
        where = captured_scenes(self.folder).get(self.current)
        return None if where is None else read_outcome(where)

    def check(self, scene_id: str) -> bool:
        """Check the table; True if everything is as planned."""
        with self.at(scene_id, "checking"):
            self.found = self._checked(self._grab())
            return self.found.ok

    def capture(
        self, scene_id: str, notes: str, *, anyway: bool = False, again: bool = False
    ) -> bool:
        """Check and store; returns whether it was stored. ``anyway`` stores despite faults.

        Earlier captures remain; ``again`` stores another, which counts from then on. Raises
        InvalidInputError if ``again`` is required but not given, or ``anyway`` lacks notes; OSError
        that names the file if the disk fails: then nothing remains of the capture.
        """
        with self.at(scene_id, "capturing"):
            out = capture_folder(self.folder, scene_id, again=again)
            if anyway and not notes.strip():
                raise InvalidInputError("say in the notes why it is captured as it is")
            frame_set = self._grab()
            frame_set.check_robot(self.rig)
            self.found = self._checked(frame_set)
            if not self.found.ok and not anyway:
                return False
            if self._raw is not None:
                write_mcap(raw_path(self.folder, out.name), self.rig, self._raw())
            write_capture(
                self.folder,
                scene_id,
                self.suite.info.content_hash,
                self.rig,
                frame_set,
                self.found,
                notes,
                again=again,
            )
            return True

    def note(self, scene_id: str, outcome: Outcome) -> None:
        """Record the outcome of the executed action; raises the errors of write_outcome."""
        with self.at(scene_id, "noting"):
            write_outcome(self.folder, scene_id, outcome)

    def next(self, scene_id: str) -> bool:
        """Go to the next scene without a capture, cyclically; returns whether there is one."""
        with self.at(scene_id, "going on"):
            done = self.captured()
            k = self.scenes.index(scene_id)
            for name in (*self.scenes[k + 1 :], *self.scenes[:k]):
                if name not in done:
                    self._go(name)
                    return True
            return False

    def go(self, scene_id: str, to: str) -> None:
        """Go to the scene ``to``; InvalidInputError for an unknown id."""
        with self.at(scene_id, "going on"):
            if to not in self.scenes:
                raise InvalidInputError(f"no scene {to!r} in {self.suite.path}")
            self._go(to)

    def close(self) -> None:
        """Release the folder for other processes."""
        self._lock.close()

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @contextmanager
    def at(self, scene_id: str, doing: str) -> Iterator[None]:
        """Lock the session for one action, and require that it concerns the client's scene."""
        if not self._acting.acquire(blocking=False):
            raise InvalidInputError(f"wait: {self.doing}")
        try:
            self.doing = doing
            if scene_id != self.current:
                raise InvalidInputError(f"the session is at scene {self.number} by now")
            yield
        finally:
            self.doing = ""
            self._acting.release()

    def _checked(self, frame_set: FrameSet) -> TableCheck:
        twin = self._layout_of(self.suite.scene(self._twin_of[self.current]))
        return check_table(self.layout, twin, self.rig, frame_set.frames)

    def _go(self, scene_id: str) -> None:
        state = SessionState(suite_hash=self.suite.info.content_hash, current=scene_id)
        write_file(self._state_path, state.model_dump_json(indent=1) + "\n")
        self._show(scene_id)

    def _show(self, scene_id: str) -> None:
        self.scene = self.suite.scene(scene_id)
        self.layout = self._layout_of(self.scene)
        self.current, self.found = scene_id, None

    @property
    def _state_path(self) -> Path:
        return self.folder / SESSION_FOLDER / _STATE_FILE

    def _read_state(self) -> str:
        path, done = self._state_path, self.captured()
        first = next((name for name in self.scenes if name not in done), self.scenes[0])
        try:
            state = SessionState.model_validate(parse_json(read_untrusted(path, _MAX_BYTES)))
        except FileNotFoundError:
            return first
        except ValueError as error:
            raise SuiteError(f"{path}: {first_fault(error)}") from error
        if state.suite_hash != self.suite.info.content_hash or state.current not in self._twin_of:
            raise InvalidInputError(
                f"{self.folder} has a session with another suite: name another folder with --out"
            )
        return state.current if state.current in self.scenes else first  # it may be left out by now


def _locked(path: Path) -> TextIO:
    """The file at ``path``, held as long as it is open and this process lives."""
    path.parent.mkdir(parents=True, exist_ok=True)
    file = path.open("w")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        file.close()
        raise InvalidInputError(f"another session is open in {path.parent.parent}") from error
    return file
