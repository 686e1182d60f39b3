"""What those who grapple can do with a round that they have won (woa.grapple.activity.*, .hold.*).

Each refuses before its first step; the action is spent by the caller.
"""

from affray.engine.dialects.woa.attacks.called_shot_aim import aim_at_part, difficulty_of
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
from affray.engine.record.blow import Blow, Intent
from affray.engine.rules.attacks.attack_roll import strike
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.gear.held_weapons import held_weapons
from affray.engine.rules.gear.weapons_in_hand import unarmed
from affray.engine.rules.movement.displaced import displaced
from affray.engine.rules.turns.action_budget import check_turn
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ItemChanged
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

IN_CLOSE = ("unarmed", "natural", "light")


def maintain_hold(fight: Fight, who: Combatant, target: Combatant, act: acts.Grapple) -> Steps[None]:
    """Do nothing but go on (woa.grapple.activity.maintain)."""
    rule = fight.rule("woa.grapple.activity.maintain")
    yield RuleApplied(who=who.id, what="maintains the grapple", cites=(rule,))


def release_hold(fight: Fight, who: Combatant, target: Combatant, act: acts.Grapple) -> Steps[None]:
    """Leave the grapple, with a move action to come; with the advantage one may keep hold of the opponent.

    woa.grapple.activity.release
    """
    rule = fight.rule("woa.grapple.activity.release")
    ahead = AHEAD in who.conditions
    yield from leave_grapple(fight, who, "released", rule)
    yield ActionSpent(who=who.id, kind=RELEASED, what="a move action is left", cites=(rule,))
    if ahead:
        question = f"does {who.id} keep hold of {target.id}?"
        if (yield Choice(who.id, "keep", question, ("let go", "hold"), rule)) == "hold":
            yield from grab_state.take_hold(fight, who, target, "body", "one hand", 1, rule)


def escape_grapple(fight: Fight, who: Combatant, target: Combatant, act: acts.Grapple) -> Steps[None]:
    """Get out of the grapple (woa.grapple.activity.escape)."""
    yield from leave_grapple(fight, who, "escapes", fight.rule("woa.grapple.activity.escape"))


def pin(fight: Fight, who: Combatant, target: Combatant, act: acts.Grapple) -> Steps[None]:
    """Hold an opponent down where it lies, force it to the ground, or hold it against a wall.

    woa.grapple.hold.pin.position
    """
    refuse_held(fight, who, target, "pinned")
    rule = fight.rule("woa.grapple.hold.pin.position")
    where = "the ground"
    if "prone" not in target.conditions:
        if beside_wall(fight, who):
            question = f"where does {who.id} pin {target.id}?"
            where = f"the {(yield Choice(who.id, 'pin', question, ('ground', 'wall'), rule))}"
        if where == "the ground":
            yield ConditionGained(who=target.id, condition="prone", source="forced down", cites=(rule,))
    yield RuleApplied(who=who.id, what=f"pins {target.id} to {where}", cites=(rule,))
    yield from lock(fight, who, target, "pinned", rule)


def arm_lock(fight: Fight, who: Combatant, target: Combatant, act: acts.Grapple) -> Steps[None]:
    """Lock an opponent's arms: like a pin, without wall or ground (woa.grapple.hold.arm-lock)."""
    refuse_held(fight, who, target, "arm-locked")
    yield from lock(fight, who, target, "arm-locked", fight.rule("woa.grapple.hold.arm-lock"))


def clamp_mouth(fight: Fight, who: Combatant, target: Combatant, act: acts.Grapple) -> Steps[None]:
    """Keep an opponent from speaking (woa.grapple.hold.clamp-mouth)."""
    refuse_held(fight, who, target, "mouth clamped")
    yield from lock(fight, who, target, "mouth clamped", fight.rule("woa.grapple.hold.clamp-mouth"))


def refuse_held(fight: Fight, who: Combatant, target: Combatant, condition: str) -> None:
    """Refuse a hold that is in place already."""
    if condition in target.conditions:
        raise Refusal(f"{target.id} is {condition} already", fight.rule("woa.grapple.hold.general"))


def lock(fight: Fight, who: Combatant, target: Combatant, condition: str, *cites: str) -> Steps[None]:
    """Put a hold in place; it counts for what it hampers from the next round, or at once.

    woa.grapple.modifier.pinned-immobilized (option `pin_takes_effect`)
    """
    yield ConditionGained(
        who=target.id, condition=condition, source=who.id, level=fight.state.round, cites=cites
    )
    at_once = fight.option("pin_takes_effect") == "at-once"
    if condition in FAST and at_once and IMMOBILE not in target.conditions:
        yield immobile(fight, target, who.id)


