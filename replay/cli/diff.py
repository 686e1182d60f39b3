"""`affray diff`: two branches side by side."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from affray.replay.cli.base import as_json, database, reading
from affray.replay.cli.completing import complete_branches
from affray.replay.cli.printing import print_json, put_all
from affray.replay.difference import Difference
from affray.replay.difference import diff as compared


@click.command(epilog="Example: affray diff fight.db main whatif-1")
@database
@click.argument("a", shell_complete=complete_branches)
@click.argument("b", shell_complete=complete_branches)
@click.option("--events", "all_events", is_flag=True, help="List every event that differs as well.")
@as_json
def diff(db: Path, a: str, b: str, all_events: bool, json: bool) -> None:
    """Compare two branches: by combatant, declaration, roll and event. Status 1 if they differ."""
    with reading(db) as store:
        found = compared(store, a, b)
    if json:
        print_json(found)
    else:
        put_all(_lines(found, all_events))
    if not found.same:
        click.get_current_context().exit(1)


def _lines(found: Difference, all_events: bool) -> Iterator[str]:
    yield found.sentence
    if found.counted != found.sentence:
        yield found.counted
    if found.combatants:
        yield from ("", f"Combatants at the end ({found.a} | {found.b})")
        for one in found.combatants:
            for name, (a, b) in one.changes.items():
                yield f"  {one.id}: {name} {_shown(a)} | {_shown(b)}"
    if found.declarations:
        yield from ("", f"Declarations ({found.a} | {found.b})")
        for change in found.declarations:
            who = change.actor or "the game master"
            a, b = change.a or "not declared", change.b or "not declared"
            yield f"  {change.id} {who}, {change.act}: {a} | {b}"
    if found.rolls:
        yield from ("", f"Rolls ({found.a} | {found.b})")
        for roll in found.rolls:
            yield f"  {roll.key}: {_faces(roll.a)} | {_faces(roll.b)}"
    if found.events and all_events:
        yield from ("", "Events")
        for event in found.events:
            at = " | ".join(f"#{seq}" if seq else "-" for seq in (event.a, event.b))
            yield f"  {event.kind}: {event.what} ({at})"


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple | list):
        return ", ".join(map(str, value)) or "none"
    return str(value)


def _faces(faces: tuple[int, ...]) -> str:
    return ", ".join(map(str, faces)) or "not rolled"
