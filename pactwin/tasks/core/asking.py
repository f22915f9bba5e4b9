"""Turn a suite's questions of one kind into an Inspect task."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any, TypedDict

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig

from pactwin.solvers import (
    ANSWER_SCHEMA,
    CONFIDENCE,
    OPTION_LETTERS,
    PARSER_VERSION,
    described,
    load_prompts,
    make_strategy,
    only_answers,
    question_metadata,
)
from pactwin.suite import (
    InvalidInputError,
    Question,
    Scene,
    Suite,
    edition_of,
    load_suite,
    opaque_id,
    shuffled_by,
)
from pactwin.tasks.core.kind import QuestionKind
from pactwin.tasks.core.pictures import QuestionPicture, message_of, pictures_of, present
from pactwin.tasks.core.results import AskedFacts
from pactwin.tasks.core.scoring import answer_scorer, sample_metrics
from pactwin.tasks.core.structured import ConfidentAnswer, answer_schema
from pactwin.tasks.core.views import EACH, JOINT, NO_PICTURE, cameras_of, parse_views

LOOKS_AROUND = "views"
"""Strategy that is shown one picture of a condition at a time."""

# Inspect retries for ever unless told otherwise; a provider that stays broken is an error state.
MAX_RETRIES = 5
ATTEMPT_TIMEOUT_S = 600
"""Time limit of a call attempt: reasoning may take minutes, but connections may hang."""

CALLING = GenerateConfig(max_retries=MAX_RETRIES, attempt_timeout=ATTEMPT_TIMEOUT_S)
"""Default settings for calling models."""


class Asking(TypedDict, total=False):
    """Arguments shared by all tasks.

    ``views`` are view conditions (:mod:`pactwin.tasks.core.views`; default: each camera alone).
    ``limit`` is the maximum number of pairs, problems, objects or other units of the kind, spread
    over the domains. ``strategy`` is a name in :data:`pactwin.solvers.STRATEGIES` (``direct``),
    ``prompts`` a YAML file with a prompt pack (built in by default). With ``structured``, answers
    are requested as JSON by the kind's schema. With ``confidence``, only yes/no questions are
    asked, together with a probability, and the answer may be "unsure". ``judge_self`` lets the
    model in the role ``judge`` judge its own answers.
    """

    views: str | list[str]
    limit: int | None
    strategy: str
    prompts: str | None
    structured: bool
    confidence: bool
    judge_self: bool


def ask_about(
    suite: str,
    kind: QuestionKind,
    *,
    wanted: Callable[[Question], bool] = lambda question: True,
    described: str = "",
    options: Mapping[str, Any] | None = None,
    metadata: Mapping[str, Any] | None = None,
    views: str | Sequence[str] = EACH,
    limit: int | None = None,
    strategy: str = "direct",
    prompts: str | None = None,
    structured: bool = False,
    confidence: bool = False,
    judge_self: bool = False,
) -> Task:
    """One sample for each ``wanted`` question of ``kind`` and view condition that can answer it.

    ``described`` completes the error message if no question matches. ``options`` go to the scorer,
    ``metadata`` into the log in addition to the common metadata. Other arguments are those of
    :class:`Asking`.

    Raises SuiteError for a folder that is no suite. Raises InvalidInputError for an unknown view or
    strategy, a limit below 1, an invalid pack, an empty selection of questions, ``structured`` if
    the kind or the strategy needs text, and ``confidence`` for scenes without twins.
    """
    policy = make_strategy(strategy, prompts, kind.name)
    if structured:
        require_schema(kind, strategy, prompts)
    if limit is not None and limit < 1:
        raise InvalidInputError(f"limit is {limit}: ask about at least 1 {kind.unit}")
    loaded = load_suite(suite)
    opened, scenes, asked = loaded.suite, loaded.scenes, loaded.questions
    if views == NO_PICTURE:
        conditions: tuple[str, ...] = (NO_PICTURE,)
    else:
        conditions = parse_views(views, cameras_in(scenes.values()))
    if strategy == LOOKS_AROUND and set(conditions) & set(cameras_in(scenes.values())):
        raise InvalidInputError(
            f"the strategy {LOOKS_AROUND} chooses among pictures: give it several at once, as "
            f"{JOINT} or head+side, not one camera alone"
        )
    mine = [
        q
        for q in asked.values()
        if q.kind == kind.name and wanted(q) and (q.form == "yes_no" or not confidence)
    ]
    if confidence:
        hidden = opened.is_sealed  # which scenes are twins
        _require_balanced(kind, mine, {} if hidden else scenes, described)
    asked_pairs = spread_over_domains(scenes[id] for id in {q.scene_id for q in mine})[:limit]
    place = {pair: at for at, pair in enumerate(asked_pairs)}
    questions = [
        (place[pair], question.id, question)
        for question in mine
        if (pair := pair_id(scenes[question.scene_id])) in place
    ]
    pictures = {
        id: _pictures(opened, scene) for id, scene in scenes.items() if pair_id(scene) in place
    }
    certainty = {CONFIDENCE: True} if confidence else {}
    samples: list[Sample] = []
    skipped = dict.fromkeys(conditions, 0)
    for _, _, question in sorted(questions, key=lambda entry: entry[:2]):
        for condition in conditions:
            cameras = cameras_of(condition, question.views)
            if cameras or condition == NO_PICTURE:
                scene = scenes[question.scene_id]
                shown = [pictures[scene.id][camera] for camera in cameras]
                facts = kind.facts(scene, question, condition)
                sample = _sample(opened.info.name, facts, question, shown)
                sample.metadata = {**(sample.metadata or {}), **certainty}
                if structured and kind.answer is not None:
                    thinks = strategy != "direct"
                    answer = ConfidentAnswer if confidence else kind.answer(question)
                    schema = answer_schema(answer, thinks=thinks)
                    sample.metadata[ANSWER_SCHEMA] = schema
                samples.append(sample)
            else:
                skipped[condition] += 1
    if not samples:
        raise InvalidInputError(
            f"{suite} has no question {described or kind.described} that the views "
            f"{', '.join(conditions)} answer"
        )
    judge = {} if kind.judging is None else {"judge_prompt": kind.judging.prompt().identity()}
    return Task(
        dataset=MemoryDataset(samples, name=opened.info.name),
        setup=present(str(Path(suite).resolve()), opened.info.content_hash),
        solver=policy,
        scorer=answer_scorer(kind.name, judge_self, dict(options or {})),
        metrics=[*sample_metrics(kind.cluster)],
        config=CALLING,
        fail_on_error=False,
        score_on_error=True,
        version=1,
        metadata={
            "suite_name": opened.info.name,
            "suite_hash": opened.info.content_hash,
            "edition": edition_of(opened.info.content_hash),
            "views": list(conditions),
            "skipped": skipped,
            "strategy": strategy,
            "prompts": load_prompts(prompts).identity(),
            "parser_version": PARSER_VERSION,
            "structured": structured,
            **certainty,
            **judge,
            **(metadata or {}),
        },
    )


def _require_balanced(
    kind: QuestionKind,
    questions: Sequence[Question],
    scenes: Mapping[str, Scene],
    described: str,
) -> None:
    """Raise InvalidInputError if probabilities cannot be asked for, or the base rate is unknown.

    A probability means something beside a base rate: that of twins and of ladders is one half.
    """
    if not kind.asks_probability or not questions:
        raise InvalidInputError(
            f"--confidence asks yes/no questions: there are none {described or kind.described}"
        )
    asked = (scenes[q.scene_id] for q in questions if q.scene_id in scenes)
    alone = {scene.id for scene in asked if scene.twin_id is None and scene.step is None}
    if alone:
        raise InvalidInputError(
            f"--confidence tells models that half of the scenes are feasible; {len(alone)} scenes "
            f"have no twin, such as {min(alone)}"
        )


def can_be_structured(kind: QuestionKind, strategy: str, prompts: str | None = None) -> bool:
    """Return whether ``strategy`` can ask for JSON answers to questions of ``kind``."""
    return kind.answer is not None and only_answers(strategy, prompts, kind.name)


def require_schema(kind: QuestionKind, strategy: str, prompts: str | None = None) -> None:
    """Raise InvalidInputError if :func:`can_be_structured` is false."""
    if not can_be_structured(kind, strategy, prompts):
        what = f"strategy {strategy}" if kind.answer else f"kind of question {kind.name}"
        raise InvalidInputError(f"--structured: the {what} is asked in text only; use --text")


def asked_sample(
    suite: Suite, kind: QuestionKind, scene: Scene, question: Question, condition: str
) -> Sample:
    """The sample that asks a question of ``suite`` under a view condition."""
    pictures = pictures_of(suite, scene, cameras_of(condition, question.views))
    return _sample(suite.info.name, kind.facts(scene, question, condition), question, pictures)


def pair_id(scene: Scene) -> str:
    """Opaque id shared by both twins, or by all steps of a ladder; else the scene's own."""
    if scene.step is not None:
        return scene.step.ladder
    return min(scene.id, scene.twin_id or scene.id)


