"""Weapons and their feats: full attacks, two weapons, natural weapons, shields, Cleave, Vital Strike."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec.structs import replace

from affray.engine.dialects.pf1.attacks.attack_roll import MELEE, pledge, traded
from affray.engine.dialects.pf1.gear import lower_shields
from affray.engine.dialects.pf1.maneuvers.bull_rush_and_overrun import NAME, Push, follow, line, push_straight
from affray.engine.dialects.pf1.maneuvers.maneuver_check import Check, forced_feet, refuse_immovable
from affray.engine.fight.fight import Fight, is_down
from affray.engine.fight.memory import per_company
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.kernel.actions import check_turn, permit
from affray.engine.kernel.places import next_to, reaches_from
from affray.engine.record.blow import Blow, BlowDamage, Intent
from affray.engine.rules.attacks import full_attack as shared_full_attack
from affray.engine.rules.attacks.attack_roll import sum_blow_modifiers
from affray.engine.rules.attacks.declared_blow import SHOT, SPRING, move_and_strike, next_blow
from affray.engine.rules.attacks.full_attack import (
    FURTHER,
    has_two_weapon_feat,
    lightness,
    make_full_attack_in_parts,
    rapid_shot,
    refuse_no_shot,
    series_of_second_arm,
    whirlwind_strikes,
)
from affray.engine.rules.attacks.full_attack import HANDS as shared_HANDS
from affray.engine.rules.attacks.natural_weapons import (
    REND_HOLDS,
    attempts_to_stun,
    natural_weapon_as_printed,
    ordinary_natural_weapons,
    struck_with,
    tear,
)
from affray.engine.rules.classes.abilities import ability_now
from affray.engine.rules.classes.checks import masters, refuse_without
from affray.engine.rules.classes.feats import is_printed_among
from affray.engine.rules.classes.sheets import has_feat, trait_detail
from affray.engine.rules.conditions.conditions import falls_prone
from affray.engine.rules.conditions.fear import end_fascination_by_drawing
from affray.engine.rules.damage.damage import NO_DAMAGE
from affray.engine.rules.gear.handling import refuse_undrawable
from affray.engine.rules.gear.hands import (
    REACH,
    count_arms,
    count_hands_taken,
    held_weapons,
    melee_band,
    strikes_in_melee,
    strikes_per_full_attack,
)
from affray.engine.rules.gear.tables import SHIELD, shields_struck_with
from affray.engine.rules.gear.weapons_in_hand import bands_of, find_weapon
from affray.engine.rules.magic.touch_spells import discharge_into_drawn_weapon
from affray.engine.rules.maneuvers.opposed_checks import is_walled_off
from affray.engine.rules.movement.movement import refuse_after_step, refuse_path, refuse_prone, speed
from affray.engine.rules.turns.actions import is_open, refuse_unless_allowed, spending
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.errors import counted
from affray.events.facts import acts
from affray.events.facts.combat import EffectGained, ItemChanged, ResourceSpent, Until
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import ExtraDamage, Modifier, Weapon
from affray.projections.state import Combatant

# --- Weapons that can be set against a charge (pf1.weapons.brace)

BRACED_WEAPONS_TOPIC: Final = "pf1.weapons.brace"


def is_listed(fight: Fight, weapon: Weapon) -> bool:
    """Return whether a weapon is in the list, whose names are inverted: "urgrosh, dwarven"."""
    listed: list[str] = fight.figure(BRACED_WEAPONS_TOPIC)
    return any(weapon.name in (name, " ".join(reversed(name.split(", ")))) for name in listed)


# --- Cleave: a hit allows an attack on an adjacent opponent (pf1.feat.cleave, pf1.feat.great-cleave)

CLEAVE: Final = "cleave"
GREAT: Final = "great cleave"
#: Both feats, by their names in declarations.
CLEAVES: Final = (CLEAVE, GREAT)


def begin_cleave(fight: Fight, attacker: Combatant, feat: str, blow: Blow) -> list[object]:
    """Mark a blow as one that cleaves, at a penalty to AC until the next turn; in melee.

    It takes the round's standard action, so a combatant cannot cleave twice in a round.

    pf1.feat.cleave, pf1.feat.great-cleave.
    """
    rule = refuse_without(fight, attacker, feat)
    if not blow.melee:
        raise Refusal(f"{feat.title()} goes with an attack in melee", rule)
    blow.intent = replace(blow.intent, kind=feat)
    blow.cites.append(rule)
    modifier = fight.modifier(rule, "ac", kind="penalty", source=feat.title())
    until = Until("turn-start", attacker.id, fight.state.round + 1)
    effect = EffectGained(
        who=attacker.id,
        id=f"{fight.declaration}:cleave",
        stat="defense",
        modifier=modifier,
        until=until,
        cites=(rule,),
    )
    return [ActionSpent(who=attacker.id, kind=CLEAVE, what=feat, cites=(rule,)), effect]


def strike_next(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """After a hit, offer the same attack at an opponent in reach next to the first one.

    With Cleave once; with Great Cleave repeatedly, at each opponent once (pf1.feat.cleave,
    pf1.feat.great-cleave).
    """
    attacker, feat = blow.attacker, blow.intent.kind
    struck = (*blow.intent.struck, blow.target.id)
    if is_down(fight, attacker) or (feat == CLEAVE and blow.intent.struck):
        return
    found = {
        one.id: again
        for one in fight.enemies(attacker)
        if one.id not in struck and next_to(one, blow.target) and (again := next_blow(fight, blow, one))
    }
    if not found:
        return
    rule = fight.rule(f"feat.{feat.replace(' ', '-')}")
    question = f"{blow.target.id} is hit: which enemy does {attacker.id} strike next?"
    answer = yield Choice(attacker.id, CLEAVE, question, (*found, "decline"), rule)
    if answer not in found:
        return
    following = found[answer]
    following.intent = replace(following.intent, struck=struck)
    following.cites.append(rule)
    yield from fight.dialect.attacks.deliver(fight, following, f"{fight.declaration}#cleave{len(struck)}")


# --- Drawing a weapon during a charge (pf1.charge.draw)

DRAWN_WEAPON_TOPIC: Final = "pf1.charge.draw"
DRAWN_WEAPON_FEAT: Final = "quick draw"


def weapon_of_charge(
    fight: Fight, striker: Combatant, mover: Combatant, act: acts.Charge
) -> tuple[Weapon, Steps[None] | None]:
    """Return the weapon of a charge, and how it is drawn on the way if it is not in hand.

    From a base attack bonus of +1 on, in a charge of no more than the speed that takes the full round; in any
    with Quick Draw. Refuses to draw in others (pf1.charge.draw, pf1.feat.quick-draw).
    """
    stowed = next((one for one in striker.sheet.weapons if one.name == act.weapon), None)
    if stowed is None or stowed.wield in ("natural", "unarmed") or stowed.name in striker.held:
        return find_weapon(fight, striker, act.weapon), None
    rule = fight.rule(DRAWN_WEAPON_TOPIC)
    refuse_undrawable(striker, stowed.name, fight.rule("move-action.draw"))
    if DRAWN_WEAPON_FEAT in striker.sheet.feats:
        return stowed, draw(fight, striker, stowed, rule, fight.rule("feat.quick-draw"))
    if not fight.dialect.turns.allowance(fight, mover).full:
        raise Refusal(f"{striker.id} draws in so short a charge only with Quick Draw", rule)
    if striker.sheet.base_attack < fight.figure(DRAWN_WEAPON_TOPIC, "base_attack_bonus"):
        raise Refusal(f"{striker.id} is not skilled enough to draw while charging", rule)
    feet = fight.dialect.movement.measure(fight, mover, (mover.at, *act.path), "charge").feet
    if feet > speed(fight, mover) * fight.figure(DRAWN_WEAPON_TOPIC, "speed_multiple"):
        raise Refusal(f"{striker.id} draws only in a charge of {speed(fight, mover)} ft. at most", rule)
    return stowed, draw(fight, striker, stowed, rule)


def draw(fight: Fight, striker: Combatant, weapon: Weapon, *cites: str) -> Steps[None]:
    """Take a weapon in hand on the way, with the consequences of drawing it."""
    yield ItemChanged(who=striker.id, item=weapon.name, state="held", cites=cites)
    drawing = acts.Draw(actor=striker.id, item=weapon.name)
    yield from discharge_into_drawn_weapon(fight, drawing)
    yield from end_fascination_by_drawing(fight, drawing)


# --- Lunge: a longer reach for a turn, at a penalty to Armor Class (pf1.feat.lunge)

LUNGE: Final = "lunge"
SOURCE: Final = "Lunge"
LUNGE_TOPIC: Final = "pf1.feat.lunge"


def lunge(fight: Fight, act: acts.UseAbility) -> Steps[None]:
    """Reach farther in melee until one's turn ends, at a penalty to AC until the next one begins.

    Before the first attack of the turn, and once in it.
    """
    actor = fight.combatant(act.actor)
    refuse_to_lunge(fight, actor)
    rule, now = fight.rule(LUNGE_TOPIC), fight.state.round
    yield ActionSpent(who=actor.id, kind="free", what=LUNGE, cites=(rule,))
    lasting = {
        REACH: ("reach_ft", "untyped", Until("turn-end", actor.id, now)),
        "defense": ("ac", "penalty", Until("turn-start", actor.id, now + 1)),
    }
    for stat, (figure, kind, until) in lasting.items():
        yield EffectGained(
            who=actor.id,
            id=f"{fight.declaration}:{stat}",
            stat=stat,
            modifier=Modifier(int(fight.figure(LUNGE_TOPIC, figure)), kind, SOURCE, rule),
            until=until,
            cites=(rule,),
        )


def refuse_to_lunge(fight: Fight, actor: Combatant) -> None:
    """Refuse to lunge without the feat, out of turn, twice, and once the turn's attacks are made."""
    rule = refuse_without(fight, actor, LUNGE)
    check_turn(fight, actor)
    if fight.state.active != actor.id:
        raise Refusal(f"{actor.id} lunges in its own turn", rule)
    if any(one.modifier.source == SOURCE for one in actor.effects):
        raise Refusal(f"{actor.id} lunges already", rule)
    if actor.spent.get("standard") or actor.spent.get("full-round"):
        raise Refusal(f"{actor.id} lunges before it attacks", rule)


