"""Implement concentration: disturbances, the checks that keep it, and spells that last as long as it does.

woa.spell.concentration-*, woa.spell.damage-concentration, woa.spell.maneuver-concentration,
woa.spell.concentrate-*
"""

import re
from typing import NamedTuple

from affray.engine.dialects.woa.conditions.impediments import (
    concentrate_in_bonds,
    concentration_of_jarred,
    is_in_bonds,
)
from affray.engine.dialects.woa.environment import environment
from affray.engine.dialects.woa.environment.environment import SWIMMING, depth_of
from affray.engine.dialects.woa.movement import speed
from affray.engine.dialects.woa.opportunity.reaction_budget import swift_cost
from affray.engine.dialects.woa.table_cells import cell
from affray.engine.fight.fight import Fight
from affray.engine.kernel.places import distance
from affray.engine.record.blow import Harm
from affray.engine.rules.attacks.miss_chance import percent_roll
from affray.engine.rules.classes.abilities import ability_now
from affray.engine.rules.classes.checks import check, check_result, skill_parts
from affray.engine.rules.classes.sheets import has_trait
from affray.engine.rules.conditions.conditions import cannot_act
from affray.engine.rules.magic.concentration import (
    BOUND,
    CONCENTRATING,
    HANDS,
    MUTE,
    POUCH,
    hands_in_use,
    let_lapse,
    named_spell,
    spell_of,
)
from affray.engine.rules.position.places import sees
from affray.engine.rules.turns.actions import spending
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, EffectEnded, ResourceSpent, Until
from affray.events.facts.flow import ActionSpent, CastingEnded, RuleApplied
from affray.events.facts.sheet import Modifier, Spell
from affray.projections.state import Combatant

DISTURBED = "disturbed"
"""The condition of having been hurt in a round of concentration; its level is the damage."""
UPSET = "upset"
"""The condition of having been the target of a combat maneuver in a round of concentration; its level is the
attack roll.
"""
UNSETTLED = "unable to concentrate"
#: Casting times that leave a caster open to distraction.
CONCENTRATION_LONG = ("standard", "full-round", "one-round")
#: Types of action under which concentration is declared.
BINDING = ("standard", "full-round", "grapple")
#: Declared acts that take concentration, by their names in a plan.
MINDFUL = frozenset({"cast", "read", "maintain"})


def is_concentrating(caster: Combatant) -> bool:
    """Return whether a combatant has declared, or is doing, something that takes concentration this round."""
    if "casting" in caster.conditions or any(one.when == "turn-start" for one in caster.brewing):
        return True
    return any(what in MINDFUL and kind in BINDING for kind, what, _ in caster.plan)


def disturb(fight: Fight, harm: Harm) -> Steps[None]:
    """Record damage for the concentration checks of the round (woa.spell.damage-concentration)."""
    target = harm.target
    if not is_concentrating(target):
        return
    earlier = target.conditions.get(DISTURBED)
    yield ConditionGained(
        who=target.id,
        condition=DISTURBED,
        source=harm.source,
        until=Until("round-end", "", fight.state.round),
        level=harm.amount + (earlier.level if earlier else 0),
        cites=fight.rules("woa.spell.damage-concentration", "woa.damage.concentration"),
    )


def record_maneuver(fight: Fight, target: Combatant, total: int, source: str) -> Steps[None]:
    """Record a successful combat maneuver, whose attack roll was `total`, for the checks of the round.

    Of several the highest counts (woa.spell.maneuver-concentration).
    """
    if not is_concentrating(target):
        return
    earlier = target.conditions.get(UPSET)
    if earlier is not None and earlier.level >= total:
        return
    yield ConditionGained(
        who=target.id,
        condition=UPSET,
        source=source,
        until=Until("round-end", "", fight.state.round),
        level=total,
        cites=(fight.rule("woa.spell.maneuver-concentration"),),
    )


def end_concentration(fight: Fight, caster: Combatant) -> Steps[None]:
    """End the concentration of a caster that is unable to act."""
    if CONCENTRATING in caster.conditions and cannot_act(fight, caster, mind=True):
        yield from let_lapse(fight, caster, "can do nothing", fight.rule("woa.spell.concentrate-broken"))


