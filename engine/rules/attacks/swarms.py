"""Swarms: one creature made of very many, which strikes by being where its victims are.

srd35.swarm, pf1.creature.swarm.
"""

from msgspec.structs import replace

from affray.engine.fight.fight import Fight, is_down
from affray.engine.record.blow import Harm
from affray.engine.rules.attacks.swarm_prohibitions import TOPIC
from affray.engine.rules.classes.ability_modifiers import has_trait
from affray.engine.rules.classes.ability_scores import ability_now
from affray.engine.rules.classes.levels import character_level
from affray.engine.rules.classes.saves_and_checks import saving_throw
from affray.engine.rules.conditions.immunities import spared_fortitude
from affray.engine.rules.damage.weapon_damage import amount_dealt
from affray.engine.rules.position.occupants import occupants
from affray.engine.rules.turns.expiry import for_rounds
from affray.engine.steps import Roll, Steps
from affray.events.facts.combat import ConditionGained, DamagePart
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant

EDGED = ("slashing", "piercing")


def swarm_resists(fight: Fight, harm: Harm, detail: str) -> tuple[int, str]:
    """Return what harm leaves of itself in a swarm, and why; "" where the swarm changes nothing.

    Weapons do nothing to creatures as small as Diminutive and half to Tiny ones if they cut or pierce;
    areas do half as much again.
    """
    size = harm.target.sheet.size
    left, why = harm.amount, ""
    if harm.area:
        left, why = int(harm.amount * fight.figure(TOPIC, "area_multiplier")), "an area, to a swarm"
    elif harm.weapon is not None and size in ("fine", "diminutive"):
        left, why = 0, f"weapons do nothing to a swarm of {size} creatures"
    elif harm.weapon is not None and harm.damage_type in EDGED:
        share = fight.figure(TOPIC, "tiny_slash_pierce")
        left, why = int(harm.amount * share), f"{harm.damage_type} does half to a swarm"
    if why:
        harm.reduced_by += (fight.rule(TOPIC),)
    return left, why


def swarm_can_harm(fight: Fight, combatant: Combatant) -> bool:
    """Say whether a creature is a swarm that can harm those in whose space it is."""
    return has_trait(combatant, TOPIC) and not is_down(fight, combatant)


def swarm_damage_to_all(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Let a swarm harm all in whose space it is as its turn ends.

    No attack is rolled: damage by Hit Dice, and a Fortitude save against being nauseated for a round.
    """
    for victim in occupants(fight, combatant, combatant.at):
        yield from swarm_damage(fight, combatant, victim)


def swarm_damage(fight: Fight, attacker: Combatant, victim: Combatant) -> Steps[None]:
    """Let a swarm do its damage to one creature in its space."""
    rule = fight.rule(TOPIC)
    dice = swarm_dice(fight, attacker)
    rolled = yield Roll(attacker.id, TOPIC, dice)
    harm = Harm(victim, rolled.total, "swarm", f"{attacker.id}'s swarm", attacker)
    part = DamagePart(dice, rolled.key, rolled.total, "swarm", TOPIC)
    yield replace(amount_dealt(fight, harm, (part,), rule), weapon=TOPIC)
    yield from fight.dialect.damage.suffer(fight, harm)
    if harm.amount <= 0 or is_down(fight, victim):
        return
    if (yield from spared_fortitude(fight, victim, f"{attacker.id}'s distraction")):
        return
    dc = (
        int(fight.figure(TOPIC, "nauseate_dc"))
        + character_level(attacker) // 2
        + ability_now(fight, attacker, "con")
    )
    if not (yield from saving_throw(fight, victim, "fort", dc, f"{attacker.id}'s distraction", rule)):
        until = for_rounds(fight, attacker, int(fight.figure(TOPIC, "nauseated_rounds")))
        fact = ConditionGained(
            who=victim.id, condition="nauseated", source=attacker.id, until=until, cites=(rule,)
        )
        yield from fight.dialect.conditions.gain(fight, fact)


def swarm_dice(fight: Fight, combatant: Combatant) -> str:
    """Return the damage of a swarm of so many Hit Dice: the last row that begins with no more."""
    rows = fight.figure(TOPIC, "damage")
    return next(
        str(rows[row])
        for row in sorted(rows, key=first_of, reverse=True)
        if first_of(row) <= max(1, combatant.sheet.hit_dice)
    )


def first_of(row: str) -> int:
    """Return the least number of Hit Dice that a row such as "6-10" is for."""
    return int(row.split()[0].split("-")[0].rstrip("+"))


def hindering_swarms(fight: Fight, caster: Combatant, spell: Spell) -> list[tuple[str, str, int]]:
    """Return how a swarm around a caster makes casting hard (pf1.creature.swarm)."""
    around = [one for one in occupants(fight, caster, caster.at) if one.side != caster.side]
    if not any(swarm_can_harm(fight, one) for one in around):
        return []
    return [("in a swarm", TOPIC, int(fight.figure(TOPIC, "casting_dc")) + spell.level)]
