"""Resolve the game master's hazards and circumstances: a save or a check, and its results (woa.save.*)."""

from affray.engine.book import UnknownFigure
from affray.engine.dialects.woa.classes.abilities import (
    Saved,
    check_skill_or_ability,
    degree_of_save,
    graded_damage,
    least_and_most,
    saving_throw,
)
from affray.engine.dialects.woa.conditions.conditions import (
    CATEGORIES,
    DISTRESS,
    milder_condition,
    severity_ranks,
)
from affray.engine.dialects.woa.conditions.impediments import BONDS, CAUSES
from affray.engine.dialects.woa.damage.injury import (
    injury_by_hazard,
    open_wound,
    refuse_severity,
    refuse_unknown_part,
)
from affray.engine.dialects.woa.defense import defense
from affray.engine.dialects.woa.defense.struck_cover import place_on_reflex_save
from affray.engine.dialects.woa.environment import environment
from affray.engine.dialects.woa.opportunity.reactions import Area, apply_effect_to_shield, area_parts
from affray.engine.dialects.woa.position import size
from affray.engine.dialects.woa.position.size import RAISED
from affray.engine.dialects.woa.senses import concealment
from affray.engine.dialects.woa.table_cells import Cell, cell
from affray.engine.fight.fight import Fight
from affray.engine.record.acts import SAID, Under
from affray.engine.record.blow import Harm
from affray.engine.rules.damage.damage import amount_dealt, rolled_part
from affray.engine.steps import Choice, Refusal, Roll, Steps, unknown_word
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, EffectGained, Until
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Modifier
from affray.projections.state import Combatant

# --- Circumstances of a place: light, fog, shelter, height, favorable and unfavorable conditions
#
# woa.modifiers.*, woa.cover.degree, woa.concealment.sources, woa.concealment.source.illumination

TABLE, SCOPE, WHERE = "woa.modifiers.table", "woa.modifiers.scope", "woa.modifiers.attack-vs-ac"
#: The changes of a circumstance: the column of the table, and the stat of the effect.
CHANGES = {"attack": ("attack", "attack"), "ac": ("ac", "defense"), "save": ("save", "save")}
#: Circumstances of a place, with the topics of their rules; without daylight it is totally dark.
PLACES = {
    "darkness": "woa.concealment.source.illumination",
    "veil": "woa.concealment.sources",
    "improved cover": "woa.cover.degree",
    "height": "woa.high-ground.elevation-threshold",
}
DAYLIGHT = "no daylight"


def circumstance(fight: Fight, act: acts.Circumstance) -> Steps[None]:
    """Give a combatant the game master's favorable or unfavorable conditions until the end of the round.

    A row of the table of combat modifiers applies: to attack rolls if it concerns how well a combatant can
    attack, to AC if it comes from positions and tactics, or to saves (woa.modifiers.*).
    """
    target = fight.combatant(act.target)
    rule = fight.rule(SCOPE)
    if act.changes not in CHANGES:
        raise unknown_word("roll or value that circumstances change", act.changes, CHANGES, rule)
    column, stat = CHANGES[act.changes]
    row = act.row or ("unfavorable circumstances" if act.hampers else "favorable circumstances")
    try:
        found = cell(fight, TABLE, f"situation={row}", column)
    except UnknownFigure:
        raise Refusal(f"{row!r} does not change the {column}", fight.rule(TABLE)) from None
    if found is None:
        raise Refusal(unprinted(row), fight.rule(TABLE))
    yield from give_circumstance(fight, target, found, stat, act.why or row)


def give_circumstance(fight: Fight, target: Combatant, found: Cell, stat: str, source: str) -> Steps[None]:
    """Give a modifier as the game master declares."""
    if stat != "save":
        where = "on the attack roll" if stat == "attack" else "on the Armor Class"
        yield RuleApplied(who=target.id, what=f"{source}: {where}", cites=fight.rules(SCOPE, WHERE))
    yield EffectGained(
        who=target.id,
        id=f"{fight.declaration}:circumstance",
        stat=stat,
        modifier=Modifier(found.value, "circumstance", source, found.rule),
        until=Until("round-end", "", fight.state.round),
        cites=(fight.rule(SCOPE), found.rule),
    )


