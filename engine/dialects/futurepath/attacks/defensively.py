"""Fighting defensively: attacks less sure for a better Defense."""

from collections.abc import Iterator

from affray.engine.fight.fight import Fight
from affray.events.facts.combat import EffectGained, Until
from affray.projections.state import Combatant


def fight_defensively(fight: Fight, combatant: Combatant, how: str) -> Iterator[EffectGained]:
    """Take -4 on the attacks of the round for a +2 dodge bonus to Defense.

    futurepath.attack.fighting-defensively.melee, futurepath.attack.fighting-defensively.ranged,
    futurepath.attack.fighting-defensively.full-attack.
    """
    topic = f"attack.fighting-defensively.{how}"
    until = Until("turn-start", combatant.id, fight.state.round + 1)
    for stat, path, kind in (("attack", "attack", "penalty"), ("defense", "defense_dodge", "dodge")):
        yield EffectGained(
            who=combatant.id,
            id=f"{fight.declaration}:{stat}",
            stat=stat,
            modifier=fight.modifier(topic, path, kind=kind, source="fighting defensively"),
            until=until,
            cites=fight.rules(topic),
        )
