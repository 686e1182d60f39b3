"""Items of another combatant: taken out of its hand, or picked up from the ground.

The new holder attacks with it by the figures on its owner's sheet; an item for another size has penalties.
"""

from collections.abc import Iterator
from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.grid import distance
from affray.engine.grid.lines_and_cover import line_of_effect
from affray.engine.kernel.actions import check_turn
from affray.engine.kernel.places import anchors_of, level_of
from affray.engine.rules.classes.sheets import wielded_in_two_hands
from affray.engine.rules.gear.hands import (
    count_hands_left,
    find_nearest_lying_item,
    is_couched,
    raise_lance,
    take_up,
    weapon_named,
)
from affray.engine.steps import Choice, Refusal, Steps, unknown_word
from affray.events.facts import acts
from affray.events.facts.base import Square, Wield
from affray.events.facts.combat import GripChanged, ItemChanged
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

# --- The grip on a weapon: in one hand, or in both (srd35.weapons.handed-use)

#: The topic of the rule that a one-handed weapon may be held in both hands.
TOPIC: Final = "weapons.handed-use"
WORDS: Final = {"both": "in both hands", "one": "in one hand"}


def grip(fight: Fight, act: acts.Grip) -> Steps[None]:
    """Take a weapon that is in hand into both hands or into one: a free action.

    From then on every blow with it is made in that way, out of turn too. A light weapon gains nothing by a
    second hand (srd35.weapons.handed-use, srd35.damage.two-handed, pf1.damage.two-handed-bonus,
    woa.damage.two-handed-strength, futurepath.damage.strength-two-handed).
    """
    actor = fight.combatant(act.actor)
    check_turn(fight, actor)
    weapon = weapon_to_grip(fight, actor, act)
    if act.hands == "both" and count_hands_left(actor, weapon.name) < 2:
        raise Refusal(f"{actor.id} has no second hand free for the {weapon.name}", fight.rule(TOPIC))
    if act.hands == "one" and weapon.wield == "two-handed":
        raise Refusal(f"the {weapon.name} takes both hands", fight.rule(TOPIC))
    yield from change_grip(fight, actor, weapon, act, weapon.wield)


def can_be_gripped(weapon: Weapon) -> bool:
    """Return whether a weapon may be used in one hand or in both."""
    return weapon.wield not in ("natural", "unarmed", "projectile")


def weapon_to_grip(fight: Fight, holder: Combatant, act: acts.Grip) -> Weapon:
    """Return the named weapon. Refuses one that is not held, is held so already, or cannot be used both
    ways.
    """
    weapon = next((one for one in holder.sheet.weapons if one.name == act.item), None)
    if weapon is None:
        known = (one.name for one in holder.sheet.weapons if one.name in holder.held and can_be_gripped(one))
        raise unknown_word("weapon", act.item, known, fight.rule("weapon.in-hand"), holder.id)
    if not can_be_gripped(weapon):
        raise Refusal(f"the {act.item} is no weapon to be gripped in one hand or both", fight.rule(TOPIC))
    if act.item not in holder.held:
        raise Refusal(f"{holder.id} does not hold the {act.item}", fight.rule("weapon.in-hand"))
    if wielded_in_two_hands(weapon) == (act.hands == "both"):
        raise Refusal(f"{holder.id} holds the {act.item} {WORDS[act.hands]} already", fight.rule(TOPIC))
    return weapon


def change_grip(fight: Fight, holder: Combatant, weapon: Weapon, act: acts.Grip, wield: Wield) -> Steps[bool]:
    """Spend the free action of a change of grip; return whether the weapon is held so from now on."""
    rule = fight.rule(TOPIC)
    what = f"take the {weapon.name} {WORDS[act.hands]}"
    if not (yield from fight.dialect.turns.free_action(fight, holder, what, rule)):
        return False
    if is_couched(holder, weapon.name):
        yield from raise_lance(fight, holder, weapon.name, "in both hands")
    else:
        hands = 2 if act.hands == "both" else 1
        yield GripChanged(who=holder.id, item=weapon.name, hands=hands, wield=wield, cites=(rule,))
    return True


def is_in_grasp(fight: Fight, actor: Combatant, at: Square) -> bool:
    """Return whether a hand reaches an item in a square, with no wall between.

    srd35.move-action.item, pf1.move.item, woa.items.manipulate-move, futurepath.action.manipulate-objects.
    """
    ground = (at, 1, 0)
    return any(
        line_of_effect(fight.field, here, actor.space, at, 1)
        and distance.within_reach_aloft((here, actor.space, level_of(actor)), ground, 0, actor.reach)
        for here in anchors_of(actor)
    )