def set_circumstance_of_place(fight: Fight, act: acts.Expose) -> Steps[None]:
    """Set or end a circumstance of a combatant's place: darkness, fog, cover, height."""
    target = fight.combatant(act.target)
    dark = any(name in target.conditions for name in concealment.CONCEALMENT_DARKNESS)
    if act.to == DAYLIGHT and act.degree:
        raise Refusal(f"{DAYLIGHT!r} has no degree: give it for 'darkness'", fight.rule(PLACES["darkness"]))
    if act.to not in (DAYLIGHT, *PLACES):
        raise unknown_word("circumstance of a place", act.to, PLACES, fight.rule(SCOPE))
    if act.way != (0, 0):
        raise Refusal(f"{act.to} has no direction", fight.rule(PLACES.get(act.to, PLACES["darkness"])))
    if act.to == DAYLIGHT or (act.to == "darkness" and not act.degree and not (act.over and dark)):
        # Darkness without a degree completely blinds combatants that do not see in it.
        yield from concealment.put_in_darkness(fight, act)
        return
    rule = fight.rule(PLACES[act.to])
    if act.over:
        yield from end_circumstance_of_place(fight, target, act.to, rule)
        return
    name, source, level = condition_of_place(fight, act, rule)
    for other in concealment.CONCEALMENT_DARKNESS if act.to == "darkness" else ():
        if other in target.conditions and other != name:
            yield ConditionLost(who=target.id, condition=other, why="the light has changed", cites=(rule,))
    yield ConditionGained(who=target.id, condition=name, source=source, level=level, cites=(rule,))


def condition_of_place(fight: Fight, act: acts.Expose, rule: str) -> tuple[str, str, int]:
    """Return the condition for a circumstance of a place, with its source and level. Refuse unknown ones."""
    if act.to == "darkness":
        light = act.degree or "total darkness"
        for name, one in concealment.CONCEALMENT_DARKNESS.items():
            if light in (one, one.removesuffix(" darkness")):
                return name, light, 0
        raise unknown_word("degree of darkness", light, concealment.CONCEALMENT_DARKNESS.values(), rule)
    if act.to == "veil":
        refuse_unknown_veil(fight, act.degree)
        return concealment.VEILED, act.degree, 0
    if act.to == "improved cover":
        degrees = (*defense.DEGREES[1:], defense.SLIT)
        if act.degree not in degrees:
            raise unknown_word("degree of cover", act.degree, degrees, rule)
        return defense.BEHIND, act.degree, 0
    if not act.degree.isdigit():
        raise unknown_word("number of feet", act.degree, (), rule)
    return RAISED, "a height", int(act.degree)


def refuse_unknown_veil(fight: Fight, degree: str) -> None:
    """Refuse anything but a degree of concealment or a printed example in the table."""
    rule, rows, names = fight.rule(concealment.TABLE), fight.figure(concealment.TABLE), ("degree", "example")
    known = dict.fromkeys(row[name] for name in names for row in rows if name in row)
    if degree not in known:
        raise unknown_word("degree of concealment", degree, known, rule)
    if all(concealment.concealment_cell(fight, f"{name}={degree}", "degree") is None for name in names):
        raise Refusal(unprinted(degree), rule)


def unprinted(row: str) -> str:
    """Return why a row does not count if only printed figures do."""
    return f"no figure is printed for {row!r}, and only printed figures are in force"


def end_circumstance_of_place(fight: Fight, target: Combatant, what: str, rule: str) -> Steps[None]:
    """End a circumstance of a place."""
    names = {
        "darkness": tuple(concealment.CONCEALMENT_DARKNESS),
        "veil": (concealment.VEILED,),
        "improved cover": (defense.BEHIND,),
        "height": (RAISED,),
    }[what]
    held = [name for name in names if name in target.conditions]
    if not held:
        raise Refusal(f"{target.id} is not exposed to {what}", rule)
    for name in held:
        yield ConditionLost(who=target.id, condition=name, why=f"out of the {what}", cites=(rule,))


