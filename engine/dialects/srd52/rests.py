"""Short and Long Rests: Hit Point Dice, what comes back, and what interrupts a rest."""

from collections.abc import Iterator
from typing import Final

from affray.engine.dialects.srd52.classes import ROUNDS, fields_of, modifier_of
from affray.engine.dialects.srd52.conditions import (
    EXHAUSTION,
    MINUTES,
    for_rounds,
    forgotten,
    pass_time,
    recover_from,
    rounds_left,
)
from affray.engine.dialects.srd52.damage import KNOCKED_OUT, heal, restore_score, set_hit_points, wake
from affray.engine.dialects.srd52.features import features_of_sheet, steps_of
from affray.engine.dialects.srd52.magic import lose_concentration
from affray.engine.fight.fight import Fight
from affray.engine.kernel.turns import is_decided
from affray.engine.steps import Choice, Refusal, Roll, Steps
from affray.events.errors import counted
from affray.events.facts import acts
from affray.events.facts.base import Number
from affray.events.facts.combat import MaximumChanged, ResourceSpent
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant

SPENT: Final = "hit point "
"""The beginning of the resource of Hit Point Dice: "hit point d10"."""


def rest(fight: Fight, act: acts.Rest) -> Steps[None]:
    """Let all combatants rest: an hour is a Short Rest, eight are a Long Rest; nothing is gained from less.

    An interrupted Short Rest gives nothing, an interrupted Long Rest what a Short one does; one that is
    resumed takes an hour more for each interruption. A creature that cannot begin a Long Rest yet, so soon
    after another one, has a Short Rest.
    """
    short, long = fight.figure("damage.short-rest", "hours"), fight.figure("damage.long-rest", "hours")
    refuse_in_fight(fight, "there is no rest in a fight")
    if act.hours < short:
        raise Refusal(f"a rest takes {short} hour, or {long}", fight.rule("damage.short-rest"))
    long += act.resumed * fight.figure("damage.long-rest", "resume_hours")
    is_long = act.hours >= long
    topic = "damage.long-rest" if is_long else "damage.short-rest"
    interrupted = "damage.long-rest-interrupted" if is_long else "damage.short-rest-interrupted"
    broken = act.interrupted or act.resumed
    cites = fight.rules(topic, *([interrupted] if broken else []))
    waits = {one.id: hours_to_wait(fight, one) for one in fight.state.combatants.values()}
    yield from pass_time(fight, act.hours * MINUTES + act.minutes, act.interrupted, *cites)
    if act.interrupted and not is_long:
        return
    yield from come_round(fight, act.hours)
    for one in list(fight.state.combatants.values()):
        if "dead" in one.conditions or one.hp < fight.figure(topic, "min_hp"):
            continue
        if not is_long or act.interrupted:
            yield from finish_short(fight, one)
        elif act.hours - waits[one.id] < long:
            rule, wait = fight.rule("damage.long-rest"), counted(waits[one.id], "hour")
            yield RuleApplied(who=one.id, what=f"cannot begin a Long Rest for {wait}", cites=(rule,))
            yield from finish_short(fight, one)
        else:
            yield from finish_long(fight, one)


def refuse_in_fight(fight: Fight, reason: str) -> None:
    """Refuse what takes its time while enemies fight."""
    if fight.state.begun and not is_decided(fight):
        raise Refusal(reason, fight.rule("damage.short-rest-interrupted"))


RESTED: Final = "no other Long Rest"
"""The effect on a creature for the hours between two Long Rests."""


def hours_to_wait(fight: Fight, one: Combatant) -> int:
    """Return how many hours must pass before a creature begins another Long Rest."""
    return -(-max(0, rounds_left(fight, one, RESTED)) // ROUNDS["hour"])


class PassTime(acts.Act, frozen=True, gc=False, tag="srd52.pass-time"):
    """Let time pass outside of combat without a rest, as game master.

    hours: the hours that pass.
    minutes: the minutes that pass.
    """

    declared_by = "game master"

    hours: Number = 0
    minutes: Number = 0


def let_time_pass(fight: Fight, act: PassTime) -> Steps[None]:
    """Let time pass: durations go on, and the Stable come round."""
    rule, minutes = fight.rule("turns.round"), act.hours * MINUTES + act.minutes
    refuse_in_fight(fight, "minutes and hours do not pass in a fight")
    if minutes <= 0 or act.hours < 0 or act.minutes < 0:
        raise Refusal("say how many minutes or hours pass", rule)
    yield from pass_time(fight, minutes, "time passes", rule)
    yield from come_round(fight, minutes // MINUTES)


def come_round(fight: Fight, hours: int) -> Steps[None]:
    """Give the Stable their first hit point back, if the time is long enough for that."""
    topic = "damage.stable-recovery"
    for one in list(fight.state.combatants.values()) if hours else ():
        if "stable" in one.conditions and one.hp == 0:
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
        amount = max(least, rolled.total + modifier_of(fight, one, "con"))
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
    rule, gap = fight.rule("damage.long-rest-benefits"), fight.figure("damage.long-rest", "gap_hours")
    yield from lose_concentration(fight, one, "it sleeps", "damage.long-rest")
    yield from steps_of(fight, one, "rested", True)
    yield from forgotten(one, RESTED, "another Long Rest")
    yield for_rounds(fight, one, "damage.long-rest", RESTED, "a Long Rest", gap * ROUNDS["hour"])
    if KNOCKED_OUT in one.conditions:
        yield from wake(fight, one, "a long rest")
    if one.max_hp < one.sheet.hp:
        yield MaximumChanged(who=one.id, max_hp=one.sheet.hp, why="a long rest", cites=(rule,))
    for name in dict.fromkeys(one.losses):
        yield from restore_score(fight, one, name, "a long rest", rule)
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
