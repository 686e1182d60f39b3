"""Attacks of opportunity in srd35: the rules on what strikes out of turn (srd35.aoo.*)."""

from affray.events.facts.sheet import Weapon


def aoo_topics(weapon: Weapon) -> tuple[str, ...]:
    """Return the topics of what lets a weapon strike out of turn (srd35.aoo.threatened, .per-opportunity)."""
    reach = ("aoo.reach-weapons",) if weapon.reach else ()
    return ("aoo.threatened", *reach, "aoo.per-opportunity")
