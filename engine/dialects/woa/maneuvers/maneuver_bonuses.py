"""What feats and traits do to maneuvers, as a sheet says (woa.maneuver.ac-special, .roll-modifiers)."""

from collections.abc import Iterator

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.events.facts.modifier import Modifier

#: The traits: "stability +4 vs trip, push" wards off, "maneuver +2 vs disarm" helps; "vs all" is every one.
STABILITY, MANEUVER = "stability", "maneuver"


def bonus_to_resist(fight: Fight, blow: Blow, detail: str) -> Iterator[Modifier]:
    """Yield what a target's trait adds to its AC against this maneuver (woa.maneuver.ac-special)."""
    value = number_for_maneuver(blow, detail)
    if value:
        yield Modifier(value, "racial", STABILITY, fight.rule("woa.maneuver.ac-special"))


def bonus_to_maneuver(fight: Fight, blow: Blow, detail: str) -> Iterator[Modifier]:
    """Yield what an attacker's feat or trait adds to this check (woa.maneuver.roll-modifiers)."""
    value = number_for_maneuver(blow, detail)
    if value:
        yield Modifier(
            value, "feat", f"better at {blow.intent.maneuver}", fight.rule("woa.maneuver.roll-modifiers")
        )


def number_for_maneuver(blow: Blow, detail: str) -> int:
    """Return the number that a detail such as "+4 vs trip, push" gives to a blow, 0 for other maneuvers."""
    number, _, names = detail.partition(" vs ")
    named = [name.strip() for name in names.split(",")]
    if not blow.intent.maneuver or not ({blow.intent.maneuver, "all"} & set(named)):
        return 0
    return int(number) if number.lstrip("+-").isdigit() else 0
