"""Impeded mobility: bonds that hold, getting out of them, casting in them (woa.condition.impeded.*)."""

from typing import Any

from affray.engine.fight.fight import Fight
from affray.engine.record.compose import about, when
from affray.engine.rules.classes.ability_scores import ability_now, strength_to_break
from affray.engine.rules.classes.saves_and_checks import check, skill_parts
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.maneuvers.opposed_checks import roll_opposed, side_of
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Choice, Refusal, Roll, Steps, onward
from affray.events.facts import acts
from affray.events.facts.combat import ConditionLost, DamagePart, DamageResolved
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant

#: Bonds, the tightest first.
BONDS = ("immobilized", "stuck", "tethered", "entangled")
ESCAPE = "woa.condition.impeded.escape"
#: What may cause an effect of the bonds that hold, and is cited where it does.
CAUSES = "woa.condition.impeded.causes"
#: Difficulties among which the game master chooses when an effect names none.
DIFFICULTIES = ("15", "10", "20", "25", "30")
#: What the immobilized may declare.
STILL_FREE = (acts.GetFree, acts.EndTurn, acts.Speak, acts.Close)
MOVEMENT: tuple[type[acts.Act], ...] = (acts.Move, acts.Run, acts.Charge, acts.Step, acts.Skirmish)


def bonds_of(combatant: Combatant) -> str:
    """Return the tightest bonds that hold somebody, "" for none."""
    return next((name for name in BONDS if name in combatant.conditions), "")


def dc_of_bonds(fight: Fight, combatant: Combatant, held: str) -> Steps[int]:
    """Return the DC to get out of bonds: that of what holds, else what the game master says."""
    level = combatant.conditions[held].level
    if level > 0:
        return level
    rule = fight.rule(ESCAPE)
    question = f"how hard is it for {combatant.id} to get out of the {combatant.conditions[held].source}?"
    return int((yield Choice("", "escape-dc", question, DIFFICULTIES, rule)))


def get_free(fight: Fight, act: acts.GetFree) -> Steps[None]:
    """Get out of bonds, a full-round action: by Escape Artist, or by bursting them with Strength.

    Being entangled does not hinder Escape Artist (woa.condition.impeded.escape, .entangled.escape,
    .immobilized).
    """
    actor = fight.combatant(act.actor)
    held = bonds_of(actor)
    if not held:
        raise Refusal(f"nothing holds {actor.id}", fight.rule(ESCAPE))
    topic = "woa.condition.immobilized" if held == "immobilized" else "woa.condition.entangled.escape"
    yield spending(fight, actor, "full-round", "get free", fight.rule(topic))
    dc = yield from dc_of_bonds(fight, actor, held)
    cites = fight.rules(ESCAPE)
    why = f"out of the {actor.conditions[held].source}"
    if act.skill:
        parts = [
            part
            for part in skill_parts(fight, actor, "escape artist", "dex", cites[0])
            if part.source not in BONDS
        ]
        free = yield from check(fight, actor, "escape artist", parts, dc, *cites, why=why)
    else:
        free = yield from check(
            fight, actor, "strength", strength_to_break(fight, actor, cites[0]), dc, *cites, why=why
        )
    if free:
        yield from end_bonds(actor, "slips out" if act.skill else "bursts the bonds", *cites)


def end_bonds(combatant: Combatant, why: str, *cites: str) -> Steps[None]:
    """End the bonds of the tightest kind; who comes loose from an anchor is out of the snare too."""
    held = bonds_of(combatant)
    names = (held,) if held == "immobilized" else ("stuck", "tethered", "entangled")
    for name in names:
        if name in combatant.conditions:
            yield ConditionLost(who=combatant.id, condition=name, why=why, cites=cites)


def break_free(fight: Fight, act: acts.BreakFree) -> Steps[None]:
    """Destroy what holds one with a weapon; the game master says whether the blow is enough."""
    actor = fight.combatant(act.actor)
    held = bonds_of(actor)
    rule = fight.rule(ESCAPE)
    if not held:
        raise Refusal(f"nothing holds {actor.id}", rule)
    weapon = find_weapon(fight, actor, act.weapon)
    yield spending(fight, actor, "full-round", "cut the bonds", fight.rule("woa.condition.entangled.escape"))
    rolled = yield Roll(actor.id, "damage", weapon.damage)
    total = max(0, rolled.total + ability_now(fight, actor, "str"))
    source = actor.conditions[held].source
    yield DamageResolved(
        attacker=actor.id,
        target=actor.id,
        weapon=weapon.name,
        dice=(DamagePart(weapon.damage, rolled.key, rolled.total, weapon.damage_type, weapon.name),),
        modifiers=tuple(strength_to_break(fight, actor, rule)),
        multiplier=1,
        total=total,
        nonlethal=False,
        reduced=total,
        why=f"at the {source}",
        cites=(rule,),
    )
    question = f"{actor.id} deals {total} to the {source}: does it give?"
    if (yield Choice("", "severed", question, ("it gives", "it holds"), rule)) == "it gives":
        yield from end_bonds(actor, f"destroys the {source}", rule)


