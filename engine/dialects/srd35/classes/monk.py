"""Monks: flurry of blows, fists that strike hard, an unarmored body (srd35.class.flurry, .monk-unarmed)."""

from collections.abc import Iterator

from affray.engine.dialects.srd35.classes.monk_levels import (
    IMMOBILE,
    at_level,
    effective_monk_level,
    has_table,
    monk_level,
    what_hampers_monk,
)
from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks import attack_series
from affray.engine.rules.classes.ability_scores import ability_now
from affray.engine.rules.gear import weapons_in_hand
from affray.engine.rules.turns.action_budget import ATTACKS
from affray.engine.steps import Refusal
from affray.events.facts import acts
from affray.events.facts.combat import EffectGained, Until
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant


def series_of_flurry(fight: Fight, actor: Combatant, act: acts.FullAttack) -> list[list[Modifier]]:
    """Return the modifiers of each attack of a flurry: one or two more at the highest bonus.

    Refuses other than unarmored monks with bare hands or monk weapons (srd35.class.flurry).
    """
    rule = fight.rule("srd35.class.flurry")
    level = monk_level(actor)
    if not level:
        raise Refusal(f"{actor.id} is no monk", rule)
    if hindrance := what_hampers_monk(actor):
        raise Refusal(f"{actor.id} cannot flurry {hindrance}", rule)
    for strike in act.strikes:
        weapon = weapons_in_hand.find_weapon(fight, actor, strike.weapon)
        if weapon.wield != "unarmed" and "monk" not in weapon.traits:
            raise Refusal(f"the {weapon.name} is no weapon for a flurry", rule)
    more = at_level(fight.figure("srd35.class.flurry", "extra"), level)
    rows: list[list[Modifier]] = [[] for _ in range(more)]
    rows += attack_series.iterative_parts(fight, actor.sheet.base_attack)
    return rows[actor.spent.get(ATTACKS, 0) :]


def flurry_penalty(fight: Fight, combatant: Combatant) -> EffectGained:
    """Return what a flurry takes off every attack until the monk's next turn: -2, later less."""
    rule = fight.rule("srd35.class.flurry")
    value = at_level(fight.figure("srd35.class.flurry", "penalty"), effective_monk_level(combatant))
    return EffectGained(
        who=combatant.id,
        id=f"{fight.declaration}:flurry",
        stat="attack",
        modifier=Modifier(value, "flurry", "flurry of blows", rule),
        until=Until("turn-start", combatant.id, fight.state.round + 1),
        cites=(rule,),
    )


def monk_fist_dice(fight: Fight, combatant: Combatant) -> str:
    """Return the damage dice of a monk's unarmed strike by level; "" for others (srd35.class.monk-unarmed).

    The table is that of a Medium one; of a Tiny or Large one the fist is like a weapon made for its size
    (srd35.weapons.size-damage-table).
    """
    if not has_table(combatant):
        return ""
    level = effective_monk_level(combatant)
    rows = (row for row in fight.figure("srd35.class.monk-unarmed") if "level" in row)
    dice = next(str(row["damage"]) for row in rows if is_among(level, row["level"]))
    return dice_of_size(fight, dice, combatant.sheet.size)


def is_among(level: int, levels: str) -> bool:
    """Say whether a level is among those of a row: "1-3", or the last one and all beyond it: "20"."""
    first, _, last = levels.partition("-")
    return int(first) <= level <= int(last or level)


def dice_of_size(fight: Fight, dice: str, size: str) -> str:
    """Return the dice of a weapon for a Tiny or Large creature, from those for a Medium one."""
    if size == "medium":
        return dice
    rows = {row["medium"]: row for row in fight.figure("srd35.weapons.size-damage-table")}
    return str(rows[dice][size])


def cite_monk_table(fight: Fight, blow: Blow, detail: str) -> tuple[Modifier, ...]:
    """Note the monk's table for the damage of a fist; return no part of it."""
    drawn = blow.weapon in blow.attacker.sheet.weapons
    if blow.weapon.wield == "unarmed" and has_table(blow.attacker) and not drawn:
        blow.damage.cites += fight.rules("srd35.class.monk-unarmed")
        if blow.attacker.sheet.size != "medium":
            blow.damage.cites += fight.rules("srd35.weapons.size-damage-table")
    return ()


def monk_armor_bonus(fight: Fight, blow: Blow, detail: str) -> Iterator[Modifier]:
    """Yield a monk's Wisdom and level bonus to Armor Class, also against touch and where flat-footed.

    Neither counts in armor, with a shield, under more than a light load, nor for the helpless and the
    immobile. A sheet that has such parts of its own keeps them instead (srd35.class.monk-unarmed).
    """
    target = blow.target
    if any(part.kind in ("class", "ability") for part in target.sheet.armor):
        return
    rule = fight.rule("srd35.class.monk-unarmed")
    hindrance = what_hampers_monk(target) or next(
        (name for name in IMMOBILE if name in target.conditions), ""
    )
    if not hindrance and is_helpless(fight, target):
        hindrance = "helpless"
    denied = f"{hindrance} ({rule})" if hindrance else ""
    wisdom = ability_now(fight, target, "wis")
    if wisdom > 0:
        yield Modifier(wisdom, "ability", "Wisdom (monk)", rule, denied)
    rows = [row for row in fight.figure("srd35.class.monk-unarmed") if "ac_bonus" in row]
    more = at_level(rows[0]["ac_bonus"], effective_monk_level(target))
    if more:
        yield Modifier(more, "class", "monk", rule, denied)
