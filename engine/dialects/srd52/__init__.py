"""Fifth edition, by the System Reference Document 5.2."""

from collections.abc import Iterable
from functools import partial
from typing import Final

from msgspec.structs import replace

from affray.engine.dialects.srd52 import (
    areas,
    attacks,
    damage,
    gear,
    magic,
    maneuvers,
    movement,
    position,
    spells,
    tactics,
    test,
    turns,
)
from affray.engine.dialects.srd52.classes import SheetFields
from affray.engine.dialects.srd52.conditions import CONDITIONS
from affray.engine.dialects.srd52.features import Feature, steps_of, words_of
from affray.engine.dialects.srd52.spells import control, ground
from affray.engine.fight.fight import Fight
from affray.engine.kernel import turns as kernel_turns
from affray.engine.kernel.contents import KERNEL as BASE
from affray.engine.kernel.contents import spells_left
from affray.engine.record.acts import ActSpec, SheetNames, names
from affray.engine.record.chapters import ConditionRule
from affray.engine.record.compose import about, prohibit
from affray.engine.record.kernel import Kernel
from affray.engine.steps import Steps, answered
from affray.events.facts import acts
from affray.events.facts.sheet import SCORES
from affray.projections.state import Combatant

TITLE: Final = "Fifth edition (SRD 5.2)"
SHEET_FIELDS: Final = SheetFields


def enter(fight: Fight, act: acts.Enter) -> Steps[None]:
    """Put a combatant on the map with the figures of its weapons and armor."""
    if act.sheet is not None:
        act = replace(act, sheet=gear.equipped(fight, act.sheet))
    return kernel_turns.enter(fight, act)


def action_type(fight: Fight, combatant: Combatant, act: acts.Act) -> str:
    """Return the kind of action that a declaration takes; moves have the movement of the turn."""
    return "action" if isinstance(act, ACTIONS) else "bonus" if isinstance(act, attacks.OffHand) else ""


def watch(fight: Fight, steps: Steps[None]) -> Steps[None]:
    """Run the steps of a declaration, with what each of their facts does to Concentration."""
    return answered(steps, partial(magic.what_follows, fight))


def pools(fight: Fight, combatant: Combatant) -> Iterable[tuple[str, int]]:
    """Yield the limited resources of a combatant: spell slots, ammunition."""
    yield from magic.slot_pools(fight, combatant)
    yield from spells_left(fight, combatant)


