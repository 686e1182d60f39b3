"""Audiences: what each of those who look on sees of a fight. The one filter of the server.

Whatever leaves the server for anybody but the game master has come through here: events as they are told,
views of combatants and of the encounter, questions. `Eyes` decide event by event as `Sieve` does, and more
strictly where an event that everybody sees holds a number of somebody else; of what is held back
`glimpses.py` tells what everybody at the table sees.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from affray.events.envelope import Event
from affray.events.facts import acts
from affray.events.facts.declared import Declared
from affray.projections.state import Encounter, Question
from affray.replay.mentions import NAMES_HIDDEN
from affray.replay.narrate.cast import Cast
from affray.replay.serve.glimpses import LISTS, UNHEARD
from affray.replay.serve.seen_views import own_view, view_of_others
from affray.replay.sieve import NUMBERS, Sieve, whose
from affray.replay.viewer.frame import Change, Frame

OTHERS: Final = "shows another side's numbers"
MASTERS: Final = "the game master's own"

OUTCOMES: Final = frozenset({"refused", "invalidated"})
"""Events that say that nothing comes of a declaration."""

ACTIONS: Final = frozenset({"standard", "move", "full-round", "swift", "immediate", "free", "step"})
"""What a turn spends before everybody's eyes; whatever else it keeps count of is a number."""

IN_PART: Final[Mapping[str, str]] = {
    "condition.gained": "who",
    "condition.lost": "who",
    "action.spent": "who",
    "reaction.spent": "who",
    "opportunity.provoked": "by",
}
"""Events that everybody sees happen, of others in part; and the field that says whose."""


class Audience(Struct, frozen=True):
    """Who looks on: `sides` are those whose numbers are shown, None for everybody's; `own` their combatants.

    `hide` are combatants that are not there for them, `called` what those of them are called who have
    entered by now: what names them is held back also where it was said before. `all_seeing` is the game
    master alone. `view` is another one when they are told another past than before.
    """

    sides: frozenset[str] | None = None
    own: frozenset[str] = frozenset()
    hide: frozenset[str] = frozenset()
    called: frozenset[tuple[str, str]] = frozenset()
    view: int = 0

    @property
    def all_seeing(self) -> bool:
        """Whether nothing at all is held back."""
        return self.sides is None and not self.hide

    def sees_as(self, other: "Audience") -> bool:
        """Say whether both see what happened in the same way, whoever may be hidden from here on."""
        return (self.sides, self.own, self.view) == (other.sides, other.own, other.view)


class Entered(NamedTuple):
    """On which side somebody entered, and the name on its sheet."""

    side: str
    name: str


def everybody_of(state: Encounter) -> dict[str, Entered]:
    """Return how everybody entered who is there. Who is made to fight for others is of its own side still."""
    return {one.id: Entered(one.own_side or one.side, one.sheet.name) for one in state.combatants.values()}


GAME_MASTER: Final = Audience()


class Key(NamedTuple):
    """How events are told: to whom, and whether with what a page draws."""

    audience: Audience
    frames: bool


def sides_of(own: Iterable[str], people: Mapping[str, Entered]) -> frozenset[str]:
    """Return the sides on which those have entered who have."""
    return frozenset(people[id].side for id in own if id in people)


def audience_of(
    own: Iterable[str], hidden: Iterable[str], people: Mapping[str, Entered], views: int = 0
) -> Audience:
    """Return the audience of a player with these combatants, of an onlooker without any.

    They see the numbers of the sides on which their combatants have entered, and of the hidden combatants
    none but their own; `people` are those who have entered, `views` says how often somebody was hidden or
    shown of whom the log spoke.
    """
    mine = frozenset(own)
    hide = frozenset(hidden) - mine
    called = frozenset((id, people[id].name) for id in hide if id in people)
    view = views * (len(mine) + 1) + len(mine - people.keys())
    return Audience(sides_of(mine, people), mine, hide, called, view)


