"""Entries of a stat block, read: attacks into weapons, the rest into lines of printed actions and traits.

Each phrase that is understood is taken out of the text of an entry; what is left is noted.
"""

import re
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final

from msgspec import Struct, field

from affray.engine.record.blocks import Grade, Note
from affray.events.facts.sheet import Bonus, ExtraDamage, Weapon

SHOWN: Final = 160


class Entry(Struct, frozen=True, gc=False):
    """One entry: its line, its section, its name with limits in parentheses, its text."""

    line: int
    section: str
    name: str
    text: str


class Reading(Struct):
    """The result of reading the entries of a creature with these ability modifiers and this bonus.

    spells: the names of the spells that rules play.
    """

    name: str
    modifiers: Mapping[str, int]
    bonus: int
    spells: Collection[str] = ()
    weapons: list[Weapon] = field(default_factory=list)
    actions: list[str] = field(default_factory=list)
    traits: list[str] = field(default_factory=list)
    custom: dict[str, Any] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)

    def note(self, entry: Entry, text: str, reason: str, grade: Grade = "unplayed") -> None:
        """Note a part of an entry."""
        told = " ".join(text.split())
        shown = told if len(told) <= SHOWN else f"{told[: SHOWN - 3]}..."
        self.notes.append(Note(entry.line, shown, f"{entry.name}: {reason}", grade))


class Text:
    """The text of an entry, from which understood phrases are taken."""

    def __init__(self, text: str) -> None:
        plain = re.sub(r"\[Area of Effect\]\|\w+\||\|XPHB\|", " ", text)
        self.left = self.whole = re.sub(r"\s+", " ", plain).strip()

    def take(self, pattern: str) -> re.Match[str] | None:
        """Return the first match of a phrase and take it out; None if there is none."""
        found = re.search(pattern, self.left, re.IGNORECASE)
        if found is not None:
            self.left = f"{self.left[: found.start()]} | {self.left[found.end() :]}"
        return found

    def rest(self) -> str:
        """Return what is left, without remains of punctuation."""
        pieces = [one.strip(" .,;:") for one in self.left.split("|")]
        idle = r"(?:and|it|the target|which|,|\.|or|if the target is a creature|hit)"
        return "; ".join(one for one in pieces if one and not re.fullmatch(idle, one, re.IGNORECASE))


def plain_name(name: str) -> str:
    """Return the name of an entry without its limits."""
    return re.sub(r"\s*\([^)]*\)", "", name).strip(" .").lower()


# --- Phrases

ROLL: Final = r"\d+d\d+(?: ?[+-] ?\d+)?"
HARM: Final = rf"(\d+)(?: \(({ROLL})\))? (\w+) damage"
SIZE: Final = r"(tiny|small|medium|large|huge|gargantuan)"
IT: Final = r"(?:the [\w' -]+?|it|he|she)"
CONDITION: Final = (
    r"(blinded|charmed|deafened|frightened|grappled|incapacitated|paralyzed|petrified|poisoned|prone"
    r"|restrained|stunned|unconscious)"
)
UNTIL: Final = r"(?: until the (start|end) of (its|the [\w' -]+?)'?s? next turn)?"
DAMAGE_TYPES: Final = (
    r"(acid|bludgeoning|cold|fire|force|lightning|necrotic|piercing|poison|psychic|radiant|slashing|thunder)"
)


def dice(found: re.Match[str], first: int = 1) -> str:
    """Return "2d6+4 fire" of a match of HARM."""
    number, notation, kind = found[first], found[first + 1], found[first + 2]
    return f"{(notation or number).replace(' ', '')} {kind.lower()}"


def moment(when: str | None, whose: str | None) -> str:
    """Return the clause of the moment at which something ends; "" for none."""
    if not when or not whose:
        return ""
    own = "its" if whose.lower() in ("its", "the target") else "own"
    return f"until {own} {when.lower()}"


# --- Any entry


def read_entry(entry: Entry, found: Reading) -> None:
    """Read an entry into a weapon, an action, a trait, or a note."""
    name = plain_name(entry.name)
    if entry.section == "trait" or name in AS_TRAITS:
        read_trait(entry, found)
    elif name == "multiattack":
        read_multiattack(entry, found)
    elif "Attack Roll" in entry.text:
        read_attack(entry, found)
    elif name == "spellcasting":
        read_spells(entry, found)
    elif re.search(r"\bcasts?\b", entry.text):
        found.note(entry, entry.text, "no rule plays this casting")
    elif entry.section == "reaction":
        read_reaction(entry, found)
    elif "Saving Throw" in entry.text:
        read_save(entry, found)
    else:
        read_other(entry, found)


def limits(entry: Entry, found: Reading) -> list[str]:
    """Return the clauses of what takes an action and how often it is used."""
    clauses = [entry.section] if entry.section in ("bonus", "legendary") else []
    inside = re.findall(r"\(([^)]*)\)", entry.name)
    for limit in (one.strip() for text in inside for one in text.split(";")):
        if recharge := re.fullmatch(r"Recharge (\d)(?:-6)?", limit, re.IGNORECASE):
            clauses.append(f"recharge {recharge[1]}")
        elif uses := re.fullmatch(r"(\d+)/Day(?:, or .*)?", limit, re.IGNORECASE):
            clauses.append(f"uses {uses[1]}")
        elif re.fullmatch(r"Recharge after a (?:Short or )?Long Rest", limit, re.IGNORECASE):
            clauses.append("rest")
        elif limit:
            found.note(entry, limit, "this limit is not read")
    return clauses


# --- Spells


