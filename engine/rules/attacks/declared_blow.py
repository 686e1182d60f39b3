"""Delivering a declared blow: its legality, what it provokes, then the blow itself."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.fight.fight import Fight, is_down, is_helpless, rule_of
from affray.engine.fight.memory import Same, per_scene
from affray.engine.kernel.places import distance, next_to, reaches
from affray.engine.record.blow import Blow, usual_intent
from affray.engine.record.chapters import Attempt
from affray.engine.rules.attacks.attack_roll import (
    build_blow,
    immune_to_criticals,
    reaches_or_natural,
    refuse_untargetable,
    strike,
)
from affray.engine.rules.classes.checks import saving_throw
from affray.engine.rules.classes.sheets import has_trait, trait_detail
from affray.engine.rules.conditions.conditions import is_spared_fortitude
from affray.engine.rules.damage.injury import change_health
from affray.engine.rules.gear.hands import (
    UNLOADED,
    fights_unarmed,
    held_weapons,
    is_armed,
    melee_band,
    strikes_in_melee,
)
from affray.engine.rules.gear.weapons_in_hand import draw_next, find_weapon, refuse_lost_weapon, unarmed
from affray.engine.rules.movement.movement import continue_walk
from affray.engine.rules.opportunity.threatened_squares import endangers, threatening, threatens
from affray.engine.rules.turns.actions import first_rule, refuse_unless_allowed, spending
from affray.engine.rules.turns.delay_and_ready import (
    ActionSnapshot,
    anybody_ready,
    attack_is_lost,
    footing,
    goes_on,
    refuse_impeded,
    standing,
    triggered,
)
from affray.engine.steps import Choice, Refusal, Steps, judged
from affray.events.facts import acts
from affray.events.facts.combat import AttackResolved, ConditionGained, EffectGained, ResourceSpent, Until
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

# --- Attack, full attack, fighting on the defensive, total defense

TUMBLER = "trained tumbler"


def attack(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Make one attack as a standard action (srd35.attack-action.melee, .ranged).

    pf1.attack-action.melee.
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    refuse_unless_allowed(fight, actor, "standard")
    weapon = find_weapon(fight, actor, act.weapon)
    blow = fight.dialect.attacks.prepare(
        fight, actor, target, weapon, "attack", thrown=act.thrown, nonlethal=act.nonlethal
    )
    if act.stunning:
        blow.intent = replace(blow.intent, stunning=True)
    pledged = fight.dialect.attacks.declared_feats(fight, actor, act, (blow,))
    topic = "attack-action.melee" if blow.melee else "attack-action.ranged"
    yield spending(fight, actor, "standard", "attack", fight.rule(topic))
    yield from pledged
    if act.defensively:
        yield from fight_defensively(fight, actor)
    yield from fight.dialect.attacks.deliver(fight, blow, fight.declaration)


def deliver_planned(
    fight: Fight,
    actor: Combatant,
    act: acts.FullAttack,
    planned: Sequence[Blow | Attempt],
    first: list[object],
) -> Steps[None]:
    """Yield the facts that come first, then deliver the planned blows in order while the attacker is up."""
    yield from first
    stood = actor.held, tuple(actor.conditions), actor.at
    places = []
    for each in planned:
        places.append((each.blow if type(each) is Attempt else each).target.at)
    for number, (one, blow) in enumerate(zip(act.strikes, planned, strict=True), 1):
        if actor.conditions and is_down(fight, actor):
            return
        target = blow.blow.target if type(blow) is Attempt else blow.target
        if "dead" in target.conditions:
            continue
        fight.scope = f"{actor.id}#{number}"
        if stood != (actor.held, tuple(actor.conditions), actor.at) or target.at != places[number - 1]:
            # The events of one attack may have made the next one impossible.
            kept = yield from fight.dialect.attacks.still_planned(fight, blow)
            if kept is None:
                continue
            blow = kept
        if type(blow) is Attempt:
            blow.name = f"{fight.declaration}#{number}"
            yield from fight.dialect.maneuvers.substitutes[one.special].carry_out(fight, blow)
        else:
            yield from fight.dialect.attacks.deliver(fight, blow, f"{fight.declaration}#{number}")
    fight.scope = ""


def is_trained_tumbler(fight: Fight, combatant: Combatant) -> bool:
    """Return whether a combatant's trait makes it better at fighting defensively than most."""
    return has_trait(combatant, TUMBLER)


