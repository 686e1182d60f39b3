"""The ground under a mover: difficult terrain, perilous surfaces, obstacles (woa.terrain.*).

The map's rough ground and low walls are difficult terrain and hampering obstacles; `Encounter.ground` names
what covers parts of the map: perilous surfaces by the names of their table, or examples of difficult terrain.
"""

from collections.abc import Iterator, Sequence

from affray.engine.dialects.woa.movement import acrobatics_athletics
from affray.engine.dialects.woa.movement.speed import aloft, is_slowed
from affray.engine.dialects.woa.table_cells import cell
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import Square
from affray.engine.rules.classes.ability_modifiers import has_trait
from affray.engine.steps import Refusal, Steps
from affray.events.facts.combat import ConditionGained
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant

ROUGH, LOW = "~", "="
#: Ways of going that cover the ground at twice the usual pace or more.
RUSHING = frozenset({"run", "charge"})
#: Ways of going over obstacles and through others by skill: at the full speed, or over the top.
FAST, OVER = "fast", "vault"


def is_spared(who: Combatant) -> bool:
    """Say whether difficult terrain does not slow somebody (woa.terrain.difficult.exempt)."""
    return aloft(who) or has_trait(who, "incorporeal") or has_trait(who, "gaseous")


def avoids_obstacles(who: Combatant) -> bool:
    """Say whether somebody avoids most obstacles (woa.terrain.obstacle.flying-incorporeal)."""
    return aloft(who) or has_trait(who, "incorporeal")


def squares_of_space(at: Square, side: int) -> Iterator[Square]:
    """Yield the squares of a space."""
    yield from ((at[0] + dx, at[1] + dy) for dy in range(side) for dx in range(side))


def coverings_of_space(fight: Fight, at: Square, side: int) -> list[str]:
    """Return the names of what covers a space."""
    if not fight.state.ground:
        return []
    found = []
    for area in fight.state.ground:
        left, right = sorted((area.here[0], area.there[0]))
        top, bottom = sorted((area.here[1], area.there[1]))
        if at[0] <= right and left < at[0] + side and at[1] <= bottom and top < at[1] + side:
            found.append(area.what)
    return found


def surfaces(fight: Fight, at: Square, side: int) -> list[str]:
    """Return the perilous surfaces under a space (woa.terrain.perilous.definition)."""
    named = coverings_of_space(fight, at, side)
    if not named:
        return []
    known = {row["surface"] for row in fight.figure("terrain.perilous.check") if "surface" in row}
    return [name for name in named if name in known]


def difficulties(fight: Fight, at: Square, side: int) -> list[str]:
    """Return the kinds of difficult terrain under a space, each once (woa.terrain.difficult.examples)."""
    found = (
        ["difficult terrain"]
        if any(fight.field.at(one) == ROUGH for one in squares_of_space(at, side))
        else []
    )
    if fight.state.ground:
        known = fight.figure("terrain.difficult.examples")
        found += [name for name in dict.fromkeys(coverings_of_space(fight, at, side)) if name in known]
    return found


def is_rough(fight: Fight, who: Combatant, at: Square) -> bool:
    """Say whether difficult terrain at a place hampers a mover."""
    return not is_spared(who) and bool(difficulties(fight, at, who.space))


def is_obstacle(fight: Fight, who: Combatant, at: Square) -> bool:
    """Say whether a hampering obstacle at a place is in a mover's way."""
    return not avoids_obstacles(who) and any(
        fight.field.at(one) == LOW for one in squares_of_space(at, who.space)
    )


def hampers(fight: Fight, who: Combatant, at: Square) -> bool:
    """Say whether the ground at a place hampers a mover in any way."""
    return is_rough(fight, who, at) or is_obstacle(fight, who, at)


def rules_of_ground(fight: Fight, who: Combatant, path: Sequence[Square]) -> tuple[str, ...]:
    """Return the rules of the ground that have a part in what a way costs."""
    topics = []
    kinds = [difficulties(fight, at, who.space) for at in path]
    if any(kinds):
        if is_spared(who):
            topics.append("terrain.difficult.exempt")
        else:
            topics += ["terrain.default", "terrain.difficult.half-speed"]
            if any(len(one) > 1 for one in kinds) or is_slowed(fight, who):
                topics.append("terrain.difficult.multiply")
            if any(name != "difficult terrain" for one in kinds for name in one):
                topics.append("terrain.difficult.examples")
    barred = [at for at in path if not fight.field.passable(at, who.space)]
    low = any(fight.field.at(one) == LOW for at in path for one in squares_of_space(at, who.space))
    if avoids_obstacles(who) and (barred or low):
        topics.append("terrain.obstacle.flying-incorporeal")
    elif low:
        topics += ["terrain.default", "terrain.obstacle.hampering"]
    return fight.rules(*topics)