def read_spells(entry: Entry, found: Reading) -> None:
    """Read the Spellcasting of a stat block: ability, DC, needless components, and spells by their uses."""
    text = re.sub(r"\*", "", entry.text)
    head = re.search(r"using (\w+) as (?:the )?spellcasting ability", text)
    if head is None:
        found.note(entry, entry.text, "this Spellcasting is not read", "unread")
        return
    found.custom["spellcasting"] = head[1][:3].lower()
    if number := re.search(r"spell save DC (\d+)", text):
        found.custom["spell_dc"] = int(number[1])
    bare = re.search(r"requiring no ([A-Za-z ]+?) components", text)
    kinds = ("verbal", "somatic", "material")
    if bare:
        named = [one for one in kinds if one in bare[1].lower()]
        found.custom["without"] = tuple(named or kinds)
    spells, missing = list[str](), list[str]()
    for line in re.finditer(r"(At Will|(\d+)e?/Day(?: Each)?): *([^\n]*)", text):
        for piece in (one.strip() for one in line[3].split(",") if one.strip()):
            version = re.fullmatch(r"(.+?)(?: \(level (\d) version\))?", piece)
            assert version is not None
            name = version[1].lower()
            limit = (f" level {version[2]}" if version[2] else "") + (f" {line[2]} a day" if line[2] else "")
            (spells if name in found.spells else missing).append(f"{name}{limit}")
    found.custom["innate"] = tuple(spells)
    if missing:
        found.note(entry, ", ".join(missing), "no rule plays these spells")


# --- Traits

AS_TRAITS: Final = ("nimble escape", "cunning action", "deathless agility")
"""Bonus Actions that are general actions, which the sheet has as traits."""

PLAYED: Final = frozenset(
    {
        *("pack tactics", "magic resistance", "greater magic resistance", "undead fortitude"),
        *("spider climb", "web walker", "sunlight sensitivity", "sunlight weakness", "light sensitivity"),
        *("incorporeal movement", "flyby", "agile", "swarm", "air form", "water form", "amphibious"),
        *("water breathing", "blood frenzy", "bloodied fury", "bloodied frenzy", "siege monster"),
        *("acid absorption", "fire absorption", "lightning absorption", "corrosive form", "adhesive"),
        *("evasion", "blurred form", "aversion to fire", "freeze", "amorphous", "tunneler", "earth glide"),
        *("immutable form", "reactive heads", "ice walk", *AS_TRAITS),
    }
)
"""Traits that rules play, by their names (`traits.TRAITS`)."""

RENAMED: Final = {"cunning action": "cunning action of a monster"}
"""Traits that share their name with a class feature, which a sheet has by its levels."""

PARTLY: Final = {
    "corrosive form": "it eats things other than weapons, which is not played",
    "greater magic resistance": "observation by magic is not played",
}
"""Traits of which a part is not played, with the reason."""


SHEDS: Final = r"sheds Bright Light in a (\d+)-foot radius and Dim Light for an additional \1 f"
HOLDS: Final = r"can hold its breath for (\d+) (hour|minute)s?"


def read_trait(entry: Entry, found: Reading) -> None:
    """Read a trait: one that a rule knows, an aura or a burst, otherwise a note."""
    name, text = plain_name(entry.name), entry.text
    if legendary := re.search(r"Legendary Resistance \((\d)/Day", entry.name):
        found.traits.append(f"legendary resistance {legendary[1]}")
        if "lair" in entry.name.lower():
            found.note(entry, entry.name, "the number in a lair is not read", "harmless")
    elif regains := re.search(r"regains (\d+) Hit Points at the start of each of its turns", text):
        kind = "troll regeneration" if re.search(r"Acid or Fire damage", text) else "regeneration"
        found.traits.append(f"{kind} {regains[1]}")
    elif heads := re.search(r"has (\w+) heads", text) if name == "multiple heads" else None:
        found.traits.append(f"{name} {COUNTS[heads[1]]}")
    elif light := re.search(SHEDS, text) if name == "illumination" else None:
        found.traits.append(f"{name} {light[1]}")
    elif breath := re.search(HOLDS, text) if name == "hold breath" else None:
        found.traits.append(f"{name} {int(breath[1]) * (60 if breath[2] == 'hour' else 1)}")
    elif name in PLAYED:
        found.traits.append(RENAMED.get(name, name))
        if name in PARTLY:
            found.note(entry, text, PARTLY[name])
    elif not read_aura(entry, found):
        found.traits.append(name)
        found.note(entry, text, "no rule plays this trait")


def read_aura(entry: Entry, found: Reading) -> bool:
    """Read a trait that acts by itself; return whether it is one."""
    text, name = Text(entry.text), plain_name(entry.name)
    if "explodes when it dies" in entry.text and "Saving Throw" in entry.text:
        text.take(rf"{IT} explodes when it dies\.?")
        return finish_save(entry, found, text, f"{name}: death")
    end = text.take(
        rf"At the end of each of {IT}'s turns, each creature(?: of {IT}'s choice)? in a (\d+)-foot Emanation"
        rf" originating from {IT} takes {HARM}(?: unless {IT} has the Incapacitated condition)?"
    )
    if end:
        line = f"{name}: aura end; emanation {end[1]}; {dice(end, 2)}"
        line += "; only enemies" if "'s choice" in end[0] else ""
        line += "; awake" if "unless" in end[0] else ""
        found.actions.append(line)
        return finish(entry, found, text)
    start = text.take(
        rf"any (?:creature|enemy) that starts its turn in (?:a (\d+)-foot Emanation originating"
        rf" from {IT}(?=[.,|]|$)|the aura)"
    )
    if not start or "Saving Throw" not in entry.text:
        return False
    emanates = text.take(
        rf"{IT} emanates an aura in a (\d+)-foot Emanation while it doesn't have the"
        r" Incapacitated condition\.?"
    )
    feet = start[1] or (emanates[1] if emanates else "")
    clauses = f"{name}: aura start; emanation {feet}"
    clauses += "; only enemies" if "enemy" in start[0] else ""
    clauses += "; awake" if emanates else ""
    return bool(feet) and finish_save(entry, found, text, clauses)


