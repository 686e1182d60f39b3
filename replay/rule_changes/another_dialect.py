"""Decide a fight again under another rulebook, with the same declarations and the same dice.

The new log is complete: it can be verified, explained and branched like any other. Its declarations are
numbered in their own order. The same roll has the same result; additional rolls of the other rulebook use the
same seed, if it is known.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import UNSET, Struct, field
from msgspec.structs import replace

from affray.engine.book import Book
from affray.engine.dice import new_seed
from affray.engine.language.cast import Cast
from affray.engine.rules.classes.remarks import remarks
from affray.engine.table.policies import by_combatant
from affray.engine.table.table import Table, yield_unsupported_parts
from affray.engine.text.narrate import told
from affray.events.codec import decode
from affray.events.errors import AffrayError, counted
from affray.events.facts import acts, flow
from affray.events.facts.flow import REFUSED, Asked, Chosen, Declared, Invalidated, Refused, Rolled, Ruled
from affray.events.stores.memory import MemoryStore
from affray.events.stores.store import Store
from affray.projections.fold import fold
from affray.projections.state import Encounter, printed_sheet
from affray.replay.difference import CombatantChange, compared, get_contents_after
from affray.replay.log.declarations import NO_OUTCOME, Script, find_known_seed, groups, scripts
from affray.replay.log.rules_for_fight import make_fight_context, readings_chosen
from affray.replay.redecide.redecide import BranchWriter, Reach
from affray.replay.redecide.rulings import relevant
from affray.replay.text.html import framed, strip_markup

# --- Declarations decided again in a new log, numbered as its table would have numbered them
#
# The dice depend on the numbers, which must therefore have no gaps; but a line that was decided again (a
# what-if, a ruling) has numbers of its parent and some of its own, and in another rulebook turns may come in
# another order. A roll of a declaration with a new number has the same results, which are imported: the seed
# would give others for its new key.

IMPORTED = "imported"
"""The provenance of dice rolled in another log."""


class RenumberedLog(BranchWriter):
    """A new log being written: `names` maps old numbers to new ones, `left` lists the declarations left
    behind.

    A refused declaration is recorded as refused if the rules of the new log refuse it too. If they would
    allow it, nothing is recorded: it never happened. Rulings are about `subjects`, by their old numbers.
    """

    subjects: Mapping[str, str] = {}

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.names: dict[str, str] = {}
        self.left: list[str] = []
        self._struck: dict[str, str] = {}

    def play(self, script: Script) -> None:
        """Decide a recorded group again."""
        first, rest = script.facts[0], script.facts[1:]
        if type(first) is not Ruled:
            super().play(script)
        elif relevant(self.fight, rest):
            self._ruled(replace(first, subject=self.subjects.get(first.subject, first.subject)), rest)
            if first.verdict == "void":
                self._struck[first.subject] = first.text

    def _declaration(self, first: Declared, facts: Sequence[Any]) -> None:
        refused = type(facts[-1]) is Refused
        state = self.fight.state
        id = f"{REFUSED}{state.refusals + 1}" if refused else self._id_of_its_own()
        self.names[first.id] = id
        if first.id in self._struck:
            self._voided[id] = self._struck[first.id]
        told = [renamed(fact, first.id, id) for fact in facts]
        super()._declaration(told[0], told)

    def _refused_before(self, first: Declared, then: Refused) -> None:
        super()._refused_before(first, then)
        if self.allowed.pop(first.id, None) is not None:
            # Undone: only its number was counted.
            del self.entries[-2:]
            self.seq -= 2
            self.fight.state.refusals -= 1
            self.left.append(next(old for old, new in self.names.items() if new == first.id))
            del self.names[self.left[-1]]

    def _id_of_its_own(self) -> str:
        return f"d{self.fight.state.declarations + 1}"


def renamed(fact: object, old: str, new: str) -> Any:
    """Return a fact of a declaration with another number of the declaration."""
    if old == new:
        return fact
    if isinstance(fact, Declared | Refused | Invalidated):
        return replace(fact, id=new)
    if isinstance(fact, Ruled):
        return replace(fact, subject=new)
    if isinstance(fact, Rolled | Chosen | Asked):
        fact = replace(fact, key=new + fact.key.removeprefix(old))
    if isinstance(fact, Rolled) and fact.provenance == "seeded":
        return replace(fact, provenance=IMPORTED, algorithm="")
    return fact


# --- The outcomes of the same declarations in two rulebooks, each with the rules that decided it


class Outcome(Struct, frozen=True):
    """An outcome of a declaration, in a sentence, and the ids of the rules that decided it."""

    text: str
    rules: tuple[str, ...]


class Side(Struct, frozen=True):
    """The outcomes of a declaration in one rulebook. `impossible` is the reason it could not be made, "" if
    it could.
    """

    outcomes: tuple[Outcome, ...]
    impossible: str = ""

    def beyond(self, other: "Side | None") -> list[Outcome]:
        """Return the outcomes that the other side lacks, in order."""
        left = [one.text for one in other.outcomes] if other is not None else []
        found = []
        for one in self.outcomes:
            if one.text in left:
                left.remove(one.text)
            else:
                found.append(one)
        return found


class DialectDifference(Struct, frozen=True):
    """A declaration with different outcomes in two rulebooks; None where it was never made."""

    id: str
    said: str
    a: Side | None
    b: Side | None


class Compared(Struct, frozen=True):
    """The number of declarations on line `a`, how many had the same outcomes on `b`, and the others."""

    declarations: int
    same: int
    partings: list[DialectDifference]


def compare_outcomes(
    a: tuple[Store, str], b: tuple[Store, str], cast: Cast, names: Mapping[str, str]
) -> Compared:
    """Compare two lines, each a store and a branch, declaration by declaration; refused ones are left out.

    `names` maps the numbers of those of `a` to their numbers on `b`. The order of the outcomes of one
    declaration does not matter. O(events of both).
    """
    mine, theirs = dict(_sides(*a, cast)), dict(_sides(*b, cast))
    partings, same = [], 0
    pairs = [(id, names.get(id, "")) for id in mine]
    met = {new for _, new in pairs}
    for id, new in (*pairs, *(("", new) for new in theirs if new not in met)):
        (said, one), (said_too, other) = mine.get(id, ("", None)), theirs.get(new, ("", None))
        id = id or new
        if one is None or other is None or one.impossible or other.impossible:
            partings.append(DialectDifference(id, said or said_too, one, other))
        elif one.beyond(other) or other.beyond(one):
            partings.append(DialectDifference(id, said, one, other))
        else:
            same += 1
    return Compared(len(mine), same, partings)


def _sides(store: Store, branch: str, cast: Cast) -> Iterator[tuple[str, tuple[str, Side]]]:
    """Yield each declaration's id, its words, and its outcomes."""
    for group in groups(store.read(branch)):
        facts = [decode(event) for event in group]
        first, last = facts[0], facts[-1]
        if type(first) is not Declared or type(last) is Refused:
            continue
        outcomes = tuple(
            Outcome(told(fact, cast), tuple(getattr(fact, "cites", ())))
            for event, fact in zip(group, facts, strict=True)
            if event.type not in NO_OUTCOME
        )
        why = f"{last.reason} [{last.rule}]" if type(last) is Invalidated else ""
        yield first.id, (told(first, cast), Side(outcomes, why))