def refuse_unsettled(fight: Fight, caster: Combatant) -> None:
    """Refuse acts that take concentration to combatants unable to concentrate.

    woa.spell.concentration-required, woa.condition.nauseated
    """
    if "nauseated" in caster.conditions:
        raise Refusal(
            f"{caster.id} is nauseated and cannot concentrate", fight.rule("woa.condition.nauseated")
        )
    if UNSETTLED in caster.conditions:
        raise Refusal(f"{caster.id} cannot concentrate", fight.rule("woa.spell.concentration-required"))


def parse_dc_numbers(fight: Fight, topic: str) -> list[int]:
    """Return the numbers in the DC of a concentration check, such as "10 + damage + 2 * spell_level"."""
    return [int(number) for number in re.findall(r"\d+", str(fight.figure(topic, "dc")))]


def check_concentration(
    fight: Fight, caster: Combatant, level: int, name: str, *cites: str, spell: Spell | None = None
) -> Steps[bool]:
    """Check concentration against the round's disturbances; return whether it is lost.

    Several injuries count together, a maneuver needs a separate check; each disturbance counts once. `level`
    is that of the spell (0 without one), `cites` the rule that requires the check.
    """
    for state, topic, why in (
        (DISTURBED, "woa.spell.damage-concentration", "struck for {} during {}"),
        (UPSET, "woa.spell.maneuver-concentration", "subject to a maneuver of {} during {}"),
    ):
        disturbed = caster.conditions.get(state)
        if disturbed is None:
            continue
        *base, per = parse_dc_numbers(fight, topic)
        dc = sum(base) + disturbed.level + per * level
        ids = (*fight.rules("woa.spell.concentration-check", topic), *cites)
        told = why.format(disturbed.level, name)
        bonus = concentration_parts(fight, caster) + (
            concentration_of_jarred(fight, caster, spell) if spell is not None else []
        )
        kept = yield from check(fight, caster, "concentration", bonus, dc, *ids, why=told)
        yield ConditionLost(who=caster.id, condition=state, why="settled", cites=(fight.rule(topic),))
        if not kept:
            return True
    return False


def concentration_parts(fight: Fight, caster: Combatant) -> list[Modifier]:
    """Return the parts of a concentration check (option `concentration_bonus`)."""
    rule = fight.rule("woa.spell.concentration-check")
    sheet = caster.sheet
    if sheet.concentration is not None:
        return [Modifier(sheet.concentration, "skill", "concentration", rule)]
    if fight.option("concentration_bonus") == "sheet-only":
        return []
    best = max(ability_now(fight, caster, name) for name in ("int", "wis", "cha"))
    return [
        Modifier(sheet.hit_dice, "level", "level", rule),
        Modifier(best, "ability", "casting ability", rule),
    ]


def let_former_lapse(fight: Fight, caster: Combatant, spell: Spell) -> Steps[None]:
    """End an earlier spell of concentration when a new one begins to work, unless it is its next touch."""
    kept = caster.conditions.get(CONCENTRATING)
    if not spell.concentration or kept is None or (spell.touches > 1 and kept.source == spell.name):
        return
    rule = fight.rule("woa.spell.concentrate-maintain")
    yield from let_lapse(fight, caster, f"now concentrates on {spell.name}", rule)


def check_disturbed_at_turn_end(fight: Fight, caster: Combatant, level: int) -> Steps[None]:
    """Check concentration for disturbances since a caster concentrated in this turn."""
    if "upholding" in caster.conditions:
        rule = fight.rule("woa.spell.concentrate-broken")
        name = caster.conditions[CONCENTRATING].source
        if (yield from check_concentration(fight, caster, level, name, rule)):
            yield from let_lapse(fight, caster, "concentration is broken", rule)


def no_defensive_casting(fight: Fight, caster: Combatant, spell: Spell) -> tuple[int, tuple[str, ...]]:
    """Refuse: casting provokes nothing in these rules, so there is no defensive casting.

    woa.spell.no-combat-reactions
    """
    reason = f"casting provokes nothing: {caster.id} cannot cast defensively"
    raise Refusal(reason, fight.rule("woa.spell.no-combat-reactions"))


# --- Components of spells: a firm voice, free gestures, materials at hand (woa.spell.component-*)

LOST = ("dropped", "gone", "broken", "stowed")
#: Conditions other than bonds that prevent gestures.
BUSY = ("grappling", "swimming", "clinging", "climbing")
#: Components in the component pouch unless they are costly; a holy symbol is separate.
IN_POUCH = ("material", "focus")
SYMBOL = "holy symbol"
COSTLY = "costly "
ELABORATE = "elaborate"
SET_UP = "materials set up"


