"""Flight from what one fears: what the frightened and the panicked may declare, and who is cornered.

srd35.cond.frightened, pf1.cond.frightened, pf1.cond.panicked.
"""

from collections.abc import Iterator
from typing import Any, Final

from affray.engine.fight.fight import Fight, is_down, rule_of
from affray.engine.rules.conditions.flight import FLEEING, UNWILLED, cause_of
from affray.engine.rules.movement.flee import feet_apart, flight_path
from affray.engine.steps import Refusal
from affray.events.facts import acts
from affray.projections.state import Combatant

#: What gets the panicked on their way, besides fleeing itself.
READY_TO_FLEE: Final = (*UNWILLED, acts.EndTurn, acts.Stand, acts.Drop, acts.GetFree, acts.BreakFree)


def feared(fight: Fight, combatant: Combatant) -> Combatant | None:
    """Return whom a frightened or panicked combatant fears; None where that is nobody who stands here."""
    for name in ("panicked", "frightened"):
        held = combatant.conditions.get(name)
        cause = cause_of(fight, held) if held is not None else None
        if cause is not None and cause is not combatant and not is_down(fight, cause):
            return cause
    return None


def way_out(fight: Fight, combatant: Combatant) -> tuple[Combatant, bool] | None:
    """Return whom a combatant fears and whether any way leads away from that one, None if it fears nobody."""
    cause = feared(fight, combatant)
    return None if cause is None else (cause, bool(flight_path(fight, combatant, cause)))


def refuse_to_frightened(fight: Fight, actor: Combatant, act: acts.Act) -> None:
    """Refuse to the frightened to attack anybody or to come nearer, unless they are cornered.

    Whoever stands in no danger that it could flee from is free (srd35.cond.frightened, pf1.cond.frightened).
    """
    if isinstance(act, UNWILLED) or not (isinstance(act, FLEEING) or any(opponents_of(fight, actor, act))):
        return
    found = way_out(fight, actor)
    if found is None or not found[1]:
        return
    refuse_nearer(fight, actor, act, found[0], "frightened")
    if not isinstance(act, FLEEING):
        rule = fight.rule(rule_of(fight, "frightened").topic)
        raise Refusal(f"{actor.id} is frightened and flees from {found[0].id}", rule)


def refuse_to_panicked(fight: Fight, actor: Combatant, act: acts.Act) -> None:
    """Refuse to the panicked all but flight, away from whom they fear if that is known (pf1.cond.panicked).

    Who is cornered cowers before.
    """
    if isinstance(act, READY_TO_FLEE) or (isinstance(act, acts.Grapple) and act.what == "escape"):
        return
    if not isinstance(act, FLEEING):
        rule = fight.rule(rule_of(fight, "panicked").topic)
        raise Refusal(f"{actor.id} is panicked and does nothing but flee", rule)
    cause = feared(fight, actor)
    if cause is not None:
        refuse_nearer(fight, actor, act, cause, "panicked")


def refuse_nearer(fight: Fight, actor: Combatant, act: Any, cause: Combatant, fear: str) -> None:
    """Refuse a movement that does not end farther from what is feared than it begins."""
    path = act.path if isinstance(act, FLEEING) else ()
    if path and feet_apart(actor, path[-1], cause) <= feet_apart(actor, actor.at, cause):
        rule = fight.rule(rule_of(fight, fear).topic)
        reason = f"{actor.id} is {fear} and flees from {cause.id}: this way leads no farther from it"
        raise Refusal(reason, rule)


def opponents_of(fight: Fight, actor: Combatant, act: Any) -> Iterator[str]:
    """Yield the opponents at whom an act is aimed, or an act readied or carried out on the way."""
    inner = getattr(act, "then", None)
    if inner is not None:
        yield from opponents_of(fight, actor, inner)
    if isinstance(act, acts.Grapple) and act.what in ("escape", "release"):
        return
    named = (getattr(act, "target", ""), *getattr(act, "targets", ()))
    for id in (*named, *(one.target for one in getattr(act, "strikes", ()))):
        other = fight.state.combatants.get(id)
        if other is not None and other.side != actor.side:
            yield id
