"""`affray career`: the fights of one combatant in their order, and how it did in each."""

from collections.abc import Iterator
from pathlib import Path

import click

from affray.events.wording import counted
from affray.projections.deeds import ENOUGH
from affray.replay.campaign.career import Bout, Career, Standing
from affray.replay.campaign.career import career as career_of
from affray.replay.campaign.logs import logs_at
from affray.replay.cli.base import LOG, as_json
from affray.replay.cli.playing_on import watched
from affray.replay.cli.printing import print_json, put, put_all

HEADINGS = ("fight", "as", "entered", "left", "rounds", "dealt", "taken", "kills", "log")


@click.command(
    epilog="\b\nExamples:\n  affray career fighter ford.db bridge.db tower.db\n"
    "  affray career fighter campaign/ --json"
)
@click.argument("who", metavar="ID")
@click.argument("logs", metavar="LOG...", nargs=-1, required=True, type=LOG)
@as_json
def career(who: str, logs: tuple[Path, ...], json: bool) -> None:
    """List the fights of one combatant in the order in which it came through them.

    LOGs are files, folders of them, or addresses of fights in a database. By where those who enter say that
    they come from it is found under other ids too, before and after. Hit points dealt and taken and those
    killed count until it goes on into another fight.
    """
    found = logs_at(logs)
    with watched("reading") as progress:
        told = career_of(who, found, progress)
    if json:
        print_json({"career": told, "unread": found.unread})
        return
    put_all(_career_rows(told))
    for name, why in found.unread.items():
        put(f"{name}: passed over: {why}", err=True)


def _career_rows(found: Career) -> Iterator[str]:
    rows = [HEADINGS, *map(_bout_cells, found.bouts)]
    wide = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS))]
    for row in rows:
        yield "  ".join(cell.ljust(size) for cell, size in zip(row, wide, strict=True)).rstrip()
    for one in found.bouts:
        if more := _lasting(one.at_last):
            yield f"{one.fight}: left {more}"
    many = counted(len(found.bouts), "fight")
    dealt, taken = (sum(getattr(one, name) for one in found.bouts) for name in ("dealt", "taken"))
    rounds = counted(sum(one.rounds for one in found.bouts), "round")
    killed = counted(sum(len(one.kills) for one in found.bouts), "kill")
    yield f"{found.id}: {many}, {rounds}, {dealt} dealt, {taken} taken, {killed}"
    for log in found.missing:
        yield f"comes from log {log[:ENOUGH]}, which is not at hand"


def _bout_cells(one: Bout) -> tuple[str, ...]:
    kills = ", ".join(one.kills) or "-"
    numbers = (str(one.rounds), str(one.dealt), str(one.taken))
    return (one.fight, one.id, _health(one.at_first), _health(one.at_last), *numbers, kills, one.log)


def _health(one: Standing) -> str:
    return f"{one.hp}/{one.max_hp}" + (f" ({one.nonlethal} nl)" if one.nonlethal else "")


def _lasting(one: Standing) -> str:
    used = [f"{amount} used of {name}" for name, amount in one.used.items()]
    return "; ".join(filter(None, (", ".join(one.conditions), ", ".join(used))))
