"""Which views can answer a question: the floor every asked view must pass."""

from pactwin.suite.records import Scene, View

MIN_PIXELS = 600
MIN_FRACTION = 0.30
MIN_LINE_PIXELS = 24
MIN_CONTRAST = 8.0
"""What a region's lines need: as long as the side of the smallest object, and plainly an edge."""


def shows(view: View, objects: tuple[str, ...]) -> bool:
    """True if each of ``objects`` has enough pixels and enough of its silhouette in ``view``."""
    seen = [view.visibility[name] for name in objects]
    return all(v.pixels >= MIN_PIXELS and v.fraction >= MIN_FRACTION for v in seen)


def shows_regions(view: View) -> bool:
    """True if every region that has to be seen in ``view`` is plain in it."""
    return all(
        region.pixels >= MIN_LINE_PIXELS and region.contrast >= MIN_CONTRAST
        for region in view.regions.values()
    )


def views_showing(scene: Scene, objects: tuple[str, ...]) -> tuple[str, ...]:
    """Names of the cameras that show each of ``objects`` well enough, in the scene's order."""
    return tuple(view.camera.name for view in scene.views if shows(view, objects))


def all_to_see(scene: Scene, view: View) -> tuple[str, ...]:
    """Names of all objects that ``view`` shows; empty if one of them can barely be seen.

    A view can be asked what there is if it shows every object either well enough or not at all.
    """
    there = tuple(o.name for o in scene.objects if view.visibility[o.name].pixels)
    return there if all(shows(view, (name,)) for name in there) else ()


def answerable_views(scene: Scene, twin: Scene, named: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Names of the cameras that show every deciding object and region well enough in both twins.

    Both twins are asked about in the same views, so that the set of views never tells them apart.
    The order is that of ``scene.views``. They show what else is ``named`` in a question, too.
    """

    def answers(one: Scene, view: View) -> bool:
        return shows(view, (*one.decided.objects, *named)) and shows_regions(view)

    in_twin = {v.camera.name for v in twin.views if answers(twin, v)}
    return tuple(
        v.camera.name for v in scene.views if v.camera.name in in_twin and answers(scene, v)
    )
