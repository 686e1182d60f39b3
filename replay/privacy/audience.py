"""Audiences: what each reader sees of a fight. The only filter of the server.

Everything that the server sends to readers other than the game master is filtered here: events, views of
combatants and of the encounter, questions. `AudienceFilter` decides event by event as `Sieve` does, and more
strictly where an event that all see contains a number of another side; of an event that is held back,
`glimpse` returns what all at the table see.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, Final, NamedTuple

from msgspec import UNSET, Struct
from msgspec.structs import replace

from affray.engine.language.cast import Cast, dialect_words
from affray.events.envelope import Event
from affray.events.facts import acts
from affray.events.facts.base import JsonObject
from affray.events.facts.flow import Declared, Ruled
from affray.events.stores.store import Store
from affray.projections.sentence import being, sentence
from affray.projections.state import Combatant, Encounter, Question, duplicate
from affray.replay.privacy.visibility import CONFIRMING, NAMES_HIDDEN, NUMBERS, Sieve, whose
from affray.replay.viewer.frames import Change, Frame

# --- Glimpses: the parts that all at the table see of an event that contains the numbers of others
#
# All see who attacks whom, and whether the attack hits; not by how much. Types that are not listed here are
# not seen.

UNHEARD: Final = "follows from a hidden declaration"
"""Why no result of a hidden declaration is shown."""

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
"""Type of an event -> its fields that all see."""

LISTS: Final[dict[str, tuple[str, ...]]] = {
    "order.set": ("order",),
    "initiative.changed": ("who", "order"),
    "awareness.settled": ("aware", "surprised"),
    "encounter.decided": ("standing",),
    "refused": ("id",),
    "invalidated": ("id",),
}
"""Type of an event that lists combatants -> its fields that are shown; hidden combatants are left out of
them.
"""

STRUGGLES: Final = frozenset(
    {
        "grapple", "bull rush", "trip", "counter-trip", "disarm", "counter-disarm", "overrun", "push", "pull",
        "drag", "squeeze", "throw", "escape", "strength", "sunder",
    }
)  # fmt: skip
"""Contests of strength, whose results all see; the results of contests of wits and senses are not seen."""

Words = Callable[[JsonObject, Cast], str]
_HITS: Final = {"miss": "misses", "hit": "hits", "critical": "scores a critical hit on"}


def glimpse(kind: str, fact: object, why: str, hidden: Callable[[str], bool]) -> dict[str, object] | None:
    """Return the visible parts of a fact that is held back for a reason, None if none of it is seen.

    Lists leave out the combatants that are `hidden`.
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
    """Return a sentence without numbers about the visible parts."""
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
    "hit-points.changed": lambda seen, cast: f"{cast.name(seen['who'])} is in a different state",
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
    "rule.applied": lambda seen, cast: f"what {cast.name(seen['who'])} does affects an area",
    "initiative.changed": lambda seen, cast: f"{cast.name(seen['who'])} moves in the initiative order",
    "asked": lambda seen, cast: f"the fight waits for {cast.name(seen['who'])}",
    "refused": lambda seen, cast: "refused",
    "invalidated": lambda seen, cast: f"{seen['id']} is no longer possible",
    "ruled": lambda seen, cast: sentence(Ruled(**seen)),
    "order.set": lambda seen, cast: f"the order is {', '.join(map(cast.name, seen['order']))}",
    "awareness.settled": lambda seen, cast: "it is settled who is surprised",
    "encounter.decided": lambda seen, cast: "at most one side is left standing",
    "round.ended": lambda seen, cast: f"round {seen['number']} ends",
    "encounter.closed": lambda seen, cast: "the fight is over",
}


# --- Views of combatants as seen: complete for the reader's own side, the visible parts of others, nothing of
# hidden combatants; and states without the hidden combatants, for asking the rules

SEEN_OF_OTHERS: Final = frozenset({"side", "size", "thing", "at", "space", "held", "conditions", "waits"})
"""The fields of a combatant's view that all see; all others are numbers and intentions."""

