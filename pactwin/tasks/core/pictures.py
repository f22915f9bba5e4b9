"""Pictures of a question: named in its sample, and read only when the question is asked.

A sample holds the names and hashes of its pictures; its message names them by suite, scene and
camera, so that a log stays small and readable without them. Pictures are read and compared with
their hashes when the question is asked, so that a changed picture is never shown under the name of
the old one.
"""

import base64
import hashlib
from collections.abc import Sequence
from pathlib import Path

from anyio import CapacityLimiter, to_thread
from inspect_ai.model import ChatMessageUser, Content, ContentImage, ContentText
from inspect_ai.solver import Generate, Solver, TaskState, solver

from pactwin.solvers import CONFIDENCE, PEOPLE, PROVIDER, QuestionRef, begin_replay
from pactwin.suite import Record, Scene, Suite, SuiteError, data_uri

# Stands for a picture where nobody looks.
_PIXEL = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81y"
    "tgAAAABJRU5ErkJggg=="
)


class QuestionPicture(Record):
    """One picture of a sample: its camera, path in the suite, SHA-256 and size."""

    camera: str
    path: str
    sha256: str
    width_px: int
    height_px: int


def pictures_of(suite: Suite, scene: Scene, cameras: Sequence[str]) -> tuple[QuestionPicture, ...]:
    """Pictures of ``scene`` by ``cameras``, in that order.

    Raises SuiteError for a missing picture, or one whose hash is not in the suite.
    """
    views = {view.camera.name: view for view in scene.views}
    found = []
    for camera in cameras:
        view = views[camera]
        suite.resolve(view.image)
        if view.image not in suite.info.files:
            raise SuiteError(f"{suite.path}: suite.json has no hash of {view.image}")
        picture = QuestionPicture(
            camera=camera,
            path=view.image,
            sha256=suite.info.files[view.image],
            width_px=view.camera.width_px,
            height_px=view.camera.height_px,
        )
        found.append(picture)
    return tuple(found)


def message_of(
    suite_name: str, scene_id: str, pictures: Sequence[QuestionPicture], text: str
) -> ChatMessageUser:
    """Message of a question that names its pictures; :func:`present` inserts the pictures."""
    names = [
        ContentText(text=f"[{suite_name}, scene {scene_id}, {picture.camera} camera]")
        for picture in pictures
    ]
    cameras = [picture.camera for picture in pictures]
    return ChatMessageUser(content=[*captioned(cameras, names), ContentText(text=text)])


@solver
def present(suite: str, suite_hash: str) -> Solver:
    """Show the model its pictures; give a baseline a reference to the question.

    Raises SuiteError in a sample whose picture is missing or changed.
    """
    opened = Path(suite)
    # Several threads at once would each keep the memory of the largest pictures that it read.
    one_at_a_time = CapacityLimiter(1)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        begin_replay(state)
        (message,) = state.messages
        if isinstance(message.content, str):
            raise TypeError("a question is pictures and text, not a string")
        pictures = [QuestionPicture.model_validate(p) for p in state.metadata["pictures"]]
        if state.model.api in (PROVIDER, PEOPLE):
            QuestionRef(  # a store model: making one writes it into the sample's store
                store=state.store,
                suite=suite,
                suite_hash=suite_hash,
                question_id=state.metadata["question_id"],
                view=state.metadata["view"],
                epoch=state.epoch,
                confidence=CONFIDENCE in state.metadata,
            )
            # The names stay, so that no two questions are sent alike: a cache may be on.
            shown: list[Content] = [
                *message.content[:-1],
                *(ContentImage(image=_PIXEL) for _ in pictures),
            ]
        else:
            images = await to_thread.run_sync(
                lambda: list(map(data_uri, read_pictures(opened, pictures))), limiter=one_at_a_time
            )
            cameras = [picture.camera for picture in pictures]
            shown = captioned(cameras, [ContentImage(image=image) for image in images])
        message.content = [*shown, message.content[-1]]
        return state

    return solve


async def name_pictures(state: TaskState) -> None:
    """Replace shown pictures by their names, for a log without pictures."""
    if not state.metadata["pictures"]:
        return
    (message,) = (m for m in state.input if not isinstance(m, str))
    texts = [part.text for part in message.content if isinstance(part, ContentText)]
    names = texts[1:-1:2] if len(texts) > 2 else texts[:1]  # without captions and question
    hashes = [
        QuestionPicture.model_validate(picture).sha256 for picture in state.metadata["pictures"]
    ]
    name_of = dict(zip(hashes, names, strict=True))
    for message in state.messages:
        if isinstance(message.content, list):
            message.content = [_named(part, name_of) for part in message.content]


def _named(part: Content, name_of: dict[str, str]) -> Content:
    if not isinstance(part, ContentImage):
        return part
    data = base64.b64decode(part.image.partition(",")[2])
    name = name_of.get(hashlib.sha256(data).hexdigest())
    return part if name is None else ContentText(text=name)


def captions_of(cameras: Sequence[str]) -> list[str]:
    """Captions before each picture if there are several; a single one has none."""
    if len(cameras) < 2:
        return []
    return [f"Picture {number} ({name} camera):" for number, name in enumerate(cameras, start=1)]


def captioned(cameras: Sequence[str], shown: Sequence[Content]) -> list[Content]:
    """Contents of a message: pictures, each after its caption if there are several."""
    captions = captions_of(cameras)
    if not captions:
        return list(shown)
    pairs = zip(captions, shown, strict=True)
    return [part for caption, picture in pairs for part in (ContentText(text=caption), picture)]


def read_pictures(suite: Path, pictures: Sequence[QuestionPicture]) -> list[bytes]:
    """Read pictures after checking their hashes; SuiteError if one is missing or changed."""
    found = []
    for picture in pictures:
        try:
            data = (suite / picture.path).read_bytes()
        except OSError as error:
            raise SuiteError(f"cannot read {picture.path}: {error.strerror}") from error
        if hashlib.sha256(data).hexdigest() != picture.sha256:
            raise SuiteError(f"{picture.path} was changed after the suite was made")
        found.append(data)
    return found
