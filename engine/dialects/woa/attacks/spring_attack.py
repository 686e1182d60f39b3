"""Moving before and after an attack: Spring Attack, Shot on the Run (woa.feat.spring-attack, .shot-on-*)."""

from functools import partial

from affray.engine.dialects.woa.movement.movement import refuse_after_step, refuse_lying, speed_with_burdens
from affray.engine.fight.fight import Fight, is_down
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.gear.held_weapons import strikes_in_melee
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.movement.footing import last_stop
from affray.engine.rules.movement.movement import refuse_path
from affray.engine.rules.turns.action_budget import refuse_unless_allowed
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import ActionSpent


def skirmish(fight: Fight, act: acts.Skirmish) -> Steps[None]:
    """Move, attack and move on within one's speed, as a move and a standard action together.

    Spring Attack goes with a melee attack, Shot on the Run with a ranged one. The movement provokes as any
    other does (woa.feat.shot-on-the-run).
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    weapon = find_weapon(fight, actor, act.weapon)
    feat = "spring attack" if strikes_in_melee(weapon) else "shot on the run"
    rule = fight.rule(f"feat.{feat.replace(' ', '-')}")
    refuse_unless_allowed(fight, actor, "standard")
    short = fight.dialect.turns.allowance(fight, actor).total < 2
    if short or actor.spent.get("standard") or actor.spent.get("move"):
        raise Refusal(f"{actor.id} needs a move and a standard action for {feat.title()}", rule)
    if not has_feat(actor, feat):
        raise Refusal(f"{actor.id} does not have the feat {feat.title()}", rule)
    refuse_after_step(fight, actor)
    refuse_lying(fight, actor)
    refuse_path(
        fight,
        actor,
        (*act.path, *act.onward),
        speed_with_burdens(fight, actor),
        fight.rule("woa.move.action"),
    )
    yield ActionSpent(who=actor.id, kind="move", what=feat, cites=fight.rules("woa.move.action"))
    yield ActionSpent(who=actor.id, kind="standard", what=feat, cites=(rule, fight.rule("woa.attack.single")))
    legal = last_stop(fight, actor, (actor.at, *act.path))
    if act.path and not (yield from fight.dialect.movement.walk(fight, actor, act.path, feat, rule)):
        return
    making = partial(fight.dialect.attacks.prepare, fight, actor, target, kind="attack")
    blow = yield from fight.dialect.attacks.blow_at_end(fight, actor, weapon, making)
    if blow is not None:
        yield from fight.dialect.attacks.deliver(fight, blow)
    if act.onward and not is_down(fight, actor) and "prone" not in actor.conditions:
        yield from fight.dialect.movement.walk(fight, actor, act.onward, feat, rule, legal=legal)
    else:
        # Whoever goes no further may not stay in a friend's space either.
        yield from fight.dialect.movement.step_aside(fight, actor, legal)