ACTIONS: Final = (
    acts.Attack,
    acts.Stabilize,
    magic.Cast,
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
    """End a turn; whoever ends it in another's space may fall."""
    yield from movement.lands_on_others(fight, combatant)
    yield from steps_of(fight, combatant, "turn_end")
    yield from areas.turn_in_areas(fight, combatant, "end")
    yield from kernel_turns.close_turn(fight, combatant)


SAVES: Final = tuple(f"save-{name}" for name in SCORES)
SKILLS: Final = (
    *("acrobatics", "animal handling", "arcana", "athletics", "deception", "history", "insight"),
    *("intimidation", "investigation", "medicine", "nature", "perception", "performance", "persuasion"),
    *("religion", "sleight of hand", "stealth", "survival", *SCORES),
)
"""What ability checks are called: skills, and the abilities themselves."""

FEATURES: Final[dict[str, Feature]] = {**spells.SPELLS}
"""All traits, feats, class features and spells by name."""

SHEET_NAMES: Final = SheetNames(
    feats=words_of(FEATURES),
    traits=words_of(FEATURES),
    weapon_traits=names(
        "finesse, light, heavy, reach, two-handed, versatile, thrown, mastery *, long range *"
    ),
    unread={
        "Sheet": (
            *("hit_dice", "base_attack", "saves", "save_bonuses", "armor", "armor_weight", "max_dex"),
            *("base_speed", "legs", "spells", "skills", "reductions", "resistances", "spell_resistance"),
            *("concentration", "fast_healing", "regeneration", "lethal", "poisons", "bare", "race"),
            *("speed_bonuses", "maneuver", "carried", "check_penalties", "ranks", "good_saves"),
            *("spell_failure", "thing"),
        ),
        "Weapon": (
            *("threat", "multiplier", "reach", "rating", "family", "off_hand", "size", "material"),
            *("masterwork", "load", "far", "second_multiplier", "riders"),
        ),
        "Worn": (
            *("max_dex", "check", "failure", "enhancement", "proficient", "masterwork", "material", "size"),
        ),
    },
)
"""What rules read on a sheet; the rest is reported as the combatant enters."""

KERNEL: Final[Kernel] = replace(
    BASE,
    acts={
        **BASE.acts,
        acts.Enter: ActSpec(enter, "id side sheet at hp held conditions initiative policy"),
        acts.Begin: ActSpec(turns.begin, "unaware"),
        acts.Move: ActSpec(movement.move, "path", how=movement.WAYS, rule="movement.allowance"),
        acts.Stand: ActSpec(movement.stand, rule="conditions.prone-stand"),
        acts.Drop: ActSpec(movement.drop, "item", rule="movement.drop-prone"),
        acts.Attack: ActSpec(attacks.attack, "target weapon thrown nonlethal", rule="turns.attack-action"),
        acts.Draw: ActSpec(gear.draw, "item", rule="turns.object-interaction"),
        acts.Sheathe: ActSpec(gear.sheathe, "item", rule="turns.object-interaction"),
        acts.Stabilize: ActSpec(turns.stabilize, "target", rule="damage.stabilize"),
        acts.UseSkill: ActSpec(turns.use_skill, "skill dc", rule="test.procedure"),
        attacks.OffHand: ActSpec(
            attacks.off_hand,
            "target weapon thrown",
            rule="attacks.two-weapon",
            sentence="{actor} attacks {target} with the other hand",
        ),
        magic.Cast: ActSpec(
            magic.cast,
            "spell targets at slot choice",
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
            "target save dc damage damage_type half condition source",
            rule="damage.roll",
            sentence="{target} faces {source}",
        ),
        turns.Dash: ActSpec(turns.dash, "bonus", rule="turns.dash", sentence="{actor} dashes"),
        turns.Disengage: ActSpec(
            turns.disengage, "bonus", rule="turns.disengage", sentence="{actor} disengages"
        ),
        turns.Dodge: ActSpec(turns.dodge, "bonus", rule="turns.dodge-attacks", sentence="{actor} dodges"),
        turns.Help: ActSpec(
            turns.help_other, "target skill", rule="turns.help-attack", sentence="{actor} helps"
        ),
        maneuvers.Grapple: ActSpec(
            maneuvers.grapple, "target", rule="grapple.start-save", sentence="{actor} grapples {target}"
        ),
        maneuvers.Shove: ActSpec(
            maneuvers.shove, "target to", rule="maneuvers.shove-effect", sentence="{actor} shoves {target}"
        ),
        maneuvers.Escape: ActSpec(
            maneuvers.escape, "skill", rule="grapple.escape", sentence="{actor} tries to escape"
        ),
        maneuvers.Release: ActSpec(
            maneuvers.release, "target", rule="grapple.release", sentence="{actor} lets go of {target}"
        ),
    },
    rolls={
        one: ""
        for one in (
            "initiative",
            "attack",
            "extra-die",
            "damage",
            "healing",
            "duplicate",
            "confusion",
            "direction",
            "random-target",
            "death-save",
            *SAVES,
            *SKILLS,
        )
    },
    questions={
        "opportunity": ("<weapon>", "decline"),
        "save": ("str", "dex"),
        "reaction-spell": ("cast", "decline"),
        "smite": ("decline", "cast"),
        "leap": ("<combatant>", "none"),
    },
    initiative=turns.roll_initiative,
    order=turns.order,
    open_turn=turns.open_turn,
    close_turn=close_turn,
    budget=turns.budget,
    action_type=action_type,
    prohibitions=prohibit(
        about((*ACTIONS, attacks.OffHand, acts.Draw, acts.Sheathe), turns.refuse_incapacitated),
        about((acts.Speak,), turns.refuse_speech),
        turns.refuse_by_feature,
    ),
    watch=watch,
    effect_over=magic.effect_over,
    pools=pools,
    afterwards=maneuvers.grapples_that_end,
    sure_faces=test.no_automatic_result,
    injured=damage.injured,
    conditions={
        **CONDITIONS,
        "unconscious": ConditionRule(
            "conditions.unconscious-inert", actions="none", down=True, each_turn=damage.death_save
        ),
    },
    space=position.space_and_reach,
    speed=movement.feet_left,
    measure=movement.measure,
    occupants=position.others_at,
    refuse_step=movement.refuse_step,
    arriving=movement.arriving,
    leaving=movement.leaving,
    can_react=turns.can_react,
    react=attacks.react,
    arms=gear.arms,
    features=FEATURES,
    sheet_names=SHEET_NAMES,
    next_declaration=tactics.next_declaration,
)
