"""Twin pairs: drawn, tried until their labels hold, photographed; and tried again later."""

from pactwin.sim.twins.generate import Request, draw_pair, draw_pairs

__all__ = ["Request", "draw_pair", "draw_pairs"]
