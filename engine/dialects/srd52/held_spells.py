"""Ready with a spell: cast as usual, held by Concentration, and let loose as a Reaction."""

from affray.engine.dialects.srd52 import magic, ready
from affray.engine.dialects.srd52.features import SPELL, Casting, Feature
from affray.engine.dialects.srd52.turns import next_start
from affray.engine.fight.fight import Fight
from affray.engine.kernel.actions import check_turn, spend
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import EffectEnded
from affray.events.facts.flow import ReadyEnded
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
    if (yield from magic.goes_through(fight, casting)):
        until = next_start(fight, caster)
        yield from magic.concentrate(fight, caster, casting.id, casting.slot, until, fight.rule(topic))
        yield fact


def spell_of(fight: Fight, caster: Combatant, act: magic.Cast) -> Feature:
    """Return the spell of a casting, read from a scroll or known. Refuses others."""
    return (magic.read_scroll if act.scroll else magic.known_spell)(fight, caster, act.spell)


def cast(fight: Fight, act: magic.Cast) -> Steps[None]:
    """Cast a spell, or let loose the one that was readied."""
    return release(fight, act) if fight.readied == act.actor else magic.cast(fight, act)


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
        form=act.form,
        at=act.at,
        scroll=act.scroll,
        id=magic.concentrated(effect),
    )
    casting = magic.aim(fight, casting, act)
    cites = fight.rules("turns.ready-spell")
    yield EffectEnded(who=caster.id, id=effect.id, why="it lets the spell loose", cites=cites)
    yield from magic.take_effect(fight, casting)


def is_lost(fight: Fight, fact: EffectEnded) -> Steps[None]:
    """Lose a readied spell whose Concentration has ended."""
    one = fight.combatant(fact.who)
    held = one.readied is not None and isinstance(fight.dialect.understood(one.readied.then), magic.Cast)
    if held and fact.id.startswith(magic.CONCENTRATION):
        cites = fight.rules("turns.ready-spell-concentration")
        yield ReadyEnded(who=one.id, how="lapsed", cites=cites)
