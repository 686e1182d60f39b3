"""Declared attacks in Futurepath: one attack, the full attack, fighting defensively, total defense, aid."""

from affray.engine.dialects.futurepath.attacks.attack_roll import refuse_defending, refuse_hopeless
from affray.engine.dialects.futurepath.contested import old_only, reading
from affray.engine.fight.fight import Fight, is_down
from affray.engine.record.blow import Blow, Intent
from affray.engine.record.maneuvers import Attempt
from affray.engine.rules.attacks.aid_another import aid_roll
from affray.engine.rules.attacks.attack_series import iteratives, refuse_too_many
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.gear.held_weapons import melee_band, strikes_in_melee
from affray.engine.rules.gear.thrown_weapons import plan_throws
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.position.place import distance, in_band, next_to
from affray.engine.rules.turns.action_budget import has_acted, refuse_unless_allowed, spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, EffectGained, Until
from affray.events.facts.flow import ActionSpent
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant


def attack(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Make one attack as the attack action (futurepath.action.attack.definition)."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    refuse_unless_allowed(fight, actor, "standard")
    refuse_defending(fight, actor)
    weapon = find_weapon(fight, actor, act.weapon)
    blow = fight.dialect.attacks.prepare(
        fight, actor, target, weapon, "attack", thrown=act.thrown, nonlethal=act.nonlethal
    )
    refuse_hopeless(fight, blow)
    reach = "futurepath.attack.melee.reach" if blow.melee else "futurepath.attack.ranged.range-and-los"
    yield spending(
        fight, actor, "standard", "attack", *fight.rules("futurepath.action.attack.definition", reach)
    )
    if act.defensively:
        yield from fight_defensively(fight, actor, "melee" if blow.melee else "ranged")
    yield from fight.dialect.attacks.deliver(fight, blow, fight.declaration)


def full_attack(fight: Fight, act: acts.FullAttack) -> Steps[None]:
    """Make every attack of a full attack in the order declared; a dead target is passed over.

    By the new rules more than one attack for a high base attack bonus needs the feat Extra Attack; a
    second weapon in the off hand gives one more (futurepath.action.full-attack.*).
    """
    actor = fight.combatant(act.actor)
    refuse_unless_allowed(fight, actor, "full-round")
    rule = fight.rule("futurepath.action.full-attack.requirement")
    if not act.strikes:
        raise Refusal("a full attack names no target", rule)
    extra = fight.dialect.attacks.attack_series(fight, actor, act)
    short = "extra-attack-feat" if len(extra) == 1 else "requirement"
    refuse_too_many(actor, len(extra), act, fight.rule(f"futurepath.action.full-attack.{short}"))
    blows = []
    for strike, parts in zip(act.strikes, extra, strict=False):
        weapon = find_weapon(fight, actor, strike.weapon)
        target = fight.combatant(strike.target)
        blow = fight.dialect.attacks.prepare(
            fight, actor, target, weapon, "full", thrown=strike.thrown, nonlethal=act.nonlethal
        )
        blow.attack_extra.extend(parts)
        refuse_hopeless(fight, blow)
        blows.append(blow)
    plan_throws(fight, actor, blows)
    feat = () if old_only(fight) else ("futurepath.action.full-attack.extra-attack-feat",)
    yield ActionSpent(who=actor.id, kind="full-round", what="full attack", cites=(rule, *fight.rules(*feat)))
    if act.defensively:
        yield from fight_defensively(fight, actor, "full-attack")
    stood = actor.held, tuple(actor.conditions)
    for number, planned in enumerate(blows, 1):
        if is_down(fight, actor):
            return
        if "dead" in planned.target.conditions:
            continue
        fight.scope = f"{actor.id}#{number}"
        struck: Blow | Attempt | None = planned
        if stood != (actor.held, tuple(actor.conditions)):
            struck = yield from fight.dialect.attacks.still_planned(fight, planned)
        if isinstance(struck, Blow):
            yield from fight.dialect.attacks.deliver(fight, struck, f"{fight.declaration}#{number}")
    fight.scope = ""


def full_attacks(fight: Fight, actor: Combatant, act: acts.FullAttack) -> list[list[Modifier]]:
    """Return the modifiers of each attack that a full attack allows, in the order of the strikes.

    futurepath.action.full-attack.order, futurepath.attack.two-weapon.penalties, .light-off-hand, .feat.
    """
    many = old_only(fight) or has_feat(actor, "extra attack")
    steps = iteratives(fight, actor.sheet.base_attack) if many else [0]
    rule = fight.rule("futurepath.assumed.iterative-attacks")
    rows = [
        [Modifier(fall, "base", f"attack {number}", rule)] if fall else []
        for number, fall in enumerate(steps, 1)
    ]
    places = [number for number, one in enumerate(act.strikes) if off_hand(actor, one.weapon)]
    if not places:
        return rows
    second = off_hand(actor, act.strikes[places[0]].weapon)
    primary, other = two_weapon_penalties(fight, actor, second)
    rows = [[*row, primary] for row in rows]
    rows.insert(min(places[0], len(rows)), [other])
    return rows


def off_hand(combatant: Combatant, name: str) -> Weapon | None:
    """Return the weapon of that name if it is held in the off hand."""
    return next((one for one in combatant.sheet.weapons if one.name == name and one.off_hand), None)


def two_weapon_penalties(
    fight: Fight, combatant: Combatant, second: Weapon | None
) -> tuple[Modifier, Modifier]:
    """Return the penalties of the main hand and the off hand when two weapons are used."""
    light = second is not None and (second.wield in ("light", "unarmed") or "double" in second.traits)
    feat = has_feat(combatant, "two-weapon fighting")
    row = {
        (False, False): "normal penalties",
        (True, False): "off-hand weapon is light",
        (False, True): "Two-Weapon Fighting feat",
        (True, True): "off-hand weapon is light and Two-Weapon Fighting feat",
    }[light, feat]
    topic, path = "futurepath.table.two-weapon-fighting-penalties", f"circumstances={row}"
    return (
        fight.modifier(topic, path, "primary", kind="penalty", source="two weapons, main hand"),
        fight.modifier(topic, path, "off_hand", kind="penalty", source="two weapons, off hand"),
    )


def fight_defensively(fight: Fight, combatant: Combatant, how: str) -> Steps[None]:
    """Take -4 on the attacks of the round for a +2 dodge bonus to Defense.

    futurepath.attack.fighting-defensively.melee, .ranged, .full-attack
    (futurepath.attack.fighting-defensively.full-attack).
    """
    topic = f"attack.fighting-defensively.{how}"
    until = Until("turn-start", combatant.id, fight.state.round + 1)
    for stat, path, kind in (("attack", "attack", "penalty"), ("defense", "defense_dodge", "dodge")):
        yield EffectGained(
            who=combatant.id,
            id=f"{fight.declaration}:{stat}",
            stat=stat,
            modifier=fight.modifier(topic, path, kind=kind, source="fighting defensively"),
            until=until,
            cites=fight.rules(topic),
        )


def total_defense(fight: Fight, act: acts.TotalDefense) -> Steps[None]:
    """Defend and do not attack: +4 dodge to Defense for a round, as a move action.

    By the old reading an attack action (futurepath.action.total-defense, .is-move-action).
    """
    actor = fight.combatant(act.actor)
    as_move = reading(fight, "total_defense_action") == "move-action"
    kind = "move" if as_move else "standard"
    rule = fight.rule("futurepath.action.total-defense")
    # What was spent to ready it is no attack.
    if actor.spent.get("standard") and as_move and fight.readied != actor.id:
        raise Refusal(f"{actor.id} has acted already and cannot defend totally", rule)
    if "total-defense" in actor.conditions:
        raise Refusal(f"{actor.id} defends totally already", rule)
    cost = fight.rules("futurepath.action.total-defense.is-move-action") if as_move else ()
    yield spending(fight, actor, kind, "total defense", rule, *cost)
    until = Until(
        "turn-start", actor.id, fight.state.round + fight.figure("futurepath.action.total-defense", "rounds")
    )
    yield EffectGained(
        who=actor.id,
        id=f"{fight.declaration}:defense",
        stat="defense",
        modifier=fight.modifier(
            "futurepath.action.total-defense", "defense_dodge", kind="dodge", source="total defense"
        ),
        until=until,
        cites=(rule,),
    )
    yield ConditionGained(
        who=actor.id, condition="total-defense", source="total defense", until=until, cites=(rule,)
    )


def aid(fight: Fight, act: acts.Aid) -> Steps[None]:
    """Help a friend against an opponent: an attack roll against Defense 10 gives +2 on its next turn.

    futurepath.attack.aid-another.precondition, .effect, futurepath.attack.aid-another.roll.
    """
    actor, friend, opponent = (fight.combatant(id) for id in (act.actor, act.friend, act.opponent))
    refuse_defending(fight, actor)
    rule = fight.rule("futurepath.attack.aid-another.precondition")
    if friend.side != actor.side or friend is actor or opponent.side == actor.side:
        raise Refusal("one aids a friend against an opponent", rule)
    weapon = find_weapon(fight, actor, "")
    least, most = melee_band(actor, weapon)
    reached = in_band(actor.at, actor.space, opponent.at, opponent.space, least, most)
    if not strikes_in_melee(weapon) or not reached:
        raise Refusal(f"{actor.id} is in no position to attack {opponent.id}", rule)
    if not next_to(friend, opponent):
        raise Refusal(f"{opponent.id} is not engaged with {friend.id}", rule)
    yield spending(fight, actor, "standard", "aid another", rule)
    blow = Blow(actor, opponent, weapon, True, distance(actor, opponent), Intent("aid"))
    if not (yield from aid_roll(fight, blow)):
        return
    topic = "futurepath.attack.aid-another.effect"
    yield EffectGained(
        who=friend.id,
        id=f"{fight.declaration}:aid",
        stat=act.benefit,
        modifier=fight.modifier(topic, "bonus", kind="circumstance", source=f"aid from {actor.id}"),
        until=Until("turn-end", friend.id, fight.state.round + has_acted(fight, friend)),
        against=opponent.id,
        cites=fight.rules(topic),
    )
