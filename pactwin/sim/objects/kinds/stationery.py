"""What lies on a desk."""

from math import cos, pi, sin

import numpy as np

from pactwin.sim.objects.kinds.drafts import (
    INK,
    ON_X,
    PAPER,
    STEEL,
    WHITE,
    Draft,
    chance,
    dyed,
    shaded,
)
from pactwin.sim.objects.kinds.forms import (
    Parts,
    around,
    box,
    disc,
    frustum,
    hull,
    lathe,
    made_of,
    painted,
    pipe,
    prism,
    rod,
    shifted,
    tube,
    turned,
    unseen,
    vessel,
)
from pactwin.sim.scene.layout import Part

_LINES = (0.55, 0.66, 0.85, 1.0)


def pen(rng: np.random.Generator) -> Draft:
    """A ball pen with clip and button, lying."""
    color, rgba = dyed(rng, "blue", "red", "black", "green")
    cone = frustum(0.0026, 0.009, 0.006, 0.024)
    parts = (
        *made_of("tip", "brass", (0.82, 0.66, 0.32, 1.0), frustum(0.001, 0.0026, 0.0, 0.006)),
        *made_of("barrel", "hollow_plastic", STEEL, cone),
        *made_of("barrel", "hollow_plastic", rgba, disc(0.010, 0.054, 0.134)),
        *made_of("barrel", "hollow_plastic", (0.16, 0.16, 0.17, 1.0), disc(0.0104, 0.024, 0.054)),
        *made_of(
            "barrel",
            "hollow_plastic",
            (0.05, 0.05, 0.05, 1.0),
            *painted(*(disc(0.0107, z, z + 0.001) for z in np.linspace(0.028, 0.05, 6).tolist())),
        ),
        *made_of(
            "clip",
            "steel",
            STEEL,
            *painted(disc(0.0104, 0.082, 0.087)),
            disc(0.005, 0.134, 0.145),
            box((0.0014, 0.004, 0.042), (0.0072, 0.0, 0.114)),
            box((0.004, 0.004, 0.004), (0.0055, 0.0, 0.132)),
        ),
    )
    return Draft(parts, color, "on_side", ON_X)


def marker(rng: np.random.Generator) -> Draft:
    """A felt marker lying, with its cap on or without."""
    color, rgba = dyed(rng, "blue", "red", "green", "black", "orange", "purple")
    closed = chance(rng, 0.6)
    label = (disc(0.0184, 0.072, 0.115),)
    cap = (
        *pipe([(0.009, 0.0), (0.009, 0.045)], 0.0012),
        disc(0.018, -0.002, 0.0),
        box((0.0025, 0.005, 0.036), (0.0098, 0.0, 0.022)),
    )
    parts = (
        *made_of(
            "barrel", "hollow_plastic", WHITE, disc(0.018, 0.045, 0.135), disc(0.0145, 0.025, 0.045)
        ),
        *made_of("barrel", "hollow_plastic", WHITE, frustum(0.008, 0.0125, 0.013, 0.025)),
        *made_of("barrel", "hollow_plastic", rgba, *painted(*label, disc(0.0182, 0.133, 0.1354))),
        *made_of("barrel", "hollow_plastic", INK, *painted(disc(0.0185, 0.088, 0.092))),
        *made_of(
            "tip", "felt", rgba if color != "black" else INK, frustum(0.003, 0.006, 0.003, 0.013)
        ),
        *(made_of("cap", "hollow_plastic", rgba, *cap) if closed else ()),
    )
    return Draft(parts, color, "on_side, closed" if closed else "on_side, open", ON_X)


