"""Channeling energy: a burst that heals some and harms others (pf1.channel.action, pf1.channel.amount)."""

from affray.engine.dialects.pf1.classes.channeling import (
    AMOUNT,
    CHANNEL,
    LIFELESS,
    begin_channeling,
    dice_of,
    in_burst,
    is_harmed,
    refuse_to_channel,
    resistance_to_channeling,
    save_dc,
    spared_by,
)
from affray.engine.dialects.pf1.damage.healing import give_back
from affray.engine.fight.fight import Fight, is_down
from affray.engine.record.blow import Harm
from affray.engine.rules.classes.natures import UNDEAD, is_a, nature_among
from affray.engine.rules.classes.saves_and_checks import saving_throw
from affray.engine.rules.damage.weapon_damage import amount_dealt, rolled_part, suffer
from affray.engine.rules.turns.delay_and_ready import triggered
from affray.engine.steps import Roll, Steps
from affray.events.facts import acts


def channel(fight: Fight, act: acts.TurnUndead) -> Steps[None]:
    """Heal or harm all in the burst, one of the two: positive energy heals the living, harms the undead.

    What is harmed saves for half. The channeler is healed too unless it leaves itself out, never harmed
    (pf1.channel.action, pf1.channel.amount).
    """
    actor = fight.combatant(act.actor)
    found, spared = refuse_to_channel(fight, actor), spared_by(fight, actor, act)
    harms = act.what == "harm"
    yield from begin_channeling(fight, actor, found, f"{CHANNEL} to {act.what}")
    if harms:
        yield from triggered(fight, actor, "attacks")
        if is_down(fight, actor):
            return
    rolled = yield Roll(actor.id, "channel", dice_of(fight, found.level))
    for one in in_burst(fight, actor):
        lifeless = nature_among(one, LIFELESS) and not is_a(one, UNDEAD)
        if one in spared or lifeless or is_harmed(found.energy, one) != harms or (harms and one is actor):
            continue
        if not harms:
            yield from give_back(fight, one, rolled.total, CHANNEL, fight.rule(AMOUNT))
            continue
        dc, cites = save_dc(fight, actor, found.level)
        extra = resistance_to_channeling(fight, one)
        saved = yield from saving_throw(fight, one, "will", dc, CHANNEL, *cites, extra=extra)
        amount = rolled.total // 2 if saved else rolled.total
        harm = Harm(one, amount, found.energy, CHANNEL, actor, energy=True, area=True)
        why = "half on a successful save" if saved else ""
        notation = dice_of(fight, found.level)
        yield amount_dealt(fight, harm, rolled_part(harm, notation, rolled), *cites, why=why)
        yield from suffer(fight, harm)
