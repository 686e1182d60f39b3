"""Casting at first depth: declared, without reactions, lost to damage before or during it (woa.spell.*)."""

from affray.engine.dialects.woa import hampered, interposing
from affray.engine.dialects.woa.damage import reduce, suffer
from affray.engine.dialects.woa.exposed import reflex
from affray.engine.dialects.woa.reactions import left
from affray.engine.dialects.woa.readied import triggered
from affray.engine.dialects.woa.saves import graded_damage, save
from affray.engine.dialects.woa.situation import unseen
from affray.engine.dialects.woa.special import bounds
from affray.engine.fight import Fight
from affray.engine.rules.attack import strike
from affray.engine.rules.blow import Harm
from affray.engine.rules.budget import check_turn, refuse_unless_allowed, spending
from affray.engine.rules.checks import check
from affray.engine.rules.conditions import is_down
from affray.engine.rules.magic.aim import AROUND, aims
from affray.engine.rules.magic.touch import touch_blow
from affray.engine.steps import Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import (
    ConditionGained,
    ConditionLost,
    DamagePart,
    DamageResolved,
    ResourceSpent,
    Until,
)
from affray.events.facts.flow import ActionSpent, ReactionSpent, RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant


def cast(fight: Fight, act: acts.Cast) -> Steps[None]:
    """Cast a spell of the sheet; a standard or full-round casting leaves no reactions this round.

    It provokes nothing. Damage taken earlier in the round calls for a concentration check, whose failure
    loses the spell (woa.spell.no-combat-reactions, .damage-concentration, .fizzle).
    """
    who = fight.combatant(act.actor)
    rule = fight.rule("spell.casting-time")
    spell = next((one for one in who.sheet.spells if one.name == act.spell), None)
    if spell is None:
        raise Refusal(f"{who.id} has no spell {act.spell!r}", rule)
    if spell.uses is not None and who.resources.get(spell.name, 0) >= spell.uses:
        raise Refusal(f"{who.id} has no {spell.name} left", rule)
    if act.defensively:
        raise Refusal("there is no casting defensively", fight.rule("spell.no-combat-reactions"))
    long = spell.casting in ("standard", "full-round")
    if long and who.reactions:
        raise Refusal(
            f"{who.id} has used combat reactions this round", fight.rule("spell.no-combat-reactions")
        )
    if spell.casting == "swift" and not left(fight, who)[0]:
        raise Refusal(
            f"{who.id} has no combat reaction left for a swift action", fight.rule("action-type.swift-cost")
        )
    if long:
        refuse_unless_allowed(fight, who, spell.casting)
    else:
        check_turn(fight, who)
    targets = aims(fight, who, spell, act)
    for target in targets:
        if not spell.area and not spell.touch and unseen(fight, who, target):
            raise Refusal(
                f"{who.id} does not see {target.id}", fight.rule("concealment.total.spell-targeting")
            )
    if long:
        yield spending(fight, who, spell.casting, f"cast {spell.name}", rule)
    else:
        cites = (rule, fight.rule("spell.short-casting-no-drawback"))
        yield ActionSpent(who=who.id, kind=spell.casting, what=f"cast {spell.name}", cites=cites)
    if spell.casting == "swift":
        yield ReactionSpent(
            who=who.id,
            kind="swift",
            against="",
            opportunity="",
            amount=fight.figure("action-type.swift-cost", "cost_combat_reactions"),
            cites=fight.rules("action-type.swift-cost", "reaction.swift-immediate-cost"),
        )
    if spell.uses is not None:
        yield ResourceSpent(who=who.id, resource=spell.name, amount=1, cites=(rule,))
    if long:
        yield ConditionGained(
            who=who.id,
            condition="casting",
            source=spell.name,
            until=Until("round-end", "", fight.state.round),
            cites=(fight.rule("spell.no-combat-reactions"),),
        )
        yield from triggered(fight, who, "casts")
        if is_down(fight, who) or (yield from distracted(fight, who, spell)):
            return
    if (who.conditions or who.mount) and (yield from hampered.hampered(fight, who, spell)):
        return
    if spell.touch:
        yield from touch(fight, who, spell, targets[0])
        return
    dodged = bool(spell.area) and spell.save == "ref"
    if dodged:
        yield from interposing.offered(fight, targets)
    for target in targets:
        yield from affect(fight, who, spell, target, act.at)
    if dodged:
        yield from interposing.over(fight, targets)


