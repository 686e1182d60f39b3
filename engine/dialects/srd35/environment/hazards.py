"""What surroundings do: the game master exposes somebody, its turns bring the rest (srd35.hazard.*)."""

from collections.abc import Callable, Mapping

from affray.engine.dialects.srd35.classes.endurance import endurance_parts
from affray.engine.dialects.srd35.conditions.immunities import is_spared_fortitude, spared_fortitude
from affray.engine.dialects.srd35.environment.drowning import breathe, without_air
from affray.engine.dialects.srd35.environment.water import IN_WATER, OFF_BALANCE, immersed
from affray.engine.dialects.srd35.environment.wind import WINDS, into_wind
from affray.engine.dialects.srd35.movement.speed import IN_DARKNESS
from affray.engine.fight.fight import Fight, is_down
from affray.engine.record.blow import Harm
from affray.engine.rules.classes.natures import nature_among
from affray.engine.rules.classes.saves_and_checks import saving_throw
from affray.engine.rules.conditions.condition_rules import come_over
from affray.engine.rules.gear.caltrops import among_caltrops
from affray.engine.rules.position.place import next_to
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, ResourceSpent, Until
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant

FIRE, LIQUID, SMOKE, CLIMATE, DARK = (
    "srd35.hazard.fire",
    "srd35.hazard.lava-acid",
    "srd35.hazard.smoke",
    "srd35.hazard.cold-heat",
    "srd35.hazard.darkness",
)
BURNING, IN_SMOKE, CHOKING, SEARED = ("burning", "in smoke", "choking", "still burning with lava")
#: Liquids: how they are called as a condition, their figures, and their kind of damage.
LIQUIDS = {
    "acid": ("in acid", "acid", "acid"),
    "lava": ("in lava", "lava", "fire"),
    "boiling water": ("in boiling water", "boiling", "fire"),
}
DEGREES = ("contact", "immersion")
#: Kinds of creatures that have no Constitution, whatever a sheet leaves unsaid.
LIFELESS = ("undead", "construct")
#: What goes on hurting from turn to turn: the conditions, and what the damage is called.
GOES_ON = {
    BURNING: "burning",
    SEARED: "lava",
    **{name: liquid for liquid, (name, _, _) in LIQUIDS.items()},
}
#: Dangers, with the topics of their rules.
TOPICS = {
    "fire": FIRE,
    **dict.fromkeys(LIQUIDS, LIQUID),
    "smoke": SMOKE,
    "no air": "srd35.hazard.drown",
    "cold": CLIMATE,
    "heat": CLIMATE,
    "wind": "srd35.hazard.wind-table",
    "water": "srd35.hazard.water-combat",
    "darkness": DARK,
    "caltrops": "srd35.gear.caltrops",
}


def expose_to_danger(fight: Fight, act: acts.Expose) -> Steps[None]:
    """Expose a combatant to a danger of its surroundings, or end that, by the game master's word."""
    target = fight.combatant(act.target)
    if "dead" in target.conditions:
        raise Refusal(f"{target.id} is dead", fight.rule("srd35.cond.dead"))
    if act.over:
        yield from end_danger(fight, target, act.to)
    else:
        yield from DANGERS[act.to](fight, target, act)


def end_danger(fight: Fight, target: Combatant, danger: str) -> Steps[None]:
    """End what a danger keeps doing; lava burns on for a while."""
    ends = {
        "fire": (BURNING,),
        "smoke": (IN_SMOKE, CHOKING),
        "wind": tuple(WINDS),
        "water": (IN_WATER, OFF_BALANCE),
        "darkness": (IN_DARKNESS,),
    }.get(danger, tuple(name for liquid, (name, _, _) in LIQUIDS.items() if liquid == danger))
    if not any(name in target.conditions for name in ends) and danger != "no air":
        raise Refusal(f"{target.id} is not exposed to {danger}", fight.rule(TOPICS[danger]))
    for name in ends:
        if name in target.conditions:
            degree = target.conditions[name].source
            yield ConditionLost(who=target.id, condition=name, why=f"out of the {danger}")
            if danger == "lava":
                yield from burn_on(fight, target, degree)
    if danger in ("no air", "water"):
        yield from breathe(fight, target, "in the air again")


