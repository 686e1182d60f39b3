"""What the game master says of a place: light, fog, shelter, height, favorable and unfavorable conditions.

woa.modifiers.*, woa.cover.degree, woa.concealment.sources, woa.concealment.source.illumination
"""

from affray.engine.book import UnknownFigure
from affray.engine.dialects.woa.defense import cover
from affray.engine.dialects.woa.position.high_ground import RAISED
from affray.engine.dialects.woa.senses import blinded_deafened, concealment
from affray.engine.dialects.woa.table_cells import Cell, cell
from affray.engine.fight.fight import Fight
from affray.engine.steps import Refusal, Steps, unknown_word
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, EffectGained, Until
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

TABLE, SCOPE, WHERE = "woa.modifiers.table", "woa.modifiers.scope", "woa.modifiers.attack-vs-ac"
#: What a circumstance changes: the column of the table, and the stat of the effect.
CHANGES = {"attack": ("attack", "attack"), "ac": ("ac", "defense"), "save": ("save", "save")}
#: What may be said of a place, with the topic of its rule; without daylight it is dark altogether.
PLACES = {
    "darkness": "woa.concealment.source.illumination",
    "veil": "woa.concealment.sources",
    "improved cover": "woa.cover.degree",
    "height": "woa.high-ground.elevation-threshold",
}
DAYLIGHT = "no daylight"


def circumstance(fight: Fight, act: acts.Circumstance) -> Steps[None]:
    """Let the game master find conditions favorable to somebody, or not, until the round's end.

    By a row of the table of combat modifiers: on attack rolls where it concerns how well somebody can
    attack, on the AC where it comes from positions and tactics, or on saves (woa.modifiers.*).
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
    """Give a modifier by the game master's word."""
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


def describe_place(fight: Fight, act: acts.Expose) -> Steps[None]:
    """Say where somebody is: in the dark, in fog, behind cover, or on something high; or end that."""
    target = fight.combatant(act.target)
    dark = any(name in target.conditions for name in concealment.DARKNESS)
    if act.to == DAYLIGHT and act.degree:
        raise Refusal(f"{DAYLIGHT!r} has no degree: say it of 'darkness'", fight.rule(PLACES["darkness"]))
    if act.to not in (DAYLIGHT, *PLACES):
        raise unknown_word("circumstance of a place", act.to, PLACES, fight.rule(SCOPE))
    if act.way != (0, 0):
        raise Refusal(f"{act.to} has no direction", fight.rule(PLACES.get(act.to, PLACES["darkness"])))
    if act.to == DAYLIGHT or (act.to == "darkness" and not act.degree and not (act.over and dark)):
        # Darkness without a degree blinds altogether those who do not see in it.
        yield from blinded_deafened.put_in_darkness(fight, act)
        return
    rule = fight.rule(PLACES[act.to])
    if act.over:
        yield from end_of_place(fight, target, act.to, rule)
        return
    name, source, level = condition_of_place(fight, act, rule)
    for other in concealment.DARKNESS if act.to == "darkness" else ():
        if other in target.conditions and other != name:
            yield ConditionLost(who=target.id, condition=other, why="the light is another", cites=(rule,))
    yield ConditionGained(who=target.id, condition=name, source=source, level=level, cites=(rule,))


def condition_of_place(fight: Fight, act: acts.Expose, rule: str) -> tuple[str, str, int]:
    """Return the condition that says where somebody is, its source and level. Refuses the unknown."""
    if act.to == "darkness":
        light = act.degree or "total darkness"
        for name, one in concealment.DARKNESS.items():
            if light in (one, one.removesuffix(" darkness")):
                return name, light, 0
        raise unknown_word("degree of darkness", light, concealment.DARKNESS.values(), rule)
    if act.to == "veil":
        refuse_unknown_veil(fight, act.degree)
        return concealment.VEILED, act.degree, 0
    if act.to == "improved cover":
        degrees = (*cover.DEGREES[1:], cover.SLIT)
        if act.degree not in degrees:
            raise unknown_word("degree of cover", act.degree, degrees, rule)
        return cover.BEHIND, act.degree, 0
    if not act.degree.isdigit():
        raise unknown_word("number of feet", act.degree, (), rule)
    return RAISED, "a height", int(act.degree)


def refuse_unknown_veil(fight: Fight, degree: str) -> None:
    """Refuse what is neither a degree of concealment nor an example of one in the table, or not printed."""
    rule, rows, names = fight.rule(concealment.TABLE), fight.figure(concealment.TABLE), ("degree", "example")
    known = dict.fromkeys(row[name] for name in names for row in rows if name in row)
    if degree not in known:
        raise unknown_word("degree of concealment", degree, known, rule)
    if all(concealment.concealment_cell(fight, f"{name}={degree}", "degree") is None for name in names):
        raise Refusal(unprinted(degree), rule)


def unprinted(row: str) -> str:
    """Return why a row counts for nothing where only what is printed does."""
    return f"no figure is printed for {row!r}, and only printed figures are in force"


def end_of_place(fight: Fight, target: Combatant, what: str, rule: str) -> Steps[None]:
    """End what was said of a place."""
    names = {
        "darkness": tuple(concealment.DARKNESS),
        "veil": (concealment.VEILED,),
        "improved cover": (cover.BEHIND,),
        "height": (RAISED,),
    }[what]
    held = [name for name in names if name in target.conditions]
    if not held:
        raise Refusal(f"{target.id} is not exposed to {what}", rule)
    for name in held:
        yield ConditionLost(who=target.id, condition=name, why=f"out of the {what}", cites=(rule,))
