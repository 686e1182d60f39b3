"""Starting a grapple, by a maneuver or with the weapon that has just hit (pf1.grapple.start, pf1.grab)."""

from typing import Final

from affray.engine.dialects.pf1.defense.incorporeal import goes_through
from affray.engine.dialects.pf1.grapple.grapple_checks import GRAB, grabbing, grapple_blow
from affray.engine.dialects.pf1.grapple.hold import opponent_of, take_hold
from affray.engine.dialects.pf1.grapple.rake import note_fresh_hold
from affray.engine.dialects.pf1.grapple.room_beside import squares_beside
from affray.engine.dialects.pf1.maneuvers.maneuver_check import (
    MODES,
    attempt_maneuver,
    maneuver_blow,
    roll_maneuver,
)
from affray.engine.fight.fight import Fight
from affray.engine.grid.distance import distance_ft
from affray.engine.record.blow import Blow
from affray.engine.record.maneuvers import Attempt
from affray.engine.rules.attacks import swarm_prohibitions
from affray.engine.rules.classes.ability_modifiers import has_trait, size_step
from affray.engine.rules.gear.hands import hands_left
from affray.engine.rules.gear.weapons_in_hand import unarmed
from affray.engine.rules.grapple.constrict import constrict
from affray.engine.rules.grapple.holds import holds_nothing_out_of_turn
from affray.engine.rules.movement.displaced import displaced
from affray.engine.rules.position.chosen_square import choose_square
from affray.engine.rules.position.place import next_to
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

TOPIC: Final = "pf1.grapple.start"
#: The hands that it takes to grapple without a penalty.
HANDS: Final = 2


def start(fight: Fight, grappler: Combatant, target: Combatant) -> Steps[None]:
    """Take hold of an opponent of any size, as a standard action that provokes; who can grab does it better.

    pf1.grapple.start, pf1.grapple.no-size-limit, pf1.grab.
    """
    refuse_taken(fight, grappler, target)
    blow = maneuver_blow(fight, grappler, target, "grapple")
    blow.attack_extra += [*without_hands(fight, grappler), *grabbing(fight, grappler, False)]
    yield spending(
        fight, grappler, "standard", "grapple", *fight.rules(TOPIC, MODES, "pf1.grapple.no-size-limit")
    )
    check = yield from attempt_maneuver(fight, Attempt(blow, name=fight.declaration), TOPIC)
    if check is None or not check.won or opponent_of(fight, grappler) or opponent_of(fight, target):
        return
    if (yield from draw_close(fight, grappler, target)):
        yield from take_hold(fight, grappler, target, *fight.rules(TOPIC))
        yield from note_fresh_hold(grappler, target, fight.rule(TOPIC))
        yield from constrict(fight, grappler, target, check.won)


def refuse_taken(fight: Fight, grappler: Combatant, target: Combatant) -> None:
    """Refuse who grapples already, and a target that somebody grapples: one can help that one.

    pf1.grapple.start, pf1.grapple.several.
    """
    if opponent_of(fight, grappler) is not None:
        raise Refusal(f"{grappler.id} is in a grapple already", fight.rule(TOPIC))
    if opponent_of(fight, target) is not None:
        reason = f"{target.id} is in a grapple already: one may aid who grapples it"
        raise Refusal(reason, fight.rule("pf1.grapple.several"))


def without_hands(fight: Fight, grappler: Combatant) -> list[Modifier]:
    """Return the penalty of a humanoid that has not both hands free."""
    if grappler.sheet.kind != "humanoid" or hands_left(grappler, "") >= HANDS:
        return []
    return [fight.modifier(TOPIC, "no_hands", kind="penalty", source="no two free hands")]


def draw_close(fight: Fight, grappler: Combatant, target: Combatant) -> Steps[bool]:
    """Draw a target that is not adjacent next to the grappler; return whether there was room for it."""
    if next_to(grappler, target):
        return True
    rule = fight.rule(TOPIC)
    room = squares_beside(fight, grappler, target)
    if not room:
        what = f"there is no room for {target.id} next to {grappler.id}"
        yield RuleApplied(who=target.id, what=what, cites=(rule,))
        return False
    room.sort(key=lambda at: (distance_ft(at, target.at), at))
    question = f"where next to {grappler.id} does {target.id} come to stand?"
    place = yield from choose_square(grappler.id, "in", question, room, rule)
    yield displaced(target, (place,), "grapple", rule)
    return True


def grab_with_hit(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """Let a hit with a weapon of the trait "grab" start a grapple, free and without an opening.

    With all of the body, or with the one limb at -20; only foes of the attacker's size or smaller (pf1.grab).
    """
    attacker, target, rule = blow.attacker, blow.target, fight.rule(GRAB)
    taken = opponent_of(fight, attacker) or opponent_of(fight, target) or "dead" in target.conditions
    taken = taken or has_trait(target, swarm_prohibitions.TOPIC)
    if taken or size_step(target) > size_step(attacker) or goes_through(fight, attacker, target, blow.weapon):
        return
    if holds_nothing_out_of_turn(fight, blow):
        return
    question = f"the {blow.weapon.name} has hit: does {attacker.id} grab {target.id}?"
    how = yield Choice(attacker.id, "grab", question, ("grab", "hold with one limb", "decline"), rule)
    if how == "decline":
        return
    yield ActionSpent(who=attacker.id, kind="free", what="grab", cites=(rule,))
    one_limb = how != "grab"
    holding = grapple_blow(attacker, target, unarmed(fight, attacker))
    holding.attack_extra += grabbing(fight, attacker, one_limb)
    check = yield from roll_maneuver(fight, holding, GRAB)
    if check.won and (yield from draw_close(fight, attacker, target)):
        yield from take_hold(fight, attacker, target, rule, apart=one_limb)
        yield from note_fresh_hold(attacker, target, rule)
        yield from constrict(fight, attacker, target, check.won)
