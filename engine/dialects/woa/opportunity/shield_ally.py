"""Shielding a friend from what fills an area (woa.cover.shield-ally-reaction)."""

from collections.abc import Sequence

from affray.engine.dialects.woa.opportunity.reaction_budget import has_reaction_left
from affray.engine.fight.fight import Fight
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
    for who in targets:
        friends = [one.id for one in targets if one is not who and one.side == who.side]
        near = [name for name in friends if distance(who, fight.state.combatants[name]) <= 5]
        if not near or not has_reaction_left(fight, who, "shield") or (not who.aware and not who.acted):
            continue
        question = f"whom does {who.id} shield from it?"
        answer = yield Choice(who.id, "shield", question, (NOBODY, *near), rule)
        if answer == NOBODY:
            continue
        yield ReactionSpent(who=who.id, kind="shield", against=answer, opportunity="", cites=(rule,))
        for id, path, source in (
            (who.id, "self_reflex", f"shields {answer}"),
            (answer, "ally_reflex", f"shielded by {who.id}"),
        ):
            yield EffectGained(
                who=id,
                id=f"{fight.declaration}:shield:{who.id}:{id}",
                stat="save.ref",
                modifier=fight.modifier(TOPIC, path, kind="circumstance", source=source),
                until=Until("round-end", "", fight.state.round),
                cites=(rule,),
            )


def end_shielding(fight: Fight, targets: Sequence[Combatant]) -> Steps[None]:
    """End the shielding once the saves are made."""
    start = f"{fight.declaration}:shield:"
    for who in targets:
        for effect in who.effects:
            if effect.id.startswith(start):
                rule = effect.modifier.rule
                yield EffectEnded(who=who.id, id=effect.id, why="it is over", cites=(rule,))
