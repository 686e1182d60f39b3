"""`affray difficulty`: how hard an encounter is, by the budget of its rulebook."""

from collections.abc import Iterator
from pathlib import Path

import click

from affray.engine.book.card import wrapped
from affray.engine.language.cast import Cast
from affray.engine.record.chapters import Difficulty
from affray.events.errors import counted
from affray.projections.state import Encounter
from affray.replay.cli.terminal.base import as_json, database, on_branch, reading, width
from affray.replay.cli.terminal.printing import print_found

EXAMPLES = """\b
Examples:
  affray difficulty fight.db
  affray difficulty fight.db --of heroes --at r2
  affray difficulty fight.db --json
"""


@click.command(epilog=EXAMPLES)
@database
@click.option("--of", default="", help="The side of the characters; default: the first that entered.")
@click.option("--at", "position", default="end", show_default=True, help="A position: 17, r3 or r3.t2.")
@on_branch
@as_json
def difficulty(db: Path, of: str, position: str, branch: str, json: bool) -> None:
    """Compare the experience points of the opponents with the budget of the characters.

    Only for a rulebook with such a budget (srd52). The characters need class levels, their opponents a
    Challenge Rating on their sheets. For the chances of a fight that is played: affray odds.
    """
    from affray.replay.chance.difficulty import difficulty as rate
    from affray.replay.log.playhead import Playhead

    with reading(db) as store:
        found = rate(store, of=of, branch=branch, at=position)
        state = Playhead(store, branch).seek(position)
    print_found(found, _rows(found, state), json)


def _rows(found: Difficulty, state: Encounter) -> Iterator[str]:
    cast, columns = Cast.of(state), width()
    levels = ", ".join(f"{cast.name(id)} {level}" for id, level in found.party)
    yield from wrapped(f"Characters by level: {levels}", columns, "", "  ")
    foes = ", ".join(f"{cast.name(one.id)} {one.points} (CR {one.rating})" for one in found.foes)
    yield from wrapped(f"{counted(len(found.foes), 'opponent')}, XP: {foes}", columns, "", "  ")
    for grade, budget in found.budgets.items():
        mark = " <" if grade == found.grade else ""
        yield f"  {grade:<10} up to {budget:>6}{mark}"
    yield f"{found.total} XP: {found.grade}"
    for note in found.notes:
        yield from wrapped(note, columns, "  ", "    ")
    yield from wrapped(f"By {', '.join(found.cites)}", columns, "", "  ")
