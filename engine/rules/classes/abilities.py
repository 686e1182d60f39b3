"""Current ability scores, levels and features, and pools of uses."""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import Same, per_fight
from affray.engine.kernel.sheets import score_of
from affray.engine.record.blow import Blow
from affray.engine.record.chapters import Step
from affray.engine.record.compose import Feature
from affray.engine.rules.classes.sheets import ability, ability_modifier
from affray.events.facts.sheet import SCORES, ExtraDamage, Modifier
from affray.projections.state import Combatant

# --- Current ability scores: after losses, conditions and effects


def printed_scores(fight: Fight, combatant: Combatant, name: str, use: str) -> tuple[Step, ...]:
    """Return no changes: for dialects that count a lower score in a different way."""
    return ()


def score_changes(fight: Fight, combatant: Combatant, name: str, use: str = "") -> tuple[Step, ...]:
    """Return the current changes of an ability, one cause after the other.

    `use` is "attack" or "defense" for these uses. Nothing for a score that the creature does not have.
    """
    if not (combatant.conditions or combatant.losses or combatant.effects):
        return ()
    return fight.dialect.conditions.score_steps(fight, combatant, name, use)


def lowered(fight: Fight, combatant: Combatant, name: str, use: str = "") -> list[Modifier]:
    """Return how an ability modifier differs from the printed one, a part for each cause."""
    return [
        Modifier(step.after - step.before, "ability", step.source, step.rule)
        for step in score_changes(fight, combatant, name, use)
        if step.after != step.before
    ]


def strength_to_break(fight: Fight, combatant: Combatant, rule: str) -> list[Modifier]:
    """Return the parts of a Strength check to break bonds: from the current score."""
    printed = Modifier(ability(combatant.sheet, "str"), "ability", "Strength", rule)
    return [printed, *lowered(fight, combatant, "str")]


def ability_now(fight: Fight, combatant: Combatant, name: str) -> int:
    """Return the current modifier of an ability."""
    found = score_changes(fight, combatant, name)
    return found[-1].after if found else ability_modifier(score_of(combatant.sheet, name))


def points_lost(victim: Combatant, name: str) -> int:
    """Return the points that an ability has lost by damage and drain."""
    return victim.losses.get(name, 0) + victim.losses.get(f"{name} drain", 0)


def get_points_left(victim: Combatant, name: str) -> int:
    """Return how many points of an ability are left to lose."""
    return max(0, (score_of(victim.sheet, name) or 0) - points_lost(victim, name))


def add_points_lost(victim: Combatant, name: str, points: int, *, drain: bool) -> tuple[int, int]:
    """Return the points of damage and of drain after the loss of more points of one of them."""
    damage, drained = victim.losses.get(name, 0), victim.losses.get(f"{name} drain", 0)
    return (damage, drained + points) if drain else (damage + points, drained)


def score_now(fight: Fight, combatant: Combatant, name: str) -> int | None:
    """Return the current score of an ability; None for one that the creature does not have."""
    found = score_changes(fight, combatant, name)
    return found[-1].score if found else score_of(combatant.sheet, name)


def at_zero(name: str) -> str:
    """Return the source of the condition that follows the loss of all points of an ability."""
    return f"{SCORES[name]} 0"


# --- Feats, class abilities and special qualities: what each adds, and where
# A feature is named on the sheet, among its feats or traits, and listed in the dialect's record at each point
# that it modifies. The steps of an attack, a saving throw or a check ask here for the modifiers of the
# participants' features; no step knows particular feats.


@per_fight(Same("combatant.sheet"), "point")
def features_at(fight: Fight, combatant: Combatant, point: str) -> tuple[tuple[Feature, str], ...]:
    """Return the features of a combatant at a point, each with its detail.

    In the order of the dialect's list.
    """
    levels = (f"{name} {level}" for name, level in combatant.sheet.classes.items())
    entries = (*combatant.sheet.feats, *combatant.sheet.traits, *levels)
    found: tuple[tuple[Feature, str], ...] = getattr(fight.dialect.classes, f"{point}_features")(entries)
    return found


