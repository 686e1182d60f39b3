"""Common steps of special attacks: the target's attack of opportunity, the touch, the opposed check."""

from collections.abc import Callable, Collection, Iterable, Sequence

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import Square
from affray.engine.kernel.places import anchors_of, distance, refuse_no_opponent
from affray.engine.modifiers import Tally
from affray.engine.record.blow import TOUCH_ARMOR_CLASS, Blow, Intent, varied
from affray.engine.record.chapters import Side
from affray.engine.rules.attacks.attack_roll import strike
from affray.engine.rules.classes.abilities import ability_now, lowered, score_now
from affray.engine.rules.classes.checks import check_parts, negate_dc_changes, use_up
from affray.engine.rules.classes.sheets import ability, has_trait, is_mindless, size_step
from affray.engine.rules.conditions.conditions import refuse_down
from affray.engine.rules.damage.damage import NO_DAMAGE, NO_THREAT
from affray.engine.rules.gear.hands import choose_weapon, held_weapons, lose, strikes_in_melee
from affray.engine.rules.gear.others_things import take_from_other
from affray.engine.rules.gear.weapons_in_hand import find_weapon, unarmed
from affray.engine.rules.movement.movement import is_barred
from affray.engine.steps import Choice, Refusal, Roll, Steps, judged
from affray.events.facts.combat import ContestResolved, EffectGained, Until
from affray.events.facts.flow import Rolled
from affray.events.facts.sheet import SIZES, Modifier, Weapon
from affray.projections.state import Combatant

# --- The direction in which a target is forced, and whether the ground is in its way


def straight_on(start: Square, attacker: Combatant, target: Combatant) -> Square:
    """Return the step, (dx, dy), that leads from one space straight on into the other."""
    dx = 2 * (target.at[0] - start[0]) + target.space - attacker.space
    dy = 2 * (target.at[1] - start[1]) + target.space - attacker.space
    return (direction_of(dx, dy), direction_of(dy, dx))


def direction_of(along: int, across: int) -> int:
    """Return -1, 0 or 1: the direction of a distance, 0 if the other distance is more than twice as long."""
    return 0 if 2 * abs(along) < abs(across) or not along else along // abs(along)


def is_walled_off(fight: Fight, target: Combatant, there: Square) -> bool:
    """Return whether the ground keeps a target from being pushed to an adjacent place."""
    steps = zip(anchors_of(target), anchors_of(target, there), strict=True)
    return any(is_barred(fight, target, *step) for step in steps)


# --- The object of a disarm: the weapon in hand, its defending roll, and where it is afterwards


def melee_weapon(combatant: Combatant, item: str) -> Weapon | None:
    """Return the melee weapon of that name in a combatant's hand, None for other items."""
    return next((one for one in held_weapons(combatant) if one.name == item and strikes_in_melee(one)), None)


def arms_of(combatant: Combatant) -> list[Weapon]:
    """Return the weapons that a combatant can be disarmed of: those in hand, natural ones excluded."""
    return [one for one in held_weapons(combatant) if one.wield not in ("natural", "unarmed")]


def choose_guard(fight: Fight, target: Combatant, item: str, rule: str) -> Steps[Weapon]:
    """Ask which weapon in hand a target uses to guard an item: without one, the bare hand."""
    ready = [one for one in held_weapons(target) if strikes_in_melee(one)]
    if not ready:
        return unarmed(fight, target)
    question = f"with which weapon does {target.id} guard the {item}?"
    return (yield from choose_weapon(target.id, question, ready, rule))


def defending_roll(fight: Fight, attacker: Combatant, target: Combatant, weapon: Weapon) -> Blow:
    """Return the attack roll that defends a weapon."""
    return Blow(attacker, target, weapon, True, distance(attacker, target), Intent("disarm"))


def take_item(fight: Fight, blow: Blow, item: str, *cites: str) -> Steps[None]:
    """Let an item fall to the ground, or pass into the hand of an unarmed attacker."""
    if blow.weapon.wield != "unarmed":
        yield from lose(fight, blow.target, item, "dropped", cites)
        return
    yield from lose(fight, blow.target, item, "gone", cites)
    yield from take_from_other(fight, blow.attacker, blow.target, item, cites)


# --- The touch with which a trip or a grab begins (srd35.ac.touch, futurepath.attack.touch)


def touch(fight: Fight, blow: Blow, *cites: str) -> Steps[Blow | None]:
    """Make a melee touch attack without damage; return the blow that has hit, None for a miss.

    srd35.ac.touch, futurepath.attack.touch.
    """
    harmless = replace(blow.weapon, damage=NO_DAMAGE, threat=NO_THREAT, extra=())
    intent = replace(blow.intent, against=TOUCH_ARMOR_CLASS)
    touching = varied(blow, weapon=harmless, intent=intent)
    touching.cites = list(dict.fromkeys((*blow.cites, *cites, fight.rule("ac.touch"))))
    return touching if (yield from strike(fight, touching)) else None


