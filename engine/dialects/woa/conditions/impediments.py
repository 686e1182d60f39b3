"""Implement impediments: flight from fear, bonds, deafness, and jarring called shots."""

from affray.engine.dialects.woa.classes.turned_undead import CORNERED
from affray.engine.dialects.woa.conditions.conditions import (
    FLEEING,
    LINGERS,
    MOVING,
    SUBSIDED,
    a_minute,
    change_fear,
    find_feared_combatant,
    get_rounds_passed,
    targets_of,
)
from affray.engine.dialects.woa.conditions.conditions import STILL_FREE as conditions_STILL_FREE
from affray.engine.fight.fight import Fight, is_down
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import obstructed
from affray.engine.grid.lines_and_cover import DIRECTIONS
from affray.engine.record.blow import Blow
from affray.engine.record.compose import about, when
from affray.engine.rules.classes.abilities import ability_now, strength_to_break
from affray.engine.rules.classes.checks import check, skill_parts
from affray.engine.rules.conditions.conditions import apply_fear_condition
from affray.engine.rules.conditions.fear import find_squares_away_from, squared_distance
from affray.engine.rules.gear.hands import drop_all
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.maneuvers.opposed_checks import roll_opposed, side_of
from affray.engine.rules.position.places import occupants, sees
from affray.engine.rules.turns.actions import spending
from affray.engine.steps import Choice, Refusal, Roll, Steps, onward
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, DamagePart, DamageResolved, Until
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Modifier, Spell
from affray.projections.state import Combatant

# --- Flight from feared combatants (woa.condition.frightened, woa.condition.panicked, woa.condition.cowering)


def flee_or_cower(fight: Fight, blow: Blow) -> Steps[None]:
    """Make a combatant attacked by what it fears flee, or cower if panicked.

    Cornered combatants fight on (woa.condition.frightened, .cowering, woa.condition.frightened.cornered).
    """
    target = blow.target
    if find_feared_combatant(fight, target) is not blow.attacker or is_down(fight, target):
        return
    if "turned" in target.conditions:
        # Turned undead defend themselves if they cannot back away (woa.turn-undead.cannot-retreat).
        return
    source = blow.attacker.id
    if "panicked" in target.conditions:
        if "cowering" not in target.conditions:
            cites = fight.rules("woa.condition.panicked.confronted", "woa.condition.cowering")
            until = Until("round-end", "", fight.state.round + 1)
            cowed = ConditionGained(
                who=target.id, condition="cowering", source=source, until=until, cites=cites
            )
            yield from apply_fear_condition(fight, cowed)
    elif FLEEING not in target.conditions and ways_out(fight, target):
        until = Until("round-end", "", fight.state.round + 1)
        cites = fight.rules("woa.condition.frightened")
        yield ConditionGained(who=target.id, condition=FLEEING, source=source, until=until, cites=cites)


def cite_cornered(fight: Fight, blow: Blow, detail: str) -> tuple[Modifier, ...]:
    """Cite why a frightened combatant fights what it fears instead of fleeing: it is cornered."""
    attacker = blow.attacker
    if "frightened" not in attacker.conditions:
        return ()
    cause = find_feared_combatant(fight, attacker)
    held = cause is not None and (cause is blow.target or FLEEING in attacker.conditions)
    if held and not ways_out(fight, attacker):
        blow.cites.append(fight.rule("woa.condition.frightened.cornered"))
    return ()


def ways_out(fight: Fight, combatant: Combatant) -> list[Square]:
    """Return the squares next to a combatant that lead away from what it fears, clockwise from above."""
    cause = find_feared_combatant(fight, combatant)
    if any(name in combatant.conditions for name in ("stuck", "immobilized", "paralyzed")):
        return []
    return find_squares_away_from(
        fight, combatant, [cause] if cause is not None else fight.enemies(combatant)
    )


