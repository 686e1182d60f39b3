"""The chapter on classes in pf1: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.pf1.attacks import attack_modifiers as own_attack
from affray.engine.dialects.pf1.classes.sheet_names import SHEET_NAMES
from affray.engine.record.classes import Classes
from affray.engine.rules.classes.plain import PLAIN_CLASSES

CLASSES: Classes = replace(
    PLAIN_CLASSES,
    sheet_names=SHEET_NAMES,
    save_bonus=own_attack.save_bonus,
)
