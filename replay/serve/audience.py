"""Audiences: what each of those who look on sees of a fight. The one filter of the server.

Whatever leaves the server for anybody but the game master has come through here: events as they are told,
views of combatants and of the encounter, questions. `Eyes` decide event by event as `Sieve` does; of what
shows others' numbers `glimpses.py` tells what everybody at the table sees.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from affray.events.envelope import Event
from affray.projections.state import Encounter, Question, duplicate
from affray.replay.narrate.cast import Cast
from affray.replay.sieve import Sieve, whose
from affray.replay.viewer.frame import Change, Frame

SEEN_OF_OTHERS: Final = frozenset({"side", "size", "thing", "at", "space", "held", "conditions", "waits"})
"""Fields of a combatant's view that everybody sees; all others are numbers and intentions."""

UNSEEN: Final[Mapping[str, Any]] = {"effects": [], "injuries": [], "plan": [], "readied": "", "threat": []}
"""What stands for lists and words that are not seen; for numbers it is None."""

_OF_NOBODY: Final = frozenset({"rolled", "asked", "chosen"})


class Audience(Struct, frozen=True):
    """Who looks on: `sides` are those whose numbers are shown, None for everybody's; `own` their combatants.

    `hide` are combatants that are not there for them. `all_seeing` is the game master alone.
    """

    sides: frozenset[str] | None = None
    own: frozenset[str] = frozenset()
    hide: frozenset[str] = frozenset()

    @property
    def all_seeing(self) -> bool:
        """Whether nothing at all is held back."""
        return self.sides is None and not self.hide


GAME_MASTER: Final = Audience()


class Key(NamedTuple):
    """How events are told: to whom, and whether with what a page draws."""

    audience: Audience
    frames: bool


def audience_of(own: Iterable[str], hidden: Iterable[str], fights_for: Mapping[str, str]) -> Audience:
    """Return the audience of a player with these combatants, of an onlooker without any.

    They see the numbers of their combatants' sides, and of the hidden combatants none but their own;
    `fights_for` names the side of each combatant that has entered.
    """
    mine = frozenset(own)
    sides = frozenset(fights_for[id] for id in mine if id in fights_for)
    return Audience(sides, mine, frozenset(hidden) - mine)


class Eyes:
    """The eyes of an audience along a line of play: they learn who is who from the events that pass."""

    def __init__(self, audience: Audience, state: Encounter) -> None:
        """Look on from a state on. O(combatants)."""
        self.audience = audience
        self.sieve = Sieve(sides=audience.sides, hide=sorted(audience.hide))
        self.sieve.know(state)
        self.cast = Cast()
        for one in state.combatants.values():
            self._meet(one.id, one.side, one.sheet.name)

    def learn(self, event: Event, fact: Any) -> None:
        """Take in an event before it is told, with whatever follows from it."""
        self.sieve.learn(event)
        if event.type == "combatant.entered":
            self._meet(fact.id, fact.side, fact.sheet.name)

    def why(self, event: Event, fact: Any) -> str:
        """Return why an event is held back; "" for one that is shown.

        Dice and answers of nobody are the game master's own: whom they concern may only turn out later.
        """
        if self.audience.sides is not None and event.type in _OF_NOBODY and not any(whose(event, fact)):
            return "the game master's own"
        return self.sieve.why(event)

    def _meet(self, id: str, side: str, name: str) -> None:
        if id not in self.audience.hide:
            self.cast.enter(id, side, name)

    def combatant(self, id: str, view: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return what is seen of a combatant's view, or of what changed of it; None for nothing."""
        if id in self.audience.hide:
            return None
        if not self.sieve.is_other(id) and (self.audience.sides is None or id in self.sieve.sides):
            return {name: self._without_hidden(value) for name, value in view.items()}
        seen = {name: value for name, value in view.items() if name in SEEN_OF_OTHERS}
        if "conditions" in seen:
            seen["conditions"] = [(words, "") for words, _ in seen["conditions"]]
        if "side" in view:  # the whole view, and not what changed of it
            seen.update((name, UNSEEN.get(name)) for name in view if name not in SEEN_OF_OTHERS)
        return {name: self._without_hidden(value) for name, value in seen.items()}

    def encounter(self, view: Mapping[str, Any], question: Question | None) -> dict[str, Any]:
        """Return what is seen of the encounter's view, or of those fields of it that changed."""
        if self.audience.all_seeing:
            return dict(view)
        seen = dict(view)
        if "order" in seen:
            seen["order"] = [id for id in seen["order"] if id not in self.audience.hide]
        if seen.get("active") in self.audience.hide:
            seen["active"] = ""
        if seen.get("ask") and not self.may_read(question):
            seen["ask"] = self.waits_for(question)
        return {name: self._without_hidden(value) for name, value in seen.items()}

    def may_read(self, question: Question | None) -> bool:
        """Say whether this audience may know what is asked."""
        if question is None or self.audience.all_seeing:
            return True
        if self.sieve.names_hidden(" ".join((question.question, question.key, *question.options))):
            return False
        return question.who in self.audience.own or (
            self.audience.sides is None and question.who not in self.audience.hide
        )

    def waits_for(self, question: Question | None) -> str:
        """Return whom the fight waits for, as far as that is seen."""
        if question is None or question.who in self.audience.hide:
            return ""
        return self.cast.name(question.who)

    def frame(self, frame: Frame, text: str, shown: bool, question: Question | None) -> Frame:
        """Return what is seen of a frame whose event is told as `text`; `shown` says whether all of it is."""
        if self.audience.all_seeing:
            return frame
        change = None
        if frame.change is not None:
            people = ((id, self.combatant(id, fields)) for id, fields in frame.change.c.items())
            change = Change(
                self.encounter(frame.change.g, question), {id: seen for id, seen in people if seen}
            )
            change = change if change.g or change.c else None
        if not shown:
            return Frame(text, frame.chain if text else (), change)
        sight = frame.sight
        if sight is not None and self.audience.hide.intersection(sight.creatures):
            sight = None
        return replace(frame, text=text, change=change, sight=sight)

    def state(self, state: Encounter) -> Encounter:
        """Return a state in which the hidden are not, to ask the rules in; it belongs to the caller."""
        made = duplicate(state)
        for id in self.audience.hide & made.combatants.keys():
            del made.combatants[id]
        made.order = tuple(id for id in made.order if id not in self.audience.hide)
        return made

    def _without_hidden(self, value: Any) -> Any:
        """Return a value of a view in which no text names the hidden."""
        if not self.audience.hide:
            return value
        if isinstance(value, str):
            return "" if self.sieve.names_hidden(value) else value
        if isinstance(value, list | tuple):
            return [self._without_hidden(one) for one in value]
        if isinstance(value, dict):
            return {name: self._without_hidden(one) for name, one in value.items()}
        return value
