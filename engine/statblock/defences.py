"""Saves, damage reduction, resistances, immunities, and the traits that rules or people go by."""

import re
from collections.abc import Iterable
from typing import Any, Final

from affray.engine.rules.classes.sheet_words import ALIGNED, BYPASSING
from affray.engine.statblock.fields import Field
from affray.engine.statblock.lines import Note, first_of, shown, split_top, without_parentheses
from affray.events.facts.sheet import Reduction
from affray.events.facts.sheet_parts import Bonus, Saves

ENERGIES: Final = ("acid", "cold", "electricity", "fire", "sonic")
#: More than any blow deals: how an immunity to energy stands among the resistances.
IMMUNE: Final = 1_000_000
#: Traits that a rule of the engine reads; others are kept for people.
NO_RULE: Final = "kept as a trait that no rule reads"
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
#: Kinds of creatures and subtypes that bring traits of their own.
NATURES: Final = frozenset(
    {"undead", "construct", "ooze", "plant", "vermin", "elemental", "swarm", "incorporeal", "outsider"}
)
#: Abilities that printed saves hold already: as traits they would count twice.
PRINTED: Final = frozenset({"divine grace"})
#: Feats that add to a save, which the sheet has to say itself.
SAVE_FEATS: Final = {"fort": "great fortitude", "ref": "lightning reflexes", "will": "iron will"}
SAVE_FEAT_BONUS: Final = 2
_SAVE = re.compile(r"\b(Fort|Ref|Will)[a-z]*:? (?:saves? )?([+-]? ?[0-9]{1,4})\b")
_REDUCTION = re.compile(r"\b([0-9]{1,4})/(-|[a-z][a-z ,'-]*)", re.IGNORECASE)
_RESISTED = re.compile(rf"\b({'|'.join(ENERGIES)})(?: resistance)? ([0-9]{{1,4}})\b", re.IGNORECASE)
#: What the books let damage reduction be bypassed by.
BYPASSES: Final = frozenset(
    {*BYPASSING, *ALIGNED, "bludgeoning", "piercing", "slashing", "force", "positive energy", *ENERGIES}
)
_AND = re.compile(r",? and ")
_OR = re.compile(r",? or ")
_LISTED = re.compile(r",? and |,? or |, ")
#: Words that say by what means a kind of damage comes.
_MEANS = ("weapons", "effects", "spells", "artifacts", "attacks", "damage", "ex", "su")
_WEAPONS = re.compile(
    r"(?:-aligned)?(?: (?:weapons?|effects?|spells?|artifacts?|damage|attacks?))+$|-aligned$"
)
_HEALING = re.compile(r"^(fast healing|regeneration) ([0-9]{1,3})(?: ?(?:ex|su))?$")
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
                    notes.append(Note(field.line, shown(piece), reason, "unplayed"))
                continue
            printed.setdefault(found[1].lower(), int(found[2].replace(" ", "")))
            rest = piece[found.end() :].strip()
            if rest:
                notes.append(Note(field.line, shown(rest), "counts in some cases only", "unplayed"))
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
    for piece in joined_bypasses(split_top(text, ",", ";")):
        found = _REDUCTION.search(piece)
        if found is None:
            if piece != "-":
                notes.append(Note(line, shown(piece), "no damage reduction: not read", "unread"))
            continue
        amount, bypass = int(found[1]), found[2].strip().lower()
        if bypass == "-":
            reductions.append(Reduction(amount))
            continue
        for group in _AND.split(bypass):
            words = [one.strip() for one in _OR.split(group)]
            for word in words:
                if word not in BYPASSES:
                    notes.append(
                        Note(line, shown(piece), f"{word!r} bypasses nothing that a rule knows: left out")
                    )
            reductions.append(Reduction(amount, first_of(one for one in words if one in BYPASSES)))
        rest = without_parentheses(piece[: found.start()] + piece[found.end() :])[0].strip().lower()
        rest = rest.removeprefix("damage reduction").removeprefix("dr").strip()
        if rest or "(" in piece:
            notes.append(Note(line, shown(piece), "of this only the reduction is kept"))
    return tuple(reductions)


