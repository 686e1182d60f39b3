"""Fifth edition, by the System Reference Document 5.2."""

from collections.abc import Iterable
from functools import partial
from typing import Final

from msgspec import UNSET
from msgspec.structs import replace

from affray.engine.dialects.srd52 import (
    areas,
    arrival,
    attacks,
    auras,
    blocks,
    class_features,
    classes,
    consequences,
    damage,
    difficulty,
    divine,
    environment,
    feats,
    gear,
    held_spells,
    hiding,
    items,
    legendary,
    magic,
    maneuvers,
    martial,
    monster,
    mounted,
    movement,
    opportunity,
    poisons,
    position,
    printed,
    ready,
    remaining,
    rests,
    senses,
    spells,
    tactics,
    test,
    traits,
    turns,
)
from affray.engine.dialects.srd52.classes import SKILLS, SheetFields, fields_of
from affray.engine.dialects.srd52.conditions import CONDITIONS, gain, just_dead
from affray.engine.dialects.srd52.features import SPELL, Feature, steps_of, words_of
from affray.engine.dialects.srd52.spells import control, ground
from affray.engine.fight.fight import Dialect, Fight
from affray.engine.fight.memory import per_scene
from affray.engine.kernel import turns as kernel_turns
from affray.engine.kernel.contents import KERNEL as BASE
from affray.engine.record.acts import SAID, ActSpec, SheetNames, names
from affray.engine.record.blocks import BlockReader
from affray.engine.record.chapters import ConditionRule
from affray.engine.record.compose import about, prohibit
from affray.engine.record.kernel import Kernel
from affray.engine.steps import Refusal, Steps, reciting, unknown_word
from affray.events.facts import acts
from affray.events.facts.base import Fact
from affray.events.facts.combat import ConditionGained, ResourceSpent
from affray.events.facts.flow import CombatantEntered
from affray.events.facts.sheet import SCORES, Sheet
from affray.projections.state import Combatant, Effect

TITLE: Final = "Fifth edition (SRD 5.2)"
SHEET_FIELDS: Final = SheetFields


def enter(fight: Fight, act: acts.Enter) -> Steps[None]:
    """Put a combatant on the map with the figures of its weapons and armor; an object takes no turns.

    Its conditions may have causes (`by`) and levels, such as the height of a flyer; it may ride a mount.
    """
    if act.carried is not UNSET:
        yield from arrival.arrive(fight, act)
        return
    rules: tuple[str, ...] = ()
    if act.sheet is not None:
        sheet = class_features.with_training(fight, gear.equipped(fight, act.sheet))
        rules = class_features.rules_on_sheet(fight, sheet)
        act = replace(act, sheet=damage.as_object(fight, sheet) if sheet.kind == damage.OBJECT else sheet)
        classes.refuse_scores(fight, sheet)
        printed.refuse_unread(fight, sheet)
    steed = fight.combatant(act.riding) if act.riding else None
    if steed is not None and act.sheet is not None:
        rider = Combatant(act.id, act.side, act.sheet, steed.at, 1, 0, 1, 1)
        mounted.refuse_steed(fight, rider, steed)
        act = replace(act, at=next(iter(position.nearest_free(fight, rider, steed.at)), act.at))
    known, levels, causes = fight.dialect.kernel.conditions, dict(act.levels), dict(act.by)
    for name in (*levels, *causes):
        if name not in known or name not in act.conditions:
            raise unknown_word("condition", name, act.conditions, fight.rule("conditions.list"), act.id)
    special = [name for name in act.conditions if name in levels or name in causes]
    usual = tuple(name for name in act.conditions if name not in special)
    plain = replace(act, conditions=usual, levels=(), losses=(), by=(), riding="", used=())
    damage.refuse_losses(fight, act)
    yield from reciting(kernel_turns.enter(fight, plain), CombatantEntered, *rules)
    one = fight.combatant(act.id)
    if "dead" in one.conditions:
        yield from just_dead(fight, one)
    if act.hp is None and fields_of(fight, one).hit_points:
        yield from monster.roll_hit_points(fight, one)
    for name in special:
        yield ConditionGained(
            who=act.id,
            condition=name,
            source=causes.get(name, "the start"),
            level=levels.get(name, 0),
            aloft=name == environment.FLYING,
            cites=fight.rules(known[name].topic),
        )
    for name, amount in act.used:
        yield ResourceSpent(who=act.id, resource=name, amount=amount, cites=fight.rules("turns.sequence"))
    for name, amount in act.losses:
        yield from damage.lower_score(fight, one, name, amount, "the start", False)
    if damage.is_object(one):
        yield from gain(fight, one, damage.OBJECT, "a thing")
    if fields_of(fight, one).inspiration:
        yield from test.inspire(fight, one)
    if steed is not None:
        yield from mounted.seat(fight, one, steed)


