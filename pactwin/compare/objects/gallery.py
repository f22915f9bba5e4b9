"""Objects with pictures, truths and how often each model was right, for the report's gallery."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pactwin.catalogue import PROPERTIES
from pactwin.compare.gallery import EmbeddedPicture, picture_of
from pactwin.suite import Scene, Suite
from pactwin.tasks import ObjectRow

PER_DOMAIN = 6
SHOTS = 3
"""Pictures shown of each object."""


@dataclass(frozen=True)
class Truth:
    """One question: what it is about, what is true, and {model: (right, answered)} over views."""

    topic: str
    truth: str
    observability: str
    right: dict[str, tuple[int, int]]


@dataclass(frozen=True)
class Card:
    """One object in one scene. Affordances come last, under the topic "affordances"."""

    name: str
    scene: Scene
    pictures: tuple[EmbeddedPicture, ...]
    truths: tuple[Truth, ...]

    @property
    def changed(self) -> bool:
        """Whether a picture is no longer what the models were shown."""
        return any(picture.changed for picture in self.pictures)


def object_cards(
    suites: Sequence[Suite], rows: Sequence[ObjectRow], per_domain: int = PER_DOMAIN
) -> list[Card]:
    """Up to ``per_domain`` scenes of each domain of each suite, chosen by their opaque ids.

    Raises SuiteError for pictures that are missing or cannot be read.
    """
    return [card for suite in suites for card in _cards(suite, rows, per_domain)]


def _cards(suite: Suite, rows: Iterable[ObjectRow], per_domain: int) -> list[Card]:
    answers: dict[str, list[ObjectRow]] = defaultdict(list)
    for row in rows:
        if row.suite_hash == suite.info.content_hash:
            answers[row.scene_id].append(row)
    taken: Counter[str] = Counter()
    chosen: list[Scene] = []
    for scene in sorted(suite.scenes(), key=lambda scene: (scene.domain, scene.id)):
        if scene.id in answers and taken[scene.domain] < per_domain:
            taken[scene.domain] += 1
            chosen.append(scene)
    asked = {q.id: q.objects[0] for q in suite.questions() if q.scene_id in answers}
    return [
        _card(suite, scene, name, [r for r in answers[scene.id] if asked[r.question_id] == name])
        for scene in chosen
        for name in sorted({asked[row.question_id] for row in answers[scene.id]})
    ]


def _card(suite: Suite, scene: Scene, name: str, rows: Sequence[ObjectRow]) -> Card:
    shown: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        for path, digest in row.pictures.items():
            shown[path].add(digest)
    used = [view for view in scene.views if view.image in shown] or list(scene.views)
    shots = [used[i * len(used) // SHOTS] for i in range(SHOTS)] if len(used) > SHOTS else used
    order = {topic: place for place, topic in enumerate(PROPERTIES)}
    questions: dict[str, list[ObjectRow]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: order.get(row.topic, len(order))):
        questions[row.topic].append(row)
    return Card(
        name=name,
        scene=scene,
        pictures=tuple(
            picture_of(suite, view.camera.name, view.image, True, shown[view.image])
            if view.image in shown
            else picture_of(
                suite, view.camera.name, view.image, False, {suite.info.files.get(view.image, "")}
            )
            for view in shots
        ),
        truths=tuple(_truth(topic, mine) for topic, mine in questions.items()),
    )


def _truth(topic: str, rows: Sequence[ObjectRow]) -> Truth:
    right: Counter[str] = Counter()
    answered: Counter[str] = Counter()
    for row in rows:
        answered[row.model] += row.state in ("correct", "incorrect")
        right[row.model] += row.state == "correct"
    first = rows[0]
    return Truth(
        topic=topic.capitalize() or "Affordances",
        truth=first.truth,
        observability=first.observability or "",
        right={model: (right[model], answered[model]) for model in answered},
    )
