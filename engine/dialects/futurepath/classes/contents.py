"""The chapter on classes in futurepath: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.futurepath.attacks import unarmed
from affray.engine.dialects.futurepath.classes import described_uses
from affray.engine.dialects.futurepath.classes.sheet_names import SHEET_NAMES
from affray.engine.dialects.futurepath.defense import reflex_cover
from affray.engine.dialects.futurepath.gear import things
from affray.engine.modifiers import GRADES, KINDS
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import questions, rolls
from affray.engine.record.classes import Classes
from affray.engine.record.compose import refine, when
from affray.engine.rules.classes import saves_and_checks, saves_by_kind
from affray.engine.rules.classes.derived_statistics import as_printed, on_sheet_so_far
from affray.engine.rules.classes.plain import PLAIN_CLASSES
from affray.events.facts import acts

CLASSES: Classes = replace(
    PLAIN_CLASSES,
    questions=PLAIN_CLASSES.questions
    | questions(
        "action: attack action, move action, full-round action",
        "opening: provokes, safe",
    ),
    rolls=PLAIN_CLASSES.rolls | rolls(f"1d20: {', '.join(saves_and_checks.SKILLS)}"),
    acts={
        **PLAIN_CLASSES.acts,
        acts.UseSkill: Honours(described_uses.use_skill, "skill dc"),
        acts.UseFeat: Honours(described_uses.use_feat, "feat"),
        acts.UseAbility: Honours(described_uses.use_talent, "ability"),
        acts.Stunt: Honours(described_uses.do_something_else, "what"),
    },
    sheet_names=SHEET_NAMES,
    save_bonus=refine(
        saves_and_checks.save_bonus,
        saves_by_kind.by_kind_of_save,
        when("combatant.sheet.thing is not None", things.save_of_thing),
    ),
    saves_never=things.never_saves,
    after_save=refine(
        saves_and_checks.half_on_save, when("combatant.conditions", reflex_cover.hardly_touched)
    ),
    bonus_kinds=KINDS | GRADES,
    derived_statistics=refine(as_printed, on_sheet_so_far(unarmed.train_fists)),
)