def asked_facts(scene: Scene, question: Question, condition: str) -> dict[str, Any]:
    """Fields of :class:`AskedFacts`, which start the facts of every kind."""
    return {
        "kind": question.kind,
        "question_id": question.id,
        "scene_id": scene.id,
        "pair_id": pair_id(scene),
        "domain": scene.domain,
        "view": condition,
        "form": question.form,
    }


def question_text(question: Question) -> str:
    """The question as sent: its text, its lettered options, its candidates.

    The order of candidates depends only on the question's id.
    """
    options = zip(OPTION_LETTERS, question.options, strict=False)
    lines = [question.text, *(f"{letter}) {option}" for letter, option in options)]
    for thing in shuffled_by(question.id, question.candidates):
        lines += ["", f"{thing.name}:", described(thing)]
    return "\n".join(lines)


def cameras_in(scenes: Iterable[Scene]) -> tuple[str, ...]:
    """Every camera of the suite, in the order of the scenes' views."""
    return tuple(dict.fromkeys(v.camera.name for scene in scenes for v in scene.views))


def spread_over_domains(scenes: Iterable[Scene]) -> list[str]:
    """Ids of all pairs, alternating between domains: the first N are a balanced selection.

    Within a domain they are ordered by id, which is opaque and independent of the suite's order.
    """
    domains: dict[str, set[str]] = {}
    for scene in scenes:
        domains.setdefault(scene.domain, set()).add(pair_id(scene))
    columns = [sorted(pairs) for _, pairs in sorted(domains.items())]
    return [pair for row in zip_longest(*columns) for pair in row if pair is not None]


def _pictures(suite: Suite, scene: Scene) -> dict[str, QuestionPicture]:
    """All pictures of a scene by camera."""
    cameras = [view.camera.name for view in scene.views]
    return dict(zip(cameras, pictures_of(suite, scene, cameras), strict=True))


def _sample(
    suite_name: str, facts: AskedFacts, question: Question, pictures: Sequence[QuestionPicture]
) -> Sample:
    """Build the sample; its id depends on the pictures' bytes, so replies fit their pictures."""
    shown = (picture.sha256 for picture in pictures)
    key = ":".join((question.id, facts.view, *shown))
    return Sample(
        id=opaque_id(key),
        input=[message_of(suite_name, facts.scene_id, pictures, question_text(question))],
        target=question.truth,
        metadata={
            **facts.model_dump(mode="json"),
            "cameras": [picture.camera for picture in pictures],
            "pictures": [picture.model_dump() for picture in pictures],
            "question": question_metadata(question),
        },
    )
