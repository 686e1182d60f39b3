"""List the contents of woa: the function at each point, chapter by chapter."""

from msgspec.structs import replace

from affray.engine.dialects.woa.around_acts import AROUND
from affray.engine.dialects.woa.attacks import attack_modifiers, attack_roll, called_shots, declared_blow
from affray.engine.dialects.woa.attacks.attack_modifiers import flanked_ac
from affray.engine.dialects.woa.classes import abilities, special_abilities, turned_undead, turning
from affray.engine.dialects.woa.classes.abilities import SHEET_NAMES
from affray.engine.dialects.woa.classes.turned_undead import forced_into_melee
from affray.engine.dialects.woa.conditions import conditions, impediments
from affray.engine.dialects.woa.conditions.conditions import LOCAL, STATES, TABLE
from affray.engine.dialects.woa.conditions.impediments import flee_or_cower
from affray.engine.dialects.woa.damage import damage, healing, injury
from affray.engine.dialects.woa.defense import defense, struck_cover
from affray.engine.dialects.woa.defense.struck_cover import cite_guard
from affray.engine.dialects.woa.environment import environment, hazard
from affray.engine.dialects.woa.gear import draw_and_sheathe, objects
from affray.engine.dialects.woa.gear.draw_and_sheathe import end_weapon_surprise
from affray.engine.dialects.woa.gear.objects import MATERIALS, damaged_parts
from affray.engine.dialects.woa.grapple import grab, grab_modifiers, grapple_checks
from affray.engine.dialects.woa.grapple.grab_modifiers import held_target
from affray.engine.dialects.woa.grapple.grapple_checks import deny_positioning
from affray.engine.dialects.woa.magic import casting, concentration, spells
from affray.engine.dialects.woa.magic.concentration import (
    COSTLY,
    ELABORATE,
    no_defensive_casting,
    refuse_without_components,
)
from affray.engine.dialects.woa.maneuvers import maneuvers_as_attacks, overrun_and_push, trip_and_disarm
from affray.engine.dialects.woa.maneuvers.trip_and_disarm import SOFT
from affray.engine.dialects.woa.mounted import mounted_combat, mounted_modifiers, riding
from affray.engine.dialects.woa.movement import flight, movement, speed, swim, walking
from affray.engine.dialects.woa.opportunity import attacks_of_opportunity, reactions
from affray.engine.dialects.woa.opportunity.reactions import offer_aid
from affray.engine.dialects.woa.position import creature_as_terrain, posture, shared_space, size
from affray.engine.dialects.woa.position.posture import POSTURES
from affray.engine.dialects.woa.position.shared_space import refuse_wriggler
from affray.engine.dialects.woa.position.size import high_ground
from affray.engine.dialects.woa.senses import concealment, hide
from affray.engine.dialects.woa.turns import cycle, declared_actions, tactics
from affray.engine.kernel import turns as kernel_turns
from affray.engine.kernel.places import CHASM
from affray.engine.record.acts import SAID, UNSAID, ActSpec, Fields, Judged, questions, rolls
from affray.engine.record.chapters import (
    Attacks,
    Classes,
    Conditions,
    Damage,
    Defense,
    Environment,
    Gear,
    Grapple,
    Magic,
    Maneuvers,
    Mounted,
    Movement,
    Opportunity,
    Position,
    Senses,
    Substitute,
    Turns,
    known_conditions,
    lone_conditions,
    substitutes,
)
from affray.engine.record.compose import (
    about,
    amend,
    asks,
    choose,
    first,
    gather,
    listed,
    named,
    never,
    no,
    no_parts,
    prohibit,
    refine,
    steps,
    when,
)
from affray.engine.rules import defense as shared_armor_class
from affray.engine.rules.attacks import attack_roll as shared_attack_roll
from affray.engine.rules.attacks.stacking import KINDS
from affray.engine.rules.classes.abilities import yield_sheet_pools
from affray.engine.rules.classes.feats import as_printed, on_sheet_so_far
from affray.engine.rules.classes.sheets import DICE, POLICIES, SHEET, damage_type
from affray.engine.rules.conditions import conditions as shared_conditions
from affray.engine.rules.gear import others_things
from affray.engine.rules.gear.tables import keep_sheet
from affray.engine.rules.gear.weapons_in_hand import EMPTIES, THROWS, leave_hand, leave_unloaded
from affray.engine.rules.magic import concentration as shared_concentration
from affray.engine.rules.magic import spell_effects, touch_spells
from affray.engine.rules.magic.concentration import CONCENTRATING, end_unmaintained_spell
from affray.engine.rules.magic.spell_effects import DIRECTED
from affray.engine.rules.magic.touch_spells import CHARGED, discharge_by_strike
from affray.engine.rules.mounted.mounted_combat import couch_lance, is_lance_in_saddle
from affray.engine.rules.mounted.riding import enter_at_mount, refuse_saddle
from affray.engine.rules.movement import movement as shared_movement
from affray.engine.rules.plain import (
    COMPONENTS,
    FIAT,
    PLAIN_ATTACKS,
    PLAIN_CLASSES,
    PLAIN_CONDITIONS,
    PLAIN_DAMAGE,
    PLAIN_DEFENSE,
    PLAIN_ENVIRONMENT,
    PLAIN_GEAR,
    PLAIN_GRAPPLE,
    PLAIN_MAGIC,
    PLAIN_MANEUVERS,
    PLAIN_MOUNTED,
    PLAIN_MOVEMENT,
    PLAIN_OPPORTUNITY,
    PLAIN_POSITION,
    PLAIN_SENSES,
    PLAIN_TURNS,
    TYPES,
)
from affray.engine.rules.turns import actions, fiat, flow, initiative
from affray.engine.rules.turns.actions import by_table
from affray.engine.rules.turns.delay_and_ready import TRIGGER
from affray.engine.rules.turns.fiat import GRIPS, OF_CONDITIONS_AND_GRAPPLE
from affray.events.facts import acts

