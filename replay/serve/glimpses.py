"""Glimpses: what everybody at the table sees of an event that shows the numbers of others.

Who strikes whom, and whether the blow lands, is seen; by how much is not. What stands nowhere here is not
seen at all.
"""

from collections.abc import Callable, Collection
from typing import Any, Final

from affray.replay.sieve import NAMES_HIDDEN

OPEN_PARTS: Final[dict[str, tuple[str, ...]]] = {
    "combatant.entered": ("id", "side", "at", "space"),
    "attack.resolved": ("attacker", "target", "weapon", "mode", "result"),
    "confirmation.resolved": ("attacker", "target", "confirmed"),
    "miss-chance.resolved": ("attacker", "target", "missed"),
    "damage.resolved": ("attacker", "target"),
    "hit-points.changed": ("who",),
    "item.struck": ("attacker", "bearer", "item"),
    "turning.resolved": ("who",),
    "asked": ("who",),
    "order.set": ("order",),
    "round.ended": ("number",),
    "encounter.closed": ("standing",),
}
"""Type of an event -> the fields of it that everybody sees."""

LISTS: Final[dict[str, tuple[str, ...]]] = {
    "order.set": ("order",),
    "awareness.settled": ("aware", "surprised"),
    "encounter.decided": ("standing",),
    "encounter.closed": ("standing",),
    "round.ended": ("number",),
}
"""Type of an event -> the fields that are seen of one that names the hidden, who are left out of them."""

Name = Callable[[str], str]
_HITS: Final = {"miss": "misses", "hit": "hits"}


def glimpse(kind: str, fact: Any, why: str, hide: Collection[str]) -> dict[str, Any] | None:
    """Return the open parts of a fact that is held back for a reason, None if nothing of it is seen."""
    names = (LISTS if why == NAMES_HIDDEN else OPEN_PARTS).get(kind)
    if names is None:
        return None
    seen = {name: getattr(fact, name) for name in names}
    return {
        name: tuple(id for id in value if id not in hide) if name in _OF_IDS else value
        for name, value in seen.items()
    }


_OF_IDS: Final = frozenset({"order", "aware", "surprised", "standing"})


def glimpse_words(kind: str, seen: dict[str, Any], name: Name) -> str:
    """Return what was seen, in a sentence without a number."""
    words = _WORDS.get(kind)
    return words(seen, name) if words is not None else ""


def _attack(seen: dict[str, Any], name: Name) -> str:
    hit = _HITS.get(seen["result"], "hits and threatens a critical on")
    return f"{name(seen['attacker'])} {hit} {name(seen['target'])} with {seen['weapon']}"


def _confirmation(seen: dict[str, Any], name: Name) -> str:
    did = "confirms" if seen["confirmed"] else "does not confirm"
    return f"{name(seen['attacker'])} {did} the critical on {name(seen['target'])}"


def _miss_chance(seen: dict[str, Any], name: Name) -> str:
    did = "misses" if seen["missed"] else "does not miss"
    return f"{name(seen['attacker'])} {did} {name(seen['target'])}, who is hard to see"


_WORDS: Final[dict[str, Callable[[dict[str, Any], Name], str]]] = {
    "combatant.entered": lambda seen, name: f"{name(seen['id'])} enters",
    "attack.resolved": _attack,
    "confirmation.resolved": _confirmation,
    "miss-chance.resolved": _miss_chance,
    "damage.resolved": lambda seen, name: f"{name(seen['attacker'])} does harm to {name(seen['target'])}",
    "hit-points.changed": lambda seen, name: f"{name(seen['who'])} stands otherwise than before",
    "item.struck": lambda seen, name: (
        f"{name(seen['attacker'])} strikes at what {name(seen['bearer'])} holds: {seen['item']}"
    ),
    "turning.resolved": lambda seen, name: f"{name(seen['who'])} turns or is turned",
    "asked": lambda seen, name: f"the fight waits for {name(seen['who'])}",
    "order.set": lambda seen, name: f"the order is {', '.join(map(name, seen['order']))}",
    "awareness.settled": lambda seen, name: "it is settled who is surprised",
    "encounter.decided": lambda seen, name: "one side is all that stands, or nobody does",
    "round.ended": lambda seen, name: f"round {seen['number']} ends",
    "encounter.closed": lambda seen, name: "the fight is over",
}
