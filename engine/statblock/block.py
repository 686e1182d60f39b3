"""A printed stat block, read: the sheet, what was read, and what was not understood."""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.dialects import load
from affray.engine.fight.fight import Dialect
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.kernel.sheets import fault_of
from affray.engine.rules.classes.remarks import is_read
from affray.engine.rules.classes.sheets import UNDEAD, ability, ability_modifier
from affray.engine.statblock import creature
from affray.engine.statblock.armory import Played, arm, is_plain, play, read_attacks
from affray.engine.statblock.creature import (
    DEFENSE,
    NO_RULE,
    PRINTED_ATTACK_PRINTED,
    ArmorClass,
    Attack,
    Strike,
    nature_of,
    read_armor_class,
    shield_without_feat,
    size_of,
    with_bonus_feats,
)
from affray.engine.statblock.paste import (
    Field,
    Grade,
    Note,
    StatBlockError,
    cut,
    first_of,
    fitting_names,
    shown,
    split_top,
)
from affray.engine.statblock.weapons import Routine, with_damage, words
from affray.events.errors import counted
from affray.events.facts.base import JsonObject
from affray.events.facts.sheet import Abilities, Bonus, Modifier, Sheet

# --- General notes: fields without a place on a sheet, and notes that do not apply in a dialect

#: Fields without a place on a sheet.
HOMELESS: Final[dict[str, tuple[str, Grade]]] = {
    "challenge": ("the sheet has no challenge rating", "harmless"),
    "alignment": ("the sheet has no alignment", "harmless"),
    "languages": ("the sheet has no languages", "harmless"),
    "ecology": ("the sheet has no habitat or ecology", "harmless"),
    "gear": ("gear is not read: what it changes is in the printed figures", "harmless"),
    "tactics": ("tactics are not read", "harmless"),
    "spells": ("spells are not read: add them to the sheet", "unplayed"),
    "senses": ("senses are not read, except for traits that a rule knows", "unplayed"),
    "aura": ("auras are not read", "unplayed"),
    "massive damage": ("worked out by the engine from the score", "harmless"),
    "damage": ("belongs to no attack that is printed", "unread"),
    "attack options": ("kept nowhere: the feats say it", "harmless"),
    "too long": ("the line is too long: its end is not read", "unread"),
}


def note_homeless(fields: list[Field], notes: list[Note]) -> None:
    """Note each field without a place on a sheet, with the reason."""
    for field in fields:
        if field.name in HOMELESS and field.value.strip(" -"):
            notes.append(Note(field.line, shown(f"{field.name}: {field.value}"), *HOMELESS[field.name]))


def still_true(notes: list[Note], dialect: str, traits: Collection[str]) -> Iterator[Note]:
    """Yield the notes, except for those on traits that a rule of this dialect reads after all."""
    of = load(dialect)
    known = of.classes.sheet_names.traits
    for note in notes:
        name = note.text.lower().removeprefix("and ")
        nature = nature_of(name)
        kept = nature or (name if name in traits else f"immunity to {name}")
        if (
            note.reason != NO_RULE
            or kept not in traits
            or not (plays_nature(of, nature) if nature else is_read(of, kept, known))
        ):
            yield note


def plays_nature(of: Dialect, nature: str) -> bool:
    """Return whether a dialect has rules on all traits of a kind of creature."""
    rules = {"swarm": "swarm", "incorporeal": "cond.incorporeal"}
    return nature in of.conditions.immune_natures or (nature in rules and of.book.has(rules[nature]))


# --- Printed figures and the engine's figures: which agree, and which are explained by named parts

_TOTAL = re.compile(r"^([+-]? ?[0-9]{1,4})\b")
_WORKED_OUT_GRAPPLE = re.compile(r"/ ?([+-]? ?[0-9]{1,4})\b")


