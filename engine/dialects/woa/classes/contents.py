"""The chapter on classes in woa: what stands at each point that is not plain.

A plan names what is meant: "use-feat", "use-skill", "use-ability". A turner faces a `way`; "evil" clerics
rebuke. `save_bonuses` under "ref traps" count on those saves only. Traits: "ki 4" is a monk's pool, "swift
NAME", "immediate NAME" and "reaction NAME" are abilities for `use-ability`; the latter two cost combat
reactions.
"""

from msgspec.structs import replace

from affray.engine.dialects.woa.classes import described_uses, saves, special_abilities, turn_undead
from affray.engine.dialects.woa.classes.feature_list import FEATURES
from affray.engine.dialects.woa.classes.sheet_names import SHEET_NAMES
from affray.engine.dialects.woa.environment import circumstances
from affray.engine.dialects.woa.gear import equip
from affray.engine.dialects.woa.position import size_table
from affray.engine.modifiers import KINDS
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import questions, rolls
from affray.engine.record.classes import Classes
from affray.engine.record.compose import choose, gather, refine, when
from affray.engine.record.other_fields import UNSAID
from affray.engine.record.words import Judged
from affray.engine.rules.classes.derived_statistics import as_printed, on_sheet_so_far
from affray.engine.rules.classes.plain import PLAIN_CLASSES
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
    features=FEATURES,
    derived_statistics=refine(
        as_printed, on_sheet_so_far(equip.class_base_attack), on_sheet_so_far(size_table.size_statistics)
    ),
)
