"""Observers behind a real server whose probabilities are planted.

An observer says of a scene in one camera how likely it is that the action can be done. It answers
yes above one half, and tells the number and the log probabilities of the answer's token.
"""

import hashlib
import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from openai_server import OpenAIServer, Reply, openai_server, sent_images

from pactwin.suite import Scene, load_suite

Observer = Callable[[Scene, str], float]
"""The probability that an observer says of a scene in the picture of a camera."""
SEPARATION = 1.5
"""d' of the evidence that observers see."""


def evidence(scene: Scene, camera: str) -> float:
    """The log odds of the scene's truth given what is seen in the picture."""
    key = hashlib.sha256(f"{scene.id} {camera}".encode()).digest()
    noise = np.random.default_rng(int.from_bytes(key[:8], "big")).standard_normal()
    side = 0.5 if scene.decided.feasible else -0.5
    return SEPARATION * (noise + SEPARATION * side)


def says(factor: float) -> Observer:
    """Log odds ``factor`` times the true ones: 1 is calibrated, 3 overconfident."""
    return lambda scene, camera: float(1 / (1 + math.exp(-factor * evidence(scene, camera))))


def of_pair(scene: Scene, camera: str) -> float:
    """A probability that is the same for both twins: it ignores the picture."""
    pair = min(scene.id, scene.twin_id or scene.id)
    return int(pair[:6], 16) % 100 / 100


FACTORS = {"calibrated": 1.0, "overconfident": 3.0, "underconfident": 0.5}


def mostly(side: Callable[[Scene, str], bool]) -> Observer:
    """A probability on one side of one half, which one picture in five turns round."""

    def observer(scene: Scene, camera: str) -> float:
        drawn = hashlib.sha256(f"{camera} {scene.id}".encode()).digest()[0] < 256 / 5
        return 0.9 if side(scene, camera) != drawn else 0.1

    return observer


OBSERVERS: Mapping[str, Observer] = {
    **{name: says(factor) for name, factor in FACTORS.items()},
    "half": lambda scene, camera: 0.5,
    "by-pair": of_pair,
    "by-camera": mostly(lambda scene, camera: camera in ("front", "head")),
    "by-evidence": mostly(lambda scene, camera: scene.decided.feasible),
}
MODELS = {name: f"openai-api/local/{name}" for name in OBSERVERS}


@contextmanager
def observers(
    suite: Path, unsure_within: float = 0.0, token_factor: float = 1.0
) -> Iterator[OpenAIServer]:
    """Serve OBSERVERS as ``openai-api/local/NAME``, asked about scenes of ``suite``.

    They are unsure where they are within ``unsure_within`` of one half. The log odds of the
    answer's token are those of what they say times ``token_factor``.
    """
    loaded = load_suite(suite)
    seen = {
        loaded.suite.info.files[view.image]: (scene, view.camera.name)
        for scene in loaded.scenes.values()
        for view in scene.views
    }

    def answer(body: dict[str, Any]) -> Reply:
        (image,) = sent_images(body)
        scene, camera = seen[hashlib.sha256(image).hexdigest()]
        p = OBSERVERS[body["model"].rpartition("/")[2]](scene, camera)
        word = "unsure" if abs(p - 0.5) < unsure_within else "yes" if p > 0.5 else "no"
        odds = min(max(p, 1e-6), 1 - 1e-6)
        token = 1 / (1 + (1 / odds - 1) ** token_factor)
        wants = bool(body.get("logprobs"))
        return Reply(
            f"Answer: {word}\nProbability: {100 * p:.1f}%",
            logprobs=token_values(word, token) if wants else None,
        )

    with openai_server(answer) as server:
        yield server


def token_values(word: str, yes: float) -> dict[str, Any]:
    """Log probabilities of a reply "Answer: WORD": 2 % are neither yes nor no."""
    masses = {" yes": 0.6 * yes, " Yes": 0.4 * yes, " no": 1 - yes, " it": 0.02}
    top = [
        {"token": token, "logprob": math.log(max(0.98 * mass, 1e-9)), "bytes": None}
        for token, mass in masses.items()
    ]
    plain: list[dict[str, Any]] = [
        {"token": token, "logprob": -0.01, "bytes": None, "top_logprobs": []}
        for token in ("Answer", ":")
    ]
    said = {"token": f" {word}", "logprob": math.log(0.98 * max(yes, 1 - yes)), "bytes": None}
    if word in ("yes", "no"):
        said["logprob"] = next(one["logprob"] for one in top if one["token"] == f" {word}")
    return {"content": [*plain, {**said, "top_logprobs": top}]}
