"""Caches for the answers of functions, held by the fight or its rules.

A decorator states how long the answer is valid and what it depends on:

    @per_fight(Same("mover.sheet"), "topic")                sheets, catalogue, options: for the whole fight
    @per_scene("mover.id")                                  until anything but hit points and turns changes
    @per_company("mover.id")                                likewise, and also while combatants move
    @per_map("here", "there")                               only the map and the key, whatever else changes

The parts of a key are expressions of the function's parameters and compared by value; `Same` compares by
identity, for sheets and weapons, which are slow to compare, and `Each` does so for each of several. The cache
holds a reference to what it compares by identity as long as the answer is valid. What a fact changes is
declared next to its handler in `projections/fold.py`. A fight caches answers, checks them or caches none
(`store_for`); the log is the same in each mode, and the gate plays fights in all of them.
"""

import ast
from collections.abc import Callable, Collection
from functools import update_wrapper
from inspect import Parameter, isgeneratorfunction, signature
from operator import attrgetter
from typing import Any, Final, Literal, ParamSpec, Protocol, TypeVar
from weakref import ref

from msgspec import Struct

from affray.events import logging
from affray.events.errors import AffrayError
from affray.events.generated import run_generated
from affray.projections.fold import TOUCHES, Touches
from affray.projections.state import Encounter

# --- The stores in which a fight caches answers: cached, cached and checked at every use, or not cached

Mode = Literal["cached", "checked", "uncached", "reopened"]
"""How a fight treats computed answers.

"cached" uses them as long as they are valid. "checked" computes each again at every use and compares: a
difference is a fault of the engine and raises StaleAnswer. "uncached" stores none. "reopened" keeps them for
one declaration: the table is opened from its log before each. All four give the same log.
"""

MISSING: Final = object()

LEAD, SHOWN = 80, 240
"""How many characters of an answer a message shows, and how many of these before the first difference."""


class StaleAnswer(AffrayError):
    """A cached answer differs from the answer computed now: its key lacks something that it depends on.

    The message shows both around the first difference; `cached` and `current` are the whole answers.
    """

    def __init__(self, function: str, key: object, cached: object, current: object) -> None:
        before, now = repr(cached), repr(current)
        pairs = enumerate(zip(before, now, strict=False))
        alike = next((at for at, (one, other) in pairs if one != other), 0)
        begin = max(0, alike - LEAD)
        shown = [f"...{text[begin : begin + SHOWN]}..." for text in (before, now)]
        asked = f"{function} for {repr(key)[:SHOWN]}"
        super().__init__(f"stale answer of {asked}: cached {shown[0]}, now {shown[1]}")
        self.function, self.key, self.cached, self.current = function, key, cached, current


class Asker:
    """The owner of a cache: `fight()` is the fight that has it."""

    __slots__ = ("fight",)

    def __init__(self, fight: Callable[[], object]) -> None:
        self.fight = fight


class AnswerCache(dict[object, Any]):
    """Answers by their keys; those of functions that depend only on the fight are stored by the function.

    `kept[function]` is then the answer, cached or computed: as `function(fight)`, but without a call.
    """

    __slots__ = ("asker",)

    def __init__(self, asker: Asker) -> None:
        self.asker = asker

    def __missing__(self, asks: Callable[[object], object]) -> object:
        """Compute the answer, which caches it."""
        return asks(self.asker.fight())


class NullCache(AnswerCache):
    """A cache that stores nothing."""

    __slots__ = ()

    def __setitem__(self, key: object, value: object) -> None:
        """Discard the answer."""


class Checked(AnswerCache):
    """A cache that never answers, and compares each answer with the one that it would have given."""

    __slots__ = ()

    def get(self, key: object, default: object = None) -> object:
        """Return `default`: the answer is computed again."""
        return default

    def __getitem__(self, asks: Any) -> object:
        """Compute the answer again."""
        return asks(self.asker.fight())

    def __setitem__(self, key: object, value: object) -> None:
        """Store the first answer, and compare it with each later one. Raises StaleAnswer."""
        known = super().get(key, MISSING)
        if known is MISSING:
            super().__setitem__(key, value)
        elif known is not value and known != value and type(key) is not int:
            function, *parts = key if type(key) is tuple else (key,)
            name = function if isinstance(function, str) else f"{function.__module__}.{function.__qualname__}"
            self.differ(StaleAnswer(name, tuple(parts), known, value))

    def differ(self, fault: StaleAnswer) -> None:
        """Raise the fault."""
        raise fault


