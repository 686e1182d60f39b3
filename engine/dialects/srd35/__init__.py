"""`srd35`: the D&D 3.5 combat rules, point by point."""

from affray.engine.dialects.srd35.attacks.contents import ATTACKS
from affray.engine.dialects.srd35.classes.contents import CLASSES
from affray.engine.dialects.srd35.conditions.contents import CONDITIONS
from affray.engine.dialects.srd35.damage.contents import DAMAGE
from affray.engine.dialects.srd35.defense.contents import DEFENSE
from affray.engine.dialects.srd35.environment.contents import ENVIRONMENT
from affray.engine.dialects.srd35.gear.contents import GEAR
from affray.engine.dialects.srd35.grapple.contents import GRAPPLE
from affray.engine.dialects.srd35.magic.contents import MAGIC
from affray.engine.dialects.srd35.maneuvers.contents import MANEUVERS
from affray.engine.dialects.srd35.mounted.contents import MOUNTED
from affray.engine.dialects.srd35.movement.contents import MOVEMENT
from affray.engine.dialects.srd35.opportunity.contents import OPPORTUNITY
from affray.engine.dialects.srd35.position.contents import POSITION
from affray.engine.dialects.srd35.senses.contents import SENSES
from affray.engine.dialects.srd35.turns.contents import TURNS
from affray.engine.fight.fight import Chapters

TITLE = "D&D 3.5 System Reference Document"

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
