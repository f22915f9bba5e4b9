"""Held-out suites: what contestants get, and answers that only the organiser can read.

The contestants' part is a suite that ``pactwin eval`` can ask, without anything that tells an
answer: one scene is not its twin's neighbour, ids are keyed hashes, domains, poses, sizes, masks,
measurements and verdicts are gone, and pictures are written anew. Where a record must say something
it says the same everywhere. Answers are encrypted to the organiser's key by libsodium's sealed box,
and signed with it, so that what was changed or cut is noticed.
"""

import hmac
import io
import os
from collections.abc import Iterator
from pathlib import Path

from PIL import Image
from pydantic import ValidationError

from pactwin.suite.base import Record
from pactwin.suite.errors import InvalidInputError, SuiteError
from pactwin.suite.files import refuse_inside_suite, write_file
from pactwin.suite.loaded import load_suite
from pactwin.suite.locking import LOCK_FILE
from pactwin.suite.pictures import open_picture
from pactwin.suite.questions import Question
from pactwin.suite.reader import INFO_FILE, read_info
from pactwin.suite.records import (
    ObjectRecord,
    OpaqueId,
    Scene,
    SuiteInfo,
    UnknownCamera,
    View,
    Visibility,
)
from pactwin.suite.taxonomy import Constraint
from pactwin.suite.writer import SuiteWriter, view_paths

CONTESTANTS, ANSWERS, LEDGER = "suite", "answers.sealed", "ledger.jsonl"
SEALED_DOMAIN = "sealed"
SEALED_FORMS = ("yes_no", "choice", "open")
_NOWHERE = ((1.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0), (0.0, 0.0, 0.0, 1.0))
_KEY_BYTES = 32
_BLOCK = 2**16  # answers are padded to whole blocks, so that their size tells little
_MOST_BYTES = 2**28


class SealedAnswer(Record):
    """What is true of one question of a sealed suite, and which pair and domain it belongs to."""

    question_id: OpaqueId
    pair_id: OpaqueId
    domain: str
    feasible: bool
    constraint: Constraint
    equivalent: tuple[Constraint, ...] = ()


class SealedAnswers(Record):
    """All answers of the sealed suite of ``content_hash``."""

    content_hash: str
    answers: tuple[SealedAnswer, ...]


def read_key(path: Path) -> bytes:
    """The organiser's secret key; InvalidInputError if the file holds none."""
    try:
        key = bytes.fromhex(path.read_text(encoding="ascii").strip())
    except (OSError, ValueError) as error:
        raise InvalidInputError(f"{path}: cannot read a key there: {error}") from error
    if len(key) != _KEY_BYTES:
        raise InvalidInputError(f"{path}: a key is {2 * _KEY_BYTES} hexadecimal digits")
    return key


