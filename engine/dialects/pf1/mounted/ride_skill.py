"""What the skill of riding is for in pf1 where it differs: control, cover, spurs, mounts of great size.

pf1.skill.ride, pf1.mount.control, pf1.move.mount.
"""

from typing import Final

from affray.engine.dialects.pf1.movement.jump import LEAPING
from affray.engine.dialects.pf1.turns.flow import refuse_immediate
from affray.engine.fight.fight import Fight, is_down
from affray.engine.record.blow import Harm
from affray.engine.rules.classes.ability_modifiers import size_step
from affray.engine.rules.classes.ability_scores import score_now
from affray.engine.rules.mounted import ride_skill
from affray.engine.rules.mounted.leap import leap_from_saddle
from affray.engine.rules.mounted.ride_skill import BEHIND
from affray.engine.rules.mounted.rider_and_mount import mount_of
from affray.engine.rules.movement.jump import jump_parts
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, ResourceSpent, Until
from affray.events.facts.flow import ActionSpent
from affray.projections.state import Combatant

TOPIC: Final = "pf1.skill.ride"
#: What a mount is once it has been spurred too often, and those who are worse off.
TIRED: Final = ("fatigued", "exhausted")
SPURRED: Final = "spurred"


def is_frightened(fight: Fight, steed: Combatant) -> bool:
    """Say whether combat frightens a mount: each that is not trained for it (pf1.mount.control)."""
    return not ride_skill.is_trained(fight, steed)


def guide(fight: Fight, act: acts.Guide) -> Steps[None]:
    """Do what the skill of riding is for: keep control, free the hands, hang beside the mount, spur, leap.

    The mount leaps by Acrobatics, farther if it is fast (pf1.skill.ride, pf1.skill.jump).
    """
    rider = fight.combatant(act.actor)
    steed = mount_of(fight, rider)
    if steed is None:
        raise Refusal(f"{rider.id} does not ride", fight.rule(TOPIC))
    if act.what == "control":
        return control(fight, rider, steed)
    if act.what == "knees":
        return ride_skill.guide_with_knees(fight, rider, steed)
    if act.what == "cover":
        return hang_beside_mount(fight, rider, steed)
    if act.what == "spur":
        return spur(fight, rider, steed)
    jumping = jump_parts(fight, steed, False, LEAPING)
    return leap_from_saddle(fight, rider, steed, act.path, LEAPING.skill, jumping)


def control(fight: Fight, rider: Combatant, steed: Combatant) -> Steps[None]:
    """Keep a frightened mount in hand, which provokes (pf1.mount.control, pf1.actions-table.move)."""
    ride_skill.refuse_to_control(fight, rider, steed)
    cites = fight.dialect.turns.table_rules(fight, "move", "Control a frightened mount")
    enemies = threatening(fight, rider) if cites else []
    yield from fight.dialect.opportunity.provoke(
        fight, rider, enemies, f"controls {steed.id}", f"control:{fight.declaration}", *cites
    )
    if rider.mount == steed.id and not is_down(fight, rider):
        yield from ride_skill.control(fight, rider, steed)


def hang_beside_mount(fight: Fight, rider: Combatant, steed: Combatant) -> Steps[None]:
    """Drop down beside the mount as an immediate action and take it for cover until one is up again.

    pf1.skill.ride, pf1.action.immediate.
    """
    ride_skill.refuse_to_hang(fight, rider, steed)
    kind = refuse_immediate(fight, rider)
    cites = fight.rules(TOPIC, "pf1.action.immediate")
    yield ActionSpent(who=rider.id, kind=kind, what=f"drops beside {steed.id}", cites=cites)
    yield from ride_skill.hang_beside_mount(fight, rider, steed, Until())


def sit_up(fight: Fight, act: acts.Recover) -> Steps[None]:
    """Get back into the seat from beside the mount: a move action, without a check (pf1.skill.ride)."""
    rider, rule = fight.combatant(act.actor), fight.rule(TOPIC)
    if BEHIND not in rider.conditions:
        raise Refusal(f"{rider.id} does not hang beside a mount", rule)
    yield spending(fight, rider, "move", "sits up again", rule)
    yield ConditionLost(who=rider.id, condition=BEHIND, why="sits up again", cites=(rule,))


def spur(fight: Fight, rider: Combatant, steed: Combatant) -> Steps[None]:
    """Spur the mount, which hurts it; it tires after as many rounds of that as its Constitution.

    pf1.skill.ride.
    """
    rules = fight.rules(TOPIC)
    tired = next((name for name in TIRED if name in steed.conditions), "")
    if tired:
        raise Refusal(f"{steed.id} is {tired} and cannot be spurred", rules[0])
    if not (yield from ride_skill.urge_on(fight, rider, steed)):
        return
    now = ride_skill.spurred_in(fight.state.round)
    for resource in (now, SPURRED):
        yield ResourceSpent(who=steed.id, resource=resource, amount=1, cites=rules)
    rolled = yield Roll(rider.id, "spurs", fight.figure(TOPIC, "spur"))
    yield from fight.dialect.damage.suffer(fight, Harm(steed, rolled.total, "", "the spurs", cites=rules))
    stamina = score_now(fight, steed, "con")
    if stamina is not None and steed.resources[SPURRED] >= stamina and "dead" not in steed.conditions:
        fatigue = ConditionGained(who=steed.id, condition=TIRED[0], source="the spurs", cites=rules)
        yield from fight.dialect.conditions.gain(fight, fatigue)


def refuse_hurry(fight: Fight, act: acts.Mount | acts.Dismount) -> None:
    """Refuse to get on or off in a moment where the mount is too big for its rider (pf1.skill.ride)."""
    rider = fight.combatant(act.actor)
    steed = fight.combatant(act.target) if isinstance(act, acts.Mount) else mount_of(fight, rider)
    most = fight.figure(TOPIC, "fast_sizes")
    if act.fast and steed is not None and size_step(steed) - size_step(rider) > most:
        reason = f"{steed.id} is too big for {rider.id} to mount or dismount as a free action"
        raise Refusal(reason, fight.rule(TOPIC))
