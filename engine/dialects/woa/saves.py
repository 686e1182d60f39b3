"""Saving throws: how far a save succeeds or fails matters as much as whether (woa.save.*)."""

from msgspec import Struct

from affray.engine.fight import Fight
from affray.engine.rules.abilities import ability
from affray.engine.rules.checks import SAVE_ABILITY
from affray.engine.rules.conditions import condition_parts, effect_parts, is_helpless, ruled_out
from affray.engine.rules.features import roll_parts
from affray.engine.steps import Roll, Steps
from affray.events.facts.combat import CheckResolved
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant


class Saved(Struct, frozen=True):
    """How a save came out: whether it succeeded, its total, and the total less the DC."""

    success: bool
    total: int
    margin: int


def save_bonus(fight: Fight, who: Combatant, kind: str) -> list[Modifier]:
    """Return the parts of a saving throw; armor may cap Dexterity on Reflex (woa.save.*)."""
    parts = [*general_bonus(fight, who, kind, fight.rule("save.roll")), *passing(fight, who, kind)]
    return parts + roll_parts(fight, who, "save", kind)


def general_bonus(fight: Fight, who: Combatant, kind: str, rule: str) -> list[Modifier]:
    """Return what counts on every save of a kind: base, ability, bonuses of the sheet."""
    sheet = who.sheet
    short, name = SAVE_ABILITY[kind]
    modifier = ability(sheet, short)
    parts = [Modifier(getattr(sheet.saves, kind), "base", "base save", rule)]
    if kind == "ref" and sheet.max_dex is not None and modifier > sheet.max_dex:
        source = f"Dexterity (armor allows {sheet.max_dex} of {modifier})"
        parts.append(Modifier(sheet.max_dex, "ability", source, fight.rule("save.reflex-armor-cap")))
    else:
        parts.append(Modifier(modifier, "ability", name, rule))
    for bonus in (*sheet.save_bonuses.get("all", ()), *sheet.save_bonuses.get(kind, ())):
        parts.append(Modifier(bonus.value, bonus.kind, bonus.source or bonus.kind, rule))
    return parts


def passing(fight: Fight, who: Combatant, kind: str) -> list[Modifier]:
    """Return what conditions and effects do to saves of a kind."""
    return [
        *condition_parts(fight, who, "save"),
        *condition_parts(fight, who, f"save.{kind}"),
        *effect_parts(who, "save", ""),
        *effect_parts(who, f"save.{kind}", ""),
    ]


def save(
    fight: Fight,
    who: Combatant,
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
    parts = [*fight.dialect.points.save_bonus(fight, who, kind), *extra]
    tally = fight.dialect.points.stack(fight, ruled_out(who, f"save.{kind}", parts))
    ids = [fight.rule("save.roll"), *cites]
    key, natural = "", 1
    if kind == "ref" and is_helpless(fight, who):
        ids.append(fight.rule("save.reflex-auto-fail"))
    else:
        rolled = yield Roll(who.id, f"save-{kind}", "1d20")
        key, natural = rolled.key, rolled.faces[0]
    total = natural + tally.total
    success = bool(total >= dc)
    if naturals and natural == fight.figure("save.natural-1", "face"):
        success = False
        ids.append(fight.rule("save.natural-1"))
    elif naturals and natural == fight.figure("save.natural-20", "face"):
        success = True
        ids.append(fight.rule("save.natural-20"))
    yield CheckResolved(
        who=who.id,
        check=f"save.{kind}",
        key=key,
        natural=natural,
        total=total,
        dc=dc,
        success=success,
        parts=tally.parts,
        why=f"against {source}",
        cites=tuple(ids),
    )
    return Saved(success, total, total - dc)


def is_superior(fight: Fight, saved: Saved) -> bool:
    """Say whether a success beats its DC by 10 (woa.save.superior-success)."""
    return saved.success and saved.margin >= fight.figure("save.superior-success", "margin")


def is_catastrophic(fight: Fight, saved: Saved) -> bool:
    """Say whether a failure misses its DC by 10 (woa.save.catastrophic-failure)."""
    return not saved.success and saved.margin <= fight.figure("save.catastrophic-failure", "margin")


def graded_damage(
    fight: Fight, saved: Saved, rolled: int, least: int, most: int
) -> tuple[int, str, tuple[str, ...]]:
    """Return (damage, why, cites) of an effect that a save halves.

    Superior: the lower of a quarter and the least possible roll; catastrophic: the higher of one and
    a half and the most possible (woa.save.superior-success-half-damage, .catastrophic-failure-half-damage).
    """
    if is_superior(fight, saved):
        return min(rolled // 4, least), "superior success", fight.rules("save.superior-success-half-damage")
    if saved.success:
        return rolled // 2, "half on a successful save", fight.rules("save.when")
    if is_catastrophic(fight, saved):
        why = "catastrophic failure"
        return max(rolled * 3 // 2, most), why, fight.rules("save.catastrophic-failure-half-damage")
    return rolled, "", ()