def deal_hazard_damage(
    fight: Fight, target: Combatant, notation: str, kind: str, source: str, rule: str, nonlethal: bool = False
) -> Steps[None]:
    """Roll the damage of the surroundings and let it be suffered, less what the target resists."""
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
    """Return the name under which it is noted how much a danger that goes on dealt last."""
    return f"last damage of {source}"


def hindering_hazards(fight: Fight, caster: Combatant, spell: Spell) -> list[tuple[str, str, int]]:
    """Return how surroundings that go on hurting make casting hard: by half of what they dealt last.

    srd35.skill.concentration-table.
    """
    topic = "srd35.skill.concentration-table"
    found = []
    for name, source in GOES_ON.items():
        dealt = caster.resources.get(last_damage(source), 0) if name in caster.conditions else 0
        if dealt:
            dc = fight.formula(topic, "case=continuous damage", "dc") + dealt // 2
            found.append((f"hurt by {source}", topic, dc + spell.level))
    return found


def catch_fire(fight: Fight, target: Combatant, act: acts.Expose) -> Steps[None]:
    """Let somebody catch fire unless a Reflex save avoids it: 1d6 at once (srd35.hazard.fire)."""
    rule = fight.rule(FIRE)
    if (yield from saving_throw(fight, target, "ref", fight.figure(FIRE, "dc"), "catching fire", rule)):
        return
    yield ConditionGained(who=target.id, condition=BURNING, source="flames", cites=(rule,))
    yield from deal_hazard_damage(fight, target, fight.figure(FIRE, "damage"), "fire", "burning", rule)


def burn(fight: Fight, victim: Combatant) -> Steps[None]:
    """Burn for another round unless a save has put the flames out (srd35.hazard.fire)."""
    rule = fight.rule(FIRE)
    if (yield from saving_throw(fight, victim, "ref", fight.figure(FIRE, "dc"), "burning", rule)):
        yield ConditionLost(who=victim.id, condition=BURNING, why="the flames go out", cites=(rule,))
        return
    yield from deal_hazard_damage(fight, victim, fight.figure(FIRE, "damage"), "fire", "burning", rule)


def extinguish(fight: Fight, act: acts.Extinguish) -> Steps[None]:
    """Put out flames: water does so at once, rolling and smothering give another save at +4."""
    actor = fight.combatant(act.actor)
    target = fight.combatant(act.target) if act.target else actor
    rule = fight.rule(FIRE)
    if BURNING not in target.conditions:
        raise Refusal(f"{target.id} does not burn", rule)
    if target is not actor and not next_to(actor, target):
        raise Refusal(f"{actor.id} does not stand next to {target.id}", rule)
    yield spending(fight, actor, "full-round", "extinguish flames", rule)
    out = act.water
    if not out:
        bonus = fight.modifier(FIRE, "smother", kind="circumstance", source="smothering the flames")
        dc = fight.figure(FIRE, "dc")
        out = yield from saving_throw(fight, target, "ref", dc, "burning", rule, extra=(bonus,))
    if out:
        why = "doused" if act.water else "smothered"
        yield ConditionLost(who=target.id, condition=BURNING, why=why, cites=(rule,))


def into_liquid(fight: Fight, target: Combatant, act: acts.Expose) -> Steps[None]:
    """Touch or go under acid, lava or boiling water: damage now and each round (srd35.hazard.lava-acid)."""
    degree = act.degree or "contact"
    if degree not in DEGREES:
        raise Refusal(f"one is exposed by {' or '.join(DEGREES)}, not {degree!r}", fight.rule(LIQUID))
    name, _, _ = LIQUIDS[act.to]
    yield ConditionGained(who=target.id, condition=name, source=degree, cites=(fight.rule(LIQUID),))
    yield from corrode(fight, target, act.to)


def place_of(degree: str) -> int:
    """Return the place of a degree in the figures; a liquid that is said by its name alone is touched."""
    return DEGREES.index(degree) if degree in DEGREES else 0


def corrode(fight: Fight, victim: Combatant, liquid: str) -> Steps[None]:
    """Take a round's damage from a liquid one touches or is under."""
    name, path, kind = LIQUIDS[liquid]
    place = place_of(victim.conditions[name].source)
    yield from deal_hazard_damage(
        fight, victim, fight.figure(LIQUID, path, place), kind, liquid, fight.rule(LIQUID)
    )


