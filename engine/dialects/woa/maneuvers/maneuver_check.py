"""Implement combat maneuvers in general: the check, its AC, the consequences of failure (woa.maneuver.*).

A maneuver has three steps: `maneuver_blow` makes its attack and refuses impossible attempts,
`attempt_maneuver` provokes, lets others react and rolls the check, and `provoke_by_failure` gives the
defender its attack of opportunity. What is special about a disarm, a trip or a grab happens in between.
"""

from collections.abc import Callable
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.dialects.woa.magic.concentration import record_maneuver
from affray.engine.dialects.woa.opportunity.attacks_of_opportunity import provoke_by_ignoring
from affray.engine.dialects.woa.senses.concealment import place_target
from affray.engine.dialects.woa.table_cells import Cell, cell
from affray.engine.dialects.woa.turns.declared_actions import triggered
from affray.engine.fight.fight import Fight, is_down, is_helpless
from affray.engine.kernel.places import distance
from affray.engine.modifiers import Tally
from affray.engine.record.blow import Blow, Intent
from affray.engine.rules.attacks.attack_roll import end_used_effects, tallies
from affray.engine.rules.classes.abilities import ability_now
from affray.engine.rules.classes.sheets import size_step, wielded_in_two_hands
from affray.engine.rules.gear.hands import held_weapons, is_armed
from affray.engine.rules.gear.weapons_in_hand import refuse_lost_weapon, unarmed
from affray.engine.rules.magic.touch_spells import discharge_by_strike
from affray.engine.rules.opportunity.threatened_squares import threatens
from affray.engine.rules.turns.actions import spending
from affray.engine.rules.turns.delay_and_ready import footing, goes_on
from affray.engine.steps import Choice, Refusal, Steps, judged
from affray.events.facts.combat import AttackResolved
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import Modifier, Weapon
from affray.projections.state import Combatant

#: Prefix of the name of an opportunity given by a failed maneuver; its use gives no further opportunity.
FAILED = "failed"
#: The kind of a maneuver that continues through one target into the next, without regard to reach.
THROUGH = "through"
#: The kind of an overrun: targets in the way are met with any weapon in hand.
RUN_DOWN = "overrun"
#: Maneuvers that bring the target down; other effects of a success follow afterwards.
DOWN = ("trip", "overrun")
#: The kinds that make up an attack bonus; all others modify the roll.
OWN = frozenset({"base", "ability", "size"})
#: Kinds that change the AC against single maneuvers, and the source of base attack in it.
SPECIAL = frozenset({"stability", "circumstance"})
BASE = "base attack bonus"


class Check(Struct, frozen=True, gc=False):
    """The result of a maneuver check; `margin` is the excess over the AC, 0 for a bare success.

    A natural 20 may succeed below the AC: its margin is 0. The margin of a failure is negative, or 0 for a
    natural 1 that would have reached the AC.
    """

    won: bool
    margin: int


def maneuver_blow(
    fight: Fight,
    attacker: Combatant,
    target: Combatant,
    name: str,
    *,
    weapon: Weapon | None = None,
    kind: str = "attack",
    strength: bool = True,
    size: bool = True,
) -> Blow:
    """Return the attack that carries the maneuver `name`, with modifiers for size and Strength.

    Without a weapon it is unarmed. `kind` is what it is part of ("attack", "full", "charge", "opportunity",
    RUN_DOWN, or THROUGH for a target reached through another). The AC is touch AC and, with `strength`, a
    Strength bonus; with `size` the check counts 4 for each size of difference. Refuse targets out of reach
    and non-melee weapons (woa.maneuver.ac, .size-modifier, .weapon-eligibility).
    """
    weapon = weapon or unarmed(fight, attacker)
    if kind in (THROUGH, RUN_DOWN):
        blow = Blow(attacker, target, weapon, True, distance(attacker, target), Intent(kind))
    else:
        blow = fight.dialect.attacks.prepare(fight, attacker, target, weapon, kind)
    if not blow.melee:
        raise Refusal(
            f"{attacker.id} cannot {name} with the {blow.weapon.name}: a melee attack is needed",
            fight.rule("woa.maneuver.weapon-eligibility"),
        )
    blow.intent = replace(blow.intent, maneuver=name, against=f"armor class against {name}")
    if size:
        blow.attack_extra += size_parts(fight, attacker, target)
        blow.cites += rules_by_size(fight, attacker, target, name)
    if strength:
        blow.defense_extra += strength_parts(fight, target)
    return blow


