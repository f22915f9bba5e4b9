"""Pictures of objects for their own sake: alone on a turntable, and among others on the table."""

from pactwin.sim.portraits.generate import (
    Portrait,
    PortraitRequest,
    asset_sources,
    draw_portrait,
    draw_portraits,
    kind_names_of,
)

__all__ = [
    "Portrait",
    "PortraitRequest",
    "asset_sources",
    "draw_portrait",
    "draw_portraits",
    "kind_names_of",
]
