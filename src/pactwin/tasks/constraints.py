"""The Inspect task ``pac_constraints``: every question of a suite, under every view condition."""

import hashlib
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig

from pactwin.policies import (
    OPTION_LETTERS,
    PARSER_VERSION,
    load_prompts,
    make_strategy,
)
from pactwin.suite import InvalidInputError, Question, Scene, Suite, unknown_name
from pactwin.tasks.judge import judge_prompt
from pactwin.tasks.pictures import Picture, message_of, pictures_of, present
from pactwin.tasks.questions import FORMS
from pactwin.tasks.results import TASK_NAME, SampleFacts
from pactwin.tasks.scorers import answer_scorer
from pactwin.tasks.views import ALL, EACH, cameras_of, parse_views

ALL_FORMS = "all"
LOOKS_AROUND = "views"
"""The strategy that is shown one picture of a condition at a time."""

# Inspect retries for ever unless told otherwise; a provider that stays broken is an error state.
MAX_RETRIES = 5
ATTEMPT_TIMEOUT_S = 600
"""A reasoning model may think for minutes; a connection that hangs ends here."""


@task(name=TASK_NAME)
def pac_constraints(
    suite: str,
    views: str | list[str] = EACH,
    form: str = ALL_FORMS,
    limit: int | None = None,
    strategy: str = "direct",
    prompts: str | None = None,
    judge_self: bool = False,
) -> Task:
    """One sample per question and view condition that can answer it.

    Args:
        suite: Folder of the suite.
        views: View conditions, see :mod:`pactwin.tasks.views`.
        form: ``yes_no``, ``choice``, ``open`` or ``all``.
        limit: Ask about at most this many twin pairs, spread over the domains.
        strategy: How to ask, a name in :data:`pactwin.policies.STRATEGIES`.
        prompts: YAML file of the pack of prompts to ask with; ours if None.
        judge_self: Let the model in the role ``judge`` judge answers of its own.

    Raises SuiteError for a folder that is no suite, InvalidInputError for an unknown view, form or
    strategy, a limit below 1, a bad pack, and a choice that leaves nothing to ask.
    """
    policy = make_strategy(strategy, prompts)
    if form not in (*FORMS, ALL_FORMS):
        raise unknown_name("form", form, (*FORMS, ALL_FORMS))
    if limit is not None and limit < 1:
        raise InvalidInputError(f"limit is {limit}: ask about at least 1 twin pair")
    opened = Suite.open(suite)
    scenes = {scene.id: scene for scene in opened.scenes()}
    conditions = parse_views(views, _cameras(scenes.values()))
    if strategy == LOOKS_AROUND and set(conditions) & set(_cameras(scenes.values())):
        raise InvalidInputError(
            f"the strategy {LOOKS_AROUND} chooses among pictures: give it several at once, as "
            f"{ALL} or head+side, not one camera alone"
        )
    asked_pairs = _spread_over_domains(scenes.values())[:limit]
    place = {pair: at for at, pair in enumerate(asked_pairs)}
    questions = [
        (place[pair], question.id, question)
        for question in opened.questions()
        if question.kind == "constraint" and form in (question.form, ALL_FORMS)
        if (pair := pair_id(scenes[question.scene_id])) in place
    ]
    pictures = {
        id: _pictures(opened, scene) for id, scene in scenes.items() if pair_id(scene) in place
    }
    samples: list[Sample] = []
    skipped = dict.fromkeys(conditions, 0)
    for _, _, question in sorted(questions, key=lambda entry: entry[:2]):
        for condition in conditions:
            cameras = cameras_of(condition, question.views)
            if cameras:
                scene = scenes[question.scene_id]
                shown = [pictures[scene.id][camera] for camera in cameras]
                samples.append(_sample(opened.info.name, scene, question, condition, shown))
            else:
                skipped[condition] += 1
    if not samples:
        raise InvalidInputError(
            f"{suite} has no question of form {form} that the views {', '.join(conditions)} answer"
        )
    return Task(
        dataset=MemoryDataset(samples, name=opened.info.name),
        setup=present(str(Path(suite).resolve()), opened.info.content_hash),
        solver=policy,
        scorer=answer_scorer(judge_self),
        config=GenerateConfig(max_retries=MAX_RETRIES, attempt_timeout=ATTEMPT_TIMEOUT_S),
        fail_on_error=False,
        score_on_error=True,
        version=1,
        metadata={
            "suite_name": opened.info.name,
            "suite_hash": opened.info.content_hash,
            "views": list(conditions),
            "skipped": skipped,
            "strategy": strategy,
            "prompts": load_prompts(prompts).identity(),
            "parser_version": PARSER_VERSION,
            "judge_prompt": judge_prompt().identity(),
        },
    )


def pair_id(scene: Scene) -> str:
    """One opaque id for both twins; a scene without twin is its own pair."""
    return min(scene.id, scene.twin_id or scene.id)


def _cameras(scenes: Iterable[Scene]) -> tuple[str, ...]:
    """Every camera of the suite, in the order of the scenes' views."""
    return tuple(dict.fromkeys(v.camera.name for scene in scenes for v in scene.views))


def _spread_over_domains(scenes: Iterable[Scene]) -> list[str]:
    """Ids of all pairs, domains in turn, so that the first N are a fair selection.

    Within a domain the order is that of the ids, which are opaque: no order of the suite is kept.
    """
    domains: dict[str, set[str]] = {}
    for scene in scenes:
        domains.setdefault(scene.domain, set()).add(pair_id(scene))
    columns = [sorted(pairs) for _, pairs in sorted(domains.items())]
    return [pair for row in zip_longest(*columns) for pair in row if pair is not None]


def _pictures(suite: Suite, scene: Scene) -> dict[str, Picture]:
    """Every picture of a scene by its camera."""
    cameras = [view.camera.name for view in scene.views]
    return dict(zip(cameras, pictures_of(suite, scene, cameras), strict=True))


def _sample(
    suite_name: str,
    scene: Scene,
    question: Question,
    condition: str,
    pictures: Sequence[Picture],
) -> Sample:
    """The id changes with the pictures' bytes: answers about other pictures are never reused."""
    facts = SampleFacts(
        question_id=question.id,
        scene_id=scene.id,
        pair_id=pair_id(scene),
        domain=scene.domain,
        view=condition,
        form=question.form,
        truth_feasible=scene.decided.feasible,
        truth_constraint=scene.decided.constraint,
    )
    key = ":".join((question.id, condition, *(picture.sha256 for picture in pictures)))
    return Sample(
        id=hashlib.sha256(key.encode()).hexdigest()[:16],
        input=[message_of(suite_name, scene.id, pictures, question_text(question))],
        target=question.truth,
        metadata={
            **facts.model_dump(mode="json"),
            "cameras": [picture.camera for picture in pictures],
            "pictures": [picture.model_dump() for picture in pictures],
            "question": question.model_dump(mode="json"),
        },
    )


def question_text(question: Question) -> str:
    """The question as it is sent: its text, then its options, each on a line with its letter."""
    options = zip(OPTION_LETTERS, question.options, strict=False)
    return "\n".join((question.text, *(f"{letter}) {option}" for letter, option in options)))