class Figure(Struct, frozen=True, gc=False):
    """A printed figure and the engine's figure from the sheet.

    `explained` means that they agree and that a rule names each part. `parts` are given if the sheet does not
    have them: for combat maneuvers and grapples.
    """

    name: str
    printed: int
    given: int
    explained: bool
    parts: tuple[Bonus, ...] = ()


class Shares(Struct, frozen=True, gc=False):
    """How many figures are printed, how many of them the engine reproduces, how many all parts of explain."""

    printed: int
    agree: int
    explained: int


def shares_of(worked_out: Sequence[Figure]) -> Shares:
    """Return the shares of the figures that agree and that are explained."""
    return Shares(
        len(worked_out),
        sum(one.printed == one.given for one in worked_out),
        sum(one.explained for one in worked_out),
    )


def combat_maneuver_bonus(sheet: Sheet) -> tuple[Bonus, ...]:
    """Return the parts of a combat maneuver bonus, as it counts in play (pf1.cmb)."""
    return as_bonuses(creature.combat_maneuver_bonus(sheet, "pf1"))


def combat_maneuver_defense(sheet: Sheet) -> tuple[Bonus, ...]:
    """Return the parts of a combat maneuver defense, as it counts in play (pf1.cmd)."""
    return as_bonuses(creature.combat_maneuver_defense(sheet, "pf1"))


def as_bonuses(parts: Sequence[Modifier]) -> tuple[Bonus, ...]:
    """Return modifiers as parts of a sheet."""
    return tuple(Bonus(part.value, part.kind, part.source) for part in parts)


def grapple_modifier(sheet: Sheet) -> tuple[Bonus, ...]:
    """Return the parts of a grapple check (srd35.grapple.check, srd35.grapple.size-modifier)."""
    return (
        Bonus(sheet.base_attack, "base", "base attack"),
        Bonus(ability(sheet, "str"), "ability", "Strength"),
        *_size(sheet, "srd35.grapple.size-modifier", "srd35"),
        *(Bonus(4, "untyped", "Improved Grapple"),) * ("improved grapple" in sheet.feats),
    )


def _size(sheet: Sheet, rule: str, dialect: str) -> tuple[Bonus, ...]:
    value = load(dialect).book.figure(rule, sheet.size.capitalize())
    return (Bonus(value, "size", sheet.size),) if value else ()


def work_out_maneuvers(sheet: Sheet, fields: dict[str, Field], notes: list[Note]) -> Iterator[Figure]:
    """Yield the printed combat maneuver bonus, its defense and the grapple, each with its parts.

    Differences from print, and anything printed in addition to the total, are noted.
    """
    for key, name, parts in (
        ("cmb", "CMB", combat_maneuver_bonus),
        ("cmd", "CMD", combat_maneuver_defense),
        ("grapple", "grapple", grapple_modifier),
        ("base attack/grapple", "grapple", grapple_modifier),
    ):
        field = fields.get(key)
        found = (
            (_WORKED_OUT_GRAPPLE.search if "/" in key else _TOTAL.match)(field.value)
            if field is not None
            else None
        )
        if field is None or found is None:
            continue
        printed, of = int(found[1].replace(" ", "")), parts(sheet)
        given = sum(part.value for part in of)
        if printed != given:
            reason = f"{name}: the parts give {given}, printed is {printed}: the parts count"
            notes.append(Note(field.line, shown(field.value), reason, "unplayed"))
        if rest := field.value[found.end() :].strip(" ,;-"):
            notes.append(Note(field.line, shown(rest), f"{name} in some cases only", "unplayed"))
        yield Figure(name, printed, given, printed == given, of)


