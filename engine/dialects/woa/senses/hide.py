"""Implement hiding: from which enemies, behind what, and who notices (woa.cover.stealth, woa.stealth.*)."""

from collections.abc import Iterator

from affray.engine.dialects.woa.defense.defense import cover_from
from affray.engine.dialects.woa.movement import movement
from affray.engine.dialects.woa.position.size import lies
from affray.engine.dialects.woa.senses.concealment import HIDDEN, look, unseen, veils_with_penalties
from affray.engine.fight.fight import Fight, is_down
from affray.engine.kernel.actions import check_turn
from affray.engine.rules.classes.checks import skill_parts
from affray.engine.rules.classes.sheets import size_step
from affray.engine.rules.maneuvers.opposed_checks import roll_opposed, side_of
from affray.engine.rules.movement.movement import refuse_path
from affray.engine.rules.position.places import sees
from affray.engine.rules.turns.actions import spending
from affray.engine.steps import Choice, Refusal, Roll, Steps, unknown_word
from affray.events.facts import acts
from affray.events.facts.combat import EffectEnded, EffectGained, Until
from affray.events.facts.flow import Rolled, RuleApplied
from affray.events.facts.sheet import Modifier
from affray.projections.state import Combatant

COVER, BEHIND_CREATURE, SPOT = (
    "woa.cover.stealth",
    "woa.cover.stealth.behind-creature",
    "woa.stealth.concealment.spot-penalty",
)
PARTIAL, TOTAL, UNOBSERVED = (
    "woa.stealth.concealment.partial-observed",
    "woa.stealth.concealment.total",
    "woa.stealth.concealment.unobserved",
)

#: The senses by which a hidden combatant is sought.
SENSES = ("spot", "listen")


def hide(fight: Fight, act: acts.Hide) -> Steps[None]:
    """Hide from every opponent, as part of a move along `path` or in place: one check against each Spot.

    The combatant needs cover or concealment from each (woa.cover.stealth, woa.stealth.concealment.*).
    """
    actor = fight.combatant(act.actor)
    rule = fight.rule(COVER)
    check_turn(fight, actor)
    if act.how:
        raise Refusal(f"{actor.id} hides by cover or concealment, not by {act.how!r}", rule)
    if act.path:
        movement.refuse_after_step(fight, actor)
        movement.refuse_lying(fight, actor)
        refuse_path(fight, actor, act.path, movement.speed_with_burdens(fight, actor), rule)
        yield spending(fight, actor, "move", "hide", rule)
        if not (yield from fight.dialect.movement.walk(fight, actor, act.path, "hiding", rule)):
            return
    rolled: Rolled | None = None
    for enemy in fight.enemies(actor):
        if is_down(fight, enemy):
            continue
        allowed, topics = yield from can_hide(fight, actor, enemy)
        if not allowed:
            what = f"cannot hide from {enemy.id}"
            yield RuleApplied(who=actor.id, what=what, cites=fight.rules(*topics))
            continue
        if sees(fight, enemy, actor) and not unseen(fight, enemy, actor):
            if rolled is None:
                rolled = yield Roll(actor.id, "stealth", "1d20")
            if not (yield from stays_hidden(fight, actor, enemy, rolled, topics)):
                continue
        yield EffectGained(
            who=actor.id,
            id=f"{fight.declaration}:{HIDDEN}:{enemy.id}",
            stat=HIDDEN,
            modifier=Modifier(0, HIDDEN, f"hidden from {enemy.id}", fight.rule(topics[0])),
            until=Until(),
            against=enemy.id,
            cites=fight.rules(*topics),
        )


