"""The chapter on magic in woa: what stands at each point that is not plain.

A plan names what is meant: "cast", "touch", "maintain", "dismiss", "redirect", "turn-undead"; "drink",
"administer", "read" and "activate" for devices. Devices are spells with an `item` and may be named in `held`.
A spell's `components` are "verbal", "somatic", "material", "focus", "divine focus", "costly ruby dust" (then
"ruby dust" is a trait), "elaborate", and "directed" or "dismissible"; `works` says when it takes effect if
its description does. Components are in hand as the item "components". The condition "unable to concentrate"
is what its name says. What has an `ability` is no spell: it works at once, nothing disturbs it, and a plan
may name it "use-ability".
"""

from msgspec.structs import replace

from affray.engine.dialects.woa.classes import turn_undead
from affray.engine.dialects.woa.damage import healing
from affray.engine.dialects.woa.magic import (
    casting,
    counterspell,
    devices,
    redirect_spell,
    spell_effects,
    spell_targets,
    touch_spells,
)
from affray.engine.dialects.woa.magic.components import COSTLY, ELABORATE, refuse_without_components
from affray.engine.dialects.woa.magic.concentration import no_defensive_casting
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import questions, rolls
from affray.engine.record.compose import choose, first, refine, steps, when
from affray.engine.record.magic import Magic
from affray.engine.record.other_fields import UNSAID
from affray.engine.rules.magic import held_charge, targets_and_areas
from affray.engine.rules.magic.plain import COMPONENTS, PLAIN_MAGIC
from affray.engine.rules.magic.spell_effects import DIRECTED
from affray.events.facts import acts

MAGIC: Magic = replace(
    PLAIN_MAGIC,
    stats=PLAIN_MAGIC.stats | {"all speeds", "speed.brachiation", "speed.burrow", "speed.climb"},
    rolls=PLAIN_MAGIC.rolls | rolls("1d100: deafened, garbled", "1d20: dispel, spellcraft", "healing, spell"),
    questions=questions(
        "dampened: half, as usual, nothing", "device: it works, nothing happens", "material: ruined, usable"
    ),
    acts={
        acts.Cast: Honours(
            casting.cast_spell,
            "spell targets at",
            refuses="defensively",
        ),
        acts.Counter: Honours(counterspell.counter, "spell target"),
        acts.Touch: Honours(
            steps(casting.refuse_to_reach, refine(held_charge.touch, casting.set_about_touch)), "targets"
        ),
        acts.Maintain: Honours(
            choose(
                when("", turn_undead.maintain_turning, holds=turn_undead.is_turning), casting.maintain_spell
            ),
            "way",
        ),
        acts.Dismiss: Honours(casting.dismiss, "spell"),
        acts.Redirect: Honours(
            redirect_spell.redirect, "spell targets at", under={"at": {"targets": UNSAID}}
        ),
        acts.Activate: Honours(devices.use_device, "item targets at", refuses="defensively device"),
    },
    components=COMPONENTS | {f"{COSTLY}*", ELABORATE, DIRECTED, spell_effects.DISMISSIBLE},
    refuse_casting=first(refuse_without_components, targets_and_areas.refuse_origin),
    holds_charges=True,
    strikes_again=spell_targets.does_damage_alone,
    defensive_casting=no_defensive_casting,
    touching=touch_spells.shoot_rays,
    spell_blow=spell_targets.spell_blow,
    affect=spell_effects.affect,
    discharge=touch_spells.discharge,
    bestow=healing.heal_by_spell,
)
