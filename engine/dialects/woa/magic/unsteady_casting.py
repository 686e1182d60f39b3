"""Casting in the air, in the water and from the saddle: what forbids a spell, and what may lose it.

woa.fly.spell.*, woa.water.spell.*, woa.water.fire.*, woa.mount.casting.
"""

from typing import NamedTuple

from affray.engine.dialects.woa.conditions.impeded_mobility import concentrate_in_bonds, is_in_bonds
from affray.engine.dialects.woa.environment import swim_and_drown, water
from affray.engine.dialects.woa.magic import concentration, unsteady_casting
from affray.engine.dialects.woa.movement import aloft
from affray.engine.dialects.woa.opportunity.reaction_budget import swift_cost
from affray.engine.dialects.woa.table_cells import cell
from affray.engine.fight.fight import Fight
from affray.engine.rules.attacks.miss_chance import percent_roll
from affray.engine.rules.classes.ability_modifiers import has_trait
from affray.engine.rules.classes.saves_and_checks import check, skill_parts
from affray.engine.rules.magic.known_spells import spell_of
from affray.engine.rules.magic.long_castings import CONCENTRATING, let_lapse
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, Until
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant

FIRE = "fire"
PHYSICAL = ("", "slashing", "piercing", "bludgeoning")
HALF, USUAL, NOTHING = "half", "as usual", "nothing"
LONG = ("full-round", "one-round")
#: The condition of who casts this round.
CASTING = "casting"


def refuse_unsteady_casting(fight: Fight, caster: Combatant, act: acts.Cast) -> None:
    """Refuse words under water and fire through its surface.

    woa.water.spell.verbal, woa.water.fire.line-of-effect.
    """
    spell = next((one for one in caster.sheet.spells if one.name == act.spell), None)
    if spell is None:
        return
    under = water.is_under(caster)
    spoken = "verbal" in spell.components and not spell.ability
    if under and spoken and not has_trait(caster, water.GILLS) and not caster.sheet.swim:
        raise Refusal(f"{caster.id} cannot speak under water", fight.rule("woa.water.spell.verbal"))
    if spell.damage_type == FIRE and not spell.area:
        for id in act.targets:
            if water.is_under(fight.combatant(id)) != under:
                raise Refusal(
                    f"the surface of the water stops fire between {caster.id} and {id}",
                    fight.rule("woa.water.fire.line-of-effect"),
                )


def check_in_air_or_water(fight: Fight, caster: Combatant, spell: Spell) -> Steps[bool]:
    """Check whether a spell that is being cast is lost to the air or the water; return whether it is.

    The rules speak of spells: what a creature can do by its nature takes no such effort.
    """
    if spell.ability:
        return False
    motion = motion_of_mount(fight, caster)
    if motion is not None and (yield from is_lost_to_motion(fight, caster, spell, motion)):
        return True
    if aloft.is_flying(caster) and (yield from cast_in_air(fight, caster, spell)):
        return True
    return bool(water.depth_of(caster)) and (yield from cast_in_water(fight, caster, spell))


def check_concentration_at(
    fight: Fight, caster: Combatant, spell: Spell, dc: int, *cites: str, why: str
) -> Steps[bool]:
    """Make a concentration check; return whether the spell is lost.

    Reading a scroll takes concentration just as casting does (woa.device.scroll-concentration).
    """
    parts = concentration.concentration_parts(fight, caster)
    read = fight.rules("woa.device.scroll-concentration") if spell.item == "scroll" else ()
    rules = (*fight.rules("woa.spell.concentration-check"), *cites, *read)
    kept = yield from check(fight, caster, "concentration", parts, dc, *rules, why=why)
    if not kept:
        told = f"{spell.name} is lost"
        calm = aloft.is_flying(caster) and aloft.kind_of_flight(caster) == aloft.BUOYANT
        floats = fight.rules("woa.fly.buoyant.attack-cast") if calm else ()
        what = f"{told}, {caster.id} stays in the air" if calm else told
        yield RuleApplied(who=caster.id, what=what, cites=(fight.rule("woa.spell.fizzle"), *floats))
    return not kept


def per_level(fight: Fight, topic: str) -> int:
    """Return what each level of a spell adds to a DC such as "base_dc + 2 * spell_level"."""
    return int(str(fight.figure(topic, "formula")).split(" + ")[1].split()[0])


