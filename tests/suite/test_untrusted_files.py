"""Files that are no files, too large or too full: refused on one line, in little memory."""

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import pytest
from fakes import make_fake_suite
from own_robot import write_robot

from pactwin.suite import untrusted as limits

pytestmark = pytest.mark.slow

GIB = 2**30
MEMORY_BYTES = 3 * GIB
SECONDS = 60

READERS = {
    "suite": "from pactwin.suite import Suite; Suite.open({path}.parent).records()",
    "export": (
        "from pactwin.suite import Suite; from pactwin.tasks import read_exports;"
        "read_exports(Suite.open({suite}), [{path}])"
    ),
    "mapping": (
        "from pactwin.sim.robots.custom import load_robot_model;load_robot_model({robot}, {path})"
    ),
    "robot": (
        "from pactwin.sim.robots.custom import load_robot_model;load_robot_model({path}, {mapping})"
    ),
    "prices": "from pactwin.tasks.running.prices import load_prices; load_prices({path})",
    "prompts": "from pactwin.solvers import load_prompts; load_prompts({path})",
    "people": (
        "from pactwin.solvers.person_answers import read_person_answers;read_person_answers({path})"
    ),
    "log": "from pactwin.tasks import read_rows; read_rows([{path}])",
    "published": "from pactwin.compare.published import read_published; read_published({path})",
    "pacbench": (
        "from pactwin.tasks.published.pacbench.tables import read_table;"
        "from pactwin.tasks.published.issues import IssueLog;"
        "read_table({path}, 'x.csv', ['a'], IssueLog())"
    ),
}
"""One reader of each kind of file that others write; {path} is the file."""

SCRIPT = """
import resource
from pathlib import Path
from pactwin.suite import PactwinError
resource.setrlimit(resource.RLIMIT_AS, ({memory}, {memory}))
for path in map(Path, {paths}):
    try:
        {call}
    except PactwinError as error:
        print(type(error).exit_code, error)
"""


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """What the readers need besides the file itself."""
    folder = tmp_path_factory.mktemp("honest")
    model, mapping = write_robot(folder / "robot")
    suite = make_fake_suite(folder / "suite", n_pairs=1, cameras=("head",))
    return {"suite": suite, "robot": model, "mapping": mapping}


def read_apart(reader: str, paths: Sequence[Path], honest: dict[str, Path]) -> None:
    """Each file is refused on one line that names it, by a process of little memory."""
    named = {name: f"Path({str(where)!r})" for name, where in honest.items()}
    steps = READERS[reader].format(path="path", **named).split(";")
    script = SCRIPT.format(
        memory=MEMORY_BYTES,
        paths=[str(path) for path in paths],
        call="\n        ".join(step.strip() for step in steps),
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    for path, line in zip(paths, done.stdout.splitlines(), strict=True):
        code, message = line.split(" ", 1)
        assert code in ("2", "3"), line
        assert str(path.parent) in message


def hole(path: Path) -> None:
    path.touch()
    os.truncate(path, 40 * GIB)


def pipe(path: Path) -> None:
    os.mkfifo(path)


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def one_line(path: Path) -> None:
    """A line of JSON that is larger than any reader takes."""
    with path.open("wb") as file:
        file.write(b'{"name": "')
        file.truncate(GIB + GIB // 16)


def nested(path: Path) -> None:
    """Of JSON logs Inspect's reader takes 100 kB for each bracket."""
    path.write_bytes(100_000 * b"[")


def swelling(unit: bytes, path: Path) -> None:
    """8 MiB of these took pydantic's own parser 3 GiB and a minute."""
    path.write_bytes(b'{"name":[' + unit * (24 * 2**20 // len(unit)) + b"0]}")


SWELLING = tuple(
    partial(swelling, unit)
    for unit in (b"{},", b"[],", b"0,", b'"",', 16 * b"[" + 16 * b"]" + b",")
)
OF_JSON: dict[str, tuple[Callable[[Path], None], ...]] = {
    **dict.fromkeys(("suite", "export", "people", "published"), (nested, *SWELLING)),
    **dict.fromkeys(("log", "prices"), (nested,)),
}


@pytest.mark.parametrize("reader", READERS)
def test_what_is_no_file_too_large_or_too_full_is_refused(tmp_path, honest, reader):
    paths: list[Path] = []
    for spoil in (hole, pipe, device, one_line, *OF_JSON.get(reader, ())):
        path = tmp_path / str(len(paths)) / "suite.json"
        path.parent.mkdir()
        spoil(path)
        paths.append(path)
    read_apart(reader, paths, honest)


def test_a_line_may_be_long_but_not_too_long(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    whole = b"x" * (limits.MAX_LINE_BYTES - 1) + b"\n"
    path.write_bytes(b"a\n" + whole)
    assert list(limits.untrusted_lines(path)) == [b"a\n", whole]
    path.write_bytes(b"a\nx" + whole)
    with pytest.raises(OSError, match="line 2 is longer than 4 MiB"):
        list(limits.untrusted_lines(path))


def test_a_file_of_just_the_size_is_read_and_one_byte_more_is_not(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    assert limits.read_untrusted(path, 5) == b"12345"
    with pytest.raises(OSError, match="larger than"):
        limits.read_untrusted(path, 4)
