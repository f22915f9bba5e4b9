"""Pictures of objects for their own sake: alone on a turntable, and among others on the table."""

from pactwin.sim.pictures.studio import Background
from pactwin.sim.stills.generate import (
    StillRequest,
    asset_sources,
    draw_still,
    draw_stills,
    kind_names_of,
)

__all__ = [
    "Background",
    "StillRequest",
    "asset_sources",
    "draw_still",
    "draw_stills",
    "kind_names_of",
]
