"""Resolve attacks in Futurepath: bonuses, graded situational modifiers, stacking, confirmation."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from affray.engine.dialects.futurepath.conditions import explain_barred_attack
from affray.engine.dialects.futurepath.contested import old_only, situational
from affray.engine.fight.fight import Fight, is_helpless, rule_of
from affray.engine.fight.memory import per_fight
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.kernel.places import distance, next_to
from affray.engine.modifiers import Tally
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.attack_roll import (
    explain_unflankable,
    find_flanking_partner,
    immune_to_criticals,
    is_clear_of_friends,
    is_higher,
    roll_confirmation,
)
from affray.engine.rules.attacks.stacking import GRADES, STACKING, GradingRules, stack_graded, stack_typed
from affray.engine.rules.classes.sheets import has_feat
from affray.engine.rules.conditions.conditions import immunity_to
from affray.engine.rules.position.places import sees
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts.base import JsonObject
from affray.events.facts.combat import ConditionGained, ConditionLost, EffectGained, Until
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Modifier
from affray.projections.state import Combatant

#: Situational kinds: graded by the new rules, added up by the old.
SITUATIONAL = GRADES | {"circumstance"}


def stack(fight: Fight, parts: Sequence[Modifier]) -> Tally:
    """Add up: the largest advantage in full, others halved, at most +12; disadvantages in full.

    By the old rules alone bonuses stack by type (futurepath.advantage.stacking-half, .cap,
    futurepath.disadvantage.stacking-sum, .auto-fail).
    """
    if old_only(fight):
        return stack_typed(
            parts, stacks=STACKING | SITUATIONAL, rule=fight.rule("futurepath.defense.dodge-bonuses")
        )
    return stack_graded(parts, stacks=STACKING, grades=SITUATIONAL, **grading_figures(fight))


@per_fight()
def grading_figures(fight: Fight) -> JsonObject:
    """Return the figures, rules and readings for adding up advantages."""
    one = fight.figure("futurepath.advantage.stacking-rounding", "half_of_one")
    return {
        "cap": fight.figure("futurepath.advantage.cap", "max_total_advantage"),
        "fail_at": fight.figure("futurepath.disadvantage.auto-fail", "auto_fail_at"),
        "divisor": fight.figure("futurepath.advantage.stacking-half", "divisor"),
        "half_of_one": one if fight.option("half_of_minor") == "rounds-up" else 0,
        "rule": fight.rule("futurepath.defense.dodge-bonuses"),
        "below_a_tie_in_full": fight.option("stacking_example") == "printed-example",
        "rules": GradingRules(
            half=fight.rule("futurepath.advantage.stacking-half"),
            cap=fight.rule("futurepath.advantage.cap"),
            fail=fight.rule("futurepath.disadvantage.auto-fail"),
            rounding=fight.rule("futurepath.advantage.stacking-rounding"),
            tie=fight.rule("futurepath.advantage.stacking-equal-highest"),
            sum=fight.rule("futurepath.disadvantage.stacking-sum"),
            apart=fight.rule("futurepath.advantage.no-cancellation"),
        ),
    }


FIREARMS = frozenset({"firearm", "handgun", "longarm"})


def firearm_proficiency(fight: Fight, blow: Blow, parts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return the sheet's bonuses to an attack; firearms need a separate proficiency.

    futurepath.attack.firearm.proficiency; thrown weapons need none
    (futurepath.attack.thrown-explosive.no-nonproficiency covers explosives only).
    """
    if blow.weapon.family not in FIREARMS:
        return parts
    lacking = fight.rule("futurepath.attack.nonproficient")
    firearm = fight.modifier(
        "futurepath.attack.firearm.proficiency", "attack", kind="penalty", source="not proficient"
    )
    return tuple(firearm if part.rule == lacking else part for part in parts)