class Reported(Checked):
    """The cache for fights with stages of installed packages: the new answer counts, a stale one is logged.

    No key can cover what such a stage reads. Since no cached answer is used, the log is right anyway.
    """

    __slots__ = ()

    def differ(self, fault: StaleAnswer) -> None:
        """Log the fault."""
        logging.warning("answer changed while its key stayed", function=fault.function, key=repr(fault.key))


STORES: Final[dict[Mode, type[AnswerCache]]] = {
    "cached": AnswerCache,
    "checked": Checked,
    "uncached": NullCache,
    "reopened": AnswerCache,
}


def store_for(memory: Mode | bool, packages: bool) -> type[AnswerCache]:
    """Return the type of a fight's caches; True means "cached", False "uncached". Raises ValueError.

    With stages of installed `packages` no answer is taken from a cache.
    """
    mode: Mode = ("cached" if memory else "uncached") if isinstance(memory, bool) else memory
    if mode not in STORES:
        raise ValueError(f"memory is {', '.join(STORES)}, not {memory!r}")
    return Reported if packages and STORES[mode] is AnswerCache else STORES[mode]


P = ParamSpec("P")
R = TypeVar("R")

MOST: Final = 32_768
"""The most answers about places or modifiers that a fight caches before it drops old ones."""


class Same(Struct, frozen=True):
    """A part of a key that is compared by identity: for sheets and weapons."""

    path: str


class Each(Same, frozen=True):
    """A part of a key that compares each of several objects, in order, by identity."""


Part = str | Same
"""A part of a key: what is compared by value, or by identity."""


def per_fight(*key: Part) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Cache an answer for the whole fight: it depends only on sheets, catalogue and options."""
    return lambda function: generate_cached(function, "{fight}.memory.fight", key)


def per_scene(*key: Part) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Cache an answer until anything changes except hit points, budgets, rounds and turns.

    These must be in the key where the answer depends on them.
    """
    return lambda function: generate_cached(function, "{fight}.memory.scene", key)


def per_company(*key: Part) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Cache an answer that outlasts moves: as `per_scene`, but it does not depend on places either."""
    return lambda function: generate_cached(function, "{fight}.memory.company", key)


def per_map(*key: Part) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Cache an answer that depends on the map and its key alone."""
    return lambda function: generate_cached(function, "{fight}.memory.map", key, most=MOST)


