"""Blame for what is reckoned and stands nowhere: an attack and the defense against it, part by part."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from affray.engine.rules.attacks.attack_roll import combined_modifiers, standing_parts
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.steps import Refusal
from affray.events.errors import AffrayError
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant
from affray.replay.blame import Blame, Maker
from affray.replay.fight_over import fight_over

SUMS = ("defense", "attack")
"""What can be asked for."""


class Given(Struct, frozen=True):
    """A modifier of a sum, and the events that brought it."""

    modifier: Modifier
    makers: tuple[Maker, ...]


class SumBlamed(Struct, frozen=True):
    """What a sum is after event `at`, part by part: that of `who`, against a blow of, or at, `against`.

    `weapon` is what the blow is struck with.
    """

    branch: str
    at: int
    who: str
    sum: str
    against: str
    weapon: str
    value: int
    parts: tuple[Given, ...]


def sum_blamed(blame: Blame, who: str, name: str, against: str, weapon: str = "") -> SumBlamed:
    """Return the parts of an attack or a defense as things stand, each with the events that brought it.

    `name` is one of `SUMS`; the attack is the plain one with the weapon named, or the usual one. Raises
    AffrayError where no such blow can be struck now.
    """
    if name not in SUMS:
        raise AffrayError(f"{name!r} is no sum: there is {' and '.join(SUMS)}")
    fight = fight_over(blame.state, None)
    people = blame.state.combatants
    attacker, target = (people[against], people[who]) if name == "defense" else (people[who], people[against])
    try:
        found = find_weapon(fight, attacker, weapon)
        blow = fight.dialect.attacks.prepare(fight, attacker, target, found, "attack")
        sums = combined_modifiers(fight, blow).sums
        standing = standing_parts(fight, blow)
    except Refusal as refusal:
        raise AffrayError(f"{refusal.reason} ({refusal.rule})") from None
    parts, own = (
        (sums.against.parts, standing.defense) if name == "defense" else (sums.bonus.parts, standing.attack)
    )
    one, other = (target, attacker) if name == "defense" else (attacker, target)
    given = tuple(Given(part, tuple(_makers(blame, part, own, one, other))) for part in parts)
    total = sums.against.total if name == "defense" else sums.bonus.total
    return SumBlamed(blame.branch, blame.at, who, name, against, found.name, total, given)


def _makers(
    blame: Blame, part: Modifier, own: Iterable[Modifier], one: Combatant, other: Combatant
) -> Iterator[Maker]:
    """Yield the events behind a part: what brought the effect or condition, where both stand, the sheet."""
    words = f"{part.source} {part.denied}"
    seen: set[int] = set()
    paths: list[str] = []
    for who in (one, other):
        paths += [f"{who.id}.effects.{effect.id}" for effect in who.effects if _is_of(effect.modifier, part)]
        paths += [f"{who.id}.conditions.{name}" for name in who.conditions if name in words]
    if not any(_is_of(mine, part) for mine in own) and not paths:
        paths = [f"{one.id}.at", f"{other.id}.at"]
    if any(_is_of(mine, part) for mine in own):
        paths.append(f"{one.id}.sheet")
    for path in paths:
        for maker in blame.of(path, most=1).makers:
            if maker.seq not in seen:
                seen.add(maker.seq)
                yield maker


def _is_of(modifier: Modifier, part: Modifier) -> bool:
    """Say whether a part of a sum is this modifier, whether it counts or not."""
    return (modifier.value, modifier.kind, modifier.source) == (part.value, part.kind, part.source)
