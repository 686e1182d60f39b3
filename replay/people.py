"""Combatants by name: what people call them at the table, in place of the ids of the log."""

from collections.abc import Mapping
from typing import Any, Self

from affray.events.errors import AffrayError, did_you_mean, nearest
from affray.projections.state import Encounter

ONE = frozenset(
    {
        *("actor", "target", "friend", "opponent", "healer", "helper", "strike", "turn", "who"),
        *("after", "riding", "grapples"),
    }
)
"""Fields of declarations, and of their parts, that name one combatant where they hold text."""

MANY = frozenset({"targets", "unaware", "stealthy"})
"""Fields that name any number of them."""

PLACES = {"ambushes": (0, 1), "by": (1,)}
"""Fields of pairs and triples, and at which places of each stand combatants."""

NEW = frozenset({"sheet", "origin", "carried"})
"""Fields that are no part of the fight: whatever they name is of their own."""


class UnknownCombatant(AffrayError):
    """A word that nobody in the fight is called by, or more than one."""


def folded(name: str) -> str:
    """Return a name as it may be typed in one word, whatever its case: heavy-warhorse."""
    return "-".join(name.casefold().replace("_", " ").replace("-", " ").split())


def names_of(name: str) -> set[str]:
    """Return what a sheet of that name is called, folded: "Brannoc, fighter 5" is called brannoc too."""
    return {folded(one) for one in (name, name.partition(",")[0])} - {""}


class People:
    """The combatants of a fight by id, by the name of the sheet and by its first part; case is ignored."""

    def __init__(self, sheets: Mapping[str, str]) -> None:
        """Know combatants by their ids and the names of their sheets."""
        self.ids = list(sheets)
        self._called: dict[str, list[str]] = {}
        for id, name in sheets.items():
            for called in names_of(name):
                self._called.setdefault(called, []).append(id)

    @classmethod
    def in_fight(cls, *states: Encounter) -> Self:
        """Return the combatants of one or more states of a fight."""
        return cls({one.id: one.sheet.name for state in states for one in state.combatants.values()})

    def knows(self, word: str) -> bool:
        """Say whether a combatant, or more than one, is called so."""
        return word in self.ids or folded(word) in self._called

    def id_of(self, word: str) -> str:
        """Return the id of the combatant that a word means. Raises UnknownCombatant."""
        found = self._meant_by(word)
        if len(found) == 1:
            return found[0]
        if found:
            raise UnknownCombatant(f"{len(found)} are called {word!r}; say which: {', '.join(found)}")
        names = [*self.ids, *self._called]
        meant = did_you_mean(word, names if nearest(word, names) else self.ids)
        raise UnknownCombatant(f"there is no combatant {word!r} in this fight{meant}")

    def _meant_by(self, word: str) -> list[str]:
        if word in self.ids:
            return [word]
        return self._called.get(folded(word)) or [id for id in self.ids if id.casefold() == word.casefold()]

    def named(self, values: Any) -> Any:
        """Return the plain values of a declaration with ids wherever they name a combatant.

        Raises UnknownCombatant.
        """
        if isinstance(values, list):
            return [self.named(one) for one in values]
        if not isinstance(values, Mapping):
            return values
        made = {field: self._field(field, value) for field, value in values.items()}
        danger = made.get("source")
        if values.get("act") == "hazard" and isinstance(danger, str) and len(self._meant_by(danger)) == 1:
            made["source"] = self.id_of(danger)  # free text, unless somebody is called so
        return made

    def _field(self, field: str, value: Any) -> Any:
        if field in ONE and isinstance(value, str) and value:
            return self.id_of(value)
        if field in MANY and isinstance(value, list):
            return [self.id_of(one) if isinstance(one, str) else one for one in value]
        if field in PLACES and isinstance(value, list | tuple):
            return type(value)(self._placed(PLACES[field], one) for one in value)
        return value if field in NEW else self.named(value)

    def _placed(self, places: tuple[int, ...], one: Any) -> Any:
        """Return a pair or triple with ids at the places where combatants stand; anything else as it is."""
        if not isinstance(one, list | tuple):
            return one
        named = (at in places and isinstance(word, str) for at, word in enumerate(one))
        return type(one)(
            self.id_of(word) if is_name else word for is_name, word in zip(named, one, strict=True)
        )
