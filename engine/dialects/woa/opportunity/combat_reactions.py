"""What comes before an attack roll: aid to either side, then dodging or blocking (woa.reaction.*)."""

from affray.engine.dialects.woa.opportunity.block import means_to_block, why_no_block
from affray.engine.dialects.woa.opportunity.dodge import (
    LIMITING,
    dodge_parts,
    dodge_value,
    weight_of,
    why_no_dodge,
)
from affray.engine.dialects.woa.opportunity.dodge_and_block_bonuses import bonus_on_block
from affray.engine.dialects.woa.opportunity.expected_blows import group_level
from affray.engine.dialects.woa.opportunity.reaction_budget import reaction_spent
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.steps import Choice, Steps
from affray.projections.state import Combatant


def cite_ambush(fight: Fight, blow: Blow) -> None:
    """Cite why nobody dodges or blocks an ambush (woa.surprise.no-dodge-block)."""
    if could_ward_off(fight, blow.target):
        blow.cites.append(fight.rule("woa.surprise.no-dodge-block"))


def could_ward_off(fight: Fight, combatant: Combatant) -> bool:
    """Say whether a combatant is of a class, or has the feat, that dodges or blocks at all."""
    return bool(
        group_level(fight, combatant, "warrior")
        or group_level(fight, combatant, "rogue")
        or has_feat(combatant, "dodge")
    )


def ward_off(fight: Fight, blow: Blow) -> Steps[None]:
    """Offer the target to dodge or block, never both (woa.reaction.dodge.not-with-block).

    Whoever would have dodged or blocked and may not has the rule that says so cited with the attack
    (woa.reaction.dodge.timing).
    """
    target = blow.target
    if not could_ward_off(fight, target):
        return
    dodge, means = dodge_value(fight, blow), means_to_block(fight, blow)
    refused = (
        why_no_dodge(fight, blow) if dodge > 0 else None,
        why_no_block(fight, blow) if means else None,
    )
    topics = dict.fromkeys(topic for one in refused if one is not None for topic in one)
    blow.cites += [rule for rule in fight.rules(*topics) if rule not in blow.cites]
    dodge = dodge if refused[0] == () else 0
    means = means if refused[1] == () else []
    if dodge <= 0 and not means:
        return
    options: tuple[str, ...] = ("dodge",) if dodge > 0 else ()
    if means:
        options = ("block", *options) if means[0][0] > dodge else (*options, "block")
    question = f"{blow.attacker.id} attacks {target.id} with the {blow.weapon.name}: dodge or block?"
    topic = "woa.reaction.dodge.not-with-block" if len(options) > 1 else f"reaction.{options[0]}.timing"
    answer = yield Choice(target.id, "react", question, (*options, "decline"), fight.rule(topic))
    if answer not in ("dodge", "block"):
        return
    allowed = [f"reaction.{answer}.eligibility", f"reaction.{answer}.timing"]
    if group_level(fight, target, "warrior") or group_level(fight, target, "rogue"):
        allowed.append("woa.class.groups")
    if blow.intent.kind == "opportunity":
        allowed.append("woa.aoo.avoid.dodge" if answer == "dodge" else "woa.aoo.avoid.normal-defenses")
    if answer == "dodge":
        if weight_of(target) in LIMITING:
            allowed.append("woa.reaction.dodge.load-limit")
        yield reaction_spent(fight, target, "dodge", blow.attacker, *allowed)
        blow.defense_extra += dodge_parts(fight, blow)
    elif means:
        block = yield from chosen_means(fight, blow, means)
        if bonus_on_block(fight, target, block[1]):
            allowed.append("woa.reaction.block.feats")
        yield reaction_spent(fight, target, "block", blow.attacker, *allowed, "woa.reaction.block.means")
        blow.damage.blocked, blow.damage.blocked_with = block


def chosen_means(fight: Fight, blow: Blow, means: list[tuple[int, str]]) -> Steps[tuple[int, str]]:
    """Return what the target blocks with, a shield or a weapon, as it chooses where it has several.

    woa.reaction.block.means, .value, .shield-suffers-effects.
    """
    if len(means) == 1:
        return means[0]
    rule = fight.rule("woa.reaction.block.means")
    question = f"with what does {blow.target.id} block the {blow.weapon.name}?"
    answer = yield Choice(blow.target.id, "block-with", question, tuple(name for _, name in means), rule)
    return next(one for one in means if one[1] == answer)
