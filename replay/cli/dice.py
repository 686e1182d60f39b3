"""`affray contribute`, `chain`, `link`, `manual`, `secrets`: the origin of a fight's dice."""

from pathlib import Path

import click
from msgspec import Struct

from affray.engine.dice import LENGTH, LONGEST
from affray.engine.language.names import People
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

# --- `affray contribute`: words of the players for the seed of the dice

CONTRIBUTE_EXAMPLES = """\b
Examples:
  affray contribute fight.db --by alex "seven purple dragons"
  affray contribute fight.db"""


@click.command(epilog=CONTRIBUTE_EXAMPLES)
@database
@click.argument("words", default="")
@click.option("--by", default="", help="Name of the contributor.")
@as_json
def contribute(db: Path, words: str, by: str, json: bool) -> None:
    """Add words to the seed of the dice, before the first declaration.

    The first event of the log commits the game master to a secret. A player who notes that commitment and
    then adds words knows that the secret was not chosen for its dice: the dice follow from the secret and all
    words. A person who knows the secret can still try words and ids that come after: watch who adds the last
    words, or use affray chain. Without WORDS, print the commitment and all words so far.
    """
    from affray.engine.table.table import Table

    if bool(words) != bool(by):
        raise click.UsageError("give WORDS together with --by NAME, or neither")
    if words:
        with writing(db) as store:
            Table(store).contribute(by, words)
    with reading(db) as store:
        state = fold(store.read(store.main_line()))
    given = [{"by": name, "words": said} for name, said in state.contributions]
    warning = "the game master could choose the last words for their dice: check who added words after you"
    nothing = "no words yet: the seed of the dice is the game master's alone"
    rows = (
        f"The game master's commitment: {state.commitment}",
        *(f"  {one['by']} adds: {one['words']}" for one in given),
        f"  {warning if given else nothing}",
    )
    print_found({"commitment": state.commitment, "contributions": given}, rows, json)


# --- `affray chain` and `affray link`: unpredictable dice, at the log and at a player's machine

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
@click.option("--by", default="", help="The player whose chain begins.")
@click.option("--anchor", default="", help="Its anchor, 64 hexadecimal digits, as affray link prints it.")
@click.option("--length", type=click.IntRange(1, LONGEST), default=LENGTH, show_default=True)
@click.option("--leave", default="", help="The player who leaves.")
@click.option("--reason", default="", help="Why, for the record.")
@as_json
def chain(db: Path, by: str, anchor: str, length: int, leave: str, reason: str, json: bool) -> None:
    """Derive the dice from chains of the players, which makes them unpredictable.

    Each player creates a chain of secret links (affray link FILE --new) and shows its anchor. From then on
    the fight waits, before the dice of each declaration, for one link of every player (affray choose DB
    LINK), and again after a person's choice. Leaving is recorded for all to see. Without options, list the
    chains and what the fight waits for.
    """
    from affray.engine.table.table import Table
    from affray.replay.cli.declare import report

    if bool(by) != bool(anchor):
        raise click.UsageError("give --by and --anchor, or neither")
    if by and leave:
        raise click.UsageError("use either --by or --leave")
    if reason and not leave:
        raise click.UsageError("--reason needs --leave NAME")
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
    ] or ["no chains: a person who knows the seed knows the dice in advance"]
    if waits is not None:
        rows.append(
            f"the fight waits for link {waits['number']} of {waits['by']}'s chain, for {waits['place']}"
        )
    print_found({"chains": chains, "waiting": waits}, rows, json)


def waiting_for(store: Store, branch: str, state: Encounter) -> dict[str, object] | None:
    """Return the link that the fight waits for: its player, number and place; None for none."""
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
@click.option("--new", is_flag=True, help="Create a chain.")
@click.option("--length", type=click.IntRange(1, LONGEST), help=f"Links of a new chain.  [default: {LENGTH}]")
@click.option("--check", type=click.Path(path_type=Path, exists=True), help="Compare with a log or a copy.")
@as_json
def link(file: Path, place: str, new: bool, length: int | None, check: Path | None, json: bool) -> None:
    """Give a link of your own chain for the PLACE that the fight waits for.

    The chain is a file that only you may read. It notes what each link was given for: --check compares this
    with the log, and shows whether a roll was repeated to get a better one.

    Status 1: something that a link was given for is not in the log, or the chain has not begun there, was
    left, or was followed by another.
    """
    if new + bool(place) + (check is not None) > 1:
        raise click.UsageError("use only one of --new, PLACE and --check")
    if length is not None and not new:
        raise click.UsageError("--length needs --new")
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
    good = f"{counted(len(one.given), 'link')} given, all for events in the log"
    print_found({"ok": not faults, "given": len(one.given), "problems": faults}, faults or [good], json)
    exit_unless(not faults)