# --- What is forbidden under `woa`, asked before each declaration

PROHIBITIONS = (
    when(f"{shared_conditions.PARALYZED!r} in conditions", actions.refuse_bodily),
    about(
        shared_movement.WALKS,
        when(f"{CHASM!r} in conditions", shared_movement.refuse_to_walk_out),
    ),
    *declared_blow.PROHIBITIONS,
    *walking.PROHIBITIONS,
    *turned_undead.PROHIBITIONS,
    *impediments.FLIGHT_FROM_FEAR_PROHIBITIONS,
    *impediments.IMPEDED_MOBILITY_PROHIBITIONS,
    *grapple_checks.PROHIBITIONS,
    *grab.PROHIBITIONS,
    about((acts.Cast,), concentration.refuse_unsteady_casting),
    about((acts.Cast,), mounted_modifiers.refuse_gestures_unstirruped),
    about((acts.Skirmish, acts.Clamber, acts.Hide), mounted_modifiers.refuse_afoot),
    about((*riding.FIGHTING, acts.Move, acts.Run), riding.refuse_unguided),
    about((acts.Run, acts.Charge), movement.refuse_rush),
    about((acts.Move,), when("'flying' in conditions", movement.refuse_tumbling)),
    about(
        (acts.Attack, acts.FullAttack, acts.Charge, acts.Overrun, acts.Skirmish),
        when("'wriggling' in conditions", refuse_wriggler),
    ),
)
"""Prohibitions in order: the first that forbids an act gives the reason."""


# --- The chapter on turns in woa: every point that is not plain

TURNS: Turns = replace(
    PLAIN_TURNS,
    questions=PLAIN_TURNS.questions
    | questions(
        "extended-watch: no check, check",
        "free-limit: allow, refuse",
        "invalidated: similar action, move only, nothing",
        "missed: act, continue, abandon",
        "speech: said, another round",
    ),
    acts={
        acts.Enter: ActSpec(
            steps(
                when("riding", refuse_saddle),
                when("grapples", grapple_checks.refuse_start_in_grapple),
                amend(
                    when("riding", enter_at_mount),
                    when("grapples", fiat.at_the_opponent),
                    choose(when("carried", initiative.arrive), actions.enter),
                ),
                when("riding", riding.take_saddle),
                when("grapples", grapple_checks.start_in_grapple),
            ),
            "id side at hp held initiative acted riding by levels used grapples unloaded origin carried",
            under=OF_CONDITIONS_AND_GRAPPLE,
            grip=GRIPS,
            conditions=known_conditions,
            policy=POLICIES,
            sheet=SHEET,
        ),
        acts.Begin: ActSpec(flow.begin, "unaware round turn ambushes"),
        acts.Plan: ActSpec(cycle.declare, "actions after ready"),
        acts.EndTurn: ActSpec(choose(when(cycle.DECLARING, cycle.close_declarations), flow.end_turn)),
        acts.Split: ActSpec(cycle.split, "then"),
        acts.Ready: ActSpec(declared_actions.ready, "then step", trigger=TRIGGER),
        acts.Refocus: ActSpec(cycle.refocus),
        acts.Speak: ActSpec(cycle.speak, "words"),
        acts.Fiat: FIAT,
        acts.Delay: ActSpec(cycle.delay),
        acts.Close: ActSpec(
            refine(
                steps(
                    when("not actor and fight.state.begun and not fight.state.closed", healing.end_combat),
                    refine(kernel_turns.close, healing.cite_end_of_encounter),
                ),
                when(movement.FLIGHT, movement.settle_flight),
            ),
            "reason",
        ),
    },
    surprise=cycle.settle_awareness,
    initiative=cycle.roll_initiative,
    order=refine(initiative.set_order, cycle.cite_turn_order),
    open_round=cycle.open_round,
    close_round=steps(casting.end_round_of_magic, cycle.close_round),
    open_turn=cycle.open_turn,
    close_turn=steps(
        when("brewing", casting.due_at_turn_end),
        when(f"'{shared_concentration.CONCENTRATING}' in conditions", casting.check_maintained_spell),
        cycle.close_turn,
    ),
    take_readied=declared_actions.take_readied,
    allowance=declared_actions.allowance,
    ending_rule=cycle.ending_rule,
    propose=tactics.next_act,
    free_action=cycle.spend_free_action,
    watch=swim.watch_consequences,
    action_type=by_table(cycle.TABLE),
    readiable=declared_actions.readiable,
    prohibitions=prohibit(*PROHIBITIONS),
    around=AROUND,
)


