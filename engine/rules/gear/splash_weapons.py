"""Splash weapons: the throw, where a miss lands, the splash (srd35.splash.*, pf1.splash)."""

from typing import Any, Final

from msgspec.structs import replace

from affray.engine.book import UnknownFigure
from affray.engine.fight.fight import Fight, is_down
from affray.engine.fight.memory import Same, per_fight
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import distance_ft, space
from affray.engine.grid.lines_and_cover import DIRECTIONS, away, burst, squares_around
from affray.engine.kernel.places import distance, level_of, refuse_apart, squares_of
from affray.engine.record.blow import TOUCH_ARMOR_CLASS, Blow, Harm, Intent
from affray.engine.rules.attacks import declared_blow
from affray.engine.rules.attacks.declared_blow import fight_defensively, roll_attack_at_place
from affray.engine.rules.attacks.miss_chance import percent_roll
from affray.engine.rules.classes.abilities import ability_now, lowered
from affray.engine.rules.classes.checks import check, saving_throw, skill_parts
from affray.engine.rules.classes.sheets import ability, nature_among, size_step
from affray.engine.rules.conditions.conditions import apply_fear_condition
from affray.engine.rules.damage.damage import NO_DAMAGE, NO_THREAT, amount_dealt
from affray.engine.rules.gear.hands import count_pieces_left, lose
from affray.engine.rules.gear.weapons_in_hand import find_weapon, yield_thrown_out_of_hand
from affray.engine.rules.mounted.mounted_combat import record_rider_attacks, refuse_late_shot
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.turns.actions import spending
from affray.engine.rules.turns.initiative import for_rounds
from affray.engine.steps import Refusal, Roll, Steps, judged
from affray.events.facts import acts
from affray.events.facts.base import JsonObject
from affray.events.facts.combat import (
    CheckResolved,
    ConditionGained,
    ConditionLost,
    DamagePart,
    EffectEnded,
    EffectGained,
    ItemChanged,
    ResourceSpent,
    Until,
)
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import SIZES, Modifier, Weapon
from affray.projections.state import Combatant, Effect

# --- Caltrops underfoot (srd35.gear.caltrops, pf1.gear.splash-ref)

TOPIC = "gear.caltrops"
LAMED, HALTED = "lamed", "halted"
NOT_COUNTED = frozenset({"armor", "shield", "deflection"})
RUSHING = ("charging", "running")
CALTROP = Weapon("caltrop", "1", "piercing", "natural")

SLOWLY = "slowly"
"""The degree of picking one's way unharmed."""


def among_caltrops(fight: Fight, target: Combatant, act: acts.Expose) -> Steps[None]:
    """Enter caltrops or fight among them: they attack the feet, past most protection of the body.

    Shoes help. A hit deals 1 point and halves the speed; a charging or running creature must stop. At half
    speed (`degree` "slowly") or slower a creature picks its way unharmed.
    """
    rule = fight.rule(TOPIC)
    if act.degree == SLOWLY:
        yield RuleApplied(who=target.id, what="picks its way among the caltrops", cites=(rule,))
        return
    against = feet_defense(fight, target, act.shod)
    bonus = fight.modifier(TOPIC, "attack", kind="base", source="caltrops")
    dc = sum(part.value for part in against if not part.denied)

    def judge(key: str, natural: int) -> CheckResolved:
        total = natural + bonus.value
        return CheckResolved(
            who=target.id,
            check="caltrops",
            key=key,
            natural=natural,
            total=total,
            dc=dc,
            success=total >= dc,
            parts=(bonus,),
            why="against its feet",
            cites=(rule,),
        )

    fact: CheckResolved = yield from judged("", "caltrops", judge)
    if not fact.success:
        return
    rushing = any(name in target.conditions for name in RUSHING)
    amount = fight.figure(TOPIC, "damage")
    yield from fight.dialect.damage.suffer(fight, Harm(target, amount, "piercing", "caltrops", cites=(rule,)))
    seconds = fight.figure("round.six-seconds", "seconds_per_round")
    rounds = fight.figure(TOPIC, "hours") * 3600 // seconds
    until = for_rounds(fight, target, rounds)
    yield ConditionGained(who=target.id, condition=LAMED, source="caltrops", until=until, cites=(rule,))
    if rushing:
        until = Until("turn-end", target.id, fight.state.round)
        yield ConditionGained(who=target.id, condition=HALTED, source="caltrops", until=until, cites=(rule,))


