"""Threatened squares: those that a combatant can attack, also out of turn."""

from affray.engine.fight.fight import Fight, is_down
from affray.engine.fight.memory import per_company, per_scene
from affray.engine.grid.battlefield import Square
from affray.engine.kernel.places import reaches, refuse_no_opponent
from affray.engine.record.chapters import Bands
from affray.engine.rules.conditions.conditions import refuse_down
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.projections.state import Combatant


def threatens(fight: Fight, combatant: Combatant, target: Combatant, at: Square | None = None) -> bool:
    """Return whether `combatant` threatens `target` in its square, or with its anchor at `at`.

    Cover and sight are checked when it attacks.
    """
    return covers(fight, combatant, bands_now(fight, combatant), target, at)


def bands_now(fight: Fight, combatant: Combatant) -> Bands:
    """Return the distances at which a combatant threatens in its present state; () for none.

    It threatens no square during a long casting, or held so that it cannot attack (srd35.cast.one-round,
    srd35.grapple.no-threat, pf1.cond.pinned).
    """
    conditions = combatant.conditions
    if combatant.casting_due or not fight.dialect.conditions.unthreatening.isdisjoint(conditions):
        return ()
    position = fight.dialect.position
    bands = position.reach_bands(fight, combatant)
    armed = not position.arming.isdisjoint(conditions)
    return position.bands_by_state(fight, combatant, bands) if armed else bands


def covers(
    fight: Fight, combatant: Combatant, bands: Bands, target: Combatant, at: Square | None = None
) -> bool:
    """Return whether a target, in its square or with its anchor at `at`, is at a distance of these
    `bands`.
    """
    position = fight.dialect.position
    up = position.levels_apart(combatant, target) if combatant.conditions or target.conditions else 0
    for least, most in bands:
        if up <= most and reaches(combatant, target, least, most, at):
            return not fight.field.sides or not position.walled_off(fight, combatant, target, at)
    return False


@per_company("mover.side")
def find_threatening_enemies(fight: Fight, mover: Combatant) -> list[tuple[Combatant, Bands]]:
    """Return the enemies that threaten any square, and at which distances, in order of entry."""
    return [(enemy, bands) for enemy in fight.enemies(mover) if (bands := bands_now(fight, enemy))]


def threatening_at(fight: Fight, mover: Combatant, at: Square) -> list[Combatant]:
    """Return the enemies that threaten the mover with its anchor at `at`, in order of entry."""
    return [
        enemy
        for enemy, bands in find_threatening_enemies(fight, mover)
        if covers(fight, enemy, bands, mover, at)
    ]


def endangers(fight: Fight, enemy: Combatant, mover: Combatant, at: Square | None = None) -> bool:
    """Return whether an enemy threatens the mover and is not down, so that it could use an opportunity.

    Acts that do not provoke are reported only for these.
    """
    return not is_down(fight, enemy) and threatens(fight, enemy, mover, at)


@per_scene("mover.id")
def threatening(fight: Fight, mover: Combatant) -> list[Combatant]:
    """Return the enemies that threaten the mover in its square, in order of entry."""
    return threatening_at(fight, mover, mover.at)


# --- An attack of opportunity outside the usual cases: provoked by ruling


def opening(fight: Fight, act: acts.Opening) -> Steps[None]:
    """Offer one attack of opportunity at once; if there can be none now, record the reason.

    Reach, weapons and the limit per round are checked as usual (srd35.aoo.triggers, pf1.aoo.moving-provokes,
    futurepath.aoo.leaving-or-passing-threat-range, woa.aoo.provoke.common-causes).
    """
    target, opponent = fight.combatant(act.target), fight.combatant(act.opponent)
    rule = fight.rule("aoo.triggers")
    if fight.state.closed or not fight.state.begun:
        raise Refusal("no fight is going on", rule)
    refuse_no_opponent(target, opponent, rule)
    refuse_down(fight, target, "give an opening")
    refuse_down(fight, opponent, "attack")
    if not threatens(fight, opponent, target):
        raise Refusal(f"{opponent.id} does not threaten {target.id}", rule)
    if not fight.dialect.opportunity.weapons_at(fight, opponent, target):
        raise Refusal(f"{opponent.id} has no weapon in hand to attack {target.id} with", rule)
    reason = act.reason or "gives an opening"
    name = f"opening:{fight.declaration}"
    return fight.dialect.opportunity.provoke(fight, target, [opponent], reason, name, rule)
