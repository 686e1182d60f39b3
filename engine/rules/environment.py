"""Environment: hazards, wind, water, and the game master's descriptions of a place."""

from functools import partial
from typing import Final

from affray.engine.fight.fight import Fight, is_down
from affray.engine.kernel.places import refuse_apart
from affray.engine.record.blow import Blow, Harm
from affray.engine.record.chapters import ConditionRule, Danger
from affray.engine.rules.classes.abilities import lowered, score_now
from affray.engine.rules.classes.checks import check, saving_throw
from affray.engine.rules.classes.sheets import ability, nature_among
from affray.engine.rules.conditions.conditions import SUFFOCATION, apply_fear_condition, immunity_to
from affray.engine.rules.damage.injury import change_health, hit_points_set
from affray.engine.rules.turns.actions import spending
from affray.engine.steps import Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, ResourceSpent, Until
from affray.events.facts.sheet import Modifier, Spell
from affray.projections.state import Combatant

# --- Holding one's breath, and drowning (srd35.hazard.drown, pf1.hazard.ref)

TOPIC: Final = "hazard.drown"
HOLDING, DROWNING = "holding its breath", "drowning"
#: The record of the hit points that suffocation took from a creature with fast healing.
STIFLED: Final = "hit points lost by suffocation"
#: Kinds of creatures without Constitution, even if the sheet does not say so.
LIFELESS: Final = ("undead", "construct")


def take_air(fight: Fight, target: Combatant, act: acts.Expose) -> Steps[None]:
    """Deprive a creature of air; one without Constitution, as undead, needs none.

    srd35.hazard.drown, pf1.hazard.ref.
    """
    if not needs_air(fight, target):
        raise Refusal(f"{target.id} needs no air", fight.rule(TOPIC))
    yield from begin_holding_breath(fight, target, act.degree or "no air")


def needs_air(fight: Fight, target: Combatant) -> bool:
    """Return whether a creature breathes: not without Constitution, as undead, or immune to suffocation.

    srd35.hazard.drown, pf1.hazard.ref.
    """
    needless = target.sheet.abilities.con is None or nature_among(target, LIFELESS)
    return not needless and not immunity_to(fight, target, SUFFOCATION)


def give_air(fight: Fight, target: Combatant, degree: str) -> Steps[None]:
    """Let a combatant breathe again once it is out of the water or the other cause is gone."""
    yield from breathe(fight, target, "in the air again")


def begin_holding_breath(fight: Fight, combatant: Combatant, source: str) -> Steps[None]:
    """Begin to hold one's breath; the level of the condition counts the rounds used up."""
    if HOLDING not in combatant.conditions and DROWNING not in combatant.conditions:
        yield ConditionGained(who=combatant.id, condition=HOLDING, source=source, cites=(fight.rule(TOPIC),))


def breathe(fight: Fight, combatant: Combatant, why: str) -> Steps[None]:
    """Come back to the air."""
    for name in (HOLDING, DROWNING):
        if name in combatant.conditions:
            yield ConditionLost(who=combatant.id, condition=name, why=why, cites=(fight.rule(TOPIC),))


def breath_in_rounds(fight: Fight, combatant: Combatant) -> int:
    """Return for how many rounds a creature can hold its breath: twice its Constitution."""
    return fight.formula(TOPIC, "breath_rounds") * (score_now(fight, combatant, "con") or 0)


