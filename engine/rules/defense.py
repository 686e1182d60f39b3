"""Defense: the score that an attack must reach, worn armor, cover."""

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.fight.fight import Fight, is_helpless, rule_of
from affray.engine.fight.memory import Same, per_fight
from affray.engine.modifiers import effect_parts
from affray.engine.record.blow import Blow
from affray.engine.record.chapters import Step
from affray.engine.record.compose import when
from affray.engine.rules.classes.abilities import blow_parts, score_changes
from affray.engine.rules.classes.sheets import ability, has_trait
from affray.engine.rules.conditions.conditions import condition_parts
from affray.events.facts.sheet import Modifier
from affray.projections.state import Combatant

# --- The defense that an attack must reach: parts by type, and which are denied, and why

PHYSICAL = frozenset({"armor", "equipment", "shield", "natural"})


def printed_armor_class(fight: Fight, blow: Blow) -> tuple[Modifier, ...]:
    """Return the parts of the target's Armor Class against this attack, the denied ones marked.

    srd35.ac.formula, srd35.ac.touch, srd35.ac.dex-denied, srd35.ac.dodge-bonus.
    """
    target = blow.target
    reason, topic = fight.dialect.defense.dexterity_denied(fight, blow)
    helpless = reason != "" and is_helpless(fight, target)
    return armor_class_parts(
        fight,
        blow,
        Exposure(
            reason,
            topic,
            helpless,
            tuple((item, target.items[item]) for item in broken_items(target)) if target.items else (),
            fight.dialect.defense.dexterity_cap(fight, target),
            next((name for name in target.conditions if rule_of(fight, name).shieldless), ""),
            score_changes(fight, target, "dex", "defense"),
        ),
    )


class Exposure(Struct, frozen=True, gc=False):
    """Changes of a target's defense beyond its sheet.

    Why its Dexterity bonus is denied, and the topic of the rule; whether it is helpless; which of its items
    are broken or off, and their states; how much Dexterity counts, and why; which condition denies its
    shield; what has changed its Dexterity.
    """

    reason: str
    topic: str
    helpless: bool
    ruined: tuple[tuple[str, str], ...]
    cap: tuple[int | None, str, str]
    bare: str
    shifted: tuple[Step, ...]


@per_fight(Same("blow.target.sheet"), "blow.intent.touch", "exposure", "exposure.helpless and blow.melee")
def armor_class_parts(fight: Fight, blow: Blow, exposure: Exposure) -> tuple[Modifier, ...]:
    """Return the parts of the target's Armor Class under this exposure to such an attack.

    futurepath.attack.touch, futurepath.defense.formula, futurepath.table.size-modifiers, pf1.ac.formula,
    pf1.size.table, pf1.touch.ac-excludes.
    """
    reason, topic, helpless = exposure.reason, exposure.topic, exposure.helpless
    cap, bare, shifted = exposure.cap, exposure.bare, exposure.shifted
    ruined = dict(exposure.ruined)
    sheet = blow.target.sheet
    rule = fight.rule("ac.formula")
    parts = [Modifier(fight.figure("ac.formula", "base"), "base", "base", rule)]
    for bonus in sheet.armor:
        denied = ""
        lost = bonus.value > 0  # a rule that denies bonuses leaves penalties
        if lost and blow.intent.touch and bonus.kind in PHYSICAL:
            denied = f"touch attack: {bonus.kind} does not count ({fight.rule('ac.touch')})"
        elif bonus.source in ruined:
            denied = f"the {bonus.source} is {ruined[bonus.source]}"
        elif lost and reason and bonus.kind == "dodge":
            denied = f"{reason}: dodge bonuses denied ({fight.rule(topic)})"
        elif lost and bare and bonus.kind == "shield":
            denied = f"{bare}: a shield does not count ({fight.rule(rule_of(fight, bare).topic)})"
        parts.append(Modifier(bonus.value, bonus.kind, bonus.source or bonus.kind, rule, denied))
    dexterity = ability(sheet, "dex")
    if shifted and not helpless:
        denial = f"{reason}: Dexterity bonus denied ({fight.rule(topic)})" if reason else ""
        parts += shifted_dexterity(dexterity, cap[0], shifted, rule, denial)
    elif dexterity:
        if helpless:
            pass
        elif reason and dexterity > 0:
            denied = f"{reason}: Dexterity bonus denied ({fight.rule(topic)})"
            parts.append(Modifier(cap_dexterity(dexterity, cap[0]), "ability", "Dexterity", rule, denied))
        elif cap[0] is not None and dexterity > cap[0]:
            source = f"Dexterity ({cap[1]} allows {cap[0]} of {dexterity})"
            parts.append(Modifier(cap[0], "ability", source, cap[2] or rule))
        else:
            parts.append(Modifier(dexterity, "ability", "Dexterity", rule))
    if helpless:
        parts += fight.dialect.defense.helpless_dexterity(fight, blow)
    size = fight.figure("size.attack-ac-table", sheet.size.capitalize())
    if size:
        parts.append(Modifier(size, "size", sheet.size, fight.rule("size.attack-ac-table")))
    return tuple(parts)


