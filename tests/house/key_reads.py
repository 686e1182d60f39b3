"""What each remembered function reads while fights are played, compared with what its key holds.

    python tests/house/key_reads.py [EVERY]

plays every scenario (or each EVERYth), once as written and once under readings chosen at random, and prints
each read that the key lacks. A remembered answer may depend on what its key holds and on what a fact makes
the fight forget; hit points, budgets, rounds and turns are neither.
"""

import ast
import random
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FunctionType
from typing import Any, Final

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.book.catalogue import Book
from affray.engine.dialects import dialects, load
from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import PASSING
from affray.engine.record.blow import Blow, Intent
from affray.engine.table.scenario import fixed_seed, play
from affray.engine.table.scenario_parts import Scenario
from affray.events import MemoryStore
from affray.events.errors import AffrayError
from affray.projections.state import Combatant, Encounter
from tests.campaigns.readings import play_under

PLACE: Final = {"at", "space", "stretch"}
UNREAD: Final = {"delaying", "waited"}
"""What else of a combatant changes while nothing is touched, so that no answer may depend on it."""
STATE: Final = {"round", "turn", "active", "pending"}
"""What of the encounter changes while nothing is touched."""
RULES: Final = {"options", "tables", "packages", "defaults", "dialect"}
"""What fights have in common that share answers about sheets and sums."""
GROUND: Final = {"terrain", "barriers"}
"""What those have in common besides that share answers about a map."""
FIGHT: Final = {"readied", "doing", "used_before", "scope", "roller", "paced"}
BLOW: Final = {"melee", "intent"}
WHOLE: Final = {"weapon", "attack_extra", "defense_extra"}
"""What makes two blows between the same two combatants different, the latter kept whole in a key.

Their distance follows from the places.
"""
SPARED: Final = {
    ("affray.engine.rules.damage.damage.force_of", "Blow.attack_extra"): "`secondary` holds it",
    (
        "affray.engine.dialects.srd35.opportunity.bands_without_rakes",
        "Combatant.conditions",
    ): "a monk's level sets the dice of its fists, not how far they reach",
}
"""Reads that the key need not hold, with the reason."""


class Remembered(Struct, frozen=True):
    """A remembered function: its name, the code of its store, the code of its key's parts, what it takes."""

    name: str
    store: str
    key: tuple[str, ...]
    parameters: tuple[str, ...]
    globals: dict[str, Any]

    def lacks(self, read: str) -> bool:
        """Say whether a read ("Combatant.hp") is of something that neither key nor store holds."""
        kind, _, field = read.partition(".")
        names = self.names
        if kind == "Combatant":
            if self.lasts:
                return field not in names | {"id"}
            changing = PASSING | UNREAD if self.goes_by_places else PASSING | UNREAD | PLACE
            return field in changing and field not in names
        if kind == "Encounter":
            if self.lasts:
                ground = GROUND if self.store.endswith(".memory.map") else set()
                return field not in names | RULES | ground and not field.startswith("__")
            return field in STATE and field not in names
        if kind == "Fight":
            return field in FIGHT and field not in names
        if "blow" not in self.parameters:
            return False
        if kind == "Intent":
            return "blow.intent" not in self.key and not {field, "touch"} & names
        if field in WHOLE:
            return f"blow.{field}" not in self.key
        return field in BLOW and not any(f"blow.{field}" in part for part in self.key)

    @property
    def names(self) -> set[str]:
        """The names and attributes in key and store."""
        trees = [ast.parse(part, mode="eval") for part in (*self.key, self.store)]
        nodes = [node for tree in trees for node in ast.walk(tree)]
        attributes = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
        return attributes | {node.id for node in nodes if isinstance(node, ast.Name)}

    @property
    def lasts(self) -> bool:
        """Whether the answer is remembered for the whole fight."""
        return self.store.endswith((".memory.fight", ".memory.map", ".memory.sums"))

    @property
    def goes_by_places(self) -> bool:
        """Whether the answer is forgotten when somebody moves."""
        return not self.store.endswith(".memory.company")


def remembered_functions() -> list[Remembered]:
    """Return every remembered function of the engine and its dialects."""
    found = {}
    for dialect in dialects():
        load(dialect)
    for module in [one for name, one in sys.modules.items() if name.startswith("affray.engine.")]:
        values = [*vars(module).values()]
        values += [each for one in values if isinstance(one, type) for each in vars(one).values()]
        for one in values:
            if isinstance(one, FunctionType) and one.__code__.co_filename.startswith("<memory of"):
                found[one.__globals__["_name"]] = one
    return [
        Remembered(
            name,
            one.__globals__["_store"],
            one.__globals__["_parts"],
            one.__code__.co_varnames[: one.__code__.co_argcount + one.__code__.co_kwonlyargcount],
            one.__globals__,
        )
        for name, one in sorted(found.items())
    ]


@contextmanager
def watched(functions: Sequence[Remembered]) -> Iterator[dict[str, set[str]]]:
    """Note for each function by name what it reads of fights, states, combatants, blows and intents."""
    reads: dict[str, set[str]] = defaultdict(set)
    running: list[str] = []

    def traced(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def ask(*given: Any, **named: Any) -> Any:
            running.append(name)
            try:
                return function(*given, **named)
            finally:
                running.pop()

        return ask

    def watch(kind: Any) -> None:
        plain = kind.__getattribute__

        def read(self: Any, name: str) -> Any:
            if running:
                for function in running:
                    reads[function].add(f"{kind.__name__}.{name}")
            return plain(self, name)

        kind.__getattribute__ = read

    kinds: tuple[Any, ...] = (Fight, Encounter, Combatant, Blow, Intent)
    plain = [(one, one.globals["_function"]) for one in functions]
    for kind in kinds:
        watch(kind)
    for one, function in plain:
        one.globals["_function"] = traced(one.name, function)
    try:
        yield reads
    finally:
        for kind in kinds:
            del kind.__getattribute__
        for one, function in plain:
            one.globals["_function"] = function


def drawn_readings(dice: random.Random, scenario: Scenario) -> dict[str, str]:
    """Return a reading of each contested rule, chosen at random."""
    contested = [one for one in Book.load(scenario.dialect).contested.values() if not one.awaits]
    return {one.option: dice.choice(one.readings).name for one in contested}


def lacking(scenarios: Sequence[Scenario], options: dict[str, str] | None = None) -> list[str]:
    """Play scenarios; return each read that a key lacks, with the function's name.

    Each is played as written and under `options`, which are drawn at random unless they are given.
    """
    functions = remembered_functions()
    dice = random.Random("readings")
    with watched(functions) as reads:
        for one in scenarios:
            play(one, MemoryStore(), seed=fixed_seed(one), strict=True, memory="uncached")
            other = replace(one, options=options or drawn_readings(dice, one))
            with suppress(AffrayError):
                play_under(other, MemoryStore(), memory="uncached")
    return [
        f"{one.name} reads {read}"
        for one in functions
        for read in sorted(reads[one.name])
        if one.lacks(read) and (one.name, read) not in SPARED
    ]


if __name__ == "__main__":
    from tests.scenarios.cases import all_cases

    every = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    found = lacking([case for _, case in all_cases()[::every]])
    print("\n".join(found) or "every read is in the key")
    sys.exit(bool(found))
