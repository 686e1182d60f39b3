"""The campaign on pivots: whether they are what brute force finds, change by change.

    python tests/campaigns/pivoting.py [--dialect pf1 ...] [--seeds N] [--acts N] [--demo] [--json]

Each throw of each die, each other answer, each other reading and each modifier struck out is put to `what_if`
by itself, on a copy of the log, from the opening where it can be; the new line is folded from its first event
and asked by code of its own. With `--demo` the packaged fights are taken whole, else random ones of so many
acts. Prints the counts; the exit status is 1 if anything differs. Progress goes to standard error.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from itertools import product
from math import prod
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[2]))

from msgspec import Struct

from affray.engine.book.catalogue import Book
from affray.engine.dice import parse
from affray.engine.dice.notation import Dice
from affray.engine.table.table import Table
from affray.engine.table.tactics import next_act, play_on
from affray.events.codec import decode
from affray.events.errors import AffrayError
from affray.events.facts.acts import Begin
from affray.events.secrets import SEED
from affray.events.stores.memory import MemoryStore
from affray.events.stores.store import Store
from affray.projections.fold import fold
from affray.projections.state import Encounter
from affray.replay.chance.summaries import Pivots
from affray.replay.redecide.rulings import Ruling
from affray.replay.whatif.pivots import pivots
from affray.replay.whatif.what_if import what_if
from tests.house.fights import DIALECTS, opened, random_act

MOST_LINES = 100
"""So many what-ifs are tried on one copy of a log."""
MOST_THROWS = 600
"""Of a roll that has more of them none is tried."""
Asked = Callable[[Store, str], bool]
"""Says whether an outcome came about on a branch of a log."""


class Found(Struct):
    """What brute force found: how many throws of each roll turn it, and what else does."""

    dice: dict[str, tuple[int, int]] = {}
    others: set[tuple[str, str]] = set()
    left: set[str] = set()
    tried: int = 0
    unknown: int = 0


def dead_at_last(who: str) -> Asked:
    """Ask whether somebody is dead at the end of a line."""
    return at_last(lambda state: "dead" in state.combatants[who].conditions)


def at_last(asked: Callable[[Encounter], bool]) -> Asked:
    """Ask something of the state at the end of a line."""
    return lambda store, branch: asked(fold(store.read(branch)))


def at_round(round: int, asked: Callable[[Encounter], bool]) -> Asked:
    """Ask something of the state as a round begins, or a later one; at the end where none does."""

    def found(store: Store, branch: str) -> bool:
        upto = store.head(branch).seq
        for event in store.read(branch):
            if event.type == "round.began" and decode(event).number >= round:
                upto = event.seq
                break
        return asked(fold(store.read(branch, upto=upto)))

    return found


def after_declaration(id: str, asked: Callable[[Encounter], bool]) -> Asked:
    """Ask something of the state once a declaration has been decided."""

    def found(store: Store, branch: str) -> bool:
        events = list(store.read(branch))
        declared = next(one.seq for one in events if one.type == "declared" and decode(one).id == id)
        own = [one.seq for one in events if one.cause == declared]
        return asked(fold(events[: max(own)]))

    return found


def brute(store: Store, asked: Asked) -> Found:
    """Try every single change of the main line by itself."""
    found, before, copies = Found({}, set(), set()), asked(store, "main"), list[MemoryStore]()
    events, seen = list(store.read("main")), set[str]()

    def turns(**change: object) -> bool:
        found.tried += 1
        if found.tried % MOST_LINES == 1:
            copies.append(copy_of(store))
        try:
            done = what_if(copies[-1], "main", name=f"tried-{found.tried}", **change)  # type: ignore[arg-type]
        except AffrayError:
            found.unknown += 1
            return False
        return asked(copies[-1], done.name) != before

    for event in events:
        fact = decode(event)
        if event.type == "rolled":
            dice = [term for term in parse(fact.notation).terms if isinstance(term, Dice)]
            sides = [one.sides for one in dice for _ in range(one.count)]
            if prod(sides) > MOST_THROWS:
                found.left.add(fact.key)
                continue
            every = list(product(*(range(1, one + 1) for one in sides)))
            turned = [
                faces for faces in every if faces != fact.faces and turns(at=1, faces={fact.key: faces})
            ]
            if turned:
                found.dice[fact.key] = len(turned), len(every)
        elif event.type == "chosen":
            for option in fact.options:
                effect = f"{fact.key}={option}"
                if option != fact.answer and turns(at=event.seq, ruling=Ruling("so", (effect,))):
                    found.others.add(("choice", effect))
        for effect in modifiers_of(fact):
            struck = f"{declaration_of(events, event.seq)} {effect}"
            if struck not in seen and turns(at=event.seq, ruling=Ruling("so", (effect,))):
                found.others.add(("modifier", struck))
            seen.add(struck)
    state = fold(events[:1])
    book = Book.load(state.dialect)
    for option, entry in book.contested.items():
        for reading in entry.readings:
            other = reading.name != book.reading(option, state.options).name and not entry.awaits
            if other and turns(reading={option: reading.name}):
                found.others.add(("reading", f"{option}={reading.name}"))
    return found


def modifiers_of(fact: object) -> Iterator[str]:
    """Yield the modifiers of a fact that a ruling can strike out, as it writes them."""
    sums = {
        "AttackResolved": [("attacker", "attack", "attack"), ("target", "defense", "defense")],
        "ConfirmationResolved": [("attacker", "confirm", "attack"), ("target", "defense", "defense")],
        "DamageResolved": [("attacker", "damage", "modifiers")],
        "InitiativeRolled": [("who", "initiative", "parts")],
        "CheckResolved": [("who", str(getattr(fact, "check", "")), "parts")],
    }
    for whose, stat, side in sums.get(type(fact).__name__, []):
        if type(fact).__name__ == "CheckResolved" and not stat.startswith("save."):
            continue
        for part in getattr(fact, side):
            if part.value and not part.denied:
                yield f"{getattr(fact, whose)}.{stat}-{part.source or part.kind}"


def declaration_of(events: list, seq: int) -> str:
    """Return the id of the declaration that an event belongs to."""
    return str(decode(events[events[seq - 1].cause - 1]).id)


def copy_of(store: Store) -> MemoryStore:
    """Return a copy of a log in memory, with its seed."""
    copy = MemoryStore()
    copy.restore(store.branches(), store.read_all())
    if seed := store.secret(SEED):
        copy.keep_secret(SEED, seed)
    return copy


def as_found(told: Pivots) -> Found:
    """Return pivots in the form of what brute force finds."""
    found = Found({}, set(), set())
    for one in told.pivots:
        if one.kind == "die":
            found.dice[one.key] = one.ways, one.possible
        elif one.kind == "modifier":
            found.others.add(("modifier", f"{one.declaration} {one.key}"))
        else:
            found.others.add((one.kind, f"{one.key}={one.would}"))
    return found


def told_apart(dialect: str, seed: int, acts: int, demo: bool) -> Iterator[tuple[str, str, int]]:
    """Yield for each outcome of a fight what both differ in, "" for nothing, and how much was tried."""
    table = opened(dialect, MemoryStore(), seed)
    dice = Random(seed)
    table.declare(Begin())
    if demo:
        play_on(table, 50)
    else:
        for _ in range(acts):
            act = next_act(table) if dice.random() < 0.7 else random_act(dice, table.fight)
            if act is None:
                break
            table.declare(act)
            while table.waiting is not None:
                table.choose(table.waiting.options[0])
    for text, asked in outcomes(table, dice):
        found, wanted = pivots(table.store, text), brute(table.store, asked)
        told = as_found(found)
        for key in wanted.left & told.dice.keys():
            del told.dice[key]
        parts = [
            f"{name}: told {mine}, found {theirs}"
            for name, mine, theirs in (
                ("dice", told.dice, wanted.dice),
                ("others", told.others, wanted.others),
            )
            if mine != theirs
        ]
        # Of an outcome at a position nothing is tried that comes after it.
        whole = wanted.left or (found.tried == wanted.tried and len(found.unknown) == wanted.unknown)
        if not (whole or (" at " in text and found.tried < wanted.tried)):
            parts.append(
                f"tried {found.tried} of {wanted.tried}, {len(found.unknown)} of {wanted.unknown} unknown"
            )
        yield f"{dialect} {seed} {text}", "; ".join(parts), wanted.tried


def outcomes(table: Table, dice: Random) -> Iterator[tuple[str, Asked]]:
    """Yield outcomes to ask of a fight, each in words and as code."""
    who = dice.choice(list(table.state.combatants))
    hurt = min(table.state.combatants.values(), key=lambda one: one.hp / one.max_hp).id
    yield f"{hurt} dies", dead_at_last(hurt)
    left = table.state.combatants[hurt].hp
    yield f"{hurt}.hp <= {left}", at_last(lambda state: state.combatants[hurt].hp <= left)
    half = table.state.combatants[who].max_hp // 2
    last = max(1, table.state.round)
    yield f"{who}.hp <= {half} at r{last}", at_round(last, lambda state: state.combatants[who].hp <= half)
    declared = [event for event in table.store.read("main") if event.type == "declared"]
    event = declared[2 * len(declared) // 3]
    yield (
        f"not {hurt}.hp > {left} at {event.seq}",
        after_declaration(decode(event).id, lambda state: state.combatants[hurt].hp <= left),
    )


def main(words: list[str] | None = None) -> int:
    """Run the campaign; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--dialect", nargs="*", default=list(DIALECTS), choices=DIALECTS)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--acts", type=int, default=12)
    parser.add_argument("--demo", action="store_true")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(words)
    failures, tried, asked = list[str](), 0, 0
    for dialect in given.dialect:
        for seed in range(given.first, given.first + (1 if given.demo else given.seeds)):
            for name, differs, count in told_apart(dialect, seed, given.acts, given.demo):
                tried, asked = tried + count, asked + 1
                failures += [f"{name}: {differs}"] if differs else []
                print(f"{name}: {count} tried{': DIFFERS' * bool(differs)}", file=sys.stderr)
    if given.json:
        print(json.dumps({"outcomes": asked, "tried": tried, "failures": failures}))
    else:
        print("\n".join([*failures, f"{asked} outcomes, {tried} single changes, {len(failures)} differ"]))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
