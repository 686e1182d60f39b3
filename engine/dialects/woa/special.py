"""Total defense, refocusing, handling weapons, treatment, hazards."""

from affray.engine.dialects.woa.damage import reduce, suffer
from affray.engine.dialects.woa.exposed import reflex
from affray.engine.dialects.woa.saves import Saved, graded_damage, save
from affray.engine.dialects.woa.treatment import treat
from affray.engine.dice import parse
from affray.engine.dice.notation import Dice
from affray.engine.fight import Fight
from affray.engine.rules.blow import Harm
from affray.engine.rules.budget import check_turn, refuse_unless_allowed, spending
from affray.engine.rules.checks import skill_parts
from affray.engine.rules.place import next_to
from affray.engine.steps import Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import (
    CheckResolved,
    ConditionGained,
    DamagePart,
    DamageResolved,
    EffectGained,
    ItemChanged,
    Until,
)
from affray.events.facts.flow import ActionSpent
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant


def total_defense(fight: Fight, act: acts.TotalDefense) -> Steps[None]:
    """Defend: +4 dodge bonus to AC, reactions only to dodge and block (woa.total-defense.*).

    It holds to the round's end. In a further round it has held from the declaration on (see `defend`).
    """
    who = fight.combatant(act.actor)
    yield spending(fight, who, "standard", "total defense", fight.rule("total-defense.bonus"))
    yield from defend(fight, who, "total-defense.bonus", "dodge_bonus")
    yield ConditionGained(
        who=who.id,
        condition="defended",
        source="total defense",
        until=Until("round-end", "", fight.state.round + 1),
        cites=(fight.rule("total-defense.consecutive"),),
    )


def defend(fight: Fight, who: Combatant, topic: str, path: str) -> Steps[None]:
    """Give the bonus and the limits of total defense until the round's end, once a round."""
    if "total-defense" in who.conditions:
        return
    until = Until("round-end", "", fight.state.round)
    rule = fight.rule(topic)
    yield EffectGained(
        who=who.id,
        id=f"{fight.declaration}:{who.id}:defense",
        stat="defense",
        modifier=fight.modifier(topic, path, kind="dodge", source="total defense"),
        until=until,
        cites=(rule,),
    )
    yield ConditionGained(
        who=who.id,
        condition="total-defense",
        source="total defense",
        until=until,
        cites=(rule, fight.rule("total-defense.reactions")),
    )


def declared_defense(fight: Fight) -> Steps[None]:
    """Before the first turn, let total defense hold for those who declared it in the round before too.

    With the reading `whole-round` it holds so the first time as well (option `total_defense_span`).
    """
    whole = fight.option("total_defense_span") == "whole-round"
    for who in fight.state.combatants.values():
        if any(what == "total-defense" for _, what, _ in who.plan):
            if "defended" in who.conditions:
                yield from defend(fight, who, "total-defense.consecutive", "ac")
            elif whole:
                yield from defend(fight, who, "total-defense.bonus", "dodge_bonus")


def refocus(fight: Fight, act: acts.Refocus) -> Steps[None]:
    """Gather oneself: next round's initiative counts as a rolled 20 (woa.refocus.rule)."""
    who = fight.combatant(act.actor)
    rule = fight.rule("refocus.rule")
    yield spending(fight, who, "standard", "refocus", rule)
    until = Until("round-end", "", fight.state.round + 1)
    yield ConditionGained(who=who.id, condition="refocused", source="refocus", until=until, cites=(rule,))


def drop(fight: Fight, act: acts.Drop) -> Steps[None]:
    """Drop a held item: a free action (woa.items.drop)."""
    who = fight.combatant(act.actor)
    check_turn(fight, who)
    rule = fight.rule("items.drop")
    if act.item not in who.held:
        raise Refusal(f"{who.id} does not hold {act.item!r}", rule)
    yield ActionSpent(who=who.id, kind="free", what="drop", cites=(rule,))
    yield ItemChanged(who=who.id, item=act.item, state="dropped", cites=(rule,))


def own_weapon(fight: Fight, who: Combatant, item: str) -> Weapon:
    """Return a weapon of the sheet that is still there. Refuses others."""
    weapon = next((one for one in who.sheet.weapons if one.name == item), None)
    if weapon is None or who.items.get(item) in ("dropped", "broken", "gone"):
        raise Refusal(f"{who.id} has no {item!r}", fight.rule("items.draw-sheathe"))
    return weapon


def draw(fight: Fight, act: acts.Draw) -> Steps[None]:
    """Draw a weapon: a move action, which provokes nothing; free with Quick Draw (woa.items.draw-sheathe)."""
    who = fight.combatant(act.actor)
    rule = fight.rule("items.draw-sheathe")
    refuse_unless_allowed(fight, who, "move")
    own_weapon(fight, who, act.item)
    if act.item in who.held:
        raise Refusal(f"{who.id} holds the {act.item} already", rule)
    yield spending(fight, who, "move", "draw", rule)
    yield ItemChanged(who=who.id, item=act.item, state="held", cites=(rule,))


def quick_draw(fight: Fight, act: acts.Draw) -> Steps[None]:
    """Draw a weapon as a free action (woa.feat.quick-draw)."""
    who = fight.combatant(act.actor)
    check_turn(fight, who)
    rule = fight.rule("feat.quick-draw")
    own_weapon(fight, who, act.item)
    if act.item in who.held:
        raise Refusal(f"{who.id} holds the {act.item} already", rule)
    yield ActionSpent(who=who.id, kind="free", what="draw", cites=(rule,))
    yield ItemChanged(who=who.id, item=act.item, state="held", cites=(rule,))


