"""The plain values of the chapter on attacks: complete, for a dialect to start from."""

from collections.abc import Sequence

from affray.engine.fight.fight import Fight
from affray.engine.modifiers import STACKING, Tally, stack_typed
from affray.engine.record.acts import Honours
from affray.engine.record.attacks import Attacks
from affray.engine.record.chapter import questions, rolls
from affray.engine.record.silent import never, no, no_parts, no_reason, no_rules, nothing
from affray.engine.rules.attacks import (
    attack_action,
    attack_modifiers,
    attack_roll,
    coup_de_grace,
    declared_blow,
    full_attack,
    interrupted_blow,
    weapon_blow,
)
from affray.engine.rules.attacks.attack_modifiers import range_increment
from affray.engine.rules.attacks.attack_roll import finesse
from affray.engine.rules.attacks.attack_series import one_missile, usual_shot, usual_strikes
from affray.engine.rules.attacks.coup_de_grace import bows_finish
from affray.engine.rules.attacks.critical_hits import confirm, natural_threat
from affray.engine.rules.attacks.straight_charge import weapon_in_hand
from affray.engine.rules.attacks.two_weapon_fighting import one_by_one
from affray.events.facts import acts
from affray.events.facts.modifier import Modifier


def stack_by_type(fight: Fight, parts: Sequence[Modifier]) -> Tally:
    """Add up by type: the best of each, dodge, racial and the like together (pf1.bonus.stacking)."""
    return stack_typed(parts, stacks=STACKING, rule=fight.rule("bonus.stacking"))


PLAIN_ATTACKS = Attacks(
    rolls=rolls("1d20: attack, confirm"),
    questions=questions("instead: <weapon>, none"),
    acts={
        acts.TotalDefense: Honours(attack_action.total_defense),
        acts.CoupDeGrace: Honours(coup_de_grace.coup_de_grace, "target weapon"),
    },
    stack=stack_by_type,
    prepare=declared_blow.prepare_blow,
    is_nonlethal=weapon_blow.is_nonlethal,
    deliver=declared_blow.deliver,
    still_strikes=interrupted_blow.still_strikes,
    still_planned=interrupted_blow.still_planned,
    blow_at_end=interrupted_blow.blow_at_end,
    before_roll=nothing,
    before_attacks=nothing,
    before_blow=nothing,
    attack_bonus=attack_roll.attack_bonus,
    attack_situation=attack_roll.common_attack_situation,
    range_increment=range_increment,
    finesse=finesse,
    miss_chance=attack_modifiers.miss_chance,
    barred=no_reason,
    through_surface=no,
    deciding_rules=no_rules,
    threatens_critical=natural_threat,
    confirmation_parts=no_parts,
    confirm_critical=confirm,
    finds_its_mark=never,
    passes_through=never,
    deflected=never,
    after_miss=nothing,
    after_hit=nothing,
    after_blow=nothing,
    after_maneuver=nothing,
    attack_series=full_attack.series_of_hands,
    two_weapon_parts=no_parts,
    off_hand_series=no_parts,
    begin_full_attack=no_parts,
    secondary_limb=no,
    set_against_charge=declared_blow.has_brace,
    usual_strikes=usual_strikes,
    usual_shot=usual_shot,
    least_missiles=one_missile,
    declared_feats=no_parts,
    drawn_together=one_by_one,
    weapon_of_charge=weapon_in_hand,
    finishing_weapon=bows_finish,
    no_automatic_rule="",
)
