"""The folder an export goes into."""

from pathlib import Path

from pactwin.suite.errors import InvalidInputError


def new_folder(out: Path) -> None:
    """Make ``out``; InvalidInputError if it holds something."""
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InvalidInputError(f"{out} is not empty: give a new folder")
    out.mkdir(parents=True, exist_ok=True)
