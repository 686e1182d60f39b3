"""Legendary Actions: who takes one after whose turn, which ones, and the way into reach."""

from collections.abc import Iterator

from affray.engine.dialects.srd52.attacks import reach_with
from affray.engine.dialects.srd52.conditions import incapacitating
from affray.engine.dialects.srd52.monster import (
    AFTER,
    LEGENDARY,
    UseAction,
    allowance,
    carry_out,
    legendary_uses,
    targets_of,
    way_of,
)
from affray.engine.dialects.srd52.position import distance, others_at
from affray.engine.dialects.srd52.printed import (
    Action,
    actions_of,
    owners_of,
    use_up,
    why_unavailable,
)
from affray.engine.dialects.srd52.senses import in_sight, is_line_clear
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.kernel.paths import cheapest_paths
from affray.engine.kernel.turns import is_decided
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts.combat import (
    ResourceSpent,
)
from affray.projections.state import Combatant


def legendary_moment(fight: Fight, ended: Combatant) -> Steps[None]:
    """Let every other creature with Legendary Actions take one, right after a turn has ended."""
    for owner in map(fight.combatant, owners_of(fight, "legendary")):
        if owner.id == ended.id or not can_be_legendary(fight, owner) or is_decided(fight):
            continue
        outer, fight.scope = fight.scope, f"{AFTER}{ended.id}"
        try:
            yield from take_legendary(fight, owner, ended)
        finally:
            fight.scope = outer


def can_be_legendary(fight: Fight, owner: Combatant) -> bool:
    """Return whether a combatant has a Legendary Action left and can act."""
    many = legendary_uses(fight, owner)
    if not many or owner.resources.get(LEGENDARY, 0) >= many:
        return False
    if fight.option("legendary_before_first_turn") == "no" and not owner.acted:
        return False
    return not incapacitating(owner) and fight.dialect.kernel.can_act(fight, owner)


def take_legendary(fight: Fight, owner: Combatant, ended: Combatant) -> Steps[None]:
    """Ask which Legendary Action is taken, and its target, and carry it out; a movement leads into reach."""
    rule = fight.rule("monster.legendary-actions")
    found = {
        f"{action.name}: {target.id}" if target is not None else action.name: (action, target, path)
        for action, target, path in possible(fight, owner)
    }
    if not found:
        return
    question = f"the turn of {ended.id} has ended: does {owner.id} take a Legendary Action?"
    answer = yield Choice(owner.id, "legendary", question, (*found, "decline"), rule)
    if answer == "decline":
        return
    action, target, path = found[answer]
    cites = (rule, *fight.rules("monster.legendary-uses", "monster.legendary-incapacitated"))
    yield ResourceSpent(who=owner.id, resource=LEGENDARY, amount=1, cites=cites)
    yield from use_up(fight, owner, action)
    at = target.at if target is not None else None
    if "teleport" in action.moves:
        places = landings(fight, owner, int(action.moves.partition(" ")[2]))
        question = f"where does {owner.id} teleport?"
        answer = yield Choice(owner.id, "place", question, tuple(places), rule)
        at = places[answer]
    of = actions_of(fight, owner).get(action.follows, action)
    whom = target.id if target is not None else ""
    aim = target.at if target is not None else None
    own = not action.makes and of is action
    chosen = targets_of(fight, owner, action, whom, aim) if own else []
    said = UseAction(actor=owner.id, action=action.name, target=whom, at=at, path=tuple(path))
    yield from carry_out(fight, owner, action, chosen, said)


def landings(fight: Fight, owner: Combatant, feet: int) -> dict[str, Square]:
    """Return the free places in sight within some feet by their names, the farthest from enemies first."""
    far, (x, y), side = feet // SQUARE_FT, owner.at, owner.space
    squares = [(x + dx, y + dy) for dx in range(-far, far + 1) for dy in range(-far, far + 1)]
    free = [
        at
        for at in squares
        if fight.field.passable(at, side)
        and not others_at(fight, owner, at)
        and is_line_clear(fight, owner.at, side, at, side)
    ]
    foes = [one for one in fight.enemies(owner) if "dead" not in one.conditions]
    free.sort(key=lambda at: (-min((distance(owner, one, at) for one in foes), default=0), at))
    return {f"{column},{row}": (column, row) for column, row in free}


def possible(fight: Fight, owner: Combatant) -> Iterator[tuple[Action, Combatant | None, tuple[Square, ...]]]:
    """Yield the Legendary Actions that are possible now, each with a target and the way to it."""
    enemies = [one for one in fight.enemies(owner) if "dead" not in one.conditions and one.hp > 0]
    enemies.sort(key=lambda one: (distance(owner, one), one.hp, one.id))
    for action in actions_of(fight, owner).values():
        if action.kind != "legendary" or why_unavailable(fight, owner, action)[0]:
            continue
        aimed = action.makes or action.save or action.damage or action.follows
        if not aimed or "teleport" in action.moves:
            yield action, None, ()
            continue
        for enemy in enemies:
            path = way_to(fight, owner, action, enemy)
            if path is not None and is_possible(fight, owner, action, enemy):
                yield action, enemy, path


def is_possible(fight: Fight, owner: Combatant, action: Action, enemy: Combatant) -> bool:
    """Return whether the rules let an action concern a target; one that ends in an attack always may."""
    if action.makes:
        return in_sight(fight, owner, enemy)
    of = actions_of(fight, owner).get(action.follows, action)
    if why_unavailable(fight, owner, of)[0]:
        return False
    try:
        return enemy in targets_of(fight, owner, of, enemy.id, enemy.at)
    except Refusal:
        return False


def way_to(fight: Fight, owner: Combatant, action: Action, enemy: Combatant) -> tuple[Square, ...] | None:
    """Return the shortest way of an action into the reach of its attack; None if there is none."""
    if not action.makes:
        return ()
    arms = [one for one in owner.sheet.weapons if one.name in action.makes]
    reach = max(max(reach_with(fight, owner, one), one.range) for one in arms)
    if distance(owner, enemy) <= reach:
        return ()
    feet = allowance(fight, owner, action)
    if not feet:
        return None
    for to, (path, _) in cheapest_paths(fight, owner, feet, way_of(action)):
        if distance(owner, enemy, to) <= reach:
            return path
    return None
