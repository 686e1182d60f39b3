"""The chapters on maneuvers, grapple, magic, gear and classes in pf1."""

from msgspec.structs import replace

from affray.engine.dialects.pf1 import damage, defense, gear, grapple, magic, mounted
from affray.engine.dialects.pf1.attacks import attack_roll, weapons_and_feats
from affray.engine.dialects.pf1.classes import abilities, channel_energy
from affray.engine.dialects.pf1.classes.abilities import SHEET_NAMES, SKILLS, daily_pools
from affray.engine.dialects.pf1.conditions import afflictions
from affray.engine.dialects.pf1.maneuvers import bull_rush_and_overrun, trip_and_disarm
from affray.engine.record.acts import SAID, UNSAID, ActSpec, Judged, questions, rolls
from affray.engine.record.chapters import Classes, Gear, Grapple, Magic, Maneuvers
from affray.engine.record.compose import choose, first, gather, listed, named, refine, steps, until, when
from affray.engine.rules.attacks import natural_weapons
from affray.engine.rules.attacks.attack_roll import ATTACKER_STATE
from affray.engine.rules.attacks.stacking import KINDS
from affray.engine.rules.classes import abilities as shared_abilities
from affray.engine.rules.classes import checks, feats
from affray.engine.rules.classes.abilities import yield_sheet_pools
from affray.engine.rules.classes.feats import as_printed, evasion, on_sheet_so_far
from affray.engine.rules.classes.sheets import INCORPOREAL, UNDEAD, natured
from affray.engine.rules.conditions import conditions, fear
from affray.engine.rules.damage import recovery_and_riders
from affray.engine.rules.defense import ENHANCED, RAISED
from affray.engine.rules.environment import extinguish, hindering_hazards
from affray.engine.rules.gear import handling, nets, objects, others_things, splash_weapons, tables
from affray.engine.rules.magic import casting, concentration, ongoing_spells, spell_effects, touch_spells
from affray.engine.rules.magic.ongoing_spells import benefits
from affray.engine.rules.magic.spell_effects import does_damage_alone
from affray.engine.rules.maneuvers import trample
from affray.engine.rules.mounted import mounted_combat
from affray.engine.rules.mounted.mounted_combat import couch_lance, is_lance_in_saddle
from affray.engine.rules.mounted.riding import BEHIND
from affray.engine.rules.plain import PLAIN_CLASSES, PLAIN_GEAR, PLAIN_GRAPPLE, PLAIN_MAGIC, PLAIN_MANEUVERS
from affray.engine.rules.turns import actions
from affray.events.facts import acts

# --- The chapter on maneuvers in pf1: each point that differs from the default

MANEUVERS: Maneuvers = replace(
    PLAIN_MANEUVERS,
    rolls=rolls("1d8: direction", "1d4: trick", "1d20: bluff", "trample"),
    questions=questions(
        "destroy: destroy, leave",
        "drop: drop, fall",
        "follow: follow, stay",
        "overrun: block, avoid",
        "push: <number>",
        "take item: take, leave",
        "trample: avoid, strike",
    ),
    acts={
        acts.Trample: ActSpec(trample.trample, "path"),
        acts.Trip: ActSpec(trample.trip, "target weapon"),
        acts.Disarm: ActSpec(trip_and_disarm.disarm, "target weapon item"),
        acts.BullRush: ActSpec(bull_rush_and_overrun.bull_rush, "target path charge"),
        acts.DirtyTrick: ActSpec(trip_and_disarm.dirty_trick, "target", condition=trip_and_disarm.tricks),
        acts.Recover: ActSpec(
            choose(when(f"condition == {BEHIND!r}", mounted.sit_up), trip_and_disarm.recover),
            condition=trip_and_disarm.recoverable,
        ),
        acts.Drag: ActSpec(bull_rush_and_overrun.drag, "target"),
        acts.Reposition: ActSpec(bull_rush_and_overrun.reposition, "target path"),
        acts.Steal: ActSpec(trip_and_disarm.steal, "target item weapon fastened"),
        acts.Sunder: ActSpec(
            trip_and_disarm.sunder,
            "target weapon item hardness hp",
            under={"hp": {"item": SAID}, "hardness": {"hp": SAID}},
        ),
        acts.Overrun: ActSpec(bull_rush_and_overrun.overrun, "target path charge"),
        acts.Feint: ActSpec(trip_and_disarm.feint, "target"),
    },
    substitutes={
        "trip": trip_and_disarm.TRIP,
        "disarm": trip_and_disarm.DISARM,
        "sunder": trip_and_disarm.SUNDER,
        trip_and_disarm.NAME: trip_and_disarm.STAND_STILL,
    },
)
"""A weapon has the traits "trip" and "disarm" where its table says so. From what a `dirty-trick` has done its
victim can `recover`. A bull rush, a drag or a repositioning goes as far as its result allows; how far of it
one pushes or drags, and whether one goes along, is asked. A creature with the trait "trample 2d8" may
`trample`. A `sunder` says `hardness` and `hp` of what the tables do not know; a weapon or armor with the
trait "broken" is so from the start.
"""