def new_key(path: Path) -> bytes:
    """A new secret key, written to ``path`` for its owner alone; FileExistsError if it is there."""
    key = os.urandom(_KEY_BYTES)
    path.parent.mkdir(parents=True, exist_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(key.hex() + "\n")
    return key


def sealed_suite_path(folder: Path) -> Path:
    """The contestants' part of what was sealed into ``folder``."""
    return folder / CONTESTANTS


def seal_suite(source: Path, out: Path, key: bytes) -> SuiteInfo:
    """Write the contestants' suite and the sealed answers to the new folder ``out``.

    Sealing the same suite with the same key again goes on where it was interrupted, or changes
    nothing. Raises SuiteError for a source that is no suite or has no scene with a verdict, and if
    ``out`` holds something else.
    """
    loaded = load_suite(source)
    refuse_inside_suite(out)
    # What the contestants' suite was made of, told to nobody without the key.
    origin_mark = _keyed(key, loaded.suite.info.content_hash)
    _refuse_another(out, origin_mark)
    decided = [s for s in loaded.scenes.values() if s.verdict is not None]
    if not decided:
        raise SuiteError(f"{source}: no scene has a verdict, so there is nothing to seal")
    questions: dict[str, list[Question]] = {}
    for question in loaded.questions.values():
        if question.kind == "constraint" and question.form in SEALED_FORMS:
            questions.setdefault(question.scene_id, []).append(question)
    name = {scene.id: _keyed(key, scene.id) for scene in decided}
    origin = {new: old for old, new in name.items()}
    answers = []
    with SuiteWriter.open(
        out / CONTESTANTS,
        name=f"{loaded.suite.info.name} (sealed)",
        request={"sealed": True, "origin": origin_mark},
        made_by=loaded.suite.info.made_by,
    ) as writer:
        # In the order of their new ids, so that twins are no neighbours.
        for scene in sorted(decided, key=lambda scene: name[scene.id])[writer.units_done :]:
            files = dict(_pictures(source, scene, name[scene.id]))
            writer.add([_blank(scene, name[scene.id])], files, {})

        def asked(scenes: tuple[Scene, ...]) -> list[Question]:
            (scene,) = scenes
            mine = questions.get(origin[scene.id], [])
            return [_unanswered(question, scene.id, key) for question in mine]

        info = writer.info or writer.finish(asked)
    for scene in decided:
        verdict = scene.decided
        pair = min(scene.id, scene.twin_id or scene.id)
        for question in questions.get(scene.id, []):
            answers.append(
                SealedAnswer(
                    question_id=_keyed(key, question.id),
                    pair_id=_keyed(key, pair),
                    domain=scene.domain,
                    feasible=verdict.feasible,
                    constraint=verdict.constraint,
                    equivalent=question.equivalent_constraints,
                )
            )
    whole = SealedAnswers(content_hash=info.content_hash, answers=tuple(answers))
    write_file(out / ANSWERS, _sealed(whole.model_dump_json().encode(), key))
    return info


def _refuse_another(out: Path, origin_mark: str) -> None:
    """SuiteError if ``out`` holds anything but what sealing this suite with this key writes."""
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
    """The answers that were sealed in ``folder``.

    Raises InvalidInputError if they were changed or cut, or sealed for another key.
    """
    from nacl.exceptions import BadSignatureError, CryptoError
    from nacl.public import SealedBox
    from nacl.signing import SigningKey

    path = folder / ANSWERS
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise InvalidInputError(f"{path}: too large for sealed answers")
        data = path.read_bytes()
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


def _keyed(key: bytes, name: str) -> str:
    """An id that cannot be traced without the key, nor tells what it belongs to."""
    return hmac.digest(key, name.encode(), "sha256").hex()[:16]


def _blank(scene: Scene, new_id: str) -> Scene:
    """The scene with its names and pictures, and nothing else that is its own."""
    names = sorted(thing.name for thing in scene.objects)
    objects = tuple(
        ObjectRecord(
            name=name, category="", world_from_object=_NOWHERE, size_m=(1.0, 1.0, 1.0),
            mass_kg=1.0, color="", material="", asset="", state="", instance_id=number,
        )
        for number, name in enumerate(names, start=1)
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


def _pictures(source: Path, scene: Scene, new_id: str) -> Iterator[tuple[str, bytes]]:
    """Each picture's pixels alone, without what a file says of itself."""
    suite = load_suite(source).suite
    for view in scene.views:
        with open_picture(suite.resolve(view.image), view.image) as picture:
            pixels = Image.frombytes("RGB", picture.size, picture.convert("RGB").tobytes())
        buffer = io.BytesIO()
        pixels.save(buffer, format="PNG")
        yield view_paths(new_id, view.camera.name)[0], buffer.getvalue()


def _unanswered(question: Question, scene_id: str, key: bytes) -> Question:
    """The question with the same truth for all: one that tells nothing."""
    nothing = Constraint.NONE.statement
    truth = nothing if nothing in question.options else "yes"
    return Question(
        id=_keyed(key, question.id), scene_id=scene_id, kind=question.kind, form=question.form,
        text=question.text, options=question.options, truth=truth, rationale="",
        objects=question.objects, views=question.views,
    )  # fmt: skip