def marker_cap(rng: np.random.Generator) -> Draft:
    """The cap of a marker, its open end up."""
    color, rgba = dyed(rng, "blue", "red", "green", "orange", "purple")
    clip = (
        box((0.0025, 0.005, 0.034), (0.0110, 0.0, 0.024)),
        box((0.003, 0.005, 0.004), (0.0095, 0.0, 0.007)),
    )
    ribs = around(12, box((0.0008, 0.0015, 0.010), (0.0091, 0.0, 0.007)))
    parts = made_of(
        "body",
        "plastic",
        rgba,
        *vessel([(0.0085, 0.0), (0.009, 0.001), (0.009, 0.045)], 0.0015, 0.002),
        *clip,
        *painted(*ribs),
    )
    return Draft(parts, color, "upright, empty")


def notepad(rng: np.random.Generator) -> Draft:
    """A spiral pad of lined paper, its cover turned under."""
    color, rgba = dyed(rng, "blue", "red", "yellow", "green", "black")
    x, y, z = 0.105, 0.148, 0.010
    lines = [
        box((0.9 * x, 0.0007, 0.0002), (0.0, at, z))
        for at in np.linspace(-0.45 * y, 0.36 * y, 17).tolist()
    ]
    margin = box((0.0007, 0.92 * y, 0.0002), (-0.36 * x, -0.02 * y, z))
    rings: Parts = ()
    for at in np.linspace(-0.44 * x, 0.44 * x, 13).tolist():
        loop = [
            (at, 0.5 * y + 0.0045 * cos(t), 0.005 + 0.0075 * sin(t))
            for t in np.linspace(0, 2 * pi, 9).tolist()
        ]
        rings += tube(loop, 0.0013)
    parts = (
        *made_of("cover", "board", rgba, box((x, y, 0.0012), (0.0, 0.0, 0.0006))),
        *made_of(
            "pages",
            "paper",
            PAPER,
            box((x - 0.001, y - 0.001, z - 0.0012), (0.0, 0.0, z / 2 + 0.0006)),
        ),
        *made_of("pages", "paper", _LINES, *painted(*lines)),
        *made_of("pages", "paper", (0.85, 0.35, 0.35, 1.0), *painted(margin)),
        *made_of(
            "pages",
            "paper",
            INK,
            *painted(
                *(
                    disc(0.003, z, z + 0.0002, at, 0.47 * y)
                    for at in np.linspace(-0.44 * x, 0.44 * x, 13).tolist()
                )
            ),
        ),
        *made_of("spiral", "steel", STEEL, *painted(*rings)),
    )
    return Draft(parts, color, "upright, closed")


def book(rng: np.random.Generator) -> Draft:
    """A closed hardback with a title on its cover and bands on its spine."""
    color, rgba = dyed(rng, "red", "blue", "green", "brown", "purple", "black")
    gold = (0.86, 0.72, 0.38, 1.0)
    x, y, z, board = 0.14, 0.21, 0.025, 0.003
    spine = [
        (-x / 2 - 0.004 * cos(t), z / 2 + 0.98 * z / 2 * sin(t))
        for t in np.linspace(-pi / 2, pi / 2, 9).tolist()
    ]
    back = hull([(px, s * y / 2, pz) for px, pz in spine for s in (-1, 1)])
    title = [
        box((0.075, 0.008, 0.0003), (0.004, 0.055, z)),
        box((0.055, 0.008, 0.0003), (0.004, 0.036, z)),
        box((0.04, 0.004, 0.0003), (0.004, -0.07, z)),
    ]
    frame = [box((0.118, 0.0015, 0.0003), (0.004, s * 0.093, z)) for s in (-1, 1)] + [
        box((0.0015, 0.186, 0.0003), (0.004 + s * 0.059, 0.0, z)) for s in (-1, 1)
    ]
    bands = [
        hull([(px * 1.004, py + d, pz) for px, pz in spine for d in (-0.002, 0.002)])
        for py in (-0.08, -0.06, 0.06, 0.08)
    ]
    leaves = [
        box((0.0003, y - 0.008, 0.0004), (x / 2 - 0.0044, 0.0, h))
        for h in np.linspace(0.005, z - 0.005, 7).tolist()
    ]
    parts = (
        *made_of(
            "cover",
            "board",
            rgba,
            box((x, y, board), (0.0, 0.0, board / 2)),
            box((x, y, board), (0.0, 0.0, z - board / 2)),
            back,
        ),
        *made_of("print", "print", gold, *painted(*title, *frame, *bands)),
        *made_of(
            "pages",
            "paper",
            PAPER,
            box((x - 0.007, y - 0.008, z - 2 * board), (-0.001, 0.0, z / 2)),
        ),
        *made_of("pages", "paper", shaded(PAPER, 0.8), *painted(*leaves)),
    )
    return Draft(parts, color, "upright, closed")