def fight_defensively(fight: Fight, combatant: Combatant) -> Iterator[EffectGained]:
    """Take -4 on all attacks of the round for +2 dodge to AC (srd35.attack-action.fight-defensively).

    pf1.attack-action.defensive.
    """
    topic = "attack-action.fight-defensively"
    until = Until("turn-start", combatant.id, fight.state.round + 1)
    rule = fight.rule(topic)
    dodge = "ac_dodge_trained" if fight.dialect.movement.nimble(fight, combatant) else "ac_dodge"
    for stat, path, kind in (("attack", "attack", "penalty"), ("defense", dodge, "dodge")):
        modifier = fight.modifier(topic, path, kind=kind, source="fighting defensively")
        yield EffectGained(
            who=combatant.id,
            id=f"{fight.declaration}:{stat}",
            stat=stat,
            modifier=modifier,
            until=until,
            cites=tuple(dict.fromkeys((rule, modifier.rule))),
        )


def total_defense(fight: Fight, act: acts.TotalDefense) -> Steps[None]:
    """Defend as a standard action: +4 dodge to AC for a round, no attacks of opportunity."""
    actor = fight.combatant(act.actor)
    rule = fight.rule("total-defense")
    dodge = "ac_dodge_trained" if fight.dialect.movement.nimble(fight, actor) else "ac_dodge"
    yield spending(fight, actor, "standard", "total defense", rule)
    until = Until("turn-start", actor.id, fight.state.round + 1)
    modifier = fight.modifier("total-defense", dodge, kind="dodge", source="total defense")
    yield EffectGained(
        who=actor.id,
        id=f"{fight.declaration}:defense",
        stat="defense",
        modifier=modifier,
        until=until,
        cites=tuple(dict.fromkeys((rule, modifier.rule))),
    )
    yield ConditionGained(
        who=actor.id, condition="total-defense", source="total defense", until=until, cites=(rule,)
    )


# --- The coup de grace


