"""Who may turn what: the energy, the level, the holy symbol, the attempts of a day, and what resists it."""

from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.ability_modifiers import has_trait
from affray.engine.steps import Refusal
from affray.projections.state import Combatant

SYMBOL = "holy symbol"
LOST = ("dropped", "broken", "gone")


def turn_resistance(combatant: Combatant) -> int:
    """Return the number behind "turn resistance" among the traits: "turn resistance +4"."""
    found = (trait.removeprefix("turn resistance ") for trait in combatant.sheet.traits)
    return max((int(text) for text in found if text.removeprefix("+").isdecimal()), default=0)


def refuse_without_symbol(fight: Fight, combatant: Combatant, topic: str) -> None:
    """Refuse by the rule on a topic a turner who has no holy symbol to present.

    srd35.turn.holy-symbol, woa.turn-undead.action-cost.
    """
    if combatant.items.get(SYMBOL) in LOST or has_trait(combatant, "no holy symbol"):
        raise Refusal(f"{combatant.id} has no holy symbol to present", fight.rule(topic))