def through_walls(fight: Fight, actor: Combatant, act: acts.Act) -> None:
    """Refuse what a door or a wall between squares bars: anything with a target but telepathy."""
    target = fight.state.combatants.get(getattr(act, "target", ""))
    if target is None or isinstance(act, hiding.Contact):
        return
    if not senses.in_sight(fight, actor, target):
        raise Refusal(f"{target.id} has total cover from {actor.id}", fight.rule("defense.cover-total"))


def action_type(fight: Fight, combatant: Combatant, act: acts.Act) -> str:
    """Return the kind of action that a declaration takes; moves have the movement of the turn."""
    if isinstance(act, monster.UseAction):
        action = printed.actions_of(fight, combatant).get(act.action)
        return "bonus" if action is not None and action.kind == "bonus" else "action"
    if isinstance(act, items.UseItem):
        topic = items.USES[act.item][0] if act.item in items.USES else ""
        return "bonus" if topic and items.takes_bonus(fight, topic) else "action"
    return "action" if isinstance(act, ACTIONS) else "bonus" if isinstance(act, attacks.OffHand) else ""


def pools(fight: Fight, combatant: Combatant) -> Iterable[tuple[str, int]]:
    """Yield the limited resources of a combatant: slots, ammunition, uses of features and stat blocks."""
    yield from magic.slot_pools(fight, combatant)
    yield from magic.free_pools(fight, combatant)
    yield from class_features.pools(fight, combatant)
    yield from monster.pools(fight, combatant)


ACTIONS: Final = (
    acts.Attack,
    acts.Extinguish,
    acts.Hide,
    acts.Ready,
    acts.Stabilize,
    magic.Cast,
    damage.Break,
    hiding.Search,
    hiding.Study,
    items.GetFree,
    items.Throw,
    monster.UseAction,
    turns.Dash,
    turns.Disengage,
    turns.Dodge,
    turns.Help,
    maneuvers.Escape,
    maneuvers.Grapple,
    maneuvers.Shove,
)
"""The declarations that take an action, or a part of one."""


def close_turn(fight: Fight, combatant: Combatant) -> Steps[None]:
    """End a turn; a combatant that ends it in another's space may fall, and so may a flyer."""
    yield from movement.lands_on_others(fight, combatant)
    yield from movement.end_in_air(fight, combatant)
    yield from hiding.end_of_move(fight, combatant)
    yield from auras.auras_at_end(fight, combatant)
    yield from steps_of(fight, combatant, "turn_end")
    yield from areas.turn_in_areas(fight, combatant, "end")
    yield from items.burn_down(fight, combatant)
    yield from ground.burn_at_end(fight, combatant)
    yield from monster.end_any_turn(fight, combatant)
    yield from turns.close_turn(fight, combatant)
    yield from legendary.legendary_moment(fight, combatant)


