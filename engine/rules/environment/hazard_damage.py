"""The damage that surroundings deal, and what goes on hurting from turn to turn.

srd35.hazard.*, pf1.hazard.ref.
"""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Harm
from affray.engine.steps import Roll, Steps
from affray.events.facts.combat import ResourceSpent
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant

BURNING, SEARED = "burning", "still burning with lava"
#: Liquids: how they are called as a condition, their figures, and their kind of damage.
LIQUIDS: Final = {
    "acid": ("in acid", "acid", "acid"),
    "lava": ("in lava", "lava", "fire"),
    "boiling water": ("in boiling water", "boiling", "fire"),
}
#: What goes on hurting from turn to turn: the conditions, and what the damage is called.
GOES_ON: Final = {
    BURNING: "burning",
    SEARED: "lava",
    **{name: liquid for liquid, (name, _, _) in LIQUIDS.items()},
}
CONCENTRATION: Final = "skill.concentration-table"


def deal_hazard_damage(
    fight: Fight, target: Combatant, notation: str, kind: str, source: str, rule: str, nonlethal: bool = False
) -> Steps[None]:
    """Roll the damage of the surroundings and let it be suffered, less what the target resists."""
    rolled = yield Roll("", "hazard", notation)
    harm = Harm(target, rolled.total, kind, source, nonlethal=nonlethal, energy=bool(kind), cites=(rule,))
    harm.amount, _ = fight.dialect.damage.reduce(fight, harm)
    harm.cites += harm.reduced_by
    dealt = harm.amount
    yield from fight.dialect.damage.suffer(fight, harm)
    if source in GOES_ON.values():
        last = last_damage(source)
        change = dealt - target.resources.get(last, 0)
        if change:
            yield ResourceSpent(who=target.id, resource=last, amount=change, cites=(rule,))


def last_damage(source: str) -> str:
    """Return the name under which it is noted how much a danger that goes on dealt last."""
    return f"last damage of {source}"


def hindering_hazards(fight: Fight, caster: Combatant, spell: Spell) -> list[tuple[str, str, int]]:
    """Return how surroundings that go on hurting make casting hard: by half of what they dealt last.

    srd35.skill.concentration-table, pf1.cast.concentration-table.
    """
    found = []
    for name, source in GOES_ON.items():
        dealt = caster.resources.get(last_damage(source), 0) if name in caster.conditions else 0
        if dealt:
            dc = fight.formula(CONCENTRATION, "case=continuous damage", "dc") + dealt // 2
            found.append((f"hurt by {source}", CONCENTRATION, dc + spell.level))
    return found
