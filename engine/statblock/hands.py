"""Which attacks of a line are made together, and with what: routines, hands, limbs."""

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from affray.engine.statblock.arms import look_up
from affray.engine.statblock.lines import Note, shown
from affray.engine.statblock.printed_attack import Attack
from affray.events.facts.sheet import Sheet

#: Beginnings of what sheets call the training, or the nature, to strike with more hands than one.
TWO_WEAPONS = ("two-weapon fighting", "improved two-weapon", "greater two-weapon", "multiweapon", "superior")
RAPID = "rapid shot"
#: More of one kind are parts of the body where no made weapon of the name is known: "3 blades".
MOST_HANDS = 2


class Hand(Struct, frozen=True, gc=False):
    """What one hand, or one kind of limb, does in a routine.

    `copy` tells the weapons of one printed attack apart ("2 flails": 0 and 1); `bonuses` are its strikes in
    print; `off` says that another hand strikes before it.
    """

    attack: Attack
    bonuses: tuple[int, ...]
    natural: bool = False
    copy: int = 0
    off: bool = False


def is_made(attack: Attack) -> bool:
    """Say whether the print of an attack shows that its weapon was made: magic, masterwork, several blows."""
    return attack.masterwork or attack.enhancement > 0 or len(attack.bonuses) > 1


def is_volley(attack: Attack) -> bool:
    """Say whether a creature shoots several of its own at once: rays, spikes, quills, rocks."""
    if attack.mode != "ranged" or attack.count < 2 or len(attack.bonuses) > 1:
        return False
    base, family, _ = known(attack)
    return family != "weapon" or base == "rock"


def is_natural(attack: Attack) -> bool:
    """Say whether an attack is made with a part of the body."""
    return is_volley(attack) or known(attack)[2]["wield"] == "natural"


def known(attack: Attack) -> tuple[str, str, dict[str, Any]]:
    """Return what is known of the weapon of an attack by its name and print, as `look_up` does."""
    return look_up(attack.name, attack.mode, is_made(attack), attack.count > MOST_HANDS)


def routines_of(
    sheet: Sheet, attacks: Iterable[Attack], series: Sequence[int], notes: list[Note]
) -> list[tuple[Attack, ...]]:
    """Return the attacks of one field by routine; `series` are the steps of the base attack bonus.

    Two weapons, each with all attacks of the base attack bonus, on somebody without training in two are
    alternatives whose "or" print has lost.
    """
    groups: dict[tuple[str, int], list[Attack]] = {}
    for attack in attacks:
        groups.setdefault((attack.mode, attack.routine), []).append(attack)
    found: list[tuple[Attack, ...]] = []
    trained = any(word.startswith(TWO_WEAPONS) for word in (*sheet.feats, *sheet.traits))
    for group in groups.values():
        made = [one for one in group if not is_natural(one)]
        whole = [one for one in made if one.count == 1 and len(one.bonuses) == len(series) > 1]
        if len(made) == len(whole) == 2 and not trained:
            second = made[1]
            reason = "two full series and no training in two weapons: read as another attack, not as one more"
            notes.append(Note(second.line, shown(second.text), reason))
            at = group.index(second)
            found += [tuple(group[:at]), tuple(group[at:])]
        else:
            found.append(tuple(group))
    return found


def hands_of(sheet: Sheet, attacks: Sequence[Attack], series: Sequence[int]) -> list[Hand]:
    """Return the hands and limbs of a routine, in the order of print.

    The first weapon made is that of the main hand, all others are in off hands. One series that holds more
    attacks than the base attack bonus gives ("+6/+6") is that of two hands, but for flurries and Rapid Shot.
    """
    found: list[Hand] = []
    for attack in attacks:
        if is_natural(attack):
            found.append(Hand(attack, attack.bonuses * attack.count, natural=True))
            continue
        if is_thrown_pair(sheet, attack):
            found += [Hand(attack, (bonus,), copy=copy) for copy, bonus in enumerate(attack.bonuses)]
            continue
        both = () if attack.flurry or shoots_rapidly(sheet, attack, series) else _split(attack, series)
        each = both or (attack.bonuses,) * attack.count
        for copy, bonuses in enumerate(each):
            off = any(not hand.natural for hand in found)
            found.append(Hand(attack, bonuses, copy=copy, off=off))
    return found


def is_thrown_pair(sheet: Sheet, attack: Attack) -> bool:
    """Say whether two throws come from both hands: nobody without Quick Draw draws the second in between."""
    fields = known(attack)[2]
    return (
        attack.mode == "ranged"
        and attack.count == 1
        and len(attack.bonuses) == 2
        and not attack.flurry
        and "quick draw" not in sheet.feats
        and "drawn as ammunition" not in fields["traits"]
        and fields["wield"] in ("light", "one-handed")
        and (fields.get("thrown", False) or not fields.get("range"))
    )


def shoots_rapidly(sheet: Sheet, attack: Attack, series: Sequence[int]) -> bool:
    """Say whether a printed series is one of Rapid Shot: one attack more at the highest bonus."""
    first = attack.bonuses[0]
    return (
        attack.mode == "ranged"
        and attack.count == 1
        and any(feat.startswith(RAPID) for feat in sheet.feats)
        and attack.bonuses == (first, *(first + step for step in series))
    )


def _split(attack: Attack, series: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Return the series of both hands where print gives them as one, () where it does not."""
    first = attack.bonuses[0]
    main, rest = tuple(first + step for step in series), list(attack.bonuses)
    if attack.count == len(rest) == rest.count(first) == MOST_HANDS:
        return (first,), (first,)
    if attack.count > MOST_HANDS or len(rest) <= len(main) or rest[1] != first:
        return ()
    for bonus in main:
        if bonus not in rest:
            return ()
        rest.remove(bonus)
    return main, tuple(rest)
