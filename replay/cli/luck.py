"""`affray luck`: the dice of a fight beside what was to be expected of them."""

from collections.abc import Iterator
from pathlib import Path

import click

from affray.events.wording import counted
from affray.replay.cli.base import as_json, database, on_branch, reading
from affray.replay.cli.printing import print_json, put_all
from affray.replay.luck import Audit
from affray.replay.luck import luck as audited


@click.command(epilog="Example: affray luck fight.db")
@database
@on_branch
@as_json
def luck(db: Path, branch: str, json: bool) -> None:
    """Audit the luck of everybody and the fairness of the dice.

    Dice that people threw and typed are left out: they are not those of the encounter. A small p-value
    means that fair dice seldom scatter like that; with few throws it says little.
    """
    with reading(db) as store:
        found = audited(store, branch)
    if json:
        print_json(found)
    else:
        put_all(_lines(found))


def _lines(found: Audit) -> Iterator[str]:
    names = [one.who for one in (*found.sides, *found.combatants)]
    width = max(map(len, names), default=4)
    heading = (
        f"{'':<{width}}  attacks  hits (expected)  damage (expected)  d20s (mean)  best and worst streak"
    )
    for title, rows in (("Sides", found.sides), ("Combatants", found.combatants)):
        yield from ([title, f"  {heading}"] if rows else ())
        for one in rows:
            hits = f"{one.hits} ({one.expected_hits:.2f})"
            damage = f"{one.damage} ({one.expected_damage:.2f})"
            d20s = f"{one.d20s} ({one.d20_mean:.2f})"
            best = counted(one.best.length, "hit") + (f" from #{one.best.seq}" if one.best.length else "")
            missed = "miss" if one.worst.length == 1 else "misses"
            worst = f"{one.worst.length} {missed}" + (f" from #{one.worst.seq}" if one.worst.length else "")
            sums = f"{one.attacks:>7}  {hits:>15}  {damage:>17}  {d20s:>11}"
            yield f"  {one.who:<{width}}  {sums}  {best}, {worst}"
    yield "Dice"
    for dice in found.dice:
        size = f"d{dice.sides}"
        yield (
            f"  {size:<5} {dice.thrown:>5} thrown, mean {dice.mean:.2f} (fair: {(dice.sides + 1) / 2:.2f}), "
            f"chi-square {dice.chi_square:.2f}, p = {dice.p_value:.4f}"
            f"{'' if dice.enough else ' (too few to judge)'}"
        )
    if found.by_hand:
        yield f"  {counted(found.by_hand, 'throw')} by hand or elsewhere left out"
