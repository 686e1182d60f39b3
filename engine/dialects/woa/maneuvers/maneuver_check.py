"""Combat maneuvers in general: the check, the AC it must reach, what comes of failing it (woa.maneuver.*).

A maneuver is three steps: `maneuver_blow` makes its blow and refuses what cannot be tried, `attempt_maneuver`
provokes, lets others react and rolls the check, and `provoke_by_failure` gives the defender its attack of
opportunity. In between stands what is special about a disarm, a trip or a grab.
"""

from collections.abc import Callable
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.dialects.woa.magic.concentration import note_maneuver
from affray.engine.dialects.woa.opportunity.attacks_of_opportunity import provoke_by_ignoring
from affray.engine.dialects.woa.senses.concealment import place_target
from affray.engine.dialects.woa.table_cells import Cell, cell
from affray.engine.dialects.woa.turns.declared_actions import triggered
from affray.engine.fight.fight import Fight, is_down, is_helpless
from affray.engine.modifiers import Tally
from affray.engine.record.blow import Blow, Intent
from affray.engine.rules.attacks.attack_roll import end_used_effects, tallies
from affray.engine.rules.classes.abilities import ability_now
from affray.engine.rules.classes.sheets import size_step, wielded_in_two_hands
from affray.engine.rules.gear.hands import held_weapons, is_armed
from affray.engine.rules.gear.weapons_in_hand import refuse_lost_weapon, unarmed
from affray.engine.rules.magic.touch_spells import discharge_by_strike
from affray.engine.rules.opportunity.threatened_squares import threatens
from affray.engine.rules.position.places import distance
from affray.engine.rules.turns.actions import spending
from affray.engine.rules.turns.delay_and_ready import footing, goes_on
from affray.engine.steps import Choice, Refusal, Steps, judged
from affray.events.facts.combat import AttackResolved
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import Modifier, Weapon
from affray.projections.state import Combatant

#: What begins the name of an opportunity that a failed maneuver gives: nothing done with it gives another.
FAILED = "failed"
#: The kind of a maneuver that goes on through one target into the next: it reaches whom it meets.
THROUGH = "through"
#: The kind of an overrun: whoever is run down stands in the way, and is met whatever the mover has in hand.
RUN_DOWN = "overrun"
#: Maneuvers whose success brings the target down: what else it has to meet comes after that.
DOWN = ("trip", "overrun")
#: What an attack bonus is made of; all else is something that happens to modify the roll.
OWN = frozenset({"base", "ability", "size"})
#: Kinds of what makes the AC against single maneuvers another one, and the source of base attack in it.
SPECIAL = frozenset({"stability", "circumstance"})
BASE = "base attack bonus"