def feet_defense(fight: Fight, target: Combatant, shod: bool) -> list[Modifier]:
    """Return the parts of the Armor Class that protect a creature's feet."""
    blow = Blow(target, target, CALTROP, True, 0)
    parts = [
        replace(part, denied="caltrops go for the feet")
        if part.kind in NOT_COUNTED and part.value > 0
        else part
        for part in fight.dialect.defense.defense_bonus(fight, blow)
    ]
    if shod:
        parts.append(fight.modifier(TOPIC, "footwear", kind="armor", source="footwear"))
    return parts


def treat_wounded_feet(fight: Fight, act: acts.TendFeet) -> Steps[None]:
    """Treat wounded feet: a Heal check restores the speed."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target or act.actor)
    rule = fight.rule(TOPIC)
    if LAMED not in target.conditions:
        raise Refusal(f"{target.id} is not lamed", rule)
    if target is not actor:
        refuse_apart(actor, target, rule)
    yield spending(fight, actor, "standard", "tend feet", rule)
    parts = skill_parts(fight, actor, "heal", "wis", rule)
    if (yield from check(fight, actor, "heal", parts, fight.figure(TOPIC, "heal_dc"), rule)):
        yield from restore_speed(fight, target)


def restore_speed(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Restore the speed: by a Heal check, or by a magical cure of a single point."""
    yield ConditionLost(who=combatant.id, condition=LAMED, why="feet treated", cites=(fight.rule(TOPIC),))


# --- Thrown substances, by the rows of their table (srd35.gear.splash-table, pf1.gear.splash-ref)

TABLE: Final = "gear.splash-table"
#: The trait of weapons that break on impact and splash.
SPLASH: Final = "splash"
#: The state of an item that has been made ready to be thrown.
PREPARED: Final = "loaded"


def substance_row(fight: Fight, name: str) -> JsonObject:
    """Return the table's row of a substance; an unlisted one splashes like acid, with its own damage."""
    try:
        row: JsonObject = fight.figure(TABLE, f"item={name}")
    except UnknownFigure:
        return {}
    # Burning oil counts as alchemist's fire.
    return {**fight.figure(TABLE, f"item={row['as']}"), **row} if "as" in row else row


# --- The contents of a flask: acid, fire, holy water, oil, goo, thunder
# srd35.gear.splash-table, pf1.gear.splash-ref.

#: Flames that burn again at a moment of the thrower's, and oil that burns on a square.
BURNING, OIL = "burning ", "burning-oil "


def ignites(fight: Fight, holder: Combatant, weapon: Weapon) -> Steps[bool]:
    """Return whether a thrown flask has an effect when it breaks: oil may fail to catch fire."""
    percent = substance_row(fight, weapon.name).get("ignites_pct")
    if percent is None:
        return True
    return (
        yield from percent_roll(holder, "ignites", percent, f"{percent}% to catch fire", fight.rule(TABLE))
    )


def substance_harms(fight: Fight, weapon: Weapon, one: Combatant) -> bool:
    """Return whether a substance damages a creature: holy water only the undead and evil outsiders."""
    only = substance_row(fight, weapon.name).get("only")
    evil = "evil" in one.sheet.traits
    kinds = [kind.removeprefix("evil ") for kind in only or () if evil or not kind.startswith("evil ")]
    return not only or bool(nature_among(one, kinds))


def splash_creature(
    fight: Fight, holder: Combatant, weapon: Weapon, one: Combatant, rule: str, where: str
) -> Steps[None]:
    """Splash one creature, by the rule that includes it, and `where`."""
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
    """Deal damage of a substance, if it affects the creature; return how much it was."""
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


def run_thrower_fires(fight: Fight, combatant: Combatant) -> Steps[None]:
    """As a thrower's turn comes round, let the fires that it has set burn once more."""
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
    """At the start of a turn, burn a combatant that is on a square of burning oil."""
    for one in fight.state.combatants.values():
        if not one.effects:
            continue
        for effect in [each for each in one.effects if each.stat.startswith(OIL)]:
            if effect.stat in {f"{OIL}{x},{y}" for x, y in squares_of(combatant)}:
                weapon = Weapon(effect.modifier.source, NO_DAMAGE, "fire")
                dice = str(fight.figure(TABLE, f"item={weapon.name}", "poured"))
                yield from deal_substance_damage(fight, one, weapon, combatant, dice, effect.modifier.rule)


