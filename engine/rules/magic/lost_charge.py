"""The charge of a touch spell while it is held: what spell it is, and how it is lost."""

from affray.engine.fight.fight import Fight
from affray.engine.rules.magic import known_spells
from affray.engine.steps import Refusal, Steps
from affray.events.facts.combat import ConditionLost
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant

CHARGED = "holding a charge"


def held_spell(fight: Fight, combatant: Combatant) -> Spell:
    """Return the spell whose charge is held. Refuses without one."""
    held = combatant.conditions.get(CHARGED)
    if held is None:
        raise Refusal(f"{combatant.id} holds no charge", fight.rule("cast.hold-charge"))
    return known_spells.spell_known(combatant, held.source)


def discharge_into_object(fight: Fight, combatant: Combatant, item: str) -> Steps[None]:
    """Let a charge that is held go off into a thing that is touched."""
    if CHARGED in combatant.conditions:
        spell = held_spell(fight, combatant)
        cites = fight.rules("cast.hold-charge-discharge")
        yield RuleApplied(who=combatant.id, what=f"{spell.name} goes off into the {item}", cites=cites)
        yield ConditionLost(who=combatant.id, condition=CHARGED, why="discharged", cites=cites)


def dissipate(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Lose a held charge by casting another spell (srd35.cast.hold-charge, woa.spell.hold-charge-lost)."""
    if CHARGED in combatant.conditions:
        rule = fight.rule("cast.hold-charge-lost")
        yield ConditionLost(who=combatant.id, condition=CHARGED, why="another spell is cast", cites=(rule,))
