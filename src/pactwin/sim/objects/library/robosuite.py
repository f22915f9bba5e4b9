"""The objects that robosuite brings along, among them two that it generates."""

import logging
from pathlib import Path

import mujoco
import numpy as np

from pactwin.catalogue import Kind, load_catalogue
from pactwin.sim.layout import Item
from pactwin.sim.objects.library.mjcf import item_of
from pactwin.suite import unknown_name

_DRAWN = ("HammerObject",)
"""What robosuite draws at random; here it is always the same one."""


def robosuite_kinds() -> dict[str, Kind]:
    """Kinds of the catalogue that robosuite has, by their own names."""
    kinds = load_catalogue().kinds.values()
    return {kind.name: kind for kind in kinds if "robosuite" in kind.sources}


def robosuite_item(name: str) -> Item:
    """robosuite's object of the kind ``name``; InvalidInputError if it has none."""
    kinds = robosuite_kinds()
    if name not in kinds:
        raise unknown_name("kind of robosuite's", name, tuple(kinds))
    kind = kinds[name]
    made = kind.sources["robosuite"]
    logging.getLogger("robosuite_logs").setLevel(logging.ERROR)  # its macros concern nobody here
    from robosuite import models
    from robosuite.models import objects
    from robosuite.models.base import MujocoXML

    drawn = {"rng": np.random.default_rng(0)} if made in _DRAWN else {}
    thing = getattr(objects, made)(name="thing", **drawn)
    assets = Path(models.assets_root)
    world = MujocoXML(str(assets / "base.xml"))
    world.merge_assets(thing)
    world.worldbody.append(thing.get_obj())
    spec = mujoco.MjSpec.from_string(world.get_xml())
    return item_of(spec, kind, within=assets, asset=f"robosuite/{made}")
