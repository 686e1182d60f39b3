"""Saving throws: how far a save succeeds or fails matters as much as whether (woa.save.*)."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.dialects.woa.grapple.grab_modifiers import hold_penalties
from affray.engine.dialects.woa.grapple.grapple_modifiers import reflex_in_grapple
from affray.engine.dice import parse
from affray.engine.dice.notation import Dice
from affray.engine.fight.fight import Fight, is_helpless, rule_of
from affray.engine.modifiers import Tally
from affray.engine.rules.classes.ability_modifiers import ability
from affray.engine.rules.classes.ability_scores import lowered
from affray.engine.rules.classes.features import roll_parts
from affray.engine.rules.classes.saves_and_checks import SAVE_ABILITY, rolled_save
from affray.engine.rules.conditions.condition_rules import condition_parts, effect_parts
from affray.engine.steps import Steps
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

#: The topic of each kind of save, which says what it resists and by which ability.
KINDS = {"fort": "woa.save.fortitude", "ref": "woa.save.reflex", "will": "save.will"}  # woa.save.will
SUPERIOR = "woa.save.superior-success"
CATASTROPHIC = "woa.save.catastrophic-failure"
#: Kinds of bonuses that come from magic or from things, not from the saver.
LENT = frozenset({"resistance", "alchemical", "enhancement", "haste", "insight", "luck", "morale", "sacred"})
#: What is lost on Reflex saves by those who cannot move as they like.
AGILE = frozenset({"ability", "dodge"})


class Saved(Struct, frozen=True):
    """How a save came out: whether it succeeded, its total, the total less the DC, and the die.

    `rolled` is False for a save that failed without a roll.
    """

    success: bool
    total: int
    margin: int
    natural: int = 0
    rolled: bool = True


def own_bonus(fight: Fight, combatant: Combatant, kind: str) -> list[Modifier]:
    """Return what the sheet gives to a save; on Reflex what conditions deny of it is denied.

    Conditions that take Dexterity and dodge from Armor Class take them from Reflex too; the Dexterity of the
    helpless counts as 0 (woa.condition.dazed, woa.condition.stunned, woa.condition.cowering,
    woa.condition.incapacitated, woa.condition.paralyzed).
    """
    parts = general_bonus(fight, combatant, kind)
    if kind != "ref" or not combatant.conditions:
        return parts
    if is_helpless(fight, combatant):
        return reflex_of_helpless(fight, parts)
    return (
        reflex_in_grapple(fight, parts)
        if "grappling" in combatant.conditions
        else reflex_without_denied(fight, combatant, parts)
    )


def lowered_ability(fight: Fight, combatant: Combatant, kind: str) -> Sequence[Modifier]:
    """Return what has changed the ability score behind a save."""
    return lowered(fight, combatant, SAVE_ABILITY[kind][0])


def feature_bonus(fight: Fight, combatant: Combatant, kind: str) -> Sequence[Modifier]:
    """Return what feats, class abilities and special qualities add to a save."""
    return roll_parts(fight, combatant, "save", kind)


def reflex_of_helpless(fight: Fight, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of a Reflex save with those of a Dexterity of 0 and without dodge bonuses.

    woa.condition.paralyzed
    """
    still = fight.modifier(
        "woa.condition.paralyzed", "dex_modifier", kind="ability", source="Dexterity counts as 0"
    )
    why = f"cannot react: dodge bonus denied ({still.rule})"
    kept = [part for part in parts if part.kind != "ability"]
    return [
        *(replace(one, denied=why) if one.kind == "dodge" and one.value > 0 else one for one in kept),
        still,
    ]