def rules_by_size(fight: Fight, attacker: Combatant, target: Combatant, name: str) -> tuple[str, ...]:
    """Return the rules on size that apply to a maneuver against a target of another size.

    woa.size.*
    """
    if size_step(attacker) == size_step(target):
        return ()
    topics = ["woa.size.combat.maneuvers"]
    if limit_of(fight, attacker, target, name) is not None:
        topics.append("woa.size.combat.maneuver-size-limits")
    return fight.rules(*topics, *(("woa.size.overrun",) if name == "overrun" else ()))


def size_parts(fight: Fight, attacker: Combatant, target: Combatant) -> list[Modifier]:
    """Return the modifier of a size difference to the check (woa.maneuver.size-modifier)."""
    steps = size_step(attacker) - size_step(target)
    if not steps:
        return []
    topic = "woa.maneuver.size-modifier"
    word = "larger" if steps > 0 else "smaller"
    value = fight.figure(topic, f"per_category_attacker_{word}") * abs(steps)
    return [Modifier(value, "size", f"{abs(steps)} {word} than {target.id}", fight.rule(topic))]


def strength_parts(fight: Fight, target: Combatant) -> list[Modifier]:
    """Return the Strength bonus to the AC; a penalty does not count (woa.maneuver.ac)."""
    value = strength_bonus(fight, target)
    return [Modifier(value, "ability", "Strength", fight.rule("woa.maneuver.ac"))] if value else []


def strength_bonus(fight: Fight, target: Combatant) -> int:
    """Return the Strength modifier in the AC against maneuvers, never below the rule's minimum.

    The Strength of the helpless counts as 0 (woa.condition.paralyzed).
    """
    if at_mercy(fight, target):
        return 0
    least = str(fight.figure("woa.maneuver.ac", "formula", 1)).partition("(")[2].partition(",")[0]
    return max(int(least), ability_now(fight, target, "str"))


def refuse_by_size(fight: Fight, attacker: Combatant, target: Combatant, name: str) -> None:
    """Refuse the attacker itself, and targets too much larger or smaller by the table (woa.maneuver.list)."""
    if target is attacker:
        raise Refusal(f"{attacker.id} cannot {name} itself", fight.rule("woa.maneuver.general"))
    rule = limit_passed(fight, attacker, target, name)
    if rule:
        word = "big" if size_step(target) > size_step(attacker) else "small"
        raise Refusal(f"{target.id} is too {word} for {attacker.id} to {name}", rule)


def limit_passed(fight: Fight, attacker: Combatant, target: Combatant, name: str) -> str:
    """Return the rule of the size limit that a target exceeds, "" if it is within it."""
    steps = size_step(target) - size_step(attacker)
    limit = limit_of(fight, attacker, target, name) if steps else None
    return limit.rule if limit is not None and abs(steps) > abs(limit.value) else ""


def limit_of(fight: Fight, attacker: Combatant, target: Combatant, name: str) -> Cell | None:
    """Return the size limit for larger or smaller targets of a maneuver, None if there is no limit.

    It cites the rule of the maneuver, such as woa.maneuver.push.size-limits.
    """
    column = "larger" if size_step(target) > size_step(attacker) else "smaller"
    limited = any(row["maneuver"] == name and column in row for row in fight.figure("woa.maneuver.list"))
    return cell(fight, "woa.maneuver.list", f"maneuver={name}", column) if limited else None


def spend_maneuver_action(fight: Fight, combatant: Combatant, name: str, *topics: str) -> ActionSpent:
    """Return the fact that a maneuver takes the standard action of a turn (woa.maneuver.general)."""
    kind = str(fight.figure("woa.maneuver.general", "action"))
    cites = fight.rules(
        *topics, "woa.maneuver.overview", "woa.maneuver.general", "woa.perform-combat-maneuver"
    )
    return spending(fight, combatant, kind, name, *cites)


