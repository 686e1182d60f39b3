"""Casting at first depth: provoking, casting defensively, touch attacks, saves, areas."""

from affray.engine.fight import Fight
from affray.engine.grid.area import burst, cone, line_area
from affray.engine.rules.abilities import has_feat
from affray.engine.rules.attack import strike
from affray.engine.rules.blow import Blow, Harm
from affray.engine.rules.budget import refuse_unless_allowed, spending
from affray.engine.rules.checks import check, saving_throw
from affray.engine.rules.conditions import is_down, rule_of
from affray.engine.rules.counterspell import begun
from affray.engine.rules.damage import NO_DAMAGE, suffer
from affray.engine.rules.place import cover_between, distance, sees, squares_of
from affray.engine.rules.provoke import provoke, threatening
from affray.engine.rules.scores import lowered
from affray.engine.steps import Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, DamagePart, DamageResolved, ResourceSpent, Until
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.rolled import Rolled
from affray.events.facts.sheet import Spell, Weapon
from affray.projections.state import Combatant


def cast(fight: Fight, act: acts.Cast) -> Steps[None]:
    """Cast a spell of the sheet (srd35.cast.*).

    It provokes from all who threaten unless it is cast defensively (a concentration check, whose
    failure loses the spell); damage on the way calls for a check too.
    """
    who = fight.combatant(act.actor)
    rule = fight.rule("cast.provokes")
    spell = known_spell(fight, who, act.spell)
    kind = spell.casting
    refuse_unless_allowed(fight, who, kind)
    targets = aims(fight, who, spell, act)
    yield spending(fight, who, kind, f"cast {spell.name}", rule)
    yield from complete(fight, who, spell, targets, act.defensively)


def known_spell(fight: Fight, who: Combatant, name: str) -> Spell:
    """Return the spell of that name. Refuses one that the caster has not, or has no longer."""
    rule = fight.rule("cast.provokes")
    spell = next((one for one in who.sheet.spells if one.name == name), None)
    if spell is None:
        raise Refusal(f"{who.id} has no spell {name!r}", rule)
    if spell.uses is not None and who.resources.get(spell.name, 0) >= spell.uses:
        raise Refusal(f"{who.id} has no {spell.name} left", rule)
    return spell


def complete(
    fight: Fight, who: Combatant, spell: Spell, targets: list[Combatant], defensively: bool
) -> Steps[None]:
    """Cast a spell whose action is spent: what disturbs it, then what it does."""
    if spell.uses is not None:
        rule = fight.rule("cast.provokes")
        yield ResourceSpent(who=who.id, resource=spell.name, amount=1, cites=(rule,))
    if spell.casting in ("standard", "full-round"):
        healthy = who.hp + who.temporary
        ruined = yield from begun(fight, who, spell)
        if ruined or is_down(fight, who):
            return
        lost = yield from distracted(fight, who, spell, defensively, healthy)
        if lost or is_down(fight, who):
            return
    if spell.touch:
        yield from touch(fight, who, spell, targets[0])
        return
    rolled: Rolled | None = None
    for target in targets:
        rolled = yield from affect(fight, who, spell, target, rolled)


def hampered(fight: Fight, who: Combatant, spell: Spell) -> Steps[bool]:
    """Let conditions that make casting hard call for a check; return whether the spell is lost."""
    for name in list(who.conditions):
        casting = rule_of(fight, name).casting
        if casting is None:
            continue
        topic = casting[0]
        dc = fight.dialect.points.hampered_dc(fight, spell, *casting)
        why = f"casting {spell.name} while {name}"
        parts = concentration(fight, who, topic)
        if not (yield from check(fight, who, "concentration", parts, dc, fight.rule(topic), why=why)):
            yield RuleApplied(who=who.id, what=f"{spell.name} is lost", cites=(fight.rule(topic),))
            return True
    return False


def hampered_dc(fight: Fight, spell: Spell, topic: str, path: str) -> int:
    """Return the DC to cast under a condition: the printed number + spell level."""
    return fight.formula(topic, path) + spell.level


