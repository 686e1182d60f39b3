"""Using a special ability, known to the rules or only described (woa.use-special-ability)."""

from affray.engine.dialects.woa.classes import described_uses, special_abilities
from affray.engine.fight.fight import Fight
from affray.engine.steps import Steps
from affray.events.facts import acts


def use_ability(fight: Fight, act: acts.UseAbility) -> Steps[None]:
    """Use a special ability: for ki or combat reactions, else as its description says.

    woa.action-type.*, woa.reaction.other-sources, woa.use-special-ability
    """
    known = special_abilities.is_known(fight.combatant(act.actor), act.ability)
    return (
        special_abilities.use_known_ability(fight, act)
        if known
        else described_uses.use_described_ability(fight, act)
    )