# --- The chapter on grapple in pf1: each point that differs from the default

GRAPPLE: Grapple = replace(
    PLAIN_GRAPPLE,
    rolls=rolls("1d20: escape, escape artist", "gut"),
    questions=questions(
        "grab: grab, hold with one limb, decline",
        "hazard: escape, escape artist, decline",
        "in: <square>",
        "out: <square>",
    ),
    acts={
        acts.Grapple: ActSpec(
            grapple.grapple,
            "target weapon path skill lethal nonlethal hazardous",
            what=grapple.WHAT,
            under={
                "weapon": {"what": ("damage", "tie-up")},
                "path": {"what": ("move",)},
                "hazardous": {"what": ("move",)},
                "skill": {"what": ("escape", "take-over")},
                "lethal": {"what": ("damage",)},
                "nonlethal": {"what": ("damage",)},
            },
        ),
        acts.GetFree: ActSpec(
            choose(when("", nets.get_out_of_net, holds=grapple.is_only_in_net), grapple.get_free), "skill"
        ),
    },
    parted=grapple.parted,
)
"""A natural weapon with the trait "grab" may hold a target that it hits. A "holding" creature must
`maintain` the grapple on each of its turns, or `move`, `damage`, `pin`, `tie-up` (with the `weapon` that is
the rope) or `swallow` (with the trait "swallow whole 2d6 acid"), else it is over as the turn ends. The
other may `escape` or `take-over`; those in ropes `get-free`. A creature with the trait "constrict 1d8+6"
deals damage with each successful check; claws of the trait "rake" may `rake` an opponent held since the
turn began.
"""


# --- The chapter on magic in pf1: each point that differs from the default

