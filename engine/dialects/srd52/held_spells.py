"""Spells that do not take effect at once: those held with Ready, and those cast for a minute or more."""

from typing import Final

from msgspec.structs import replace

from affray.engine.dialects.srd52 import magic, ready
from affray.engine.dialects.srd52.class_features import magic_action
from affray.engine.dialects.srd52.features import SPELL, Casting, Feature
from affray.engine.dialects.srd52.turns import next_start
from affray.engine.fight.fight import Fight
from affray.engine.kernel.actions import check_turn, spend
from affray.engine.kernel.checks import FOR_GOOD
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import CounterChanged, EffectEnded
from affray.events.facts.flow import ActionSpent, ReadyEnded
from affray.projections.state import Combatant


def ready_act(fight: Fight, act: acts.Ready) -> Steps[None]:
    """Ready an action, a movement or a spell; a spell is cast now."""
    then = fight.dialect.understood(act.then)
    if not isinstance(then, magic.Cast):
        yield from ready.ready(fight, act)
        return
    caster, rule = fight.combatant(act.actor), fight.rule("turns.ready-spell")
    check_turn(fight, caster)
    known = spell_of(fight, caster, then)
    time = magic.row_of(fight, known)["casting_time"]
    if not time.startswith(fight.figure("turns.ready-spell", "casting_time")):
        raise Refusal(f"{then.spell} has a casting time of {time}, not of an action", rule)
    casting = magic.prepare_unaimed(fight, caster, then, known)
    fact = ready.readied(fight, caster, act, rule)
    yield spend(fight, caster, "action", "ready", fight.rule("turns.ready"), rule)
    topic = "turns.ready-spell-concentration"
    yield from magic.lose_concentration(fight, caster, f"it casts {casting.name}", "magic.concentration-one")
    if not (yield from magic.is_countered(fight, casting)):
        until = next_start(fight, caster)
        yield from magic.concentrate(fight, casting, until, fight.rule(topic))
        yield fact


def spell_of(fight: Fight, caster: Combatant, act: magic.Cast) -> Feature:
    """Return the spell of a casting, read from a scroll or known. Refuses others."""
    return (magic.read_scroll if act.scroll else magic.known_spell)(fight, caster, act.spell)


def cast(fight: Fight, act: magic.Cast) -> Steps[None]:
    """Cast a spell, let loose the one that was readied, or go on with a casting that takes minutes."""
    if fight.readied == act.actor:
        yield from release(fight, act)
        return
    caster = fight.combatant(act.actor)
    check_turn(fight, caster)
    many, _, unit = magic.row_of(fight, spell_of(fight, caster, act))["casting_time"].partition(" ")
    seconds = UNITS.get(unit.rstrip("s"), 0) * int(many) if many.isdecimal() else 0
    yield from go_on_casting(fight, caster, act, seconds) if seconds else magic.cast(fight, act)


def release(fight: Fight, act: magic.Cast) -> Steps[None]:
    """Let a held spell take effect. Refuses targets that it cannot have now."""
    caster = fight.combatant(act.actor)
    effect = magic.concentration_of(caster)
    assert effect is not None, "without its Concentration the spell would be lost"
    read = magic.spell_rows(fight).get(f"{SPELL} {act.spell}") if act.scroll else None
    feature = read or magic.known_spell(fight, caster, act.spell)
    casting = Casting(
        caster=caster,
        name=act.spell,
        feature=feature,
        row=magic.row_of(fight, feature),
        slot=effect.modifier.value,
        choice=act.choice,
        at=act.at,
        scroll=act.scroll,
        id=magic.concentrated(effect),
    )
    casting = magic.aim(fight, casting, act)
    cites = fight.rules("turns.ready-spell")
    yield EffectEnded(who=caster.id, id=effect.id, why="it lets the spell loose", cites=cites)
    yield from magic.take_effect(fight, casting)


# --- Casting for a minute or more

UNITS: Final = {"minute": 60, "hour": 3600}
"""Seconds in the units of casting times."""
LONG: Final = "long casting"
"""The counter of the turns of a casting, its kind of action, and the beginning of its id."""


def go_on_casting(fight: Fight, caster: Combatant, act: magic.Cast, seconds: int) -> Steps[None]:
    """Spend a turn's Magic action on a casting; it takes effect, and takes its slot, with the last one."""
    casting = magic.prepare(fight, caster, act, spell_of(fight, caster, act))
    effect, own = magic.concentration_of(caster), f"{LONG} {act.spell}"
    begun = effect is not None and magic.concentrated(effect) == own
    cites = fight.rules("turns.magic-long-casting", "magic.long-casting")
    yield from magic_action(fight, caster, f"cast {act.spell}", *cites)
    yield ActionSpent(who=caster.id, kind=LONG, what=act.spell, cites=cites)
    if not begun:
        yield from magic.lose_concentration(fight, caster, f"it casts {act.spell}", "magic.concentration-one")
        yield from magic.concentrate(fight, replace(casting, id=own), FOR_GOOD, *cites)
    made = caster.counters.get(LONG, 0) + 1
    yield CounterChanged(who=caster.id, counter=LONG, value=made, cites=cites)
    if made * fight.figure("turns.round", "seconds") >= seconds:
        yield from magic.forget(fight, own, "the casting is complete", *cites)
        yield from magic.carry_out(fight, casting)


def interrupt(fight: Fight, caster: Combatant) -> Steps[None]:
    """End a casting that has not gone on in a turn; it has taken no slot."""
    if caster.counters.get(LONG) and not caster.spent.get(LONG):
        yield from magic.lose_concentration(fight, caster, "it casts no longer", "turns.magic-long-casting")


def is_lost(fight: Fight, fact: EffectEnded) -> Steps[None]:
    """Lose a readied spell, or a casting that takes minutes, with the Concentration on it."""
    one = fight.combatant(fact.who)
    if not fact.id.startswith(magic.CONCENTRATION):
        return
    if one.readied is not None and isinstance(fight.dialect.understood(one.readied.then), magic.Cast):
        cites = fight.rules("turns.ready-spell-concentration")
        yield ReadyEnded(who=one.id, how="lapsed", cites=cites)
    if one.counters.get(LONG):
        cites = fight.rules("turns.magic-long-casting")
        yield CounterChanged(who=one.id, counter=LONG, value=0, cites=cites)
