"""Implement free actions with items, drawing, reloading and throws at squares in futurepath."""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import UNSET
from msgspec.structs import replace

from affray.engine.dialects.futurepath.attacks.attack_roll import FIREARMS
from affray.engine.dialects.futurepath.contested import old_only
from affray.engine.dialects.futurepath.damage import covered_squares
from affray.engine.dialects.futurepath.movement import LOW, go_down
from affray.engine.dialects.futurepath.turns.flow import provokes_by_row, spend_free_action
from affray.engine.fight.fight import Fight, is_down
from affray.engine.fight.memory import Same, per_fight
from affray.engine.grid.battlefield import Square
from affray.engine.grid.lines_and_cover import burst
from affray.engine.kernel.actions import check_turn
from affray.engine.record.chapters import Drawing
from affray.engine.rules.classes.sheets import has_feat
from affray.engine.rules.damage.damage import NO_DAMAGE, NO_THREAT
from affray.engine.rules.gear.hands import UNLOADED, is_lost, lose, weapon_named
from affray.engine.rules.gear.weapons_in_hand import loads_slowly, weapon_to_load
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.turns.actions import spending
from affray.engine.steps import Refusal, Roll, Steps, answered, unknown_word
from affray.events.errors import did_you_mean
from affray.events.facts import acts
from affray.events.facts.base import JsonObject
from affray.events.facts.combat import ItemChanged, ResourceSpent
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import Sheet, Weapon
from affray.projections.state import Combatant

# --- The bullets in a firearm, which stay in it when it changes hands

TOPIC: Final = "futurepath.attack.firearm.single-shot"


def follow_bullets(fight: Fight, steps: Steps[None], watched: Steps[None]) -> Steps[None]:
    """Run a declaration; a firearm taken from another combatant stays as loaded as it was.

    futurepath.attack.firearm.single-shot
    """
    return answered(watched, lambda step: adjust_bullets(fight, step))


def adjust_bullets(fight: Fight, step: object) -> Steps[None]:
    """Yield the difference in bullets between a firearm and its new holder's sheet."""
    if not isinstance(step, ItemChanged) or not step.of or step.unwieldy:
        return
    taker, owner = fight.combatant(step.who), fight.combatant(step.of)
    theirs, mine = weapon_named(owner, step.item), weapon_named(taker, step.item)
    if theirs is None or mine is None or theirs.family not in FIREARMS:
        return
    if theirs.ammunition is None or mine.ammunition is None:
        return
    missing = bullets_in(taker, mine) - bullets_in(owner, theirs)
    # A taker whose sheet has a firearm of that name has at most the bullets of the sheet.
    if missing > 0 or (missing and not mine.ammunition):
        cites = fight.rules(TOPIC)
        yield ResourceSpent(who=taker.id, resource=step.item, amount=missing, cites=cites)


def bullets_in(holder: Combatant, weapon: Weapon) -> int:
    """Return how many bullets are in a weapon that counts them."""
    return (weapon.ammunition or 0) - holder.resources.get(weapon.name, 0)


VARIES, MOVES = "futurepath.table.actions.varies", "futurepath.table.actions.move"


def drop_freely(fight: Fight, act: acts.Drop) -> Steps[None]:
    """Release held items, or go down prone, to sitting or to kneeling: free actions, which are limited.

    Several items released together are one free action. In low gravity, going down takes a standard action
    and an item stays where it is; for a direction it is thrown (futurepath.action.drop-object,
    .simultaneous, .low-gravity, futurepath.action.drop-prone).
    """
    actor = fight.combatant(act.actor)
    together = "futurepath.action.drop-object.simultaneous"
    if act.item in LOW:
        if act.also:
            reason = f"{actor.id} goes down to {act.item} and lets go of things in two declarations"
            raise Refusal(reason, fight.rule(together))
        yield from go_down(fight, actor, act.item)
        return
    rule, drifting = fight.rules("futurepath.action.drop-object", "futurepath.action.drop-object.low-gravity")
    if act.to is not None:
        reason = f"what {actor.id} lets go of has no direction: it has to be thrown"
        raise Refusal(reason, drifting if fight.option("gravity") == "low" else rule)
    items = (act.item, *act.also)
    for item in items:
        if not item:
            raise unknown_word(f"thing that {actor.id} holds", item, actor.held, rule)
        if item not in actor.held:
            raise Refusal(f"{actor.id} does not hold {item!r}{did_you_mean(item, actor.held)}", rule)
    if len(set(items)) < len(items):
        raise Refusal(f"{actor.id} lets go of the same thing twice", fight.rule(together))
    topics = [together] if act.also else []
    if fight.option("gravity") == "low":
        topics.append("futurepath.action.drop-object.low-gravity")
    cites = (rule, *fight.rules(*topics))
    yield from spend_free_action(fight, actor, "drop", *cites)
    for item in items:
        yield from lose(fight, actor, item, "dropped", cites)


