"""`pf1`: the Pathfinder 1e combat rules, point by point."""

from affray.engine.dialects.pf1.attacks.contents import ATTACKS
from affray.engine.dialects.pf1.classes.contents import CLASSES
from affray.engine.dialects.pf1.conditions.contents import CONDITIONS
from affray.engine.dialects.pf1.damage.contents import DAMAGE
from affray.engine.dialects.pf1.defense.contents import DEFENSE
from affray.engine.dialects.pf1.environment.contents import ENVIRONMENT
from affray.engine.dialects.pf1.gear.contents import GEAR
from affray.engine.dialects.pf1.grapple.contents import GRAPPLE
from affray.engine.dialects.pf1.magic.contents import MAGIC
from affray.engine.dialects.pf1.maneuvers.contents import MANEUVERS
from affray.engine.dialects.pf1.mounted.contents import MOUNTED
from affray.engine.dialects.pf1.movement.contents import MOVEMENT
from affray.engine.dialects.pf1.opportunity.contents import OPPORTUNITY
from affray.engine.dialects.pf1.position.contents import POSITION
from affray.engine.dialects.pf1.senses.contents import SENSES
from affray.engine.dialects.pf1.turns.contents import TURNS
from affray.engine.fight.fight import Chapters

TITLE = "Pathfinder 1e"

CHAPTERS = Chapters(
    turns=TURNS,
    attacks=ATTACKS,
    defense=DEFENSE,
    damage=DAMAGE,
    conditions=CONDITIONS,
    movement=MOVEMENT,
    position=POSITION,
    senses=SENSES,
    opportunity=OPPORTUNITY,
    maneuvers=MANEUVERS,
    grapple=GRAPPLE,
    magic=MAGIC,
    mounted=MOUNTED,
    gear=GEAR,
    classes=CLASSES,
    environment=ENVIRONMENT,
)

__all__ = ["CHAPTERS", "TITLE"]
