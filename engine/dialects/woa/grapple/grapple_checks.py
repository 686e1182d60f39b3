"""Implement grapples: their members, the check, and the effects on attacks, saves and declarations."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from affray.engine.dialects.woa.table_cells import cell
from affray.engine.fight.fight import Fight, is_down, rule_of
from affray.engine.modifiers import Tally, ruled_out
from affray.engine.record.blow import Blow, Intent
from affray.engine.record.chapters import ConditionRule
from affray.engine.record.compose import when
from affray.engine.rules.attacks.attack_roll import common_attack_situation
from affray.engine.rules.classes.abilities import roll_parts
from affray.engine.rules.classes.checks import check_parts, skill_parts
from affray.engine.rules.classes.sheets import has_feat, size_step, wielded_in_two_hands
from affray.engine.rules.conditions.conditions import STILL
from affray.engine.rules.gear.hands import bears_shield
from affray.engine.rules.gear.weapons_in_hand import unarmed
from affray.engine.rules.magic.concentration import COMPONENTS
from affray.engine.rules.movement.movement import displaced
from affray.engine.rules.turns.fiat import newcomer
from affray.engine.steps import Choice, Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, EffectEnded, EffectGained, Until
from affray.events.facts.flow import ReadyEnded, RuleApplied
from affray.events.facts.sheet import Modifier, Spell
from affray.projections.state import Combatant, Effect

# --- Grabs: the holder, the held, the limb held and the means (woa.grab.*)

BETWEEN = ", "
#: The source of "grabbing" lists the combatants held, that of "grabbed" the holders.
GRABBING, GRABBED = "grabbing", "grabbed"
#: The effect on a grabber that names the limb held and counts the hands that hold it.
HOLD = "hold"
#: The limbs whose use a hold prevents.
WEAPON_ARM, OTHER_ARM, LEG = "weapon arm", "other arm", "leg"


def combatants_named(fight: Fight, combatant: Combatant, condition: str) -> list[Combatant]:
    """Return the combatants listed as sources of a condition of `combatant`."""
    held = combatant.conditions.get(condition)
    combatants = fight.state.combatants
    return [combatants[id] for id in held.source.split(BETWEEN) if id in combatants] if held else []


def get_holders_of_combatant(fight: Fight, combatant: Combatant) -> list[Combatant]:
    """Return the combatants that hold a combatant, in the order in which they took hold."""
    return combatants_named(fight, combatant, GRABBED)


def holding(fight: Fight, combatant: Combatant) -> list[Combatant]:
    """Return the combatants that a combatant holds, in the order in which it took hold."""
    return combatants_named(fight, combatant, GRABBING)


def find_hold(grappler: Combatant, target: str) -> Effect | None:
    """Return a combatant's hold on another: the kind of its modifier is the limb held, its value the number
    of hands that hold.
    """
    return next((one for one in grappler.effects if one.stat == HOLD and one.against == target), None)


def hands_on(grappler: Combatant, target: str) -> int:
    """Return the number of hands with which a combatant holds another, 0 if it uses none."""
    hold = find_hold(grappler, target)
    return hold.modifier.value if hold is not None else 0


def get_held_limbs(fight: Fight, combatant: Combatant) -> set[str]:
    """Return the limbs of a combatant that others hold (woa.grab.occupied-limbs)."""
    holds = (find_hold(one, combatant.id) for one in get_holders_of_combatant(fight, combatant))
    return {hold.modifier.kind for hold in holds if hold is not None}


def take_hold(
    fight: Fight, grappler: Combatant, target: Combatant, part: str, means: str, hands: int, *cites: str
) -> Steps[None]:
    """Make `grappler` hold a limb of the target, with `hands` hands or other means."""
    for one, other, condition in ((grappler, target, GRABBING), (target, grappler, GRABBED)):
        ids = dict.fromkeys([*(each.id for each in combatants_named(fight, one, condition)), other.id])
        yield ConditionGained(who=one.id, condition=condition, source=BETWEEN.join(ids), cites=cites)
    rule = fight.rule("woa.grab.occupied-limbs")
    yield EffectGained(
        who=grappler.id,
        id=f"{HOLD}:{target.id}",
        stat=HOLD,
        modifier=Modifier(hands, part, f"{means} on {target.id}", rule),
        until=Until(),
        against=target.id,
        cites=(rule, fight.rule("woa.grab.general-effect")),
    )


def end_hold(fight: Fight, grappler: Combatant, target: Combatant, why: str, *cites: str) -> Steps[None]:
    """End the hold that `grappler` has on the target."""
    for one, other, condition in ((grappler, target, GRABBING), (target, grappler, GRABBED)):
        left = [each.id for each in combatants_named(fight, one, condition) if each is not other]
        if left:
            yield ConditionGained(who=one.id, condition=condition, source=BETWEEN.join(left), cites=cites)
        elif condition in one.conditions:
            yield ConditionLost(who=one.id, condition=condition, why=why, cites=cites)
    if find_hold(grappler, target.id) is not None:
        yield EffectEnded(who=grappler.id, id=f"{HOLD}:{target.id}", why=why, cites=cites)


def are_tied(one: Combatant, other: Combatant) -> bool:
    """Return whether either of two combatants holds the other, which makes them move together."""
    return find_hold(one, other.id) is not None or find_hold(other, one.id) is not None


# --- The type of action of each act of a grapple or a grab (woa.grapple.start.*, woa.grab.*)

#: The names, among what a round has spent, for having drawn an item or left a grapple.
DRAWN, RELEASED = "drawn", "released"

#: Acts that may follow the drawing of an item in the same round.
USES = ("attack", "activate", "called-shot")


def action_to_grapple(fight: Fight, grappler: Combatant, target: Combatant) -> tuple[str, tuple[str, ...]]:
    """Return the type of action for starting a grapple, with the topics of the rules.

    woa.grapple.start.action-cost, woa.grapple.start.improved-grab
    """
    held = target in holding(fight, grappler)
    option = "grapple an already grabbed opponent" if held else "grab and start grappling"
    topic = "woa.grapple.start.action-cost"
    if has_feat(grappler, "improved grab"):
        return str(fight.figure("woa.grapple.start.improved-grab", f"option={option}", "action")), (
            "woa.grapple.start.improved-grab",
        )
    return str(fight.figure(topic, f"option={option}", "action")), (topic,)


def grapple_kinds(fight: Fight, grappler: Combatant, act: acts.Grapple) -> tuple[str, ...]:
    """Return the types of action that an act of grappling is; "free" needs no declaration.

    Call it only for acts that were not refused: a combatant already in a grapple cannot start it.
    """
    if act.what == "ease" or uses_what_was_drawn(fight, grappler, act):
        return ("free",)
    if act.what != "start":
        return ("grapple",)
    return (action_to_grapple(fight, grappler, fight.combatant(act.target))[0],)


def uses_what_was_drawn(fight: Fight, grappler: Combatant, act: acts.Grapple) -> bool:
    """Return whether an act uses an item drawn in this round (woa.grapple.activity.draw-and-use)."""
    return bool(grappler.spent.get(DRAWN)) and act.what in USES


def action_of_grab(fight: Fight, combatant: Combatant) -> tuple[str, str]:
    """Return the type of action for a grab, with the topic of the rule (woa.grab.action, .improved-grab)."""
    topic = "woa.grab.improved-grab" if has_feat(combatant, "improved grab") else "woa.grab.action"
    return str(fight.figure(topic, "action")), topic


def escape_kind(act: acts.Grab) -> str:
    """Return the topic of escaping from one holder or from several at once."""
    return "woa.grab.escape-many" if len(act.targets) > 1 else "woa.grab.escape-one"


def throw_kind(fight: Fight) -> str:
    """Return the type of action for a throw (option `throw_grabbed`)."""
    return "full-round" if fight.option("throw_grabbed") == "full-round-action" else "standard"


def grab_kinds(fight: Fight, grappler: Combatant, act: acts.Grab) -> tuple[str, ...]:
    """Return the types of action that an act of grabbing or being grabbed is; "free" needs no declaration."""
    if act.what == "start":
        return (action_of_grab(fight, grappler)[0],)
    if act.what == "escape":
        return (str(fight.figure(escape_kind(act), "action")),)
    if act.what == "throw":
        return (throw_kind(fight),)
    if act.what == "drag":
        return ("move",)
    return (str(fight.figure(f"grab.{act.what}", "action")),)


# --- Conditions of holding and being held: what each denies and forbids (woa.grapple.*, woa.grab.*)

#: The source of "grappling" lists the opponents, that of a hold the holder.
HOLDS = {
    "grappling": ConditionRule(
        "woa.grapple.modifier.no-reactions",
        dexterity=False,
        dexterity_topic="woa.grapple.modifier.from-outside",
        reactions=False,
    ),
    "at an advantage": ConditionRule("woa.grapple.advantage"),
    "locked up": ConditionRule("woa.grapple.start.ends-actions", actions="none"),
    "held in check": ConditionRule("woa.grapple.outcome.rule", actions="none"),
    "pinned": ConditionRule("woa.grapple.hold.pin.position"),
    "arm-locked": ConditionRule("woa.grapple.hold.arm-lock"),
    "mouth clamped": ConditionRule("woa.grapple.hold.clamp-mouth"),
    "held immobile": ConditionRule(
        "woa.grapple.modifier.pinned-immobilized", dexterity=False, reactions=False, helpless=True
    ),
    "grabbing": ConditionRule("woa.grab.general-effect"),
    "grabbed": ConditionRule("woa.grab.success"),
    "weighed down": ConditionRule("woa.grab.encumbrance"),
    "suffocating": ConditionRule("woa.grab.squeeze-optional"),
}


# --- Joining a grapple in one space, holds and locks, and leaving it (woa.grapple.*)

AHEAD = "at an advantage"
#: The holds and locks: the condition of the victim, and the topic of its rule.
LOCKS = {
    "pinned": "woa.grapple.hold.pin.advantage",
    "arm-locked": "woa.grapple.hold.arm-lock",
    "mouth clamped": "woa.grapple.hold.clamp-mouth",
}
#: The holds and locks that pin a body, and the condition they cause.
FAST = ("pinned", "arm-locked")
IMMOBILE = "held immobile"
#: Conditions by which the grapple itself keeps combatants from acting for the rest of the round.
KEPT = ("locked up", "held in check")


def opponents(fight: Fight, combatant: Combatant) -> list[Combatant]:
    """Return the opponents a combatant grapples with, in the order in which they joined."""
    held = combatant.conditions.get("grappling")
    combatants = fight.state.combatants
    return [combatants[id] for id in held.source.split(BETWEEN) if id in combatants] if held else []


def members_of_grapple(fight: Fight, combatant: Combatant) -> list[Combatant]:
    """Return all members of `combatant`'s grapple, including itself, in order of entry."""
    found = {combatant.id}
    fresh = [combatant]
    while fresh:
        met = [other for one in fresh for other in opponents(fight, one) if other.id not in found]
        found.update(one.id for one in met)
        fresh = met
    return [one for one in fight.state.combatants.values() if one.id in found]


