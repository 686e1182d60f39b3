"""The chapter on classes in futurepath: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.futurepath.classes.sheet_names import SHEET_NAMES
from affray.engine.modifiers import GRADES, KINDS
from affray.engine.record.classes import Classes
from affray.engine.rules.classes import saves_and_checks
from affray.engine.rules.classes.plain import PLAIN_CLASSES

CLASSES: Classes = replace(
    PLAIN_CLASSES, sheet_names=SHEET_NAMES, save_bonus=saves_and_checks.save_bonus, bonus_kinds=KINDS | GRADES
)
