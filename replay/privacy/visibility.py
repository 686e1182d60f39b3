"""Decide which events of a line of play name or show what a reader may not see."""

import json
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, Struct

from affray.engine.dice import MASTER
from affray.engine.language.names import names_of
from affray.events.codec import decode, encode
from affray.events.envelope import Event
from affray.events.errors import AffrayError
from affray.events.facts import acts
from affray.events.facts.flow import Declared, Disputed, LinkGiven
from affray.events.field_kinds import TextKind, texts
from affray.events.stores.postgres import PostgresStore
from affray.projections.state import Encounter

# --- Whether a text names a combatant: by id, by the name of its sheet, or by the first part of that name

NAMES_HIDDEN = "names what is hidden"
"""Why an event that names a hidden combatant is held back."""

ENDINGS = ("", "s", "es")
"""Endings that leave a name the same name."""


class Mentions:
    """Find some combatants in texts, and distinguish them from all others.

    Case, Unicode form, blanks, hyphens and underscores do not matter; invisible characters are ignored. A
    name is found as a whole word or in the plural; in scripts without blanks between words, anywhere.
    """

    def __init__(self, sheets: Mapping[str, str], wanted: Iterable[str]) -> None:
        """Look for the ids `wanted` of those in `sheets` (id -> the sheet's name).

        A name that other combatants share identifies none.
        """
        self.ids = frozenset(wanted)
        self.others = frozenset(sheets) - self.ids
        known = {one for id in self.others for one in _called(id, sheets[id])}
        own = {one for id in self.ids for one in _called(id, sheets.get(id, ""))}
        sought = {plain(id) for id in self.ids} | (own - known)
        self._sought = tuple(sorted(sought - {""}))
        # Longer names of others may contain one of these: they are removed first.
        longer = (one for one in known if one not in sought and any(word in one for word in self._sought))
        masks = sorted(longer, key=len, reverse=True)
        self._masks = re.compile("|".join(map(re.escape, masks))) if masks else None

    def is_one(self, word: str) -> bool:
        """Return whether a word that should be a combatant's id means one of those."""
        if word in self.ids:
            return True
        return word not in self.others and self.within(word)

    def within(self, text: str, echoes: Collection[str] = ()) -> bool:
        """Return whether a text names one of those other than by repeating one of the `echoes`."""
        if not self._sought:
            return False
        found = plain(text)
        if echoes:
            repeated = sorted(filter(None, map(plain, echoes)), key=len, reverse=True)
            found = re.sub("|".join(map(re.escape, repeated)) or "$^", _masked, found)
        if self._masks is not None:
            found = self._masks.sub(_masked, found)
        return any(_stands_in(word, found) for word in self._sought)


def plain(text: str) -> str:
    """Return a text in its form for comparison: without invisible characters, with lookalikes made equal."""
    seen = "".join(one for one in unicodedata.normalize("NFKC", text) if unicodedata.category(one) != "Cf")
    folded = unicodedata.normalize("NFKC", seen.casefold())
    return " ".join(folded.replace("_", " ").replace("-", " ").split())


def _called(id: str, name: str) -> set[str]:
    return {plain(one) for one in (id, name, *names_of(name))} - {""}


def _masked(found: re.Match[str]) -> str:
    """Remove the name of another combatant from a text, but not from the middle of a word."""
    text, (start, end) = found.string, found.span()
    if _joined(text[start - 1 : start], text[start]) or _joined(text[end - 1], text[end : end + 1]):
        return found[0]
    return "\0"


def _stands_in(word: str, text: str) -> bool:
    at = text.find(word)
    while at >= 0:
        end = at + len(word)
        if not _joined(text[at - 1 : at], word[0]) and _ends(word, text[end : end + 3]):
            return True
        at = text.find(word, at + 1)
    return False


def _ends(word: str, rest: str) -> bool:
    if not _joined(word[-1], rest[:1]):
        return True
    return any(rest.startswith(one) and not _joined(one, rest[len(one) :][:1]) for one in ENDINGS if one)


def _joined(one: str, other: str) -> bool:
    """Return whether two adjacent characters belong to one word, in scripts that separate words."""
    return bool(one) and bool(other) and _of_a_word(one[-1]) and _of_a_word(other[0])


def _of_a_word(sign: str) -> bool:
    return sign.isdecimal() or sign.lower() != sign.upper()


# --- The sieve: which events of a line of play show what a reader may not see
#
# Two rules, which may be combined: for some sides (events with the numbers of other sides are held back) and
# with hidden combatants (events that name them are). `redaction.py` applies them to a copy of a log,
# `serve/audience.py` to the views of a fight in progress.