class Eyes:
    """The eyes of an audience along a line of play: they learn who is who from the events that pass."""

    def __init__(self, audience: Audience, state: Encounter) -> None:
        """Look on from a state on. O(combatants)."""
        self.audience = audience
        self.sieve = Sieve(sides=audience.sides, hide=sorted(audience.hide), echoing=True)
        self.sieve.called.update(audience.called)
        self.sieve.know(state)
        self.cast = Cast()
        for one in state.combatants.values():
            self._meet(one.id, one.own_side or one.side, one.sheet.name)
        self._declared: dict[int, tuple[Event, Declared]] = {}
        self._coming: dict[str, str] = {}

    def learn(self, event: Event, fact: Any) -> None:
        """Take in an event before it is told, with whatever follows from it."""
        self.sieve.learn(event)
        if event.type == "declared":
            self._declared[event.seq] = event, fact
            if isinstance(fact.act, acts.Enter):
                self._coming[fact.act.id] = fact.act.side
        elif event.type == "combatant.entered":
            self._meet(fact.id, fact.side, fact.sheet.name)

    def forget(self) -> None:
        """Forget the declaration that is over: what comes follows from another one."""
        self.sieve.forget()
        self._declared.clear()
        self._coming.clear()

    def why(self, event: Event, fact: Any) -> str:
        """Return why an event is held back, or part of it; "" for one that is shown whole.

        It does not depend on what follows from the declaration later: an answer may be long in coming.
        """
        if self.audience.all_seeing:
            return ""
        if event.actor in self.audience.hide and event.type != "declared":
            event = replace(event, actor="")  # what is seen of it is seen, whoever brought it about
        if event.type in OUTCOMES and self._is_unheard(event.cause):
            return UNHEARD
        return self.sieve.why(event) or ("" if self.audience.sides is None else self._why(event, fact))

    def _why(self, event: Event, fact: Any) -> str:
        kind = event.type
        if self.audience.hide and kind in LISTS:
            # With the hidden about, who stands in a list is told as if nobody had been left out, and why
            # something is refused not at all: it may be that they are there, also where it names nobody.
            return NAMES_HIDDEN
        if kind in NUMBERS:
            those = whose(event, fact)
            # Whom the dice and answers of nobody concern may only turn out later.
            if not any(those):
                return MASTERS
            return "" if all(self._is_ours(id) for id in those if id) else OTHERS
        if kind in IN_PART and not self._is_ours(getattr(fact, IN_PART[kind])):
            return "" if kind == "action.spent" and fact.kind in ACTIONS else OTHERS
        if kind == "declared":
            return MASTERS if self._is_of_master(fact.act) else ""
        if kind in OUTCOMES:
            return "" if self._is_ours(self._declared[event.cause][1].act.actor) else OTHERS
        return OTHERS if kind == "ruled" and fact.changes else ""

    def is_hidden(self, word: str) -> bool:
        """Say whether a word that stands for a combatant stands for one who is not there for them."""
        if word in self.audience.hide:
            return True
        return word not in self.cast.letters and self.sieve.names_hidden(word)

    def _is_unheard(self, cause: int) -> bool:
        """Say whether somebody's declaration was held back: then so is that nothing came of it."""
        said = self._declared.get(cause)
        return said is None or bool(self.why(*said))

    def _is_ours(self, id: str) -> bool:
        """Say whether somebody's numbers are shown; nobody's who is not known."""
        side = self.sieve.sides.get(id) or self._coming.get(id)
        return self.audience.sides is None or side in self.audience.sides

    def _is_of_master(self, act: Any) -> bool:
        if isinstance(act, acts.Hazard | acts.Fall | acts.Expose):
            return True
        about = act.target if isinstance(act, acts.Circumstance | acts.Fiat) else act.actor
        told = acts.Circumstance | acts.Fiat | acts.Plan | acts.Ready
        return isinstance(act, told) and not self._is_ours(about)

    def _meet(self, id: str, side: str, name: str) -> None:
        # Who entered in the declaration that is not over is met in the state already.
        if id not in self.audience.hide and id not in self.cast.letters:
            self.cast.enter(id, side, name)

    def combatant(self, id: str, view: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return what is seen of a combatant's view, or of what changed of it; None for nothing."""
        if self.audience.all_seeing:
            return dict(view)
        if id in self.audience.hide:
            return None
        if not self._is_ours(id):
            return view_of_others(view, self.said)
        # What it has ready in words its player has said.
        return own_view(view, self.said, lambda text: self.said(text, self.sieve.words_ready(id)))

    def encounter(self, view: Mapping[str, Any], question: Question | None, turn: int = 0) -> dict[str, Any]:
        """Return what is seen of the encounter's view, or of those fields of it that changed.

        `turn` is the one under way, as those are counted that are seen.
        """
        seen = dict(view)
        if self.audience.all_seeing:
            return seen
        if "turn" in seen:
            seen["turn"] = turn
        if "order" in seen:
            seen["order"] = [id for id in seen["order"] if id not in self.audience.hide]
        if seen.get("active") in self.audience.hide:
            seen["active"] = ""
        if seen.get("closed"):
            seen["closed"] = "over"
        if "name" in seen:
            seen["name"] = self.title(seen["name"])
        if seen.get("ask"):
            seen["ask"] = self.waits_for(question)
            if question is not None and self.may_read(question):
                seen["ask"] += f": {self.cast.prose(question.question)}"
        return seen

    def title(self, name: str) -> str:
        """Return what the fight is called; "" where that names the hidden."""
        return "" if self.sieve.names_hidden(name) else name

    def may_read(self, question: Question | None) -> bool:
        """Say whether this audience may know what is asked."""
        if question is None or self.audience.all_seeing:
            return True
        if self.sieve.names_hidden("\n".join((question.question, question.key, *question.options))):
            return False
        return question.who in self.audience.own or (
            self.audience.sides is None and question.who not in self.audience.hide
        )

    def waits_for(self, question: Question | None) -> str:
        """Return whom the fight waits for, as far as that is seen."""
        if question is None or question.who in self.audience.hide:
            return ""
        return self.cast.name(question.who)

    def change(self, change: Change, question: Question | None, turn: int) -> Change:
        """Return what is seen of what an event changed."""
        people = ((id, self.combatant(id, fields)) for id, fields in change.c.items())
        return Change(
            self.encounter(change.g, question, turn), {id: seen for id, seen in people if seen is not None}
        )

    def frame(
        self, frame: Frame, text: str, shown: bool, change: Change | None, chain: tuple[int, ...]
    ) -> Frame:
        """Return what is seen of a frame whose event is told as `text`; `shown` says whether all of it is.

        `change` is what is seen of all that has changed, `chain` the numbers that are told of what led to it.
        """
        chain = chain if text else ()
        if not shown:
            return Frame(text, chain, change)
        # Where the hidden are about, cover from nobody tells as much as cover from them.
        sight = None if self.audience.hide else frame.sight
        return replace(frame, text=text, chain=chain, change=change, sight=sight)

    def said(self, text: str, echoes: Collection[str] = ()) -> str | None:
        """Return a text of a view as it is told; None for one that names the hidden, but by the `echoes`."""
        if not self.audience.hide:
            return text
        # Who bears the name of somebody hidden is called by id where everybody is known.
        return None if self.sieve.names_hidden(text, echoes) else self.cast.prose(text)