# --- Natural weapons in pf1: the only kind of them, and limbs that hold something
# pf1.natural.attacks. A claw is a hand, other natural weapons are if their trait says so ("a hand"); a claw
# of another limb has the trait "not a hand". A creature has two hands, "arms 4" as many as it says.

NATURAL_WEAPONS_TOPIC: Final = "pf1.natural.attacks"
CLAWS: Final = frozenset({"claw", "claws"})
HAND: Final = "a hand"
NO_HAND: Final = "not a hand"
#: The trait of claws that only attack a grappled creature.
RAKE: Final = "rake"


def unless_only_kind(fight: Fight, combatant: Combatant, weapon: Weapon, found: bool) -> bool:
    """Return whether a secondary natural weapon attacks as one: not if the creature has no other kind."""
    return any(one.name != weapon.name for one in ordinary_natural_weapons(combatant))


def is_hand(weapon: Weapon) -> bool:
    """Return whether a natural weapon attacks with a limb that could hold something."""
    if weapon.wield != "natural" or NO_HAND in weapon.traits:
        return False
    return HAND in weapon.traits or not CLAWS.isdisjoint(weapon.name.casefold().split())


def free_to_strike(combatant: Combatant, weapon: Weapon) -> int:
    """Return with how many of its limbs a natural weapon can attack: all but those that hold something."""
    most = strikes_per_full_attack(weapon)
    if not is_hand(weapon):
        return most
    hands = max(count_arms(combatant), most)
    return max(0, min(most, hands - count_hands_taken(combatant)))


