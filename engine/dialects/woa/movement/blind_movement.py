"""Moving where one does not see: unsure feet, and running into what is there (woa.visibility.*)."""

from collections.abc import Iterable

from msgspec.structs import replace

from affray.engine.dialects.woa.movement import double_move_and_run, movement
from affray.engine.dialects.woa.senses.blinded_deafened import HANDLING
from affray.engine.dialects.woa.senses.concealment import TOTAL, sight_of_ground
from affray.engine.fight.fight import Fight, is_down
from affray.engine.grid.battlefield import Square
from affray.engine.grid.distance import obstructed
from affray.engine.record.blow import Harm
from affray.engine.record.classes import Feature
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


def sight_on_check(fight: Fight, who: Combatant, name: str, detail: str) -> Iterable[Modifier]:
    """Return what bad sight takes off a check: of Acrobatics, and of skills that need to see.

    The attack penalty of the degree of concealment (woa.visibility.movement.acrobatics-penalty,
    woa.visibility.skill-penalty).
    """
    if name != "acrobatics" and name not in SEEING:
        return ()
    if name in HANDLING and "blinded" in who.conditions:
        return ()  # the condition itself hampers these as much as anything can
    degree, value, _ = sight_of_ground(fight, who)
    if not value:
        return ()
    topic = FEET if name == "acrobatics" else SKILLS
    return (Modifier(value, "penalty", f"{degree} concealment of the ground", fight.rule(topic)),)


FEATURES = (Feature("", check=sight_on_check),)


def unseen_wall(fight: Fight, who: Combatant, path: tuple[Square, ...]) -> int | None:
    """Return the place of the first step that the map forbids; None for a clear way, and for who sees it."""
    if sight_of_ground(fight, who)[0] != TOTAL:
        return None
    here = who.at
    for place, there in enumerate(path):
        if obstructed(fight.field, here, there, who.space):
            return place
        here = there
    return None


def run_blindly(fight: Fight, act: acts.Run) -> Steps[None]:
    """Run; who does not see where may run into something (woa.visibility.movement.collision)."""
    who = fight.combatant(act.actor)
    wall = unseen_wall(fight, who, act.path)
    if wall is None:
        yield from double_move_and_run.run(fight, act)
        return
    refuse_crooked(who, act.path, fight.rule("woa.run.action"))
    if wall:
        yield from double_move_and_run.run(fight, replace(act, path=act.path[:wall]))
    else:
        refuse_unless_allowed(fight, who, "full-round")
        movement.refuse_lying(fight, who)
        cites = fight.rules("woa.run.action")
        yield ActionSpent(who=who.id, kind="full-round", what="run", cites=cites)
    yield from collide(fight, who, act.path[:wall])


def charge_blindly(fight: Fight, act: acts.Charge, wall: int) -> Steps[None]:
    """Charge without seeing where: run into the `wall` after so many steps, and strike at nobody."""
    who = fight.combatant(act.actor)
    rule = fight.rule("woa.charge.path")
    refuse_unless_allowed(fight, who, "full-round")
    movement.refuse_after_step(fight, who)
    movement.refuse_lying(fight, who)
    if len(act.path) > 1:
        refuse_crooked(who, act.path, rule)
    if not wall:
        raise Refusal(f"{who.id} stands before it", rule)
    most = movement.leading_number(fight, "max") * movement.speed_with_burdens(fight, who)
    refuse_path(fight, who, act.path[:wall], most, rule)
    yield ActionSpent(who=who.id, kind="full-round", what="charge", cites=(rule,))
    yield movement.running(fight, who)
    yield from fight.dialect.movement.walk(fight, who, act.path[:wall], "charge", rule)
    yield from collide(fight, who, act.path[:wall])


def collide(fight: Fight, who: Combatant, path: tuple[Square, ...]) -> Steps[None]:
    """Take what running into an unseen obstacle does: the game master may make it lethal.

    woa.visibility.movement.collision
    """
    if is_down(fight, who) or (path and who.at != path[-1]):
        return
    rule = fight.rule(COLLISION)
    kind = str(fight.figure(COLLISION, "type"))
    question = f"{who.id} runs into something: what harm does it do?"
    answer = yield Choice("", "collision", question, (kind, "lethal"), rule)
    yield RuleApplied(who=who.id, what="runs into an obstacle that it does not see", cites=(rule,))
    rolled = yield Roll("", "collision", fight.figure(COLLISION, "damage"))
    harm = Harm(who, rolled.total, "", "running into an obstacle", nonlethal=answer == kind, cites=(rule,))
    yield from fight.dialect.damage.suffer(fight, harm)
