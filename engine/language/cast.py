"""The names and map letters of the combatants."""

import re
from bisect import insort
from collections.abc import Iterable, Mapping
from functools import lru_cache
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Final, Self

from affray.engine.book.catalogue import read_words
from affray.events.facts.flow import CombatantEntered, EncounterOpened
from affray.events.facts.words import NO_WORDS, DialectWords
from affray.events.field_kinds import One, TextKind, rewritten
from affray.projections.sentence import describe_conditions
from affray.projections.state import Combatant, Encounter

INTRODUCING = frozenset({"encounter.opened", "combatant.entered"})
"""The events that introduce a combatant, or the words of the dialect."""

# Letters that the map uses for terrain would hide a combatant.
_TERRAIN = frozenset("T")
_LEGEND = 76


_WORDS: Final = """
    ability act action acts after against aid air all allows along already and another any are armor
    attack attacked attacker attacking attacks away back base been before begins behind being between
    beyond big blinded block blocked blow body bonus both break broken but called can cannot cast casting
    casts chain charge check climb combat combatant comes command concealment condition conditions control
    corner costs count counter counts cover covers creature critical cut damage dead deals declare
    declared defense defensively degree denied dies direction disarm dodge does double down drag drain
    draw drop each effect end ends enemy enough enter enters event fact failed fails fall falls fast feat
    feet fight fire first fit flee flees flight fly focus foot for found free from full full-round game
    gestures get gets give gives goes grab grapple grappling ground guide half hand hands hardness harm
    has have held helpless helps hidden hit hits hold holds how hurt ice immune immunity initiative
    instead into invisible item its itself kind knows larger leads least left lets level lies light line
    lines lives load long lost made magic make makes maneuver many map master may melee miss misses more
    most mount move moved movement moves must name named natural needs neither next nonlethal nor not
    nothing noticed now object obstacle off once one only open opening opponent opportunity other out over
    overrun own part passes past path pinned place points poison printed prone provoke provokes push put
    puts range reach reaches reaction read readied ready reduction resistance rest return ride rides roll
    rolls room round rounds rule rules run running save says score secured see sees sheet shield shoots
    short shot side size skill something space speak speed spell square stand standard stands step still
    stop straight strike strikes struck sunder surface surprise surroundings table take taken takes target
    than that the them there thing this through throw thrown throws time today too total touch traits
    tried tries trip tripped try tumble turn turning twice two type unarmed under until use used uses
    value wall was water way weapon weapons wears well what where which while who wide with within without
    work worn wound
"""

PLAIN_WORDS: Final = frozenset(_WORDS.split())
"""Words that sentences of the rules often use: in a text, an id that is one of them stays as it is."""


def dialect_words(state: Encounter) -> DialectWords:
    """Return the words of a fight's dialect: those recorded, otherwise those installed here."""
    return state.words if state.words != NO_WORDS else read_words(state.dialect)