def refuse_acts_of_fleeing(fight: Fight, actor: Combatant, act: object) -> None:
    """Refuse fleeing combatants every act that does not take them away from what they fear.

    The frightened may use powers for it, the panicked natural movement only; a combatant that cannot get away
    is exempt (woa.condition.frightened, .frightened.cornered, .panicked).
    """
    if CORNERED in actor.conditions:
        # An undead forced into melee by its turner defends itself (woa.turn-undead.fail-by-10).
        return
    panic = "panicked" in actor.conditions
    rule = fight.rule("woa.condition.panicked" if panic else "woa.condition.frightened")
    if isinstance(act, conditions_STILL_FREE) or (not panic and not ways_out(fight, actor)):
        return
    if isinstance(act, acts.Plan):
        allowed = MOVING if panic else (*MOVING, "cast", "use-ability")
        wrong = next((one.what for one in act.actions if one.what not in allowed), "")
        if wrong:
            raise Refusal(f"{actor.id} flees and cannot declare to {wrong}", rule)
        return
    if not panic and isinstance(act, acts.Cast | acts.UseAbility):
        if any(fight.state.combatants[id].side != actor.side for id in targets_of(fight, act)):
            raise Refusal(f"{actor.id} flees and can do nothing to its enemies", rule)
        return
    path = (act.to,) if isinstance(act, acts.Step) else getattr(act, "path", ())
    if not isinstance(act, acts.Move | acts.Run | acts.Step) or not path:
        raise Refusal(f"{actor.id} is {'panicked' if panic else 'frightened'} and can only flee", rule)
    cause = find_feared_combatant(fight, actor)
    if cause is not None and squared_distance(path[-1], cause) <= squared_distance(actor.at, cause):
        raise Refusal(f"{actor.id} flees from {cause.id}: that path leads no farther away", rule)


def must_flee(fight: Fight, combatant: Combatant) -> bool:
    """Return whether a combatant must get away from what it fears."""
    return "panicked" in combatant.conditions or (
        FLEEING in combatant.conditions and bool(ways_out(fight, combatant))
    )


def plan_flight_from_fear(fight: Fight, combatant: Combatant, feet: int) -> acts.Move | acts.Stand | None:
    """Return a move of at most `feet` feet away from what a combatant fears, None if there is none.

    Each square leads away from the previous one and from what it fears.
    """
    if "prone" in combatant.conditions:
        return acts.Stand(actor=combatant.id)
    cause = find_feared_combatant(fight, combatant)
    dangers = [cause] if cause is not None else fight.enemies(combatant)
    here, path = combatant.at, list[Square]()
    # Every other diagonal counts double, so two thirds of the squares are always affordable.
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


FLIGHT_FROM_FEAR_PROHIBITIONS = (
    when("'panicked' in conditions", refuse_acts_of_fleeing),
    when(f"{FLEEING!r} in conditions", refuse_acts_of_fleeing),
)


def calm_those_out_of_sight(fight: Fight) -> Steps[None]:
    """At the end of a turn, calm panicked combatants out of sight of what they fear to frightened.

    When it comes into sight again they panic again (woa.condition.panicked.escaped).
    """
    for combatant in list(fight.state.combatants.values()):
        if not ("panicked" in combatant.conditions or "frightened" in combatant.conditions) or is_down(
            fight, combatant
        ):
            continue
        cause = find_feared_combatant(fight, combatant)
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
    """At the end of the encounter, end being shaken; worse fear leaves its victims shaken for ten minutes.

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
    until = Until("round-end", "", get_rounds_passed(fight) + rounds)
    for name in worse:
        source = f"{LINGERS}{combatant.conditions[name].source}"
        yield from change_fear(fight, combatant, name, "shaken", topic, until, source)


# --- Bonds: getting out of them, and casting in them (woa.condition.impeded.*)

#: Bonds, the tightest first.
BONDS = ("immobilized", "stuck", "tethered", "entangled")
ESCAPE = "woa.condition.impeded.escape"
#: The rule on causes of bonds, cited by effects that cause them.
CAUSES = "woa.condition.impeded.causes"
#: The DCs offered to the game master when an effect names none.
DIFFICULTIES = ("15", "10", "20", "25", "30")
#: Acts that the immobilized may declare.
STILL_FREE = (acts.GetFree, acts.EndTurn, acts.Speak, acts.Close)
MOVEMENT: tuple[type[acts.Act], ...] = (acts.Move, acts.Run, acts.Charge, acts.Step, acts.Skirmish)


def bonds_of(combatant: Combatant) -> str:
    """Return the tightest bonds that hold a combatant, "" if there are none."""
    return next((name for name in BONDS if name in combatant.conditions), "")


def dc_of_bonds(fight: Fight, combatant: Combatant, held: str) -> Steps[int]:
    """Return the DC to get out of bonds: that of the effect, otherwise the game master's."""
    level = combatant.conditions[held].level
    if level > 0:
        return level
    rule = fight.rule(ESCAPE)
    question = f"how hard is it for {combatant.id} to get out of the {combatant.conditions[held].source}?"
    return int((yield Choice("", "escape-dc", question, DIFFICULTIES, rule)))