def finish(entry: Entry, found: Reading, text: Text) -> bool:
    """Note what is left of an entry; return that it was read."""
    if rest := text.rest():
        found.note(entry, rest, "no rule plays this")
    return True


# --- Multiattack

COUNTS: Final = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "ten": 10, "a": 1}
NAMES: Final = r"[A-Z][\w'-]*(?: [A-Z][\w'-]*)*"


def read_multiattack(entry: Entry, found: Reading) -> None:
    """Read the parts of a Multiattack: attacks, uses of other actions, and what may replace them."""
    text, slots = Text(re.sub(r"\*", "", entry.text)), list[str]()
    replaced = text.take(
        r"It can replace (one|two|any|the) (?:attacks?|(?:"
        + NAMES
        + r") attack) with (?:a use of |an? )(.+?)"
        r"(?: attack)?(?: if available)?\.?$"
    )
    body = text.left.split("|")[0]
    for half in re.split(r", or it (?=makes)", body):
        if "if it used" in half:
            found.note(entry, half, "this alternative of the Multiattack is not read")
            continue
        headed = re.search(r"makes as many (\w+) attacks as it has heads", half)
        made = [headed[1].lower()] if headed else slots_of(half)
        if made:
            slots += ["or", *made] if slots else made
    if not slots:
        found.note(entry, entry.text, "Multiattack is not read", "unread")
        return
    if replaced:
        slots = with_replacement(entry, found, slots, replaced)
    found.custom["multiattack"] = tuple(slots)
    if re.search(r"Spellcasting", body):
        found.note(entry, body, "a part of this Multiattack is not read")


def slots_of(text: str) -> list[str]:
    """Return the parts of one alternative of a Multiattack."""
    slots = list[str]()
    free = re.search(
        rf"makes (\w+) (?:other )?attacks?, using ((?:{NAMES}(?:, | or | and |, or )?)+) in any combination",
        text,
    )
    if free:
        names = [one.lower() for one in re.findall(NAMES, free[2])]
        slots += [" or ".join(names)] * COUNTS.get(free[1].lower(), 1)
        text = text[: free.start()] + text[free.end() :]
    mixed = re.search(rf"and (\w+) other attacks, using ({NAMES}) or ({NAMES}) in any combination", text)
    if mixed:
        either = f"{mixed[2].lower()} or {mixed[3].lower()}"
        slots += [either] * COUNTS.get(mixed[1].lower(), 1)
        text = text[: mixed.start()] + text[mixed.end() :]
    for one in re.finditer(rf"(\w+) ({NAMES}(?: or {NAMES})?) attacks?\b", text):
        if one[1].lower() in COUNTS:
            slots += [one[2].lower()] * COUNTS[one[1].lower()]
    for one in re.finditer(
        rf"(?:uses|can use) (?:either )?({NAMES}(?:(?:, or |, | or ){NAMES})*)( twice)?", text
    ):
        names = [name.lower() for name in re.findall(NAMES, one[1]) if name != "Spellcasting"]
        if names:
            slots += [" or ".join(names)] * (2 if one[2] else 1)
    return slots


def with_replacement(entry: Entry, found: Reading, slots: list[str], replaced: re.Match[str]) -> list[str]:
    """Return the parts of a Multiattack of which one may be something else, or two may."""
    named = [one.lower() for one in re.findall(NAMES, re.sub(r"\([A-Z]\)|\([^)]*\)", " ", replaced[2]))]
    names = [one for one in named if not one.startswith("spellcasting") and "to cast" not in one]
    if "Spellcasting" in replaced[2]:
        spells = re.split(r"Spellcasting", replaced[2])[1]
        cast = [one.lower() for one in re.findall(NAMES, spells)]
        kept = [one for one in re.findall(r"\(B\) (" + NAMES + ")", replaced[2])]
        names = [one for one in names if one not in cast or one in [name.lower() for name in kept]]
        found.note(entry, replaced[0], "Spellcasting in place of an attack is not read")
    if not names:
        return slots
    if replaced[1].lower() == "any":
        return [" or ".join(dict.fromkeys((*one.split(" or "), *names))) for one in slots]
    if replaced[1].lower() == "two":
        return [*slots, "or", *slots[:-2], " or ".join(names)]
    at = len(slots) - 1
    if replaced[1].lower() == "the":
        which = re.search(rf"replace the ({NAMES}) attack", replaced[0])
        wanted = which[1].lower() if which else slots[at]
        at = slots.index(wanted) if wanted in slots else at
    slots[at] = " or ".join((slots[at], *names))
    return slots


# --- Attacks


def read_attack(entry: Entry, found: Reading) -> None:
    """Read an attack: a weapon with its bonus, reach or range and damage, and the other effects of a hit."""
    text, name = Text(re.sub(r"\*", "", entry.text)), plain_name(entry.name)
    head = text.take(
        r"(Melee or Ranged|Melee|Ranged) Attack Roll: ?\+(\d+)(?: to hit)?"
        r"(?: \(with Advantage ([^)]*)\))?,(?: reach (\d+) (?:ft\.|feet|ft)\.?)?(?: or)?"
        r"(?: range (\d+)(?:/(\d+))? (?:ft\.|feet|ft)\.?)?"
    )
    if head is None:
        found.note(entry, entry.text, "this attack is not read", "unread")
        return
    text.take(r"Hit:")
    (weapon, other), clauses = weapon_of(name, head, text, found, entry), limits(entry, found)
    found.weapons.append(weapon)
    clauses += other
    if head[3]:
        clauses += edge_of(head[3], entry, found)
    if forbidden := UNREADABLE.search(text.left):
        del forbidden
        found.note(entry, text.rest(), "no rule plays the effects of this hit other than damage")
        text.left = ""
    cut_off(text, entry, found)
    saves = save_of_hit(text, entry, found) if "Saving Throw" in text.left else []
    riders = riders_of(text, entry, found)
    if riders or not saves:
        clauses += [*saves, *riders]
    if clauses:
        found.actions.append(f"{name}: attack; {'; '.join(clauses)}")
    finish(entry, found, text)