class Motion(NamedTuple):
    """What makes concentrating hard: the DC, what each level of the spell adds to it, and by which rules."""

    base: int
    per_level: int
    why: str
    cites: tuple[str, ...]


def motion_of_mount(fight: Fight, caster: Combatant) -> Motion | None:
    """Return how hard a mount makes concentrating that moves this round, harder if it runs.

    woa.mount.casting.
    """
    steed = fight.state.combatants.get(caster.mount)
    row = pace_of(steed) if steed is not None else ""
    if steed is None or not row:
        return None
    return Motion(*numbers_of(fight, row), f"{steed.id} {row}", fight.rules("woa.mount.casting"))


def motion_in_air(fight: Fight, caster: Combatant, hovers: bool = False) -> Motion:
    """Return how hard flight makes concentrating; a long casting `hovers` (woa.fly.spell.concentration)."""
    topic, kind = "woa.fly.spell.concentration", aloft.kind_of_flight(caster)
    if kind == aloft.BUOYANT:
        base = int(fight.figure(topic, "base_dc", "buoyant"))
    else:
        base = in_flight(fight, aloft.HOVER if hovers else aloft.last_done_in_air(caster))
    cites = fight.rules(topic, *(("woa.fly.powered.athletics",) if kind == aloft.POWERED else ()))
    return Motion(base, per_level(fight, topic), "casting in the air", cites)


def is_lost_to_motion(fight: Fight, caster: Combatant, spell: Spell, motion: Motion) -> Steps[bool]:
    """Check concentration against a motion; return whether the spell is lost."""
    dc = motion.base + motion.per_level * spell.level
    return (yield from check_concentration_at(fight, caster, spell, dc, *motion.cites, why=motion.why))


def pace_of(steed: Combatant) -> str:
    """Return the row of the rule on casting for the way a mount has gone this round, "" if it has not."""
    if not steed.spent.get("feet"):
        return ""
    return "runs (quadruple speed)" if steed.spent.get("rush") else "moves at normal speed"


def numbers_of(fight: Fight, row: str) -> tuple[int, int]:
    """Return the DC of casting from a mount, and what each level of the spell adds to it."""
    words = str(fight.figure("woa.mount.casting", f"mount_movement={row}", "concentration_dc")).split()
    return int(words[0]), int(words[2])


def dc_of_motion(fight: Fight, combatant: Combatant) -> tuple[int, int]:
    """Return (DC, more for each level) of concentrating on a mount or in powered flight as it is now.

    (0, 0) where nothing of the kind asks for it.
    """
    motion = motion_of_mount(fight, combatant)
    if motion is None and not combatant.mount and aloft.is_flying(combatant):
        motion = motion_in_air(fight, combatant) if aloft.kind_of_flight(combatant) != aloft.BUOYANT else None
    return (motion.base, motion.per_level) if motion is not None else (0, 0)


def in_flight(fight: Fight, what: str) -> int:
    """Return the DC, before the spell's level, of concentrating on a way of powered flight."""
    found = cell(fight, "woa.fly.powered.athletics", f"flight={what}", "concentration")
    return int(found.value if found else fight.figure("woa.fly.spell.concentration", "base_dc", "powered", 0))


def shaken_since(fight: Fight, caster: Combatant, spell: Spell) -> Steps[bool]:
    """Check whether a spell under way is lost to motion that came after the casting; return whether it is.

    The round counts as a whole: to cast first and ride or fly afterwards is no easier (woa.mount.casting,
    woa.fly.spell.concentration). The level of "casting" is the DC that was met already.
    """
    casting = caster.conditions.get(CASTING)
    base, per = dc_of_motion(fight, caster)
    if casting is None or spell.ability or base <= casting.level:
        return False
    topic = "woa.mount.casting" if caster.mount else "woa.fly.spell.concentration"
    rules = fight.rules("woa.spell.concentration-check", topic)
    until, source = casting.until, casting.source
    yield ConditionGained(
        who=caster.id, condition=CASTING, source=source, until=until, level=base, cites=rules
    )
    parts, why = concentration.concentration_parts(fight, caster), "motion after the casting"
    return not (
        yield from check(fight, caster, "concentration", parts, base + per * spell.level, *rules, why=why)
    )