def refuse_without_components(fight: Fight, caster: Combatant, spell: Spell, act: acts.Cast) -> None:
    """Refuse a spell without the needed concentration, voice, hand or materials.

    Special abilities need no components.
    """
    if spell.ability:
        return
    refuse_unsettled(fight, caster)
    if "verbal" in spell.components:
        refuse_mute(fight, caster, spell.name, "woa.spell.component-verbal")
    if "somatic" in spell.components:
        rule = fight.rule("woa.spell.component-somatic")
        # In a fight's water a swimmer's gestures take concentration instead (woa.water.spell.somatic).
        free = SWIMMING if depth_of(caster) else ""
        bound = next((name for name in (*BOUND, *BUSY) if name in caster.conditions and name != free), "")
        if bound:
            raise Refusal(f"{caster.id} is {bound} and cannot make the gestures of {spell.name}", rule)
        if HANDS - hands_in_use(caster) < fight.figure("woa.spell.component-somatic", "free_hands"):
            raise Refusal(f"{caster.id} has no hand free for the gestures of {spell.name}", rule)
    refuse_without_materials(fight, caster, spell)


def refuse_mute(fight: Fight, caster: Combatant, name: str, topic: str) -> None:
    """Refuse words to a caster without a voice."""
    mute = next((state for state in MUTE if state in caster.conditions), "")
    if mute:
        raise Refusal(f"{caster.id} is {mute} and cannot speak {name}", fight.rule(topic))


def refuse_without_materials(fight: Fight, caster: Combatant, spell: Spell) -> None:
    """Refuse a spell whose materials the caster does not have.

    Those without a listed cost are in the component pouch; costly ones ("costly ruby dust") must be among the
    traits of the sheet. Elaborate materials must have been set up before.
    """
    rule = fight.rule("woa.spell.component-material")
    for component in spell.components:
        if component in IN_POUCH and caster.items.get(POUCH) in LOST:
            raise Refusal(
                f"{caster.id} has no component pouch at hand", fight.rule("woa.spell.component-pouch")
            )
        if component == "divine focus" and (
            caster.items.get(SYMBOL) in LOST or has_trait(caster, "no holy symbol")
        ):
            raise Refusal(f"{caster.id} has no {SYMBOL} at hand", rule)
        if component.startswith(COSTLY):
            thing = component.removeprefix(COSTLY)
            if not has_trait(caster, thing) or caster.items.get(thing) in LOST:
                raise Refusal(f"{caster.id} does not have the {thing} for {spell.name}", rule)
    if ELABORATE in spell.components:
        ready = caster.conditions.get(SET_UP)
        if ready is None or ready.source != spell.name:
            raise Refusal(f"the elaborate materials of {spell.name} are not set up", rule)


def ready_materials(fight: Fight, caster: Combatant, spell: Spell) -> Steps[None]:
    """Take the materials of a spell in hand, a free action unless they are elaborate."""
    held = [one for one in spell.components if one in (*IN_POUCH, "divine focus") or one.startswith(COSTLY)]
    if spell.ability or not held or ELABORATE in spell.components:
        return
    kind, _, _ = str(fight.figure("woa.spell.component-material", "ready_action")).partition(" ")
    pouch = ("woa.spell.component-pouch",) if any(one in IN_POUCH for one in held) else ()
    cites = fight.rules("woa.spell.component-material", *pouch)
    yield ActionSpent(who=caster.id, kind=kind, what=f"ready the materials of {spell.name}", cites=cites)


def give_away_by_voice(fight: Fight, caster: Combatant, spell: Spell) -> Steps[None]:
    """End the hiding of a caster that speaks aloud (woa.spell.component-verbal)."""
    if spell.ability or "verbal" not in spell.components:
        return
    for effect in caster.effects:
        if effect.stat == "hidden":
            cites = (fight.rule("woa.spell.component-verbal"),)
            yield EffectEnded(who=caster.id, id=effect.id, why="casts aloud", cites=cites)


# --- Counterspells: readied against a caster, with the same spell or by dispelling (woa.ready.counterspell*)