UNREADABLE: Final = re.compile(
    r"attaches|possessed|is engulfed|First Roar|Hit Points or fewer, it has|instead of dealing damage"
)
"""Words of entries that are not played, or whose effects are not."""


def cut_off(text: Text, entry: Entry, found: Reading) -> None:
    """Take out sentences on cases that are not played, with all that follows in them."""
    for pattern in (
        r"Failure by 5 or More:.*$",
        r"If (?:this damage reduces the target|the target is reduced) to 0 Hit Points.*$",
        r"(?:The target is cursed|First Failure:? *The target has the Poisoned condition\. While"
        r" Poisoned).*$",
        r"The target receives an infernal wound.*$",
    ):
        if one := text.take(pattern):
            found.note(entry, one[0], "no rule plays this")


def weapon_of(
    name: str, head: re.Match[str], text: Text, found: Reading, entry: Entry
) -> tuple[Weapon, list[str]]:
    """Return the weapon of an attack, and the clauses of other dice of its damage.

    The ability is one that explains bonus and damage.
    """
    kind, bonus = head[1].lower(), int(head[2])
    first = text.take(rf"^[ |]*{HARM}")
    traits = list[str]()
    if kind == "ranged":
        traits.append("ranged")
    if head[6]:
        traits.append(f"long range {head[6]}")
    harm, flat = ("0", None) if first is None else ((first[2] or first[1]).replace(" ", ""), None)
    damage_type = first[3].lower() if first is not None else "bludgeoning"
    if first is None:
        found.note(entry, entry.text, "no damage of a hit is printed", "harmless")
    if "d" in harm:
        harm, flat = split_flat(harm)
    ability = ability_of(found, bonus, flat, kind)
    if ability != ("dex" if kind == "ranged" else "str"):
        traits.append(f"ability {ability}")
    attack: tuple[Bonus, ...] = ()
    damage: tuple[Bonus, ...] = ()
    if rest := bonus - found.modifiers[ability] - found.bonus:
        attack = (Bonus(rest, "untyped", "as printed"),)
        found.note(entry, f"+{bonus}", f"{rest:+d} of the bonus is as printed, no rule named", "harmless")
    if flat is None or (flat == 0 and found.modifiers[ability]):
        traits.append("plain damage")
    elif rest := flat - found.modifiers[ability]:
        damage = (Bonus(rest, "untyped", "as printed"),)
        found.note(entry, f"{flat:+d}", f"{rest:+d} of the damage is as printed, no rule named", "harmless")
    clauses, extra = other_dice(text), list[ExtraDamage]()
    while more := text.take(rf"(?<=\|)[ ]*(?:,? ?plus|and) {HARM}(?! if)"):
        notation, _, word = dice(more).partition(" ")
        extra.append(ExtraDamage(notation, word, name))
    if chosen := text.take(rf"plus (\d+) \(({ROLL})\) damage of the type chosen[^.]*"):
        found.note(entry, chosen[0], "the type of this damage is the game master's choice", "unread")
    weapon = Weapon(
        name=name,
        damage=harm,
        damage_type=damage_type,
        wield="natural",
        range=int(head[5] or 0),
        far=int(head[4] or 0),
        traits=tuple(traits),
        attack=attack,
        bonus_damage=damage,
        extra=tuple(extra),
    )
    return weapon, clauses


def split_flat(notation: str) -> tuple[str, int]:
    """Return dice without the number added, and that number."""
    found = re.fullmatch(r"(\d+d\d+)([+-]\d+)?", notation)
    assert found is not None
    return found[1], int(found[2] or 0)


def ability_of(found: Reading, bonus: int, flat: int | None, kind: str) -> str:
    """Return the ability that explains the bonus, otherwise the damage; the usual one first."""
    usual = ("dex", "str") if kind == "ranged" else ("str", "dex")
    order = (*usual, *(one for one in found.modifiers if one not in usual))
    fitting = [one for one in order if found.modifiers[one] + found.bonus == bonus]
    by_damage = [one for one in usual if found.modifiers[one] == flat]
    return next(iter((*fitting, *by_damage, usual[0])))


def edge_of(when: str, entry: Entry, found: Reading) -> list[str]:
    """Return the clause of when attack rolls have Advantage."""
    for pattern, word in (
        (r"if the target is Grappled by", "grappled"),
        (r"if the target doesn't have all its Hit Points", "wounded"),
        (r"during the first round", "first round"),
    ):
        if re.search(pattern, when):
            return [f"edge {word}"]
    found.note(entry, when, "this Advantage is not read")
    return []


# --- Effects of a hit or a failed save


def riders_of(text: Text, entry: Entry, found: Reading) -> list[str]:
    """Return the clauses of all effects other than damage, of a hit or a failed save."""
    clauses = [*other_dice(text), *conditions_on_target(text)]
    grip, tied = grips(text)
    for pattern, made in PHRASES:
        while one := text.take(pattern):
            clauses.append(made(one))
    loose = loose_conditions(text)
    clauses += [*grip, *loose]
    if tied and not any(one.startswith("with ") or one == "grappled" for one in (*grip, *loose)):
        found.note(entry, ", ".join(tied), "what this depends on is not read")
    else:
        clauses += tied
    clauses += tail_of_conditions(text, entry, found)
    return [one for one in clauses if one]


