"""Store a scene's layout in its record, so that it does not depend on the generator.

A stored scene is JSON, deflated and in base64: ``version`` 1, ``action`` with its ``kind`` and the
names that it is about, and the ``layout`` with every part of every item. Suites are not trusted, so
what is read is bounded and validated, and names no files.
"""

import base64
import binascii
import zlib
from dataclasses import asdict, fields
from typing import Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from pactwin.sim.actions.base import Action
from pactwin.sim.actions.handling import Pour, PutInto, Restack, SetOn, Take, TakeOut, Write
from pactwin.sim.actions.lift_level import LiftLevel
from pactwin.sim.domains import domain_names, load_domain
from pactwin.sim.scene.layout import Layout
from pactwin.suite import Scene, SuiteError

_ACTIONS = (Take, PutInto, SetOn, Restack, LiftLevel, Write, Pour, TakeOut)
ACTIONS: dict[str, type[Action]] = {action.kind: action for action in _ACTIONS}
_MAX_BYTES = 2**26
_SAME_M = 1e-5


class _Stored(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    version: Literal[1] = 1
    action: dict[str, str]
    layout: Layout

    @model_validator(mode="before")
    @classmethod
    def _without_set_in(cls, found: Any) -> Any:
        """Drop the key of earlier suites for items that are set into nothing."""
        match found:
            case {"layout": {"items": list(items)}}:
                for item in items:
                    if isinstance(item, dict) and item.get("set_in") == "":
                        del item["set_in"]
        return found


def stored(action: Action, layout: Layout) -> str:
    """Encode action and layout for a scene's record."""
    about = {"kind": action.kind} | asdict(action)
    text = _Stored(action=about, layout=layout).model_dump_json()
    return base64.b64encode(zlib.compress(text.encode(), 5)).decode()


def restored(scene: Scene) -> tuple[Action, Layout]:
    """Decode action and layout from a scene's record.

    Raises SuiteError if no layout can be read, or if it is not of the scene's objects.
    """
    place = f"scene {scene.id}: its layout"
    try:
        inflating = zlib.decompressobj()
        text = inflating.decompress(base64.b64decode(scene.layout, validate=True), _MAX_BYTES)
        if not inflating.eof:
            raise SuiteError(f"{place} is cut, or larger than {_MAX_BYTES // 2**20} MiB")
        found = _Stored.model_validate_json(text)
    except (binascii.Error, zlib.error, ValidationError) as error:
        raise SuiteError(f"{place} cannot be read") from error
    layout = found.layout
    names = [item.name for item in layout.items]
    action = _action(found.action, scene, place)
    fixed_to = (item.attached_to for item in layout.items if item.attached_to)
    named = {
        *layout.critical_objects,
        *layout.fixed,
        *fixed_to,
        *(region.item for region in layout.regions),
    }
    if len(set(names)) != len(names) or not named <= set(names):
        raise SuiteError(f"{place} names items that are not there, or two of one name")
    if any(part.mesh_file or part.texture_file for item in layout.items for part in item.parts):
        raise SuiteError(f"{place} names files")
    if not shows(scene, layout):
        raise SuiteError(f"{place} is not that of its objects")
    return action, layout


def shows(scene: Scene, layout: Layout) -> bool:
    """Return whether a layout's items are the objects of the scene's record at the same poses."""
    drawn = {
        i.name: (*i.world_from_object.matrix().ravel(), *i.size_m, i.mass_kg) for i in layout.items
    }
    recorded = {
        o.name: (*np.ravel(o.world_from_object), *o.size_m, o.mass_kg) for o in scene.objects
    }
    return drawn.keys() == recorded.keys() and all(
        np.allclose(drawn[name], recorded[name], atol=_SAME_M) for name in drawn
    )


def action_of_kind(kind: str, domain: str) -> type[Action] | None:
    """The action called ``kind``: built in, or declared by the module of ``domain``; else None."""
    if kind in ACTIONS:
        return ACTIONS[kind]
    if domain in domain_names():
        load_domain(domain)
    own = (action for action in Action.__subclasses__() if getattr(action, "kind", "") == kind)
    return next(own, None)


def _action(about: dict[str, str], scene: Scene, place: str) -> Action:
    kind = action_of_kind(about.get("kind", ""), scene.domain)
    if kind is None:
        raise SuiteError(f"{place} is for {about.get('kind')!r}, which is no action")
    names = {name: value for name, value in about.items() if name != "kind"}
    if names.keys() != {field.name for field in fields(kind)}:
        raise SuiteError(f"{place} does not name what {kind.kind!r} is about")
    return kind(**names)
