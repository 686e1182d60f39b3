"""Audiences: what each of those who look on sees of a fight. The one filter of the server.

Whatever leaves the server for anybody but the game master has come through here: events as they are told,
views of combatants and of the encounter, questions. `AudienceFilter` decide event by event as `Sieve` does, and more
strictly where an event that everybody sees holds a number of somebody else; of what is held back
`glimpse` tells what everybody at the table sees.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, Final, NamedTuple

from msgspec import UNSET, Struct
from msgspec.structs import replace

from affray.events.envelope import Event
from affray.events.facts import acts
from affray.events.facts.base import JsonObject
from affray.events.facts.flow import Declared, Ruled
from affray.events.stores.store import Store
from affray.projections.sentence import being, sentence
from affray.projections.state import Combatant, Encounter, Question, duplicate
from affray.replay.privacy.visibility import CONFIRMING, NAMES_HIDDEN, NUMBERS, Sieve, whose
from affray.replay.text.cast import Cast
from affray.replay.viewer.frames import Change, Frame

# --- Glimpses: what everybody at the table sees of an event that shows the numbers of others
#
# Who strikes whom, and whether the blow lands, is seen; by how much is not. What stands nowhere here is not
# seen at all.

UNHEARD: Final = "comes of what was not heard"
"""Why nothing is seen of what came of a declaration."""

OPEN_PARTS: Final[dict[str, tuple[str, ...]]] = {
    "combatant.entered": ("id", "side", "at", "space"),
    "attack.resolved": ("attacker", "target", "weapon", "mode", "result"),
    "confirmation.resolved": ("attacker", "target", "confirmed"),
    "miss-chance.resolved": ("attacker", "target", "missed"),
    "damage.resolved": ("attacker", "target"),
    "hit-points.changed": ("who",),
    "condition.gained": ("who", "condition"),
    "condition.lost": ("who", "condition"),
    "contest.resolved": ("who", "against", "contest", "won"),
    "item.struck": ("attacker", "bearer", "item"),
    "injury.suffered": ("who",),
    "turning.resolved": ("who",),
    "opportunity.provoked": ("who", "by", "reason"),
    "reaction.spent": ("who", "kind", "against"),
    "rule.applied": ("who", "squares", "corner"),
    "initiative.changed": ("who", "order"),
    "asked": ("who",),
    "refused": ("id",),
    "invalidated": ("id",),
    "ruled": ("author", "verdict", "text", "subject", "id", "dispute", "event", "scope"),
    "order.set": ("order",),
    "round.ended": ("number",),
    "encounter.closed": ("standing",),
}
"""Type of an event -> the fields of it that everybody sees."""

LISTS: Final[dict[str, tuple[str, ...]]] = {
    "order.set": ("order",),
    "initiative.changed": ("who", "order"),
    "awareness.settled": ("aware", "surprised"),
    "encounter.decided": ("standing",),
    "refused": ("id",),
    "invalidated": ("id",),
}
"""Type of an event -> the fields that are seen of one that names the hidden, who are left out of them."""

STRUGGLES: Final = frozenset(
    {
        "grapple", "bull rush", "trip", "counter-trip", "disarm", "counter-disarm", "overrun", "push", "pull",
        "drag", "squeeze", "throw", "escape", "strength", "sunder",
    }
)  # fmt: skip
"""Contests of bodies, which everybody sees end; of wits and senses nobody sees who has won."""

Words = Callable[[JsonObject, Cast], str]
_HITS: Final = {"miss": "misses", "hit": "hits"}


def glimpse(kind: str, fact: object, why: str, hidden: Callable[[str], bool]) -> dict[str, object] | None:
    """Return the open parts of a fact that is held back for a reason, None if nothing of it is seen.

    Lists are told without those who are `hidden`.
    """
    names = (LISTS if why == NAMES_HIDDEN else OPEN_PARTS).get(kind)
    if why == UNHEARD or names is None or not _is_seen(kind, fact) or hidden(getattr(fact, "who", "")):
        return None
    seen = {name: value for name in names if (value := getattr(fact, name)) is not UNSET}
    return {
        name: tuple(id for id in value if not hidden(id)) if name in _OF_IDS else value
        for name, value in seen.items()
    }


_OF_IDS: Final = frozenset({"order", "aware", "surprised", "standing"})


def _is_seen(kind: str, fact: Any) -> bool:
    if kind == "contest.resolved":
        return fact.contest in STRUGGLES
    return kind != "rule.applied" or fact.squares is not UNSET or fact.corner is not UNSET


def describe_visible_parts(kind: str, seen: JsonObject, cast: Cast) -> str:
    """Return what was seen, in a sentence without a number."""
    words = _WORDS.get(kind)
    return words(seen, cast) if words is not None else ""


def _blow(seen: JsonObject, cast: Cast) -> str:
    hit = _HITS.get(seen["result"], "hits and threatens a critical on")
    return f"{cast.name(seen['attacker'])} {hit} {cast.name(seen['target'])} with {seen['weapon']}"


def _critical(seen: JsonObject, cast: Cast) -> str:
    did = "confirms" if seen["confirmed"] else "does not confirm"
    return f"{cast.name(seen['attacker'])} {did} the critical on {cast.name(seen['target'])}"


def _miss_chance(seen: JsonObject, cast: Cast) -> str:
    did = "misses" if seen["missed"] else "does not miss"
    return f"{cast.name(seen['attacker'])} {did} {cast.name(seen['target'])}, who is hard to see"


def _contest(seen: JsonObject, cast: Cast) -> str:
    did = "wins" if seen["won"] else "loses"
    against = cast.name(seen["against"])
    return f"{cast.name(seen['who'])} {did} the {seen['contest']} against {against}"


def _provoked(seen: JsonObject, cast: Cast) -> str:
    return f"{cast.name(seen['who'])} {cast.prose(seen['reason'])} and provokes {cast.name(seen['by'])}"


def _reaction(seen: JsonObject, cast: Cast) -> str:
    against = f" against {cast.name(seen['against'])}" if seen["against"] else ""
    if seen["kind"] == "opportunity":
        return f"{cast.name(seen['who'])} makes an attack of opportunity{against}"
    return f"{cast.name(seen['who'])} uses its {seen['kind']}{against}"


_WORDS: Final[dict[str, Words]] = {
    "combatant.entered": lambda seen, cast: f"{cast.name(seen['id'])} enters",
    "attack.resolved": _blow,
    "confirmation.resolved": _critical,
    "miss-chance.resolved": _miss_chance,
    "damage.resolved": lambda seen, cast: (
        f"{cast.name(seen['attacker'])} does harm to {cast.name(seen['target'])}"
    ),
    "hit-points.changed": lambda seen, cast: f"{cast.name(seen['who'])} stands otherwise than before",
    "condition.gained": lambda seen, cast: f"{cast.name(seen['who'])} {being(seen['condition'])}",
    "condition.lost": lambda seen, cast: f"{cast.name(seen['who'])} {being(seen['condition'], False)}",
    "contest.resolved": _contest,
    "item.struck": lambda seen, cast: (
        f"{cast.name(seen['attacker'])} strikes at what {cast.name(seen['bearer'])} holds: {seen['item']}"
    ),
    "injury.suffered": lambda seen, cast: f"{cast.name(seen['who'])} suffers a lasting injury",
    "turning.resolved": lambda seen, cast: f"{cast.name(seen['who'])} turns or is turned",
    "opportunity.provoked": _provoked,
    "reaction.spent": _reaction,
    "rule.applied": lambda seen, cast: f"what {cast.name(seen['who'])} does covers an area",
    "initiative.changed": lambda seen, cast: f"{cast.name(seen['who'])} takes another place in the order",
    "asked": lambda seen, cast: f"the fight waits for {cast.name(seen['who'])}",
    "refused": lambda seen, cast: "refused",
    "invalidated": lambda seen, cast: f"{seen['id']} has become impossible",
    "ruled": lambda seen, cast: sentence(Ruled(**seen)),
    "order.set": lambda seen, cast: f"the order is {', '.join(map(cast.name, seen['order']))}",
    "awareness.settled": lambda seen, cast: "it is settled who is surprised",
    "encounter.decided": lambda seen, cast: "one side is all that stands, or nobody does",
    "round.ended": lambda seen, cast: f"round {seen['number']} ends",
    "encounter.closed": lambda seen, cast: "the fight is over",
}


# --- Views of combatants as they are seen: all of one's own side, of others what everybody sees, of a hidden
#
# combatant nothing; and states to ask the rules in, in which the hidden are not.

SEEN_OF_OTHERS: Final = frozenset({"side", "size", "thing", "at", "space", "held", "conditions", "waits"})
"""Fields of a combatant's view that everybody sees; all others are numbers and intentions."""