def counter(fight: Fight, act: acts.Counter) -> Steps[None]:
    """Counter the spell that is being cast: with the same spell once identified, or by dispelling.

    The classes of caster and counterspeller do not matter, only the spell does. Identifying it takes no time:
    it is part of the counterspell (woa.ready.counterspell, woa.action-type.non-action).
    """
    caster = fight.combatant(act.actor)
    target = fight.combatant(act.target) if fight.readied == caster.id else None
    rule = fight.rule("woa.ready.counterspell")
    if target is None or target.casting is None:
        raise Refusal("a counterspell is readied, and cast while an enemy is casting", rule)
    theirs = named_spell(target, target.casting.spell)
    mine = named_spell(caster, act.spell or (theirs.name if theirs is not None else ""))
    if theirs is None or mine is None or is_used_up(caster, mine):
        raise Refusal(f"{caster.id} has no spell left that counters the spell of {target.id}", rule)
    if distance(caster, target) > max(mine.range, theirs.range) or not sees(fight, caster, target):
        raise Refusal(f"{target.id} is out of reach of the counterspell", rule)
    if mine.dispels:
        yield from counter_by_dispelling(fight, caster, mine, target, theirs)
        return
    yield spending(fight, caster, "standard", f"counter with {mine.name}", rule)
    dc = cell(fight, "woa.ready.counterspell-dispel", "check=spellcraft", "dc")
    if dc is not None:
        parts = skill_parts(fight, caster, "spellcraft", "int", rule)
        cites = (rule, dc.rule, fight.rule("woa.action-type.non-action"))
        why = f"{theirs.name} being cast"
        if not (
            yield from check(fight, caster, "spellcraft", parts, dc.value + theirs.level, *cites, why=why)
        ):
            return
    if mine.name != theirs.name:
        what = f"{mine.name} does not counter {theirs.name}"
        yield RuleApplied(who=caster.id, what=what, cites=(rule,))
        return
    yield from use_casting(caster, mine, rule)
    yield CastingEnded(who=target.id, how="countered", cites=(rule,))


def counter_by_dispelling(
    fight: Fight, caster: Combatant, mine: Spell, target: Combatant, theirs: Spell
) -> Steps[None]:
    """Counter by dispelling, which needs no identification and may fail.

    The check is defined elsewhere in the rules; a table gives its figures (woa.ready.counterspell-dispel).
    """
    topic = "woa.ready.counterspell-dispel"
    rule = fight.rule(topic)
    yield spending(fight, caster, "standard", f"counter with {mine.name}", rule)
    yield from use_casting(caster, mine, rule)
    base, most = cell(fight, topic, "check=dispel", "dc"), cell(fight, topic, "check=dispel", "most")
    if base is None or most is None:
        yield RuleApplied(who=caster.id, what="how to dispel is not printed", cites=(rule,))
        return
    level = min(most.value, mine.caster_level or caster.sheet.hit_dice)
    dc = base.value + (theirs.caster_level or target.sheet.hit_dice)
    parts = [Modifier(level, "level", "caster level", rule)]
    why = f"to counter {theirs.name}"
    if (yield from check_result(fight, caster, "dispel", parts, rule, dc=dc, why=why)) >= dc:
        yield CastingEnded(who=target.id, how="countered", cites=(rule,))


def is_used_up(caster: Combatant, spell: Spell) -> bool:
    """Return whether all prepared castings of a spell are used up."""
    return spell.uses is not None and caster.resources.get(spell.name, 0) >= spell.uses


def use_casting(caster: Combatant, spell: Spell, rule: str) -> Steps[None]:
    """Use up one casting of a limited spell."""
    if spell.uses is not None:
        yield ResourceSpent(who=caster.id, resource=spell.name, amount=1, cites=(rule,))


# --- Casting in the air, in the water and from the saddle: what forbids a spell, and what may lose it
#
# woa.fly.spell.*, woa.water.spell.*, woa.water.fire.*, woa.mount.casting.

FIRE = "fire"
HALF, USUAL, NOTHING = "half", "as usual", "nothing"
UNSTEADY_CASTING_LONG = ("full-round", "one-round")
#: The condition of casting this round.
CASTING = "casting"