# --- The chapter on attacks in woa: every point that is not plain

ATTACKS: Attacks = replace(
    PLAIN_ATTACKS,
    rolls=PLAIN_ATTACKS.rolls | rolls("1d8: astray"),
    questions=PLAIN_ATTACKS.questions
    | questions(
        "astray: no, yes",
        "called-penalty: the usual one, half of it, none",
        "casting-hand: yes, no",
        "distracted: calm, distracted",
        "reach-part: no, yes",
    ),
    acts={
        acts.Charge: ActSpec(
            declared_blow.charge,
            "target path weapon item part stunt dc",
            skill=declared_blow.SKILLS,
            special=substitutes,
            under={
                "item": {"special": ("disarm", "sunder")},
                "special": {"stunt": UNSAID},
                "part": {"stunt": UNSAID},
                "skill": {"stunt": SAID},
                "dc": {"skill": SAID},
            },
        ),
        acts.Attack: ActSpec(
            choose(
                when("take", declared_blow.take_ten),
                steps(
                    mounted_combat.refuse_mounted,
                    refine(
                        choose(when("at is not None", attack_roll.attack_square), declared_blow.attack),
                        mounted_combat.fight_mounted,
                    ),
                ),
            ),
            "target weapon thrown nonlethal at take",
            refuses="defensively",
            under={"at": {"target": UNSAID, "take": UNSAID}},
        ),
        acts.Skirmish: ActSpec(declared_blow.skirmish, "path target weapon onward"),
        acts.FullAttack: ActSpec(
            steps(
                mounted_combat.refuse_mounted,
                refine(declared_blow.full_attack, mounted_combat.fight_mounted),
            ),
            "nonlethal step step_after",
            refuses="defensively",
            under={"step_after": {"step": SAID}},
            strikes=Fields(
                "target weapon thrown item off_hand part",
                special=substitutes,
                under={"item": {"special": ("disarm", "sunder")}, "thrown": {"special": UNSAID}},
            ),
        ),
        acts.CalledShot: ActSpec(called_shots.called_shot, "target weapon part thrown nonlethal"),
        acts.TotalDefense: ActSpec(cycle.total_defense),
        acts.UseFeat: ActSpec(abilities.use_feat, "feat"),
        acts.Ignore: ActSpec(attack_modifiers.ignore, "targets"),
    },
    stack=attack_roll.stack,
    prepare=attack_roll.prepare_blow,
    is_nonlethal=attack_roll.is_nonlethal,
    deliver=declared_blow.deliver,
    before_roll=steps(
        when(
            "'grappling' in target.conditions and not outcome.needed and not intent.maneuver"
            f" and intent.kind not in {grapple_checks.SURE_OF_AIM!r}",
            grapple_checks.strike_wrong_grappler,
        ),
        when(
            "target.mount and not outcome.needed and attacker.id != target.mount",
            mounted_combat.take_cover,
        ),
        when("not melee and not outcome.needed and intent.kind != 'ambush'", struck_cover.dodge_ahead),
        when("target.conditions", flee_or_cower),
        when("target.conditions", forced_into_melee),
        when("melee and not outcome.needed and intent.kind != 'ambush'", offer_aid),
        when("not outcome.needed and intent.kind != 'ambush'", reactions.offer_dodge_or_block),
        when("intent.kind == 'ambush'", reactions.cite_ambush),
        cite_guard,
    ),
    attack_bonus=attack_roll.attack_bonus,
    finesse=no,
    attack_situation=refine(
        gather(
            *shared_attack_roll.ATTACKER_STATE,
            when("attacker.resources", damaged_parts),
            when("not melee", attack_modifiers.relative_size),
            when("not melee", attack_modifiers.range_penalties),
            when("attacker.mount", mounted_modifiers.mount_on_attack),
            when("attacker.conditions", environment.water_on_attack),
            when("intent.kind == 'opportunity'", attack_modifiers.flanked_opportunity),
            shared_space.close_attack,
            concealment.concealment_on_attack,
        ),
        when("'grappling' in target.conditions", deny_positioning),
    ),
    miss_chance=attack_modifiers.no_miss_chance,
    deciding_rules=attack_roll.rules_deciding_roll,
    sure_faces=choose(
        when("'woa.knocked-out.save' in cites", healing.no_sure_faces), shared_attack_roll.sure_faces
    ),
    threatens_critical=attack_roll.threatens_critical,
    confirm_critical=attack_roll.confirm,
    deflected=reactions.is_taken_by_armor,
    after_miss=steps(
        struck_cover.strike_cover,
        walking.shake_climber,
        when(swim.CONCERNED, swim.check_after_unhurt),
        when("intent.touch", reactions.struck_by_touch),
        when("not melee", attack_modifiers.resolve_stray_missile),
        when("target.readied is not None", declared_actions.shake_readied),
    ),
    after_hit=steps(
        refine(
            steps(
                swim.break_cover,
                size.crush_far_smaller,
                walking.shake_climber_by_hit,
            ),
            swim.check_after_hit,
        ),
        when("attacker.conditions", grab_modifiers.weaken_grip),
        when("weapon.riders", damage.stun),
        when("'readying' in target.conditions", declared_actions.check_readied_hit),
    ),
    after_maneuver=steps(
        walking.shake_climber,
        when(swim.CONCERNED, swim.check_after_unhurt),
        when(swim.CONCERNED, swim.upset_flyer),
        when("target.readied", declared_actions.shake_readied),
    ),
    after_blow=steps(
        when("attacker.conditions", discharge_by_strike),
        when(EMPTIES, leave_unloaded),
        when(THROWS, leave_hand),
        when("attacker.effects", end_weapon_surprise),
    ),
    attack_series=attack_modifiers.full_attacks,
)