def burn_on(fight: Fight, target: Combatant, degree: str) -> Steps[None]:
    """Burn on for 1d3 rounds after lava, for half its damage."""
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


def into_smoke(fight: Fight, target: Combatant, act: acts.Expose) -> Steps[None]:
    """Stand in heavy smoke: each turn brings a save against choking (srd35.hazard.smoke)."""
    yield ConditionGained(who=target.id, condition=IN_SMOKE, source="heavy smoke", cites=fight.rules(SMOKE))


def breathe_smoke(fight: Fight, victim: Combatant) -> Steps[None]:
    """Save against choking, at a DC that rises with each check; two choking rounds in a row do harm."""
    if is_spared_fortitude(fight, victim):
        return
    rule = fight.rule(SMOKE)
    state = victim.conditions[IN_SMOKE]
    dc = fight.figure(SMOKE, "dc") + state.level * fight.figure(SMOKE, "dc_step")
    extra = tuple(endurance_parts(fight, victim))
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
    yield from come_over(fight, gained)
    if choked % fight.figure(SMOKE, "rounds") == 0:
        notation, _, kind = fight.figure(SMOKE, "damage").partition(" ")
        yield from deal_hazard_damage(
            fight, victim, notation, "", "choking on smoke", rule, nonlethal=kind == "nonlethal"
        )


def take_air(fight: Fight, target: Combatant, act: acts.Expose) -> Steps[None]:
    """Take the air from a creature; one without Constitution, as undead, needs none (srd35.hazard.drown)."""
    if target.sheet.abilities.con is None or nature_among(target, LIFELESS):
        raise Refusal(f"{target.id} needs no air", fight.rule("srd35.hazard.drown"))
    yield from without_air(fight, target, act.degree or "no air")


def expose_to_climate(fight: Fight, target: Combatant, act: acts.Expose) -> Steps[None]:
    """Let cold or heat wear one down: one check for each span of time (srd35.hazard.cold-heat)."""
    if (yield from spared_fortitude(fight, target, act.to)):
        return
    rule = fight.rule(CLIMATE)
    counter = f"checks against {act.to}"
    before = target.resources.get(counter, 0)
    dc = fight.figure(CLIMATE, "dc") + before * fight.figure(CLIMATE, "dc_step")
    yield ResourceSpent(who=target.id, resource=counter, amount=1, cites=(rule,))
    extra = tuple(endurance_parts(fight, target))
    if (yield from saving_throw(fight, target, "fort", dc, act.to, rule, extra=extra)):
        return
    yield from deal_hazard_damage(
        fight, target, fight.figure(CLIMATE, act.to), "", act.to, rule, nonlethal=True
    )
    if not is_down(fight, target) and "fatigued" not in target.conditions:
        yield ConditionGained(who=target.id, condition="fatigued", source=act.to, cites=(rule,))


def into_water(fight: Fight, target: Combatant, act: acts.Expose) -> Steps[None]:
    """Stand or swim in water (srd35.hazard.water-combat); it puts out flames."""
    yield from immersed(fight, target, act.degree)
    if BURNING in target.conditions:
        cites = fight.rules(FIRE)
        yield ConditionLost(who=target.id, condition=BURNING, why="in water", cites=cites)


def into_darkness(fight: Fight, target: Combatant, act: acts.Expose) -> Steps[None]:
    """Leave somebody without light: blinded in effect, unless it has darkvision (srd35.hazard.darkness)."""
    rule = fight.rule(DARK)
    if any(trait.startswith("darkvision") for trait in target.sheet.traits):
        yield RuleApplied(who=target.id, what="sees in the dark", cites=(rule,))
        return
    yield ConditionGained(who=target.id, condition=IN_DARKNESS, source="no light", cites=(rule,))


Exposure = Callable[[Fight, Combatant, acts.Expose], Steps[None]]
DANGERS: Mapping[str, Exposure] = {
    "fire": catch_fire,
    "acid": into_liquid,
    "lava": into_liquid,
    "boiling water": into_liquid,
    "smoke": into_smoke,
    "no air": take_air,
    "cold": expose_to_climate,
    "heat": expose_to_climate,
    "wind": into_wind,
    "water": into_water,
    "darkness": into_darkness,
    "caltrops": among_caltrops,
}
