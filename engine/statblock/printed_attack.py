"""What a printed attack says, its numbers taken apart."""

from typing import Final

from msgspec import Struct

#: The source of a part that makes a figure come out as printed where no rule explains it.
PRINTED: Final = "as printed, no rule named"


class Attack(Struct, frozen=True, gc=False):
    """One attack as printed, its numbers taken apart but not explained.

    `bonuses` is the series in print; `routine` counts the alternatives of the line ("... or ...") from 1;
    `dice` is "0" where no damage to hit points is printed; `losses` are the ability points and levels that a
    hit costs ("1d6 str", "1d4 con drain", "2 negative levels"), `save` and `dc` what holds them off; `riders`
    is what else a hit does, in words. `flurry` says that the series is a flurry of blows.
    """

    line: int
    text: str
    mode: str
    routine: int
    count: int
    name: str
    bonuses: tuple[int, ...]
    enhancement: int = 0
    masterwork: bool = False
    touch: bool = False
    incorporeal: bool = False
    rating: int | None = None
    dice: str = "0"
    flat: int = 0
    kind: str = ""
    nonlethal: bool = False
    threat: int = 20
    multiplier: int = 2
    extra: tuple[tuple[str, str], ...] = ()
    losses: tuple[str, ...] = ()
    save: str = ""
    dc: int = 0
    riders: tuple[str, ...] = ()
    flurry: bool = False


class Strike(Struct, frozen=True, gc=False):
    """A printed attack and the weapon of the sheet that it is made with.

    It is the strike `at` (from 0), and perhaps those after it, of the routine of that number (from 0); -1 is
    that of an attack which print gives by itself, beside the full attack.
    """

    weapon: str
    attack: Attack
    routine: int = -1
    at: int = 0
