"""Fighting actions: attack, full attack, charge, defense, aid, coup de grace."""

from affray.engine.fight import Fight
from affray.engine.grid.line import relative_trace
from affray.engine.rules.abilities import has_feat, has_trait
from affray.engine.rules.attack import attack_roll, immune_to_criticals, strike
from affray.engine.rules.blow import Blow
from affray.engine.rules.budget import refuse_unless_allowed, spending
from affray.engine.rules.checks import saving_throw
from affray.engine.rules.conditions import is_down, is_helpless, rule_of
from affray.engine.rules.injury import become
from affray.engine.rules.movement import (
    SQUARE_FT,
    refuse_after_step,
    refuse_path,
    refuse_prone,
    refuse_rush,
    speed,
    walk,
)
from affray.engine.rules.place import distance, in_band, next_to
from affray.engine.rules.provoke import provoke, threatening
from affray.engine.rules.ready import triggered
from affray.engine.rules.situation import refuse_untargetable
from affray.engine.rules.threat import threatens
from affray.engine.rules.weapons import find_weapon, is_armed, melee_band, strikes_in_melee
from affray.engine.steps import Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import AttackResolved, ConditionGained, EffectGained, ResourceSpent, Until
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

#: Trait of those whose ranks in Tumble (or Acrobatics) raise what defending gives.
TUMBLER = "trained tumbler"


def prepare(
    fight: Fight,
    who: Combatant,
    target: Combatant,
    weapon: Weapon,
    kind: str,
    *,
    thrown: bool = False,
    nonlethal: bool | None = None,
) -> Blow:
    """Return the blow that a declaration means. Refuses what cannot be struck.

    A weapon strikes in melee what it reaches and is thrown or shot otherwise. Striking for the other
    kind of damage than the weapon's own costs -4 (srd35.nonlethal.weapon-swap, srd35.unarmed.lethal).
    """
    least, most = melee_band(who, weapon)
    reached = strikes_in_melee(weapon) and in_band(who.at, who.space, target.at, target.space, least, most)
    melee = reached and not thrown
    feet = distance(who, target)
    if not melee and not (weapon.range and (weapon.wield == "projectile" or weapon.thrown)):
        raise Refusal(
            f"{target.id} is {feet} ft. away, out of the {weapon.name}'s reach",
            fight.rule("attack-action.melee"),
        )
    own = (
        weapon.wield == "unarmed" and not has_feat(who, "improved unarmed strike")
    ) or "nonlethal" in weapon.traits
    blow = Blow(who, target, weapon, melee, feet, kind, nonlethal=own if nonlethal is None else nonlethal)
    if "touch" in weapon.traits:
        blow.touch, blow.against = True, "touch armor class"
        blow.cites.append(fight.rule("ac.touch"))
    refuse_untargetable(fight, blow)
    if not melee:
        refuse_to_shoot(fight, who, weapon)
    refuse_empty(fight, who, weapon)
    if nonlethal is not None and nonlethal != own:
        topic = "unarmed.lethal" if weapon.wield == "unarmed" else "nonlethal.weapon-swap"
        if not (weapon.wield == "unarmed" and has_feat(who, "improved unarmed strike")):
            source = "for nonlethal damage" if nonlethal else "for lethal damage"
            blow.extra.append(fight.modifier(topic, "attack", kind="penalty", source=source))
    return blow


def refuse_empty(fight: Fight, who: Combatant, weapon: Weapon) -> None:
    """Refuse to shoot an unloaded weapon or one without ammunition."""
    if who.items.get(weapon.name) == "unloaded":
        raise Refusal(f"the {weapon.name} is not loaded", fight.rule("weapon.in-hand"))
    if weapon.ammunition is not None and who.resources.get(weapon.name, 0) >= weapon.ammunition:
        raise Refusal(
            f"{who.id} has no ammunition left for the {weapon.name}", fight.rule("weapon.ammunition")
        )


def refuse_to_shoot(fight: Fight, who: Combatant, weapon: Weapon) -> None:
    """Refuse weapons that a condition rules out at range: most of them for the prone."""
    for name in who.conditions:
        found = rule_of(fight, name)
        if found.shoots is not None and weapon.family not in found.shoots:
            raise Refusal(f"{who.id} is {name} and cannot use the {weapon.name}", fight.rule(found.topic))