# --- The chapter on defense in woa: every point that is not plain

DEFENSE: Defense = replace(
    PLAIN_DEFENSE,
    questions=questions(
        "cover: decline, cover, move aside, waive Dexterity, waive dodge, waive both, none, one-quarter, "
        "one-half",
        "covering: 1/2, none",
        "low: helps, hurts, does not matter",
        "preempt: decline, dodge",
    ),
    dexterity_denied=first(
        when("attacker.effects", defense.surprised_by_weapon),
        defense.attacker_on_body,
        when("not (target.aware or target.acted)", defense.unaware_before_first_turn),
        when("target.conditions", defense.denied_by_condition),
        defense.misled_by_feint,
    ),
    defense_bonus=defense.armor_against,
    cover=choose(when("intent.kind == 'through'", no_parts), defense.cover_by_degree),
    defense_situation=refine(
        gather(
            attack_modifiers.cover_and_posture,
            when("target.conditions", held_target),
            when("target.effects", shared_armor_class.effects_on_defense),
            flanked_ac,
            speed.defense_parts,
            high_ground,
            shared_space.close_defense,
            concealment.concealment_on_defense,
            shared_armor_class.features_on_defense,
        ),
        when("'grappling' in target.conditions", deny_positioning),
    ),
)
"""`expose` sets what a combatant is behind ("improved cover" with a degree or "arrow slit") and how high it
is ("height" in feet). Traits: "tower shield", "barrier" (a thing that gives total cover until it is broken).
"""


# --- The chapter on damage in woa: every point that is not plain

DAMAGE: Damage = replace(
    PLAIN_DAMAGE,
    rolls=PLAIN_DAMAGE.rolls | rolls("1d10: injury", "bleeding, night"),
    questions=questions(
        "adapt-blinded: not yet, grown used to it",
        "adapt-deafened: not yet, grown used to it",
        "breath: holds on, loses it",
        "injury: <name>",
        "like: none of them, <name>",
        "mishap: falls, keeps going, goes under, nobody, <combatant>",
    ),
    acts={
        acts.Stabilize: ActSpec(cycle.stabilize, "target"),
        acts.Treat: ActSpec(cycle.treat_wound, "target"),
        acts.Rest: ActSpec(
            healing.rest,
            "hours minutes bed interrupted",
            under={"bed": {"hours": SAID}, "interrupted": {"hours": SAID}},
            refuses="healer care",
        ),
    },
    types=TYPES | {"light", "poison", "disease", "death", "energy drain", "negative"},
    deal=refine(
        damage.weapon_damage, when("damage.blocked_with == 'shield'", reactions.damage_through_block)
    ),
    suffer=damage.suffer,
    reduce=damage.reduce,
    injure=injury.injure,
    start_hurt=injury.start_hurt,
    settle=healing.settle,
    set_state=never,
    refuse_state=healing.refuse_no_state,
    death_at=injury.no_death_line,
    massive_damage=injury.no_massive_damage,
)


# --- The chapter on conditions in woa: every point that is not plain

CONDITIONS: Conditions = replace(
    PLAIN_CONDITIONS,
    questions=questions("drown: goes under, floats", "escape-dc: <number>", "severed: it gives, it holds"),
    acts={acts.Rouse: ActSpec(healing.rouse, "target")},
    table=TABLE,
    states=STATES,
    leveled=frozenset({"entangled", "flying", "squeezed", "stooping", "stuck"}),
    degrees=conditions.DEGREES,
    local=LOCAL,
    paired=frozenset({"grappling"}),
    cast=frozenset({CONCENTRATING, CHARGED}),
    gain=choose(
        when(
            "fact.condition != 'dead'",
            shared_conditions.report_condition_immunity,
            holds=shared_conditions.is_spared_condition,
        ),
        steps(conditions.gain, asks("conditions.lapses")),
    ),
    lapses=damage.end_attention_of_incapacitated,
    start=conditions.start,
    felling=frozenset({"unconscious"}),
    time_over=choose(
        when(f"condition == {CONCENTRATING!r}", end_unmaintained_spell), PLAIN_CONDITIONS.time_over
    ),
    score_steps=injury.score_steps,
)