def coup_de_grace(fight: Fight, act: acts.CoupDeGrace) -> Steps[None]:
    """Finish a helpless opponent: a full-round action that hits and is critical automatically.

    It provokes; a target that survives the damage saves (Fortitude, DC 10 + damage) or dies
    (srd35.coup-de-grace.*).

    futurepath.attack.coup-de-grace.auto-critical, futurepath.attack.coup-de-grace.fortitude,
    futurepath.attack.coup-de-grace.provokes, futurepath.attack.coup-de-grace.weapons, pf1.coup-de-grace,
    srd35.coup-de-grace.action, srd35.coup-de-grace.auto-crit, srd35.coup-de-grace.crit-immune,
    srd35.coup-de-grace.death-save, srd35.coup-de-grace.provokes.
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    refuse_unless_allowed(fight, actor, "full-round")
    rule = fight.rule("coup-de-grace.action")
    if not is_helpless(fight, target):
        raise Refusal(f"{target.id} is not helpless", rule)
    weapon = find_weapon(fight, actor, act.weapon)
    finishes = fight.dialect.attacks.finishing_weapon(weapon)
    if not strikes_in_melee(weapon) and not (finishes and next_to(actor, target)):
        fit = f"a melee weapon, or a bow or crossbow shot from next to {target.id}"
        reason = f"the {weapon.name} cannot finish {target.id}: that takes {fit}"
        raise Refusal(reason, rule)
    blow = fight.dialect.attacks.prepare(fight, actor, target, weapon, "coup de grace")
    if immune_to_criticals(fight, blow):
        raise Refusal(f"{target.id} is immune to critical hits", fight.rule("coup-de-grace.crit-immune"))
    yield ActionSpent(who=actor.id, kind="full-round", what="coup de grace", cites=(rule,))
    stood = footing(fight, actor, target)
    yield from fight.dialect.opportunity.provoke(
        fight,
        actor,
        threatening(fight, actor),
        "delivers a coup de grace",
        f"coup:{fight.declaration}",
        fight.rule("coup-de-grace.provokes"),
        *fight.dialect.turns.table_rules(fight, "full-round", "Deliver coup de grace"),
    )
    again = partial(refuse_lost_weapon, fight, actor, weapon)
    if not (yield from goes_on(fight, stood, again, "the coup de grace")):
        return
    if weapon.ammunition is not None and not blow.melee:
        cites = (fight.rule("weapon.ammunition"),)
        yield ResourceSpent(who=actor.id, resource=weapon.name, amount=1, cites=cites)
    yield AttackResolved(
        attacker=actor.id,
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
    yield from fight.dialect.damage.deal(fight, blow, True)
    dealt = before - target.hp
    if "dead" not in target.conditions and dealt > 0:
        topic = "coup-de-grace.death-save"
        undying = fight.dialect.damage.undying(fight, target)
        if undying:
            yield RuleApplied(who=target.id, what="cannot die of it now", cites=fight.rules(topic, undying))
            return
        if (yield from is_spared_fortitude(fight, target, "a coup de grace")):
            return
        saved = yield from saving_throw(
            fight, target, "fort", fight.formula(topic, "dc") + dealt, "a coup de grace", fight.rule(topic)
        )
        if not saved:
            yield from change_health(fight, target, "dead", "coup de grace", topic)


def can_finish_by_shot(weapon: Weapon) -> bool:
    """Return whether a weapon can deliver a coup de grace by a shot: bows and crossbows."""
    return weapon.family in ("bow", "crossbow")


class Aim(Struct, gc=False):
    """How a weapon can attack a target from the present positions: melee or not, distance, kind of damage."""

    melee: bool
    feet: int
    nonlethal: bool


def prepare_blow(
    fight: Fight,
    attacker: Combatant,
    target: Combatant,
    weapon: Weapon,
    kind: str,
    *,
    thrown: bool = False,
    nonlethal: bool | None = None,
) -> Blow:
    """Return the blow of a declaration. Refuses illegal ones.

    A weapon attacks in melee what it reaches and is thrown or shot otherwise. Dealing the other kind of
    damage than the weapon's usual one costs -4 (srd35.nonlethal.weapon-swap, srd35.unarmed.lethal,
    futurepath.assumed.nonlethal-swap, futurepath.attack.unarmed.lethal-option, pf1.nonlethal.swap).
    """
    aim = aim_weapon(fight, attacker, target, weapon, thrown)
    own = aim.nonlethal
    pulled = own if nonlethal is None else nonlethal
    blow = build_blow(fight, attacker, target, weapon, kind, melee=aim.melee, feet=aim.feet, nonlethal=pulled)
    if attacker.items or weapon.ammunition is not None:
        refuse_empty(fight, attacker, weapon)
    if nonlethal is not None and nonlethal != own:
        topic = "unarmed.lethal" if weapon.wield == "unarmed" else "nonlethal.weapon-swap"
        if not (weapon.wield == "unarmed" and fights_unarmed(attacker)):
            source = "for nonlethal damage" if nonlethal else "for lethal damage"
            blow.attack_extra.append(fight.modifier(topic, "attack", kind="penalty", source=source))
    return blow


@per_scene(
    "attacker.id",
    "target.id",
    Same("weapon"),
    "thrown",
    "fight.readied and (fight.readied, fight.state.active, *target.spent.items())",
)
def aim_weapon(fight: Fight, attacker: Combatant, target: Combatant, weapon: Weapon, thrown: bool) -> Aim:
    """Return the blow of a weapon at a target from the present positions. Refuses targets out of reach or
    range.

    A readied act can reach some targets that are otherwise out of reach, while they act.
    """
    least, most = melee_band(attacker, weapon)
    reached = strikes_in_melee(weapon) and reaches(attacker, target, least, most)
    melee = reached and not thrown
    feet = distance(attacker, target)
    if not melee and not (weapon.range and (weapon.wield == "projectile" or weapon.thrown)):
        raise Refusal(
            f"{target.id} is {feet} ft. away, out of the {weapon.name}'s reach",
            fight.rule(fight.dialect.position.out_of_reach(fight, attacker, weapon, feet)),
        )
    pulled = fight.dialect.attacks.is_nonlethal(attacker, weapon)
    refuse_untargetable(fight, Blow(attacker, target, weapon, melee, feet, usual_intent("attack", pulled)))
    if not melee:
        refuse_to_shoot(fight, attacker, weapon)
    return Aim(melee, feet, pulled)


def refuse_empty(fight: Fight, attacker: Combatant, weapon: Weapon) -> None:
    """Refuse to shoot an unloaded weapon or one without ammunition."""
    if attacker.items.get(weapon.name) == UNLOADED:
        raise Refusal(f"the {weapon.name} is not loaded", fight.rule("weapons.reload"))
    if weapon.ammunition is not None and attacker.resources.get(weapon.name, 0) >= weapon.ammunition:
        rule = first_rule(fight, "weapons.ammunition weapon.ammunition")
        raise Refusal(f"{attacker.id} has no ammunition left for the {weapon.name}", rule)


def refuse_to_shoot(fight: Fight, attacker: Combatant, weapon: Weapon) -> None:
    """Refuse weapons that a condition rules out at range: most of them for the prone."""
    for name in attacker.conditions:
        found = rule_of(fight, name)
        if weapon.thrown and not found.throws:
            raise Refusal(
                f"{attacker.id} is {name}: a thrown {weapon.name} is useless", fight.rule(found.topic)
            )
        if found.shoots is not None and weapon.family not in found.shoots:
            raise Refusal(
                f"{attacker.id} is {name} and cannot use the {weapon.name}", fight.rule(found.topic)
            )


def deliver(fight: Fight, blow: Blow, declaration: str) -> Steps[bool]:
    """Deliver a declared blow: the attacks of opportunity that it provokes, then the blow.

    A shot or throw uses up a missile or one of several thrown weapons, a blow in melee nothing. Shooting or
    throwing provokes from all who threaten, an unarmed attack from an armed target
    (srd35.attack-action.ranged, srd35.unarmed.aoo).

    futurepath.aoo.distracting-action, futurepath.attack.firearm.single-shot,
    futurepath.attack.unarmed.provokes-armed-target, futurepath.table.actions.attack,
    pf1.actions-table.standard, pf1.attack-action.ranged-threat.
    """
    if fight.memory.company[anybody_ready]:
        before = footing(fight, blow.attacker, blow.target)
        yield from triggered(fight, blow.attacker, "attacks")
        found = yield from fight.dialect.attacks.still_strikes(fight, before, blow)
        if found is None:
            return False
        blow = found
    if blow.weapon.traits:
        before = footing(fight, blow.attacker, blow.target)
        yield from fight.dialect.attacks.before_blow(fight, blow, declaration)
        found = yield from fight.dialect.attacks.still_strikes(fight, before, blow)
        if found is None:
            return False
        blow = found
    if blow.weapon.wield == "unarmed" if blow.melee else threatening(fight, blow.attacker):
        opening = opening_by_attack(fight, blow)
        if opening is None:
            yield from fight.dialect.attacks.before_attacks(fight, blow)
        while opening is not None:
            before = footing(fight, blow.attacker, blow.target)
            yield from fight.dialect.opportunity.provoke(
                fight,
                blow.attacker,
                opening.enemies,
                opening.reason,
                f"{opening.name}:{declaration}",
                *opening.cites,
            )
            if standing(blow.attacker, blow.target) == before.stood:
                break
            found = yield from fight.dialect.attacks.still_strikes(fight, before, blow)
            if found is None:
                return False
            opening = None if found is blow else opening_by_attack(fight, found)
            blow = found
    attacker, weapon = blow.attacker, blow.weapon
    if weapon.ammunition is not None and not blow.melee:
        cites = (fight.rule("weapon.ammunition"),)
        yield ResourceSpent(who=attacker.id, resource=weapon.name, amount=1, cites=cites)
    # As `strike_and_settle` does, but most blows have no further consequences.
    hit = yield from strike(fight, blow)
    attacker, weapon = blow.attacker, blow.weapon
    plain = blow.melee and not weapon.traits and not weapon.off_hand
    if not plain or attacker.conditions or attacker.effects or blow.target.conditions:
        yield from fight.dialect.attacks.after_blow(fight, blow, hit)
    return hit


class Opening(Struct, frozen=True, gc=False):
    """The opportunity that a blow gives beforehand: the enemies, the reason, its name, and the rules."""

    enemies: list[Combatant]
    reason: str
    name: str
    cites: tuple[str, ...]


def opening_by_attack(fight: Fight, blow: Blow) -> Opening | None:
    """Return the opportunity that a shot under threat or an unarmed attack gives; None for none."""
    attacker, target = blow.attacker, blow.target
    if not blow.melee:
        cites = fight.rules("attack-action.ranged", "actions-table.standard")
        return Opening(threatening(fight, attacker), "shoots while threatened", "shot", cites)
    if blow.weapon.wield != "unarmed" or is_armed(attacker, blow.weapon):
        return None
    if not threatens(fight, target, attacker):
        return None
    return Opening(
        [target], "attacks unarmed", "unarmed", fight.rules("unarmed.aoo", "actions-table.standard")
    )


def has_brace(fight: Fight, weapon: Weapon) -> bool:
    """Return whether a weapon can be set against a charge, by its traits."""
    return "brace" in weapon.traits


def brace(fight: Fight, act: acts.Brace) -> Steps[None]:
    """Attack a charger with a braced weapon for double damage; only as a readied act.

    Both a rider and its charging mount are possible targets (pf1.ready.brace, srd35.ready.set-weapon,
    srd35.charge.readied-weapons).
    """
    actor = fight.combatant(act.actor)
    rule = fight.rule("ready.brace")
    if fight.readied != actor.id:
        raise Refusal(f"{actor.id} braces by readying against a charge, not in its turn", rule)
    charger = fight.combatant(act.target or fight.state.active)
    weapon = find_weapon(fight, actor, act.weapon)
    if "charging" not in charger.conditions:
        raise Refusal(f"{charger.id} does not charge", rule)
    if not fight.dialect.attacks.set_against_charge(fight, weapon):
        raise Refusal(f"the {weapon.name} cannot be set against a charge", rule)
    blow = fight.dialect.attacks.prepare(fight, actor, charger, weapon, "ready")
    blow.damage.multipliers += ((fight.figure("ready.brace", "multiplier"), rule),)
    blow.cites += fight.rules("ready.brace", "ready.set-weapon")
    yield spending(fight, actor, "standard", "brace", rule)
    yield from fight.dialect.attacks.deliver(fight, blow, f"{fight.declaration}#brace")


# --- A blow that was interrupted: made as declared, with another weapon in hand, or lost
# srd35.ready.interrupt, woa.ready.interrupt.

#: The answer of an attacker that does not attack with another weapon.
GIVEN_UP = "none"
#: Sources of attack modifiers for the kind of damage, for any weapon.
KINDS_OF_DAMAGE = ("for nonlethal damage", "for lethal damage")


def still_strikes(fight: Fight, before: ActionSnapshot, blow: Blow) -> Steps[Blow | None]:
    """Return the blow that is still possible after an interruption: the declared one, or with another weapon.

    None if there is none: the facts about attacker or target explain it, or that the attack is lost.
    """
    attacker, target = blow.attacker, blow.target
    if standing(attacker, target) == before.stood:
        return blow
    if is_down(fight, attacker) or "dead" in target.conditions:
        return None
    try:
        refuse_impeded(fight, attacker, before.permitted)
        refuse_blow(fight, blow)
    except Refusal as lost:
        return (yield from strike_otherwise(fight, before.permitted, blow, lost))
    blow.distance = distance(attacker, target)
    return blow


def still_planned(
    fight: Fight, planned: Blow | Attempt, special: bool = False
) -> Steps[Blow | Attempt | None]:
    """Return a later attack of several if it is possible: as planned, or with another weapon; otherwise None.

    A special attack, which a blow may carry too (`special`), is not made with another weapon.
    """
    blow = planned.blow if type(planned) is Attempt else planned
    special = special or planned is not blow
    yield from draw_next(fight, blow)
    try:
        refuse_impeded(fight, blow.attacker, not special)
        if special:
            refuse_lost_weapon(fight, blow.attacker, blow.weapon)
        else:
            refuse_blow(fight, blow)
    except Refusal as lost:
        if not special:
            return (yield from strike_otherwise(fight, True, blow, lost))
        yield attack_is_lost(blow.attacker, lost, "the attempt")
        return None
    return planned


def refuse_blow(fight: Fight, blow: Blow) -> None:
    """Refuse a blow that is no longer possible: its weapon, the posture, the place, the line."""
    attacker, weapon = blow.attacker, blow.weapon
    refuse_lost_weapon(fight, attacker, weapon)
    again = fight.dialect.attacks.prepare(
        fight, attacker, blow.target, weapon, blow.intent.kind, thrown=not blow.melee
    )
    if again.melee != blow.melee:
        reason = f"{blow.target.id} is out of the {weapon.name}'s reach"
        raise Refusal(reason, fight.rule("blow.out-of-reach"))


def strike_otherwise(fight: Fight, permitted: bool, blow: Blow, lost: Refusal) -> Steps[Blow | None]:
    """Let an attacker that has lost its weapon attack with another one; return that blow, None for none."""
    attacker = blow.attacker

    def making(weapon: Weapon) -> Blow:
        return fight.dialect.attacks.prepare(fight, attacker, blow.target, weapon, blow.intent.kind)

    made = yield from another_blow(fight, attacker, blow.weapon, making, lost, permitted)
    if made is not None:
        made.attack_extra += [part for part in blow.attack_extra if part.source not in KINDS_OF_DAMAGE]
    return made


def blow_at_end(
    fight: Fight, attacker: Combatant, weapon: Weapon, making: Callable[[Weapon], Blow]
) -> Steps[Blow | None]:
    """Return the blow at the end of a movement, with that weapon or another in hand; None if it is lost.

    `making` prepares it from the positions then, or refuses it.
    """
    try:
        refuse_impeded(fight, attacker, False)
        refuse_lost_weapon(fight, attacker, weapon)
        return making(weapon)
    except Refusal as lost:
        return (yield from another_blow(fight, attacker, weapon, making, lost, False))


def another_blow(
    fight: Fight,
    attacker: Combatant,
    weapon: Weapon,
    making: Callable[[Weapon], Blow],
    lost: Refusal,
    permitted: bool,
) -> Steps[Blow | None]:
    """Ask which weapon an attacker uses instead; return that blow, None if the attack is lost.

    It attacks with a weapon already in hand, or the bare hand; a combatant that cannot act attacks with none.
    """
    others: dict[str, Blow] = {}
    for one in (*held_weapons(attacker), unarmed(fight, attacker)):
        if one.name != weapon.name and one.name not in others:
            with suppress(Refusal):
                refuse_impeded(fight, attacker, permitted)
                others[one.name] = making(one)
    if others:
        question = f"{lost.reason}: with what does {attacker.id} strike instead?"
        armed = [name for name, one in others.items() if one.weapon.wield != "unarmed"]
        bare = [name for name in others if name not in armed]
        answer = yield Choice(attacker.id, "instead", question, (*armed, GIVEN_UP, *bare), lost.rule)
        if answer in others:
            return others[answer]
    yield attack_is_lost(attacker, lost)
    return None


# --- A full round to line up a blow at an unattended object
# srd35.object.ac, futurepath.object.attack.full-round-immobile.

TOPIC: Final = "object.ac"


def attack_object_carefully(
    fight: Fight, act: acts.Attack, prepare: Callable[..., Blow] | None = None
) -> Steps[None]:
    """Attack an object with a full round's care: in melee that hits automatically, at range it gives a bonus.

    `prepare` makes the blow, by default the dialect's. Not against a carried or worn item, which moves with
    its bearer (srd35.object.ac, futurepath.object.attack.full-round-immobile).
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule(TOPIC)
    refuse_unless_allowed(fight, actor, "full-round")
    if target.sheet.thing is None or trait_detail(target, "carried by"):
        raise Refusal(f"{target.id} is no unattended object", rule)
    weapon = find_weapon(fight, actor, act.weapon)
    making = prepare or fight.dialect.attacks.prepare
    blow = making(fight, actor, target, weapon, "attack", thrown=act.thrown, nonlethal=act.nonlethal)
    yield ActionSpent(who=actor.id, kind="full-round", what="line up a blow", cites=(rule,))
    if blow.melee:
        yield from hit_automatically(fight, blow)
        return
    blow.attack_extra.append(fight.modifier(TOPIC, "aim_ranged", kind="circumstance", source="lined up"))
    yield from fight.dialect.attacks.deliver(fight, blow, fight.declaration)


