"""How a weapon is drawn (srd35.feat.quick-draw, srd35.skill.sleight)."""

from affray.engine.fight.fight import Fight
from affray.engine.record.gear import Drawing
from affray.engine.rules.classes.feat_prerequisites import masters
from affray.engine.rules.gear.draw_and_sheathe import is_missile
from affray.engine.rules.gear.wands import wands_of
from affray.projections.state import Combatant


def way_of_drawing(fight: Fight, holder: Combatant, item: str) -> Drawing:
    """Return how a weapon is drawn: what counts as ammunition freely, others so with Quick Draw.

    A hidden one takes a standard action, which provokes nobody, or with Quick Draw a move action
    (srd35.feat.quick-draw, srd35.skill.sleight).
    """
    quick = masters(fight, holder, "quick draw") and item not in wands_of(holder)
    feat = fight.rules("srd35.feat.quick-draw") if quick else ()
    if is_hidden(holder, item):
        slow = str(fight.figure("srd35.feat.quick-draw" if quick else "srd35.skill.sleight", "hidden"))
        sleight = fight.rules("srd35.skill.sleight")
        return Drawing(slow, (*sleight, *feat), "standard", "Draw a hidden weapon")
    return Drawing("free" if quick or is_missile(holder, item) else "move", feat)


def is_hidden(holder: Combatant, item: str) -> bool:
    """Say whether a combatant has a weapon hidden about its person."""
    return any(one.name == item and "hidden" in one.traits for one in holder.sheet.weapons)