# --- `affray manual`: physical dice


@click.command(
    epilog="\b\nExamples:\n  affray manual fight.db heroes\n  affray manual fight.db everybody\n"
    "  affray manual fight.db --off\n  affray manual fight.db"
)
@database
@click.argument("whom", nargs=-1, shell_complete=complete_combatants)
@click.option("--off", is_flag=True, help="End all physical dice.")
@as_json
def manual(db: Path, whom: tuple[str, ...], off: bool, json: bool) -> None:
    """Use physical dice for combatants, for sides, or for everybody.

    The choice is stored with the fight: it waits at each such roll for the results, given with affray choose.
    Without WHOM, print whose dice are physical.
    """
    if off and whom:
        raise click.UsageError("--off takes no names")
    if off or whom:
        with writing(db) as store:
            state = fold(store.read(store.main_line()))
            keep_by_hand(store, () if off else [_parse_roller(state, word) for word in whom])
    with reading(db) as store:
        kept = by_hand(store)
    names = ", ".join(one.removeprefix(SIDE) for one in kept)
    print_found({"by_hand": kept}, [f"Physical dice: {names or 'none'}"], json)


def _parse_roller(state: Encounter, word: str) -> str:
    """Return the stored form of a word: everybody, a side or a combatant. Raises UsageError for others."""
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
        raise click.UsageError(f"{word!r} is not a side or a combatant{meant}")
    return people.find_id_of_combatant(word)


# --- `affray secrets`: where the seed of the dice is stored, and moving it there


class SecretsLocation(Struct, frozen=True):
    """The location of a log's secrets: their names, never their values.

    `place` is beside (in the file), in the log (an old one), in the database (for masters alone), missing,
    elsewhere (the file beside the log belongs to another) or none; `fault` is what is wrong. `exposed`: users
    other than the owner may read it.
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
@click.option("--from", "source", type=click.Path(path_type=Path), help="Copy the secrets from this file.")
@click.option("--move", is_flag=True, help="Move the seed of an old log into a separate file.")
@as_json
def secrets(db: Path, source: Path | None, move: bool, json: bool) -> None:
    """Show where the secrets of a log are stored: the seed of its dice, until it is revealed.

    They are in a file next to the log, fight.db-secrets, which only its owner may read. To play on elsewhere,
    move it with the log; for reading it is not needed. Logs of earlier releases contain the seed: --move
    takes it out.

    Status 1: the secrets of the log are missing.
    """
    if source is not None and move:
        raise click.UsageError("use either --from or --move")
    if source is not None or move:
        with writing(db) as store:
            _brought(store, source)
    with reading(db) as store:
        kept = where(store)
    print_found(kept, [_told(db, kept)], json)
    exit_unless(not kept.fault)


def _brought(store: Store, source: Path | None) -> None:
    """Move secrets to their place: from the file `source`, or out of an old log."""
    if isinstance(store, SqliteStore):
        if source is not None:
            store.secrets.bring(source)
        else:
            store.move_out_secrets()
        return
    if source is None:
        raise AffrayError("the secrets of a log in a database are already in a table for masters alone")
    brought = read_secrets(source)
    if brought is None:
        raise SecretsMissing(f"{source}: no such file")
    seed = brought.get(SEED)
    if seed is None or not is_its_seed(store, seed):
        raise SecretsMissing(f"{source}: these are the secrets of another log")
    for name in sorted(brought.secrets):
        store.keep_secret(name, brought.get(name) or b"")


def where(store: Store) -> SecretsLocation:
    """Return where the secrets of a log are stored. Raises LogUnavailable if they cannot be read."""
    if not isinstance(store, SqliteStore):
        kept = tuple(name for name in (SALT_KEY, SEED) if store.secret(name) is not None)
        return SecretsLocation("", "in the database" if kept else "none", kept, False)
    beside = store.secrets
    file = str(beside.path)
    try:
        found = beside.found()
        old = store.note(SEED) is not None
        if found is None and not old:
            beside.get(SEED)  # raises if it should exist
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
        return f"{db}: this log has no stored secrets"
    names = ", ".join(kept.names)
    if kept.place == "in the database":
        return f"{db}: {names} in the database, for masters of the fight alone"
    if kept.place == "in the log":
        taken = shell_command("secrets", db, "--move")
        return f"{db}: {names} in the log itself, readable by all; move it out with: {taken}"
    shared = f"; other users may read it: chmod 600 {kept.file}" if kept.exposed else ""
    return f"{kept.file}: {names}{shared}"
