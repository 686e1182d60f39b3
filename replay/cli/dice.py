"""`affray contribute`, `chain`, `link`, `manual`, `secrets`: what the dice of a fight follow from."""

from pathlib import Path

import click
from msgspec import Struct

from affray.engine.dice import LENGTH, LONGEST
from affray.engine.table.dice import EVERYBODY, SIDE, by_hand, is_for_link, keep_by_hand, wanted
from affray.events.chain import SALT_KEY
from affray.events.errors import AffrayError, SecretsMissing, counted, did_you_mean, shell_command
from affray.events.exports import MAX_LINE, Redacted, import_jsonl, is_redacted
from affray.events.secrets import SEED, is_exposed, read_secrets
from affray.events.stores.memory import MemoryStore
from affray.events.stores.sqlite import SqliteStore
from affray.events.stores.sqlite_file import is_its_seed
from affray.events.stores.store import Store
from affray.projections.fold import fold
from affray.projections.state import Encounter
from affray.replay import chain_file
from affray.replay.cli.terminal.base import as_json, complete_combatants, database, reading, writing
from affray.replay.cli.terminal.printing import exit_unless, print_found
from affray.replay.names import People

# --- `affray contribute`: what players give to the seed of the dice

CONTRIBUTE_EXAMPLES = """\b
Examples:
  affray contribute fight.db --by alex "seven purple dragons"
  affray contribute fight.db"""


@click.command(epilog=CONTRIBUTE_EXAMPLES)
@database
@click.argument("words", default="")
@click.option("--by", default="", help="Who gives them.")
@as_json
def contribute(db: Path, words: str, by: str, json: bool) -> None:
    """Give words to the seed of the dice, before anything is declared.

    The first event of the log commits the game master to a secret. Whoever notes that commitment and then
    gives words of their own knows that it was not chosen for its dice: they follow from the secret and all
    words. Who knows the secret can try words, and ids, that come after them: look at who gives last, or see
    affray chain. Without WORDS, print the commitment and what was given so far.
    """
    from affray.engine.table.table import Table

    if bool(words) != bool(by):
        raise click.UsageError("give words and, with --by, whose they are; or neither")
    if words:
        with writing(db) as store:
            Table(store).contribute(by, words)
    with reading(db) as store:
        state = fold(store.read(store.main_line()))
    given = [{"by": name, "words": said} for name, said in state.contributions]
    warning = "the game master could try what is given last until the dice please: who gave after you?"
    nothing = "nobody has given anything: the seed of the dice is the game master's alone"
    rows = (
        f"The game master's commitment: {state.commitment}",
        *(f"  {one['by']} gives: {one['words']}" for one in given),
        f"  {warning if given else nothing}",
    )
    print_found({"commitment": state.commitment, "contributions": given}, rows, json)


# --- `affray chain` and `affray link`: dice that nobody can foresee, at the log and at a player's own

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
    from affray.engine.table.table import Table
    from affray.replay.cli.declare import report

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
    rows = [
        f"{by or 'the game master'}: {one.number} of {counted(one.length, 'link')} given, anchor {one.anchor}"
        for by, one in state.chains.items()
    ] or ["nobody has a chain here: who knows the seed of the dice can know them beforehand"]
    if waits is not None:
        rows.append(
            f"the fight waits for link {waits['number']} of {waits['by']}'s chain, for {waits['place']}"
        )
    print_found({"chains": chains, "waiting": waits}, rows, json)


def waiting_for(store: Store, branch: str, state: Encounter) -> dict[str, object] | None:
    """Return which link the fight waits for: of whom, its number and the place; None if for none."""
    question = state.pending
    if question is None or not is_for_link(question):
        return None
    head = store.head(branch).seq
    asked = next(iter(store.read(branch, after=head - 1)))
    number = wanted(store, state, question.who)
    return {"by": question.who, "number": number, "place": chain_file.get_place_of_asked_link(asked)}


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
        print_found({"number": number, "link": given}, [given], json)
        return
    one = chain_file.made(file, length or LENGTH) if new else chain_file.read(file)
    if check is not None:
        _compare(one, check, json)
        return
    anchor, left = one.chain.anchor.hex(), one.length - len(one.given)
    rows = (f"anchor: {anchor}", f"{counted(one.length, 'link')}, {left} left")
    print_found({"anchor": anchor, "length": one.length, "given": len(one.given)}, rows, json)


def _compare(one: chain_file.ChainFile, path: Path, json: bool) -> None:
    with path.open("rb") as opened:
        first = opened.readline(MAX_LINE)
        opened.seek(0)
        if is_redacted(first):
            faults = list(chain_file.compared(one, chain_file.read_shown_digests(Redacted(opened))))
        elif first.startswith(b"{"):
            with MemoryStore() as store:
                import_jsonl(opened, store)
                faults = list(chain_file.compared(one, chain_file.events_of(store)))
        else:
            with reading(path) as kept:
                faults = list(chain_file.compared(one, chain_file.events_of(kept)))
    good = f"{counted(len(one.given), 'link')} given, all for what stands in the log"
    print_found({"ok": not faults, "given": len(one.given), "problems": faults}, faults or [good], json)
    exit_unless(not faults)


