"""Helping a friend against an opponent."""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow, Intent
from affray.engine.rules.attacks.attack_modifiers import refuse_untargetable
from affray.engine.rules.attacks.critical_hits import reaches_or_natural
from affray.engine.rules.gear.held_weapons import held_weapons, melee_band, strikes_in_melee
from affray.engine.rules.gear.weapons_in_hand import find_weapon, unarmed
from affray.engine.rules.grapple.holds import BETWEEN
from affray.engine.rules.opportunity.threatened_squares import threatens
from affray.engine.rules.position.place import distance, reaches
from affray.engine.rules.turns.action_budget import spending
from affray.engine.rules.turns.sides import refuse_no_friend, refuse_no_opponent
from affray.engine.steps import Refusal, Steps, judged
from affray.events.facts import acts
from affray.events.facts.combat import AttackResolved, EffectGained, Until
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

#: The conditions of which the sources say with whom somebody grapples.
GRAPPLES: Final = ("grappling", "grappled", "holding")


def aid(fight: Fight, act: acts.Aid) -> Steps[None]:
    """Help a friend against an opponent: an attack roll against AC 10 gives +2 (srd35.aid.*).

    The bonus counts for the friend's next attack on that opponent, or against its next attack on the friend,
    before the start of the helper's next turn. Several helpers add up (pf1.aid-another, srd35.aid.benefit).
    """
    actor, friend, opponent = (fight.combatant(id) for id in (act.actor, act.friend, act.opponent))
    refuse_no_friend(actor, friend, fight.rule("aid.action"))
    refuse_no_opponent(actor, opponent, fight.rule("aid.action"))
    weapon = weapon_to_aid_with(fight, actor, opponent, act.weapon, fight.rule("aid.action"))
    if not is_engaged(fight, friend, opponent):
        raise Refusal(f"{opponent.id} is not engaged with {friend.id}", fight.rule("aid.action"))
    rule = fight.rule("aid.action")
    blow = Blow(actor, opponent, weapon, True, distance(actor, opponent), Intent("aid"), cites=[rule])
    refuse_untargetable(fight, blow)
    yield spending(fight, actor, "standard", "aid another", rule)
    success = yield from aid_roll(fight, blow)
    if not success:
        return
    until = Until("turn-start", actor.id, fight.state.round + 1)
    against = opponent.id
    yield EffectGained(
        who=friend.id,
        id=f"{fight.declaration}:aid",
        stat=act.benefit,
        modifier=fight.modifier("aid.benefit", "bonus", kind="circumstance", source=f"aid from {actor.id}"),
        until=until,
        against=against,
        uses=1,
        cites=(fight.rule("aid.benefit"),),
    )


def weapon_to_aid_with(fight: Fight, actor: Combatant, opponent: Combatant, name: str, rule: str) -> Weapon:
    """Return the weapon that is named, else the first in hand, or the bare hand, that reaches an opponent.

    Refuses one that does not strike it in melee from there (srd35.aid.action, pf1.aid-another,
    futurepath.attack.aid-another.precondition).
    """
    meant = [find_weapon(fight, actor, name)] if name else held_weapons(actor) or [unarmed(fight, actor)]
    for weapon in meant:
        if strikes_in_melee(weapon) and reaches(actor, opponent, *melee_band(actor, weapon)):
            return weapon
    if not name:
        raise Refusal(f"{actor.id} is in no position to attack {opponent.id}", rule)
    if not strikes_in_melee(meant[0]):
        raise Refusal(f"the {meant[0].name} is no melee weapon", rule)
    raise Refusal(f"{opponent.id} is out of the {meant[0].name}'s reach", rule)


def is_engaged(fight: Fight, friend: Combatant, opponent: Combatant) -> bool:
    """Say whether one of the two threatens the other, or they grapple.

    srd35.aid.action, pf1.aid-another, pf1.grapple.several.
    """
    held = [friend.conditions[one].source for one in GRAPPLES if one in friend.conditions]
    if any(opponent.id in each.split(BETWEEN) for each in held):
        return True
    return threatens(fight, friend, opponent) or threatens(fight, opponent, friend)


def aid_roll(fight: Fight, blow: Blow) -> Steps[bool]:
    """Roll the attack that aids, against the fixed Armor Class of the rule (srd35.aid.action)."""
    dialect = fight.dialect
    parts = [*dialect.attacks.attack_bonus(fight, blow), *dialect.attacks.attack_situation(fight, blow)]
    tally = dialect.attacks.stack(fight, parts)
    needed = fight.figure("aid.action", "ac")

    def judge(key: str, natural: int) -> AttackResolved:
        total = natural + tally.total
        hit = reaches_or_natural(fight, natural, total, needed)
        return AttackResolved(
            attacker=blow.attacker.id,
            target=blow.target.id,
            weapon=blow.weapon.name,
            mode="melee",
            against="aid another",
            key=key,
            natural=natural,
            total=total,
            needed=needed,
            result="hit" if hit else "miss",
            why="aids" if hit else "no help",
            attack=tally.parts,
            defense=(Modifier(needed, "base", "aid another", fight.rule("aid.action")),),
            cites=tuple(blow.cites),
        )

    fact: AttackResolved = yield from judged(blow.attacker.id, "aid", judge)
    return fact.result == "hit"
