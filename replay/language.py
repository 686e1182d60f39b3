"""The meaning of a line of the short language for a whole log: rulings, undo and questions too.

The engine reads declarations, answers and the game master's word from now on (`engine/language`). What is
said about the past is read here: a ruling without an event is about the last outcome that dice decided.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, Final, TypeAlias

from msgspec import Struct

from affray.engine.fight.fight import Fight
from affray.engine.kernel.actions import left_of
from affray.engine.language.cast import Cast
from affray.engine.language.names import Unclear
from affray.engine.language.sentences import EVENT, Answer, Declaration, Request, Sentences
from affray.engine.table.appending import Outcome
from affray.engine.table.table import Table
from affray.events.codec import decode
from affray.events.envelope import Event
from affray.events.facts.combat import AttackResolved, CheckResolved
from affray.events.facts.flow import InitiativeRolled
from affray.events.stores.store import Store
from affray.projections.state import Combatant, Encounter
from affray.replay.explain.disputes import Decided, rule
from affray.replay.explain.why import Why, why
from affray.replay.log.branches import concerned
from affray.replay.log.declarations import decides
from affray.replay.log.playhead import Playhead
from affray.replay.log.rules_for_fight import make_fight_context
from affray.replay.redecide.rulings import OUTCOMES
from affray.replay.text.options import describe_left
from affray.replay.undo import Step, redo, undo


class Ruling(Struct, frozen=True):
    """A ruling on an event: its position (17, r3, r3.t2), changes in the grammar of rulings, its words."""

    at: str
    changes: tuple[str, ...]
    text: str


Meaning: TypeAlias = Declaration | Answer | Request | Ruling

MOST_BACK: Final = 400
"""Number of events from the end in which the last outcome is searched."""


class Moment:
    """The end of the main line, or of another branch. The state must not be changed."""

    def __init__(self, store: Store, actor: str = "", branch: str = "") -> None:
        """Load the current fight, to read lines for `actor`. O(events since a checkpoint)."""
        playhead = Playhead(store, branch)
        self.state: Encounter = playhead.seek("end")
        self.branch, self.seq = playhead.branch, playhead.last
        self.cast = Cast.of(self.state)
        self._store, self._actor = store, actor

    @cached_property
    def fight(self) -> Fight:
        """The fight as the rules see it; created when first needed."""
        return make_fight_context(self.state, None)

    @cached_property
    def sentences(self) -> Sentences:
        """The meanings of lines at this moment."""
        return Sentences(self.fight, self.cast, self._actor)

    def left(self) -> str:
        """Return what the combatant whose turn it is has left, "" if no turn is running."""
        actor = self.state.combatants.get(self.state.active)
        return "" if actor is None else describe_left(left_of(self.fight, actor), self.cast.words)

    @property
    def actor(self) -> Combatant:
        """The combatant whose turn it is. Raises Unclear if no turn is running."""
        actor = self.state.combatants.get(self.state.active)
        if actor is None:
            raise Unclear("no turn is running" + ("" if self.state.begun else ": b begins the fight"))
        return actor

    def meaning(self, line: str, *, again: bool = False) -> Meaning:
        """Return the meaning of a line, as `Sentences.meaning` does. Raises Unclear."""
        found = self.sentences.meaning(line, again=again)
        if not isinstance(found, Request):
            return found
        words = found.words
        match found.word:
            case "rule":
                return self._ruling(words)
            case "why" if not words:
                return Request("why", (str(self.last_outcome()),))
            case "odds" if words[:1] == ("win",):
                return Request("odds", ("--at", "end", *words[1:]))
            case "odds" if not words:
                return Request("odds", ("--event", str(Ruled(self).last())))
            case "auto":
                sides = {one.side for one in self.state.combatants.values()}
                named = (w if w in sides or w[:1] == "-" else self.sentences.people.find(w) for w in words)
                return Request("auto", tuple(named))
        return found

    def _ruling(self, words: Sequence[str]) -> Ruling:
        """Return a ruling on an outcome. Raises Unclear."""
        at, said = "", list(words)
        if said and EVENT.fullmatch(said[0]):
            at = said.pop(0)
        if not said:
            raise Unclear(
                "incomplete ruling; examples: rule cover +4, rule hit, rule with advantage, rule die 2 15, "
                "rule gharm.hp=5, rule 38 gharm.hp=5"
            )
        ruled = Ruled(self, at)
        changes = tuple(ruled.changes(said))
        return Ruling(at or str(ruled.last()), changes, " ".join(said))

    def last_outcome(self) -> int:
        """Return the latest event that numbers or rules explain. Raises Unclear."""
        for event in self.outcomes():
            return event.seq
        raise Unclear("there is no outcome yet")

    def outcomes(self) -> Iterator[Event]:
        """Yield the latest events that numbers or rules explain, from last to first."""
        events = list(self._store.read(self.branch, max(0, self.seq - MOST_BACK), self.seq))
        yield from (event for event in reversed(events) if decides(decode(event)))

    def fact_of(self, seq: int) -> object:
        """Return the fact of an event of the line."""
        return decode(next(iter(self._store.read(self.branch, seq - 1, seq))))


def say(store: Store, line: str, by: str = "GM") -> Outcome | Decided | Step | Why:
    """Do what a line means on the main line: declare, answer, rule, undo, redo or explain.

    Returns the outcome of a declaration or an answer, the ruling, the step of undo and redo, or the
    explanation. `by` is its author. Raises Unclear with one sentence for any other line, and what the
    functions for each of them raise.

    >>> from affray.engine import packaged, set_up
    >>> from affray.events import MemoryStore
    >>> from affray.replay import say
    >>> store = MemoryStore()
    >>> table = set_up(packaged("demo_srd35"), store)
    >>> for line in ("b", "a goblin 15 4"):
    ...     outcome = say(store, line)
    >>> say(store, "rule cover +4").difference.sentence
    "With the ruling 'cover +4' Ysolde misses Skit with the dagger; Skit ends at 11 hp instead of 8."
    >>> say(store, "u").line
    'undo-1'
    """
    meaning = Moment(store).meaning(line)
    if isinstance(meaning, Declaration | Answer):
        return Table(store).say(line, by)
    if isinstance(meaning, Ruling):
        main = store.main_line()
        at, changes = concerned(store, main, meaning.at), meaning.changes
        return rule(store, "amend", meaning.text, by=by, at=at, changes=changes, promoting=True)
    words = meaning.words
    match meaning.word:
        case "undo" if len(words) < 2:
            return undo(store, int(words[0]) if words else 1, by)
        case "redo":
            return redo(store, by)
        case "why" if len(words) == 1:
            return why(store, "", concerned(store, store.main_line(), words[0]))
    raise Unclear(f"{line!r} is a line for the prompt of affray table")


# --- The object of a ruling
#
# The past only changes if an event is named, or if the ruling changes the numbers of the last outcome.


class Ruled:
    """The object of a ruling: the event named, or else the last event that dice decided."""

    def __init__(self, now: Moment, at: str = "") -> None:
        """Rule on an event, or on the last outcome without one."""
        self.now, self.at = now, at

    def changes(self, words: Sequence[str]) -> Iterable[str]:
        """Yield changes in the grammar of rulings: `cover +4` is the target's defense in the attack.

        `with advantage` and `die 2 15` are about the roll.
        """
        left = list(words)
        while left:
            word = left.pop(0)
            if word in OUTCOMES.split():
                yield f"{self._roll()}={word}"
            elif word in ("with", "without") and left:
                yield f"{self._test()} {word} {left.pop(0)}"
            elif word == "die" and len(left) > 1:
                yield f"{self._roll()} die {left.pop(0)}={left.pop(0)}"
            elif left and re.fullmatch(r"[+-]\d{1,3}", left[0]):
                yield f"{self._defense()}{left.pop(0)}:{word}"
            else:
                yield word

    def last(self) -> int:
        """Return the event of the last outcome that dice decided. Raises Unclear."""
        return next(self.decided())[0]

    def decided(self) -> Iterator[tuple[int, Any]]:
        """Yield (position, fact) of what dice decided in the last declaration with dice, from last to first.

        For a named event, yield only that one. Raises Unclear if there is none.
        """
        if self.at:
            if not self.at.isdecimal() or not 1 <= int(self.at) <= self.now.seq:
                raise Unclear(f"{self.at} is not an attack or a check: `log` lists the numbers of events")
            yield int(self.at), self.now.fact_of(int(self.at))
            return
        cause = 0
        for event in self.now.outcomes():
            fact = self.now.fact_of(event.seq)
            if getattr(fact, "key", "") and cause in (0, event.cause):
                cause = event.cause
                yield event.seq, fact
        if not cause:
            raise Unclear("no dice have been rolled yet")

    def _defense(self) -> str:
        """Return the figure that a bare modifier applies to: the defense of the last target."""
        target = next((fact.target for _, fact in self.decided() if getattr(fact, "target", "")), "")
        if not target:
            raise Unclear(
                "the last outcome was not an attack: name what to change, for example: rule ysolde.save.ref+2"
            )
        return f"{target}.defense"

    def _test(self) -> str:
        """Return the test of the last outcome that may be rolled with other dice: `tobin.attack`."""
        for _, fact in self.decided():
            if isinstance(fact, AttackResolved):
                return f"{fact.attacker}.attack"
            if isinstance(fact, CheckResolved):
                return f"{fact.who}.{fact.check}"
            if isinstance(fact, InitiativeRolled):
                return f"{fact.who}.initiative"
        raise Unclear("the last outcome was not a test: name one, for example: rule 38 with advantage")

    def _roll(self) -> str:
        key = next((fact.key for _, fact in self.decided() if hasattr(fact, "natural")), "")
        if not key:
            raise Unclear("the last outcome has no roll that can be ruled a hit or a success")
        return str(key)