def by_move_action(fight: Fight, holder: Combatant, item: str) -> Drawing:
    """Return how a weapon is drawn: always as a move action, with any feats."""
    return Drawing("move")


def draw_weapon(fight: Fight, act: acts.Draw) -> Steps[None]:
    """Draw a weapon: a move action that does not provoke, or part of a move with base attack bonus +1.

    With Two-Weapon Fighting two weapons at once (futurepath.action.manipulate-objects,
    futurepath.action.draw-weapon.during-movement, futurepath.action.draw-weapon.with-move,
    futurepath.action.draw-weapon.two-with-twf).
    """
    actor = fight.combatant(act.actor)
    check_turn(fight, actor)
    topic, table = "futurepath.action.draw-weapon.during-movement", "futurepath.action.draw-weapon.with-move"
    moving = (
        fight.readied != actor.id
        and bool(actor.spent.get("feet"))
        and bool(actor.spent.get("move"))
        and not actor.spent.get("draw")
        and actor.sheet.base_attack >= max(fight.figure(one, "min_bab") for one in (topic, table))
    )
    rule = fight.rule(topic if moving else "futurepath.action.manipulate-objects")
    items = (act.item, act.also) if act.also else (act.item,)
    drawn = [weapon_to_draw(fight, actor, item, rule) for item in items]
    cites = (rule, *(fight.rules(table) if moving else ()))
    cites += rules_of_two(fight, actor, drawn) if act.also else ()
    if moving:
        yield ActionSpent(who=actor.id, kind="draw", what="draw", cites=cites)
    else:
        yield spending(fight, actor, "move", "draw", *cites)
    for weapon in drawn:
        yield ItemChanged(who=actor.id, item=weapon.name, state="held", cites=cites)


def weapon_to_draw(fight: Fight, actor: Combatant, item: str, rule: str) -> Weapon:
    """Return a weapon that can be drawn. Refuse missing ones and those in hand."""
    weapon = next((one for one in actor.sheet.weapons if one.name == item), None)
    if weapon is None:
        names = [one.name for one in actor.sheet.weapons]
        ready = [one for one in names if one not in actor.held and not is_lost(actor, one)]
        raise unknown_word(f"weapon that {actor.id} can draw", item, ready, rule)
    if is_lost(actor, item):
        raise Refusal(f"{actor.id} does not have the {item} any more", rule)
    if item in actor.held:
        raise Refusal(f"{actor.id} holds the {item} already", rule)
    return weapon


def rules_of_two(fight: Fight, actor: Combatant, drawn: Sequence[Weapon]) -> tuple[str, ...]:
    """Return the rule by which two weapons are drawn as one. Refuse all but two one-handed weapons.

    futurepath.action.draw-weapon.two-with-twf
    """
    rule = fight.rule("futurepath.action.draw-weapon.two-with-twf")
    two = len({weapon.name for weapon in drawn}) == len(drawn)
    if not two or not has_feat(actor, "two-weapon fighting") or any(weapon.hands > 1 for weapon in drawn):
        named = " and the ".join(weapon.name for weapon in drawn)
        raise Refusal(f"{actor.id} cannot draw the {named} in the time of one", rule)
    return (rule,)


