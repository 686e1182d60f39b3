"""The course of a turn in srd35, each step in its place: what begins it, what goes on in it, what ends it.

A turn to which nobody brings anything but a budget takes the plain steps.
"""

from functools import partial

from affray.engine.dialects.srd35.attacks import aid_another, swarms
from affray.engine.dialects.srd35.classes import rage, turned_undead
from affray.engine.dialects.srd35.conditions import confusion_fascination
from affray.engine.dialects.srd35.gear import special_substances
from affray.engine.dialects.srd35.magic import lasting_effects
from affray.engine.dialects.srd35.magic import long_castings as srd35_long_castings
from affray.engine.dialects.srd35.magic import special_abilities as special
from affray.engine.dialects.srd35.mounted import riding as srd35_riding
from affray.engine.dialects.srd35.turns import delay_and_ready
from affray.engine.fight.fight import Fight, is_marked
from affray.engine.fight.memory import per_scene
from affray.engine.rules.magic import long_castings
from affray.engine.rules.mounted.rider_and_mount import is_guided, mount_of
from affray.engine.rules.turns import flow
from affray.engine.steps import Steps, altered
from affray.projections.state import Combatant


def open_turn_with_what_is_due(fight: Fight, who: Combatant) -> Steps[None]:
    """Begin a turn: long castings come due before it, then comes what goes on in body and mind."""
    if is_uneventful(fight, who):
        return flow.begin_turn(fight, who)
    return begin_eventful_turn(fight, who)


def is_uneventful(fight: Fight, who: Combatant) -> bool:
    """Say whether a turn begins with nothing but its budget: nothing lasts on anybody, nobody gazes."""
    if who.mount or who.delaying or who.casting is not None or who.readied is not None or who.afflictions:
        return False
    if who.sheet.fast_healing or who.sheet.regeneration or fight.memory.company[is_marked]:
        return False
    return not might_be_gazed_at(fight, who)


@per_scene("who.side", reads=("combatants", "sides"))
def might_be_gazed_at(fight: Fight, who: Combatant) -> bool:
    """Say whether any enemy has powers at all, which a gaze would be one of."""
    return any([one.sheet.spells for one in fight.enemies(who)])


def begin_eventful_turn(fight: Fight, who: Combatant) -> Steps[None]:
    """Begin a turn in which something may be due; one put off in this round goes on where it stood."""
    resumed = flow.goes_on_with_turn(fight, who)
    if not resumed:
        yield from srd35_long_castings.come_due(fight, who)
        yield from special_substances.flare_up(fight, who)
        yield from delay_and_ready.lose_delayed_turn(fight, who)
    raging = rage.RAGING in who.conditions
    yield from altered(srd35_riding.open_turn_of_pair(fight, who), partial(aid_another.lapsing, fight))
    if raging and rage.RAGING not in who.conditions:
        yield from rage.wear_off(fight, who)
    if "turned" in who.conditions:
        yield from turned_undead.cower_or_flee(fight, who)
    if resumed:
        return
    for one in rider_and_mount(fight, who):
        if one.effects:
            yield from lasting_effects.deal_ongoing_damage(fight, one)
        yield from special_substances.stand_in_fire(fight, one)
        yield from special.meet_gazes(fight, one)
    yield from srd35_long_castings.continue_casting(fight, who)
    yield from confusion_fascination.settle_confusion_and_panic(fight, who)


def rider_and_mount(fight: Fight, who: Combatant) -> tuple[Combatant, ...]:
    """Return those whose turn it is: a combatant, and the mount that it guides."""
    steed = mount_of(fight, who)
    return (who, steed) if steed is not None and is_guided(fight, steed) else (who,)


def close_turn_with_what_is_due(fight: Fight, who: Combatant) -> Steps[None]:
    """End a turn, and with it a spell that has not been kept up."""
    if who.conditions or who.mount or who.sheet.traits:
        return end_eventful_turn(fight, who)
    return flow.close_turn(fight, who)


def end_eventful_turn(fight: Fight, who: Combatant) -> Steps[None]:
    """End a turn: a spell not kept up, then what a swarm does to those within it, then the mount's turn."""
    if long_castings.CONCENTRATING in who.conditions:
        yield from long_castings.not_kept_up(fight, who)
    if swarms.swarm_can_harm(fight, who):
        yield from swarms.swarm_damage_to_all(fight, who)
    if who.mount:
        yield from srd35_riding.end_turn_of_mount(fight, who)
    yield from flow.close_turn(fight, who)
