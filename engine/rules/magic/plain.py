"""The plain values of the chapter on magic: complete, for a dialect to start from."""

from typing import Final

from affray.engine.record.chapter import rolls
from affray.engine.record.magic import Magic
from affray.engine.record.silent import never, no, none, nothing
from affray.engine.rules.damage import critical_riders
from affray.engine.rules.magic import (
    casting,
    concentration,
    held_charge,
    spell_effects,
    targets_and_areas,
    touch_spells,
)

COMPONENTS: Final = frozenset({"verbal", "somatic", "material", "focus", "divine focus", "xp"})

#: The numbers of a combatant that a spell may change in every dialect.
STATS: Final = frozenset({"attack", "melee-attack", "defense", "damage", "save", "speed", "initiative"})

PLAIN_MAGIC = Magic(
    rolls=rolls("1d20: concentration"),
    acts={},
    components=COMPONENTS,
    stats=STATS,
    casting_action=casting.printed_action,
    refuse_casting=none,
    holds_charges=False,
    strikes_again=targets_and_areas.does_damage,
    passes_opening=no,
    line_topic="cover.total-no-attack",
    spell_range=targets_and_areas.printed_range,
    in_area=targets_and_areas.is_reached,
    prelude=nothing,
    casting_provokes=casting.long_casting_provokes,
    heard=casting.never_countered,
    hindrances=concentration.hindrances,
    hampered_dc=concentration.hampered_dc,
    concentration=concentration.by_skill,
    defensive_casting=concentration.defensive_casting,
    defense_fails=nothing,
    drawn_out=never,
    spell_fails=never,
    touching=touch_spells.deliver_by_touch,
    begin=nothing,
    affected=casting.all_targets,
    withstands=never,
    spell_dc=spell_effects.printed_dc,
    spell_blow=touch_spells.spell_blow,
    affect=spell_effects.affect,
    on_critical=critical_riders.critical_spell,
    afflict=spell_effects.give_spell_condition,
    discharge=held_charge.discharge,
    bestow=nothing,
)
