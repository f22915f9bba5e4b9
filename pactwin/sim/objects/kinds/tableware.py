"""What one eats and drinks from."""

from math import cos, sin

import numpy as np

from pactwin.sim.objects.kinds.drafts import (
    INVERTED,
    NATURAL,
    UPRIGHT,
    WOOD,
    Draft,
    chance,
    dyed,
    pale,
    shaded,
)
from pactwin.sim.objects.kinds.forms import (
    arc,
    ball,
    box,
    disc,
    hull,
    lathe,
    made_of,
    mirrored,
    painted,
    tube,
    vessel,
)


def plate(rng: np.random.Generator) -> Draft:
    """A dinner plate with a coloured rim."""
    color, rgba = dyed(rng, "white", "cream", "blue", "green")
    profile = [(0.070, 0.0), (0.078, 0.003), (0.090, 0.012), (0.120, 0.025)]
    parts = (
        *made_of("body", "ceramic", rgba, *vessel(profile, 0.006, 0.005)),
        *made_of("body", "ceramic", shaded(rgba, 0.78), *painted(disc(0.142, 0.005, 0.0053))),
        *made_of("body", "ceramic", rgba, *painted(disc(0.138, 0.005, 0.0056))),
    )
    return Draft(parts, color, "upright, empty")


def cup(rng: np.random.Generator) -> Draft:
    """A drinking cup without a handle, standing or on its head."""
    color, rgba = dyed(rng, "red", "yellow", "blue", "green", "orange", "pink")
    profile = [(0.029, 0.0), (0.0305, 0.002), (0.0385, 0.088), (0.040, 0.090), (0.040, 0.095)]
    over = chance(rng, 0.25)
    parts = made_of("body", "plastic", rgba, *vessel(profile, 0.003, 0.003))
    state = "inverted, empty" if over else "upright, empty"
    return Draft(parts, color, state, INVERTED if over else UPRIGHT)


def mug(rng: np.random.Generator) -> Draft:
    """A mug with a round handle."""
    color, rgba = dyed(rng, "white", "blue", "red", "yellow", "green", "black")
    profile = [(0.036, 0.0), (0.041, 0.004), (0.0425, 0.01), (0.0425, 0.095)]
    bow = [(0.041 + 1.15 * x, 0.0, 0.049 + 1.35 * z) for x, _, z in arc(0.021, -90, 90, 12)]
    parts = (
        *made_of("body", "ceramic", rgba, *vessel(profile, 0.004, 0.005)),
        *made_of("handle", "ceramic", rgba, *tube(bow, 0.0095)),
    )
    return Draft(parts, color, "upright, empty")


def bowl(rng: np.random.Generator) -> Draft:
    """A round bowl on a foot."""
    color, rgba = dyed(rng, "white", "blue", "green", "orange", "cream")
    profile = [(0.033, 0.0), (0.034, 0.005)]
    profile += [
        (0.034 + 0.041 * sin(t), 0.005 + 0.060 * (1 - cos(t))) for t in np.linspace(0.25, 1.571, 7)
    ]
    parts = made_of("body", "ceramic", rgba, *vessel(profile, 0.0045, 0.008))
    return Draft(parts, color, "upright, empty")


def tumbler(rng: np.random.Generator) -> Draft:
    """A tapered drinking glass, clear or tinted."""
    tint = NATURAL["clear"]
    color = "clear"
    if chance(rng, 0.4):
        color, dye = dyed(rng, "blue", "green")
        tint = (*pale(dye)[:3], 0.4)
    profile = [(0.029, 0.0), (0.030, 0.002), (0.0375, 0.120)]
    parts = made_of("body", "glass", tint, *vessel(profile, 0.003, 0.008))
    return Draft(parts, color, "upright, empty")


def tray(rng: np.random.Generator) -> Draft:
    """A wooden serving tray with a rim and two handles."""
    rgba = shaded(WOOD, float(rng.uniform(0.75, 1.15)))
    x, y, wall = 0.40, 0.30, 0.008
    rim = (
        *mirrored(box((x, wall, 0.03), (0.0, (y - wall) / 2, 0.015))),
        *mirrored(box((wall, y, 0.03), ((x - wall) / 2, 0.0, 0.015))),
    )
    bow = [(x / 2 - 0.004, -0.055, 0.028), (x / 2 - 0.004, -0.045, 0.045)]
    bow += [(px, -py, pz) for px, py, pz in reversed(bow)]
    parts = (
        *made_of(
            "body",
            "wood",
            shaded(rgba, 1.08),
            box((x - 0.002, y - 0.002, 0.006), (0.0, 0.0, 0.003)),
        ),
        *made_of("body", "wood", shaded(rgba, 0.8), *rim),
        *made_of("body", "wood", shaded(rgba, 0.6), *mirrored(*tube(bow, 0.01))),
    )
    return Draft(parts, "brown", "upright, empty")