NUMBERS: dict[str, tuple[str, ...]] = {
    "asked": ("who",),
    "chosen": ("who",),
    "rolled": ("who",),
    "combatant.entered": ("id",),
    "initiative.rolled": ("who",),
    "initiative.changed": ("who",),
    "plan.made": ("who",),
    "act.readied": ("who",),
    "attack.resolved": ("attacker", "target"),
    "confirmation.resolved": ("attacker", "target"),
    "miss-chance.resolved": ("attacker",),
    "damage.resolved": ("attacker", "target"),
    "hit-points.changed": ("who",),
    "effect.gained": ("who",),
    "effect.ended": ("who",),
    "check.resolved": ("who",),
    "contest.resolved": ("who", "against"),
    "turning.resolved": ("who",),
    "resource.spent": ("who",),
    "counter.changed": ("who",),
    "item.struck": ("attacker", "bearer"),
    "injury.suffered": ("who",),
    "rule.applied": ("who",),
    "ability.changed": ("who",),
    "feats.changed": ("who",),
    "maximum.changed": ("who",),
    "form.changed": ("who",),
    "affliction.held": ("who",),
    "affliction.ended": ("who",),
}
"""Events that show a combatant's numbers -> the fields that name it."""

OPEN = frozenset(
    {
        "declared",
        "refused",
        "invalidated",
        "ruled",
        "disputed",
        "branch.promoted",
        "encounter.opened",
        "seed.contributed",
        "chain.begun",
        "link.given",
        "chain.left",
        "encounter.decided",
        "encounter.closed",
        "options.changed",
        "awareness.settled",
        "order.set",
        "round.began",
        "phase.changed",
        "round.ended",
        "turn.began",
        "turn.ended",
        "budget.renewed",
        "action.spent",
        "reaction.spent",
        "turn.delayed",
        "ready.ended",
        "casting.began",
        "casting.ended",
        "moved",
        "mounted",
        "dismounted",
        "mount.directed",
        "door.moved",
        "area.placed",
        "area.ended",
        "opportunity.provoked",
        "condition.gained",
        "condition.lost",
        "side.changed",
        "item.changed",
        "grip.changed",
        "time.passed",
    }
)
"""Events that all at the table see happen; of `declared` all except sheets, plans and hazards."""

CONFIRMING = {"encounter.closed": "the seed", "round.ended": "a digest of what is hidden"}
"""Events that reveal what others hold back, or confirm a guess at it -> why they are hidden."""

_SECRET_ACTS = (acts.Enter, acts.Plan, acts.Ready, acts.Hazard, acts.Fall, acts.Expose)