def shifted_dexterity(
    dexterity: int, cap: int | None, shifted: tuple[Step, ...], rule: str, denial: str
) -> list[Modifier]:
    """Return the parts of a Dexterity that differs from the printed one: that, and the change of each cause.

    If the bonus is denied, the rest of it is; a penalty stays.
    """
    last = shifted[-1]
    if denial and last.after > 0:
        return [Modifier(cap_dexterity(last.after, cap), "ability", "Dexterity", rule, denial)]
    if denial:
        return [Modifier(last.after, "ability", last.source, last.rule)] if last.after else []
    parts = [Modifier(cap_dexterity(dexterity, cap), "ability", "Dexterity", rule)] if dexterity else []
    for step in shifted:
        change = cap_dexterity(step.after, cap) - cap_dexterity(step.before, cap)
        if change:
            parts.append(Modifier(change, "ability", step.source, step.rule))
    return parts


def broken_items(combatant: Combatant) -> frozenset[str]:
    """Return the items of a combatant that are broken, off or gone and no longer protect it."""
    return frozenset(
        item for item, state in combatant.items.items() if state in ("broken", "doffed", "dropped", "gone")
    )


def worn_cap(combatant: Combatant) -> int | None:
    """Return how much Dexterity counts with a combatant's present armor; None for all of it."""
    cap, worn = combatant.sheet.max_dex, combatant.sheet.worn
    if all(cap != one.max_dex for one in worn):
        return cap
    gone = broken_items(combatant)
    return min(
        (one.max_dex for one in worn if one.max_dex is not None and one.name not in gone), default=None
    )


def cap_dexterity(dexterity: int, cap: int | None) -> int:
    """Return the Dexterity modifier as far as armor lets it count."""
    return dexterity if cap is None else min(dexterity, cap)


def armor_cap(fight: Fight, combatant: Combatant) -> tuple[int | None, str, str]:
    """Return how much Dexterity counts, what limits it, and its rule ("": that of the defense)."""
    return worn_cap(combatant), "armor", ""


