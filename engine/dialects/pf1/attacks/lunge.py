"""Lunge: a longer reach for a turn, bought with Armor Class (pf1.feat.lunge)."""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.feat_prerequisites import refuse_without
from affray.engine.rules.gear.held_weapons import REACH
from affray.engine.rules.turns.action_budget import check_turn
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import EffectGained, Until
from affray.events.facts.flow import ActionSpent
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

LUNGE: Final = "lunge"
SOURCE: Final = "Lunge"
TOPIC: Final = "pf1.feat.lunge"


def lunge(fight: Fight, act: acts.UseAbility) -> Steps[None]:
    """Reach farther in melee until one's turn ends, at a penalty to AC until the next one begins.

    Before the first attack of the turn, and once in it.
    """
    actor = fight.combatant(act.actor)
    refuse_to_lunge(fight, actor)
    rule, now = fight.rule(TOPIC), fight.state.round
    yield ActionSpent(who=actor.id, kind="free", what=LUNGE, cites=(rule,))
    lasting = {
        REACH: ("reach_ft", "untyped", Until("turn-end", actor.id, now)),
        "defense": ("ac", "penalty", Until("turn-start", actor.id, now + 1)),
    }
    for stat, (figure, kind, until) in lasting.items():
        yield EffectGained(
            who=actor.id,
            id=f"{fight.declaration}:{stat}",
            stat=stat,
            modifier=Modifier(int(fight.figure(TOPIC, figure)), kind, SOURCE, rule),
            until=until,
            cites=(rule,),
        )


def refuse_to_lunge(fight: Fight, actor: Combatant) -> None:
    """Refuse to lunge without the feat, out of one's turn, twice, and once the turn's attacks are made."""
    rule = refuse_without(fight, actor, LUNGE)
    check_turn(fight, actor)
    if fight.state.active != actor.id:
        raise Refusal(f"{actor.id} lunges in its own turn", rule)
    if any(one.modifier.source == SOURCE for one in actor.effects):
        raise Refusal(f"{actor.id} lunges already", rule)
    if actor.spent.get("standard") or actor.spent.get("full-round"):
        raise Refusal(f"{actor.id} lunges before it attacks", rule)