def grappled_at_round_start(fight: Fight, combatant: Combatant) -> bool:
    """Return whether a combatant was grappling when the round began (woa.grapple.start.ends-actions)."""
    held = combatant.conditions.get("grappling")
    return held is not None and held.level < fight.state.round


def refuse_sizes(fight: Fight, grappler: Combatant, target: Combatant) -> None:
    """Refuse to grapple an opponent more than one size larger or smaller (woa.grapple.size-limits)."""
    steps = size_step(target) - size_step(grappler)
    rule = fight.rule("woa.grapple.size-limits")
    if steps > fight.figure("woa.grapple.size-limits", "max_larger"):
        raise Refusal(f"{target.id} is too large for {grappler.id} to grapple", rule)
    if -steps > fight.figure("woa.grapple.size-limits", "max_smaller"):
        raise Refusal(f"{target.id} is too small for {grappler.id} to grapple", rule)


def refuse_crowded_grapple(fight: Fight, grappler: Combatant, target: Combatant) -> None:
    """Refuse a grapple with an opponent that already has as many grapplers as possible.

    The limit is two of the opponent's size; a smaller grappler counts as half, a larger one as two.

    woa.grapple.multiple.limit
    """
    topic = "woa.grapple.multiple.limit"

    def weight(one: Combatant) -> int:
        steps = size_step(one) - size_step(target)
        if not steps:
            return 100
        return int(fight.figure(topic, "larger_weight" if steps > 0 else "smaller_weight") * 100)

    taken = sum(weight(one) for one in opponents(fight, target)) + weight(grappler)
    if taken > fight.figure(topic, "max_same_size") * 100:
        raise Refusal(f"{target.id} is grappled already by as many as can", fight.rule(topic))