def beside_wall(fight: Fight, who: Combatant) -> bool:
    """Say whether a wall or a pillar stands next to a combatant."""
    (x, y), side = who.at, who.space
    around = ((x + dx, y + dy) for dx in range(-1, side + 1) for dy in range(-1, side + 1))
    return any(fight.field.at(square) in "#T" for square in around)


def release_opponent(fight: Fight, who: Combatant, target: Combatant) -> Steps[None]:
    """Let an opponent out of one's holds and locks, and go on grappling: a free action.

    woa.grapple.hold.pin.duration
    """
    rule = fight.rule("woa.grapple.hold.pin.duration")
    if fight.state.phase != "declare":
        check_turn(fight, who)
    if not holds_and_locks(fight, who, target):
        raise Refusal(f"{who.id} has no hold or lock on {target.id}", rule)
    yield ActionSpent(who=who.id, kind="free", what=f"ease the hold on {target.id}", cites=(rule,))
    yield from loosen(fight, target, who, "released", rule)


def close_weapon(fight: Fight, who: Combatant, name: str) -> Weapon:
    """Return the weapon to strike with in a grapple. Refuses all but light ones.

    woa.grapple.activity.attack
    """
    rule = fight.rule("woa.grapple.activity.attack")
    ready = [*held_weapons(who), unarmed(fight, who)]
    named = [weapon for weapon in ready if name in ("", weapon.name)]
    if not named:
        raise Refusal(f"{who.id} has no {name} in hand", rule)
    weapon = next((weapon for weapon in named if weapon.wield in IN_CLOSE), None)
    if weapon is None:
        raise Refusal(f"the {name} is too big for a grapple", rule)
    return weapon


def strike_in_grapple(fight: Fight, who: Combatant, target: Combatant, act: acts.Grapple) -> Steps[None]:
    """Strike the opponent once with a light weapon, at -2 (woa.grapple.activity.attack)."""
    blow = close_blow(fight, who, target, act.weapon)
    for _ in range(fight.figure("woa.grapple.activity.attack", "attacks")):
        yield from strike(fight, blow)


def close_blow(fight: Fight, who: Combatant, target: Combatant, name: str) -> Blow:
    """Return a blow within the grapple. Refuses one at who is dead, or with what is too big."""
    weapon = close_weapon(fight, who, name)
    topic = "woa.grapple.activity.attack"
    if "dead" in target.conditions:
        raise Refusal(f"{target.id} is dead already", fight.rule(topic))
    own = weapon.wield == "unarmed" or "nonlethal" in weapon.traits
    blow = Blow(who, target, weapon, True, 0, Intent("grapple", nonlethal=own))
    blow.attack_extra.append(fight.modifier(topic, "attack_modifier", kind="penalty", source="in a grapple"))
    return blow


def called_shot_in_grapple(fight: Fight, who: Combatant, target: Combatant, act: acts.Grapple) -> Steps[None]:
    """Do a particular harm, as a called shot, if the check was won by enough; else strike as usual.

    woa.grapple.activity.called-shot
    """
    blow = close_blow(fight, who, target, act.weapon)
    part = act.part or "neck"
    difficulty_of(fight, target, part)
    topic = "grapple.activity.called-shot"
    rule = fight.rule(topic)
    needed = fight.figure(topic, "win_margin_min")
    if is_deadly(fight, who):
        needed = fight.figure("woa.grapple.outcome.win-by-5", "margin")
    if who.spent.get(MARGIN, 0) < needed:
        what = f"won by less than {needed}: an attack like any other"
        yield RuleApplied(who=who.id, what=what, cites=(rule,))
        yield from strike(fight, blow)
        return
    aim_at_part(fight, blow, part)
    yield RuleApplied(who=who.id, what=f"aims at the {part} of {target.id}", cites=(rule,))
    yield from strike(fight, blow)


def is_deadly(fight: Fight, who: Combatant) -> bool:
    """Say whether a fighter's Deadly Stroke or a thief's sudden strike makes called shots easier here."""
    if has_feat(who, "deadly stroke") and "fighter" in who.sheet.classes:
        return True
    return "thief" in who.sheet.classes and any(
        trait.startswith("sudden strike x")
        and int(trait[15:] or 0)
        >= fight.figure("woa.grapple.activity.called-shot", "sudden_strike_multiplier_min")
        for trait in who.sheet.traits
    )


