"""Unhorsing: a rider pulled or knocked off its mount by a trip (woa.maneuver.trip.unhorse*)."""

from affray.engine.dialects.woa.maneuvers.maneuver_check import at_mercy
from affray.engine.fight.fight import Fight
from affray.engine.modifiers import Tally
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.ability_modifiers import has_trait
from affray.engine.rules.classes.saves_and_checks import skill_parts
from affray.engine.steps import Choice, Roll, Steps
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

DEFENSE = "maneuver.trip.unhorse-ride-defense"
#: Traits of a mount that say how it is saddled, with the row of the rule; any other saddle is ordinary.
SADDLES = {"bareback": "none", "military saddle": "military"}


def seated_firmly(fight: Fight, blow: Blow) -> Steps[Tally | None]:
    """Let the rider put a Ride check in the place of its AC; return that check, None for the AC.

    The saddle counts with either (woa.maneuver.trip.unhorse-ride-defense, .unhorse-saddle-modifier).
    """
    rider = blow.target
    steed = fight.state.combatants[rider.mount]
    saddle = saddle_parts(fight, steed)
    if at_mercy(fight, rider):
        blow.defense_extra += saddle
        return None
    rule = fight.rule(DEFENSE)
    question = f"{blow.attacker.id} tries to unhorse {rider.id}: does it trust its riding or its AC?"
    if (yield Choice(rider.id, "seat", question, ("Ride", "armor class"), rule)) != "Ride":
        blow.defense_extra += saddle
        return None
    rolled = yield Roll(rider.id, "ride", "1d20")
    parts = skill_parts(fight, rider, "ride", "dex", rule)
    return fight.stack([Modifier(rolled.total, "roll", "Ride check", rule), *parts, *saddle])


def saddle_parts(fight: Fight, steed: Combatant) -> list[Modifier]:
    """Return what the saddle does to keep or lose one's seat; nothing for an ordinary one."""
    row = next((row for trait, row in SADDLES.items() if has_trait(steed, trait)), "ordinary")
    topic, source = "maneuver.trip.unhorse-saddle-modifier", f"{row} saddle".replace("none", "no")
    part = fight.modifier(topic, f"saddle={row}", "modifier", kind="circumstance", source=source)
    return [part] if part.value else []