def distracted(fight: Fight, who: Combatant, spell: Spell) -> Steps[bool]:
    """Check concentration for the damage that this round has brought; return whether the spell is lost.

    Several blows count together (woa.spell.damage-concentration).
    """
    disturbed = who.conditions.get("disturbed")
    if disturbed is None:
        return False
    topic = "spell.damage-concentration"
    words = str(fight.figure(topic, "dc")).split(" + ")
    base, per = int(words[0]), int(words[2].split()[0])
    dc = base + disturbed.level + per * spell.level
    parts = hampered.concentration(fight, who)
    cites = fight.rules("spell.concentration-check", topic)
    why = f"struck for {disturbed.level} while casting"
    kept = yield from check(fight, who, "concentration", parts, dc, *cites, why=why)
    yield ConditionLost(who=who.id, condition="disturbed", why="settled", cites=(fight.rule(topic),))
    if not kept:
        yield RuleApplied(who=who.id, what=f"{spell.name} is lost", cites=(fight.rule("spell.fizzle"),))
    return not kept


def touch(fight: Fight, who: Combatant, spell: Spell, target: Combatant) -> Steps[None]:
    """Deliver a spell by a touch attack; a friend is touched without a roll (woa.spell.touch-*)."""
    if target.side == who.side:
        yield RuleApplied(
            who=who.id, what=f"touches {target.id}", cites=(fight.rule("spell.touch-friend-or-self"),)
        )
        yield from affect(fight, who, spell, target)
        return
    cites = fight.rules("ac.touch-attack", "ac.touch-ac", "spell.touch-enemy")
    blow = touch_blow(who, spell, target, *cites)
    if (yield from strike(fight, blow)) and spell.condition and "dead" not in target.conditions:
        yield from afflict(fight, who, spell, target)


def affect(
    fight: Fight, who: Combatant, spell: Spell, target: Combatant, at: tuple[int, int] | None = None
) -> Steps[None]:
    """Let a spell take effect on one target: saving throw with its degrees, damage, condition.

    An area effect spreads from `at`, or from its caster.
    """
    left = (yield from hampered.dampened(fight, who, spell, target)) if target.conditions else hampered.USUAL
    if left == hampered.NOTHING:
        return
    saved = None
    if spell.save:
        extra: list[Modifier] = []
        if spell.save == "ref" and spell.area:
            extra = [*shield_parts(fight, target), *hampered.reflex_parts(fight, who, spell, target)]
        cites: tuple[str, ...] = ()
        if spell.save == "ref":
            origin = (at if spell.area in AROUND else who.at) if spell.area else None
            place, cites = yield from reflex(fight, target, who, origin, spell.name)
            extra += place
        saved = yield from save(fight, target, spell.save, spell.dc, spell.name, *cites, extra=tuple(extra))
    if saved is not None and saved.success and spell.on_save == "negates":
        return
    if spell.damage:
        rolled = yield Roll(who.id, "spell", spell.damage)
        amount, why, cites = rolled.total, "", fight.rules("save.when") if saved else ()
        if saved is not None and spell.on_save == "half":
            amount, why, cites = graded_damage(fight, saved, rolled.total, *bounds(spell.damage))
        if left == hampered.HALF:
            amount //= 2
        harm = Harm(target, amount, spell.damage_type, spell.name, who, energy=True)
        taken, reduced = reduce(fight, harm)
        yield DamageResolved(
            attacker=who.id,
            target=target.id,
            weapon=spell.name,
            dice=(DamagePart(spell.damage, rolled.key, rolled.total, spell.damage_type, spell.name),),
            modifiers=(),
            multiplier=1,
            total=amount,
            nonlethal=False,
            reduced=amount - taken,
            why="; ".join(filter(None, (why, reduced))),
            cites=cites or (fight.rule("damage.lethal"),),
        )
        harm.amount = taken
        yield from suffer(fight, harm)
    if spell.condition and (saved is None or not saved.success) and "dead" not in target.conditions:
        yield from afflict(fight, who, spell, target)


def shield_parts(fight: Fight, target: Combatant) -> list[Modifier]:
    """Return what a shield adds to a Reflex save against an area (woa.save.shield-bonus-reflex)."""
    if not target.aware and not target.acted:
        return []
    rule = fight.rule("save.shield-bonus-reflex")
    return [
        Modifier(part.value, "shield", part.source or "shield", rule)
        for part in target.sheet.armor
        if part.kind == "shield"
    ]


def afflict(fight: Fight, who: Combatant, spell: Spell, target: Combatant) -> Steps[None]:
    """Give a spell's condition for its rounds."""
    until = Until("round-end", "", fight.state.round + spell.rounds - 1) if spell.rounds else Until()
    rule = fight.rule("round.effect-duration")
    yield ConditionGained(
        who=target.id, condition=spell.condition, source=spell.name, until=until, cites=(rule,)
    )
