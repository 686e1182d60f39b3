"""`affray why`, `blame`: explain an event; list the events that set a part of the state."""

from collections.abc import Iterator
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import structs
from msgspec.structs import replace

from affray.engine.book.card import wrapped
from affray.engine.language.names import People
from affray.events.errors import counted
from affray.projections.deeds import ENOUGH
from affray.projections.timeline import parse
from affray.replay.cli.terminal.base import (
    LOG,
    as_json,
    database,
    find_rulebook_page,
    is_output_in_colour,
    make_rulebook_option,
    on_branch,
    reading,
    width,
    wrap_row,
)
from affray.replay.cli.terminal.printing import (
    can_show_links,
    link_to_rulebook,
    print_found,
    print_json,
    put_all,
    put_unread,
)
from affray.replay.explain.why import TurnExplained, Why, turn_explained, turn_rows, yield_text_rows
from affray.replay.explain.why import why as explained
from affray.replay.log.playhead import Playhead
from affray.replay.text.ansi import painted
from affray.replay.text.rulebook_links import rule_address, whole

if TYPE_CHECKING:
    from affray.replay.explain.blame import Before, Blame, Blamed, Maker, SumBlamed


# --- `affray why`: the whole explanation of one event


def print_schema(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    """Print the schema and exit, without a log."""
    if value and not ctx.resilient_parsing:
        put_all((files("affray.replay") / "why.schema.json").read_text(encoding="utf-8").splitlines())
        ctx.exit()


@click.command(
    epilog="\b\nExamples:\n  affray why fight.db 42\n  affray why fight.db r1.t3\n  affray why --schema\n"
    "  affray why fight.db 42 --rulebook https://example.org/rulebooks/"
)
@database
@click.argument("position", metavar="SEQ|TURN")
@on_branch
@make_rulebook_option("Link rules to this rulebook: a page (affray rules --page) or a folder of pages.")
@as_json
@click.option(
    "--schema",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=print_schema,
    help="Print the JSON Schema of --json.",
)
def why(db: Path, position: str, branch: str, rulebook: str, json: bool) -> None:
    """Explain one event: declaration, dice, every modifier, the rules and their readings.

    For a turn (r1.t3) or a round (r1): everything that was decided in it, with the numbers. With --rulebook
    each rule is a link on a terminal; elsewhere the addresses are listed at the end.
    """
    with reading(db) as store:
        page = whole(find_rulebook_page(store, rulebook, Path()))
        place = parse(position)
        if place.seq is None:
            turn = turn_explained(store, branch, position)
            rows = [] if json else list(turn_rows(store, turn, width()))
            found: Why | TurnExplained = turn
        else:
            found = explained(store, branch, Playhead(store, branch).timeline.seq_of(place))
            rows = yield_text_rows(found, width())
    outcomes = [found] if isinstance(found, Why) else found.outcomes
    for one in outcomes if page else ():
        one.rules = [replace(rule, address=rule_address(page, rule.id)) for rule in one.rules]
    if json:
        print_json(found)
        return
    link_to_rulebook(page)
    for row in rows:
        hanging = " " * (len(row) - len(row.lstrip()) + 4)
        put_all(_coloured(row, one) if is_output_in_colour() else one for one in wrap_row(row, hanging))
    addresses = dict.fromkeys(rule.address for one in outcomes for rule in one.rules if rule.address)
    if addresses and not can_show_links():
        put_all(("", "In the rulebook", *(f"  {address}" for address in addresses)))


def _coloured(row: str, part: str) -> str:
    """Return a part of a row of an explanation, with headings highlighted and unused modifiers dimmed."""
    if row and not row.startswith(" "):
        return painted(part, bold=True)
    return painted(part, dim=True) if "  does not count: " in row else part


# --- `affray blame`: the events that set a part of the state

BLAME_EXAMPLES = """\b
Examples:
  affray blame fight.db ysolde.hp
  affray blame fight.db ysolde.conditions.dying --at r3
  affray blame fight.db gharm.at
  affray blame fight.db ysolde.defense --against gharm --at 50
  affray blame fight.db gharm.attack --against ysolde --with greatclub
  affray blame tower.db ysolde.hp --follow bridge.db --follow ford.db
  affray blame fight.db --paths
"""

LONGEST = 60
"""Longest record whose parts are printed with their values, in characters."""


@click.command(epilog=BLAME_EXAMPLES)
@database
@click.argument("path", default="", metavar="[PATH]")
@click.option("--at", "position", default="end", show_default=True, help="A position: 17, r3 or r3.t2.")
@click.option(
    "--against", default="", metavar="ID", help="The attacker for WHO.defense, the target for WHO.attack."
)
@click.option(
    "--with", "weapon", default="", metavar="WEAPON", help="The weapon of the attack; default: the usual one."
)
@click.option(
    "--follow",
    "beside",
    metavar="LOG",
    multiple=True,
    type=LOG,
    help="Follow combatants carried from other fights into these logs.",
)
@click.option("--all", "everything", is_flag=True, help="Print all events of a part that changed often.")
@click.option("--paths", is_flag=True, help="List every path with its value.")
@on_branch
@as_json
def blame(
    db: Path,
    path: str,
    position: str,
    against: str,
    weapon: str,
    beside: tuple[Path, ...],
    everything: bool,
    paths: bool,
    branch: str,
    json: bool,
) -> None:
    """List the events that set a part of the state, each with its modifiers and rules.

    PATH is WHO.FIELD, or FIELD for the encounter's own: hit points, a condition, a square, an effect, used
    supplies. With --against it is WHO.defense or WHO.attack, computed for the current state, part by part.

    State that a combatant brought from another fight is traced to that fight, with --follow event by event.
    """
    from affray.replay.campaign.origins import open_logs_at
    from affray.replay.explain.blame import Blame, yield_origins_in_earlier_fights

    if not path and not paths:
        raise click.UsageError("name a path, for example ysolde.hp, or list all with --paths")
    if paths and (path or against or weapon or everything or beside):
        raise click.UsageError("--paths lists every path: use it only with --at and --branch")
    if (against or weapon) and (everything or beside):
        raise click.UsageError("--follow and --all need a path of the state, not --against")
    logs = open_logs_at(beside)
    with reading(db) as store:
        playhead = Playhead(store, branch)
        playhead.seek(position)
        found = Blame(store, playhead.branch, playhead.seq)
        if paths:
            told: object = {one: found.value(one) for one in found.paths()}
            rows: Iterator[str] = (f"{one} = {_short(found.value(one))}" for one in found.paths())
        elif against or weapon:
            blamed = _sum(found, path, against, weapon)
            told, rows = blamed, _sum_rows(blamed)
        else:
            of = found.of(path, len(found.events)) if everything else found.of(path)
            before = list(yield_origins_in_earlier_fights(found, of, logs))
            told = {**structs.asdict(of), "before": before} if before else of
            rows = chain(_blamed_rows(of), *map(_before_rows, before))
        lines = [] if json else list(rows)
    print_found(told, lines, json)
    put_unread(logs.unread)


def _sum(found: "Blame", path: str, against: str, weapon: str) -> "SumBlamed":
    from affray.replay.explain.blame import SUMS, sum_blamed

    who, _, name = path.rpartition(".")
    if name not in SUMS or not who or not against:
        raise click.UsageError("--against and --with need WHO.defense or WHO.attack: name both sides")
    people = People.find_combatants_in_fights(found.state)
    return sum_blamed(
        found, people.find_id_of_combatant(who), name, people.find_id_of_combatant(against), weapon
    )


def _blamed_rows(found: "Blamed") -> Iterator[str]:
    yield f"{found.path} = {_short(found.value)}  ({found.branch} at {found.at})"
    for place, maker in enumerate(found.makers):
        if found.left_out and place == len(found.makers) - 1:
            yield f"  ... and {counted(found.left_out, 'event')} between (--all)"
        yield from _maker_rows(maker, "  ", f"{_short(maker.value)}  ")
    if not found.makers:
        yield "  unchanged since the beginning"


def _before_rows(one: "Before") -> Iterator[str]:
    origin = one.origin
    where = one.log or f"log {origin.log[:ENOUGH]}, which is not available (--follow)"
    fight = origin.fight or "another fight"
    yield f"carried from {fight}: {origin.id} after event {origin.seq}, {where}"
    if one.blamed is not None:
        yield from _blamed_rows(one.blamed)


def _sum_rows(found: "SumBlamed") -> Iterator[str]:
    side = "against an attack of" if found.sum == "defense" else "at"
    how = f"{side} {found.against} with {found.weapon}"
    yield f"{found.who}.{found.sum} = {found.value} {how}  ({found.branch} at {found.at})"
    for given in found.parts:
        part = given.modifier
        value = f"({part.value:+d})" if part.denied else f"{part.value:+d}"
        denied = f"  does not count: {part.denied}" if part.denied else ""
        yield from wrapped(
            f"{value:>5}  {part.kind} {part.source}  {part.rule}{denied}", width(), "  ", " " * 9
        )
        for maker in given.makers:
            yield from wrapped(f"#{maker.seq} {maker.place}  {maker.text}", width(), " " * 9, " " * 13)


def _maker_rows(maker: "Maker", indent: str, value: str) -> Iterator[str]:
    yield from wrapped(
        f"#{maker.seq:<5} {maker.place:<6} {value}{maker.text}", width(), indent, indent + " " * 7
    )
    inner = indent + " " * 7
    counting = [part for part in maker.parts if not part.denied]
    for seq, side in dict.fromkeys((part.seq, part.side) for part in counting):
        some = [part for part in counting if (part.seq, part.side) == (seq, side)]
        told = ", ".join(f"{part.value:+d} {part.source or part.kind}" for part in some)
        yield from wrapped(f"{side.replace('_', ' ')} of #{seq}: {told}", width(), inner, inner + "  ")
    if maker.rules:
        yield from wrapped(", ".join(maker.rules), width(), inner, inner)


def _short(value: object) -> str:
    """Return a short form of a value: records by name, and of a long record only the names."""
    if isinstance(value, dict):
        nested = [isinstance(one, dict) for one in value.values()]
        if not any(nested) or all(nested):
            told = value if any(nested) else (f"{name} {_short(one)}" for name, one in value.items())
            return ", ".join(told) or "none"
        words = {name: f"{name} {' '.join(_said(one))}" for name, one in value.items() if any(_said(one))}
        return ", ".join(words.values() if sum(map(len, words.values())) <= LONGEST else words) or "yes"
    if isinstance(value, list | tuple):
        return ", ".join(map(_short, value)) or "none"
    if value is None or value == "":
        return "none"
    return {True: "yes", False: "no"}.get(value, "") if isinstance(value, bool) else str(value)


def _said(value: object) -> Iterator[str]:
    """Yield the filled-in parts of a record; an end that never comes is left out."""
    for one in value.values() if isinstance(value, dict) else (value,):
        if one:
            yield _short(one)
