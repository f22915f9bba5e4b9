"""Built-in kinds of objects: each is built from parameters that a seeded generator draws."""

from pactwin.sim.objects.kinds.building import build_kind, kind_names

__all__ = ["build_kind", "kind_names"]
