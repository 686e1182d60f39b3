"""`affray options`: what is open to a combatant now, and why the rest is not."""

from collections.abc import Iterator
from pathlib import Path

import click

from affray.engine.book.card import wrapped
from affray.engine.table.legal import Legal, legal
from affray.events.errors import AffrayError
from affray.events.wording import square
from affray.projections.state import Encounter
from affray.replay.cli.base import answering, as_json, database, on_branch, reading, width
from affray.replay.cli.completing import complete_combatants
from affray.replay.cli.printing import print_json, put_all
from affray.replay.fight_over import fight_over
from affray.replay.narrate.cast import Cast
from affray.replay.options_told import PAST, options_told, past_told, reach_map
from affray.replay.people import People
from affray.replay.playhead import Playhead

EXAMPLES = """\b
Examples:
  affray options fight.db
  affray options fight.db gharm --closed
  affray options fight.db --at r2.t3
  affray options fight.db --json
"""


@click.command(epilog=EXAMPLES)
@database
@click.argument("who", default="", metavar="[COMBATANT]", shell_complete=complete_combatants)
@click.option("--closed", is_flag=True, help="Say of everything else why it is refused, with the rule.")
@click.option("--at", "position", default="end", show_default=True, help="A position: 17, r3 or r3.t2.")
@on_branch
@as_json
def options(db: Path, who: str, closed: bool, position: str, branch: str, json: bool) -> None:
    """List what a combatant may declare now: acts with their targets, squares in reach, and what it may cost.

    Whose turn it is, where nobody is named. The rules are asked as play asks them: what is listed is not
    refused. Squares whose best way passes somebody who may strike are marked !.
    """
    with reading(db) as store:
        playhead = Playhead(store, branch)
        state = playhead.seek(position)
        if state.pending is not None:
            raise AffrayError(f"the fight waits: {answering(db, store, playhead.branch, state.pending)}")
        id = People.in_fight(state).id_of(who) if who else state.active
        if not id:
            raise AffrayError("nobody's turn is running: name a combatant")
        found = legal(fight_over(state, None), state.combatants[id])
    if json:
        print_json(found)
    else:
        put_all(_what_is_open(state, found, closed))


def _what_is_open(state: Encounter, found: Legal, closed: bool) -> Iterator[str]:
    cast = Cast()
    for one in state.combatants.values():
        cast.enter(one.id, one.side, one.sheet.name)
    actor = state.combatants[found.who]
    turn = "" if found.who == state.active else ", out of turn"
    hp = f"{actor.hp} of {actor.max_hp} hp"
    yield f"{cast.name(found.who)}, {hp}, at {square(actor.at)}{turn}, may"
    rows = list(options_told(found))
    wide = max((len(name) for name, _ in rows), default=0)
    for name, text in rows:
        yield from wrapped(f"{name:<{wide}}  {text}".rstrip(), width(), "  ", " " * (wide + 4))
    if not rows:
        yield "  do nothing now"
    if found.ways:
        yield "In reach of a move, by what it costs in squares:"
        yield from reach_map(state, found.ways, cast.letters)
        yield from (f"  {PAST} {text}" for text in past_told(found.ways))
    if closed:
        yield "Refused:"
        for shut in found.closed:
            yield from wrapped(f"{shut.kind}: {shut.reason} ({shut.rule})", width(), "  ", "    ")
    else:
        yield f"Refused: {len(found.closed)} other acts (--closed says why)"
