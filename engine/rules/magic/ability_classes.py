"""Special abilities: what each class of them provokes, and using them defensively.

srd35.cast.abilities-table, pf1.cast.abilities.
"""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant

ABILITIES: Final = "cast.abilities-table"


def ability_provokes(fight: Fight, caster: Combatant, spell: Spell) -> tuple[str, bool]:
    """Return the topic of the rule on a special ability, and whether it provokes; "" for what is none.

    srd35.cast.abilities-table, pf1.cast.abilities.
    """
    if not spell.ability:
        return "", False
    return ABILITIES, bool(fight.figure(ABILITIES, f"type={spell.ability}", "provokes"))


def refuse_defensive_ability(fight: Fight, caster: Combatant, spell: Spell, act: acts.Cast) -> None:
    """Refuse to use defensively a special ability that does not provoke (srd35.cast.abilities-table,
    pf1.cast.abilities).
    """
    if act.defensively and spell.ability and not ability_provokes(fight, caster, spell)[1]:
        rule = fight.rule(ABILITIES)
        raise Refusal(f"{spell.name} does not provoke and is not used defensively", rule)


def ability_does_not_provoke(fight: Fight, caster: Combatant, spell: Spell) -> Steps[None]:
    """Say of a special ability that it does not provoke (srd35.cast.abilities-table,
    pf1.cast.abilities).
    """
    if spell.ability and not ability_provokes(fight, caster, spell)[1]:
        cites = fight.rules(ABILITIES)
        yield RuleApplied(who=caster.id, what=f"{spell.name} does not provoke", cites=cites)
