"""Views that can answer a question, by minimum visibility."""

from collections.abc import Sequence

from pactwin.suite.records import Scene, View

MIN_PIXELS = 600
MIN_FRACTION = 0.30
MIN_LINE_PIXELS = 24
MIN_CONTRAST = 8.0
"""Minimum contrast of a region's lines, which makes them clear edges."""


def shows(view: View, objects: tuple[str, ...]) -> bool:
    """True if ``view`` shows enough pixels and enough of the silhouette of each of ``objects``."""
    seen = [view.visibility[name] for name in objects]
    return all(v.pixels >= MIN_PIXELS and v.fraction >= MIN_FRACTION for v in seen)


def shows_regions(view: View) -> bool:
    """True if every required region is clearly visible in ``view``."""
    return all(
        region.pixels >= MIN_LINE_PIXELS and region.contrast >= MIN_CONTRAST
        for region in view.regions.values()
    )


def views_showing(scene: Scene, objects: tuple[str, ...]) -> tuple[str, ...]:
    """Names of the cameras that show each of ``objects`` well enough, in the scene's order."""
    return tuple(view.camera.name for view in scene.views if shows(view, objects))


def all_to_see(scene: Scene, view: View) -> tuple[str, ...]:
    """Names of all objects in ``view``; empty if one of them is barely visible.

    Recognition can be asked about a view only if every object is clearly visible or not visible at
    all.
    """
    there = tuple(o.name for o in scene.objects if view.visibility[o.name].pixels)
    return there if all(shows(view, (name,)) for name in there) else ()


def answerable_views(scene: Scene, twin: Scene, named: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Names of the cameras that show every deciding object and region well enough in both twins.

    Both twins are asked about in the same views, so that the set of views does not reveal the
    label. The order is that of ``scene.views``. Objects ``named`` in a question must be visible,
    too.
    """

    in_twin = views_answering((twin,), (*twin.decided.objects, *named))
    here = views_answering((scene,), (*scene.decided.objects, *named))
    return tuple(name for name in here if name in in_twin)


def views_answering(scenes: Sequence[Scene], objects: tuple[str, ...]) -> tuple[str, ...]:
    """Names of the cameras that show ``objects`` and every region well enough in all ``scenes``.

    The order is that of the first scene's views.
    """
    able = [
        [v.camera.name for v in scene.views if shows(v, objects) and shows_regions(v)]
        for scene in scenes
    ]
    return tuple(name for name in able[0] if all(name in names for names in able))
