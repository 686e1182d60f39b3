"""The same blow at somebody else, as cleaving feats have it."""

from msgspec.structs import replace

from affray.engine.fight.fight import Fight, is_down
from affray.engine.record.blow import Blow
from affray.engine.steps import Refusal
from affray.projections.state import Combatant


def next_blow(fight: Fight, blow: Blow, target: Combatant) -> Blow | None:
    """Return the same blow at somebody else who stands in reach, None if it cannot be struck."""
    if target is blow.target or is_down(fight, target):
        return None
    try:
        found = fight.dialect.attacks.prepare(fight, blow.attacker, target, blow.weapon, blow.intent.kind)
    except Refusal:
        return None
    if not found.melee:
        return None
    found.intent = replace(found.intent, nonlethal=blow.intent.nonlethal)
    found.attack_extra = list(blow.attack_extra)
    return found
