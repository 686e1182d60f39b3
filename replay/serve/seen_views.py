"""Views of combatants as they are seen: all of one's own side, of others what everybody sees, of a hidden
combatant nothing; and states to ask the rules in, in which the hidden are not.
"""

import re
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final

from affray.projections.state import Combatant, Encounter, duplicate

SEEN_OF_OTHERS: Final = frozenset({"side", "size", "thing", "at", "space", "held", "conditions", "waits"})
"""Fields of a combatant's view that everybody sees; all others are numbers and intentions."""

UNSEEN: Final[Mapping[str, Any]] = {"effects": [], "injuries": [], "plan": [], "readied": "", "threat": []}
"""What stands for lists and words that are not seen; for numbers it is None."""

Said = Callable[[str], str | None]
"""What becomes of a text; None where it names the hidden."""

_LEVEL: Final = re.compile(r" -?\d+$")


def own_view(view: Mapping[str, Any], said: Said, said_ready: Said) -> dict[str, Any]:
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


def view_of_others(view: Mapping[str, Any], said: Said) -> dict[str, Any]:
    """Return what everybody sees of the view of a combatant, or of what changed of it."""
    seen = {name: value for name, value in view.items() if name in SEEN_OF_OTHERS}
    if "conditions" in seen:
        seen["conditions"] = conditions_of_others(words for words, _ in seen["conditions"])
    if "size" in view:  # the whole view, and not what changed of it
        seen.update((name, UNSEEN.get(name)) for name in view if name not in SEEN_OF_OTHERS)
    return seen


def conditions_of_others(told: Any) -> list[tuple[str, str]]:
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
