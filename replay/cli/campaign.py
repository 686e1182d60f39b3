"""`affray carry`, `career`: combatants that go from one fight into the next."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from affray.engine.language.names import People
from affray.events.errors import AffrayError, counted
from affray.events.stores.address import Address
from affray.projections.deeds import ENOUGH
from affray.projections.fold import fold
from affray.projections.state import Encounter
from affray.replay.campaign.career import Bout, Career, CombatantState
from affray.replay.campaign.career import career as career_of
from affray.replay.campaign.origins import open_logs_at
from affray.replay.cli.terminal.base import (
    LOG,
    Refused,
    as_json,
    complete_combatants,
    in_file,
    on_branch,
    parse_entry_square,
    report_damage,
    request_id,
    watched,
    writing,
)
from affray.replay.cli.terminal.printing import print_found, put, put_unread
from affray.replay.log.playhead import Playhead
from affray.replay.log_files import open_any

if TYPE_CHECKING:
    from affray.replay.campaign.carry import CarriedOver


# --- `affray carry`: combatants of one fight enter another in the state in which they left

T = TypeVar("T")

HOURS_A_DAY = 24
TIME = re.compile(r"(?P<many>\d{1,6})\s*(?P<what>[rmhd])")
"""An amount of time: rounds, minutes, hours, days."""

CARRY_EXAMPLES = """\b
Examples:
  affray carry ford.db fighter cleric --into bridge.db
  affray carry ford.db ogre --into bridge.db --as gruk --at 8,3 --after 10m
  affray carry ford.db fighter --into bridge.db --at-event r3 --renew all --gather"""


@click.command(epilog=CARRY_EXAMPLES)
@click.argument("source", metavar="FROM", type=LOG)
@click.argument("who", metavar="ID...", nargs=-1, required=True, shell_complete=complete_combatants)
@click.option("--into", "target", metavar="DB", type=LOG, required=True, help="The log to carry them into.")
@click.option("--as", "names", metavar="NAME", multiple=True, help="Its id there; for several, ID=NAME.")
@click.option("--at", "squares", metavar="X,Y", multiple=True, help="Its square there; for several, ID=X,Y.")
@click.option("--side", "sides", metavar="SIDE", multiple=True, help="Its side there; for several, ID=SIDE.")
@on_branch
@click.option(
    "--at-event", "position", default="end", show_default=True, help="When they leave: 17, r3 or r3.t2."
)
@click.option("--into-branch", "into", default="", help="The branch that they enter; default: the main line.")
@click.option("--after", default="", metavar="TIME", help="The time that passes: 3r, 10m, 8h, 2d.")
@click.option("--renew", multiple=True, metavar="USE", help="A use that is renewed, or all.")
@click.option("--gather", is_flag=True, help="They pick up their own items from the ground.")
@click.option("--dead", is_flag=True, help="Carry the bodies of the dead too.")
@click.option("--by", default="", help="Your name, for the record.")
@request_id
@as_json
def carry(
    source: Path,
    who: tuple[str, ...],
    target: Path,
    names: tuple[str, ...],
    squares: tuple[str, ...],
    sides: tuple[str, ...],
    branch: str,
    position: str,
    into: str,
    after: str,
    renew: tuple[str, ...],
    gather: bool,
    dead: bool,
    by: str,
    request: str,
    json: bool,
) -> None:
    """Carry combatants of one fight into another, in the state in which they left the first.

    The entry records their origin: log, event, its digest. Hit points, losses, lasting conditions, uses and
    gear are carried; effects that last some rounds end, unless --after gives the time that has passed.
    Everything left behind is listed. To heal, let them rest in the next fight: affray do DB rest --hours 8.

    The fight to carry them into must be opened first: affray new DB --dialect NAME.
    """
    from affray.replay.campaign.carry import Between, Journey
    from affray.replay.campaign.carry import carry as carry_over

    if not isinstance(target, Address) and not target.exists():
        raise AffrayError(
            f"{target}: no such file; open the next fight first: affray new {target} --dialect NAME"
        )
    with (
        in_file(source),
        open_any(source) as log,
        report_damage(log),
        writing(target) as other,
    ):
        playhead = Playhead(log, branch)
        state = playhead.seek(position)
        people = People.find_combatants_in_fights(state)
        ids = [people.find_id_of_combatant(word) for word in who]
        journey = Journey(
            names=_each(ids, names, "--as", str),
            places=_each(ids, squares, "--at", parse_entry_square),
            sides=_each(ids, sides, "--side", str),
            between=Between(_rounds(after, state), tuple(renew), gather),
            dead=dead,
            by=by,
            request=request,
        )
        entered = fold(other.read(into or other.main_line()))
        made = carry_over(log, ids, other, branch=branch, at=playhead.seq, into=into, journey=journey)
        remarks = [*_remarks(state, entered, source), *(one for each in made for one in each.outcome.remarks)]
    refused = next((one.outcome.refused for one in made if one.outcome.refused is not None), None)
    rows = (
        row
        for one in made
        if one.outcome.refused is None
        for row in _carried_rows(one, str(source), entered.name)
    )
    print_found({"carried": [_as_json(one) for one in made], "remarks": remarks}, rows, json)
    for remark in () if json else remarks:
        put(remark, err=True)
    if refused is not None:
        raise Refused(f"refused: {refused.reason} ({refused.rule})")


def _each(ids: Sequence[str], words: Sequence[str], option: str, read: Callable[[str], T]) -> dict[str, T]:
    """Return an option's value for each id: ID=WHAT, or WHAT if there is one id."""
    found = {}
    for word in words:
        id, told, what = word.rpartition("=")
        if not told and len(ids) > 1:
            raise click.UsageError(f"{option} {word}: for several combatants name one: ID={word}")
        if (id or ids[0]) not in ids:
            raise click.UsageError(f"{option} {word}: {id!r} is not one of {', '.join(ids)}")
        found[id or ids[0]] = read(what)
    return found


