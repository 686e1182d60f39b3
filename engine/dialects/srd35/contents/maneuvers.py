"""The chapters on maneuvers, grapple, magic, gear and classes in srd35."""

from msgspec.structs import replace

from affray.engine.dialects.srd35 import attacks, environment, gear, magic, mounted, position
from affray.engine.dialects.srd35.classes import abilities, checks, turning
from affray.engine.dialects.srd35.classes.abilities import SHEET_NAMES, daily_pools
from affray.engine.dialects.srd35.conditions import condition_table
from affray.engine.dialects.srd35.damage import injury
from affray.engine.dialects.srd35.damage.injury import heal
from affray.engine.dialects.srd35.grapple import grapple, restraints
from affray.engine.dialects.srd35.maneuvers import bull_rush_and_trip, disarm_and_sunder
from affray.engine.dialects.srd35.movement import speed
from affray.engine.record.acts import SAID, UNSAID, ActSpec, Judged, questions, rolls
from affray.engine.record.chapters import Classes, Gear, Grapple, Magic, Maneuvers
from affray.engine.record.compose import choose, first, gather, listed, named, refine, steps, until, when
from affray.engine.rules import grapple as shared_grapple
from affray.engine.rules.attacks import natural_weapons
from affray.engine.rules.attacks.attack_roll import ATTACKER_STATE
from affray.engine.rules.attacks.natural_weapons import yield_daily_stuns
from affray.engine.rules.attacks.stacking import KINDS
from affray.engine.rules.classes import checks as shared_checks
from affray.engine.rules.classes import feats
from affray.engine.rules.classes.abilities import yield_sheet_pools
from affray.engine.rules.classes.feats import as_printed, evasion, on_sheet_so_far
from affray.engine.rules.conditions import conditions, fear
from affray.engine.rules.damage import recovery_and_riders
from affray.engine.rules.defense import ENHANCED, RAISED
from affray.engine.rules.environment import extinguish, hindering_hazards
from affray.engine.rules.gear import handling, nets, objects, others_things, splash_weapons, tables
from affray.engine.rules.gear.weapons_in_hand import bare_hand
from affray.engine.rules.magic import casting, concentration, ongoing_spells, spell_effects, touch_spells
from affray.engine.rules.magic.ongoing_spells import benefits
from affray.engine.rules.magic.spell_effects import DIRECTED, does_damage_alone
from affray.engine.rules.maneuvers import trample
from affray.engine.rules.maneuvers.opposed_checks import trip_footing
from affray.engine.rules.mounted import mounted_combat
from affray.engine.rules.mounted.mounted_combat import couch_lance, is_lance_in_saddle
from affray.engine.rules.plain import (
    COMPONENTS,
    PLAIN_CLASSES,
    PLAIN_GEAR,
    PLAIN_GRAPPLE,
    PLAIN_MAGIC,
    PLAIN_MANEUVERS,
    STATS,
)
from affray.engine.rules.turns import actions
from affray.events.facts import acts

# --- The chapter on maneuvers in srd35: each point that differs from the default