MEDIUM = SIZES.index("medium")


def roll_opposed(
    fight: Fight,
    name: str,
    mine: Side,
    theirs: Side,
    *cites: str,
    rolled: Rolled | None = None,
    answer: str = "",
) -> Steps[int]:
    """Roll two opposed checks, the initiator's first, and return by how much it beats the other's.

    0 or less is no success: it must beat, not equal. A side whose penalties alone make it fail loses, and
    never wins (futurepath.disadvantage.auto-fail). `rolled` is a roll that is compared with several, `answer`
    the name of the opponent's roll if that is not `name`.
    """
    stack = fight.dialect.attacks.stack
    one, other = stack(fight, mine.parts), stack(fight, theirs.parts)
    first = rolled or (yield Roll(mine.who.id, name))
    along = () if rolled else (first.key,)

    def judge(_key: str, *faces: int) -> ContestResolved:
        total, against = opposed_results(one, other, first, faces)
        won = not one.failed and (other.failed or total > against)
        return make_contest_fact(name, (mine, one, total), (theirs, other, against), won, *cites, *hopeless)

    hopeless = fight.rules("disadvantage.auto-fail") if one.failed or other.failed else ()
    fact: ContestResolved = yield from judged(theirs.who.id, answer or name, judge, along=along)
    yield from use_up_both(mine, theirs)
    margin = fact.total - fact.opposed
    return max(margin, 1) if fact.won else min(margin, 0)


def opposed_results(one: Tally, other: Tally, first: Rolled, faces: Sequence[int]) -> tuple[int, int]:
    """Return the results of two checks: `faces` are of both rolls, or of the second if the `first` is
    fixed.
    """
    *mine, theirs = faces
    return (mine[0] if mine else first.total) + one.total, theirs + other.total


def make_contest_fact(
    name: str, mine: tuple[Side, Tally, int], theirs: tuple[Side, Tally, int], won: bool, *cites: str
) -> ContestResolved:
    """Return the fact of two opposed checks: for each side the combatant, its modifiers, its result."""
    (one, own, total), (other, others, against) = mine, theirs
    return ContestResolved(
        who=one.who.id,
        against=other.who.id,
        contest=name,
        total=total,
        opposed=against,
        won=won,
        parts=own.parts,
        opposed_parts=others.parts,
        cites=tuple(dict.fromkeys(cites)),
    )


def footing_of(
    fight: Fight, combatant: Combatant, topic: str, *, nimble: bool = True, whole: bool = True
) -> Side:
    """Return the check with which a combatant keeps its feet, by the rule on `topic`.

    Strength, or Dexterity if that is `nimble` and better, and size; with `whole` also the stability of more
    than two legs and the modifiers of conditions and temporary effects.
    """
    rule = fight.rule(topic)
    ways = (("str", "Strength"), ("dex", "Dexterity")) if nimble else (("str", "Strength"),)
    short, name = max(ways, key=lambda way: ability_now(fight, combatant, way[0]))
    parts = [
        Modifier(ability(combatant.sheet, short), "ability", name, rule),
        *lowered(fight, combatant, short),
    ]
    parts += size_part(fight, combatant, topic)
    if whole:
        many = combatant.sheet.legs > 2
        if many or has_trait(combatant, "stable"):
            source = f"{combatant.sheet.legs} legs" if many else "stable"
            parts.append(fight.modifier(topic, "stable_defender", kind="stability", source=source))
        return side_of(fight, combatant, name.lower(), parts)
    return Side(combatant, parts)


def trip_footing(fight: Fight, combatant: Combatant, topic: str, whole: bool) -> Side:
    """Return the check with which the target of a trip keeps its feet."""
    return footing_of(fight, combatant, topic, whole=whole)


def size_part(fight: Fight, combatant: Combatant, topic: str) -> list[Modifier]:
    """Return the special modifier for being bigger or smaller than Medium."""
    steps = size_step(combatant) - MEDIUM
    if not steps:
        return []
    per = fight.figure(topic, "per_size_above_medium" if steps > 0 else "per_size_below_medium")
    return [Modifier(per * abs(steps), "size", combatant.sheet.size, fight.rule(topic))]