def height_advantage(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the bonus of higher ground: +1 in melee, none at range.

    .modifier.attacker-higher-ground
    """
    topic, column = "futurepath.modifier.attacker-higher-ground", "melee" if blow.melee else "ranged"
    if not is_higher(fight, blow) or not fight.figure(topic, column):
        return []
    return [situational(fight, topic, column, source="higher ground")]


def confirm(fight: Fight, blow: Blow) -> Steps[bool]:
    """Roll again with the same modifiers; reaching the Defense makes the hit critical.

    futurepath.critical.confirm, .expanded-threat-range, .not-confirmed
    """
    twenty = blow.outcome.natural >= fight.figure("futurepath.attack.natural-20-threat", "face")
    threat = "futurepath.critical.threat-on-20" if twenty else "futurepath.critical.expanded-threat-range"
    cites, failed = (
        fight.rules(threat, "futurepath.critical.confirm"),
        fight.rules("futurepath.critical.not-confirmed"),
    )
    return roll_confirmation(fight, blow, blow.outcome.needed, blow.outcome.defense_parts, cites, failed)


def strength_damage(fight: Fight, blow: Blow, strength: int) -> tuple[int, str, str] | None:
    """Return the Strength modifier to damage: in melee and with thrown weapons only, never for spells.

    Half of a bonus in the off hand, one and a half times in two hands except with a light weapon
    (futurepath.damage.strength-*).
    """
    weapon = blow.weapon
    if weapon.family == "spell" or not (blow.melee or weapon.thrown):
        return None
    if strength <= 0:
        return strength, "Strength", "futurepath.damage.strength-bonus"
    if weapon.off_hand:
        return part_of_strength(fight, strength, "futurepath.damage.strength-off-hand", "off hand")
    if blow.melee and (weapon.hands == 2 or weapon.wield == "two-handed"):
        light = weapon.wield == "light"
        topic = (
            "futurepath.damage.strength-light-two-handed"
            if light
            else "futurepath.damage.strength-two-handed"
        )
        return part_of_strength(fight, strength, topic, "two hands")
    return strength, "Strength", "futurepath.damage.strength-bonus"


def part_of_strength(fight: Fight, strength: int, topic: str, how: str) -> tuple[int, str, str]:
    """Return a part of a Strength bonus by the rule's multiplier, rounded down."""
    hundredths = int(fight.figure(topic, "multiplier") * 100)
    return strength * hundredths // 100, f"Strength ({how})", topic


HOPELESS: Final = "futurepath.disadvantage.no-attack-at-minus-20"


def refuse_hopeless(fight: Fight, blow: Blow) -> None:
    """Refuse an attack whose penalties are too great for an attempt, or that the attacker's cover forbids.

    futurepath.disadvantage.no-attack-at-minus-20, futurepath.cover.gm-extra-restrictions
    """
    reason, topic = why_hopeless(fight, blow)
    if reason:
        raise Refusal(reason, fight.rule(topic))


def why_hopeless(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return that the penalties of an attack are too great for an attempt, or that cover forbids it; ("", "")
    if not.

    futurepath.disadvantage.no-attack-at-minus-20, futurepath.cover.gm-extra-restrictions
    """
    if blow.attacker.conditions and (barred := explain_barred_attack(blow)):
        return barred, "futurepath.cover.gm-extra-restrictions"
    dialect = fight.dialect
    cited, blow.cites = blow.cites, []
    parts = [
        *dialect.attacks.attack_bonus(fight, blow),
        *blow.attack_extra,
        *dialect.attacks.attack_situation(fight, blow),
    ]
    # The roll itself cites again what these cite.
    blow.cites = cited
    if dialect.attacks.stack(fight, parts).burden > fight.figure(HOPELESS, "total"):
        return "", ""
    return explain_hopeless(fight), HOPELESS


def explain_hopeless(fight: Fight) -> str:
    """Return in words why an attack cannot be tried."""
    return f"penalties of {fight.figure(HOPELESS, 'total')} or worse: the attack cannot be tried"


# --- An unaware target next to its attacker: helpless, if the game master decides so

UNAWARE: Final = "futurepath.condition.helpless.unaware-target"
#: Other rulings of the game master, and the rule that keeps the target from being helpless.
UNCAUGHT: Final = {
    "alert": "futurepath.condition.helpless.not-if-alert",
    "precautions": "futurepath.condition.helpless.not-if-precautions",
}
CAUGHT: Final = "helpless"


def can_be_caught_unaware(fight: Fight, blow: Blow) -> bool:
    """Return whether a target may count as helpless because it is unaware of its attacker.

    The attacker is next to it, the target has been surprised and is not in combat yet, and it cannot use its
    Dexterity bonus (futurepath.condition.helpless.unaware-target, .not-if-alert).
    """
    target = blow.target
    if fight.state.round or target.aware or is_helpless(fight, target):
        return False
    return next_to(blow.attacker, target) and bool(fight.dialect.defense.dexterity_denied(fight, blow)[0])


def catch_unaware(fight: Fight, blow: Blow) -> Steps[bool]:
    """Ask the game master whether a surprised target is helpless, and return the ruling.

    A tense situation or any reasonable precaution prevents it (futurepath.condition.helpless.unaware-target,
    .not-if-alert, .not-if-precautions).

    futurepath.condition.helpless.not-if-alert, futurepath.condition.helpless.not-if-precautions.
    """
    attacker, target = blow.attacker.id, blow.target.id
    rule = fight.rule(UNAWARE)
    question = f"is {target}, unaware of {attacker} next to it, helpless?"
    found = yield Choice("", "caught", question, (*UNCAUGHT, CAUGHT), rule)
    if found == CAUGHT:
        source = f"unaware of {attacker}"
        fact = ConditionGained(who=target, condition=CAUGHT, source=source, cites=(rule,))
        yield from fight.dialect.conditions.gain(fight, fact)
        return True
    cites = (rule, fight.rule(UNCAUGHT[found]))
    yield RuleApplied(who=target, what=f"{found}: {target} is not helpless", cites=cites)
    return False


def end_caught_unaware(fight: Fight, target: Combatant, why: str) -> Iterator[ConditionLost]:
    """Yield that a target caught unaware is no longer helpless."""
    held = target.conditions.get(CAUGHT)
    if held is not None and held.source.startswith("unaware of "):
        yield ConditionLost(who=target.id, condition=CAUGHT, why=why, cites=fight.rules(UNAWARE))


# --- Fighting defensively: worse attacks for a better Defense


def fight_defensively(fight: Fight, combatant: Combatant, how: str) -> Iterator[EffectGained]:
    """Take -4 on the attacks of the round for a +2 dodge bonus to Defense.

    futurepath.attack.fighting-defensively.melee, futurepath.attack.fighting-defensively.ranged,
    futurepath.attack.fighting-defensively.full-attack.
    """
    topic = f"attack.fighting-defensively.{how}"
    until = Until("turn-start", combatant.id, fight.state.round + 1)
    for stat, path, kind in (("attack", "attack", "penalty"), ("defense", "defense_dodge", "dodge")):
        yield EffectGained(
            who=combatant.id,
            id=f"{fight.declaration}:{stat}",
            stat=stat,
            modifier=fight.modifier(topic, path, kind=kind, source="fighting defensively"),
            until=until,
            cites=fight.rules(topic),
        )


# --- Shooting into a melee: which combatants are engaged

ENGAGED_DEFINITION: Final = "futurepath.attack.ranged.engaged-definition"
LARGE: Final = "futurepath.attack.ranged.into-melee-large-target"
#: The stat of the effect that records an attacker of an immobile target.
UNDER_ATTACK: Final = "under-attack"
PINNED: Final = "pinned"


def shot_into_melee(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the penalty for shooting at a target engaged in melee with an ally.

    None if a part of the target is far enough from all of them (futurepath.attack.ranged.into-melee,
    futurepath.attack.ranged.into-melee-large-target, futurepath.attack.ranged.engaged-definition).
    """
    attacker, target = blow.attacker, blow.target
    friends = [
        friend
        for friend in fight.state.combatants.values()
        if friend is not attacker
        and friend is not target
        and friend.side == attacker.side
        and is_engaged(fight, friend, target)
    ]
    if not friends or has_feat(attacker, "precise shot"):
        return []
    blow.cites.append(fight.rule(ENGAGED_DEFINITION))
    if is_clear_of_friends(friends, target, fight.figure(LARGE, "distance_ft")):
        blow.cites.append(fight.rule(LARGE))
        return []
    topic, source = "futurepath.attack.ranged.into-melee", f"into melee with {friends[0].id}"
    return [fight.modifier(topic, "attack", kind="penalty", source=source)]


def is_engaged(fight: Fight, one: Combatant, other: Combatant) -> bool:
    """Return whether two combatants are engaged in melee: adjacent enemies, or enemies in one square.

    An immobile combatant is engaged only while it is being attacked
    (futurepath.attack.ranged.engaged-definition).
    """
    if one.side == other.side or distance(one, other) > SQUARE_FT or not sees(fight, one, other):
        return False
    if is_immobile(fight, one):
        return not is_immobile(fight, other) and is_attacking(other, one)
    return not is_immobile(fight, other) or is_attacking(one, other)


def is_immobile(fight: Fight, combatant: Combatant) -> bool:
    """Return whether a combatant is unconscious or otherwise immobilized, including pinned."""
    rules = (rule_of(fight, name) for name in combatant.conditions)
    still = any(rule.actions == "none" and not rule.moves for rule in rules)
    return still or PINNED in combatant.conditions


def is_attacking(attacker: Combatant, target: Combatant) -> bool:
    """Return whether an attacker is attacking an immobile target, or holds it in a pin."""
    if PINNED in target.conditions and target.conditions[PINNED].source == attacker.id:
        return True
    return any(one.stat == UNDER_ATTACK and one.against == attacker.id for one in target.effects)


def note_attack(fight: Fight, blow: Blow) -> Steps[None]:
    """Record, until the attacker's next turn, that it attacks an immobile target.

    futurepath.attack.ranged.engaged-definition
    """
    attacker, target = blow.attacker, blow.target
    if is_attacking(attacker, target) or not is_immobile(fight, target):
        return
    rule = fight.rule(ENGAGED_DEFINITION)
    yield EffectGained(
        who=target.id,
        id=f"{UNDER_ATTACK}:{attacker.id}:{target.id}",
        stat=UNDER_ATTACK,
        modifier=Modifier(0, "untyped", f"attacked by {attacker.id}", rule),
        until=Until("turn-start", attacker.id, fight.state.round + 1),
        against=attacker.id,
        cites=(rule,),
    )


# --- Flanking: an ally directly across the defender that threatens it

FLANKING: Final = "futurepath.attack.flanking"
FLANKING_DEFINITION: Final = "futurepath.modifier.attacker-flanking-definition"
MELEE_ONLY: Final = "futurepath.attack.flanking-melee-only"


def flanking_advantage(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the bonus of flanking in melee, graded by size; by the new table, or by the old rule alone.

    The ally is directly across the defender and threatens it (futurepath.modifier.attacker-flanking,
    futurepath.attack.flanking, futurepath.modifier.attacker-flanking-definition).
    """
    friend = find_flanking_partner(fight, blow)
    if friend is None:
        return []
    blow.cites.append(fight.rule(FLANKING_DEFINITION))
    part = part_of_flanking(fight, friend)
    if (immunity := immunity_to(fight, blow.target, "flanking")) is None:
        return [part]
    blow.cites.append(immunity.rule)
    return [replace(part, denied=explain_unflankable(blow.target, immunity))]


def no_flanking_at_range(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the bonus of flanking, denied for a ranged attack (futurepath.attack.flanking-melee-only)."""
    friend = find_flanking_partner(fight, blow)
    if friend is None:
        return []
    rule = fight.rule(MELEE_ONLY)
    return [replace(part_of_flanking(fight, friend), rule=rule, denied="not at range")]


def part_of_flanking(fight: Fight, friend: Combatant) -> Modifier:
    """Return the bonus of flanking with a friend, by the text in force (futurepath.attack.flanking)."""
    column = "attack" if fight.rule(FLANKING) == FLANKING else "melee"
    return situational(fight, FLANKING, column, source=f"flanking with {friend.id}")


# --- The rules behind an attack roll: abilities and size, Defense, threats

MELEE: Final = "futurepath.attack.strength-modifier-melee"
RANGED: Final = "futurepath.attack.dexterity-modifier-ranged"


def cite_ability_rules(fight: Fight, blow: Blow, parts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return the sheet's bonuses to an attack, its ability under the rule on that ability.

    An ability that replaces Strength by a feat stays under the feat's rule
    (futurepath.attack.strength-modifier-melee, futurepath.attack.dexterity-modifier-ranged).
    """
    formula = fight.rule("futurepath.attack.bonus.melee" if blow.melee else "futurepath.attack.bonus.ranged")
    rule = fight.rule(MELEE if blow.melee else RANGED)
    return tuple(
        replace(part, rule=rule) if part.kind == "ability" and part.rule == formula else part
        for part in parts
    )


def cite_sizes(fight: Fight, blow: Blow) -> None:
    """Cite that size counts both in the attack and in the Defense.

    Vehicles have the sizes of creatures; objects have separate ones (futurepath.size.attack-and-defense,
    futurepath.size.compatible-with-vehicles).
    """
    sheets = blow.attacker.sheet, blow.target.sheet
    if all(sheet.size != "medium" for sheet in sheets):
        blow.cites.append(fight.rule("futurepath.size.attack-and-defense"))
    if any(sheet.size != "medium" and "vehicle" in sheet.traits for sheet in sheets):
        blow.cites.append(fight.rule("futurepath.size.compatible-with-vehicles"))


def rules_of_sum(fight: Fight, topic: str) -> tuple[str, ...]:
    """Return the rule on what the sum of a roll must reach, if that decides (futurepath.defense.meaning)."""
    return fight.rules("futurepath.defense.meaning") if topic == "attack.roll" else ()


def cite_threat(fight: Fight, blow: Blow, natural: int, total: int, needed: int, found: bool) -> bool:
    """Return whether a hit threatens a critical; cite what makes it threaten, or prevents it.

    futurepath.attack.natural-20-threat, futurepath.critical.immunity, futurepath.assumed.spell-criticals
    """
    twenty = natural == fight.figure("futurepath.attack.natural-20-threat", "face")
    if found and twenty:
        blow.cites.append(fight.rule("futurepath.attack.natural-20-threat"))
    elif not found and natural >= blow.weapon.threat and immune_to_criticals(fight, blow):
        blow.cites.append(fight.rule("futurepath.critical.immunity"))
    if found and blow.weapon.family == "spell":
        blow.cites.append(fight.rule("futurepath.assumed.spell-criticals"))
    return found