def refuse_nothing() -> None:
    """Refuse nothing."""


def attempt_maneuver(
    fight: Fight,
    blow: Blow,
    *topics: str,
    opening: str = "",
    spoiling: str = "",
    against: Tally | None = None,
    again: Callable[[], object] = refuse_nothing,
) -> Steps[Check | None]:
    """Make a maneuver check with what it provokes; return None if it was no longer possible.

    `topics` are further rules that apply. `opening` is the rule by which the unarmed provoke with this
    maneuver, `spoiling` the one that subtracts the damage taken from the check ("" if they do not apply).
    `against` replaces the AC. `again` refuses the attempt if an interruption has removed what it needs: the
    item wanted, a free hand, a foe on its feet.
    """
    attacker, target = blow.attacker, blow.target
    before = footing(fight, attacker, target)
    if blow.intent.kind not in ("opportunity", THROUGH):
        yield from triggered(fight, attacker, "attacks")
        if blow.intent.kind != "full":
            yield from provoke_by_ignoring(fight, attacker, [target])
    if opening:
        hurt = yield from provoke_by_bare_hands(fight, blow, opening)
        if hurt and spoiling:
            blow.attack_extra.append(Modifier(-hurt, "penalty", f"hurt by {target.id}", fight.rule(spoiling)))
    if "dead" in target.conditions or not (
        yield from goes_on(fight, before, partial(refuse_attempt, fight, blow, again), "the attempt")
    ):
        return None
    if blow.intent.kind not in (THROUGH, RUN_DOWN) and not (yield from place_target(fight, blow)):
        return None
    helpless = at_mercy(fight, target)
    if not helpless:
        yield from fight.dialect.attacks.before_roll(fight, blow)
    check = yield from roll_maneuver(fight, blow, helpless, fight.rules(*topics) if topics else (), against)
    yield from end_used_effects(fight, blow)
    if check.won:
        yield from discharge_by_strike(fight, blow, True)
    if not (check.won and blow.intent.maneuver in DOWN):
        yield from fight.dialect.attacks.after_maneuver(fight, blow)
    return check


def refuse_attempt(fight: Fight, blow: Blow, again: Callable[[], object]) -> None:
    """Refuse a maneuver that is no longer possible: its weapon lost, out of reach, or refused by `again`."""
    refuse_lost_weapon(fight, blow.attacker, blow.weapon)
    if blow.intent.kind not in (THROUGH, RUN_DOWN):
        fight.dialect.attacks.prepare(fight, blow.attacker, blow.target, blow.weapon, blow.intent.kind)
        blow.distance = distance(blow.attacker, blow.target)
    again()


def provoke_by_bare_hands(fight: Fight, blow: Blow, topic: str) -> Steps[int]:
    """Let an armed target strike an unarmed attacker first; return the hit points it cost.

    With Improved Unarmed Strike bare hands count as armed (woa.aoo.provoke.unarmed-attack).
    """
    attacker, target = blow.attacker, blow.target
    if is_armed(attacker, blow.weapon) or not threatens(fight, target, attacker):
        return 0
    if (yield from is_provoking_nothing(fight, blow)):
        return 0
    before = attacker.hp + attacker.temporary
    cites = fight.rules(topic, "woa.aoo.provoke.unarmed-attack")
    opportunity = f"unarmed:{fight.declaration}:{fight.scope}"
    yield from fight.dialect.opportunity.provoke(
        fight, attacker, [target], f"tries to {blow.intent.maneuver} unarmed", opportunity, *cites
    )
    return before - attacker.hp - attacker.temporary


def is_provoking_nothing(fight: Fight, blow: Blow) -> Steps[bool]:
    """Return whether an attempt provokes nothing because it answers a failed maneuver.

    woa.maneuver.fail-aoo-no-chain
    """
    if blow.intent.provokes:
        return False
    what = f"provokes nothing: {blow.target.id} failed first"
    yield RuleApplied(who=blow.attacker.id, what=what, cites=fight.rules("woa.maneuver.fail-aoo-no-chain"))
    return True