def work_out_attacks(
    sheet: Sheet, strikes: Sequence[Strike], routines: Sequence[Routine], dialect: str, notes: list[Note]
) -> Iterator[Figure]:
    """Yield the attack and the damage bonus of each printed attack, in its routine or, if so printed, alone.

    A routine that the rules refuse as one full attack, or that has different figures, is noted.
    """
    weapons = {weapon.name: weapon for weapon in sheet.weapons}
    played: dict[int, tuple[Played, ...]] = {}
    for number, routine in enumerate(routines):
        if is_plain(sheet, routine, dialect):
            continue
        came = play(sheet, routine, dialect)
        if isinstance(came, tuple) and len(came) == len(routine.strikes):
            played[number] = came
            bonuses = tuple(one.bonus for one in came)
            what = "" if bonuses == routine.bonuses else " ".join(f"{one:+d}" for one in bonuses)
        else:
            what = came if isinstance(came, str) else counted(len(came), "attack")
        if what:
            line, text = next((one.attack.line, one.attack.text) for one in strikes if one.routine == number)
            notes.append(Note(line, shown(text), f"with all others as one full attack: {what}", "unplayed"))
    for strike in strikes:
        weapon, attack, melee = weapons[strike.weapon], strike.attack, strike.attack.mode == "melee"
        among = [*played[strike.routine][strike.at : strike.at + 1]] if strike.routine in played else []
        ways = [one.bonus for one in among] + [creature.attack_bonus(sheet, weapon, melee, dialect)]
        printed = attack.bonuses[0]
        named = all(part.source != PRINTED_ATTACK_PRINTED for part in weapon.attack)
        given = printed if printed in ways else ways[0]
        yield Figure(f"attack with {weapon.name}", printed, given, given == printed and named)
        if attack.dice != "0":
            harms = [one.damage for one in among if one.damage is not None]
            harms.append(creature.damage_bonus(sheet, weapon, melee, dialect))
            named = all(part.source != PRINTED_ATTACK_PRINTED for part in weapon.bonus_damage)
            given = attack.flat if attack.flat in harms else harms[0]
            yield Figure(f"damage of {weapon.name}", attack.flat, given, given == attack.flat and named)


