"""Stop a run within its budget, through Inspect's early stopping.

A question is asked only if the money spent, the expected cost of questions under way and its own
expected cost stay within the budget; it waits for questions under way if only these prevent it. So
a run stays below its budget as long as replies do not become more expensive. Answers are kept, and
``--resume`` continues.
"""

import anyio
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalSpec
from inspect_ai.scorer import SampleScore
from inspect_ai.util import EarlyStop
from pydantic import JsonValue

_PATIENCE_S = 0.05


class SharedBudget:
    """Budget in dollars, shared by all models of a run."""

    def __init__(self, budget_usd: float) -> None:
        self.budget_usd = budget_usd
        self.spent_usd = 0.0
        self.reserved_usd = 0.0
        self.under_way = 0

    def can_reserve(self, usd: float) -> bool:
        """Return whether ``usd`` more can be reserved."""
        return self.spent_usd + self.reserved_usd + usd <= self.budget_usd


class Budget:
    """Early stopping for one model whose questions cost an estimated ``each_usd``."""

    def __init__(self, shared: SharedBudget, each_usd: float) -> None:
        self.shared = shared
        self.left_out = 0
        self._estimated_usd = each_usd
        self._spent_usd = 0.0
        self._done = 0
        self._reserved: dict[tuple[str | int, int], float] = {}

    def paid(self, usd: float) -> None:
        """Record that a call to this model cost ``usd``."""
        self._spent_usd += usd
        self.shared.spent_usd += usd

    async def start_task(self, task: EvalSpec, samples: list[Sample], epochs: int) -> str:
        """Name of this early stopping in the log."""
        return "pactwin/max_cost"

    async def schedule_sample(self, id: str | int, epoch: int) -> EarlyStop | None:
        """Reserve money for a question, or skip it."""
        while not self.shared.can_reserve(self._expected_usd()):
            if self.shared.under_way == 0:
                self.left_out += 1
                return EarlyStop(id=id, epoch=epoch, reason="the budget of --max-cost is used up")
            await anyio.sleep(_PATIENCE_S)
        self._reserved[id, epoch] = self._expected_usd()
        self.shared.reserved_usd += self._reserved[id, epoch]
        self.shared.under_way += 1
        return None

    async def complete_sample(
        self, id: str | int, epoch: int, scores: dict[str, SampleScore]
    ) -> None:
        """Release the reservation; actual costs are counted call by call."""
        if (id, epoch) in self._reserved:
            self._done += 1
            self.shared.under_way -= 1
            self.shared.reserved_usd -= self._reserved.pop((id, epoch))

    async def complete_task(self) -> dict[str, JsonValue]:
        """Metadata for the log."""
        return {"budget_usd": self.shared.budget_usd, "left_out": self.left_out}

    def _expected_usd(self) -> float:
        """Expected cost of a question: the estimate, or the mean so far if that is higher."""
        return max(self._estimated_usd, self._spent_usd / max(1, self._done))