DRAWN_FROM = (flow.SeedContributed, flow.ChainBegun)
"""Types of facts that show that dice depend on more than the seed."""

LEFT_BEHIND = (
    *DRAWN_FROM,
    flow.EncounterOpened,
    flow.LinkGiven,
    flow.ChainLeft,
    flow.Disputed,
    flow.BranchPromoted,
)
"""Types of facts that belong only to the original log."""

KEPT = ("physical", "scripted", "imported")
"""Provenances of results that stay the same in another log."""


class DoesNotFit(AffrayError):
    """A fight contains parts that the other rulebook does not know, and cannot begin there."""


class Crossing(Struct):
    """A fight under dialect `a`, decided again under `b`.

    Of the `declarations` on the old line `same` had the same outcomes; the others are `partings`, including
    those that policy made on the new one. `impossible` are those that can no longer be made, with (reason,
    rule). `fresh` are the keys of rolls that only `b` makes, `unrolled` of those that only `a` made; `asked`
    the questions that only `b` asked, with the answers by policy. These keys are those of the new log;
    everything else uses the numbers of the old one. `not_carried` lists in sentences what was left behind,
    `unread` the parts of the sheets that no rule of `b` reads. `combatants` are those in a different state at
    the end, by name. `waiting` is the question at which the fight stops, "" if it does not.
    """

    name: str
    a: str
    b: str
    declarations: int
    same: int
    partings: list[DialectDifference]
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

    Afterwards `into` contains the new fight on its main line, or nothing after an error. `new_dice` is the
    seed if that of the log cannot be used; default: a random one. O(events). Raises UnknownDialect,
    DoesNotFit (with all reasons), GridError, Conflict (`into` is not empty).
    """
    branch = branch or store.main_line()
    opening = next((decode(event) for event in store.read(branch, upto=1)), None)
    if type(opening) is not flow.EncounterOpened:
        raise AffrayError("the log contains no encounter")
    if opening.dialect == dialect:
        raise DoesNotFit(f"the fight already uses {dialect}; name another dialect")
    recorded = scripts(groups(store.read(branch)), "")
    book = Book.load(dialect)
    options = book.known_readings(readings_chosen(fold(store.read(branch, upto=1))))
    known, drawn = find_known_seed(store, branch), any(type(one.facts[0]) in DRAWN_FROM for one in recorded)
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

    def decided(subjects: Mapping[str, str]) -> RenumberedLog:
        state = fold(scratch.read("main"))
        again = RenumberedLog(
            make_fight_context(state, seed), 1, {}, by_combatant(), seed, set(), leave_open=True
        )
        again.subjects = subjects
        Reach(again, carried(recorded, book, own_dice)).run()
        return again

    again = decided({})
    if any(type(one.facts[0]) is flow.Ruled for one in recorded):
        again = decided(again.names)  # a ruling may precede the number of its subject
    refuse_misfits(again, recorded, dialect)
    opened_in(into)
    into.append("main", again.entries, 1)
    states = (
        get_contents_after(store, branch, 0, Encounter()),
        get_contents_after(into, "main", 0, Encounter()),
    )
    found = compared(again.fight.state, (opening.dialect, dialect), 0, *states)
    cast = Cast.of(states[0].state, states[1].state)
    outcomes = compare_outcomes((store, branch), (into, "main"), cast, again.names)
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
            *yield_lost_parts(opening, recorded, book),
            *yield_seed_difference(drawn=drawn, known=known is not None),
            *yield_number_differences(again, own_dice),
        ],
        unread=[line for sheet in sheets for line in remarks(again.fight.dialect, sheet)],
        combatants=[CombatantChange(cast.name(one.id), one.changes) for one in found.combatants],
        waiting=again.waiting.question if again.waiting is not None else "",
    )


def yield_lost_parts(opening: flow.EncounterOpened, recorded: Sequence[Script], book: Book) -> Iterator[str]:
    """Yield sentences on the parts of a fight that another rulebook does not use."""
    chosen = [opening.options, *(fact.options for one in recorded for fact in one.facts if is_change(fact))]
    yield from yield_unsupported_parts(
        opening.dialect,
        readings={name for options in chosen for name in {*options} - {*book.known_readings(options)}},
        tables=opening.tables,
        house_rules=[one.name for one in opening.packages or ()],
    )


def yield_seed_difference(*, drawn: bool, known: bool) -> Iterator[str]:
    """Yield a sentence on why the dice do not come from the same seed, if they do not."""
    if drawn or not known:
        why = "players contributed to the dice" if drawn else "the seed is still secret"
        yield f"{why}: results are kept as rolled, new rolls use a new seed"


def key_before(key: str, olds: Mapping[str, str]) -> str:
    """Return the key of a roll with the old number of its declaration, "" if that is new."""
    id, slash, rest = key.partition("/")
    return f"{olds[id]}{slash}{rest}" if id in olds else ""


def yield_number_differences(again: RenumberedLog, own_dice: bool) -> Iterator[str]:
    """Yield sentences on declarations with other numbers, and on those left behind."""
    if moved := [old for old, new in again.names.items() if old != new]:
        faces = ": their results are kept as rolled" if own_dice else ""
        yield f"{counted(len(moved), 'declaration')} with another number, from {moved[0]} on{faces}"
    if again.left:
        yield f"refused then, allowed here, and left behind: {', '.join(again.left)}"


def is_change(fact: object) -> bool:
    """Return whether a fact changes the readings."""
    return type(fact) is flow.OptionsChanged


def carried(recorded: Sequence[Script], book: Book, own_dice: bool) -> Iterator[Script]:
    """Yield the groups to decide again; dice from another seed than the new log's are imported."""
    for one in recorded:
        facts = [_with_origin(fact, own_dice) for fact in one.facts if type(fact) not in LEFT_BEHIND]
        if facts and is_change(facts[0]):
            known = book.known_readings(facts[0].options)
            facts = [replace(facts[0], options=known, cites=(), restores=UNSET)] if known else []
        if facts:
            yield Script(one.id, facts, one.owner, one.round)


