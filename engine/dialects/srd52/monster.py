"""Monsters: printed actions, Recharge and uses, targets, and lasting effects."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from msgspec.structs import replace

from affray.engine.dialects.srd52 import areas, damage, test
from affray.engine.dialects.srd52.attacks import (
    prepare,
    reach_with,
    spend_part,
    strike_with,
)
from affray.engine.dialects.srd52.classes import ROUNDS, fields_of
from affray.engine.dialects.srd52.conditions import (
    DISENGAGED,
    gain,
    incapacitating,
    refuse_charmer,
    refuse_charmer_among,
)
from affray.engine.dialects.srd52.environment import ensnare
from affray.engine.dialects.srd52.features import Blow, Dice, Feature, Held
from affray.engine.dialects.srd52.gear import STRIKES
from affray.engine.dialects.srd52.movement import DASH, full_speed, speed_by, teleport
from affray.engine.dialects.srd52.position import (
    SIZES,
    cover_of,
    cover_part,
    displaced,
    distance,
    nearest_free,
    others_at,
    push_away,
    size_of,
    within,
)
from affray.engine.dialects.srd52.printed import (
    LASTING,
    ONCE,
    RECHARGE,
    Action,
    Damage,
    action_named,
    actions_of,
    left_of,
    refuse_unavailable,
    use_up,
    why_unavailable,
)
from affray.engine.dialects.srd52.senses import in_sight, sees
from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import per_company
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import obstructed, space
from affray.engine.kernel import movement
from affray.engine.kernel.actions import can_spend, check_turn, spend
from affray.engine.kernel.contents import spells_left
from affray.engine.steps import NOTHING, Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.base import Name
from affray.events.facts.base import Square as ActSquare
from affray.events.facts.combat import (
    ConditionLost,
    CounterChanged,
    EffectEnded,
    EffectGained,
    MaximumChanged,
    Moved,
    ResourceSpent,
    Until,
)
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import Modifier
from affray.projections.state import Combatant, Effect

# --- How often: Recharge, uses a day, once a round

LEGENDARY: Final = "legendary actions"
"""The resource of Legendary Actions, which its owner's turn renews."""


def pools(fight: Fight, combatant: Combatant) -> Iterator[tuple[str, int]]:
    """Yield the limited resources of a combatant, and how much there is of each."""
    yield from spells_left(fight, combatant)
    for one in actions_of(fight, combatant).values():
        if one.recharge or one.rest:
            yield f"{RECHARGE}{one.name}", 1
        if one.uses:
            yield one.name, one.uses
    if many := legendary_uses(fight, combatant):
        yield LEGENDARY, many
    for name in combatant.sheet.traits:
        word, _, number = name.rpartition(" ")
        if word == RESISTANCE and number.isdecimal():
            yield word, int(number)


RESISTANCE: Final = "legendary resistance"


def start_own_turn(fight: Fight, held: Held) -> Steps[None]:
    """Roll for what recharges, renew Legendary Actions, and let auras and grips of the owner hurt."""
    owner = held.holder
    for name in (LEGENDARY, *(f"{ONCE}{one}" for one in actions_of(fight, owner))):
        if used := owner.resources.get(name, 0):
            cites = fight.rules("monster.legendary-uses")
            yield ResourceSpent(who=owner.id, resource=name, amount=-used, cites=cites)
    for one in actions_of(fight, owner).values():
        if one.recharge and why_unavailable(fight, owner, one)[0]:
            yield from roll_recharge(fight, owner, one)
    for other in list(fight.state.combatants.values()):
        for effect in other.effects:
            action = action_of(fight, effect)
            if effect.stat == LASTING and effect.against == owner.id and action and action.each_own:
                yield from hurt(fight, owner, action.name, other, action.each_own)


def roll_recharge(fight: Fight, owner: Combatant, action: Action) -> Steps[None]:
    """Roll a die for an action: from its number on it comes back."""
    rule, name = fight.rule("monster.recharge"), f"{RECHARGE}{action.name}"
    rolled = yield Roll(owner.id, "recharge", str(fight.figure("monster.recharge", "die")))
    made = rolled.total >= action.recharge
    what = f"{action.name} {'recharges' if made else 'does not recharge'}: {rolled.total}"
    yield RuleApplied(who=owner.id, what=what, cites=(rule,))
    if made and owner.resources.get(name, 0):
        yield ResourceSpent(who=owner.id, resource=name, amount=-owner.resources[name], cites=(rule,))
    if made and fight.option("recharge_start") == "roll-at-start":
        yield CounterChanged(who=owner.id, counter=name, value=1, cites=(rule,))


def rested(fight: Fight, held: Held, long: bool) -> Steps[None]:
    """Bring back by a Short Rest what recharges; a Long Rest returns everything anyway."""
    owner, cites = held.holder, fight.rules("monster.recharge", "monster.recharge-rest")
    for name, used in list(owner.resources.items()):
        if name.startswith(RECHARGE) and used > 0:
            yield ResourceSpent(who=owner.id, resource=name, amount=-used, cites=cites)


# --- Hit points by dice


