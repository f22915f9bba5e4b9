"""Scene cards of the report's gallery: pictures, gold answers, and how often models were right."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pactwin.compare.gallery import EmbeddedPicture, picture_of
from pactwin.suite import Question, Scene, Suite, load_suite, printable
from pactwin.tasks import KINDS, Row

PER_DOMAIN = 6
PICTURES = 3
"""Number of pictures shown of each scene."""
SAID_LIMIT = 80


@dataclass(frozen=True)
class Verdicts:
    """One model's answers to one question: how many were ``right`` of how many ``answered``.

    ``said`` is the most frequent answer, shortened.
    """

    right: int
    answered: int
    said: str


@dataclass(frozen=True)
class Asked:
    """One question: its object, its gold answer and each model's answers."""

    label: str
    note: str
    truth: str
    answers: dict[str, Verdicts]


@dataclass(frozen=True)
class Card:
    """One scene, or one object in it, with its questions.

    ``text`` is the situation of a question without pictures.
    """

    name: str
    scene: Scene
    text: str
    pictures: tuple[EmbeddedPicture, ...]
    questions: tuple[Asked, ...]

    @property
    def changed(self) -> bool:
        """Return whether a picture differs from the one shown to the models."""
        return any(picture.changed for picture in self.pictures)


def cards_of(
    suites: Sequence[Suite], rows: Sequence[Row], per_domain: int = PER_DOMAIN
) -> list[Card]:
    """Up to ``per_domain`` scenes of each domain of each suite, chosen by their opaque ids.

    Raises SuiteError for missing or unreadable pictures.
    """
    return [card for suite in suites for card in _cards(suite, rows, per_domain)]


def _cards(suite: Suite, rows: Sequence[Row], per_domain: int) -> list[Card]:
    answers: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        if row.suite_hash == suite.info.content_hash:
            answers[row.scene_id].append(row)
    if not answers:
        return []
    loaded = load_suite(suite.path)
    taken: Counter[str] = Counter()
    cards = []
    for scene in sorted(loaded.scenes.values(), key=lambda scene: (scene.domain, scene.id)):
        if scene.id in answers and taken[scene.domain] < per_domain:
            taken[scene.domain] += 1
            cards += _of_scene(suite, scene, loaded.questions, answers[scene.id])
    return cards


def _of_scene(
    suite: Suite, scene: Scene, questions: Mapping[str, Question], rows: Sequence[Row]
) -> list[Card]:
    """A card for each thing that questions are about."""
    about: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        about[next(iter(questions[row.question_id].objects), "")].append(row)
    return [
        _card(suite, scene, name, mine, questions[mine[0].question_id].text)
        for name, mine in sorted(about.items())
    ]


def _card(suite: Suite, scene: Scene, name: str, rows: Sequence[Row], text: str) -> Card:
    shown: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        for path, digest in row.pictures.items():
            shown[path].add(digest)
    used = [view for view in scene.views if view.image in shown] or list(scene.views)
    if len(used) > PICTURES:
        used = [used[i * len(used) // PICTURES] for i in range(PICTURES)]
    questions: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        questions[row.question_id].append(row)
    asked = sorted((_asked(mine) for mine in questions.values()), key=_place(rows[0].kind))
    return Card(
        name=name,
        scene=scene,
        text="" if used else text,
        pictures=tuple(
            picture_of(
                suite,
                view.camera.name,
                view.image,
                view.image in shown,
                shown.get(view.image) or {suite.info.files.get(view.image, "")},
            )
            for view in used
        ),
        questions=tuple(asked),
    )


def _asked(rows: Sequence[Row]) -> Asked:
    """One question with its answers; further axes distinguish it from others of the object."""
    scoring = KINDS[rows[0].kind].scoring
    measured = scoring.measured(rows[0])
    further = [str(measured[axis]) for axis in scoring.axes if axis in measured]
    by_model: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_model[row.model].append(row)
    answers = {}
    for model, mine in by_model.items():
        answered = [row for row in mine if row.state in ("correct", "incorrect")]
        said = Counter(scoring.said(row) for row in answered).most_common(1)
        right = sum(row.state == "correct" for row in answered)
        words = printable(said[0][0])[:SAID_LIMIT] if said else ""
        answers[model] = Verdicts(right, len(answered), words)
    label = further[0] if scoring.panels and further else scoring.title
    note = ", ".join(filter(None, further[1:] if scoring.panels else ()))
    return Asked(label.capitalize(), note, scoring.truth(rows[0]), answers)


def _place(kind: str) -> Callable[[Asked], int]:
    """Sort key of questions: the axis that distinguishes them."""
    scoring = KINDS[kind].scoring
    axis = scoring.panels[1] if scoring.panels else ""
    order = [name.capitalize() for name in scoring.order.get(axis, ())]
    return lambda asked: order.index(asked.label) if asked.label in order else len(order)
