"""Shielding a friend from what fills an area (woa.cover.shield-ally-reaction)."""

from collections.abc import Sequence

from affray.engine.dialects.woa.opportunity.reaction_budget import has_reaction_left
from affray.engine.fight.fight import Fight
from affray.engine.rules.position.line_of_effect import sees
from affray.engine.rules.position.place import distance
from affray.engine.steps import Choice, Steps
from affray.events.facts.combat import EffectEnded, EffectGained, Until
from affray.events.facts.flow import ReactionSpent
from affray.projections.state import Combatant

TOPIC = "woa.cover.shield-ally-reaction"
NOBODY = "nobody"


def offer_shielding(fight: Fight, targets: Sequence[Combatant]) -> Steps[None]:
    """Let those in an area shield a friend beside them: -4 on their own Reflex save, +2 on the friend's."""
    rule = fight.rule(TOPIC)
    for combatant in targets:
        friends = [one for one in targets if one is not combatant and one.side == combatant.side]
        near = [one.id for one in friends if distance(combatant, one) <= 5 and sees(fight, combatant, one)]
        if (
            not near
            or not has_reaction_left(fight, combatant, "shield")
            or (not combatant.aware and not combatant.acted)
        ):
            continue
        question = f"whom does {combatant.id} shield from it?"
        answer = yield Choice(combatant.id, "shield", question, (NOBODY, *near), rule)
        if answer == NOBODY:
            continue
        yield ReactionSpent(who=combatant.id, kind="shield", against=answer, opportunity="", cites=(rule,))
        for id, path, source in (
            (combatant.id, "self_reflex", f"shields {answer}"),
            (answer, "ally_reflex", f"shielded by {combatant.id}"),
        ):
            yield EffectGained(
                who=id,
                id=f"{fight.declaration}:shield:{combatant.id}:{id}",
                stat="save.ref",
                modifier=fight.modifier(TOPIC, path, kind="circumstance", source=source),
                until=Until("round-end", "", fight.state.round),
                cites=(rule,),
            )


def end_shielding(fight: Fight, targets: Sequence[Combatant]) -> Steps[None]:
    """End the shielding once the saves are made."""
    start = f"{fight.declaration}:shield:"
    for combatant in targets:
        for effect in combatant.effects:
            if effect.id.startswith(start):
                rule = effect.modifier.rule
                yield EffectEnded(who=combatant.id, id=effect.id, why="it is over", cites=(rule,))
