"""The command ``pactwin``: the tree of commands, in panels.

Each command is declared in the module of its subject; this module gives it a name.
"""

from collections.abc import Callable
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from pactwin.cli import (
    agreement,
    annotate,
    bench,
    compare,
    creative,
    detect,
    doctor,
    evaluate,
    gate,
    import_export,
    ladders,
    leaderboard,
    listing,
    make,
    mirror,
    rehearse,
    rig,
    robots,
    run,
    seal,
    session,
    suites,
    uses,
)
from pactwin.cli.options import group
from pactwin.cli.renamed import renamed

MAKE, ASK, ACT, MIRROR, MACHINE = (
    "Make suites",
    "Ask and compare",
    "Act on answers",
    "Copy scenes onto a real table",
    "This machine",
)

_ORDER = (
    *("make", "ls", "show", "check", "import", "export"),
    *("eval", "detect", "compare", "leaderboard", "people", "challenge"),
    *("run", "gate"),
    *("rig", "mirror"),
    "doctor",
)


class _Tree(TyperGroup):
    """Lists commands in the order of the panels; hidden old names come last."""

    def list_commands(self, ctx: Any) -> list[str]:
        known = super().list_commands(ctx)
        return [*_ORDER, *(name for name in known if name not in _ORDER)]

    def get_params(self, ctx: Any) -> list[Any]:
        params: list[Any] = super().get_params(ctx)
        for param in params:
            if param.name == "install_completion":
                param.help = "Complete commands in this shell."
            param.hidden = param.name == "show_completion"
        return params


app = typer.Typer(
    name="pactwin",
    cls=_Tree,
    help="Does a vision-language model understand what must hold before a robot acts?",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"pactwin {version('pactwin')}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Does a vision-language model understand what must hold before a robot acts?"""


def _add(panel: str, name: str, command: Callable[..., Any]) -> None:
    app.command(name, rich_help_panel=panel)(command)


def _group(
    panel: str,
    name: str,
    text: str,
    commands: dict[str, Callable[..., Any]],
    old: dict[str, tuple[str, Callable[..., Any]]] | None = None,
) -> None:
    """A group of ``commands``; ``old`` are {former name: (new name, command)}."""
    made = group(text)
    for each, command in commands.items():
        made.command(each)(command)
    for former, (new, command) in (old or {}).items():
        made.command(former, hidden=True)(renamed(command, f"{name} {former}", new))
    app.add_typer(made, name=name, rich_help_panel=panel)


_group(
    MAKE,
    "make",
    "Make suites.",
    {
        "constraints": make.constraints,
        "ladders": ladders.ladders,
        "objects": make.objects,
        "tools": make.tools,
        "recognition": make.recognition,
        "creative": creative.creative,
        "uses": uses.uses,
    },
)
_add(MAKE, "ls", listing.ls)
_add(MAKE, "show", suites.show)
_add(MAKE, "check", suites.check)
_add(MAKE, "import", import_export.import_published)
_group(
    MAKE,
    "export",
    "Write suites in other formats.",
    {
        "pacbench": import_export.export_pacbench,
        "hf": import_export.export_hub,
        "lmms-eval": import_export.export_lmms_eval,
        "inspect": import_export.export_inspect,
        "verifiers": import_export.export_verifiers,
        "vlmevalkit": import_export.export_vlmevalkit,
        "coco": import_export.export_coco,
        "lerobot": import_export.export_lerobot,
        "mjcf": import_export.export_mjcf,
        "training": import_export.export_training,
    },
)
_add(ASK, "eval", evaluate.evaluate)
_add(ASK, "detect", detect.detect)
_add(ASK, "compare", compare.compare)
_add(ASK, "leaderboard", leaderboard.leaderboard)
_group(
    ASK,
    "people",
    "Let people answer; measure how far judges agree with them.",
    {
        "export": annotate.write,
        "import": annotate.read,
        "agreement": agreement.judge_agreement,
    },
)
_group(
    ASK,
    "challenge",
    "Hold a challenge: only the organiser can read the answers.",
    {"seal": seal.seal, "grade": seal.grade},
)
_add(ACT, "run", run.run)
_add(ACT, "gate", gate.gate)
_group(
    MIRROR,
    "rig",
    "Describe, check and calibrate the capture rig.",
    {
        "init": rig.init,
        "board": mirror.board,
        "check": rig.check,
        "calibrate": bench.calibrate,
        "record": rig.record,
    },
)
_group(
    MIRROR,
    "mirror",
    "Copy simulated scenes onto a real table.",
    {
        "kit": mirror.kit,
        "session": session.session,
        "rehearse": rehearse.rehearse,
        "check": mirror.check,
        "capture": bench.capture,
        "outcome": mirror.outcome,
        "verify": mirror.verify,
        "render": mirror.render,
    },
    {
        "mat": ("rig board", mirror.board),
        "sheet": ("mirror kit", mirror.sheet),
        "materials": ("mirror kit", mirror.materials),
    },
)
_add(MACHINE, "doctor", doctor.doctor)

# Names of the last release. They work for one more, and say the new name.
for _old, _new, _command in (
    ("retrial", "check --retrial", suites.retry),
    ("affordances", "check --affordances", suites.compare_affordances),
    ("robot", "doctor --robot", robots.draw_robot),
    ("judge-agreement", "people agreement", agreement.judge_agreement),
    ("seal", "challenge seal", seal.seal),
    ("grade", "challenge grade", seal.grade),
    ("calibrate", "rig calibrate", bench.calibrate),
    ("capture", "mirror capture", bench.capture),
    ("session", "mirror session", session.session),
    ("rehearse", "mirror rehearse", rehearse.rehearse),
    ("as-published", "compare --as-published", compare.as_published),
):
    app.command(_old, hidden=True)(renamed(_command, _old, _new))
_annotate = group("Renamed: see people.")
_annotate.command("export")(renamed(annotate.write, "annotate export", "people export"))
_annotate.command("import")(renamed(annotate.read, "annotate import", "people import"))
app.add_typer(_annotate, name="annotate", hidden=True)


def main() -> None:
    """Run the command line."""
    app()