def reflex_without_denied(fight: Fight, combatant: Combatant, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of a Reflex save, those denied that a condition takes away."""
    held = {name: rule_of(fight, name) for name in combatant.conditions}
    stiff = next((name for name, rule in held.items() if not rule.dexterity and not rule.helpless), "")
    if not stiff:
        return parts
    why = f"{stiff}: {{kind}} bonus denied ({fight.rule(held[stiff].topic)})"
    return [
        replace(part, denied=why.format(kind="Dexterity" if part.kind == "ability" else part.kind))
        if part.kind in AGILE and part.value > 0
        else part
        for part in parts
    ]


def general_bonus(fight: Fight, combatant: Combatant, kind: str, rule: str = "") -> list[Modifier]:
    """Return what counts on every save of a kind: base, ability, bonuses of the sheet.

    Each by the rule that grants it, or all of them by `rule` where they serve another roll
    (woa.save.base-bonus, .fortitude, .reflex, .will, .other-modifiers, .spells-and-items).
    """
    sheet = combatant.sheet
    short, name = SAVE_ABILITY[kind]
    modifier = ability(sheet, short)
    base = rule or fight.rule("woa.save.base-bonus")
    parts = [Modifier(getattr(sheet.saves, kind), "base", "base save", base)]
    if kind == "ref" and sheet.max_dex is not None and modifier > sheet.max_dex:
        source = f"Dexterity (armor allows {sheet.max_dex} of {modifier})"
        parts.append(Modifier(sheet.max_dex, "ability", source, fight.rule("woa.save.reflex-armor-cap")))
    else:
        parts.append(Modifier(modifier, "ability", name, rule or fight.rule(KINDS[kind])))
    for bonus in (*sheet.save_bonuses.get("all", ()), *sheet.save_bonuses.get(kind, ())):
        topic = "woa.save.spells-and-items" if bonus.kind in LENT else "woa.save.other-modifiers"
        source = bonus.source or bonus.kind
        parts.append(Modifier(bonus.value, bonus.kind, source, rule or fight.rule(topic)))
    return parts


def passing_save_parts(fight: Fight, combatant: Combatant, kind: str) -> list[Modifier]:
    """Return what conditions, effects and holds do to saves of a kind."""
    return [
        *(hold_penalties(fight, combatant) if kind == "ref" and combatant.conditions else ()),
        *condition_parts(fight, combatant, "save"),
        *condition_parts(fight, combatant, f"save.{kind}"),
        *effect_parts(combatant, "save", ""),
        *effect_parts(combatant, f"save.{kind}", ""),
    ]


def saving_throw(
    fight: Fight,
    combatant: Combatant,
    kind: str,
    dc: int,
    source: str,
    *cites: str,
    extra: tuple[Modifier, ...] = (),
    naturals: bool = True,
) -> Steps[Saved]:
    """Roll a save; the helpless fail Reflex as on a natural 1, without a roll (woa.save.natural-*).

    `naturals` False lets 1 and 20 mean nothing special (woa.knocked-out.no-auto-fail).
    """
    unrolled = kind == "ref" and is_helpless(fight, combatant)
    topics = ("woa.save.reflex-auto-fail",) if unrolled else ()
    low, high = fight.figure("woa.save.natural-1", "face"), fight.figure("woa.save.natural-20", "face")

    def decide(natural: int, total: int, tally: Tally) -> tuple[bool, tuple[str, ...]]:
        success, special = bool(total >= dc), topics
        if naturals and natural == low:
            success, special = False, (*topics, "woa.save.natural-1")
        elif naturals and natural == high:
            success, special = True, (*topics, "woa.save.natural-20")
        elif not naturals and success and natural == low:
            special = (*topics, "woa.knocked-out.no-auto-fail")
        return success, (*tally.cites, *fight.rules(*special))

    taken = 1 if unrolled else 0
    fact = yield from rolled_save(
        fight, combatant, kind, dc, source, *cites, extra=extra, decide=decide, taken=taken
    )
    return Saved(fact.success, fact.total, fact.total - dc, fact.natural, bool(fact.key))


def is_superior(fight: Fight, saved: Saved) -> bool:
    """Say whether a success beats its DC by 10, a natural 20 too (woa.save.superior-success)."""
    topic = "woa.save.natural-20-not-superior" if is_face(fight, saved, "woa.save.natural-20") else SUPERIOR
    return bool(saved.success and saved.margin >= fight.figure(topic, "margin"))


def is_catastrophic(fight: Fight, saved: Saved) -> bool:
    """Say whether a failure misses its DC by 10, a natural 1 too (woa.save.catastrophic-failure)."""
    if saved.success:
        return False
    if is_face(fight, saved, "woa.save.natural-1"):
        return bool(saved.margin <= -fight.figure("woa.save.natural-1-not-catastrophic", "margin"))
    return bool(saved.margin <= fight.figure(CATASTROPHIC, "margin"))


def is_face(fight: Fight, saved: Saved, topic: str) -> bool:
    """Say whether the die of a save shows the face of a rule."""
    return bool(saved.natural == fight.figure(topic, "face"))


def degree_of_save(fight: Fight, saved: Saved) -> tuple[str, tuple[str, ...]]:
    """Return how far a save went, "superior", "success", "failure" or "catastrophic", and what says so.

    The natural faces are cited where somebody could take them for more than they are.
    """
    if saved.success:
        cites = []
        if is_face(fight, saved, "woa.save.natural-20"):
            cites.append("woa.save.natural-20-not-superior")
        if is_superior(fight, saved):
            return "superior", fight.rules(SUPERIOR, *cites)
        return "success", fight.rules(*cites)
    cites = ["save.natural-1-not-catastrophic"] if is_face(fight, saved, "woa.save.natural-1") else []
    if is_catastrophic(fight, saved):
        return "catastrophic", fight.rules(CATASTROPHIC, *cites)
    return "failure", fight.rules(*cites)


def graded_damage(
    fight: Fight, saved: Saved, rolled: int, least: int, most: int
) -> tuple[int, str, tuple[str, ...]]:
    """Return (damage, why, cites) of an effect that a save halves.

    Superior: the lower of a quarter and the least possible roll; catastrophic: the higher of one and
    a half and the most possible (woa.save.superior-success-half-damage, .catastrophic-failure-half-damage).
    """
    how, cites = degree_of_save(fight, saved)
    if how == "superior":
        share = leading_share(fight, "woa.save.superior-success-half-damage")
        rules = (*cites, *fight.rules("woa.save.superior-success-half-damage"))
        return min(rolled * share // 100, least), "superior success", rules
    if how == "success":
        return rolled // 2, "half on a successful save", (*fight.rules("woa.save.when"), *cites)
    if how == "catastrophic":
        share = leading_share(fight, "woa.save.catastrophic-failure-half-damage")
        rules = (*cites, *fight.rules("woa.save.catastrophic-failure-half-damage"))
        return max(rolled * share // 100, most), "catastrophic failure", rules
    return rolled, "", cites


def leading_share(fight: Fight, topic: str) -> int:
    """Return the share, in hundredths, that a figure such as "min(0.25 * normal, ...)" begins with."""
    words = str(fight.figure(topic, "damage"))
    return int(float(words.partition("(")[2].split()[0]) * 100)


def least_and_most(notation: str) -> tuple[int, int]:
    """Return the least and the most that a sum of plain dice can show."""
    low = high = 0
    for term in parse(notation).terms:
        if isinstance(term, Dice):
            ends = (term.sign * term.count, term.sign * term.count * term.sides)
            low, high = low + min(ends), high + max(ends)
        else:
            low, high = low + term.value, high + term.value
    return low, high
