"""The record of the chapter on attacks: an attack, from what is declared with it to what follows it."""

from collections.abc import Callable, Sequence
from typing import Any

from affray.engine.modifiers import Tally
from affray.engine.record.blow import Blow
from affray.engine.record.chapter import Chapter
from affray.engine.record.context import Context
from affray.engine.steps import Steps
from affray.events.facts.acts.attacks import Attack, Strike
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant


class Attacks(Chapter, frozen=True, kw_only=True):
    """An attack, from what is declared with it to what follows it.

    stack: add up modifiers by the dialect's rule on stacking.
    prepare: the blow that is declared, found legal.
    is_nonlethal: whether a weapon deals nonlethal damage of itself in these hands.
    deliver: strike a prepared blow, with what it provokes and what follows; return whether it hit.
    still_strikes: the blow that can be struck after an interruption, given how the attacker stood before:
        the one meant or one with another weapon, None where it is lost.
    still_planned: the same of a later attack of several, after what has happened in those before it.
    blow_at_end: the blow at the end of a movement, as it is prepared then.
    before_roll: reactions right before an attack roll.
    before_attacks: what the first blow of a declaration meets with, before it.
    before_blow: what a blow takes from its weapon before it; of weapons with traits only.
    attack_bonus: what sheet and weapon give to the attack roll.
    attack_situation: what conditions, effects and the place do to the attack roll.
    range_increment: the range increment of this blow's weapon in feet.
    finesse: whether Dexterity stands for Strength in this blow.
    miss_chance: percent, why, and the topic of the rule on the chance to miss.
    barred: why a target cannot be attacked at all, and the rule's topic; ("", "") if it can.
    through_surface: whether a blow goes through the surface of an object.
    deciding_rules: further rules to cite when the rule on a topic decides a roll.
    threatens_critical: whether a hit threatens a critical one, by natural roll, total and defense.
    confirmation_parts: what adds to the roll that confirms a threat, besides the parts of the attack.
    confirm_critical: confirm a threat; return whether the hit is critical.
    finds_its_mark: whether a blow that the miss chance caught strikes home all the same.
    passes_through: whether a blow goes through a body without harm.
    deflected: whether a missile is turned aside.
    after_miss: what follows a miss.
    after_hit: what follows a hit and its harm, given the target's hit points before and whether it
        stood.
    after_blow: what follows a declared blow or one of opportunity, hit or not; not after plain blows
        without traits, conditions or effects.
    after_maneuver: what follows an attempt at a maneuver.
    attack_series: the bonuses of each attack of a full attack, by series.
    two_weapon_parts: what an attack pays when both hands strike, by whether the weapon of the off hand is
        light, with the "primary" hand or the "off_hand".
    off_hand_series: the attacks of the off hand, of so many off hands, each with what it has less than the
        first.
    begin_full_attack: the facts with which a full attack begins: its action, and what is settled before its
        first attack.
    secondary_limb: whether a natural weapon of a combatant is a secondary one by its nature, and what its
        sheet prints does not hold that already.
    set_against_charge: whether a weapon can be set against a charge.
    usual_strikes: the strikes that a full attack makes if none are named.
    usual_shot: a shot or throw at a target as one attack, if nothing more is said of it; None where there is
        none that spares its own side.
    least_missiles: how many missiles a shot takes at least.
    declared_feats: what is declared with an attack before its first roll.
    drawn_together: the rules by which weapons are drawn as one.
    weapon_of_charge: the weapon of a charge by a combatant, on its own feet or on a mover's, and how it is
        drawn on the way; None where it is at hand.
    finishing_weapon: whether a weapon can deliver a coup de grace.
    no_automatic_rule: the topic of the rule that 1 and 20 decide nothing in checks ("": none to cite).
    """

    stack: Callable[[Context, Sequence[Modifier]], Tally]
    prepare: Callable[..., Blow]
    is_nonlethal: Callable[[Combatant, Weapon], bool]
    deliver: Callable[..., Steps[bool]]
    still_strikes: Callable[[Context, Any, Blow], Steps[Blow | None]]
    still_planned: Callable[..., Steps[Any]]
    blow_at_end: Callable[[Context, Combatant, Weapon, Callable[[Weapon], Blow]], Steps[Blow | None]]
    before_roll: Callable[[Context, Blow], Steps[None]]
    before_attacks: Callable[[Context, Blow], Steps[None]]
    before_blow: Callable[[Context, Blow, str], Steps[None]]
    attack_bonus: Callable[[Context, Blow], tuple[Modifier, ...]]
    attack_situation: Callable[[Context, Blow], list[Modifier]]
    range_increment: Callable[[Context, Blow], int]
    finesse: Callable[[Context, Blow], bool]
    miss_chance: Callable[[Context, Blow], tuple[int, str, str]]
    barred: Callable[[Context, Blow], tuple[str, str]]
    through_surface: Callable[[Context, Blow], bool]
    deciding_rules: Callable[[Context, str], tuple[str, ...]]
    threatens_critical: Callable[[Context, Blow, int, int, int], bool]
    confirmation_parts: Callable[[Context, Blow], list[Modifier]]
    confirm_critical: Callable[[Context, Blow], Steps[bool]]
    finds_its_mark: Callable[[Context, Blow, int, str], Steps[bool]]
    passes_through: Callable[[Context, Blow], Steps[bool]]
    deflected: Callable[[Context, Blow], Steps[bool]]
    after_miss: Callable[[Context, Blow], Steps[None]]
    after_hit: Callable[[Context, Blow, tuple[int, int, int], bool], Steps[None]]
    after_blow: Callable[[Context, Blow, bool], Steps[None]]
    after_maneuver: Callable[[Context, Blow], Steps[None]]
    attack_series: Callable[[Context, Combatant, Any], list[list[Modifier]]]
    two_weapon_parts: Callable[[Context, Combatant, bool, str], list[Modifier]]
    off_hand_series: Callable[[Context, Combatant, int], list[list[Modifier]]]
    begin_full_attack: Callable[[Context, Combatant, Any, str, int], list[Any]]
    secondary_limb: Callable[[Context, Combatant, Weapon], bool]
    set_against_charge: Callable[[Context, Weapon], bool]
    usual_strikes: Callable[[Context, Combatant, Combatant, Weapon], tuple[Strike, ...]]
    usual_shot: Callable[[Context, Combatant, Combatant, Weapon], Attack | None]
    least_missiles: Callable[[Context, Weapon], int]
    declared_feats: Callable[[Context, Combatant, Any, Sequence[Blow]], list[Any]]
    drawn_together: Callable[[Context, Combatant, Sequence[str]], tuple[str, ...]]
    weapon_of_charge: Callable[[Context, Combatant, Combatant, Any], tuple[Weapon, Steps[None] | None]]
    finishing_weapon: Callable[[Weapon], bool]
    no_automatic_rule: str
