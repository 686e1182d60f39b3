"""The spells that a combatant knows."""

from affray.engine.steps import Refusal, unknown_word
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant

LONG = ("standard", "full-round", "one-round")


def named_spell(caster: Combatant, name: str) -> Spell | None:
    """Return the spell or device of that name, None for one that a combatant does not have."""
    return next((one for one in caster.sheet.spells if one.name == name), None)


def spell_of(caster: Combatant, name: str, rule: str, kind: str = "spell") -> Spell:
    """Return the spell of that name, or the magic item where that is the kind.

    Refuses by `rule` what the caster has not, or has no longer.
    """
    spell = named_spell(caster, name)
    if spell is None:
        items = kind != "spell"
        known = [
            one for one in caster.sheet.spells if bool(one.item) == items and not is_used_up(caster, one)
        ]
        raise unknown_word(kind, name, (one.name for one in known), rule, caster.id)
    if is_used_up(caster, spell):
        raise Refusal(f"{caster.id} has no {spell.name} left", rule)
    return spell


def is_used_up(caster: Combatant, spell: Spell) -> bool:
    """Say whether a combatant has used a spell or device as often as it can."""
    return spell.uses is not None and caster.resources.get(spell.name, 0) >= spell.uses


def spell_known(caster: Combatant, name: str) -> Spell:
    """Return the spell of that name, which the caster is known to have."""
    return next(one for one in caster.sheet.spells if one.name == name)
