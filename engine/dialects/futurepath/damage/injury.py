"""What damage brings about in futurepath, and first aid."""

from typing import Any, Final

from msgspec.structs import replace

from affray.engine.dialects.futurepath.contested import old_only
from affray.engine.fight.fight import Fight, is_down
from affray.engine.record.blow import Harm
from affray.engine.rules.classes.saves_and_checks import check, skill_parts
from affray.engine.rules.damage.injury import change_health
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.position.place import refuse_apart
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Steps, altered
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost
from affray.projections.state import Combatant

THRESHOLDS: Final = "futurepath.table.hit-point-thresholds"
#: The states that hit points bring about by themselves.
STATES: Final = ("disabled", "dying", "dead")


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
    refuse_apart(actor, target, rule)
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


def death_at(fight: Fight, combatant: Combatant) -> int:
    """Return the hit points at which a combatant is dead: -10.

    futurepath.injury.dead-at-minus-10, futurepath.table.hit-point-thresholds.
    """
    return int(fight.figure("futurepath.injury.dead-at-minus-10", "hit_points"))


def disabled_from(fight: Fight) -> int:
    """Return the hit points at which a combatant is disabled: 0 (futurepath.injury.disabled-at-0)."""
    return int(fight.figure("futurepath.injury.disabled-at-0", "hit_points"))


def dying_from(fight: Fight) -> int:
    """Return the highest hit points at which a combatant is dying: -1.

    futurepath.injury.dying-at-minus-1, futurepath.table.hit-point-thresholds.
    """
    return int(fight.figure("futurepath.injury.dying-at-minus-1", "hit_points"))


def rules_of_loss(harm: Harm, hp: int, absorbed: int, found: tuple[str, ...]) -> tuple[str, ...]:
    """Return the topics of the rules by which damage leaves a combatant with `hp` hit points.

    They tell how much it can take before it drops (futurepath.damage.on-hit, futurepath.stat.hit-points).
    """
    drops = ("futurepath.stat.hit-points",) if hp <= 0 else ()
    return (*found, *drops)


def cite_thresholds(
    fight: Fight, target: Combatant, before: int, harm: Harm, injuring: Steps[None]
) -> Steps[None]:
    """Cite the table of thresholds where hit points bring about a state of their own.

    futurepath.table.hit-point-thresholds.
    """

    def cited(fact: Any) -> Any:
        if not isinstance(fact, ConditionGained) or fact.condition not in STATES:
            return fact
        return replace(fact, cites=(*fact.cites, fight.rule(THRESHOLDS)))

    return altered(injuring, cited)


def break_conversation(fight: Fight, target: Combatant, before: int, harm: Harm) -> Steps[None]:
    """Let a hit break up a conversation, for all who take part on that side.

    futurepath.action.speak.conversation-broken-by-hit.
    """
    rule = fight.rule("futurepath.action.speak.conversation-broken-by-hit")
    for one in [target, *fight.allies(target)]:
        if "conversing" in one.conditions:
            yield ConditionLost(who=one.id, condition="conversing", why=f"{target.id} was hit", cites=(rule,))
