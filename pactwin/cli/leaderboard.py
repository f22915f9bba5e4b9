"""``pactwin leaderboard``: a static page of models over suites, from shared logs."""

from pathlib import Path
from typing import Annotated

import typer

from pactwin.cli.boundary import handle_errors
from pactwin.cli.options import Force, JsonPath, LogPaths
from pactwin.cli.outputs import check_outputs


@handle_errors
def leaderboard(
    logs: LogPaths,
    out: Annotated[Path, typer.Option(metavar="FILE", help="Page to write.")],
    json_file: JsonPath = None,
    force: Force = False,
) -> None:
    """Rank models per suite on a static page."""
    from pactwin.compare import read_leaderboard, write_leaderboard, write_leaderboard_json

    check_outputs([out, json_file], logs, force=force)
    found = read_leaderboard(logs)
    write_leaderboard(found, out)
    typer.echo(out)
    if json_file is not None:
        write_leaderboard_json(found, json_file)
        typer.echo(json_file)
    for table in found:
        best = table.rows[0].model if table.rows else "none"
        typer.echo(
            f"{table.suite_name} {table.suite_hash[:12]}, {table.kind}, "
            f"{' '.join(table.views)}: {len(table.rows)} systems, first {best}"
        )