def per_sum(*key: Part) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Cache for the whole fight the total of identical modifiers, or of their sums.

    There may be many entries, so old ones are dropped; the result does not depend on that.
    """
    return lambda function: generate_cached(function, "{fight}.memory.sums", key, most=MOST)


def generate_cached(
    function: Callable[P, R], store: str, key: tuple[Part, ...], most: int = 0, **names: Any
) -> Callable[P, R]:
    """Return a function with its cache in front of it, generated for its parameters, the fight first.

    A hit costs a single call; every blow has dozens of them, which is the reason to generate code here.
    `store` may use `names`. Raises ValueError for a key that omits a parameter or uses another name.
    """
    parameters = signature(function).parameters
    _refuse_unlike(function, store, key, names)
    fight = next(iter(parameters))
    heads = []
    for name, one in parameters.items():
        if one.kind is Parameter.KEYWORD_ONLY and "*" not in heads:
            heads.append("*")
        if one.default is not Parameter.empty:
            names[f"_default_{name}"] = one.default
        heads.append(name if one.default is Parameter.empty else f"{name}=_default_{name}")
    given = [
        f"{name}={name}" if one.kind is Parameter.KEYWORD_ONLY else name for name, one in parameters.items()
    ]
    named = repr(f"{function.__module__}.{function.__qualname__}")
    lines = [
        f"def remembered({', '.join(heads)}):",
        f"    _known = {store.format(fight=fight)}",
        f"    _key = {f'({named}, ' + ', '.join(map(_written, key)) + ')' if key else 'remembered'}",
        "    _found = _known.get(_key, _missing)",
        "    if _found is _missing:",
        f"        _found = _function({', '.join(given)})",
        *([f"        if len(_known) >= {most}:", "            _known.clear()"] if most else []),
        *(f"        _known[{_written(part)}] = {_held(part)}" for part in key if isinstance(part, Same)),
        "        _known[_key] = _found",
        "    return _found",
    ]
    names |= {"_function": function, "_missing": MISSING, "_id": id}
    names |= {"_name": f"{function.__module__}.{function.__qualname__}", "_store": store.format(fight=fight)}
    names["_parts"] = tuple(part if isinstance(part, str) else part.path for part in key)
    run_generated("\n".join(lines), f"memory of {function.__module__}.{function.__qualname__}", names)
    made: Callable[P, R] = names["remembered"]
    update_wrapper(made, function)
    return made


def _written(part: Part) -> str:
    """Return a part of a key as code."""
    if isinstance(part, str):
        return part
    if isinstance(part, Each):
        return f"((*map(_id, {part.path}),) if {part.path} else ())"
    return f"_id({part.path})"


def _held(part: Same) -> str:
    """Return code for what has to be held on to, so that its identity is not reused."""
    return f"tuple({part.path})" if isinstance(part, Each) else part.path


def _refuse_unlike(
    function: Callable[..., object], store: str, key: tuple[Part, ...], names: Collection[str]
) -> None:
    """Refuse a key that omits one of the parameters or uses another name."""
    parameters = signature(function).parameters
    if isgeneratorfunction(function):
        raise ValueError(f"{function.__qualname__} yields steps, which cannot be taken twice")
    if any(one.kind in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD) for one in parameters.values()):
        raise ValueError(f"{function.__qualname__} takes any number of parameters")
    fight, *others = parameters
    texts = [store.format(fight=fight), *(part if isinstance(part, str) else part.path for part in key)]
    said = {
        node.id
        for text in texts
        for node in ast.walk(ast.parse(text, mode="eval"))
        if isinstance(node, ast.Name)
    }
    if missing := [name for name in others if name not in said]:
        raise ValueError(f"the key of {function.__qualname__} lacks {missing[0]!r}")
    if unknown := said - {*parameters, *names}:
        raise ValueError(f"{function.__qualname__} has no {min(unknown)!r}")


# --- The caches of a fight, and the facts that invalidate them

PASSING: Final = frozenset(
    {
        *("hp", "nonlethal", "temporary"),
        *("spent", "reactions", "opportunities", "acted"),
        *("initiative", "fixed_initiative", "initiative_modifier"),
    }
)
"""Fields of a combatant whose changes invalidate nothing: answers that depend on them have them as keys."""

MOST_RULES: Final = 8
"""The most sets of rules and options with caches; for others answers are computed again."""

MOST_MAPS: Final = 16
"""The most maps with caches; the same map with another door open is a different one."""

MOST_COMPANIES: Final = 2_048
"""The most companies that a fight caches before it drops old ones."""

MOST_SCENES: Final = 256
"""The most scenes of a company that are cached."""

_PLACE: Final = attrgetter("at", "space", "stretch")

MOST_OF_SHEETS: Final = 32_768
"""The most answers by sheets; the next fight drops them when there are more."""


class RulesMemory:
    """The caches of sheets, sums and maps under the same rules and options.

    These answers depend on their keys and the rules alone, so all fights of a process share them.
    """

    def __init__(self, store: type[AnswerCache]) -> None:
        self.store = store
        self.sheets, self.sums = self.new(), self.new()
        self._maps: dict[object, AnswerCache] = {}

    def new(self) -> AnswerCache:
        """Return an empty store of answers."""
        return self.store(Asker(lambda: None))

    def map_of(self, state: Encounter) -> AnswerCache:
        """Return the cache of a map for the current state of its doors."""
        key = state.terrain, state.barriers
        found = self._maps.get(key)
        if found is None:
            if len(self._maps) >= MOST_MAPS:
                self._maps.clear()
            found = self._maps[key] = self.new()
        return found


class Remembering(Protocol):
    """The rules of a fight, as far as they are remembered."""

    @property
    def memories(self) -> dict[object, Any]:
        """The caches of all fights under these rules."""
        ...


class Playing(Protocol):
    """A fight, as far as a memory reads it."""

    @property
    def state(self) -> Encounter:
        """The current state."""
        ...

    @property
    def dialect(self) -> Remembering:
        """The rules."""
        ...


def rules_memory(fight: Playing, store: type[AnswerCache]) -> RulesMemory:
    """Return the caches under the rules of a fight, of the type `store`."""
    state, known = fight.state, fight.dialect.memories
    said = [tuple(each.items()) for each in (state.options, state.tables)]
    key = store, state.defaults, state.packages, *said
    found: RulesMemory | None = known.get(key)
    if found is None or len(found.sheets) > MOST_OF_SHEETS:
        if len(known) >= MOST_RULES:
            known.clear()
        found = known[key] = RulesMemory(store)
    return found


class Company:
    """Answers that are valid until a fact changes more about combatants than their places.

    `scenes` are the answers that depend on places too, by all places. `after` are the companies to which
    facts led in a fight that begins again.
    """

    __slots__ = ("after", "answers", "scenes")

    def __init__(self, answers: AnswerCache) -> None:
        self.answers = answers
        self.scenes: dict[tuple[object, ...], AnswerCache] = {}
        self.after: dict[object, Company] = {}


class Memory:
    """The caches of one fight.

    `fight`, `sums` and `map` are those of its rules. `company` is valid while nothing changes except the
    fields in PASSING, rounds, turns and places; `scene` as long as all places are unchanged too, and again
    once the combatants return to them.

    In a fight that begins again the same facts lead to the same company, with all its answers.
    """

    def __init__(self, fight: Playing, store: type[AnswerCache] = AnswerCache) -> None:
        # Not held: so a fight is freed, with all its caches, when it is no longer used.
        self._fight: Callable[[], Any] = ref(fight)
        self._asker = Asker(self._fight)
        self._rules = rules_memory(fight, store)
        self.fight, self.sums = self._rules.sheets, self._rules.sums
        self.map = self._rules.map_of(fight.state)
        self._first: Company | None = None
        """The company with which the fight begins again; None if it has not."""
        self._companies = 0
        self._plans = True
        """Whether any combatant may have a plan for the round."""
        self._take_up(self._new_company())

    def _new(self) -> AnswerCache:
        return self._rules.store(self._asker)

    def _new_company(self) -> Company:
        return Company(self._new())

    def _take_up(self, company: Company) -> None:
        self._now, self.company = company, company.answers
        self.touch_places()

    def touch_places(self, fact: object = None) -> None:
        """Switch to the scene with all combatants in their present places."""
        scenes = self._now.scenes
        places = tuple(map(_PLACE, self._fight().state.combatants.values()))
        found = scenes.get(places)
        if found is None:
            if len(scenes) >= MOST_SCENES:
                scenes.clear()
            found = scenes[places] = self._new()
        self.scene = found

    def touch_combatants(self, fact: object = None) -> None:
        """Switch to the company to which a fact leads, a new one after a change without a fact."""
        if self._first is None or fact is None:
            self._take_up(self._new_company())
            return
        found = self._now.after.get(fact)
        if found is None:
            found = self._now.after[fact] = self._new_company()
            self._companies += 1
        self._take_up(found)

    def touch_plan(self, fact: object = None) -> None:
        """Switch to the company in which a combatant has a plan for the round."""
        self._plans = True
        self.touch_combatants(fact)

    def touch_round(self, fact: object = None) -> None:
        """Switch to the company without plans, if any combatant had one."""
        if self._plans:
            self._plans = False
            self.touch_combatants(fact)

    def touch_map(self, fact: object = None) -> None:
        """Switch to the map with its present doors, and the company to which the fact leads."""
        fight = self._fight()
        vars(fight).pop("field", None)
        self.map = self._rules.map_of(fight.state)
        self.touch_combatants(fact)

    def touch_everything(self, fact: object = None) -> None:
        """Drop this company: no earlier answer includes a combatant, rule or map that is new in it."""
        self._plans = True
        self.touch_map()

    def begin_again(self) -> None:
        """Switch to the first company: the fight is in its initial state again."""
        if self._first is None or self._companies >= MOST_COMPANIES:
            self._first, self._companies = self._new_company(), 0
        self._plans = True
        self.map = self._rules.map_of(self._fight().state)
        self._take_up(self._first)


TOUCHING: Final[dict[Touches, Callable[[Memory, object], None] | None]] = {
    "nothing": None,
    "places": Memory.touch_places,
    "combatants": Memory.touch_combatants,
    "everything": Memory.touch_everything,
    "map": Memory.touch_map,
    "plan": Memory.touch_plan,
    "round": Memory.touch_round,
}


def touched_by(kind: type) -> Callable[[Memory, object], None] | None:
    """Return the caches that a fact of that kind invalidates; None for none."""
    return TOUCHING[TOUCHES.get(kind, "nothing")]
