"""Feint: Bluff for one blow without the target's Dexterity (futurepath.action.feint)."""

from typing import Final

from affray.engine.dialects.futurepath.turns.special_initiative import told_safe
from affray.engine.fight.fight import Fight, is_down
from affray.engine.rules.classes.saves_and_checks import skill_parts
from affray.engine.rules.maneuvers.opposed_checks import roll_opposed, side_of
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import EffectGained, Until
from affray.events.facts.modifier import Modifier

TOPIC: Final = "futurepath.action.feint"
SKILL: Final = "futurepath.assumed.feint"


def mislead_by_bluff(fight: Fight, act: acts.Feint) -> Steps[None]:
    """Mislead an opponent: an attack action that does not provoke.

    The text leaves the rest to the skill. If Bluff beats Sense Motive and base attack bonus, the next melee
    attack on the target, until the end of the next turn, denies it its Dexterity bonus
    (futurepath.action.feint, futurepath.assumed.feint, futurepath.defense.dexterity-denied).
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule, skill = fight.rules(TOPIC, SKILL)
    if target.side == actor.side or is_down(fight, target):
        raise Refusal(f"{target.id} is no opponent who could be misled", rule)
    yield spending(fight, actor, "standard", "feint", rule)
    yield from told_safe(fight, actor, "the feint", (rule,))
    sense = [
        *skill_parts(fight, target, "sense motive", "wis", skill),
        Modifier(target.sheet.base_attack, "base", "base attack bonus", skill),
    ]
    mine = side_of(fight, actor, "bluff", skill_parts(fight, actor, "bluff", "cha", skill))
    if (
        yield from roll_opposed(fight, "feint", mine, side_of(fight, target, "sense motive", sense), skill)
    ) <= 0:
        return
    yield EffectGained(
        who=actor.id,
        id=f"{fight.declaration}:feint",
        stat="denies-dexterity",
        modifier=Modifier(0, "feint", "feint", skill),
        until=Until("turn-end", actor.id, fight.state.round + 1),
        against=target.id,
        uses=1,
        cites=(skill,),
    )