def cast_in_air(fight: Fight, caster: Combatant, spell: Spell) -> Steps[bool]:
    """Keep hovering through a long casting, and concentrate in the air; return whether the spell is lost.

    woa.fly.spell.full-round-hover, woa.fly.spell.concentration.
    """
    hovers = spell.casting in LONG and aloft.kind_of_flight(caster) != aloft.BUOYANT
    if hovers and not (yield from hover_or_fall(fight, caster)):
        return False
    return (yield from is_lost_to_motion(fight, caster, spell, motion_in_air(fight, caster, hovers)))


def hover_or_fall(fight: Fight, combatant: Combatant) -> Steps[bool]:
    """Hover as a swift action for the length of a casting, or fall; return which (woa.fly.spell.*)."""
    topic = "woa.fly.spell.full-round-hover"
    rule = fight.rule(topic)
    yield swift_cost(fight, combatant, rule, *fight.rules("woa.action-type.swift-cost"))
    parts = skill_parts(fight, combatant, "athletics", "str", rule)
    dc = fight.figure(topic, "dc")
    done = yield from check(fight, combatant, "athletics", parts, dc, rule, why="to hover while casting")
    if not done:
        yield RuleApplied(who=combatant.id, what="falls out of the air", cites=(rule,))
        yield from fight.dialect.movement.fall(fight, combatant, aloft.height_aloft(combatant))
    return done


def cast_in_water(fight: Fight, caster: Combatant, spell: Spell) -> Steps[bool]:
    """Cast in the water, as far as its parts can be had there; return whether the spell is lost.

    woa.water.spell.verbal, .material, .somatic, .aquatic-casters.
    """
    under, parts = water.is_under(caster), spell.components
    if caster.sheet.swim and under and ("verbal" in parts or "somatic" in parts):
        rule = fight.rule("woa.water.spell.aquatic-casters")
        yield RuleApplied(who=caster.id, what="casts unhindered under water", cites=(rule,))
    if under and "material" in parts and (yield from component_spoiled(fight, caster, spell)):
        return True
    if caster.sheet.swim:
        return False
    if under and "verbal" in parts and (yield from garbled_by_water(fight, caster, spell)):
        return True
    found = swim_and_drown.swim_dc(fight, caster)
    if "somatic" not in parts or found is None or water.SWIMMING not in caster.conditions:
        return False
    topic = "woa.water.spell.somatic"
    dc = found[0] + per_level(fight, topic) * spell.level
    cites = (fight.rule(topic), *found[1])
    return (yield from check_concentration_at(fight, caster, spell, dc, *cites, why="casting in the water"))


def component_spoiled(fight: Fight, caster: Combatant, spell: Spell) -> Steps[bool]:
    """Ask the game master whether water ruins the material component (woa.water.spell.material)."""
    rule = fight.rule("woa.water.spell.material")
    question = f"does the water ruin what {caster.id} needs for {spell.name}?"
    if (yield Choice("", "material", question, ("ruined", "usable"), rule)) != "ruined":
        return False
    yield RuleApplied(who=caster.id, what=f"{spell.name} is lost: its component is ruined", cites=(rule,))
    return True


def garbled_by_water(fight: Fight, caster: Combatant, spell: Spell) -> Steps[bool]:
    """Roll whether words spoken under water ruin the spell (woa.water.spell.verbal)."""
    topic = "woa.water.spell.verbal"
    percent = fight.figure(topic, "with_water_breathing_failure_percent")
    why, rule = f"{percent}% to ruin {spell.name}", fight.rule(topic)
    return (
        yield from percent_roll(
            caster, "words under water", percent, why, rule, hoped=False, purpose="garbled"
        )
    )


def reflex_parts(fight: Fight, caster: Combatant, spell: Spell, target: Combatant) -> list[Modifier]:
    """Return what the water adds to a Reflex save against an area attack from above it.

    woa.water.area-effects.
    """
    if not water.is_under(target) or water.is_under(caster) or spell.damage_type not in PHYSICAL:
        return []
    return [fight.modifier("woa.water.area-effects", "reflex", kind="circumstance", source="under water")]


def is_stopped_by_surface(fight: Fight, caster: Combatant, spell: Spell, target: Combatant) -> Steps[bool]:
    """Say whether the surface of the water stops a fire spell (woa.water.fire.line-of-effect)."""
    if spell.damage_type != FIRE or water.is_under(target) == water.is_under(caster):
        return False
    rule = fight.rule("woa.water.fire.line-of-effect")
    yield RuleApplied(who=target.id, what=f"the water's surface stops {spell.name}", cites=(rule,))
    return True