SHORT = {"Fortitude": "fort", "Reflex": "ref", "Will": "will"}
#: Fields of a hazard that count only with others; the source may determine the kind of save.
UNDER: Under = {
    "dc": {"save|skill|source|condition": SAID},
    "damage_type": {"damage|save": SAID},
    "on_save": {"save|source": SAID, "damage|condition": SAID},
    **{key: {"save": ("", "ref"), "dc": SAID} for key in ("area", "edge", "missiles", "pit")},
    "unexpected": {"area|edge|missiles|pit": SAID},
    "cause": {"injury": SAID},
}


def hazard(fight: Fight, act: acts.Hazard) -> Steps[None]:
    """Confront a combatant with a save or a check; superior success and catastrophic failure count.

    The source of the save may determine its kind (woa.save.types), and the cause sets its DC
    (woa.save.dc-source).
    """
    target = fight.combatant(act.target)
    rule = fight.rule("woa.save.when")
    if act.rider is not None:
        raise Refusal("these rules give poison and the like no effects after the save", rule)
    if act.bleeding:
        refuse_severity(fight, act.bleeding)
    if act.injury:
        refuse_unknown_part(fight, act.injury)
    if act.skill and (yield from check_skill_or_ability(fight, target, act.skill, act.dc, act.source)):
        return
    kind, cites = kind_of_save(fight, act)
    area = Area(act.edge, act.missiles, act.pit, act.unexpected)
    parts: tuple[Modifier, ...] = ()
    if kind == "ref" and fills_area(act):
        parts = area_parts(fight, target, area) + (yield from parts_below_surface(fight, target, act))
    saved: Saved | None = None
    if kind:
        cites = (*cites, *fight.rules("woa.save.dc-source"))
        sized = size.save_modifier_by_size(fight, target) if is_attack_on_life(act) else ()
        if kind == "ref":
            place, rules = yield from place_on_reflex_save(fight, target, None, None, act.source)
            parts, cites = (*parts, *place), (*cites, *rules)
        saved = yield from saving_throw(
            fight, target, kind, act.dc, act.source, *cites, extra=(*parts, *sized)
        )
        yield from apply_effect_to_shield(fight, target, parts, saved, act.source)
    harm = Harm(target, 0, act.damage_type, act.source)
    if act.damage and not (saved is not None and saved.success and act.on_save == "negates"):
        harm = yield from damage_by_hazard(fight, target, act, saved)
    if act.condition and "dead" not in target.conditions:
        yield from condition_by_hazard(fight, target, act, saved)
    if (saved is None or not saved.success) and "dead" not in target.conditions:
        if act.injury:
            yield from injury_by_hazard(fight, target, harm, act.injury, act.cause)
        if act.bleeding:
            yield from open_wound(fight, target, act.bleeding, act.source)


def fills_area(act: acts.Hazard) -> bool:
    """Return whether a hazard attacks an area or is a pit, where the rules on shields and edges count."""
    return act.area or act.edge or act.missiles or act.pit


def parts_below_surface(fight: Fight, target: Combatant, act: acts.Hazard) -> Steps[tuple[Modifier, ...]]:
    """Return the water's bonus to a Reflex save against an area from above it.

    The game master says on which side of the surface the danger begins (woa.water.area-effects).
    """
    parts = environment.reflex_below_surface(fight, target, act.damage_type)
    if not parts:
        return ()
    question = f"does the area of {act.source} begin above the water?"
    side = yield Choice("", "surface", question, ("above", "below"), parts[0].rule)
    return parts if side == "above" else ()


def kind_of_save(fight: Fight, act: acts.Hazard) -> tuple[str, tuple[str, ...]]:
    """Return the kind of save of a hazard, with the rule if its source determines it."""
    if act.save or act.skill or not act.dc:
        return act.save, ()
    source = act.source.casefold()
    for row in fight.figure("woa.save.types"):
        if any(one in source or source in one for one in row["against"]):
            return SHORT[row["save"]], fight.rules("woa.save.types")
    return "", ()


