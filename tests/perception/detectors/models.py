"""Real model classes with tiny random weights: run in an environment that has torch.

`make test-models` makes that environment; `make test` collects nothing from here.
"""

from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import (
    BertConfig,
    BertTokenizerFast,
    GroundingDinoConfig,
    GroundingDinoForObjectDetection,
    GroundingDinoImageProcessor,
    GroundingDinoProcessor,
    SwinConfig,
)

from pactwin.perception.detectors.hugging_face import TransformersDetector
from pactwin.perception.detectors.loading import checkpoint, pretrained
from pactwin.suite import EnvironmentFaultError, InvalidInputError

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".", "red", "blue", "block", "cup", "green"]
QUERIES = ["red block", "blue cup"]


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny Grounding DINO with random weights, eleven words, and its processor."""
    torch.manual_seed(0)
    folder = tmp_path_factory.mktemp("weights")
    (folder / "vocab.txt").write_text("\n".join(WORDS))
    tokenizer = BertTokenizerFast(str(folder / "vocab.txt"))
    config = GroundingDinoConfig(
        backbone_config=SwinConfig(
            image_size=64, patch_size=4, embed_dim=16, depths=[1, 1, 1, 1], num_heads=[1, 1, 2, 2],
            window_size=4, out_features=["stage2", "stage3", "stage4"],
        ),
        text_config=BertConfig(
            vocab_size=len(WORDS), hidden_size=32, num_hidden_layers=1, num_attention_heads=2,
            intermediate_size=32,
        ).to_dict(),
        num_queries=20, encoder_layers=1, decoder_layers=1, encoder_ffn_dim=32, decoder_ffn_dim=32,
        d_model=32, encoder_attention_heads=2, decoder_attention_heads=2, max_text_len=8,
    )  # fmt: skip
    GroundingDinoForObjectDetection(config).save_pretrained(folder, safe_serialization=True)
    images = GroundingDinoImageProcessor(size={"shortest_edge": 64, "longest_edge": 128})
    GroundingDinoProcessor(images, tokenizer).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def detector(weights: Path) -> TransformersDetector:
    return TransformersDetector(str(weights))


def picture(seed: int, height: int = 60, width: int = 80) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3), np.uint8)


def test_boxes_lie_in_the_picture_and_name_a_query(detector: TransformersDetector) -> None:
    (found,) = detector.detect([picture(0)], [QUERIES], 0.0)
    assert found
    for detection in found:
        x0, y0, x1, y1 = detection.box
        assert 0 <= x0 <= x1 <= 80
        assert 0 <= y0 <= y1 <= 60
        assert detection.query in QUERIES
    assert detector.detect([picture(0)], [QUERIES], 1.0) == [[]]
    assert detector.detect([picture(0)], [[]], 0.0) == [[]]


def test_a_batch_gives_what_each_picture_gives_alone(detector: TransformersDetector) -> None:
    images = [picture(1), picture(2, 90, 50)]
    together = detector.detect(images, [QUERIES, QUERIES[:1]], 0.0)
    apart = [detector.detect([i], [q], 0.0)[0] for i, q in
             zip(images, (QUERIES, QUERIES[:1]), strict=True)]  # fmt: skip
    assert together == apart


def test_scores_and_boxes_are_those_of_the_model(
    detector: TransformersDetector, weights: Path
) -> None:
    image = picture(3)
    model = GroundingDinoForObjectDetection.from_pretrained(weights).eval()
    processor = GroundingDinoProcessor.from_pretrained(weights)
    inputs = processor(images=image, text="red block . blue cup .", return_tensors="pt")
    with torch.inference_mode():
        outputs = model(**inputs)
    scores = outputs.logits[0].sigmoid()[:, [1, 2, 4, 5]].max(dim=1).values
    best = int(scores.argmax())
    x, y, w, h = outputs.pred_boxes[0, best].tolist()
    corners = np.array([(x - w / 2) * 80, (y - h / 2) * 60, (x + w / 2) * 80, (y + h / 2) * 60])
    (found,) = detector.detect([image], [QUERIES], 0.0)
    assert found[0].score == pytest.approx(float(scores[best]), abs=1e-4)
    assert found[0].box == pytest.approx(corners.clip(0, [80, 60, 80, 60]), abs=0.05)
    # The channels' order matters to it.
    (swapped,) = detector.detect([image[..., ::-1].copy()], [QUERIES], 0.0)
    assert swapped != found


def test_more_phrases_than_a_caption_holds_go_in_passes(detector: TransformersDetector) -> None:
    queries = ["red block", "blue cup", "green block"]  # 3 * 3 tokens and 2 special ones, of 8
    (found,) = detector.detect([picture(4)], [queries], 0.0)
    (first,) = detector.detect([picture(4)], [queries[:2]], 0.0)
    assert {d.query for d in found} > {d.query for d in first} - {"green block"}
    assert len(found) == 40


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


def test_weights_are_read_from_safetensors_alone(weights: Path, tmp_path: Path) -> None:
    model = GroundingDinoForObjectDetection.from_pretrained(weights)
    model.config.save_pretrained(tmp_path)
    torch.save(model.state_dict(), tmp_path / "pytorch_model.bin")
    with pytest.raises(EnvironmentFaultError):
        pretrained(GroundingDinoForObjectDetection, str(tmp_path), None, use_safetensors=True)
