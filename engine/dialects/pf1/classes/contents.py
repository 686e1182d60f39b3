"""The chapter on classes in pf1: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.pf1.attacks import pledges, vital_strike
from affray.engine.dialects.pf1.classes import combat_feats, saves
from affray.engine.dialects.pf1.classes.sheet_names import SHEET_NAMES
from affray.engine.modifiers import KINDS
from affray.engine.record.chapter import rolls
from affray.engine.record.classes import Classes
from affray.engine.record.compose import gather, listed, named, refine
from affray.engine.rules.attacks import stunning_fist
from affray.engine.rules.classes import combat_feats as shared_feats
from affray.engine.rules.classes import saves_and_checks
from affray.engine.rules.classes.derived_statistics import as_printed, on_sheet_so_far
from affray.engine.rules.classes.plain import PLAIN_CLASSES
from affray.engine.rules.classes.pools import pools_of_sheet
from affray.engine.rules.defense.enhanced_armor import ENHANCED, RAISED

CLASSES: Classes = replace(
    PLAIN_CLASSES,
    rolls=PLAIN_CLASSES.rolls | rolls("1d20: heal"),
    sheet_names=SHEET_NAMES,
    bonus_kinds=KINDS | {f"{ENHANCED}{kind}" for kind in RAISED},
    attack_features=listed(
        named("greater weapon focus", combat_feats.greater_focus),
        named("point blank shot", shared_feats.point_blank_attack),
    ),
    defense_features=listed(
        named("dodge", combat_feats.dodge),
        named("two-weapon defense", shared_feats.two_weapon_defense),
    ),
    moving_features=listed(named("mobility", shared_feats.mobility_bonus)),
    damage_features=listed(
        named("greater weapon specialization", combat_feats.greater_specialization),
        named("point blank shot", shared_feats.point_blank_damage),
        named("power attack", pledges.power_damage),
        named("deadly aim", pledges.aim_damage),
    ),
    dice_features=listed(named(vital_strike.VITAL, vital_strike.vital_dice)),
    initiative_features=listed(named("improved initiative", shared_feats.improved_initiative_bonus)),
    derived_statistics=refine(as_printed, on_sheet_so_far(combat_feats.toughness)),
    pools=gather(pools_of_sheet, stunning_fist.daily_stuns),
    save_bonus=refine(saves_and_checks.save_bonus, saves.by_kind_of_save),
)
