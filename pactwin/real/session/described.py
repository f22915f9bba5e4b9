"""A session as data for the page and the terminal, without the scene's label."""

from typing import Any

import numpy as np

from pactwin.real.footprints import Footprint, footprints
from pactwin.real.placement import Placement
from pactwin.real.session.guide import Session
from pactwin.suite import SCENE_CONSTRAINTS, Constraint


def described(session: Session, fault: str, *, rehearsed: bool) -> dict[str, Any]:
    """Data for the page; lengths in mm on the table as seen from its near edge."""
    done, outcome = session.captured(), session.outcome()
    found = session.found
    placements = {placement.name: placement for placement in found.placements} if found else {}
    prints = footprints(session.layout.items)
    here = session.current in done
    return {
        "scene": session.current,
        "number": session.number,
        "scenes": [
            {"id": name, "number": session.numbers[name], "done": name in done}
            for name in session.scenes
        ],
        "action": session.layout.action,
        "steps": [_step(footprint, placements.get(footprint.item.name)) for footprint in prints],
        "cameras": [camera.name for camera in session.rig.cameras],
        "twin": [view.camera.name for view in session.scene.views],
        "checked": found is not None,
        "as_planned": found is not None and found.ok,
        "faults": [*map(str, found.faults), *found.remarks] if found else [],
        "captured": here,
        "outcome": None if outcome is None else outcome.model_dump(mode="json"),
        "constraints": [c.value for c in SCENE_CONSTRAINTS if c is not Constraint.NONE],
        "doing": session.doing,
        "fault": fault,
        "source": "rehearsal" if session.rig.rehearsal else "real",
        "rehearsed": rehearsed,
    }


def _step(footprint: Footprint, placement: Placement | None) -> dict[str, Any]:
    x, y, _ = footprint.item.world_from_object.pos
    return {
        "step": footprint.step,
        "name": footprint.item.name,
        "rgb": [round(255 * channel) for channel in footprint.item.rgba[:3]],
        "notes": footprint.notes,
        "where": footprint.where,
        "outline": _on_drawing(footprint.outline),
        "contact": [] if footprint.on else _on_drawing(footprint.contact),
        "middle": _on_drawing(np.array([[x, y]]))[0],
        "heading_rad": footprint.heading_rad,
        "found": None if placement is None else _found(placement),
    }


def _found(placement: Placement) -> dict[str, Any]:
    return {
        "ok": placement.ok,
        "state": placement.state,
        "detail": placement.detail,
        "position_mm": placement.position_mm,
        "yaw_deg": placement.yaw_deg,
    }


def _on_drawing(points_m: np.ndarray) -> list[list[float]]:
    """Points (n, 2) on the table as mm to the right and up from the middle of the near edge."""
    return [[round(-1e3 * y, 1), round(1e3 * x, 1)] for x, y in points_m.tolist()]
