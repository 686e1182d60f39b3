"""Combatants by the names that people use, in place of the ids of a log."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Self

from msgspec.structs import fields, replace

from affray.engine.book import dialects
from affray.engine.book.packages import required
from affray.engine.language.cast import Cast
from affray.events.errors import AffrayError, did_you_mean, nearest
from affray.events.facts.words import ActWords
from affray.projections.state import Encounter


class Unclear(AffrayError):
    """A line that cannot be understood; `candidates` lists its meanings if there are several.

    >>> from affray.engine import Table, Unclear, packaged, set_up
    >>> from affray.events import MemoryStore
    >>> table = set_up(packaged("demo_srd35"), MemoryStore())
    >>> try:
    ...     table.say("goblin atacks ogre")
    ... except Unclear as unclear:
    ...     print(unclear)
    unknown word 'atacks'; did you mean attack?
    """

    def __init__(self, reason: str, candidates: Sequence[str] = ()) -> None:
        super().__init__(reason)
        self.candidates = tuple(candidates)


class UnknownCombatant(Unclear):
    """A word that means no combatant in the fight, or more than one."""


ONE = frozenset(
    {
        *("actor", "target", "friend", "opponent", "healer", "helper", "strike", "turn", "who"),
        *("after", "riding", "grapples"),
    }
)
"""Fields of declarations, and of their parts, that name one combatant if they hold text."""

MANY = frozenset({"targets", "unaware", "stealthy"})
"""Fields that name any number of combatants."""

PLACES = {"ambushes": (0, 1), "by": (1,)}
"""Fields of pairs and triples -> the places of combatants in each."""

NEW = frozenset({"sheet", "origin", "carried"})
"""Fields that are not part of the fight: their names are their own."""


def folded(name: str) -> str:
    """Return a name as typed in one word, in lower case: heavy-warhorse."""
    return "-".join(name.casefold().replace("_", " ").replace("-", " ").split())


def names_of(name: str) -> set[str]:
    """Return the names that identify a sheet, case-folded: "Brannoc, fighter 5" is also brannoc."""
    return {folded(one) for one in (name, name.partition(",")[0])} - {""}


def begun_by(word: str, known: Iterable[str]) -> list[str]:
    """Return the names that a word equals or else begins; the beginning of any part counts."""
    whole, names = word.casefold(), {name: name.casefold() for name in known}
    return [name for name, low in names.items() if low == whole] or [
        name for name, low in names.items() if any(p.startswith(whole) for p in (low, *low.split()))
    ]


def playable(state: Encounter) -> bool:
    """Return whether the dialect and all packages of a fight are installed as they were."""
    try:
        required(state.packages)
    except AffrayError:
        return False
    return state.dialect in dialects()


NO_ACTS: Final[Mapping[str, ActWords]] = {}


def _own_acts(state: Encounter) -> Iterator[tuple[str, ActWords]]:
    """Yield the acts of a fight's dialect in words; their fields in order, which a log does not keep."""
    from affray.engine.dialects import load

    if not state.words.acts:
        return
    known = load(state.dialect, None, state.tables, state.packages).own_acts if playable(state) else {}
    for name, words in state.words.acts.items():
        order = [one.name for one in fields(known[name])] if name in known else []
        names = sorted(words.fields, key=lambda one: order.index(one) if one in order else len(order))
        yield name, replace(words, fields={one: words.fields[one] for one in names})