def reload_weapon(fight: Fight, act: acts.Load) -> Steps[None]:
    """Reload: a move action with a box magazine, a full round with an internal one; it provokes.

    Other weapons that are slow to load take the full round as well.

    futurepath.action.load-weapon.move, futurepath.action.reload.*, futurepath.table.actions.varies,
    futurepath.table.actions.varies.legacy.
    """
    actor = fight.combatant(act.actor)
    weapon = weapon_to_load(fight, actor, act.item, fight.rule("futurepath.action.load-weapon.move"))
    emptied = is_emptied(fight, actor, weapon)
    if weapon.thrown or not (emptied or actor.items.get(act.item) == UNLOADED):
        raise Refusal(f"the {act.item} needs no loading", fight.rule("futurepath.action.load-weapon.move"))
    internal = "internal-magazine" in weapon.traits or loads_slowly(weapon)
    kind = "full-round" if internal else "move"
    topic = (
        "futurepath.action.reload.internal-magazine"
        if internal
        else "futurepath.action.reload.box-magazine-or-speed-loader"
    )
    rule = fight.rule(topic)
    yield spending(fight, actor, kind, "reload", rule)
    provokes, table = provokes_by_row(fight, *row_of_loading(fight, weapon, internal))
    if provokes:
        yield from fight.dialect.opportunity.provoke(
            fight,
            actor,
            threatening(fight, actor),
            "reloads a weapon",
            f"load:{fight.declaration}",
            rule,
            table,
        )
    if is_down(fight, actor):
        return
    if emptied:
        spent = actor.resources[act.item]
        yield ResourceSpent(who=actor.id, resource=act.item, amount=-spent, cites=(rule,))
    yield ItemChanged(who=actor.id, item=act.item, state="loaded", cites=(rule,))


def is_emptied(fight: Fight, holder: Combatant, weapon: Weapon) -> bool:
    """Return whether a magazine lacks bullets that loading restores.

    Bullets in a weapon taken from another combatant count below 0 (futurepath.action.load-weapon.move).
    """
    return not weapon.thrown and holder.resources.get(weapon.name, 0) > 0


def row_of_loading(fight: Fight, weapon: Weapon, internal: bool) -> tuple[str, str]:
    """Return table and row of a weapon's loading: firearms have a separate row, by the old rules two.

    futurepath.table.actions.varies, futurepath.table.actions.varies.legacy, futurepath.table.actions.move,
    futurepath.table.actions.full-round
    """
    if weapon.family not in FIREARMS:
        return (VARIES if old_only(fight) else MOVES), "load a weapon"
    if not old_only(fight):
        return VARIES, "reload a firearm*"
    if internal:
        return "futurepath.table.actions.full-round", "reload a firearm with an internal magazine"
    return MOVES, "reload a firearm with a box magazine or speed loader"


# --- Where a throw at a square lands: a corner of that square or, after a miss, of one nearby
# The tables take the thrower's point of view: "beyond" the target is away from the thrower, "short" of it
# towards the thrower, "upper" the far side of a square and "lower" its near side. A throw counts as going in
# the one of the four directions along the map in which it goes farther, from the middle of the thrower to
# that of the square; a throw that goes as far along both, or nowhere, counts as going along the columns of
# the map (up or down).

HIT: Final = "futurepath.table.thrown-explosive-hit-corner"
NEAR: Final = "futurepath.table.thrown-explosive-miss-2-3"
FAR: Final = "futurepath.table.thrown-explosive-miss-4-5"
MISS: Final = "futurepath.attack.thrown-explosive.miss"
WITHIN: Final = "futurepath.attack.thrown-explosive.within-increment"
NUMBERS: Final[Mapping[str, int]] = {"one": 1, "two": 2}


def direction_of_throw(thrower: Combatant, square: Square) -> Square:
    """Return the direction, one of four, of a throw at a square; up if it goes nowhere."""
    (x, y), side = thrower.at, thrower.space
    across, down = 2 * square[0] + 1 - 2 * x - side, 2 * square[1] + 1 - 2 * y - side
    if abs(across) > abs(down):
        return (1 if across > 0 else -1), 0
    return 0, (1 if down > 0 else -1)


def corner_of(square: Square, corner: str, ahead: Square) -> Square:
    """Return a corner of a square, such as the "upper left" one, from the view of a thrower
    facing `ahead`.
    """
    upright, _, side = corner.partition(" ")
    (fx, fy), (rx, ry) = ahead, right_of(ahead)
    far, right = (1 if upright == "upper" else -1), (1 if side == "right" else -1)
    return square[0] + (1 + far * fx + right * rx) // 2, square[1] + (1 + far * fy + right * ry) // 2


def right_of(ahead: Square) -> Square:
    """Return the direction to the right when facing `ahead`; the map's rows count downwards."""
    return -ahead[1], ahead[0]


