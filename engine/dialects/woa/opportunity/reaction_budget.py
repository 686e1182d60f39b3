"""Count the combat reactions of a round, what rules them out, and how they are spent (woa.reaction.*)."""

from collections.abc import Sequence

from affray.engine.dialects.woa.conditions.conditions import HALF_REACTIONS
from affray.engine.fight.fight import Fight, is_down
from affray.engine.kernel.places import distance
from affray.engine.record.blow import Blow, varied
from affray.engine.rules.attacks.attack_roll import tallies
from affray.engine.rules.classes.sheets import has_feat
from affray.engine.rules.conditions.conditions import can_react
from affray.engine.rules.position.places import sees
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts.combat import EffectEnded, EffectGained, Until
from affray.events.facts.flow import ReactionSpent
from affray.events.facts.sheet import Modifier
from affray.projections.state import Combatant

# --- A check that replaces Armor Class (woa.posture.stand-acrobatics, woa.posture.stand-free-aoo)

#: The stat of an Acrobatics check that replaces a combatant's AC while it gets up.
EVADING = "evading"


def in_place_of_ac(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the modifier by which the Acrobatics check for getting up replaces the AC against an attack.

    The better of the two counts.
    """
    checks = [one.modifier for one in blow.target.effects if one.stat == EVADING]
    if not checks:
        return []
    needed = tallies(fight, varied(blow, cites=[]))[1].total
    return [
        Modifier(check.value - needed, "check", f"{check.source} in place of {needed}", check.rule)
        for check in checks
        if check.value > needed
    ]


NAUSEATED = "woa.condition.nauseated"
HALF = "woa.restricted-activity.half-reactions"
RESTRICTED = "slowed"
"""The condition of restricted activity."""
#: The rules by which a plan's action rules out reactions in the round, by the tag of the act.
BARRED_BY_PLAN = {
    "cast": "woa.spell.no-combat-reactions",
    "ready": "woa.ready.no-reactions",
    "draw-stowed": "woa.items.manipulate-no-reactions",
    "handle": "woa.items.manipulate-no-reactions",
    "handle-long": "woa.items.manipulate-no-reactions",
    "maintain": "woa.spell.concentrate-no-reactions",
    "read": "woa.device.scroll-no-reactions",
    "drink": "woa.device.potion-no-reactions",
    "administer": "woa.device.potion-no-reactions",
}


def reactions_of_round(fight: Fight, combatant: Combatant) -> int:
    """Return the combat reactions of a round by base attack bonus.

    Combat Reflexes adds one; restricted activity leaves half, rounded as the option says
    (woa.reaction.count-by-bab).
    """
    base, count = combatant.sheet.base_attack, 0
    for row in fight.figure("woa.reaction.count-by-bab"):
        if row["bab_min"] <= base and (row["bab_max"] is None or base <= row["bab_max"]):
            count = row["reactions_per_round"]
            break
    if has_feat(combatant, "combat reflexes"):
        count += fight.figure("woa.reaction.combat-reflexes", "extra")
    held = get_halving_condition(combatant)
    return get_halved_reactions(fight, held, count) if held else count


def get_halving_condition(combatant: Combatant) -> str:
    """Return the condition that halves the reactions, "" if there is none."""
    return (
        next((name for name in HALF_REACTIONS if name in combatant.conditions), "")
        if combatant.conditions
        else ""
    )


def get_halved_reactions(fight: Fight, condition: str, count: int) -> int:
    """Return the reactions that a condition leaves of `count`, rounded down.

    For slowed combatants the rule on restricted activity counts, for others the condition itself
    (woa.restricted-activity.half-reactions, woa.condition.staggered, .exhausted).
    """
    if condition == RESTRICTED:
        return count * int(fight.figure(HALF, "factor") * 100) // 100
    above, _, below = str(fight.figure(HALF_REACTIONS[condition], "reactions")).rpartition("/")
    times = int(above) if above.isdigit() else 1
    return count * times // int(below.rstrip(")"))


def halved_by(combatant: Combatant) -> tuple[str, ...]:
    """Return the topics of the rules that halve the reactions, () if none does."""
    held = get_halving_condition(combatant)
    return (*([HALF] if held == RESTRICTED else []), HALF_REACTIONS[held]) if held else ()


def paid_by(fight: Fight, combatant: Combatant) -> tuple[str, ...]:
    """Return the topics of the rules that give a combatant the reaction it spends now."""
    topics = ["reaction.count-by-bab"]
    topics += halved_by(combatant)
    if has_feat(combatant, "combat reflexes"):
        extra = fight.figure("woa.reaction.combat-reflexes", "extra")
        if (
            "flat-footed" in combatant.conditions
            or reactions_used(combatant) >= reactions_of_round(fight, combatant) - extra
        ):
            topics.append("woa.reaction.combat-reflexes")
    return tuple(topics)


def rules_of_none_left(combatant: Combatant, topic: str) -> tuple[str, ...]:
    """Return the topics of all rules by which no reaction is left, given the first of them."""
    return halved_by(combatant) if topic == HALF else (topic,)


def reactions_used(combatant: Combatant) -> int:
    """Return how many reactions of any kind are used this round."""
    return sum(combatant.reactions.values())


def why_no_reaction(fight: Fight, combatant: Combatant) -> str:
    """Return the topic of the rule that forbids all reactions now, "" if none does.

    Causes are being flat-footed (except with Combat Reflexes), conditions, and the plan for the round (option
    `reactions_lost_from`).
    """
    blocked = can_react(fight, combatant)
    if blocked and not (
        blocked == "condition.flat-footed.effects" and has_feat(combatant, "combat reflexes")
    ):
        return "reaction.flat-footed" if blocked == "condition.flat-footed.effects" else blocked
    if combatant.plan and fight.option("reactions_lost_from") == "declaration":
        for type_, what, _ in combatant.plan:
            topic = BARRED_BY_PLAN.get(what)
            if topic and (type_ in ("standard", "full-round") or what == "handle"):
                return topic
    return ""


def reactions_left(fight: Fight, combatant: Combatant) -> tuple[int, str]:
    """Return how many reactions are left now, and the topic of the rule."""
    topic = why_no_reaction(fight, combatant)
    if topic:
        few = fight.figure(topic, "reactions") if topic == NAUSEATED else 0
        return max(0, few - reactions_used(combatant)), topic
    counted = halved_by(combatant) or ("reaction.count-by-bab",)
    return max(0, reactions_of_round(fight, combatant) - reactions_used(combatant)), counted[0]


def has_reaction_left(fight: Fight, combatant: Combatant, kind: str) -> bool:
    """Return whether a combatant has a reaction of that kind left (woa.total-defense.reactions)."""
    if is_down(fight, combatant) or not reactions_left(fight, combatant)[0]:
        return False
    return not restricted_by_defense(combatant) or kind in fight.figure(
        "woa.total-defense.reactions", "allowed"
    )


def restricted_by_defense(combatant: Combatant) -> bool:
    """Return whether total defense limits a combatant to dodging and blocking."""
    return "total-defense" in combatant.conditions and not has_feat(combatant, "combat expertise")


def refuse_swift_in_defense(fight: Fight, combatant: Combatant) -> None:
    """Refuse a swift or immediate action, which costs a reaction, in a round of total defense.

    woa.total-defense.reactions, woa.action-type.swift-cost.
    """
    if restricted_by_defense(combatant):
        reason = f"{combatant.id} is in total defense and can react only to dodge or block"
        raise Refusal(reason, fight.rule("woa.total-defense.reactions"))


def swift_cost(fight: Fight, combatant: Combatant, *cites: str, kind: str = "swift") -> ReactionSpent:
    """Return the combat reactions that a swift or immediate action costs (woa.action-type.swift-cost)."""
    topic = cost_topic(kind)
    amount = fight.figure(topic, "cost_combat_reactions")
    return ReactionSpent(who=combatant.id, kind=kind, against="", opportunity="", amount=amount, cites=cites)


def cost_topic(kind: str) -> str:
    """Return the topic of the rule on the cost of a swift or an immediate action."""
    return "woa.action-type.immediate" if kind == "immediate" else "action-type.swift-cost"


def reaction_spent(
    fight: Fight, combatant: Combatant, kind: str, against: Combatant, *topics: str
) -> ReactionSpent:
    """Return the fact that a combatant uses one of the five common reactions.

    woa.reaction.types, woa.reaction.block.eligibility, woa.reaction.block.timing,
    woa.reaction.dodge.eligibility
    """
    cites = fight.rules(*topics, "woa.reaction.types", *paid_by(fight, combatant))
    cost = fight.formula(topics[0], "cost") if kind.startswith("aid") else 1
    return ReactionSpent(
        who=combatant.id, kind=kind, against=against.id, opportunity="", amount=cost, cites=cites
    )


# --- Shielding a friend from an area effect (woa.cover.shield-ally-reaction)

TOPIC = "woa.cover.shield-ally-reaction"
NOBODY = "nobody"


def offer_shielding(fight: Fight, targets: Sequence[Combatant]) -> Steps[None]:
    """Let combatants in an area shield a friend next to them: -4 on their own Reflex save, +2 on the
    friend's.
    """
    rule = fight.rule(TOPIC)
    for combatant in targets:
        friends = [one for one in targets if one is not combatant and one.side == combatant.side]
        near = [one.id for one in friends if distance(combatant, one) <= 5 and sees(fight, combatant, one)]
        if (
            not near
            or not has_reaction_left(fight, combatant, "shield")
            or (not combatant.aware and not combatant.acted)
        ):
            continue
        question = f"which friend does {combatant.id} shield from it?"
        answer = yield Choice(combatant.id, "shield", question, (NOBODY, *near), rule)
        if answer == NOBODY:
            continue
        yield ReactionSpent(who=combatant.id, kind="shield", against=answer, opportunity="", cites=(rule,))
        for id, path, source in (
            (combatant.id, "self_reflex", f"shields {answer}"),
            (answer, "ally_reflex", f"shielded by {combatant.id}"),
        ):
            yield EffectGained(
                who=id,
                id=f"{fight.declaration}:shield:{combatant.id}:{id}",
                stat="save.ref",
                modifier=fight.modifier(TOPIC, path, kind="circumstance", source=source),
                until=Until("round-end", "", fight.state.round),
                cites=(rule,),
            )


def end_shielding(fight: Fight, targets: Sequence[Combatant]) -> Steps[None]:
    """End the shielding once the saves are made."""
    start = f"{fight.declaration}:shield:"
    for combatant in targets:
        for effect in combatant.effects:
            if effect.id.startswith(start):
                rule = effect.modifier.rule
                yield EffectEnded(who=combatant.id, id=effect.id, why="it is over", cites=(rule,))