def tethered(fight: Fight, act: Any, moving: Steps[None]) -> Steps[None]:
    """Move; somebody on a tether pulls first against whoever holds it.

    Movement is possible only after an opposed Strength check (woa.condition.stuck).
    """
    actor = fight.combatant(act.actor)
    if actor.mount:
        yield from moving
        return
    # The move is refused before its first step, and so must everything here be.
    step = next(moving)
    if "tethered" in actor.conditions:
        holder = fight.state.combatants.get(actor.conditions["tethered"].source)
        if holder is not None and not (yield from pull_against_tether(fight, actor, holder)):
            return
    yield from onward(moving, step)


def pull_against_tether(fight: Fight, combatant: Combatant, holder: Combatant) -> Steps[bool]:
    """Pull against the tether by an opposed Strength check; a tie holds. What fails costs the action."""
    rule = fight.rule("woa.condition.stuck")
    mine, theirs = (
        side_of(fight, one, "strength", strength_to_break(fight, one, rule)) for one in (combatant, holder)
    )
    if (yield from roll_opposed(fight, "strength", mine, theirs, rule)) > 0:
        return True
    yield spending(fight, combatant, "move", "pull at the tether", rule)
    yield RuleApplied(who=combatant.id, what=f"cannot pull free of {holder.id}", cites=(rule,))
    return False


def refuse_stuck(fight: Fight, actor: Combatant, act: Any) -> None:
    """Refuse to move to those whose bonds are anchored (woa.condition.stuck, .entangled.movement)."""
    rule = fight.rule(
        "woa.condition.entangled.movement" if "entangled" in actor.conditions else "woa.condition.stuck"
    )
    raise Refusal(f"{actor.id} is stuck: {actor.conditions['stuck'].source}", rule)


def refuse_immobilized(fight: Fight, actor: Combatant, act: Any) -> None:
    """Refuse to the immobilized all but to try to get free (woa.condition.immobilized)."""
    if isinstance(act.then if isinstance(act, acts.Split) else act, STILL_FREE):
        return
    if isinstance(act, acts.Plan) and all(one.what in ("get-free", "split") for one in act.actions):
        return
    if isinstance(act, acts.Cast):
        spell = next((one for one in actor.sheet.spells if one.name == act.spell), None)
        if spell is not None and not spell.components:
            return
    reason = f"{actor.id} is immobilized and can only try to get free"
    raise Refusal(reason, fight.rule("woa.condition.immobilized"))


PROHIBITIONS = (
    about(MOVEMENT, when("'stuck' in conditions", refuse_stuck)),
    about((acts.Overrun,), when("'stuck' in conditions and not mount", refuse_stuck)),
    when("'immobilized' in conditions", refuse_immobilized),
)


def casting_in_bonds(fight: Fight, caster: Combatant, spell: Spell, parts: list[Modifier]) -> Steps[bool]:
    """Check concentration for casting while entangled; return whether the spell is lost.

    woa.condition.entangled.spellcasting
    """
    if spell.ability or not is_in_bonds(caster):
        return False
    kept = yield from concentrate_in_bonds(fight, caster, spell.level, parts)
    if not kept:
        what = f"{spell.name} is lost"
        yield RuleApplied(who=caster.id, what=what, cites=fight.rules("woa.condition.entangled.spellcasting"))
    return not kept


def is_in_bonds(caster: Combatant) -> bool:
    """Say whether a caster is entangled, stuck or on a line."""
    return any(name in caster.conditions for name in ("entangled", "stuck", "tethered"))


def concentrate_in_bonds(
    fight: Fight, caster: Combatant, level: int, parts: list[Modifier], *also: str
) -> Steps[bool]:
    """Check concentration in bonds; return whether it holds (woa.condition.entangled.spellcasting)."""
    topic = "woa.condition.entangled.spellcasting"
    base, per = str(fight.figure(topic, "formula")).split(" + ")
    dc = int(base) + int(per.split()[0]) * level
    rules = (fight.rule(topic), *also)
    return (yield from check(fight, caster, "concentration", parts, dc, *rules, why="entangled"))


def garbled_by_deafness(fight: Fight, caster: Combatant, spell: Spell) -> Steps[bool]:
    """Roll whether a deafened caster garbles the words of a spell; return whether it is lost.

    woa.condition.deafened, woa.spell.deafened-failure
    """
    if "used to being deafened" in caster.conditions:
        return False
    if "deafened" not in caster.conditions or "verbal" not in spell.components or spell.ability:
        return False
    topic = "woa.condition.deafened"
    percent = fight.figure(topic, "verbal_spell_failure_percent")
    rolled = yield Roll(caster.id, "deafened", "1d100")
    lost = bool(rolled.total <= percent)
    what = f"deafened, {percent}%: {rolled.total}, {spell.name} {'is lost' if lost else 'succeeds'}"
    yield RuleApplied(who=caster.id, what=what, cites=fight.rules(topic, "woa.spell.deafened-failure"))
    return lost