def rule_granting_save(fight: Fight, saved: Saved | None) -> tuple[str, ...]:
    """Return the rule that grants a save against a hazard, none if it allows no save."""
    return fight.rules("woa.save.when") if saved is not None else ()


def damage_by_hazard(fight: Fight, target: Combatant, act: acts.Hazard, saved: Saved | None) -> Steps[Harm]:
    """Roll a hazard's damage and grade it by the save."""
    rolled = yield Roll("", "hazard", act.damage)
    amount, why, cites = rolled.total, "", rule_granting_save(fight, saved)
    if saved is not None and act.on_save in ("half", "partial"):
        least, most = least_and_most(act.damage)
        amount, why, cites = graded_damage(fight, saved, rolled.total, least, most)
    harm = Harm(target, amount, act.damage_type, act.source, energy=bool(act.damage_type))
    parts = rolled_part(harm, act.damage, rolled)
    yield amount_dealt(fight, harm, parts, *(cites or rule_granting_save(fight, saved)), why=why)
    yield from fight.dialect.damage.suffer(fight, harm)
    return harm


def condition_by_hazard(
    fight: Fight, target: Combatant, act: acts.Hazard, saved: Saved | None
) -> Steps[None]:
    """Give a hazard's condition: in full on a failure, milder on a success with partial effect.

    Superior success makes it milder still or removes it, catastrophic failure makes it worse; the game master
    decides how, guided by the ladder of such conditions (woa.save.superior-success, .catastrophic-failure).
    """
    condition, cites = act.condition, rule_granting_save(fight, saved)
    if saved is not None:
        how, why = degree_of_save(fight, saved)
        cites = (*cites, *why)
        if saved.success:
            if act.on_save != "partial":
                return
            condition = milder_condition(fight, condition)
            if how == "superior" and condition:
                options = tuple(
                    dict.fromkeys((milder_condition(fight, condition) or "nothing", "nothing", condition))
                )
                question = f"{act.source}: what is left of {condition} after a superior save?"
                answer = yield Choice("", "superior", question, options, why[0])
                condition = "" if answer == "nothing" else answer
        elif how == "catastrophic" and milder_condition(fight, condition, -1) == condition:
            cites = fight.rules("woa.save.when")  # nothing of its kind is worse
        elif how == "catastrophic":
            worse = milder_condition(fight, condition, -1)
            question = f"{act.source}: how bad is it for {target.id}?"
            condition = yield Choice("", "catastrophe", question, (worse, condition), why[0])
    if not condition:
        return
    if condition in DISTRESS:
        cites = (*cites, fight.rule("woa.condition.distress.causes"))
    if condition in BONDS:
        cites = (*cites, fight.rule(CAUSES))
    if condition in severity_ranks(fight) and any(
        one != condition for one in target.conditions if one in severity_ranks(fight)
    ):
        cites = (*cites, *rules_of_superseding(fight, target, condition))
    level = act.dc if condition in BONDS else 0
    fact = ConditionGained(
        who=target.id, condition=condition, source=act.source, level=max(0, level), cites=cites
    )
    yield from fight.dialect.conditions.gain(fight, fact)


def rules_of_superseding(fight: Fight, target: Combatant, condition: str) -> tuple[str, ...]:
    """Return the rule of categories if a condition meets another one of its category."""
    known = severity_ranks(fight)
    mates = [one for one in target.conditions if known.get(one, ("", 0))[0] == known[condition][0]]
    return fight.rules(CATEGORIES) if any(one != condition for one in mates) else ()


def is_attack_on_life(act: acts.Hazard) -> bool:
    """Return whether a hazard is poison, disease or the like, which larger creatures withstand
    more easily.
    """
    kinds = {act.damage_type, act.rider.kind if act.rider is not None else ""}
    return not kinds.isdisjoint({"poison", "disease", "death", "energy drain"})
