"""The adapter ``groundingdino``: the package groundingdino-py with its original checkpoints.

It needs torch with torchvision, and transformers before 5. The model's configuration is one that
comes with the package, chosen by name: a user's own would be executable Python code.
"""

from collections.abc import Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from pactwin.perception.detectors.base import Detection, best_first
from pactwin.perception.detectors.loading import checkpoint, device, torch_module
from pactwin.perception.detectors.phrases import (
    caption_of,
    captions,
    grounded,
    phrase_of,
    token_spans,
)
from pactwin.suite import EnvironmentFaultError, install_command, one_line

_SHORT_PX, _LONG_PX = 800, 1333
_MEAN, _STD = np.array([0.485, 0.456, 0.406]), np.array([0.229, 0.224, 0.225])
_CONFIGS = {"swint": "GroundingDINO_SwinT_OGC.py", "swinb": "GroundingDINO_SwinB_cfg.py"}


class GroundingDinoDetector:
    """The original Grounding DINO.

    ``weights`` is a .pth file, or a folder with one and the text encoder in ``bert-base-uncased``.
    """

    name = "groundingdino"

    def __init__(self, weights: str, revision: str | None = None, model: Any = None) -> None:
        """Load weights, or use ``model``; EnvironmentFaultError for missing packages or weights."""
        self._torch = torch_module()
        self.weights = weights if revision is None else f"{weights}@{revision}"
        self._device = device()
        self._model = (_load(Path(weights)) if model is None else model).to(self._device).eval()

    def detect(
        self, images: Sequence[np.ndarray], queries: Sequence[Sequence[str]], threshold: float
    ) -> list[list[Detection]]:
        """See :class:`pactwin.perception.Detector`."""
        with self._torch.inference_mode():
            return [
                best_first(self._one(image, asked, threshold)) if asked else []
                for image, asked in zip(images, queries, strict=True)
            ]

    def _one(self, image: np.ndarray, queries: Sequence[str], threshold: float) -> list[Detection]:
        tokenizer = self._model.tokenizer
        pixels = self._torch.from_numpy(prepared(image)).to(self._device)
        found: list[Detection] = []
        limit = int(self._model.max_text_len)
        for group in captions(queries, lambda text: len(tokenizer(text).input_ids), limit):
            caption = caption_of([phrase_of(query) for query in group])
            offsets = tokenizer(caption, return_offsets_mapping=True)["offset_mapping"]
            outputs = self._model(pixels[None], captions=[caption])
            scores = outputs["pred_logits"][0].sigmoid().float().cpu().numpy()
            boxes = outputs["pred_boxes"][0].float().cpu().numpy()
            size_px = (image.shape[1], image.shape[0])
            found += grounded(scores, boxes, token_spans(group, offsets), size_px, threshold)
        return found


def prepared(image: np.ndarray) -> np.ndarray:
    """Resize and normalise a picture (h, w, 3) uint8 RGB for the network: (3, h', w') float32.

    Its short side becomes 800 px unless the long one would exceed 1333, rounded as in the package.
    """
    height, width = image.shape[:2]
    low, high = sorted((height, width))
    short = _SHORT_PX if high / low * _SHORT_PX <= _LONG_PX else round(_LONG_PX * low / high)
    size = (int(short * width / low), int(short * height / low))
    resized = Image.fromarray(image).resize(size, Image.Resampling.BILINEAR)
    normal = (np.asarray(resized) / 255.0 - _MEAN) / _STD
    return np.ascontiguousarray(normal.transpose(2, 0, 1), np.float32)


def _load(path: Path) -> Any:
    try:
        import groundingdino
        from groundingdino.models import build_model
        from groundingdino.util.misc import clean_state_dict
        from groundingdino.util.slconfig import SLConfig
    except (ImportError, RuntimeError) as error:  # torchvision beside another torch: RuntimeError
        raise EnvironmentFaultError(
            "this detector needs groundingdino-py with torchvision of torch's release: "
            f"{install_command('perception')}, then groundingdino-py and torchvision ({error})"
        ) from error
    folder = path if path.is_dir() else path.parent
    file = next(iter(sorted(path.glob("*.pth"))), path / "*.pth") if path.is_dir() else path
    state = clean_state_dict(checkpoint(file))
    kind = "swinb" if "swinb" in file.name else "swint"
    described = SLConfig.fromfile(
        str(Path(groundingdino.__file__).parent / "config" / _CONFIGS[kind])
    )
    described.device = "cpu"
    encoder = folder / "bert-base-uncased"
    if encoder.is_dir():
        described.text_encoder_type = str(encoder)
    try:
        with redirect_stdout(StringIO()):  # it prints
            model = build_model(described)
    except (OSError, ValueError) as error:
        raise EnvironmentFaultError(
            f"cannot load the text encoder bert-base-uncased ({one_line(str(error))[:160]}): give "
            "a folder of that name beside the weights, where the network does not allow to fetch it"
        ) from error
    # Checkpoints hold more than the model, by which they were trained, but never less.
    missing = [name for name in model.state_dict() if name not in state]
    if missing:
        raise EnvironmentFaultError(f"{file} is no checkpoint of this model: it lacks {missing[0]}")
    try:
        model.load_state_dict(state, strict=False)
    except RuntimeError as error:  # of other sizes
        raise EnvironmentFaultError(
            f"{file} is no checkpoint of this model: {one_line(str(error))[:160]}"
        ) from error
    return model
