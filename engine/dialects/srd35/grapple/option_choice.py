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
    retrieve_in_grapple,
    use_weapon,
)
from affray.engine.dialects.srd35.grapple.swallow_whole import swallow
from affray.engine.fight.fight import Fight
from affray.engine.rules.grapple.holds import end_grapple
from affray.engine.rules.grapple.rake import rake
from affray.engine.rules.movement.closest_place import make_room
from affray.engine.steps import Steps
from affray.events.facts import acts
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant


def carry_out_option(
    fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple, *extra: Modifier
) -> Steps[bool]:
    """Do what an option says; return whether it succeeded. `extra` counts for the attack replaced."""
    return (yield from OPTIONS[act.what](fight, grappler, target, act, *extra))


def release_opponent(
    fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple, *extra: Modifier
) -> Steps[bool]:
    """Let go of an opponent."""
    rule = fight.rule("srd35.grapple.pinning-release")
    yield from end_grapple(fight, grappler, target, "let go", rule)
    if "grappling" not in grappler.conditions:
        yield from make_room(fight, grappler)
    return True


def swallow_whole(
    fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple, *extra: Modifier
) -> Steps[bool]:
    """Try to swallow an opponent."""
    contest = yield from oppose_grapple_checks(fight, grappler, target, "swallow-whole")
    return (yield from swallow(fight, grappler, target, contest))


OPTIONS: Mapping[str, Callable[..., Steps[bool]]] = {
    "attack": lambda fight, grappler, target, act, *extra: attack_in_grapple(
        fight, grappler, target, close_weapon(fight, grappler, act.weapon), *extra
    ),
    "damage": lambda fight, grappler, target, act, *extra: damage_in_grapple(
        fight, grappler, target, act.lethal, *extra
    ),
    "pin": lambda fight, grappler, target, act, *extra: pin(fight, grappler, target, *extra),
    "escape": lambda fight, grappler, target, act, *extra: escape_grapple(
        fight, grappler, target, act, *extra
    ),
    "break-pin": lambda fight, grappler, target, act, *extra: break_pin(fight, grappler, target, *extra),
    "use-weapon": lambda fight, grappler, target, act, *extra: use_weapon(
        fight, grappler, target, act.weapon, *extra
    ),
    "move": lambda fight, grappler, target, act, *extra: move_grapple(fight, grappler, target, act),
    "draw": lambda fight, grappler, target, act, *extra: draw_in_grapple(fight, grappler, target, act.weapon),
    "rake": lambda fight, grappler, target, act, *extra: rake(fight, grappler, target),
    "swallow": swallow_whole,
    "activate": lambda fight, grappler, target, act, *extra: retrieve_in_grapple(fight, grappler, act),
    "component": lambda fight, grappler, target, act, *extra: retrieve_in_grapple(fight, grappler, act),
    "release": release_opponent,
}
"""What those grappler grapple may do, by the word for it."""