def extinguish_flask(fight: Fight, act: acts.Extinguish) -> Steps[None] | None:
    """Return how a combatant puts out the flames of a flask on itself; None if there are none."""
    actor = fight.combatant(act.actor)
    flames = [one for one in actor.effects if one.stat.startswith(BURNING)]
    return None if act.target or not flames else put_out_flask(fight, act, actor, flames)


def put_out_flask(fight: Fight, act: acts.Extinguish, actor: Combatant, flames: list[Effect]) -> Steps[None]:
    """Put out the flames on oneself: a full-round action and a Reflex save, with a bonus for rolling."""
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
    """Return the row on putting out flames."""
    row = fight.figure(TABLE, f"item={flame.modifier.source}")
    return str(row.get("as", flame.modifier.source))


# oil


def prepare_oil(fight: Fight, act: acts.Prepare) -> Steps[None]:
    """Fit a flask of oil with a fuse, or pour it on an adjacent square and light it: a full round."""
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
        table = fight.dialect.turns.table_rules(fight, "full-round", "Prepare to throw splash weapon")
        name, enemies = f"prepare:{fight.declaration}", threatening(fight, actor) if table else []
        reason = f"prepares the {weapon.name}"
        yield from fight.dialect.opportunity.provoke(fight, actor, enemies, reason, name, *table)
        if is_down(fight, actor):
            return
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


# --- Flasks and the like in hand: their form when thrown, and how many are left
# srd35.splash.definition, srd35.gear.splash-table, pf1.splash, pf1.gear.splash-ref.


def as_thrown(fight: Fight, weapon: Weapon) -> Weapon:
    """Return a splash weapon in its thrown form; whether it threatens critical hits is contested.

    Option `splash_criticals` (srd35.splash.definition, srd35.crit.threat, pf1.splash).
    """
    threatens = fight.option("splash_criticals") == "threaten"
    return flask_of(fight, weapon, weapon.threat if threatens else NO_THREAT)


@per_fight(Same("weapon"), "threat")
def flask_of(fight: Fight, weapon: Weapon, threat: int) -> Weapon:
    """Return a splash weapon in its thrown form: a touch attack, with the increment of the table, without
    damage.

    The same object each time (srd35.splash.definition, srd35.gear.splash-table).
    """
    row = substance_row(fight, weapon.name)
    reach = weapon.range or row.get("range_ft") or fight.figure("gear.splash-table", "item=any", "range_ft")
    # Its effect is in the table: the hit itself rolls no damage.
    return replace(
        weapon,
        range=int(reach),
        thrown=True,
        damage=NO_DAMAGE,
        threat=threat,
        traits=(*weapon.traits, "touch"),
    )


@per_fight(Same("combatant.sheet"))
def has_flasks(fight: Fight, combatant: Combatant) -> bool:
    """Return whether the sheet lists any splash weapon."""
    return any(SPLASH in weapon.traits for weapon in combatant.sheet.weapons)


def throw_flasks(fight: Fight, act: acts.FullAttack) -> acts.FullAttack:
    """Return a full attack in which every splash weapon is thrown. Refuses more of them than are left.

    srd35.splash.definition, pf1.splash.
    """
    actor = fight.combatant(act.actor)
    if not has_flasks(fight, actor):
        return act
    meant = [None if one.special else find_weapon(fight, actor, one.weapon) for one in act.strikes]
    flasks = [weapon for weapon in meant if weapon is not None and SPLASH in weapon.traits]
    for weapon in flasks:
        refuse_without_fuse(fight, actor, weapon)
        left = count_pieces_left(actor, weapon.name)
        if flasks.count(weapon) > left:
            raise Refusal(f"{actor.id} has {left} {weapon.name} left", fight.rule("splash.definition"))
    pairs = zip(act.strikes, meant, strict=True)
    return replace(
        act, strikes=tuple(replace(one, thrown=True) if weapon in flasks else one for one, weapon in pairs)
    )