UNSEEN: Final[Mapping[str, object]] = {"effects": [], "injuries": [], "plan": [], "readied": "", "threat": []}
"""The replacement for lists and words that are not seen; for numbers it is None."""

Said = Callable[[str], str | None]
"""Return a text as it is shown; None for one that names a hidden combatant."""

_LEVEL: Final = re.compile(r" -?\d+$")


def own_view(view: JsonObject, said: Said, said_ready: Said) -> JsonObject:
    """Return the view of a combatant of the reader's own side, or its changes, without hidden combatants.

    `said_ready` filters the text of its readied act.
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
    """Return the parts that all see of a combatant's view, or of its changes."""
    seen = {name: value for name, value in view.items() if name in SEEN_OF_OTHERS}
    if "conditions" in seen:
        seen["conditions"] = get_visible_conditions(words for words, _ in seen["conditions"])
    if "size" in view:  # the whole view, not a change
        # Only those who have supplies have a field for them.
        unseen = view.keys() - SEEN_OF_OTHERS - {"pools", "counters"}
        seen.update((name, UNSEEN.get(name)) for name in view if name in unseen)
    return seen


def get_visible_conditions(told: Iterable[str]) -> list[tuple[str, str]]:
    """Return conditions without their levels, which are numbers, and without their sources."""
    return [(_LEVEL.sub("", words), "") for words in told]


