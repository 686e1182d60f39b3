"""Charging in one's own mode of movement, and the other ways to come at somebody (woa.charge.*)."""

from collections.abc import Sequence
from functools import partial

from affray.engine.dialects.woa.attacks.charge_on_foot import charge_on_foot
from affray.engine.dialects.woa.mounted.mounted_charge import mounted_charge
from affray.engine.dialects.woa.movement import movement
from affray.engine.dialects.woa.movement.blind_movement import charge_blindly, unseen_wall
from affray.engine.dialects.woa.position.room_to_share import steps_along
from affray.engine.fight.fight import Fight, is_down
from affray.engine.grid.battlefield import Square
from affray.engine.rules.classes.saves_and_checks import check, skill_parts
from affray.engine.rules.gear.held_weapons import melee_band, strikes_in_melee
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.maneuvers.special_attacks import charging_blow
from affray.engine.rules.movement.unseen import known_occupants
from affray.engine.rules.position.place import in_band
from affray.engine.rules.turns.action_budget import refuse_unless_allowed
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, Until
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.projections.state import Combatant

#: Skills of stunts with the ability behind them.
SKILLS = {"athletics": "str", "acrobatics": "dex"}
#: What the game master may say of a stunt.
AS_PROPOSED, UNCHECKED, IMPOSSIBLE = "as proposed", "without a check", "impossible"


def charge(fight: Fight, act: acts.Charge) -> Steps[None]:
    """Charge on foot, or have the mount charge, or come at the target in a way that has the same effect."""
    actor = fight.combatant(act.actor)
    if actor.mount:
        return mounted_charge(fight, act, actor)
    if act.stunt:
        return charge_by_stunt(fight, act)
    wall = unseen_wall(fight, actor, act.path)
    return charge_on_foot(fight, act) if wall is None else charge_blindly(fight, act, wall)


def charge_by_stunt(fight: Fight, act: acts.Charge) -> Steps[None]:
    """Leap, swing or be hurled at a target: the attack bonus and the lowered guard of a charge.

    The way needs to be neither straight nor clear. The game master says whether the stunt can be done and
    whether it takes the check that was proposed for it; who fails that gets there and does not strike
    (woa.charge.alternative.effect).
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    topic = "woa.charge.alternative.effect"
    rule = fight.rule(topic)
    refuse_unless_allowed(fight, actor, "full-round")
    movement.refuse_after_step(fight, actor)
    movement.refuse_lying(fight, actor)
    weapon = find_weapon(fight, actor, act.weapon)
    if not strikes_in_melee(weapon):
        raise Refusal(f"one cannot charge with the {weapon.name}", fight.rule("woa.charge.attack"))
    refuse_landing(fight, actor, act.path, rule)
    near, far = melee_band(actor, weapon)
    if not in_band(act.path[-1], actor.space, target.at, target.space, near, far):
        raise Refusal(f"the path does not lead within reach of {target.id}", rule)
    options = (AS_PROPOSED, *((UNCHECKED,) if act.skill else ()), IMPOSSIBLE)
    check_of = f" ({act.skill} {act.dc})" if act.skill else ""
    verdict = yield Choice("", "stunt", f"{actor.id} {act.stunt} at {target.id}{check_of}", options, rule)
    if verdict == IMPOSSIBLE:
        yield RuleApplied(who=actor.id, what=f"the game master does not allow it: {act.stunt}", cites=(rule,))
        return
    yield ActionSpent(who=actor.id, kind="full-round", what=act.stunt, cites=(rule,))
    yield ActionSpent(
        who=actor.id, kind="rush", what=act.stunt, cites=fight.rules("woa.charge.no-short-step")
    )
    yield ConditionGained(
        who=actor.id,
        condition="stunting",
        source=target.id,
        until=Until("round-end", "", fight.state.round),
        cites=(rule,),
    )
    done = True
    if act.skill and verdict == AS_PROPOSED:
        parts = skill_parts(fight, actor, act.skill, SKILLS[act.skill], rule)
        done = yield from check(fight, actor, act.skill, parts, act.dc, rule, why=act.stunt)
    there = yield from fight.dialect.movement.walk(fight, actor, act.path, "stunt", rule)
    if not there or not done or is_down(fight, actor) or "dead" in target.conditions:
        return
    blow = yield from fight.dialect.attacks.blow_at_end(
        fight, actor, weapon, partial(charging_blow, fight, actor, target)
    )
    if blow is None:
        return
    blow.attack_extra.append(fight.modifier(topic, "attack_bonus", kind="circumstance", source=act.stunt))
    yield from fight.dialect.attacks.deliver(fight, blow)


def refuse_landing(fight: Fight, combatant: Combatant, path: Sequence[Square], rule: str) -> None:
    """Refuse a way through the air that is none, leads through walls or ends where one cannot stand."""
    for _, (x, y) in steps_along(combatant.at, path, rule):
        if fight.field.at((x, y)) == "#":
            raise Refusal(f"a wall stands at {x},{y}", fight.rule("woa.terrain.obstacle.blocking"))
    x, y = path[-1]
    if not fight.field.passable(path[-1], combatant.space):
        reason = f"{combatant.id} cannot stand at {x},{y}: something blocks it, or the map ends"
        raise Refusal(reason, fight.rule("woa.terrain.obstacle.blocking"))
    if there := known_occupants(fight, combatant, path[-1]):
        reason = f"{combatant.id} cannot stand at {x},{y}: {there[0].id} is there"
        raise Refusal(reason, fight.rule("woa.space.definition"))