def ruler(rng: np.random.Generator) -> Draft:
    """A ruler of 30 cm with its marks."""
    color, rgba = dyed(rng, "yellow", "orange", "white", "green")
    long, wide, thick = 0.31, 0.03, 0.003
    marks = []
    for k in range(61):
        length = 0.010 if k % 10 == 0 else 0.0075 if k % 2 == 0 else 0.004
        marks.append(
            box((0.0007, length, 0.0002), (0.005 * k - 0.15, wide / 2 - length / 2 - 0.0003, thick))
        )
    digits = [box((0.0035, 0.0045, 0.0002), (0.01 * k - 0.15, -0.001, thick)) for k in range(31)]
    parts = (
        *made_of(
            "body",
            "plastic",
            rgba,
            prism(
                [
                    (-long / 2, -wide / 2),
                    (long / 2, -wide / 2),
                    (long / 2, wide / 2),
                    (-long / 2, wide / 2),
                ],
                0.0,
                thick,
            ),
        ),
        *made_of("body", "plastic", INK, *painted(*marks)),
        *made_of("body", "plastic", shaded(rgba, 0.45), *painted(*digits)),
    )
    return Draft(parts, color)


def glue_stick(rng: np.random.Generator) -> Draft:
    """A capped glue stick with a knob to turn at its foot."""
    _, cap = dyed(rng, "yellow", "red", "orange")
    color, rgba = dyed(rng, "white", "blue", "green")
    ribs = around(20, box((0.001, 0.002, 0.009), (0.0121, 0.0, 0.006)))
    parts = (
        *made_of("body", "plastic", shaded(cap, 0.85), disc(0.0235, 0.0, 0.011), *painted(*ribs)),
        *made_of(
            "body", "plastic", rgba, *vessel([(0.0125, 0.011), (0.0125, 0.068)], 0.0015, 0.003)
        ),
        *made_of("body", "plastic", shaded(cap, 1.0), *painted(disc(0.0254, 0.028, 0.040))),
        *made_of("body", "plastic", INK, *painted(disc(0.0255, 0.046, 0.049))),
        *made_of("contents", "glue", WHITE, *unseen(disc(0.021, 0.015, 0.064))),
        *made_of(
            "cap",
            "plastic",
            cap,
            *pipe([(0.0135, 0.060), (0.0135, 0.092)], 0.0012),
            *lathe([(0.0135, 0.092), (0.012, 0.095)]),
        ),
    )
    return Draft(parts, color, "upright, closed, filled")


def tape_roll(rng: np.random.Generator) -> Draft:
    """A roll of packing tape lying flat, its end lifted."""
    color, rgba = (("brown", (0.70, 0.50, 0.26, 1.0)), ("clear", (0.88, 0.84, 0.70, 1.0)))[
        int(rng.integers(2))
    ]
    d, hole, high = 0.105, 0.076, 0.048
    roll = pipe([(d / 2, 0.0), (d / 2, high)], (d - hole) / 2 - 0.003)
    core = pipe([(hole / 2 + 0.003, -0.0003), (hole / 2 + 0.003, high + 0.0003)], 0.003)
    lifted = hull(
        (x, y, z)
        for z in (0.0005, high - 0.0005)
        for x, y in (
            (d / 2 - 0.0006, 0.0),
            (d / 2, 0.0),
            (d / 2 + 0.004, 0.022),
            (d / 2 + 0.0044, 0.022),
        )
    )
    rings = [
        pipe([(r, high - 0.0005), (r, high + 0.0002)], 0.0005)[0] for r in (0.0435, 0.046, 0.0485)
    ]
    parts = (
        *made_of("tape", "adhesive_tape", rgba, *roll, lifted),
        *made_of("tape", "adhesive_tape", shaded(rgba, 0.7), *painted(*rings)),
        *made_of("core", "cardboard", (0.86, 0.74, 0.56, 1.0), *core),
    )
    return Draft(parts, color)


