"""Sealed suites: a part for contestants, and answers that only the organiser can decrypt.

The contestants' part is a suite for ``pactwin eval`` without anything that reveals an answer.
Scenes are not next to their twins, ids are keyed hashes, and domains, poses, sizes, masks,
measurements and verdicts are removed; pictures are written anew. Required fields have the same
value everywhere. Answers are encrypted to the organiser's key by libsodium's sealed box and signed
with it, so that changes and cuts are noticed.
"""

import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from PIL import Image
from pydantic import ValidationError

from pactwin.suite.base import Record
from pactwin.suite.errors import InvalidInputError, SuiteError
from pactwin.suite.files import refuse_inside_suite, write_file
from pactwin.suite.keys import COMMITMENT, keyed, keyed_id, require_secret_seed
from pactwin.suite.loaded import load_suite
from pactwin.suite.locking import LOCK_FILE
from pactwin.suite.pictures import open_picture
from pactwin.suite.questions import Question
from pactwin.suite.reader import INFO_FILE, read_info
from pactwin.suite.records import (
    SET_FORMS,
    ObjectRecord,
    Scene,
    SuiteInfo,
    UnknownCamera,
    View,
    Visibility,
)
from pactwin.suite.taxonomy import Constraint
from pactwin.suite.untrusted import read_untrusted, sha256_of
from pactwin.suite.writer import SuiteWriter, view_paths

CONTESTANTS, ANSWERS, LEDGER = "suite", "answers.sealed", "ledger.jsonl"
SEALED_DOMAIN = "sealed"
UNNAMED = "object"
_NOWHERE = ((1.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0), (0.0, 0.0, 0.0, 1.0))
_BLOCK = 2**16  # answers are padded to whole blocks, so that their size tells little
_MOST_BYTES = 2**28


class SealedAnswers(Record):
    """Gold data of the sealed suite of ``content_hash``: its original questions and scenes.

    Ids are those of the contestants' suite; scenes have no views.
    """

    content_hash: str
    questions: tuple[Question, ...]
    scenes: tuple[Scene, ...]


def sealed_suite_path(folder: Path) -> Path:
    """Path of the contestants' part in ``folder``."""
    return folder / CONTESTANTS


def seal_suite(source: Path, out: Path, key: bytes) -> SuiteInfo:
    """Write the contestants' suite and the sealed answers to the new folder ``out``.

    Sealing the same suite with the same key again resumes after an interruption, or changes
    nothing. Raises InvalidInputError for a source that is sealed or whose seed can be guessed;
    SuiteError for one that is no suite or has no questions about pictures, and if ``out`` holds
    something else.
    """
    loaded = load_suite(source)
    refuse_inside_suite(out)
    request = loaded.suite.info.request
    if loaded.suite.is_sealed:
        raise InvalidInputError(f"{source} is sealed already: it has no gold answers to seal")
    require_secret_seed(source, request)
    # What the contestants' suite was made of, told to nobody without the key.
    origin_mark = keyed_id(key, loaded.suite.info.content_hash)
    _refuse_another(out, origin_mark)
    questions: dict[str, list[Question]] = {}
    for question in loaded.questions.values():
        if question.views and question.form not in SET_FORMS:
            questions.setdefault(question.scene_id, []).append(question)
    asked_of = [loaded.scenes[id] for id in questions]
    if not asked_of:
        raise SuiteError(f"{source} has no questions about pictures, so there is nothing to seal")
    name = {scene.id: keyed_id(key, scene.id) for scene in loaded.scenes.values()}
    origin = {new: old for old, new in name.items()}
    commitment = {COMMITMENT: request[COMMITMENT]} if COMMITMENT in request else {}
    with SuiteWriter.open(
        out / CONTESTANTS,
        name=f"{loaded.suite.info.name} (sealed)",
        request={"sealed": True, "origin": origin_mark, **commitment},
        made_by=loaded.suite.info.made_by,
    ) as writer:
        # In the order of their new ids, so that twins are no neighbours.
        for scene in sorted(asked_of, key=lambda scene: name[scene.id])[writer.units_done :]:
            files = dict(_pictures(source, scene, name[scene.id], key))
            writer.add([_blank(scene, name[scene.id], _told_names(questions[scene.id]))], files, {})

        def asked(scenes: tuple[Scene, ...]) -> list[Question]:
            (scene,) = scenes
            mine = questions.get(origin[scene.id], [])
            return [_unanswered(question, scene.id, key) for question in mine]

        info = writer.info or writer.finish(asked)
    _require_nothing_beside(out / CONTESTANTS, info)
    whole = SealedAnswers(
        content_hash=info.content_hash,
        questions=tuple(
            question.model_copy(
                update={"id": keyed_id(key, question.id), "scene_id": name[question.scene_id]}
            )
            for mine in questions.values()
            for question in mine
        ),
        scenes=tuple(_known(scene, name) for scene in asked_of),
    )
    write_file(out / ANSWERS, _sealed(whole.model_dump_json().encode(), key))
    return info


def _require_nothing_beside(suite: Path, info: SuiteInfo) -> None:
    """Raise SuiteError if the suite's folder has a file that the suite does not list."""
    listed = {INFO_FILE, LOCK_FILE, *info.files}
    found = {str(file.relative_to(suite)) for file in suite.rglob("*") if not file.is_dir()}
    if strange := found - listed:
        raise SuiteError(f"{suite / min(strange)} is no part of the suite: remove it")


