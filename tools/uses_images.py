"""Draws the film strips of docs/uses.md anew: ``python tools/uses_images.py [USE...]``.

Above, what serves; below, what does not, for each of its causes. Takes a minute or two on a
processor. Look at all of them before they are committed.
"""

import sys
from pathlib import Path

import numpy as np
from PIL import Image

from pactwin.sim import ensure_gl, film_use, use_names
from pactwin.sim.scene.layout import Item
from pactwin.sim.uses import load_use
from pactwin.sim.uses.base import Use
from pactwin.sim.uses.deciding import parts_of
from pactwin.sim.uses.things import recolored

IMAGES = Path(__file__).parents[1] / "docs" / "images" / "uses"
SEED, FRAMES, SIZE = 4, 5, (200, 150)


def strip(use: Use, thing: Item) -> np.ndarray | None:
    """Film of the part that does best, (h, n w, 3); None if there is no room for the thing."""
    blue = recolored(thing, "blue", thing.name, thing.category)
    films = [film_use(use, blue, part, FRAMES, SIZE) for part in reversed(parts_of(use, blue))]
    pictures = max((film for film in films if film[1]), key=lambda film: film[0], default=(0, []))[
        1
    ]
    return np.hstack(pictures) if pictures else None


def main(names: list[str]) -> None:
    """Draw those of ``names``."""
    ensure_gl()
    IMAGES.mkdir(exist_ok=True)
    for name in names:
        drawn = [load_use(name).draw(np.random.default_rng(SEED), c) for c in load_use(name).causes]
        use, things = drawn[0]
        rows = [strip(use, thing) for thing in (things.serving, *(t.failing for _, t in drawn))]
        path = IMAGES / f"{name}.webp"
        Image.fromarray(np.vstack([row for row in rows if row is not None])).save(
            path, quality=70, method=6
        )
        print(path, f"{path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main(sys.argv[1:] or list(use_names()))
