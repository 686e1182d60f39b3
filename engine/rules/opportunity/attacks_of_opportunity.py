"""Attacks of opportunity: who may take one, who takes it, and the blow."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.fight.fight import Fight, is_down
from affray.engine.fight.memory import per_scene
from affray.engine.kernel.places import distance
from affray.engine.record.blow import Blow
from affray.engine.record.chapters import ReactionBlow
from affray.engine.rules.attacks.attack_roll import build_blow, strike_and_settle
from affray.engine.rules.classes.abilities import ability_now, blow_parts
from affray.engine.rules.classes.sheets import has_feat
from affray.engine.rules.conditions.conditions import can_react
from affray.engine.rules.gear.hands import choose_weapon
from affray.engine.rules.turns.delay_and_ready import about_to_be_interrupted, stop_if_impossible
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts.combat import Provoked
from affray.events.facts.flow import ReactionSpent, RuleApplied
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

#: The names of the opportunities that movement gives.
MOVING = ("move", "enters")

#: The family of weapons that touch with the charge of a spell; it includes others too.
SPELL = "spell"


def provoke(
    fight: Fight,
    mover: Combatant,
    by: Iterable[Combatant],
    reason: str,
    opportunity: str,
    *cites: str,
    redirect: Callable[[Combatant], Callable[..., Steps[None]] | None] | None = None,
    more: Callable[[Combatant], tuple[str, ...]] | None = None,
) -> Steps[None]:
    """Let each of `by` attack `mover` for the same opportunity, highest initiative first.

    One opportunity gives one attack; a combatant that may not attack is recorded with the reason. The mover
    may be down afterwards: the caller checks; acts that it can no longer take are over (srd35.aoo.*).
    `redirect(enemy)` may redirect that enemy's blow, `more(enemy)` are further rules by which it may attack.
    """
    enemies = in_order(fight, by)
    before = about_to_be_interrupted(fight, mover) if enemies else None
    for enemy in enemies:
        if mover.conditions and is_down(fight, mover):
            return
        rules = cites if more is None else (*cites, *more(enemy))
        aside = None if redirect is None else redirect(enemy)
        yield from offer_opportunity(fight, enemy, mover, reason, opportunity, rules, aside)
    if before is not None:
        stop_if_impossible(fight, before)


def in_order(fight: Fight, some: Iterable[Combatant]) -> list[Combatant]:
    """Return combatants by initiative, highest first; those without initiative last."""
    order = fight.state.order
    return sorted(some, key=lambda one: order.index(one.id) if one.id in order else len(order))


def offer_opportunity(
    fight: Fight,
    enemy: Combatant,
    mover: Combatant,
    reason: str,
    opportunity: str,
    cites: tuple[str, ...],
    redirect: Callable[..., Steps[None]] | None = None,
) -> Steps[bool]:
    """Offer one attack of opportunity; return whether it was taken and hit.

    futurepath.aoo.resolves-immediately, pf1.aoo.interrupts.
    """
    found = prospective_blow(fight, enemy, mover)
    denied, topic = why_no_opportunity(fight, enemy, opportunity, found)
    if denied is None:
        return False
    blows: list[ReactionBlow] = []
    if not denied:
        blows, denied, barred = prepare_blows(fight, enemy, mover, found.weapons)
        topic = barred or topic
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
    outer, doing = fight.scope, fight.doing
    fight.scope, fight.doing = f"{outer}.aoo:{enemy.id}" if outer else f"aoo:{enemy.id}", None
    try:
        instead = substitutes_for(fight, enemy, mover, moving)
        answer = yield Choice(
            enemy.id,
            "take",
            f"{mover.id} {reason}: does {enemy.id} take the attack of opportunity?",
            ("take", *instead, "decline"),
            fight.rule("aoo.limit"),
        )
        if answer not in ("take", *instead):
            return False
        weapon = blows[0].blow.weapon
        if answer == "take":
            question = f"with which weapon does {enemy.id} strike at {mover.id}?"
            weapon = yield from choose_weapon(
                enemy.id, question, [one.blow.weapon for one in blows], fight.rule("aoo.limit")
            )
        yield ReactionSpent(
            who=enemy.id,
            kind="opportunity",
            against=mover.id,
            opportunity=opportunity,
            cites=fight.rules(
                "aoo.limit", topic, "aoo.timing", *fight.dialect.opportunity.weapon_topics(weapon)
            ),
        )
        if answer in instead:
            plan = fight.dialect.maneuvers.substitutes[answer]
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
        chosen = next(one for one in blows if one.blow.weapon is weapon)
        blow = chosen.blow
        blow.redirect = redirect
        if moving:
            blow.defense_extra += blow_parts(fight, blow, "moving")
        return (yield from chosen.carry_out(fight, blow))
    finally:
        fight.scope, fight.doing = outer, doing


def prepare_blows(
    fight: Fight, enemy: Combatant, mover: Combatant, weapons: Sequence[Weapon]
) -> tuple[list[ReactionBlow], str, str]:
    """Return the blows that `enemy` can make out of turn, prepared like declared ones.

    Without any, also the reason against the first weapon and the rule's id; "" and "" otherwise.
    """
    blows: list[ReactionBlow] = []
    denied = rule = ""
    for weapon in weapons:
        charge = None
        if weapon.family == SPELL:
            charge = fight.dialect.opportunity.touch_by_charge(fight, enemy, mover, weapon)
        if charge is not None:
            blows.append(charge)
            continue
        try:
            blow = fight.dialect.attacks.prepare(fight, enemy, mover, weapon, "opportunity")
        except Refusal as refused:
            denied, rule = denied or refused.reason, rule or refused.rule
        else:
            blows.append(ReactionBlow(blow, strike_and_settle))
    return (blows, "", "") if blows else ([], denied, rule)


@per_scene(
    "enemy.id",
    "mover.id",
    "moving",
    "fight.readied and (fight.readied, fight.state.active, *mover.spent.items())",
    "(*enemy.resources.items(),)",
)
def substitutes_for(fight: Fight, enemy: Combatant, mover: Combatant, moving: bool) -> tuple[str, ...]:
    """Return the special attacks that may replace an attack of opportunity.

    Some may only if `moving` provoked it (srd35.aoo.substitutes, pf1.feat.stand-still). This is asked if
    nothing shelters the mover from that enemy, so it does not depend on bystanders; it depends on supplies,
    and on the mover's acts while a readied act is carried out (see `aim_weapon`).
    """
    names = []
    for name, plan in fight.dialect.maneuvers.substitutes.items():
        if plan.of_movement and not moving:
            continue
        with suppress(Refusal):
            plan.prepare(fight, enemy, mover, "", "", "opportunity")
            names.append(name)
    return tuple(names)


class Prospect(Struct, frozen=True, gc=False):
    """The circumstances of a possible attack of opportunity by one combatant on another.

    `limit` is how many it may make a round, by the rule on `topic`; `weapons` are those in hand that it can
    attack with, over `feet`; `denied` is the reason that forbids the blow of every weapon in reach, by the
    rule on `shelter`, "" for none.
    """

    limit: int
    topic: str
    weapons: tuple[Weapon, ...]
    feet: int
    denied: str
    shelter: str


@per_scene("enemy.id", "mover.id", "enemy.acted")
def prospective_blow(fight: Fight, enemy: Combatant, mover: Combatant) -> Prospect:
    """Return the circumstances of a possible attack of opportunity."""
    found = blow_in_the_open(fight, enemy, mover)
    sheltered = fight.dialect.opportunity.sheltered
    weapons: list[Weapon] = []
    denied, shelter = "", ""
    for weapon in found.weapons:
        why, topic = sheltered(fight, build_blow(fight, enemy, mover, weapon, "opportunity", feet=found.feet))
        if not why:
            weapons.append(weapon)
        elif not denied:
            denied, shelter = why, topic
    if weapons:
        denied, shelter = "", ""
    return replace(found, weapons=tuple(weapons), denied=denied, shelter=shelter)


@per_scene("enemy.id", "mover.id", "enemy.acted")
def blow_in_the_open(fight: Fight, enemy: Combatant, mover: Combatant) -> Prospect:
    """Return the circumstances of a possible attack of opportunity without shelter and bystanders."""
    rules = fight.dialect.opportunity
    weapons = tuple(rules.weapons_at(fight, enemy, mover))
    limit, topic = rules.opportunities(fight, enemy)
    return Prospect(limit, topic, weapons, distance(enemy, mover), "", "")


def why_no_opportunity(
    fight: Fight, enemy: Combatant, opportunity: str, found: Prospect
) -> tuple[str | None, str]:
    """Return why `enemy` may not attack, with the topic of the rule: "" if it may.

    None means that there is nothing to record: the enemy is not involved, or has already been offered this
    opportunity (srd35.aoo.per-opportunity).
    """
    if opportunity in enemy.opportunities:
        return None, ""
    if enemy.conditions:
        if is_down(fight, enemy):
            return None, ""
        blocked = can_react(fight, enemy)
        if blocked:
            return "cannot react now", blocked
    if found.limit == 0:
        return "may make none now", found.topic
    if enemy.reactions.get("opportunity", 0) >= found.limit:
        return f"has made {found.limit} this round already", found.topic
    if found.denied:
        return found.denied, found.shelter
    return ("", found.topic) if found.weapons else (None, "")


def cover_or_concealment(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return what protects the target from an attack of opportunity, and the rule's topic; ("", "") if not.

    Cover and total concealment do (srd35.cover.no-aoo, srd35.concealment.total-no-aoo).
    """
    cover = fight.dialect.defense.cover(fight, blow)
    if cover:
        return f"{blow.target.id} has cover ({cover[0].source})", "cover.no-aoo"
    percent, why, _ = fight.dialect.attacks.miss_chance(fight, blow)
    if percent >= 50:
        return f"{blow.target.id} has total concealment ({why})", "concealment.total-no-aoo"
    return "", ""


def opportunities(fight: Fight, combatant: Combatant) -> tuple[int, str]:
    """Return how many attacks of opportunity a combatant may make a round, and the rule's topic.

    One; Combat Reflexes adds the Dexterity bonus and lifts the ban on the flat-footed (srd35.aoo.limit,
    srd35.flat-footed.start, srd35.feat.combat-reflexes, futurepath.condition.flat-footed.before-first-turn,
    futurepath.assumed.combat-reflexes).
    """
    reflexes = has_feat(combatant, "combat reflexes")
    if not combatant.acted and not reflexes:
        return 0, "flat-footed.start"
    usual = int(fight.figure("aoo.limit", "per_round"))
    if reflexes:
        return usual + max(0, ability_now(fight, combatant, "dex")), "feat.combat-reflexes"
    return usual, "aoo.limit"


def no_charge(fight: Fight, enemy: Combatant, mover: Combatant, weapon: Weapon) -> None:
    """Return None: the dialect has no spell charge as a weapon."""
    return None