def refuse_unsteady_casting(fight: Fight, caster: Combatant, act: acts.Cast) -> None:
    """Refuse words under water and fire through its surface.

    woa.water.spell.verbal, woa.water.fire.line-of-effect
    """
    spell = next((one for one in caster.sheet.spells if one.name == act.spell), None)
    if spell is None:
        return
    under = environment.is_under_water(caster)
    spoken = "verbal" in spell.components and not spell.ability
    if under and spoken and not has_trait(caster, environment.GILLS) and not caster.sheet.swim:
        raise Refusal(f"{caster.id} cannot speak under water", fight.rule("woa.water.spell.verbal"))
    if spell.damage_type == FIRE and not spell.area:
        for id in act.targets:
            if environment.is_under_water(fight.combatant(id)) != under:
                raise Refusal(
                    f"the surface of the water stops fire between {caster.id} and {id}",
                    fight.rule("woa.water.fire.line-of-effect"),
                )


def check_in_air_or_water(fight: Fight, caster: Combatant, spell: Spell) -> Steps[bool]:
    """Check whether the air, the water or a mount ruins a spell being cast; return whether it is lost.

    The rules concern spells; natural abilities are exempt.
    """
    if spell.ability:
        return False
    motion = motion_of_mount(fight, caster)
    if motion is not None and (yield from is_lost_to_motion(fight, caster, spell, motion)):
        return True
    if speed.is_flying(caster) and (yield from cast_in_air(fight, caster, spell)):
        return True
    return bool(environment.depth_of(caster)) and (yield from cast_in_water(fight, caster, spell))


def check_concentration_at(
    fight: Fight, caster: Combatant, spell: Spell, dc: int, *cites: str, why: str
) -> Steps[bool]:
    """Make a concentration check; return whether the spell is lost.

    Reading a scroll takes concentration as casting does (woa.device.scroll-concentration).
    """
    parts = concentration_parts(fight, caster)
    read = fight.rules("woa.device.scroll-concentration") if spell.item == "scroll" else ()
    rules = (*fight.rules("woa.spell.concentration-check"), *cites, *read)
    kept = yield from check(fight, caster, "concentration", parts, dc, *rules, why=why)
    if not kept:
        told = f"{spell.name} is lost"
        calm = speed.is_flying(caster) and speed.kind_of_flight(caster) == speed.BUOYANT
        floats = fight.rules("woa.fly.buoyant.attack-cast") if calm else ()
        what = f"{told}, {caster.id} stays in the air" if calm else told
        yield RuleApplied(who=caster.id, what=what, cites=(fight.rule("woa.spell.fizzle"), *floats))
    return not kept


def per_level(fight: Fight, topic: str) -> int:
    """Return the increase for each spell level in a DC such as "base_dc + 2 * spell_level"."""
    return int(str(fight.figure(topic, "formula")).split(" + ")[1].split()[0])


class Motion(NamedTuple):
    """A motion that hampers concentration: the DC, its increase for each spell level, the reason and the
    rules.
    """

    base: int
    per_level: int
    why: str
    cites: tuple[str, ...]


def motion_of_mount(fight: Fight, caster: Combatant) -> Motion | None:
    """Return the motion of a mount that moves this round, harder if it runs (woa.mount.casting)."""
    steed = fight.state.combatants.get(caster.mount)
    row = pace_of(steed) if steed is not None else ""
    if steed is None or not row:
        return None
    return Motion(*numbers_of(fight, row), f"{steed.id} {row}", fight.rules("woa.mount.casting"))


def motion_in_air(fight: Fight, caster: Combatant, hovers: bool = False) -> Motion:
    """Return the motion of flight; a long casting `hovers` (woa.fly.spell.concentration)."""
    topic, kind = "woa.fly.spell.concentration", speed.kind_of_flight(caster)
    if kind == speed.BUOYANT:
        base = int(fight.figure(topic, "base_dc", "buoyant"))
    else:
        base = in_flight(fight, speed.HOVER if hovers else speed.get_last_air_maneuver(caster))
    cites = fight.rules(topic, *(("woa.fly.powered.athletics",) if kind == speed.POWERED else ()))
    return Motion(base, per_level(fight, topic), "casting in the air", cites)


def is_lost_to_motion(fight: Fight, caster: Combatant, spell: Spell, motion: Motion) -> Steps[bool]:
    """Check concentration against a motion; return whether the spell is lost."""
    dc = motion.base + motion.per_level * spell.level
    return (yield from check_concentration_at(fight, caster, spell, dc, *motion.cites, why=motion.why))


def pace_of(steed: Combatant) -> str:
    """Return the row of the rule on casting for a mount's movement this round, "" if it has not moved."""
    if not steed.spent.get("feet"):
        return ""
    return "runs (quadruple speed)" if steed.spent.get("rush") else "moves at normal speed"