def roll_hit_points(fight: Fight, one: Combatant) -> Steps[None]:
    """Roll the Hit Point dice of a monster, instead of taking the printed number."""
    cites = fight.rules("monster.hit-points", "monster.hit-dice")
    rolled = yield Roll(one.id, "hit-points", fields_of(fight, one).hit_points.replace(" ", ""))
    points = max(1, rolled.total)
    yield MaximumChanged(who=one.id, max_hp=points, why="its dice", cites=cites)
    yield damage.set_hit_points(one, points, "its dice", *cites)


# --- Whom an action concerns


def targets_of(
    fight: Fight, owner: Combatant, action: Action, target: str, at: Square | None
) -> list[Combatant]:
    """Return the targets of an action: all in its area, or one target. Refuses a target that it excludes."""
    if action.shape:
        met = [
            one for one in in_area(fight, owner, action, at) if not why_excluded(fight, owner, action, one)
        ]
        refuse_charmer_among(fight, owner, met)
        return met
    if not (action.save or action.damage or action.conditions):
        return []
    one = fight.combatant(target)
    rule = fight.rule("monster.save-notation")
    if one.id == owner.id:
        raise Refusal(f"{owner.id} cannot target itself with {action.name}", rule)
    refuse_charmer(fight, owner, one)
    if "dead" in one.conditions:
        raise Refusal(f"{one.id} is dead", rule)
    if not within(owner, one, action.within or REACH_FT):
        raise Refusal(f"{one.id} is beyond the {action.within or REACH_FT} ft. of {action.name}", rule)
    if not in_sight(fight, owner, one) or cover_of(fight, owner, one)[0] == "total":
        raise Refusal(f"{one.id} has total cover from {owner.id}", fight.rule("defense.cover-total"))
    if reason := why_excluded(fight, owner, action, one):
        raise Refusal(f"{one.id} {reason}", rule)
    return [one]


REACH_FT: Final = 5


def in_area(fight: Fight, owner: Combatant, action: Action, at: Square | None) -> list[Combatant]:
    """Return the living combatants in the area of an action, but not its owner."""
    living = [
        one
        for one in fight.state.combatants.values()
        if one.id != owner.id and "dead" not in one.conditions and one.sheet.kind != damage.OBJECT
    ]
    if action.shape == "space":
        own = set(space(owner.at, owner.space))
        return [one for one in living if own.intersection(space(one.at, one.space))]
    squares = squares_of_area(fight, owner, action, at)
    return [one for one in living if not squares.isdisjoint(space(one.at, one.space))]


def squares_of_area(fight: Fight, owner: Combatant, action: Action, at: Square | None) -> frozenset[Square]:
    """Return the squares of the area of an action."""
    size = {"cone": "length", "line": "length", "emanation": "distance"}.get(action.shape, "radius")
    row = {"shape": action.shape, size: action.feet, "width": action.width}
    return areas.area_of(fight, row, owner, at)


def why_excluded(fight: Fight, owner: Combatant, action: Action, one: Combatant) -> str:
    """Return why a combatant is no target of an action, "" if it is one."""
    if one.counters.get(resisted(owner, action)):
        return f"resists the {action.name} of {owner.id} for a day"
    if action.to_size and size_of(one) > SIZES.index(action.to_size):
        return f"is larger than {action.to_size}"
    if action.only and not any(is_such(owner, one, word) for word in action.only):
        return f"is not {' or '.join(action.only)}"
    if wrong := next((word for word in action.but if is_such(owner, one, word)), ""):
        return f"is {wrong}"
    if action.swallow and len(swallowed_by(fight, owner)) >= action.swallow[3]:
        return f"does not fit into {owner.id} any more"
    return ""


def is_such(owner: Combatant, one: Combatant, word: str) -> bool:
    """Return whether a combatant is an enemy, has a condition, grappled and charmed by the owner, or is of
    such a kind.
    """
    if word == "enemies":
        return one.side != owner.side
    if word in ("grappled", "charmed"):
        held = one.conditions.get(word)
        return held is not None and held.source == owner.id
    if word == "helpless":
        return any(name in one.conditions for name in ("grappled", "restrained")) or bool(incapacitating(one))
    return word in one.conditions or word == one.sheet.kind


def resisted(owner: Combatant, action: Action) -> str:
    """Return the counter of a target that has resisted an action for a day."""
    return f"resists {action.name} of {owner.id}"


# --- What an action does


def affect(fight: Fight, owner: Combatant, action: Action, targets: Sequence[Combatant]) -> Steps[None]:
    """Let targets save, roll damage once for all of them, and apply the effects of a failure."""
    rule = fight.rule("monster.save-notation")
    rule = fight.rule("monster.trait-trample") if action.shape == "path" else rule
    against = frozenset((*action.conditions[:1], "action"))
    saved: dict[str, bool] = {}
    for one in targets:
        if action.save:
            saved[one.id] = yield from test.save(
                fight,
                one,
                action.save,
                action.dc,
                *cover_on_save(fight, owner, action, one),
                against=against,
                why=action.name,
                cites=(rule, *fight.rules("test.save-forced")),
            )
    ledgers: dict[str, dict[str, int]] = {one.id: {} for one in targets}
    dealt = [one for one in targets if not self_kills(action, one) or saved.get(one.id)]
    if action.damage and dealt:
        cites = fight.rules("damage.roll", "monster.damage-notation")
        if len(targets) > 1:
            cites = (*cites, *fight.rules("damage.multi-target-roll"))
        dice = [Dice(notation, kind, action.name) for notation, kind in action.damage]
        rolled = yield from damage.roll_damage(fight, owner.id, dice, False)
        for one in dealt:
            share = damage.share_on_save(fight, one, action.save, saved.get(one.id, False), action.half)
            if share is None:
                continue
            blow = Blow(owner.id, action.name, halved=share.halved, halving=share.halving)
            yield from damage.settle(fight, one, blow, rolled, cites=cites, ledger=ledgers[one.id])
    for one in targets:
        if saved.get(one.id):
            if action.resist_once:
                counter = resisted(owner, action)
                yield CounterChanged(who=one.id, counter=counter, value=1, cites=(rule,))
        else:
            yield from impose(fight, owner, action, one, ledgers[one.id])
    if action.feeds:
        amount = sum(ledger.get(action.feeds, 0) for ledger in ledgers.values())
        yield from damage.heal(fight, owner, amount, action.name, "monster.trait-life-drain")


