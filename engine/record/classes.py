"""The record of the chapter on classes: class abilities, feats, skills, saves and checks."""

from collections.abc import Callable, Iterable

from msgspec import Struct

from affray.engine.record.blow import Blow, Harm
from affray.engine.record.chapter import Chapter
from affray.engine.record.context import Context
from affray.engine.record.sheet_names import SheetNames
from affray.engine.steps import Steps
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Sheet
from affray.events.facts.sheet_parts import ExtraDamage
from affray.projections.state import Combatant

OnBlow = Callable[[Context, Blow, str], Iterable[Modifier]]
"""What a feature adds to one blow; the text is its detail."""


OnRoll = Callable[[Context, Combatant, str, str], Iterable[Modifier]]
"""What a feature adds to a combatant's save or check; the texts are the roll's name and the detail."""


class Feature(Struct, frozen=True):
    """One feature: the `name` that sheets list (lower case; "": everybody has it), and what it adds where.

    A sheet may follow the name with a detail, such as "weapon focus (longsword)" or "sneak attack 3d6": what
    stands after the name, without brackets, is handed on. So is a class, with its level. `attack` and
    `damage` are asked of the attacker's features, `defense` of the target's, `moving` of a target's whose
    movement gave the opportunity for the blow; `shrug` says what is left of harm to whoever has it, and why
    ("" for nothing special); `dice` gives damage dice that are never multiplied; `save` is asked with "fort",
    "ref" or "will", `check` with the name of the skill or check, `initiative` with "". What depends on
    anything but sheets, places, conditions, effects and items must not be said by `attack` or `defense`,
    whose answers hold as long as none of these change nearby.
    """

    name: str
    attack: OnBlow | None = None
    defense: OnBlow | None = None
    damage: OnBlow | None = None
    dice: Callable[[Context, Blow, str], Iterable[ExtraDamage]] | None = None
    save: OnRoll | None = None
    check: OnRoll | None = None
    initiative: OnRoll | None = None
    moving: OnBlow | None = None
    shrug: Callable[[Context, Harm, str], tuple[int, str]] | None = None


class Classes(Chapter, frozen=True, kw_only=True):
    """Class abilities, feats, skills, saves and checks.

    save_bonus: the modifiers of a saving throw.
    after_save: what a save makes of damage, and why.
    saves_never: why a combatant makes no saving throws; "" if it does.
    save_against_condition: what adds to a save for the condition that it is to ward off.
    take_10_20: a number that stands for the die of a check, 0 for none.
    gm_check: carry out a check that the game master calls for; return whether it succeeds.
    bonus_kinds: the kinds of bonus that a sheet may name.
    sheet_names: the names on a sheet that some rule looks for, besides those of features.
    features: the feats, class abilities and special qualities that add to rolls.
    check_penalty: what armor and load take from a check.
    derived_statistics: a sheet with what its classes and levels come to, and the rules.
    """

    save_bonus: Callable[[Context, Combatant, str], list[Modifier]]
    after_save: Callable[[Context, Combatant, str, str, bool, int], tuple[int, str, tuple[str, ...]]]
    saves_never: Callable[[Context, Combatant], str]
    save_against_condition: Callable[[Context, Combatant, str], list[Modifier]]
    take_10_20: Callable[[Context, Combatant, int, str], Steps[int]]
    gm_check: Callable[[Context, Combatant, str, int, str], Steps[bool]]
    bonus_kinds: frozenset[str]
    sheet_names: SheetNames
    features: tuple[Feature, ...]
    check_penalty: Callable[[Context, Combatant, str], list[Modifier]]
    derived_statistics: Callable[[Context, Sheet], tuple[Sheet, tuple[str, ...]]]
