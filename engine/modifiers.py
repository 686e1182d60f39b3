"""Adding up modifiers: which stack, which overrule others, and the total.

All of them are kept: a modifier that does not count stays in the tally with the reason.
"""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from affray.events.facts.sheet import Modifier
from affray.projections.state import Combatant


class Tally(Struct, frozen=True, gc=False):
    """The sum of the modifiers that count, with every modifier that was considered.

    `parts` keeps the order of the input, suppressed ones with `denied` filled; `cites` are the rules
    that suppressed something here; `failed` is whether penalties alone make the roll fail, and `burden` is
    their total where advantages are graded.
    """

    total: int
    parts: tuple[Modifier, ...]
    cites: tuple[str, ...] = ()
    failed: bool = False
    burden: int = 0


def multiply(factors: Iterable[int]) -> int:
    """Return the single multiplier of several together: doubled twice is tripled, 1 + the sum of (m - 1)."""
    return 1 + sum(factor - 1 for factor in factors)


def effect_parts(combatant: Combatant, stat: str, against: str) -> Iterator[Modifier]:
    """Yield the temporary modifiers of a combatant to `stat` that apply against one opponent."""
    for effect in combatant.effects:
        if effect.stat == stat and effect.against in ("", against):
            yield effect.modifier


def ruled_out(
    combatant: Combatant, stat: str, parts: Sequence[Modifier], against: str = ""
) -> Sequence[Modifier]:
    """Return the parts, with those denied that a ruling has struck out by source or kind.

    Such a ruling is an effect on "no." and the stat, whose modifier has the struck-out source or kind as its
    source and the ruling as its rule.
    """
    if not combatant.effects:
        return parts
    stat = f"no.{stat}"
    struck = [one.modifier for one in combatant.effects if one.stat == stat and one.against in ("", against)]
    if not struck:
        return parts
    names = {one.source.casefold(): one.rule for one in struck}
    made = []
    for part in parts:
        rule = names.get(part.source.casefold(), names.get(part.kind.casefold()))
        if rule is not None and not part.denied:
            part = replace(part, denied=f"ruled out ({rule})" if rule else "ruled out")
        made.append(part)
    return made


def affected_parts(
    combatant: Combatant, stat: str, parts: Sequence[Modifier], against: str = ""
) -> Sequence[Modifier]:
    """Return the parts with the temporary modifiers to `stat`, less those that a ruling has struck out."""
    if not combatant.effects:
        return parts
    return ruled_out(combatant, stat, [*parts, *effect_parts(combatant, stat, against)], against)