def hit_automatically(fight: Fight, blow: Blow) -> Steps[None]:
    """Hit without a roll, and deal the damage."""
    yield AttackResolved(
        attacker=blow.attacker.id,
        target=blow.target.id,
        weapon=blow.weapon.name,
        mode="melee",
        against=blow.intent.against,
        key="",
        natural=0,
        total=0,
        needed=0,
        result="hit",
        why="a blow lined up for a full round hits a thing",
        attack=(),
        defense=(),
        cites=fight.rules(TOPIC),
    )
    yield from fight.dialect.damage.deal(fight, blow, False)


# --- The same blow at another target, for cleaving feats


def next_blow(fight: Fight, blow: Blow, target: Combatant) -> Blow | None:
    """Return the same blow at another target in reach, None if it cannot be made."""
    if target is blow.target or is_down(fight, target):
        return None
    try:
        found = fight.dialect.attacks.prepare(fight, blow.attacker, target, blow.weapon, blow.intent.kind)
    except Refusal:
        return None
    if not found.melee:
        return None
    found.intent = replace(found.intent, nonlethal=blow.intent.nonlethal)
    found.attack_extra = list(blow.attack_extra)
    return found


# --- Several arrows on one roll: the damage of those after the first (srd35.feat.manyshot, pf1.feat.manyshot)


