"""The provider ``pactwin``: one name per baseline, one way to answer per kind of question."""

import hashlib
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
from inspect_ai.model import GenerateConfig, modelapi

from pactwin.perception import open3d
from pactwin.solvers.baselines import constraints, objects, uses
from pactwin.solvers.baselines.detector import detector
from pactwin.solvers.baselines.geometry import geometry
from pactwin.solvers.baselines.shortcut import shortcut
from pactwin.solvers.prompts import BY_FORM
from pactwin.solvers.question_ref import QuestionRef
from pactwin.solvers.record_backed import RecordBackedModel
from pactwin.solvers.replies.text import visible_text
from pactwin.solvers.replies.yes_no import read_yes_no
from pactwin.suite import InvalidInputError, Question, unknown_name

PROVIDER = "pactwin"

Answering = Callable[[QuestionRef, Question, np.random.Generator], str]
"""A baseline's reply; seed, question, view and epoch fix the generator."""

BASELINES: Mapping[str, Mapping[str, Answering]] = {
    "always-no": dict.fromkeys(BY_FORM, constraints.always_no),
    "always-yes": dict.fromkeys(BY_FORM, constraints.always_yes),
    "random": {
        **dict.fromkeys(BY_FORM, constraints.random),
        "property": objects.random_category,
        **dict.fromkeys(("affordance", *objects.LISTS), objects.random_names),
        "creative_use": uses.random_part,
    },
    "blind": {
        "constraint": constraints.blind,
        "property": objects.blind_category,
        **dict.fromkeys(("affordance", *objects.LISTS), objects.blind_names),
    },
    "shortcut": {"constraint": shortcut},
    "familiar": {"creative_use": uses.familiar_part},
    "geometry": {"constraint": geometry},
    "detector": {"recognition": detector},
    "oracle": {
        **dict.fromkeys(BY_FORM, constraints.oracle),
        "property": objects.oracle_category,
        **dict.fromkeys(("affordance", *objects.LISTS), objects.oracle_names),
        "creative_use": uses.oracle_part,
    },
}


OPTIONS: Mapping[str, Mapping[str, type]] = {
    "shortcut": {"found_on": str},
    "familiar": {"found_on": str},
    "geometry": {"masks": bool, "detections": str, "depth_sensor": str},
    "detector": {"detections": str, "threshold": float},
}
"""Model arguments of each baseline besides ``seed``, with their types."""


def refuse_unable_baseline(name: str, kind: str) -> None:
    """Raise InvalidInputError if the baseline ``name`` cannot answer questions of ``kind``."""
    if kind not in BASELINES[name]:
        able = [f"{PROVIDER}/{other}" for other, kinds in BASELINES.items() if kind in kinds]
        raise InvalidInputError(
            f"{PROVIDER}/{name} cannot answer questions of kind {kind}: use {', '.join(able)}"
        )


@modelapi(name=PROVIDER)
class Baseline(RecordBackedModel):
    """The provider ``pactwin``; its models are the names in ``BASELINES``.

    Model arguments (``-M seed=1``): ``seed`` is that of ``random``; ``found_on`` is the suite from
    whose pairs ``shortcut`` learns its rules, or whose tasks ``familiar`` knows; the others belong
    to ``geometry`` and ``detector``. Raises InvalidInputError for an unknown baseline, or an
    argument that it does not accept; EnvironmentFaultError for ``geometry`` without Open3D.
    """

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008 - Inspect's own signature
        seed: int = 0,
        **model_args: Any,
    ) -> None:
        if model_name not in BASELINES:
            names = [f"{PROVIDER}/{name}" for name in BASELINES]
            raise unknown_name("baseline", f"{PROVIDER}/{model_name}", names)
        options = OPTIONS.get(model_name, {})
        for name, value in model_args.items():
            if name not in options:
                raise InvalidInputError(
                    f"{PROVIDER}/{model_name} takes no model argument {name!r}: only "
                    f"{' and '.join(('seed', *options))}"
                )
            if not isinstance(value, options[name]):
                raise InvalidInputError(
                    f"{name} of {PROVIDER}/{model_name} is {value!r}: give a "
                    f"{options[name].__name__}"
                )
        if model_name == "geometry":
            open3d()  # what is missing is missing for every question: said before the first
        super().__init__(model_name, base_url, api_key, [], config)
        self.seed = seed
        self.replies = dict(BASELINES[model_name])
        if model_args:
            self.replies = {
                kind: partial(reply, **model_args) for kind, reply in self.replies.items()
            }

    def reply(self, asked: QuestionRef, question: Question) -> str:
        """The baseline's reply; InvalidInputError for a kind that it cannot answer.

        If asked for a probability it is certain, except ``random``, which says one half.
        """
        refuse_unable_baseline(self.model_name, question.kind)
        again = f":{asked.epoch}" if asked.epoch > 1 else ""
        key = f"{self.seed}:{asked.question_id}:{asked.view}{again}".encode()
        rng = np.random.default_rng(int.from_bytes(hashlib.sha256(key).digest()[:8], "big"))
        said = self.replies[question.kind](asked, question, rng)
        if not asked.confidence:
            return said
        coin = self.model_name == "random"
        certain = 100 if read_yes_no(visible_text(said)) is True else 0
        return f"{said}\nProbability: {50 if coin else certain}"