def distracted(fight: Fight, who: Combatant, spell: Spell, defensively: bool, healthy: int) -> Steps[bool]:
    """Let the casting provoke, or be done defensively; return whether the spell is lost.

    `healthy` are the hit points with which the casting began.
    """
    if (yield from hampered(fight, who, spell)):
        return True
    enemies = threatening(fight, who)
    if defensively:
        topic = "cast.defensively"
        parts = concentration(fight, who, topic)
        if has_feat(who, "combat casting"):
            parts.append(
                fight.modifier(
                    "feat.combat-casting", "concentration", kind="untyped", source="Combat Casting"
                )
            )
        dc = fight.dialect.points.defensive_casting_dc(fight, spell)
        done = yield from check(
            fight, who, "concentration", parts, dc, fight.rule(topic), why=f"casting {spell.name} defensively"
        )
        if not done:
            yield RuleApplied(who=who.id, what=f"{spell.name} is lost", cites=(fight.rule(topic),))
        if not done:
            return True
    else:
        rule = fight.rule("cast.provokes")
        yield from provoke(fight, who, enemies, f"casts {spell.name}", f"cast:{fight.declaration}", rule)
    damage = healthy - who.hp - who.temporary
    if damage > 0 and not is_down(fight, who):
        topic = "cast.damage-dc"
        done = yield from check(
            fight,
            who,
            "concentration",
            concentration(fight, who, topic),
            fight.formula(topic, "dc") + damage + spell.level,
            fight.rule(topic),
            why=f"struck for {damage} while casting",
        )
        if not done:
            yield RuleApplied(who=who.id, what=f"{spell.name} is lost", cites=(fight.rule(topic),))
        return not done
    return False


def concentration(fight: Fight, who: Combatant, topic: str) -> list[Modifier]:
    """Return the parts of a concentration check."""
    bonus = who.sheet.concentration
    if bonus is None:
        bonus = who.sheet.skills.get("concentration", 0)
    return [Modifier(bonus, "skill", "concentration", fight.rule(topic)), *lowered(fight, who, "con")]


def aims(fight: Fight, who: Combatant, spell: Spell, act: acts.Cast) -> list[Combatant]:
    """Return the targets of a spell. Refuses those out of range or without line of effect."""
    rule = fight.rule("cast.range")
    if spell.area:
        if act.at is None:
            raise Refusal(f"{spell.name} needs a square to aim at", rule)
        if act.at == who.at and spell.area != "burst":
            raise Refusal(f"{spell.name} needs a direction", rule)
        covered = area_squares(who, spell, act.at)
        return [
            one
            for one in fight.state.combatants.values()
            if "dead" not in one.conditions
            and (one is not who or spell.area == "burst")
            and covered.intersection(squares_of(one))
            and (one is who or sees(fight, who, one))
        ]
    if not act.targets:
        raise Refusal(f"{spell.name} needs a target", rule)
    if spell.touch and len(act.targets) > 1:
        raise Refusal(f"{spell.name} takes one target", rule)
    targets = [fight.combatant(id) for id in act.targets]
    for target in targets:
        feet = distance(who, target)
        if feet > (spell.range or who.reach):
            raise Refusal(f"{target.id} is {feet} ft. away, out of the spell's range", rule)
        if not sees(fight, who, target):
            raise Refusal(
                f"{who.id} has no line of effect to {target.id}", fight.rule("cover.total-no-attack")
            )
        if "dead" in target.conditions:
            raise Refusal(f"{target.id} is dead already", rule)
    return targets


def area_squares(who: Combatant, spell: Spell, at: tuple[int, int]) -> frozenset[tuple[int, int]]:
    """Return the squares of a spell's area: a burst around `at`, a cone or line towards it."""
    if spell.area == "burst":
        return frozenset(burst(at, spell.area_feet))
    dx = (at[0] > who.at[0]) - (at[0] < who.at[0])
    dy = (at[1] > who.at[1]) - (at[1] < who.at[1])
    corner = (who.at[0] + who.space * (dx > 0), who.at[1] + who.space * (dy > 0))
    if spell.area == "cone":
        return frozenset(cone(corner, (dx, dy), spell.area_feet))
    return frozenset(line_area(corner, (at[0] + (dx > 0), at[1] + (dy > 0)), spell.area_feet))


