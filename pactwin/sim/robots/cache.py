"""The user's cache folder for files derived from large robot models."""

from hashlib import sha256
from pathlib import Path

import numpy as np

from pactwin.suite import EnvironmentFaultError, write_file


def cache_folder() -> Path:
    """pactwin's cache folder; raises EnvironmentFaultError if it cannot be created."""
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


def msh(vertices: np.ndarray, faces: np.ndarray) -> bytes:
    """Encode MuJoCo's binary mesh format: numbers of vertices, normals, texture points, faces;
    data."""
    header = np.array([len(vertices), 0, 0, len(faces)], "<i4")
    return header.tobytes() + vertices.astype("<f4").tobytes() + faces.astype("<i4").tobytes()


def hull_file(vertices: np.ndarray) -> Path:
    """A mesh file of vertices (n, 3) only, named by its hash and written once."""
    mesh = msh(vertices, np.empty((0, 3)))
    path = cache_folder() / f"hull-{sha256(mesh).hexdigest()[:24]}.msh"
    if not path.exists():
        write_cached(path, mesh)
    return path


def _no_cache(folder: Path, error: OSError) -> EnvironmentFaultError:
    return EnvironmentFaultError(
        f"cannot write the cache folder {folder} ({error.strerror}): "
        "set XDG_CACHE_HOME to a folder that can be written"
    )