def draw_in_grapple(fight: Fight, who: Combatant, target: Combatant, act: acts.Grapple) -> Steps[None]:
    """Draw a light weapon, or get out something as small; after a win by 10 one may use it at once.

    woa.grapple.activity.draw-item, woa.grapple.activity.draw-and-use
    """
    rule = fight.rule("woa.grapple.activity.draw-item")
    weapon = next((one for one in who.sheet.weapons if one.name == act.weapon), None)
    if not act.weapon or who.items.get(act.weapon) in ("dropped", "broken", "gone"):
        raise Refusal(f"{who.id} has nothing like that to draw", rule)
    if act.weapon in who.held:
        raise Refusal(f"{who.id} holds the {act.weapon} already", rule)
    if weapon is not None and weapon.wield != "light":
        raise Refusal(f"the {act.weapon} is too big to draw in a grapple", rule)
    yield ItemChanged(who=who.id, item=act.weapon, state="held", cites=(rule,))
    topic = "woa.grapple.activity.draw-and-use"
    if who.spent.get(MARGIN, 0) >= fight.figure(topic, "win_margin_min"):
        yield ActionSpent(who=who.id, kind=DRAWN, what="may use it as well", cites=(fight.rule(topic),))


def use_device_in_grapple(fight: Fight, who: Combatant, target: Combatant, act: acts.Grapple) -> Steps[None]:
    """Use an item in hand that takes one hand and no more than a standard action: a wand, a potion.

    woa.grapple.activity.use-item, woa.grapple.activity.manipulate-item
    """
    rule = fight.rule("woa.grapple.activity.use-item")
    if act.weapon not in who.held:
        raise Refusal(f"{who.id} does not hold the {act.weapon or 'item'}", rule)
    if any(one.name == act.weapon and one.hands > 1 for one in who.sheet.weapons):
        hands = fight.rule("woa.grapple.activity.manipulate-item")
        raise Refusal(f"the {act.weapon} takes both hands", hands)
    yield RuleApplied(who=who.id, what=f"uses the {act.weapon}", cites=(rule,))


def move_grapple(fight: Fight, who: Combatant, target: Combatant, act: acts.Grapple) -> Steps[None]:
    """Shift everybody in the grapple along a path, by one's own space for each 5 of the margin.

    woa.grapple.activity.move
    """
    rule = fight.rule("woa.grapple.activity.move")
    feet = own_space(fight, who) * SQUARE_FT * spaces_moved(fight, who.spent.get(MARGIN, 0))
    members = members_of_grapple(fight, who)
    refuse_grapple_move(fight, who, members, act.path, feet, rule)
    start = who.at
    yield from fight.dialect.movement.walk(fight, who, act.path, "grapple", rule)
    for one in members:
        if one is not who and who.at != start:
            yield displaced(one, (who.at,), "grapple", rule)


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
    further = margin - last["win_margin_min"]
    if further > 0:
        width = last["win_margin_min"] - before["win_margin_min"]
        more = last["distance_multiple_of_space"] - before["distance_multiple_of_space"]
        times += further // width * more
    return int(times)


def refuse_grapple_move(
    fight: Fight, who: Combatant, members: list[Combatant], path: tuple[Square, ...], feet: int, rule: str
) -> None:
    """Refuse a way that is too long or broken, that nobody can go, or that ends where others stand."""
    field, side = fight.field, who.space
    if not path or len(path) * SQUARE_FT > feet:
        raise Refusal(f"{who.id} can move the grapple {feet} ft.", rule)
    here = who.at
    for there in path:
        step = max(abs(here[0] - there[0]), abs(here[1] - there[1]))
        if step != 1 or not field.passable(there, side):
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


def other_activity(fight: Fight, who: Combatant, target: Combatant, act: acts.Grapple) -> Steps[None]:
    """Let the game master say whether something else can be done (woa.grapple.activity.other)."""
    rule = fight.rule("woa.grapple.activity.other")
    question = f"{who.id} means to do something else in the grapple: is it possible?"
    answer = yield Choice("", "other", question, ("possible", "impossible"), rule)
    yield RuleApplied(who=who.id, what=f"the game master says: {answer}", cites=(rule,))
