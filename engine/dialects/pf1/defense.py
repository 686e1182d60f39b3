"""Defense: the score that an attack must reach, worn armor, cover."""

from typing import Final

from msgspec.structs import replace

from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.record.blow import Blow, Harm, SaveMade
from affray.engine.rules.attacks.miss_chance import percent_roll
from affray.engine.rules.classes.abilities import ability_now
from affray.engine.rules.classes.checks import Spared
from affray.engine.rules.classes.sheets import INCORPOREAL, ability, is_a
from affray.engine.rules.damage.recovery_and_riders import is_enhanced
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts.sheet import Modifier, Spell, Weapon
from affray.projections.state import Combatant

# --- Armor Class in pf1: the rules on its parts, and on denied ones (pf1.ac.*)

#: The kinds of bonus other than armor, shield and Dexterity, in the sheet's parts.
OTHERS = ("deflection", "natural", "dodge", "size")


def cap_of_armor(
    fight: Fight, combatant: Combatant, found: tuple[int | None, str, str]
) -> tuple[int | None, str, str]:
    """Return how much Dexterity counts, what limits it, and its rule (pf1.ac.armor-dex-cap)."""
    cap, source, rule = found
    return cap, source, rule or fight.rule("pf1.ac.armor-dex-cap")


def cite_parts(fight: Fight, blow: Blow, parts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return the parts of Armor Class, citing the rules on their kinds, and on denied ones.

    pf1.ac.other-modifiers, pf1.ac.dex-denied, pf1.ac.dex-denied-without-bonus, pf1.ac.dodge-lost-with-dex,
    pf1.ac.dodge-not-armor-capped, pf1.ac.dodge-stacks.
    """
    target, topics = blow.target, list[str]()
    dodges = [part for part in parts if part.kind == "dodge" and part.value > 0]
    dodges += [
        one.modifier
        for one in target.effects
        if (one.stat, one.modifier.kind) == ("defense", "dodge") and one.modifier.value > 0
    ]
    dexterity = ability(target.sheet, "dex")
    cap = fight.dialect.defense.dexterity_cap(fight, target)[0]
    if fight.dialect.defense.dexterity_denied(fight, blow)[0]:
        if not is_helpless(fight, target):
            topics.append("pf1.ac.dex-denied" if dexterity > 0 else "pf1.ac.dex-denied-without-bonus")
        topics += ["pf1.ac.dodge-lost-with-dex"] if dodges else []
    else:
        topics += ["pf1.ac.dodge-stacks"] if len(dodges) > 1 else []
        topics += ["pf1.ac.dodge-not-armor-capped"] if dodges and cap is not None and dexterity >= cap else []
    if dodges or any(part.kind in OTHERS for part in parts):
        topics.append("pf1.ac.other-modifiers")
    blow.cites += fight.rules(*topics)
    return parts


def around_corners(
    fight: Fight, target: Combatant, cover: tuple[Modifier, ...]
) -> Steps[tuple[Modifier, ...]]:
    """Return the cover that a spread leaves, which may go round it: the game master decides.

    pf1.cover.reflex.
    """
    rule = fight.rule("pf1.cover.reflex")
    question = f"does the spread go round the cover of {target.id}?"
    if (yield Choice("", "spread", question, ("around", "stopped"), rule)) != "around":
        return cover
    return tuple(replace(part, denied=f"the spread goes round it ({rule})") for part in cover)


def cite_start_of_battle(fight: Fight, blow: Blow) -> None:
    """Cite the rule on being flat-footed before the first turn, and its exceptions.

    pf1.flat-footed.when, pf1.flat-footed.uncanny-dodge.
    """
    ready = fight.dialect.defense.uncanny_dodge(fight, blow.target)
    blow.cites.append(fight.rule("pf1.flat-footed.uncanny-dodge" if ready else "pf1.flat-footed.when"))


# --- Damage to incorporeal creatures: magic half, force and the like all of it (pf1.cond.incorporeal)

TOPIC: Final = "pf1.cond.incorporeal"
BODILESS: Final = "pf1.creature.incorporeal"
#: Weapon traits that fully affect the incorporeal.
TOUCHING: Final = frozenset({"force", "ghost touch"})
#: Damage that is no spell and no weapon, and fully affects them.
CHANNELED: Final = "channel energy"


def is_magic(fight: Fight, weapon: Weapon) -> bool:
    """Return whether a weapon is magic: by its enhancement bonus, its trait, or as a spell."""
    return is_enhanced(fight, weapon) or "magic" in weapon.traits or weapon.family == "spell"


def goes_through(fight: Fight, attacker: Combatant, target: Combatant, weapon: Weapon) -> bool:
    """Return whether a maneuver fails because one of the two is incorporeal.

    Magic weapons affect the incorporeal; the incorporeal can only move a corporeal target with weapons that
    affect both.
    """
    if is_a(target, INCORPOREAL) == is_a(attacker, INCORPOREAL) or not TOUCHING.isdisjoint(weapon.traits):
        return False
    return is_a(attacker, INCORPOREAL) or not is_magic(fight, weapon)


def refuse_to_handle(fight: Fight, attacker: Combatant, target: Combatant, weapon: Weapon) -> None:
    """Refuse to trip, hold or push if one of the two is incorporeal.

    An incorporeal target by attackers without magic (pf1.cond.incorporeal), a corporeal one by the
    incorporeal (pf1.creature.incorporeal).
    """
    if goes_through(fight, attacker, target, weapon):
        if is_a(attacker, INCORPOREAL):
            reason = f"{attacker.id} has no body to move or handle {target.id} with"
            raise Refusal(reason, fight.rule(BODILESS))
        reason = f"{target.id} has no body, and the {weapon.name} is not magic"
        raise Refusal(reason, fight.rule(TOPIC))


def strikes_wholly(harm: Harm) -> bool:
    """Return whether damage fully affects the incorporeal: by an incorporeal attacker, of force,
    channeled.
    """
    if harm.attacker is not None and is_a(harm.attacker, INCORPOREAL):
        return True
    if harm.damage_type == "force" or harm.source == CHANNELED:
        return True
    return harm.weapon is not None and not TOUCHING.isdisjoint(harm.weapon.traits)


def without_body(fight: Fight, harm: Harm, found: tuple[int, str]) -> tuple[int, str]:
    """Return the damage to an incorporeal target: none without magic, otherwise half, and why.

    pf1.cond.incorporeal.
    """
    left, why = found
    if strikes_wholly(harm):
        return found
    harm.reduced_by += fight.rules(TOPIC)
    magic = harm.energy if harm.weapon is None else is_magic(fight, harm.weapon)
    share = fight.figure(TOPIC, "damage") if magic else 0
    told = "incorporeal: half" if magic else "incorporeal: no harm without magic"
    return int(left * share), "; ".join(filter(None, (why, told)))


def spell_passes_through(fight: Fight, caster: Combatant, spell: Spell, target: Combatant) -> Steps[bool]:
    """Return whether a spell without damage passes through the incorporeal: half the time, from a corporeal
    caster.

    pf1.cond.incorporeal.
    """
    if spell.damage or spell.healing or is_a(caster, INCORPOREAL) or spell.damage_type == "force":
        return False
    percent, rule = int(fight.figure(TOPIC, "others_pct")), fight.rule(TOPIC)
    return (yield from percent_roll(target, INCORPOREAL, percent, f"{percent}% to pass through", rule))


# --- A lowered Dexterity whose bonus is denied: the rest counts if it is a penalty


def count_denied_once(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of a defense; what lowers a denied Dexterity takes away no more than is left.

    A bonus of 1 that a condition lowers by 2 is a penalty of 1; one of 3 is none (pf1.ac.dex-denied).
    """
    reason, _ = fight.dialect.defense.dexterity_denied(fight, blow)
    bonus = max(0, ability_now(fight, blow.target, "dex"))
    if not reason:
        return parts
    said = f"{reason}: Dexterity bonus denied ({fight.rule('pf1.ac.dex-denied')})"
    made = []
    for part in parts:
        if part.kind == "ability" and part.value < 0 and not part.denied:
            spared = min(bonus, -part.value)
            bonus -= spared
            if spared == -part.value:
                part = replace(part, denied=said)
            else:
                part = replace(part, value=part.value + spared)
        made.append(part)
    return made


# --- Improved cover (pf1.cover.improved)

IMPROVED_COVER: Final = "pf1.cover.improved"


def evade_behind_cover(fight: Fight, victim: Combatant, save: SaveMade, found: Spared) -> Spared:
    """Return the damage left after a save; improved cover that helped gives improved evasion as well.

    pf1.cover.improved.
    """
    rule = fight.rule(IMPROVED_COVER)
    if save.kind != "ref" or save.on_save != "half" or not any(part.rule == rule for part in save.extra):
        return found
    left = 0 if save.succeeded else save.amount // 2
    return left, f"improved cover: {'no' if save.succeeded else 'half'} damage", (rule,)
