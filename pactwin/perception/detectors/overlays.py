"""Draw detected and true boxes into pictures."""

from pathlib import Path

from PIL import Image, ImageDraw

from pactwin.perception.detectors.results import DetectionFile
from pactwin.suite import Suite, instance_boxes, load_image, load_mask, write_picture

_FOUND, _TRUE = (255, 214, 10), (80, 200, 255)


def draw_detections(suite: Suite, found: DetectionFile, out: Path, threshold: float) -> int:
    """Write a PNG per view to ``out``: detections yellow, true boxes blue; returns their number."""
    count = 0
    for scene in suite.scenes():
        for view in scene.views:
            picture = Image.fromarray(load_image(suite, view))
            draw = ImageDraw.Draw(picture)
            if view.mask is not None:
                for box in instance_boxes(load_mask(suite, view)).values():
                    draw.rectangle(box, outline=_TRUE)
            for detection in found.views.get((scene.id, view.camera.name), ()):
                if detection.score >= threshold:
                    draw.rectangle(detection.box, outline=_FOUND, width=2)
                    text = f"{detection.query} {detection.score:.2f}"
                    draw.text((detection.box[0] + 2, detection.box[1] + 1), text, fill=_FOUND)
            write_picture(out / f"{scene.id}_{view.camera.name}.png", picture)
            count += 1
    return count
