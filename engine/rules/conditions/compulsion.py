"""What a creature is compelled to do on its turn, and what it cannot bring itself to do then.

srd35.cond.confused, pf1.cond.confused.
"""

from typing import Any, Final

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.conditions.fear import squared_distance
from affray.engine.rules.position.place import distance
from affray.engine.rules.turns.action_budget import has_acted
from affray.engine.steps import Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import EffectGained, Until
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant, Effect

STRIKES_BACK: Final = "strikes-back"
COMPELLED: Final = "compelled"
ATTACK, BABBLE, ACT, FLEE = "attack", "babble", "act", "flee"
MOVES = (acts.Move, acts.Run, acts.Withdraw, acts.Charge)
#: What is no action of the creature's mind: the game goes on.
ALWAYS = (acts.Enter, acts.Begin, acts.Close, acts.EndTurn, acts.Hazard)


def compel(fight: Fight, combatant: Combatant, what: str, topic: str, against: str = "") -> EffectGained:
    """Return the fact that a creature does this on its turn and nothing else."""
    rule = fight.rule(topic)
    return EffectGained(
        who=combatant.id,
        id=f"{fight.declaration}:{COMPELLED}:{combatant.id}:{fight.state.round}",
        stat=COMPELLED,
        modifier=Modifier(0, "compulsion", what, rule),
        until=Until("turn-end", combatant.id, fight.state.round),
        against=against,
        cites=(rule,),
    )


def compulsion(combatant: Combatant) -> Effect | None:
    """Return what a creature is compelled to do on its turn, if anything."""
    return next((one for one in combatant.effects if one.stat == COMPELLED), None)


def nearest_creature(fight: Fight, combatant: Combatant) -> Steps[str]:
    """Return the nearest other creature, "" when there is none; of equally near ones a die decides.

    srd35.distance.closest-tie, pf1.cond.confused.
    """
    others = [
        one
        for one in fight.state.combatants.values()
        if one is not combatant and "dead" not in one.conditions
    ]
    if not others:
        return ""
    least = min(distance(combatant, one) for one in others)
    near = [one for one in others if distance(combatant, one) == least]
    if len(near) > 1:
        rolled = yield Roll(combatant.id, "closest", f"1d{len(near)}")
        near = [near[rolled.total - 1]]
        what = f"of those equally near {near[0].id} counts as nearest"
        yield RuleApplied(who=combatant.id, what=what, cites=fight.rules("distance.closest-tie"))
    return near[0].id


def refuse_against_compulsion(fight: Fight, actor: Combatant, act: acts.Act) -> None:
    """Refuse what the confused or the panicked cannot bring themselves to do."""
    if not actor.effects or isinstance(act, ALWAYS):
        return
    effect = compulsion(actor)
    if effect is None or fight.readied == actor.id:
        return
    what, rule = effect.modifier.source, effect.modifier.rule
    if what == ACT:
        return
    if what == BABBLE:
        raise Refusal(f"{actor.id} only babbles", rule)
    if what == ATTACK:
        refuse_other_prey(fight, actor, effect.against, act, rule)
        return
    if not isinstance(act, MOVES) or not act.path or isinstance(act, acts.Charge):
        raise Refusal(f"{actor.id} can only flee", rule)
    _, _, by = what.partition(" by ")
    if by and not actor.spent.get("feet") and by != f"{act.path[0][0]},{act.path[0][1]}":
        raise Refusal(f"{actor.id} flees at random and must begin at {by}", rule)
    other = fight.state.combatants.get(effect.against)
    if other is not None and squared_distance(act.path[-1], other) <= squared_distance(actor.at, other):
        raise Refusal(f"{actor.id} flees from {other.id}", rule)


def only_prey(actor: Combatant, prey: str) -> str:
    """Return why an attack on any other creature is refused."""
    return f"{actor.id} can only attack {prey}"


def refuse_other_prey(fight: Fight, actor: Combatant, prey: str, act: Any, rule: str) -> None:
    """Refuse all but attacking one creature, closing in on it, and getting ready for that."""
    if isinstance(act, acts.FullAttack):
        if any(strike.target != prey for strike in act.strikes):
            raise Refusal(only_prey(actor, prey), rule)
        return
    if isinstance(act, acts.Attack | acts.Charge):
        if act.target != prey:
            raise Refusal(only_prey(actor, prey), rule)
        return
    if isinstance(act, acts.Cast):
        if act.targets != (prey,):
            raise Refusal(only_prey(actor, prey), rule)
        return
    if isinstance(act, acts.Draw | acts.Load | acts.Stand):
        return
    other = fight.combatant(prey)
    if (
        isinstance(act, acts.Move)
        and act.path
        and squared_distance(act.path[-1], other) < squared_distance(actor.at, other)
    ):
        return
    raise Refusal(f"{actor.id} can only attack {prey} or close in", rule)


def strikes_back(fight: Fight, attacker: Combatant, target: Combatant) -> Steps[None]:
    """Make a confused creature that is attacked strike back on its next turn.

    srd35.cond.confused, pf1.cond.confused.
    """
    rule = fight.rule("cond.confused")
    name = f"{fight.declaration}:{STRIKES_BACK}:{attacker.id}"
    if any(one.id == name for one in target.effects):
        return
    later = fight.state.active == target.id or has_acted(fight, target)
    yield EffectGained(
        who=target.id,
        id=name,
        stat=STRIKES_BACK,
        modifier=Modifier(0, "compulsion", "attacked", rule),
        until=Until("turn-end", target.id, fight.state.round + later),
        against=attacker.id,
        cites=(rule,),
    )


def why_confused_ignores(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return why a confused creature takes no attack of opportunity: its mind is on somebody else."""
    attacker = blow.attacker
    after = next((one.against for one in attacker.effects if one.stat in (COMPELLED, STRIKES_BACK)), "")
    return ("", "") if after == blow.target.id else (f"{attacker.id} is confused", "cond.confused")