# --- The chapter on movement in woa: every point that is not plain

MOVEMENT: Movement = replace(
    PLAIN_MOVEMENT,
    rolls=rolls("1d20: acrobatics, athletics, balance", "fall"),
    questions=questions(
        "burns: goes out, burns all the same",
        "dc: <number>",
        "depth: <feet>",
        "pursuit: a chase, intercepted, escaped",
        "take-10: take 10, roll",
    ),
    speed=movement.speed_with_burdens,
    acts={
        acts.Move: ActSpec(
            swim.move,
            "path dc fast up wide high rise",
            how=swim.HOW,
            surface=walking.climbable_surfaces,
            under=swim.READ_BY,
        ),
        acts.Step: ActSpec(
            steps(
                mounted_modifiers.refuse_to_ride,
                refine(amend(mounted_modifiers.as_mount, movement.short_step), mounted_modifiers.tell_ride),
            ),
            "to",
        ),
        acts.Run: ActSpec(movement.run_blindly, "path"),
        acts.Stand: ActSpec(posture.stand, "to how", under={"to": {"how": ("", "evading", "slowly")}}),
        acts.Fall: ActSpec(
            flight.fall,
            "target feet",
            refuses="onto pounds",
        ),
    },
    laden=casting.activate_worn_items,
    leaving=attacks_of_opportunity.leaving,
    walk=walking.walk,
    refuse_step=shared_space.refuse_step,
    refuse_entry=shared_space.refuse_entry,
    after_running_into=steps(shared_movement.no_longer_hides, movement.hurt_by_rushing),
    measure=shared_space.measure,
    scaled_diagonals=True,
    may_pass=shared_space.passes_freely,
    barrier_fault=movement.fault_of_barrier,
    after_movement=steps(
        creature_as_terrain.carry_along,
        declared_actions.let_readied_act,
        turning.affect_undead_after_movement,
    ),
    running=movement.running,
    fall=steps(
        when("conditions", walking.lose_hold),
        choose(when(f"{speed.FLYING!r} in conditions", flight.fall_from_the_air), flight.plummet),
    ),
)
"""With a `race` the speed is calculated, and what is `carried` is a burden.

Traits name other ways of moving ("burrow 20", "brachiation 30", "granted climb 20" for one that a device
gives) and creatures that avoid the ground ("flying", "incorporeal", "gaseous", "weightless"). A combatant
that is "flying" without a `fly` speed is carried by magic. `bare` leaves "hit points" of Constitution and the
"speed" to the size; armor that is `worn` protects by the multiplier of its size.
"""


# --- The chapter on position in woa: every point that is not plain

POSITION: Position = replace(
    PLAIN_POSITION,
    rolls=rolls("1d20: hinder", "2d6: trample"),
    questions=questions(
        "crushed: dies, by its hit points",
        "foothold: no, yes",
        "hinder: hinder, let be",
        "let-by: bar, let by",
        "motion: moving, violently moving",
        "obstruction: lightly obstructed, severely obstructed",
        "trample-damage: 1d6, 2d6, 4d6, 6d6, 8d6, none",
        "trample-dc: <number>, no danger",
        "tread: with care, carelessly",
    ),
    acts={
        acts.Clamber: ActSpec(
            creature_as_terrain.clamber, "target what to", under={"to": {"what": ("off",)}}
        ),
        acts.ShakeOff: ActSpec(creature_as_terrain.shake_off, "target how"),
    },
    space_and_reach=size.space_and_reach,
    placed=size.rules_of_space,
    reach_bands=size.bands,
    levels_apart=size.height_apart,
)
"""A creature with the trait "fills its space" lets no other pass.

`move` may be by "crawl", "crowd" (into an occupied space), "squeeze" or "wriggle" through a place `wide` and
`high` in feet; `drop` takes "prone", "crouching", "kneeling", "sitting" or "seated" too. Traits: "height 6",
"phalanx", "charging line".
"""


# --- The chapter on senses in woa: every point that is not plain

SENSES: Senses = replace(
    PLAIN_SENSES,
    rolls=rolls("1d20: listen, move-silently, search, spot, stealth", "1d3: guess"),
    questions=questions(
        "duck: no, yes", "guess: at random, <square>", "locate: known, listen, spot, no telling"
    ),
    acts={
        acts.Hide: ActSpec(hide.hide, "path", refuses="how"),
        acts.Seek: ActSpec(hide.seek, "target sense"),
    },
    locates=concealment.perceives,
)
"""Traits: "darkvision 60", "low-light vision", "blindsight 30", "echolocation 60", "see invisibility", "true
seeing", "sees through smoke". `expose` sets how dark a combatant's place is ("darkness" with "moderate",
"near-total", "total" or "supernatural") and what veils it ("veil" with a degree or an example of the table of
concealment).
"""