def work_out_totals(
    sheet: Sheet, armor: tuple[int | None, ...], saves: dict[str, int], initiative: int | None, dialect: str
) -> Iterator[Figure]:
    """Yield Armor Class in its three forms, the saves and the initiative.

    A base save is explained if Hit Dice give it, as a good or a poor one.
    """
    named = all(part.kind != "untyped" and "as printed" not in part.source for part in sheet.armor)
    names = ("Armor Class", "touch", "flat-footed")
    for name, total, given in zip(names, armor, creature.armor_class(sheet, dialect), strict=True):
        if total is not None:
            yield Figure(name, total, given, given == total and named)
    usual = (sheet.hit_dice // 3, 2 + sheet.hit_dice // 2)
    for kind, total in saves.items():
        given = creature.save_bonus(sheet, kind, dialect)
        yield Figure(kind, total, given, given == total and getattr(sheet.saves, kind) in usual)
    if initiative is not None:
        given = creature.initiative_modifier(sheet, dialect)
        named = all("as printed" not in part.source for part in sheet.initiative)
        yield Figure("initiative", initiative, given, given == initiative and named)


NO_SCORES = "no ability scores printed: 10 each is assumed, and the Dexterity that Armor Class shows"
_CONCENTRATION = re.compile(r"concentration ([+-][0-9]{1,3})")
_DEFENSE = re.compile(r"(?m)(?:^|; ?)\W{0,4}Defense\W{1,4}[0-9]")
_BONUS = re.compile(r"[+-]? ?[0-9]{1,5}")
_GRAPPLE = re.compile(r"^([+-]? ?[0-9]{1,3}) ?/ ?(?:[+-]? ?[0-9]{1,4}|-)")


class Printed(Struct, frozen=True, gc=False):
    """The printed totals; None for those that are not printed."""

    ac: int | None = None
    touch: int | None = None
    flat_footed: int | None = None
    hp: int | None = None
    hit_dice: str = ""
    dice_average: int | None = None
    initiative: int | None = None
    saves: dict[str, int] = {}


class Block(Struct, frozen=True, gc=False):
    """A parsed stat block.

    `sheet` can enter a fight. `dialect` is that whose arithmetic determined the parts. `notes` lists
    everything printed that the sheet does not have, or has in a different form: nothing else was left out.
    `unread` are the notes that matter in a fight: ask before the creature enters. `printed` are the totals
    and `strikes` the attack lines, for comparison; `routines` are the alternatives of these lines, each to be
    declared as one full attack. `worked_out` has each printed figure together with the engine's, `shares` how
    many of them agree, and how many are explained by parts that rules name.
    """

    sheet: Sheet
    dialect: str
    printed: Printed
    strikes: tuple[Strike, ...]
    notes: tuple[Note, ...]
    unread: tuple[Note, ...] = ()
    worked_out: tuple[Figure, ...] = ()
    shares: Shares = Shares(0, 0, 0)
    routines: tuple[Routine, ...] = ()


PRINTED_FOR = ("srd35", "pf1", "futurepath")
"""The dialects whose arithmetic printed blocks follow; in others a sheet's parts stay as printed."""


def read(text: str, *, dialect: str = "", name: str = "") -> Block:
    """Parse a pasted stat block, in the 3.5 form (also in one line) or the Pathfinder form.

    The parts of the sheet give the printed figures by the arithmetic of `dialect`: without one, of pf1 if a
    combat maneuver is printed, of futurepath if a Defense is, otherwise of srd35. `name` replaces the printed
    one. Text that is not understood is listed in `notes` with its line and a reason. Linear in the text.

    Raises StatBlockError, in one line, if hit points or Armor Class are missing, a number is implausible,
    several creatures are printed side by side, or the text is too long.
    """
    head, fields, notes = cut(text, words)
    fields = with_damage(fields)
    by_name: dict[str, Field] = {}
    for field in fields:
        by_name.setdefault(field.name, field)
    printed_name, others = creature.read_head(head, notes)
    if "ac" not in by_name:
        raise StatBlockError("no Armor Class found: a stat block has a line 'AC 15, touch 12, ...'")
    dialect = dialect or _dialect_of(text, by_name)
    note_homeless(fields, notes)
    raw, printed = _body(by_name, others, notes)
    raw["name"] = name or printed_name or "unnamed"
    raw["classes"] = {**creature.levels_of(printed_name), **raw["classes"]}
    saves = creature.read_saves([field for field in fields if field.name == "saves"], notes)
    armor = read_armor_class(by_name["ac"], notes)
    if "abilities" not in by_name and armor.dexterity:
        # The one score that another line reveals.
        raw["abilities"] = Abilities(dex=10 + 2 * armor.dexterity)
    scores: Abilities = raw["abilities"]
    undead = load(dialect).book.has("creature.undead") and UNDEAD in (raw.get("kind"), *raw.get("traits", ()))
    modifiers = {"fort": scores.cha if undead else scores.con, "ref": scores.dex, "will": scores.wis}
    raw["saves"], raw["save_bonuses"] = creature.base_saves(
        saves, {kind: ability_modifier(score) for kind, score in modifiers.items()}, raw["feats"]
    )
    if "size" not in raw:
        raw["size"] = size = size_of(armor.size or 0)
        notes.append(
            Note(by_name["ac"].line, "", f"no size printed: {size}, by its Armor Class, is assumed", "unread")
        )
    sheet = shield_without_feat(_armored(Sheet(**raw), armor, by_name["ac"], notes), dialect)
    initiative = read_bonus(by_name["init"], notes) if "init" in by_name else None
    sheet = _quick(sheet, initiative)
    if fault := fault_of(sheet):
        raise StatBlockError(f"{sheet.name}: {fault}")
    sheet = with_bonus_feats(sheet, by_name.get("feats"), dialect, notes)
    armed = arm(sheet, _attacks(by_name, notes), dialect, notes)
    sheet = armed.sheet
    printed = replace(
        printed,
        ac=armor.total,
        touch=armor.touch,
        flat_footed=armor.flat_footed,
        initiative=initiative,
        saves=saves,
    )
    _check_armor(sheet, printed, dialect, by_name["ac"], notes)
    if len(saves) < 3:
        missing = ", ".join(kind for kind in modifiers if kind not in saves)
        reason = f"no saving throw of {missing}: a base of 0 is assumed"
        notes.append(Note(by_name["ac"].line, "", reason, "unread"))
    sheet = fitting(sheet, by_name["ac"].line, notes)
    worked_out = (
        *work_out_totals(sheet, (armor.total, armor.touch, armor.flat_footed), saves, initiative, dialect),
        *work_out_attacks(sheet, armed.strikes, armed.routines, dialect, notes),
        *work_out_maneuvers(sheet, by_name, notes),
    )
    ordered = tuple(sorted(still_true(notes, dialect, sheet.traits), key=lambda note: note.line))
    unread = tuple(note for note in ordered if note.grade == "unread")
    return Block(
        sheet,
        dialect,
        printed,
        armed.strikes,
        ordered,
        unread,
        worked_out,
        shares_of(worked_out),
        armed.routines,
    )


def _dialect_of(text: str, by_name: dict[str, Field]) -> str:
    """Return the dialect of a block's arithmetic: a combat maneuver is pf1's, a Defense futurepath's."""
    if {"cmb", "cmd"} & by_name.keys():
        return "pf1"
    return "futurepath" if _DEFENSE.search(text) else "srd35"


def _body(
    by_name: dict[str, Field], others: list[tuple[int, str]], notes: list[Note]
) -> tuple[JsonObject, Printed]:
    """Return the fields of the sheet that are simply printed, with the hit points."""
    if "type" in by_name:
        others = [*others, (by_name["type"].line, by_name["type"].value)]
    raw = creature.read_kind(others, notes)
    hit_points, dice, remarks, average = _hit_points(by_name, notes)
    raw |= {"hp": hit_points, "hit_dice": max(1, dice)}
    if not dice:
        notes.append(Note(by_name["ac"].line, "", "no Hit Dice printed: 1 is assumed", "unread"))
    hp_at = by_name.get("hp") or by_name["hd"]
    raw |= creature.read_healing(hp_at.line, remarks, notes)
    remarks = tuple(one for one in remarks if not creature.is_healing(one))
    notes += [Note(hp_at.line, shown(one), creature.NO_RULE, "unplayed") for one in remarks]
    traits = [*raw["traits"], *remarks]
    if "abilities" in by_name:
        raw["abilities"] = creature.read_abilities(by_name["abilities"], notes)
    else:
        notes.append(Note(by_name["ac"].line, "", NO_SCORES, "unread"))
        raw["abilities"] = Abilities()
    if "base attack/grapple" in by_name:
        found = _GRAPPLE.match(by_name["base attack/grapple"].value)
        raw["base_attack"] = int(found[1].replace(" ", "")) if found else 0
        field = by_name["base attack/grapple"]
        if found is None:
            notes.append(Note(field.line, shown(field.value), "no base attack bonus: 0 is assumed", "unread"))
        creature.note_rest(field, field.value[found.end() if found else 0 :], notes)
    elif "base attack" in by_name:
        raw["base_attack"] = read_bonus(by_name["base attack"], notes) or 0
    else:
        notes.append(Note(by_name["ac"].line, "", "no base attack bonus printed: 0 is assumed", "unread"))
    raw["feats"] = creature.read_feats(by_name["feats"]) if "feats" in by_name else ()
    raw["skills"] = creature.read_skills(by_name["skills"], notes) if "skills" in by_name else {}
    if "speed" in by_name:
        raw |= creature.read_speed(by_name["speed"], notes)
    raw |= _space(by_name, notes)
    traits += _guard(by_name, raw, notes)
    if "spells" in by_name:
        found = _CONCENTRATION.search(by_name["spells"].value)
        if found is not None:
            raw["concentration"] = int(found[1])
    raw["traits"] = first_of(traits)
    return raw, Printed(
        hp=hit_points,
        hit_dice="; ".join(by_name[key].value for key in ("hp", "hd") if key in by_name),
        dice_average=average,
    )


def read_bonus(field: Field, notes: list[Note]) -> int | None:
    """Return the one number of a field; other text in it is noted."""
    creature.note_rest(field, _BONUS.sub("", field.value, count=1), notes)
    return creature.bonus_of(field.value)


def _hit_points(by_name: dict[str, Field], notes: list[Note]) -> tuple[int, int, tuple[str, ...], int | None]:
    """Return hit points and Hit Dice together. Raises StatBlockError without any hit points."""
    points: int | None = None
    dice, average = 0, None
    remarks: tuple[str, ...] = ()
    for key in ("hp", "hd"):
        if key in by_name:
            found, count, others, mean = creature.read_hit_points(by_name[key], notes)
            points = found if points is None else points
            dice, average = dice or count, average if average is not None else mean
            remarks = (*remarks, *others)
    if points is None:
        if average is None:
            raise StatBlockError("no hit points found: a stat block has a line 'hp 13 (2d8+4)'")
        points = max(1, average)
        dice_at = by_name.get("hd") or by_name["hp"]
        reason = f"no hit points printed: {points}, the average, is assumed"
        notes.append(Note(dice_at.line, shown(dice_at.value), reason))
    return points, dice, remarks, average


def _space(by_name: dict[str, Field], notes: list[Note]) -> dict[str, int]:
    """Return space and reach in feet as far as they are printed; "2-1/2 ft." is 2."""
    found: dict[str, int] = {}
    values = {key: by_name[key].value for key in ("space", "reach") if key in by_name}
    if "space/reach" in by_name:
        space, _, reach = by_name["space/reach"].value.partition("/")
        if reach.startswith("2 ft"):
            space, _, reach = by_name["space/reach"].value[len(space) + 1 :].partition("/")
        values = {"space": space, "reach": reach}
    for key, value in values.items():
        feet = creature.feet_of(value)
        line = by_name[key if key in by_name else "space/reach"].line
        if feet is not None:
            # A creature that does not reach the next square attacks within its own.
            found[key] = 0 if key == "reach" and feet < SQUARE_FT else feet
        if feet is None or "(" in value:
            notes.append(Note(line, shown(value), "of this only the first distance is kept"))
    return found


def _guard(by_name: dict[str, Field], raw: JsonObject, notes: list[Note]) -> list[str]:
    """Put reductions, resistances and spell resistance into `raw`; return the traits."""
    reductions: list[object] = []
    resistances: dict[str, int] = {}
    traits: list[str] = []
    if "dr" in by_name:
        reductions += creature.read_reductions(by_name["dr"].line, by_name["dr"].value, notes)
    if "resist" in by_name:
        resistances |= creature.read_resistances(by_name["resist"].line, by_name["resist"].value, notes)
    if "immune" in by_name:
        immune, names = creature.read_immunities(by_name["immune"].line, by_name["immune"].value, notes)
        resistances |= immune
        traits += names
    if "sr" in by_name:
        found = re.match(r"([0-9]{1,3})\b(.*)", by_name["sr"].value)
        raw["spell_resistance"] = int(found[1]) if found else 0
        if found is None or found[2].strip():
            reason = "of this only the number is kept"
            notes.append(Note(by_name["sr"].line, shown(by_name["sr"].value), reason))
    for key in ("defensive abilities", "special attacks", "special qualities", "weaknesses"):
        if key in by_name:
            pieces = split_top(by_name[key].value, ",", ";")
            raw |= creature.read_healing(by_name[key].line, pieces, notes)
            parts, energies, resistance, names = creature.read_qualities(
                by_name[key].line, by_name[key].value, notes
            )
            reductions += parts
            resistances = {**energies, **resistances}
            raw["spell_resistance"] = raw.get("spell_resistance") or resistance
            traits += names
    if "senses" in by_name:
        known = [one.lower() for one in split_top(by_name["senses"].value, ",", ";")]
        traits += [one for one in known if one in creature.RULED]
    raw |= {"reductions": tuple(reductions), "resistances": resistances}
    return traits


def _armored(sheet: Sheet, armor: ArmorClass, field: Field, notes: list[Note]) -> Sheet:
    """Return the sheet with the parts of Armor Class; the printed Dexterity caps that of the score."""
    defends = DEFENSE.lower() in sheet.feats
    parts = [replace(one, source=DEFENSE) if defends and is_bare(one) else one for one in armor.parts]
    printed, score = armor.dexterity or 0, ability(sheet, "dex")
    cap = None
    if 0 <= printed < score:
        cap = printed
    elif printed != score:
        # Lost with the Dexterity bonus, as a dodge bonus is.
        kind = "dodge" if printed > score else "penalty"
        parts.append(Bonus(printed - score, kind, f"Dexterity {printed:+d} as printed, not {score:+d}"))
    shod = any(part.kind in ("armor", "shield") for part in parts)
    if printed != score and not (shod and 0 <= printed < score):
        reason = f"Dexterity {printed:+d} is printed, the score gives {score:+d}: the printed one counts"
        notes.append(Note(field.line, shown(field.value), reason))
    worn = armor.weight if any(part.kind == "armor" for part in parts) else "none"
    return replace(sheet, armor=tuple(parts), max_dex=cap, armor_weight=worn)


def is_bare(part: Bonus) -> bool:
    """Return whether a part is the +1 of a shield that print does not name."""
    return (part.kind, part.value, part.source) == ("shield", 1, "shield")


def _quick(sheet: Sheet, printed: int | None) -> Sheet:
    """Return the sheet with the bonuses of its initiative beyond Dexterity."""
    if printed is None:
        return sheet
    rest, parts = printed - ability(sheet, "dex"), []
    # The feat counts unless a part has its name, so it is also named if less than it is printed.
    if "improved initiative" in sheet.feats:
        parts, rest = [Bonus(4, "untyped", "Improved Initiative")], rest - 4
    if rest:
        parts.append(Bonus(rest, "untyped", "as printed, no rule named"))
    return replace(sheet, initiative=tuple(parts))


def fitting(sheet: Sheet, line: int, notes: list[Note]) -> Sheet:
    """Return the sheet with names and lists of names cut to the limits of a log."""
    skills = fitting_names(sheet.skills, "skill", line, notes)
    return replace(
        sheet,
        feats=fitting_names(sheet.feats, "feat", line, notes),
        traits=fitting_names(sheet.traits, "trait", line, notes),
        skills={name: sheet.skills[name] for name in skills},
        weapons=tuple(
            replace(one, traits=fitting_names(one.traits, "trait", line, notes)) for one in sheet.weapons
        ),
    )


def _attacks(by_name: dict[str, Field], notes: list[Note]) -> list[tuple[list[Attack], bool]]:
    """Return the attacks of each field that prints some, and whether they are a full attack."""
    fields = (("melee", "melee"), ("ranged", "ranged"), ("full attack", ""), ("attack", ""))
    return [
        (read_attacks(by_name[key], mode, notes), key != "attack" or "full attack" not in by_name)
        for key, mode in fields
        if key in by_name
    ]


def _check_armor(sheet: Sheet, printed: Printed, dialect: str, field: Field, notes: list[Note]) -> None:
    """Note every printed Armor Class that the parts do not give."""
    names = ("Armor Class", "touch", "flat-footed")
    totals = (printed.ac, printed.touch, printed.flat_footed)
    for what, given, total in zip(names, creature.armor_class(sheet, dialect), totals, strict=True):
        if total is not None and given != total:
            reason = f"{what}: the parts give {given}, printed is {total}: the parts are kept"
            notes.append(Note(field.line, shown(field.value), reason, "unread"))