MAGIC: Magic = replace(
    PLAIN_MAGIC,
    rolls=PLAIN_MAGIC.rolls
    | rolls(
        "1d100: gaze, incorporeal, spell-failure",
        "1d20: dispel, spell-resistance, spellcraft",
        "healing, ongoing, spell, temporary",
    ),
    questions=questions("gaze: look, avert, shut", "new-save: save, endure", "spread: around, stopped"),
    acts={
        acts.Cast: ActSpec(
            refine(
                first(magic.cast_immediate_spell, magic.cast_own_spell),
                mounted_combat.from_the_saddle,
            ),
            "spell targets at defensively opening",
            under={"at": {"targets": UNSAID}},
        ),
        acts.Redirect: ActSpec(magic.redirect, "spell targets at", under={"at": {"targets": UNSAID}}),
        acts.Touch: ActSpec(
            refine(touch_spells.touch, magic.lower_guard_to_touch_many, touch_spells.set_about_touch),
            "targets",
        ),
        acts.Counter: ActSpec(magic.counter, "spell target"),
        acts.Activate: ActSpec(
            refine(
                magic.use_magic_item,
                when("", gear.spend_more_charges, holds=gear.is_broken_device),
            ),
            "item targets at defensively",
            refuses="device",
            under={"at": {"targets": UNSAID}},
        ),
        acts.Maintain: ActSpec(casting.maintain_spell),
        acts.Dismiss: ActSpec(magic.dismiss, "spell"),
        acts.LowerResistance: ActSpec(spell_effects.lower_resistance),
    },
    components=PLAIN_MAGIC.components | {ongoing_spells.DISMISSIBLE, spell_effects.DIRECTED},
    stats=PLAIN_MAGIC.stats | {spell_effects.RESISTANCE},
    holds_charges=True,
    strikes_again=does_damage_alone,
    casting_action=first(magic.quickened_action, casting.full_round_action, casting.printed_action),
    refuse_casting=first(
        when("conditions", concentration.refuse_without_attention),
        magic.refuse_components,
        magic.refuse_safe_defense,
        ongoing_spells.refuse_defensive_ability,
        gear.refuse_spell_at_shield,
        spell_effects.refuse_origin,
    ),
    prelude=steps(
        ongoing_spells.ability_does_not_provoke,
        touch_spells.lost_by_casting,
        gear.lower_by_gestures,
        casting.older_spell_lapses,
        fear.end_fascination_by_casting,
    ),
    casting_provokes=first(
        ongoing_spells.ability_provokes,
        ongoing_spells.item_provokes,
        magic.quickened_is_safe,
        casting.long_casting_provokes,
    ),
    heard=casting.countered,
    concentration=magic.by_caster_level,
    defensive_casting=refine(magic.defensive_casting, magic.disrupted),
    defense_fails=magic.provoke_spellbreakers,
    drawn_out=casting.begin_one_round,
    spell_fails=until(when("conditions", concentration.deafened_failure)),
    touching=choose(when("spell.touch == 'ranged'", magic.shoot_rays), touch_spells.deliver_or_hold_charge),
    begin=steps(casting.concentrate, ongoing_spells.note_directed),
    on_critical=refine(recovery_and_riders.critical_spell, recovery_and_riders.with_critical_riders),
    withstands=until(
        ongoing_spells.avoids_gaze,
        conditions.is_immune_to_spell,
        when("spell.save == 'fort' and spell.condition and not spell.damage", conditions.is_spared_spell),
        when(natured("target", INCORPOREAL), defense.spell_passes_through),
        magic.resists_spell,
    ),
    spell_dc=refine(
        spell_effects.printed_dc, spell_effects.printed_spell_dc, spell_effects.special_ability_dc
    ),
    bestow=steps(
        benefits(damage.cure, afflictions.expose),
        ongoing_spells.give_modifiers,
        ongoing_spells.start_ongoing_damage,
        ongoing_spells.note_new_saves,
        ongoing_spells.note_dismissible,
        casting.distract_caster,
    ),
    hindrances=gather(
        PLAIN_MAGIC.hindrances,
        when("conditions", grapple.in_a_grapple),
        when("conditions", hindering_hazards),
        when("effects", ongoing_spells.hindering_damage),
        natural_weapons.hindering_swarms,
    ),
)
"""A spell's `key` is the ability that it is cast with; a sheet may print the total of concentration instead.
Spells cast "swift", and those with the metamagic "quicken spell", are quickened. A spell with "dismissible"
among its components can be dismissed as long as its rounds last, one with "directed" directed at others.
"""


# --- The chapter on gear in pf1: each point that differs from the default

