"""Moving where one does not see: unsure feet, and running into what is there (woa.visibility.*)."""

from collections.abc import Iterable

from msgspec.structs import replace

from affray.engine.dialects.woa.movement import double_move_and_run, movement
from affray.engine.dialects.woa.movement.obstacles import RUSHING
from affray.engine.dialects.woa.senses.blinded_deafened import HANDLING
from affray.engine.dialects.woa.senses.concealment import TOTAL, sight_of_ground
from affray.engine.fight.fight import Fight, is_down
from affray.engine.grid.battlefield import Square
from affray.engine.grid.distance import obstructed
from affray.engine.record.blow import Harm
from affray.engine.rules.movement.movement import refuse_crooked, refuse_path
from affray.engine.rules.turns.action_budget import refuse_unless_allowed
from affray.engine.steps import Choice, Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

FEET, COLLISION, SKILLS = (
    "woa.visibility.movement.acrobatics-penalty",
    "woa.visibility.movement.collision",
    "woa.visibility.skill-penalty",
)
#: Other checks that take eyes or a hand on one's surroundings.
SEEING = frozenset(
    {"search", "athletics", "disable device", "open lock", "sleight of hand", "heal", "survival"}
)


def sight_on_check(fight: Fight, mover: Combatant, name: str, detail: str) -> Iterable[Modifier]:
    """Return what bad sight takes off a check: of Acrobatics, and of skills that need to see.

    The attack penalty of the degree of concealment (woa.visibility.movement.acrobatics-penalty,
    woa.visibility.skill-penalty).
    """
    if name != "acrobatics" and name not in SEEING:
        return ()
    if name in HANDLING and "blinded" in mover.conditions:
        return ()  # the condition itself hampers these as much as anything can
    degree, value = sight_of_ground(fight, mover)
    if not value:
        return ()
    topic = FEET if name == "acrobatics" else SKILLS
    return (Modifier(value, "penalty", f"{degree} concealment of the ground", fight.rule(topic)),)


def unseen_wall(fight: Fight, mover: Combatant, path: tuple[Square, ...]) -> int | None:
    """Return the place of the first step that the map forbids; None for a clear way, and for who sees it."""
    if sight_of_ground(fight, mover)[0] != TOTAL:
        return None
    here = mover.at
    for place, there in enumerate(path):
        if obstructed(fight.field, here, there, mover.space):
            return place
        here = there
    return None


def run_blindly(fight: Fight, act: acts.Run) -> Steps[None]:
    """Run; who does not see where may run into something (woa.visibility.movement.collision)."""
    mover = fight.combatant(act.actor)
    wall = unseen_wall(fight, mover, act.path)
    if wall is None:
        yield from double_move_and_run.run(fight, act)
        return
    refuse_crooked(mover, act.path, fight.rule("woa.run.action"))
    if wall:
        yield from double_move_and_run.run(fight, replace(act, path=act.path[:wall]))
    else:
        refuse_unless_allowed(fight, mover, "full-round")
        movement.refuse_lying(fight, mover)
        cites = fight.rules("woa.run.action")
        yield ActionSpent(who=mover.id, kind="full-round", what="run", cites=cites)
    yield from collide(fight, mover, act.path[:wall])


def charge_blindly(fight: Fight, act: acts.Charge, wall: int) -> Steps[None]:
    """Charge without seeing where: run into the `wall` after so many steps, and strike at nobody."""
    mover = fight.combatant(act.actor)
    rule = fight.rule("woa.charge.path")
    refuse_unless_allowed(fight, mover, "full-round")
    movement.refuse_after_step(fight, mover)
    movement.refuse_lying(fight, mover)
    refuse_crooked(mover, act.path, rule)
    if not wall:
        raise Refusal(f"{mover.id} stands right before a wall and has no way to charge", rule)
    most = movement.leading_number(fight, "max") * movement.speed_with_burdens(fight, mover)
    refuse_path(fight, mover, act.path[:wall], most, rule)
    yield ActionSpent(who=mover.id, kind="full-round", what="charge", cites=(rule,))
    yield movement.running(fight, mover)
    yield from fight.dialect.movement.walk(fight, mover, act.path[:wall], "charge", rule)
    yield from collide(fight, mover, act.path[:wall])


def hurt_by_rushing(fight: Fight, mover: Combatant, other: Combatant, how: str) -> Steps[None]:
    """Hurt who runs or charges into somebody as any obstacle would (woa.visibility.movement.collision)."""
    if how in RUSHING:
        yield from collide(fight, mover, ())


def collide(fight: Fight, mover: Combatant, path: tuple[Square, ...]) -> Steps[None]:
    """Take what running into an unseen obstacle does: the game master may make it lethal.

    woa.visibility.movement.collision
    """
    if is_down(fight, mover) or (path and mover.at != path[-1]):
        return
    rule = fight.rule(COLLISION)
    kind = str(fight.figure(COLLISION, "type"))
    question = f"{mover.id} runs into something: what harm does it do?"
    answer = yield Choice("", "collision", question, (kind, "lethal"), rule)
    yield RuleApplied(who=mover.id, what="runs into an obstacle that it does not see", cites=(rule,))
    rolled = yield Roll("", "collision", fight.figure(COLLISION, "damage"))
    harm = Harm(mover, rolled.total, "", "running into an obstacle", nonlethal=answer == kind, cites=(rule,))
    yield from fight.dialect.damage.suffer(fight, harm)
