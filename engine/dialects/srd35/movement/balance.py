"""Balancing on what is narrow or uneven (srd35.skill.balance)."""

from affray.engine.dialects.srd35.movement.speed import speed_told
from affray.engine.fight.fight import Fight, is_down
from affray.engine.rules.classes.saves_and_checks import check_by, skill_parts
from affray.engine.rules.movement.movement import refuse_after_step, refuse_path, refuse_prone, speed
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost
from affray.projections.state import Combatant

TOPIC = "srd35.skill.balance"
BALANCING, SURELY = "balancing", "balancing surely"
SURFACES = ("7-12 in", "2-6 in", "under 2 in")


def balance(fight: Fight, act: acts.Move) -> Steps[None]:
    """Balance along a narrow way at half speed, or at full speed with a penalty.

    A failure by 4 or less gets nowhere, by 5 or more it is a fall. Who balances is flat-footed without 5
    ranks in the skill, until it walks on firm ground again.
    """
    mover = fight.combatant(act.actor)
    rule = fight.rule(TOPIC)
    refuse_after_step(fight, mover)
    refuse_prone(fight, mover)
    if act.surface not in SURFACES:
        raise Refusal(f"one balances on a surface of {', '.join(SURFACES)}, not {act.surface!r}", rule)
    feet = speed(fight, mover)
    if not act.fast:
        feet = int(feet * fight.figure(TOPIC, "speed"))
    refuse_path(fight, mover, act.path, feet, rule)
    yield spending(fight, mover, "move", "balance", rule)
    if pace := speed_told(fight, mover):
        yield pace
    yield from step_onto(fight, mover, act.surface)
    if (yield from keeps_balance(fight, mover, act.surface, act.fast)):
        yield from fight.dialect.movement.walk(fight, mover, act.path, "balance", rule)


def step_onto(fight: Fight, mover: Combatant, surface: str) -> Steps[None]:
    """Begin to balance: flat-footed but for those who are good at it."""
    sure = mover.sheet.ranks.get("balance", 0) >= fight.figure(TOPIC, "ranks")
    name = SURELY if sure else BALANCING
    if name not in mover.conditions or mover.conditions[name].source != surface:
        yield ConditionGained(who=mover.id, condition=name, source=surface, cites=(fight.rule(TOPIC),))


def keeps_balance(fight: Fight, mover: Combatant, surface: str, fast: bool = False) -> Steps[bool]:
    """Check whether somebody keeps its balance; who fails by enough falls."""
    rule = fight.rule(TOPIC)
    parts = skill_parts(fight, mover, "balance", "dex", rule)
    if fast:
        parts.append(fight.modifier(TOPIC, "full_speed", kind="penalty", source="at full speed"))
    margin = yield from check_by(
        fight, mover, "balance", parts, fight.figure(TOPIC, surface), rule, why=f"on {surface}"
    )
    if margin <= -fight.figure(TOPIC, "fall_by") and not is_down(fight, mover):
        yield from off_balance(fight, mover)
    return bool(margin >= 0)


def off_balance(fight: Fight, mover: Combatant) -> Steps[None]:
    """Fall off: prone, and no longer balancing. How deep it goes is for the game master to say."""
    rule = fight.rule(TOPIC)
    for name in (BALANCING, SURELY):
        if name in mover.conditions:
            yield ConditionLost(who=mover.id, condition=name, why="falls", cites=(rule,))
    if "prone" not in mover.conditions:
        yield ConditionGained(who=mover.id, condition="prone", source="losing its balance", cites=(rule,))


def check_balance_when_hurt(fight: Fight, mover: Combatant) -> Steps[None]:
    """Check the balance of somebody who was hurt while balancing."""
    for name in (BALANCING, SURELY):
        if name in mover.conditions and not is_down(fight, mover):
            source = mover.conditions[name].source
            # Who is said to balance, without a word on what, has the broadest of them underfoot.
            yield from keeps_balance(fight, mover, source if source in SURFACES else SURFACES[0])
            return


def onto_firm_ground(fight: Fight, mover: Combatant) -> Steps[None]:
    """End the balancing of somebody who walks on otherwise."""
    for name in (BALANCING, SURELY):
        if name in mover.conditions:
            yield ConditionLost(
                who=mover.id, condition=name, why="on firm ground", cites=(fight.rule(TOPIC),)
            )