def sheathe(fight: Fight, act: acts.Sheathe) -> Steps[None]:
    """Put a weapon away: a move action (woa.items.draw-sheathe)."""
    who = fight.combatant(act.actor)
    rule = fight.rule("items.draw-sheathe")
    refuse_unless_allowed(fight, who, "move")
    if act.item not in who.held:
        raise Refusal(f"{who.id} does not hold {act.item!r}", rule)
    yield spending(fight, who, "move", "sheathe", rule)
    yield ItemChanged(who=who.id, item=act.item, state="stowed", cites=(rule,))


def load(fight: Fight, act: acts.Load) -> Steps[None]:
    """Load a weapon: a move action, a full-round one for the slow (woa.action-type.short-step-allowance)."""
    who = fight.combatant(act.actor)
    rule = fight.rule("action-type.short-step-allowance")
    weapon = own_weapon(fight, who, act.item)
    if who.items.get(act.item) != "unloaded":
        raise Refusal(f"{act.item!r} needs no loading", rule)
    kind = "full-round" if "slow-load" in weapon.traits else "move"
    yield spending(fight, who, kind, "load", rule)
    yield ItemChanged(who=who.id, item=act.item, state="loaded", cites=(rule,))


def stabilize(fight: Fight, act: acts.Stabilize) -> Steps[None]:
    """Treat somebody unconscious with the Heal skill: its fate is settled now (woa.knocked-out.*)."""
    who, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule("knocked-out.mod-treatment")
    refuse_unless_allowed(fight, who, "standard")
    if "unconscious" not in target.conditions:
        raise Refusal(f"{target.id} is not unconscious", rule)
    if not next_to(who, target):
        raise Refusal(f"{who.id} does not stand next to {target.id}", rule)
    yield spending(fight, who, "standard", "treat", rule)
    words = str(fight.figure("knocked-out.mod-treatment", "heal_skill"))
    least, per = int(words.split("-")[1].split(")")[0]), int(words.rsplit("/", 1)[1].strip(" )"))
    total = yield from heal_check(fight, who, least, rule)
    if total >= least:
        rounds = fight.state.round - target.conditions["unconscious"].level
        bonus = int(words.split()[0]) + (total - least) // per
        yield from treat(fight, target, bonus, rounds, f"treated by {who.id}")


def heal_check(fight: Fight, who: Combatant, dc: int, rule: str) -> Steps[int]:
    """Roll Heal against the DC from which treatment counts; return the total."""
    tally = fight.dialect.points.stack(fight, skill_parts(fight, who, "heal", "wis", rule))
    rolled = yield Roll(who.id, "heal", "1d20")
    total: int = rolled.faces[0] + tally.total
    yield CheckResolved(
        who=who.id,
        check="heal",
        key=rolled.key,
        natural=rolled.faces[0],
        total=total,
        dc=dc,
        success=total >= dc,
        parts=tally.parts,
        cites=(rule,),
    )
    return total


def hazard(fight: Fight, act: acts.Hazard) -> Steps[None]:
    """Confront somebody with a saving throw; great success and failure count (woa.save.*)."""
    target = fight.combatant(act.target)
    rule = fight.rule("save.when")
    if act.actor:
        raise Refusal("only the game master declares a hazard", rule)
    saved: Saved | None = None
    if act.save:
        extra, cites = (
            (yield from reflex(fight, target, None, None, act.source)) if act.save == "ref" else ((), ())
        )
        saved = yield from save(fight, target, act.save, act.dc, act.source, *cites, extra=extra)
    if act.damage and not (saved is not None and saved.success and act.on_save == "negates"):
        yield from burn(fight, target, act, saved)
    failed = saved is None or not saved.success
    if act.condition and failed and "dead" not in target.conditions:
        yield ConditionGained(who=target.id, condition=act.condition, source=act.source, cites=(rule,))


def burn(fight: Fight, target: Combatant, act: acts.Hazard, saved: Saved | None) -> Steps[None]:
    """Roll a hazard's damage and let the save grade it."""
    rolled = yield Roll("", "hazard", act.damage)
    amount, why, cites = rolled.total, "", fight.rules("save.when")
    if saved is not None and act.on_save == "half":
        least, most = bounds(act.damage)
        amount, why, cites = graded_damage(fight, saved, rolled.total, least, most)
    harm = Harm(target, amount, act.damage_type, act.source, energy=bool(act.damage_type))
    taken, reduced = reduce(fight, harm)
    yield DamageResolved(
        attacker="",
        target=target.id,
        weapon=act.source,
        dice=(DamagePart(act.damage, rolled.key, rolled.total, act.damage_type, act.source),),
        modifiers=(),
        multiplier=1,
        total=amount,
        nonlethal=False,
        reduced=amount - taken,
        why="; ".join(filter(None, (why, reduced))),
        cites=cites or fight.rules("save.when"),
    )
    harm.amount = taken
    yield from suffer(fight, harm)


def bounds(notation: str) -> tuple[int, int]:
    """Return the least and the most that a sum of plain dice can show."""
    low = high = 0
    for term in parse(notation).terms:
        if isinstance(term, Dice):
            ends = (term.sign * term.count, term.sign * term.count * term.sides)
            low, high = low + min(ends), high + max(ends)
        else:
            low, high = low + term.value, high + term.value
    return low, high