# --- The chapter on opportunity in woa: every point that is not plain

OPPORTUNITY: Opportunity = replace(
    PLAIN_OPPORTUNITY,
    provoke=attacks_of_opportunity.provoke,
    questions=questions(
        "aid-attack: decline, aid",
        "aid-defense: decline, aid",
        "block-with: shield, <weapon>",
        "evade: armor class, acrobatics",
        "lodged: no, yes",
        "react: dodge, decline, block",
        "shield: nobody, <combatant>",
        "take: take, decline, trip, disarm, sunder, push, grab",
        "with: <weapon>",
    ),
    opportunities=attacks_of_opportunity.opportunities,
    weapons_at=size.weapons_at,
)
"""Traits: "heavy load" and "nonproficient armor" hamper dodging, "armor stops" marks a touch attack that
armor takes instead. A part of `armor` may be of the kind "enhancement" or "shield enhancement". A plan's
`ready` gives trigger and act in advance. A weapon's rider of the kind "stunning" costs rounds of actions.
"""


# --- The chapter on maneuvers in woa: every point that is not plain

IN_PLACE = "woa.attack.in-place-of-attack"

MANEUVERS: Maneuvers = replace(
    PLAIN_MANEUVERS,
    rolls=rolls("1d20: disarm, feint, overrun, push, stunt, sunder, trip", "collision"),
    questions=questions(
        "catch: catch, let fall",
        "circumstances: <number>",
        "collision: nonlethal, lethal",
        "drop: keep, drop",
        "feint: Acrobatics, Bluff, Intimidate",
        "follow: stay, follow",
        "guard: base attack, Strength",
        "obstacle: plain, dangerous",
        "overrun: stand, step aside",
        "push: <number>",
        "seat: Ride, armor class",
        "stunt: as proposed, without a check, impossible",
        "way: northeast, east, southeast, south, southwest, west, northwest, north",
    ),
    acts={
        acts.Trip: ActSpec(trip_and_disarm.trip, "target weapon"),
        acts.Disarm: ActSpec(
            trip_and_disarm.disarm,
            "target weapon item secured both_hands",
            under={"secured": {"item": SAID}, "both_hands": {"weapon": UNSAID}},
        ),
        acts.Sunder: ActSpec(
            trip_and_disarm.sunder,
            "target weapon item hardness hp secured",
            material=(*MATERIALS, SOFT),
            under={key: {"item": SAID} for key in ("hardness", "hp", "material")},
        ),
        acts.Push: ActSpec(overrun_and_push.push, "target"),
        acts.Stunt: ActSpec(trip_and_disarm.stunt, "target what weapon"),
        acts.Overrun: ActSpec(
            overrun_and_push.overrun,
            "target path charge whole strike weapon",
            under={"whole": {"charge": UNSAID}, "weapon": {"strike": SAID}},
        ),
        acts.Feint: ActSpec(trip_and_disarm.feint, "target"),
    },
    substitutes={
        "trip": Substitute(
            trip_and_disarm.plan_trip,
            trip_and_disarm.carry_out_trip,
            IN_PLACE,
            ("woa.maneuver.trip.action-cost",),
        ),
        "disarm": Substitute(
            trip_and_disarm.disarm_attempt, trip_and_disarm.carry_out_disarm, IN_PLACE, ("woa.disarm.action",)
        ),
        "sunder": Substitute(
            trip_and_disarm.plan_sunder,
            trip_and_disarm.carry_out_sunder,
            IN_PLACE,
            ("woa.maneuver.sunder.action-cost",),
        ),
        "push": Substitute(
            overrun_and_push.plan_push,
            overrun_and_push.carry_out_push,
            IN_PLACE,
            ("woa.maneuver.push.action-cost",),
        ),
        "grab": Substitute(grab.plan_grab, grab.carry_out_grab, IN_PLACE, ("woa.grab.action",)),
    },
)
"""Traits of a weapon: "trip", "locked gauntlet"; of a creature: "cannot be tripped", "stable", "stability +4
vs trip, push", "maneuver +2 vs disarm" ("vs all" covers every maneuver). With "tripping strike", "disarming
strike" or "sundering strike" a strike of a full attack names it as `special`; a charge may end in a `special
= "push"`.
"""


# --- The chapter on grapple in woa: every point that is not plain

