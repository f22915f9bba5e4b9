"""Tools of plumbers."""

import numpy as np

from pactwin.sim.objects.kinds.parts import Builder, BuiltParts, built
from pactwin.sim.objects.lathe import lathe
from pactwin.sim.objects.primitives import shifted, tube, xy
from pactwin.sim.objects.tools.shapes import (
    BRASS,
    bar,
    black,
    can,
    dye,
    flat,
    iron,
    lying,
    made_of,
    marked,
    pin,
    spun,
    steel,
    wooden,
)


def _pump_pliers(rng: np.random.Generator) -> BuiltParts:
    color, rgba = dye(rng)
    upper = flat("-64 30, -52 38, -14 30, 10 22, 50 6, 46 -10, 20 -2, -20 12, -36 14, -58 18", 9)
    lower = flat("-60 0, -52 -2, -38 2, -18 -2, -4 -16, -22 -24, -46 -18", 9)
    top = tube([(x / 1000, y / 1000, 0.0) for x, y in ((40, -4), (90, -20), (180, -34))], 0.015)
    under = tube(
        [(x / 1000, y / 1000, 0.0) for x, y in ((-8, -14), (20, -34), (70, -62), (160, -84))], 0.015
    )
    slots = marked(pin(6, -4.8, 4.8, x, y) for x, y in ((6, 8), (17, 4), (28, 0)))
    return lying(
        color,
        steel("jaws", upper, lower, shade=0.75),
        black("jaws", slots, of="steel"),
        made_of("grips", "rubber", rgba, top, under),
        steel("pivot", pin(14, -7, 7, -6, -6), bar("-6 -8 0, 8 2 0", 8)),
    )


def _pipe_cutter(rng: np.random.Generator) -> BuiltParts:
    color, rgba = dye(rng)
    frame = flat(
        "-14 34, -20 -2, -14 -30, 26 -34, 30 -20, 4 -18, -4 -8, -4 18, 2 26, 60 26, 60 36", 18
    )
    rollers = [pin(15, -8, 8, 14, y) for y in (-14,)] + [pin(15, -8, 8, 30, -24)]
    wheel = pin(24, -1.5, 1.5, 14, 8)
    slide = flat("2 8, 30 8, 30 20, 2 20", 14)
    knob_parts = (*spun("58 6, 62 15, 84 16, 90 14"),)
    return lying(
        color,
        made_of("frame", "aluminium", rgba, frame),
        steel("rollers", rollers, shade=0.8),
        steel("wheel", wheel),
        steel("slide", slide, bar("28 16 0, 62 22 0", 9), shade=0.65),
        black("knob", shifted(knob_parts, y=0.026)),
    )


def _plunger(rng: np.random.Generator) -> BuiltParts:
    cup = lathe([(r, z) for r, z in xy("62 0, 64 6, 60 24, 46 44, 24 56, 16 60, 15 78")])
    stick = bar("0 0 70, 0 0 250", 20)
    return built(
        "red", made_of("cup", "rubber", (0.62, 0.12, 0.10, 1.0), cup), wooden("handle", stick)
    )


def _blowtorch(rng: np.random.Generator) -> BuiltParts:
    color, rgba = dye(rng)
    neck = (*bar("0 0 146, 0 0 176", 22), *bar("0 0 172, 40 0 190", 9))
    nozzle = bar("38 0 189, 92 0 213", 19)
    valve = (*bar("0 12 165, 0 34 165", 8), *bar("0 32 165, 0 42 165", 22))
    return built(
        color,
        can("can", rgba, "34 0, 36 4, 36 120, 30 134, 16 140, 14 150"),
        steel("nozzle", nozzle, shade=0.8),
        made_of("head", "brass", BRASS, neck),
        black("valve", valve),
    )


def _basin_wrench(rng: np.random.Generator) -> BuiltParts:
    jaw = flat("0 -16, 6 -18, 16 -8, 12 4, 16 16, 6 22, 2 18, 6 6, 4 -4", 10)
    return lying(
        "silver",
        iron("jaw", jaw),
        steel("stem", bar("12 2 0, 250 2 0", 11)),
        steel("bar", bar("244 -42 0, 244 46 0", 8), shade=0.8),
    )


TOOLS: dict[str, Builder] = {
    "water_pump_pliers": _pump_pliers,
    "pipe_cutter": _pipe_cutter,
    "plunger": _plunger,
    "blowtorch": _blowtorch,
    "basin_wrench": _basin_wrench,
}
