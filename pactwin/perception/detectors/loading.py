"""Load torch and pinned weights without running code contained in the weights."""

from pathlib import Path
from types import ModuleType
from typing import Any

from pactwin.suite import EnvironmentFaultError, InvalidInputError, install_command, one_line

HOW = (
    "give a folder that holds them with --weights PATH, or the name of a repository on the hub "
    "with --weights OWNER/NAME --revision COMMIT where the network allows"
)


def torch_module() -> ModuleType:
    """The package torch; EnvironmentFaultError if it is not installed."""
    try:
        import torch
    except ImportError as error:
        raise EnvironmentFaultError(
            f"detectors need torch: {install_command('perception')} ({error})"
        ) from error
    return torch


def device() -> str:
    """Device that models run on: the GPU if there is one."""
    return "cuda" if torch_module().cuda.is_available() else "cpu"


def pretrained(loader: Any, weights: str, revision: str | None, **options: Any) -> Any:
    """Load with ``loader.from_pretrained`` from a folder or the hub; safetensors only.

    No code of the repository runs. Raises InvalidInputError for a hub name without a commit,
    EnvironmentFaultError if weights are missing or the network is.
    """
    local = Path(weights).is_dir()
    if not local and (not revision or len(revision) < 7):
        raise InvalidInputError(
            f"weights {weights!r}: no such folder; a name on the hub needs --revision, a commit, "
            "so that results can be repeated"
        )
    try:
        return loader.from_pretrained(
            weights,
            revision=None if local else revision,
            local_files_only=local,
            trust_remote_code=False,
            **options,
        )
    except (OSError, ValueError, RuntimeError) as error:
        raise EnvironmentFaultError(
            f"cannot load weights {weights!r} ({one_line(str(error))[:160]}): {HOW}"
        ) from error


def checkpoint(path: Path) -> dict[str, Any]:
    """A .pth checkpoint's tensors; EnvironmentFaultError if missing or if it holds code."""
    import pickle

    torch = torch_module()
    try:
        loaded = torch.load(path, map_location="cpu", weights_only=True)
    except FileNotFoundError as error:
        raise EnvironmentFaultError(f"no weights at {path}: {HOW}") from error
    except (pickle.UnpicklingError, RuntimeError, OSError, EOFError) as error:
        raise EnvironmentFaultError(
            f"{path} is no checkpoint of tensors alone: {one_line(str(error))[:160]}"
        ) from error
    if not isinstance(loaded, dict):
        raise EnvironmentFaultError(f"{path} is no checkpoint: it holds {type(loaded).__name__}")
    return loaded.get("model", loaded)