def refuse_without_fuse(fight: Fight, holder: Combatant, weapon: Weapon) -> None:
    """Refuse an item that must be prepared before it is thrown, and is not (srd35.gear.splash-table)."""
    if "prepare" in substance_row(fight, weapon.name) and holder.items.get(weapon.name) != PREPARED:
        raise Refusal(f"the {weapon.name} has no fuse yet", fight.rule("gear.splash-table"))


def as_hurled(fight: Fight, weapon: Weapon) -> Weapon:
    """Return a weapon in its form for one blow of several: splash weapons are always thrown."""
    return as_thrown(fight, weapon) if SPLASH in weapon.traits else weapon


# --- Flasks without damage: tanglefoot goo and thunderstones (srd35.gear.splash-table, pf1.gear.splash-ref)

STUCK = "stuck"
GOO = "damage to the goo"
MINUTES_PER_HOUR = 60


def entangle_with_goo(
    fight: Fight, holder: Combatant, weapon: Weapon, target: Combatant, row: JsonObject
) -> Steps[None]:
    """Entangle with goo; a target that fails a Reflex save is glued to the floor. The biggest are
    unaffected.
    """
    rule = fight.rule(TABLE)
    if size_step(target) > SIZES.index(row["largest"]):
        yield RuleApplied(who=target.id, what=f"is too big for a {weapon.name}", cites=(rule,))
        return
    rolled = yield Roll(holder.id, "rounds", str(row["duration"]))
    until = for_rounds(fight, holder, rolled.total)
    gained = ConditionGained(
        who=target.id, condition="entangled", source=weapon.name, until=until, cites=(rule,)
    )
    yield from apply_fear_condition(fight, gained)
    if not (yield from saving_throw(fight, target, "ref", row["reflex_dc"], weapon.name, rule)):
        cut = target.resources.get(GOO, 0)
        if cut and STUCK not in target.conditions:  # the goo is gone
            yield ResourceSpent(who=target.id, resource=GOO, amount=-cut, cites=(rule,))
        yield ConditionGained(who=target.id, condition=STUCK, source=weapon.name, until=until, cites=(rule,))


def break_free(fight: Fight, act: acts.BreakFree) -> Steps[None]:
    """Get loose from the goo: by a Strength check, or by slashing at it until it gives."""
    actor = fight.combatant(act.actor)
    rule = fight.rule(TABLE)
    held = actor.conditions.get(STUCK)
    if held is None:
        raise Refusal(f"{actor.id} is not stuck", rule)
    row = substance_row(fight, held.source)
    if not row:
        raise Refusal(f"no rule says how to get loose from {held.source}", rule)
    free = False
    if act.weapon:
        weapon = find_weapon(fight, actor, act.weapon)
        if weapon.damage_type != "slashing":
            raise Refusal(f"the {weapon.name} does not cut", rule)
        yield spending(fight, actor, "standard", f"cut at the {held.source}", rule)
        rolled = yield Roll(actor.id, "damage", weapon.damage)
        dealt = max(0, rolled.total + ability_now(fight, actor, "str"))
        yield ResourceSpent(who=actor.id, resource=GOO, amount=dealt, cites=(rule,))
        free = actor.resources[GOO] >= row["slashing"]
    else:
        yield spending(fight, actor, "standard", f"strain against the {held.source}", rule)
        parts = [Modifier(ability(actor.sheet, "str"), "ability", "Strength", rule)]
        parts += lowered(fight, actor, "str")
        free = yield from check(fight, actor, "strength", parts, row["strength_dc"], rule)
    if free:
        yield ConditionLost(who=actor.id, condition=STUCK, why="breaks free", cites=(rule,))


def deafen_around(
    fight: Fight, holder: Combatant, weapon: Weapon, near: list[Combatant], row: JsonObject
) -> Steps[None]:
    """Deafen those around a thunderstone that fail a Fortitude save."""
    rule = fight.rule(TABLE)
    minutes = row["deafened_hours"] * MINUTES_PER_HOUR
    rounds = minutes * fight.figure("round.six-seconds", "rounds_per_minute")
    until = for_rounds(fight, holder, rounds)
    noise = f"{weapon.name} within {row['radius_ft']} ft."
    for one in near:
        if (yield from fight.dialect.gear.spared_noise(fight, one, noise)):
            continue
        if not (yield from saving_throw(fight, one, "fort", row["fort_dc"], noise, rule)):
            fact = ConditionGained(
                who=one.id, condition="deafened", source=weapon.name, until=until, cites=(rule,)
            )
            yield from fight.dialect.conditions.gain(fight, fact)


