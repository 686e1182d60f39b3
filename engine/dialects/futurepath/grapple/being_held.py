"""What a grapple and a pin forbid, and what they do to Defense and place (futurepath.grapple.*)."""

from typing import Any, Final

from affray.engine.dialects.futurepath.contested import old_only, situational
from affray.engine.dialects.futurepath.gear.doors import stands_open
from affray.engine.dialects.futurepath.grapple.grapple_options import PINNED, pinned_by
from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.grid.battlefield import Square
from affray.engine.record.blow import Blow
from affray.engine.rules.grapple.holds import opponents
from affray.engine.rules.grapple.shots_into_grapple import strike_at_random, those_in_grapple
from affray.engine.rules.position.occupants import occupants
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

#: What a grappler may still declare: what is no action, words, and the options of the grapple.
STILL_FREE: Final = (
    acts.Enter,
    acts.Begin,
    acts.Close,
    acts.EndTurn,
    acts.Delay,
    acts.Resume,
    acts.Speak,
    acts.Hazard,
    acts.Opening,
    acts.Grapple,
)
MOVING: Final = (acts.Move, acts.Step, acts.Withdraw, acts.Run, acts.Charge, acts.BullRush, acts.Overrun)
LIGHT: Final = "futurepath.grapple.option.attack-light-weapon"
SECTION: Final = "futurepath.grapple.pin.defense-penalty"
TABLE: Final = "futurepath.modifier.defender-pinned"


def refuse_other_actions(fight: Fight, grappler: Combatant, act: Any) -> None:
    """Refuse to a grappler what is no option of the grapple; a full attack may consist of them.

    futurepath.grapple.options-limited, futurepath.grapple.no-movement.
    """
    if isinstance(act, acts.FullAttack):
        weapons = {strike.weapon for strike in act.strikes if strike.item == "attack"}
        if len(weapons) > 1 or act.second:
            raise Refusal(f"{grappler.id} cannot attack with two weapons while grappling", fight.rule(LIGHT))
        if all(strike.special == "grapple" for strike in act.strikes):
            return
    if isinstance(act, MOVING):
        reason = f"{grappler.id} is held in a grapple and cannot move"
        raise Refusal(reason, fight.rule("futurepath.grapple.no-movement"))
    if not isinstance(act, STILL_FREE):
        reason = f"{grappler.id} is grappling and takes no action but the options of the grapple"
        raise Refusal(reason, fight.rule("futurepath.grapple.options-limited"))


def refuse_to_pinned(fight: Fight, victim: Combatant, act: Any) -> None:
    """Refuse to the pinned everything but the attempt to escape (futurepath.grapple.pin.pinned-actions)."""
    if isinstance(act, acts.Grapple) and act.what == "escape":
        return
    options = isinstance(act, acts.FullAttack) and all(one.item == "escape" for one in act.strikes)
    if options or (isinstance(act, STILL_FREE) and not isinstance(act, acts.Grapple)):
        return
    reason = f"{victim.id} is pinned and can only try to escape"
    raise Refusal(reason, fight.rule("futurepath.grapple.pin.pinned-actions"))


def may_stay(fight: Fight, mover: Combatant, at: Square) -> bool:
    """Say whether a mover who is stopped at `at` may stay there: grapplers do, and anybody in an open door.

    futurepath.grid.occupancy, futurepath.grapple.start.step-4-maintain.
    """
    others = [one for one in occupants(fight, mover, at) if not stands_open(one)]
    if others and "grappling" in mover.conditions:
        others = [other for other in others if "grappling" not in other.conditions]
    return not others


def start_in_pin(fight: Fight, act: acts.Enter) -> Steps[None]:
    """Let a newcomer pin its opponent, or be pinned by it, until the pinner's next turn begins."""
    one, target = fight.combatant(act.id), fight.combatant(act.grapples)
    pinner, victim = (one, target) if act.grip == "pins" else (target, one)
    yield pinned_by(fight, pinner, victim, int(fight.figure(PINNED, "rounds")))


def dexterity_against_outsiders(fight: Fight, blow: Blow, denied: tuple[str, str]) -> tuple[str, str]:
    """Return why the target loses its Dexterity: grappling, against whom it does not grapple.

    futurepath.grapple.no-dex-vs-others.
    """
    if denied[0] or blow.attacker in opponents(fight, blow.target):
        return denied
    return "grappling", "futurepath.grapple.no-dex-vs-others"


def row_of_grappling(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the row of the new table for a grappler who is attacked from outside its grapple.

    The old table's row has no number, but a note (futurepath.modifier.defender-grappling).
    """
    inside = blow.attacker in opponents(fight, blow.target)
    if inside or "pinned" in blow.target.conditions or old_only(fight):
        return []
    way = "melee" if blow.melee else "ranged"
    return [situational(fight, "futurepath.modifier.defender-grappling", way, source="grappling")]


def row_of_pinned(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return what being pinned takes from Defense; against the pinner it takes nothing.

    pinned_defense: by the tables in melee alone, or by the section against all attacks of others
    (futurepath.modifier.defender-pinned, futurepath.grapple.pin.defense-penalty).
    """
    if blow.target.conditions["pinned"].source == blow.attacker.id:
        return []
    if fight.option("pinned_defense") == "section":
        return [situational(fight, SECTION, "defense", source="pinned")]
    way = "melee" if blow.melee else "ranged"
    return [situational(fight, TABLE, way, source="pinned")]


def shoot_into_grapple(fight: Fight, blow: Blow) -> Steps[None]:
    """Let a shot from outside at a grappler strike a random one of those who grapple.

    That is a note of the old table, on which the new one is silent. Whoever is pinned has a row of its own,
    without that note (futurepath.modifier.defender-grappling-random-target).
    """
    meant = blow.target
    if is_helpless(fight, meant) or "pinned" in meant.conditions:
        return
    together = those_in_grapple(fight, blow)
    if together:
        yield from strike_at_random(fight, blow, together, f"meant for {meant.id}")
