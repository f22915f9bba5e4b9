"""``pactwin make creative``: tasks that ask for unusual uses of everyday things."""

from functools import cache, partial
from pathlib import Path
from typing import Annotated

import typer

from pactwin.cli.boundary import handle_errors
from pactwin.cli.options import (
    Address,
    EditionName,
    EngineName,
    NewSuite,
    NotIn,
    OpenSeed,
    PictureSize,
    SecretSeed,
    Workers,
)

_LEAST_PX = 160


@handle_errors
def creative(
    out: NewSuite,
    seed: OpenSeed = None,
    secret_seed: SecretSeed = None,
    tasks: Annotated[int, typer.Option(min=1, help="Number of tasks.")] = 200,
    kinds: Annotated[str, typer.Option(help="Comma-separated kinds of things, or all.")] = "all",
    size: PictureSize = "480x360",
    words: Annotated[
        bool, typer.Option("--words", help="Make no pictures: describe scenes in words.")
    ] = False,
    writer: Annotated[
        str | None,
        typer.Option(
            metavar="MODEL", help="Model that phrases the situations; default: built-in phrases."
        ),
    ] = None,
    log_dir: Annotated[
        Path, typer.Option(metavar="DIR", help="Folder of the writer's log.")
    ] = Path("logs"),
    edition: EditionName = None,
    not_in: NotIn = None,
    engine: EngineName = "local",
    address: Address = None,
    workers: Workers = None,
) -> None:
    """Ask which part of which object could serve a purpose."""
    from pactwin.catalogue import load_uses
    from pactwin.cli.make import (
        choose_engine,
        parse_names,
        parse_size,
        print_summary,
        seeded,
        write_suite,
    )
    from pactwin.cli.progress import steps
    from pactwin.sim import (
        CreativeScene,
        CreativeSuiteConfig,
        MeantUse,
        UseTrials,
        creative_scene_id,
        draw_creative_scene,
        measured_entities,
    )
    from pactwin.suite import is_url
    from pactwin.tasks import (
        KnowledgeBase,
        UsePlan,
        Written,
        ask_writer,
        knowledge_path,
        make_use_question,
        plan_tasks,
        situation_brief,
        use_question_id,
        write_knowledge,
    )

    table = load_uses()
    size_px = None if words else parse_size(size, _LEAST_PX)
    chosen = parse_names("kind", kinds, table.kinds())
    asked = CreativeSuiteConfig(seed or 0, tasks, chosen, size_px)
    config, request = seeded(asked, seed, secret_seed, out)
    rendering = choose_engine(engine, address, workers)
    with steps() as progress:
        known = KnowledgeBase(measured_entities(config.seed, config.kinds, progress), table)
    trials = UseTrials(known.entities, config.seed)

    def borne_out(plan: UsePlan) -> bool:
        return trials.borne_out(MeantUse(plan.use, plan.limits, plan.kind, plan.part, plan.others))

    groups = plan_tasks(known, tasks, config.seed, borne_out)
    by_scene = {creative_scene_id(config, n): group for n, group in enumerate(groups)}
    planned = {use_question_id(id, plan): plan for id, group in by_scene.items() for plan in group}
    notes = ["its knowledge base is kept beside suites in folders alone"] if is_url(out) else []

    @cache
    def written() -> dict[str, Written]:
        """Asked last, so that nothing is paid for a suite that exists or cannot be made."""
        if writer is None:
            return {}
        briefs = {id: situation_brief(known, plan) for id, plan in planned.items()}
        found = ask_writer(writer, log_dir, briefs)
        notes.append(f"{len(found)} of {tasks} situations are worded by {writer}")
        return {id: Written(text, writer) for id, text in found.items()}

    scenes = [
        CreativeScene(
            plan.tier, {kind: tuple(known.of(kind)) for kind in (plan.kind, *plan.others)}
        )
        for plan, *_ in groups
    ]
    info = write_suite(
        out,
        "creative",
        request | ({} if writer is None else {"writer": writer}),
        ("scenes", len(scenes)),
        partial(draw_creative_scene, config, scenes),
        lambda drawn: [
            make_use_question(known, plan, scene, written().get(use_question_id(scene.id, plan)))
            for scene in drawn
            for plan in by_scene[scene.id]
        ],
        rendering,
        pictures=not words,
        edition=edition,
        not_in=not_in,
    )
    if not is_url(out):
        write_knowledge(known, planned, knowledge_path(Path(out)))
    print_summary(out, info, "scenes", notes)
