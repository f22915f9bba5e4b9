"""Running an evaluation in tests: options of the request and of Inspect side by side."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.model import GenerateConfig

from pactwin.tasks import EvalRequest, Listener, run_eval

# How Inspect colours errors and lays out results that nobody sees takes longer than the questions.
for drawn in ("_util.rich.rich_traceback", "_display.rich.display.tasks_results"):
    pytest.MonkeyPatch().setattr(f"inspect_ai.{drawn}", lambda *_, **__: "")


def evaluate(
    suite: Path | str, models: Sequence[str], listener: Listener | None = None, **options: Any
) -> list[Path]:
    """:func:`run_eval` of the request that ``options`` describe; the rest are Inspect's."""
    own = {key: options.pop(key) for key in list(options) if key in EvalRequest.model_fields}
    config = GenerateConfig(**options)
    return run_eval(
        EvalRequest(suite=Path(suite), models=tuple(models), config=config, **own), listener
    )