def self_kills(action: Action, one: Combatant) -> bool:
    """Return whether an action drops a target to 0 hit points that has so few."""
    return bool(action.kills) and one.hp <= action.kills


def cover_on_save(fight: Fight, owner: Combatant, action: Action, one: Combatant) -> list[Modifier]:
    """Return what cover adds to a Dexterity save."""
    return cover_part(fight, owner, one, "dex_save") if action.save == "dex" else []


def impose(
    fight: Fight, owner: Combatant, action: Action, one: Combatant, ledger: Mapping[str, int]
) -> Steps[None]:
    """Apply the effects of a failed save or a hit: conditions, movement, lost maximum hit points."""
    rule = fight.rule(topic_of(action))
    if self_kills(action, one):
        yield from damage.lose(fight, one, one.hp + one.temporary, Blow(owner.id, action.name))
    if "dead" in one.conditions:
        return
    if action.drain:
        lost = sum(ledger.values()) if action.drain == "all" else ledger.get(action.drain, 0)
        if lost:
            rules = fight.rules("monster.trait-life-drain")
            yield from damage.reduce_maximum(fight, one, lost, action.name, *rules)
    if action.lowers[0]:
        yield from damage.roll_lowering(fight, one, action.lowers, action.name, action.fatal, rule)
        if "dead" in one.conditions:
            return
    if action.push:
        yield from push_away(fight, owner, one, action.push, topic_of(action))
    if action.pull:
        yield from pull_toward(fight, owner, one, action.pull, rule)
    until = moment(fight, owner, one, action)
    if action.swallow:
        yield from swallow(fight, owner, action, one)
    else:
        yield from bind(fight, owner, action, one, until)
    yield from hamper(fight, owner, action, one, until)


def topic_of(action: Action) -> str:
    """Return the topic of the rule on what an action does."""
    if action.swallow:
        return "monster.trait-swallow"
    if action.shape == "path":
        return "monster.trait-trample"
    if action.web:
        return "monster.trait-web-strand"
    if action.escape:
        return "monster.trait-grapple-on-hit"
    if action.then:
        return "monster.trait-petrifying-gaze"
    if action.kind == "death":
        return "monster.trait-death-burst"
    if action.kind.startswith("aura"):
        return "monster.trait-auras"
    return "monster.hit-miss-notation" if action.kind == "attack" else "monster.save-notation"


def moment(fight: Fight, owner: Combatant, one: Combatant, action: Action) -> Until:
    """Return the moment at which what an action does ends."""
    if not action.until:
        minute = Until("turn-end", one.id, fight.state.round + ROUNDS["minute"])
        return minute if action.minute else Until()
    whose, _, when = action.until.partition(" ")
    who = owner if whose == "own" else one
    return Until(f"turn-{when}", who.id, fight.state.round + (not is_to_come(fight, who)))


def is_to_come(fight: Fight, who: Combatant) -> bool:
    """Return whether a combatant's turn in this round has not begun yet."""
    order, now = list(fight.state.order), fight.state.active or fight.scope.removeprefix(AFTER)
    if who.id not in order or now not in order:
        return False
    return order.index(now) < order.index(who.id)


AFTER: Final = "after:"
"""The beginning of the scope of Legendary Actions: after whose turn they are taken."""


def bind(fight: Fight, owner: Combatant, action: Action, one: Combatant, until: Until) -> Steps[None]:
    """Give a target the conditions of an action; the first one carries the others, and what lasts with it."""
    names = action.tied()
    if "prone" in action.conditions:
        yield from gain(fight, one, "prone", owner.id)
    if action.web:
        row, rule = fight.figure(topic_of(action)), fight.rule(topic_of(action))
        immune = [kind for kind in row["immune"] if action.web == "web" or kind != "bludgeoning"]
        yield from ensnare(fight, one, "web", {**row, "immune": immune}, rule)
        return
    if names and names[0] in one.conditions and names[0] != "exhaustion":
        return
    for name in names[:1]:
        yield from gain(fight, one, name, owner.id, until)
    if names and names[0] not in one.conditions:
        return
    if action.lasts():
        yield lasting(fight, owner, action, one, until, 1)
    for name in names[1:]:
        yield from gain(fight, one, name, owner.id, until)


