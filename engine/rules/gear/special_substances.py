"""What is in the flask: acid, fire, holy water, oil, goo, thunder.

srd35.gear.splash-table, pf1.gear.splash-ref.
"""

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.grid.reach import space
from affray.engine.record.blow import Harm
from affray.engine.rules.attacks.miss_chance import percent_roll
from affray.engine.rules.classes.natures import nature_among
from affray.engine.rules.classes.saves_and_checks import saving_throw
from affray.engine.rules.damage.weapon_damage import NO_DAMAGE, amount_dealt
from affray.engine.rules.gear.substances import PREPARED, TABLE, substance_row
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.position.place import squares_of
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import (
    ConditionGained,
    DamagePart,
    EffectEnded,
    EffectGained,
    ItemChanged,
    Until,
)
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant, Effect

#: Flames that flare up once more at a moment of the thrower's, and oil that burns on a square.
BURNING, OIL = "burning ", "burning-oil "


def ignites(fight: Fight, holder: Combatant, weapon: Weapon) -> Steps[bool]:
    """Say whether what was thrown does anything when it breaks: oil may fail to catch fire."""
    percent = substance_row(fight, weapon.name).get("ignites_pct")
    if percent is None:
        return True
    return (
        yield from percent_roll(holder, "ignites", percent, f"{percent}% to catch fire", fight.rule(TABLE))
    )


def substance_harms(fight: Fight, weapon: Weapon, one: Combatant) -> bool:
    """Say whether a substance harms a creature: holy water only the undead and evil outsiders."""
    only = substance_row(fight, weapon.name).get("only")
    evil = "evil" in one.sheet.traits
    kinds = [kind.removeprefix("evil ") for kind in only or () if evil or not kind.startswith("evil ")]
    return not only or bool(nature_among(one, kinds))


def splash_one(
    fight: Fight, holder: Combatant, weapon: Weapon, one: Combatant, rule: str, where: str
) -> Steps[None]:
    """Splash one creature, by the rule that says why it is struck, and `where`."""
    row = substance_row(fight, weapon.name)
    if "reflex_dc" in row or "fort_dc" in row:
        return
    amount = row.get("splash", fight.figure(TABLE, "item=acid", "splash"))
    how = f"splash {where}".strip()
    yield from deal_substance_damage(
        fight, holder, weapon, one, str(amount), rule, fight.rule(TABLE), how=how
    )


def deal_substance_damage(
    fight: Fight, holder: Combatant, weapon: Weapon, target: Combatant, dice: str, *cites: str, how: str = ""
) -> Steps[int]:
    """Deal damage of a substance, if it harms such a creature at all; return how much it was."""
    kind = str(substance_row(fight, weapon.name).get("type", weapon.damage_type))
    if not substance_harms(fight, weapon, target):
        cited = (fight.rule(TABLE),)
        yield RuleApplied(who=target.id, what=f"is not harmed by {weapon.name}", cites=cited)
        return 0
    parts: tuple[DamagePart, ...] = ()
    if dice.isdecimal():
        amount = int(dice)
    else:
        rolled = yield Roll(holder.id, "damage", dice)
        amount = rolled.total
        parts = (DamagePart(dice, rolled.key, rolled.total, kind, weapon.name),)
    harm = Harm(target, amount, kind, weapon.name, holder, energy=True, area=True)
    yield amount_dealt(fight, harm, parts, *cites, why=how)
    yield from fight.dialect.damage.suffer(fight, harm)
    return amount


# fire


def set_alight(
    fight: Fight, holder: Combatant, weapon: Weapon, target: Combatant, dice: str, dealt: int
) -> Steps[None]:
    """Let flames burn on for one more round, unless they are put out before."""
    rule = fight.rule(TABLE)
    yield EffectGained(
        who=target.id,
        id=f"{fight.declaration}:burning:{target.id}",
        stat=f"{BURNING}{dice}",
        modifier=Modifier(dealt, "fire", weapon.name, rule),
        until=Until("turn-start", holder.id, fight.state.round + 1),
        against=holder.id,
        cites=(rule,),
    )


def flare_up(fight: Fight, combatant: Combatant) -> Steps[None]:
    """As a thrower's turn comes round, let what it has set alight burn once more."""
    for one in fight.state.combatants.values():
        if not one.effects:
            continue
        for effect in [each for each in one.effects if each.stat.startswith(BURNING)]:
            until = effect.until
            if until.who == combatant.id and fight.state.round >= until.round:
                weapon = Weapon(effect.modifier.source, NO_DAMAGE, "fire")
                dice = effect.stat.removeprefix(BURNING)
                yield from deal_substance_damage(fight, combatant, weapon, one, dice, effect.modifier.rule)


