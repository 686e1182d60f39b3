"""Grapple: taking hold, the acts of grapplers, bonds."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product, repeat

from msgspec import Struct

from affray.engine.fight.fight import Fight, is_down, is_helpless
from affray.engine.grid.battlefield import Square
from affray.engine.grid.distance import adjacent, distance_ft
from affray.engine.grid.lines_and_cover import can_be_put
from affray.engine.kernel.places import distance, squares_of
from affray.engine.record.blow import Blow, Intent
from affray.engine.record.chapters import Attempt
from affray.engine.rules.attacks.attack_roll import build_blow, common_attack_situation, strike_and_settle
from affray.engine.rules.attacks.natural_weapons import REND_HOLDS, natural_weapon_as_printed
from affray.engine.rules.classes.checks import circumstance_parts
from affray.engine.rules.classes.sheets import ability, size_step, trait_detail
from affray.engine.rules.conditions.conditions import apply_fear_condition, refuse_down
from affray.engine.rules.gear.hands import held_weapons, is_lost, natural_weapons, strikes_per_full_attack
from affray.engine.rules.gear.weapons_in_hand import unarmed
from affray.engine.rules.movement.movement import displaced, make_room
from affray.engine.rules.opportunity.threatened_squares import endangers, threatening
from affray.engine.rules.position.places import choose_square, occupants
from affray.engine.rules.turns.delay_and_ready import attack_is_lost
from affray.engine.rules.turns.fiat import newcomer
from affray.engine.steps import Choice, Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import Modifier, Weapon
from affray.projections.state import Combatant

# --- Creatures that crush a grappled opponent: the sheet has the trait "constrict 1d8+6"


def constrict(fight: Fight, grappler: Combatant, target: Combatant, won: bool) -> Steps[None]:
    """Add the damage of a creature that constricts to a grapple check that it has won.

    srd35.constrict-rake-rend, pf1.constrict-rend-rake.
    """
    dice = trait_detail(grappler, "constrict")
    if not won or not dice or "dead" in target.conditions:
        return
    yield RuleApplied(who=grappler.id, what=f"constricts {target.id}", cites=fight.rules(REND_HOLDS))
    blow = Blow(grappler, target, natural_weapon_as_printed("constriction", dice), True, 0, Intent("grapple"))
    yield from fight.dialect.damage.deal(fight, blow, False)


# --- The parts of a grapple check (srd35.grapple.check, futurepath.grapple.check)


def grapple_bonus(fight: Fight, combatant: Combatant) -> list[Modifier]:
    """Return a sheet's modifiers of grapple checks: base attack bonus, Strength, size.

    srd35.grapple.check, srd35.grapple.size-modifier, futurepath.grapple.check,
    futurepath.table.grapple-modifiers.
    """
    rule, size = fight.rule("grapple.check"), combatant.sheet.size
    parts = [
        Modifier(combatant.sheet.base_attack, "base", "base attack bonus", rule),
        Modifier(ability(combatant.sheet, "str"), "ability", "Strength", rule),
    ]
    by_size = fight.modifier("grapple.size-modifier", size.capitalize(), kind="size", source=size)
    return [*parts, by_size] if by_size.value else parts


def get_grapple_modifiers(fight: Fight, combatant: Combatant, against: Combatant) -> list[Modifier]:
    """Return the modifiers of a grapple check from state and effects, as for an attack in melee."""
    blow = Blow(combatant, against, unarmed(fight, combatant), True, 0, Intent("grapple"))
    return [*common_attack_situation(fight, blow), *circumstance_parts(combatant)]


# --- The participants of a grapple: taking hold, letting go, and the most grapplers (srd35.grapple.*)

BETWEEN = ", "


def opponents(fight: Fight, combatant: Combatant) -> list[Combatant]:
    """Return the opponents of a combatant in a grapple, in the order in which they took hold."""
    held = combatant.conditions.get("grappling") or combatant.conditions.get("holding")
    combatants = fight.state.combatants
    return [combatants[id] for id in held.source.split(BETWEEN) if id in combatants] if held else []


def is_pinning(grappler: Combatant, target: Combatant) -> bool:
    """Return whether a combatant has pinned another."""
    return "pinned" in target.conditions and target.conditions["pinned"].source == grappler.id


def pins_an_opponent(fight: Fight, combatant: Combatant) -> bool:
    """Return whether a combatant has pinned any of its opponents."""
    return any(is_pinning(combatant, other) for other in opponents(fight, combatant))


def take_hold(fight: Fight, grappler: Combatant, target: Combatant, *cites: str) -> Steps[None]:
    """Let two combatants grapple each other from now on.

    srd35.cond.grappling, futurepath.grapple.hold-means-grapple.
    """
    for one, other in ((grappler, target), (target, grappler)):
        ids = dict.fromkeys([*(each.id for each in opponents(fight, one)), other.id])
        grappling = (*cites, fight.rule("cond.grappling"))
        source = BETWEEN.join(ids)
        fact = ConditionGained(who=one.id, condition="grappling", source=source, cites=grappling)
        yield from apply_fear_condition(fight, fact)


def end_grapple(fight: Fight, grappler: Combatant, target: Combatant, why: str, *cites: str) -> Steps[None]:
    """End the grapple of two combatants, and a pin between them; one that is then free of all moves out."""
    for one, other in ((grappler, target), (target, grappler)):
        if is_pinning(other, one):
            yield from free_of_pin(one, why, *cites)
        left = [each.id for each in opponents(fight, one) if each is not other]
        how = "holding" if "holding" in one.conditions else "grappling"
        if left:
            source = BETWEEN.join(left)
            yield ConditionGained(who=one.id, condition=how, source=source, cites=cites)
        elif how in one.conditions:
            yield ConditionLost(who=one.id, condition=how, why=why, cites=cites)


def free_of_pin(combatant: Combatant, why: str, *cites: str) -> Steps[None]:
    """End a pin, and the silence that came with it; the grapple goes on."""
    for condition in ("pinned", "silenced"):
        if condition in combatant.conditions:
            yield ConditionLost(who=combatant.id, condition=condition, why=why, cites=cites)


def share_of_opponent(fight: Fight, grappler: Combatant, target: Combatant) -> int:
    """Return how much of a target one grappler takes up, in hundredths of a place."""
    bigger = size_step(grappler) - size_step(target)
    name = (
        "one_or_more_smaller"
        if bigger < 0
        else "same"
        if bigger == 0
        else "one_larger"
        if bigger == 1
        else "two_or_more_larger"
    )
    return int(fight.figure("grapple.max-grapplers", "weights", name) * 100)


def refuse_too_many(fight: Fight, grappler: Combatant, target: Combatant) -> None:
    """Refuse one more grappler than a single opponent can have (srd35.grapple.max-grapplers).

    futurepath.grapple.multi.limit, futurepath.grapple.multi.size-counting.
    """
    shares = [share_of_opponent(fight, one, target) for one in (*opponents(fight, target), grappler)]
    if sum(shares) > fight.figure("grapple.max-grapplers", "max") * 100:
        alike = all(share == 100 for share in shares)
        rule = fight.rule("grapple.max-grapplers" if alike else "grapple.size-counting")
        raise Refusal(f"no more can grapple {target.id}", rule)


def is_hold_impossible_out_of_turn(fight: Fight, blow: Blow) -> bool:
    """Return whether no hold follows a touch or hit, since it is an attack of opportunity.

    The check to hold is a free action, which needs one's own turn (option `hold_out_of_turn`).
    """
    return blow.intent.kind == "opportunity" and fight.option("hold_out_of_turn") == "no-hold"


# --- Holds that end without a check: of the helpless and the dead, and of separated grapplers


def let_go_limp(fight: Fight, grappler: Combatant) -> Steps[None]:
    """End the pins and one-limbed holds of a helpless creature, and all holds of a dead one.

    The opponents may go on holding a helpless creature, or release it (srd35.helpless.definition,
    srd35.cond.dead, futurepath.condition.helpless.definition, futurepath.injury.dead-at-minus-10).
    """
    dead = "dead" in grappler.conditions
    why, rule = ("dead", "cond.dead") if dead else ("at one's mercy", "helpless.definition")
    cites = fight.rules(rule)
    for other in opponents(fight, grappler):
        held = other.conditions.get("swallowed")
        if dead and held is not None and held.source == grappler.id:
            yield ConditionLost(who=other.id, condition="swallowed", why=why, cites=cites)
        if dead or "holding" in grappler.conditions:
            yield from end_grapple(fight, grappler, other, why, *cites)
        elif is_pinning(grappler, other):
            yield from free_of_pin(other, why, *cites)


def let_go_apart(fight: Fight, mover: Combatant) -> Steps[None]:
    """End the grapples of a combatant that was forced out of the space in which it grapples.

    A grappler that cannot share the other's space must let go at once; a limb holds on as far as it reaches
    (srd35.grapple.maintain-fail, futurepath.grapple.start.cannot-move-in).
    """
    cites = fight.rules("grapple.maintain-fail")
    for other in opponents(fight, mover):
        if not (set(squares_of(mover)) & set(squares_of(other)) or in_one_limb(mover, other)):
            yield from end_grapple(fight, mover, other, "driven apart", *cites)


def in_one_limb(one: Combatant, other: Combatant) -> bool:
    """Return whether one of two separated combatants holds the other in a limb that still reaches it."""
    return any(
        "holding" in holder.conditions and distance(holder, held) <= holder.reach
        for holder, held in ((one, other), (other, one))
    )


# --- Moving into the opponent's space to maintain the grapple (srd35.grapple.maintain-*)


def move_in(fight: Fight, grappler: Combatant, target: Combatant) -> Steps[bool]:
    """Move into the target's space, a free move that provokes; a grappler that cannot, lets go.

    srd35.grapple.maintain-move, srd35.grapple.maintain-provokes, srd35.grapple.maintain-fail,
    futurepath.grapple.start.step-4-maintain, futurepath.grapple.start.cannot-move-in.

    It finds no room in squares occupied by others, nor can a target seized on its way through an occupied
    square stay there (srd35.special-move.illegal-space).
    """
    if target in occupants(fight, grappler, grappler.at):
        return True
    may_stop = fight.dialect.movement.may_stop
    if target.id == fight.state.active and not may_stop(fight, target, target.at):
        yield from make_room(fight, target)
    x, y = target.at
    side = grappler.space - 1
    places = [(x + dx, y + dy) for dx in range(-side, target.space) for dy in range(-side, target.space)]
    open_to = [
        place
        for place in places
        if can_be_put(fight.field, grappler.at, grappler.space, place, grappler.space)
        and may_stop(fight, grappler, place)
    ]
    enemies = [enemy for enemy in threatening(fight, grappler) if enemy is not target]
    if open_to:
        yield from fight.dialect.opportunity.provoke(
            fight,
            grappler,
            enemies,
            f"moves into the space of {target.id}",
            fight.dialect.opportunity.opportunity_name(fight, grappler),
            fight.rule("grapple.maintain-provokes"),
        )
    if not open_to or is_down(fight, grappler):
        fail = fight.rule("grapple.maintain-fail")
        yield from end_grapple(fight, grappler, target, "cannot move in", fail)
        return False
    open_to.sort(key=lambda at: (distance_ft(grappler.at, at), at))
    rule = fight.rule("grapple.maintain-move")
    question = f"where in the space of {target.id} does {grappler.id} move?"
    place = yield from choose_square(grappler.id, "in", question, open_to, rule)
    yield displaced(grappler, (place,), "grapple", rule)
    return True


# --- The acts of grapplers: a row for each option, also in place of an attack

#: Raises Refusal if an option is not available to a grappler against a target.
Refuse = Callable[[Fight, Combatant, Combatant, acts.Grapple], object]


def is_open(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> None:
    """Refuse nothing."""


class Option(Struct, frozen=True):
    """An act of a grappler, by one word of its declaration.

    `carry_out(fight, grappler, target, act, *extra)` returns whether it succeeded; `extra` counts for the
    attack that it replaces. `refuse(fight, grappler, target, act)` refuses it if it is not available.
    `action` is the type of action that it takes, unless the rule on the topic `timed_by` gives that.
    `replaces_attack`: whether it can replace an attack; `by_pinner`: whether it is available to a combatant
    that has pinned an opponent.
    """

    carry_out: Callable[..., Steps[bool]]
    refuse: Refuse = is_open
    action: str = "standard"
    timed_by: str = ""
    replaces_attack: bool = False
    by_pinner: bool = True

    def action_type(self, fight: Fight) -> str:
        """Return the type of action that the option takes."""
        return str(fight.figure(self.timed_by, "action")) if self.timed_by else self.action


def option_in_place(
    fight: Fight, attempt: Attempt, refuse: Refuse, options: Mapping[str, Option], topic: str
) -> Steps[bool]:
    """Carry out the option that replaces an attack; return whether it succeeded.

    One that is not available now is lost, and this is reported. `topic` is the rule that lets it replace the
    attack (srd35.grapple.actions-iterative, futurepath.grapple.options-limited).
    """
    blow = attempt.blow
    act = acts.Grapple(
        actor=blow.attacker.id,
        target=blow.target.id,
        what=attempt.item,  # type: ignore[arg-type]
        weapon=attempt.weapon,
    )
    try:
        refuse(fight, blow.attacker, blow.target, act)
    except Refusal as lost:
        yield attack_is_lost(blow.attacker, lost, "the attempt")
        return False
    what = f"grapple: {act.what} in place of an attack"
    yield RuleApplied(who=blow.attacker.id, what=what, cites=fight.rules(topic))
    carry_out = options[act.what].carry_out
    return (yield from carry_out(fight, blow.attacker, blow.target, act, *blow.attack_extra))


def weapon_at_hand(fight: Fight, combatant: Combatant, fits: Callable[[Weapon], bool]) -> Weapon:
    """Return a weapon in hand that can be used in a grapple, otherwise the bare hand."""
    return next((one for one in held_weapons(combatant) if fits(one)), None) or unarmed(fight, combatant)


def light_weapons_to_draw(combatant: Combatant) -> dict[str, Weapon]:
    """Return the names of the light weapons that a combatant carries but does not hold."""
    return {
        one.name: one
        for one in combatant.sheet.weapons
        if one.wield == "light" and one.name not in combatant.held and not is_lost(combatant, one.name)
    }


def grapples_by_now(fight: Fight, attacker: Combatant, topic: str) -> Steps[bool]:
    """Return whether an interruption has brought an attacker into a grapple, and report that it starts none.

    srd35.grapple.consequences, futurepath.grapple.options-limited.
    """
    if not opponents(fight, attacker):
        return False
    held = Refusal(f"{attacker.id} is grappling already", fight.rule(topic))
    yield attack_is_lost(attacker, held, "the attempt")
    return True


# --- Breaking free, and breaking the hold on a friend (srd35.grapple.escape, futurepath.grapple.option.*)


def holders_of(fight: Fight, captive: Combatant) -> list[Combatant]:
    """Return the opponents that a captive must beat to get free: for the pinned, the one that pins it."""
    holders = opponents(fight, captive)
    pinned = "pinned" in captive.conditions
    return [one for one in holders if is_pinning(one, captive)] if pinned else holders


def ask_who_holds_on(
    fight: Fight, captive: Combatant, holders: list[Combatant], rule: str
) -> Steps[list[Combatant]]:
    """Ask the opponents whether they hold on; return those that do. The helpless cannot."""
    holding = []
    for one in holders:
        if not is_helpless(fight, one):
            question = f"{captive.id} tries to escape: does {one.id} hold on?"
            if (yield Choice(one.id, "hold", question, ("hold", "let go"), rule)) == "hold":
                holding.append(one)
    return holding


def break_pins(fight: Fight, pinner: Combatant, rule: str) -> Steps[None]:
    """Free all combatants that a pinner holds: its hold was broken."""
    for other in opponents(fight, pinner):
        if is_pinning(pinner, other):
            yield from free_of_pin(other, "the hold is broken", rule)


def activation(grappler: Combatant, target: Combatant, name: str) -> acts.Activate | None:
    """Return the use of a device of the sheet in a grapple: on its user if it helps, otherwise on the
    opponent.

    None if the sheet has no such device (srd35.grapple.magic-item, woa.grapple.activity.use-item).
    """
    device = next((one for one in grappler.sheet.spells if one.item and one.name == name), None)
    if device is None:
        return None
    helps = device.item == "potion" or device.healing or (device.grants and not device.save)
    aim = grappler if helps else target
    return acts.Activate(actor=grappler.id, item=name, targets=(aim.id,))


def is_inside(combatant: Combatant, of: Combatant) -> bool:
    """Return whether a combatant has been swallowed by another."""
    held = combatant.conditions.get("swallowed")
    return held is not None and held.source == of.id


# --- Raking a held opponent, with claws that have no other use
# srd35.constrict-rake-rend, pf1.constrict-rend-rake.


def raking_claws(combatant: Combatant) -> Iterator[Weapon]:
    """Yield the claws that rake, each as often as it attacks."""
    for weapon in natural_weapons(combatant):
        if "rake" in weapon.traits:
            yield from repeat(weapon, strikes_per_full_attack(weapon))


def refuse_rake(fight: Fight, combatant: Combatant, target: Combatant, act: acts.Grapple) -> None:
    """Refuse to rake a target grabbed this turn, to rake twice in a turn, or without such claws."""
    rule = fight.rule(REND_HOLDS)
    if not list(raking_claws(combatant)):
        raise Refusal(f"{combatant.id} has no claws to rake with", rule)
    if combatant.spent.get("grab") or combatant.spent.get("rake"):
        reason = f"{combatant.id} rakes once a turn, and only an opponent that it held as the turn began"
        raise Refusal(reason, rule)


def rake(
    fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple, *extra: Modifier
) -> Steps[bool]:
    """Rake an opponent that was held as the turn began, with every claw that does (constrict-rake-rend).

    srd35.constrict-rake-rend, pf1.constrict-rend-rake.
    """
    rule = fight.rule(REND_HOLDS)
    yield ActionSpent(who=grappler.id, kind="rake", what="rake", cites=(rule,))
    for weapon in raking_claws(grappler):
        if "dead" not in target.conditions:
            blow = build_blow(fight, grappler, target, weapon, "grapple")
            blow.cites.append(rule)
            yield from strike_and_settle(fight, blow)
    return True


# --- An attack from outside into a grapple, at a random one of the grapplers


def find_those_in_grapple(fight: Fight, blow: Blow) -> list[Combatant]:
    """Return all that an attack from outside may hit instead of its target, including it; none for one from
    inside.
    """
    together = [blow.target, *opponents(fight, blow.target)]
    if blow.attacker in together or len(together) < 2:
        return []
    return sorted(together, key=lambda one: list(fight.state.combatants).index(one.id))


def strike_at_random(fight: Fight, blow: Blow, together: list[Combatant], reading: str) -> Steps[None]:
    """Roll a die for the target of an attack (srd35.ac-mod.grappling-random-target).

    futurepath.modifier.defender-grappling-random-target.
    """
    rolled = yield Roll(blow.attacker.id, "grappler", f"1d{len(together)}")
    blow.target = together[rolled.total - 1]
    yield RuleApplied(
        who=blow.attacker.id,
        what=f"into a grapple: {blow.target.id} is struck at ({reading})",
        cites=fight.rules("ac-mod.grappling-random-target"),
    )


# --- A fight that begins in the middle of a grapple (srd35.grapple.*, futurepath.grapple.*)


def refuse_start_in_grapple(fight: Fight, act: acts.Enter) -> None:
    """Refuse to enter in an impossible grapple: with a friend, a combatant that is down, one too many.

    srd35.grapple.start, srd35.grapple.pin, futurepath.grapple.start.replaces-attack,
    futurepath.grapple.option.pin.
    """
    target, rule = fight.combatant(act.grapples), fight.rule("grapple.start")
    if act.sheet is None:
        return  # an entry without a sheet is refused elsewhere
    refuse_no_opponent(fight, act, target, rule)
    if act.grip == "pinned" and any("pinned" in other.conditions for other in opponents(fight, target)):
        raise Refusal(f"{target.id} pins another already", fight.rule("grapple.pin"))
    refuse_too_many(fight, newcomer(fight, act, act.sheet), target)


def refuse_no_opponent(fight: Fight, act: acts.Enter, target: Combatant, rule: str) -> None:
    """Refuse to enter on a mount in a grapple, or in one with a friend or with a combatant that is down."""
    if act.riding:
        raise Refusal(f"{act.id} cannot ride {act.riding} and be in a grapple", rule)
    if target.side == act.side:
        raise Refusal(f"{target.id} is no opponent for {act.id} to grapple with", rule)
    refuse_down(fight, target, "be in a grapple")


def start_in_grapple(fight: Fight, act: acts.Enter) -> Steps[None]:
    """Make a newcomer grapple with its opponent, whose space it shares."""
    yield from take_hold(fight, fight.combatant(act.id), fight.combatant(act.grapples))


# --- Out of a grapple: the free space that a combatant moves into (srd35.grapple.escape-move)


def find_places_next_to_holders(
    fight: Fight, combatant: Combatant, holders: Sequence[Combatant]
) -> list[Square]:
    """Return the free places next to a combatant's former holders: nearest and least threatened first."""
    x, y = combatant.at
    far = combatant.space + max(one.space for one in holders)
    free = [
        at
        for at in product(range(x - far, x + far + 1), range(y - far, y + far + 1))
        if all(adjacent(at, one.at, combatant.space, one.space) for one in holders)
        and can_be_put(fight.field, combatant.at, combatant.space, at, combatant.space)
        and not occupants(fight, combatant, at)
    ]
    enemies = fight.enemies(combatant)

    def usual(at: Square) -> tuple[int, int, Square]:
        dangers = sum(endangers(fight, enemy, combatant, at) for enemy in enemies)
        return distance_ft(combatant.at, at), dangers, at

    return sorted(free, key=usual)


def leave_former_holders(
    fight: Fight, combatant: Combatant, holders: Sequence[Combatant], path: Sequence[Square] = ()
) -> Steps[None]:
    """Move a combatant that is free into any space next to its former holders, as declared or chosen now.

    If there is none, into the closest free one (srd35.grapple.escape-move, futurepath.grid.occupancy).
    """
    places = find_places_next_to_holders(fight, combatant, holders)
    if not places:
        yield from make_room(fight, combatant)
        return
    question = f"{combatant.id} is out of the grapple: where does it go?"
    rule = fight.rule("grapple.escape-move")
    to = path[-1] if path else (yield from choose_square(combatant.id, "out", question, places, rule))
    if to != combatant.at:
        yield displaced(combatant, (to,), "out of the grapple", rule)
