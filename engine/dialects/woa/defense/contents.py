"""The chapter on defense in woa: what stands at each point that is not plain.

`expose` says what somebody is behind ("improved cover" with a degree or "arrow slit") and how high it stands
("height" in feet). Traits: "tower shield", "barrier" (a thing that covers wholly until it is broken).
"""

from msgspec.structs import replace

from affray.engine.dialects.woa.attacks import attack_modifiers
from affray.engine.dialects.woa.attacks.flanking import flanked_ac
from affray.engine.dialects.woa.defense import armor_class, cover
from affray.engine.dialects.woa.grapple.grab_modifiers import held_target
from affray.engine.dialects.woa.grapple.grapple_modifiers import deny_positioning
from affray.engine.dialects.woa.movement import aloft
from affray.engine.dialects.woa.position import crowding
from affray.engine.dialects.woa.position.high_ground import high_ground
from affray.engine.dialects.woa.senses import concealment
from affray.engine.record.chapter import questions
from affray.engine.record.compose import choose, first, gather, refine, when
from affray.engine.record.defense import Defense
from affray.engine.record.silent import no_parts
from affray.engine.rules.defense import armor_class as shared_armor_class
from affray.engine.rules.defense.plain import PLAIN_DEFENSE

DEFENSE: Defense = replace(
    PLAIN_DEFENSE,
    questions=questions(
        "cover: decline, cover, move aside, waive Dexterity, waive dodge, waive both, none, one-quarter, "
        "one-half",
        "covering: 1/2, none",
        "low: helps, hurts, does not matter",
        "preempt: decline, dodge",
    ),
    dexterity_denied=first(
        when("attacker.effects", armor_class.surprised_by_weapon),
        armor_class.attacker_on_body,
        when("not (target.aware or target.acted)", armor_class.unaware_before_first_turn),
        when("target.conditions", armor_class.denied_by_condition),
        armor_class.misled_by_feint,
    ),
    defense_bonus=armor_class.armor_against,
    cover=choose(when("intent.kind == 'through'", no_parts), cover.cover_by_degree),
    defense_situation=refine(
        gather(
            attack_modifiers.cover_and_posture,
            when("target.conditions", held_target),
            when("target.effects", shared_armor_class.effects_on_defense),
            flanked_ac,
            aloft.defense_parts,
            high_ground,
            crowding.close_defense,
            concealment.concealment_on_defense,
            shared_armor_class.features_on_defense,
        ),
        when("'grappling' in target.conditions", deny_positioning),
    ),
)
