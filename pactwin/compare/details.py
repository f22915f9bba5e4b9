"""Details of constraint answers that the report shows beside scores and tests."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pactwin.compare.confusion import ConfusionMatrix, confusions
from pactwin.compare.dependence import QUANTITIES, Curve, SceneKey, dependence
from pactwin.compare.errors_made import TwinTable, twin_tables
from pactwin.compare.joint_views import joint_gains
from pactwin.compare.paired import PairedTest
from pactwin.suite import Scene
from pactwin.tasks import AnswerRow


@dataclass(frozen=True)
class ConstraintDetails:
    """``curves`` are by quantity, each with its description; ``models`` in the page's order."""

    twins: list[TwinTable]
    gains: list[PairedTest]
    reasons: list[ConfusionMatrix]
    curves: dict[str, list[Curve]]
    pairs_needed: int | None


def constraint_details(
    rows: Sequence[AnswerRow],
    scenes: Mapping[SceneKey, Scene],
    models: Sequence[str],
    tests: Sequence[PairedTest],
) -> ConstraintDetails:
    """Collect the details; ``tests`` between models yield the number of pairs needed."""

    def place(of_model: TwinTable | ConfusionMatrix | Curve) -> int:
        return models.index(of_model.model)

    curves = sorted(dependence(rows, scenes), key=place)
    return ConstraintDetails(
        twins=sorted(twin_tables(rows), key=place),
        gains=joint_gains(rows),
        reasons=sorted(confusions(rows), key=place),
        curves={
            text: [curve for curve in curves if curve.quantity == quantity]
            for quantity, text in QUANTITIES.items()
            if any(curve.quantity == quantity for curve in curves)
        },
        pairs_needed=max((t.pairs_needed for t in tests if t.pairs_needed), default=None),
    )
