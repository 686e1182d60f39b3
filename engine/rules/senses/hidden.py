"""Hidden combatants, and known squares of unseen ones.

srd35.skill.hide, srd35.invisibility.spot, pf1.skill.stealth, pf1.invisibility.perception-table.
"""

from typing import Final

from affray.engine.fight.fight import Fight, is_marked
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import EffectEnded, EffectGained, Until
from affray.events.facts.sheet import Modifier
from affray.projections.state import Combatant

#: Stats of the effects that record a combatant's hiding from another, and its knowledge of an unseen one's
#: square.
HIDDEN: Final = "hidden"
PINPOINTED: Final = "pinpointed"


def is_hidden_from(combatant: Combatant, viewer: Combatant) -> bool:
    """Return whether a combatant has hidden from another (srd35.skill.hide, pf1.skill.stealth)."""
    return any(effect.stat == HIDDEN and effect.against == viewer.id for effect in combatant.effects)


def hidden_from(fight: Fight, hider: Combatant, viewer: Combatant, rule: str, well: int = 0) -> EffectGained:
    """Return the fact that a combatant has hidden from another; `well` is the result to beat later."""
    return EffectGained(
        who=hider.id,
        id=f"{fight.declaration}:{HIDDEN}:{viewer.id}",
        stat=HIDDEN,
        modifier=Modifier(well, HIDDEN, f"hidden from {viewer.id}", rule),
        until=Until(),
        against=viewer.id,
        cites=(rule,),
    )


def knows_square(combatant: Combatant, other: Combatant) -> bool:
    """Return whether a combatant has found out the square of another that it does not see."""
    return any(effect.stat == PINPOINTED and effect.against == other.id for effect in combatant.effects)


def knowledge_of_square(fight: Fight, combatant: Combatant, target: Combatant, topic: str) -> EffectGained:
    """Return the knowledge of a combatant's square, which lasts until it moves."""
    rule = fight.rule(topic)
    return EffectGained(
        who=combatant.id,
        id=f"{fight.declaration}:{PINPOINTED}:{target.id}",
        stat=PINPOINTED,
        modifier=Modifier(0, PINPOINTED, f"knows the square of {target.id}", rule),
        until=Until(),
        against=target.id,
        cites=(rule,),
    )


def no_longer_hidden(fight: Fight, combatant: Combatant) -> Steps[None]:
    """End after a movement the mover's hiding, and others' knowledge of its square."""
    for one in fight.state.combatants.values() if is_marked(fight) else ():
        for effect in one.effects:
            mine = one is combatant and effect.stat == HIDDEN
            if mine or (effect.stat == PINPOINTED and effect.against == combatant.id):
                why = "has moved" if mine else f"{combatant.id} has moved"
                yield EffectEnded(who=one.id, id=effect.id, why=why, cites=(effect.modifier.rule,))


def refuse_unnoticed(
    fight: Fight, actor: Combatant, act: acts.Attack | acts.FullAttack | acts.Charge
) -> None:
    """Refuse an attack on a hidden combatant that the attacker has not noticed.

    srd35.skill.hide, pf1.skill.stealth.
    """
    named = (act.target,) if not isinstance(act, acts.FullAttack) else [one.target for one in act.strikes]
    for id in named:
        target = fight.state.combatants.get(id)
        if target is not None and target.effects and is_hidden_from(target, actor):
            raise Refusal(f"{actor.id} has not noticed where {id} hides", fight.rule("skill.hide"))