def refuse_rough(fight: Fight, who: Combatant, path: Sequence[Square], what: str, topic: str) -> None:
    """Refuse to rush or step (`what`) over ground that hampers."""
    for at in path:
        if is_rough(fight, who, at) or (what == "step" and is_obstacle(fight, who, at)):
            where = f"the ground at {at[0]},{at[1]}"
            raise Refusal(f"{where} is too difficult to {what}", fight.rule(topic))


def climbs_over(fight: Fight, who: Combatant, here: Square, there: Square, how: str) -> bool:
    """Say whether a step leads onto an obstacle, which takes a check."""
    return is_obstacle(fight, who, there) and not is_obstacle(fight, who, here) and how != "step"


def cross_obstacle(fight: Fight, who: Combatant, there: Square, how: str) -> Steps[bool]:
    """Check whether a mover gets onto an obstacle; return whether it does.

    Acrobatics at half speed, of a higher DC at full speed and highest in a rush; Athletics to climb or jump
    over it (woa.terrain.obstacle.hampering, .full-speed, .athletics).
    """
    pace = {FAST: "full", OVER: "over"}.get(how, "double" if how in RUSHING else "half")
    topics = {"full": ["full-speed"], "over": ["athletics"], "double": ["full-speed"]}.get(pace, [])
    found = cell(fight, "terrain.obstacle.hampering", f"pace={pace}", "dc")
    cites = fight.rules(
        "terrain.obstacle.hampering",
        *(f"terrain.obstacle.{topic}" for topic in topics),
        "movement.skills.basis",
    )
    dc = (
        (yield from acrobatics_athletics.by_ruling("the obstacle", cites[0]))
        if found is None
        else found.value
    )
    cites = (*cites, *((found.rule,) if found is not None else ()))
    skill = acrobatics_athletics.athletics if pace == "over" else acrobatics_athletics.acrobatics
    hampered = is_rough(fight, who, there)
    margin = yield from skill(fight, who, dc, *dict.fromkeys(cites), rough=hampered, why="an obstacle")
    if margin < 0:
        yield RuleApplied(who=who.id, what="does not get over the obstacle", cites=cites[:1])
    return margin >= 0


def perilous_underfoot(fight: Fight, who: Combatant, at: Square) -> list[str]:
    """Return the perilous surfaces on which somebody keeps its feet at a place; none for those aloft."""
    return [] if not fight.state.ground or avoids_obstacles(who) else surfaces(fight, at, who.space)


def dc_of(fight: Fight, names: Sequence[str], pace: str) -> tuple[int, tuple[str, ...]] | None:
    """Return the DC of a perilous surface at a pace, and the rules; None where only print counts.

    Of several surfaces the worst counts, and the others make it worse.
    """
    topic = "terrain.perilous.check"
    rows = {row["surface"]: row for row in fight.figure(topic) if "surface" in row}
    ranked = sorted(names, key=lambda name: -rows[name]["dc"])
    cells = [cell(fight, topic, f"surface={ranked[0]}", "dc"), cell(fight, topic, f"pace={pace}", "modifier")]
    cells += [cell(fight, topic, f"surface={n}", "modifier") for n in ranked[1:] if "modifier" in rows[n]]
    known = [one for one in cells if one is not None]
    if len(known) < len(cells):
        return None
    examples = fight.figure("terrain.perilous.examples")
    topics = ["terrain.perilous.definition", topic]
    topics += ["terrain.perilous.examples"] if any(name in examples for name in names) else []
    return sum(one.value for one in known), fight.rules(*topics)


def keep_footing(fight: Fight, who: Combatant, names: Sequence[str], how: str, why: str) -> Steps[bool]:
    """Check whether somebody keeps its feet on a perilous surface, else it falls prone.

    woa.terrain.perilous.*; return whether it stands.
    """
    found = dc_of(fight, names, how if how in RUSHING else "normal")
    if found is None:
        rules = fight.rules("terrain.perilous.definition", "terrain.perilous.check")
        found = (yield from acrobatics_athletics.by_ruling(names[0], rules[1])), rules
    dc, cites = found
    basis = fight.rule("movement.skills.basis")
    hampered = is_rough(fight, who, who.at)
    margin = yield from acrobatics_athletics.acrobatics(
        fight, who, dc, *cites, basis, rough=hampered, why=why
    )
    if margin >= 0:
        return True
    if "prone" not in who.conditions:
        yield ConditionGained(who=who.id, condition="prone", source=names[0], cites=cites[:2])
    return False
