"""`affray chain` and `affray link`: dice that nobody can foresee, at the log and at a player's own."""

from pathlib import Path

import click

from affray.engine.dice import LENGTH, LONGEST
from affray.engine.table.dice import by_hand, is_for_link, wanted
from affray.engine.table.table import Table
from affray.events.jsonl import MAX_LINE, import_jsonl
from affray.events.memory import MemoryStore
from affray.events.redacted import Redacted, is_redacted
from affray.events.store import Store
from affray.events.wording import counted
from affray.projections.fold import fold
from affray.projections.state import Encounter
from affray.replay import chain_file
from affray.replay.cli.base import as_json, database, reading, writing
from affray.replay.cli.do import report
from affray.replay.cli.printing import print_json, say

CHAIN_EXAMPLES = """\b
Examples:
  affray chain fight.db --by alex --anchor 5f2c... --length 4096
  affray chain fight.db
  affray chain fight.db --leave alex --reason "gone home\""""

LINK_EXAMPLES = """\b
Examples:
  affray link alex.chain --new
  affray link alex.chain main#11:0f3c...
  affray link alex.chain
  affray link alex.chain --check fight.db"""


@click.command(epilog=CHAIN_EXAMPLES)
@database
@click.option("--by", default="", help="Whose chain begins.")
@click.option("--anchor", default="", help="Its anchor, 64 hexadecimal digits, as affray link prints it.")
@click.option("--length", type=click.IntRange(1, LONGEST), default=LENGTH, show_default=True)
@click.option("--leave", default="", help="Who gives no more links.")
@click.option("--reason", default="", help="Why, for the record.")
@as_json
def chain(db: Path, by: str, anchor: str, length: int, leave: str, reason: str, json: bool) -> None:
    """Let the dice follow from chains of the players, so that nobody can foresee them.

    Each player makes a chain of secret links (affray link FILE --new) and shows its anchor. From then on the
    fight waits, before the dice of each declaration, for one link of every player (affray choose DB LINK),
    and again after a person has chosen something. Who leaves is seen to leave. Without options, list the
    chains and what the fight waits for.
    """
    if bool(by) != bool(anchor):
        raise click.UsageError("give --by and --anchor, or neither")
    if by and leave:
        raise click.UsageError("--by and --leave: one of the two")
    if reason and not leave:
        raise click.UsageError("--reason says why somebody leaves: --leave NAME")
    if by:
        with writing(db) as store:
            Table(store, hands=by_hand(store)).begin_chain(by, anchor, length)
    if leave:
        with writing(db) as store:
            table = Table(store, hands=by_hand(store))
            outcome = table.leave_chain(leave, reason)
            report(store, table, outcome, db, json)
            return
    with reading(db) as store:
        branch = store.main_line()
        _list(store, branch, fold(store.read(branch)), json)


def _list(store: Store, branch: str, state: Encounter, json: bool) -> None:
    waits = waiting_for(store, branch, state)
    chains = [
        {"by": by, "anchor": one.anchor, "length": one.length, "given": one.number}
        for by, one in state.chains.items()
    ]
    if json:
        print_json({"chains": chains, "waiting": waits})
        return
    for by, one in state.chains.items():
        given = f"{one.number} of {counted(one.length, 'link')} given"
        say(f"{by or 'the game master'}: {given}, anchor {one.anchor}")
    if not chains:
        say("nobody has a chain here: who knows the seed of the dice can know them beforehand")
    if waits is not None:
        say(f"the fight waits for link {waits['number']} of {waits['by']}'s chain, for {waits['place']}")


def waiting_for(store: Store, branch: str, state: Encounter) -> dict[str, object] | None:
    """Return which link the fight waits for: of whom, its number and the place; None if for none."""
    question = state.pending
    if question is None or not is_for_link(question):
        return None
    head = store.head(branch).seq
    asked = next(iter(store.read(branch, after=head - 1)))
    number = wanted(store, state, question.who)
    return {"by": question.who, "number": number, "place": chain_file.asked_at(asked)}


@click.command(epilog=LINK_EXAMPLES)
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("place", default="")
@click.option("--new", is_flag=True, help="Make a chain.")
@click.option("--length", type=click.IntRange(1, LONGEST), help=f"Links of a new one.  [default: {LENGTH}]")
@click.option("--check", type=click.Path(path_type=Path, exists=True), help="Compare with a log or a copy.")
@as_json
def link(file: Path, place: str, new: bool, length: int | None, check: Path | None, json: bool) -> None:
    """Give a link of your own chain for what the fight waits for, which its PLACE says.

    The chain is a file that you alone may read. What each link was given for is noted in it: --check tells
    whether all of that stands in the log, so that nobody has thrown again what did not please.

    Status 1: something that a link was given for is not in the log, or the chain has not begun there, was
    left, or was followed by another.
    """
    if new + bool(place) + (check is not None) > 1:
        raise click.UsageError("--new, PLACE and --check: one of them")
    if length is not None and not new:
        raise click.UsageError("--length is that of a new chain: --new")
    if place:
        number, given = chain_file.give(file, place)
        if json:
            print_json({"number": number, "link": given})
        else:
            say(given)
        return
    one = chain_file.made(file, length or LENGTH) if new else chain_file.read(file)
    if check is not None:
        _compare(one, check, json)
        return
    anchor, left = one.chain.anchor.hex(), one.length - len(one.given)
    if json:
        print_json({"anchor": anchor, "length": one.length, "given": len(one.given)})
        return
    say(f"anchor: {anchor}")
    say(f"{counted(one.length, 'link')}, {left} left")


def _compare(one: chain_file.ChainFile, path: Path, json: bool) -> None:
    with path.open("rb") as opened:
        first = opened.readline(MAX_LINE)
        opened.seek(0)
        if is_redacted(first):
            faults = list(chain_file.compared(one, chain_file.shown_in(Redacted(opened))))
        elif first.startswith(b"{"):
            with MemoryStore() as store:
                import_jsonl(opened, store)
                faults = list(chain_file.compared(one, chain_file.events_of(store)))
        else:
            with reading(path) as kept:
                faults = list(chain_file.compared(one, chain_file.events_of(kept)))
    if json:
        print_json({"ok": not faults, "given": len(one.given), "problems": faults})
    else:
        for fault in faults:
            say(fault)
        if not faults:
            say(f"{counted(len(one.given), 'link')} given, all for what stands in the log")
    if faults:
        click.get_current_context().exit(1)
