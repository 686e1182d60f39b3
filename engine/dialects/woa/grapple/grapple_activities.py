"""What those who grapple can do with a round that they have won (woa.grapple.activity.*, .hold.*).

Each refuses before its first step; the action is spent by the caller.
"""

from affray.engine.dialects.woa.attacks.called_shot_aim import aim_at_part, difficulty_of
from affray.engine.dialects.woa.gear.draw_and_sheathe import refuse_unheld
from affray.engine.dialects.woa.grapple import grab_state
from affray.engine.dialects.woa.grapple.action_types import DRAWN, RELEASED
from affray.engine.dialects.woa.grapple.grapple_state import (
    AHEAD,
    FAST,
    IMMOBILE,
    holds_and_locks,
    immobile,
    leave_grapple,
    loosen,
    members_of_grapple,
    own_space,
)
from affray.engine.dialects.woa.grapple.grapple_words import MARGIN
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import obstructed
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.attack_roll import strike
from affray.engine.rules.attacks.weapon_blow import build_blow
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.gear.held_weapons import held_weapons
from affray.engine.rules.gear.let_go import is_lost
from affray.engine.rules.gear.weapons_in_hand import unarmed
from affray.engine.rules.grapple.option_in_place import activation
from affray.engine.rules.movement.displaced import displaced
from affray.engine.rules.turns.action_budget import check_turn
from affray.engine.steps import Choice, Refusal, Steps, onward, unknown_word
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ItemChanged
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

IN_CLOSE = ("unarmed", "natural", "light")
#: The casting times of devices that take no more than a standard action.
BRIEF = ("free", "swift", "immediate", "move", "standard")


