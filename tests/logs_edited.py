"""Inspect logs as somebody edits them who wants to score better."""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path

Change = Callable[[dict], dict | None]


def rename(**facts: str) -> Callable[[dict], dict]:
    """Change what a header says of its run."""
    return lambda header: header | {"eval": header["eval"] | facts}


def rewrite_all(log: Path, out: Path, old: str, new: str) -> Path:
    """The log with one text in place of another everywhere, under the same names of files."""
    with zipfile.ZipFile(log) as archive, zipfile.ZipFile(out, "w") as changed:
        for name in archive.namelist():
            text = archive.read(name)
            changed.writestr(name, text.replace(old.encode(), new.encode()))
    return out


def rewrite(log: Path, out: Path, change: Change, *names: str) -> Path:
    """The log with its entries ``names`` changed, or its first sample, which may be left out."""
    with zipfile.ZipFile(log) as old, zipfile.ZipFile(out, "w") as new:
        first = next(name for name in old.namelist() if name.startswith("samples/"))
        for name in old.namelist():
            data: dict | None = json.loads(old.read(name))
            if name in (names or (first,)):
                assert isinstance(data, dict)
                data = change(data)
            if data is not None:
                new.writestr(name, json.dumps(data))
    return out


def say_yes(sample: dict) -> dict:
    sample["output"]["choices"][0]["message"]["content"] = "Answer: yes"
    return sample