class People:
    """The combatants of a fight by id, by the name of the sheet and by its first part; case is ignored."""

    def __init__(
        self,
        sheets: Mapping[str, str],
        acts: Mapping[str, ActWords] = NO_ACTS,
        letters: Mapping[str, str] | None = None,
    ) -> None:
        """Take combatants by their ids and the names of their sheets, and the dialect's own acts.

        `letters` are those of the map, by id.
        """
        self.ids = list(sheets)
        self.acts = acts
        self._letters = letters or {}
        short = {id: name.partition(",")[0].casefold() for id, name in sheets.items()}
        self._parts = {id: (id.casefold(), *name.split()) for id, name in short.items()}
        self._called: dict[str, list[str]] = {}
        for id, name in sheets.items():
            for called in names_of(name):
                self._called.setdefault(called, []).append(id)

    @classmethod
    def find_combatants_in_fights(cls, *states: Encounter, cast: Cast | None = None) -> Self:
        """Return the combatants of one or more states of a fight, with the letters of `cast`."""
        acts = {name: words for state in states for name, words in _own_acts(state)}
        sheets = {one.id: one.sheet.name for state in states for one in state.combatants.values()}
        return cls(sheets, acts, cast.letters if cast else None)

    def custom_act(self, word: str) -> str:
        """Return the dialect's own act that a word names, with or without the dialect; "" for none."""
        if word in self.acts:
            return word
        found = [name for name in self.acts if name.partition(".")[2] == word]
        return found[0] if len(found) == 1 else ""

    @property
    def short_acts(self) -> list[str]:
        """The names of the dialect's own acts without the dialect, where they are unambiguous."""
        return [short for name in self.acts if self.custom_act(short := name.partition(".")[2])]

    def knows(self, word: str) -> bool:
        """Return whether a word means one or more combatants."""
        return word in self.ids or folded(word) in self._called

    def find_id_of_combatant(self, word: str) -> str:
        """Return the id of the combatant that a whole name means. Raises UnknownCombatant."""
        return self._only(word, self._meant_by(word), f"combatants are named {word!r}")

    def begun(self, word: str) -> list[str]:
        """Return the ids that a word means: by a name, its beginning, or the letter on the map."""
        if found := self._meant_by(word):
            return found
        whole = word.casefold()
        some = [id for id, parts in self._parts.items() if any(one.startswith(whole) for one in parts)]
        return (some if whole else []) or [id for id, letter in self._letters.items() if letter == word]

    def find(self, word: str, among: Collection[str] = ()) -> str:
        """Return the one id that a typed word means, among those of `among` if that decides.

        Raises UnknownCombatant.
        """
        found = self.begun(word)
        whole = len(found) > 1 and found == self._meant_by(word)
        some = [id for id in found if id in among] or found
        return self._only(word, some, f"combatants {'are named' if whole else 'begin with'} {word!r}")

    def _only(self, word: str, found: Sequence[str], several: str) -> str:
        if len(found) == 1:
            return found[0]
        if found:
            raise UnknownCombatant(f"{len(found)} {several}; choose one of {', '.join(found)}", found)
        names = [*self.ids, *self._called]
        meant = did_you_mean(word, names if nearest(word, names) else self.ids)
        raise UnknownCombatant(f"there is no combatant {word!r} in this fight{meant}")

    def _meant_by(self, word: str) -> list[str]:
        if word in self.ids:
            return [word]
        return self._called.get(folded(word)) or [id for id in self.ids if id.casefold() == word.casefold()]

    def named(self, values: object) -> Any:
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
            made["source"] = self.find_id_of_combatant(danger)  # free text, unless it names a combatant
        return made

    def _field(self, field: str, value: object) -> object:
        if field in ONE and isinstance(value, str) and value:
            return self.find_id_of_combatant(value)
        if field in MANY and isinstance(value, list):
            return [self.find_id_of_combatant(one) if isinstance(one, str) else one for one in value]
        if field in PLACES and isinstance(value, list | tuple):
            return type(value)(self._placed(PLACES[field], one) for one in value)
        return value if field in NEW else self.named(value)

    def _placed(self, places: tuple[int, ...], one: object) -> object:
        """Return a pair or triple with ids in the places of combatants; anything else unchanged."""
        if not isinstance(one, list | tuple):
            return one
        named = (at in places and isinstance(word, str) for at, word in enumerate(one))
        return type(one)(
            self.find_id_of_combatant(word) if is_name else word
            for is_name, word in zip(named, one, strict=True)
        )
