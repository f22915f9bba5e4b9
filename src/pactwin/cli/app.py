"""The commands and their options; the modules beside this one carry them out."""

from pathlib import Path
from typing import Annotated

import typer

from pactwin.cli.boundary import shown

app = typer.Typer(
    name="pactwin",
    help="Does a vision-language model understand what must hold before a robot acts?",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    rich_markup_mode=None,
)


def main() -> None:
    """Run the command line."""
    app()


@app.command()
@shown
def doctor() -> None:
    """Say what works on this machine, and how to mend what does not."""
    from pactwin.cli.doctor import run

    run()