MANEUVERS: Maneuvers = replace(
    PLAIN_MANEUVERS,
    rolls=rolls(
        "1d100: astray",
        "1d20: bull rush, counter-disarm, counter-overrun, counter-trip, disarm, feint, overrun, sunder, "
        "trip",
        "1d6: obstacle",
        "2d8: trample",
    ),
    questions=questions(
        "way: northeast, east, southeast, south, southwest, west, northwest, north",
        "counter-disarm: try, decline",
        "counter-overrun: try, decline",
        "counter-trip: try, decline",
        "drop: drop, fall",
        "overrun: block, avoid",
        "push: <number>",
        "trample: avoid, strike",
    ),
    acts={
        acts.Trample: ActSpec(trample.trample, "path"),
        acts.Trip: ActSpec(trample.trip, "target weapon"),
        acts.Disarm: ActSpec(
            disarm_and_sunder.disarm, "target weapon item secured", under={"secured": {"item": SAID}}
        ),
        acts.Sunder: ActSpec(
            disarm_and_sunder.sunder,
            "target weapon item size hardness hp",
            under={key: {"item": SAID} for key in ("size", "hardness", "hp")},
        ),
        acts.BullRush: ActSpec(bull_rush_and_trip.bull_rush, "target path charge"),
        acts.Overrun: ActSpec(bull_rush_and_trip.overrun, "target path charge"),
        acts.Feint: ActSpec(disarm_and_sunder.feint, "target"),
        acts.AwesomeBlow: ActSpec(bull_rush_and_trip.awesome_blow, "target weapon"),
    },
    before_contest=steps(when("target.conditions", condition_table.rouse_by_attempt)),
    substitutes={
        name: replace(plan, listed=("srd35.special-attack.table",))
        for name, plan in {
            "trip": bull_rush_and_trip.TRIP,
            "disarm": disarm_and_sunder.DISARM,
            "sunder": disarm_and_sunder.SUNDER,
            "grapple": grapple.GRAPPLE,
        }.items()
    },
    tripped_footing=refine(trip_footing, mounted.rider_footing),
)
"""A creature with the trait "trample 2d8" may `trample`.
"""


# --- The chapter on grapple in srd35: each point that differs from the default

GRAPPLE: Grapple = replace(
    PLAIN_GRAPPLE,
    rolls=rolls("1d2: grappler", "1d20: escape, escape artist, grapple"),
    questions=questions(
        "cut-out: no, yes",
        "grab: grab, hold with one limb, decline",
        "hold: hold, let go",
        "in: <square>",
        "out: <square>",
        "rope: let go, hold",
        "silence: speak, silence",
    ),
    acts={
        acts.BreakFree: ActSpec(splash_weapons.break_free, "weapon"),
        acts.Grapple: ActSpec(
            grapple.grapple,
            "target weapon path skill lethal",
            refuses="completion",
            what=("start", *grapple.OPTIONS),
            under={
                "weapon": {"what": grapple.WITH_AN_ITEM},
                "path": {"what": ("move", "escape")},
                "skill": {"what": ("escape",)},
                "lethal": {"what": ("damage",)},
                "completion": {"what": ("activate",)},
            },
        ),
        acts.Bind: ActSpec(restraints.bind, "target item"),
        acts.GetFree: ActSpec(restraints.get_free, "skill"),
    },
    bonds=restraints.sturdiness_of_bonds,
    parted=shared_grapple.let_go_apart,
)


# --- The chapter on magic in srd35: each point that differs from the default

