"""Questions: frozen records whose field names are the keys of the JSON files."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from pactwin.suite.base import Record
from pactwin.suite.records import Form, Observability, OpaqueId
from pactwin.suite.taxonomy import Constraint


class RatedAnswer(Record):
    """An answer published with a problem, and people's rating of it.

    ``source`` is its author, in the publication's words. ``rating`` is its label, empty without
    one; ``claim`` is the author's statement about solvability, if recorded separately.
    """

    source: str = Field(min_length=1)
    rating: str = ""
    claim: Literal["", "solvable", "unsolvable"] = ""
    text: str


ConditionName = Literal["environment", "use", "recipient"]


class Candidate(Record):
    """An object in a situation described in words, which may serve for something.

    ``parts`` are {name: description}; an object without parts has its own ``description``.
    ``likeness`` holds, for other parts, the judged similarity to the requested one: ``similar-1``
    (easily told apart) to ``similar-5``, ``similar``, or ``not similar``. ``evidence`` is each
    part's measured suitability for the use, if known.

    If it is pictured, ``view`` is its camera, ``part_views`` are {part: camera}, and ``unseen`` are
    {part: facts that no picture shows}.
    """

    name: str = Field(min_length=1)
    description: str = ""
    parts: dict[str, str] = Field(default_factory=dict)
    likeness: dict[str, str] = Field(default_factory=dict)
    evidence: dict[str, str] = Field(default_factory=dict)
    view: str = ""
    part_views: dict[str, str] = Field(default_factory=dict)
    unseen: dict[str, str] = Field(default_factory=dict)


class Question(Record):
    """One question about one scene; ``views`` are the cameras whose pictures can answer it.

    ``equivalent_constraints`` all hold in the infeasible twin, if there are several, the verdict's
    own first: naming any of them counts as naming the cause. Both twins have the same.

    A question of kind ``property`` asks for the category of the property ``topic``; an imported one
    about a constraint has the published request as its topic. ``accepted`` are the true items of a
    ``list``, and the true options of the forms in ``SET_FORMS`` (``truth`` joins them by "; ", or
    is "none"). ``observability`` says whether the picture shows the answer. ``votes`` counts
    annotators' choices, and ``check`` is the question of a published verifier about a reply; both
    exist only in published benchmarks.

    A question of kind ``problem`` describes a situation in words and asks how to solve it with the
    available objects: it needs no view, and its truth is ``solvable`` or ``unsolvable``.
    ``answers`` are those published with it, and ``uses`` name simulated uses in its decisive step.

    A question of kind ``recognition`` asks for the names of everything in the picture, ``plan`` for
    the tools that a task needs, in order; ``named_plan`` gives the names of all tools and needs no
    view. ``steps`` gives the task step of each of ``accepted``, unless it is ``order_free``;
    ``distractors`` name the other objects, and ``synonyms`` are {another name: its accepted name,
    or no accepted name}.

    A question of kind ``creative_use`` asks which part of which of the ``candidates`` could serve,
    although made for something else; ``accepted`` are the names of the object and its part, and
    ``conditions`` lists conditions on the ``environment``, the ``use`` and the ``recipient``, if
    any.
    """

    id: OpaqueId
    scene_id: OpaqueId
    kind: Annotated[str, Field(pattern="^[a-z][a-z0-9_]{0,63}$")]
    form: Form
    text: str
    options: tuple[str, ...] = ()
    truth: str
    rationale: str
    objects: tuple[str, ...]
    views: tuple[str, ...]
    equivalent_constraints: tuple[Constraint, ...] = ()
    topic: str = ""
    accepted: tuple[str, ...] = ()
    observability: Observability | None = None
    votes: dict[str, Annotated[int, Field(ge=1, le=100_000)]] = Field(default_factory=dict)
    check: str = ""
    answers: tuple[RatedAnswer, ...] = ()
    uses: tuple[str, ...] = ()
    steps: tuple[Annotated[int, Field(ge=1, le=100)], ...] = ()
    order_free: bool = False
    distractors: tuple[str, ...] = ()
    synonyms: dict[str, str] = Field(default_factory=dict)
    candidates: tuple[Candidate, ...] = ()
    conditions: dict[ConditionName, str] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _names_its_object(self) -> "Question":
        if self.kind in ("property", "affordance") and not self.objects:
            raise ValueError("it does not say which object it is about")
        if self.kind == "problem" and self.truth not in ("solvable", "unsolvable"):
            raise ValueError(f"the truth of a problem is solvable or unsolvable, not {self.truth}")
        if self.kind == "creative_use":
            chosen = {c.name: c.parts for c in self.candidates}
            if len(self.accepted) != 2 or self.accepted[1] not in chosen.get(self.accepted[0], {}):
                raise ValueError("the accepted part is not a part of any candidate")
        if self.kind in ("plan", "named_plan") and len(self.steps) != len(self.accepted):
            raise ValueError("a plan has one step for each accepted tool")
        return self