GRAPPLE: Grapple = replace(
    PLAIN_GRAPPLE,
    rolls=rolls(
        "1d100: ground, wrong-target",
        "1d20: drag, escape, escape artist, grab, grapple, pull, squeeze, throw",
    ),
    questions=questions(
        "in: <square>",
        "keep: let go, hold",
        "other: possible, impossible",
        "pin: ground, wall",
        "resist: base attack bonus + Wisdom modifier, Insight, resist, go along",
        "squeeze: nothing more, suffocation",
        "stop: stop, let",
        "unusual: possible, impossible",
        "weight: no, yes",
    ),
    acts={
        acts.Grapple: ActSpec(
            grab.grapple,
            "target weapon path skill part",
            what=("start", "ease", *grab.ACTIVITIES),
            under={
                "weapon": {"what": ("attack", "called-shot", "draw", "activate")},
                "path": {"what": ("move",)},
                "part": {"what": ("called-shot",)},
                "skill": {"what": ("escape",)},
            },
        ),
        acts.Grab: ActSpec(
            grab.grabbing,
            "target what part hands means unusual targets path at skill",
            under={
                "target": {"what": ("start", "escape", "throw", "release"), "targets": UNSAID},
                **{key: {"what": ("start",)} for key in ("part", "hands", "means", "unusual")},
                **{key: {"what": ("escape",)} for key in ("targets", "skill")},
                "path": {"what": ("drag",)},
                "at": {"what": ("throw",)},
            },
        ),
        acts.GetFree: ActSpec(impediments.get_free, "skill"),
        acts.BreakFree: ActSpec(impediments.break_free, "weapon"),
    },
)
"""`grab` seizes a `part` with one hand, both, or a natural weapon (`means`); `grapple` starts a grapple.

A combatant grappling when a round begins declares one intent of type "grapple" ("pin", "escape",
"escape-artist", "cast", ...) and acts last; if it wins the check, it has a turn in which `grapple` carries
out the declared activity. Feats: "improved grab", "deadly stroke"; a thief's trait "sudden strike x3".
"""


# --- The chapter on magic in woa: every point that is not plain

MAGIC: Magic = replace(
    PLAIN_MAGIC,
    stats=PLAIN_MAGIC.stats | {"all speeds", "speed.brachiation", "speed.burrow", "speed.climb"},
    rolls=PLAIN_MAGIC.rolls | rolls("1d100: deafened, garbled", "1d20: dispel, spellcraft", "healing, spell"),
    questions=questions(
        "dampened: half, as usual, nothing", "device: it works, nothing happens", "material: ruined, usable"
    ),
    acts={
        acts.Cast: ActSpec(
            casting.cast_spell,
            "spell targets at",
            refuses="defensively",
        ),
        acts.Counter: ActSpec(concentration.counter, "spell target"),
        acts.Touch: ActSpec(
            steps(casting.refuse_to_reach, refine(touch_spells.touch, casting.set_about_touch)), "targets"
        ),
        acts.Maintain: ActSpec(
            choose(when("", turning.maintain_turning, holds=turning.is_turning), casting.maintain_spell),
            "way",
        ),
        acts.Dismiss: ActSpec(casting.dismiss, "spell"),
        acts.Redirect: ActSpec(spells.redirect, "spell targets at", under={"at": {"targets": UNSAID}}),
        acts.Activate: ActSpec(casting.use_device, "item targets at", refuses="defensively device"),
    },
    components=COMPONENTS | {f"{COSTLY}*", ELABORATE, DIRECTED, spells.DISMISSIBLE},
    refuse_casting=first(
        refuse_without_components, spell_effects.refuse_origin, spells.refuse_unseen_targets
    ),
    holds_charges=True,
    strikes_again=spells.does_damage_alone,
    defensive_casting=no_defensive_casting,
    touching=spells.shoot_rays,
    spell_blow=spells.spell_blow,
    affect=spells.affect,
    discharge=spells.discharge,
    bestow=healing.heal_by_spell,
)
"""A plan names the intent: "cast", "touch", "maintain", "dismiss", "redirect", "turn-undead"; "drink",
"administer", "read" and "activate" for devices. Devices are spells with an `item` and may be named in `held`.
A spell's `components` are "verbal", "somatic", "material", "focus", "divine focus", "costly ruby dust" (then
"ruby dust" is a trait), "elaborate", and "directed" or "dismissible"; `works` gives when it takes effect if
its description does. Components are in hand as the item "components". The condition "unable to concentrate"
prevents concentration. An `ability` is not a spell: it works at once, cannot be disturbed, and a plan may
name it "use-ability".
"""


# --- The chapter on mounted in woa: every point that is not plain

MOUNTED: Mounted = replace(
    PLAIN_MOUNTED,
    rolls=rolls("1d100: stay-mounted", "1d20: ride"),
    questions=questions("avert: try, decline", "lands: <square>"),
    acts={
        acts.Mount: ActSpec(riding.mount, "target fast"),
        acts.Dismount: ActSpec(riding.dismount, "to fast"),
        acts.Guide: ActSpec(riding.guide, what=Judged(("control", "knees"))),
        acts.Ride: ActSpec(
            mounted_combat.ride,
            "path pace after",
            then={
                acts.Attack: Fields("target weapon thrown nonlethal"),
                acts.FullAttack: Fields("nonlethal", strikes=Fields("target weapon thrown off_hand")),
                acts.Cast: Fields("spell targets at defensively"),
            },
        ),
    },
    averted=riding.averted,
)


