"""Object suites: each scene depends only on the seed, its kind and its number.

The order is: every kind on the turntable, every kind among others on the table, and for built-in
kinds two objects that differ in the property asked about (:mod:`.twins`).
"""

from dataclasses import dataclass, replace
from functools import partial

from pydantic import JsonValue

from pactwin.sim.generation.configs import SuiteConfig
from pactwin.sim.generation.objects.sources import SOURCES, OwnModels, source_of
from pactwin.sim.generation.objects.twins import Difference, differences
from pactwin.sim.generation.sampling import SceneBatch, batch_seeds, sample_until_accepted
from pactwin.sim.rendering.studio import Background

_MAX_DRAWS = 60


@dataclass(frozen=True, kw_only=True)
class ObjectSuiteConfig(SuiteConfig):
    """Settings that determine an object suite's content: ``kinds`` of the source ``assets``.

    ``assets`` is the name of a source, or a user's folder of models.
    """

    kinds: tuple[str, ...]
    assets: str | OwnModels
    background: Background

    @property
    def scenes(self) -> int:
        """Total number of scenes."""
        return 2 * (len(self.kinds) + len(self.differences))

    @property
    def differences(self) -> tuple[tuple[Difference, str], ...]:
        """Differences between two objects of one kind, each with the kind."""
        return differences(self.kinds) if self.assets == "builtin" else ()

    @property
    def source_name(self) -> str:
        """Name of the source; any folder of the user's is called ``own``."""
        return "own" if isinstance(self.assets, OwnModels) else self.assets

    def record(self) -> dict[str, JsonValue]:
        """The settings as JSON for the suite's header."""
        own = {"models": self.assets.sha256} if isinstance(self.assets, OwnModels) else {}
        return super().record() | {"assets": self.source_name} | own


def asset_sources() -> tuple[str, ...]:
    """Names of the sources of objects."""
    return SOURCES


def kind_names_of(assets: str | OwnModels) -> tuple[str, ...]:
    """Names of the kinds in a source."""
    return source_of(assets).names()


def render_object_scene(request: ObjectSuiteConfig, index: int) -> SceneBatch:
    """Draw scene ``index``; on the table, until an arrangement is accepted.

    Raises EnvironmentFaultError if 60 draws were all rejected.
    """
    from pactwin.sim.generation.objects.scenes import on_table, on_turntable, twins_on_table

    turn, number = divmod(index, len(request.kinds))
    if turn < 2:
        kind = request.kinds[number]
        draw = partial(on_table if turn else on_turntable, request, kind)
        seeds = batch_seeds(request.seed, f"{request.source_name}/{kind}", turn, _MAX_DRAWS)
        return sample_until_accepted(draw, seeds, f"picture of a {kind!r} at {request.size} px")
    pair, which = divmod(index - 2 * len(request.kinds), 2)
    difference, kind = request.differences[pair]
    seeds = batch_seeds(request.seed, f"{difference.name}/{kind}", 0, _MAX_DRAWS)
    twins = partial(twins_on_table, request, difference, kind)
    both = sample_until_accepted(twins, seeds, f"two of {kind!r}, {difference.name},")
    scene = both.scenes[which]
    paths = [path for view in scene.views for path in (view.image, view.depth, view.mask) if path]
    return replace(both, scenes=(scene,), files={path: both.files[path] for path in paths})
