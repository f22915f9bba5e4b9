"""The adapter ``groundingdino`` with the original package's own model class; see tiny_weights."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from tiny_weights import QUERIES, bert, picture  # first: it lets torchvision be imported

from pactwin.perception.detectors import grounding_dino
from pactwin.perception.detectors.grounding_dino import GroundingDinoDetector
from pactwin.suite import EnvironmentFaultError

_TINY = {  # as wide as it is: positions of words always have 256 numbers
    "dim_feedforward": 64, "enc_layers": 1, "dec_layers": 1,
    "num_queries": 20, "use_checkpoint": False, "use_transformer_ckpt": False,
}  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def _tiny() -> Iterator[None]:
    """The package's builder makes its own classes as ever, of smaller sizes."""
    from groundingdino import models
    from groundingdino.models.GroundingDINO.backbone import backbone
    from groundingdino.models.GroundingDINO.backbone.swin_transformer import SwinTransformer

    build = models.build_model

    def build_tiny(described: Any) -> torch.nn.Module:
        for key, value in _TINY.items():
            setattr(described, key, value)
        torch.manual_seed(1)
        model = build(described)
        for parameter in model.parameters():
            if parameter.ndim > 1 and not parameter.detach().any():
                torch.nn.init.normal_(parameter, std=0.3)
        return model

    def build_swin(name: str, pretrain_img_size: int, **options: Any) -> SwinTransformer:
        assert name == "swin_T_224_1k"
        return SwinTransformer(
            pretrain_img_size, embed_dim=16, depths=[1, 1, 1, 1], num_heads=[1, 1, 2, 2],
            window_size=4, **options,
        )  # fmt: skip

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(models, "build_model", build_tiny)
        patch.setattr(backbone, "build_swin_transformer", build_swin)
        patch.setattr(grounding_dino, "_SHORT_PX", 96)
        patch.setattr(grounding_dino, "_LONG_PX", 160)
        yield


@pytest.fixture(scope="module")
def weights(_tiny: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as users have it: a checkpoint, saved as the original ones are, and the encoder."""
    import groundingdino
    from groundingdino.models import build_model
    from groundingdino.util.slconfig import SLConfig

    folder = tmp_path_factory.mktemp("weights")
    described = SLConfig.fromfile(
        str(Path(groundingdino.__file__).parent / "config" / "GroundingDINO_SwinT_OGC.py")
    )
    described.device, described.text_encoder_type = "cpu", str(bert(folder / "bert-base-uncased"))
    model = build_model(described)
    with torch.no_grad():  # not what a builder makes: only the file has these
        for parameter in model.parameters():
            parameter.add_(0.01 * torch.randn_like(parameter))
        model.transformer.decoder.norm.weight.mul_(0.05)  # else all scores are 0 or 1
    state = {f"module.{name}": tensor for name, tensor in model.state_dict().items()}
    torch.save({"model": state}, folder / "groundingdino_swint_ogc.pth")
    return folder


@pytest.fixture(scope="module")
def detector(weights: Path) -> GroundingDinoDetector:
    return GroundingDinoDetector(str(weights))


@pytest.mark.parametrize(("height", "width"), [(60, 80), (90, 50), (30, 120)])
def test_boxes_are_those_of_the_package_itself(detector, height, width):
    from groundingdino.datasets import transforms
    from groundingdino.util.inference import predict
    from PIL import Image

    image = picture(5, height, width)
    prepare = transforms.Compose(
        [
            transforms.RandomResize([96], max_size=160),
            transforms.ToTensor(),
            transforms.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225]),
        ]
    )
    pixels, _ = prepare(Image.fromarray(image), None)
    with torch.inference_mode():
        boxes, _, _ = predict(
            detector._model, pixels, "red block . blue cup .", 0.0, 0.0, device="cpu"
        )
        logits = detector._model(pixels[None], captions=["red block . blue cup ."])["pred_logits"]
    by_token = logits[0].sigmoid()
    scores = by_token[:, [1, 2, 4, 5]].amax(dim=1)
    (found,) = detector.detect([image], [QUERIES], 0.0)
    assert len(found) == len(boxes) == 20
    middle, extents = boxes.split(2, dim=1)
    size = torch.tensor([width, height])
    corners = torch.hstack([(middle - extents / 2) * size, (middle + extents / 2) * size])
    corners = corners.clamp(torch.zeros(4), size.repeat(2))
    for detection in found:
        near = (torch.tensor(detection.box) - corners).abs().amax(dim=1)
        best = int(near.argmin())
        assert near[best] < 0.05
        assert detection.score == pytest.approx(float(scores[best]), abs=1e-4)
    (swapped,) = detector.detect([image[..., ::-1].copy()], [QUERIES], 0.0)
    assert [d.score for d in swapped] != pytest.approx([d.score for d in found], abs=1e-4)


def test_a_batch_gives_what_each_picture_gives_alone(detector: GroundingDinoDetector) -> None:
    images, queries = [picture(1), picture(2, 90, 50)], [QUERIES, QUERIES[:1]]
    together = detector.detect(images, queries, 0.0)
    assert together == [
        detector.detect([image], [query], 0.0)[0]
        for image, query in zip(images, queries, strict=True)
    ]
    assert detector.detect(images, [QUERIES, []], 1.0) == [[], []]


def test_more_phrases_than_a_caption_holds_go_in_passes(detector, monkeypatch):
    queries = [*QUERIES, "green block"]
    monkeypatch.setattr(detector._model, "max_text_len", 8)
    (found,) = detector.detect([picture(4)], [queries], 0.0)
    (first,) = detector.detect([picture(4)], [QUERIES], 0.0)
    (second,) = detector.detect([picture(4)], [queries[2:]], 0.0)
    assert sorted(map(str, found)) == sorted(map(str, [*first, *second]))


def test_a_checkpoint_of_another_model_is_refused(weights: Path, tmp_path: Path) -> None:
    (tmp_path / "bert-base-uncased").symlink_to(weights / "bert-base-uncased")
    state = torch.load(weights / "groundingdino_swint_ogc.pth", weights_only=True)["model"]
    state.pop("module.feat_map.weight")
    torch.save({"model": state}, tmp_path / "model.pth")
    with pytest.raises(EnvironmentFaultError, match=r"lacks feat_map\.weight"):
        GroundingDinoDetector(str(tmp_path))
    torch.save({"model": {"w": torch.ones(1)}}, tmp_path / "model.pth")
    with pytest.raises(EnvironmentFaultError, match="lacks"):
        GroundingDinoDetector(str(tmp_path / "model.pth"))


def test_missing_weights_and_encoders_are_one_line(weights: Path, tmp_path: Path) -> None:
    with pytest.raises(EnvironmentFaultError, match=r"no weights at .*--weights PATH"):
        GroundingDinoDetector(str(tmp_path))
    (tmp_path / "model.pth").symlink_to(weights / "groundingdino_swint_ogc.pth")
    with (
        pytest.MonkeyPatch.context() as patch,
        pytest.raises(EnvironmentFaultError, match="bert-base-uncased"),
    ):
        patch.setenv("HF_HUB_OFFLINE", "1")
        patch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
        GroundingDinoDetector(str(tmp_path))
