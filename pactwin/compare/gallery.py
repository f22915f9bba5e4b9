"""Twin pairs with their pictures, measurements and answers, ready for the report's gallery."""

import hashlib
import io
from collections import defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from PIL import Image

from pactwin.suite import (
    SET_FORMS,
    Measurement,
    Question,
    Scene,
    Suite,
    SuiteError,
    View,
    data_uri,
    load_suite,
    one_line,
    open_picture,
    printable,
)
from pactwin.tasks import JOINT, KINDS, AnswerRow

PAIRS_PER_DOMAIN = 4
PICTURE_WIDTH_PX = 512
REPLY_LIMIT = 400


@dataclass(frozen=True)
class EmbeddedPicture:
    """One view as a data URI; ``asked`` says whether any question may use the view.

    ``changed`` says that the file differs from the picture shown to the models.
    """

    view: str
    uri: str
    width_px: int
    height_px: int
    asked: bool
    changed: bool


@dataclass(frozen=True)
class ModelAnswer:
    """One model's answer in one cell: ``said`` in a word or two, shortened reply, and state."""

    model: str
    view: str
    feasible: bool
    state: str
    said: str
    reason: str
    reply: str
    cut: int


@dataclass(frozen=True)
class FormAnswers:
    """One question form: text, gold answer per twin, and ``cells`` {(model, view, feasible)}."""

    form: str
    text: str
    options: tuple[str, ...]
    truth: tuple[str, str]
    views: tuple[str, ...]
    cells: Mapping[tuple[str, str, bool], ModelAnswer]

    def answered_by(self, model: str) -> bool:
        """Return whether ``model`` was asked this question."""
        return any(key[0] == model for key in self.cells)


@dataclass(frozen=True)
class Twin:
    """One half of a pair."""

    scene: Scene
    pictures: tuple[EmbeddedPicture, ...]

    @property
    def changed(self) -> list[str]:
        """Scene and view of each picture that has changed since the models were asked."""
        return [f"{self.scene.id}/{picture.view}" for picture in self.pictures if picture.changed]


@dataclass(frozen=True)
class GalleryPair:
    """A twin pair as shown: the infeasible twin first."""

    twins: tuple[Twin, Twin]
    measurements: tuple[tuple[str, Measurement | None, Measurement | None], ...]
    forms: tuple[FormAnswers, ...]


def build_gallery(
    suite: Suite, rows: Sequence[AnswerRow], per_domain: int = PAIRS_PER_DOMAIN
) -> list[GalleryPair]:
    """Up to ``per_domain`` answered pairs of each domain, from the narrowest margin to the widest.

    The selection uses margins alone, never the answers. Raises SuiteError for missing or unreadable
    pictures.
    """
    answers: dict[str, list[AnswerRow]] = defaultdict(list)
    for row in rows:
        if row.suite_hash == suite.info.content_hash:
            answers[row.scene_id].append(row)
    chosen = _choose(suite, set(answers), per_domain)
    questions: dict[str, dict[str, Question]] = defaultdict(dict)
    for question in load_suite(suite.path).questions.values():
        if question.scene_id in chosen:
            questions[question.scene_id][question.form] = question
    pairs = [
        _pair(suite, first, second, questions, answers)
        for first, second in suite.pairs()
        if first.id in chosen
    ]
    return sorted(pairs, key=lambda p: (p.twins[0].scene.domain, _narrowest(p)))


def _choose(suite: Suite, answered: set[str], per_domain: int) -> set[str]:
    """Ids of the scenes to show: evenly spread over each domain's pairs in order of margin."""
    ordered: dict[str, list[tuple[float, str, str]]] = defaultdict(list)
    for first, second in suite.pairs():
        if {first.id, second.id} & answered:
            margin = min(abs(first.decided.margin), abs(second.decided.margin))
            ordered[first.domain].append((margin, first.id, second.id))
    chosen: set[str] = set()
    for pairs in ordered.values():
        pairs.sort()
        count = min(per_domain, len(pairs))
        for i in range(count):
            place = 0 if count == 1 else round(i * (len(pairs) - 1) / (count - 1))
            chosen.update(pairs[place][1:])
    return chosen


def _narrowest(pair: GalleryPair) -> tuple[float, str]:
    scenes = [twin.scene for twin in pair.twins]
    return min(abs(s.decided.margin) for s in scenes), scenes[0].id


