"""What a swarm does not do, and what nobody does to one (srd35.swarm, pf1.creature.swarm)."""

from typing import Any, Final

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.ability_modifiers import has_trait
from affray.engine.rules.classes.natures import is_mindless
from affray.engine.rules.conditions.immunities import SPARED_BY
from affray.engine.steps import Refusal
from affray.events.facts import acts
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

TOPIC: Final = "swarm"
#: What nobody does to a swarm, nor a swarm to anybody.
HOLDS = (acts.Trip, acts.Grapple, acts.BullRush)
#: The same by the names under which special attacks are made.
HELD = ("trip", "grapple", "bull rush")
#: What brings a spell to single targets.
AIMED = (acts.Cast, acts.Touch, acts.Activate, acts.Redirect)
#: The trait of a swarm whose many share one mind, which spells on minds may have for their target.
HIVE_MIND = "hive mind"
#: What a swarm does not do: it harms by being where its victims are.
BLOWS = (acts.Attack, acts.FullAttack, acts.Charge, acts.Skirmish)


def refuse_single(fight: Fight, actor: Combatant, act: Any) -> None:
    """Refuse a swarm single blows, and others to trip, grapple, bull rush or aim a spell at one."""
    combatants = fight.state.combatants
    if type(act) in BLOWS and TOPIC in actor.sheet.traits:
        raise Refusal(why_no_blow(actor), fight.rule(TOPIC))
    if type(act) in HOLDS and act.target in combatants:
        refuse_hold(fight, actor, combatants[act.target], str(act.__struct_config__.tag))
    for id in act.targets if type(act) in AIMED else ():
        target = combatants.get(id)
        if target is not None and has_trait(target, TOPIC) and not works_on_minds(actor, target, act):
            raise Refusal(f"{id} is a swarm, which no spell has for its single target", fight.rule(TOPIC))


def why_no_blow(attacker: Combatant) -> str:
    """Return why a swarm makes no attack of the usual kind."""
    return f"{attacker.id} is a swarm and strikes no single blow"


def bar_single_blow(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return why a swarm makes no attack out of turn either, and the topic; ("", "") for others."""
    return (why_no_blow(blow.attacker), TOPIC) if has_trait(blow.attacker, TOPIC) else ("", "")


def none_of_swarm(fight: Fight, combatant: Combatant, target: Combatant, found: list[Weapon]) -> list[Weapon]:
    """Return the weapons with which a combatant strikes out of turn: a swarm has none."""
    return [] if has_trait(combatant, TOPIC) else found


def refuse_hold(fight: Fight, attacker: Combatant, target: Combatant, name: str) -> None:
    """Refuse to trip, grapple or bull rush where either side is a swarm."""
    for one in (attacker, target):
        if has_trait(one, TOPIC):
            raise Refusal(f"{one.id} is a swarm: there is no {name} with it", fight.rule(TOPIC))


def works_on_minds(caster: Combatant, target: Combatant, act: Any) -> bool:
    """Say whether a spell works on minds and the target is a swarm with one mind for all of it."""
    if not has_trait(target, HIVE_MIND) or is_mindless(target):
        return False
    name = getattr(act, "spell", "")
    cast = (one for one in caster.sheet.spells if one.name == name)
    return any("mind-affecting" in SPARED_BY.get(one.condition, ()) for one in cast)