def lasting(
    fight: Fight, owner: Combatant, action: Action, one: Combatant, until: Until, stage: int
) -> EffectGained:
    """Return the fact that an action goes on acting on a target; the stage counts its failed saves."""
    return EffectGained(
        who=one.id,
        id=f"{action.name}:{owner.id}:{stage}",
        stat=LASTING,
        modifier=Modifier(stage, "action", action.name, fight.rule(topic_of(action))),
        until=until,
        against=owner.id,
        cites=fight.rules(topic_of(action)),
    )


def hamper(fight: Fight, owner: Combatant, action: Action, one: Combatant, until: Until) -> Steps[None]:
    """Slow a target, daze it, or let its next attack or the next one against it be easier or harder."""
    rule, key = fight.rule(topic_of(action)), f"{action.name}:{owner.id}"
    if action.slow:
        feet = -(one.sheet.speed // 2) if action.slow < 0 else -action.slow
        part = Modifier(feet, "untyped", action.name, rule)
        yield EffectGained(
            who=one.id, id=f"{key}:slow", stat="speed", modifier=part, until=until, cites=(rule,)
        )
    for stat, wanted, kind in (
        (f"attacked by {owner.side}", action.vexed, test.ADVANTAGE),
        ("attack", action.sapped, test.DISADVANTAGE),
    ):
        if wanted:
            part = Modifier(0, kind, action.name, rule)
            yield EffectGained(
                who=one.id, id=f"{key}:{stat}", stat=stat, modifier=part, until=until, uses=1, cites=(rule,)
            )
    if action.dazed:
        part = Modifier(0, "action", action.name, rule)
        yield EffectGained(
            who=one.id,
            id=f"{key}:dazed",
            stat=DAZED,
            modifier=part,
            until=until,
            against=owner.id,
            cites=(rule,),
        )


DAZED: Final = "dazed"
"""The stat of effects that keep a target from Reactions or Bonus Actions."""


def may_react(fight: Fight, held: Held) -> bool:
    """Return whether a dazed combatant can take Reactions."""
    found = dazed_by(fight, held)
    return found is None or found.dazed == "bonus"


def budget_of_dazed(fight: Fight, held: Held, allowed: Mapping[str, int]) -> Mapping[str, int]:
    """Return the actions of the turn of a dazed combatant: an action or a Bonus Action, not both."""
    found, spent = dazed_by(fight, held), held.holder.spent
    if found is None or found.dazed == "reactions":
        return allowed
    if found.dazed == "bonus" or spent.get("action"):
        return {**allowed, "bonus": 0}
    return {**allowed, "action": 0} if spent.get("bonus") else allowed


def dazed_by(fight: Fight, held: Held) -> Action | None:
    """Return the action that has dazed a combatant."""
    effect = next((one for one in held.holder.effects if one.id == held.id), None)
    return action_of(fight, effect) if effect is not None else None


def pull_toward(fight: Fight, owner: Combatant, one: Combatant, feet: int, rule: str) -> Steps[None]:
    """Pull a target straight toward the owner, until it is next to it."""
    here, path = one.at, list[Square]()
    for _ in range(feet // SQUARE_FT):
        dx = (owner.at[0] > here[0]) - (owner.at[0] + owner.space <= here[0])
        dy = (owner.at[1] > here[1]) - (owner.at[1] + owner.space <= here[1])
        there = here[0] + dx, here[1] + dy
        if there == here or obstructed(fight.field, here, there, one.space) or others_at(fight, one, there):
            break
        path.append(there)
        here = there
    if path:
        cites = (rule, *fight.rules("opportunity.forced-movement"))
        how = f"pulled by {owner.id}"
        yield displaced(one, tuple(path), how, cites)


def hurt(fight: Fight, owner: Combatant, source: str, one: Combatant, harm: Damage) -> Steps[None]:
    """Deal damage that needs neither an attack nor a save."""
    if "dead" in one.conditions:
        return
    dice = [Dice(notation, kind, source) for notation, kind in harm]
    cites = fight.rules("damage.roll")
    yield from damage.deal(fight, one, Blow(owner.id, source), dice, cites=cites)


# --- While it lasts


def action_of(fight: Fight, effect: Effect) -> Action | None:
    """Return the printed action to which an effect belongs."""
    owner = fight.state.combatants.get(effect.against)
    return None if owner is None else actions_of(fight, owner).get(effect.modifier.source)


def lasting_of(fight: Fight, held: Held) -> tuple[Effect, Combatant, Action] | None:
    """Return the effect, the owner and the action of what a combatant is under."""
    effect = next((one for one in held.holder.effects if one.id == held.id), None)
    owner = fight.state.combatants.get(held.caster)
    action = action_of(fight, effect) if effect is not None else None
    return None if effect is None or owner is None or action is None else (effect, owner, action)


def start_under(fight: Fight, held: Held) -> Steps[None]:
    """Deal the damage at the start of the turns of a target."""
    if (found := lasting_of(fight, held)) and found[2].each_turn:
        _, owner, action = found
        yield from hurt(fight, owner, action.name, held.holder, action.each_turn)


def hurt_under(fight: Fight, held: Held, blow: Blow, amount: int) -> Steps[None]:
    """End what damage to the target ends."""
    if (found := lasting_of(fight, held)) and found[2].broken:
        yield from end_lasting(fight, held.holder, found[0], "it takes damage")


def end_under(fight: Fight, held: Held) -> Steps[None]:
    """Let a target repeat its save at the end of its turn, or go on to the second stage."""
    found = lasting_of(fight, held)
    if not found:
        return
    effect, owner, action = found
    one, stage = held.holder, effect.modifier.value
    if not (action.repeats and stage == 1) and not (action.again and stage > 1):
        return
    if stage == 1 and action.then and effect.until.when and not is_due(fight, effect, one):
        return
    cites = (effect.modifier.rule, *fight.rules("monster.save-notation"))
    saved = yield from test.save(
        fight,
        one,
        action.save,
        action.dc,
        against=frozenset((*action.conditions[:1], "action")),
        why=action.name,
        cites=cites,
    )
    if saved:
        yield from end_lasting(fight, one, effect, "it saves")
        if action.resist_once:
            yield CounterChanged(who=one.id, counter=resisted(owner, action), value=1, cites=cites)
    elif stage == 1 and action.then:
        yield from end_lasting(fight, one, effect, "it fails again")
        later = replace(action, conditions=listed_then(action), until="", repeats=False)
        until = moment(fight, owner, one, later)
        for name in later.conditions:
            yield from gain(fight, one, name, owner.id, until)
        if action.again or action.broken:
            yield lasting(fight, owner, later, one, until, 2)


def is_due(fight: Fight, effect: Effect, one: Combatant) -> bool:
    """Return whether an effect ends with this turn of a combatant."""
    return effect.until.who == one.id and effect.until.round <= fight.state.round


def listed_then(action: Action) -> tuple[str, ...]:
    """Return the conditions after a second failure."""
    return tuple(one.strip() for one in action.then.split(","))


def end_lasting(fight: Fight, one: Combatant, effect: Effect, why: str) -> Steps[None]:
    """End what an action does to a target, with all of its conditions."""
    yield from list(facts_of_end(fight, one, effect, why))


def facts_of_end(
    fight: Fight, one: Combatant, effect: Effect, why: str, but: str = ""
) -> Iterator[EffectEnded | ConditionLost]:
    """Yield the facts that end an effect of an action and its conditions, apart from one."""
    cites = (effect.modifier.rule,)
    yield EffectEnded(who=one.id, id=effect.id, why=why, cites=cites)
    action = action_of(fight, effect)
    if action is None:
        return
    names = action.tied() if effect.modifier.value == 1 else listed_then(action)
    if action.swallow:
        names = (SWALLOWED, *action.conditions)
    for name in names:
        held = one.conditions.get(name)
        if name != but and held is not None and held.source == effect.against:
            yield ConditionLost(who=one.id, condition=name, why=why, cites=cites)


@per_company()
def actions_that_end(fight: Fight) -> tuple[EffectEnded | ConditionLost, ...]:
    """Return the facts that end what lasts no longer: its first condition is gone, or its owner is dead."""
    made: list[EffectEnded | ConditionLost] = []
    for one in fight.state.combatants.values():
        for effect in one.effects:
            if effect.stat != LASTING:
                continue
            action, owner = action_of(fight, effect), fight.state.combatants.get(effect.against)
            if action is None or owner is None:
                continue
            if action.swallow:
                made += facts_inside(fight, one, owner)
                continue
            names = action.tied() if effect.modifier.value == 1 else listed_then(action)
            if names and names[0] not in one.conditions:
                keep = fight.option("escape_ends_both") == "grapple-only" and names[0] == "grappled"
                ended = list(facts_of_end(fight, one, effect, f"it is no longer {names[0]}"))
                made += ended[:1] if keep else ended
    return tuple(made)


# --- Swallowing

SWALLOWED: Final = "swallowed"
"""The condition of a creature inside another one."""


def swallowed_by(fight: Fight, owner: Combatant) -> list[Combatant]:
    """Return those inside a combatant."""
    return [
        one
        for one in fight.state.combatants.values()
        if (held := one.conditions.get(SWALLOWED)) is not None and held.source == owner.id
    ]


def swallow(fight: Fight, owner: Combatant, action: Action, one: Combatant) -> Steps[None]:
    """Swallow a target: it is no longer grappled, but inside, with the conditions of the action."""
    rule = fight.rule("monster.trait-swallow")
    if "grappled" in one.conditions:
        yield ConditionLost(who=one.id, condition="grappled", why="it is swallowed", cites=(rule,))
    for name in (SWALLOWED, *action.conditions):
        yield from gain(fight, one, name, owner.id)
    yield lasting(fight, owner, action, one, Until(), 1)
    yield displaced(one, (owner.at,), f"swallowed by {owner.id}", (rule,))


def take_along(fight: Fight, fact: Moved) -> Steps[None]:
    """Move those inside a combatant along with it."""
    owner = fight.combatant(fact.who)
    for one in swallowed_by(fight, owner):
        if one.at != owner.at:
            yield displaced(one, (owner.at,), f"inside {owner.id}", fight.rules("monster.trait-swallow"))


def facts_inside(fight: Fight, one: Combatant, owner: Combatant) -> Iterator[ConditionLost]:
    """Yield what follows for a creature inside a corpse, which does not restrain it."""
    if "dead" in owner.conditions and "restrained" in one.conditions:
        cites = fight.rules("monster.trait-swallow-release")
        for name in ("restrained", "blinded"):
            held = one.conditions.get(name)
            if held is not None and held.source == owner.id:
                yield ConditionLost(who=one.id, condition=name, why=f"{owner.id} is dead", cites=cites)


INSIDE: Final = "damage from inside"
"""The counter of damage in a turn by those inside."""


HURT: Final = "damage in this turn"
"""The counter of damage to a creature with several heads in a turn."""


def hurt_from_inside(fight: Fight, held: Held, blow: Blow, amount: int) -> Steps[None]:
    """Count the damage of a turn by those inside; enough of it may make the owner spit them out."""
    owner = held.holder
    inside = swallowed_by(fight, owner)
    if "dead" in owner.conditions or blow.attacker not in [one.id for one in inside]:
        return
    cites = fight.rules("monster.trait-swallow-release")
    so_far = owner.counters.get(INSIDE, 0) + amount
    yield CounterChanged(who=owner.id, counter=INSIDE, value=so_far, cites=cites)


def end_any_turn(fight: Fight, ended: Combatant) -> Steps[None]:
    """Let those who took enough damage from inside in this turn save, or spit them out."""
    return after_hurt(fight) if fight.memory.company[any_hurt] else NOTHING


@per_company()
def any_hurt(fight: Fight) -> bool:
    """Return whether the damage of this turn is counted for any combatant."""
    owners = fight.state.combatants.values()
    return any(owner.counters.get(HURT) or owner.counters.get(INSIDE) for owner in owners)


def after_hurt(fight: Fight) -> Steps[None]:
    """Settle what the damage of this turn leads to, and count that of the next one anew."""
    for owner in list(fight.state.combatants.values()):
        if owner.counters.get(HURT):
            cites = fight.rules("monster.trait-hydra-heads")
            yield CounterChanged(who=owner.id, counter=HURT, value=0, cites=cites)
        taken = owner.counters.get(INSIDE, 0)
        if not taken:
            continue
        rule = fight.rule("monster.trait-swallow-release")
        yield CounterChanged(who=owner.id, counter=INSIDE, value=0, cites=(rule,))
        action = next((one for one in actions_of(fight, owner).values() if one.swallow), None)
        if action is None or taken < action.swallow[0] or "dead" in owner.conditions:
            continue
        why = f"{taken} damage from inside"
        if not (yield from test.save(fight, owner, "con", action.swallow[1], why=why, cites=(rule,))):
            for one in swallowed_by(fight, owner):
                yield from come_out(fight, owner, one, "it is spat out", 0)


def come_out(fight: Fight, owner: Combatant, one: Combatant, why: str, feet: int) -> Steps[None]:
    """Put a creature from inside another next to it, Prone."""
    rule = fight.rule("monster.trait-swallow-release")
    effect = next((e for e in one.effects if e.stat == LASTING and e.against == owner.id), None)
    if effect is not None:
        yield from end_lasting(fight, one, effect, why)
    if SWALLOWED in one.conditions:
        yield ConditionLost(who=one.id, condition=SWALLOWED, why=why, cites=(rule,))
    beside = nearest_free(fight, one, owner.at)
    if beside:
        yield Moved(
            who=one.id, start=one.at, path=(beside[0],), feet=feet, diagonals=0, how=why, cites=(rule,)
        )
    yield from gain(fight, one, "prone", why)


class CrawlOut(acts.Act, frozen=True, gc=False, tag="srd52.crawl-out"):
    """Crawl out of the corpse of the creature that has swallowed the actor."""


def crawl_out(fight: Fight, act: CrawlOut) -> Steps[None]:
    """Leave a corpse by movement, Prone."""
    actor, rule = fight.combatant(act.actor), fight.rule("monster.trait-swallow-release")
    check_turn(fight, actor)
    held = actor.conditions.get(SWALLOWED)
    owner = fight.state.combatants.get(held.source) if held is not None else None
    if owner is None or "dead" not in owner.conditions:
        raise Refusal(f"{actor.id} is not inside a corpse", rule)
    action = next((one for one in actions_of(fight, owner).values() if one.swallow), None)
    feet = action.swallow[2] if action is not None else 0
    if feet > fight.dialect.kernel.speed(fight, actor):
        raise Refusal(f"crawling out takes {feet} ft. of movement", rule)
    yield from come_out(fight, owner, actor, "it crawls out", feet)


# --- Using an action


class UseAction(acts.Act, frozen=True, gc=False, tag="srd52.use-action"):
    """Use an action or Bonus Action of the stat block other than an attack.

    action: its name.
    target: the creature that it concerns.
    at: the square at which a cone or line is aimed, the centre of a sphere, or where a leap or teleport ends.
    path: the squares entered, for an action with a movement.
    weapon: the attack that follows, if the action lets its user choose.
    """

    action: Name = ""
    target: Name = ""
    at: ActSquare | None = None
    path: acts.Path = ()
    weapon: Name = ""


def use_action(fight: Fight, act: UseAction) -> Steps[None]:
    """Use a printed action: it takes the action, a Bonus Action, or a part of a Multiattack that lists it."""
    actor = fight.combatant(act.actor)
    check_turn(fight, actor)
    action = action_named(fight, actor, act.action, "action", "bonus")
    refuse_unavailable(fight, actor, action)
    refuse_movement(fight, actor, action, act.path, act.at)
    target = act.target
    if action.makes and target:
        prepare_after(fight, actor, action, target, act.path)
    chosen = targets_of(fight, actor, action, target, act.at) if not action.makes and not act.path else []
    if action.shape == "path":
        chosen = trampled(fight, actor, action, act.path)
    if action.shape and not action.moves and not chosen:
        raise Refusal(f"{action.name} has no target there", fight.rule("monster.save-notation"))
    yield from spend_use(fight, actor, action)
    yield from use_up(fight, actor, action)
    yield from carry_out(fight, actor, action, chosen, act)


def spend_use(fight: Fight, actor: Combatant, action: Action) -> Steps[None]:
    """Spend what an action takes: a part of the Multiattack, the action, or the Bonus Action."""
    if action.kind == "bonus":
        yield spend(fight, actor, "bonus", action.name, fight.rule("monster.bonus-reactions"))
    elif action.name in left_of(fight, actor) and (
        actor.spent.get(STRIKES) or can_spend(fight, actor, "action")
    ):
        yield from spend_part(fight, actor, action.name, fight.rule("monster.multiattack"))
    else:
        yield spend(fight, actor, "action", action.name, fight.rule("monster.actions"))


def carry_out(
    fight: Fight,
    actor: Combatant,
    action: Action,
    chosen: Sequence[Combatant],
    said: UseAction,
) -> Steps[None]:
    """Do what an action says: move, concern its targets, help its user, and make the attacks that follow."""
    yield from move_first(fight, actor, action, said.path, said.at)
    yield from affect(fight, actor, action, chosen)
    yield from help_itself(fight, actor, action)
    if action.follows:
        other = actions_of(fight, actor)[action.follows]
        more = targets_of(fight, actor, other, said.target, said.at)
        yield from affect(fight, actor, other, more)
    if action.makes and said.target:
        name = said.weapon if said.weapon in action.makes else action.makes[0]
        yield from strike_again(fight, actor, fight.combatant(said.target), name)


def help_itself(fight: Fight, actor: Combatant, action: Action) -> Steps[None]:
    """Give the user of an action hit points, Armor Class, or what general actions give."""
    rule = fight.rule("monster.actions")
    for notation, purpose in ((action.heals, "healing"), (action.temporary, "temporary")):
        if notation:
            rolled = yield Roll(actor.id, purpose, notation)
            if purpose == "healing":
                yield from damage.heal(fight, actor, rolled.total, action.name)
            else:
                yield from damage.grant_temporary(fight, actor, rolled.total, action.name, rule)
    if action.aid:
        part = Modifier(action.aid, "untyped", action.name, rule)
        yield EffectGained(
            who=actor.id,
            id=f"{action.name}:{actor.id}:aid",
            stat="defense",
            modifier=part,
            until=Until("turn-end", actor.id, fight.state.round + (not is_to_come(fight, actor))),
            cites=(rule,),
        )
    if "dash" in action.takes:
        feet, rules = full_speed(fight, actor), fight.rules("turns.dash")
        yield ActionSpent(who=actor.id, kind=DASH, what=action.name, amount=feet, cites=rules)
    if "disengage" in action.takes:
        yield from gain(fight, actor, DISENGAGED, "", Until("turn-end", actor.id, fight.state.round))


def strike_again(fight: Fight, actor: Combatant, target: Combatant, weapon: str) -> Steps[None]:
    """Make an attack that belongs to an action, if it is possible where its user is now."""
    arm = next(one for one in actor.sheet.weapons if one.name == weapon)
    try:
        strike = prepare(fight, actor, target, arm, False)
    except Refusal as refusal:
        yield RuleApplied(who=actor.id, what=f"makes no attack: {refusal.reason}", cites=(refusal.rule,))
        return
    if fight.dialect.kernel.can_act(fight, actor):
        yield from strike_with(fight, strike)


# --- Movement as a part of an action


def allowance(fight: Fight, actor: Combatant, action: Action) -> int:
    """Return the feet of the movement of an action."""
    if not action.moves or "teleport" in action.moves:
        return 0
    feet = speed_by(fight, actor, way_of(action))
    return feet // 2 if action.moves.startswith("half") else feet


def way_of(action: Action) -> str:
    """Return the way of moving of an action."""
    way = action.moves.rpartition(" ")[2]
    return way if way in ("fly", "swim") else "normal"


def refuse_movement(
    fight: Fight, actor: Combatant, action: Action, path: Sequence[Square], at: Square | None
) -> None:
    """Refuse a path that the movement of an action does not allow, and a place beyond a leap or teleport."""
    rule = fight.rule("monster.actions")
    if path and not allowance(fight, actor, action):
        raise Refusal(f"{action.name} is no movement", rule)
    if path and action.shape == "path":
        refuse_trampling(fight, actor, action, path)
    elif path:
        how = way_of(action)
        whole = movement.whole_path(fight, actor, acts.Move(actor=actor.id, path=tuple(path), how=how), rule)
        cost = fight.dialect.kernel.measure(fight, actor, whole, how).feet
        if cost > allowance(fight, actor, action):
            raise Refusal(f"{action.name} is a movement of {allowance(fight, actor, action)} ft.", rule)
        away = fight.enemies(actor)
        if action.straight and not any(
            is_straight(actor, whole, one) and sees(fight, actor, one) for one in away
        ):
            raise Refusal(f"{action.name} goes straight toward an enemy", rule)
    feet = action.leap or (int(action.moves.partition(" ")[2] or 0) if "teleport" in action.moves else 0)
    if feet:
        if at is None or not fight.field.passable(at, actor.space):
            raise Refusal(f"{action.name} needs a free place", rule)
        far = SQUARE_FT * max(abs(at[0] - actor.at[0]), abs(at[1] - actor.at[1]))
        if far > feet or others_at(fight, actor, at):
            raise Refusal(f"{action.name} goes to a free place within {feet} ft.", rule)
        if action.leap and not full_speed(fight, actor):
            raise Refusal(f"the Speed of {actor.id} is 0", rule)


def trampled(fight: Fight, actor: Combatant, action: Action, path: Sequence[Square]) -> list[Combatant]:
    """Return those whose spaces a path enters, each once; allies of its size may be passed unharmed."""
    met = {one.id: one for there in path for one in others_at(fight, actor, there)}
    struck = [one for one in met.values() if not why_excluded(fight, actor, action, one)]
    refuse_charmer_among(fight, actor, struck)
    return struck


def refuse_trampling(fight: Fight, actor: Combatant, action: Action, path: Sequence[Square]) -> None:
    """Refuse a path through walls or larger creatures, into an occupied space, or longer than the Speed."""
    rule = fight.rule("monster.trait-trample")
    for here, there in pairwise((actor.at, *path)):
        beside = max(abs(here[0] - there[0]), abs(here[1] - there[1])) == 1
        if not beside or obstructed(fight.field, here, there, actor.space):
            raise Refusal(f"the path to {there[0]},{there[1]} is blocked", rule)
        for one in others_at(fight, actor, there):
            if one.side != actor.side and why_excluded(fight, actor, action, one):
                raise Refusal(f"{one.id} is in the way", rule)
    if others_at(fight, actor, path[-1]):
        raise Refusal(f"{actor.id} cannot end its move in another's space", rule)
    if len(path) * SQUARE_FT > allowance(fight, actor, action):
        raise Refusal(f"{action.name} is a movement of {allowance(fight, actor, action)} ft.", rule)


def is_straight(actor: Combatant, whole: Sequence[Square], target: Combatant) -> bool:
    """Return whether each step of a path goes in one direction, and nearer to a target."""
    steps = {(there[0] - here[0], there[1] - here[1]) for here, there in pairwise(whole)}
    nearer = distance(actor, target, whole[0]) - distance(actor, target, whole[-1])
    return len(steps) == 1 and nearer == SQUARE_FT * (len(whole) - 1)


def move_first(
    fight: Fight, actor: Combatant, action: Action, path: Sequence[Square], at: Square | None
) -> Steps[None]:
    """Make the movement of an action, which does not come off the movement of the turn."""
    rule = fight.rule("monster.actions")
    if path:
        way = way_of(action)
        if fight.state.active == actor.id:
            feet = fight.dialect.kernel.measure(fight, actor, (actor.at, *path), way).feet
            yield ActionSpent(who=actor.id, kind=DASH, what=action.name, amount=feet, cites=(rule,))
        if action.free and DISENGAGED not in actor.conditions:
            yield from gain(fight, actor, DISENGAGED, action.name)
        yield from movement.walk(fight, actor, path, way, rule)
        held = actor.conditions.get(DISENGAGED)
        if action.free and held is not None and held.source == action.name:
            yield ConditionLost(who=actor.id, condition=DISENGAGED, why="the movement ends", cites=(rule,))
    elif at is not None and "teleport" in action.moves:
        yield from teleport(fight, actor, at, rule)
    elif at is not None and action.leap:
        yield Moved(
            who=actor.id,
            start=actor.at,
            path=(at,),
            feet=COST_OF_LEAP if fight.state.active == actor.id else 0,
            diagonals=0,
            how="leap",
            cites=(rule,),
        )


COST_OF_LEAP: Final = 10
"""The feet of movement that a leap of a stat block takes."""


def prepare_after(
    fight: Fight, actor: Combatant, action: Action, target: str, path: Sequence[Square]
) -> None:
    """Refuse an attack after a movement on a target that it does not reach from there."""
    other = fight.combatant(target)
    where = path[-1] if path else actor.at
    arms = [one for one in actor.sheet.weapons if one.name in action.makes]
    reach = max(max(reach_with(fight, actor, one), one.range) for one in arms)
    if distance(actor, other, where) > reach:
        rule = fight.rule("attacks.reach")
        raise Refusal(f"{target} is out of the reach of {action.name} from there", rule)


# --- Legendary Actions


def legendary_uses(fight: Fight, combatant: Combatant) -> int:
    """Return the Legendary Actions between two turns of a combatant: printed, or as the reading says."""
    if not any(one.kind == "legendary" for one in actions_of(fight, combatant).values()):
        return 0
    printed = fields_of(fight, combatant).legendary
    usual = fight.figure("monster.legendary-uses", "usual")
    return printed or (usual if fight.option("legendary_uses") == "three" else 0)


# --- Features that follow from the sheet and from what a combatant is under

ACTING: Final = Feature(
    topic="monster.actions",
    field="actions",
    turn_start=start_own_turn,
    after_damage=hurt_from_inside,
    rested=rested,
)
UNDER: Final = Feature(
    topic="monster.save-notation", turn_start=start_under, turn_end=end_under, after_damage=hurt_under
)