def _with_origin(fact: object, own_dice: bool) -> Any:
    if type(fact) is not Rolled or fact.provenance in KEPT or (own_dice and fact.provenance == "seeded"):
        return fact
    return replace(fact, provenance=IMPORTED, algorithm="")


def refuse_misfits(again: RenumberedLog, recorded: Sequence[Script], dialect: str) -> None:
    """Raise DoesNotFit with all reasons if a combatant cannot enter a fight under a dialect."""
    entries = {
        one.id: one.facts[0].act.id
        for one in recorded
        if type(one.facts[0]) is flow.Declared and type(one.facts[0].act) is acts.Enter
    }
    new = {again.names.get(id, ""): who for id, who in entries.items()}
    misfits = [f"{new[id]}: {why[0]}" for id, why in again.invalidated.items() if id in new]
    if misfits:
        raise DoesNotFit(f"{dialect} cannot play this fight: {'; '.join(misfits)}")


# --- A fight under two rulebooks in words: lines for a terminal, and a page

NOTHING = "nothing else"
WIDE = 12
"""Columns of a terminal for the name of a rulebook."""


def summary(found: Crossing) -> Iterator[str]:
    """Yield sentences on how much differs, which declarations are impossible, and which dice are others."""
    many = counted(found.declarations, "declaration")
    yield f"{found.name}: {many} of {found.a} decided again under {found.b}; {found.same} had equal outcomes"
    if found.impossible:
        yield f"{counted(len(found.impossible), 'declaration')} can no longer be made"
    if found.fresh:
        yield f"{counted(len(found.fresh), 'roll')} that only {found.b} makes"
    if found.unrolled:
        yield f"{counted(len(found.unrolled), 'roll')} that only {found.a} made"
    if found.asked:
        yield f"{counted(len(found.asked), 'question')} that only {found.b} asks, answered by policy"
    if found.waiting:
        yield f"the fight stops at a question: {found.waiting}"
    yield from found.not_carried
    yield from found.unread