def deliver(fight: Fight, blow: Blow, declaration: str) -> Steps[bool]:
    """Deliver a declared blow: the attacks of opportunity that it provokes, then the blow.

    Shooting or throwing provokes from all who threaten, an unarmed attack from an armed target
    (srd35.attack-action.ranged, srd35.unarmed.aoo).
    """
    who = blow.attacker
    rule = fight.rule("actions-table.standard")
    stood = (who.at, blow.target.at)
    yield from triggered(fight, who, "attacks")
    if stood != (who.at, blow.target.at) and not is_down(fight, who):
        try:
            prepare(fight, who, blow.target, blow.weapon, blow.kind, thrown=not blow.melee)
        except Refusal as lost:
            yield RuleApplied(who=who.id, what=f"the attack is lost: {lost.reason}", cites=(lost.rule,))
            return False
        blow.distance = distance(who, blow.target)
    if not blow.melee:
        yield from provoke(
            fight,
            who,
            threatening(fight, who),
            "shoots while threatened",
            f"shot:{declaration}",
            fight.rule("attack-action.ranged"),
            rule,
        )
    elif not is_armed(who, blow.weapon) and threatens(fight, blow.target, who):
        yield from provoke(
            fight,
            who,
            [blow.target],
            "attacks unarmed",
            f"unarmed:{declaration}",
            fight.rule("unarmed.aoo"),
            rule,
        )
    if is_down(fight, who) or "dead" in blow.target.conditions:
        return False
    if blow.weapon.ammunition is not None:
        yield ResourceSpent(
            who=who.id, resource=blow.weapon.name, amount=1, cites=(fight.rule("weapon.ammunition"),)
        )
    return (yield from strike(fight, blow))


