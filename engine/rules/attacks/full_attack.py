"""The full attack, attack by attack: series of both hands, extra attacks, and going on or breaking off.

A full attack may be declared whole or in parts. Each part uses the next attacks of the series; between them
there is room for a 5-foot step, and after the very first attack the rest may be given up for a move action
(srd35.full-attack.order, srd35.full-attack.step, srd35.full-attack.decide, pf1.full-attack,
pf1.full-attack.stop).
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter
from typing import Final

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import per_fight
from affray.engine.kernel.actions import check_turn
from affray.engine.kernel.places import reaches
from affray.engine.record.blow import FLURRY, WHIRLWIND, Blow
from affray.engine.record.chapters import Attempt
from affray.engine.rules.attacks import declared_blow
from affray.engine.rules.attacks.natural_weapons import (
    count_main_hand_attacks,
    get_penalty_with_held_weapons,
    refuse_hands_after_limbs,
    refuse_rake,
    struck_with,
)
from affray.engine.rules.classes.checks import masters, refuse_without
from affray.engine.rules.classes.sheets import has_trait
from affray.engine.rules.gear.hands import SPIKES, count_arms, melee_band
from affray.engine.rules.gear.weapons_in_hand import find_weapon, plan_throws, refuse_more_shots
from affray.engine.rules.turns.actions import ATTACKS, LIMB, OFF_HAND, is_open, refuse_unless_allowed
from affray.engine.steps import Refusal, Steps
from affray.events.errors import counted
from affray.events.facts import acts
from affray.events.facts.combat import EffectGained, Until
from affray.events.facts.flow import ActionSpent
from affray.events.facts.sheet import Modifier, Weapon
from affray.projections.state import Combatant

# --- The attacks that a full attack allows: how many, and the penalty of each


def iteratives(fight: Fight, base_attack: int) -> list[int]:
    """Return the penalty of each attack of a full attack: 0, -5, -10, -15 as the base attack allows.

    srd35.attack.iterative-table, pf1.full-attack.
    """
    step = fight.figure("attack.iterative-table", "step")
    thresholds = fight.figure("attack.iterative-table", "thresholds")
    return [0, *(step * (n + 1) for n, least in enumerate(thresholds) if base_attack >= least)]


def refuse_too_many(actor: Combatant, allowed: int, act: acts.FullAttack, rule: str) -> None:
    """Refuse more strikes than the attacks that a full attack allows."""
    if len(act.strikes) > allowed:
        attacks = counted(allowed, "attack")
        raise Refusal(f"{actor.id} has {attacks} in a full attack, not {len(act.strikes)}", rule)


@per_fight("base_attack")
def iterative_parts(fight: Fight, base_attack: int) -> list[list[Modifier]]:
    """Return the modifiers of each attack that a base attack bonus allows, in order."""
    rule = fight.rule("attack.iterative-table")
    return [
        [Modifier(penalty, "iterative", f"attack {number}", rule)] if penalty else []
        for number, penalty in enumerate(iteratives(fight, base_attack), 1)
    ]


def usual_strikes(
    fight: Fight, attacker: Combatant, enemy: Combatant, weapon: Weapon
) -> tuple[acts.Strike, ...]:
    """Return the strikes of a usual full attack at one enemy: all that there are, with one weapon."""
    most = fight.dialect.attacks.attack_series(fight, attacker, acts.FullAttack(actor=attacker.id))
    return (acts.Strike(enemy.id, weapon.name),) * len(most)


def usual_shot(fight: Fight, attacker: Combatant, enemy: Combatant, weapon: Weapon) -> acts.Attack:
    """Return a plain shot at an enemy, or a throw of a throwing weapon."""
    return acts.Attack(actor=attacker.id, target=enemy.id, weapon=weapon.name, thrown=weapon.thrown)


def get_single_missile(fight: Fight, weapon: Weapon) -> int:
    """Return 1: no shot takes less than one missile."""
    return 1


# --- Creatures with more than two arms: one main hand, all others off hands
#
# srd35.feat.multiattack, pf1.feat.two-weapon.

TOPIC: Final = "feat.multiweapon-fighting"
FEAT: Final = "multiweapon fighting"
TWO: Final = 2


def arms_of(combatant: Combatant) -> int:
    """Return how many arms a creature can fight with: two, or as many as its trait "arms 4" says."""
    return max(TWO, count_arms(combatant))


def has_many_arms(combatant: Combatant) -> bool:
    """Return whether a creature has more than two arms."""
    return arms_of(combatant) > TWO


def has_multiweapon_fighting(fight: Fight, combatant: Combatant) -> bool:
    """Return whether Multiweapon Fighting lowers the penalties, in place of Two-Weapon Fighting."""
    return masters(fight, combatant, FEAT)


def find_off_hand_weapons(combatant: Combatant, first: str, second: str) -> tuple[str, ...]:
    """Return the names of the weapons in the off hands: the second one, then everything else that is held."""
    natural = {one.name for one in combatant.sheet.weapons if one.wield == "natural"}
    others = [name for name in combatant.held if name not in (first, second) and name not in natural]
    return (second, *others)


# --- Creatures that fight with several weapons by nature, without a penalty
#
# srd35.assumed.weapon-mastery, pf1.two-weapon.

#: Each arm has all attacks of the base attack bonus and full Strength.
SUPERIOR: Final = "superior two-weapon fighting"
#: Every off hand has its usual attack.
MASTERY: Final = "multiweapon mastery"


def is_superior(combatant: Combatant) -> bool:
    """Return whether each arm of a creature fights as if it were the only one."""
    return has_trait(combatant, SUPERIOR)


def pays_nothing(combatant: Combatant) -> bool:
    """Return whether a creature attacks with several weapons without a penalty."""
    return is_superior(combatant) or has_trait(combatant, MASTERY)


# --- Two weapons at once: the hands that hold them, light off-hand weapons, and the feats that help

#: The stat of the effect that records the off hand's weapon while a full attack is open.
SECOND = "second-weapon"
TRAINING = "two-weapon fighting"
#: The hands by their names in the figures.
HANDS = {"primary": "main hand", "off_hand": "off hand"}
#: A strike's own fields: whether it is one of the off hand, and the name of its weapon.
OF_OFF_HAND: Final[Callable[[acts.Strike], bool]] = attrgetter("off_hand")
WITH_WEAPON: Final[Callable[[acts.Strike], str]] = attrgetter("weapon")
#: The feats that give the off hand its second and third attack.
FURTHER = ("improved two-weapon fighting", "greater two-weapon fighting")


@per_fight("weapon", "off")
def wield_with_another(fight: Fight, weapon: Weapon, off: bool) -> Weapon:
    """Return a weapon as wielded with another in the other hand; the same object each time.

    A double weapon is then a one-handed and a light one (srd35.twf.double-weapons, pf1.two-weapon.double).
    """
    if "double" in weapon.traits:
        found = replace(weapon, wield="light" if off else "one-handed", hands=1, off_hand=off)
        if off and weapon.second:
            times = weapon.second_multiplier or weapon.multiplier
            found = replace(found, damage=weapon.second, multiplier=times)
        return found
    return replace(weapon, off_hand=off)


def second_weapon(fight: Fight, actor: Combatant, act: acts.FullAttack) -> str:
    """Return the name of the weapon that the off hand uses in this full attack, "" if it uses none.

    It is named, or a strike uses it; a full attack begun with two weapons goes on with them. Refuses a weapon
    that cannot be in the other hand along with the first.
    """
    name = act.second
    for effect in actor.effects:
        if effect.stat == SECOND:
            name = name or effect.modifier.source
    for one in filter(OF_OFF_HAND, act.strikes):
        name = name or find_weapon(fight, actor, one.weapon).name
    if not name:
        if len(set(map(WITH_WEAPON, act.strikes))) < 2:
            return ""
        held = {weapon.name: weapon for weapon in actor.sheet.weapons}
        flagged = {one.weapon: held[one.weapon].off_hand for one in act.strikes if one.weapon in held}
        if len(set(flagged.values())) < 2:
            return ""
        name = next(weapon for weapon, off in flagged.items() if off)
    refuse_full_hands(fight, actor, name, act.strikes)
    return name


def refuse_full_hands(fight: Fight, attacker: Combatant, name: str, strikes: Sequence[acts.Strike]) -> None:
    """Refuse a second weapon for which no hand is free, and the first weapon as the second.

    srd35.twf.extra-attack, srd35.weapons.double, pf1.two-weapon, pf1.two-weapon.double.
    """
    rule = fight.rule("twf.extra-attack")
    second = find_weapon(fight, attacker, name)
    if second.wield == "natural":
        raise Refusal(f"the {name} is no weapon for the off hand", rule)
    if "double" in second.traits and "in one hand" in second.traits:
        raise Refusal(f"in one hand only one end of the {name} works", fight.rule("weapons.double"))
    for one in strikes:
        if one.off_hand or one.special:
            continue
        first = find_weapon(fight, attacker, one.weapon)
        alone = first.name == second.name
        if alone and not first.off_hand and not can_be_pair(second, is_throw(fight, attacker, one)):
            raise Refusal(f"the {name} cannot be in both hands", rule)
        worn = SPIKES in (first.table, second.table)
        full = not worn and second.wield != "unarmed" and first.hands + second.hands > arms_of(attacker)
        if not alone and full:
            raise Refusal(f"the {first.name} leaves no hand for the {name}", rule)


def is_throw(fight: Fight, attacker: Combatant, one: acts.Strike) -> bool:
    """Return whether a strike of a full attack throws its weapon, declared or not.

    A throwing weapon is thrown if its target is out of reach (srd35.attack-action.ranged,
    pf1.attack-action.range).
    """
    if one.thrown or one.special:
        return one.thrown
    weapon, target = find_weapon(fight, attacker, one.weapon), fight.state.combatants.get(one.target)
    if not weapon.thrown or target is None:
        return False
    return not reaches(attacker, target, *melee_band(attacker, weapon))


def can_be_pair(weapon: Weapon, thrown: bool) -> bool:
    """Return whether both hands can attack with a weapon of this name."""
    return "double" in weapon.traits or weapon.wield in ("unarmed", "projectile") or thrown


def is_light(fight: Fight, weapon: Weapon, thrown: bool) -> bool:
    """Return whether an off-hand weapon counts as light.

    Fists do, and the other end of a double weapon; of thrown ones those that the rule lists
    (srd35.twf.light-off-hand, srd35.twf.double-weapons, srd35.twf.thrown, srd35.unarmed.damage,
    pf1.two-weapon, pf1.two-weapon.double, pf1.unarmed.provokes).
    """
    if weapon.wield == "unarmed":
        return bool(fight.figure("unarmed.damage", "category") == "light")
    if thrown:
        listed = fight.figure("twf.thrown")
        if weapon.name in listed["light"]:
            return True
        if weapon.name in listed["one_handed"]:
            return False
    return weapon.wield == "light" or "double" in weapon.traits


def has_two_weapon_feat(fight: Fight, combatant: Combatant) -> bool:
    """Return whether a feat lowers the penalties: Two-Weapon Fighting, or with more arms Multiweapon
    Fighting.
    """
    return (
        has_multiweapon_fighting(fight, combatant)
        if has_many_arms(combatant)
        else masters(fight, combatant, TRAINING)
    )


def series_of_second_arm(fight: Fight, combatant: Combatant) -> list[list[Modifier]]:
    """Return the attacks of the other arm of a superior fighter: the same as those of the first."""
    return [list(row) for row in iterative_parts(fight, combatant.sheet.base_attack)]


def drawn_together(fight: Fight, combatant: Combatant, items: Sequence[str]) -> tuple[str, ...]:
    """Return the rules by which two weapons are drawn as one.

    Two-Weapon Fighting draws two light or one-handed ones. Refuses others (srd35.feat.two-weapon-fighting,
    srd35.actions-table.notes, pf1.feat.two-weapon, pf1.actions-table.notes).
    """
    rule = fight.rule("feat.two-weapon-fighting")
    drawn = [weapon for weapon in combatant.sheet.weapons if weapon.name in items]
    if not has_two_weapon_feat(fight, combatant) or len(drawn) < 2 or any(one.hands > 1 for one in drawn):
        raise Refusal(f"{combatant.id} cannot draw the {' and the '.join(items)} as one", rule)
    return (rule, fight.rule("actions-table.notes"))


def one_by_one(fight: Fight, combatant: Combatant, items: Sequence[str]) -> tuple[str, ...]:
    """Refuse to draw two weapons as one: for dialects without a rule for it."""
    raise Refusal("weapons are drawn one by one", fight.rule("move-action.draw"))


def note_second_weapon(fight: Fight, combatant: Combatant, second: str) -> EffectGained:
    """Return the fact that the rest of an open full attack is fought with two weapons."""
    rule = fight.rule("twf.extra-attack")
    return EffectGained(
        who=combatant.id,
        id=f"{fight.declaration}:{SECOND}",
        stat=SECOND,
        modifier=Modifier(0, "untyped", second, rule),
        until=Until("turn-end", combatant.id, fight.state.round),
        cites=(rule,),
    )


RAPID = "rapid shot"
Rows = list[list[Modifier]]


def make_full_attack_in_parts(fight: Fight, actor: Combatant, act: acts.FullAttack) -> Steps[None]:
    """Return the steps of the attacks of a full attack, or of some, in the order declared. Refuses at once.

    A dead target is skipped (srd35.attack-action.multiple, pf1.full-attack).
    """
    rule = fight.rule("attack-action.multiple")
    going_on = bool(actor.spent) and is_open(actor)
    if going_on:
        refuse_another_way(fight, actor, act)
    else:
        refuse_unless_allowed(fight, actor, "full-round")
    if not act.strikes:
        raise Refusal("a full attack names no target", rule)
    second = second_weapon(fight, actor, act)
    rows = fight.dialect.attacks.attack_series(fight, actor, act)
    refuse_too_many(actor, len(rows), act, rule)
    planned: list[Blow | Attempt] = []
    blows: list[Blow] = []
    shots = False
    for one, row in zip(act.strikes, rows, strict=False):
        meant = blow_or_attempt(fight, actor, act, one, row, second)
        planned.append(meant)
        blow = meant.blow if type(meant) is Attempt else meant
        blows.append(blow)
        shots = shots or not blow.melee
    pledged = fight.dialect.attacks.declared_feats(fight, actor, act, blows)
    first: list[object] = []
    throws: list[ActionSpent] = []
    if shots:
        refuse_more_shots(fight, actor, blows)
        throws = plan_throws(fight, actor, planned, second, hands_used(fight, actor, act))
    if not going_on:
        first += fight.dialect.attacks.begin_full_attack(fight, actor, act, second, len(rows))
    open_ = len(rows) > len(planned)
    if going_on or open_:
        first += note_attacks_used(fight, actor, act, second, len(rows))
        first += throws
    if open_ and second and not going_on:
        first.append(note_second_weapon(fight, actor, second))
    first += pledged
    if act.defensively:
        first += declared_blow.fight_defensively(fight, actor)
    return declared_blow.deliver_planned(fight, actor, act, planned, first)


def blow_or_attempt(
    fight: Fight, actor: Combatant, act: acts.FullAttack, one: acts.Strike, row: list[Modifier], second: str
) -> Blow | Attempt:
    """Return the blow or the special attack of one strike. Refuses illegal ones."""
    target = fight.combatant(one.target)
    if one.special:
        plan = fight.dialect.maneuvers.substitutes[one.special]
        kind = WHIRLWIND if act.whirlwind else "full"
        attempt = plan.prepare(fight, actor, target, one.weapon, one.item, kind)
        attempt.blow.attack_extra.extend(row)
        return attempt
    weapon = find_weapon(fight, actor, one.weapon)
    if second:
        off = is_off_hand(fight, actor, one) and not is_superior(actor)
        weapon = wield_with_another(fight, weapon, off)
    if weapon.traits:
        weapon = fight.dialect.gear.hurled(fight, weapon)
    kind = WHIRLWIND if act.whirlwind else FLURRY if act.flurry else "full"
    blow = fight.dialect.attacks.prepare(
        fight, actor, target, weapon, kind, thrown=one.thrown, nonlethal=act.nonlethal
    )
    if one.stunning:
        blow.intent = replace(blow.intent, stunning=True)
    blow.attack_extra.extend(row)
    return blow


def refuse_flurry_midway(fight: Fight, actor: Combatant, act: acts.FullAttack) -> None:
    """Refuse to begin or to end a flurry in the middle of a full attack.

    srd35.full-attack.order, pf1.full-attack.
    """
    began = any(effect.id.endswith(f":{FLURRY}") for effect in actor.effects)
    if began != act.flurry:
        raise Refusal("a flurry must be declared before the first attack", fight.rule("full-attack.order"))


def series_of_hands(fight: Fight, actor: Combatant, act: acts.FullAttack) -> Rows:
    """Return the modifiers of each attack that a full attack allows: those of its strikes, then the rest.

    Iterative attacks fall by 5, and start at the highest bonus; the off hand has a separate series, and
    either hand may begin (srd35.full-attack.order, pf1.full-attack).
    """
    second = second_weapon(fight, actor, act)
    main = iterative_parts(fight, actor.sheet.base_attack)
    rapid = act.rapid_shot or (bool(actor.effects) and shoots_rapidly(actor))
    if not second and not rapid and not (actor.spent and is_open(actor)):
        return main
    if rapid:
        extra = fight.figure("feat.rapid-shot", "extra_attacks")
        main = [*([] for _ in range(extra)), *main]
    off: Rows = []
    if second:
        light, _ = lightness(fight, actor, act, second)
        hands = off_hands(fight, actor, act, second)
        refuse_twice(fight, actor, act, hands)
        main = [
            [*row, *fight.dialect.attacks.two_weapon_parts(fight, actor, light, "primary")] for row in main
        ]
        off = [
            [*row, *fight.dialect.attacks.two_weapon_parts(fight, actor, light, "off_hand")]
            for row in fight.dialect.attacks.off_hand_series(fight, actor, len(hands))
        ]
    main, off = main[count_main_hand_attacks(actor) :], off[actor.spent.get(OFF_HAND, 0) :]
    rows = []
    for one in act.strikes:
        hand = off if second and is_off_hand(fight, actor, one) else main
        if not hand:
            which = "off hand" if hand is off else "main hand"
            raise Refusal(f"{actor.id} has no attack of the {which} left", fight.rule("full-attack.order"))
        rows.append(hand.pop(0))
    return [*rows, *main, *off]


def hands_used(fight: Fight, combatant: Combatant, act: acts.FullAttack) -> list[bool]:
    """Return for each strike of a full attack whether it is one of the off hand."""
    return [is_off_hand(fight, combatant, one) for one in act.strikes]


def is_off_hand(fight: Fight, combatant: Combatant, one: acts.Strike) -> bool:
    """Return whether a strike is one of the off hand: it is declared so, or its weapon is held there."""
    return one.off_hand or find_weapon(fight, combatant, one.weapon).off_hand


def lightness(fight: Fight, actor: Combatant, act: acts.FullAttack, second: str) -> tuple[bool, bool]:
    """Return whether the weapon of the off hand (of several, every one) is light, and whether any is
    thrown.
    """
    thrown = any(is_throw(fight, actor, one) for one in act.strikes)
    found = (find_weapon(fight, actor, name) for name in off_hands(fight, actor, act, second))
    return all(is_light(fight, weapon, thrown) for weapon in found), thrown


def off_hands(fight: Fight, actor: Combatant, act: acts.FullAttack, second: str) -> tuple[str, ...]:
    """Return the names of the weapons in the off hands: one, or with more arms one in each of the others."""
    if not has_many_arms(actor):
        return (second,)
    firsts = (one for one in act.strikes if not one.special and not is_off_hand(fight, actor, one))
    first = next((find_weapon(fight, actor, one.weapon).name for one in firsts), "")
    return find_off_hand_weapons(
        actor, first or next((one for one in actor.held if one != second), ""), second
    )


def refuse_twice(fight: Fight, actor: Combatant, act: acts.FullAttack, hands: tuple[str, ...]) -> None:
    """Refuse to attack twice with one of several off hands, or with more weapons than arms."""
    if len(hands) < 2:
        return
    rule = fight.rule(TOPIC)
    off = [find_weapon(fight, actor, one.weapon).name for one in act.strikes if one.off_hand]
    for name in hands:
        if off.count(name) > 1:
            raise Refusal(f"the {name} has a separate off hand and attacks once with it", rule)
    held = [one for one in actor.sheet.weapons if one.name in actor.held]
    if sum(weapon.hands for weapon in held) > arms_of(actor):
        arms = arms_of(actor)
        raise Refusal(f"{actor.id} has {arms} arms, too few for all that it holds", rule)


def note_attacks_used(
    fight: Fight, actor: Combatant, act: acts.FullAttack, second: str, left: int
) -> Iterator[ActionSpent]:
    """Record how many attacks of the series this part uses, for a later part to go on from there."""
    off = sum(bool(second) and is_off_hand(fight, actor, one) for one in act.strikes)
    what = f"{len(act.strikes)} of {counted(left, 'attack')}"
    limbs = Counter(f"{LIMB}{weapon.name}" for weapon in struck_with(fight, actor, act) if weapon is not None)
    for kind, amount in ((ATTACKS, len(act.strikes) - off), (OFF_HAND, off), *limbs.items()):
        if amount:
            cites = fight.rules("full-attack.order")
            yield ActionSpent(who=actor.id, kind=kind, what=what, amount=amount, cites=cites)


def refuse_another_way(fight: Fight, actor: Combatant, act: acts.FullAttack) -> None:
    """Refuse options in the middle of a full attack that must be declared before its first attack."""
    check_turn(fight, actor)
    refuse_flurry_midway(fight, actor, act)
    refuse_hands_after_limbs(fight, actor, act)
    late = next((name for said, name in settled_first(act) if said), "")
    new = any(one.off_hand for one in act.strikes) and not any(
        effect.stat == SECOND for effect in actor.effects
    )
    if late or new:
        what = late or "the use of the off hand"
        raise Refusal(f"{what} must be declared before the first attack", fight.rule("full-attack.order"))


def settled_first(act: acts.FullAttack) -> tuple[tuple[object, str], ...]:
    """Return the options that a full attack may declare only as it begins, each with its name."""
    return (
        (act.power, "Power Attack"),
        (act.expertise, "Combat Expertise"),
        (act.defensively, "fighting defensively"),
        (act.rapid_shot, "Rapid Shot"),
        (act.whirlwind, "Whirlwind Attack"),
        (act.second, "the second weapon"),
    )


def rapid_shot(fight: Fight, combatant: Combatant, until: Until) -> EffectGained:
    """Return the penalty on all attacks until then for one more shot (srd35.feat.rapid-shot).

    pf1.feat.rapid-shot.
    """
    part = fight.modifier("feat.rapid-shot", "attack", kind="penalty", source="Rapid Shot")
    return EffectGained(
        who=combatant.id,
        id=f"{fight.declaration}:rapid-shot",
        stat="attack",
        modifier=part,
        until=until,
        cites=(part.rule,),
    )


def shoots_rapidly(combatant: Combatant) -> bool:
    """Return whether an open full attack was begun with Rapid Shot."""
    return any(effect.id.endswith(":rapid-shot") for effect in combatant.effects)


def refuse_no_shot(fight: Fight, combatant: Combatant, blows: Sequence[Blow]) -> None:
    """Refuse Rapid Shot without the feat, and without a shot or throw."""
    rule = refuse_without(fight, combatant, RAPID)
    if any(blow.melee for blow in blows):
        raise Refusal("Rapid Shot takes ranged weapons, and no melee attack with them", rule)


# --- Whirlwind Attack: one strike at each opponent in reach (srd35.feat.whirlwind-attack)


def once_each(fight: Fight, actor: Combatant, act: acts.FullAttack) -> list[list[Modifier]]:
    """Return the attacks of a Whirlwind Attack: one at each opponent, all at the full bonus.

    The same natural weapon attacks each of them; if a weapon is in hand it is a secondary one.
    """
    limbs = struck_with(fight, actor, act)
    for weapon in limbs:
        if weapon is not None:
            refuse_rake(fight, actor, weapon)
    alone = all(limbs)
    return [
        [] if limb is None or alone else get_penalty_with_held_weapons(fight, actor, limb) for limb in limbs
    ]


def whirlwind_strikes(fight: Fight, actor: Combatant, act: acts.FullAttack) -> acts.FullAttack:
    """Return the one strike at each opponent in reach into which Whirlwind Attack turns a full attack.

    Each is a melee attack, which a special attack may replace. Other targets, repeated targets and extra
    attacks are not allowed (srd35.feat.whirlwind-attack, srd35.aoo.substitutes).
    """
    rule = refuse_without(fight, actor, "whirlwind attack")
    if act.rapid_shot or act.flurry or act.second or any(one.off_hand for one in act.strikes):
        raise Refusal("Whirlwind Attack forgoes every extra attack", rule)
    targets = [one.target for one in act.strikes]
    twice = len(set(targets)) < len(targets)
    enemies = {enemy.id: enemy for enemy in fight.enemies(actor) if "dead" not in enemy.conditions}
    if twice or any(one.target not in enemies or one.thrown for one in act.strikes):
        raise Refusal("Whirlwind Attack strikes once at each opponent in reach", rule)
    for one in act.strikes:
        # A special attack checks itself how it reaches its target.
        if not one.special and not is_in_reach(fight, actor, enemies[one.target], one.weapon):
            raise Refusal("Whirlwind Attack strikes once at each opponent in reach", rule)
    found = [acts.Strike(id, "") for id, enemy in enemies.items() if is_in_reach(fight, actor, enemy, "")]
    if not act.strikes and not found:
        raise Refusal("no opponent is in reach", rule)
    return replace(act, strikes=act.strikes or tuple(found))


def is_in_reach(fight: Fight, attacker: Combatant, enemy: Combatant, weapon: str) -> bool:
    """Return whether a weapon of that name, "" for the one in hand, reaches an enemy in melee."""
    try:
        blow = fight.dialect.attacks.prepare(
            fight, attacker, enemy, find_weapon(fight, attacker, weapon), WHIRLWIND
        )
    except Refusal:
        return False
    return bool(blow.melee)
