"""What damage brings about in futurepath, and first aid."""

from affray.engine.dialects.futurepath.contested import old_only
from affray.engine.fight.fight import Fight, is_down
from affray.engine.record.blow import Harm
from affray.engine.rules.classes.saves_and_checks import check, skill_parts
from affray.engine.rules.damage.injury import change_health
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.position.place import next_to
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionLost
from affray.projections.state import Combatant


def stabilize(fight: Fight, act: acts.Stabilize) -> Steps[None]:
    """Make a dying character stable: a full-round action that provokes; an attack action by the old rules.

    The check is assumed (futurepath.assumed.first-aid).

    futurepath.action.stabilize-dying.full-round, futurepath.action.stabilize-dying.legacy.
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule("futurepath.action.stabilize-dying.full-round")
    kind = "standard" if old_only(fight) else "full-round"
    if "dying" not in target.conditions:
        raise Refusal(f"{target.id} is not dying", rule)
    if not next_to(actor, target):
        raise Refusal(f"{actor.id} does not stand next to {target.id}", rule)
    yield spending(fight, actor, kind, "first aid", rule)
    yield from fight.dialect.opportunity.provoke(
        fight, actor, threatening(fight, actor), "gives first aid", f"aid:{fight.declaration}", rule
    )
    if is_down(fight, actor):
        return
    first_aid = fight.rule("futurepath.assumed.first-aid")
    parts = skill_parts(fight, actor, "treat injury", "wis", first_aid)
    if (
        yield from check(
            fight, actor, "treat-injury", parts, fight.figure("futurepath.assumed.first-aid", "dc"), first_aid
        )
    ):
        yield from change_health(
            fight, target, "stable", f"first aid from {actor.id}", "futurepath.assumed.first-aid"
        )


def break_conversation(fight: Fight, target: Combatant, before: int, harm: Harm) -> Steps[None]:
    """Let a hit break up a conversation, for all who take part on that side.

    futurepath.action.speak.conversation-broken-by-hit.
    """
    rule = fight.rule("futurepath.action.speak.conversation-broken-by-hit")
    for one in [target, *fight.allies(target)]:
        if "conversing" in one.conditions:
            yield ConditionLost(who=one.id, condition="conversing", why=f"{target.id} was hit", cites=(rule,))