GEAR: Gear = replace(
    PLAIN_GEAR,
    families=PLAIN_GEAR.families | {"shuriken"},
    rolls=PLAIN_GEAR.rolls
    | rolls("1d20: caltrops, escape artist, heal, strength", "1d8: misdirection", "1d100: ignites")
    | rolls("damage, rounds"),
    questions=PLAIN_GEAR.questions | questions("rope: let go, hold", "splash: <square>"),
    acts={
        **PLAIN_GEAR.acts,
        acts.Draw: ActSpec(
            steps(
                handling.draw_weapon,
                touch_spells.discharge_into_drawn_weapon,
                fear.end_fascination_by_drawing,
            ),
            "item also",
        ),
        acts.Handle: ActSpec(
            choose(
                when(f"what in {tuple(handling.LIGHTING)!r}", handling.light_a_light),
                when(f"what in {tuple(handling.LOCKING)!r}", handling.lock_gauntlet),
                when(f"what in {tuple(handling.COMPONENTS)!r}", handling.set_components_up),
                handling.handle,
            ),
            "item",
            what=(*handling.BECOMES, *handling.WAYS, *handling.TASKS),
        ),
        acts.Grip: ActSpec(
            choose(when("", couch_lance, holds=is_lance_in_saddle), others_things.grip), "item hands"
        ),
        acts.Load: ActSpec(choose(when("", nets.fold_net, holds=nets.is_to_be_folded), actions.load), "item"),
        acts.Prepare: ActSpec(splash_weapons.prepare_oil, "item at"),
        acts.Extinguish: ActSpec(
            first(splash_weapons.extinguish_flask, extinguish),
            "target water rolling",
            under={"rolling": {"water": UNSAID}},
        ),
        acts.BreakFree: ActSpec(splash_weapons.break_free, "weapon"),
        acts.TendFeet: ActSpec(splash_weapons.treat_wounded_feet, "target"),
        acts.Burst: ActSpec(objects.burst, "target tool helpers"),
        acts.Shelter: ActSpec(gear.shelter, "way"),
    },
    doors=objects.doors_on_map,
    equip=refine(
        as_printed,
        on_sheet_so_far(tables.with_table_armor),
        when("", on_sheet_so_far(tables.slowed_by_armor), holds=abilities.is_slowed_in_armor),
        on_sheet_so_far(gear.rules_of_shields),
        on_sheet_so_far(objects.thing_from_table),
        on_sheet_so_far(gear.with_own_rows),
    ),
    drawing=choose(when("", gear.draw_from_hiding, holds=gear.is_hidden), handling.quick_draw),
    tool_parts=gear.tool_parts,
    hurled=splash_weapons.as_hurled,
    corner_situation=gather(
        *ATTACKER_STATE,
        when("attacker.sheet.armor", gear.shields_on_attack),
        when("attacker.sheet.worn", gear.penalties_on_attack),
        attack_roll.range_penalty,
    ),
    splash_centre=choose(when("target.space > 1", gear.chosen_square_of_target), splash_weapons.whole_target),
)
"""`thing = {table = "good wooden door"}` or `thing = {substance = "stone", inches = 6}` makes a sheet that
of an object, with the hardness, hit points and breaking DC of the tables, which are those of 3.5.

A weapon may name the row of a table of Pathfinder's own, for its figures and qualities: `{name = "star",
damage = "", table = "starknife"}`, `{name = "flail", damage = "1d8", table = "flail"}`, and for its damage by
size a natural one: `{name = "jaws", damage = "", table = "bite"}`.

A worn item names a row of the armor table, that of 3.5 except for some bonuses: `worn = ["full plate", "tower
shield", {name = "targe", table = "buckler"}]`. The parts of Armor Class, the check penalty, the cap on
Dexterity and the speed in it come from there.

A weapon with the trait "splash" breaks where it is thrown and splashes; what it does says its name: "acid",
"alchemist's fire", "holy water", "oil flask", "tanglefoot bag", "thunderstone". Another one does its own
damage. `at` is the corner of squares at which it is thrown instead of a target. A net has the traits
"entangle" and "touch", and "unfolded" if it has to be folded first. A weapon with the trait "hidden" takes a
standard action to draw. `handle` also does tasks of the table of actions: "light" a torch, or "tindertwig"
with a tindertwig, "lock" or "unlock" a weapon if its holder has the trait "locked gauntlet" (a weapon with
the trait is locked from the start), "set-up" the components of a spell.
"""


# --- The chapter on classes in pf1: each point that differs from the default