# --- `affray manual`: whose dice are thrown by hand


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
            keep_by_hand(store, () if off else [_parse_roller(state, word) for word in whom])
    with reading(db) as store:
        kept = by_hand(store)
    names = ", ".join(one.removeprefix(SIDE) for one in kept)
    print_found({"by_hand": kept}, [f"Dice thrown by hand: {names or 'none'}"], json)


def _parse_roller(state: Encounter, word: str) -> str:
    """Return what is kept for a word: everybody, a side or a combatant. Raises UsageError for others."""
    people, sides = (
        People.find_combatants_in_fights(state),
        sorted({one.side for one in state.combatants.values()}),
    )
    if word == EVERYBODY:
        return word
    if word in sides and word not in people.ids:
        return f"{SIDE}{word}"
    if not people.knows(word):
        meant = did_you_mean(word, [EVERYBODY, *sides, *people.ids])
        raise click.UsageError(f"{word!r} is no side and no combatant{meant}")
    return people.find_id_of_combatant(word)


# --- `affray secrets`: where the seed of the dice is kept, and bringing it there


class SecretsLocation(Struct, frozen=True):
    """Where the secrets of a log are: their names, never what they are.

    `place` is beside (in the file), in the log (one of earlier days), in the database (for masters alone),
    missing, elsewhere (what lies beside the log is not its own) or none; `fault` says what is wrong.
    `exposed`: others than the owner may read it.
    """

    file: str
    place: str
    names: tuple[str, ...]
    exposed: bool
    fault: str = ""


@click.command(
    epilog="\b\nExamples:\n  affray secrets fight.db\n  affray secrets fight.db --from old/fight.db-secrets\n"
    "  affray secrets old.db --move"
)
@database
@click.option("--from", "source", type=click.Path(path_type=Path), help="Copy the secrets of this log here.")
@click.option("--move", is_flag=True, help="Move the seed of an old log out of it into a file of its own.")
@as_json
def secrets(db: Path, source: Path | None, move: bool, json: bool) -> None:
    """Say where the secrets of a log are: the seed of its dice, until it is revealed.

    They stand in a file beside the log, fight.db-secrets, that its owner alone may read. It goes wherever
    the log is moved to play on; whoever only reads does not need it. Logs of earlier releases hold the seed
    themselves: --move takes it out.

    Status 1: a log whose secrets are not there.
    """
    if source is not None and move:
        raise click.UsageError("--from and --move: one of the two")
    if source is not None or move:
        with writing(db) as store:
            _brought(store, source)
    with reading(db) as store:
        kept = where(store)
    print_found(kept, [_told(db, kept)], json)
    exit_unless(not kept.fault)


def _brought(store: Store, source: Path | None) -> None:
    """Bring secrets to where they belong: of a file that is `source`, or out of an old log itself."""
    if isinstance(store, SqliteStore):
        if source is not None:
            store.secrets.bring(source)
        else:
            store.move_out_secrets()
        return
    if source is None:
        raise AffrayError("the secrets of a log in a database stand in a table for masters alone already")
    brought = read_secrets(source)
    if brought is None:
        raise SecretsMissing(f"{source}: no such file")
    seed = brought.get(SEED)
    if seed is None or not is_its_seed(store, seed):
        raise SecretsMissing(f"{source}: these are the secrets of another log")
    for name in sorted(brought.secrets):
        store.keep_secret(name, brought.get(name) or b"")


def where(store: Store) -> SecretsLocation:
    """Return where the secrets of a log are. Raises LogUnavailable if they cannot be read."""
    if not isinstance(store, SqliteStore):
        kept = tuple(name for name in (SALT_KEY, SEED) if store.secret(name) is not None)
        return SecretsLocation("", "in the database" if kept else "none", kept, False)
    beside = store.secrets
    file = str(beside.path)
    try:
        found = beside.found()
        old = store.note(SEED) is not None
        if found is None and not old:
            beside.get(SEED)  # says so where it should be there
            return SecretsLocation(file, "none", (), False)
    except SecretsMissing as error:
        return SecretsLocation(
            file, "elsewhere" if beside.path.exists() else "missing", (), False, str(error)
        )
    if found is None:
        return SecretsLocation(file, "in the log", (SEED,), False)
    names = tuple(sorted({*found.secrets, *((SEED,) if old else ())}))
    return SecretsLocation(
        file, "in the log" if old else "beside", names, is_exposed(beside.path.stat().st_mode)
    )


def _told(db: Path, kept: SecretsLocation) -> str:
    if kept.fault:
        return kept.fault
    if kept.place == "none":
        return f"{db}: no secrets are kept for this log"
    names = ", ".join(kept.names)
    if kept.place == "in the database":
        return f"{db}: {names} in the database, for masters of the fight alone"
    if kept.place == "in the log":
        taken = shell_command("secrets", db, "--move")
        return f"{db}: {names} in the log itself, for all to read; take it out: {taken}"
    shared = f"; others may read it: chmod 600 {kept.file}" if kept.exposed else ""
    return f"{kept.file}: {names}{shared}"
