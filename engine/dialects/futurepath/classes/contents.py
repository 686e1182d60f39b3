"""The chapter on classes in futurepath: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.futurepath.classes.sheet_names import SHEET_NAMES
from affray.engine.dialects.futurepath.defense import area_saves
from affray.engine.dialects.futurepath.gear import things
from affray.engine.modifiers import GRADES, KINDS
from affray.engine.record.classes import Classes
from affray.engine.record.compose import refine, when
from affray.engine.rules.classes import saves_and_checks
from affray.engine.rules.classes.plain import PLAIN_CLASSES

CLASSES: Classes = replace(
    PLAIN_CLASSES,
    sheet_names=SHEET_NAMES,
    save_bonus=refine(
        saves_and_checks.save_bonus, when("combatant.sheet.thing is not None", things.save_of_thing)
    ),
    saves_never=things.never_saves,
    bonus_kinds=KINDS | GRADES,
    after_save=refine(
        saves_and_checks.half_on_save,
        when("combatant.conditions", area_saves.behind_nearly_all),
    ),
)
