"""Getting over obstacles, and keeping one's footing on perilous ground (woa.terrain.*)."""

from collections.abc import Sequence

from affray.engine.dialects.woa.movement import acrobatics_athletics
from affray.engine.dialects.woa.movement.terrain import FAST, OVER, barriers_in_way, is_obstacle, is_rough
from affray.engine.dialects.woa.table_cells import cell
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import Square
from affray.engine.steps import Steps
from affray.events.facts.combat import ConditionGained
from affray.events.facts.flow import RuleApplied
from affray.events.facts.terrain import Barrier
from affray.projections.state import Combatant

#: The skills by which obstacles are crossed.
SKILLS = ("acrobatics", "athletics")
#: Ways of going that cover the ground at twice the usual pace or more.
RUSHING = frozenset({"run", "charge"})


def climbs_over(fight: Fight, mover: Combatant, here: Square, there: Square, how: str) -> bool:
    """Say whether a step leads onto an obstacle, or over one between squares, which takes a check."""
    if how == "step":
        return False
    onto = is_obstacle(fight, mover, there) and not is_obstacle(fight, mover, here)
    return onto or bool(barriers_in_way(fight, mover, here, there))


def cross_obstacle(fight: Fight, mover: Combatant, here: Square, there: Square, how: str) -> Steps[bool]:
    """Check whether a mover gets onto or over an obstacle; return whether it does.

    Acrobatics at half speed, of a higher DC at full speed and highest in a rush; Athletics to climb or jump
    over it (woa.terrain.obstacle.hampering, .full-speed, .athletics). A barrier may have a skill and a DC of
    its own, which takes the place of that at half speed.

    woa.terrain.obstacle.athletics, woa.terrain.obstacle.full-speed.
    """
    fences = barriers_in_way(fight, mover, here, there)
    pace = {FAST: "full", OVER: "over"}.get(how, "double" if how in RUSHING else "half")
    topics = {"full": ["full-speed"], "over": ["athletics"], "double": ["full-speed"]}.get(pace, [])
    found = cell(fight, "woa.terrain.obstacle.hampering", f"pace={pace}", "dc")
    cites = fight.rules(
        "woa.terrain.obstacle.hampering",
        *(f"terrain.obstacle.{topic}" for topic in topics),
        "woa.movement.skills.basis",
    )
    skill = (
        "athletics"
        if pace == "over"
        else next((barrier.check for barrier in fences if barrier.check), "acrobatics")
    )
    own = max((barrier.dc for barrier in fences), default=0)
    usual = cell(fight, "woa.terrain.obstacle.hampering", "pace=half", "dc")
    if own and pace == "half":
        dc = own
    elif found is None or (own and usual is None):
        dc = yield from acrobatics_athletics.by_ruling("the obstacle", cites[0])
    else:
        dc = own + found.value - usual.value if own and usual is not None else found.value
        cites = (*cites, found.rule)
    check = acrobatics_athletics.athletics if skill == "athletics" else acrobatics_athletics.acrobatics
    hampered = is_rough(fight, mover, there)
    margin = yield from check(fight, mover, dc, *dict.fromkeys(cites), rough=hampered, why="an obstacle")
    if margin < 0:
        yield RuleApplied(who=mover.id, what="does not get over the obstacle", cites=cites[:1])
    return margin >= 0


def fault_of_barrier(barrier: Barrier) -> str:
    """Return that a barrier asks for a skill by which no obstacle is crossed, "" if for one that does."""
    if barrier.check in ("", *SKILLS):
        return ""
    return f"asks for {barrier.check}, where obstacles are crossed by {' or '.join(SKILLS)}"


def dc_of(fight: Fight, names: Sequence[str], pace: str) -> tuple[int, tuple[str, ...]] | None:
    """Return the DC of a perilous surface at a pace, and the rules; None where only print counts.

    Of several surfaces the worst counts, and the others make it worse.
    """
    topic = "woa.terrain.perilous.check"
    rows = {row["surface"]: row for row in fight.figure(topic) if "surface" in row}
    ranked = sorted(names, key=lambda name: -rows[name]["dc"])
    cells = [cell(fight, topic, f"surface={ranked[0]}", "dc"), cell(fight, topic, f"pace={pace}", "modifier")]
    cells += [cell(fight, topic, f"surface={n}", "modifier") for n in ranked[1:] if "modifier" in rows[n]]
    known = [one for one in cells if one is not None]
    if len(known) < len(cells):
        return None
    examples = fight.figure("woa.terrain.perilous.examples")
    topics = ["woa.terrain.perilous.definition", topic]
    topics += ["woa.terrain.perilous.examples"] if any(name in examples for name in names) else []
    return sum(one.value for one in known), fight.rules(*topics)


def keep_footing(fight: Fight, mover: Combatant, names: Sequence[str], how: str, why: str) -> Steps[bool]:
    """Check whether somebody keeps its feet on a perilous surface, else it falls prone.

    woa.terrain.perilous.*; return whether it stands.
    """
    found = dc_of(fight, names, how if how in RUSHING else "normal")
    if found is None:
        rules = fight.rules("woa.terrain.perilous.definition", "woa.terrain.perilous.check")
        found = (yield from acrobatics_athletics.by_ruling(names[0], rules[1])), rules
    dc, cites = found
    basis = fight.rule("woa.movement.skills.basis")
    hampered = is_rough(fight, mover, mover.at)
    margin = yield from acrobatics_athletics.acrobatics(
        fight, mover, dc, *cites, basis, rough=hampered, why=why
    )
    if margin >= 0:
        return True
    if "prone" not in mover.conditions:
        yield ConditionGained(who=mover.id, condition="prone", source=names[0], cites=cites[:2])
    return False
