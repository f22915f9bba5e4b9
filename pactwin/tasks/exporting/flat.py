"""One row per question and view, with everything for asking it and marking replies.

The prompt equals that of ``pactwin eval``, and the pictures are unchanged. Exports for other
harnesses are made from these rows.
"""

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any

from pactwin.solvers import direct_prompt
from pactwin.suite import TOLD, Scene, Suite, load_suite
from pactwin.tasks.core.asked import suite_asks
from pactwin.tasks.core.asking import (
    asked_sample,
    cameras_in,
    pair_id,
    question_text,
    spread_over_domains,
)
from pactwin.tasks.core.pictures import QuestionPicture, captions_of, read_pictures
from pactwin.tasks.core.views import EACH, NO_PICTURE, cameras_of, parse_views
from pactwin.tasks.kinds.registry import KINDS

if TYPE_CHECKING:
    from datasets import Features

_IDS = ("question_id", "pair_id", "scene_id", "sample_id", "suite_name", "suite_hash", "asked")
_TEXTS = ("domain", "kind", "view", "form", "prompt", "truth", "constraint")
_LISTS = ("options", "accepted", "objects", "equivalent_constraints")
_TOLD = ("named_plan", "problem", "creative_use")
"""Kinds that may be told in words; of the others nothing without a view is asked."""
_PICTURES = ("captions", "picture_paths", "picture_sha256")


def flat_features(datasets: Any) -> "Features":
    """Columns of :func:`flat_rows`."""
    text = datasets.Value("string")
    return datasets.Features(
        dict.fromkeys((*_IDS, *_TEXTS), text)
        | {"feasible": datasets.Value("bool"), "images": datasets.List(datasets.Image())}
        | dict.fromkeys((*_LISTS, *_PICTURES), datasets.List(text))
    )


def flat_rows(
    suite: Suite, views: str = EACH, kinds: Collection[str] | None = None, form: str | None = None
) -> Iterator[dict[str, Any]]:
    """Rows pair by pair, domains alternating; twins asked alike are neighbours, so that a limit
    keeps pairs whole.

    ``views`` are view conditions (:mod:`pactwin.tasks.core.views`). A row has the pictures of one
    condition, with captions if there are several, and none for questions in words. ``kinds`` and
    ``form`` select kinds and form of question, all by default.

    Facts that a sealed suite lacks are None.

    Raises InvalidInputError for an unknown view, SuiteError for a missing or changed picture.
    """
    loaded = load_suite(suite.path)
    conditions = parse_views(views, cameras_in(loaded.scenes.values()))
    asked: dict[str, list[tuple[Any, ...]]] = {}
    for question in loaded.questions.values():
        if (kinds is None or question.kind in kinds) and form in (None, question.form):
            scene = loaded.scenes[question.scene_id]
            told = question.form == TOLD or question.kind in _TOLD or NO_PICTURE in conditions
            own = [NO_PICTURE] if told and not question.views else conditions
            for condition in (c for c in own if c == NO_PICTURE or cameras_of(c, question.views)):
                key = (question.kind, question.form, condition, question.topic, question.text)
                entry = (*key, scene.id, question.id, condition)
                asked.setdefault(pair_id(scene), []).append(entry)
    for pair in spread_over_domains(loaded.scenes.values()):
        for *_, scene_id, question_id, condition in sorted(asked.get(pair, ())):
            scene = loaded.scenes[scene_id]
            yield _row(suite, scene, loaded.questions[question_id], condition)


def _row(suite: Suite, scene: Scene, question: Any, condition: str) -> dict[str, Any]:
    kind = KINDS[question.kind]
    sample = asked_sample(suite, kind, scene, question, condition)
    facts = sample.metadata or {}
    pictures = [QuestionPicture.model_validate(picture) for picture in facts["pictures"]]
    known = not suite.is_sealed
    images = zip(pictures, read_pictures(suite.path, pictures), strict=True)
    return {
        **{name: facts[name] for name in ("question_id", "pair_id", "scene_id", "domain")},
        **{name: facts[name] for name in ("kind", "view", "form")},
        "sample_id": sample.id,
        "suite_name": suite.info.name,
        "suite_hash": suite.info.content_hash,
        "asked": suite_asks(suite, scene, question, condition),
        "prompt": direct_prompt(question.kind, question.form, question_text(question)),
        "options": list(question.options),
        "truth": question.truth if known else None,
        "feasible": facts.get("truth_feasible") if known else None,
        "constraint": facts.get("truth_constraint") if known else None,
        "accepted": list(question.accepted) if known else [],
        "objects": list(question.objects),
        "equivalent_constraints": [str(c) for c in question.equivalent_constraints],
        "captions": captions_of([picture.camera for picture in pictures]),
        "picture_paths": [picture.path for picture in pictures],
        "picture_sha256": [picture.sha256 for picture in pictures],
        "images": [{"bytes": data, "path": picture.path} for picture, data in images],
    }
