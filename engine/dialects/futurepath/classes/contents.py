"""The chapter on classes in futurepath: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.futurepath.attacks import unarmed
from affray.engine.dialects.futurepath.classes.sheet_names import SHEET_NAMES
from affray.engine.dialects.futurepath.defense import reflex_cover
from affray.engine.modifiers import GRADES, KINDS
from affray.engine.record.classes import Classes
from affray.engine.record.compose import refine, when
from affray.engine.rules.classes import saves_and_checks, saves_by_kind
from affray.engine.rules.classes.derived_statistics import as_printed, on_sheet_so_far
from affray.engine.rules.classes.plain import PLAIN_CLASSES

CLASSES: Classes = replace(
    PLAIN_CLASSES,
    sheet_names=SHEET_NAMES,
    save_bonus=refine(saves_and_checks.save_bonus, saves_by_kind.by_kind_of_save),
    after_save=refine(
        saves_and_checks.half_on_save, when("combatant.conditions", reflex_cover.hardly_touched)
    ),
    bonus_kinds=KINDS | GRADES,
    derived_statistics=refine(as_printed, on_sheet_so_far(unarmed.train_fists)),
)
