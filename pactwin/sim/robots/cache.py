"""The user's cache folder, in which what was made of large robot models is kept."""

from pathlib import Path

from pactwin.suite import EnvironmentFaultError, write_file


def cache_folder() -> Path:
    """This project's cache folder; raises EnvironmentFaultError if it cannot be made."""
    import platformdirs

    folder = Path(platformdirs.user_cache_dir("pactwin"))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _no_cache(folder, error) from error
    return folder


def write_cached(path: Path, content: bytes) -> None:
    """Write a file of the cache folder; raises EnvironmentFaultError if it cannot be written."""
    try:
        write_file(path, content)
    except OSError as error:
        raise _no_cache(path.parent, error) from error


def _no_cache(folder: Path, error: OSError) -> EnvironmentFaultError:
    return EnvironmentFaultError(
        f"cannot write the cache folder {folder} ({error.strerror}): "
        "set XDG_CACHE_HOME to a folder that can be written"
    )
