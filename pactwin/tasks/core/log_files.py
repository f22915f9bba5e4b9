"""Open Inspect's log files safely: they may be damaged, truncated or malicious."""

import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile, ZipFile, is_zipfile

from pydantic import ValidationError
from zstandard import ZstdError

from pactwin.suite import (
    MAX_JSON_BYTES,
    InvalidInputError,
    first_fault,
    parse_json,
    read_untrusted,
)

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSampleSummary

SEQUENCE = "sequence"
"""Key of the time (ms since epoch) that orders logs: in a folder it increases, unlike clocks."""
# Text packs well, but not so well; a sample may hold a few pictures.
_MAX_ALWAYS, _MAX_TIMES = 2**29, 100
_HEADS, _MAX_HEAD = {"header.json", "_journal/start.json"}, 2**24
_BROKEN = (
    ValueError,
    BadZipFile,
    KeyError,
    EOFError,
    NotImplementedError,
    RuntimeError,
    zlib.error,
    ZstdError,
)


def logs_in(paths: Iterable[Path], others: Sequence[str] = ()) -> list[Path]:
    """Log files in ``paths`` (files or folders); InvalidInputError for an empty folder."""
    logs: list[Path] = []
    for path in paths:
        names = ("*.eval", *others)
        found = sorted(f for n in names for f in path.rglob(n)) if path.is_dir() else [path]
        if not found:
            raise InvalidInputError(f"{path} holds no Inspect log (*.eval)")
        logs.extend(log for log in found if log not in logs)
    return logs


@contextmanager
def opened(path: Path) -> Iterator["EvalLog"]:
    """The header of the log at ``path``, without samples.

    Raises InvalidInputError for a file that is no Inspect log, and for damaged samples found inside
    the block.
    """
    from inspect_ai.log import read_eval_log

    if not path.is_file():
        raise InvalidInputError(f"{path} is not an Inspect log: there is no such file")
    try:
        check_size(path)
        yield read_eval_log(str(path), header_only=True)
    except ValidationError as error:
        raise InvalidInputError(
            f"{path} is not a readable Inspect log: {error.title}: {first_fault(error)}"
        ) from error
    except _BROKEN as error:
        first_line = (str(error).splitlines() or [type(error).__name__])[0]
        raise InvalidInputError(f"{path} is not a readable Inspect log: {first_line}") from error


def read_header(path: Path) -> "EvalLog":
    """The log at ``path`` without samples; InvalidInputError if it cannot be read."""
    with opened(path) as header:
        return header


def sequence_of(log: "EvalLog") -> int:
    """When the log was begun, for ordering (ms since epoch), of logs without ``SEQUENCE`` too."""
    number = (log.eval.metadata or {}).get(SEQUENCE)
    if isinstance(number, int):
        return number
    return round(1000 * datetime.fromisoformat(log.eval.created).timestamp())


def read_summaries(path: Path) -> list["EvalSampleSummary"]:
    """Read summaries of the samples in the log at ``path``; InvalidInputError if unreadable."""
    from inspect_ai.log import read_eval_log_sample_summaries

    with opened(path):
        return read_eval_log_sample_summaries(str(path))


def zipped_samples(path: Path) -> Iterator[tuple[str, Any]]:
    """All samples in the archive at ``path``, whatever its header lists: file name and JSON.

    If a name occurs several times, because a sample was logged again, only the last one is read.
    Call it inside :func:`opened`.
    """
    with ZipFile(path) as archive:
        for name in dict.fromkeys(archive.namelist()):
            if name.startswith("samples/"):
                yield name, parse_json(archive.read(name))


def check_size(path: Path) -> None:
    """Raise InvalidInputError for a log whose size, packed or unpacked, is implausible.

    JSON logs are also refused if nested too deeply: Inspect's reader takes 100 kB per level.
    """
    if not is_zipfile(path):
        try:
            parse_json(read_untrusted(path, MAX_JSON_BYTES), allow_nan=True)
        except OSError as error:
            raise InvalidInputError(f"{path} cannot be read: {error.strerror}") from error
        return
    with ZipFile(path) as archive:
        sizes = [entry.file_size for entry in archive.infolist()]
        heads = [e.file_size for e in archive.infolist() if e.filename in _HEADS]
    if max(heads, default=0) > _MAX_HEAD:
        raise InvalidInputError(f"{path} says {max(heads):,} bytes of itself: no log does")
    limit = _MAX_ALWAYS + _MAX_TIMES * path.stat().st_size
    if sum(sizes) > limit or max(sizes, default=0) > _MAX_ALWAYS:
        raise InvalidInputError(f"{path} would unpack to {sum(sizes):,} bytes: no log does")
