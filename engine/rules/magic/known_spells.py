"""The spells that a combatant knows."""

from affray.engine.steps import Refusal
from affray.events.errors import did_you_mean
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant

LONG = ("standard", "full-round", "one-round")


def named_spell(caster: Combatant, name: str) -> Spell | None:
    """Return the spell or device of that name, None for one that a combatant does not have."""
    return next((one for one in caster.sheet.spells if one.name == name), None)


def spell_of(caster: Combatant, name: str, rule: str) -> Spell:
    """Return the spell of that name. Refuses by `rule` one that the caster has not, or has no longer."""
    spell = named_spell(caster, name)
    if spell is None:
        known = did_you_mean(name, (one.name for one in caster.sheet.spells))
        raise Refusal(f"{caster.id} has no spell {name!r}{known}", rule)
    if spell.uses is not None and caster.resources.get(spell.name, 0) >= spell.uses:
        raise Refusal(f"{caster.id} has no {spell.name} left", rule)
    return spell


def spell_known(caster: Combatant, name: str) -> Spell:
    """Return the spell of that name, which the caster is known to have."""
    return next(one for one in caster.sheet.spells if one.name == name)
