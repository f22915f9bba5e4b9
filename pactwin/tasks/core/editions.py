"""Default suite of a task: that of the newest edition, made on first use.

A separate process makes it by the command line, because tasks may not import the simulator.
"""

import logging
import os
import subprocess
import sys
import time
from pathlib import Path

from pactwin.suite import (
    INFO_FILE,
    EnvironmentFaultError,
    InvalidInputError,
    edition_folder,
    edition_suite,
    held,
    load_editions,
    read_info,
)

_MAKE = (sys.executable, "-c", "from pactwin.cli import main; main()", "make")
_MAX_WORKERS = 4
_POLL_S = 1.0
_log = logging.getLogger(__name__)


def suite_or_edition(suite: str | None, command: str) -> str:
    """``suite``, or the folder of the newest edition's suite of ``make COMMAND``.

    It is made in the user's cache, with progress on stderr; an unfinished one is resumed, and a
    second process waits. A suite that differs from the edition's is used with a warning: its
    content hash is in the log. Raises InvalidInputError if no edition has such a suite,
    EnvironmentFaultError if it cannot be made.
    """
    if suite is not None:
        return suite
    name = list(load_editions())[-1]
    if command not in load_editions()[name]:
        raise InvalidInputError(
            f"no suite is named, and edition {name} has none for these questions: -T suite=FOLDER"
        )
    fixed = edition_suite(name, command)
    folder = edition_folder(fixed.content_hash)
    with held(folder.parent, "making the edition", wait=_waiting):
        if not (folder / INFO_FILE).is_file():
            _make(name, command, folder)
    if why := fixed.difference(read_info(folder), name):
        _log.warning("%s is %s. Compare scores on this machine only.", folder, why)
    return str(folder)


def _make(name: str, command: str, folder: Path) -> None:
    size = ", ".join(f"{n:,} {what}" for what, n in edition_suite(name, command).counts.items())
    sys.stderr.write(f"pactwin: making edition {name} ({size}) in {folder}, once\n")
    workers = str(min(_MAX_WORKERS, os.cpu_count() or 1))
    options = ("--edition", name, "--out", str(folder), "--workers", workers)
    ended = subprocess.run([*_MAKE, command, *options], stdout=subprocess.DEVNULL, check=False)
    if not (folder / INFO_FILE).is_file():
        raise EnvironmentFaultError(
            f"edition {name} was not made in {folder}: exit code {ended.returncode}, see above; "
            "the same again goes on"
        )


def _waiting(began: bool) -> None:
    if began:
        sys.stderr.write("pactwin: another process is making the edition: waiting for it\n")
    time.sleep(_POLL_S)
