"""Short and Long Rests: Hit Point Dice, what comes back, and what interrupts a rest."""

from collections.abc import Iterator
from typing import Final

from affray.engine.dialects.srd52.classes import fields_of, modifier_of
from affray.engine.dialects.srd52.conditions import EXHAUSTION, recover_from
from affray.engine.dialects.srd52.damage import KNOCKED_OUT, heal, set_hit_points, wake
from affray.engine.dialects.srd52.features import features_of_sheet, steps_of
from affray.engine.fight.fight import Fight
from affray.engine.kernel.turns import is_decided
from affray.engine.steps import Choice, Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import MaximumChanged, ResourceSpent
from affray.events.facts.flow import TimePassed
from affray.projections.state import Combatant

SPENT: Final = "hit point "
"""The beginning of the resource of Hit Point Dice: "hit point d10"."""


def rest(fight: Fight, act: acts.Rest) -> Steps[None]:
    """Let everybody rest: an hour is a Short Rest, eight are a Long Rest; nothing is gained from less.

    An interrupted Short Rest gives nothing, an interrupted Long Rest what a Short one does.
    """
    short, long = fight.figure("damage.short-rest", "hours"), fight.figure("damage.long-rest", "hours")
    if fight.state.begun and not is_decided(fight):
        raise Refusal("there is no rest in a fight", fight.rule("damage.short-rest-interrupted"))
    if act.hours < short:
        raise Refusal(f"a rest takes {short} hour, or {long}", fight.rule("damage.short-rest"))
    is_long = act.hours >= long
    topic = "damage.long-rest" if is_long else "damage.short-rest"
    interrupted = "damage.long-rest-interrupted" if is_long else "damage.short-rest-interrupted"
    cites = fight.rules(topic, *([interrupted] if act.interrupted else []))
    minutes = act.hours * MINUTES + act.minutes
    yield TimePassed(minutes=minutes, what=act.interrupted, cites=cites)
    if act.interrupted and not is_long:
        return
    for one in list(fight.state.combatants.values()):
        if "stable" in one.conditions and one.hp == 0:
            yield from come_round(fight, one, act.hours)
    for one in list(fight.state.combatants.values()):
        if "dead" in one.conditions or one.hp < fight.figure(topic, "min_hp"):
            continue
        if is_long and not act.interrupted:
            yield from finish_long(fight, one)
        else:
            yield from finish_short(fight, one)


MINUTES: Final = 60


def come_round(fight: Fight, one: Combatant, hours: int) -> Steps[None]:
    """Give a Stable combatant its first hit point back, if the rest is long enough for that."""
    topic = "damage.stable-recovery"
    rolled = yield Roll(one.id, "recovery", fight.figure(topic, "hours"))
    if rolled.total <= hours:
        yield from heal(fight, one, fight.figure(topic, "hp"), "comes round", topic)


def finish_short(fight: Fight, one: Combatant) -> Steps[None]:
    """End a Short Rest: the knocked out wake, and Hit Point Dice may be spent, one after another."""
    yield from steps_of(fight, one, "rested", False)
    if KNOCKED_OUT in one.conditions and fight.option("knock_out_end") == "sidebar":
        yield from wake(fight, one, "a short rest")
    yield from renew(fight, one)
    rule = fight.rule("damage.hit-dice")
    while one.hp < one.max_hp and (dice := [*dice_left(fight, one)]):
        question = f"{one.id} has {one.hp} of {one.max_hp} hit points: does it spend a Hit Point Die?"
        answer = yield Choice(one.id, "spend-die", question, (*dict.fromkeys(dice), "stop"), rule)
        if answer == "stop":
            return
        yield ResourceSpent(who=one.id, resource=f"{SPENT}{answer}", amount=1, cites=(rule,))
        rolled = yield Roll(one.id, "hit-die", f"1{answer}")
        least = fight.figure("damage.hit-dice", "min")
        amount = max(least, rolled.total + modifier_of(fight, one.sheet, "con"))
        yield from heal(fight, one, amount, "a Hit Point Die", "damage.hit-dice")


def renew(fight: Fight, one: Combatant) -> Steps[None]:
    """Return what a Short Rest does of the supplies of features: a use, or all of them."""
    for _, feature, _ in features_of_sheet(fight, one.sheet):
        used = one.resources.get(feature.pool.name, 0) if feature.pool else 0
        if feature.pool and used > 0 and feature.pool.short_rest != "none":
            many = used if feature.pool.short_rest == "all" else 1
            cites = fight.rules(feature.topic, "damage.short-rest")
            yield ResourceSpent(who=one.id, resource=feature.pool.name, amount=-many, cites=cites)


def dice_left(fight: Fight, one: Combatant) -> Iterator[str]:
    """Yield the kinds of Hit Point Dice that a combatant has left: by its classes, or by its size."""
    kinds: dict[str, int] = {}
    for name, level in one.sheet.classes.items():
        die = fight.figure("damage.hit-dice", "classes").get(name)
        if die:
            kinds[die] = kinds.get(die, 0) + level
    if not one.sheet.classes:
        kinds[fight.figure("monster.hit-dice").get(one.sheet.size, "d8")] = one.sheet.hit_dice
    for die, many in kinds.items():
        if one.resources.get(f"{SPENT}{die}", 0) < many:
            yield die


def finish_long(fight: Fight, one: Combatant) -> Steps[None]:
    """End a Long Rest: all hit points, Hit Point Dice and uses come back, one Exhaustion level goes."""
    rule = fight.rule("damage.long-rest-benefits")
    yield from steps_of(fight, one, "rested", True)
    if KNOCKED_OUT in one.conditions:
        yield from wake(fight, one, "a long rest")
    if one.max_hp < one.sheet.hp:
        yield MaximumChanged(who=one.id, max_hp=one.sheet.hp, why="a long rest", cites=(rule,))
    if one.temporary:
        cites = fight.rules("damage.temp-hp-duration")
        yield set_hit_points(one, one.hp, "a long rest", rule, *cites, temporary=0)
    yield from heal(fight, one, one.max_hp, "a long rest", "damage.long-rest-benefits")
    if EXHAUSTION in one.conditions:
        cites = (rule, *fight.rules("conditions.exhaustion-removal"))
        many = -fight.figure("conditions.exhaustion-removal", "long_rest")
        yield from recover_from(fight, one, many, "a long rest", *cites)
    own = {weapon.name for weapon in one.sheet.weapons} | set(fields_of(fight, one).items)
    for name, used in list(one.resources.items()):
        topic = "magic.slots-restored" if name.endswith(" slots") else "test.per-day"
        if used > 0 and name not in own and not name.startswith("damage to "):
            yield ResourceSpent(who=one.id, resource=name, amount=-used, cites=(rule, *fight.rules(topic)))
