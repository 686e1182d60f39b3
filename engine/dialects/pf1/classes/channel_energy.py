"""Channeling energy: a burst that heals some and harms others (pf1.channel.action, pf1.channel.amount)."""

from typing import Final

from affray.engine.dialects.pf1.classes.abilities import (
    AMOUNT,
    CHANNEL,
    FEATS,
    LIFELESS,
    NEGATIVE,
    POSITIVE,
    begin_channeling,
    channel_of,
    dice_of,
    in_burst,
    is_harmed,
    refuse_to_channel,
    resistance_to_channeling,
    save_dc,
    spared_by,
)
from affray.engine.dialects.pf1.damage import give_back
from affray.engine.fight.fight import Fight, is_down
from affray.engine.kernel.places import distance
from affray.engine.record.blow import Blow, Harm
from affray.engine.rules.classes.checks import refuse_without, saving_throw, topic_of
from affray.engine.rules.classes.sheets import UNDEAD, is_a, is_mindless, nature_among
from affray.engine.rules.damage.damage import amount_dealt, rolled_part, suffer
from affray.engine.rules.turns.actions import spending
from affray.engine.rules.turns.delay_and_ready import triggered
from affray.engine.rules.turns.initiative import for_rounds
from affray.engine.steps import Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import (
    ConditionGained,
    ConditionLost,
    EffectEnded,
    EffectGained,
    ResourceSpent,
    SideChanged,
    Until,
)
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Modifier
from affray.projections.state import Combatant, Effect


def channel(fight: Fight, act: acts.TurnUndead) -> Steps[None]:
    """Heal or harm all in the burst: positive energy heals the living, harms the undead, one of the two.

    Harmed creatures save for half. The channeler is healed too unless it leaves itself out, never harmed
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


# --- Channel Smite: spending a use of channeling on the next blow in melee (pf1.feat.extra-channel)

SMITE: Final = "channel smite"


def declare_channel_smite(fight: Fight, act: acts.UseAbility) -> Steps[None]:
    """Spend a swift action and a use of channeling on the next melee attack of this turn."""
    actor = fight.combatant(act.actor)
    rule = refuse_without(fight, actor, SMITE)
    found = refuse_to_channel(fight, actor)
    yield spending(fight, actor, "swift", SMITE, rule)
    yield ResourceSpent(who=actor.id, resource=found.pool, amount=found.cost, cites=(rule,))
    yield EffectGained(
        who=actor.id,
        id=f"{fight.declaration}:{SMITE}",
        stat=SMITE,
        modifier=Modifier(found.level, "untyped", found.energy, rule),
        until=Until("turn-end", actor.id, fight.state.round),
        cites=(rule,),
    )


def declared_on(blow: Blow) -> Effect | None:
    """Return the declaration for the attacker's next melee attack; None for none."""
    return next((one for one in blow.attacker.effects if one.stat == SMITE), None) if blow.melee else None


def missed_with_channel(fight: Fight, blow: Blow) -> Steps[None]:
    """Lose the energy channeled into a blow that missed."""
    found = declared_on(blow)
    if found is not None:
        cites = fight.rules(FEATS)
        yield EffectEnded(who=blow.attacker.id, id=found.id, why="the blow missed", cites=cites)


def strike_with_channel(
    fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool
) -> Steps[None]:
    """Apply the energy channeled into a blow that hit to a target that it harms, half on a save."""
    found, target, actor = declared_on(blow), blow.target, blow.attacker
    if found is None:
        return
    energy, level = found.modifier.source, found.modifier.value
    yield EffectEnded(who=actor.id, id=found.id, why="used", cites=fight.rules(FEATS))
    if "dead" in target.conditions:
        return
    if not is_harmed(energy, target):
        what = f"{energy} does not harm {target.id}"
        yield RuleApplied(who=actor.id, what=what, cites=fight.rules(FEATS))
        return
    notation = dice_of(fight, level)
    rolled = yield Roll(actor.id, "channel", notation)
    dc, cites = save_dc(fight, actor, level)
    cites = tuple(dict.fromkeys((*fight.rules(FEATS), *cites)))
    extra = resistance_to_channeling(fight, target)
    saved = yield from saving_throw(fight, target, "will", dc, SMITE, *cites, extra=extra)
    amount = rolled.total // 2 if saved else rolled.total
    harm = Harm(target, amount, energy, SMITE, actor, energy=True)
    why = "half on a successful save" if saved else ""
    yield amount_dealt(fight, harm, rolled_part(harm, notation, rolled), *cites, why=why)
    yield from suffer(fight, harm)


