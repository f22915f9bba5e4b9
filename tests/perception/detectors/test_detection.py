"""The detection path without torch: phrases, boxes, files and scores. Known answers throughout."""

from collections.abc import Sequence
from itertools import chain

import numpy as np
import pytest
from fakes import FakePair, make_fake_suite
from stand_in_detector import StandIn

from pactwin.perception import (
    Detection,
    DetectionFile,
    detect_suite,
    detection_gap,
    read_detections,
    score_detections,
)
from pactwin.perception.detectors.grounding_dino import prepared
from pactwin.perception.detectors.phrases import (
    caption_of,
    captions,
    grounded,
    phrase_of,
    token_spans,
)
from pactwin.suite import InvalidInputError, Suite, SuiteError, check_suite


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    return Suite.open(make_fake_suite(tmp_path_factory.mktemp("s") / "suite", n_pairs=2))


# A box moved by d of its width overlaps itself by (1 - d) / (1 + d). AP is the share of the ten
# thresholds 0.50, 0.55, ... 0.95 that this reaches.
@pytest.mark.parametrize(("shift", "ap", "ap50"), [
    (0.0, 1.0, 1.0),
    (0.1, 0.7, 1.0),  # 0.818: seven thresholds up to 0.80
    (0.25, 0.3, 1.0),  # 0.600, kept off the limit by whole pixels: see below
    (0.4, 0.0, 0.0),  # 0.429
])  # fmt: skip
def test_average_precision_is_what_hand_computes(suite, shift, ap, ap50):
    shift = 0.24 if shift == 0.25 else shift  # 0.613: 0.50, 0.55 and 0.60
    detect_suite(suite, StandIn(suite, shift), "stand-in", batch=3)
    scores = score_detections(suite, read_detections(suite, "stand-in"))
    assert scores.ap == pytest.approx(ap, abs=1e-6)
    assert scores.ap50 == pytest.approx(ap50, abs=1e-6)
    whole = next(group for group in scores.groups if group.by == "all")
    assert whole.recall == whole.precision == ap50
    assert {group.by for group in scores.groups} == {
        "all", "category", "view", "visible fraction", "size",
    }  # fmt: skip


def _by_group(suite: Suite, detector: StandIn) -> dict[tuple[str, str], float]:
    detect_suite(suite, detector, "grouped")
    groups = score_detections(suite, read_detections(suite, "grouped")).groups
    return {(group.by, group.value): group.ap for group in groups}


def test_boxes_that_meet_nothing_are_false_in_groups_of_their_size(suite: Suite) -> None:
    class Strays(StandIn):
        def detect(self, *args: object) -> list[list[Detection]]:
            found = super().detect(*args)  # type: ignore[arg-type]
            stray = Detection(box=(0, 0, 10, 10), score=1.0, query="blue box")
            return [[*([stray] * 3), *boxes] for boxes in found]

    clean, aps = _by_group(suite, StandIn(suite, 0.0)), _by_group(suite, Strays(suite, 0.0))
    assert set(clean.values()) == {1.0}
    assert aps["category", "box"] < 0.5 < aps["category", "block"] == 1.0
    assert all(ap < 1.0 for (by, _), ap in aps.items() if by == "visible fraction")
    sizes = {value: ap for (by, value), ap in aps.items() if by == "size"}
    assert "small" not in sizes or sizes["small"] < 1.0
    assert all(ap == 1.0 for size, ap in sizes.items() if size != "small")


def test_a_box_under_its_kinds_name_counts(suite: Suite) -> None:
    kinds = {obj.name: obj.category.replace("_", " ") for s in suite.scenes() for obj in s.objects}
    assert set(kinds) - set(kinds.values())

    class Kinds(StandIn):
        def detect(self, *args: object) -> list[list[Detection]]:
            return [
                [d.model_copy(update={"query": kinds[d.query]}) for d in boxes]
                for boxes in super().detect(*args)  # type: ignore[arg-type]
            ]

    detect_suite(suite, Kinds(suite, 0.0), "kinds", vocabulary="suite")
    assert score_detections(suite, read_detections(suite, "kinds")).ap == 1.0