MAGIC: Magic = replace(
    PLAIN_MAGIC,
    rolls=PLAIN_MAGIC.rolls
    | rolls(
        "1d100: gaze, spell-failure",
        "1d20: dispel, spell-resistance, spellcraft, use magic device",
        "1d8: healing, temporary",
        "exposed-item, ongoing, rounds, spell",
    ),
    questions=questions(
        "gaze: look, avert, shut",
        "mishap: nobody, <combatant>",
        "new-save: save, endure",
        "spread: around, stopped",
    ),
    acts={
        acts.Cast: ActSpec(
            refine(magic.cast_own_spell, mounted_combat.from_the_saddle, magic.stay_at_work),
            "spell targets at defensively opening",
            under={"at": {"targets": UNSAID}},
        ),
        acts.Redirect: ActSpec(magic.redirect, "spell targets at", under={"at": {"targets": UNSAID}}),
        acts.Maintain: ActSpec(casting.maintain_spell),
        acts.Touch: ActSpec(
            refine(touch_spells.touch, magic.lower_guard_to_touch_many, touch_spells.set_about_touch),
            "targets",
        ),
        acts.Dismiss: ActSpec(magic.dismiss, "spell"),
        acts.Counter: ActSpec(magic.counter, "spell target"),
        acts.Activate: ActSpec(
            magic.use_magic_item,
            "item targets at defensively device",
            under={"at": {"targets": UNSAID}},
        ),
        acts.Identify: ActSpec(magic.identify, "target spell"),
        acts.LowerResistance: ActSpec(spell_effects.lower_resistance),
    },
    components=COMPONENTS | {DIRECTED, "precise", ongoing_spells.DISMISSIBLE, magic.ESCAPE},
    stats=STATS | {turning.HARDENED, spell_effects.RESISTANCE},
    casting_action=first(magic.quick_action, casting.full_round_action, casting.printed_action),
    refuse_casting=first(
        magic.refuse_quick,
        when("conditions", concentration.refuse_without_attention),
        position.refuse_spell,
        magic.refuse_components,
        spell_effects.refuse_origin,
        ongoing_spells.refuse_defensive_ability,
    ),
    holds_charges=True,
    strikes_again=does_damage_alone,
    passes_opening=magic.passes_opening,
    line_topic="cast.line-of-effect",
    spell_range=first(magic.standard_range, spell_effects.printed_range),
    in_area=magic.in_area,
    prelude=steps(
        magic.count_quickened,
        magic.ready_materials,
        ongoing_spells.ability_does_not_provoke,
        touch_spells.lost_by_casting,
        casting.older_spell_lapses,
        fear.end_fascination_by_casting,
    ),
    casting_provokes=first(
        ongoing_spells.ability_provokes,
        ongoing_spells.item_provokes,
        magic.quick_spell_provokes,
        casting.long_casting_provokes,
    ),
    heard=casting.countered,
    hindrances=gather(
        when("conditions", concentration.hindrances),
        when("conditions", hindering_hazards),
        when("effects", ongoing_spells.hindering_damage),
    ),
    hampered_dc=first(magic.flat_entangled_dc, concentration.hampered_dc),
    defensive_casting=first(magic.defensive_spell_like_ability, concentration.defensive_casting),
    drawn_out=choose(
        when("spell.spontaneous and spell.metamagic", magic.begin_metamagic_casting),
        casting.begin_one_round,
    ),
    spell_fails=until(
        when("conditions", magic.antimagic_failure),
        when("conditions", concentration.deafened_failure),
        magic.arcane_failure,
    ),
    touching=touch_spells.deliver_or_hold_charge,
    begin=casting.concentrate,
    affected=magic.tell_affected,
    on_critical=refine(recovery_and_riders.critical_spell, recovery_and_riders.with_critical_riders),
    withstands=until(
        position.on_other_plane,
        ongoing_spells.avoids_gaze,
        magic.in_antimagic,
        magic.immune_to_breath,
        conditions.is_immune_to_spell,
        when("spell.save == 'fort' and spell.condition and not spell.damage", conditions.is_spared_spell),
        magic.resists_spell,
    ),
    spell_dc=refine(
        spell_effects.printed_dc,
        spell_effects.printed_spell_dc,
        spell_effects.special_ability_dc,
        magic.key_ability_dc,
        magic.spell_focus,
    ),
    affect=refine(spell_effects.affect, when("spell.damage and spell.save", magic.affect_with_items)),
    bestow=steps(
        benefits(heal, injury.resist_or_suffer),
        ongoing_spells.give_modifiers,
        ongoing_spells.start_ongoing_damage,
        ongoing_spells.note_new_saves,
        ongoing_spells.note_dismissible,
        magic.dispel_on_target,
        casting.distract_caster,
    ),
)
"""Spells cast "free", "swift" or "immediate", and those with the metamagic "quicken spell", are quickened. A
spell with "dismissible" among its components and a duration in rounds can be dismissed.
One with "escape" takes its caster out of danger: the cornered and frightened have to use it.
"""


# --- The chapter on gear in srd35: each point that differs from the default