def use_up_breath(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Use up a round of breath; after the last, make a Constitution check of a rising DC each round."""
    state = combatant.conditions[HOLDING]
    used, most = state.level, breath_in_rounds(fight, combatant)
    rule = fight.rule(TOPIC)
    if used >= most:
        dc = fight.figure(TOPIC, "dc") + (used - most) * fight.figure(TOPIC, "dc_step")
        parts = [Modifier(ability(combatant.sheet, "con"), "ability", "Constitution", rule)]
        parts += lowered(fight, combatant, "con")
        parts += fight.dialect.environment.hardy(fight, combatant)
        if not (
            yield from check(fight, combatant, "constitution", parts, dc, rule, why="holding its breath")
        ):
            yield ConditionLost(who=combatant.id, condition=HOLDING, why="begins to drown", cites=(rule,))
            yield ConditionGained(who=combatant.id, condition=DROWNING, source=state.source, cites=(rule,))
            yield from drop_to_stage(fight, combatant, fight.formula(TOPIC, "stages", 0), "unconscious")
            return
    yield ConditionGained(
        who=combatant.id, condition=HOLDING, source=state.source, level=used + 1, cites=(rule,)
    )


def use_up_breath_by_exertion(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Use up breath by a standard or full-round action: a round less is left."""
    state = combatant.conditions[HOLDING]
    most = breath_in_rounds(fight, combatant)
    if (combatant.spent.get("standard") or combatant.spent.get("full-round")) and state.level < most:
        level = min(most, state.level + fight.figure(TOPIC, "per_action"))
        yield ConditionGained(
            who=combatant.id, condition=HOLDING, source=state.source, level=level, cites=(fight.rule(TOPIC),)
        )


def drown(fight: Fight, victim: Combatant) -> Steps[None]:
    """Drown: unconscious at 0 hit points, in the next round dying at -1, in the third dead."""
    state = victim.conditions[DROWNING]
    if state.level == 0:
        yield ConditionGained(
            who=victim.id, condition=DROWNING, source=state.source, level=1, cites=(fight.rule(TOPIC),)
        )
        yield from drop_to_stage(fight, victim, fight.formula(TOPIC, "stages", 1), "dying")
    else:
        yield from change_health(fight, victim, "dead", "drowned", TOPIC)


def drop_to_stage(fight: Fight, victim: Combatant, hp: int, state: str) -> Steps[None]:
    """Drop to the hit points of a stage of drowning, and into its state."""
    if victim.hp > hp:
        lost = victim.hp - hp
        yield hit_points_set(victim, hp, "drowning", fight.rule(TOPIC))
        if victim.sheet.fast_healing:
            yield ResourceSpent(who=victim.id, resource=STIFLED, amount=lost, cites=(fight.rule(TOPIC),))
    yield from change_health(fight, victim, state, "drowning", TOPIC)


DROWNING_CONDITIONS: Final = {
    HOLDING: ConditionRule(TOPIC, each_turn=use_up_breath, turn_over=use_up_breath_by_exertion),
    DROWNING: ConditionRule(TOPIC, each_turn=drown),
}


# --- Damage from the surroundings, and damage that continues from turn to turn
# srd35.hazard.*, pf1.hazard.ref.

BURNING, SEARED = "burning", "still burning with lava"
#: Liquids: their conditions, figures, and kinds of damage.
LIQUIDS: Final = {
    "acid": ("in acid", "acid", "acid"),
    "lava": ("in lava", "lava", "fire"),
    "boiling water": ("in boiling water", "boiling", "fire"),
}
#: Damage that continues from turn to turn: the conditions, and the names of the damage.
GOES_ON: Final = {
    BURNING: "burning",
    SEARED: "lava",
    **{name: liquid for liquid, (name, _, _) in LIQUIDS.items()},
}
CONCENTRATION: Final = "skill.concentration-table"


def deal_hazard_damage(
    fight: Fight, target: Combatant, notation: str, kind: str, source: str, rule: str, nonlethal: bool = False
) -> Steps[None]:
    """Roll the damage of the surroundings and deal it, less the target's resistance."""
    rolled = yield Roll("", "hazard", notation)
    harm = Harm(target, rolled.total, kind, source, nonlethal=nonlethal, energy=bool(kind), cites=(rule,))
    harm.amount, _ = fight.dialect.damage.reduce(fight, harm)
    harm.cites += harm.reduced_by
    dealt = harm.amount
    yield from fight.dialect.damage.suffer(fight, harm)
    if source in GOES_ON.values():
        last = last_damage(source)
        change = dealt - target.resources.get(last, 0)
        if change:
            yield ResourceSpent(who=target.id, resource=last, amount=change, cites=(rule,))


def last_damage(source: str) -> str:
    """Return the name under which the last damage of a lasting danger is recorded."""
    return f"last damage of {source}"


def hindering_hazards(fight: Fight, caster: Combatant, spell: Spell) -> list[tuple[str, str, int]]:
    """Return how lasting damage hinders casting: by half of the last amount.

    srd35.skill.concentration-table, pf1.cast.concentration-table.
    """
    found = []
    for name, source in GOES_ON.items():
        dealt = caster.resources.get(last_damage(source), 0) if name in caster.conditions else 0
        if dealt:
            dc = fight.formula(CONCENTRATION, "case=continuous damage", "dc") + dealt // 2
            found.append((f"hurt by {source}", CONCENTRATION, dc + spell.level))
    return found


# --- Catching fire, burning, and putting out flames (srd35.hazard.fire, pf1.hazard.ref)

FIRE: Final = "hazard.fire"
"""srd35.hazard.fire, pf1.hazard.ref."""


def catch_fire(fight: Fight, target: Combatant, act: acts.Expose) -> Steps[None]:
    """Set a combatant on fire unless a Reflex save avoids it: 1d6 at once.

    srd35.hazard.fire, pf1.hazard.ref.
    """
    rule = fight.rule(FIRE)
    if (yield from saving_throw(fight, target, "ref", fight.figure(FIRE, "dc"), "catching fire", rule)):
        return
    yield ConditionGained(who=target.id, condition=BURNING, source="flames", cites=(rule,))
    yield from deal_hazard_damage(fight, target, fight.figure(FIRE, "damage"), "fire", "burning", rule)


def burn(fight: Fight, victim: Combatant) -> Steps[None]:
    """Burn for another round unless a save has put the flames out (srd35.hazard.fire, pf1.hazard.ref)."""
    rule = fight.rule(FIRE)
    if (yield from saving_throw(fight, victim, "ref", fight.figure(FIRE, "dc"), "burning", rule)):
        yield ConditionLost(who=victim.id, condition=BURNING, why="the flames go out", cites=(rule,))
        return
    yield from deal_hazard_damage(fight, victim, fight.figure(FIRE, "damage"), "fire", "burning", rule)


def find_burning_target(fight: Fight, act: acts.Extinguish, rule: str) -> Combatant:
    """Return whose flames are put out: the actor's own without a target. Refuses a target that is far or not
    burning.

    srd35.hazard.fire, pf1.hazard.ref, futurepath.action.extinguish-flames.
    """
    actor = fight.combatant(act.actor)
    target = fight.combatant(act.target) if act.target else actor
    if BURNING not in target.conditions:
        raise Refusal(f"{target.id} does not burn", rule)
    if target is not actor:
        refuse_apart(actor, target, rule)
    return target


def extinguish(fight: Fight, act: acts.Extinguish) -> Steps[None]:
    """Put out flames: water does so at once, rolling and smothering give a new save at +4.

    srd35.hazard.fire, pf1.hazard.ref.
    """
    actor, rule = fight.combatant(act.actor), fight.rule(FIRE)
    target = find_burning_target(fight, act, rule)
    yield spending(fight, actor, "full-round", "extinguish flames", rule)
    out = act.water
    if not out:
        bonus = fight.modifier(FIRE, "smother", kind="circumstance", source="smothering the flames")
        dc = fight.figure(FIRE, "dc")
        out = yield from saving_throw(fight, target, "ref", dc, "burning", rule, extra=(bonus,))
    if out:
        why = "doused" if act.water else "smothered"
        yield ConditionLost(who=target.id, condition=BURNING, why=why, cites=(rule,))


def doused(fight: Fight, target: Combatant) -> Steps[None]:
    """Put out the flames of a combatant in the water (srd35.hazard.fire, pf1.hazard.ref)."""
    if BURNING in target.conditions:
        cites = fight.rules(FIRE)
        yield ConditionLost(who=target.id, condition=BURNING, why="in water", cites=cites)


# --- Exposure by the game master to the dangers of a place; the combatant's turns apply the rest
# srd35.hazard.*, pf1.hazard.ref, pf1.hazard.water.

CLIMATE = "hazard.cold-heat"
"""srd35.hazard.cold-heat, pf1.hazard.ref."""


def expose_to_danger(fight: Fight, act: acts.Expose) -> Steps[None]:
    """Expose a combatant to a danger of its surroundings, or end that, by ruling."""
    target = fight.combatant(act.target)
    if "dead" in target.conditions:
        raise Refusal(f"{target.id} is dead already", fight.rule("cond.dead"))
    if act.over:
        yield from end_danger(fight, target, act.to)
    else:
        yield from fight.dialect.environment.dangers[act.to].begin(fight, target, act)


def end_danger(fight: Fight, target: Combatant, name: str) -> Steps[None]:
    """End the effects of a danger, and begin its aftermath, such as lava that burns on for a while."""
    danger = fight.dialect.environment.dangers[name]
    held = [condition for condition in danger.ends if condition in target.conditions]
    if not held and (danger.ends or danger.afterwards is None):
        raise Refusal(f"{target.id} is not exposed to {name}", fight.rule(danger.topic))
    degree = ""
    for condition in held:
        degree = target.conditions[condition].source
        yield ConditionLost(who=target.id, condition=condition, why=f"out of the {name}")
    if danger.afterwards is not None:
        yield from danger.afterwards(fight, target, degree)


def expose_to_climate(fight: Fight, target: Combatant, act: acts.Expose) -> Steps[None]:
    """Apply cold or heat to a combatant: one check for each span of time.

    srd35.hazard.cold-heat, pf1.hazard.ref.
    """
    if spared := fight.dialect.environment.untouched(fight, target, act.to):
        yield spared
        return
    rule = fight.rule(CLIMATE)
    counter = f"checks against {act.to}"
    before = target.resources.get(counter, 0)
    dc = fight.figure(CLIMATE, "dc") + before * fight.figure(CLIMATE, "dc_step")
    yield ResourceSpent(who=target.id, resource=counter, amount=1, cites=(rule,))
    extra = tuple(fight.dialect.environment.hardy(fight, target))
    if (yield from saving_throw(fight, target, "fort", dc, act.to, rule, extra=extra)):
        return
    yield from deal_hazard_damage(
        fight, target, fight.figure(CLIMATE, act.to), "", act.to, rule, nonlethal=True
    )
    if not is_down(fight, target) and "fatigued" not in target.conditions:
        tired = ConditionGained(who=target.id, condition="fatigued", source=act.to, cites=(rule,))
        yield from fight.dialect.conditions.gain(fight, tired)


# --- Combatants in the water, how, and whether that hinders them (srd35.hazard.water-combat,
# pf1.hazard.water)

COMBAT: Final = "hazard.water-combat"
"""srd35.hazard.water-combat, pf1.hazard.water."""

IN_WATER, OFF_BALANCE = "in water", "off balance"

#: How a combatant is in the water: on firm ground, swimming, or neither.
FOOTING, SWIMMING, ADRIFT = "footing", "swimming", "no footing"

FREE: Final = "freedom of movement"

#: Kinds of damage that water weakens, for any attacker.
SWUNG: Final = ("slashing", "bludgeoning")


def hindered_by_water(combatant: Combatant) -> bool:
    """Return whether water hinders a combatant's blows."""
    return IN_WATER in combatant.conditions and FREE not in combatant.sheet.traits


# --- Acid, lava and boiling water, touched or all around (srd35.hazard.lava-acid, pf1.hazard.ref)

LIQUID: Final = "hazard.lava-acid"
"""srd35.hazard.lava-acid, pf1.hazard.ref."""
DEGREES: Final = ("contact", "immersion")


def enter_liquid(fight: Fight, target: Combatant, act: acts.Expose) -> Steps[None]:
    """Touch or go under acid, lava or boiling water: damage now and each round.

    srd35.hazard.lava-acid, pf1.hazard.ref.
    """
    degree = act.degree or "contact"
    if degree not in DEGREES:
        raise Refusal(f"the exposure must be {' or '.join(DEGREES)}, not {degree!r}", fight.rule(LIQUID))
    name, _, _ = LIQUIDS[act.to]
    yield ConditionGained(who=target.id, condition=name, source=degree, cites=(fight.rule(LIQUID),))
    yield from corrode(fight, target, act.to)


def place_of(degree: str) -> int:
    """Return the place of a degree in the figures; a liquid given by its name alone is touched."""
    return DEGREES.index(degree) if degree in DEGREES else 0


def corrode(fight: Fight, victim: Combatant, liquid: str) -> Steps[None]:
    """Take a round's damage from a liquid that the combatant touches or is under."""
    name, path, kind = LIQUIDS[liquid]
    place = place_of(victim.conditions[name].source)
    yield from deal_hazard_damage(
        fight, victim, fight.figure(LIQUID, path, place), kind, liquid, fight.rule(LIQUID)
    )


def burn_on(fight: Fight, target: Combatant, degree: str) -> Steps[None]:
    """Burn on for 1d3 rounds after lava, for half its damage (srd35.hazard.lava-acid, pf1.hazard.ref)."""
    rolled = yield Roll("", "lava-rounds", fight.figure(LIQUID, "afterwards", "rounds"))
    yield ConditionGained(
        who=target.id, condition=SEARED, source=degree, level=rolled.total, cites=(fight.rule(LIQUID),)
    )


def smoulder(fight: Fight, victim: Combatant) -> Steps[None]:
    """Take half of lava's damage in a round after it."""
    rule = fight.rule(LIQUID)
    state = victim.conditions[SEARED]
    number, _, size = str(fight.figure(LIQUID, "lava", place_of(state.source))).partition("d")
    count = int(int(number) * fight.figure(LIQUID, "afterwards", "share"))
    yield from deal_hazard_damage(fight, victim, f"{count}d{size}", "fire", "lava", rule)
    if state.level > 1:
        yield ConditionGained(
            who=victim.id, condition=SEARED, source=state.source, level=state.level - 1, cites=(rule,)
        )
    else:
        yield ConditionLost(who=victim.id, condition=SEARED, why="burnt out", cites=(rule,))


DANGERS: Final = {
    liquid: Danger(LIQUID, enter_liquid, (name,), burn_on if liquid == "lava" else None)
    for liquid, (name, _, _) in LIQUIDS.items()
}
LIQUIDS_CONDITIONS: Final = {
    name: ConditionRule(LIQUID, each_turn=partial(corrode, liquid=liquid))
    for liquid, (name, _, _) in LIQUIDS.items()
} | {SEARED: ConditionRule(LIQUID, each_turn=smoulder)}
"""Contact with, or immersion in, something that burns or corrodes, and the aftermath of lava."""


# --- Heavy smoke: it chokes and conceals (srd35.hazard.smoke, pf1.hazard.ref)

SMOKE: Final = "hazard.smoke"
"""srd35.hazard.smoke, pf1.hazard.ref."""
IN_SMOKE, CHOKING = "in smoke", "choking"


def enter_smoke(fight: Fight, target: Combatant, act: acts.Expose) -> Steps[None]:
    """Put a combatant into heavy smoke: each turn takes a save against choking (srd35.hazard.smoke,
    pf1.hazard.ref).
    """
    yield ConditionGained(who=target.id, condition=IN_SMOKE, source="heavy smoke", cites=fight.rules(SMOKE))


def breathe_smoke(fight: Fight, victim: Combatant) -> Steps[None]:
    """Save against choking, at a DC that rises with each check; two choking rounds in a row deal damage."""
    if fight.dialect.environment.untouched(fight, victim, "smoke") is not None:
        return
    if immunity_to(fight, victim, SUFFOCATION):
        return
    rule = fight.rule(SMOKE)
    state = victim.conditions[IN_SMOKE]
    dc = fight.figure(SMOKE, "dc") + state.level * fight.figure(SMOKE, "dc_step")
    extra = tuple(fight.dialect.environment.hardy(fight, victim))
    saved = yield from saving_throw(fight, victim, "fort", dc, "heavy smoke", rule, extra=extra)
    yield ConditionGained(
        who=victim.id, condition=IN_SMOKE, source=state.source, level=state.level + 1, cites=(rule,)
    )
    choked = victim.conditions[CHOKING].level if CHOKING in victim.conditions else 0
    if saved:
        if choked:
            yield ConditionLost(who=victim.id, condition=CHOKING, why="catches its breath", cites=(rule,))
        return
    choked += 1
    until = Until("turn-end", victim.id, fight.state.round + 1)
    gained = ConditionGained(
        who=victim.id, condition=CHOKING, source="smoke", until=until, level=choked, cites=(rule,)
    )
    yield from apply_fear_condition(fight, gained)
    if choked % fight.figure(SMOKE, "rounds") == 0:
        notation, _, kind = fight.figure(SMOKE, "damage").partition(" ")
        yield from deal_hazard_damage(
            fight, victim, notation, "", "choking on smoke", rule, nonlethal=kind == "nonlethal"
        )


SMOKE_DANGER: Final = Danger(SMOKE, enter_smoke, (IN_SMOKE, CHOKING))
SMOKE_CONDITIONS: Final = {
    IN_SMOKE: ConditionRule(SMOKE, veils=(SMOKE, "miss_pct"), each_turn=breathe_smoke),
    CHOKING: ConditionRule(SMOKE, actions="none"),
}


# --- In the water: combatants on firm ground, swimming or drifting, and how they fight
# srd35.hazard.water-combat, pf1.hazard.water.


def into_water(fight: Fight, target: Combatant, act: acts.Expose) -> Steps[None]:
    """Put a combatant into the water, on its feet, swimming, or adrift and off balance; it puts out flames.

    srd35.hazard.water-combat, pf1.hazard.water.
    """
    rule = fight.rule(COMBAT)
    source = act.degree or FOOTING
    if source not in (FOOTING, SWIMMING, ADRIFT):
        raise Refusal(f"in water the degree is {FOOTING}, {SWIMMING}, {ADRIFT}, not {act.degree!r}", rule)
    yield ConditionGained(who=target.id, condition=IN_WATER, source=source, cites=(rule,))
    if source == ADRIFT and not target.sheet.swim and FREE not in target.sheet.traits:
        yield ConditionGained(who=target.id, condition=OFF_BALANCE, source=ADRIFT, cites=(rule,))
    yield from doused(fight, target)


def swung_in_water(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return water's penalty on the roll of a blow in it (srd35.hazard.water-combat, pf1.hazard.water)."""
    attacker = blow.attacker
    if not hindered_by_water(attacker) or not fight.dialect.environment.drags(fight, attacker, blow.weapon):
        return []
    return [fight.modifier(COMBAT, "attack", kind="penalty", source="in water")]


def off_balance_target(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the modifier of a roll against a target off balance in the water.

    srd35.hazard.water-combat, pf1.hazard.water.
    """
    source = f"{blow.target.id} off balance"
    return [fight.modifier(COMBAT, "off_balance_vs", kind="circumstance", source=source)]


def halve_in_water(fight: Fight, harm: Harm) -> Harm:
    """Halve the damage of a weapon that water drags on, before anything else reduces it.

    pf1.hazard.water.
    """
    halve_weapon_damage_in_water(fight, harm)
    return harm


def halve_weapon_damage_in_water(fight: Fight, harm: Harm) -> bool:
    """Halve the damage of a weapon that water drags on; return whether it does.

    srd35.hazard.water-combat, pf1.hazard.water.
    """
    attacker, weapon = harm.attacker, harm.weapon
    if attacker is None or weapon is None or not hindered_by_water(attacker):
        return False
    if not fight.dialect.environment.drags(fight, attacker, weapon):
        return False
    energy = sum(harm.energies.values())
    harm.amount = int((harm.amount - energy) * fight.figure(COMBAT, "damage")) + energy
    harm.reduced_by += (fight.rule(COMBAT),)
    return True


WATER_DANGER: Final = Danger(COMBAT, into_water, (IN_WATER, OFF_BALANCE), give_air)
LOSING_BALANCE: Final = ConditionRule(COMBAT, dexterity=False)
