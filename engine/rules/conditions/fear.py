"""Fear that adds up, panic and flight, and death at a blow (srd35.cond.fear-ladder, srd35.cond.panicked)."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from affray.engine.fight.fight import Fight, is_down, is_marked, rule_of
from affray.engine.grid.battlefield import Square
from affray.engine.grid.distance import obstructed
from affray.engine.grid.lines_and_cover import DIRECTIONS
from affray.engine.kernel.places import distance, refuse_apart
from affray.engine.kernel.sheets import score_of
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.checks import saving_throw
from affray.engine.rules.conditions.conditions import (
    FLEEING,
    UNWILLED,
    find_cause,
    find_loss_immunities,
    immunity_to,
)
from affray.engine.rules.damage.injury import AT_THE_START
from affray.engine.rules.movement.movement import feet_apart, flight_path
from affray.engine.rules.position.places import occupants, sees
from affray.engine.rules.turns.actions import has_acted, spending
from affray.engine.rules.turns.fiat import newcomer
from affray.engine.steps import Refusal, Roll, Steps
from affray.events.errors import counted
from affray.events.facts import acts
from affray.events.facts.combat import ConditionLost, EffectGained, Until
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import SCORES, Modifier, Spell
from affray.projections.state import Combatant, Effect

# --- Lost ability points of a newcomer
# pf1.ability-damage, srd35.ability-loss.applied.

Entry = Callable[[Fight, acts.Enter], Steps[None]]


def refuse_start_losses(fight: Fight, act: acts.Enter) -> None:
    """Refuse an entry with lost points of an unknown ability, of a missing one, or against an immunity.

    pf1.ability-damage, srd35.ability-loss.applied.
    """
    rule = fight.rule("ability-loss.applied")
    for said, points in act.losses:
        name = said.removesuffix(" drain")
        if name not in SCORES:
            raise Refusal(f"{said!r} is no ability: there are {', '.join(SCORES)}", rule)
        if act.sheet is None or score_of(act.sheet, name) is None or points < 1:
            raise Refusal(f"{act.id} cannot have lost {counted(points, 'point')} of {SCORES[name]}", rule)
        kinds = find_loss_immunities(name, said != name)
        if immunity := immunity_to(fight, newcomer(fight, act, act.sheet), *kinds):
            reason = f"{act.id} cannot have lost points of {SCORES[name]}: immunity to {immunity.kind}"
            raise Refusal(reason, immunity.rule)


def start_losses(lose: Callable[..., Steps[None]]) -> Entry:
    """Return the steps by which a combatant enters with lost ability points, and their consequences.

    `lose` takes points off an ability by the dialect's rules (fight, victim, name, points, source, drain=).
    """

    def lose_at_entry(fight: Fight, act: acts.Enter) -> Steps[None]:
        newcomer = fight.combatant(act.id)
        for said, points in act.losses:
            name, drain = said.removesuffix(" drain"), said.endswith(" drain")
            yield from lose(fight, newcomer, name, points, AT_THE_START, drain=drain)

    return lose_at_entry


# --- Fascination, and what ends it
# srd35.cond.fascinated, pf1.cond.fascinated.


def fascination_over(fight: Fight, combatant: Combatant, why: str) -> ConditionLost:
    """Return the fact that a combatant's fascination is over."""
    cites = (fight.rule("cond.fascinated"),)
    return ConditionLost(who=combatant.id, condition="fascinated", why=why, cites=cites)


def end_fascination_by_obvious_threat(fight: Fight, by: Combatant, what: str) -> Steps[None]:
    """End the fascination of opponents that see an obvious threat."""
    for one in fight.enemies(by):
        if one.conditions and "fascinated" in one.conditions and sees(fight, one, by):
            yield fascination_over(fight, one, f"{by.id} {what}")


def end_fascination_by_casting(fight: Fight, caster: Combatant, spell: Spell) -> Steps[None]:
    """End the fascination of a caster's enemies by its casting.

    srd35.cond.fascinated, pf1.cond.fascinated.
    """
    return end_fascination_by_obvious_threat(fight, caster, f"casts {spell.name}")


