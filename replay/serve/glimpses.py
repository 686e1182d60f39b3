"""Glimpses: what everybody at the table sees of an event that shows the numbers of others.

Who strikes whom, and whether the blow lands, is seen; by how much is not. What stands nowhere here is not
seen at all.
"""

from collections.abc import Callable
from typing import Any, Final

from msgspec import UNSET

from affray.events.facts.declared import Ruled
from affray.projections.condition_words import being
from affray.projections.sentence import sentence
from affray.replay.mentions import NAMES_HIDDEN
from affray.replay.narrate.cast import Cast

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

Words = Callable[[dict[str, Any], Cast], str]
_HITS: Final = {"miss": "misses", "hit": "hits"}


def glimpse(kind: str, fact: Any, why: str, hidden: Callable[[str], bool]) -> dict[str, Any] | None:
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


def glimpse_words(kind: str, seen: dict[str, Any], cast: Cast) -> str:
    """Return what was seen, in a sentence without a number."""
    words = _WORDS.get(kind)
    return words(seen, cast) if words is not None else ""


def _blow(seen: dict[str, Any], cast: Cast) -> str:
    hit = _HITS.get(seen["result"], "hits and threatens a critical on")
    return f"{cast.name(seen['attacker'])} {hit} {cast.name(seen['target'])} with {seen['weapon']}"


def _critical(seen: dict[str, Any], cast: Cast) -> str:
    did = "confirms" if seen["confirmed"] else "does not confirm"
    return f"{cast.name(seen['attacker'])} {did} the critical on {cast.name(seen['target'])}"


def _miss_chance(seen: dict[str, Any], cast: Cast) -> str:
    did = "misses" if seen["missed"] else "does not miss"
    return f"{cast.name(seen['attacker'])} {did} {cast.name(seen['target'])}, who is hard to see"


def _contest(seen: dict[str, Any], cast: Cast) -> str:
    did = "wins" if seen["won"] else "loses"
    against = cast.name(seen["against"])
    return f"{cast.name(seen['who'])} {did} the {seen['contest']} against {against}"


def _provoked(seen: dict[str, Any], cast: Cast) -> str:
    return f"{cast.name(seen['who'])} {cast.prose(seen['reason'])} and provokes {cast.name(seen['by'])}"


def _reaction(seen: dict[str, Any], cast: Cast) -> str:
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