class Sieve:
    """Decide which learned events may not be seen, along one line of play.

    `sides` are those whose numbers are shown, None for all; `hide` are the ids of hidden combatants. An
    `echoing` sieve shows words that named a hidden combatant by chance: their speaker did not know of it, and
    only their absence would reveal anything.
    """

    def __init__(
        self, *, sides: Collection[str] | None = None, hide: Collection[str] = (), echoing: bool = False
    ) -> None:
        self.of_sides = None if sides is None else frozenset(sides)
        self.hide = tuple(hide)
        self.echoing = echoing
        self.sides: dict[str, str] = {}
        self.called: dict[str, str] = {}
        self._refused: set[str] = set()
        self._declared: dict[int, tuple[Declared, list[str]]] = {}
        self._echoes: dict[int, tuple[str, ...]] = {}
        self._readied: dict[str, tuple[str, ...]] = {}
        self._let_go: set[str] = set()
        self._looking: tuple[Mentions, Mentions] | None = None

    @property
    def is_anything_hidden(self) -> bool:
        """Whether anything is held back."""
        return self.of_sides is not None or bool(self.hide)

    def know(self, state: Encounter) -> None:
        """Learn on which side each combatant entered, regardless of the fight's state."""
        for one in state.combatants.values():
            self._enter(one.id, one.own_side or one.side, one.sheet.name)
            if one.readied is not None:
                self._readied[one.id] = words_of(one.readied)

    def learn(self, event: Event) -> None:
        """Learn from an event who is who, and what declarations are about. Raises NewerLog, BrokenLog."""
        if event.type == "declared":
            fact = decode(event)
            self._declared[event.seq] = fact, []
            self._hear(event, fact)
        elif event.type == "disputed":
            self._hear(event, decode(event))
        elif event.type == "ready.ended":
            self._let_go.add(decode(event).who)
        elif event.type in NUMBERS:
            fact = decode(event)
            if event.type == "act.readied":
                self._readied[fact.who] = words_of(fact.act)
                self._let_go.discard(fact.who)
            if event.type == "combatant.entered":
                self._enter(fact.id, fact.side, fact.sheet.name)
            elif event.cause in self._declared:
                self._declared[event.cause][1].extend(whose(event, fact))
        elif event.type == "refused":
            self._refused.add(decode(event).id)

    def _hear(self, event: Event, fact: Declared | Disputed) -> None:
        if fact.by_chance is UNSET or not self.echoing:
            return
        said = words_of(fact)
        # A name used before its combatant entered did not mean that combatant.
        if fact.by_chance or not self._names_entered(said):
            self._echoes[event.seq] = said

    def _names_entered(self, said: Collection[str]) -> bool:
        if not any(map(self.names_hidden, said)):
            return False
        entered = Mentions({id: self.called[id] for id in self.sides}, {*self.hide} & self.sides.keys())
        return any(map(entered.within, said))

    def forget(self) -> None:
        """Forget the finished declarations: later events do not follow from them."""
        self._declared.clear()
        self._echoes.clear()
        self._refused.clear()
        for who in self._let_go:
            self._readied.pop(who, None)
        self._let_go.clear()

    def why(self, event: Event) -> str:
        """Return why an event is hidden; "" for one that is shown. Raises NewerLog, BrokenLog."""
        if not self.is_anything_hidden:
            return ""
        if event.type in CONFIRMING:
            return CONFIRMING[event.type]
        fact = decode(event)
        if isinstance(fact, LinkGiven) and fact.by == MASTER:
            return "rolls follow from it"
        if self.hide and self._names(event, fact):
            return NAMES_HIDDEN
        return self._numbers(event, fact) if self.of_sides is not None else ""

    def names_hidden(self, text: str, echoes: Collection[str] = ()) -> bool:
        """Return whether a text names a hidden combatant other than by repeating one of the `echoes`."""
        return bool(self.hide) and self._looked_for[0].within(text, echoes)

    def echoes(self, event: Event) -> tuple[str, ...]:
        """Return the words of an event's declaration if its speaker did not know of the hidden combatants."""
        return self._echoes.get(event.seq, ()) or self._echoes.get(event.cause, ())

    def words_ready(self, who: str) -> tuple[str, ...]:
        """Return the words of the act that a combatant of these sides has readied, or takes now."""
        return self._readied.get(who, ()) if self.echoing and not self.is_other(who) else ()

    def is_other(self, who: str) -> bool:
        """Return whether a combatant is of a side whose numbers are not shown."""
        return self.of_sides is not None and who in self.sides and self.sides[who] not in self.of_sides

    @property
    def _looked_for(self) -> tuple[Mentions, Mentions]:
        """The hidden combatants, and those of other sides."""
        if self._looking is None:
            others = [id for id in self.called if self.is_other(id)]
            self._looking = Mentions(self.called, self.hide), Mentions(self.called, others)
        return self._looking

    def _enter(self, id: str, side: str, name: str) -> None:
        if (self.sides.get(id), self.called.get(id)) != (side, name):
            self.sides[id], self.called[id] = side, name
            self._looking = None

    def _names(self, event: Event, fact: Any) -> bool:
        """Return whether an event names a hidden combatant, field by field."""
        hidden = self._looked_for[0]
        if event.actor and hidden.is_one(event.actor):
            return True
        # A word that the rules refused may be anything.
        anything = isinstance(fact, Declared) and fact.id in self._refused
        echoes = self.echoes(event)
        if event.seq != event.cause:
            echoes += self.words_ready(getattr(fact, "who", "")) if event.type != "act.readied" else ()
            # The modifiers of a roll are never in a player's own words.
            changes = (text for one in getattr(fact, "modifiers", ()) for _, text in texts(one))
            if any(map(hidden.within, changes)):
                return True
        if any(self._named(held, text, anything, echoes) for held, text in texts(fact)):
            return True
        # Data written by another release, or by hand, may hold more than is read here.
        return encode(fact) != event.data and any(map(hidden.within, _unread(event, fact)))

    def _named(self, held: TextKind, text: str, anything: bool, echoes: Collection[str] = ()) -> bool:
        hidden = self._looked_for[0]
        if held is TextKind.COMBATANT:
            return hidden.is_one(text)
        if held is TextKind.KEY:
            # Neither the declaration's id nor the number at the end can name a combatant.
            return hidden.within("/".join(text.split("/")[1:-1]))
        return (held is not TextKind.WORD or anything) and hidden.within(text, echoes)

    def _numbers(self, event: Event, fact: Any) -> str:
        if event.type in NUMBERS:
            those = whose(event, fact)
            # Dice and answers without a combatant belong to the declaration's combatant.
            against = not any(those) and self._is_about_others(event.cause)
            return "shows another side's numbers" if against or any(map(self.is_other, those)) else ""
        if event.type == "order.set":
            # Ties are shown with their results, and the turns show the order itself.
            return "shows another side's numbers" if self._looked_for[1].within(fact.why) else ""
        if event.type == "declared":
            return "known to the game master only" if self._is_secret(fact.act) else ""
        return "" if event.type in OPEN else "of a type that no rule opens"

    def _is_secret(self, act: object) -> bool:
        if isinstance(act, acts.Enter):
            # Decided by the act's own word: a combatant that was refused is on no side.
            return self.of_sides is None or act.side not in self.of_sides
        return isinstance(act, _SECRET_ACTS) and (not act.actor or self.is_other(act.actor))

    def _is_about_others(self, cause: int) -> bool:
        """Return whether a declaration is another side's, or the game master's about another side's
        combatant.
        """
        declared = self._declared.get(cause)
        if declared is None:
            return False
        fact, met = declared  # `met` are those whose numbers resulted from it
        if fact.act.actor:
            return self.is_other(fact.act.actor)
        named = (text for held, text in texts(fact) if held is TextKind.COMBATANT)
        return any(map(self.is_other, (*named, *met)))


