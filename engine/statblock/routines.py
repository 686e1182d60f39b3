"""Routines: the declaration of what is printed together, the names of its weapons, their marks."""

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.statblock.creature import singular
from affray.engine.statblock.hands import Hand, shoots_rapidly
from affray.engine.statblock.lines import first_of
from affray.engine.statblock.printed_attack import Attack
from affray.events.facts import acts
from affray.events.facts.sheet import Sheet, Weapon


class Routine(Struct, frozen=True, gc=False):
    """One alternative of the printed attacks ("... or ..."), as it is declared: as one full attack.

    `strikes` are its attacks in the order of print, without a target; `bonuses` the printed bonus of each,
    `held` the weapons in hand. `mode` is "melee" or "ranged".
    """

    mode: str
    strikes: tuple[acts.Strike, ...]
    bonuses: tuple[int, ...]
    held: tuple[str, ...] = ()
    flurry: bool = False
    rapid_shot: bool = False

    def declared(self, actor: str, target: str) -> acts.FullAttack:
        """Return the declaration of all strikes at one target."""
        return acts.FullAttack(
            actor=actor,
            strikes=tuple(replace(one, target=target) for one in self.strikes),
            flurry=self.flurry,
            rapid_shot=self.rapid_shot,
        )


def routine_of(
    sheet: Sheet, hands: Sequence[Hand], names: Sequence[str], series: Sequence[int], told: bool
) -> Routine:
    """Return the declaration of all that the hands of a routine do, in the order of print.

    `told` says that strikes are declared to be those of the off hand.
    """
    weapons = {weapon.name: weapon for weapon in sheet.weapons}
    mode = hands[0].attack.mode if hands else "melee"
    strikes = []
    for hand, name in zip(hands, names, strict=True):
        thrown = mode == "ranged" and weapons[name].thrown
        strikes += [acts.Strike("", name, thrown=thrown, off_hand=told and hand.off) for _ in hand.bonuses]
    held = first_of(name for name in names if weapons[name].wield not in ("natural", "unarmed"))
    return Routine(
        mode,
        tuple(strikes),
        tuple(bonus for hand in hands for bonus in hand.bonuses),
        held,
        any(hand.attack.flurry for hand in hands),
        any(shoots_rapidly(sheet, hand.attack, series) for hand in hands if not hand.natural),
    )


def names_for(base: str, attack: Attack) -> Iterator[str]:
    """Yield the names that the weapon of an attack may have, the plainest first; there is always another."""
    yield base
    full = f"+{attack.enhancement} {attack.name}" if attack.enhancement else singular(attack.name)
    if full != base:
        yield full
    number = 2
    while True:
        yield f"{full} ({number})"
        number += 1


def marked(weapon: Weapon, word: str) -> Weapon:
    """Return a natural weapon that is marked as primary or secondary, and as nothing else."""
    others = (trait for trait in weapon.traits if trait not in ("primary", "secondary"))
    return replace(weapon, traits=first_of((*others, word)))


def counted(weapon: Weapon, number: int) -> tuple[str, ...]:
    """Return the traits of a natural weapon that strikes so often at least."""
    told = (int(trait[8:]) for trait in weapon.traits if trait.startswith("attacks "))
    most = max(number, *told, 1)
    others = [trait for trait in weapon.traits if not trait.startswith("attacks ")]
    return first_of((*others, f"attacks {most}" if most > 1 else ""))


def exchanged(sheet: Sheet, weapon: Weapon) -> Sheet:
    """Return the sheet with a weapon in the place of the one of its name."""
    return replace(sheet, weapons=tuple(weapon if one.name == weapon.name else one for one in sheet.weapons))