def other_dice(text: Text) -> list[str]:
    """Return the clauses of other or more damage under some circumstance."""
    found = list[str]()
    for pattern, word in (
        (
            rf"[,-]?(?:-| )*or {HARM} if the target is Grappled by {IT}(?=[-.,|]|$)-?",
            "held dice",
        ),
        (rf"[,-]?(?:-| )*or {HARM} if {IT} is Bloodied-?", "weak dice"),
        (rf",? ?or {HARM} if {IT} had Advantage on the attack roll", "edge dice"),
        (rf",? ?plus {HARM} if the attack roll had Advantage", "edge extra"),
    ):
        while one := text.take(pattern):
            by_target = word == "weak dice" and "if the target is" in one[0]
            found.append(f"{'hurt dice' if by_target else word} {dice(one)}")
    while one := text.take(
        rf",? ?or {HARM} if {IT} moved (\d+)\+ feet straight toward the target immediately before the hit"
    ):
        found += [f"charge {one[4]}", f"charge dice {dice(one)}"]
    return found


def conditions_on_target(text: Text) -> list[str]:
    """Return the clauses of the size of the target, and of a run before the hit."""
    found = list[str]()
    if one := text.take(
        rf"If (?:the )?target is (?:a |an )?{SIZE}(?: or"
        rf" smaller)?(?: creature)?,? ?(?=and {IT} moved|,|it|the|$|and)"
    ):
        found.append(f"to {one[1].lower()}")
    if one := text.take(rf"and {IT} moved (\d+)\+ feet straight toward it immediately before the hit,?"):
        found.append(f"charge {one[1]}")
    if one := text.take(rf"the target takes an extra {HARM}(?: and)?"):
        found.append(f"extra {dice(one)}")
    for pattern, clause in (
        (r"If the target is a non-Undead creature, it is subjected to the following effect\.", "but undead"),
        (
            r"If the target is a creature that isn't an Undead or elf, it is subjected to the following"
            r" effect\.",
            "but undead",
        ),
        (r"If the target is a Humanoid, it is subjected to the following effect\.", "only humanoid"),
    ):
        if text.take(pattern):
            found.append(clause)
    text.take(
        r"If the target is a creature(?: and doesn't already have an infernal wound)?, it (?:is"
        r" subjected to the following effect|must make the following saving throw)\."
    )
    text.take(r"(?:and )?the target is subjected to the following effect\.")
    return found


def grips(text: Text) -> tuple[list[str], list[str]]:
    """Return the clauses of a grapple, and of what lasts with it or with another condition."""
    found, tied = list[str](), list[str]()
    one = text.take(
        r"(?:and )?(?:it |the target )?has the Grappled condition \(escape DC (\d+)\)"
        r"(?: from (?:one of (\w+) )?[\w' -]+?)?(?=[.,|]|$| and)"
    )
    if one:
        found += ["grappled", f"escape {one[1]}", *([f"parts {COUNTS[one[2]]}"] if one[2] else [])]
    for pattern in (
        rf"(?:and )?(?:it|the target) has the {CONDITION} condition until the grapple ends",
        rf"(?:While Grappled|Until the grapple ends), the target has"
        rf" the {CONDITION}(?: and {CONDITION})? conditions?",
        rf"(?:While|Until)[^.|]{{0,30}}, the target (?:also )?has"
        rf" the {CONDITION}(?: and {CONDITION})? conditions?",
    ):
        if tie := text.take(pattern):
            tied.append(f"with {', '.join(name.lower() for name in tie.groups() if name)}")
    if one := text.take(
        rf"(?:and )?(?:it )?takes {HARM}(?: plus {HARM})? at the start of each of (its|{IT}'s) turns"
    ):
        word = "each turn" if one[7].lower() == "its" else "each own"
        more = f", {dice(one, 4)}" if one[4] else ""
        tied.append(f"{word} {dice(one)}{more}")
    return found, tied


def loose_conditions(text: Text) -> list[str]:
    """Return the clauses of conditions, with the moment at which they end."""
    found, ends = list[str](), dict[str, None]()
    pattern = (
        rf"(?:(?:and|,) )*(?:it|the target|that|and)? ?has"
        rf" the {CONDITION}(?:(?: and|,) {CONDITION})? conditions?{UNTIL}"
    )
    prone = list[str]()
    while one := text.take(pattern):
        names = [name.lower() for name in (one[1], one[2]) if name]
        until = moment(one[3], one[4])
        if until:
            ends[until] = None
        (prone if names == ["prone"] else found).append(f"with {', '.join(names)}")
    return [*found, *ends, *prone]


def tail_of_conditions(text: Text, entry: Entry, found: Reading) -> list[str]:
    """Return the clauses of what follows a condition: repeated saves, a minute."""
    clauses = list[str]()
    repeats = text.take(
        r"(?:,? ?and )?(?:it |the target |)repeats the save at the end of each of its turns(?:, ending"
        r" the effect on itself on a success)?"
    ) or text.take(
        r"At the end of each of its turns, the target repeats the save, ending the effect on itself on"
        r" a success"
    )
    if repeats:
        clauses.append("repeats")
    if text.take(r"After 1 minute, it succeeds automatically") or text.take(r"for 1 minute"):
        clauses.append("minute")
    if text.take(
        r"This effect ends for the target if it takes damage or a creature within 5 feet of it takes an"
        r" action to wake it"
    ):
        clauses.append("broken")
    web = r"until the web is destroyed \(AC 10; HP 5; Vulnerability to Fire damage; Immunity to"
    if one := text.take(web + r" (Bludgeoning, )?Poison,? and Psychic damage\)"):
        clauses.append("web" if one[1] else "soft web")
    return clauses


