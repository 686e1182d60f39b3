"""What rogues learn late: rolling with a blow, crippling strikes, striking whom another has just hit.

srd35.class.rogue-specials.
"""

from affray.engine.dialects.srd35.conditions.ability_loss import lose_ability_points
from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.fight.memory import per_company
from affray.engine.record.blow import Blow, Harm
from affray.engine.rules.classes.ability_modifiers import has_trait
from affray.engine.rules.classes.saves_and_checks import saving_throw
from affray.engine.rules.opportunity.threatened_squares import threatens
from affray.engine.steps import NOTHING, Choice, Steps
from affray.events.facts.combat import ResourceSpent
from affray.events.facts.flow import RuleApplied
from affray.events.wording import counted
from affray.projections.state import Combatant

TOPIC = "srd35.class.rogue-specials"
ROLL, OPPORTUNIST, CRIPPLING = "defensive roll", "opportunist", "crippling strike"


def has_special(fight: Fight, combatant: Combatant, name: str) -> bool:
    """Say whether a rogue of enough levels has one of the special abilities."""
    if not has_trait(combatant, name):
        return False
    return bool(combatant.sheet.classes.get("rogue", 0) >= fight.figure(TOPIC, "level"))


def roll_with(fight: Fight, harm: Harm) -> Steps[None] | None:
    """Return the defensive roll that a blow allows: one that would bring the target to 0 or below.

    Not for who cannot move freely or defend itself with Dexterity, nor more often than a day allows. None for
    no roll.
    """
    combatant = harm.target
    if ROLL not in combatant.sheet.traits or harm.weapon is None or harm.nonlethal or harm.energy:
        return None
    if (
        harm.amount < combatant.hp + combatant.temporary
        or not combatant.acted
        or is_helpless(fight, combatant)
    ):
        return None
    if not has_special(fight, combatant, ROLL) or combatant.resources.get(ROLL, 0) >= fight.figure(
        TOPIC, "rolls_per_day"
    ):
        return None
    if harm.attacker is not None:
        blow = Blow(harm.attacker, combatant, harm.weapon, not harm.ranged, 0)
        if fight.dialect.defense.dexterity_denied(fight, blow)[0]:
            return None
    return defensive_roll(fight, harm)


def defensive_roll(fight: Fight, harm: Harm) -> Steps[None]:
    """Let the target roll with the blow: a Reflex save against the damage halves it."""
    combatant, rule = harm.target, fight.rule(TOPIC)
    question = (
        f"{counted(harm.amount, 'point')} would fell {combatant.id}: does {combatant.id} roll with the blow?"
    )
    if (yield Choice(combatant.id, "defensive-roll", question, ("roll", "take"), rule)) != "roll":
        return
    yield ResourceSpent(who=combatant.id, resource=ROLL, amount=1, cites=(rule,))
    if (yield from saving_throw(fight, combatant, "ref", harm.amount, harm.source, rule)):
        harm.amount //= 2
        harm.cites = (*harm.cites, rule)


def crippling_strike(fight: Fight, blow: Blow, harm: Harm | None, critical: bool) -> Steps[None]:
    """Let a sneak attack that wounds cripple besides (srd35.class.rogue-specials).

    The Strength is lost however the blow was dealt, in melee or from near by, and once a hit: further arrows
    on one roll are no sneak attacks. Nothing of it where the blow does no harm.
    """
    target = blow.target
    if harm is None or "dead" in target.conditions or not has_special(fight, blow.attacker, CRIPPLING):
        return
    rule = fight.rule(TOPIC)
    if harm.amount <= 0:
        what = f"{target.id} is not crippled: no wound"
        soaked = fight.rules("srd35.dr.rider") if harm.soaked else ()
        yield RuleApplied(who=target.id, what=what, cites=(rule, *soaked))
    else:
        points = fight.figure(TOPIC, "strength_damage")
        yield from lose_ability_points(fight, target, "str", points, CRIPPLING, why=rule)


@per_company()
def skilled_opportunists(fight: Fight) -> list[Combatant]:
    """Return those who may strike whom another has hit."""
    skilled = [one for one in fight.state.combatants.values() if OPPORTUNIST in one.sheet.traits]
    return [one for one in skilled if has_special(fight, one, OPPORTUNIST)]


def opportunist_attacks(
    fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool
) -> Steps[None]:
    """Return the attacks that opportunists have on a target hit in melee by another.

    srd35.class.rogue-specials.
    """
    quick: list[Combatant] = fight.memory.company[skilled_opportunists]
    target = blow.target
    ready = quick and [
        one
        for one in quick
        if one is not blow.attacker and one.side != target.side and threatens(fight, one, target)
    ]
    if not ready:
        return NOTHING
    return fight.dialect.opportunity.provoke(
        fight,
        target,
        ready,
        f"was just hit by {blow.attacker.id}",
        f"opportunist:{fight.state.round}",
        fight.rule(TOPIC),
    )