CLASSES: Classes = replace(
    PLAIN_CLASSES,
    rolls=PLAIN_CLASSES.rolls | rolls(f"1d20: {', '.join(SKILLS)}", "channel"),
    questions=questions("diehard: act, fall"),
    sheet_names=SHEET_NAMES,
    acts={
        acts.TurnUndead: ActSpec(
            choose(
                when("what in ('turn', 'command')", channel_energy.turn_or_command), channel_energy.channel
            ),
            "targets",
            what=("heal", "harm", "turn", "command"),
        ),
        acts.Demoralize: ActSpec(abilities.demoralize, "target"),
        acts.UseAbility: ActSpec(
            steps(
                abilities.refuse_ability,
                choose(
                    when("ability == 'rage'", abilities.rage),
                    when("ability == 'end rage'", abilities.calm_down),
                    when(f"ability == '{weapons_and_feats.LUNGE}'", weapons_and_feats.lunge),
                    when(f"ability == '{abilities.SMITE}'", abilities.declare_smite),
                    when(f"ability == '{abilities.DISPLAY}'", abilities.display),
                    when(f"ability == '{abilities.NAME}'", abilities.declare_arcane_strike),
                    channel_energy.declare_channel_smite,
                ),
            ),
            "target",
            ability=Judged(tuple(abilities.OF)),
            under={"target": {"ability": (abilities.SMITE,)}},
        ),
    },
    bonus_kinds=KINDS | {f"{ENHANCED}{kind}" for kind in RAISED},
    attack_features=listed(
        named(abilities.TRAINING, abilities.trained_attack),
        named("greater weapon focus", abilities.greater_focus),
        named("point blank shot", feats.point_blank_attack),
    ),
    defense_features=listed(
        objects.defense_parts,
        named("dodge", abilities.dodge),
        named("two-weapon defense", feats.two_weapon_defense),
    ),
    moving_features=listed(named("mobility", feats.mobility_bonus)),
    damage_features=listed(
        gear.on_damage,
        named(abilities.TRAINING, abilities.trained_damage),
        named("greater weapon specialization", abilities.greater_specialization),
        named("point blank shot", feats.point_blank_damage),
        named("power attack", attack_roll.power_damage),
        named(abilities.NAME, abilities.arcane_damage),
        named("deadly aim", attack_roll.aim_damage),
        named("sneak attack", feats.sneak_denied),
        named("paladin", abilities.damage_of_first_hit),
    ),
    dice_features=listed(
        named(weapons_and_feats.VITAL, weapons_and_feats.vital_dice),
        named("sneak attack", feats.sneak_dice),
    ),
    check_features=listed(gear.penalties_on_check),
    initiative_features=listed(
        named("improved initiative", feats.improved_initiative_bonus), gear.penalties_on_initiative
    ),
    derived_statistics=refine(as_printed, on_sheet_so_far(abilities.toughness)),
    pools=gather(yield_sheet_pools, natural_weapons.yield_daily_stuns, daily_pools),
    save_bonus=refine(
        checks.save_bonus,
        shared_abilities.by_kind_of_save,
        when(natured("combatant", UNDEAD), abilities.save_without_constitution),
    ),
    after_save=refine(checks.halve_damage_on_save, evasion(), defense.evade_behind_cover),
    save_features=listed(
        named("rage", feats.rage_save_bonus),
        named("barbarian", feats.rage_save_bonus),
    ),
    shrug_features=listed(named("swarm", natural_weapons.swarm_resists)),
    save_against_condition=abilities.bravery,
    check_penalty=refine(gear.check_penalty, when("'fighter' in sheet.classes", abilities.lighter_armor)),
)
"""Class levels (`classes`) count by themselves: uncanny dodge, rounds of rage, smitings, channeling by
paladins. List other class features among the traits, in lower case: "sneak attack" (or with its
dice: "sneak attack 3d6"), "weapon training (heavy blades, bows)" (in the order of choice; a weapon's
traits name its group), "evasion", "improved evasion", "channel positive energy" or "channel negative
energy", "channel resistance +4". `turn-undead` channels: "heal" or "harm" all in the burst, except
`targets` spared by Selective Channeling; the feats "turn undead" and "command undead" use it on undead.
"""