class Cast:
    """The name and the map letter of each combatant; both stay as first assigned.

    The name is that of the sheet while it is unique, otherwise the id. The first side gets capital letters,
    the others lower-case letters.
    """

    def __init__(self, names: Mapping[str, str] | None = None) -> None:
        self._given = dict(names or {})
        self._names: dict[str, str] = {}
        self._sheets: dict[str, str] = {}
        self.letters: dict[str, str] = {}
        self._sides: list[str] = []
        self.words = NO_WORDS
        """The words of the dialect."""
        self._spoken: list[str] = []  # ids replaced by names in texts, the longest first

    @classmethod
    def of(cls, *states: Encounter, names: Mapping[str, str] | None = None) -> Self:
        """Return the names of all combatants in these states."""
        cast = cls(names)
        there = {id: one for state in states for id, one in state.combatants.items()}
        for one in there.values():
            cast.enter(one.id, one.side, one.sheet.name)
        cast.words = next((dialect_words(state) for state in states if state.dialect), NO_WORDS)
        return cast

    def follow(self, fact: EncounterOpened | CombatantEntered) -> None:
        """Add what a fact introduces: the words of the dialect, or a combatant."""
        if isinstance(fact, EncounterOpened):
            self.words = fact.words or read_words(fact.dialect)
        else:
            self.enter(fact.id, fact.side, fact.sheet.name)

    def enter(self, id: str, side: str, sheet: str) -> None:
        """Add a combatant."""
        if side not in self._sides:
            self._sides.append(side)
        if id not in self._names and len(id) > 2 and id.casefold() not in PLAIN_WORDS:
            insort(self._spoken, id, key=lambda one: -len(one))
        # "Brannoc, fighter 5" is called Brannoc.
        sheet = sheet.split(",")[0].strip()
        self._names[id] = sheet or id
        for other, name in self._sheets.items():
            if name == sheet:
                self._names[other], self._names[id] = other, id
        self._sheets[id] = sheet
        self._names.update({known: name for known, name in self._given.items() if known in self._names})
        self.letters[id] = self._letter(self._names[id], capital=side == self._sides[0])

    def _letter(self, name: str, capital: bool) -> str:
        alphabet = ascii_uppercase if capital else ascii_lowercase
        wanted = [*(name.upper() if capital else name.lower()), *alphabet, *digits, *ascii_uppercase]
        taken = {*self.letters.values(), *_TERRAIN}
        usable = {*alphabet, *digits, *ascii_uppercase}
        return next((letter for letter in wanted if letter in usable and letter not in taken), "?")

    def name(self, id: str) -> str:
        """Return the name of a combatant; "the game master" for ""."""
        return self._names.get(id, id) if id else "the game master"

    def prose(self, text: str) -> str:
        """Return a text of the engine with names in place of ids, except for ids that are `PLAIN_WORDS`.

        Those are more often meant as words. O(combatants), and little for most.
        """
        there = tuple([id for id in self._spoken if id in text])
        return _any_of(there).sub(lambda found: self._names[found[1]], text) if there else text

    def capital(self, text: str) -> str:
        """Return a sentence with a capital letter, unless it begins with the name of a combatant."""
        return capitalized(text, self._names.values())

    def saying(self, fact: One) -> One:
        """Return a fact with names in place of ids, for use in a sentence.

        Names replace ids in the fields that hold ids, and in sentences and titles of the fact. An id can
        therefore not replace a word of the rules, whatever it is. Words of people are unchanged.
        """
        return rewritten(fact, self._said)

    def _said(self, holds: TextKind, text: str) -> str:
        if holds is TextKind.COMBATANT:
            return self._names.get(text, text)
        return self.prose(text) if holds in (TextKind.TOLD, TextKind.REASON) else text


def capitalized(text: str, names: Iterable[str]) -> str:
    """Return a sentence with a capital letter, unless it begins with one of the names: these stay as spelled.

    O(names).
    """
    if any(text.startswith(name) and not text[len(name) :][:1].isalnum() for name in names if name):
        return text
    return text[:1].upper() + text[1:]


@lru_cache(maxsize=512)
def _any_of(ids: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern that finds ids as words, the longest first; made for the few ids in a text."""
    return re.compile(rf"\b({'|'.join(map(re.escape, ids))})\b")


def health(one: Combatant) -> str:
    """Return hit points and conditions: "12/30 hp, prone"."""
    parts = [f"{one.hp}/{one.max_hp} hp"]
    if one.nonlethal:
        parts.append(f"{one.nonlethal} nonlethal")
    if one.temporary:
        parts.append(f"{one.temporary} temporary")
    return ", ".join([*parts, *(words for words, _ in describe_conditions(one))])


def legend(state: Encounter, cast: Cast) -> list[str]:
    """Return the letters with names and health, as many per row as fit."""
    items = [f"{cast.letters[one.id]} {cast.name(one.id)} {health(one)}" for one in state.combatants.values()]
    rows: list[str] = []
    for item in items:
        if rows and len(rows[-1]) + len(item) + 3 <= _LEGEND:
            rows[-1] += f"   {item}"
        else:
            rows.append(item)
    return rows