def _rounds(text: str, state: Encounter) -> int:
    """Return a time in rounds by the dialect of a fight; -1 if none is given."""
    from affray.engine.dialects import load
    from affray.replay.campaign.carry import MINUTES_AN_HOUR, rounds_per_minute

    if not text:
        return -1
    found = TIME.fullmatch(text.strip())
    if found is None:
        raise click.UsageError(f"--after {text}: write the time as 3r (rounds), 10m, 8h or 2d")
    minute = rounds_per_minute(load(state.dialect, None, state.tables, state.packages))
    hour = minute * MINUTES_AN_HOUR
    return int(found["many"]) * {"r": 1, "m": minute, "h": hour, "d": hour * HOURS_A_DAY}[found["what"]]


def _remarks(former: Encounter, following: Encounter, source: Path) -> Iterator[str]:
    from affray.replay.campaign.carry import other_rules

    if not former.closed:
        yield f"{source}: this fight is not closed; its later events are not carried"
    yield from other_rules(former, following)


def _carried_rows(one: "CarriedOver", source: str, fight: str) -> Iterator[str]:
    origin, carried = one.origin, one.leaving.carried
    was = f" (there {origin.id})" if origin.id != one.id else ""
    yield f"{one.id}{was} left {source} after event {origin.seq} of {origin.branch} and is in {fight}"
    health = f"{carried.hp} of {counted(carried.max_hp, 'hit point')}"
    more = [f"{carried.nonlethal} nonlethal"] if carried.nonlethal else []
    more += [f"{carried.temporary} temporary"] if carried.temporary else []
    yield f"  carried: {', '.join((health, *more, *along(one)))}"
    for left in one.leaving.left:
        yield f"  left behind: {left}"
    yield "  new in this fight: its square, its initiative and its turns"


def along(one: "CarriedOver") -> Iterator[str]:
    """Yield in words what is carried besides hit points."""
    carried = one.leaving.carried
    for condition in carried.conditions:
        left = condition.until.round
        yield f"{condition.condition} ({counted(left, 'round')} more)" if left else condition.condition
    for effect in carried.effects:
        left = effect.until.round
        what = effect.modifier.source or effect.id
        yield f"{what} ({counted(left, 'round')} more)" if left else what
    yield from (f"{points} lost of {name}" for name, points in carried.losses)
    yield from carried.injuries
    yield from (affliction.rider.name for affliction in carried.afflictions)
    yield from (f"{amount} used of {name}" for name, amount in carried.used)
    yield from (f"{name} {state}" for name, state in carried.items if state not in ("stowed",))


def _as_json(one: "CarriedOver") -> Mapping[str, object]:
    return {
        "id": one.id,
        "origin": one.origin,
        "carried": one.leaving.carried,
        "left": one.leaving.left,
        "refused": one.outcome.refused,
        "events": [event.seq for event in one.outcome.events],
    }


# --- `affray career`: the fights of one combatant in order, and how it did in each

HEADINGS = ("fight", "as", "entered", "left", "rounds", "dealt", "taken", "kills", "log")


@click.command(
    epilog="\b\nExamples:\n  affray career fighter ford.db bridge.db tower.db\n"
    "  affray career fighter campaign/ --json"
)
@click.argument("who", metavar="ID")
@click.argument("logs", metavar="LOG...", nargs=-1, required=True, type=LOG)
@as_json
def career(who: str, logs: tuple[Path, ...], json: bool) -> None:
    """List the fights of one combatant in order.

    LOGs are files, folders of them, or addresses of fights in a database. The origins recorded at its entries
    lead to its other ids, before and after. Hit points dealt and taken and kills count until it goes on to
    another fight.
    """
    found = open_logs_at(logs)
    with watched("reading") as progress:
        told = career_of(who, found, progress)
    print_found({"career": told, "unread": found.unread}, _career_rows(told), json)
    if not json:
        put_unread(found.unread)


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
        yield f"comes from log {log[:ENOUGH]}, which is not available"


def _bout_cells(one: Bout) -> tuple[str, ...]:
    kills = ", ".join(one.kills) or "-"
    numbers = (str(one.rounds), str(one.dealt), str(one.taken))
    return (one.fight, one.id, _health(one.at_first), _health(one.at_last), *numbers, kills, one.log)


def _health(one: CombatantState) -> str:
    return f"{one.hp}/{one.max_hp}" + (f" ({one.nonlethal} nl)" if one.nonlethal else "")


def _lasting(one: CombatantState) -> str:
    used = [f"{amount} used of {name}" for name, amount in one.used.items()]
    return "; ".join(filter(None, (", ".join(one.conditions), ", ".join(used))))