def is_thrown(fight: Fight, act: acts.Attack, *given: object) -> bool:
    """Return whether an attack throws a splash weapon."""
    actor = fight.combatant(act.actor)
    return has_flasks(fight, actor) and SPLASH in find_weapon(fight, actor, act.weapon).traits


def throw_flask(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Throw a splash weapon at a target or at a grid corner, from the saddle too, defensively if declared.

    srd35.splash.intersection, pf1.splash.
    """
    actor = fight.combatant(act.actor)
    weapon = find_weapon(fight, actor, act.weapon)
    refuse_without_fuse(fight, actor, weapon)
    refuse_pledges(fight, actor, weapon, act)
    if act.at is not None:
        throwing = throw_at_corner(fight, actor, weapon, act.at)
    else:
        throwing = throw_at(fight, actor, weapon, fight.combatant(act.target))
    if act.defensively:
        throwing = throw_defensively(fight, actor, throwing)
    return from_the_saddle(fight, actor, throwing) if actor.mount else throwing


def refuse_pledges(fight: Fight, actor: Combatant, weapon: Weapon, act: acts.Attack) -> None:
    """Refuse options of other attacks: a flask is a touch attack and deals the damage of its kind.

    srd35.splash.definition, pf1.splash.
    """
    flask = as_thrown(fight, weapon)
    meant = Blow(actor, actor, flask, False, 0, Intent(against=TOUCH_ARMOR_CLASS, stunning=act.stunning))
    pledged = fight.dialect.attacks.declared_feats(fight, actor, act, (meant,))
    if pledged or act.nonlethal or act.feat:
        what = act.feat or ("nonlethal damage" if act.nonlethal else name_of_pledge(pledged[0]))
        raise Refusal(f"{what} does not go with {weapon.name}", fight.rule("splash.definition"))


def throw_defensively(fight: Fight, actor: Combatant, throwing: Steps[None]) -> Steps[None]:
    """Throw while fighting defensively.

    srd35.attack-action.fight-defensively, pf1.attack-action.defensive.
    """
    yield next(throwing)  # its action
    yield from fight_defensively(fight, actor)
    yield from throwing


def from_the_saddle(fight: Fight, rider: Combatant, throwing: Steps[None]) -> Steps[None]:
    """Throw from the saddle, like a shot from there.

    srd35.mount.ranged-timing, pf1.mount.ranged.
    """
    refuse_late_shot(fight, rider, 1)
    yield from throwing
    yield from record_rider_attacks(fight, rider, 0, 1)


def throw_at(fight: Fight, holder: Combatant, weapon: Weapon, target: Combatant, *why: str) -> Steps[None]:
    """Throw at a creature: a ranged touch attack, then splash around the target or where a miss lands."""
    flask = as_thrown(fight, weapon)
    blow = fight.dialect.attacks.prepare(fight, holder, target, flask, "attack", thrown=True)
    blow.cites += dict.fromkeys((*why, *fight.rules("splash.definition")))
    yield spending(fight, holder, "standard", f"throw {weapon.name}", fight.rule("splash.definition"))
    yield from fight.dialect.attacks.deliver(fight, blow, fight.declaration)


def break_flask(fight: Fight, blow: Blow, hit: bool) -> Steps[None]:
    """Break a flask that was thrown at a creature: on it, or where the miss lands.

    srd35.splash.hit, pf1.splash.
    """
    attacker, target, flask = blow.attacker, blow.target, blow.weapon
    weapon = next(one for one in attacker.sheet.weapons if one.name == flask.name)
    if fight.state.things_lie or weapon.ammunition is None:
        yield from yield_thrown_out_of_hand(fight, blow, None, fight.rules("splash.definition"))
    if not (yield from ignites(fight, attacker, weapon)):
        return
    if hit:
        yield from direct_hit(fight, attacker, weapon, target, blow.outcome.critical)
        near = fight.figure("splash.hit", "splash_radius_ft")
        centre = yield from fight.dialect.gear.splash_centre(fight, attacker, weapon, target)
        spattered = [
            one
            for one in splashable(fight)
            if away_from(one, target, centre) <= near
            and (one is not target or fight.option("splash_direct_hit") == "direct-and-splash")
        ]
        where = f"within {near} ft."
        yield from splash_all(fight, attacker, weapon, spattered, "splash.hit", centre or target.at, where)
        return
    yield from scatter(fight, attacker, flask, weapon, (target.at, target.space), blow.distance)


def away_from(one: Combatant, target: Combatant, centre: Square | None) -> int:
    """Return the feet from a combatant to the target of a hit, or to one square of it."""
    return distance(one, target) if centre is None else distance_ft(one.at, centre, one.space, 1)


def direct_hit(
    fight: Fight, holder: Combatant, weapon: Weapon, target: Combatant, critical: bool
) -> Steps[None]:
    """Apply a direct hit; a critical hit, if flasks can have them, multiplies its dice."""
    row = substance_row(fight, weapon.name)
    if "reflex_dc" in row:
        yield from entangle_with_goo(fight, holder, weapon, target, row)
        return
    if "fort_dc" in row:
        return
    dice = str(row.get("direct", weapon.damage))
    if critical:
        count, _, size = dice.partition("d")
        dice = f"{int(count) * weapon.multiplier}d{size}"
    cites = fight.rules("splash.hit", "gear.splash-table")
    dealt = yield from deal_substance_damage(fight, holder, weapon, target, dice, *cites)
    if "next_round" in row and "dead" not in target.conditions:
        yield from set_alight(fight, holder, weapon, target, str(row["next_round"]), dealt)


def name_of_pledge(fact: Any) -> str:
    """Return the name of an attacker's declared option: the feat that it names."""
    return str(fact.modifier.source if isinstance(fact, EffectGained) else fact.what)


def throw_at_corner(fight: Fight, holder: Combatant, weapon: Weapon, corner: Square) -> Steps[None]:
    """Throw at a grid corner: AC 5, no direct hit; one inside a creature means the creature.

    srd35.splash.intersection, srd35.splash.intersection-occupied, pf1.splash.
    """
    inside = next((one for one in splashable(fight) if is_inside_creature(one, corner)), None)
    if inside is not None:
        rule = fight.rule("splash.intersection-occupied")
        yield from throw_at(fight, holder, weapon, inside, rule)
        return
    flask = as_thrown(fight, weapon)
    feet = min(distance_ft(holder.at, square, holder.space, 1) for square in squares_around(corner))
    most = flask.range * fight.figure("attack-action.range-increment", "max_thrown")
    if feet > most:
        reason = f"that corner is {feet} ft. away, and the {weapon.name} is thrown {most} ft. at most"
        raise Refusal(reason, fight.rule("attack-action.range-increment"))
    declared_blow.refuse_to_shoot(fight, holder, weapon)
    rule = fight.rule("splash.intersection")
    yield spending(fight, holder, "standard", f"throw {weapon.name}", rule)
    shot = fight.rules("attack-action.ranged", "actions-table.standard")
    reason = "shoots while threatened"
    yield from fight.dialect.opportunity.provoke(
        fight, holder, threatening(fight, holder), reason, f"shot:{fight.declaration}", *shot
    )
    if is_down(fight, holder):
        return
    if fight.state.things_lie or weapon.ammunition is None:
        yield from lose(fight, holder, weapon.name, "gone", fight.rules("splash.definition"))
    hit = yield from hits_corner(fight, holder, flask, corner, feet)
    if not (yield from ignites(fight, holder, weapon)):
        return
    if hit:
        yield from splash_all(
            fight, holder, weapon, find_creatures_around_corner(fight, corner), "splash.intersection", corner
        )
        return
    yield from scatter(fight, holder, flask, weapon, (corner, 0), feet)


def hits_corner(fight: Fight, combatant: Combatant, flask: Weapon, corner: Square, feet: int) -> Steps[bool]:
    """Roll a ranged attack against the Armor Class of a grid corner."""
    needed, rule = fight.figure("splash.intersection", "ac"), fight.rule("splash.intersection")
    blow = Blow(combatant, combatant, flask, False, feet, cites=[rule])
    where = f"the corner of {corner[0]},{corner[1]}"
    return (yield from roll_attack_at_place(fight, blow, where, "armor class", needed))


def is_inside_creature(one: Combatant, corner: Square) -> bool:
    """Return whether a grid corner lies within a creature's space."""
    x, y = one.at
    return x < corner[0] < x + one.space and y < corner[1] < y + one.space


def splashable(fight: Fight) -> list[Combatant]:
    """Return the combatants that can be splashed, in order of entry."""
    return [one for one in fight.state.combatants.values() if "dead" not in one.conditions]


def find_creatures_around_corner(fight: Fight, corner: Square) -> list[Combatant]:
    """Return the creatures in the squares around a grid corner."""
    squares = set(squares_around(corner))
    return [one for one in splashable(fight) if squares.intersection(squares_of(one)) and not level_of(one)]


def scatter(
    fight: Fight, holder: Combatant, flask: Weapon, weapon: Weapon, aim: tuple[Square, int], feet: int
) -> Steps[None]:
    """Let a throw that missed land elsewhere: 1d8 for the direction, 1 back at the thrower.

    `aim` are the place and the side of its target, `feet` away; 0 for a corner. It splashes where it lands
    (srd35.splash.miss-direction, srd35.splash.miss-distance, srd35.splash.miss-splash, pf1.splash).
    """
    topic, (at, side) = "splash.miss-direction", aim
    rolled = yield Roll(holder.id, "misdirection", str(fight.figure(topic, "die")))
    back = direction_to_thrower(at, side, holder)
    dx, dy = DIRECTIONS[(DIRECTIONS.index(back) + rolled.total - 1) % len(DIRECTIONS)]
    squares = fight.dialect.gear.stray_squares(fight, flask, feet)
    landed = (at[0] + dx * squares, at[1] + dy * squares)
    yield RuleApplied(
        who=holder.id,
        what=f"the {weapon.name} goes astray and breaks at {landed[0]},{landed[1]}",
        cites=fight.rules(topic, "splash.miss-distance"),
    )
    if side:
        near = space((landed[0] - 1, landed[1] - 1), 3)
        struck = [one for one in splashable(fight) if not set(near).isdisjoint(squares_of(one))]
    else:
        struck = find_creatures_around_corner(fight, landed)
    yield from splash_all(fight, holder, weapon, struck, "splash.miss-splash", landed)


def direction_to_thrower(at: Square, side: int, combatant: Combatant) -> Square:
    """Return the direction from a target or corner straight back at the thrower."""
    found = away((at, side), (combatant.at, combatant.space))
    return found if found in DIRECTIONS else DIRECTIONS[0]


def splash_all(
    fight: Fight,
    holder: Combatant,
    weapon: Weapon,
    struck: list[Combatant],
    topic: str,
    centre: Square,
    where: str = "",
) -> Steps[None]:
    """Splash all combatants in a list, by the rule on a topic; a thunderstone is heard around its centre."""
    row = substance_row(fight, weapon.name)
    if "fort_dc" in row:
        heard = burst(centre, row["radius_ft"])
        near = [one for one in splashable(fight) if heard.intersection(squares_of(one))]
        yield from deafen_around(fight, holder, weapon, near, row)
        return
    for one in struck:
        if "dead" not in one.conditions:
            yield from splash_creature(fight, holder, weapon, one, fight.rule(topic), where)


def increments_thrown(fight: Fight, flask: Weapon, feet: int) -> int:
    """Return how many squares a throw that missed goes astray: one for each range increment, begun or full.

    srd35.splash.miss-distance, pf1.splash.
    """
    return max(1, -(-feet // flask.range))


def whole_target(fight: Fight, holder: Combatant, weapon: Weapon, target: Combatant) -> Steps[Square | None]:
    """Return None: the splash from the target of a hit goes out from all its squares (srd35.splash.hit)."""
    return None
    yield


def needs_no_proficiency(fight: Fight, blow: Blow, parts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return the parts of a throw without the nonproficiency penalty: such a throw needs no proficiency.

    srd35.splash.no-proficiency, pf1.splash.
    """
    lacking, rule = fight.rule("weapon.nonproficient"), fight.rule("splash.no-proficiency")
    if rule not in blow.cites:
        blow.cites.append(rule)
    denied = f"needs no proficiency ({rule})"
    return tuple(replace(part, denied=denied) if part.rule == lacking else part for part in parts)