def numbers_of(fight: Fight, row: str) -> tuple[int, int]:
    """Return the DC of casting from a mount, and its increase for each spell level."""
    words = str(fight.figure("woa.mount.casting", f"mount_movement={row}", "concentration_dc")).split()
    return int(words[0]), int(words[2])


def dc_of_motion(fight: Fight, combatant: Combatant) -> tuple[int, int]:
    """Return (DC, increase for each level) of concentrating on a mount or in powered flight.

    (0, 0) if neither applies.
    """
    motion = motion_of_mount(fight, combatant)
    if motion is None and not combatant.mount and speed.is_flying(combatant):
        motion = motion_in_air(fight, combatant) if speed.kind_of_flight(combatant) != speed.BUOYANT else None
    return (motion.base, motion.per_level) if motion is not None else (0, 0)


def in_flight(fight: Fight, what: str) -> int:
    """Return the DC, before the spell's level, of concentrating during a maneuver of powered flight."""
    found = cell(fight, "woa.fly.powered.athletics", f"flight={what}", "concentration")
    return int(found.value if found else fight.figure("woa.fly.spell.concentration", "base_dc", "powered", 0))


def is_lost_to_later_motion(fight: Fight, caster: Combatant, spell: Spell) -> Steps[bool]:
    """Check whether motion after the casting ruins a pending spell; return whether it is lost.

    The round counts as a whole: casting first and riding or flying afterwards is no easier
    (woa.mount.casting, woa.fly.spell.concentration). The level of "casting" is the DC already met.
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
    parts, why = concentration_parts(fight, caster), "motion after the casting"
    return not (
        yield from check(fight, caster, "concentration", parts, base + per * spell.level, *rules, why=why)
    )


def cast_in_air(fight: Fight, caster: Combatant, spell: Spell) -> Steps[bool]:
    """Hover during a long casting, and concentrate in the air; return whether the spell is lost.

    woa.fly.spell.full-round-hover, woa.fly.spell.concentration
    """
    hovers = spell.casting in UNSTEADY_CASTING_LONG and speed.kind_of_flight(caster) != speed.BUOYANT
    if hovers and not (yield from hover_or_fall(fight, caster)):
        return False
    return (yield from is_lost_to_motion(fight, caster, spell, motion_in_air(fight, caster, hovers)))


def hover_or_fall(fight: Fight, combatant: Combatant) -> Steps[bool]:
    """Hover as a swift action during a casting, or fall; return whether the caster hovers.

    woa.fly.spell.*
    """
    topic = "woa.fly.spell.full-round-hover"
    rule = fight.rule(topic)
    yield swift_cost(fight, combatant, rule, *fight.rules("woa.action-type.swift-cost"))
    parts = skill_parts(fight, combatant, "athletics", "str", rule)
    dc = fight.figure(topic, "dc")
    done = yield from check(fight, combatant, "athletics", parts, dc, rule, why="to hover while casting")
    if not done:
        yield RuleApplied(who=combatant.id, what="falls out of the air", cites=(rule,))
        yield from fight.dialect.movement.fall(fight, combatant, speed.height_aloft(combatant))
    return done


def cast_in_water(fight: Fight, caster: Combatant, spell: Spell) -> Steps[bool]:
    """Cast in the water if the components allow it; return whether the spell is lost.

    woa.water.spell.verbal, .material, .somatic, .aquatic-casters
    """
    under, parts = environment.is_under_water(caster), spell.components
    if caster.sheet.swim and under and ("verbal" in parts or "somatic" in parts):
        rule = fight.rule("woa.water.spell.aquatic-casters")
        yield RuleApplied(who=caster.id, what="casts unhindered under water", cites=(rule,))
    if under and "material" in parts and (yield from is_component_ruined(fight, caster, spell)):
        return True
    if caster.sheet.swim:
        return False
    if under and "verbal" in parts and (yield from is_garbled_by_water(fight, caster, spell)):
        return True
    found = environment.swim_dc(fight, caster)
    hampered = under or environment.SWIMMING in caster.conditions
    if "somatic" not in parts or found is None or not hampered:
        return False
    topic = "woa.water.spell.somatic"
    dc = found[0] + per_level(fight, topic) * spell.level
    cites = (fight.rule(topic), *found[1])
    return (yield from check_concentration_at(fight, caster, spell, dc, *cites, why="casting in the water"))


def is_component_ruined(fight: Fight, caster: Combatant, spell: Spell) -> Steps[bool]:
    """Ask the game master whether water ruins the material component (woa.water.spell.material)."""
    rule = fight.rule("woa.water.spell.material")
    question = f"does the water ruin what {caster.id} needs for {spell.name}?"
    if (yield Choice("", "material", question, ("ruined", "usable"), rule)) != "ruined":
        return False
    yield RuleApplied(who=caster.id, what=f"{spell.name} is lost: its component is ruined", cites=(rule,))
    return True


def is_garbled_by_water(fight: Fight, caster: Combatant, spell: Spell) -> Steps[bool]:
    """Roll whether words spoken under water ruin the spell (woa.water.spell.verbal)."""
    topic = "woa.water.spell.verbal"
    percent = fight.figure(topic, "with_water_breathing_failure_percent")
    why, rule = f"{percent}% to ruin {spell.name}", fight.rule(topic)
    return (
        yield from percent_roll(
            caster, "words under water", percent, why, rule, hoped=False, purpose="garbled"
        )
    )


def is_stopped_by_surface(fight: Fight, caster: Combatant, spell: Spell, target: Combatant) -> Steps[bool]:
    """Return whether the surface of the water stops a fire spell (woa.water.fire.line-of-effect)."""
    if spell.damage_type != FIRE or environment.is_under_water(target) == environment.is_under_water(caster):
        return False
    rule = fight.rule("woa.water.fire.line-of-effect")
    yield RuleApplied(who=target.id, what=f"the water's surface stops {spell.name}", cites=(rule,))
    return True


def effect_left_by_water(fight: Fight, caster: Combatant, spell: Spell, target: Combatant) -> Steps[str]:
    """Return how much of a spell's effect water leaves on its target: "as usual", "half" or "nothing".

    The surface stops fire; the game master decides how far water weakens fire below it and other areas from
    above (woa.water.fire.*, woa.water.area-effects.magical).
    """
    if (yield from is_stopped_by_surface(fight, caster, spell, target)):
        return NOTHING
    under = environment.is_under_water(target)
    if not under:
        return USUAL
    if spell.damage_type == FIRE:
        topic, options = "woa.water.fire.magical", (HALF, USUAL, NOTHING)
    elif (
        spell.area
        and not environment.is_under_water(caster)
        and spell.damage_type not in environment.PHYSICAL
    ):
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
    """Return the caster's spell of that name. Refuse one that the caster does not have (any more)."""
    return spell_of(caster, name, fight.rule("woa.spell.casting-time"))