def open_turn(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Begin a turn; auras act on combatants that start it in them."""
    yield from areas.burn_away(fight, combatant)
    yield from turns.open_turn(fight, combatant)
    yield from auras.auras_at_start(fight, combatant)


def time_over(fight: Fight, combatant: Combatant, what: str | Effect) -> Steps[None]:
    """End a condition whose duration is over, or settle the end of a spell."""
    if isinstance(what, str):
        return environment.out_of_breath(fight, combatant, what)
    return magic.effect_over(fight, combatant, what)


@per_scene()
def afterwards(fight: Fight) -> tuple[Fact, ...]:
    """Return the facts that follow from the state: grapples that end, what hung on them, Rages, blessings."""
    return (
        *maneuvers.grapples_that_end(fight),
        *environment.bonds_that_break(fight),
        *poisons.poisons_that_end(fight),
        *environment.flames_that_die(fight),
        *hiding.contacts_that_end(fight),
        *monster.actions_that_end(fight),
        *martial.rages_that_end(fight),
        *divine.blessings_that_end(fight),
    )


def remarks(dialect: Dialect, sheet: Sheet, entered: CombatantEntered | None = None) -> tuple[str, ...]:
    """Return what no rule reads on a sheet, and what the levels of a character do not allow."""
    return (*items.remarks(dialect, sheet, entered), *class_features.remarks(dialect, sheet))


SAVES: Final = tuple(f"save-{name}" for name in SCORES)
CHECKS: Final = (*SKILLS, *SCORES)
"""The names of ability checks: skills, and the abilities themselves."""

ROLLS: Final = (
    *("initiative", "attack", "bonus-die", "damage", "death-save", "healing", "temporary", "hit-die"),
    *("duplicate", "confusion", "direction", "random-target", "spell-failure"),
    *("recovery", "darts", "recharge", "hit-points", "deflect", "recall", "fate", "ice", "hours"),
    "lowered-score",
    *SAVES,
    *CHECKS,
)
"""The names of rolls."""

FEATURES: Final[dict[str, Feature]] = {
    **spells.SPELLS,
    **items.STREWN,
    **traits.TRAITS,
    **poisons.LASTING,
    **martial.FEATURES,
    **divine.FEATURES,
    **feats.FEATS,
}
"""All traits, feats, class features and spells by name."""

PLAYED_SPELLS: Final = frozenset(
    name.removeprefix(f"{SPELL} ") for name, one in spells.SPELLS.items() if one.spell is not None
)
BLOCKS: Final = BlockReader(blocks.recognizes, partial(blocks.read, PLAYED_SPELLS))
"""How stat blocks in the form of fifth edition are read."""

DIFFICULTY: Final = difficulty.difficulty
"""How hard opponents are for a party."""

SHEET_NAMES: Final = SheetNames(
    feats=words_of(FEATURES),
    traits=words_of(FEATURES),
    weapon_traits=names(
        "finesse, light, heavy, reach, two-handed, versatile, thrown, ammunition, loading, improvised, "
        "improvised equivalent, "
        "mastery *, long range *, ability *, ranged, plain damage, magic"
    ),
    unread={
        "Sheet": (
            *("base_attack", "saves", "save_bonuses", "armor", "armor_weight", "max_dex"),
            *("base_speed", "legs", "spells", "skills", "reductions", "resistances", "spell_resistance"),
            *("concentration", "fast_healing", "regeneration", "lethal", "poisons", "bare", "race"),
            *("speed_bonuses", "maneuver", "check_penalties", "ranks", "good_saves"),
            *("spell_failure", "thing"),
        ),
        "Weapon": (
            *("threat", "multiplier", "reach", "rating", "family", "off_hand", "size", "material"),
            *("masterwork", "load", "second_multiplier", "riders"),
        ),
        "Worn": (
            *("max_dex", "check", "failure", "enhancement", "proficient", "masterwork", "material", "size"),
        ),
    },
)
"""The parts of a sheet that rules read; the rest is reported as the combatant enters."""

ASKED: Final = (
    *("reckless attack", "uncanny dodge", martial.METABOLISM, "deflect attacks", "stunning strike", "swap"),
    *("savage attacker", "punch and grab", "peerless aim", "slow fall"),
)
"""The questions whether a feature is used."""

KERNEL: Final[Kernel] = replace(
    BASE,
    acts={
        **BASE.acts,
        acts.Enter: ActSpec(
            enter,
            "id side sheet at hp held conditions initiative policy riding by levels losses used origin "
            "carried",
        ),
        acts.Fiat: ActSpec(damage.fiat, "target hp gains loses at text"),
        acts.Begin: ActSpec(turns.begin, "unaware"),
        acts.Speak: ActSpec(hiding.speak, "words gesture", rule="turns.communicate"),
        acts.Move: ActSpec(
            movement.move,
            "path up dc surface wide",
            under={
                "up": {"how": ("fly",)},
                "surface": {"how": ("climb", "swim")},
                "dc": {"surface": SAID},
                "wide": {"how": ("squeeze",)},
            },
            how=movement.WAYS,
            rule="movement.allowance",
        ),
        acts.Jump: ActSpec(
            movement.jump, "path takeoff feet", kind=("long", "high"), rule="movement.long-jump"
        ),
        acts.Fall: ActSpec(
            environment.fall_by_word,
            "target feet",
            onto=("ground", "water"),
            rule="environment.falling-damage",
        ),
        acts.Expose: ActSpec(
            environment.expose,
            "target over",
            to=("no air", "cold"),
            degree=("", "choking"),
            rule="environment.suffocation-breath",
        ),
        acts.Extinguish: ActSpec(environment.extinguish, rule="environment.burning-extinguish"),
        acts.Ready: ActSpec(held_spells.ready_act, "trigger then", rule="turns.ready"),
        acts.Hide: ActSpec(hiding.hide, rule="senses.hide-requirements"),
        acts.Mount: ActSpec(mounted.mount, "target", rule="mounted.mount-cost"),
        acts.Dismount: ActSpec(mounted.dismount, "to", rule="mounted.mount-cost"),
        acts.Handle: ActSpec(
            gear.handle, "item", what=("open", "close", "open-stuck"), rule="turns.object-interaction"
        ),
        acts.Gather: ActSpec(gear.gather, "item", rule="gear.ammunition-recovery"),
        acts.Don: ActSpec(gear.don, "item", rule="gear.shield-don"),
        acts.Doff: ActSpec(gear.doff, "item", rule="gear.shield-don"),
        acts.Rest: ActSpec(rests.rest, "hours minutes interrupted resumed", rule="damage.short-rest"),
        rests.PassTime: ActSpec(
            rests.let_time_pass, "hours minutes", rule="turns.round", sentence="time passes"
        ),
        acts.Stand: ActSpec(movement.stand, rule="conditions.prone-stand"),
        acts.Drop: ActSpec(movement.drop, "item", rule="movement.drop-prone"),
        acts.Attack: ActSpec(attacks.attack, "target weapon thrown nonlethal at", rule="turns.attack-action"),
        acts.Draw: ActSpec(gear.draw, "item", rule="turns.object-interaction"),
        acts.Sheathe: ActSpec(gear.sheathe, "item", rule="turns.object-interaction"),
        acts.Stabilize: ActSpec(turns.stabilize, "target", rule="damage.stabilize"),
        acts.UseSkill: ActSpec(turns.use_skill, "skill dc target", rule="test.procedure"),
        turns.Check: ActSpec(
            turns.check,
            "skill dc difficulty sense tool",
            rule="test.procedure",
            sentence="{actor} makes a check",
        ),
        turns.Circumstance: ActSpec(
            turns.circumstance,
            "target roll kind source",
            rule="test.gm-circumstance",
            sentence="{target} is affected by {source}",
        ),
        hiding.Search: ActSpec(
            hiding.search, "target skill sense dc", rule="turns.search", sentence="{actor} searches"
        ),
        hiding.Contact: ActSpec(
            hiding.contact,
            "target words over",
            rule="senses.telepathy-incapacitated",
            sentence="{actor} speaks in the mind of {target}",
        ),
        hiding.Study: ActSpec(hiding.study, "skill dc spell", rule="turns.study", sentence="{actor} studies"),
        items.Throw: ActSpec(
            items.throw,
            "target item",
            rule="gear.throw-replaces-attack",
            sentence="{actor} throws {item} at {target}",
        ),
        items.UseItem: ActSpec(
            items.use_item, "item target weapon at", rule="turns.utilize", sentence="{actor} uses {item}"
        ),
        items.GetFree: ActSpec(
            items.get_free, "target how", rule="gear.net-escape", sentence="{actor} tries to get free"
        ),
        damage.Break: ActSpec(
            damage.break_fragile,
            "target",
            rule="turns.break-fragile-object",
            sentence="{actor} breaks {target}",
        ),
        damage.Boon: ActSpec(
            damage.boon,
            "target healing temporary inspiration revives source",
            rule="damage.healing",
            sentence="{target} has {source}",
        ),
        environment.Trap: ActSpec(
            environment.trap, "target name", rule="environment.traps", sentence="{target} sets off the {name}"
        ),
        poisons.Poison: ActSpec(
            poisons.poison,
            "target name",
            rule="environment.poison-types",
            sentence="{target} comes into contact with {name}",
        ),
        environment.ThinIce: ActSpec(
            environment.thin_ice,
            "at",
            rule="environment.thin-ice",
            sentence="thin ice is put to the test",
        ),
        gear.Attune: ActSpec(
            gear.attune, "item", rule="gear.attunement", sentence="{actor} attunes itself to {item}"
        ),
        gear.Take: ActSpec(
            gear.take, "target item", rule="monster.gear", sentence="{actor} takes {item} from {target}"
        ),
        movement.Teleport: ActSpec(
            movement.teleport_by_word, "target to", rule="movement.teleport", sentence="{target} teleports"
        ),
        monster.UseAction: ActSpec(
            monster.use_action,
            "action target at path weapon",
            rule="monster.actions",
            sentence="{actor} uses {action}",
        ),
        monster.CrawlOut: ActSpec(
            monster.crawl_out, rule="monster.trait-swallow-release", sentence="{actor} crawls out"
        ),
        attacks.OffHand: ActSpec(
            attacks.off_hand,
            "target weapon thrown nonlethal",
            rule="attacks.two-weapon",
            sentence="{actor} attacks {target} with the other hand",
        ),
        magic.Cast: ActSpec(
            held_spells.cast,
            "spell targets at slot choice scroll ritual form",
            rule="magic.prepared",
            sentence="{actor} casts {spell}",
        ),
        magic.UseSpell: ActSpec(
            magic.use_again, "spell targets at", rule="magic.duration-span", sentence="{actor} uses {spell}"
        ),
        magic.EndSpell: ActSpec(
            magic.end_own_spell, "spell", rule="magic.dismiss", sentence="{actor} ends a spell"
        ),
        control.Wake: ActSpec(
            control.wake, "target", rule="magic.spell-sleep", sentence="{actor} shakes {target}"
        ),
        ground.BreakFree: ActSpec(
            ground.break_free, "spell", rule="conditions.restrained-speed", sentence="{actor} breaks free"
        ),
        ground.Breathe: ActSpec(
            ground.breathe, "at", rule="magic.spell-dragons-breath", sentence="{actor} breathes"
        ),
        damage.Hazard: ActSpec(
            damage.hazard,
            "target targets save dc willing damage damage_type half maximum lowers fatal condition source",
            rule="damage.roll",
            sentence="{target} faces {source}",
        ),
        turns.Dash: ActSpec(turns.dash, "how bonus", rule="turns.dash", sentence="{actor} dashes"),
        turns.Disengage: ActSpec(
            turns.disengage, "bonus", rule="turns.disengage", sentence="{actor} disengages"
        ),
        turns.Dodge: ActSpec(turns.dodge, "bonus", rule="turns.dodge-attacks", sentence="{actor} dodges"),
        turns.Help: ActSpec(
            turns.help_other, "target skill", rule="turns.help-attack", sentence="{actor} helps"
        ),
        class_features.UseFeature: ActSpec(
            class_features.use_feature,
            "feature target targets option amount amounts weapon at",
            rule="classes.progression",
            sentence="{actor} uses {feature}",
        ),
        maneuvers.Grapple: ActSpec(
            maneuvers.grapple, "target", rule="grapple.start-save", sentence="{actor} grapples {target}"
        ),
        maneuvers.Shove: ActSpec(
            maneuvers.shove, "target to at", rule="maneuvers.shove-effect", sentence="{actor} shoves {target}"
        ),
        maneuvers.Escape: ActSpec(
            maneuvers.escape, "skill", rule="grapple.escape", sentence="{actor} tries to escape"
        ),
        maneuvers.Release: ActSpec(
            maneuvers.release, "target", rule="grapple.release", sentence="{actor} lets go of {target}"
        ),
    },
    rolls={one: "" for one in ROLLS},
    questions={
        "opportunity": ("<weapon>", "decline"),
        "save": ("str", "dex", "none"),
        "ready": ("take", "ignore"),
        "first": ("<condition>",),
        "cleave": ("<combatant>", "decline"),
        "knock-out": ("kill", "knock out"),
        "whom": ("<combatant>",),
        "surface": ("athletics", "acrobatics", "decline"),
        "temporary": ("take", "keep"),
        "inspiration": ("keep", "<number>"),
        "hand over": ("<combatant>", "lost"),
        "place": ("<square>",),
        "spend-die": ("<dice>", "stop"),
        "reaction-spell": ("cast", "decline"),
        "smite": ("decline", "cast"),
        "leap": ("<combatant>", "none"),
        "legendary": ("<action>", "decline"),
        "legendary-resistance": ("use", "decline"),
        "parry": ("parry", "decline"),
        "ability": ("str", "<ability>"),
        "shift": ("stay", "<square>"),
        **dict.fromkeys(ASKED, ("use", "decline")),
        martial.SNEAK: (martial.SNEAK, *martial.CUNNING, "decline"),
        "redirect": ("<combatant>", "decline"),
        "open hand technique": (*martial.OPEN_HAND, "decline"),
        divine.SACRED: ("radiant", "normal"),
        "initiative swap": ("<combatant>", "decline"),
        divine.RECOVERY: ("<slots>", "stop"),
        "improve fate": ("decline", "bonus", "penalty"),
    },
    initiative=turns.roll_initiative,
    order=turns.order,
    open_turn=open_turn,
    close_turn=close_turn,
    budget=turns.budget,
    action_type=action_type,
    prohibitions=prohibit(
        about(
            (
                *ACTIONS,
                attacks.OffHand,
                class_features.UseFeature,
                items.UseItem,
                acts.Draw,
                acts.Sheathe,
                acts.Don,
                acts.Doff,
                acts.Handle,
                gear.Take,
            ),
            turns.refuse_incapacitated,
        ),
        about((acts.Speak,), turns.refuse_speech),
        mounted.refuse_unguided,
        turns.refuse_by_feature,
    ),
    through_walls=through_walls,
    can_act=mounted.can_act,
    watch=consequences.watch,
    pools=pools,
    left=remaining.left_of_turn,
    afterwards=afterwards,
    single_dice=frozenset({"damage"}),
    standing_sums=attacks.standing_sums,
    sure_faces=test.no_automatic_result,
    injured=damage.injured,
    conditions={
        **CONDITIONS,
        **martial.STATES,
        **divine.STATES,
        **feats.STATES,
        "unconscious": ConditionRule(
            "conditions.unconscious-inert", actions="none", down=True, each_turn=damage.death_save
        ),
        damage.OBJECT: ConditionRule("damage.object-no-scores", actions="none", down=True),
        damage.KNOCKED_OUT: ConditionRule("damage.knock-out"),
        monster.SWALLOWED: ConditionRule("monster.trait-swallow"),
        damage.OILED: ConditionRule("gear.oil-creature"),
        environment.FLYING: ConditionRule("movement.fly-speed"),
        environment.BURNING: ConditionRule("environment.burning", each_turn=environment.burn),
        environment.HOLDING: ConditionRule("environment.suffocation-breath"),
        environment.BREATHLESS: ConditionRule("environment.suffocation", turn_over=environment.suffocate),
        environment.ANCHORED: ConditionRule("gear.climbers-kit"),
        hiding.HIDDEN: ConditionRule("senses.hide-result"),
        hiding.CONTACT: ConditionRule("senses.telepathy-incapacitated"),
        turns.SURPRISED: ConditionRule("turns.surprise", actions="none"),
        items.HOBBLED: ConditionRule("gear.caltrops"),
        items.TRAPPED: ConditionRule("gear.hunting-trap"),
        **{f"{items.BOUND}: {name}": ConditionRule(topic) for name, topic in items.BONDS.items()},
    },
    left_behind=arrival.left_behind,
    time_over=time_over,
    space=position.space_and_reach,
    speed=movement.feet_now,
    measure=movement.measure,
    occupants=position.others_at,
    refuse_step=movement.refuse_step,
    leaving=movement.leaving,
    can_react=ready.can_oppose,
    react=opportunity.react,
    arriving=movement.arriving,
    arms=gear.arms,
    features=FEATURES,
    sheet_names=SHEET_NAMES,
    remarks=remarks,
    next_declaration=tactics.next_declaration,
    proposals={
        **BASE.proposals,
        monster.UseAction: tactics.proposals,
        class_features.UseFeature: class_features.offers,
    },
)