# --- The chapter on gear in woa: every point that is not plain

GEAR: Gear = replace(
    PLAIN_GEAR,
    postures=frozenset(POSTURES),
    questions=questions(
        "done: done, not yet",
        "draw: standard, move, free",
        "effective: half damage, full damage, no damage",
        "whose: <combatant>",
    ),
    families=frozenset({"", "bow", "crossbow", "natural", "polearm", "sling", "spell"}),
    acts={
        acts.Grip: ActSpec(
            choose(when("", couch_lance, holds=is_lance_in_saddle), others_things.grip), "item hands"
        ),
        acts.Drop: ActSpec(cycle.drop, "item to"),
        acts.Draw: ActSpec(draw_and_sheathe.draw_item, "item also"),
        acts.Sheathe: ActSpec(draw_and_sheathe.sheathe, "item"),
        acts.Handle: ActSpec(objects.handle_item, "item", what=objects.WAYS),
        acts.Load: ActSpec(cycle.load, "item"),
        acts.Burst: ActSpec(objects.burst, "target"),
    },
    frees_hand=draw_and_sheathe.has_free_hand,
    drawing=draw_and_sheathe.drawing,
    equip=refine(
        keep_sheet,
        on_sheet_so_far(draw_and_sheathe.superior_gear),
        on_sheet_so_far(draw_and_sheathe.range_increments),
    ),
)
"""A plan names the intent: "draw", "draw-stowed", "draw-hidden", "handle", "handle-long", "grab", "shield",
"hurl". Traits give where things are stowed: "rope in the backpack", "gem securely stowed", "knife hidden",
"ladder takes both hands".
"""


# --- The chapter on classes in woa: every point that is not plain

CLASSES: Classes = replace(
    PLAIN_CLASSES,
    rolls=PLAIN_CLASSES.rolls | rolls("1d20: endurance, heal, sleight of hand, strength"),
    questions=questions("devotion: allow, refuse", "use: allow, refuse"),
    sheet_names=SHEET_NAMES,
    bonus_kinds=KINDS | {"advantage", "shield enhancement"},
    acts={
        acts.TurnUndead: ActSpec(
            turning.turn_undead, "way boost", what=Judged(("turn", "rebuke")), kind=Judged(("undead",))
        ),
        acts.UseSkill: ActSpec(abilities.use_skill, "skill dc"),
        acts.UseAbility: ActSpec(
            choose(
                when("", special_abilities.use_known_ability, holds=special_abilities.uses_known_ability),
                abilities.use_described_ability,
            ),
            "ability target",
        ),
        acts.Circumstance: ActSpec(
            hazard.circumstance, "target hampers changes why row", under={"hampers": {"row": UNSAID}}
        ),
    },
    save_bonus=gather(
        abilities.own_bonus, abilities.lowered_ability, abilities.passing_save_parts, abilities.feature_bonus
    ),
    attack_features=listed(
        shared_space.cramped_attack,
        concealment.blow_sight,
        impediments.cite_cornered,
        named(maneuvers_as_attacks.MANEUVER, maneuvers_as_attacks.bonus_to_maneuver),
        grab_modifiers.holds_on_attack,
    ),
    defense_features=listed(
        shared_space.cramped_defense,
        walking.penalty_of_skill_movement,
        named(maneuvers_as_attacks.STABILITY, maneuvers_as_attacks.bonus_to_resist),
    ),
    damage_features=listed(
        named("weapon specialization", damage.weapon_specialization),
        named("favored enemy", damage.favored_enemy_bonus),
    ),
    pools=gather(yield_sheet_pools, special_abilities.ki_pool),
    check_features=listed(movement.sight_on_check, grab_modifiers.holds_on_check),
    derived_statistics=refine(
        as_printed, on_sheet_so_far(draw_and_sheathe.class_base_attack), on_sheet_so_far(size.size_statistics)
    ),
)
"""A plan names the intent: "use-feat", "use-skill", "use-ability".

A turner faces a `way`; "evil" clerics rebuke. `save_bonuses` under "ref traps" count on those saves only.
Traits: "ki 4" is a monk's pool, "swift NAME", "immediate NAME" and "reaction NAME" are abilities for
`use-ability`; the latter two cost combat reactions.
"""


# --- The chapter on environment in woa: every point that is not plain

ENVIRONMENT: Environment = replace(
    PLAIN_ENVIRONMENT,
    questions=questions(
        "catastrophe: <condition>", "superior: nothing, <condition>", "surface: above, below"
    ),
    acts={
        acts.Hazard: ActSpec(
            swim.hazard_by_place,
            "target save dc on_save source skill area edge missiles pit unexpected injury cause bleeding",
            refuses="rider",
            damage=DICE,
            damage_type=damage_type,
            condition=lone_conditions,
            under=hazard.UNDER,
        ),
        acts.Expose: ActSpec(swim.expose, "target to degree way over"),
    },
)