# --- Turning and commanding undead by feat: flight, and control (pf1.turn.feat, pf1.command.feat)

TURN, COMMAND = "pf1.turn.feat", "pf1.command.feat"
TURNING, COMMANDING = "turn undead", "command undead"
#: The feat and the energy of each use.
USES: Final = {"turn": (TURNING, POSITIVE), "command": (COMMANDING, NEGATIVE)}
TURNED, COMMANDED = "turned", "commanded"


def turn_or_command(fight: Fight, act: acts.TurnUndead) -> Steps[None]:
    """Use a channeling on the undead in its burst: turned they flee, commanded they obey.

    Each saves as against the channeling (pf1.turn.feat, pf1.command.feat).
    """
    actor = fight.combatant(act.actor)
    feat, energy = USES[act.what]
    rule = refuse_without(fight, actor, feat)
    found, spared = refuse_to_channel(fight, actor), spared_by(fight, actor, act)
    if found.energy != energy:
        raise Refusal(f"{actor.id} channels {found.energy}, not {energy}", rule)
    yield from begin_channeling(fight, actor, found, feat)
    undead = [one for one in in_burst(fight, actor) if is_a(one, UNDEAD) and one not in (actor, *spared)]
    for one in sorted(undead, key=lambda one: distance(actor, one)):
        if act.what == "turn":
            yield from turn(fight, actor, one, found.level)
        else:
            yield from command(fight, actor, one, found.level)


def withstands(fight: Fight, actor: Combatant, one: Combatant, level: int, feat: str) -> Steps[bool]:
    """Return whether an undead resists a channeling, by its Will (pf1.channel.resistance)."""
    dc, cites = save_dc(fight, actor, level)
    extra = resistance_to_channeling(fight, one)
    cited = (fight.rule(topic_of(feat)), *cites)
    return (yield from saving_throw(fight, one, "will", dc, feat, *cited, extra=extra))


def turn(fight: Fight, actor: Combatant, one: Combatant, level: int) -> Steps[None]:
    """Turn an undead that fails its save, for a minute (pf1.turn.feat)."""
    if (yield from withstands(fight, actor, one, level, TURNING)):
        return
    rounds = int(fight.figure("pf1.round.six-seconds", "rounds_per_minute"))
    until = for_rounds(fight, actor, rounds)
    cites = fight.rules(TURN)
    fact = ConditionGained(who=one.id, condition=TURNED, source=actor.id, until=until, cites=cites)
    yield from fight.dialect.conditions.gain(fight, fact)


def resist_turning(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Let an intelligent undead that is turned save again each round (pf1.turn.feat)."""
    turner = fight.state.combatants.get(combatant.conditions[TURNED].source)
    if turner is None or is_mindless(combatant):
        return
    found = channel_of(fight, turner)
    if found is not None and (yield from withstands(fight, turner, combatant, found.level, TURNING)):
        cites = fight.rules(TURN)
        yield ConditionLost(who=combatant.id, condition=TURNED, why="withstands it now", cites=cites)


def command(fight: Fight, actor: Combatant, one: Combatant, level: int) -> Steps[None]:
    """Take control of an undead that fails its save, Hit Dice up to the level (pf1.command.feat)."""
    cites = fight.rules(COMMAND)
    held = sum(
        other.sheet.hit_dice
        for other in fight.state.combatants.values()
        if COMMANDED in other.conditions and other.conditions[COMMANDED].source == actor.id
    )
    if one.side == actor.side:
        return
    if held + one.sheet.hit_dice > level:
        what = f"{held} + {one.sheet.hit_dice} Hit Dice are more than {actor.id} can command"
        yield RuleApplied(who=one.id, what=what, cites=cites)
        return
    if (yield from withstands(fight, actor, one, level, COMMANDING)):
        return
    yield ConditionGained(who=one.id, condition=COMMANDED, source=actor.id, cites=cites)
    yield SideChanged(who=one.id, side=actor.side, why=f"commanded by {actor.id}", cites=cites)
