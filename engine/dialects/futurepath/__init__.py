"""`futurepath`: modern and science-fiction combat, Defense and graded advantages, point by point."""

from affray.engine.dialects.futurepath.attacks.contents import ATTACKS
from affray.engine.dialects.futurepath.classes.contents import CLASSES
from affray.engine.dialects.futurepath.conditions.contents import CONDITIONS
from affray.engine.dialects.futurepath.damage.contents import DAMAGE
from affray.engine.dialects.futurepath.defense.contents import DEFENSE
from affray.engine.dialects.futurepath.environment.contents import ENVIRONMENT
from affray.engine.dialects.futurepath.gear.contents import GEAR
from affray.engine.dialects.futurepath.grapple.contents import GRAPPLE
from affray.engine.dialects.futurepath.magic.contents import MAGIC
from affray.engine.dialects.futurepath.maneuvers.contents import MANEUVERS
from affray.engine.dialects.futurepath.movement.contents import MOVEMENT
from affray.engine.dialects.futurepath.opportunity.contents import OPPORTUNITY
from affray.engine.dialects.futurepath.position.contents import POSITION
from affray.engine.dialects.futurepath.senses.contents import SENSES
from affray.engine.dialects.futurepath.turns.contents import TURNS
from affray.engine.fight.fight import Chapters
from affray.engine.rules.mounted.plain import PLAIN_MOUNTED

TITLE = "Futurepath"

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
    mounted=PLAIN_MOUNTED,
    gear=GEAR,
    classes=CLASSES,
    environment=ENVIRONMENT,
)

__all__ = ["CHAPTERS", "TITLE"]