def scissors(rng: np.random.Generator) -> Draft:
    """Scissors lying flat, a little open."""
    color, rgba = dyed(rng, "red", "blue", "orange", "green", "black")
    blade = [(0.006, -0.098), (0.008, -0.03), (0.009, 0.012), (-0.006, 0.012), (-0.005, -0.02)]
    turns = np.linspace(-pi, pi, 19).tolist()
    loop = [(0.019 + 0.016 * cos(t), 0.067 + 0.027 * sin(t), 0.006) for t in turns]
    neck = tube([(0.001, 0.004, 0.006), (0.005, 0.03, 0.006), (0.012, 0.047, 0.006)], 0.011)
    handle = made_of("handles", "plastic", rgba, *neck, *tube(loop, 0.0095))
    below = made_of("blades", "steel", shaded(STEEL, 1.05), prism(blade, 0.004, 0.006))
    above = made_of("blades", "steel", shaded(STEEL, 0.92), prism(blade, 0.004, 0.006))
    one = turned((*below, *handle), (0, 0, 1), 7.0)
    other = turned(turned((*above, *handle), (0, 1, 0), 180.0), (0, 0, 1), -7.0)
    pin = made_of("blades", "steel", shaded(STEEL, 0.6), disc(0.008, 0.002, 0.0105))
    return Draft((*one, *shifted(other, z=0.012), *pin), color, "upright, closed")


def stapler(rng: np.random.Generator) -> Draft:
    """A desk stapler, its arm a little raised."""
    color, rgba = dyed(rng, "red", "blue", "black", "green")
    arm = [
        (-0.070, 0.026),
        (-0.066, 0.020),
        (0.072, 0.029),
        (0.074, 0.036),
        (0.066, 0.047),
        (-0.040, 0.052),
        (-0.064, 0.046),
    ]
    base = [(-0.075, 0.0), (0.075, 0.0), (0.075, 0.003), (-0.075, 0.004)]
    steel = [(-0.060, 0.017), (0.071, 0.022), (0.071, 0.026), (-0.060, 0.021)]

    cheek = [(-0.072, 0.004), (-0.05, 0.004), (-0.05, 0.03), (-0.06, 0.036), (-0.072, 0.03)]

    def standing(outline: list[tuple[float, float]], wide: float, y: float = 0.0) -> Part:
        return hull((x, y + s * wide / 2, z) for x, z in outline for s in (-1, 1))

    cheeks = (standing(cheek, 0.002, y) for y in (-0.0165, 0.0165))
    pivot = rod((-0.062, -0.0195, 0.026), (-0.062, 0.0195, 0.026), 0.008)
    anvil = box((0.018, 0.016, 0.0012), (0.062, 0.0, 0.0052))
    parts = (
        *made_of("base", "steel", (0.22, 0.23, 0.25, 1.0), standing(base, 0.038), *cheeks),
        *made_of("base", "steel", STEEL, *painted(anvil)),
        *made_of("jaw", "steel", STEEL, standing(steel, 0.016), pivot),
        *made_of(
            "cover",
            "hollow_plastic",
            rgba if color != "black" else (0.16, 0.16, 0.17, 1.0),
            standing(arm, 0.030),
        ),
    )
    return Draft(parts, color, "upright, closed")
