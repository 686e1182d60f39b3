"""Combatants by name: what people call them at the table, in place of the ids of the log."""

from collections.abc import Mapping
from typing import Any

from affray.events.errors import AffrayError, did_you_mean, nearest
from affray.projections.state import Encounter

ONE = frozenset({"actor", "target", "friend", "opponent", "healer", "helper", "strike", "turn", "who"})
"""Fields of declarations, and of their parts, that name one combatant."""

MANY = frozenset({"targets", "unaware"})
"""Fields that name any number of them."""


class UnknownCombatant(AffrayError):
    """A word that nobody in the fight is called by, or more than one."""


class People:
    """The combatants of a fight by id, by the name of the sheet and by its first part; case is ignored."""

    def __init__(self, state: Encounter) -> None:
        self.ids = list(state.combatants)
        self._called: dict[str, list[str]] = {}
        for one in state.combatants.values():
            names = {one.sheet.name, one.sheet.name.partition(",")[0].strip()} - {""}
            for name in {_plain(name) for name in names}:
                self._called.setdefault(name, []).append(one.id)

    def knows(self, word: str) -> bool:
        """Say whether a combatant, or more than one, is called so."""
        return word in self.ids or _plain(word) in self._called

    def id_of(self, word: str) -> str:
        """Return the id of the combatant that a word means. Raises UnknownCombatant."""
        if word in self.ids:
            return word
        found = self._called.get(_plain(word)) or [id for id in self.ids if id.lower() == word.lower()]
        if len(found) == 1:
            return found[0]
        if found:
            raise UnknownCombatant(f"{len(found)} are called {word!r}; say which: {', '.join(found)}")
        names = [*self.ids, *self._called]
        meant = did_you_mean(word, names if nearest(word, names) else self.ids)
        raise UnknownCombatant(f"there is no combatant {word!r} in this fight{meant}")

    def named(self, values: Any) -> Any:
        """Return the plain values of a declaration with ids wherever they name a combatant.

        Raises UnknownCombatant.
        """
        if isinstance(values, list):
            return [self.named(one) for one in values]
        if not isinstance(values, Mapping):
            return values
        return {field: self._field(field, value) for field, value in values.items()}

    def _field(self, field: str, value: Any) -> Any:
        if field in ONE and isinstance(value, str) and value:
            return self.id_of(value)
        if field in MANY and isinstance(value, list):
            return [self.id_of(one) if isinstance(one, str) else one for one in value]
        if field == "ambushes" and isinstance(value, list):
            # Attacker, target and weapon.
            return [[*map(self.id_of, one[:2]), *one[2:]] if isinstance(one, list) else one for one in value]
        return self.named(value)


def _plain(name: str) -> str:
    """Return a name as it may be typed in one word: heavy-warhorse."""
    return "-".join(name.lower().replace("_", " ").replace("-", " ").split())