def side_of(fight: Fight, combatant: Combatant, name: str, own: Iterable[Modifier], kind: str = "") -> Side:
    """Return a combatant's side of an opposed check: its `own` parts and modifiers of a check of that name.

    The game master's changes of the DC count with the opposite sign: the opponent's result is the DC
    (srd35.check.circumstance).
    """
    parts = check_parts(fight, combatant, name, own, kind)
    parts += negate_dc_changes(combatant)
    return Side(combatant, parts, name)


def use_up_both(*sides: Side) -> Steps[None]:
    """End the modifiers for one check only, of each side that has made one."""
    for side in sides:
        if side.check_name and side.who.effects:
            yield from use_up(side.who, side.check_name)


# --- Feint: possible targets, penalties, and the effect on the next blow

#: The highest Intelligence of an animal.
ANIMAL = 2


def refuse_to_mislead(fight: Fight, actor: Combatant, target: Combatant, rule: str, of_mindless: str) -> None:
    """Refuse to feint at a friend, a combatant that is down, and by the rule `of_mindless` a mindless one."""
    refuse_no_opponent(actor, target, rule, "to mislead")
    refuse_down(fight, target, "be misled")
    if is_mindless(target):
        raise Refusal(f"{target.id} has no mind to mislead", of_mindless)


def penalty_by_kind(
    fight: Fight, target: Combatant, topic: str, animal: str, humanoids: Collection[str]
) -> list[Modifier]:
    """Return the penalty for feinting at a creature that is no humanoid, or has an animal's mind.

    `animal` is the figure of the latter; srd35.feint.nonhumanoid, pf1.feint.
    """
    mind = score_now(fight, target, "int")
    if mind is not None and mind <= ANIMAL:
        return [fight.modifier(topic, animal, kind="penalty", source="animal Intelligence")]
    if target.sheet.kind in humanoids:
        return []
    return [fight.modifier(topic, "nonhumanoid", kind="penalty", source="no humanoid")]


def misled(fight: Fight, attacker: Combatant, target: Combatant, rule: str) -> EffectGained:
    """Return the fact that the attacker's next melee attack denies the target its Dexterity bonus.

    It counts for one attack until the end of the attacker's next turn (srd35.feint.effect, pf1.feint,
    futurepath.assumed.feint).
    """
    return EffectGained(
        who=attacker.id,
        id=f"{fight.declaration}:feint",
        stat="denies-dexterity",
        modifier=Modifier(0, "feint", "feint", rule),
        until=Until("turn-end", attacker.id, fight.state.round + 1),
        against=target.id,
        uses=1,
        cites=(rule,),
    )


# --- Special attacks that replace an ordinary one: in an attack, a charge, an opportunity


def can_trip(weapon: Weapon) -> bool:
    """Return whether a weapon can trip: the bare hand, and weapons made for it."""
    return weapon.wield == "unarmed" or "trip" in weapon.traits


def tripping_weapon(
    fight: Fight, combatant: Combatant, name: str, trips: Callable[[Weapon], bool], topic: str
) -> Weapon:
    """Return the weapon to trip with: the named one, one in hand that is made for it, or the bare hand.

    A weapon that cannot trip is refused by the rule on `topic` (srd35.trip.weapon,
    futurepath.trip.with-weapon).
    """
    if not name:
        made_for_it = (weapon for weapon in held_weapons(combatant) if "trip" in weapon.traits)
        return next(made_for_it, None) or unarmed(fight, combatant)
    weapon = find_weapon(fight, combatant, name, trips)
    if not trips(weapon):
        raise Refusal(f"the {weapon.name} is no weapon to trip with", fight.rule(topic))
    return weapon


def drops_to_stay_up(fight: Fight, tripper: Combatant, weapon: Weapon, *cites: str) -> Steps[bool]:
    """Ask a tripper that would fall by its own trip whether it drops the weapon instead; return whether it
    does.

    Only a weapon that is made to trip can be dropped for this (srd35.trip.weapon-drop, pf1.trip.weapon,
    futurepath.trip.with-weapon).
    """
    if "trip" not in weapon.traits or weapon.name not in tripper.held:
        return False
    question = f"does {tripper.id} drop the {weapon.name} to keep its feet?"
    if (yield Choice(tripper.id, "drop", question, ("drop", "fall"), cites[0])) != "drop":
        return False
    yield from lose(fight, tripper, weapon.name, "dropped", cites)
    return True


def charging_blow(fight: Fight, attacker: Combatant, target: Combatant, weapon: Weapon) -> Blow:
    """Return the blow of a charge. Refuses weapons that are not melee weapons, and unreachable targets."""
    if not strikes_in_melee(weapon):
        raise Refusal(
            f"the {weapon.name} is no melee weapon: a charge ends with one", fight.rule("charge.attack")
        )
    return fight.dialect.attacks.prepare(fight, attacker, target, weapon, "charge")
