"""Editions of tests: a file of their own in place of the project's."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pactwin.suite import Suite, load_editions, scene_digest

NAME = "1999-01"


def pinned(suite: Suite, **changes: Any) -> dict[str, Any]:
    """What an edition's file has of a suite, but for ``changes``."""
    info, scenes = suite.info, list(suite.scenes())
    return {
        "request": info.request,
        "trial_version": scenes[0].verdict.trial_version if scenes[0].verdict else None,
        "made_by": info.made_by,
        "packages": info.packages,
        "gl_renderer": info.gl_renderer,
        "counts": {"scenes": len(scenes)},
        "content_hash": info.content_hash,
        "scenes": sorted({scene_digest(scene) for scene in scenes}),
        **changes,
    }


@contextmanager
def planted(file: Path, **suites: Any) -> Iterator[None]:
    """One edition, with these suites by their make command, in ``file``."""
    file.write_text(json.dumps({NAME: suites}))  # JSON is YAML
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pactwin.suite.editions.EDITIONS_FILE", file)
        load_editions.cache_clear()
        yield
    load_editions.cache_clear()