def words_of(said: Struct) -> tuple[str, ...]:
    """Return the texts of a player's words except the ids of combatants."""
    return tuple(text for held, text in texts(said) if held is not TextKind.COMBATANT)


def whose(event: Event, fact: object) -> list[str]:
    """Return the combatants whose numbers an event shows, "" for none."""
    return [getattr(fact, field) for field in NUMBERS[event.type]]


def _unread(event: Event, fact: object) -> Iterator[str]:
    """Yield the texts of an event's data that its fact does not hold: of unknown fields, or of fields that
    occur twice, of which only one is read.
    """
    known = set(yield_texts(msgspec.to_builtins(fact)))
    raw = json.loads(event.data, object_pairs_hook=lambda pairs: [one for pair in pairs for one in pair])
    return (text for text in yield_texts(raw) if text not in known)


def yield_texts(value: object) -> Iterator[str]:
    """Yield every text in plain data, including the names of fields."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, one in value.items():
            yield name
            yield from yield_texts(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from yield_texts(one)


# --- Which sides may see an event, decided with the sieve of players' copies when the event is recorded
#
# A database stores the answer with each event and lets players read accordingly (`docs/postgres.md`). The
# answer is what `redaction.py` would show a side of the line up to there; later events and later hiding do
# not change it.

EVERYBODY = ""
"""The name for all at the table, including onlookers."""


class VisibilityFilter:
    """Decide who may see each event, for one store, in order, in one thread. Learns a line when it first
    reads it.
    """

    def __init__(self) -> None:
        self._sieves: dict[str, Sieve] = {}
        self._at = ("", 0)
        self._hidden: tuple[str, ...] = ()

    def __call__(self, store: PostgresStore, events: Sequence[Event]) -> list[list[str] | None]:
        """Return who may see each event after the head of one line: sides, EVERYBODY, or None.

        Unreadable events are visible to none. O(events of the line) if another line was read before.
        """
        stream, before = events[0].stream, events[0].seq - 1
        hidden = store.beside().hidden()
        entering = set(_sides(events)) - self._sieves.keys()
        if self._at != (stream, before) or hidden != self._hidden or entering:
            self._learn(store, stream, before, hidden, entering)
        self._at = stream, events[-1].seq
        try:
            for sieve in self._sieves.values():
                for event in events:
                    sieve.learn(event)
        except AffrayError:
            self._at = "", 0
            return [None] * len(events)
        named = any(sieve.names_hidden(stream) for sieve in self._sieves.values())
        return [None if named else self._find_viewers(event) for event in events]

    def _learn(
        self, store: PostgresStore, stream: str, upto: int, hidden: tuple[str, ...], entering: Iterable[str]
    ) -> None:
        line = list(store.read(stream, upto=upto))
        self._hidden = hidden
        self._sieves = {
            side: Sieve(sides=(side,) if side else (), hide=hidden)
            for side in sorted({EVERYBODY, *_sides(line), *entering})
        }
        for sieve in self._sieves.values():
            for event in line:
                sieve.learn(event)

    def _find_viewers(self, event: Event) -> list[str] | None:
        try:
            sees = [side for side, sieve in self._sieves.items() if not sieve.why(event)]
        except AffrayError:
            return None
        return [EVERYBODY] if EVERYBODY in sees else sees or None


def _sides(events: Iterable[Event]) -> Iterable[str]:
    """Yield the sides on which combatants enter, or are declared to."""
    for event in events:
        if event.type == "combatant.entered":
            yield decode(event).side
        elif event.type == "declared" and isinstance(act := decode(event).act, acts.Enter):
            yield act.side
