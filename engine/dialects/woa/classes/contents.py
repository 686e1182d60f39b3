"""The chapter on classes in woa: what stands at each point that is not plain.

A plan names what is meant: "use-feat", "use-skill", "use-ability". A turner faces a `way`; "evil" clerics
rebuke. `save_bonuses` under "ref traps" count on those saves only. Traits: "ki 4" is a monk's pool, "swift
NAME", "immediate NAME" and "reaction NAME" are abilities for `use-ability`; the latter two cost combat
reactions.
"""

from msgspec.structs import replace

from affray.engine.dialects.woa.classes import described_uses, saves, special_abilities, turn_undead
from affray.engine.dialects.woa.classes.sheet_names import SHEET_NAMES
from affray.engine.dialects.woa.conditions import flight_from_fear
from affray.engine.dialects.woa.damage import damage_feats
from affray.engine.dialects.woa.environment import circumstances
from affray.engine.dialects.woa.gear import equip
from affray.engine.dialects.woa.grapple import grab_modifiers
from affray.engine.dialects.woa.maneuvers import maneuver_bonuses
from affray.engine.dialects.woa.movement import blind_movement, climb_and_burrow
from affray.engine.dialects.woa.position import shared_space, size_table
from affray.engine.dialects.woa.senses import blinded_deafened
from affray.engine.modifiers import KINDS
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import questions, rolls
from affray.engine.record.classes import Classes
from affray.engine.record.compose import choose, gather, named, refine, when
from affray.engine.record.listed import listed
from affray.engine.record.other_fields import UNSAID
from affray.engine.record.words import Judged
from affray.engine.rules.classes.derived_statistics import as_printed, on_sheet_so_far
from affray.engine.rules.classes.plain import PLAIN_CLASSES
from affray.engine.rules.classes.pools import pools_of_sheet
from affray.events.facts import acts

CLASSES: Classes = replace(
    PLAIN_CLASSES,
    rolls=PLAIN_CLASSES.rolls | rolls("1d20: endurance, heal, sleight of hand, strength"),
    questions=questions("devotion: allow, refuse", "use: allow, refuse"),
    sheet_names=SHEET_NAMES,
    bonus_kinds=KINDS | {"advantage", "shield enhancement"},
    acts={
        acts.TurnUndead: Honours(
            turn_undead.turn_undead, "way boost", what=Judged(("turn", "rebuke")), kind=Judged(("undead",))
        ),
        acts.UseSkill: Honours(described_uses.use_skill, "skill dc"),
        acts.UseAbility: Honours(
            choose(
                when("", special_abilities.use_known_ability, holds=special_abilities.uses_known_ability),
                described_uses.use_described_ability,
            ),
            "ability target",
        ),
        acts.Circumstance: Honours(
            circumstances.circumstance, "target hampers changes why row", under={"hampers": {"row": UNSAID}}
        ),
    },
    save_bonus=gather(saves.own_bonus, saves.lowered_ability, saves.passing_save_parts, saves.feature_bonus),
    attack_features=listed(
        shared_space.cramped_attack,
        blinded_deafened.blow_sight,
        flight_from_fear.stands_ground,
        named(maneuver_bonuses.MANEUVER, maneuver_bonuses.bonus_to_maneuver),
        grab_modifiers.holds_on_attack,
    ),
    defense_features=listed(
        shared_space.cramped_defense,
        climb_and_burrow.penalty_of_skill_movement,
        named(maneuver_bonuses.STABILITY, maneuver_bonuses.bonus_to_resist),
    ),
    damage_features=listed(
        named("weapon specialization", damage_feats.weapon_specialization),
        named("favored enemy", damage_feats.favored_enemy_bonus),
    ),
    pools=gather(pools_of_sheet, special_abilities.ki_pool),
    check_features=listed(blind_movement.sight_on_check, grab_modifiers.holds_on_check),
    derived_statistics=refine(
        as_printed, on_sheet_so_far(equip.class_base_attack), on_sheet_so_far(size_table.size_statistics)
    ),
)
