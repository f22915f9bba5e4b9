"""Objects of other libraries, read from their MuJoCo models: robosuite's and RoboCasa's."""

from pactwin.sim.objects.library.robocasa import (
    Model,
    find_models,
    find_robocasa,
    robocasa_categories,
    robocasa_item,
)
from pactwin.sim.objects.library.robosuite import robosuite_item, robosuite_kinds
from pactwin.sim.objects.library.surfaces import mesh_colours

__all__ = [
    "Model",
    "find_models",
    "find_robocasa",
    "mesh_colours",
    "robocasa_categories",
    "robocasa_item",
    "robosuite_item",
    "robosuite_kinds",
]
