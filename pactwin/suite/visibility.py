"""Which views can answer a question: the floor every asked view must pass."""

from pactwin.suite.records import Scene, View

MIN_PIXELS = 600
MIN_FRACTION = 0.30


def shows(view: View, objects: tuple[str, ...]) -> bool:
    """True if each of ``objects`` has enough pixels and enough of its silhouette in ``view``."""
    seen = [view.visibility[name] for name in objects]
    return all(v.pixels >= MIN_PIXELS and v.fraction >= MIN_FRACTION for v in seen)


def views_showing(scene: Scene, objects: tuple[str, ...]) -> tuple[str, ...]:
    """Names of the cameras that show each of ``objects`` well enough, in the scene's order."""
    return tuple(view.camera.name for view in scene.views if shows(view, objects))


def answerable_views(scene: Scene, twin: Scene) -> tuple[str, ...]:
    """Names of the cameras that show every deciding object well enough in both twins.

    Both twins are asked about in the same views, so that the set of views never tells them apart.
    The order is that of ``scene.views``.
    """
    in_twin = {v.camera.name for v in twin.views if shows(v, twin.decided.objects)}
    return tuple(
        v.camera.name
        for v in scene.views
        if v.camera.name in in_twin and shows(v, scene.decided.objects)
    )
