"""Flight from what one fears (woa.condition.frightened, woa.condition.panicked, woa.condition.cowering)."""

from typing import Any

from affray.engine.dialects.woa.classes.turned_undead import CORNERED
from affray.engine.dialects.woa.conditions.durations import a_minute, rounds_gone_by
from affray.engine.dialects.woa.conditions.fear import (
    FLEEING,
    LINGERS,
    MOVING,
    STILL_FREE,
    SUBSIDED,
    change_fear,
    feared_by,
    targets_of,
)
from affray.engine.fight.fight import Fight, is_down
from affray.engine.grid.area import DIRECTIONS
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import obstructed
from affray.engine.record.blow import Blow
from affray.engine.record.compose import when
from affray.engine.rules.conditions.condition_rules import come_over
from affray.engine.rules.conditions.fear import squared_distance, squares_away_from
from affray.engine.rules.gear.let_go import drop_all
from affray.engine.rules.position.line_of_effect import sees
from affray.engine.rules.position.occupants import occupants
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, Until
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant


def flee_or_cower(fight: Fight, blow: Blow) -> Steps[None]:
    """Let somebody attacked by what it fears flee, or cower from panic (woa.condition.frightened, .cowering).

    The cornered stand their ground (woa.condition.frightened.cornered).
    """
    target = blow.target
    if feared_by(fight, target) is not blow.attacker or is_down(fight, target):
        return
    if "turned" in target.conditions:
        # The turned defend themselves where they cannot back away (woa.turn-undead.cannot-retreat).
        return
    source = blow.attacker.id
    if "panicked" in target.conditions:
        if "cowering" not in target.conditions:
            cites = fight.rules("woa.condition.panicked.confronted", "woa.condition.cowering")
            until = Until("round-end", "", fight.state.round + 1)
            cowed = ConditionGained(
                who=target.id, condition="cowering", source=source, until=until, cites=cites
            )
            yield from come_over(fight, cowed)
    elif FLEEING not in target.conditions and ways_out(fight, target):
        until = Until("round-end", "", fight.state.round + 1)
        cites = fight.rules("woa.condition.frightened")
        yield ConditionGained(who=target.id, condition=FLEEING, source=source, until=until, cites=cites)


def stands_ground(fight: Fight, blow: Blow, detail: str) -> tuple[Modifier, ...]:
    """Cite why somebody frightened fights on against what it fears, or where it would flee: cornered."""
    attacker = blow.attacker
    if "frightened" not in attacker.conditions:
        return ()
    cause = feared_by(fight, attacker)
    held = cause is not None and (cause is blow.target or FLEEING in attacker.conditions)
    if held and not ways_out(fight, attacker):
        blow.cites.append(fight.rule("woa.condition.frightened.cornered"))
    return ()


def ways_out(fight: Fight, combatant: Combatant) -> list[Square]:
    """Return the squares next to a combatant that lead away from what it fears, clockwise from above."""
    cause = feared_by(fight, combatant)
    if any(name in combatant.conditions for name in ("stuck", "immobilized", "paralyzed")):
        return []
    return squares_away_from(fight, combatant, [cause] if cause is not None else fight.enemies(combatant))


def refuse_staying(fight: Fight, actor: Combatant, act: Any) -> None:
    """Refuse to the fleeing whatever does not take them away from what they fear.

    Those who were frightened may use powers that serve it, the panicked natural movement only; who cannot get
    away is not held to it (woa.condition.frightened, .frightened.cornered, .panicked).
    """
    if CORNERED in actor.conditions:
        # Forced into melee by whoever turned it, an undead defends itself (woa.turn-undead.fail-by-10).
        return
    panic = "panicked" in actor.conditions
    rule = fight.rule("woa.condition.panicked" if panic else "woa.condition.frightened")
    if isinstance(act, STILL_FREE) or (not panic and not ways_out(fight, actor)):
        return
    if isinstance(act, acts.Plan):
        allowed = MOVING if panic else (*MOVING, "cast", "use-ability")
        wrong = next((one.what for one in act.actions if one.what not in allowed), "")
        if wrong:
            raise Refusal(f"{actor.id} flees and cannot declare to {wrong}", rule)
        return
    if not panic and isinstance(act, acts.Cast | acts.UseAbility):
        if any(fight.state.combatants[id].side != actor.side for id in targets_of(fight, act)):
            raise Refusal(f"{actor.id} flees and does nothing to its enemies", rule)
        return
    path = (act.to,) if isinstance(act, acts.Step) else getattr(act, "path", ())
    if not isinstance(act, acts.Move | acts.Run | acts.Step) or not path:
        raise Refusal(
            f"{actor.id} is {'panicked' if panic else 'frightened'} and does nothing but flee", rule
        )
    cause = feared_by(fight, actor)
    if cause is not None and squared_distance(path[-1], cause) <= squared_distance(actor.at, cause):
        raise Refusal(f"{actor.id} flees from {cause.id}: that way leads no farther from it", rule)