def join(fight: Fight, grappler: Combatant, target: Combatant, *cites: str) -> Steps[None]:
    """Make two combatants grapple: they share a space, act no more this round, and `grappler` has the
    advantage.

    woa.grapple.start.ends-actions, woa.grapple.modifier.shared-space, woa.grapple.advantage
    """
    for one, other in ((grappler, target), (target, grappler)):
        ids = dict.fromkeys([*(each.id for each in opponents(fight, one)), other.id])
        earlier = one.conditions.get("grappling")
        yield ConditionGained(
            who=one.id,
            condition="grappling",
            source=BETWEEN.join(ids),
            level=earlier.level if earlier else fight.state.round,
            cites=cites,
        )
    if AHEAD not in grappler.conditions:
        rule = fight.rule("woa.grapple.advantage")
        yield ConditionGained(who=grappler.id, condition=AHEAD, source="started the grapple", cites=(rule,))
    yield from share_space(fight, members_of_grapple(fight, grappler))
    until = Until("round-end", "", fight.state.round)
    rule = fight.rule("woa.grapple.start.ends-actions")
    for one, other in ((grappler, target), (target, grappler)):
        yield ConditionGained(who=one.id, condition="locked up", source=other.id, until=until, cites=(rule,))
        if one.readied is not None:
            yield ReadyEnded(who=one.id, how="lapsed", cites=(rule,))