def end_fascination_by_drawing(fight: Fight, act: acts.Draw) -> Steps[None]:
    """End the fascination of enemies by drawing a weapon.

    srd35.cond.fascinated, pf1.cond.fascinated.
    """
    return end_fascination_by_obvious_threat(fight, fight.combatant(act.actor), f"draws the {act.item}")


def possible_threat(fight: Fight, by: Combatant) -> Steps[None]:
    """Give the fascinated a new saving throw when an opponent approaches.

    srd35.cond.fascinated, pf1.cond.fascinated.
    """
    for one in fight.enemies(by) if is_marked(fight) else ():
        held = one.conditions.get("fascinated")
        if held is None or not sees(fight, one, by):
            continue
        found = find_spell_by_name(fight, held.source)
        if found is None:
            continue
        caster, spell = found
        dc, cites = fight.dialect.magic.spell_dc(fight, caster, spell)
        rule = fight.rule("cond.fascinated")
        if (yield from saving_throw(fight, one, spell.save or "will", dc, spell.name, rule, *cites)):
            yield fascination_over(fight, one, f"wary of {by.id}")


def find_spell_by_name(fight: Fight, name: str) -> tuple[Combatant, Spell] | None:
    """Return the combatant that has the spell of that name, and the spell."""
    for one in fight.state.combatants.values():
        for spell in one.sheet.spells:
            if spell.name == name:
                return one, spell
    return None


