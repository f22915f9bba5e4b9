"""A made-up suite of ladders, and observers whose bias and noise are known."""

import base64
import hashlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from fakes import DOMAINS, fake_pairs, open_fake_writer
from openai_server import Reply
from scipy.stats import norm

from pactwin.suite import LadderStep, Question, Scene, Verdict, load_suite, opaque_id

STEPS = 10
HALF_STEP_MM = 1.0
BAND_MM = 1.5
"""Steps nearer to the limit than this have no verdict."""


def make_ladder_suite(path: Path, ladders: int, cameras: Sequence[str] = ("head",)) -> Path:
    """Ladders of ten steps of 2 mm, from -9 to 9 mm, of two quantities in turn."""
    with open_fake_writer(path, n_pairs=ladders) as writer:
        for ladder in range(ladders):
            pairs = list(fake_pairs(STEPS // 2, ladder, DOMAINS[:1], cameras))
            scenes = [scene for pair in pairs for scene in pair.scenes]
            verdicts = {scene.decided.feasible: scene.decided for scene in scenes}
            writer.add(
                [_step(scene, ladder, place, verdicts) for place, scene in enumerate(scenes)],
                {name: data for pair in pairs for name, data in pair.files.items()},
                {},
            )
        writer.finish(lambda scenes: [_question(scene) for scene in scenes])
    return path


def _step(scene: Scene, ladder: int, place: int, verdicts: Mapping[bool, Verdict]) -> Scene:
    x = HALF_STEP_MM * (2 * place - STEPS + 1)
    quantity = ("clearance", "overhang")[ladder % 2]
    told = LadderStep(ladder=opaque_id(f"ladder {ladder}"), quantity=quantity, x=x, unit="mm")
    return scene.model_copy(
        update={
            "domain": quantity,
            "twin_id": None,
            "step": told,
            "verdict": None if abs(x) < BAND_MM else verdicts[x > 0],
        }
    )


def _question(scene: Scene) -> Question:
    verdict = scene.verdict
    return Question(
        id=opaque_id(f"{scene.id}:ladder"),
        scene_id=scene.id,
        kind="ladder",
        form="yes_no",
        text="Place the red block in the blue box.\nCan it be done?",
        truth="undecided" if verdict is None else "yes" if verdict.feasible else "no",
        rationale="",
        objects=("red block",),
        views=tuple(view.camera.name for view in scene.views),
        topic=scene.domain,
    )


def observer(
    suite: Path, bias: float, noise: float, lapse: float = 0.0, seed: int = 0
) -> Callable[[dict[str, Any]], Reply]:
    """Answers of a served model that sees x in the picture, with noise and lapses."""
    loaded = load_suite(suite)
    x_of = {
        loaded.suite.info.files[view.image]: scene.step.x
        for scene in loaded.scenes.values()
        if scene.step is not None
        for view in scene.views
    }
    rng = np.random.default_rng(seed)

    def answer(body: dict[str, Any]) -> Reply:
        (uri,) = (
            part["image_url"]["url"]
            for part in body["messages"][-1]["content"]
            if part["type"] == "image_url"
        )
        shown = hashlib.sha256(base64.b64decode(uri.partition(",")[2])).hexdigest()
        yes = lapse + (1 - 2 * lapse) * norm.cdf((x_of[shown] - bias) / noise)
        return Reply("Yes, it fits." if rng.random() < yes else "No, it does not fit.")

    return answer
