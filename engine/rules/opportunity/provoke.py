"""Attacks of opportunity: who may take one, who takes it, and the blow itself."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from affray.engine.fight import Fight
from affray.engine.rules.attacks.attack import strike
from affray.engine.rules.attacks.blow import Blow
from affray.engine.rules.classes.abilities import has_feat
from affray.engine.rules.classes.features import blow_parts
from affray.engine.rules.classes.scores import ability_now
from affray.engine.rules.gear.weapons import fights_unarmed, melee_weapon_at
from affray.engine.rules.harm.conditions import can_react, is_down
from affray.engine.rules.moving.place import distance
from affray.engine.rules.moving.vicinity import between
from affray.engine.rules.opportunity.threat import threatens
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts.combat import Provoked
from affray.events.facts.flow import ReactionSpent, RuleApplied
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

#: What opportunities that movement gives are named after.
MOVING = ("move", "enters")


def provoke(
    fight: Fight,
    mover: Combatant,
    by: Iterable[Combatant],
    reason: str,
    opportunity: str,
    *cites: str,
    astray: Callable[[Combatant], Callable[..., Any] | None] = lambda enemy: None,
    more: Callable[[Combatant], tuple[str, ...]] = lambda enemy: (),
) -> Steps[None]:
    """Let each of `by` attack `mover` for the same opportunity, highest initiative first.

    One opportunity gives one attack; who may not attack is recorded with the reason. The mover may
    be down afterwards: the caller looks (srd35.aoo.*). `astray(enemy)` is what may turn its blow aside,
    `more(enemy)` are further rules by which this enemy may strike.
    """
    order = {id: place for place, id in enumerate(fight.state.order)}
    for enemy in sorted(by, key=lambda one: order.get(one.id, len(order))):
        if is_down(fight, mover):
            return
        yield from one_opportunity(
            fight, enemy, mover, reason, opportunity, (*cites, *more(enemy)), astray(enemy)
        )


def one_opportunity(
    fight: Fight,
    enemy: Combatant,
    mover: Combatant,
    reason: str,
    opportunity: str,
    cites: tuple[str, ...],
    astray: Callable[..., Any] | None = None,
) -> Steps[bool]:
    """Offer one attack of opportunity; return whether it was taken and hit."""
    denied, topic = why_not(fight, enemy, mover, opportunity)
    if denied is None:
        return False
    yield Provoked(
        who=mover.id,
        by=enemy.id,
        reason=reason,
        denied=denied,
        cites=(*cites, fight.rule(topic)) if denied else cites,
    )
    if denied:
        return False
    moving = opportunity.split(":")[0] in MOVING
    outer = fight.scope
    fight.scope = f"{outer}.aoo:{enemy.id}" if outer else f"aoo:{enemy.id}"
    try:
        instead = in_its_place(fight, enemy, mover)
        answer = yield Choice(
            enemy.id,
            "take",
            f"{mover.id} {reason}: does {enemy.id} take the attack of opportunity?",
            ("take", *instead, "decline"),
            fight.rule("aoo.limit"),
        )
        if answer not in ("take", *instead):
            return False
        weapon = melee_weapon_at(fight, enemy, mover)
        if weapon is None:
            return False
        yield ReactionSpent(
            who=enemy.id,
            kind="opportunity",
            against=mover.id,
            opportunity=opportunity,
            cites=fight.rules("aoo.limit", topic, "aoo.timing", *fight.dialect.points.aoo_topics(weapon)),
        )
        if answer in instead:
            plan = fight.dialect.points.substitutes[answer]
            attempt = plan.prepare(fight, enemy, mover, "", "", "opportunity")
            attempt.name = f"{opportunity}:{enemy.id}"
            if moving:
                attempt.blow.defense_extra += blow_parts(fight, attempt.blow, "moving")
            yield RuleApplied(
                who=enemy.id,
                what=f"{answer} in place of the attack of opportunity",
                cites=fight.rules(plan.topic, *plan.listed),
            )
            return (yield from plan.carry_out(fight, attempt))
        blow = Blow(
            enemy,
            mover,
            weapon,
            True,
            distance(enemy, mover),
            "opportunity",
            astray=astray,
            nonlethal=weapon.wield == "unarmed" and not fights_unarmed(enemy),
        )
        if moving:
            blow.defense_extra += blow_parts(fight, blow, "moving")
        return (yield from strike(fight, blow))
    finally:
        fight.scope = outer


def in_its_place(fight: Fight, enemy: Combatant, mover: Combatant) -> tuple[str, ...]:
    """Return the special attacks that may take the place of an attack of opportunity.

    srd35.aoo.substitutes.
    """
    known = between(fight, enemy, mover)
    found: tuple[str, ...] | None = known.get("in its place")
    if found is None:
        names = []
        for name, plan in fight.dialect.points.substitutes.items():
            with suppress(Refusal):
                plan.prepare(fight, enemy, mover, "", "", "opportunity")
                names.append(name)
        found = known["in its place"] = tuple(names)
    return found


def why_not(fight: Fight, enemy: Combatant, mover: Combatant, opportunity: str) -> tuple[str | None, str]:
    """Return why `enemy` may not attack, with the topic of the rule: "" when it may.

    None means that there is nothing to record: the enemy takes no part, or has already been offered
    this very opportunity (srd35.aoo.per-opportunity).
    """
    if is_down(fight, enemy) or opportunity in enemy.opportunities:
        return None, ""
    blocked = can_react(fight, enemy)
    if blocked:
        return "cannot react now", blocked
    limit, topic = fight.dialect.points.opportunities(fight, enemy)
    if limit == 0:
        return "may make none now", topic
    if enemy.reactions.get("opportunity", 0) >= limit:
        return f"has made {limit} this round already", topic
    reason, shelter = in_the_way(fight, enemy, mover)
    return ("", topic) if reason == "" else (reason, shelter)


def in_the_way(fight: Fight, enemy: Combatant, mover: Combatant) -> tuple[str | None, str]:
    """Return what keeps a blow at `mover` from `enemy`, with the rule's topic: None without a weapon for it.

    Remembered as long as nothing near changes.
    """
    known = between(fight, enemy, mover)
    found: tuple[str | None, str] | None = known.get("in the way")
    if found is None:
        weapon = melee_weapon_at(fight, enemy, mover)
        if weapon is None:
            found = None, ""
        else:
            blow = Blow(enemy, mover, weapon, True, 0, "opportunity")
            found = fight.dialect.points.sheltered(fight, blow)
        known["in the way"] = found
    return found


def sheltered(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return what protects the target from an attack of opportunity, and the rule's topic; ("", "") if
    nothing does: cover and total concealment (srd35.cover.no-aoo, srd35.concealment.total-no-aoo).
    """
    cover = fight.dialect.points.cover(fight, blow)
    if cover:
        return f"{blow.target.id} has cover ({cover[0].source})", "cover.no-aoo"
    percent, why, _ = fight.dialect.points.miss_chance(fight, blow)
    if percent >= 50:
        return f"{blow.target.id} has total concealment ({why})", "concealment.total-no-aoo"
    return "", ""


def opportunities(fight: Fight, who: Combatant) -> tuple[int, str]:
    """Return how many attacks of opportunity a combatant may make a round, and the rule's topic.

    One; Combat Reflexes adds the Dexterity bonus and lifts the ban on the flat-footed
    (srd35.aoo.limit, srd35.flat-footed.start, srd35.feat.combat-reflexes).
    """
    reflexes = has_feat(who, "combat reflexes")
    if not who.acted and not reflexes:
        return 0, "flat-footed.start"
    usual = int(fight.figure("aoo.limit", "per_round"))
    if reflexes:
        return usual + max(0, ability_now(fight, who, "dex")), "feat.combat-reflexes"
    return usual, "aoo.limit"


def threatening(fight: Fight, mover: Combatant) -> list[Combatant]:
    """Return the enemies who threaten the mover where it stands, in order of entry."""
    key = ("threatening", mover.id)
    found: list[Combatant] | None = fight.scene.get(key)
    if found is None:
        found = [enemy for enemy in fight.enemies(mover) if threatens(fight, enemy, mover)]
        fight.scene[key] = found
    return found


def no_topics(weapon: Weapon) -> tuple[str, ...]:
    """Return the topics of further rules that have a part in an attack of opportunity with a weapon: none."""
    return ()
