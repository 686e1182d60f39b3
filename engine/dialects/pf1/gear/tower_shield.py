"""Behind a tower shield: total cover from what comes through one edge (pf1.armor.tower-shield).

The edge is a side of the bearer's space and goes with it. An attack passes through it where every straight
line does that leads from the middle of a square of the attacker to the middle of one of the target.
"""

from typing import Final

from affray.engine.dialects.pf1.gear.shields import TOWER, borne_shields
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import Square
from affray.engine.record.blow import Blow
from affray.engine.rules.position.place import squares_of
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import EffectGained, Until
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant

#: The stat of what closes an edge begins like this; the step towards that edge follows.
CLOSED: Final = "closed by a tower shield towards "
#: The steps towards the edges, and what they are called.
EDGES: Final = {(0, -1): "north", (1, 0): "east", (0, 1): "south", (-1, 0): "west"}


def shelter(fight: Fight, act: acts.Shelter) -> Steps[None]:
    """Close an edge of one's space with a tower shield until the next turn: a standard action."""
    actor, rule = fight.combatant(act.actor), fight.rule(TOWER)
    names = borne_shields(actor, TOWER)
    if not names:
        raise Refusal(f"{actor.id} has no tower shield", rule)
    if act.way not in EDGES:
        steps = ", ".join(f"{x},{y} ({name})" for (x, y), name in EDGES.items())
        raise Refusal(f"a tower shield closes one edge: the way is {steps}", rule)
    yield spending(fight, actor, "standard", f"shelter to the {EDGES[act.way]}", rule)
    yield EffectGained(
        who=actor.id,
        id=f"{fight.declaration}:shelter",
        stat=f"{CLOSED}{EDGES[act.way]}",
        modifier=Modifier(0, "cover", names[0], rule),
        until=Until("turn-start", actor.id, fight.state.round + 1),
        cites=(rule,),
    )


def behind_closed_edge(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return why an attack cannot be made, and the rule's topic: it would pass through a closed edge.

    pf1.armor.tower-shield.
    """
    edge = closed_edge_between(fight, blow.attacker, blow.target)
    return (f"{blow.target.id} has total cover behind its shield, to the {edge}", TOWER) if edge else ("", "")


def closed_edge_between(fight: Fight, attacker: Combatant, target: Combatant) -> str:
    """Return the edge of a target, closed by its shield, that all attacks pass through; "" for none."""
    for effect in target.effects:
        if effect.stat.startswith(CLOSED) and effect.modifier.source in borne_shields(target, TOWER):
            edge = effect.stat.removeprefix(CLOSED)
            way = next(step for step, name in EDGES.items() if name == edge)
            corner = fight.option("tower_shield_corner") == "through"
            if all(
                passes_edge(here, there, target, way, corner)
                for here in squares_of(attacker)
                for there in squares_of(target)
            ):
                return edge
    return ""


def passes_edge(here: Square, there: Square, target: Combatant, way: Square, corner: bool) -> bool:
    """Say whether the line between the middles of two squares passes through an edge of a target's space.

    `corner` says whether one that meets but a corner does.
    """
    across = int(way[0] != 0)  # lines are taken as if the edge were that to the north or to the south
    (here_x, here_y), (there_x, there_y) = ((x, y) if not across else (y, x) for x, y in (here, there))
    left, top = target.at if not across else target.at[::-1]
    outward = way[0] + way[1]
    edge = top if outward < 0 else top + target.space
    if (2 * here_y + 1 - 2 * edge) * outward <= 0:
        return False  # not on the outer side
    # Where the line meets that of the edge, in halves of a square and as a share of its own height.
    height = 2 * (here_y - there_y)
    meets = (2 * there_x + 1) * height + 2 * (here_x - there_x) * (2 * edge - 2 * there_y - 1)
    low, high = sorted((2 * left * height, 2 * (left + target.space) * height))
    return low <= meets <= high if corner else low < meets < high


def refuse_spell_at_shield(fight: Fight, caster: Combatant, spell: Spell, act: acts.Cast) -> None:
    """Refuse rays and touches, which are attacks, at who is behind a closed edge (pf1.armor.tower-shield)."""
    if spell.touch:
        refuse_touch(fight, caster, act.targets, spell.touch == "ranged")


def refuse_touch(fight: Fight, attacker: Combatant, targets: tuple[str, ...], ranged: bool) -> None:
    """Refuse attacks with a spell that would pass through a closed edge; friends are touched without one."""
    for name in targets:
        target = fight.state.combatants.get(name)
        if target is None or target is attacker or (target.side == attacker.side and not ranged):
            continue
        edge = closed_edge_between(fight, attacker, target)
        if edge:
            reason = f"{target.id} has total cover behind its shield, to the {edge}"
            raise Refusal(reason, fight.rule(TOWER))


def refuse_touch_at_shield(fight: Fight, actor: Combatant, act: acts.Touch) -> None:
    """Refuse to touch with a held charge who is behind a closed edge (pf1.armor.tower-shield)."""
    refuse_touch(fight, actor, act.targets, False)
