"""The adapter ``transformers`` with the library's own model classes; see tiny_weights.

`make test-models` runs it, and `make test` does; without torch nothing is collected from here.
"""

from pathlib import Path

import numpy as np
import pytest
import torch
from tiny_weights import QUERIES, grounding_dino, owl, picture
from transformers import AutoModelForZeroShotObjectDetection, AutoProcessor

from pactwin.perception.detectors.hugging_face import TransformersDetector
from pactwin.perception.detectors.loading import checkpoint, pretrained
from pactwin.suite import EnvironmentFaultError, InvalidInputError

MODELS = ["grounding-dino", "mm-grounding-dino", "owlv2"]
CAPTION = "red block . blue cup ."


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folders = {name: tmp_path_factory.mktemp(name) for name in MODELS}
    grounding_dino(folders["grounding-dino"], mm=False)
    grounding_dino(folders["mm-grounding-dino"], mm=True)
    owl(folders["owlv2"])
    return folders


@pytest.fixture(scope="module")
def detectors(weights: dict[str, Path]) -> dict[str, TransformersDetector]:
    return {name: TransformersDetector(str(folder)) for name, folder in weights.items()}


@pytest.mark.parametrize("name", MODELS)
def test_boxes_lie_in_the_picture_and_name_a_query(detectors, name):
    detector = detectors[name]
    (found,) = detector.detect([picture(0)], [QUERIES], 0.0)
    assert len({detection.box for detection in found}) > 5
    for detection in found:
        x0, y0, x1, y1 = detection.box
        assert 0 <= x0 <= x1 <= 80
        assert 0 <= y0 <= y1 <= 60
        assert detection.query in QUERIES
    scores = [detection.score for detection in found]
    assert scores == sorted(scores, reverse=True)
    assert detector.detect([picture(0)], [QUERIES], 1.0) == [[]]
    assert detector.detect([picture(0)], [[]], 0.0) == [[]]
    assert detector.detect([], [], 0.0) == []


@pytest.mark.parametrize("name", MODELS)
def test_a_batch_gives_what_each_picture_gives_alone(detectors, name):
    images, queries = [picture(1), picture(2, 90, 50)], [QUERIES, QUERIES[:1]]
    together = detectors[name].detect(images, queries, 0.0)
    apart = [
        detectors[name].detect([image], [query], 0.0)[0]
        for image, query in zip(images, queries, strict=True)
    ]
    assert together == apart


def _expected(folder: Path, image: np.ndarray) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """Scores (boxes,), corners px (boxes, 4) and queries, straight from the model's outputs."""
    model = AutoModelForZeroShotObjectDetection.from_pretrained(folder).eval()
    processor = AutoProcessor.from_pretrained(folder)
    height, width = image.shape[:2]
    if "owl" in folder.name:
        text = [[f"a photo of a {query}" for query in QUERIES]]
        padded = max(height, width)  # it pads pictures to squares, on the right and below
        size = np.array([padded, padded])
        with torch.inference_mode():
            outputs = model(**processor(images=image, text=text, return_tensors="pt"))
        scores = outputs.logits[0].sigmoid()
    else:
        size = np.array([width, height])
        with torch.inference_mode():
            outputs = model(**processor(images=image, text=CAPTION, return_tensors="pt"))
        by_token = outputs.logits[0].sigmoid()  # [CLS] red block . blue cup . [SEP]
        scores = torch.stack([by_token[:, [1, 2]].amax(1), by_token[:, [4, 5]].amax(1)], dim=1)
    middle, extents = np.split(outputs.pred_boxes[0].numpy().astype(float), 2, axis=1)
    corners = np.hstack([(middle - extents / 2) * size, (middle + extents / 2) * size])
    corners = corners.clip(0, [width, height] * 2)
    best = scores.argmax(dim=1)
    return scores.amax(dim=1).numpy(), corners, [QUERIES[int(k)] for k in best]


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize(("height", "width"), [(60, 80), (90, 50)])
def test_scores_boxes_and_queries_are_those_of_the_model(detectors, weights, name, height, width):
    image = picture(3, height, width)
    scores, corners, queries = _expected(weights[name], image)
    order = np.argsort(-scores, kind="stable")
    (found,) = detectors[name].detect([image], [QUERIES], 0.0)
    assert [d.score for d in found] == pytest.approx(scores[order], abs=1e-4)
    clear = [k for k in range(len(found) - 1) if scores[order[k]] - scores[order[k + 1]] > 1e-3]
    assert 0 in clear or len(clear) > 2
    for k in clear:
        if k == 0 or k - 1 in clear:
            assert found[k].box == pytest.approx(corners[order[k]], abs=0.05)
            assert found[k].query == queries[order[k]]
    # The order of the channels matters to it.
    (swapped,) = detectors[name].detect([image[..., ::-1].copy()], [QUERIES], 0.0)
    assert [d.score for d in swapped] != pytest.approx(scores[order], abs=1e-4)


@pytest.mark.parametrize("name", ["grounding-dino", "mm-grounding-dino"])
def test_more_phrases_than_a_caption_holds_go_in_passes(detectors, name):
    queries = [*QUERIES, "green block"]  # 3 * 3 tokens and 2 special ones, of 8
    (found,) = detectors[name].detect([picture(4)], [queries], 0.0)
    (first,) = detectors[name].detect([picture(4)], [QUERIES], 0.0)
    (second,) = detectors[name].detect([picture(4)], [queries[2:]], 0.0)
    assert sorted(map(str, found)) == sorted(map(str, [*first, *second]))
    assert {d.query for d in second} == {"green block"}


def test_missing_weights_and_unpinned_names_are_one_line(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="needs --revision"):
        TransformersDetector("someone/something")
    with pytest.raises(EnvironmentFaultError, match=r"--weights PATH.*--weights OWNER/NAME"):
        TransformersDetector(str(tmp_path))
    with pytest.raises(EnvironmentFaultError, match="no weights at"):
        checkpoint(tmp_path / "model.pth")


class _Planted:
    def __reduce__(self) -> tuple:
        return (Path.touch, (Path("planted"),))


def test_code_in_a_checkpoint_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    torch.save({"model": _Planted()}, tmp_path / "bad.pth")
    with pytest.raises(EnvironmentFaultError, match="no checkpoint of tensors alone"):
        checkpoint(tmp_path / "bad.pth")
    assert not (tmp_path / "planted").exists()
    torch.save({"model": {"w": torch.ones(2)}}, tmp_path / "good.pth")
    assert checkpoint(tmp_path / "good.pth")["w"].tolist() == [1.0, 1.0]


def test_weights_are_read_from_safetensors_alone(weights: dict[str, Path], tmp_path: Path) -> None:
    loader = AutoModelForZeroShotObjectDetection
    model = loader.from_pretrained(weights["grounding-dino"])
    model.config.save_pretrained(tmp_path)
    torch.save(model.state_dict(), tmp_path / "pytorch_model.bin")
    with pytest.raises(EnvironmentFaultError):
        pretrained(loader, str(tmp_path), None, use_safetensors=True)