def must_flee(fight: Fight, combatant: Combatant) -> bool:
    """Say whether somebody is bound to get away from what it fears."""
    return "panicked" in combatant.conditions or (
        FLEEING in combatant.conditions and bool(ways_out(fight, combatant))
    )


def way_from_fear(fight: Fight, combatant: Combatant, feet: int) -> acts.Move | acts.Stand | None:
    """Return a move of so many feet at most away from what somebody fears, None for no way.

    Each square leads away from where it stands and from what it fears.
    """
    if "prone" in combatant.conditions:
        return acts.Stand(actor=combatant.id)
    cause = feared_by(fight, combatant)
    dangers = [cause] if cause is not None else fight.enemies(combatant)
    here, path = combatant.at, list[Square]()
    # Every other diagonal counts double: half as many squares again are always affordable.
    for _ in range(max(1, feet * 2 // 3 // SQUARE_FT)):
        steps = [(here[0] + dx, here[1] + dy) for dx, dy in DIRECTIONS]
        found = [
            at
            for at in steps
            if not obstructed(fight.field, here, at, combatant.space)
            and not fight.field.doublings(at, combatant.space)
            and not occupants(fight, combatant, at)
            and all(squared_distance(at, one) > squared_distance(here, one) for one in dangers)
        ]
        if not found:
            break
        here = max(found, key=lambda at: sum(squared_distance(at, one) for one in dangers))
        path.append(here)
    return acts.Move(actor=combatant.id, path=tuple(path)) if path else None


PROHIBITIONS = (
    when("'panicked' in conditions", refuse_staying),
    when(f"{FLEEING!r} in conditions", refuse_staying),
)


def calm_those_out_of_sight(fight: Fight) -> Steps[None]:
    """As a turn ends, let the panicked who have got out of sight of what they fear only be frightened.

    When it comes in sight again they panic anew (woa.condition.panicked.escaped).
    """
    for combatant in list(fight.state.combatants.values()):
        if not ("panicked" in combatant.conditions or "frightened" in combatant.conditions) or is_down(
            fight, combatant
        ):
            continue
        cause = feared_by(fight, combatant)
        if cause is None or cause is combatant:
            continue
        name = "panicked" if "panicked" in combatant.conditions else "frightened"
        near, topic = sees(fight, combatant, cause), "woa.condition.panicked.escaped"
        if name == "panicked" and not near:
            yield from change_fear(fight, combatant, name, "frightened", topic)
            cites = fight.rules(topic)
            yield ConditionGained(who=combatant.id, condition=SUBSIDED, source=cause.id, cites=cites)
        elif name == "frightened" and near and SUBSIDED in combatant.conditions:
            yield from change_fear(fight, combatant, name, "panicked", topic)
            yield from drop_all(fight, combatant, fight.rules("woa.condition.panicked"))


def recover_from_fear(fight: Fight, combatant: Combatant) -> Steps[None]:
    """When the encounter is over the shaken recover; worse fear leaves them shaken for ten minutes.

    woa.condition.fear.recovery
    """
    topic = "woa.condition.fear.recovery"
    cites = fight.rules(topic)
    worse = [name for name in ("panicked", "frightened") if name in combatant.conditions]
    shaken = combatant.conditions.get("shaken")
    if shaken is not None and not shaken.source.startswith(LINGERS):
        yield ConditionLost(who=combatant.id, condition="shaken", why="the encounter is over", cites=cites)
    if not worse:
        return
    words = str(fight.figure(topic, "frightened_or_panicked")).split()
    minutes = next(int(word) for word in words if word.isdigit())
    rounds = minutes * a_minute(fight)
    until = Until("round-end", "", rounds_gone_by(fight) + rounds)
    for name in worse:
        source = f"{LINGERS}{combatant.conditions[name].source}"
        yield from change_fear(fight, combatant, name, "shaken", topic, until, source)