def rouse(fight: Fight, act: acts.Rouse) -> Steps[None]:
    """Shake a friend out of its fascination: a standard action.

    srd35.cond.fascinated, pf1.cond.fascinated.
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule("cond.fascinated")
    if "fascinated" not in target.conditions:
        raise Refusal(f"{target.id} is not fascinated", rule)
    refuse_apart(actor, target, rule)
    yield spending(fight, actor, "standard", f"rouse {target.id}", rule)
    yield fascination_over(fight, target, f"roused by {actor.id}")


def find_squares_away_from(fight: Fight, combatant: Combatant, dangers: Sequence[Combatant]) -> list[Square]:
    """Return the free squares next to a creature that lead away from all of these, clockwise from above."""
    x, y = combatant.at
    found = []
    for dx, dy in DIRECTIONS:
        there = (x + dx, y + dy)
        barred = obstructed(fight.field, combatant.at, there, combatant.space)
        if not (barred or occupants(fight, combatant, there)) and all(
            squared_distance(there, one) > squared_distance(combatant.at, one) for one in dangers
        ):
            found.append(there)
    return found


def squared_distance(at: Square, other: Combatant) -> int:
    """Return the square of the straight distance from a place to a creature, in squares."""
    return (at[0] - other.at[0]) ** 2 + (at[1] - other.at[1]) ** 2


# --- Compulsion: a creature's forced act on its turn, and the acts that it refuses then
# srd35.cond.confused, pf1.cond.confused.

STRIKES_BACK: Final = "strikes-back"
COMPELLED: Final = "compelled"
ATTACK, BABBLE, ACT, FLEE = "attack", "babble", "act", "flee"
MOVES = (acts.Move, acts.Run, acts.Withdraw, acts.Charge)
#: Declarations that are no acts of the creature's mind: the game goes on.
ALWAYS = (acts.Enter, acts.Begin, acts.Close, acts.EndTurn, acts.Hazard)


def compel(fight: Fight, combatant: Combatant, what: str, topic: str, against: str = "") -> EffectGained:
    """Return the fact that a creature is compelled to this one act on its turn."""
    rule = fight.rule(topic)
    return EffectGained(
        who=combatant.id,
        id=f"{fight.declaration}:{COMPELLED}:{combatant.id}:{fight.state.round}",
        stat=COMPELLED,
        modifier=Modifier(0, "compulsion", what, rule),
        until=Until("turn-end", combatant.id, fight.state.round),
        against=against,
        cites=(rule,),
    )


def compulsion(combatant: Combatant) -> Effect | None:
    """Return the act that a creature is compelled to on its turn, if any."""
    return next((one for one in combatant.effects if one.stat == COMPELLED), None)


def find_nearest_creature(fight: Fight, combatant: Combatant) -> Steps[str]:
    """Return the nearest other creature, "" if there is none; ties are decided by a die.

    srd35.distance.closest-tie, pf1.cond.confused.
    """
    others = [
        one
        for one in fight.state.combatants.values()
        if one is not combatant and "dead" not in one.conditions
    ]
    if not others:
        return ""
    least = min(distance(combatant, one) for one in others)
    near = [one for one in others if distance(combatant, one) == least]
    if len(near) > 1:
        rolled = yield Roll(combatant.id, "closest", f"1d{len(near)}")
        near = [near[rolled.total - 1]]
        what = f"of those equally near {near[0].id} counts as nearest"
        yield RuleApplied(who=combatant.id, what=what, cites=fight.rules("distance.closest-tie"))
    return near[0].id


def refuse_against_compulsion(fight: Fight, actor: Combatant, act: acts.Act) -> None:
    """Refuse acts that the confused or the panicked cannot take."""
    if not actor.effects or isinstance(act, ALWAYS):
        return
    effect = compulsion(actor)
    if effect is None or fight.readied == actor.id:
        return
    what, rule = effect.modifier.source, effect.modifier.rule
    if what == ACT:
        return
    if what == BABBLE:
        raise Refusal(f"{actor.id} only babbles", rule)
    if what == ATTACK:
        refuse_other_prey(fight, actor, effect.against, act, rule)
        return
    if not isinstance(act, MOVES) or not act.path or isinstance(act, acts.Charge):
        raise Refusal(f"{actor.id} can only flee", rule)
    _, _, by = what.partition(" by ")
    if by and not actor.spent.get("feet") and by != f"{act.path[0][0]},{act.path[0][1]}":
        raise Refusal(f"{actor.id} flees at random and must begin at {by}", rule)
    other = fight.state.combatants.get(effect.against)
    if other is not None and squared_distance(act.path[-1], other) <= squared_distance(actor.at, other):
        raise Refusal(f"{actor.id} flees from {other.id}", rule)


def only_prey(actor: Combatant, prey: str) -> str:
    """Return why an attack on any other creature is refused."""
    return f"{actor.id} can only attack {prey}"


def refuse_other_prey(fight: Fight, actor: Combatant, prey: str, act: object, rule: str) -> None:
    """Refuse all but attacking one creature, closing in on it, and preparing for that."""
    if isinstance(act, acts.FullAttack):
        if any(strike.target != prey for strike in act.strikes):
            raise Refusal(only_prey(actor, prey), rule)
        return
    if isinstance(act, acts.Attack | acts.Charge):
        if act.target != prey:
            raise Refusal(only_prey(actor, prey), rule)
        return
    if isinstance(act, acts.Cast):
        if act.targets != (prey,):
            raise Refusal(only_prey(actor, prey), rule)
        return
    if isinstance(act, acts.Draw | acts.Load | acts.Stand):
        return
    other = fight.combatant(prey)
    if (
        isinstance(act, acts.Move)
        and act.path
        and squared_distance(act.path[-1], other) < squared_distance(actor.at, other)
    ):
        return
    raise Refusal(f"{actor.id} can only attack {prey} or close in", rule)


def strikes_back(fight: Fight, attacker: Combatant, target: Combatant) -> Steps[None]:
    """Make a confused creature that is attacked strike back on its next turn.

    srd35.cond.confused, pf1.cond.confused.
    """
    rule = fight.rule("cond.confused")
    name = f"{fight.declaration}:{STRIKES_BACK}:{attacker.id}"
    if any(one.id == name for one in target.effects):
        return
    later = fight.state.active == target.id or has_acted(fight, target)
    yield EffectGained(
        who=target.id,
        id=name,
        stat=STRIKES_BACK,
        modifier=Modifier(0, "compulsion", "attacked", rule),
        until=Until("turn-end", target.id, fight.state.round + later),
        against=attacker.id,
        cites=(rule,),
    )


def explain_confused_ignoring(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return why a confused creature takes no attack of opportunity: it is set on another creature."""
    attacker = blow.attacker
    after = next((one.against for one in attacker.effects if one.stat in (COMPELLED, STRIKES_BACK)), "")
    return ("", "") if after == blow.target.id else (f"{attacker.id} is confused", "cond.confused")


