"""The command ``pactwin``: the groups of commands, each declared in the module of its subject."""

import typer

from pactwin.cli import (
    annotate,
    bench,
    compare,
    detect,
    doctor,
    evaluate,
    gate,
    import_export,
    leaderboard,
    make,
    mirror,
    rehearse,
    rig,
    robots,
    run,
    seal,
    session,
    suites,
)

app = typer.Typer(
    name="pactwin",
    help="Does a vision-language model understand what must hold before a robot acts?",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    rich_markup_mode=None,
)
app.add_typer(doctor.commands)
app.add_typer(make.commands, name="make")
app.add_typer(suites.commands)
app.add_typer(robots.commands)
app.add_typer(detect.commands)
app.add_typer(evaluate.commands)
app.add_typer(compare.commands)
app.add_typer(gate.commands)
app.add_typer(run.commands)
app.add_typer(leaderboard.commands)
app.add_typer(seal.commands)
app.add_typer(annotate.commands, name="annotate")
app.add_typer(import_export.importing, name="import")
app.add_typer(import_export.exporting, name="export")
app.add_typer(import_export.commands)
app.add_typer(mirror.commands, name="mirror")
app.add_typer(rig.commands, name="rig")
app.add_typer(bench.commands)
app.add_typer(session.commands)
app.add_typer(rehearse.commands)


def main() -> None:
    """Run the command line."""
    app()