UNSEEN: Final[Mapping[str, object]] = {"effects": [], "injuries": [], "plan": [], "readied": "", "threat": []}
"""What stands for lists and words that are not seen; for numbers it is None."""

Said = Callable[[str], str | None]
"""What becomes of a text; None where it names the hidden."""

_LEVEL: Final = re.compile(r" -?\d+$")


def own_view(view: JsonObject, said: Said, said_ready: Said) -> JsonObject:
    """Return the view of a combatant of one's own side, or what changed of it, without the hidden.

    `said_ready` is for what it has ready.
    """
    seen = dict(view)
    for name in ("effects", "plan"):
        if name in seen:
            seen[name] = [found for text in seen[name] if (found := said(text)) is not None]
    if "conditions" in seen:
        seen["conditions"] = [(words, said(source) or "") for words, source in seen["conditions"]]
    if seen.get("readied"):
        seen["readied"] = said_ready(seen["readied"]) or ""
    return seen


def get_view_of_other_combatant(view: JsonObject, said: Said) -> JsonObject:
    """Return what everybody sees of the view of a combatant, or of what changed of it."""
    seen = {name: value for name, value in view.items() if name in SEEN_OF_OTHERS}
    if "conditions" in seen:
        seen["conditions"] = get_visible_conditions(words for words, _ in seen["conditions"])
    if "size" in view:  # the whole view, and not what changed of it
        seen.update((name, UNSEEN.get(name)) for name in view if name not in SEEN_OF_OTHERS)
    return seen