def limb_is_taken(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return why a natural weapon cannot attack: every limb of it holds something; ("", "") if not."""
    if free_to_strike(blow.attacker, blow.weapon):
        return "", ""
    return f"every {blow.weapon.name} of {blow.attacker.id} holds something", NATURAL_WEAPONS_TOPIC


def refuse_taken_limbs(fight: Fight, actor: Combatant, act: acts.FullAttack) -> None:
    """Refuse more strikes with a natural weapon than limbs of it are free."""
    limbs = [weapon for weapon in struck_with(fight, actor, act) if weapon is not None]
    for weapon in limbs:
        free = free_to_strike(actor, weapon)
        if limbs.count(weapon) > free:
            limbs_free = counted(free, weapon.name)
            reason = f"{actor.id} can strike with {limbs_free}: every other one holds something"
            raise Refusal(reason, fight.rule(NATURAL_WEAPONS_TOPIC))


def leave_out_taken(
    fight: Fight, attacker: Combatant, enemy: Combatant, weapon: Weapon, found: tuple[acts.Strike, ...]
) -> tuple[acts.Strike, ...]:
    """Return the strikes of a usual full attack without those of limbs that hold something."""
    free = {one.name: free_to_strike(attacker, one) for one in attacker.sheet.weapons}
    kept = []
    for one in found:
        free[one.weapon] -= 1
        if free[one.weapon] >= 0:
            kept.append(one)
    return tuple(kept)


def at_hand(fight: Fight, combatant: Combatant, target: Combatant, found: list[Weapon]) -> list[Weapon]:
    """Return the weapons with which a combatant attacks out of turn: no occupied or raking limbs.

    pf1.natural.attacks, pf1.constrict-rend-rake.
    """
    return [one for one in found if free_to_strike(combatant, one) and RAKE not in one.traits]


@per_company("combatant.id")
def reach_bands(fight: Fight, combatant: Combatant) -> tuple[tuple[int, int], ...]:
    """Return the distances at which a combatant threatens with held weapons and free limbs.

    Claws that only rake do not threaten (pf1.constrict-rend-rake).
    """
    ready = [one for one in held_weapons(combatant) if free_to_strike(combatant, one)]
    return bands_of(fight, combatant, [one for one in ready if RAKE not in one.traits])


# --- Rending a target that enough blows of a round have hit (pf1.constrict-rend-rake, pf1.feat.double-slice)

#: The names under which a round records its use of rending, by limbs and by a weapon in each hand.
RENT: Final = "rend"
REND_FEAT: Final = "two-weapon rend"
REND_TOPIC: Final = "pf1.feat.double-slice"
#: The hits that it takes: "several".
SEVERAL: Final = 2
HANDS: Final = ("main hand", "off hand")


def counted_hit(blow: Blow, kind: str, rule: str) -> Steps[int]:
    """Record a hit on the target of a blow for the rest of the round; return how many it has had."""
    name = f"{kind} hits on {blow.target.id}"
    yield ActionSpent(who=blow.attacker.id, kind=name, what="", cites=(rule,))
    return blow.attacker.spent[name]


def rend_with_limbs(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """After a hit with a natural weapon that rends, rend a target that several of them have hit, once a
    round.

    The creature's trait gives the damage: "rend 2d6+9" (pf1.constrict-rend-rake).
    """
    attacker, target, rule = blow.attacker, blow.target, fight.rule(REND_HOLDS)
    dice = trait_detail(attacker, "rend")
    if not dice or attacker.spent.get(RENT):
        return
    hits = yield from counted_hit(blow, "rending", rule)
    if hits < SEVERAL or "dead" in target.conditions:
        return
    yield ActionSpent(who=attacker.id, kind=RENT, what=f"rends {target.id}", cites=(rule,))
    yield from tear(fight, attacker, target, dice)


def rend_with_both_hands(
    fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool
) -> Steps[None]:
    """After a hit in a full attack, rend a target that a weapon of each hand has hit, once a round.

    Dice and one and a half times Strength, by Two-Weapon Rend (pf1.feat.double-slice).
    """
    attacker, target = blow.attacker, blow.target
    if (
        not masters(fight, attacker, REND_FEAT)
        or attacker.spent.get(REND_FEAT)
        or blow.weapon.wield == "natural"
    ):
        return
    hand, other = HANDS[::-1] if blow.weapon.off_hand else HANDS
    rule = fight.rule(REND_TOPIC)
    yield from counted_hit(blow, hand, rule)
    if not attacker.spent.get(f"{other} hits on {target.id}") or "dead" in target.conditions:
        return
    yield ActionSpent(who=attacker.id, kind=REND_FEAT, what=f"rends {target.id}", cites=(rule,))
    yield RuleApplied(who=attacker.id, what=f"rends {target.id}", cites=(rule,))
    weapon = natural_weapon_as_printed(REND_FEAT, rent_figures(fight)[0], blow.weapon.damage_type)
    damage = BlowDamage(extra=(strength_behind(fight, attacker, rule),))
    torn = Blow(attacker, target, weapon, True, 0, Intent("full", nonlethal=blow.intent.nonlethal))
    torn.damage = damage
    yield from fight.dialect.damage.deal(fight, torn, False)


def rent_figures(fight: Fight) -> tuple[str, float]:
    """Return dice and share of Strength of Two-Weapon Rend, from the figure "1d10 + 1.5 Str"."""
    dice, _, strength = str(fight.figure(REND_TOPIC, "rend")).partition(" + ")
    return dice, float(strength.removesuffix(" Str"))


def strength_behind(fight: Fight, attacker: Combatant, rule: str) -> Modifier:
    """Return the Strength bonus of Two-Weapon Rend: one and a half times a bonus, a whole penalty."""
    strength = ability_now(fight, attacker, "str")
    value = max(strength, int(strength * rent_figures(fight)[1]))
    return Modifier(value, "ability", "Strength (one and a half)", rule)


# --- Shields as weapons, and shield feats (pf1.feat.shield-feats)

SHIELD_FEATS_TOPIC: Final = "pf1.feat.shield-feats"
#: The trait of a shield used to bash.
BASH: Final = "shield bash"
SLAM, MASTER, FOCUS = "shield slam", "shield master", "Shield Focus"


def lower_bashing_shield(fight: Fight, blow: Blow, hit: bool) -> Steps[None]:
    """Deny the bonus of the shield that bashed, until its bearer's next turn.

    Improved Shield Bash keeps it.
    """
    attacker, rule = blow.attacker, fight.rule(SHIELD_FEATS_TOPIC)
    names = shields_struck_with(blow)
    if masters(fight, attacker, "improved shield bash"):
        if names:
            yield RuleApplied(who=attacker.id, what=f"keeps the guard of the {names[0]}", cites=(rule,))
        return
    yield from lower_shields(fight, attacker, names, SHIELD_FEATS_TOPIC)


def focus_on_shield(fight: Fight, blow: Blow, parts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return the parts of Armor Class, the shield's raised by Shield Focus if the sheet omits that."""
    if is_printed_among(blow.target.sheet.armor, FOCUS):
        return parts
    topic = fight.rule(SHIELD_FEATS_TOPIC)
    more = int(fight.figure(SHIELD_FEATS_TOPIC, "focus"))
    return tuple(
        Modifier(part.value + more, part.kind, f"{part.source}, {FOCUS}", topic, part.denied)
        if part.kind == SHIELD
        else part
        for part in parts
    )


def masters_shield(fight: Fight, actor: Combatant, act: acts.FullAttack, *given: object) -> bool:
    """Return whether a combatant has Shield Master, for the shield it may attack with in a full attack."""
    return masters(fight, actor, MASTER)


def spare_shield(
    fight: Fight, actor: Combatant, act: acts.FullAttack, rows: list[list[Modifier]]
) -> list[list[Modifier]]:
    """Return the modifiers of each attack of a full attack, a shield's without the two-weapon penalty."""
    rule, said = fight.rule("pf1.two-weapon"), f"Shield Master ({fight.rule(SHIELD_FEATS_TOPIC)})"
    bashes = {number for number, strike in enumerate(act.strikes) if is_bash(fight, actor, strike)}
    return [
        [replace(part, denied=said) if number in bashes and part.rule == rule else part for part in row]
        for number, row in enumerate(rows)
    ]


def is_bash(fight: Fight, actor: Combatant, strike: acts.Strike) -> bool:
    """Return whether a strike is one with a shield."""
    return not strike.special and BASH in find_weapon(fight, actor, strike.weapon).traits


def slam(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """After a hit with the shield, bull rush the target with the attack roll as the check, free.

    It does not provoke; a target stopped by a wall falls prone, and the attacker may go along.
    """
    attacker, target, rule = blow.attacker, blow.target, fight.rule(SHIELD_FEATS_TOPIC)
    if not masters(fight, attacker, SLAM) or "dead" in target.conditions:
        return
    try:
        refuse_immovable(fight, attacker, target, NAME, blow.weapon)
    except Refusal as refused:
        yield RuleApplied(who=target.id, what=refused.reason, cites=(refused.rule, rule))
        return
    check = yield from rush_with_roll(fight, blow, rule)
    if not check.won:
        return
    start = target.at
    push = yield from push_straight(fight, attacker, target, check)
    way, there = push.way, (target.at[0] + push.way[0], target.at[1] + push.way[1])
    short = forced_feet(line(start, way, target.at)) < push.feet
    if short and is_walled_off(fight, target, there) and "prone" not in target.conditions:
        yield from falls_prone(target, f"slammed by {attacker.id}", (rule,))
    yield from go_along(fight, attacker, push)


def rush_with_roll(fight: Fight, blow: Blow, rule: str) -> Steps[Check]:
    """Compare the roll of a hit with the target's CMD against a bull rush; a natural 20 succeeds."""
    attacker, target, outcome = blow.attacker, blow.target, blow.outcome
    intent = Intent("slam", maneuver=NAME, against=f"CMD against {NAME}")
    against = sum_blow_modifiers(
        fight, Blow(attacker, target, blow.weapon, True, blow.distance, intent)
    ).against
    won = outcome.total >= against.total or outcome.natural == fight.figure("attack.natural-20", "face")
    margin = outcome.total - against.total
    told = f"{outcome.total} of the attack roll against CMD {against.total}: "
    what = f"shield slam, {told}{'pushed' if won else 'stands'}"
    yield RuleApplied(who=target.id, what=what, cites=(rule, *fight.rules("pf1.cmd"), *against.cites))
    return Check(won, max(0, margin) if won else min(0, margin))


def go_along(fight: Fight, attacker: Combatant, push: Push) -> Steps[None]:
    """Ask the attacker whether it goes along: by a 5-foot step if that is enough or all it has, or a move."""
    ahead = (attacker.at[0] + push.way[0], attacker.at[1] + push.way[1])
    act, near = acts.Step(actor=attacker.id, to=ahead), push.squares == 1
    own_turn = fight.state.active == attacker.id
    if push.squares and own_turn and (near or not may_move(fight, attacker)) and is_possible(fight, act):
        question = f"does {attacker.id} go along by a 5-foot step?"
        if (
            yield Choice(attacker.id, "follow", question, ("follow", "stay"), fight.rule(SHIELD_FEATS_TOPIC))
        ) == "follow":
            yield from fight.dialect.acts[acts.Step](fight, act)
        return
    yield from follow(fight, attacker, push.way, push.squares, None)


def may_move(fight: Fight, attacker: Combatant) -> bool:
    """Return whether an attacker has a move action left."""
    try:
        refuse_unless_allowed(fight, attacker, "move")
    except Refusal:
        return False
    return True


def is_possible(fight: Fight, act: acts.Step) -> bool:
    """Return whether a 5-foot step could be taken now: only its first step is requested, and none is run."""
    try:
        permit(fight, act)
        next(fight.dialect.acts[acts.Step](fight, act), None)
    except Refusal:
        return False
    return True


# --- Fighting on the move in pf1: Spring Attack and Shot on the Run


def skirmish(fight: Fight, act: acts.Skirmish) -> Steps[None]:
    """Move up to one's speed with an attack on the way, as a full-round action.

    Spring Attack goes at least 10 feet before its attack in melee, not at a target next to the start; Shot on
    the Run shoots at any point of the path (pf1.feat.spring-attack, pf1.feat.shot-on-the-run).
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    weapon = find_weapon(fight, actor, act.weapon)
    feat = SPRING if strikes_in_melee(weapon) else SHOT
    rule = refuse_without(fight, actor, feat)
    refuse_after_step(fight, actor)
    refuse_prone(fight, actor)
    spent = spending(fight, actor, str(fight.figure(rule, "action")), feat, rule)
    if act.path:
        refuse_path(fight, actor, act.path, speed(fight, actor), rule)
    refuse_path(fight, actor, (*act.path, *act.onward), speed(fight, actor), rule)
    if feat == SPRING:
        refuse_no_spring(fight, actor, target, act, weapon)
    yield spent
    yield from move_and_strike(fight, act, weapon, feat, rule)


def refuse_no_spring(
    fight: Fight, attacker: Combatant, target: Combatant, act: acts.Skirmish, weapon: Weapon
) -> None:
    """Refuse a spring attack at an adjacent target, too near the start, or out of reach.

    pf1.feat.spring-attack.
    """
    topic = "pf1.feat.spring-attack"
    if next_to(attacker, target):
        raise Refusal(f"{attacker.id} begins next to {target.id}", fight.rule(topic))
    least = fight.figure(topic, "min_before_ft")
    if len(act.path) * SQUARE_FT < least:
        raise Refusal(f"a spring attack moves at least {least} ft. before the attack", fight.rule(topic))
    near, far = melee_band(attacker, weapon)
    if not reaches_from(attacker, act.path[-1], target, near, far):
        raise Refusal(f"{target.id} is out of reach there", fight.rule("pf1.attack-action.melee"))


# --- Two weapons at once: the penalties of both hands, and the attacks of the off hand (pf1.two-weapon)


def case_of(fight: Fight, combatant: Combatant, light: bool) -> str:
    """Return the row of the table of penalties, by the feat and by whether the off-hand weapon is light."""
    if has_two_weapon_feat(fight, combatant):
        return "feat and light" if light else "feat"
    return "light off hand" if light else "normal"


def two_weapon_penalty(fight: Fight, combatant: Combatant, light: bool, hand: str) -> list[Modifier]:
    """Return the penalty of an attack with the "primary" hand or "off_hand" if both attack.

    Some creatures have none (pf1.two-weapon).
    """
    if shared_full_attack.pays_nothing(combatant):
        return []
    case, column = case_of(fight, combatant, light), hand.partition("_")[0]
    source = f"two weapons, {shared_HANDS[hand]} ({case})"
    return [fight.modifier("pf1.two-weapon", f"case={case}", column, kind="penalty", source=source)]


def off_hand_series(fight: Fight, combatant: Combatant, hands: int) -> list[list[Modifier]]:
    """Return the attacks of the off hand: one, and one more for each of two feats, 5 lower each time.

    Every one of several off hands has one, the second arm of a superior fighter as many as the first
    (pf1.feat.two-weapon).
    """
    if hands == 1 and shared_full_attack.is_superior(combatant):
        return series_of_second_arm(fight, combatant)
    if hands > 1:
        return [[] for _ in range(hands)]
    rows: list[list[Modifier]] = [[]]
    for number, feat in enumerate(FURTHER, 1):
        if not masters(fight, combatant, feat):
            break
        row = ("pf1.feat.two-weapon", "off_hand", number)
        rows.append([fight.modifier(*row, kind="iterative", source=feat.title())])
    return rows


def table_row_told(
    fight: Fight, combatant: Combatant, act: acts.FullAttack, second: str, attacks: int
) -> Iterator[RuleApplied]:
    """Report which row of the table of penalties applies.

    pf1.two-weapon, pf1.two-weapon.double, pf1.feat.two-weapon.
    """
    light, thrown = lightness(fight, combatant, act, second)
    topics = ["pf1.two-weapon"]
    if thrown or "double" in find_weapon(fight, combatant, second).traits:
        topics.append("pf1.two-weapon.double")
    if has_two_weapon_feat(fight, combatant):
        topics.append("pf1.feat.two-weapon")
    what = f"fights with two weapons: {case_of(fight, combatant, light)}"
    if shared_full_attack.pays_nothing(combatant):
        what, topics = "fights with several weapons without a penalty", topics[:1]
    yield RuleApplied(who=combatant.id, what=what, cites=fight.rules(*topics))


# --- Vital Strike: one attack with the dice of the weapon rolled more often (pf1.feat.vital-strike)

VITAL_STRIKE_TOPIC: Final = "pf1.feat.vital-strike"
VITAL: Final = "vital strike"
#: The feats, in the order of their figures.
FEATS: Final = (VITAL, "improved vital strike", "greater vital strike")


def times_rolled(fight: Fight, combatant: Combatant) -> int:
    """Return how often the dice of a weapon are rolled by the best of the feats, 1 without any.

    Each requires a base attack bonus, by which its figure is listed.
    """
    times = 1
    for feat, (least, dice) in zip(FEATS, fight.figure(VITAL_STRIKE_TOPIC, "dice").items(), strict=True):
        if has_feat(combatant, feat) and combatant.sheet.base_attack >= int(least):
            times = max(times, int(dice))
    return times


def declare_vital_strike(fight: Fight, attacker: Combatant, blow: Blow) -> None:
    """Mark a blow as a vital strike. Refuses combatants without the feat, or the base attack bonus for it."""
    rule = fight.rule(VITAL_STRIKE_TOPIC)
    if times_rolled(fight, attacker) == 1:
        raise Refusal(f"{attacker.id} has no Vital Strike, or not the base attack bonus for it", rule)
    blow.intent = replace(blow.intent, kind=VITAL)
    blow.damage.cites += (rule,)


def vital_dice(fight: Fight, blow: Blow, detail: str) -> Iterator[ExtraDamage]:
    """Add further rolls of the weapon's dice, which no critical hit multiplies (pf1.feat.vital-strike)."""
    if blow.intent.kind == VITAL and blow.weapon.damage != NO_DAMAGE:
        for _ in range(times_rolled(fight, blow.attacker) - 1):
            yield ExtraDamage(blow.weapon.damage, blow.weapon.damage_type, "Vital Strike")


# --- The beginning of a full attack in pf1: its action, Rapid Shot, Manyshot (pf1.full-attack, pf1.feat.*)

MANYSHOT: Final = "manyshot"


def full_attack(fight: Fight, act: acts.FullAttack) -> Steps[None]:
    """Return the steps of all attacks of a full attack, or of a part of it (pf1.full-attack).

    With Whirlwind Attack those are one at each opponent in reach (pf1.feat.whirlwind).
    """
    actor = fight.combatant(act.actor)
    if act.whirlwind:
        act = whirlwind_strikes(fight, actor, act)
    return make_full_attack_in_parts(fight, actor, act)


def spend_full_round(
    fight: Fight, actor: Combatant, act: acts.FullAttack, second: str, attacks: int
) -> tuple[ActionSpent]:
    """Spend the full-round action of a full attack (pf1.full-attack, pf1.action.full-round)."""
    feat = ("pf1.feat.whirlwind",) if act.whirlwind else ()
    cites = fight.rules("pf1.full-attack", "pf1.action.full-round", *feat)
    return (ActionSpent(who=actor.id, kind="full-round", what="full attack", cites=cites),)


def shoot_rapidly(
    fight: Fight, actor: Combatant, act: acts.FullAttack, second: str, attacks: int
) -> Iterator[EffectGained]:
    """Apply the penalty of Rapid Shot to all attacks of the full attack (pf1.feat.rapid-shot)."""
    yield rapid_shot(fight, actor, Until("turn-end", actor.id, fight.state.round))


def declare_feats(fight: Fight, actor: Combatant, act: Any, blows: Sequence[Blow]) -> list[object]:
    """Return the facts of the options declared with an attack, to be recorded once its action is spent.

    Trades, a stunning fist, a cleaving or vital attack. Refuses options that the attacker cannot declare; a
    full attack with a bow begins with two arrows by Manyshot, if there are enough (pf1.feat.rapid-shot,
    pf1.feat.manyshot). `blows` are the declared ones.
    """
    if isinstance(act, acts.Charge):
        return [traded(fight, actor, "power attack", act.power, MELEE)] if act.power else []
    facts: list[object] = [*pledge(fight, actor, act.power, act.expertise, blows)]
    facts += attempts_to_stun(fight, actor, blows)
    if not isinstance(act, acts.FullAttack):
        if act.feat == VITAL:
            declare_vital_strike(fight, actor, blows[0])
        elif act.feat:
            facts += begin_cleave(fight, actor, act.feat, blows[0])
        return facts
    if act.rapid_shot:
        refuse_no_shot(fight, actor, blows)
    shots = [blow for blow in blows if blow.weapon.family == "bow" and not blow.melee]
    if shots and not is_open(actor) and masters(fight, actor, MANYSHOT):
        first = shots[0]
        arrows = int(fight.figure("pf1.feat.manyshot", "arrows"))
        quiver = first.weapon.ammunition
        same = sum(blow.weapon.name == first.weapon.name for blow in shots)
        if quiver is None or quiver - actor.resources.get(first.weapon.name, 0) >= same + arrows - 1:
            first.intent = replace(first.intent, arrows=arrows)
    return facts


def spend_further_arrows(fight: Fight, blow: Blow) -> Steps[None]:
    """Take the further arrows of a shot from the quiver (pf1.feat.manyshot)."""
    if blow.weapon.ammunition is not None:
        amount, cites = blow.intent.arrows - 1, fight.rules("pf1.feat.manyshot", "weapon.ammunition")
        yield ResourceSpent(who=blow.attacker.id, resource=blow.weapon.name, amount=amount, cites=cites)
