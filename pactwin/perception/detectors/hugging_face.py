"""The adapter ``transformers``: zero-shot detection models of Hugging Face's library, 4.x and 5.x.

Grounding DINO and MM-Grounding-DINO read a caption (see :mod:`.phrases`); OWL-ViT and OWLv2 score
every query by itself. Pictures go through the model's own processor once, in RGB.
"""

from collections.abc import Sequence

import numpy as np

from pactwin.perception.detectors.base import Detection, best_first
from pactwin.perception.detectors.loading import device, pretrained, torch_module
from pactwin.perception.detectors.phrases import (
    caption_of,
    captions,
    grounded,
    phrase_of,
    token_spans,
)
from pactwin.suite import EnvironmentFaultError, install_command


class TransformersDetector:
    """Any model of ``AutoModelForZeroShotObjectDetection``."""

    name = "transformers"

    def __init__(self, weights: str, revision: str | None = None) -> None:
        """Load the model; EnvironmentFaultError for missing packages, weights or network."""
        self._torch = torch_module()
        try:
            from transformers import AutoModelForZeroShotObjectDetection, AutoProcessor
        except ImportError as error:
            raise EnvironmentFaultError(
                f"this detector needs transformers: {install_command('perception')} ({error})"
            ) from error
        self.weights = weights if revision is None else f"{weights}@{revision}"
        model = pretrained(
            AutoModelForZeroShotObjectDetection, weights, revision, use_safetensors=True
        )
        self._device = device()
        self._model = model.to(self._device).eval()
        self._processor = pretrained(AutoProcessor, weights, revision)
        self._reads_captions = hasattr(model.config, "max_text_len")

    def detect(
        self, images: Sequence[np.ndarray], queries: Sequence[Sequence[str]], threshold: float
    ) -> list[list[Detection]]:
        """See :class:`pactwin.perception.Detector`."""
        find = self._by_caption if self._reads_captions else self._by_query
        with self._torch.inference_mode():
            return [
                best_first(find(image, asked, threshold)) if asked else []
                for image, asked in zip(images, queries, strict=True)
            ]

    def _by_caption(
        self, image: np.ndarray, queries: Sequence[str], threshold: float
    ) -> list[Detection]:
        tokenizer = self._processor.tokenizer
        limit = self._model.config.max_text_len
        pixels = self._processor.image_processor(images=image, return_tensors="pt")
        found: list[Detection] = []
        for group in captions(queries, lambda text: len(tokenizer(text).input_ids), limit):
            caption = caption_of([phrase_of(query) for query in group])
            tokens = tokenizer(caption, return_tensors="pt", return_offsets_mapping=True)
            offsets = [(int(a), int(b)) for a, b in tokens.pop("offset_mapping")[0]]
            outputs = (
                self._model(**{**pixels, **tokens})
                if self._device == "cpu"
                else self._model(
                    **{key: value.to(self._device) for key, value in {**pixels, **tokens}.items()}
                )
            )
            scores = outputs.logits[0].sigmoid().float().cpu().numpy()
            boxes = outputs.pred_boxes[0].float().cpu().numpy()
            size_px = (image.shape[1], image.shape[0])
            found += grounded(scores, boxes, token_spans(group, offsets), size_px, threshold)
        return found

    def _by_query(
        self, image: np.ndarray, queries: Sequence[str], threshold: float
    ) -> list[Detection]:
        prompts = [f"a photo of a {phrase_of(query)}" for query in queries]
        inputs = self._processor(text=[prompts], images=image, return_tensors="pt")
        inputs = {key: value.to(self._device) for key, value in inputs.items()}
        outputs = self._model(**inputs)
        height, width = image.shape[:2]
        size = self._torch.tensor([[height, width]])
        processor = self._processor.image_processor
        (result,) = processor.post_process_object_detection(
            outputs=outputs, threshold=threshold, target_sizes=size
        )
        found = []
        for box, score, label in zip(
            result["boxes"].cpu().numpy(),
            result["scores"].cpu().numpy(),
            result["labels"].cpu().numpy(),
            strict=True,
        ):
            x0, x1 = np.clip(box[[0, 2]], 0, width).tolist()
            y0, y1 = np.clip(box[[1, 3]], 0, height).tolist()
            corners = (x0, y0, x1, y1)
            found.append(Detection(box=corners, score=float(score), query=queries[int(label)]))
        return found