def _refuse_another(out: Path, origin_mark: str) -> None:
    """Raise SuiteError if ``out`` has anything that this suite and key do not give."""
    there = {entry.name for entry in out.iterdir()} if out.is_dir() else set()
    if strange := there - {CONTESTANTS, ANSWERS, LEDGER, LOCK_FILE}:
        raise SuiteError(f"{out} holds something else ({min(strange)}): give a new or empty folder")
    suite = out / CONTESTANTS
    if (suite / INFO_FILE).is_file():
        if read_info(suite).request.get("origin") == origin_mark:
            return
        raise SuiteError(
            f"{out} holds another suite, or one sealed with another key: give a new or empty folder"
        )
    if ANSWERS in there:
        raise SuiteError(f"{out / ANSWERS} is there already: give a new or empty folder")


def open_answers(folder: Path, key: bytes) -> SealedAnswers:
    """Decrypt the answers sealed in ``folder``.

    Raises InvalidInputError if they were changed or cut, or sealed for another key.
    """
    from nacl.exceptions import BadSignatureError, CryptoError
    from nacl.public import SealedBox
    from nacl.signing import SigningKey

    path = folder / ANSWERS
    try:
        data = read_untrusted(path, _MOST_BYTES)
    except OSError as error:
        raise InvalidInputError(f"{path}: no sealed answers there: {error.strerror}") from error
    signing = SigningKey(key)
    try:
        box = SealedBox(signing.to_curve25519_private_key())
        text = box.decrypt(signing.verify_key.verify(data)).rstrip(b" ")
        return SealedAnswers.model_validate_json(text)
    except (BadSignatureError, CryptoError, ValidationError, ValueError) as error:
        raise InvalidInputError(
            f"{path}: not sealed with this key, or changed or cut since"
        ) from error


def _sealed(data: bytes, key: bytes) -> bytes:
    from nacl.public import SealedBox
    from nacl.signing import SigningKey

    signing = SigningKey(key)
    box = SealedBox(signing.verify_key.to_curve25519_public_key())
    return bytes(signing.sign(box.encrypt(data + b" " * (-len(data) % _BLOCK))))


def _known(scene: Scene, name: Mapping[str, str]) -> Scene:
    """The scene under its new id, with the fields that grading needs."""
    twin = None if scene.twin_id is None else name[scene.twin_id]
    changed = {"id": name[scene.id], "twin_id": twin, "views": (), "layout": ""}
    return scene.model_copy(update=changed)


def _told_names(questions: Sequence[Question]) -> tuple[str, ...]:
    """Names of objects in the questions' texts; any other name might be an answer.

    A question that is about a thing without naming it is about UNNAMED.
    """
    found: list[str] = []
    for question in questions:
        told = [name for name in question.objects if name.casefold() in question.text.casefold()]
        found += told or [UNNAMED] * bool(question.objects)
    return tuple(dict.fromkeys(found))


def _blank(scene: Scene, new_id: str, names: Sequence[str]) -> Scene:
    """The scene with only its pictures and the ``names`` that questions reveal."""
    objects = tuple(
        ObjectRecord(
            name=name, category="", world_from_object=_NOWHERE, size_m=(1.0, 1.0, 1.0),
            mass_kg=1.0, color="", material="", asset="", state="", instance_id=number,
        )
        for number, name in enumerate(sorted(names), start=1)
    )  # fmt: skip
    views = tuple(
        View(
            camera=UnknownCamera(
                name=view.camera.name,
                width_px=view.camera.width_px,
                height_px=view.camera.height_px,
            ),
            image=view_paths(new_id, view.camera.name)[0],
            visibility={name: Visibility(pixels=0, fraction=0.0) for name in names},
        )
        for view in sorted(scene.views, key=lambda view: view.camera.name)
    )
    return Scene(
        id=new_id, domain=SEALED_DOMAIN, source="imported", seed=0, robot=scene.robot,
        objects=objects, views=views,
    )  # fmt: skip


def _pictures(source: Path, scene: Scene, new_id: str, key: bytes) -> Iterator[tuple[str, bytes]]:
    """Encode each picture again, without metadata.

    Each channel of each pixel is changed by -1, 0 or 1 of 255, as the key says: who can draw the
    scene again cannot find its picture by equal bytes, and no eye can see it.
    """
    suite = load_suite(source).suite
    for view in scene.views:
        path = view_paths(new_id, view.camera.name)[0]
        if sha256_of(suite.resolve(view.image)) != suite.info.files.get(view.image):
            raise SuiteError(f"{source}: {view.image} was changed after the suite was made")
        with open_picture(suite.resolve(view.image), view.image) as picture:
            pixels = np.asarray(picture.convert("RGB"), np.int16)
        secret = int.from_bytes(keyed(key, f"noise:{path}")[:16])
        noise = np.random.Generator(np.random.Philox(key=secret)).integers(-1, 2, pixels.shape)
        buffer = io.BytesIO()
        noisy = np.clip(pixels + noise, 0, 255).astype(np.uint8)
        Image.fromarray(noisy).save(buffer, format="PNG")
        yield path, buffer.getvalue()


def _unanswered(question: Question, scene_id: str, key: bytes) -> Question:
    """The question as it is asked, with the same placeholder as truth for all of its form."""
    nothing = Constraint.NONE.statement
    first = question.options[0] if question.options else "yes"
    candidates = tuple(
        thing.model_copy(update={"likeness": {}, "evidence": {}, "unseen": {}})
        for thing in question.candidates
    )
    parts = [(thing.name, part) for thing in candidates for part in thing.parts]
    return Question(
        id=keyed_id(key, question.id), scene_id=scene_id, kind=question.kind, form=question.form,
        text=question.text, options=question.options, rationale="",
        truth=nothing if nothing in question.options else first,
        accepted=min(parts, default=()), candidates=candidates,
        objects=_told_names([question]), views=question.views,
    )  # fmt: skip