def share_space(fight: Fight, members: Sequence[Combatant]) -> Steps[None]:
    """Move all members of a grapple into the space of the largest (woa.grapple.modifier.shared-space)."""
    largest = max(members, key=size_step)
    side = own_space(fight, largest)
    for one in members:
        if (one.at, one.space) != (largest.at, side):
            yield displaced(
                one,
                (largest.at,),
                "into the grapple",
                fight.rule("woa.grapple.modifier.shared-space"),
                space=side,
            )


def own_space(fight: Fight, combatant: Combatant) -> int:
    """Return the side in squares of the space a combatant normally takes up."""
    return fight.dialect.position.space_and_reach(fight, combatant.sheet)[0]


def end_grapple_between(
    fight: Fight, combatant: Combatant, other: Combatant, why: str, *cites: str
) -> Steps[None]:
    """End the grapple between two combatants and every hold between them."""
    for one, opponent in ((combatant, other), (other, combatant)):
        yield from loosen(fight, one, opponent, why, *cites)
        left = [each.id for each in opponents(fight, one) if each is not opponent]
        if left:
            held = one.conditions["grappling"]
            yield ConditionGained(
                who=one.id, condition="grappling", source=BETWEEN.join(left), level=held.level, cites=cites
            )
        else:
            yield from end_grappling_effects(fight, one, why, *cites)


def leave_grapple(fight: Fight, combatant: Combatant, why: str, *cites: str) -> Steps[None]:
    """Remove a combatant from its grapple; opponents left without anyone to grapple are out of it too."""
    for other in opponents(fight, combatant):
        yield from end_grapple_between(fight, combatant, other, why, *cites)


def end_grappling_effects(fight: Fight, combatant: Combatant, why: str, *cites: str) -> Steps[None]:
    """End the effects of grappling for a combatant that has no opponent left."""
    yield ConditionLost(who=combatant.id, condition="grappling", why=why, cites=cites)
    if AHEAD in combatant.conditions:
        yield ConditionLost(who=combatant.id, condition=AHEAD, why=why, cites=cites)
    side = own_space(fight, combatant)
    if side != combatant.space:
        yield displaced(combatant, (combatant.at,), "out of the grapple", *cites, space=side)


def holds_and_locks(fight: Fight, combatant: Combatant, victim: Combatant) -> list[str]:
    """Return the holds and locks that `combatant` has on a victim, in the order of the rulebook."""
    return [
        name for name in LOCKS if name in victim.conditions and victim.conditions[name].source == combatant.id
    ]


def holds_fast(fight: Fight, combatant: Combatant) -> bool:
    """Return whether a combatant has pinned or locked one of its opponents."""
    return any(
        name in FAST
        for other in opponents(fight, combatant)
        for name in holds_and_locks(fight, combatant, other)
    )


def loosen(fight: Fight, victim: Combatant, holder: Combatant, why: str, *cites: str) -> Steps[None]:
    """End the holds that `holder` has on `victim`, and the immobility they caused."""
    ended = holds_and_locks(fight, holder, victim)
    for name in ended:
        yield ConditionLost(who=victim.id, condition=name, why=why, cites=cites)
    still = any(name in victim.conditions for name in FAST)
    if ended and IMMOBILE in victim.conditions and not still:
        yield ConditionLost(who=victim.id, condition=IMMOBILE, why=why, cites=cites)