def can_hide(fight: Fight, combatant: Combatant, enemy: Combatant) -> Steps[tuple[bool, tuple[str, ...]]]:
    """Return whether a combatant can hide from an enemy here, and the topics of the rules.

    It needs total cover or total concealment. Lesser cover suffices if the game master finds that some
    movement makes it total; lesser concealment only against an enemy that is not watching. A creature no
    larger than the combatant is no hiding place, and a larger one must stay still.
    """
    found = cover_from(fight, enemy, combatant, False)
    if not sees(fight, enemy, combatant) or found.degree == "total":
        return True, (COVER,)
    if unseen(fight, enemy, combatant):
        return True, (TOTAL,)
    veiled = bool(look(fight, enemy, combatant, False).veils)
    if veiled and not (enemy.aware or enemy.acted):
        return True, (UNOBSERVED,)
    if found.by:
        large = [fight.state.combatants[name] for name in found.by]
        large = [one for one in large if size_step(one) > size_step(combatant)]
        still = any(not one.spent.get("feet") for one in large)
        return still, (BEHIND_CREATURE,)
    if found.degree != "none":
        if veiled:
            return True, (COVER, PARTIAL)
        if lies(combatant) and found.source.startswith("a low wall"):
            return True, (COVER,)
        question = f"can {combatant.id} get completely behind {found.source}, out of {enemy.id}'s sight?"
        answer = yield Choice("", "duck", question, ("no", "yes"), fight.rule(COVER))
        return answer == "yes", (COVER,)
    return False, ((PARTIAL,) if veiled else (COVER,))


def stays_hidden(
    fight: Fight, combatant: Combatant, enemy: Combatant, rolled: Rolled, topics: tuple[str, ...]
) -> Steps[bool]:
    """Oppose stealth to an enemy's Spot, reduced by concealment; return whether the combatant
    stays hidden.
    """
    rule = fight.rule(topics[0])
    mine = side_of(fight, combatant, "stealth", skill_parts(fight, combatant, "stealth", "dex", rule))
    dim = [*spot_penalties(fight, enemy, combatant)]
    theirs = side_of(fight, enemy, "spot", [*skill_parts(fight, enemy, "spot", "wis", rule), *dim])
    cites = fight.rules(*topics, *((SPOT,) if dim else ()))
    return (yield from roll_opposed(fight, "hide", mine, theirs, *cites, rolled=rolled, answer="spot")) > 0


def spot_penalties(fight: Fight, viewer: Combatant, other: Combatant) -> Iterator[Modifier]:
    """Yield the penalties to an observer's Spot for each source of concealment.

    woa.stealth.concealment.spot-penalty
    """
    veils = look(fight, viewer, other, False).veils
    for veil, value, found in veils_with_penalties(fight, veils, "attack"):
        if value:
            yield Modifier(value, "penalty", f"{veil.degree} concealment: {veil.why}", found.rule)


def seek(fight: Fight, act: acts.Seek) -> Steps[None]:
    """Look for a hidden combatant by eye or ear, as a move action; once noticed it is no longer hidden."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule("woa.concealment.total.locate")
    if act.sense not in SENSES:
        raise unknown_word("sense to seek by", act.sense, SENSES, rule)
    hides = [one for one in target.effects if one.stat == HIDDEN and one.against == actor.id]
    if not hides:
        raise Refusal(f"{target.id} does not hide from {actor.id}", rule)
    yield spending(fight, actor, "move", f"looks for {target.id}", rule)
    against = "stealth" if act.sense == "spot" else "move silently"
    seen = [*spot_penalties_of_place(fight, actor, target)] if act.sense == "spot" else []
    mine = side_of(fight, actor, act.sense, [*skill_parts(fight, actor, act.sense, "wis", rule), *seen])
    theirs = side_of(fight, target, against, skill_parts(fight, target, against, "dex", rule))
    cites = (rule, *fight.rules(*(("woa.visibility.skill-penalty",) if seen else ())))
    answer = against.replace(" ", "-")
    if (yield from roll_opposed(fight, act.sense, mine, theirs, *cites, answer=answer)) > 0:
        for one in hides:
            yield EffectEnded(who=target.id, id=one.id, why=f"{actor.id} has noticed", cites=(rule,))


def spot_penalties_of_place(fight: Fight, viewer: Combatant, other: Combatant) -> Iterator[Modifier]:
    """Yield the penalties to Spot for poor light and fog around a combatant, not counting its hiding.

    woa.visibility.skill-penalty
    """
    veils = tuple(veil for veil in look(fight, viewer, other, False).veils if "hidden" not in veil.why)
    for veil, value, found in veils_with_penalties(fight, veils, "attack"):
        if value:
            yield Modifier(value, "penalty", f"{veil.degree} concealment: {veil.why}", found.rule)


def end_hiding(combatant: Combatant) -> Steps[None]:
    """End a combatant's hiding after it has moved without hiding."""
    for effect in combatant.effects:
        if effect.stat == HIDDEN:
            yield EffectEnded(who=combatant.id, id=effect.id, why="has moved", cites=(effect.modifier.rule,))
