"""The knockout blow: a blow for nonlethal damage at a helpless foe, critical of itself if it hits."""

from functools import partial

from msgspec.structs import replace

from affray.engine.dialects.futurepath.attacks.attack_roll import refuse_hopeless
from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.attack_roll import strike
from affray.engine.rules.attacks.critical_hits import immune_to_criticals
from affray.engine.rules.gear.held_weapons import strikes_in_melee
from affray.engine.rules.gear.weapons_in_hand import find_weapon, refuse_lost_weapon
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.turns.action_budget import spending
from affray.engine.rules.turns.interruption import footing, goes_on
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts

#: What such a blow is called, as its intent has it.
KNOCKOUT = "knockout blow"


def knockout_blow(fight: Fight, act: acts.KnockoutBlow) -> Steps[None]:
    """Try to knock a helpless foe out: a full-round action that provokes, with a roll to hit.

    With a melee weapon that wounds the roll is 4 worse; the Defense is 5 and size whatever else lasts on the
    target; not at those whom critical hits do not harm (futurepath.attack.knockout-blow.*).
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule("futurepath.attack.knockout-blow.action")
    if not is_helpless(fight, target):
        raise Refusal(f"{target.id} is not helpless", rule)
    weapon = find_weapon(fight, actor, act.weapon)
    if not strikes_in_melee(weapon):
        raise Refusal(f"a knockout blow takes a melee weapon, not the {weapon.name}", rule)
    blow = fight.dialect.attacks.prepare(fight, actor, target, weapon, KNOCKOUT)
    if not blow.melee:
        raise Refusal(f"{target.id} is out of the {weapon.name}'s reach", rule)
    if immune_to_criticals(fight, blow):
        immune = fight.rule("futurepath.attack.knockout-blow.immune")
        raise Refusal(f"{target.id} is immune to critical hits", immune)
    if not blow.intent.nonlethal:
        pull(fight, blow)
    refuse_hopeless(fight, blow)
    yield spending(fight, actor, "full-round", KNOCKOUT, rule)
    stood = footing(fight, actor, target)
    yield from fight.dialect.opportunity.provoke(
        fight,
        actor,
        threatening(fight, actor),
        "delivers a knockout blow",
        f"knockout:{fight.declaration}",
        fight.rule("futurepath.attack.knockout-blow.provokes"),
    )
    again = partial(refuse_lost_weapon, fight, actor, weapon)
    if (yield from goes_on(fight, stood, again, "the knockout blow")):
        blow.cites.append(fight.rule("futurepath.attack.knockout-blow.defense"))
        yield from strike(fight, blow)


def pull(fight: Fight, blow: Blow) -> None:
    """Have a blow deal nonlethal damage with what wounds: harder with a weapon, not with a trained fist.

    futurepath.attack.knockout-blow.lethal-weapon.
    """
    blow.intent = replace(blow.intent, nonlethal=True)
    if blow.weapon.wield != "unarmed":
        topic = "futurepath.attack.knockout-blow.lethal-weapon"
        blow.attack_extra.append(
            fight.modifier(topic, "attack", kind="penalty", source="for nonlethal damage")
        )


def hits_home(fight: Fight, blow: Blow, natural: int, total: int, needed: int) -> bool:
    """Say that whatever hits is critical: every knockout blow that does.

    futurepath.attack.knockout-blow.auto-critical.
    """
    blow.cites.append(fight.rule("futurepath.attack.knockout-blow.auto-critical"))
    return True
