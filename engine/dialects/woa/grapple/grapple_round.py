"""Run a round of grappling: who may act, the advantage, and going to the ground (woa.grapple.*)."""

from collections.abc import Mapping, Sequence
from functools import partial
from operator import attrgetter

from msgspec import Struct, field
from msgspec.structs import replace

from affray.engine.dialects.woa.attacks.called_shots import aim_at_part, difficulty_of
from affray.engine.dialects.woa.gear.draw_and_sheathe import refuse_unheld
from affray.engine.dialects.woa.grapple import grapple_checks
from affray.engine.dialects.woa.grapple.grapple_checks import (
    AHEAD,
    CHANGED,
    DRAWN,
    FAST,
    IMMOBILE,
    MARGIN,
    RELEASED,
    Wrestler,
    can_wrestle,
    declared_activity,
    grapple_side,
    grappled_at_round_start,
    holds_and_locks,
    immobile,
    leave_grapple,
    loosen,
    members_of_grapple,
    needs_no_win,
    opponents,
    own_space,
)
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import obstructed
from affray.engine.kernel.actions import check_turn
from affray.engine.modifiers import Tally
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.attack_roll import build_blow, strike
from affray.engine.rules.classes.sheets import has_feat
from affray.engine.rules.gear.hands import held_weapons, is_lost
from affray.engine.rules.gear.weapons_in_hand import unarmed
from affray.engine.rules.grapple import activation
from affray.engine.rules.movement.movement import displaced
from affray.engine.steps import Choice, Refusal, Roll, Steps, onward, unknown_word
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, ContestResolved, ItemChanged, Until
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

# --- Activities of a grappler that has won the round (woa.grapple.activity.*, .hold.*)
# Each refuses before its first step; the caller spends the action.

IN_CLOSE = ("unarmed", "natural", "light")
#: The casting times of devices that take at most a standard action.
BRIEF = ("free", "swift", "immediate", "move", "standard")


