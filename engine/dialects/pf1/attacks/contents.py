"""The chapter on attacks in pf1: what stands at each point that is not plain.

Natural weapons have `wield = "natural"` and traits "attacks 2" (how many there are of it), "primary" (not the
only one, whatever the sheet lists), "secondary", "a hand" (the limb strikes only while it holds nothing, as a
claw does) and "not a hand" (a claw of another limb).
"""

from msgspec.structs import replace

from affray.engine.dialects.pf1.attacks import attack_modifiers as own_attack
from affray.engine.dialects.pf1.attacks import natural_weapons as own_natural_weapons
from affray.engine.record.acts import Fields, Honours
from affray.engine.record.attacks import Attacks
from affray.engine.record.chapter import rolls
from affray.engine.record.compose import choose, first, gather, refine, steps, when
from affray.engine.record.silent import no_reason
from affray.engine.rules.attacks import (
    aid_another,
    attack_action,
    attack_modifiers,
    attack_roll,
    attack_series,
    charge,
    declared_blow,
    natural_weapons,
)
from affray.engine.rules.attacks.plain import PLAIN_ATTACKS
from affray.engine.rules.gear.loading import EMPTIES, leave_unloaded
from affray.events.facts import acts

ATTACKS: Attacks = replace(
    PLAIN_ATTACKS,
    rolls=PLAIN_ATTACKS.rolls | rolls("1d100: miss-chance", "1d20: aid"),
    acts={
        **PLAIN_ATTACKS.acts,
        acts.Charge: Honours(charge.charge, "target path weapon", refuses="special"),
        acts.Attack: Honours(attack_action.attack, "target weapon thrown nonlethal defensively"),
        acts.FullAttack: Honours(
            attack_action.full_attack, "nonlethal defensively", strikes=Fields("target weapon thrown special")
        ),
        acts.Aid: Honours(aid_another.aid, "friend opponent", benefit=("attack", "defense")),
        acts.Brace: Honours(declared_blow.brace, "weapon target"),
    },
    barred=first(when("weapon.wield == 'natural'", own_natural_weapons.limb_is_taken), no_reason),
    attack_bonus=refine(
        attack_roll.attack_bonus,
        when("weapon.wield == 'natural' and weapon.traits", natural_weapons.less_if_secondary),
    ),
    attack_situation=gather(
        *attack_roll.ATTACKER_STATE,
        when("melee", attack_modifiers.flanking_bonus),
        when("melee", attack_modifiers.higher_ground),
        when("not melee", own_attack.range_penalty),
        when("not melee", own_attack.into_melee),
    ),
    miss_chance=attack_modifiers.miss_chance,
    after_blow=steps(when(EMPTIES, leave_unloaded)),
    attack_series=choose(
        when(
            "sheet.weapons",
            first(
                natural_weapons.refuse_limbs,
                own_natural_weapons.refuse_taken_limbs,
                natural_weapons.limbs_and_hands(attack_series.full_attacks),
            ),
            holds=natural_weapons.strikes_with_limbs,
        ),
        attack_series.full_attacks,
    ),
    secondary_limb=refine(
        natural_weapons.marked_secondary, when("found", own_natural_weapons.unless_only_kind)
    ),
    usual_strikes=choose(
        when(
            "weapon.wield == 'natural'",
            refine(natural_weapons.strikes_of_every_limb, own_natural_weapons.leave_out_taken),
        ),
        attack_series.usual_strikes,
    ),
)