def refuse_to_pick_up(fight: Fight, actor: Combatant, item: str, rule: str) -> None:
    """Refuse to pick up an item that is not on the ground, is out of reach, or shares its name with one in
    hand.

    woa.items.manipulate-move.
    """
    mine = find_nearest_lying_item(actor, item)
    if mine is not None and is_in_grasp(fight, actor, mine):
        return
    others = {
        one.id: at
        for one in fight.state.combatants.values()
        if one is not actor and (at := nearest_lying_to(fight, actor, one, item)) is not None
    }
    if any(is_in_grasp(fight, actor, at) for at in others.values()):
        if item in actor.held:
            raise Refusal(f"{actor.id} holds a {item!r} already", rule)
        return
    if mine is None and actor.items.get(item) == "dropped":
        return  # its square is not recorded
    owner, at = (actor.id, mine) if mine is not None else next(iter(others.items()), ("", None))
    if at is not None:
        raise Refusal(f"the {item} of {owner} lies out of reach at {at[0]},{at[1]}", rule)
    raise Refusal(f"no {item!r} of {actor.id} lies on the ground", rule)


def is_lying_in_reach(fight: Fight, actor: Combatant, item: str) -> bool:
    """Return whether an item of the actor's lies anywhere, or another combatant's within reach of the
    hand.
    """
    if item in actor.lying or actor.items.get(item) == "dropped":
        return True
    return any(
        is_in_grasp(fight, actor, at)
        for one in fight.state.combatants.values()
        for at in one.lying.get(item, ())
    )


def nearest_lying_to(fight: Fight, actor: Combatant, owner: Combatant, item: str) -> Square | None:
    """Return where the item of an owner lies nearest to another combatant, None if none lies anywhere."""
    there = owner.lying.get(item, ())
    return next((at for at in there if is_in_grasp(fight, actor, at)), there[0] if there else None)


def pick_up(fight: Fight, actor: Combatant, item: str, state: str, cites: tuple[str, ...]) -> Steps[None]:
    """Pick up an item: the actor's own if it is within reach, otherwise another combatant's.

    If those of several owners lie there, the actor chooses.
    """
    mine = find_nearest_lying_item(actor, item)
    near = [
        one
        for one in fight.state.combatants.values()
        if one is not actor and any(is_in_grasp(fight, actor, at) for at in one.lying.get(item, ()))
    ]
    if not near or (mine is not None and is_in_grasp(fight, actor, mine)):
        yield from take_up(actor, item, state, cites)
        return
    owner = near[0]
    if len(near) > 1:
        question = f"several lie there: whose {item} does {actor.id} pick up?"
        owner = fight.combatant(
            (yield Choice(actor.id, "whose", question, tuple(one.id for one in near), cites[0]))
        )
    lay = nearest_lying_to(fight, actor, owner, item)
    yield from take_from_other(fight, actor, owner, item, cites, lay)


def take_from_other(
    fight: Fight,
    taker: Combatant,
    owner: Combatant,
    item: str,
    cites: tuple[str, ...],
    at: Square | None = None,
) -> Iterator[ItemChanged | GripChanged]:
    """Yield the facts that a combatant takes another's item in hand, from its hand or from the ground.

    The way it is wielded is recorded if its owner has a different size.
    """
    weapon, wielded = weapon_named(owner, item), None
    rules: tuple[str, ...] = ()
    if weapon_named(taker, item) is not None:
        weapon = None  # the sheet of its new holder has one
    if weapon is not None:
        wielded, rules = fight.dialect.gear.in_other_hands(fight, taker, owner, weapon)
    useless, told = weapon is not None and wielded is None, (*cites, *rules)
    yield ItemChanged(who=taker.id, item=item, state="held", at=at, of=owner.id, unwieldy=useless, cites=told)
    if weapon is not None and wielded is not None and wielded.wield != weapon.wield:
        yield GripChanged(who=taker.id, item=item, hands=wielded.hands, wield=wielded.wield, cites=rules)


def as_its_owner(
    fight: Fight, taker: Combatant, owner: Combatant, weapon: Weapon
) -> tuple[Weapon | None, tuple[str, ...]]:
    """Return a weapon with its owner's figures."""
    return weapon, ()