def test_a_detection_file_is_part_of_the_suite_and_belongs_to_it_alone(suite, tmp_path):
    path = detect_suite(suite, StandIn(suite, 0.0), "mine")
    assert check_suite(suite.path) == []
    other = Suite.open(make_fake_suite(tmp_path / "other", n_pairs=1, seed=9))
    (other.path / "detections").mkdir()
    (other.path / "detections" / "mine.jsonl").write_bytes(path.read_bytes())
    with pytest.raises(SuiteError, match="not made of this suite"):
        read_detections(other, "mine")
    with pytest.raises(SuiteError, match="no detections 'yours'"):
        read_detections(suite, "yours")
    with pytest.raises(InvalidInputError, match="no name"):
        read_detections(suite, "../mine")


def test_an_interrupted_detection_leaves_no_file(suite: Suite) -> None:
    class Breaks(StandIn):
        def detect(self, *args: object) -> list[list[Detection]]:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        detect_suite(suite, Breaks(suite, 0.0), "broken")
    assert not list((suite.path / "detections").glob("*broken*"))


def test_captions_are_lower_case_and_closed_by_periods() -> None:
    assert caption_of([phrase_of("Red  Block."), phrase_of("blue cup")]) == "red block . blue cup ."
    with pytest.raises(InvalidInputError, match="no word"):
        phrase_of(" . ")


def test_phrases_beyond_the_limit_go_into_several_passes() -> None:
    def count(text: str) -> int:
        return len(text.split()) + 2

    groups = captions(["red block", "blue cup", "green ball", "red block"], count, 8)
    assert groups == [["red block", "blue cup"], ["green ball"]]
    with pytest.raises(InvalidInputError, match="longer than 4 tokens"):
        captions(["a very long name"], count, 4)


def _offsets(caption: str) -> list[tuple[int, int]]:
    at, offsets = 0, [(0, 0)]
    for word in caption.split(" "):
        offsets.append((at, at + len(word)))
        at += len(word) + 1
    return [*offsets, (0, 0)]


def test_tokens_belong_to_their_phrase_and_periods_to_none() -> None:
    queries = ["Red block", "red cup"]
    spans = token_spans(queries, _offsets("red block . red cup ."))
    assert {query: tokens.tolist() for query, tokens in spans.items()} == {
        "Red block": [1, 2], "red cup": [4, 5],
    }  # fmt: skip


def test_boxes_come_in_pixels_of_the_picture_with_one_whole_label() -> None:
    spans = {"red block": np.array([1, 2]), "blue cup": np.array([4, 5])}
    scores = np.zeros((3, 8))
    scores[0, 2], scores[0, 4] = 0.9, 0.5  # both phrases: the better one
    scores[1, 3] = 0.99  # a period alone is no label
    scores[2, 5] = 0.2  # below the threshold
    boxes = np.array([[0.25, 0.5, 0.1, 0.2], [0.5, 0.5, 1, 1], [0.5, 0.5, 1, 1]])
    (found,) = grounded(scores, boxes, spans, (200, 100), 0.3)
    assert found.query == "red block"
    assert found.box == pytest.approx((40, 40, 60, 60))
    assert grounded(scores, boxes, spans, (200, 100), 0.95) == []
    assert grounded(scores, boxes, {}, (200, 100), 0.1) == []


def test_pictures_are_resized_once_and_stay_in_rgb() -> None:
    image = np.zeros((240, 320, 3), np.uint8)
    image[..., 0] = 255
    pixels = prepared(image)
    assert pixels.shape == (3, 800, 1066)
    means, deviations = np.array([0.485, 0.456, 0.406]), np.array([0.229, 0.224, 0.225])
    assert pixels[:, 5, 5] == pytest.approx((np.array([1, 0, 0]) - means) / deviations, abs=1e-5)
    assert prepared(np.zeros((100, 1000, 3), np.uint8)).shape == (3, 133, 1330)


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