def get_free(fight: Fight, act: acts.GetFree) -> Steps[None]:
    """Get out of bonds as a full-round action: by Escape Artist, or by bursting them with Strength.

    Being entangled does not hinder Escape Artist (woa.condition.impeded.escape, .entangled.escape,
    .immobilized).
    """
    actor = fight.combatant(act.actor)
    held = bonds_of(actor)
    if not held:
        raise Refusal(f"nothing holds {actor.id}", fight.rule(ESCAPE))
    topic = "woa.condition.immobilized" if held == "immobilized" else "woa.condition.entangled.escape"
    yield spending(fight, actor, "full-round", "get free", fight.rule(topic))
    dc = yield from dc_of_bonds(fight, actor, held)
    cites = fight.rules(ESCAPE)
    why = f"out of the {actor.conditions[held].source}"
    if act.skill:
        parts = [
            part
            for part in skill_parts(fight, actor, "escape artist", "dex", cites[0])
            if part.source not in BONDS
        ]
        free = yield from check(fight, actor, "escape artist", parts, dc, *cites, why=why)
    else:
        free = yield from check(
            fight, actor, "strength", strength_to_break(fight, actor, cites[0]), dc, *cites, why=why
        )
    if free:
        yield from end_bonds(actor, "slips out" if act.skill else "bursts the bonds", *cites)


def end_bonds(combatant: Combatant, why: str, *cites: str) -> Steps[None]:
    """End the tightest bonds; a combatant freed from an anchor is also out of the snare."""
    held = bonds_of(combatant)
    names = (held,) if held == "immobilized" else ("stuck", "tethered", "entangled")
    for name in names:
        if name in combatant.conditions:
            yield ConditionLost(who=combatant.id, condition=name, why=why, cites=cites)


def break_free(fight: Fight, act: acts.BreakFree) -> Steps[None]:
    """Destroy the bonds with a weapon; the game master decides whether the damage suffices."""
    actor = fight.combatant(act.actor)
    held = bonds_of(actor)
    rule = fight.rule(ESCAPE)
    if not held:
        raise Refusal(f"nothing holds {actor.id}", rule)
    weapon = find_weapon(fight, actor, act.weapon)
    yield spending(fight, actor, "full-round", "cut the bonds", fight.rule("woa.condition.entangled.escape"))
    rolled = yield Roll(actor.id, "damage", weapon.damage)
    total = max(0, rolled.total + ability_now(fight, actor, "str"))
    source = actor.conditions[held].source
    yield DamageResolved(
        attacker=actor.id,
        target=actor.id,
        weapon=weapon.name,
        dice=(DamagePart(weapon.damage, rolled.key, rolled.total, weapon.damage_type, weapon.name),),
        modifiers=tuple(strength_to_break(fight, actor, rule)),
        multiplier=1,
        total=total,
        nonlethal=False,
        reduced=total,
        why=f"at the {source}",
        cites=(rule,),
    )
    question = f"{actor.id} deals {total} to the {source}: does it break?"
    if (yield Choice("", "severed", question, ("it gives", "it holds"), rule)) == "it gives":
        yield from end_bonds(actor, f"destroys the {source}", rule)


def tethered(fight: Fight, act: acts.Act, moving: Steps[None]) -> Steps[None]:
    """Move; a tethered mover first pulls against the one that holds the tether.

    Movement needs an opposed Strength check (woa.condition.stuck).
    """
    actor = fight.combatant(act.actor)
    if actor.mount:
        yield from moving
        return
    # Moves are refused before their first step, so all checks here come before it too.
    step = next(moving)
    if "tethered" in actor.conditions:
        holder = fight.state.combatants.get(actor.conditions["tethered"].source)
        if holder is not None and not (yield from pull_against_tether(fight, actor, holder)):
            return
    yield from onward(moving, step)


def pull_against_tether(fight: Fight, combatant: Combatant, holder: Combatant) -> Steps[bool]:
    """Pull against the tether by an opposed Strength check; a tie holds. A failure costs the action."""
    rule = fight.rule("woa.condition.stuck")
    mine, theirs = (
        side_of(fight, one, "strength", strength_to_break(fight, one, rule)) for one in (combatant, holder)
    )
    if (yield from roll_opposed(fight, "strength", mine, theirs, rule)) > 0:
        return True
    yield spending(fight, combatant, "move", "pull at the tether", rule)
    yield RuleApplied(who=combatant.id, what=f"cannot pull free of {holder.id}", cites=(rule,))
    return False


def refuse_stuck(fight: Fight, actor: Combatant, act: object) -> None:
    """Refuse movement to combatants whose bonds are anchored (woa.condition.stuck, .entangled.movement)."""
    rule = fight.rule(
        "woa.condition.entangled.movement" if "entangled" in actor.conditions else "woa.condition.stuck"
    )
    raise Refusal(f"{actor.id} is stuck: {actor.conditions['stuck'].source}", rule)


