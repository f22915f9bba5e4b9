"""Models behind a real server that know what they are shown, and err as planned.

What a model gets wrong in simulation it gets wrong wherever the scene is copied. Beyond that it
errs, by ``gap``, on pictures that a camera took: it does not get over their texture. One whose gap
is 0 ignores texture. Pictures are told apart by their hashes, as a perfect observer would.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from openai_server import OpenAIServer, Reply, openai_server, sent_images

from pactwin.suite import Scene, Suite


@dataclass(frozen=True)
class Planted:
    """Wrong in a share of ``errors`` scenes, and beyond that in ``gap`` of captured ones."""

    errors: float
    gap: float

    @property
    def expected(self) -> float:
        """The gap in right answers, captured minus simulated, over many scenes."""
        return -(1.0 - self.errors) * self.gap

    def right(self, scene: Scene) -> bool:
        """Whether it answers about this scene rightly."""
        original = scene.mirror_of or scene.id
        knows, sees = np.random.default_rng(int(original, 16)).random(2)
        captured = scene.source in ("real", "rehearsal")
        return bool(knows >= self.errors and not (captured and sees < self.gap))


MODELS = {"ignores-texture": Planted(0.2, 0.0), "sees-texture": Planted(0.1, 0.3)}


@contextmanager
def planted_models(suites: Sequence[Path]) -> Iterator[OpenAIServer]:
    """Serve MODELS as ``openai-api/planted/NAME`` to Inspect in this process and those it starts.

    They are asked yes/no questions about scenes of ``suites``.
    """
    known: Mapping[str, Scene] = {
        hashlib.sha256(suite.resolve(view.image).read_bytes()).hexdigest(): scene
        for suite in map(Suite.open, suites)
        for scene in suite.scenes()
        for view in scene.views
    }

    def answer(body: dict[str, Any]) -> Reply:
        (scene,) = {
            known[digest].id: known[digest]
            for digest in (hashlib.sha256(image).hexdigest() for image in sent_images(body))
        }.values()
        name = body["model"].rpartition("/")[2]
        yes = scene.decided.feasible == MODELS[name].right(scene)
        return Reply("Yes." if yes else "No.")

    with openai_server(answer) as server, pytest.MonkeyPatch.context() as patch:
        patch.setenv("PLANTED_BASE_URL", server.base_url)
        patch.setenv("PLANTED_API_KEY", "none")
        yield server


PLANTED = tuple(f"openai-api/planted/{name}" for name in MODELS)