def _pair(
    suite: Suite,
    first: Scene,
    second: Scene,
    questions: Mapping[str, Mapping[str, Question]],
    answers: Mapping[str, Sequence[AnswerRow]],
) -> GalleryPair:
    infeasible, feasible = sorted((first, second), key=lambda s: s.decided.feasible)
    rows = [row for scene in (infeasible, feasible) for row in answers.get(scene.id, ())]
    shown: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        for path, digest in row.pictures.items():
            shown[path].add(digest)
    cameras = [view.camera.name for view in infeasible.views]
    forms = tuple(
        _form(question, questions[feasible.id][form], [r for r in rows if r.form == form], cameras)
        for form, question in questions[infeasible.id].items()
        if form not in SET_FORMS or any(row.form == form for row in rows)
    )
    asked = {view for question in questions[infeasible.id].values() for view in question.views}
    return GalleryPair(
        twins=(
            Twin(infeasible, _pictures(suite, infeasible, asked, shown)),
            Twin(feasible, _pictures(suite, feasible, asked, shown)),
        ),
        measurements=_measurements(infeasible, feasible),
        forms=forms,
    )


def _form(
    infeasible: Question, feasible: Question, rows: Sequence[AnswerRow], cameras: Sequence[str]
) -> FormAnswers:
    cells = {(r.model, r.view, r.truth_feasible): _answer(r) for r in rows}
    used = {view for _, view, _ in cells}
    joined = sorted(used - {*cameras, JOINT})
    views = (*(c for c in cameras if c in used), *joined, *({JOINT} & used))
    return FormAnswers(
        form=infeasible.form,
        text=infeasible.text,
        options=infeasible.options,
        truth=(infeasible.truth, feasible.truth),
        views=views,
        cells=cells,
    )


def _answer(row: AnswerRow) -> ModelAnswer:
    reply = printable(row.reply.strip())
    return ModelAnswer(
        model=row.model,
        view=row.view,
        feasible=row.truth_feasible,
        state=str(row.state),
        said=KINDS[row.kind].scoring.said(row),
        reason=one_line(row.reason),
        reply=reply[:REPLY_LIMIT],
        cut=max(0, len(reply) - REPLY_LIMIT),
    )


def _measurements(
    infeasible: Scene, feasible: Scene
) -> tuple[tuple[str, Measurement | None, Measurement | None], ...]:
    first, second = infeasible.decided.measurements, feasible.decided.measurements
    return tuple((name, first.get(name), second.get(name)) for name in {**first, **second})


def _pictures(
    suite: Suite, scene: Scene, asked: set[str], shown: Mapping[str, set[str]]
) -> tuple[EmbeddedPicture, ...]:
    def picture(view: View) -> EmbeddedPicture:
        name = view.camera.name
        # Logs of baselines made elsewhere, or before hashes were kept, leave it to the suite.
        known = shown.get(view.image) or {suite.info.files.get(view.image, "")}
        return picture_of(suite, name, view.image, name in asked, known)

    with ThreadPoolExecutor() as pool:  # what takes long here lets other threads work
        return tuple(pool.map(picture, scene.views))


def picture_of(
    suite: Suite, name: str, relative: str, asked: bool, shown: set[str]
) -> EmbeddedPicture:
    """The file at ``relative`` as view ``name``; ``shown`` holds hashes of the pictures asked
    about.

    Raises SuiteError if it cannot be read.
    """
    try:
        data = suite.resolve(relative).read_bytes()
    except OSError as error:
        raise SuiteError(f"{suite.path}: cannot read {relative}: {error.strerror}") from error
    with open_picture(io.BytesIO(data), f"{suite.path}: {relative}") as image:
        small = image.convert("RGB")
    if small.width > PICTURE_WIDTH_PX:
        height = max(round(small.height * PICTURE_WIDTH_PX / small.width), 1)
        small = small.resize((PICTURE_WIDTH_PX, height), Image.Resampling.LANCZOS)
    buffer = io.BytesIO()
    small.save(buffer, format="WEBP", quality=78, method=4)
    changed = shown != {hashlib.sha256(data).hexdigest()}
    return EmbeddedPicture(
        name, data_uri(buffer.getvalue()), small.width, small.height, asked, changed
    )