def square_of_row(target: Square, where: str, ahead: Square) -> Square:
    """Return the square that a row names, such as "one beyond and right of target"."""
    right = right_of(ahead)
    ways = {
        "beyond": ahead,
        "short": (-ahead[0], -ahead[1]),
        "right": right,
        "left": (-right[0], -right[1]),
    }
    words = where.split()
    steps = NUMBERS[words[0]]
    x, y = target
    for word in words:
        dx, dy = ways.get(word, (0, 0))
        x, y = x + steps * dx, y + steps * dy
    return x, y


def table_of_miss(fight: Fight, weapon: Weapon, feet: int) -> str:
    """Return the table for the landing of a throw that missed at a distance (scatter_bands).

    futurepath.table.thrown-explosive-miss-2-3, futurepath.table.thrown-explosive-miss-4-5
    """
    if fight.option("scatter_bands") == "feet":
        return NEAR if feet <= fight.figure(MISS, "near_ft") else FAR
    return NEAR if feet <= fight.figure(MISS, "near_increments") * weapon.range else FAR


def land(
    fight: Fight, thrower: Combatant, weapon: Weapon, square: Square, feet: int, hit: bool, splash_ft: int = 0
) -> Steps[tuple[Square, tuple[str, ...]]]:
    """Roll at which corner a throw lands; return it and its rules.

    A splash weapon that breaks there covers the squares within `splash_ft` feet.

    futurepath.attack.thrown-explosive.within-increment, futurepath.attack.thrown-explosive.miss,
    futurepath.table.thrown-explosive-hit-corner.
    """
    ahead = direction_of_throw(thrower, square)
    if hit:
        rolled = yield Roll(thrower.id, "corner", str(fight.figure(WITHIN, "dice")))
        corner = corner_of(square, str(fight.figure(HIT, str(rolled.total))), ahead)
        cites = fight.rules(HIT)
    else:
        table = table_of_miss(fight, weapon, feet)
        dice = fight.figure(MISS, "near_dice" if table == NEAR else "far_dice")
        rolled = yield Roll(thrower.id, "misdirection", str(dice))
        row: JsonObject = next(one for one in fight.figure(table) if one["roll"] == rolled.total)
        corner = corner_of(square_of_row(square, row["square"], ahead), row["corner"], ahead)
        cites = fight.rules(MISS, table)
    what = f"the {weapon.name} comes to rest at the corner {corner[0]},{corner[1]}"
    wet = covered_squares(fight, burst(corner, splash_ft), (corner, 0, (0, 0))) if splash_ft else UNSET
    yield RuleApplied(who=thrower.id, what=what, squares=wet, corner=corner, aimed=square, cites=cites)
    return corner, cites


# --- Explosives and splash weapons in hand: their traits on the sheet, and how they are thrown

#: The trait of explosives.
EXPLOSIVE: Final = "explosive"
TOUCH: Final = "futurepath.attack.splash.ranged-touch"
#: The trait of weapons that cannot be used in melee.
NO_BLOWS: Final = "no melee use"
KINDS: Final = "futurepath.explosive.thrown-or-planted"
DEFINITION: Final = "futurepath.attack.splash.definition"


@per_fight(Same("weapon"))
def as_thrown(fight: Fight, weapon: Weapon) -> Weapon:
    """Return a splash weapon as it is thrown: by a touch attack, whose hit itself rolls no damage.

    futurepath.attack.splash.ranged-touch
    """
    traits = (*weapon.traits, "touch")
    return replace(weapon, thrown=True, damage=NO_DAMAGE, threat=NO_THREAT, extra=(), traits=traits)


def explosives_strike_nobody(fight: Fight, sheet: Sheet) -> tuple[Sheet, tuple[str, ...]]:
    """Return a sheet whose explosives are not melee weapons: they are thrown, or planted.

    futurepath.explosive.thrown-or-planted
    """
    if not any(is_bare_explosive(one) for one in sheet.weapons):
        return sheet, ()
    weapons = tuple(
        replace(one, traits=(*one.traits, NO_BLOWS)) if is_bare_explosive(one) else one
        for one in sheet.weapons
    )
    return replace(sheet, weapons=weapons), fight.rules(KINDS)


def is_bare_explosive(weapon: Weapon) -> bool:
    """Return whether a weapon is an explosive that its sheet does not bar from melee."""
    return EXPLOSIVE in weapon.traits and NO_BLOWS not in weapon.traits
