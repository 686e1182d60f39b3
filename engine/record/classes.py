"""The record of the chapter on classes: class abilities, feats, skills, saves and checks."""

from collections.abc import Callable, Iterable

from affray.engine.record.blow import SaveMade
from affray.engine.record.chapter import Chapter
from affray.engine.record.context import Context
from affray.engine.record.listed import Listed
from affray.engine.record.sheet_names import SheetNames
from affray.engine.steps import Steps
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Sheet
from affray.projections.state import Combatant


class Classes(Chapter, frozen=True, kw_only=True):
    """Class abilities, feats, skills, saves and checks.

    The features are stages under the `named` entry of a sheet (lower case; "": everybody has it). A sheet may
    follow the name with a detail, such as "weapon focus (longsword)" or "sneak attack 3d6": what stands after
    the name, without brackets, is handed on. So is a class, with its level. On a blow they are
    `feature(fight, blow, detail)`, on a roll `feature(fight, combatant, name, detail)`, and return modifiers.
    What depends on anything but sheets, places, conditions, effects and items must not be said on attack and
    defense, whose answers hold as long as none of these change nearby.

    save_bonus: the modifiers of a saving throw.
    after_save: what a save makes of damage, and why.
    saves_never: why a combatant makes no saving throws; "" if it does.
    save_against_condition: what adds to a save of that kind for the condition that it is to ward off.
    take_10_20: a number that stands for the die of a check, 0 for none.
    gm_check: carry out a check that the game master calls for; return whether it succeeds.
    bonus_kinds: the kinds of bonus that a sheet may name.
    sheet_names: the names on a sheet that some rule looks for, besides those of features.
    attack_features: feats, class abilities and special qualities that add to the attacker's roll.
    defense_features: those that add to the target's defense.
    moving_features: those that add to the defense of a target whose movement gave the opportunity.
    damage_features: those that add to the damage of the attacker's blow.
    dice_features: those that add dice of damage, which are never multiplied.
    save_features: those that add to a saving throw, named "fort", "ref" or "will".
    check_features: those that add to a check, by the name of the skill or check.
    initiative_features: those that add to initiative.
    spared_precision: whether precise blows find no vital spot on a combatant, other than for its nature.
    shrug_features: what they leave of harm, and why; "" for nothing special.
    pools: what a combatant has to use up, by name, and how many of it.
    check_penalty: what armor and load take from a check.
    derived_statistics: a sheet with what its classes and levels come to, and the rules.
    """

    save_bonus: Callable[[Context, Combatant, str], list[Modifier]]
    after_save: Callable[[Context, Combatant, SaveMade], tuple[int, str, tuple[str, ...]]]
    saves_never: Callable[[Context, Combatant], str]
    save_against_condition: Callable[[Context, Combatant, str, str], list[Modifier]]
    take_10_20: Callable[[Context, Combatant, int, str], Steps[int]]
    gm_check: Callable[[Context, Combatant, str, int, str], Steps[bool]]
    bonus_kinds: frozenset[str]
    sheet_names: SheetNames
    attack_features: Listed
    defense_features: Listed
    moving_features: Listed
    damage_features: Listed
    dice_features: Listed
    save_features: Listed
    check_features: Listed
    initiative_features: Listed
    spared_precision: Callable[[Context, Combatant], bool]
    shrug_features: Listed
    pools: Callable[[Context, Combatant], Iterable[tuple[str, int]]]
    check_penalty: Callable[[Context, Combatant, str], list[Modifier]]
    derived_statistics: Callable[[Context, Sheet], tuple[Sheet, tuple[str, ...]]]