def get_visible_conditions(told: Iterable[str]) -> list[tuple[str, str]]:
    """Return conditions without their levels, which are numbers, and without where they come from."""
    return [(_LEVEL.sub("", words), "") for words in told]


def without(state: Encounter, hide: Collection[str]) -> Encounter:
    """Return a state in which some combatants are not, to ask the rules in; it belongs to the caller.

    Nothing that is left speaks of them where the rules would look for them.
    """
    made = duplicate(state)
    for id in made.combatants.keys() & {*hide}:
        del made.combatants[id]
    made.order = tuple(id for id in made.order if id not in hide)
    made.active = made.active if made.active not in hide else ""
    for one in made.combatants.values():
        _let_go(one, hide)
    return made


def _let_go(one: Combatant, hide: Collection[str]) -> None:
    one.mount = one.mount if one.mount not in hide else ""
    one.rider = one.rider if one.rider not in hide else ""
    one.effects = tuple(effect for effect in one.effects if effect.against not in hide)


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

    def has_same_past_view(self, other: "Audience") -> bool:
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


def make_audience(
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


class AudienceFilter:
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

    def why(self, event: Event, fact: object) -> str:
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

    def _is_of_master(self, act: acts.Act) -> bool:
        if isinstance(act, acts.Hazard | acts.Fall | acts.Expose):
            return True
        about = act.target if isinstance(act, acts.Circumstance | acts.Fiat) else act.actor
        told = acts.Circumstance | acts.Fiat | acts.Plan | acts.Ready
        return isinstance(act, told) and not self._is_ours(about)

    def _meet(self, id: str, side: str, name: str) -> None:
        # Who entered in the declaration that is not over is met in the state already.
        if id not in self.audience.hide and id not in self.cast.letters:
            self.cast.enter(id, side, name)

    def combatant(self, id: str, view: JsonObject) -> JsonObject | None:
        """Return what is seen of a combatant's view, or of what changed of it; None for nothing."""
        if self.audience.all_seeing:
            return dict(view)
        if id in self.audience.hide:
            return None
        if not self._is_ours(id):
            return get_view_of_other_combatant(view, self.said)
        # What it has ready in words its player has said.
        return own_view(view, self.said, lambda text: self.said(text, self.sieve.words_ready(id)))

    def encounter(self, view: JsonObject, question: Question | None, turn: int = 0) -> JsonObject:
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


# --- Whether a log speaks of a combatant: then players see another past when it is hidden, or shown


def has_name_of_combatant(store: Store, combatant: str) -> bool:
    """Say whether an event of any line names a combatant, by id or by what its sheet says. O(events)."""
    sieve = Sieve(hide=[combatant], echoing=True)
    for event in store.read_all():
        sieve.learn(event)
    return any(
        event.type not in CONFIRMING and sieve.why(event) == NAMES_HIDDEN for event in store.read_all()
    )