def at_mercy(fight: Fight, target: Combatant) -> bool:
    """Return whether a maneuver succeeds automatically: against the immobilized and the helpless."""
    return bool(target.conditions) and is_helpless(fight, target)


def roll_maneuver(
    fight: Fight, blow: Blow, helpless: bool, cites: tuple[str, ...], instead: Tally | None
) -> Steps[Check]:
    """Roll the attack bonus against the maneuver's AC; against the helpless the roll counts as a 20.

    A natural 1 fails, a natural 20 succeeds, and there are no criticals (woa.maneuver.check, .success,
    .natural-1-20, .no-critical, .helpless-auto).
    """
    attacker, target = blow.attacker, blow.target
    bonus, against = tallies(fight, blow)
    against = instead or against
    low, high = fight.figure("woa.attack.natural-1", "face"), fight.figure("woa.attack.natural-20", "face")

    def judge(key: str, natural: int) -> AttackResolved:
        total, needed = natural + bonus.total, against.total
        if helpless:
            won, why, topic = True, f"{target.id} is helpless", "woa.maneuver.helpless-auto"
        elif natural == low:
            won, why, topic = False, f"a natural {low} always fails", "woa.maneuver.natural-1-20"
        elif natural == high:
            won, why, topic = True, f"a natural {high} always succeeds", "woa.maneuver.natural-1-20"
        elif total >= needed:
            won, why, topic = True, f"{total} reaches {needed}", "woa.maneuver.success"
        else:
            won, why, topic = False, f"{total} falls short of {needed}", "woa.maneuver.success"
        harmless = ("woa.maneuver.no-critical",) if won and natural >= blow.weapon.threat else ()
        ruled = fight.rules(
            topic, *harmless, *rules_of_check(fight, blow, bonus, None if instead else against)
        )
        return AttackResolved(
            attacker=attacker.id,
            target=target.id,
            weapon=blow.weapon.name,
            mode="melee",
            against=blow.intent.against,
            key=key,
            natural=natural,
            total=total,
            needed=needed,
            result="hit" if won else "miss",
            why=why,
            attack=bonus.parts,
            defense=against.parts,
            cites=tuple(dict.fromkeys((*ruled, *cites, *bonus.cites, *against.cites, *blow.cites))),
        )

    name, outcome = blow.intent.maneuver, blow.outcome
    fact: AttackResolved = yield from judged(attacker.id, name, judge, taken=high if helpless else 0)
    outcome.natural, outcome.total, outcome.needed = fact.natural, fact.total, fact.needed
    outcome.attack_parts, outcome.defense_parts = bonus.parts, against.parts
    won, total = fact.result == "hit", fact.total
    if won:
        yield from record_maneuver(fight, target, total, name)
    margin = total - fact.needed
    return Check(won, max(0, margin) if won else min(0, margin))


def rules_of_check(fight: Fight, blow: Blow, bonus: Tally, against: Tally | None) -> list[str]:
    """Return the topics of the rules that make up a check and its AC and applied to this one.

    `against` is None for a check against something other than the AC.

    woa.maneuver.attack-bonus, .roll-modifiers, .ac, .ac-touch-modifiers, .ac-special, .dodge.
    """
    topics = ["woa.maneuver.check", "woa.maneuver.attack-bonus"]
    printed = fight.dialect.attacks.attack_bonus(fight, blow)
    if any(not part.denied and part.kind not in OWN and part not in printed for part in bonus.parts):
        topics.append("woa.maneuver.roll-modifiers")
    if against is None:
        return topics
    topics.append("woa.maneuver.ac")
    if any(not part.denied and part.kind not in OWN for part in against.parts):
        topics.append("woa.maneuver.ac-touch-modifiers")
    if any(not part.denied and part.source == "dodging" for part in against.parts):
        topics.append("woa.maneuver.dodge")
    if any(part.kind in SPECIAL or part.source == BASE for part in blow.defense_extra):
        topics.append("woa.maneuver.ac-special")
    return topics


