"""What feats, and the target's state, do to the roll of a maneuver and to what it must reach.

pf1.feat.maneuver-improved, pf1.feat.maneuver-greater, pf1.maneuver.auto.
"""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.classes.feat_prerequisites import masters
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

IMPROVED: Final = "pf1.feat.maneuver-improved"
GREATER: Final = "pf1.feat.maneuver-greater"


def has_improved(combatant: Combatant, name: str) -> bool:
    """Say whether a combatant has the Improved feat of a maneuver, which then provokes nothing."""
    return has_feat(combatant, f"improved {name}")


def has_greater(fight: Fight, combatant: Combatant, name: str) -> bool:
    """Say whether a combatant has the Greater feat of a maneuver and can use it."""
    return masters(fight, combatant, f"greater {name}")


def better_at_it(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return what the Improved and the Greater feat of a maneuver give to its roll.

    pf1.feat.maneuver-improved, pf1.feat.maneuver-greater, pf1.feat.greater-grapple.
    """
    name, parts = blow.intent.maneuver, []
    if has_improved(blow.attacker, name):
        parts.append(fight.modifier(IMPROVED, "check", kind="untyped", source=f"improved {name}".title()))
    if name == "grapple" and has_feat(blow.attacker, "greater grapple"):
        topic = "pf1.feat.greater-grapple"
        parts.append(fight.modifier(topic, "check", kind="untyped", source="Greater Grapple"))
    elif has_greater(fight, blow.attacker, name):
        parts.append(fight.modifier(GREATER, "check", kind="untyped", source=f"greater {name}".title()))
    return parts


def stunned_target(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the bonus of maneuvers against the stunned (pf1.maneuver.auto, pf1.cond.stunned)."""
    source = f"{blow.target.id} is stunned"
    return [fight.modifier("pf1.maneuver.auto", "stunned", kind="circumstance", source=source)]


def warded_by_feat(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return what the target's own Improved feat gives to its CMD against that maneuver."""
    name = blow.intent.maneuver
    if not has_improved(blow.target, name):
        return []
    return [fight.modifier(IMPROVED, "cmd", kind="untyped", source=f"improved {name}".title())]