def coaster(rng: np.random.Generator) -> Draft:
    """A round cork coaster with a printed ring."""
    cork = (0.80, 0.62, 0.42, 1.0)
    dots = rng.uniform(-0.042, 0.042, (60, 2))
    grains = [disc(0.0022, 0.006, 0.0061, x, y) for x, y in dots.tolist() if x * x + y * y < 0.0018]
    parts = (
        *made_of(
            "body",
            "cork",
            cork,
            *lathe([(0.0465, 0.0), (0.0475, 0.001), (0.0475, 0.005), (0.0465, 0.006)]),
        ),
        *made_of("body", "cork", shaded(cork, 0.62), *painted(*grains)),
    )
    return Draft(parts, "beige")


def pitcher(rng: np.random.Generator) -> Draft:
    """A glass jug with a handle and a lip to pour."""
    color, tint = "clear", NATURAL["clear"]
    profile = [
        (0.046, 0.0),
        (0.052, 0.005),
        (0.058, 0.05),
        (0.058, 0.09),
        (0.048, 0.16),
        (0.046, 0.19),
        (0.053, 0.23),
    ]
    bow = [(-0.056, 0.0, 0.19), (-0.085, 0.0, 0.195), (-0.102, 0.0, 0.175), (-0.104, 0.0, 0.14)]
    bow += [(-0.095, 0.0, 0.105), (-0.078, 0.0, 0.08), (-0.054, 0.0, 0.068)]
    bow[0] = (-0.045, 0.0, 0.195)
    lip = hull(
        [
            (0.044, -0.026, 0.229),
            (0.044, 0.026, 0.229),
            (0.048, 0.0, 0.200),
            (0.076, 0.0, 0.236),
            (0.074, -0.006, 0.233),
            (0.074, 0.006, 0.233),
        ]
    )
    parts = (
        *made_of("body", "glass", tint, *vessel(profile, 0.003, 0.006), lip),
        *made_of("handle", "glass", (0.80, 0.88, 0.90, 1.0), *tube(bow, 0.012)),
    )
    return Draft(parts, color, "upright, open, empty")


def teapot(rng: np.random.Generator) -> Draft:
    """A round teapot with lid, spout and handle."""
    color, rgba = dyed(rng, "white", "blue", "red", "green", "yellow")
    belly = np.linspace(-1.05, 1.12, 12)
    profile = [(0.040, 0.0), *((0.070 * cos(t), 0.058 + 0.062 * sin(t)) for t in belly.tolist())]
    profile[1] = (0.040, profile[1][1])
    top = profile[-1][1]
    lid = lathe(
        [(0.034, top - 0.001), (0.033, top + 0.004), (0.018, top + 0.011), (0.006, top + 0.013)]
    )
    spout = [(0.060, 0.0, 0.045), (0.082, 0.0, 0.055), (0.096, 0.0, 0.078), (0.114, 0.0, 0.102)]
    widths = (0.034, 0.026, 0.019, 0.014)
    pieces = [
        hull(
            (x + 0.5 * w * cos(t) * 0.75, 0.5 * w * sin(t), z + 0.5 * w * -cos(t) * 0.6)
            for (x, _, z), w in zip(spout[k : k + 2], widths[k : k + 2], strict=True)
            for t in np.linspace(0, 6.2832, 16, endpoint=False)
        )
        for k in range(3)
    ]
    bow = [(-0.062 - 1.15 * x, 0.0, 0.066 + 1.0 * z) for x, _, z in arc(0.036, -80, 80, 12)]
    parts = (
        *made_of("body", "ceramic", rgba, *vessel(profile, 0.005, 0.006)),
        *made_of(
            "lid", "ceramic", rgba, *lid, ball((0.018, 0.018, 0.016), (0.0, 0.0, top + 0.019))
        ),
        *made_of("spout", "ceramic", rgba, *pieces),
        *made_of("handle", "ceramic", rgba, *tube(bow, 0.011)),
    )
    return Draft(parts, color, "upright, closed, empty")