def further_arrows(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """Deal the damage of the arrows after the first on one roll.

    Precision damage and a critical hit apply to the first one only, damage reduction applies to each
    (srd35.feat.manyshot, pf1.feat.manyshot).
    """
    for _ in range(1, blow.intent.arrows - blow.outcome.deflected):
        if "dead" not in blow.target.conditions:
            intent = replace(blow.intent, arrows=1, further_arrow=True)
            damage = replace(blow.damage, cites=(*blow.damage.cites, fight.rule("feat.manyshot")))
            yield from fight.dialect.damage.deal(fight, replace(blow, intent=intent, damage=damage), False)


# --- Shots and throws at a place instead of a creature: a grid corner, a square, an area


def roll_attack_at_place(fight: Fight, blow: Blow, where: str, against: str, needed: int) -> Steps[bool]:
    """Roll a ranged attack at a place: a corner, a square, an area; return whether it reaches `needed`.

    The blow has its attacker as target, and cites the rules by which it is made (srd35.splash.intersection,
    futurepath.attack.thrown-explosive.beyond-increment, futurepath.attack.autofire.roll).
    """
    parts = (
        *fight.dialect.attacks.attack_bonus(fight, blow),
        *blow.attack_extra,
        *fight.dialect.gear.corner_situation(fight, blow),
    )
    tally = fight.stack(parts)

    def judge(key: str, natural: int) -> AttackResolved:
        total = natural + tally.total
        hit = not tally.failed and reaches_or_natural(fight, natural, total, needed)
        return AttackResolved(
            attacker=blow.attacker.id,
            target=where,
            weapon=blow.weapon.name,
            mode="ranged",
            against=against,
            key=key,
            natural=natural,
            total=total,
            needed=needed,
            result="hit" if hit else "miss",
            why=f"{total} {'reaches' if hit else 'falls short of'} {needed}",
            attack=tally.parts,
            defense=(),
            cites=tuple(dict.fromkeys((*blow.cites, *tally.cites))),
        )

    fact: AttackResolved = yield from judged(
        blow.attacker.id, "attack", judge, fight.dialect.attacks.test_dice(fight, blow.attacker, "attack")
    )
    return fact.result == "hit"


# --- Moving, attacking and moving on in one action: Spring Attack and Shot on the Run

SPRING, SHOT = "spring attack", "shot on the run"


def move_and_strike(fight: Fight, act: acts.Skirmish, weapon: Weapon, feat: str, rule: str) -> Steps[None]:
    """Go the first part of the path, attack, and go on, by a feat and its rule; all is found legal already.

    The target of a melee attack gets no attack of opportunity for it (srd35.feat.spring-attack,
    srd35.feat.shot-on-the-run, pf1.feat.spring-attack, pf1.feat.shot-on-the-run).
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    melee = strikes_in_melee(weapon)
    spared = melee and any(
        endangers(fight, target, actor, at) for at in (actor.at, *act.path, *act.onward[:-1])
    )
    if spared:
        what = f"moving and attacking provokes nothing from {target.id}"
        yield RuleApplied(who=actor.id, what=what, cites=(rule,))

    def spare(step: int, enemy: Combatant) -> bool:
        return melee and enemy is target

    stop = (actor.at, *act.path)[-1]
    if act.path and not (
        yield from fight.dialect.movement.walk(fight, actor, act.path, feat, rule, spare=spare)
    ):
        return
    making = partial(fight.dialect.attacks.prepare, fight, actor, target, kind="attack")
    blow = yield from fight.dialect.attacks.blow_at_end(fight, actor, weapon, making)
    if blow is not None:
        yield from fight.dialect.attacks.deliver(fight, blow, fight.declaration)
    yield from continue_walk(fight, actor, act.onward, feat, rule, here=stop, spare=spare)
