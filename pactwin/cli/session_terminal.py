"""A session in the terminal: one letter for each action."""

from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from pactwin.real import MockRig, Session

_ASK = "[c]heck, [s]tore, store [a]nyway, [w]orked, [f]ailed, [n]ext, [q]uit"


def guide(session: "Session", mock: "MockRig | None") -> None:
    """Prompt for actions until the operator quits; print errors and prompt again."""
    from pactwin.suite import PactwinError

    _show(session)
    ask = _ASK if mock is None else f"set [u]p (rehearsal), {_ASK}"
    while (answer := typer.prompt(ask).strip().lower()) != "q":
        try:
            if answer == "u" and mock is not None:
                mock.set_up(session.current)
            else:
                _do(session, answer)
        except PactwinError as error:
            typer.echo(str(error), err=True)
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            typer.echo(f"{where}{error.strerror or error}; nothing was stored", err=True)


def _do(session: "Session", answer: str) -> None:
    from pactwin.suite import SCENE_CONSTRAINTS, Constraint, Outcome, unknown_name

    scene = session.current
    match answer:
        case "c":
            session.check(scene)
            _tell(session)
        case "s" | "a":
            again = scene in session.captured()
            if again and not typer.confirm("It has a capture, which is kept. Capture it again?"):
                return
            notes = typer.prompt("notes", default="", show_default=False)
            stored = session.capture(scene, notes, anyway=answer == "a", again=again)
            _tell(session)
            action = session.layout.action
            typer.echo(f"stored; now carry it out: {action}" if stored else "not stored")
        case "w":
            session.note(scene, Outcome(worked=True))
        case "f":
            known = [c.value for c in SCENE_CONSTRAINTS if c is not Constraint.NONE]
            cause = typer.prompt("cause (empty: unknown)", default="", show_default=False)
            if cause and cause not in known:
                raise unknown_name("constraint", cause, known)
            how = typer.prompt("how", default="", show_default=False)
            constraint = Constraint(cause) if cause else None
            session.note(scene, Outcome(worked=False, constraint=constraint, how=how))
        case "n":
            if session.next(scene):
                _show(session)
            else:
                typer.echo("no other scene is left to capture")
        case other:
            raise unknown_name("answer", other, list("cawfnqs"))


def _show(session: "Session") -> None:
    from pactwin.cli.tables import add_row, console, plain_table
    from pactwin.real import footprints

    done, count = len(session.captured()), len(session.scenes)
    typer.echo(f"scene {session.number} ({session.current}), {done} of {count} captured")
    table = plain_table(["step", "thing", "how", "where"], [])
    for footprint in footprints(session.layout.items):
        add_row(table, footprint.step, footprint.item.name, footprint.notes, footprint.where)
    console().print(table)


def _tell(session: "Session") -> None:
    from pactwin.cli.tables import print_check

    if session.found is not None:
        print_check(session.found)
