"""A detector's loss between scenes and their copies on a table. Known answers throughout."""

from collections.abc import Sequence
from itertools import chain

import pytest
from fakes import FakePair, make_fake_suite
from stand_in_detector import StandIn

from pactwin.perception import (
    Detection,
    DetectionFile,
    detect_suite,
    detection_gap,
    read_detections,
)
from pactwin.suite import InvalidInputError, Suite


@pytest.fixture(scope="module")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    return Suite.open(make_fake_suite(tmp_path_factory.mktemp("sim") / "suite", n_pairs=3))


@pytest.fixture(scope="module")
def captured(simulated: Suite, tmp_path_factory: pytest.TempPathFactory) -> Suite:
    """Copies of the first two pairs, seen by two cameras."""
    originals = (scene.id for scene in simulated.scenes())

    def copied(pair: FakePair) -> FakePair:
        first, second = (
            scene.model_copy(update={"source": "rehearsal", "mirror_of": next(originals)})
            for scene in pair.scenes
        )
        return FakePair((first, second), pair.files, pair.rejections)

    path = tmp_path_factory.mktemp("rehearsed") / "suite"
    make_fake_suite(path, n_pairs=2, seed=5, cameras=("side", "head"), change=copied)
    return Suite.open(path)


def _found(suite: Suite, detector: StandIn) -> tuple[Suite, DetectionFile]:
    detect_suite(suite, detector, "mine")
    return suite, read_detections(suite, "mine")


class BlindFromTheFront(StandIn):
    """What a camera that took no part in the captures sees must not matter."""

    def detect(
        self, images: Sequence, queries: Sequence[Sequence[str]], threshold: float
    ) -> list[list[Detection]]:
        names = [view.camera.name for scene in self.suite.scenes() for view in scene.views]
        start = len(self.queries)
        found = super().detect(images, queries, threshold)
        return [[] if names[start + k] == "front" else boxes for k, boxes in enumerate(found)]


def test_each_copy_stands_beside_its_original(simulated: Suite, captured: Suite) -> None:
    gap = detection_gap(
        _found(simulated, BlindFromTheFront(simulated, 0.0)),
        _found(captured, StandIn(captured, 0.24)),
    )
    # Moved by 0.24 of its width a box overlaps itself by 0.613: three of COCO's ten thresholds.
    assert gap.in_simulation.ap == pytest.approx(1.0)
    assert gap.on_table.ap == pytest.approx(0.3)
    assert gap.in_simulation.recall == gap.on_table.recall == 1.0
    copies = list(captured.scenes())
    assert [(row.captured, row.original) for row in gap.scenes] == [
        (scene.id, scene.mirror_of) for scene in copies
    ]
    pairs = [min(scene.id for scene in pair) for pair in simulated.pairs()]
    assert [row.pair for row in gap.scenes] == list(chain(*zip(pairs[:2], pairs[:2], strict=True)))
    for row in gap.scenes:
        assert row.in_simulation.ap == pytest.approx(1.0)
        assert row.on_table.ap == pytest.approx(0.3)
        assert row.on_table.boxes == 8  # four things in two views
    assert gap.on_table.boxes == sum(row.on_table.boxes for row in gap.scenes)


def test_one_poor_copy_is_seen_in_its_own_row(simulated: Suite, captured: Suite) -> None:
    whole = _found(simulated, StandIn(simulated, 0.0))
    _, file = _found(captured, StandIn(captured, 0.0))
    poor = next(captured.scenes()).id
    views = {key: found[:2] if key[0] == poor else found for key, found in file.views.items()}
    gap = detection_gap(whole, (captured, DetectionFile(file.header, views)))
    assert [row.on_table.recall for row in gap.scenes] == [0.5, 1.0, 1.0, 1.0]
    assert gap.on_table.recall == pytest.approx(28 / 32)
    rest = {row.captured for row in gap.scenes} - {poor}
    left = detection_gap(whole, (captured, DetectionFile(file.header, views)), scenes=rest)
    assert {row.captured for row in left.scenes} == rest
    assert left.on_table.recall == 1.0


def test_what_was_detected_otherwise_is_not_compared(simulated: Suite, captured: Suite) -> None:
    ours = _found(simulated, StandIn(simulated, 0.0))
    theirs = _found(captured, StandIn(captured, 0.0))
    for key, value in (("weights", "others"), ("vocabulary", "suite"), ("threshold", 0.5)):
        header = theirs[1].header.model_copy(update={key: value})
        with pytest.raises(InvalidInputError, match=f"differ in their {key}"):
            detection_gap(ours, (captured, DetectionFile(header, theirs[1].views)))
    with pytest.raises(InvalidInputError, match=r"no scene of .* copies one of"):
        detection_gap(ours, ours)