def joined_bypasses(pieces: list[str]) -> list[str]:
    """Return the pieces of a list, "20/cold iron", "epic", "and good" being one of them."""
    joined: list[list[str]] = []
    for piece in pieces:
        first = joined[-1][0].lower() if joined else ""
        reduces = _REDUCTION.match(first) or first.startswith(("damage reduction", "dr "))
        word = piece.lower().removeprefix("and ").removeprefix("or ")
        if reduces and all(one in BYPASSES for one in _LISTED.split(word)):
            joined[-1].append(piece)
        else:
            joined.append([piece])
    return [_with_one_word(group) if len(group) > 1 else group[0] for group in joined]


def _with_one_word(group: list[str]) -> str:
    """Return a list of several kinds with the word between all of them that stands before the last."""
    word = " or " if any(" or " in f" {one}" for one in group) else " and "
    return word.join(one.removeprefix("and ").removeprefix("or ") for one in group)


def is_healing(piece: str) -> bool:
    """Say whether a piece is fast healing or regeneration that holds in all cases."""
    plain, inside = without_parentheses(piece.lower())
    heals = _HEALING.match(plain)
    return heals is not None and (heals[1] == "regeneration" or all(one in ("ex", "su") for one in inside))


def read_healing(line: int, pieces: Iterable[str], notes: list[Note]) -> dict[str, Any]:
    """Return what some pieces say of fast healing and regeneration, as fields of the sheet."""
    found: dict[str, Any] = {}
    for piece in filter(is_healing, pieces):
        plain, inside = without_parentheses(piece.lower())
        heals = _HEALING.match(plain)
        assert heals is not None
        found[heals[1].replace(" ", "_")] = int(heals[2])
        if heals[1] == "regeneration":
            found["lethal"], rest = lethal_kinds(", ".join(inside))
            if rest:
                notes.append(
                    Note(line, shown(piece), f"{rest!r} is no kind of damage: not among what is lethal")
                )
            elif not found["lethal"]:
                notes.append(Note(line, shown(piece), "what it does not regenerate is not printed here"))
    return found


def lethal_kinds(text: str) -> tuple[tuple[str, ...], str]:
    """Return (the kinds of damage that a text such as "fire or good weapons" names, what it says besides)."""
    words = [_WEAPONS.sub("", one).strip() for one in _LISTED.split(text)]
    return first_of(one for one in words if one in BYPASSES), ", ".join(
        one for one in words if one and one not in BYPASSES and one not in _MEANS
    )


def read_resistances(line: int, text: str, notes: list[Note]) -> dict[str, int]:
    """Return energy resistances by energy."""
    resistances: dict[str, int] = {}
    for piece in split_top(text, ",", ";", " and "):
        found = _RESISTED.search(piece)
        if found is not None:
            resistances.setdefault(found[1].lower(), int(found[2]))
        elif piece != "-":
            notes.append(Note(line, shown(piece), "no resistance to energy: not read", "unread"))
    return resistances


def nature_of(text: str) -> str:
    """Return the kind of creature whose traits a block names, "undead traits"; "" for others."""
    name = text.removesuffix(" traits")
    return name if name != text and name in NATURES else ""


def read_immunities(line: int, text: str, notes: list[Note]) -> tuple[dict[str, int], tuple[str, ...]]:
    """Return (immunities to energy as resistances, all immunities as traits)."""
    resistances: dict[str, int] = {}
    traits = []
    for piece in split_top(text.lower(), ",", ";", " and "):
        what = piece.removeprefix("and ").removeprefix("immunity to ").removeprefix("immune to ")
        if what in ("", "-"):
            continue
        # An energy is resisted without end; as a trait of that name cold would call for the harm of fire.
        word = "immune" if what in ENERGIES or what == "critical hits" else "immunity"
        trait = nature_of(what) or (what if what.endswith("traits") else f"{word} to {what}")
        traits.append(trait)
        if what in ENERGIES:
            resistances[what] = IMMUNE
        elif trait not in RULED:
            notes.append(Note(line, shown(piece), NO_RULE, "unplayed"))
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
    pieces = joined_bypasses(split_top(text, ",", ";"))
    for number, piece in enumerate(pieces):
        lower = piece.lower().removeprefix("and ")
        before = pieces[number - 1].lower() if number else ""
        energy = _RESISTED.search(lower)
        if lower in ("-", "none") or is_healing(piece):
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
            traits.append(nature_of(plain) or (plain if plain in RULED else lower))
            if plain not in RULED:
                notes.append(Note(line, shown(piece), NO_RULE, "unplayed"))
    return tuple(reductions), resistances, spell_resistance, first_of(traits)