def can_defender_answer(fight: Fight, blow: Blow) -> bool:
    """Return whether the defender may answer a failed check: it threatens, and has not failed
    first itself.
    """
    fallen = is_down(fight, blow.attacker)
    return not fallen and blow.intent.provokes and threatens(fight, blow.target, blow.attacker)


def provoke_by_failure(fight: Fight, blow: Blow, *topics: str) -> Steps[None]:
    """Give the defender an attack of opportunity for a failed check (woa.maneuver.fail-aoo).

    A maneuver made with it gives the attacker no opportunity in turn (woa.maneuver.fail-aoo-no-chain).
    """
    attacker, target = blow.attacker, blow.target
    if (
        is_down(fight, attacker)
        or not threatens(fight, target, attacker)
        or (yield from is_provoking_nothing(fight, blow))
    ):
        return
    cites = fight.rules(*topics, "woa.maneuver.fail-aoo", "woa.aoo.provoke.failed-maneuver")
    opportunity = f"{FAILED}:{fight.declaration}:{fight.scope}"
    yield from fight.dialect.opportunity.provoke(
        fight, attacker, [target], f"fails to {blow.intent.maneuver} {target.id}", opportunity, *cites
    )


# --- Items as the target of a maneuver: their holder, how firmly they are held, and their defense

LOST = frozenset({"dropped", "broken", "gone", "doffed"})


def weapon_in_hand(combatant: Combatant, item: str) -> Weapon | None:
    """Return the weapon of that name in a combatant's hands, None for anything else."""
    found = (one for one in held_weapons(combatant) if one.wield not in ("natural", "unarmed"))
    return next((one for one in found if one.name == item), None)


def find_item_of_target(fight: Fight, target: Combatant, item: str, topic: str) -> str:
    """Return the named item, or for "" the first weapon in hand. Refuse missing items."""
    found = item or next(
        (one.name for one in held_weapons(target) if one.wield not in ("natural", "unarmed")), ""
    )
    if not found:
        raise Refusal(f"{target.id} holds no weapon", fight.rule(topic))
    if target.items.get(found) in LOST:
        raise Refusal(f"{target.id} has no {found} any more", fight.rule(topic))
    return found


def free_hands(combatant: Combatant) -> int:
    """Return the number of hands that hold neither a weapon nor a shield."""
    arms = [one for one in combatant.sheet.weapons if one.name in combatant.held]
    hands = sum(2 if wielded_in_two_hands(one) else 1 for one in arms)
    hands += len([name for name in combatant.held if all(one.name != name for one in arms)])
    hands += any(
        part.kind == "shield" and combatant.items.get(part.source or "shield") not in LOST
        for part in combatant.sheet.armor
    )
    return max(0, 2 - hands)


def guard_by_base_attack(fight: Fight, blow: Blow, item: str, topic: str) -> Steps[None]:
    """Let the defender of a weapon in hand use its base attack bonus instead of its Strength bonus.

    This needs a weapon with which it is proficient; otherwise Strength counts (woa.disarm.ac-proficient,
    woa.maneuver.sunder.ac-bab-option).
    """
    target = blow.target
    weapon = weapon_in_hand(target, item)
    strength = strength_bonus(fight, target)
    base = target.sheet.base_attack
    skilled = weapon is not None and weapon.proficient and not is_down(fight, target)
    chosen = "Strength"
    if skilled and base != strength and base > 0:
        options = ("base attack", "Strength") if base > strength else ("Strength", "base attack")
        question = f"does {target.id} guard its {item} by Strength {strength:+d} or base attack {base:+d}?"
        chosen = yield Choice(target.id, "guard", question, options, fight.rule(topic))
    if chosen == "base attack":
        blow.defense_extra.append(Modifier(base, "base", BASE, fight.rule(topic)))
    elif strength:
        blow.defense_extra.append(Modifier(strength, "ability", "Strength", fight.rule("woa.maneuver.ac")))
