"""The chapter on defense in futurepath: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.futurepath.conditions import modifier_tables
from affray.engine.dialects.futurepath.defense import cover, defense, parts_of_defense, reflex_cover
from affray.engine.dialects.futurepath.gear import shoot_held, things
from affray.engine.dialects.futurepath.grapple import being_held
from affray.engine.record.chapter import questions
from affray.engine.record.compose import choose, gather, refine, when
from affray.engine.record.defense import Defense
from affray.engine.rules.defense import armor_class
from affray.engine.rules.defense.plain import PLAIN_DEFENSE

DEFENSE: Defense = replace(
    PLAIN_DEFENSE,
    questions=questions("dodge-aside: dodge, stand"),
    dexterity_denied=refine(
        armor_class.dexterity_denied,
        when("'grappling' in target.conditions", being_held.dexterity_against_outsiders),
    ),
    helpless_dexterity=defense.helpless_dexterity,
    defense_bonus=choose(
        when(shoot_held.AT_ITEM, shoot_held.no_defense_of_bearer),
        refine(
            armor_class.printed_armor_class,
            parts_of_defense.by_kind,
            when("'pinned' in target.conditions", defense.pinned_dexterity),
            when("target.conditions", defense.fixed_defense, holds=defense.is_fixed),
            when("target.sheet.thing is not None", things.defense_of_thing),
        ),
    ),
    cover=cover.cover_by_degree,
    reflex_cover=reflex_cover.against_spell,
    defense_situation=choose(
        when(shoot_held.AT_ITEM, shoot_held.cover_of_item),
        refine(
            gather(
                *armor_class.TARGET_STATE,
                when("'grappling' in target.conditions", being_held.row_of_grappling),
                when("'pinned' in target.conditions", being_held.row_of_pinned),
            ),
            defense.flat_footed_row,
            when("'running' in target.conditions and not melee", defense.running_at_range),
            when("target.conditions and not melee", defense.no_posture_beside),
            when("target.conditions", defense.no_condition_beside, holds=defense.is_fixed),
            when("target.conditions", defense.helpless_row, holds=defense.has_table_row),
            modifier_tables.cite_defense_table,
        ),
    ),
    name="Defense",
)
