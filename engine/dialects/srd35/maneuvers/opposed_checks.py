"""What special attacks have in common: the target's opening, the opposed check."""

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.record.maneuvers import Contest, Side
from affray.engine.rules.classes.ability_modifiers import ability, has_feat, size_step
from affray.engine.rules.classes.ability_scores import lowered
from affray.engine.rules.maneuvers.opposed_checks import (
    contest_of,
    opposed_results,
    side_of,
    size_part,
    use_up_both,
)
from affray.engine.steps import MOST_TIES, EndlessTie, Refusal, Roll, Steps
from affray.events.facts.combat import ContestResolved
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.rolled import Rolled
from affray.events.wording import counted
from affray.projections.state import Combatant


def refuse_too_big(fight: Fight, attacker: Combatant, target: Combatant, topic: str, limit: str) -> None:
    """Refuse oneself by the rule on `topic`, and a target that is too large by the rule on the `limit`."""
    name = topic.split(".")[1].replace("-", " ")
    if target is attacker:
        raise Refusal(f"{attacker.id} cannot {name} itself", fight.rule(topic))
    most = fight.figure(limit, "max_size_difference")
    if size_step(target) - size_step(attacker) > most:
        sizes = counted(most, "size category", "size categories")
        reason = f"{target.id} is more than {sizes} larger than {attacker.id}: too big to {name}"
        raise Refusal(reason, fight.rule(limit))


def beats_opposed(
    fight: Fight,
    name: str,
    mine: Side,
    theirs: Side,
    *cites: str,
    holding: bool = False,
    rolled: Rolled | None = None,
) -> Steps[Contest]:
    """Roll two opposed checks, the initiator's first; the initiator must beat the other.

    `rolled` is the initiator's roll where one roll is compared with several.

    On a tie it has failed, unless option `opposed_ties` lets the higher modifier win and equal ones roll
    again, as they always do for grapple checks (`holding`): srd35.check.opposed. Raises EndlessTie.
    """
    stack = fight.dialect.attacks.stack
    one, other = stack(fight, mine.parts), stack(fight, theirs.parts)
    by_modifier = holding or fight.option("opposed_ties") == "higher-modifier"
    on_tie = fight.rule("srd35.grapple.hold-tie" if holding else "srd35.check.opposed")
    reading = "" if holding else f" (opposed_ties: {fight.option('opposed_ties')})"
    again: tuple[str, ...] = ()
    first = rolled or (yield Roll(mine.who.id, name))
    along = () if rolled else (first.key,)

    def judge(_key: str, *faces: int) -> ContestResolved | None:
        total, against = opposed_results(one, other, first, faces)
        tie = by_modifier and total == against
        ahead = one.total - other.total if tie else total - against
        if tie and not ahead:
            return None
        used = (on_tie,) if tie else again
        rules = (*cites, *used, *one.cites, *other.cites)
        return contest_of(name, (mine, one, total), (theirs, other, against), ahead > 0, *rules)

    ties = 0
    while True:
        second = yield Roll(theirs.who.id, name, judge=judge, along=along)
        fact, total = judge(second.key, second.total), first.total + one.total
        if fact is not None:
            break
        ties += 1
        if ties == MOST_TIES:
            raise EndlessTie(mine.who.id, theirs.who.id)
        what = f"a tie at {total} with equal modifiers: both roll again{reading}"
        yield RuleApplied(who=mine.who.id, what=what, cites=(on_tie,))
        again = (on_tie,)
        first = yield Roll(mine.who.id, name)
        along = (first.key,)
    if total == fact.opposed:
        end = "the higher modifier wins" if by_modifier else f"{mine.who.id} has failed"
        what = f"a tie at {total}: {end}{reading}"
        yield RuleApplied(who=mine.who.id, what=what, cites=(on_tie,) if by_modifier else cites[:1])
    yield fact
    yield from use_up_both(mine, theirs)
    return Contest(fact.won, fact.total - fact.opposed)


def strength_of(
    fight: Fight,
    combatant: Combatant,
    topic: str,
    *,
    feat: str = "",
    charging: bool = False,
    whole: bool = True,
) -> Side:
    """Return the Strength check of the attacker who pushes, trips or overruns, by the rule on `topic`.

    Strength and size; with `whole` also the feat's bonus, a charge, conditions and passing effects.
    """
    rule = fight.rule(topic)
    parts = [
        Modifier(ability(combatant.sheet, "str"), "ability", "Strength", rule),
        *size_part(fight, combatant, topic),
    ]
    parts += lowered(fight, combatant, "str")
    if whole:
        if feat and has_feat(combatant, feat):
            name = f"feat.{feat.replace(' ', '-')}"
            parts.append(fight.modifier(name, "check", kind="feat", source=feat.title()))
        if charging:
            parts.append(
                fight.modifier(
                    "srd35.charge.strength-check-bonus", "bonus", kind="circumstance", source="charging"
                )
            )
        return side_of(fight, combatant, "strength", parts)
    return Side(combatant, parts)


def attack_roll_of(fight: Fight, blow: Blow, topic: str) -> Side:
    """Return the opposed attack roll of a disarm or sunder, by the rule on `topic`.

    The whole attack bonus; a two-handed weapon gives +4, a light or unarmed one -4, and the larger of the
    two gets +4 for each size that it is larger.
    """
    dialect = fight.dialect
    attacker, weapon = blow.attacker, blow.weapon
    parts = [
        *dialect.attacks.attack_bonus(fight, blow),
        *blow.attack_extra,
        *dialect.attacks.attack_situation(fight, blow),
    ]
    if weapon.wield == "two-handed":
        parts.append(fight.modifier(topic, "two_handed", kind="handling", source="two-handed weapon"))
    elif weapon.wield == "light":
        parts.append(fight.modifier(topic, "light", kind="handling", source="light weapon"))
    elif weapon.wield == "unarmed":
        unarmed = "srd35.disarm.unarmed-light" if topic == "disarm.opposed-rolls" else topic
        figure = "attack" if unarmed != topic else "light"
        parts.append(fight.modifier(unarmed, figure, kind="handling", source="unarmed counts as light"))
    larger = size_step(attacker) - size_step(blow.target)
    if larger > 0:
        per = fight.figure(topic, "larger_per_size")
        parts.append(
            Modifier(per * larger, "size difference", f"larger than {blow.target.id}", fight.rule(topic))
        )
    return Side(attacker, parts)