def touch(fight: Fight, who: Combatant, spell: Spell, target: Combatant) -> Steps[None]:
    """Deliver a spell by a touch attack; a ranged touch attack follows the rules of shooting.

    It threatens on 20 for double damage (srd35.crit.spells).
    """
    weapon = Weapon(
        spell.name,
        spell.damage or NO_DAMAGE,
        spell.damage_type,
        "projectile" if spell.touch == "ranged" else "unarmed",
        threat=fight.figure("crit.spells", "threat", 0),
        multiplier=fight.figure("crit.spells", "multiplier"),
        range=max(spell.range, 5),
        traits=("armed", "spell"),
        family="spell",
        riders=spell.riders,
    )
    blow = Blow(
        who,
        target,
        weapon,
        spell.touch == "melee",
        distance(who, target),
        "spell",
        against="touch armor class",
        touch=True,
        cites=[fight.rule("ac.touch")],
    )
    if spell.touch == "ranged" and fight.dialect.points.ranged_touch_provokes:
        rule = fight.rule("cast.provokes")
        yield from provoke(
            fight, who, threatening(fight, who), f"aims {spell.name}", f"ray:{fight.declaration}", rule
        )
        if is_down(fight, who):
            return
    if not (yield from strike(fight, blow)):
        return
    if spell.condition and "dead" not in target.conditions:
        yield from afflict(fight, who, spell, target)


def affect(
    fight: Fight, who: Combatant, spell: Spell, target: Combatant, rolled: Rolled | None = None
) -> Steps[Rolled | None]:
    """Let a spell take effect on one target: saving throw, damage, condition.

    Damage is rolled once for all whom the spell strikes: `rolled` is that roll, which is returned.
    """
    saved = False
    if spell.save:
        extra: tuple[Modifier, ...] = ()
        if spell.save == "ref" and spell.area:
            extra = fight.dialect.points.reflex_cover(fight, who, target)
        if spell.condition:
            extra += fight.dialect.points.steeled(fight, target, spell.condition)
        saved = yield from saving_throw(fight, target, spell.save, spell.dc, spell.name, extra=extra)
    if saved and spell.on_save == "negates":
        return rolled
    if spell.damage:
        if rolled is None:
            rolled = yield Roll(who.id, "spell", spell.damage)
        amount, spared, also = fight.dialect.points.after_save(
            fight, target, spell.save, spell.on_save, saved, max(0, rolled.total)
        )
        harm = Harm(target, amount, spell.damage_type, spell.name, who, energy=True, area=bool(spell.area))
        taken, reduced = fight.dialect.points.reduce(fight, harm)
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
            why="; ".join(filter(None, (spared, reduced))),
            cites=(fight.rule("save.roll" if spell.save else "hp.thresholds"), *also, *harm.reduced_by),
        )
        harm.amount = taken
        yield from suffer(fight, harm)
    if spell.condition and not saved and "dead" not in target.conditions:
        yield from afflict(fight, who, spell, target)
    if spell.healing or spell.temporary or spell.riders:
        yield from fight.dialect.points.bestow(fight, who, spell, target, saved)
    return rolled


def reflex_cover(fight: Fight, who: Combatant, target: Combatant) -> tuple[Modifier, ...]:
    """Return what cover gives to a Reflex save against an effect from its far side (srd35.cover.reflex)."""
    if cover_between(fight, who, target, False).kind != "cover":
        return ()
    return (fight.modifier("cover.reflex", "reflex", kind="cover", source="cover"),)


def afflict(fight: Fight, who: Combatant, spell: Spell, target: Combatant) -> Steps[None]:
    """Give a spell's condition for its rounds, counted to the caster's turn."""
    immune = fight.dialect.points.unmoved(fight, target, spell.condition)
    if immune:
        yield RuleApplied(who=target.id, what=f"immune: not {spell.condition}", cites=immune)
        return
    until = Until("turn-start", who.id, fight.state.round + spell.rounds) if spell.rounds else Until()
    cites = (fight.rule("round.duration-expiry"),) if spell.rounds else ()
    yield from fight.dialect.points.gain(
        fight,
        ConditionGained(
            who=target.id, condition=spell.condition, source=spell.name, until=until, cites=cites
        ),
    )


def no_gift(fight: Fight, who: Combatant, spell: Spell, target: Combatant, saved: bool) -> Steps[None]:
    """Let a spell do no more than its damage and its condition."""
    return
    yield
