"""The chapter on classes in futurepath: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.futurepath.classes import described_uses
from affray.engine.dialects.futurepath.classes.sheet_names import SHEET_NAMES
from affray.engine.modifiers import GRADES, KINDS
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import questions, rolls
from affray.engine.record.classes import Classes
from affray.engine.rules.classes import saves_and_checks
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
    save_bonus=saves_and_checks.save_bonus,
    bonus_kinds=KINDS | GRADES,
)