def effect_left_by_water(fight: Fight, caster: Combatant, spell: Spell, target: Combatant) -> Steps[str]:
    """Return what water leaves of a spell's effect on its target: "as usual", "half" or "nothing".

    The surface stops fire; how far fire under water, and a strange area from above, are weakened is the
    game master's to say (woa.water.fire.*, woa.water.area-effects.magical).
    """
    if (yield from is_stopped_by_surface(fight, caster, spell, target)):
        return NOTHING
    under = water.is_under(target)
    if not under:
        return USUAL
    if spell.damage_type == FIRE:
        topic, options = "woa.water.fire.magical", (HALF, USUAL, NOTHING)
    elif spell.area and not water.is_under(caster) and spell.damage_type not in PHYSICAL:
        topic, options = "woa.water.area-effects.magical", (USUAL, HALF, NOTHING)
    else:
        return USUAL
    question = f"what is left of {spell.name} under water, at {target.id}?"
    verdict: str = yield Choice("", "dampened", question, options, fight.rule(topic))
    if verdict != USUAL:
        yield RuleApplied(
            who=target.id, what=f"{verdict} of {spell.name} is left under water", cites=fight.rules(topic)
        )
    return verdict


def own_spell(fight: Fight, caster: Combatant, name: str) -> Spell:
    """Return the spell of that name. Refuses one that the caster has not, or has no longer."""
    return spell_of(caster, name, fight.rule("woa.spell.casting-time"))


def occupy(fight: Fight, combatant: Combatant, source: str, *topics: str) -> Steps[None]:
    """Take away the combat reactions of the round from a combatant who casts or reads."""
    until = Until("round-end", "", fight.state.round)
    met = unsteady_casting.dc_of_motion(fight, combatant)[0] if combatant.mount or combatant.conditions else 0
    cites = fight.rules(*topics)
    yield ConditionGained(
        who=combatant.id, condition="casting", source=source, until=until, level=met, cites=cites
    )


def keep_concentrating(
    fight: Fight,
    caster: Combatant,
    level: int,
    name: str,
    kind: str,
    topic: str = "woa.spell.concentrate-maintain",
) -> Steps[bool]:
    """Concentrate for another round on what lasts so long; return whether it is kept up.

    An action of `kind` by the rule on `topic` that leaves no combat reactions. What makes casting hard makes
    this hard too: bonds, a mount that moves and flight, besides damage and maneuvers.

    woa.spell.concentrate-maintain, .concentrate-broken, .concentrate-no-reactions.
    """
    yield spending(fight, caster, kind, f"concentrate on {name}", fight.rule(topic))
    until = Until("round-end", "", fight.state.round)
    barred = (fight.rule("woa.spell.concentrate-no-reactions"),)
    yield ConditionGained(who=caster.id, condition="upholding", source=name, until=until, cites=barred)
    rule = fight.rule("woa.spell.concentrate-broken")
    lost = yield from concentration.check_concentration(fight, caster, level, name, rule)
    if not lost and (caster.conditions or caster.mount):
        lost = yield from is_unsettled_by_place(fight, caster, level, rule)
    if lost:
        yield from let_lapse(fight, caster, "concentration is broken", rule)
        return False
    kept = caster.conditions[CONCENTRATING]
    cites = (fight.rule(topic),)
    yield ConditionGained(
        who=caster.id,
        condition=CONCENTRATING,
        source=kept.source,
        until=Until("turn-end", caster.id, fight.state.round + 1),
        level=kept.level,
        cites=cites,
    )
    return True


def is_unsettled_by_place(fight: Fight, caster: Combatant, level: int, rule: str) -> Steps[bool]:
    """Check whether bonds, the saddle or the air break a caster's concentration; return whether they do."""
    parts = concentration.concentration_parts(fight, caster)
    if is_in_bonds(caster) and not (yield from concentrate_in_bonds(fight, caster, level, parts, rule)):
        return True
    motions = [motion_of_mount(fight, caster)]
    if aloft.is_flying(caster):
        motions.append(motion_in_air(fight, caster)._replace(why="concentrating in the air"))
    for motion in filter(None, motions):
        dc = motion.base + motion.per_level * level
        rules = (*fight.rules("woa.spell.concentration-check"), *motion.cites, rule)
        if not (yield from check(fight, caster, "concentration", parts, dc, *rules, why=motion.why)):
            return True
    return False
