"""`woa`: Worlds of Adventure, point by point: declared actions, initiative every round, combat reactions."""

from affray.engine.dialects.woa.attacks.contents import ATTACKS
from affray.engine.dialects.woa.classes.contents import CLASSES
from affray.engine.dialects.woa.conditions.contents import CONDITIONS
from affray.engine.dialects.woa.damage.contents import DAMAGE
from affray.engine.dialects.woa.defense.contents import DEFENSE
from affray.engine.dialects.woa.environment.contents import ENVIRONMENT
from affray.engine.dialects.woa.gear.contents import GEAR
from affray.engine.dialects.woa.grapple.contents import GRAPPLE
from affray.engine.dialects.woa.magic.contents import MAGIC
from affray.engine.dialects.woa.maneuvers.contents import MANEUVERS
from affray.engine.dialects.woa.mounted.contents import MOUNTED
from affray.engine.dialects.woa.movement.contents import MOVEMENT
from affray.engine.dialects.woa.opportunity.contents import OPPORTUNITY
from affray.engine.dialects.woa.position.contents import POSITION
from affray.engine.dialects.woa.senses.contents import SENSES
from affray.engine.dialects.woa.turns.contents import TURNS
from affray.engine.fight.fight import Chapters

TITLE = "Worlds of Adventure"

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