PHRASES: Final[tuple[tuple[str, Callable[[re.Match[str]], str]], ...]] = (
    (
        rf"(?:,? ?and )?(?:the target is|is|{IT} pushes the target) pushed? ?(?:up to )?(\d+) feet"
        rf" straight away from (?:itself|{IT})(?=[ .,|]|$)",
        lambda one: f"push {one[1]}",
    ),
    (
        rf"(?:,? ?and )?{IT} (?:push(?:es)?) the target (?:up to )?(\d+) feet straight away from itself",
        lambda one: f"push {one[1]}",
    ),
    (
        rf"(?:,? ?and )?{IT} (?:pulls|moves) the target (?:up to )?(\d+) feet straight toward itself",
        lambda one: f"pull {one[1]}",
    ),
    (
        r"(?:,? ?and )?(?:the target's|If the target is a creature, its) Hit Point maximum decreases by"
        r" an amount equal"
        rf" to the (?:{DAMAGE_TYPES} )?damage taken",
        lambda one: f"drain {(one[1] or 'all').lower()}",
    ),
    (
        r"(?:,? ?and )?the target's (Strength|Dexterity|Constitution|Intelligence|Wisdom|Charisma) score"
        rf" decreases by (?:\d+ \()?({ROLL}|\d+)\)?\.?"
        r"(?: (The target dies if this reduces that score to 0))?",
        lambda one: f"lowers {one[1][:3].lower()} {one[2]}" + ("; fatal" if one[3] else ""),
    ),
    (
        rf"(?:,? ?and )?{IT} regains Hit Points equal to that amount",
        lambda one: "feeds necrotic",
    ),
    (
        rf"(?:,? ?and )?(?:the target's|its|If the target is a creature, its) Speed decreases"
        rf" by (\d+) feet until the"
        rf" (start|end) of (its|{IT}'s) next turn",
        lambda one: f"slow {one[1]}; {moment(one[2], one[3].removesuffix(chr(39) + 's'))}",
    ),
    (
        rf"(?:,? ?and )?the target's Speed is halved until the (start|end) of (its|{IT}'s) next turn",
        lambda one: f"slow half; {moment(one[1], one[2].removesuffix(chr(39) + 's'))}",
    ),
    (
        rf"(?:,? ?and )?the target can't take Reactions until the (start|end) of (its|{IT}'s) next turn",
        lambda one: f"dazed reactions; {moment(one[1], one[2].removesuffix(chr(39) + 's'))}",
    ),
    (
        rf"(?:,? ?and )?the next attack roll made against the target before the start of {IT}'s next"
        rf" turn has Advantage",
        lambda one: "vexed; until own start",
    ),
    (
        r"(?:,? ?and )?(?:the target )?has Disadvantage on the next attack roll it makes before the end"
        r" of its next turn",
        lambda one: "sapped; until its end",
    ),
    (
        r"The target can't take Reactions; its Speed is halved; and it can take either an action or a"
        r" Bonus Action on"
        r" its turn, not both\. This effect lasts until the end of its next turn",
        lambda one: "slow half; dazed both; until its end",
    ),
    (
        r"While Poisoned, the creature can take either an action or a Bonus Action on its turn, not"
        r" both, and it can't"
        r" take Reactions",
        lambda one: "dazed both",
    ),
    (r"The target gains 1 Exhaustion level\.?", lambda one: "with exhaustion"),
    (
        rf"(?:,? ?and )?{IT} can make one ([A-Z][\w' -]*?) attack against it",
        lambda one: f"follows {one[1].lower()}",
    ),
)
"""Phrases of what happens to a target, each with its clauses."""


def save_of_hit(text: Text, entry: Entry, found: Reading) -> list[str]:
    """Return the clauses of a save that a hit forces; its conditions have been read."""
    one = text.take(
        r"(Strength|Dexterity|Constitution|Intelligence|Wisdom|Charisma) Saving Throw: ?DC (\d+)\.?"
    )
    text.take(r"(?:First )?Failure:?")
    if one is None:
        return []
    clauses = [f"{one[1][:3].lower()} {one[2]}"]
    second = text.take(
        r"The target repeats the save at the end of its next turn if it is still Restrained, ending the"
        r" effect on"
        r" itself on a success\. Second Failure:? *The target has the (\w+) condition, instead of the"
        r" Restrained"
        r" condition"
    )
    if second:
        clauses += ["repeats", f"then {second[1].lower()}"]
    return clauses


# --- Actions with a saving throw