def maintain_hold(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> Steps[None]:
    """Maintain the grapple without doing anything else (woa.grapple.activity.maintain)."""
    rule = fight.rule("woa.grapple.activity.maintain")
    yield RuleApplied(who=grappler.id, what="maintains the grapple", cites=(rule,))


def release_hold(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> Steps[None]:
    """Leave the grapple with a move action left; with the advantage the grappler may keep hold of the
    opponent.

    woa.grapple.activity.release
    """
    rule = fight.rule("woa.grapple.activity.release")
    ahead = AHEAD in grappler.conditions
    yield from leave_grapple(fight, grappler, "released", rule)
    yield ActionSpent(who=grappler.id, kind=RELEASED, what="a move action is left", cites=(rule,))
    if ahead:
        question = f"does {grappler.id} keep hold of {target.id}?"
        if (yield Choice(grappler.id, "keep", question, ("let go", "hold"), rule)) == "hold":
            yield from grapple_checks.take_hold(fight, grappler, target, "body", "one hand", 1, rule)


def escape_grapple(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> Steps[None]:
    """Escape from the grapple (woa.grapple.activity.escape)."""
    yield from leave_grapple(fight, grappler, "escapes", fight.rule("woa.grapple.activity.escape"))


def pin(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> Steps[None]:
    """Pin an opponent where it lies, force it to the ground, or pin it against a wall.

    woa.grapple.hold.pin.position
    """
    refuse_held(fight, grappler, target, "pinned")
    rule = fight.rule("woa.grapple.hold.pin.position")
    where = "the ground"
    if "prone" not in target.conditions:
        if is_next_to_wall(fight, grappler):
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
    """Clamp an opponent's mouth so that it cannot speak (woa.grapple.hold.clamp-mouth)."""
    refuse_held(fight, grappler, target, "mouth clamped")
    yield from lock(fight, grappler, target, "mouth clamped", fight.rule("woa.grapple.hold.clamp-mouth"))


def refuse_held(fight: Fight, grappler: Combatant, target: Combatant, condition: str) -> None:
    """Refuse a hold that is in place already."""
    if condition in target.conditions:
        raise Refusal(f"{target.id} is {condition} already", fight.rule("woa.grapple.hold.general"))


def lock(fight: Fight, grappler: Combatant, target: Combatant, condition: str, *cites: str) -> Steps[None]:
    """Put a hold in place; its effects begin in the next round, or at once.

    woa.grapple.modifier.pinned-immobilized (option `pin_takes_effect`)
    """
    yield ConditionGained(
        who=target.id, condition=condition, source=grappler.id, level=fight.state.round, cites=cites
    )
    at_once = fight.option("pin_takes_effect") == "at-once"
    if condition in FAST and at_once and IMMOBILE not in target.conditions:
        yield immobile(fight, target, grappler.id)


def is_next_to_wall(fight: Fight, combatant: Combatant) -> bool:
    """Return whether a wall or a pillar is next to a combatant."""
    (x, y), side = combatant.at, combatant.space
    around = ((x + dx, y + dy) for dx in range(-1, side + 1) for dy in range(-1, side + 1))
    return any(fight.field.at(square) in "#T" for square in around)


def release_opponent(fight: Fight, grappler: Combatant, target: Combatant) -> Steps[None]:
    """Release an opponent from holds and locks but go on grappling: a free action.

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
    """Return the weapon to strike with in a grapple. Refuse all except light ones.

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
    """Return an attack within the grapple. Refuse a dead target and a weapon that is too big."""
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
    """Make a called shot if the check was won by enough; otherwise strike normally.

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
    """Return whether a fighter's Deadly Stroke or a thief's sudden strike makes called shots easier here."""
    if has_feat(combatant, "deadly stroke") and "fighter" in combatant.sheet.classes:
        return True
    return "thief" in combatant.sheet.classes and any(
        trait.startswith("sudden strike x")
        and int(trait[15:] or 0)
        >= fight.figure("woa.grapple.activity.called-shot", "sudden_strike_multiplier_min")
        for trait in combatant.sheet.traits
    )


def draw_in_grapple(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> Steps[None]:
    """Draw a light weapon or a similarly small item; after a win by 10 it may be used at once.

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
    """Use a held item that takes one hand and at most a standard action: a wand, a potion.

    A device of the sheet works as it does outside a grapple: on its user if it helps, otherwise on the
    opponent. The game master decides the effect of other items (woa.grapple.activity.use-item,
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
    yield from skip_action_cost(onward(steps, first), grappler)


def skip_action_cost(steps: Steps[None], user: Combatant) -> Steps[None]:
    """Run the steps, leaving out the action they take from their user: it is part of another action."""
    sent = None
    while True:
        try:
            step = steps.send(sent)
        except StopIteration:
            return
        spent = isinstance(step, ActionSpent) and step.who == user.id
        sent = None if spent else (yield step)


def move_grapple(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> Steps[None]:
    """Move all members of the grapple along a path, by the grappler's own space for each 5 of the margin.

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

    Beyond the table's last row, each further step of the same size as between the last two adds as much.
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
    """Refuse a path that is too long, broken or blocked, or that ends where other combatants are."""
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


def ask_about_other_activity(
    fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple
) -> Steps[None]:
    """Ask the game master whether something else can be done (woa.grapple.activity.other)."""
    rule = fight.rule("woa.grapple.activity.other")
    question = f"{grappler.id} attempts something else in the grapple: is it possible?"
    answer = yield Choice("", "other", question, ("possible", "impossible"), rule)
    yield RuleApplied(who=grappler.id, what=f"the game master says: {answer}", cites=(rule,))


# --- A round's check in a grapple: the rolls, the opponents, and the margins (woa.grapple.outcome.*)

PAIR = 2
_TOTAL = attrgetter("total")


class Facing(Struct, frozen=True, gc=False):
    """The opposition to a check for a given best opponent: its modifiers and the bonus of those that `aid`.

    `cites` are the rules for every outcome, `ahead` those for an advantage in it, `told` all rules by the
    topic of each outcome so far.
    """

    tally: Tally
    aid: int
    cites: tuple[str, ...]
    ahead: tuple[str, ...]
    told: dict[str, tuple[str, ...]] = field(default_factory=dict)


class Bout(Struct):
    """The participants of a round's check, by id, and the opponents of each.

    `facing` caches the opposition to each participant, by its best opponent.
    """

    fight: Fight
    wrestlers: Mapping[str, Wrestler]
    against: Mapping[str, Sequence[str]]
    facing: dict[tuple[str, str], Facing] = {}

    def best(self, of: str) -> Wrestler:
        """Return the opponent with the highest result."""
        return max([self.wrestlers[other] for other in self.against[of]], key=_TOTAL)

    def opposition(self, of: str, best: Wrestler) -> Facing:
        """Return the opposition to a check, given the best of its opponents (woa.grapple.multiple.check)."""
        found = self.facing.get((of, best.who.id))
        if found is None:
            fight, mine = self.fight, self.wrestlers[of]
            topic, figure = "woa.grapple.multiple.check", "aid_bonus_each"
            aids = [
                fight.modifier(topic, figure, kind="aid", source=f"aid from {other}")
                for other in self.against[of]
                if other != best.who.id
            ]
            found = self.facing[of, best.who.id] = Facing(
                fight.dialect.attacks.stack(fight, [*best.tally.parts, *aids]),
                sum(part.value for part in aids),
                (*mine.cites, *best.cites, *(part.rule for part in aids)),
                tuple(
                    part.rule for part in (*mine.tally.parts, *best.tally.parts) if part.kind == "advantage"
                ),
            )
        return found

    def margin(self, of: str, best: Wrestler | None = None) -> int:
        """Return the margin by which a check beats all its opposition, negative if it falls short."""
        mine, best = self.wrestlers[of], best or self.best(of)
        exceeds = mine.total - best.total - self.opposition(of, best).aid
        if self.fight.option("pinned_maneuvers") == "all":
            sure: int = self.fight.figure("woa.grapple.outcome.win-by-5", "margin")
            if all(IMMOBILE in self.wrestlers[other].who.conditions for other in self.against[of]):
                return max(exceeds, sure)
            if IMMOBILE in mine.who.conditions:
                return min(exceeds, -sure)
        return exceeds

    def lead(self, of: str) -> int:
        """Return a check's margin for the advantage: against several opponents only its own result counts.

        woa.grapple.multiple.advantage
        """
        if len(self.against[of]) == 1:
            return self.margin(of)
        return self.wrestlers[of].total - self.best(of).total

    def told(self) -> list[str]:
        """Return whose checks to report: of two, the one with the advantage, because the other check is the
        same.
        """
        order = sorted(self.wrestlers, key=lambda one: AHEAD not in self.wrestlers[one].who.conditions)
        return order if len(order) > PAIR else order[:1]

    def contest(self, of: str) -> ContestResolved:
        """Return the fact of a check against its opposition."""
        mine, best = self.wrestlers[of], self.best(of)
        beaten = self.margin(of, best)
        facing = self.opposition(of, best)
        outcome = outcome_of(self.fight, beaten)
        cites = facing.told.get(outcome)
        if cites is None:
            rules = self.fight.rules("woa.grapple.outcome.rule", outcome)
            cites = facing.told[outcome] = tuple(dict.fromkeys((*facing.cites, *rules, *facing.ahead)))
        return ContestResolved(
            who=of,
            against=best.who.id,
            contest="grapple",
            total=mine.total,
            opposed=best.natural + facing.tally.total,
            won=beaten > 0,
            parts=mine.tally.parts,
            opposed_parts=facing.tally.parts,
            cites=cites,
        )


def roll_grapple_checks(bout: Bout) -> Steps[None]:
    """Roll for all who do not already count as a 20, and report the results.

    woa.grapple.check, woa.grapple.multiple.check
    """
    fight = bout.fight
    waiting = [one for one in bout.wrestlers.values() if not one.natural]
    rolled: list[str] = []

    def judge(of: str, _key: str, *faces: int) -> ContestResolved:
        fallen = {one.who.id: replace(one, natural=face) for one, face in zip(waiting, faces, strict=True)}
        return replace(bout, wrestlers={**bout.wrestlers, **fallen}).contest(of)

    for one in bout.wrestlers.values():
        if one.natural:
            other = bout.against[one.who.id][0]
            why = f"{other} is held immobile: as good as a {one.natural} (pinned_maneuvers: all)"
            yield RuleApplied(who=one.who.id, what=why, cites=fight.rules("woa.maneuver.helpless-auto"))
            continue
        # The results are known only after the last roll.
        judges = {of: partial(judge, of) for of in bout.told()} if one is waiting[-1] else None
        thrown = yield Roll(one.who.id, "grapple", "1d20", judges, tuple(rolled))
        one.natural = thrown.total
        rolled.append(thrown.key)
    for of in bout.told():
        yield bout.contest(of)


def outcome_row(fight: Fight, beaten: int) -> dict[str, str]:
    """Return the row of the outcome table for a margin (woa.grapple.outcome-table)."""
    clear = fight.figure("woa.grapple.outcome.win-by-5", "margin")
    name = "tie" if not beaten else "a clear win" if abs(beaten) >= clear else "a narrow win"
    found: dict[str, str] = fight.figure("woa.grapple.outcome-table", f"result={name}")
    return found


def outcome_of(fight: Fight, beaten: int) -> str:
    """Return the topic of the rule on an outcome."""
    if not beaten:
        return "woa.grapple.outcome.tie"
    clear = abs(beaten) >= fight.figure("woa.grapple.outcome.win-by-5", "margin")
    return "grapple.outcome.win-by-5" if clear else "woa.grapple.outcome.win-by-4"


#: Activities by which a grappler that declares nothing else yields.
YIELDING = ("escape", "escape-artist", "release", "nothing")
#: Activities that end a grappler's part in the grapple, with the topics of their rules.
LEAVING = {
    "release": "woa.grapple.activity.release",
    "escape": "woa.grapple.activity.escape",
    "escape-artist": "woa.grapple.activity.escape",
}


def is_leaving_freely(fight: Fight, combatant: Combatant) -> bool:
    """Return whether a grappler simply leaves opponents that are not trying to continue the grapple.

    It releases them, or gets away: only from opponents that grapple actively must it escape.

    woa.grapple.activity.release, .escape
    """
    return declared_activity(combatant) in LEAVING and all(
        declared_activity(other) in YIELDING or not can_wrestle(fight, other)
        for other in opponents(fight, combatant)
    )


def settle_grapple(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Make the round's check of `combatant`'s grapple, unless it has been made already.

    Afterwards all participants know their margin (spent as MARGIN); those that may not act are "held in
    check" (woa.grapple.check, .outcome.*, .multiple.*).
    """
    members = [one for one in members_of_grapple(fight, combatant) if grappled_at_round_start(fight, one)]
    if any(MARGIN in one.spent for one in members) or combatant not in members:
        return
    wrestling = [one for one in members if can_wrestle(fight, one) and not is_leaving_freely(fight, one)]
    pairs = {one.id: [other for other in opponents(fight, one) if other in wrestling] for one in wrestling}
    rolling = [one for one in wrestling if pairs[one.id]]
    bout = Bout(
        fight,
        {one.id: grapple_side(fight, one, pairs[one.id], rolling) for one in rolling},
        {one.id: [other.id for other in pairs[one.id]] for one in rolling},
    )
    yield from roll_grapple_checks(bout)
    outcome = fight.rules("woa.grapple.outcome.rule", "woa.grapple.outcome-table")
    margins = {one.id: bout.margin(one.id) for one in rolling}
    for one in rolling:
        yield from shift_advantage(bout, one)
    for one in members:
        if one.id in margins:
            beaten = margins[one.id]
            topic = outcome_of(fight, beaten)
            acts = outcome_row(fight, beaten)["winner_action"] == "takes declared action" and beaten > 0
            said = "ties" if not beaten else f"{'wins' if beaten > 0 else 'loses'} by {abs(beaten)}"
            yield make_round_check_fact(one, said, beaten, *outcome, fight.rule(topic))
            if not acts and can_cast_without_check(one):
                what = "may cast with words alone all the same"
                rule = fight.rule("woa.grapple.activity.cast-components")
                yield RuleApplied(who=one.id, what=what, cites=(rule,))
            elif not acts:
                until = Until("round-end", "", fight.state.round)
                yield ConditionGained(
                    who=one.id,
                    condition="held in check",
                    source="the grapple",
                    until=until,
                    cites=(*outcome, fight.rule(topic)),
                )
        elif can_wrestle(fight, one):
            yield from act_unopposed(fight, one)


def act_unopposed(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Let a grappler act without a check when no able opponent resists it.

    woa.grapple.activity.release, .escape, woa.maneuver.helpless-auto
    """
    parties = [combatant, *opponents(fight, combatant)]
    leaving = {declared_activity(one) for one in parties if is_leaving_freely(fight, one)}
    topic = next((LEAVING[one] for one in LEAVING if one in leaving), "woa.maneuver.helpless-auto")
    won = fight.figure("woa.grapple.outcome.win-by-5", "margin")
    yield make_round_check_fact(combatant, "meets no resistance", won, fight.rule(topic))


def make_round_check_fact(combatant: Combatant, said: str, amount: int, *cites: str) -> ActionSpent:
    """Return the fact that this round's check is made, and the margin of winning it."""
    return ActionSpent(who=combatant.id, kind=MARGIN, what=said, amount=amount, cites=cites)


def can_cast_without_check(combatant: Combatant) -> bool:
    """Return whether a grappler intends to cast and has a spell for which it need not win the check."""
    if declared_activity(combatant) != "cast":
        return False
    return any(needs_no_win(spell) for spell in combatant.sheet.spells)


def shift_advantage(bout: Bout, combatant: Combatant) -> Steps[None]:
    """Give or take the advantage in the next round; without it no pin or lock lasts.

    Each compares its own result with the best of its opponents (woa.grapple.multiple.advantage,
    woa.grapple.advantage, woa.grapple.hold.pin.duration).
    """
    fight, ahead = bout.fight, bout.lead(combatant.id)
    winner = outcome_row(fight, ahead)["advantage_next_round"] == "winner"
    has, had = ahead > 0 and winner, AHEAD in combatant.conditions
    topics = [outcome_of(fight, ahead)]
    others = [bout.wrestlers[other].who for other in bout.against[combatant.id]]
    if len(others) > 1 or any(len(opponents(fight, other)) > 1 for other in others):
        topics.append("woa.grapple.multiple.advantage")
    cites = fight.rules("woa.grapple.advantage", *topics)
    if has == had:
        return
    if has:
        yield ConditionGained(who=combatant.id, condition=AHEAD, source="the grapple check", cites=cites)
    else:
        yield ConditionLost(who=combatant.id, condition=AHEAD, why="lost the check", cites=cites)
        rule = fight.rule("woa.grapple.hold.pin.duration")
        for other in opponents(fight, combatant):
            if holds_and_locks(fight, combatant, other):
                yield from loosen(fight, other, combatant, f"{combatant.id} has lost the advantage", rule)
    said = "gains the advantage" if has else "loses the advantage"
    yield ActionSpent(who=combatant.id, kind=CHANGED, what=said, cites=cites)


def roll_going_to_ground(fight: Fight) -> Steps[None]:
    """At the end of a round, roll whether each grapple whose advantage has changed goes to the ground.

    A grapple already on the ground stays there; so do pins (woa.grapple.going-to-ground).
    """
    seen: set[str] = set()
    topic = "woa.grapple.going-to-ground"
    for one in list(fight.state.combatants.values()):
        if "grappling" not in one.conditions or one.id in seen:
            continue
        members = members_of_grapple(fight, one)
        seen.update(each.id for each in members)
        standing = [each for each in members if "prone" not in each.conditions]
        if not standing or not any(CHANGED in each.spent for each in members):
            continue
        rolled = yield Roll(one.id, "ground", "1d100")
        chance = fight.figure(topic, "chance_percent")
        falls = rolled.total <= chance
        where = "goes to the ground" if falls else "stays on its feet"
        what = f"{rolled.total} of {chance}: the grapple {where}"
        yield RuleApplied(who=one.id, what=what, cites=(fight.rule(topic),))
        for each in standing if falls else ():
            yield ConditionGained(
                who=each.id, condition="prone", source="the grapple", cites=(fight.rule(topic),)
            )
