"""Saves, damage reduction, resistances, immunities, and the traits that rules or people go by."""

import re
from typing import Final

from affray.engine.statblock.fields import Field
from affray.engine.statblock.lines import Note, first_of, shown, split_top, without_parentheses
from affray.events.facts.sheet import Reduction
from affray.events.facts.sheet_parts import Bonus, Saves

ENERGIES: Final = ("acid", "cold", "electricity", "fire", "sonic")
#: More than any blow deals: how an immunity to energy stands among the resistances.
IMMUNE: Final = 1_000_000
#: Traits that a rule of the engine reads; others are kept for people.
RULED: Final = frozenset(
    {
        "all-around vision",
        "elemental",
        "immune to critical hits",
        "improved uncanny dodge",
        "incorporeal",
        "see invisibility",
        "swarm",
        "uncanny dodge",
    }
)
#: Abilities that printed saves hold already: as traits they would count twice.
PRINTED: Final = frozenset({"divine grace"})
#: Feats that add to a save, which the sheet has to say itself.
SAVE_FEATS: Final = {"fort": "great fortitude", "ref": "lightning reflexes", "will": "iron will"}
SAVE_FEAT_BONUS: Final = 2
_SAVE = re.compile(r"\b(Fort|Ref|Will)[a-z]*:? (?:saves? )?([+-] ?[0-9]{1,4})\b")
_REDUCTION = re.compile(r"\b([0-9]{1,4})/(-|[a-z][a-z ,'-]*)", re.IGNORECASE)
_RESISTED = re.compile(rf"\b({'|'.join(ENERGIES)})(?: resistance)? ([0-9]{{1,4}})\b", re.IGNORECASE)
_NUMBER = re.compile(r"\b([0-9]{1,3})\b")


def read_saves(fields: list[Field], notes: list[Note]) -> dict[str, int]:
    """Return the printed totals by "fort", "ref", "will"; bonuses against something are noted."""
    printed: dict[str, int] = {}
    for field in fields:
        for piece in split_top(field.value, ",", ";"):
            found = _SAVE.search(piece)
            if found is None:
                if piece != "-":
                    reason = "counts in some cases only: give it as a condition or an effect"
                    notes.append(Note(field.line, shown(piece), reason))
                continue
            printed.setdefault(found[1].lower(), int(found[2].replace(" ", "")))
            rest = piece[found.end() :].strip()
            if rest:
                notes.append(Note(field.line, shown(rest), "counts in some cases only"))
    return printed


def base_saves(
    printed: dict[str, int], modifiers: dict[str, int], feats: tuple[str, ...]
) -> tuple[Saves, dict[str, tuple[Bonus, ...]]]:
    """Return base saves and the feats' bonuses, so that with the abilities they give what is printed."""
    bonuses: dict[str, tuple[Bonus, ...]] = {
        kind: (Bonus(SAVE_FEAT_BONUS, "untyped", feat.title()),)
        for kind, feat in SAVE_FEATS.items()
        if feat in feats and kind in printed
    }
    base = {
        kind: total - modifiers[kind] - sum(bonus.value for bonus in bonuses.get(kind, ()))
        for kind, total in printed.items()
    }
    return Saves(**base), bonuses


def read_reductions(line: int, text: str, notes: list[Note]) -> tuple[Reduction, ...]:
    """Return damage reductions. "15/epic and evil" becomes two, each to be bypassed; "or" lists in one."""
    reductions = []
    for piece in split_top(text, ",", ";"):
        found = _REDUCTION.search(piece)
        if found is None:
            if piece != "-":
                notes.append(Note(line, shown(piece), "no damage reduction: not read"))
            continue
        amount, bypass = int(found[1]), found[2].strip().lower()
        if bypass == "-":
            reductions.append(Reduction(amount))
            continue
        for group in bypass.split(" and "):
            reductions.append(Reduction(amount, first_of(one.strip() for one in group.split(" or "))))
        rest = without_parentheses(piece[: found.start()] + piece[found.end() :])[0].strip().lower()
        rest = rest.removeprefix("damage reduction").removeprefix("dr").strip()
        if rest or "(" in piece:
            notes.append(Note(line, shown(piece), "of this only the reduction is kept"))
    return tuple(reductions)


def read_resistances(line: int, text: str, notes: list[Note]) -> dict[str, int]:
    """Return energy resistances by energy."""
    resistances: dict[str, int] = {}
    for piece in split_top(text, ",", ";", " and "):
        found = _RESISTED.search(piece)
        if found is not None:
            resistances.setdefault(found[1].lower(), int(found[2]))
        elif piece != "-":
            notes.append(Note(line, shown(piece), "no resistance to energy: not read"))
    return resistances


def read_immunities(line: int, text: str, notes: list[Note]) -> tuple[dict[str, int], tuple[str, ...]]:
    """Return (immunities to energy as resistances, all immunities as traits)."""
    resistances: dict[str, int] = {}
    traits = []
    for piece in split_top(text.lower(), ",", ";", " and "):
        what = piece.removeprefix("and ").removeprefix("immunity to ").removeprefix("immune to ")
        if what in ("", "-"):
            continue
        trait = what if what.endswith("traits") else f"immune to {what}"
        traits.append(trait)
        if what in ENERGIES:
            resistances[what] = IMMUNE
        elif trait not in RULED:
            notes.append(Note(line, shown(piece), "kept as a trait that no rule reads"))
    return resistances, first_of(traits)


def read_qualities(
    line: int, text: str, notes: list[Note]
) -> tuple[tuple[Reduction, ...], dict[str, int], int, tuple[str, ...]]:
    """Return (reductions, resistances, spell resistance, traits) of a list of special qualities or attacks.

    The one-line form prints everything here: "damage reduction 10/magic, resistance to fire 10, SR 20".
    """
    reductions: list[Reduction] = []
    resistances: dict[str, int] = {}
    spell_resistance = 0
    traits: list[str] = []
    pieces = split_top(text, ",", ";")
    for number, piece in enumerate(pieces):
        lower = piece.lower().removeprefix("and ")
        before = pieces[number - 1].lower() if number else ""
        energy = _RESISTED.search(lower)
        if lower in ("-", "none"):
            continue
        if lower.startswith(("damage reduction", "dr ")):
            reductions += read_reductions(line, piece, notes)
        elif lower.startswith(("spell resistance", "sr ")) and _NUMBER.search(lower):
            spell_resistance = int(_NUMBER.findall(lower)[0])
        elif energy and ("resist" in lower or "resist" in before):
            for found in _RESISTED.finditer(lower):
                resistances.setdefault(found[1], int(found[2]))
        elif lower.startswith(("immunity to ", "immune to ")):
            immune, names = read_immunities(line, piece, notes)
            resistances = {**immune, **resistances}
            traits += names
        else:
            name = without_parentheses(lower)[0]
            plain = re.sub(r" (ex|su|sp)$", "", name)
            if plain in PRINTED:
                notes.append(Note(line, shown(piece), "stands in the printed saves already"))
                continue
            traits.append(plain if plain in RULED else lower)
            if plain not in RULED:
                notes.append(Note(line, shown(piece), "kept as a trait that no rule reads"))
    return tuple(reductions), resistances, spell_resistance, first_of(traits)