def standing(found: Crossing) -> Iterator[str]:
    """Yield the combatants whose state at the end differs."""
    yield from (row for one in found.combatants for row in one.rows())


def lines(found: Crossing) -> Iterator[str]:
    """Yield the comparison in lines: for each declaration the outcomes in only one of the rulebooks."""
    yield from summary(found)
    if found.combatants:
        yield from ("", f"At the end ({found.a} | {found.b})")
        yield from (f"  {line}" for line in standing(found))
    for one in found.partings:
        yield from ("", one.said)
        for dialect, outcomes in _both(found, one):
            for number, outcome in enumerate(outcomes):
                yield f"  {'' if number else dialect:<{WIDE}}{outcome.text}"
                if outcome.rules:
                    yield f"  {'':<{WIDE}}  [{', '.join(outcome.rules)}]"


def page(found: Crossing, rulebook: str = "") -> str:
    """Return the comparison as one self-contained HTML file: both rulebooks side by side.

    Rules link to the folder of rulebooks at that address.
    """
    body = [f"<p>{strip_markup(line)}</p>" for line in summary(found)]
    if found.combatants:
        rows = "\n".join(map(strip_markup, standing(found)))
        body += [
            f"<h2>At the end ({strip_markup(found.a)} | {strip_markup(found.b)})</h2>",
            f"<pre>{rows}</pre>",
        ]
    for one in found.partings:
        heads, cells = [], []
        for dialect, outcomes in _both(found, one):
            heads.append(f"<th scope=col>{strip_markup(dialect)}</th>")
            cells.append(f"<td>{''.join(map(_cell, outcomes))}</td>")
        body.append(f"<h2>{strip_markup(one.said)}</h2>")
        body.append(f"<table><tr>{''.join(heads)}</tr><tr>{''.join(cells)}</tr></table>")
    return framed(f"{found.name}: {found.a} and {found.b}", body, rulebook)


def _cell(outcome: Outcome) -> str:
    rules = f"<small>{strip_markup(', '.join(outcome.rules))}</small>" if outcome.rules else ""
    return f"<p>{strip_markup(outcome.text)}{rules}</p>"


def _both(found: Crossing, one: DialectDifference) -> Iterator[tuple[str, list[Outcome]]]:
    """Yield each dialect with its own outcomes of a declaration."""
    for dialect, side, other in ((found.a, one.a, one.b), (found.b, one.b, one.a)):
        yield dialect, list(_alone(side, other))


def _alone(side: Side | None, other: Side | None) -> Iterator[Outcome]:
    if side is None:
        yield Outcome("was not declared", ())
    elif side.impossible:
        yield Outcome(f"cannot be made: {side.impossible}", ())
    else:
        yield from side.beyond(other) or [Outcome(NOTHING, ())]