def immobile(fight: Fight, victim: Combatant, holder: str) -> ConditionGained:
    """Return the fact that a pinned combatant counts as immobilized (woa.grapple.hold.pin.immobilized)."""
    cites = fight.rules("woa.grapple.modifier.pinned-immobilized", "woa.grapple.hold.pin.immobilized")
    return ConditionGained(who=victim.id, condition=IMMOBILE, source=holder, cites=cites)


def immobilize_pinned(fight: Fight) -> Steps[None]:
    """At the start of a round, immobilize combatants that were pinned in the round before.

    woa.grapple.modifier.pinned-immobilized (option `pin_takes_effect`)
    """
    for one in fight.state.combatants.values():
        name = next((name for name in FAST if name in one.conditions), "")
        if name and IMMOBILE not in one.conditions:
            yield immobile(fight, one, one.conditions[name].source)


def can_wrestle(fight: Fight, combatant: Combatant) -> bool:
    """Return whether a grappler can wrestle: conscious, and neither dazed nor otherwise unable to act."""
    return not is_down(fight, combatant) and not is_kept_from_acting(fight, combatant)


def is_kept_from_acting(fight: Fight, combatant: Combatant) -> bool:
    """Return whether something other than the grapple keeps a grappler from acting."""
    return any(rule_of(fight, name).actions in STILL for name in combatant.conditions if name not in KEPT)


def end_grapples_of_fallen(fight: Fight) -> Steps[None]:
    """At the end of a round, end the grapple for combatants that are down."""
    for combatant in list(fight.state.combatants.values()):
        if "grappling" in combatant.conditions and is_down(fight, combatant):
            why = next(rule_of(fight, name) for name in combatant.conditions if rule_of(fight, name).down)
            yield from leave_grapple(fight, combatant, f"{combatant.id} is down", fight.rule(why.topic))


# --- Words and figures of a grapple check (woa.grapple.activity.list)

POSTURES = ("prone", "kneeling", "crouching")

#: The names, among what a round has spent, for the round's check and a change of advantage.
MARGIN, CHANGED = "grapple", "advantage"

HANDS = 2


def needs_no_win(spell: Spell) -> bool:
    """Return whether a spell can be cast in a grapple without winning the grapple check.

    woa.grapple.activity.cast-components
    """
    return set(spell.components) <= {"verbal"}


# --- The grapple check: what each participant adds (woa.grapple.check, .advantage)


class Wrestler(Struct):
    """A participant in a round's check: what it adds, and its roll (0 before rolling)."""

    who: Combatant
    tally: Tally
    natural: int = 0
    cites: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        """The result of the check."""
        return self.natural + self.tally.total


def declared_activity(combatant: Combatant) -> str:
    """Return the activity that a grappler has declared for this round ("nothing" without a plan)."""
    return next((what for type_, what, _ in combatant.plan if type_ == "grapple"), "nothing")


def grapple_side(
    fight: Fight, combatant: Combatant, against: Sequence[Combatant], rolling: Sequence[Combatant]
) -> Wrestler:
    """Return a grappler's part in a grapple check, or in Escape Artist instead, before the roll.

    If all opponents are immobile, the roll counts as a 20 (woa.grapple.check, woa.grapple.activity.escape,
    option `pinned_maneuvers`).
    """
    cites = [fight.rule("woa.grapple.check")]
    if declared_activity(combatant) == "escape-artist":
        rule = fight.rule("woa.grapple.activity.escape")
        cites.append(rule)
        parts = skill_parts(fight, combatant, "escape artist", "dex", rule)
        parts = check_parts(fight, combatant, "escape artist", parts)
    else:
        parts = grapple_parts(fight, combatant, against, rolling)
    tally = fight.dialect.attacks.stack(fight, ruled_out(combatant, "grapple", parts))
    sure = fight.option("pinned_maneuvers") == "all" and all(IMMOBILE in one.conditions for one in against)
    natural = fight.figure("woa.attack.natural-20", "face") if sure else 0
    return Wrestler(combatant, tally, natural, tuple(cites))