class Check(Struct, frozen=True, gc=False):
    """How a maneuver check came out; `margin` is what it exceeds the AC by, 0 for a bare success.

    A natural 20 may succeed below the AC: its margin is 0. Of a failure the margin is below 0, or 0 for a
    natural 1 that would have reached.
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
    """Return the blow that carries the maneuver `name`, with what size and Strength do to it.

    Without a weapon it is made unarmed. `kind` says what it is part of ("attack", "full", "charge",
    "opportunity", RUN_DOWN, or THROUGH for one who is reached through another). The AC is touch AC and, with
    `strength`, a Strength bonus; with `size` the check counts 4 for each size between the two. Refuses what
    is out of reach and what no melee weapon does (woa.maneuver.ac, .size-modifier, .weapon-eligibility).
    """
    weapon = weapon or unarmed(fight, attacker)
    if kind in (THROUGH, RUN_DOWN):
        blow = Blow(attacker, target, weapon, True, distance(attacker, target), Intent(kind))
    else:
        blow = fight.dialect.attacks.prepare(fight, attacker, target, weapon, kind)
    if not blow.melee:
        raise Refusal(
            f"{attacker.id} cannot {name} with the {blow.weapon.name}: it takes melee",
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
    """Return the rules on size and maneuvers that have a part in one against another size (woa.size.*)."""
    if size_step(attacker) == size_step(target):
        return ()
    topics = ["woa.size.combat.maneuvers"]
    if limit_of(fight, attacker, target, name) is not None:
        topics.append("woa.size.combat.maneuver-size-limits")
    return fight.rules(*topics, *(("woa.size.overrun",) if name == "overrun" else ()))


def size_parts(fight: Fight, attacker: Combatant, target: Combatant) -> list[Modifier]:
    """Return what a difference in size does to the check (woa.maneuver.size-modifier)."""
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
    """Return what Strength adds to the AC against maneuvers: its modifier, never below what the rule says.

    The Strength of the helpless counts as 0 (woa.condition.paralyzed).
    """
    if at_mercy(fight, target):
        return 0
    least = str(fight.figure("woa.maneuver.ac", "formula", 1)).partition("(")[2].partition(",")[0]
    return max(int(least), ability_now(fight, target, "str"))


def refuse_by_size(fight: Fight, attacker: Combatant, target: Combatant, name: str) -> None:
    """Refuse oneself, and who is more sizes larger or smaller than the table allows (woa.maneuver.list)."""
    if target is attacker:
        raise Refusal(f"{attacker.id} cannot {name} itself", fight.rule("woa.maneuver.general"))
    rule = limit_passed(fight, attacker, target, name)
    if rule:
        word = "big" if size_step(target) > size_step(attacker) else "small"
        raise Refusal(f"{target.id} is too {word} for {attacker.id} to {name}", rule)


def limit_passed(fight: Fight, attacker: Combatant, target: Combatant, name: str) -> str:
    """Return the rule whose limit of sizes larger or smaller a target is beyond, "" within it."""
    steps = size_step(target) - size_step(attacker)
    limit = limit_of(fight, attacker, target, name) if steps else None
    return limit.rule if limit is not None and abs(steps) > abs(limit.value) else ""


def limit_of(fight: Fight, attacker: Combatant, target: Combatant, name: str) -> Cell | None:
    """Return by how many sizes another target may be larger or smaller, None where nothing limits that.

    Cites the rule of the maneuver, such as woa.maneuver.push.size-limits.
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


def anything_goes() -> None:
    """Refuse nothing."""


def attempt_maneuver(
    fight: Fight,
    blow: Blow,
    *topics: str,
    opening: str = "",
    spoiling: str = "",
    against: Tally | None = None,
    again: Callable[[], object] = anything_goes,
) -> Steps[Check | None]:
    """Make a maneuver check, from what it provokes to the comparison; None when it was not to be made.

    `topics` are rules that had a part in it. `opening` is the rule by which the unarmed provoke with this
    maneuver, `spoiling` the one by which the harm done then is taken off the check ("" where neither holds).
    `against` is what the check must reach where that is not the AC. `again` refuses what this maneuver asks
    besides and an interruption may have taken away: the item wanted, a free hand, a foe on its feet.
    """
    attacker, target = blow.attacker, blow.target
    before = footing(fight, attacker, target)
    if blow.intent.kind not in ("opportunity", THROUGH):
        yield from triggered(fight, attacker, "attacks")
        if blow.intent.kind != "full":
            yield from provoke_by_ignoring(fight, attacker, [target])
    if opening:
        hurt = yield from open_unarmed(fight, blow, opening)
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
    """Refuse a maneuver that cannot be made any more: without its weapon, out of reach, or by `again`."""
    refuse_lost_weapon(fight, blow.attacker, blow.weapon)
    if blow.intent.kind not in (THROUGH, RUN_DOWN):
        fight.dialect.attacks.prepare(fight, blow.attacker, blow.target, blow.weapon, blow.intent.kind)
        blow.distance = distance(blow.attacker, blow.target)
    again()


def open_unarmed(fight: Fight, blow: Blow, topic: str) -> Steps[int]:
    """Let an armed target strike first at who comes with bare hands; return the hit points it took off.

    Improved Unarmed Strike makes bare hands arms (woa.aoo.provoke.unarmed-attack).
    """
    attacker, target = blow.attacker, blow.target
    if is_armed(attacker, blow.weapon) or not threatens(fight, target, attacker):
        return 0
    if (yield from gives_no_opening(fight, blow)):
        return 0
    before = attacker.hp + attacker.temporary
    cites = fight.rules(topic, "woa.aoo.provoke.unarmed-attack")
    opportunity = f"unarmed:{fight.declaration}:{fight.scope}"
    yield from fight.dialect.opportunity.provoke(
        fight, attacker, [target], f"tries to {blow.intent.maneuver} unarmed", opportunity, *cites
    )
    return before - attacker.hp - attacker.temporary


