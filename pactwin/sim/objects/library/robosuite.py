"""The objects with model files in robosuite.

robosuite itself is not imported: that takes seconds, and packages that nothing here needs. So the
two objects that its code generates, a hammer and a pot with handles, are not read.
"""

import re
from pathlib import Path

from pactwin.catalogue import ObjectKind, load_catalogue
from pactwin.sim.objects.library.mjcf import item_of
from pactwin.sim.packages import required_folder
from pactwin.sim.scene.layout import Item
from pactwin.suite import unknown_name


def robosuite_kinds() -> dict[str, ObjectKind]:
    """Kinds of the catalogue with a model file in robosuite, by the catalogue's names."""
    kinds = load_catalogue().kinds.values()
    return {
        kind.name: kind
        for kind in kinds
        if "robosuite" in kind.sources and _file(_assets(), kind).is_file()
    }


def robosuite_item(name: str) -> Item:
    """robosuite's object of the kind ``name``; InvalidInputError if it has none."""
    kinds = robosuite_kinds()
    if name not in kinds:
        raise unknown_name("kind of robosuite's", name, tuple(kinds))
    assets = _assets()
    asset = f"robosuite/{kinds[name].sources['robosuite']}"
    return item_of(_file(assets, kinds[name]), kinds[name], within=assets, asset=asset)


def _assets() -> Path:
    """The folder of robosuite's models; EnvironmentFaultError if it is not installed."""
    return required_folder("robosuite") / "models" / "assets"


def _file(assets: Path, kind: ObjectKind) -> Path:
    """``PlateWithHoleObject`` is described in ``plate-with-hole.xml``."""
    words = re.findall("[A-Z][a-z]*", kind.sources["robosuite"].removesuffix("Object"))
    return assets / "objects" / ("-".join(words).lower() + ".xml")