def maintain_hold(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> Steps[None]:
    """Do nothing but go on (woa.grapple.activity.maintain)."""
    rule = fight.rule("woa.grapple.activity.maintain")
    yield RuleApplied(who=grappler.id, what="maintains the grapple", cites=(rule,))


def release_hold(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> Steps[None]:
    """Leave the grapple, with a move action to come; with the advantage one may keep hold of the opponent.

    woa.grapple.activity.release
    """
    rule = fight.rule("woa.grapple.activity.release")
    ahead = AHEAD in grappler.conditions
    yield from leave_grapple(fight, grappler, "released", rule)
    yield ActionSpent(who=grappler.id, kind=RELEASED, what="a move action is left", cites=(rule,))
    if ahead:
        question = f"does {grappler.id} keep hold of {target.id}?"
        if (yield Choice(grappler.id, "keep", question, ("let go", "hold"), rule)) == "hold":
            yield from grab_state.take_hold(fight, grappler, target, "body", "one hand", 1, rule)


def escape_grapple(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> Steps[None]:
    """Get out of the grapple (woa.grapple.activity.escape)."""
    yield from leave_grapple(fight, grappler, "escapes", fight.rule("woa.grapple.activity.escape"))


def pin(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> Steps[None]:
    """Hold an opponent down where it lies, force it to the ground, or hold it against a wall.

    woa.grapple.hold.pin.position
    """
    refuse_held(fight, grappler, target, "pinned")
    rule = fight.rule("woa.grapple.hold.pin.position")
    where = "the ground"
    if "prone" not in target.conditions:
        if beside_wall(fight, grappler):
            question = f"where does {grappler.id} pin {target.id}?"
            where = f"the {(yield Choice(grappler.id, 'pin', question, ('ground', 'wall'), rule))}"
        if where == "the ground":
            yield ConditionGained(who=target.id, condition="prone", source="forced down", cites=(rule,))
    yield RuleApplied(who=grappler.id, what=f"pins {target.id} to {where}", cites=(rule,))
    yield from lock(fight, grappler, target, "pinned", rule)


def arm_lock(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> Steps[None]:
    """Lock an opponent's arms: like a pin, without wall or ground (woa.grapple.hold.arm-lock)."""
    refuse_held(fight, grappler, target, "arm-locked")
    yield from lock(fight, grappler, target, "arm-locked", fight.rule("woa.grapple.hold.arm-lock"))


def clamp_mouth(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> Steps[None]:
    """Keep an opponent from speaking (woa.grapple.hold.clamp-mouth)."""
    refuse_held(fight, grappler, target, "mouth clamped")
    yield from lock(fight, grappler, target, "mouth clamped", fight.rule("woa.grapple.hold.clamp-mouth"))


def refuse_held(fight: Fight, grappler: Combatant, target: Combatant, condition: str) -> None:
    """Refuse a hold that is in place already."""
    if condition in target.conditions:
        raise Refusal(f"{target.id} is {condition} already", fight.rule("woa.grapple.hold.general"))


def lock(fight: Fight, grappler: Combatant, target: Combatant, condition: str, *cites: str) -> Steps[None]:
    """Put a hold in place; it counts for what it hampers from the next round, or at once.

    woa.grapple.modifier.pinned-immobilized (option `pin_takes_effect`)
    """
    yield ConditionGained(
        who=target.id, condition=condition, source=grappler.id, level=fight.state.round, cites=cites
    )
    at_once = fight.option("pin_takes_effect") == "at-once"
    if condition in FAST and at_once and IMMOBILE not in target.conditions:
        yield immobile(fight, target, grappler.id)


def beside_wall(fight: Fight, combatant: Combatant) -> bool:
    """Say whether a wall or a pillar stands next to a combatant."""
    (x, y), side = combatant.at, combatant.space
    around = ((x + dx, y + dy) for dx in range(-1, side + 1) for dy in range(-1, side + 1))
    return any(fight.field.at(square) in "#T" for square in around)


def release_opponent(fight: Fight, grappler: Combatant, target: Combatant) -> Steps[None]:
    """Let an opponent out of one's holds and locks, and go on grappling: a free action.

    woa.grapple.hold.pin.duration
    """
    rule = fight.rule("woa.grapple.hold.pin.duration")
    if fight.state.phase != "declare":
        check_turn(fight, grappler)
    if not holds_and_locks(fight, grappler, target):
        raise Refusal(f"{grappler.id} has no hold or lock on {target.id}", rule)
    yield ActionSpent(who=grappler.id, kind="free", what=f"ease the hold on {target.id}", cites=(rule,))
    yield from loosen(fight, target, grappler, "released", rule)


def close_weapon(fight: Fight, combatant: Combatant, name: str) -> Weapon:
    """Return the weapon to strike with in a grapple. Refuses all but light ones.

    woa.grapple.activity.attack
    """
    rule = fight.rule("woa.grapple.activity.attack")
    ready = [*held_weapons(combatant), unarmed(fight, combatant)]
    named = [weapon for weapon in ready if name in ("", weapon.name)]
    if not named:
        raise Refusal(f"{combatant.id} has no {name} in hand", rule)
    weapon = next((weapon for weapon in named if weapon.wield in IN_CLOSE), None)
    if weapon is None:
        raise Refusal(f"the {name} is too big for a grapple", rule)
    return weapon


def strike_in_grapple(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> Steps[None]:
    """Strike the opponent once with a light weapon, at -2 (woa.grapple.activity.attack)."""
    blow = close_blow(fight, grappler, target, act.weapon)
    for _ in range(fight.figure("woa.grapple.activity.attack", "attacks")):
        yield from strike(fight, blow)


def close_blow(fight: Fight, grappler: Combatant, target: Combatant, name: str) -> Blow:
    """Return a blow within the grapple. Refuses one at who is dead, or with what is too big."""
    weapon = close_weapon(fight, grappler, name)
    topic = "woa.grapple.activity.attack"
    if "dead" in target.conditions:
        raise Refusal(f"{target.id} is dead already", fight.rule("woa.hp.loss-consequences"))
    blow = build_blow(fight, grappler, target, weapon, "grapple")
    blow.attack_extra.append(fight.modifier(topic, "attack_modifier", kind="penalty", source="in a grapple"))
    return blow


def called_shot_in_grapple(
    fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple
) -> Steps[None]:
    """Do a particular harm, as a called shot, if the check was won by enough; else strike as usual.

    woa.grapple.activity.called-shot
    """
    blow = close_blow(fight, grappler, target, act.weapon)
    part = act.part or "neck"
    difficulty_of(fight, target, part)
    topic = "grapple.activity.called-shot"
    rule = fight.rule(topic)
    needed = fight.figure(topic, "win_margin_min")
    if is_deadly(fight, grappler):
        needed = fight.figure("woa.grapple.outcome.win-by-5", "margin")
    if grappler.spent.get(MARGIN, 0) < needed:
        what = f"won by less than {needed}: an attack like any other"
        yield RuleApplied(who=grappler.id, what=what, cites=(rule,))
        yield from strike(fight, blow)
        return
    aim_at_part(fight, blow, part)
    yield RuleApplied(who=grappler.id, what=f"aims at the {part} of {target.id}", cites=(rule,))
    yield from strike(fight, blow)


def is_deadly(fight: Fight, combatant: Combatant) -> bool:
    """Say whether a fighter's Deadly Stroke or a thief's sudden strike makes called shots easier here."""
    if has_feat(combatant, "deadly stroke") and "fighter" in combatant.sheet.classes:
        return True
    return "thief" in combatant.sheet.classes and any(
        trait.startswith("sudden strike x")
        and int(trait[15:] or 0)
        >= fight.figure("woa.grapple.activity.called-shot", "sudden_strike_multiplier_min")
        for trait in combatant.sheet.traits
    )


def draw_in_grapple(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> Steps[None]:
    """Draw a light weapon, or get out something as small; after a win by 10 one may use it at once.

    woa.grapple.activity.draw-item, woa.grapple.activity.draw-and-use
    """
    rule = fight.rule("woa.grapple.activity.draw-item")
    weapon = next((one for one in grappler.sheet.weapons if one.name == act.weapon), None)
    if not act.weapon or is_lost(grappler, act.weapon):
        raise unknown_word(f"weapon or item that {grappler.id} could draw", act.weapon, (), rule)
    if act.weapon in grappler.held:
        raise Refusal(f"{grappler.id} holds the {act.weapon} already", rule)
    if weapon is not None and weapon.wield != "light":
        raise Refusal(f"the {act.weapon} is too big to draw in a grapple", rule)
    yield ItemChanged(who=grappler.id, item=act.weapon, state="held", cites=(rule,))
    topic = "woa.grapple.activity.draw-and-use"
    if grappler.spent.get(MARGIN, 0) >= fight.figure(topic, "win_margin_min"):
        yield ActionSpent(who=grappler.id, kind=DRAWN, what="may use it as well", cites=(fight.rule(topic),))


def use_device_in_grapple(
    fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple
) -> Steps[None]:
    """Use an item in hand that takes one hand and no more than a standard action: a wand, a potion.

    A device of the sheet works as it does outside of a grapple: on its user if it helps, else on the
    opponent. What comes of another item the game master says (woa.grapple.activity.use-item,
    woa.grapple.activity.manipulate-item).
    """
    rule = fight.rule("woa.grapple.activity.use-item")
    refuse_unheld(grappler, act.weapon, rule)
    if any(one.name == act.weapon and one.hands > 1 for one in grappler.sheet.weapons):
        hands = fight.rule("woa.grapple.activity.manipulate-item")
        raise Refusal(f"the {act.weapon} takes both hands", hands)
    use = activation(grappler, target, act.weapon)
    used = RuleApplied(who=grappler.id, what=f"uses the {act.weapon}", cites=(rule,))
    if use is None:
        yield used
        return
    device = next(one for one in grappler.sheet.spells if one.name == use.item)
    if device.item == "scroll" or device.casting not in BRIEF:
        raise Refusal(f"the {device.name} takes more than a standard action", rule)
    steps = fight.dialect.honours[acts.Activate].resolver(fight, use)
    first = next(steps)
    yield used
    yield from without_action(onward(steps, first), grappler)


def without_action(steps: Steps[None], user: Combatant) -> Steps[None]:
    """Go through steps but for the action that they take of their user: it is part of another one."""
    sent = None
    while True:
        try:
            step = steps.send(sent)
        except StopIteration:
            return
        spent = isinstance(step, ActionSpent) and step.who == user.id
        sent = None if spent else (yield step)


def move_grapple(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> Steps[None]:
    """Shift everybody in the grapple along a path, by one's own space for each 5 of the margin.

    woa.grapple.activity.move
    """
    rule = fight.rule("woa.grapple.activity.move")
    feet = own_space(fight, grappler) * SQUARE_FT * spaces_moved(fight, grappler.spent.get(MARGIN, 0))
    members = members_of_grapple(fight, grappler)
    refuse_grapple_move(fight, grappler, members, act.path, feet, rule)
    start = grappler.at
    others = [one for one in members if one is not grappler]
    yield from fight.dialect.movement.walk(fight, grappler, act.path, "grapple", rule)
    for one in others if grappler.at != start else ():
        yield displaced(one, (grappler.at,), "grapple", rule)


def spaces_moved(fight: Fight, margin: int) -> int:
    """Return how many times its own space a winner moves the grapple.

    The table's rows, and beyond its last two as far again for each further step between these.
    """
    rows = fight.figure("woa.grapple.activity.move")
    times = 0
    for row in rows:
        if margin >= row["win_margin_min"]:
            times = row["distance_multiple_of_space"]
    before, last = rows[-2], rows[-1]
    further = max(0, margin - last["win_margin_min"])
    width = last["win_margin_min"] - before["win_margin_min"]
    more = last["distance_multiple_of_space"] - before["distance_multiple_of_space"]
    return int(times + further // width * more)


def refuse_grapple_move(
    fight: Fight,
    combatant: Combatant,
    members: list[Combatant],
    path: tuple[Square, ...],
    feet: int,
    rule: str,
) -> None:
    """Refuse a way that is too long or broken, that nobody can go, or that ends where others stand."""
    field, side = fight.field, combatant.space
    if not path:
        raise Refusal("the path is empty", rule)
    if len(path) * SQUARE_FT > feet:
        reason = f"{combatant.id} can move the grapple {feet} ft., not {len(path) * SQUARE_FT}"
        raise Refusal(reason, rule)
    here = combatant.at
    for there in path:
        step = max(abs(here[0] - there[0]), abs(here[1] - there[1]))
        if step != 1 or obstructed(field, here, there, side):
            raise Refusal(f"there is no way to {there[0]},{there[1]}", rule)
        here = there
    for other in fight.state.combatants.values():
        if other in members or "dead" in other.conditions:
            continue
        if all(
            other.at[axis] < here[axis] + side and here[axis] < other.at[axis] + other.space
            for axis in (0, 1)
        ):
            raise Refusal(f"{other.id} stands in the way", rule)


def other_activity(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> Steps[None]:
    """Let the game master say whether something else can be done (woa.grapple.activity.other)."""
    rule = fight.rule("woa.grapple.activity.other")
    question = f"{grappler.id} means to do something else in the grapple: is it possible?"
    answer = yield Choice("", "other", question, ("possible", "impossible"), rule)
    yield RuleApplied(who=grappler.id, what=f"the game master says: {answer}", cites=(rule,))