def grapple_parts(
    fight: Fight, combatant: Combatant, against: Sequence[Combatant], rolling: Sequence[Combatant]
) -> list[Modifier]:
    """Return the parts of a grapple check: the unarmed attack bonus and all modifiers to attacks.

    Posture does not count. All except the smallest add the size modifier for maneuvers; the advantage counts,
    and so does every hand that holds something else (woa.grapple.check, .advantage,
    .activity.manipulate-item).
    """
    blow = Blow(combatant, against[0], unarmed(fight, combatant), True, 0, Intent("grapple"))
    parts = [*fight.dialect.attacks.attack_bonus(fight, blow)]
    parts += [part for part in common_attack_situation(fight, blow) if part.source not in POSTURES]
    larger = size_step(combatant) - min(size_step(one) for one in rolling)
    if larger:
        topic = "woa.maneuver.size-modifier"
        per = fight.figure(topic, "per_category_attacker_larger")
        parts.append(Modifier(per * larger, "size", f"{larger} larger than the smallest", fight.rule(topic)))
    parts += advantage_parts(fight, combatant)
    busy = busy_hands(combatant)
    if busy:
        topic = "woa.grapple.activity.manipulate-item"
        per = fight.figure(topic, "check_penalty_per_occupied_hand")
        source = "both hands occupied" if busy == HANDS else "1 hand occupied"
        parts.append(Modifier(per * busy, "penalty", source, fight.rule(topic)))
    return parts + roll_parts(fight, combatant, "check", "grapple")


def busy_hands(combatant: Combatant) -> int:
    """Return how many of the two hands hold a weapon, an item or a shield; a buckler leaves its hand free."""
    busy = 0
    weapons = {weapon.name: weapon for weapon in combatant.sheet.weapons}
    for item in combatant.held:
        weapon = weapons.get(item)
        busy += HANDS if weapon is not None and wielded_in_two_hands(weapon) else 1
    return min(HANDS, busy + bears_shield(combatant))


