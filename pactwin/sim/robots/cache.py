"""The user's cache folder, in which what was made of large robot models is kept."""

import os
import tempfile
from pathlib import Path

from pactwin.suite import EnvironmentFaultError


def cache_folder() -> Path:
    """This project's cache folder; raises EnvironmentFaultError if it cannot be made."""
    import platformdirs

    folder = Path(platformdirs.user_cache_dir("pactwin"))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _no_cache(folder, error) from error
    return folder


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file so that no reader ever sees a part of it, whoever else writes it too.

    Raises EnvironmentFaultError if the folder cannot be written.
    """
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(name).replace(path)
    except OSError as error:
        raise _no_cache(path.parent, error) from error


def _no_cache(folder: Path, error: OSError) -> EnvironmentFaultError:
    return EnvironmentFaultError(
        f"cannot write the cache folder {folder} ({error.strerror}): "
        "set XDG_CACHE_HOME to a folder that can be written"
    )
