"""`affray manual`: whose dice are thrown by hand."""

from pathlib import Path

import click

from affray.engine.table.dice import EVERYBODY, SIDE, by_hand, keep_by_hand
from affray.events.errors import did_you_mean
from affray.projections.fold import fold
from affray.projections.state import Encounter
from affray.replay.cli.base import as_json, database, reading, writing
from affray.replay.cli.completing import complete_combatants
from affray.replay.cli.printing import print_json, put
from affray.replay.people import People


@click.command(
    epilog="\b\nExamples:\n  affray manual fight.db heroes\n  affray manual fight.db everybody\n"
    "  affray manual fight.db --off\n  affray manual fight.db"
)
@database
@click.argument("whom", nargs=-1, shell_complete=complete_combatants)
@click.option("--off", is_flag=True, help="Nobody throws by hand any more.")
@as_json
def manual(db: Path, whom: tuple[str, ...], off: bool, json: bool) -> None:
    """Let dice be thrown by hand: those of combatants, of sides, or everybody's.

    It is kept with the fight: for each such roll it waits until affray choose says the faces. Without WHOM,
    say whose dice those are.
    """
    if off and whom:
        raise click.UsageError("--off: nobody throws by hand any more, so none is named")
    if off or whom:
        with writing(db) as store:
            state = fold(store.read(store.main_line()))
            keep_by_hand(store, () if off else [_hand(state, word) for word in whom])
    with reading(db) as store:
        kept = by_hand(store)
    if json:
        print_json({"by_hand": kept})
    else:
        names = ", ".join(one.removeprefix(SIDE) for one in kept)
        put(f"Dice thrown by hand: {names or 'none'}")


def _hand(state: Encounter, word: str) -> str:
    """Return what is kept for a word: everybody, a side or a combatant. Raises UsageError for others."""
    people, sides = People.in_fight(state), sorted({one.side for one in state.combatants.values()})
    if word == EVERYBODY:
        return word
    if word in sides and word not in people.ids:
        return f"{SIDE}{word}"
    if not people.knows(word):
        meant = did_you_mean(word, [EVERYBODY, *sides, *people.ids])
        raise click.UsageError(f"{word!r} is no side and no combatant{meant}")
    return people.id_of(word)