def advantage_parts(fight: Fight, combatant: Combatant) -> list[Modifier]:
    """Return the bonus for the advantage: higher with a pin or a lock in place, lower with a hand on a mouth.

    A hold counts if it was in place when the round began; each of several multiplies the basic advantage
    (woa.grapple.advantage, woa.grapple.hold.*).
    """
    if AHEAD not in combatant.conditions:
        return []
    held = [
        name
        for other in opponents(fight, combatant)
        for name in holds_and_locks(fight, combatant, other)
        if other.conditions[name].level < fight.state.round
    ]
    if not held:
        return [fight.modifier("woa.grapple.advantage", "bonus", kind="advantage", source="advantage")]
    source = f"advantage ({', '.join(held)})"
    if len(held) == 1:
        return [fight.modifier(LOCKS[held[0]], "advantage", kind="advantage", source=source)]
    topic = "woa.grapple.hold.advantage-table"
    value = fight.figure("woa.grapple.advantage", "bonus") * 100
    for name in held:
        value = value * int(fight.figure(topic, f"hold={name}", "factor") * 100) // 100
    return [Modifier(value // 100, "advantage", source, fight.rule(topic))]


# --- Effects of a grapple on attacks, saves and declarations, inside and outside it (woa.grapple.modifier.*)

#: Prefixes of the topics of positioning and tactics.
POSITIONING = ("flanking.", "high-ground.", "crowd.", "ganging-up.", "posture.", "space.own-space")
#: Kinds of bonus lost by a combatant that cannot move freely.
ACTIVE = ("dodge", "shield")
INSIDE = "grappling each other"
MANEUVERS = (acts.Push, acts.Overrun, acts.Trip, acts.Grab)
ALONE = (acts.Move, acts.Step, acts.Run, acts.Charge, acts.Stand, acts.Attack, acts.FullAttack)
#: Acts that a grappler may declare in addition to the activities of the grapple itself.
FREE = (acts.Enter, acts.Begin, acts.Close, acts.Plan, acts.EndTurn, acts.Grapple, acts.Drop, acts.Hazard)
IN_A_GRAPPLE = (acts.Disarm, acts.Sunder, acts.Activate)


def why_no_active_defense(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return why a grappler loses its active defense against an attack, with the topic of the rule.

    woa.grapple.modifier.within, woa.grapple.modifier.from-outside
    """
    if blow.attacker in opponents(fight, blow.target):
        return INSIDE, "woa.grapple.modifier.within"
    return "grappling", "woa.grapple.modifier.from-outside"


def deny_positioning(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Return the modifiers of an attack on a grappler, with those for positioning denied.

    woa.grapple.modifier.within, woa.grapple.modifier.from-outside
    """
    reason, topic = why_no_active_defense(fight, blow)
    name = fight.dialect.name
    ignored = tuple(f"{name}.{prefix}" for prefix in POSITIONING)
    why = f"{reason}: positioning does not count ({fight.rule(topic)})"
    counting = [part for part in parts if part.rule.startswith(ignored) and not part.denied]
    if counting:
        blow.cites.append(fight.rule(topic))
    return [
        Modifier(part.value, part.kind, part.source, part.rule, why) if part in counting else part
        for part in parts
    ]


def reflex_in_grapple(fight: Fight, parts: Sequence[Modifier]) -> list[Modifier]:
    """Return the parts of a grappler's Reflex save, denying Dexterity, dodge and shield bonuses.

    woa.grapple.modifier.from-outside
    """
    why = f"grappling: this bonus does not count ({fight.rule('woa.grapple.modifier.from-outside')})"
    return [
        Modifier(part.value, part.kind, part.source, part.rule, why)
        if part.value > 0 and (part.kind in ACTIVE or part.kind == "ability")
        else part
        for part in parts
    ]


#: The kinds of attacks that cannot strike the wrong grappler: from within, ambushes, spells, strays.
SURE_OF_AIM = ("grapple", "squeeze", "ambush", "spell", "trample", "astray")


def strike_wrong_grappler(fight: Fight, blow: Blow) -> Steps[None]:
    """Roll whether an attack from outside strikes the wrong grappler, whose AC must then be beaten.

    It never does so for a pinned target or the one that pins; the game master decides whether the pinning
    grappler gives cover (woa.grapple.modifier.wrong-target, .pin-no-wrong-target).
    """
    target, attacker = blow.target, blow.attacker
    if attacker in opponents(fight, target):
        return
    if any(name in target.conditions for name in FAST) or holds_fast(fight, target):
        yield from resolve_attack_on_pinned(fight, blow)
        return
    topic = "woa.grapple.modifier.wrong-target"
    chance = fight.figure(topic, "melee_percent" if blow.melee else "ranged_percent")
    rolled = yield Roll(attacker.id, "wrong-target", "1d100")
    rule = fight.rule(topic)
    if rolled.total > chance:
        what = f"into a grapple: {rolled.total} of {chance}, the blow goes at {target.id} as meant"
        yield RuleApplied(who=attacker.id, what=what, cites=(rule,))
        return
    others = [one for one in members_of_grapple(fight, target) if one is not target and one is not attacker]
    at = 0
    if len(others) > 1:
        at = (yield Roll(attacker.id, "which", f"1d{len(others)}")).total - 1
    blow.target = others[at]
    what = f"into a grapple: {rolled.total} of {chance}, the blow goes at {others[at].id} instead"
    yield RuleApplied(who=attacker.id, what=what, cites=(rule,))


def resolve_attack_on_pinned(fight: Fight, blow: Blow) -> Steps[None]:
    """Ask whether the grappler that pins gives cover to the pinned one; neither is struck in place of the
    other.
    """
    target = blow.target
    topic = "woa.grapple.modifier.pin-no-wrong-target"
    rule = fight.rule(topic)
    what = f"into a grapple: {target.id} is held fast or holds, and is struck at as meant"
    yield RuleApplied(who=blow.attacker.id, what=what, cites=(rule,))
    if not any(name in target.conditions for name in FAST):
        return
    question = f"does the grappler that holds {target.id} give it cover?"
    degree = yield Choice("", "cover", question, ("none", "one-quarter", "one-half"), rule)
    if degree != "none":
        source = f"{degree} cover: whoever holds {target.id}"
        printed = cell(fight, "woa.cover.table", f"degree={degree}", "ac")
        if printed is not None:
            blow.defense_extra.append(Modifier(printed.value, "cover", source, printed.rule))


def refuse_free_act(fight: Fight, grappler: Combatant, act: Any) -> None:
    """Refuse a grappler's act that is not an activity of a grapple.

    The only maneuvers are disarm and sunder; movement, normal attacks and acts longer than a standard action
    are refused (woa.grapple.activity.maneuvers, .other, .one-action, woa.grapple.separate-rules).
    """
    if isinstance(act, (*FREE, *IN_A_GRAPPLE)):
        return
    if isinstance(act, acts.Cast):
        refuse_grapplers_gestures(fight, grappler, act.spell)
    elif isinstance(act, acts.Speak):
        refuse_words(fight, grappler)
    elif isinstance(act, MANEUVERS):
        reason = f"{grappler.id} is grappling: of maneuvers only disarm and sunder are possible"
        raise Refusal(reason, fight.rule("woa.grapple.activity.maneuvers"))
    elif isinstance(act, ALONE):
        raise Refusal(
            f"{grappler.id} is grappling: it can neither move nor attack normally",
            fight.rule("woa.grapple.separate-rules"),
        )
    else:
        what = str(act.__struct_config__.tag).replace("-", " ")
        reason = f"{grappler.id} is grappling: {what} is not an activity of a grapple"
        raise Refusal(reason, fight.rule("woa.grapple.activity.other"))


def is_mouth_clamped(fight: Fight, combatant: Combatant) -> bool:
    """Return whether a combatant's mouth was clamped when the round began (woa.grapple.hold.clamp-mouth)."""
    clamped = combatant.conditions.get("mouth clamped")
    return clamped is not None and clamped.level < fight.state.round


def refuse_words(fight: Fight, combatant: Combatant) -> None:
    """Refuse to speak with a clamped mouth."""
    if is_mouth_clamped(fight, combatant):
        raise Refusal(f"{combatant.id}'s mouth is clamped", fight.rule("woa.grapple.hold.clamp-mouth"))


def refuse_grapplers_gestures(fight: Fight, combatant: Combatant, name: str) -> None:
    """Refuse a spell that a grappler cannot cast: it has gestures, lacks components, or takes too long.

    woa.grapple.activity.cast-components, woa.grapple.activity.other
    """
    spell = next((one for one in combatant.sheet.spells if one.name == name), None)
    if spell is None:
        return
    rule = fight.rule("woa.grapple.activity.cast-components")
    parts = () if spell.ability else spell.components
    if "somatic" in parts:
        raise Refusal(f"{name} needs gestures, which {combatant.id} cannot make in a grapple", rule)
    if "material" in parts and not {COMPONENTS, name} & set(combatant.held):
        raise Refusal(f"{combatant.id} does not hold the components of {name}", rule)
    if spell.casting in ("full-round", "one-round"):
        raise Refusal(f"{name} takes too long in a grapple", fight.rule("woa.grapple.activity.other"))
    if "verbal" in parts:
        refuse_words(fight, combatant)
    least = fight.figure("woa.grapple.outcome.win-by-5", "margin")
    if not needs_no_win(spell) and combatant.spent.get(MARGIN, 0) < least:
        raise Refusal(f"{combatant.id} has not won the grapple check that {name} needs", rule)


PROHIBITIONS = (when("'grappling' in conditions", refuse_free_act),)
"""The prohibitions of a grapple."""


# --- A fight that begins in the middle of a grapple, or of a pin (woa.grapple.*)


def refuse_start_in_grapple(fight: Fight, act: acts.Enter) -> None:
    """Refuse to enter in an impossible grapple: with a friend, a fallen opponent, a wrong size, or one too
    many.
    """
    target = fight.combatant(act.grapples)
    if act.sheet is None:
        return  # an entry without a sheet is refused elsewhere
    if act.riding or target.side == act.side or is_down(fight, target):
        reason = f"{act.id} can enter in a grapple only on foot, and with an opponent who is not down"
        raise Refusal(reason, fight.rule("woa.grapple.start.action-cost"))
    one = newcomer(fight, act, act.sheet)
    refuse_sizes(fight, one, target)
    refuse_crowded_grapple(fight, one, target)


def start_in_grapple(fight: Fight, act: acts.Enter) -> Steps[None]:
    """Make a newcomer grapple its opponent in one space, as if since an earlier round; the pinning one is
    ahead.

    woa.grapple.modifier.shared-space, woa.grapple.hold.pin.position, woa.grapple.advantage
    """
    one, target = fight.combatant(act.id), fight.combatant(act.grapples)
    for each, other in ((one, target), (target, one)):
        ids = dict.fromkeys([*(known.id for known in opponents(fight, each)), other.id])
        cites = fight.rules("woa.grapple.modifier.shared-space")
        source = BETWEEN.join(ids)
        yield ConditionGained(who=each.id, condition="grappling", source=source, cites=cites)
    yield from share_space(fight, members_of_grapple(fight, one))
    if act.grip:
        pinner, victim = (one, target) if act.grip == "pins" else (target, one)
        cites = fight.rules("woa.grapple.hold.pin.position")
        yield ConditionGained(who=victim.id, condition="pinned", source=pinner.id, cites=cites)
        if AHEAD not in pinner.conditions:
            cites = fight.rules("woa.grapple.advantage")
            yield ConditionGained(who=pinner.id, condition=AHEAD, source="pins", cites=cites)
