"""Pictures of objects for their own sake: alone on a turntable, and among others on the table."""

from pactwin.sim.pictures.studio import Background
from pactwin.sim.portraits.generate import (
    Portrait,
    PortraitRequest,
    asset_sources,
    draw_portrait,
    draw_portraits,
    kind_names_of,
)

__all__ = [
    "Background",
    "Portrait",
    "PortraitRequest",
    "asset_sources",
    "draw_portrait",
    "draw_portraits",
    "kind_names_of",
]