WHOM: Final[tuple[tuple[str, Callable[[re.Match[str]], str]], ...]] = (
    (
        rf"{IT} moves up to its Speed without provoking Opportunity Attacks and can move through the"
        rf" spaces of {SIZE} or smaller creatures\. Each creature whose space {IT} enters is targeted once"
        r" by the following effect\.",
        lambda one: f"path; moves full; free; to {one[1].lower()}",
    ),
    (
        r"each (creature(?: that isn't an Undead)?(?: that isn't currently affected by this breath)?"
        r"|enemy|creature and each object that isn't being worn or carried)"
        r" in an? (\d+)-foot Cone( that can see [\w' -]+ and isn't an Undead)?",
        lambda one: (
            f"cone {one[2]}"
            + ("; but undead" if "Undead" in one[0] else "")
            + ("; only enemies" if one[1] == "enemy" else "")
        ),
    ),
    (
        r"each creature in an? (\d+)-foot-long, (\d+)-foot-wide Line",
        lambda one: f"line {one[1]} {one[2]}",
    ),
    (
        rf"each (creature(?: that isn't an Undead)?|enemy) in a (\d+)-foot Emanation originating from {IT}"
        rf"(?: that can see {IT}| at its destination space| while it is underwater)?(?=[.,|]|$)",
        lambda one: (
            f"emanation {one[2]}"
            + ("; only enemies" if one[1] == "enemy" else "")
            + ("; but undead" if "Undead" in one[1] else "")
        ),
    ),
    (
        rf"each (creature|enemy) in"
        rf" a (\d+)-foot-radius(?:, \d+-foot-high)? (Sphere|Cylinder) *(?:Sphere|Cylinder)? *"
        rf"(?:centered on|originating from) (?:a|that) point(?: (?:{IT} can see )?within (\d+) feet)?",
        lambda one: (
            f"{one[3].lower()} {one[2]} within {one[4] or 'POINT'}"
            + ("; only enemies" if one[1] == "enemy" else "")
        ),
    ),
    (
        rf"each creature Grappled by {IT}(?=[.,|]|$)",
        lambda one: "emanation 60; only grappled",
    ),
    (
        rf"(?:each|one) (?:{SIZE} or smaller )?creature in {IT}'s space",
        lambda one: "space" + (f"; to {one[1].lower()}" if one[1] else ""),
    ),
    (
        rf"one (?:{SIZE} or smaller )?creature Grappled by {IT}(?: \([^)]*\))?(?=[.,|]|$)",
        lambda one: "within 60; only grappled" + (f"; to {one[1].lower()}" if one[1] else ""),
    ),
    (
        rf"one creature within (\d+) feet that is Charmed or Grappled by {IT}(?=[.,|]|$)",
        lambda one: f"within {one[1]}; only charmed, grappled",
    ),
    (
        rf"one creature Charmed by {IT} within (\d+) feet",
        lambda one: f"within {one[1]}; only charmed",
    ),
    (
        r"one creature within (\d+) feet that has the Prone condition",
        lambda one: f"within {one[1]}; only prone",
    ),
    (
        r"one creature within (\d+) feet that is willing or that has the Grappled, Incapacitated, or"
        r" Restrained condition",
        lambda one: f"within {one[1]}; only helpless",
    ),
    (
        rf"one Frightened creature {IT} can see within (\d+) feet",
        lambda one: f"within {one[1]}; only frightened",
    ),
    (
        rf"one (?:{SIZE} or smaller )?creature(?: {IT} can see)? within (\d+) feet(?: that {IT} can"
        rf" see| of itself)?"
        rf"(?: {IT} can see)?(?= \(|[.,|]|$)",
        lambda one: f"within {one[2]}" + (f"; to {one[1].lower()}" if one[1] else ""),
    ),
    (
        rf"one Humanoid {IT} can see within (\d+) feet",
        lambda one: f"within {one[1]}; only humanoid",
    ),
)
"""The targets of a saving throw, each with its clauses."""


def begun(entry: Entry, found: Reading) -> tuple[Text, str, list[str]]:
    """Return the text of an action to be read, its plain name, and how often it can be used."""
    text, clauses = Text(re.sub(r"\*", "", entry.text)), limits(entry, found)
    if text.take(rf"{IT} can't take this action again until the start of its next turn"):
        clauses.append("once a round")
    return text, plain_name(entry.name), clauses


def read_save(entry: Entry, found: Reading) -> None:
    """Read an action with a saving throw."""
    text, name, clauses = begun(entry, found)
    several = len(re.findall(r"Saving Throw", text.left)) > 1
    whom = next((made(one) for pattern, made in WHOM if (one := text.take(pattern))), "")
    if not whom or several or UNREADABLE.search(text.left):
        found.note(entry, entry.text, "this action is not read")
        return
    finish_save(
        entry,
        found,
        text,
        "; ".join([f"{name}: {whom}" if not clauses else f"{name}: {'; '.join(clauses)}; {whom}"]),
    )


def finish_save(entry: Entry, found: Reading, text: Text, begun: str) -> bool:
    """Read the save and what follows from it, and add the action; return that it was read."""
    text.left = re.sub(r"\*", "", text.left)
    if begun.endswith(": death"):
        whom = next((made(one) for pattern, made in WHOM if (one := text.take(pattern))), "")
        begun = f"{begun}; {whom}"
    save = text.take(
        r"(Strength|Dexterity|Constitution|Intelligence|Wisdom|Charisma) Saving Throw: ?DC (\d+)"
    )
    cut_off(text, entry, found)
    if "POINT" in begun:
        point = text.take(rf"{IT} hurls [\w ]+ at a point it can see within (\d+) feet\.?")
        begun = begun.replace("POINT", point[1] if point else "120")
    clauses = [begun]
    if save:
        clauses.append(f"{save[1][:3].lower()} {save[2]}")
    if text.take(r"Success:? *Half damage(?: only)?"):
        clauses.append("half")
    if text.take(r"Success:? *The target is immune to this [\w' -]+? for (?:the next )?24 hours"):
        clauses.append("resisted once")
    text.take(r"If [\w' -]+ sees its reflection (?:with)?in the Cone, [\w' -]+ must make this save\.")
    second = text.take(
        r"Second Failure:? *The target has the (\w+) condition(,? instead of the Restrained condition)?"
    )
    if second:
        clauses.append(f"then {second[1].lower()}")
        text.take(
            r"and repeats the save at the end of its next turn if it is still Restrained, ending the"
            r" effect on itself on a success"
        )
        late = text.take(r", (?:at which point it|when it) repeats the save")
        if late or "restrained" in text.left.lower():
            clauses.append("repeats")
        if text.take(
            r",? ?and it repeats the save at the end of each of its turns, ending the effect on itself on a"
            r" success\. After 1 minute, it succeeds automatically"
        ):
            clauses.append("again")
    if swallow := swallow_of(text):
        clauses += swallow
    text.take(r"(?:First )?Failure:? *")
    harm = text.take(rf"(?<=\|) *{HARM}(?: plus {HARM})?")
    if harm:
        clauses.append(dice(harm) + (f", {dice(harm, 4)}" if harm[4] else ""))
    if kills := text.take(
        r"If (?:the target|the creature) has (\d+) Hit Points or fewer, it (?:dies|drops to 0 Hit Points)\."
        rf" (?:Otherwise, the target takes|It otherwise takes) {HARM}(?: plus {HARM})?"
    ):
        clauses += [f"kills {kills[1]}", dice(kills, 2) + (f", {dice(kills, 5)}" if kills[5] else "")]
    riders = riders_of(text, entry, found)
    text.take(r"Failure or Success:?")
    if not (harm or kills or riders or swallow):
        found.note(entry, entry.text, "no rule plays this action")
        return True
    found.actions.append("; ".join(one for one in (*clauses, *riders) if one))
    return finish(entry, found, text)