def refuse_immobilized(fight: Fight, actor: Combatant, act: object) -> None:
    """Refuse the immobilized everything except trying to get free (woa.condition.immobilized)."""
    if isinstance(act.then if isinstance(act, acts.Split) else act, STILL_FREE):
        return
    if isinstance(act, acts.Plan) and all(one.what in ("get-free", "split") for one in act.actions):
        return
    if isinstance(act, acts.Cast):
        spell = next((one for one in actor.sheet.spells if one.name == act.spell), None)
        if spell is not None and not spell.components:
            return
    reason = f"{actor.id} is immobilized and can only try to get free"
    raise Refusal(reason, fight.rule("woa.condition.immobilized"))


IMPEDED_MOBILITY_PROHIBITIONS = (
    about(MOVEMENT, when("'stuck' in conditions", refuse_stuck)),
    about((acts.Overrun,), when("'stuck' in conditions and not mount", refuse_stuck)),
    when("'immobilized' in conditions", refuse_immobilized),
)


def casting_in_bonds(fight: Fight, caster: Combatant, spell: Spell, parts: list[Modifier]) -> Steps[bool]:
    """Check concentration for casting while entangled; return whether the spell is lost.

    woa.condition.entangled.spellcasting
    """
    if spell.ability or not is_in_bonds(caster):
        return False
    kept = yield from concentrate_in_bonds(fight, caster, spell.level, parts)
    if not kept:
        what = f"{spell.name} is lost"
        yield RuleApplied(who=caster.id, what=what, cites=fight.rules("woa.condition.entangled.spellcasting"))
    return not kept


def is_in_bonds(caster: Combatant) -> bool:
    """Return whether a caster is entangled, stuck or on a tether."""
    return any(name in caster.conditions for name in ("entangled", "stuck", "tethered"))


def concentrate_in_bonds(
    fight: Fight, caster: Combatant, level: int, parts: list[Modifier], *also: str
) -> Steps[bool]:
    """Check concentration in bonds; return whether it holds (woa.condition.entangled.spellcasting)."""
    topic = "woa.condition.entangled.spellcasting"
    base, per = str(fight.figure(topic, "formula")).split(" + ")
    dc = int(base) + int(per.split()[0]) * level
    rules = (fight.rule(topic), *also)
    return (yield from check(fight, caster, "concentration", parts, dc, *rules, why="entangled"))


def is_garbled_by_deafness(fight: Fight, caster: Combatant, spell: Spell) -> Steps[bool]:
    """Roll whether a deafened caster garbles the words of a spell; return whether it is lost.

    woa.condition.deafened, woa.spell.deafened-failure
    """
    if "used to being deafened" in caster.conditions:
        return False
    if "deafened" not in caster.conditions or "verbal" not in spell.components or spell.ability:
        return False
    topic = "woa.condition.deafened"
    percent = fight.figure(topic, "verbal_spell_failure_percent")
    rolled = yield Roll(caster.id, "deafened", "1d100")
    lost = bool(rolled.total <= percent)
    what = f"deafened, {percent}%: {rolled.total}, {spell.name} {'is lost' if lost else 'succeeds'}"
    yield RuleApplied(who=caster.id, what=what, cites=fight.rules(topic, "woa.spell.deafened-failure"))
    return lost


# --- The jarring of a caster by a called shot (woa.called-shot.effect)

JARRED = "jarred"


def record_jarring_attack(fight: Fight, target: Combatant, part: str) -> Steps[None]:
    """Record an attack on a part that casting needs: the head, or the arm or hand that casts."""
    topic = "woa.called-shot.concentration"
    named = [str(one).split()[0] for one in fight.figure(topic, "parts")[:1]]
    rule = fight.rule(topic)
    if part in ("arm", "hand"):
        question = f"is the {part} that was struck the one with which {target.id} casts?"
        if (yield Choice("", "casting-hand", question, ("yes", "no"), rule)) != "yes":
            return
    elif part not in named:
        return
    until = Until("round-end", "", fight.state.round)
    yield ConditionGained(who=target.id, condition=JARRED, source=part, until=until, cites=(rule,))


def concentration_of_jarred(fight: Fight, combatant: Combatant, spell: Spell) -> list[Modifier]:
    """Return the concentration penalty for a called shot at a part that the spell needs."""
    held = combatant.conditions.get(JARRED)
    if held is None or (held.source in ("arm", "hand") and "somatic" not in spell.components):
        return []
    source = f"struck at the {held.source}"
    return [fight.modifier("woa.called-shot.concentration", "penalty", kind="penalty", source=source)]
