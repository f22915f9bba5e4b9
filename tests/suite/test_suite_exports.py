"""Suites in other tools' formats: the tools themselves read them, and find what is in the suite."""

import sys
from pathlib import Path

import numpy as np
import pytest
from commands import invoke

from pactwin.suite import EnvironmentFaultError, Suite, export_coco, load_mask


@pytest.mark.filterwarnings("ignore:__array__:DeprecationWarning")
def test_pycocotools_loads_boxes_and_masks(suite: Suite, tmp_path: Path) -> None:
    from pycocotools.coco import COCO

    written = export_coco(suite, tmp_path / "coco")
    coco = COCO(str(tmp_path / "coco" / "annotations.json"))
    assert len(coco.imgs) == written["images"] == suite.info.counts["views"]
    names = {category["id"]: category["name"] for category in coco.loadCats(coco.getCatIds())}
    seen = 0
    scenes = {scene.id: scene for scene in suite.scenes()}
    for image in coco.imgs.values():
        scene = scenes[image["scene_id"]]
        (view,) = (v for v in scene.views if v.camera.name == image["camera"])
        copied = (tmp_path / "coco" / "images" / image["file_name"]).read_bytes()
        assert copied == suite.resolve(view.image).read_bytes()
        mask = load_mask(suite, view)
        found = coco.loadAnns(coco.getAnnIds(imgIds=image["id"]))
        for annotation in found:
            (obj,) = (o for o in scene.objects if o.name == annotation["object"])
            where = mask == obj.instance_id
            assert np.array_equal(coco.annToMask(annotation).astype(bool), where)
            x0, y0, x1, y1 = view.visibility[obj.name].box or (0, 0, 0, 0)
            assert annotation["bbox"] == [x0, y0, x1 - x0, y1 - y0]
            assert annotation["area"] == view.visibility[obj.name].pixels
            assert names[annotation["category_id"]] == obj.category
        assert len(found) == sum(v.pixels > 0 for v in view.visibility.values())
        seen += len(found)
    assert seen == written["annotations"] > 0


@pytest.mark.parametrize(("format_", "package"), [("hf", "datasets"), ("coco", "pycocotools.mask")])
def test_a_missing_package_is_one_line(fake_suite_path, tmp_path, monkeypatch, format_, package):
    monkeypatch.setitem(sys.modules, package, None)
    out = tmp_path / "out"
    result = invoke("export", format_, fake_suite_path, out, code=EnvironmentFaultError.exit_code)
    assert "requirements/export.txt" in result.stderr
    assert not out.exists()
