"""Declarations before their resolver: whose turn it is, what is forbidden, what a turn has left."""

from collections.abc import Iterator

from affray.engine.fight.fight import Fight
from affray.engine.record.chapters import Left
from affray.engine.steps import Refusal
from affray.events.facts.acts import Act
from affray.events.facts.flow import ActionSpent
from affray.projections.state import Combatant


def check_turn(fight: Fight, combatant: Combatant) -> None:
    """Refuse any combatant but the one whose turn it is, or that takes a readied act."""
    state = fight.state
    if state.closed:
        raise Refusal("the encounter is over", fight.rule("encounter.closed"))
    if not state.begun:
        raise Refusal("the fight has not begun", fight.rule("encounter.turn"))
    if fight.readied == combatant.id:
        return
    # A mount acts in its rider's turn.
    if state.active != combatant.id and not (combatant.rider and combatant.rider == state.active):
        whose = f"it is {state.active}'s turn" if state.active else "no turn is running"
        raise Refusal(f"{combatant.id} is out of turn: {whose}", fight.rule("encounter.turn"))


def refuse_unread(fight: Fight, act: Act) -> None:
    """Refuse a declaration with fields that its resolver does not read: no field is ignored.

    Cites the rule on the declaration.
    """
    for fault in fight.dialect.heeded[type(act)].faults(act):
        raise Refusal(
            f"{fight.dialect.name} knows no {fault}", fight.dialect.kernel.rule_about(fight, type(act))
        )


def permit(fight: Fight, act: Act) -> None:
    """Refuse a declaration of an actor that is not in the fight, and one that a prohibition forbids.

    The game master's declarations are exempt. O(prohibitions that concern it).
    """
    if not act.actor and act.declared_by != "combatant":
        return
    actor = fight.combatant(act.actor)
    if act.declared_by == "game master":
        tag = act.__struct_config__.tag
        raise Refusal(f"only the game master declares {tag!r}, {actor.id} does not", fight.rule("encounter"))
    if fight.field.sides:
        fight.dialect.kernel.through_walls(fight, actor, act)
    fight.dialect.forbids(type(act))(fight, actor, act)


def is_permitted(fight: Fight, act: Act) -> bool:
    """Return whether no prohibition keeps a combatant from an act."""
    try:
        permit(fight, act)
    except Refusal:
        return False
    return True


def spend(
    fight: Fight, combatant: Combatant, kind: str, what: str, *cites: str, amount: int = 1
) -> ActionSpent:
    """Return the fact that an `amount` of actions of a kind is used. Refuses more than the turn has left.

    The kinds and their number are the dialect's (`kernel.budget`).
    """
    check_turn(fight, combatant)
    allowed = fight.dialect.kernel.budget(fight, combatant).get(kind, 0)
    if combatant.spent.get(kind, 0) + amount > allowed:
        name = fight.dialect.words.actions.get(kind, f"{kind} action")
        raise Refusal(
            f"{combatant.id} has no {name} left this turn", cites[0] if cites else fight.rule("turn")
        )
    return ActionSpent(who=combatant.id, kind=kind, what=what, cites=cites or (fight.rule("turn"),))


def actions_left(fight: Fight, combatant: Combatant) -> Iterator[Left]:
    """Yield the actions of each kind that a combatant has left in its turn."""
    for kind, most in fight.dialect.kernel.budget(fight, combatant).items():
        if most:
            yield Left(kind, max(0, most - combatant.spent.get(kind, 0)), most)


def left_of(fight: Fight, combatant: Combatant) -> list[Left]:
    """Return what a combatant has left: of its turn, if it is running, and of its limited resources."""
    turn = fight.dialect.kernel.left(fight, combatant) if fight.state.active == combatant.id else ()
    pools = fight.dialect.kernel.pools(fight, combatant)
    used = combatant.resources
    return [*turn, *(Left(name, most - used.get(name, 0), most) for name, most in pools)]


def can_spend(fight: Fight, combatant: Combatant, kind: str) -> bool:
    """Return whether a combatant has an action of a kind left in its turn."""
    allowed = fight.dialect.kernel.budget(fight, combatant).get(kind, 0)
    return fight.state.active == combatant.id and combatant.spent.get(kind, 0) < allowed
