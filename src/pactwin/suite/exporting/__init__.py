"""Suites in the formats of other tools."""

from pactwin.suite.exporting.coco import export_coco
from pactwin.suite.exporting.folder import new_folder
from pactwin.suite.exporting.hub import export_hub

__all__ = ["export_coco", "export_hub", "new_folder"]