def occupy(fight: Fight, combatant: Combatant, source: str, *topics: str) -> Steps[None]:
    """Remove the combat reactions of the round from a combatant that casts or reads."""
    until = Until("round-end", "", fight.state.round)
    met = dc_of_motion(fight, combatant)[0] if combatant.mount or combatant.conditions else 0
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
    """Concentrate on a spell for another round; return whether it lasts.

    It takes an action of `kind` by the rule on `topic` and allows no combat reactions. In addition to damage
    and maneuvers, everything that hampers casting hampers it: bonds, a moving mount, flight.

    woa.spell.concentrate-maintain, .concentrate-broken, .concentrate-no-reactions
    """
    yield spending(fight, caster, kind, f"concentrate on {name}", fight.rule(topic))
    until = Until("round-end", "", fight.state.round)
    barred = (fight.rule("woa.spell.concentrate-no-reactions"),)
    yield ConditionGained(who=caster.id, condition="upholding", source=name, until=until, cites=barred)
    rule = fight.rule("woa.spell.concentrate-broken")
    lost = yield from check_concentration(fight, caster, level, name, rule)
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
    parts = concentration_parts(fight, caster)
    if is_in_bonds(caster) and not (yield from concentrate_in_bonds(fight, caster, level, parts, rule)):
        return True
    motions = [motion_of_mount(fight, caster)]
    if speed.is_flying(caster):
        motions.append(motion_in_air(fight, caster)._replace(why="concentrating in the air"))
    for motion in filter(None, motions):
        dc = motion.base + motion.per_level * level
        rules = (*fight.rules("woa.spell.concentration-check"), *motion.cites, rule)
        if not (yield from check(fight, caster, "concentration", parts, dc, *rules, why=motion.why)):
            return True
    return False
