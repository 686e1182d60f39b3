"""The chapter on classes in pf1: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.pf1.classes import saves
from affray.engine.dialects.pf1.classes.sheet_names import SHEET_NAMES
from affray.engine.modifiers import KINDS
from affray.engine.record.chapter import rolls
from affray.engine.record.classes import Classes
from affray.engine.record.compose import refine
from affray.engine.rules.classes import saves_and_checks
from affray.engine.rules.classes.plain import PLAIN_CLASSES
from affray.engine.rules.defense.enhanced_armor import ENHANCED, RAISED

CLASSES: Classes = replace(
    PLAIN_CLASSES,
    rolls=PLAIN_CLASSES.rolls | rolls("1d20: heal"),
    sheet_names=SHEET_NAMES,
    bonus_kinds=KINDS | {f"{ENHANCED}{kind}" for kind in RAISED},
    save_bonus=refine(saves_and_checks.save_bonus, saves.by_kind_of_save),
)