def blow_parts(fight: Fight, blow: Blow, point: str) -> list[Modifier]:
    """Return the modifiers that features give to a blow at "attack", "defense", "moving" or "damage"."""
    found = features_at(fight, blow.target if point in ("defense", "moving") else blow.attacker, point)
    parts: list[Modifier] = []
    for say, detail in found:
        parts += say(fight, blow, detail)
    return parts


def blow_dice(fight: Fight, blow: Blow) -> list[ExtraDamage]:
    """Return the damage dice that the attacker's features add, rolled once at any multiplier.

    Of several missiles on one roll only the first has them (srd35.feat.manyshot).
    """
    found = () if blow.intent.further_arrow else features_at(fight, blow.attacker, "dice")
    return [dice for say, detail in found for dice in say(fight, blow, detail)] if found else []


def roll_parts(fight: Fight, combatant: Combatant, point: str, name: str) -> list[Modifier]:
    """Return the modifiers that features give to a "save", "check" or "initiative" of that name."""
    return [
        part
        for say, detail in features_at(fight, combatant, point)
        for part in say(fight, combatant, name, detail)
    ]


# --- Current levels: each negative level lowers every use of a level by one
# srd35.energy-drain.level, pf1.negative-levels.

#: The condition whose level is the number of negative levels.
DRAINED: Final = "energy drained"
TOPIC: Final = "energy-drain.level"


def count_negative_levels(combatant: Combatant) -> int:
    """Return how many negative levels a combatant has."""
    held = combatant.conditions.get(DRAINED) if combatant.conditions else None
    return held.level if held is not None else 0


def class_level(combatant: Combatant, *names: str) -> int:
    """Return the effective level in a class, or in several together: never below 0."""
    classes = combatant.sheet.classes
    level = sum(classes.get(name, 0) for name in names)
    return max(0, level - count_negative_levels(combatant)) if level else 0


def character_level(combatant: Combatant) -> int:
    """Return the effective level of a creature, for a monster its Hit Dice: never below 0."""
    return max(0, combatant.sheet.hit_dice - count_negative_levels(combatant))


def lower_level(combatant: Combatant, level: int) -> int:
    """Return the current value of a level given in another form, such as a printed caster level."""
    return max(0, level - count_negative_levels(combatant))


def lost_levels(fight: Fight, combatant: Combatant) -> list[Modifier]:
    """Return the penalty of negative levels on a level that is a part of a roll."""
    lost = count_negative_levels(combatant)
    return [Modifier(-lost, "penalty", "negative levels", fight.rule(TOPIC))] if lost else []


def rules_of_level(fight: Fight, combatant: Combatant) -> tuple[str, ...]:
    """Return the rule that lowers the levels of a combatant, if any does."""
    return fight.rules(TOPIC) if count_negative_levels(combatant) else ()


# --- A combatant's limited resources: ammunition and spells


def yield_sheet_pools(fight: Fight, combatant: Combatant) -> Iterator[tuple[str, int]]:
    """Yield the ammunition and the limited spells of a sheet, by name, with the amount of each."""
    for weapon in combatant.sheet.weapons:
        if weapon.ammunition is not None:
            yield weapon.name, weapon.ammunition
    for spell in combatant.sheet.spells:
        if spell.uses is not None:
            yield spell.name, spell.uses


# --- The three kinds of saving throws, each with its ability

SAVES: Final = {"fort": "save.fortitude", "ref": "save.reflex", "will": "save.will"}


def by_kind_of_save(fight: Fight, combatant: Combatant, kind: str, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of a saving throw, the ability's under the rule of its kind.

    pf1.save.modifier-formula, pf1.save.fortitude, pf1.save.reflex, pf1.save.will, futurepath.save.formula,
    futurepath.save.fortitude, futurepath.save.reflex, futurepath.save.will.
    """
    rules = {"ability": fight.rule(SAVES[kind]), "base": fight.rule("save.modifier-formula")}
    printed = fight.rule("save.roll")
    return [
        replace(part, rule=rules[part.kind]) if part.kind in rules and part.rule == printed else part
        for part in parts
    ]
