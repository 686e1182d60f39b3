"""Attacking in Futurepath: declared attacks, bonuses, graded situation, stacking, confirmation."""

from collections.abc import Sequence
from typing import Any, Final

from affray.engine.dialects.futurepath.contested import old_only, situational
from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import per_fight
from affray.engine.modifiers import GRADES, STACKING, GradingRules, Tally, stack_graded, stack_typed
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.attack_modifiers import is_higher
from affray.engine.rules.attacks.critical_hits import roll_confirmation
from affray.engine.steps import Refusal, Steps
from affray.events.facts.modifier import Modifier

#: Situational kinds: graded by the new rules, added up by the old.
SITUATIONAL = GRADES | {"circumstance"}


def stack(fight: Fight, parts: Sequence[Modifier]) -> Tally:
    """Add up: the largest advantage whole, others halved, at most +12; disadvantages in full.

    By the old rules alone bonuses stack by type (futurepath.advantage.stacking-half, .cap,
    futurepath.disadvantage.stacking-sum, .auto-fail).
    """
    if old_only(fight):
        return stack_typed(
            parts, stacks=STACKING | SITUATIONAL, rule=fight.rule("futurepath.defense.dodge-bonuses")
        )
    return stack_graded(parts, stacks=STACKING, grades=SITUATIONAL, **grading_figures(fight))


@per_fight()
def grading_figures(fight: Fight) -> dict[str, Any]:
    """Return the figures, rules and readings by which advantages are added up."""
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
    """Return what the sheet gives to an attack; firearms have a proficiency of their own.

    futurepath.attack.firearm.proficiency; thrown weapons need none
    (futurepath.attack.thrown-explosive.no-nonproficiency speaks of explosives only).
    """
    if blow.weapon.family not in FIREARMS:
        return parts
    lacking = fight.rule("futurepath.attack.nonproficient")
    firearm = fight.modifier(
        "futurepath.attack.firearm.proficiency", "attack", kind="penalty", source="not proficient"
    )
    return tuple(firearm if part.rule == lacking else part for part in parts)


def height_advantage(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return what higher ground gives: +1 in melee, nothing at range (.modifier.attacker-higher-ground)."""
    topic, column = "futurepath.modifier.attacker-higher-ground", "melee" if blow.melee else "ranged"
    if not is_higher(fight, blow) or not fight.figure(topic, column):
        return []
    return [situational(fight, topic, column, source="higher ground")]


def confirm(fight: Fight, blow: Blow) -> Steps[bool]:
    """Roll again with the same modifiers; reaching the Defense makes the hit critical.

    futurepath.critical.confirm, .expanded-threat-range, .not-confirmed.
    """
    twenty = blow.outcome.natural >= fight.figure("futurepath.attack.natural-20-threat", "face")
    threat = "futurepath.critical.threat-on-20" if twenty else "futurepath.critical.expanded-threat-range"
    cites, failed = (
        fight.rules(threat, "futurepath.critical.confirm"),
        fight.rules("futurepath.critical.not-confirmed"),
    )
    return roll_confirmation(fight, blow, blow.outcome.needed, blow.outcome.defense_parts, cites, failed)


def strength_damage(fight: Fight, blow: Blow, strength: int) -> tuple[int, str, str] | None:
    """Return what Strength adds to damage: in melee and with thrown weapons only, to no spell.

    Half of a bonus in the off hand, one and a half in two hands but not with a light weapon
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
    """Refuse an attack whose penalties are so great that it may not be tried.

    futurepath.disadvantage.no-attack-at-minus-20.
    """
    reason, topic = why_hopeless(fight, blow)
    if reason:
        raise Refusal(reason, fight.rule(topic))


def why_hopeless(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return that the penalties of an attack are so great that it may not be tried; ("", "") if they are not.

    futurepath.disadvantage.no-attack-at-minus-20.
    """
    dialect = fight.dialect
    cited, blow.cites = blow.cites, []
    parts = [
        *dialect.attacks.attack_bonus(fight, blow),
        *blow.attack_extra,
        *dialect.attacks.attack_situation(fight, blow),
    ]
    # What these cite, the roll itself cites again.
    blow.cites = cited
    if dialect.attacks.stack(fight, parts).burden > fight.figure(HOPELESS, "total"):
        return "", ""
    return told_hopeless(fight), HOPELESS


def told_hopeless(fight: Fight) -> str:
    """Return why an attack cannot be tried, in words."""
    return f"penalties of {fight.figure(HOPELESS, 'total')} or worse: the attack cannot be tried"
