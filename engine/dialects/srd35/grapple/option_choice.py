"""Which of the things that those who grapple can do is done, by the word for it (srd35.grapple.actions)."""

from collections.abc import Callable, Mapping

from affray.engine.dialects.srd35.grapple.grapple_options import (
    attack_in_grapple,
    break_pin,
    close_weapon,
    damage_in_grapple,
    draw_in_grapple,
    escape_grapple,
    move_grapple,
    oppose_grapple_checks,
    pin,
    rake,
    retrieve_in_grapple,
    use_weapon,
)
from affray.engine.dialects.srd35.grapple.grapple_state import end_grapple, step_out
from affray.engine.dialects.srd35.grapple.swallow_whole import swallow
from affray.engine.fight.fight import Fight
from affray.engine.steps import Steps
from affray.events.facts import acts
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant


def carry_out_option(
    fight: Fight, who: Combatant, target: Combatant, act: acts.Grapple, *extra: Modifier
) -> Steps[bool]:
    """Do what an option says; return whether it succeeded. `extra` counts for the attack replaced."""
    return (yield from OPTIONS[act.what](fight, who, target, act, *extra))


def release_opponent(
    fight: Fight, who: Combatant, target: Combatant, act: acts.Grapple, *extra: Modifier
) -> Steps[bool]:
    """Let go of an opponent."""
    rule = fight.rule("srd35.grapple.pinning-release")
    yield from end_grapple(fight, who, target, "let go", rule)
    if "grappling" not in who.conditions:
        yield from step_out(fight, who, "srd35.special-move.illegal-space")
    return True


def swallow_whole(
    fight: Fight, who: Combatant, target: Combatant, act: acts.Grapple, *extra: Modifier
) -> Steps[bool]:
    """Try to swallow an opponent."""
    contest = yield from oppose_grapple_checks(fight, who, target, "swallow-whole")
    return (yield from swallow(fight, who, target, contest))


OPTIONS: Mapping[str, Callable[..., Steps[bool]]] = {
    "attack": lambda fight, who, target, act, *extra: attack_in_grapple(
        fight, who, target, close_weapon(fight, who, act.weapon), *extra
    ),
    "damage": lambda fight, who, target, act, *extra: damage_in_grapple(
        fight, who, target, act.lethal, *extra
    ),
    "pin": lambda fight, who, target, act, *extra: pin(fight, who, target, *extra),
    "escape": lambda fight, who, target, act, *extra: escape_grapple(fight, who, target, act.skill, *extra),
    "break-pin": lambda fight, who, target, act, *extra: break_pin(fight, who, target, *extra),
    "use-weapon": lambda fight, who, target, act, *extra: use_weapon(fight, who, target, act.weapon, *extra),
    "move": lambda fight, who, target, act, *extra: move_grapple(fight, who, target, act),
    "draw": lambda fight, who, target, act, *extra: draw_in_grapple(fight, who, target, act.weapon),
    "rake": lambda fight, who, target, act, *extra: rake(fight, who, target),
    "swallow": swallow_whole,
    "activate": lambda fight, who, target, act, *extra: retrieve_in_grapple(fight, who, act),
    "component": lambda fight, who, target, act, *extra: retrieve_in_grapple(fight, who, act),
    "release": release_opponent,
}
"""What those who grapple may do, by the word for it."""
