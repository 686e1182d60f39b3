"""Cover better than normal (srd35.cover.improved, srd35.cover.improved-evasion)."""

from affray.engine.fight.fight import Fight
from affray.events.facts.modifier import Modifier

IMPROVED, EVASION = "srd35.cover.improved", "srd35.cover.improved-evasion"


def improved_cover_bonus(fight: Fight, figure: str, source: str) -> Modifier:
    """Return the bonus of cover better than normal: to "ac" or "reflex"."""
    return fight.modifier(IMPROVED, figure, kind="cover", source=f"improved {source}")