def gives_no_opening(fight: Fight, blow: Blow) -> Steps[bool]:
    """Say whether an attempt gives no opportunity because it was made for a failed one.

    woa.maneuver.fail-aoo-no-chain.
    """
    if blow.intent.provokes:
        return False
    what = f"provokes nothing: {blow.target.id} failed first"
    yield RuleApplied(who=blow.attacker.id, what=what, cites=fight.rules("woa.maneuver.fail-aoo-no-chain"))
    return True


def at_mercy(fight: Fight, target: Combatant) -> bool:
    """Say whether a maneuver must succeed: against the immobilized and the helpless."""
    return bool(target.conditions) and is_helpless(fight, target)


def roll_maneuver(
    fight: Fight, blow: Blow, helpless: bool, cites: tuple[str, ...], instead: Tally | None
) -> Steps[Check]:
    """Roll the attack bonus against the maneuver's AC; the helpless are as good as rolled a 20 against.

    A natural 1 fails, a natural 20 succeeds, and nothing is critical (woa.maneuver.check, .success,
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
        yield from note_maneuver(fight, target, total, name)
    margin = total - fact.needed
    return Check(won, max(0, margin) if won else min(0, margin))


def rules_of_check(fight: Fight, blow: Blow, bonus: Tally, against: Tally | None) -> list[str]:
    """Return the topics by which a check and its AC are made up, those that had a part in this one.

    `against` is None for a check that is not made against the AC.

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


def gives_opening(fight: Fight, blow: Blow) -> bool:
    """Say whether the defender could answer a failed check: it threatens, and has not failed first itself."""
    fallen = is_down(fight, blow.attacker)
    return not fallen and blow.intent.provokes and threatens(fight, blow.target, blow.attacker)


def provoke_by_failure(fight: Fight, blow: Blow, *topics: str) -> Steps[None]:
    """Give the defender an attack of opportunity for a failed check (woa.maneuver.fail-aoo).

    Nothing it does with it gives the other one a chance in turn (woa.maneuver.fail-aoo-no-chain).
    """
    attacker, target = blow.attacker, blow.target
    if (
        is_down(fight, attacker)
        or not threatens(fight, target, attacker)
        or (yield from gives_no_opening(fight, blow))
    ):
        return
    cites = fight.rules(*topics, "woa.maneuver.fail-aoo", "woa.aoo.provoke.failed-maneuver")
    opportunity = f"{FAILED}:{fight.declaration}:{fight.scope}"
    yield from fight.dialect.opportunity.provoke(
        fight, attacker, [target], f"fails to {blow.intent.maneuver} {target.id}", opportunity, *cites
    )


# --- Things as the target of a maneuver: who holds them, how firmly, and with what they are guarded

LOST = frozenset({"dropped", "broken", "gone", "doffed"})


def weapon_in_hand(combatant: Combatant, item: str) -> Weapon | None:
    """Return the weapon of that name in a combatant's hands, None for anything else."""
    found = (one for one in held_weapons(combatant) if one.wield not in ("natural", "unarmed"))
    return next((one for one in found if one.name == item), None)


def named_item(fight: Fight, target: Combatant, item: str, topic: str) -> str:
    """Return the item that is meant, "" for the first weapon in hand. Refuses what is not there."""
    found = item or next(
        (one.name for one in held_weapons(target) if one.wield not in ("natural", "unarmed")), ""
    )
    if not found:
        raise Refusal(f"{target.id} holds no weapon", fight.rule(topic))
    if target.items.get(found) in LOST:
        raise Refusal(f"{target.id} has no {found} any more", fight.rule(topic))
    return found


def free_hands(combatant: Combatant) -> int:
    """Return how many hands hold neither a weapon nor a shield."""
    arms = [one for one in combatant.sheet.weapons if one.name in combatant.held]
    hands = sum(2 if wielded_in_two_hands(one) else 1 for one in arms)
    hands += len([name for name in combatant.held if all(one.name != name for one in arms)])
    hands += any(
        part.kind == "shield" and combatant.items.get(part.source or "shield") not in LOST
        for part in combatant.sheet.armor
    )
    return max(0, 2 - hands)


def guard_by_base_attack(fight: Fight, blow: Blow, item: str, topic: str) -> Steps[None]:
    """Let the defender of a weapon in hand put its base attack bonus in the place of its Strength bonus.

    Only with a weapon that it is proficient with; without that, and for other things in hand, Strength
    counts (woa.disarm.ac-proficient, woa.maneuver.sunder.ac-bab-option).
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