GEAR: Gear = replace(
    PLAIN_GEAR,
    rolls=rolls("1d100: ammunition, ignites", "1d20: caltrops", "1d4+1: doff", "1d8: misdirection"),
    acts={
        **PLAIN_GEAR.acts,
        acts.Grip: ActSpec(
            choose(when("", couch_lance, holds=is_lance_in_saddle), others_things.grip), "item hands"
        ),
        acts.Drop: ActSpec(
            first(gear.refuse_drop_afar, refine(actions.drop, gear.tell_where_it_lies)),
            "item to",
        ),
        acts.Extinguish: ActSpec(
            first(splash_weapons.extinguish_flask, extinguish),
            "target water rolling",
            under={"rolling": {"water": UNSAID}},
        ),
        acts.TendFeet: ActSpec(splash_weapons.treat_wounded_feet, "target"),
        acts.Prepare: ActSpec(splash_weapons.prepare_oil, "item at"),
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
                when(f"what in {tuple(handling.LIGHTING)!r}", environment.light_torch),
                when(f"what in {tuple(handling.LOCKING)!r}", handling.lock_gauntlet),
                handling.handle,
            ),
            "item",
            what=(
                *handling.BECOMES,
                *handling.WAYS,
                *handling.LIGHTING,
                *handling.LOCKING,
            ),
        ),
        acts.Load: ActSpec(
            choose(when("", nets.fold_net, holds=nets.is_to_be_folded), gear.load_weapon), "item"
        ),
        acts.Don: ActSpec(gear.don, "item hasty helper"),
        acts.Doff: ActSpec(gear.doff, "item helper"),
        acts.Gather: ActSpec(gear.gather_missiles, "item"),
        acts.Shelter: ActSpec(gear.shelter_behind_shield),
        acts.Sleep: ActSpec(gear.sleep, "target"),
        acts.Burst: ActSpec(objects.burst, "target tool helpers"),
        acts.Pilfer: ActSpec(checks.pick_pocket, "target item fast"),
    },
    equip=refine(
        as_printed,
        on_sheet_so_far(tables.with_table_armor),
        on_sheet_so_far(tables.slowed_by_armor),
        on_sheet_so_far(gear.with_table_weapons),
        on_sheet_so_far(objects.thing_from_table),
    ),
    drawing=gear.way_of_drawing,
    hurled=splash_weapons.as_hurled,
    corner_situation=gather(*ATTACKER_STATE, attacks.range_penalty),
    stray_squares=choose(
        when("", splash_weapons.increments_thrown, holds=gear.strays_by_increments),
        gear.increment_in_squares,
    ),
    spared_noise=conditions.is_spared_fortitude,
    unarmed_dice=first(abilities.monk_fist_dice, bare_hand),
    doors=objects.doors_on_map,
    in_other_hands=gear.handled_by_taker,
    families=frozenset({"", "bow", "crossbow", "sling", "spell", "shuriken", "siege"}),
    materials=gear.MATERIALS,
)
"""A sheet may name rows of the rulebook's tables: `weapons = ["longsword", {table = "composite longbow",
rating = 2, masterwork = true}]`, `worn = ["chain shirt", {table = "full plate", material = "mithral"}]`.
Their figures are added to the sheet as typed parts when the combatant enters (for its size, or the `size`
that the weapon is made for), so that the log holds them; anything else given must agree with the row. `thing
= {table = "good wooden door"}` or `thing = {substance = "stone", inches = 6}` makes a sheet that of an
object. What `affray rules srd35 --search weapons.table` prints can be named so. A weapon with the trait
"hidden" takes longer to draw.
"""


# --- The chapter on classes in srd35: each point that differs from the default