def without(state: Encounter, hide: Collection[str]) -> Encounter:
    """Return a copy of a state without some combatants, for asking the rules; the caller may change it.

    The parts of the remaining combatants that rules read do not refer to the missing ones.
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
"""Events that report that a declaration had no effect."""

IN_PART: Final[Mapping[str, str]] = {
    "condition.gained": "who",
    "condition.lost": "who",
    "action.spent": "who",
    "reaction.spent": "who",
    "opportunity.provoked": "by",
}
"""Events that all see happen, those of others in part -> the field that names the combatant."""


class Audience(Struct, frozen=True):
    """A group of readers: `sides` are those whose numbers are shown, None for all sides; `own` are their
    combatants.

    `hide` are the combatants hidden from them, `called` the names of those hidden that have entered: texts
    with these names are held back, even if they were written earlier. `all_seeing` is only true for the game
    master. `view` changes when the past that they are shown changes.
    """

    sides: frozenset[str] | None = None
    own: frozenset[str] = frozenset()
    hide: frozenset[str] = frozenset()
    called: frozenset[tuple[str, str]] = frozenset()
    view: int = 0

    @property
    def all_seeing(self) -> bool:
        """Whether everything is shown."""
        return self.sides is None and not self.hide

    def has_same_past_view(self, other: "Audience") -> bool:
        """Return whether both see past events in the same way, even if more is hidden from now on."""
        return (self.sides, self.own, self.view) == (other.sides, other.own, other.view)


class Entered(NamedTuple):
    """The side on which a combatant entered, and the name on its sheet."""

    side: str
    name: str


def everybody_of(state: Encounter) -> dict[str, Entered]:
    """Return how each combatant present entered. A controlled combatant keeps its own side."""
    return {one.id: Entered(one.own_side or one.side, one.sheet.name) for one in state.combatants.values()}


GAME_MASTER: Final = Audience()


class Key(NamedTuple):
    """How events are sent: to which audience, and whether with the frames that a page draws."""

    audience: Audience
    frames: bool


def sides_of(own: Iterable[str], people: Mapping[str, Entered]) -> frozenset[str]:
    """Return the sides on which the combatants `own` have entered."""
    return frozenset(people[id].side for id in own if id in people)


def make_audience(
    own: Iterable[str], hidden: Iterable[str], people: Mapping[str, Entered], views: int = 0
) -> Audience:
    """Return the audience of a player with these combatants, or of an onlooker if there are none.

    They see the numbers of the sides on which their combatants have entered, and of the hidden combatants
    only their own; `people` are the combatants that have entered, `views` is the number of times that a
    combatant mentioned by the log was hidden or revealed.
    """
    mine = frozenset(own)
    hide = frozenset(hidden) - mine
    called = frozenset((id, people[id].name) for id in hide if id in people)
    view = views * (len(mine) + 1) + len(mine - people.keys())
    return Audience(sides_of(mine, people), mine, hide, called, view)


class AudienceFilter:
    """Decide what an audience sees along a line of play; learn from each event who is who."""

    def __init__(self, audience: Audience, state: Encounter) -> None:
        """Start from a state. O(combatants)."""
        self.audience = audience
        self.sieve = Sieve(sides=audience.sides, hide=sorted(audience.hide), echoing=True)
        self.sieve.called.update(audience.called)
        self.sieve.know(state)
        self.cast = Cast()
        self.cast.words = dialect_words(state)
        for one in state.combatants.values():
            self._meet(one.id, one.own_side or one.side, one.sheet.name)
        self._declared: dict[int, tuple[Event, Declared]] = {}
        self._coming: dict[str, str] = {}

    def learn(self, event: Event, fact: Any) -> None:
        """Learn from an event before it is shown, and from all that follow from it."""
        self.sieve.learn(event)
        if event.type == "declared":
            self._declared[event.seq] = event, fact
            if isinstance(fact.act, acts.Enter):
                self._coming[fact.act.id] = fact.act.side
        elif event.type == "combatant.entered":
            self._meet(fact.id, fact.side, fact.sheet.name)
        elif event.type == "encounter.opened":
            self.cast.follow(fact)

    def forget(self) -> None:
        """Forget the finished declaration: the next events follow from another one."""
        self.sieve.forget()
        self._declared.clear()
        self._coming.clear()

    def why(self, event: Event, fact: object) -> str:
        """Return why an event is held back, or part of it; "" for one that is shown whole.

        This does not depend on later results of the declaration, since an answer may take long.
        """
        if self.audience.all_seeing:
            return ""
        if event.actor in self.audience.hide and event.type != "declared":
            event = replace(event, actor="")  # seen by all, even if its actor is hidden
        if event.type in OUTCOMES and self._is_unheard(event.cause):
            return UNHEARD
        return self.sieve.why(event) or ("" if self.audience.sides is None else self._why(event, fact))

    def _why(self, event: Event, fact: Any) -> str:
        kind = event.type
        if self.audience.hide and kind in LISTS:
            # With hidden combatants about, a list is shown as if it left out none, and the reason for a
            # refusal not shown: they may be the reason, even if it does not name them.
            return NAMES_HIDDEN
        if kind in NUMBERS:
            those = whose(event, fact)
            # Which side dice and answers without a combatant belong to may be known only later.
            if not any(those):
                return MASTERS
            return "" if all(self._is_ours(id) for id in those if id) else OTHERS
        if kind in IN_PART and not self._is_ours(getattr(fact, IN_PART[kind])):
            return "" if kind == "action.spent" and fact.kind in self.cast.words.actions else OTHERS
        if kind == "declared":
            return MASTERS if self._is_of_master(fact.act) else ""
        if kind in OUTCOMES:
            return "" if self._is_ours(self._declared[event.cause][1].act.actor) else OTHERS
        return OTHERS if kind == "ruled" and fact.changes else ""

    def is_hidden(self, word: str) -> bool:
        """Return whether a word in place of a combatant's id means one hidden from them."""
        if word in self.audience.hide:
            return True
        return word not in self.cast.letters and self.sieve.names_hidden(word)

    def _is_unheard(self, cause: int) -> bool:
        """Return whether a declaration was held back: then its failure is too."""
        said = self._declared.get(cause)
        return said is None or bool(self.why(*said))

    def _is_ours(self, id: str) -> bool:
        """Return whether a combatant's numbers are shown; no for an unknown one."""
        side = self.sieve.sides.get(id) or self._coming.get(id)
        return self.audience.sides is None or side in self.audience.sides

    def _is_of_master(self, act: acts.Act) -> bool:
        if isinstance(act, acts.Hazard | acts.Fall | acts.Expose):
            return True
        about = act.target if isinstance(act, acts.Circumstance | acts.Fiat) else act.actor
        told = acts.Circumstance | acts.Fiat | acts.Plan | acts.Ready
        return isinstance(act, told) and not self._is_ours(about)

    def _meet(self, id: str, side: str, name: str) -> None:
        # Combatants that entered in the unfinished declaration are in the state already.
        if id not in self.audience.hide and id not in self.cast.letters:
            self.cast.enter(id, side, name)

    def combatant(self, id: str, view: JsonObject) -> JsonObject | None:
        """Return the visible parts of a combatant's view, or of its changes; None for nothing."""
        if self.audience.all_seeing:
            return dict(view)
        if id in self.audience.hide:
            return None
        if not self._is_ours(id):
            return get_view_of_other_combatant(view, self.said)
        # Its readied act is in words that its player wrote.
        return own_view(view, self.said, lambda text: self.said(text, self.sieve.words_ready(id)))

    def encounter(self, view: JsonObject, question: Question | None, turn: int = 0) -> JsonObject:
        """Return the visible parts of the encounter's view, or of its changed fields.

        `turn` is the current one, in the reader's count.
        """
        seen = dict(view)
        if self.audience.all_seeing:
            return seen
        seen.pop("left", None)  # the turn may be another side's; `legal` has what is left to one's own
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
        """Return the title of the fight; "" if it names a hidden combatant."""
        return "" if self.sieve.names_hidden(name) else name

    def may_read(self, question: Question | None) -> bool:
        """Return whether this audience may read a question."""
        if question is None or self.audience.all_seeing:
            return True
        if self.sieve.names_hidden("\n".join((question.question, question.key, *question.options))):
            return False
        return question.who in self.audience.own or (
            self.audience.sides is None and question.who not in self.audience.hide
        )

    def waits_for(self, question: Question | None) -> str:
        """Return the name of the combatant that the fight waits for, if it is visible."""
        if question is None or question.who in self.audience.hide:
            return ""
        return self.cast.name(question.who)

    def change(self, change: Change, question: Question | None, turn: int) -> Change:
        """Return the visible parts of an event's changes."""
        people = ((id, self.combatant(id, fields)) for id, fields in change.c.items())
        return Change(
            self.encounter(change.g, question, turn), {id: seen for id, seen in people if seen is not None}
        )

    def frame(
        self, frame: Frame, text: str, shown: bool, change: Change | None, chain: tuple[int, ...]
    ) -> Frame:
        """Return the visible parts of a frame whose event is shown as `text`; `shown` is true if all of it is
        shown.

        `change` holds the visible parts of all changes, `chain` the shown numbers of the events that led to
        it.
        """
        chain = chain if text else ()
        if not shown:
            return Frame(text, chain, change)
        # With hidden combatants about, the absence of cover reveals as much as cover.
        sight = None if self.audience.hide else frame.sight
        return replace(frame, text=text, chain=chain, change=change, sight=sight)

    def said(self, text: str, echoes: Collection[str] = ()) -> str | None:
        """Return a text of a view as shown; None if it names a hidden combatant outside the `echoes`."""
        if not self.audience.hide:
            return text
        # A combatant with the same name as a hidden one is called by its id for readers who know all
        # combatants.
        return None if self.sieve.names_hidden(text, echoes) else self.cast.prose(text)


# --- Whether a log mentions a combatant: hiding or revealing it then changes the past that players see


def has_name_of_combatant(store: Store, combatant: str) -> bool:
    """Return whether an event of any line names a combatant, by id or by the name of its sheet. O(events)."""
    sieve = Sieve(hide=[combatant], echoing=True)
    for event in store.read_all():
        sieve.learn(event)
    return any(
        event.type not in CONFIRMING and sieve.why(event) == NAMES_HIDDEN for event in store.read_all()
    )