def swallow_of(text: Text) -> list[str]:
    """Return the clauses of swallowing: conditions, damage, what it takes to be spat out."""
    release = text.take(
        rf"If {IT} takes (\d+) damage or more on a single turn from [\w' -]+?, {IT} must succeed on a"
        rf" DC (\d+)"
        r" Constitution saving throw at the end of that turn or regurgitate [^.]*\."
    )
    corpse = text.take(
        r"If [\w' -]+ dies, an?y? swallowed creature (?:is no longer Restrained|no longer has the Restrained"
        r" condition) and can escape from the corpse (?:by )?using (\d+) feet of movement, exiting Prone"
    )
    if not release or not corpse:
        return []
    holds = re.search(r"up to (\w+) creatures? swallowed at a time", text.whole)
    most = {"two": 2, "three": 3, "four": 4, "six": 6}.get(holds[1].lower(), 1) if holds else 1
    clauses = [f"swallow {release[1]} {release[2]} {corpse[1]} {most}"]
    text.take(r"\([^)|]*\|[^)]*\)")
    text.take(
        rf"(?:{IT} swallows the target, which is no longer Grappled|The target is"
        rf" swallowed(?: by {IT})?, and the"
        r" Grappled condition ends|If the target is Large or smaller, it is swallowed and no longer"
        r" Grappled)\."
    )
    if one := text.take(
        rf"(?:While swallowed, a|A swallowed) creature has the {CONDITION}(?: and {CONDITION})? conditions?"
    ):
        clauses.append(f"with {', '.join(name.lower() for name in one.groups() if name)}")
    text.take(
        r",? ?(?:and can't teleport)?,? ?(?:it )?has Cover *Total Cover against attacks and other"
        r" effects outside [\w' -]+?,"
    )
    if one := text.take(
        rf"(?:and )?(?:it )?takes {HARM}(?: plus {HARM})? at the start of each of (its|{IT}'s) turns"
    ):
        word = "each turn" if one[7].lower() == "its" else "each own"
        clauses.append(f"{word} {dice(one)}" + (f", {dice(one, 4)}" if one[4] else ""))
    return clauses


# --- Reactions and other actions


def read_reaction(entry: Entry, found: Reading) -> None:
    """Read a Parry; note other reactions."""
    adds = re.search(r"adds (\d+) to its AC against (?:one|that|the)(?: melee)? attack", entry.text)
    if adds:
        found.traits.append(f"parry {adds[1]}")
    else:
        found.note(entry, entry.text, "no rule plays this Reaction")


MOVES: Final[tuple[tuple[str, Callable[[re.Match[str]], str]], ...]] = (
    (
        rf"{IT} (?:can )?(?:moves?|flies|swims) up to (half )?its (Fly |Swim )?Speed( straight toward"
        rf" an enemy it can see)?"
        r"( without provoking Opportunity Attacks)?",
        lambda one: "; ".join(
            part
            for part in (
                f"moves {'half' if one[1] else 'full'}"
                if not one[2]
                else f"moves {'half ' if one[1] else ''}{one[2].strip().lower()}",
                "straight" if one[3] else "",
                "free" if one[4] else "",
            )
            if part
        ),
    ),
    (rf"{IT} jumps up to (\d+) feet by spending 10 feet of movement", lambda one: f"leap {one[1]}"),
    (
        rf"{IT} (?:can )?teleports?(?: itself)? up to (\d+) feet to an unoccupied space (?:it|{IT}) can see",
        lambda one: f"moves teleport {one[1]}",
    ),
    (
        r"(?:,? ?and )?(?:it|the [\w' -]+?) (?:can )?makes? one ([A-Z][\w' -]*?)"
        r"(?: or ([A-Z][\w' -]*?))? attack",
        lambda one: f"makes {', '.join(name.lower() for name in one.groups() if name)}",
    ),
    (rf"{IT} takes the Dash and Disengage actions", lambda one: "takes dash, disengage"),
    (
        r"Immediately after dealing damage to a creature that (?:is|was) already Bloodied,",
        lambda one: "requires mauled",
    ),
    (rf"{IT} uses ([A-Z][\w' -]*?)(?=[.|]|$| and regains)", lambda one: f"follows {one[1].lower()}"),
    (
        rf"(?:and )?(?:it )?regains \d+ \(({ROLL})\) Hit Points",
        lambda one: f"heals {one[1].replace(' ', '')}",
    ),
)
"""The effects of an action without a save, each with its clauses."""


def read_other(entry: Entry, found: Reading) -> None:
    """Read an action of movement and attacks; note one that does something else."""
    text, name, clauses = begun(entry, found)
    done = list[str]()
    for pattern, made in MOVES:
        if one := text.take(pattern):
            done.append(made(one))
    if not done or "on the" in text.rest() or len(text.rest()) > MOST_LEFT:
        found.note(entry, entry.text, "no rule plays this action")
        return
    found.actions.append("; ".join([f"{name}: {'; '.join([*clauses, *done])}"]))
    finish(entry, found, text)


MOST_LEFT: Final = 60
"""Characters that may be left of an action that counts as read."""
