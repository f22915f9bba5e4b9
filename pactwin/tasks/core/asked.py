"""Hash of what a sample shows a model: the text, the ordered options, the pictures."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict

from pactwin.suite import Question, Scene, Suite
from pactwin.tasks.core.views import cameras_of


class _Part(BaseModel):
    """The keys of a question that are shown; those of later versions are ignored."""

    model_config = ConfigDict(extra="ignore", from_attributes=True)


class _Candidate(_Part):
    name: str
    description: str = ""
    parts: dict[str, str] = {}


class _Shown(_Part):
    text: str
    options: tuple[str, ...] = ()
    candidates: tuple[_Candidate, ...] = ()


def asked_hash(question: Question | Mapping[str, Any], pictures: Iterable[str]) -> str:
    """SHA-256 (hex) of the text of ``question`` and its ``pictures`` (by their SHA-256)."""
    shown = _Shown.model_validate(question).model_dump_json()
    return hashlib.sha256(json.dumps([shown, *pictures]).encode()).hexdigest()


def suite_asks(suite: Suite, scene: Scene, question: Question, condition: str) -> str:
    """:func:`asked_hash` of a question of ``suite`` under a view condition."""
    images = {view.camera.name: view.image for view in scene.views}
    cameras = cameras_of(condition, question.views)
    return asked_hash(question, [suite.info.files.get(images[camera], "") for camera in cameras])