CLASSES: Classes = replace(
    PLAIN_CLASSES,
    rolls=PLAIN_CLASSES.rolls
    | rolls(
        "1d20: constitution, demoralize, heal, sleight of hand, str, strength, survival, turning, use-rope",
        "2d6: turning-damage",
    ),
    questions=questions(
        "defensive-roll: roll, take",
        "diehard: act, fall",
        "distracted: distracted, calm",
        "first: <combatant>",
        "release: keep, release",
        "skip: skip, include",
    ),
    sheet_names=SHEET_NAMES,
    acts={
        acts.TurnUndead: ActSpec(
            turning.turn_undead,
            "kind targets words",
            what=("turn", "rebuke", "bolster", "dispel", "order", "release"),
            under={
                "kind": {"what": ("turn", "rebuke", "bolster", "dispel")},
                "targets": {"what": ("bolster", "order", "release")},
                "words": {"what": ("order",)},
            },
        ),
        acts.UseAbility: ActSpec(
            steps(
                abilities.refuse_ability,
                choose(
                    when("ability == 'rage'", abilities.rage),
                    when("ability == 'end rage'", abilities.calm_down),
                    when(f"ability == '{abilities.SMITE}'", abilities.declare_smite),
                    when(f"ability == '{abilities.HANDS}'", abilities.lay_on_hands),
                    when(f"ability == '{abilities.INSPIRE}'", abilities.inspire),
                    abilities.stop_music,
                ),
            ),
            "target amount",
            ability=Judged(tuple(abilities.OF)),
            under={
                "target": {"ability": (abilities.SMITE, abilities.HANDS)},
                "amount": {"ability": (abilities.HANDS,)},
            },
        ),
        acts.Circumstance: ActSpec(checks.circumstance, "target hampers why", changes=checks.CHANGES),
        acts.Demoralize: ActSpec(checks.demoralize, "target"),
    },
    save_bonus=refine(
        shared_checks.save_bonus,
        abilities.class_base_save,
        gear.object_save,
    ),
    after_save=refine(
        shared_checks.halve_damage_on_save,
        evasion(abilities.CRAMPED),
        environment.evade_behind_cover,
    ),
    saves_never=gear.saves_never,
    save_against_condition=gather(
        when("effects", abilities.inspired_save_bonus),
        abilities.aura_of_courage,
    ),
    take_10_20=checks.number_taken,
    gm_check=checks.called_for,
    bonus_kinds=KINDS | {f"{ENHANCED}{kind}" for kind in RAISED},
    attack_features=listed(
        named("greater weapon focus", abilities.greater_focus),
        named("point blank shot", feats.point_blank_attack),
        named("power attack", abilities.power_attack_penalty),
        gear.attack_parts,
    ),
    defense_features=listed(
        named("two-weapon defense", feats.two_weapon_defense),
        named("monk", abilities.monk_armor_bonus),
        objects.defense_parts,
    ),
    moving_features=listed(named("mobility", feats.mobility_bonus)),
    damage_features=listed(
        named("greater weapon specialization", abilities.greater_specialization),
        named("point blank shot", feats.point_blank_damage),
        named("power attack", abilities.power_damage),
        named("sneak attack", feats.sneak_denied),
        named("monk", abilities.cite_monk_table),
        named("favored enemy", abilities.favored_enemy_damage),
        gear.damage_parts,
    ),
    dice_features=listed(
        named("sneak attack", feats.sneak_dice),
        named("powerful charge", bull_rush_and_trip.charge_dice),
    ),
    save_features=listed(
        abilities.better_save("great fortitude", "fort"),
        abilities.better_save("lightning reflexes", "ref"),
        abilities.better_save("iron will", "will"),
        named("rage", feats.rage_save_bonus),
        named("barbarian", feats.rage_save_bonus),
        named("divine grace", abilities.divine_grace_bonus),
    ),
    check_features=listed(
        named("knowledge religion", turning.turning_synergy),
        gear.check_parts,
    ),
    initiative_features=listed(
        named("improved initiative", feats.improved_initiative_bonus),
        gear.initiative_parts,
    ),
    shrug_features=listed(named("swarm", natural_weapons.swarm_resists)),
    pools=gather(yield_sheet_pools, daily_pools, yield_daily_stuns),
    check_penalty=speed.check_penalty,
    derived_statistics=refine(
        as_printed,
        on_sheet_so_far(abilities.class_base_attack),
        on_sheet_so_far(abilities.toughness),
    ),
)
"""Class levels (`classes`) count by themselves: uncanny dodge, a barbarian's damage reduction, a monk's
fists, levels for turning. List other class features among the traits, in lower case: "turn undead"
or "rebuke undead" with "good" or "evil", "turn resistance +4", "knowledge religion 5" (ranks), "sneak
attack" (or with its dice: "sneak attack 3d6"), "evasion", "improved evasion", "divine grace", "favored
enemy undead +4", "defensive roll", "opportunist". `turn-undead` and `use-ability` use them.
"crippling strike" (rogue 10) costs Strength with every sneak attack; "arms 4" counts the arms for
"multiweapon fighting".
"""