# --- Flight from a feared combatant: the acts of the frightened and the panicked, and being cornered
# srd35.cond.frightened, pf1.cond.frightened, pf1.cond.panicked.

#: Acts that get the panicked on their way, in addition to fleeing itself.
READY_TO_FLEE: Final = (*UNWILLED, acts.EndTurn, acts.Stand, acts.Drop, acts.GetFree, acts.BreakFree)


def feared(fight: Fight, combatant: Combatant) -> Combatant | None:
    """Return the combatant that a frightened or panicked one fears; None if that is not here and up."""
    for name in ("panicked", "frightened"):
        held = combatant.conditions.get(name)
        cause = find_cause(fight, held) if held is not None else None
        if cause is not None and cause is not combatant and not is_down(fight, cause):
            return cause
    return None


def find_way_from_feared(fight: Fight, combatant: Combatant) -> tuple[Combatant, bool] | None:
    """Return the feared combatant and whether any path leads away from it, None if there is none."""
    cause = feared(fight, combatant)
    return None if cause is None else (cause, bool(flight_path(fight, combatant, cause)))


def refuse_to_frightened(fight: Fight, actor: Combatant, act: acts.Act) -> None:
    """Refuse the frightened to attack or to approach, unless they are cornered.

    A combatant without a danger to flee from is free (srd35.cond.frightened, pf1.cond.frightened).
    """
    if isinstance(act, UNWILLED) or not (isinstance(act, FLEEING) or any(opponents_of(fight, actor, act))):
        return
    found = find_way_from_feared(fight, actor)
    if found is None or not found[1]:
        return
    refuse_nearer(fight, actor, act, found[0], "frightened")
    if not isinstance(act, FLEEING):
        rule = fight.rule(rule_of(fight, "frightened").topic)
        raise Refusal(f"{actor.id} is frightened and flees from {found[0].id}", rule)


def refuse_to_panicked(fight: Fight, actor: Combatant, act: acts.Act) -> None:
    """Refuse the panicked all but flight, away from the feared combatant if that is known
    (pf1.cond.panicked).

    The cornered already cower.
    """
    if isinstance(act, READY_TO_FLEE) or (isinstance(act, acts.Grapple) and act.what == "escape"):
        return
    if not isinstance(act, FLEEING):
        rule = fight.rule(rule_of(fight, "panicked").topic)
        raise Refusal(f"{actor.id} is panicked and does nothing but flee", rule)
    cause = feared(fight, actor)
    if cause is not None:
        refuse_nearer(fight, actor, act, cause, "panicked")


def refuse_readied_in_panic(fight: Fight, actor: Combatant, act: acts.Act) -> None:
    """Refuse the panicked the act that they have readied, unless it is a flight (srd35.cond.panicked).

    In their own turn they flee as decided at its start.
    """
    if fight.readied == actor.id and not isinstance(act, (*READY_TO_FLEE, *FLEEING)):
        rule = fight.rule(rule_of(fight, "panicked").topic)
        raise Refusal(f"{actor.id} is panicked and does nothing but flee", rule)


def refuse_nearer(fight: Fight, actor: Combatant, act: object, cause: Combatant, fear: str) -> None:
    """Refuse a movement that does not end farther from the feared combatant than it begins."""
    path = act.path if isinstance(act, FLEEING) else ()
    if path and feet_apart(actor, path[-1], cause) <= feet_apart(actor, actor.at, cause):
        rule = fight.rule(rule_of(fight, fear).topic)
        reason = f"{actor.id} is {fear} and flees from {cause.id}: this path leads no farther from it"
        raise Refusal(reason, rule)


def opponents_of(fight: Fight, actor: Combatant, act: object) -> Iterator[str]:
    """Yield the opponents that an act is aimed at, or an act readied or carried out on the way."""
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
