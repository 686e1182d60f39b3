"""A fight decided once more under another rulebook, with the same declarations and the same dice.

The new log stands by itself: it can be verified, explained and branched like any other. Its declarations are
numbered as they come in it (`numbered_anew`). The same roll shows the same faces; what the other rulebook
rolls besides follows from the same seed, if that is known.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import UNSET, Struct, field
from msgspec.structs import replace

from affray.engine.book import Book
from affray.engine.dice import new_seed
from affray.engine.table.policies import by_combatant
from affray.engine.table.remarks import remarks
from affray.engine.table.table import Table, left_behind
from affray.events.codec import decode
from affray.events.errors import AffrayError
from affray.events.facts import acts, chains, declared, flow
from affray.events.facts.rolled import Rolled
from affray.events.memory import MemoryStore
from affray.events.store import Store
from affray.events.wording import counted
from affray.projections.fold import fold
from affray.projections.state import Encounter, printed_sheet
from affray.replay.difference import CombatantChange, compared, told_after
from affray.replay.fight_over import fight_over
from affray.replay.groups import groups, known_seed
from affray.replay.installed import readings_chosen
from affray.replay.numbered_anew import IMPORTED, NumberedAnew
from affray.replay.reach import Reach
from affray.replay.scripts import Script, scripts
from affray.replay.sentence_of_difference import cast_of
from affray.replay.two_rulebooks import Parting, compared_outcomes

DRAWN_FROM = (flow.SeedContributed, chains.ChainBegun)
"""What says that dice follow from more than the seed."""

LEFT_BEHIND = (
    *DRAWN_FROM,
    flow.EncounterOpened,
    chains.LinkGiven,
    chains.ChainLeft,
    declared.Disputed,
    declared.BranchPromoted,
)
"""What belongs to the log that a fight is taken from, and to no other."""

KEPT = ("physical", "scripted", "imported")
"""Where faces may come from that stay what they are in another log."""


class DoesNotFit(AffrayError):
    """A fight holds what the other rulebook does not know, so that it cannot begin there."""


class Crossing(Struct):
    """A fight under dialect `a`, decided again under `b`.

    Of the `declarations` on the old line `same` had the same outcomes; the others are `partings`, those too
    that policy made on the new one. `impossible` are those that can no longer be made, with (reason, rule).
    `fresh` are the keys of rolls that only `b` makes, `unrolled` of those that only `a` made; `asked` what
    only `b` asked, with the answers that policy gave. These keys are those of the new log, all else goes by
    the numbers of the old one. `not_carried` says in sentences what was left behind,
    `unread` what no rule of `b` reads on the sheets. `combatants` are those who stand otherwise at the end,
    by name. `waiting` is the question at which the fight stops, "" if it does not.
    """

    name: str
    a: str
    b: str
    declarations: int
    same: int
    partings: list[Parting]
    impossible: dict[str, tuple[str, str]] = field(default_factory=dict)
    fresh: list[str] = field(default_factory=list)
    unrolled: list[str] = field(default_factory=list)
    asked: dict[str, str] = field(default_factory=dict)
    not_carried: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    combatants: list[CombatantChange] = field(default_factory=list)
    waiting: str = ""


def decide_under(
    store: Store, dialect: str, into: Store, *, branch: str = "", new_dice: bytes | None = None
) -> Crossing:
    """Decide a line's declarations again under another dialect, in an empty store, and compare the two.

    Afterwards `into` holds the new fight on its main line, and nothing if anything was wrong. `new_dice` is
    the seed where that of the log cannot be used, a random one without it. O(events).
    Raises UnknownDialect, DoesNotFit (with all that does not), GridError, Conflict (`into` is not empty).
    """
    branch = branch or store.main_line()
    opening = next((decode(event) for event in store.read(branch, upto=1)), None)
    if type(opening) is not flow.EncounterOpened:
        raise AffrayError("the log holds no encounter")
    if opening.dialect == dialect:
        raise DoesNotFit(f"the fight is decided by {dialect} already; name another dialect")
    recorded = scripts(groups(store.read(branch)), "")
    book = Book.load(dialect)
    options = book.known_readings(readings_chosen(fold(store.read(branch, upto=1))))
    known, drawn = known_seed(store, branch), any(type(one.facts[0]) in DRAWN_FROM for one in recorded)
    own_dice = known is not None and not drawn
    seed = known if own_dice else new_dice or new_seed()

    def opened_in(home: Store) -> None:
        Table.create(
            home,
            dialect=dialect,
            terrain=opening.terrain,
            name=opening.name,
            options=options,
            seed=seed,
            barriers=opening.barriers,
            ground=opening.ground,
        )

    scratch = MemoryStore()
    opened_in(scratch)

    def decided(subjects: Mapping[str, str]) -> NumberedAnew:
        state = fold(scratch.read("main"))
        again = NumberedAnew(fight_over(state, seed), 1, {}, by_combatant(), seed, set(), leave_open=True)
        again.subjects = subjects
        Reach(again, carried(recorded, book, own_dice)).run()
        return again

    again = decided({})
    if any(type(one.facts[0]) is declared.Ruled for one in recorded):
        again = decided(again.names)  # a ruling comes before what it is about has its number
    refuse_misfits(again, recorded, dialect)
    opened_in(into)
    into.append("main", again.entries, 1)
    states = told_after(store, branch, 0, Encounter()), told_after(into, "main", 0, Encounter())
    found = compared(again.fight.state, (opening.dialect, dialect), 0, *states)
    cast = cast_of((states[0].state, states[1].state))
    outcomes = compared_outcomes((store, branch), (into, "main"), cast, again.names)
    olds = {new: old for old, new in again.names.items()}
    keys = {key_before(key, olds) for key in again.keys}
    sheets = [printed_sheet(one) for one in again.fight.state.combatants.values()]
    return Crossing(
        name=opening.name,
        a=opening.dialect,
        b=dialect,
        declarations=outcomes.declarations,
        same=outcomes.same,
        partings=outcomes.partings,
        impossible={olds[id]: why for id, why in again.invalidated.items()},
        fresh=again.fresh,
        unrolled=sorted(
            fact.key
            for one in recorded
            for fact in one.facts
            if type(fact) is Rolled and fact.key not in keys
        ),
        asked=again.asked,
        not_carried=[
            *what_stays(opening, recorded, book),
            *other_dice(drawn=drawn, known=known is not None),
            *other_numbers(again, own_dice),
        ],
        unread=[line for sheet in sheets for line in remarks(again.fight.dialect, sheet)],
        combatants=[CombatantChange(cast.name(one.id), one.changes) for one in found.combatants],
        waiting=again.waiting.question if again.waiting is not None else "",
    )


def what_stays(opening: flow.EncounterOpened, recorded: Sequence[Script], book: Book) -> Iterator[str]:
    """Yield in sentences what of a fight another rulebook has no use for."""
    chosen = [opening.options, *(fact.options for one in recorded for fact in one.facts if is_change(fact))]
    yield from left_behind(
        opening.dialect,
        readings={name for options in chosen for name in {*options} - {*book.known_readings(options)}},
        tables=opening.tables,
        house_rules=[one.name for one in opening.packages or ()],
    )


def other_dice(*, drawn: bool, known: bool) -> Iterator[str]:
    """Yield in a sentence why the dice are not those of the same seed, if they are not."""
    if drawn or not known:
        why = "players had a part in the dice" if drawn else "the seed is still secret"
        yield f"{why}: faces are taken over as they fell, new ones follow from a new seed"


def key_before(key: str, olds: Mapping[str, str]) -> str:
    """Return the key that a roll had by the old number of its declaration, "" if that is new."""
    id, slash, rest = key.partition("/")
    return f"{olds[id]}{slash}{rest}" if id in olds else ""


def other_numbers(again: NumberedAnew, own_dice: bool) -> Iterator[str]:
    """Yield in sentences which declarations have other numbers, and which stay behind."""
    if moved := [old for old, new in again.names.items() if old != new]:
        faces = ": their faces are taken over as they fell" if own_dice else ""
        yield f"{counted(len(moved), 'declaration')} with another number, from {moved[0]} on{faces}"
    if again.left:
        yield f"refused then, allowed here, and left behind: {', '.join(again.left)}"


def is_change(fact: Any) -> bool:
    """Say whether a fact lets other readings hold."""
    return type(fact) is flow.OptionsChanged


def carried(recorded: Sequence[Script], book: Book, own_dice: bool) -> Iterator[Script]:
    """Yield what is to be decided again; faces of another seed than the new log's are imported."""
    for one in recorded:
        facts = [_with_origin(fact, own_dice) for fact in one.facts if type(fact) not in LEFT_BEHIND]
        if facts and is_change(facts[0]):
            known = book.known_readings(facts[0].options)
            facts = [replace(facts[0], options=known, cites=(), restores=UNSET)] if known else []
        if facts:
            yield Script(one.id, facts, one.owner, one.round)


def _with_origin(fact: Any, own_dice: bool) -> Any:
    if type(fact) is not Rolled or fact.provenance in KEPT or (own_dice and fact.provenance == "seeded"):
        return fact
    return replace(fact, provenance=IMPORTED, algorithm="")


def refuse_misfits(again: NumberedAnew, recorded: Sequence[Script], dialect: str) -> None:
    """Raise DoesNotFit if somebody cannot enter a fight under a dialect, with all that is in the way."""
    entries = {
        one.id: one.facts[0].act.id
        for one in recorded
        if type(one.facts[0]) is declared.Declared and type(one.facts[0].act) is acts.Enter
    }
    new = {again.names.get(id, ""): who for id, who in entries.items()}
    misfits = [f"{new[id]}: {why[0]}" for id, why in again.invalidated.items() if id in new]
    if misfits:
        raise DoesNotFit(f"{dialect} cannot take this fight over: {'; '.join(misfits)}")
