"""What feat and skill add to a dodge (woa.reaction.dodge.feats-and-skills)."""

from affray.engine.fight import Fight
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant


def nimbleness(fight: Fight, who: Combatant) -> list[Modifier]:
    """Return what the Dodge feat and high ranks in Acrobatics add to a dodge value."""
    return []