def attack(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Make one attack as a standard action (srd35.attack-action.melee, .ranged)."""
    who, target = fight.combatant(act.actor), fight.combatant(act.target)
    refuse_unless_allowed(fight, who, "standard")
    weapon = find_weapon(fight, who, act.weapon)
    blow = prepare(fight, who, target, weapon, "attack", thrown=act.thrown, nonlethal=act.nonlethal)
    topic = "attack-action.melee" if blow.melee else "attack-action.ranged"
    yield spending(fight, who, "standard", "attack", fight.rule(topic))
    if act.defensively:
        yield from fight_defensively(fight, who)
    yield from deliver(fight, blow, fight.declaration)


def iteratives(fight: Fight, base_attack: int) -> list[int]:
    """Return the penalty of each attack of a full attack: 0, -5, -10, -15 as the base attack allows.

    srd35.attack.iterative-table.
    """
    step = fight.figure("attack.iterative-table", "step")
    thresholds = fight.figure("attack.iterative-table", "thresholds")
    return [0, *(step * (n + 1) for n, least in enumerate(thresholds) if base_attack >= least)]


def brace(fight: Fight, act: acts.Brace) -> Steps[None]:
    """Strike a charger with a braced weapon for double damage; only as a readied act (srd35.ready.brace)."""
    who = fight.combatant(act.actor)
    rule = fight.rule("ready.brace")
    if fight.readied != who.id:
        raise Refusal("one braces by readying against a charge", rule)
    charger = fight.combatant(fight.state.active)
    weapon = find_weapon(fight, who, act.weapon)
    if "brace" not in weapon.traits or "charging" not in charger.conditions:
        raise Refusal(f"{who.id} has no weapon to set against {charger.id}'s charge", rule)
    blow = prepare(fight, who, charger, weapon, "ready")
    blow.damage_multipliers.append((fight.figure("ready.brace", "multiplier"), rule))
    blow.cites.append(rule)
    yield spending(fight, who, "standard", "brace", rule)
    yield from deliver(fight, blow, f"{fight.declaration}#brace")


def full_attack(fight: Fight, act: acts.FullAttack) -> Steps[None]:
    """Make all attacks of a full attack, in the order declared (srd35.attack-action.multiple).

    Weapons in hand follow base attack bonus, each further attack 5 lower; natural weapons strike
    once each. A target that falls is passed over.
    """
    who = fight.combatant(act.actor)
    refuse_unless_allowed(fight, who, "full-round")
    rule = fight.rule("attack-action.multiple")
    if not act.strikes:
        raise Refusal("a full attack names no target", rule)
    penalties = fight.dialect.points.full_attacks(fight, who, act)
    if len(act.strikes) > len(penalties):
        raise Refusal(f"{who.id} has {len(penalties)} attacks in a full attack, not {len(act.strikes)}", rule)
    blows = []
    for strike_, penalty in zip(act.strikes, penalties, strict=False):
        weapon = find_weapon(fight, who, strike_.weapon)
        target = fight.combatant(strike_.target)
        blow = prepare(fight, who, target, weapon, "full", thrown=strike_.thrown, nonlethal=act.nonlethal)
        blow.extra.extend(penalty)
        blows.append(blow)
    if who.spent.get("feet") and not who.spent.get("step"):
        raise Refusal(f"{who.id} has moved and cannot make a full attack", rule)
    yield ActionSpent(
        who=who.id, kind="full-round", what="full attack", cites=(rule, fight.rule("action.full-round"))
    )
    if act.defensively:
        yield from fight_defensively(fight, who)
    for number, blow in enumerate(blows, 1):
        if is_down(fight, who):
            return
        if "dead" in blow.target.conditions:
            continue
        fight.scope = f"{who.id}#{number}"
        yield from deliver(fight, blow, f"{fight.declaration}#{number}")
    fight.scope = ""


def full_attacks(fight: Fight, who: Combatant, act: acts.FullAttack) -> list[list[Modifier]]:
    """Return the modifiers of each attack that a full attack allows, in order."""
    key = ("full attacks", who.sheet.base_attack)
    found: list[list[Modifier]] | None = fight.cache.get(key)
    if found is None:
        rule = fight.rule("attack.iterative-table")
        found = fight.cache[key] = [
            [Modifier(penalty, "iterative", f"attack {number}", rule)] if penalty else []
            for number, penalty in enumerate(iteratives(fight, who.sheet.base_attack), 1)
        ]
    return found


def fight_defensively(fight: Fight, who: Combatant) -> Steps[None]:
    """Take -4 on all attacks of the round for +2 dodge to AC (srd35.attack-action.fight-defensively)."""
    topic = "attack-action.fight-defensively"
    until = Until("turn-start", who.id, fight.state.round + 1)
    rule = fight.rule(topic)
    dodge = "ac_dodge_trained" if has_trait(who, TUMBLER) else "ac_dodge"
    for stat, path, kind in (("attack", "attack", "penalty"), ("defense", dodge, "dodge")):
        yield EffectGained(
            who=who.id,
            id=f"{fight.declaration}:{stat}",
            stat=stat,
            modifier=fight.modifier(topic, path, kind=kind, source="fighting defensively"),
            until=until,
            cites=(rule,),
        )


def total_defense(fight: Fight, act: acts.TotalDefense) -> Steps[None]:
    """Defend as a standard action: +4 dodge to AC for a round, no attacks of opportunity."""
    who = fight.combatant(act.actor)
    rule = fight.rule("total-defense")
    dodge = "ac_dodge_trained" if has_trait(who, TUMBLER) else "ac_dodge"
    yield spending(fight, who, "standard", "total defense", rule)
    until = Until("turn-start", who.id, fight.state.round + 1)
    yield EffectGained(
        who=who.id,
        id=f"{fight.declaration}:defense",
        stat="defense",
        modifier=fight.modifier("total-defense", dodge, kind="dodge", source="total defense"),
        until=until,
        cites=(rule,),
    )
    yield ConditionGained(
        who=who.id, condition="total-defense", source="total defense", until=until, cites=(rule,)
    )


def charge(fight: Fight, act: acts.Charge) -> Steps[None]:
    """Rush up to double speed straight at an opponent and attack once at +2, at -2 to AC until next turn.

    At least 10 feet, to the nearest space from which the target can be struck, along a clear line:
    no hindering ground, no creature in the way (srd35.charge.*). Restricted to one action, only up to
    single speed.
    """
    who, target = fight.combatant(act.actor), fight.combatant(act.target)
    allowed = fight.dialect.points.allowance(fight, who)
    restricted = not allowed.full
    refuse_unless_allowed(fight, who, "standard" if restricted else "full-round")
    refuse_after_step(fight, who)
    refuse_prone(fight, who)
    refuse_rush(fight, who)
    topic = "charge.restricted" if restricted else "charge.distance"
    rule = fight.rule(topic)
    weapon = find_weapon(fight, who, act.weapon)
    if not strikes_in_melee(weapon):
        raise Refusal(f"one cannot charge with the {weapon.name}", fight.rule("charge.attack"))
    feet = speed(fight, who) * fight.figure(topic, "max_speed_multiplier")
    refuse_path(fight, who, act.path, feet, rule)
    refuse_no_charge(fight, who, target, act.path, weapon)
    cites = fight.rules("charge.action", "charge.distance", "charge.clear-path")
    yield ActionSpent(
        who=who.id, kind="standard" if restricted else "full-round", what="charge", cites=(rule, *cites)
    )
    until = Until("turn-start", who.id, fight.state.round + 1)
    yield EffectGained(
        who=who.id,
        id=f"{fight.declaration}:charge",
        stat="defense",
        modifier=fight.modifier("charge.attack", "ac", kind="penalty", source="charging"),
        until=until,
        cites=(fight.rule("charge.attack"),),
    )
    yield ConditionGained(who=who.id, condition="charging", source=target.id, until=until, cites=(cites[0],))
    arrived = yield from walk(fight, who, act.path, "charge", rule)
    if not arrived or is_down(fight, who):
        return
    try:
        blow = prepare(fight, who, target, weapon, "charge")
    except Refusal as lost:
        yield RuleApplied(who=who.id, what=f"the attack is lost: {lost.reason}", cites=(lost.rule,))
        return
    blow.extra.append(fight.modifier("charge.attack", "attack", kind="circumstance", source="charging"))
    yield from deliver(fight, blow, fight.declaration)


def refuse_no_charge(
    fight: Fight, who: Combatant, target: Combatant, path: tuple[tuple[int, int], ...], weapon: Weapon
) -> None:
    """Refuse a charge that is too short, hindered, or does not end at the nearest square in reach."""
    least_feet = fight.figure("charge.distance", "min_squares")
    if len(path) < least_feet:
        raise Refusal("a charge covers at least 10 ft.", fight.rule("charge.distance"))
    rule = fight.rule("charge.clear-path")
    field = fight.field
    end = path[-1]
    least, most = melee_band(who, weapon)
    for square in path:
        if field.doublings(square, who.space):
            raise Refusal(f"the ground at {square[0]},{square[1]} hinders a charge", rule)
    if not in_band(end, who.space, target.at, target.space, least, most):
        raise Refusal(f"the charge does not end within reach of {target.id}", rule)
    for square in path[:-1]:
        if in_band(square, who.space, target.at, target.space, least, most):
            raise Refusal(f"the charge must end at the first square in reach of {target.id}", rule)
    crossed = line_squares(who.at, end, who.space)
    for other in fight.state.combatants.values():
        if other is who or other is target or "dead" in other.conditions or is_helpless(fight, other):
            continue
        held = {
            (other.at[0] + dx, other.at[1] + dy) for dx in range(other.space) for dy in range(other.space)
        }
        if held & crossed:
            raise Refusal(f"{other.id} stands in the line of the charge", rule)
    for square in crossed:
        if not field.passable(square) or field.doublings(square):
            raise Refusal(f"the line of the charge is hindered at {square[0]},{square[1]}", rule)


def line_squares(start: tuple[int, int], end: tuple[int, int], side: int) -> set[tuple[int, int]]:
    """Return the squares that lines from each square of a space to its place at the end pass through."""
    found: set[tuple[int, int]] = set()
    for dx in range(side):
        for dy in range(side):
            x0, y0 = (start[0] + dx) * 2 + 1, (start[1] + dy) * 2 + 1
            x1, y1 = (end[0] + dx) * 2 + 1, (end[1] + dy) * 2 + 1
            base = (start[0] + dx, start[1] + dy)
            traced = relative_trace(1, 1, x1 - x0 + 1, y1 - y0 + 1, 2)
            found |= {(base[0] + x, base[1] + y) for x, y in traced.squares}
            found.add((end[0] + dx, end[1] + dy))
    return found - {(start[0] + dx, start[1] + dy) for dx in range(side) for dy in range(side)}


def aid(fight: Fight, act: acts.Aid) -> Steps[None]:
    """Help a friend against an opponent: an attack roll against AC 10 gives +2 (srd35.aid.*).

    The bonus counts for the friend's next attack on that opponent, or against its next attack on the
    friend, before the start of the helper's next turn. Several helpers add up.
    """
    who, friend, opponent = (fight.combatant(id) for id in (act.actor, act.friend, act.opponent))
    refuse_unless_allowed(fight, who, "standard")
    if friend.side != who.side or friend is who or opponent.side == who.side:
        raise Refusal("one aids a friend against an opponent", fight.rule("aid.action"))
    weapon = find_weapon(fight, who, "")
    least, most = melee_band(who, weapon)
    if not strikes_in_melee(weapon) or not in_band(
        who.at, who.space, opponent.at, opponent.space, least, most
    ):
        raise Refusal(f"{who.id} is in no position to attack {opponent.id}", fight.rule("aid.action"))
    if not (threatens(fight, friend, opponent) or threatens(fight, opponent, friend)):
        raise Refusal(f"{opponent.id} is not engaged with {friend.id}", fight.rule("aid.action"))
    rule = fight.rule("aid.action")
    yield spending(fight, who, "standard", "aid another", rule)
    blow = Blow(who, opponent, weapon, True, distance(who, opponent), "aid", cites=[rule])
    success = yield from aid_roll(fight, blow)
    if not success:
        return
    until = Until("turn-start", who.id, fight.state.round + 1)
    against = opponent.id
    yield EffectGained(
        who=friend.id,
        id=f"{fight.declaration}:aid",
        stat=act.benefit,
        modifier=fight.modifier("aid.benefit", "bonus", kind="circumstance", source=f"aid from {who.id}"),
        until=until,
        against=against,
        uses=1,
        cites=(fight.rule("aid.benefit"),),
    )


def aid_roll(fight: Fight, blow: Blow) -> Steps[bool]:
    """Roll the attack that aids, against the fixed Armor Class of the rule."""
    points = fight.dialect.points
    parts = [*points.attack_bonus(fight, blow), *points.attack_situation(fight, blow)]
    tally = points.stack(fight, parts)
    needed = fight.figure("aid.action", "ac")
    rolled = yield Roll(blow.attacker.id, "aid", "1d20")
    natural = rolled.faces[0]
    total = natural + tally.total
    hit = bool(natural != 1 and (natural == 20 or total >= needed))
    yield AttackResolved(
        attacker=blow.attacker.id,
        target=blow.target.id,
        weapon=blow.weapon.name,
        mode="melee",
        against="aid another",
        key=rolled.key,
        natural=natural,
        total=total,
        needed=needed,
        result="hit" if hit else "miss",
        why="aids" if hit else "no help",
        attack=tally.parts,
        defense=(Modifier(needed, "base", "aid another", fight.rule("aid.action")),),
        cites=tuple(blow.cites),
    )
    return hit


def coup_de_grace(fight: Fight, act: acts.CoupDeGrace) -> Steps[None]:
    """Finish a helpless opponent: a full-round action that hits and is critical of itself.

    It provokes; who survives the damage saves (Fortitude, DC 10 + damage) or dies
    (srd35.coup-de-grace.*).
    """
    who, target = fight.combatant(act.actor), fight.combatant(act.target)
    refuse_unless_allowed(fight, who, "full-round")
    rule = fight.rule("coup-de-grace.action")
    if not is_helpless(fight, target):
        raise Refusal(f"{target.id} is not helpless", rule)
    weapon = find_weapon(fight, who, act.weapon)
    finishes = fight.dialect.points.finishes(weapon)
    if not strikes_in_melee(weapon) and not (finishes and next_to(who, target)):
        raise Refusal(f"{who.id} must strike, or shoot a fitting weapon from next to {target.id}", rule)
    blow = prepare(fight, who, target, weapon, "coup de grace")
    if immune_to_criticals(fight, blow):
        raise Refusal(f"{target.id} is immune to critical hits", fight.rule("coup-de-grace.crit-immune"))
    yield ActionSpent(who=who.id, kind="full-round", what="coup de grace", cites=(rule,))
    yield from provoke(
        fight,
        who,
        threatening(fight, who),
        "delivers a coup de grace",
        f"coup:{fight.declaration}",
        fight.rule("coup-de-grace.provokes"),
    )
    if is_down(fight, who):
        return
    yield AttackResolved(
        attacker=who.id,
        target=target.id,
        weapon=weapon.name,
        mode="melee" if blow.melee else "ranged",
        against="helpless",
        key="",
        natural=0,
        total=0,
        needed=0,
        result="critical",
        why="a coup de grace hits and is critical of itself",
        attack=(),
        defense=(),
        cites=(fight.rule("coup-de-grace.auto-crit"),),
    )
    before = target.hp
    yield from fight.dialect.points.damage(fight, blow, True)
    dealt = before - target.hp
    if "dead" not in target.conditions and dealt > 0:
        topic = "coup-de-grace.death-save"
        saved = yield from saving_throw(
            fight, target, "fort", fight.formula(topic, "dc") + dealt, "a coup de grace", fight.rule(topic)
        )
        if not saved:
            yield from become(fight, target, "dead", "coup de grace", topic)


def bows_finish(weapon: Weapon) -> bool:
    """Say whether a weapon can deliver a coup de grace by a shot: bows and crossbows."""
    return weapon.family in ("bow", "crossbow")


__all__ = [
    "SQUARE_FT",
    "aid",
    "attack",
    "attack_roll",
    "brace",
    "charge",
    "coup_de_grace",
    "full_attack",
    "total_defense",
]