def stand_in_fire(fight: Fight, combatant: Combatant) -> Steps[None]:
    """At the start of a turn, burn a combatant that stands on a square of burning oil."""
    for one in fight.state.combatants.values():
        if not one.effects:
            continue
        for effect in [each for each in one.effects if each.stat.startswith(OIL)]:
            if effect.stat in {f"{OIL}{x},{y}" for x, y in squares_of(combatant)}:
                weapon = Weapon(effect.modifier.source, NO_DAMAGE, "fire")
                dice = str(fight.figure(TABLE, f"item={weapon.name}", "poured"))
                yield from deal_substance_damage(fight, one, weapon, combatant, dice, effect.modifier.rule)


def extinguish_flask(fight: Fight, act: acts.Extinguish) -> Steps[None] | None:
    """Return how a combatant puts out the flames of a flask on itself; None where there are none."""
    actor = fight.combatant(act.actor)
    flames = [one for one in actor.effects if one.stat.startswith(BURNING)]
    return None if act.target or not flames else put_out_flask(fight, act, actor, flames)


def put_out_flask(fight: Fight, act: acts.Extinguish, actor: Combatant, flames: list[Effect]) -> Steps[None]:
    """Put out the flames on oneself: a full-round action and a Reflex save, better for rolling."""
    rule = fight.rule(TABLE)
    yield spending(fight, actor, "full-round", "put out the flames", rule)
    row = f"item={row_name(fight, flames[0])}"
    extra: tuple[Modifier, ...] = ()
    if act.rolling:
        extra = (fight.modifier(TABLE, row, "rolling", kind="circumstance", source="rolling on the ground"),)
        if "prone" not in actor.conditions:
            yield ConditionGained(who=actor.id, condition="prone", source="by choice", cites=(rule,))
    dc = fight.figure(TABLE, row, "extinguish_dc")
    if (yield from saving_throw(fight, actor, "ref", dc, "the flames", rule, extra=extra)):
        for effect in flames:
            yield EffectEnded(who=actor.id, id=effect.id, why="put out", cites=(rule,))


def row_name(fight: Fight, flame: Effect) -> str:
    """Return the row that says how flames are put out."""
    row = fight.figure(TABLE, f"item={flame.modifier.source}")
    return str(row.get("as", flame.modifier.source))


# oil


def prepare_oil(fight: Fight, act: acts.Prepare) -> Steps[None]:
    """Fit a flask of oil with a fuse, or pour it on a square next to one and light it: a full round."""
    actor = fight.combatant(act.actor)
    rule = fight.rule(TABLE)
    weapon = find_weapon(fight, actor, act.item, lambda one: "prepare" in substance_row(fight, one.name))
    row = substance_row(fight, weapon.name)
    if "prepare" not in row:
        raise Refusal(f"the {weapon.name} needs no preparation", rule)
    kind = str(row["prepare"])
    if act.at is None:
        if actor.items.get(weapon.name) == PREPARED:
            raise Refusal(f"the {weapon.name} has its fuse", rule)
        yield spending(fight, actor, kind, f"fit the {weapon.name} with a fuse", rule)
        yield ItemChanged(who=actor.id, item=weapon.name, state=PREPARED, cites=(rule,))
        return
    x, y = act.at
    if max(abs(x - actor.at[0]), abs(y - actor.at[1])) > actor.space:
        raise Refusal(f"{actor.id} does not reach {x},{y}", rule)
    yield spending(fight, actor, kind, f"pour the {weapon.name} over {row['poured_ft']} ft.", rule)
    yield ItemChanged(who=actor.id, item=weapon.name, state="gone", cites=(rule,))
    side = row["poured_ft"] // SQUARE_FT
    until = Until("turn-start", actor.id, fight.state.round + row["poured_rounds"])
    for column, row_of_map in space(act.at, side):
        yield EffectGained(
            who=actor.id,
            id=f"{fight.declaration}:oil:{column},{row_of_map}",
            stat=f"{OIL}{column},{row_of_map}",
            modifier=Modifier(0, "fire", weapon.name, rule),
            until=until,
            cites=(rule,),
        )
    for one in fight.state.combatants.values():
        if "dead" not in one.conditions and (x, y) in squares_of(one):
            yield from deal_substance_damage(fight, actor, weapon, one, str(row["poured"]), rule)
