"""The concentration check of a defensive casting in pf1."""

from affray.engine.fight.fight import Fight
from affray.events.facts.sheet import Spell


def defensive_casting(fight: Fight, spell: Spell) -> tuple[int, str]:
    """Return the DC to cast without provoking, 15 + 2 x spell level, and the topic (pf1.cast.defensively)."""
    base, _, times, _ = str(fight.figure("cast.defensively", "dc")).split(maxsplit=3)
    return int(base) + int(times) * spell.level, "cast.defensively"