def helpless_dexterity(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the modifier of a Dexterity of 0, which the helpless have (srd35.helpless.dex)."""
    return [fight.modifier("helpless.dex", "dex_modifier", kind="ability", source="helpless: Dexterity 0")]


def deny_dexterity(parts: tuple[Modifier, ...], why: str) -> tuple[Modifier, ...]:
    """Return the parts of a defense with the rest of its Dexterity denied: it counts as 0 in a different
    part.
    """
    return tuple(
        replace(part, denied=why) if part.kind == "ability" and not part.denied else part for part in parts
    )


def dexterity_denied(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return why the target loses its Dexterity bonus, and the topic of the rule; ("", "") if not.

    Before its first turn a combatant is flat-footed unless it has uncanny dodge; conditions of either side
    may deny it too (srd35.flat-footed.start, srd35.ac.dex-denied,
    futurepath.modifier.attacker-invisible-denies-dex).
    """
    target = blow.target
    uncanny = fight.dialect.defense.uncanny_dodge
    if not target.acted and not uncanny(fight, target):
        return "flat-footed", "flat-footed.start"
    for name in target.conditions:
        rule = rule_of(fight, name)
        if not rule.dexterity and not (rule.off_guard and uncanny(fight, target)):
            return name, rule.dexterity_topic or rule.topic
    unseen = "invisible" in blow.attacker.conditions and "blinded" not in target.conditions
    if unseen and not uncanny(fight, target):
        return "attacker unseen", "attack-mod.invisible"
    return explain_unaware_of_blow(blow)


def explain_unaware_of_blow(blow: Blow) -> tuple[str, str]:
    """Return what leaves the target unaware of a melee blow, and the topic of the rule; ("", "") if
    nothing.
    """
    for effect in blow.attacker.effects:
        if effect.stat == "denies-dexterity" and blow.melee and effect.against in ("", blow.target.id):
            return effect.modifier.source, "ac.dex-denied"
    return "", ""


def uncanny_by_trait(fight: Fight, combatant: Combatant) -> bool:
    """Return whether the sheet gives uncanny dodge."""
    return has_trait(combatant, "uncanny dodge")


def cover_and_conditions(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the modifiers of the target's defense from cover and from conditions."""
    target = blow.target
    parts = fight.dialect.defense.cover(fight, blow)
    if target.conditions:
        parts += condition_parts(fight, target, "defense.melee" if blow.melee else "defense.ranged")
    return parts


def effects_on_defense(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the modifiers of the target's defense from temporary effects; dodge bonuses are lost with
    Dexterity.
    """
    parts = []
    reason, topic = fight.dialect.defense.dexterity_denied(fight, blow)
    for part in effect_parts(blow.target, "defense", blow.attacker.id):
        if reason and part.kind == "dodge" and part.value > 0:
            denied = f"{reason}: dodge bonuses denied ({fight.rule(topic)})"
            part = Modifier(part.value, part.kind, part.source, part.rule, denied)
        parts.append(part)
    return parts


def features_on_defense(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the modifiers of the target's defense from feats, class abilities and special qualities."""
    return blow_parts(fight, blow, "defense")


TARGET_STATE: Final = (cover_and_conditions, when("target.effects", effects_on_defense), features_on_defense)
"""Modifiers of the target's defense from position and state: the first stages of d20 dialects."""


def worse_of_helpless_and_prone(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of the defense; of prone and helpless, perhaps only the worse counts.

    Option `helpless_and_prone`. With it, being prone never makes the helpless harder to hit
    (srd35.ac-mod.helpless, srd35.ac-mod.prone, pf1.ac-mod.table).
    """
    if fight.option("helpless_and_prone") != "worse-alone" or not is_helpless(fight, blow.target):
        return parts
    why = "helpless: the worse alone counts"
    return [
        replace(part, denied=why) if part.source == "prone" and not part.denied else part for part in parts
    ]


# --- Enhancement bonuses of armor, shields and natural armor: each raises the bonus of its item

ENHANCED: Final = "enhancement to "
#: Bonuses to Armor Class that an enhancement can raise.
RAISED: Final = ("armor", "shield", "natural")


def enhanced_armor(fight: Fight, blow: Blow, parts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return the parts of Armor Class, each raised by its enhancement.

    A bonus of the kind "enhancement to armor" (shield, natural) with the armor's name raises that armor's
    bonus; two armor bonuses do not add up (srd35.bonus.enhancement-armor, pf1.ac.enhancement).
    """
    for part in parts:
        if part.kind.startswith(ENHANCED):
            return raise_by_enhancement(fight, parts)
    return parts


@per_fight("parts")
def raise_by_enhancement(fight: Fight, parts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return the parts with every enhancement added to the bonus that it raises, the best of several."""
    rule = fight.rule("bonus.enhancement-armor")
    made = []
    for part in parts:
        if part.kind.startswith(ENHANCED):
            continue
        plus = [
            one.value
            for one in parts
            if one.kind == f"{ENHANCED}{part.kind}" and one.source in (part.source, one.kind)
        ]
        if part.kind in RAISED and plus:
            source = f"{part.source} enhanced by {max(plus)}"
            part = Modifier(part.value + max(plus), part.kind, source, rule, part.denied)
        made.append(part)
    return tuple(made)


# --- Armor made of force, recognized by the source of a part of Armor Class
# srd35.ac.incorporeal-touch, pf1.touch.incorporeal-vs-force.

#: Sources of an armor bonus of force, by the examples of the rules.
EXAMPLES: Final = ("mage armor", "bracers of armor")


def is_of_force(source: str) -> bool:
    """Return whether the source of a bonus is made of force: by its name, or by the word in it."""
    name = source.casefold()
    return "force" in name.replace("(", " ").replace(")", " ").split() or any(one in name for one in EXAMPLES)
