"""Dodging: who may, and what it adds to Armor Class (woa.reaction.dodge.*)."""

from affray.engine.dialects.woa.conditions.condition_table import SLOWING
from affray.engine.dialects.woa.defense.armor_class import misled
from affray.engine.dialects.woa.grapple.grab_modifiers import no_dodge
from affray.engine.dialects.woa.movement import aloft
from affray.engine.dialects.woa.opportunity.dodge_and_block_bonuses import bonus_on_dodge
from affray.engine.dialects.woa.opportunity.expected_blows import fraction, group_level, why_unexpected
from affray.engine.dialects.woa.opportunity.reaction_budget import has_reaction_left
from affray.engine.fight.fight import Fight, rule_of
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.ability_modifiers import has_trait
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

#: Armor or load that limits how often a round one dodges.
LIMITING = ("medium", "heavy")


def weight_of(combatant: Combatant) -> str:
    """Return the weight of what burdens a combatant most: its armor, or the load that its traits name."""
    worst = next((one for one in ("heavy", "medium") if has_trait(combatant, f"{one} load")), "")
    armor = combatant.sheet.armor_weight
    return armor if armor == "heavy" or not worst else worst


def why_no_dodge(fight: Fight, blow: Blow) -> tuple[str, ...] | None:
    """Return the topics of the rules that forbid a dodge now, () for none; None for who never dodges.

    woa.reaction.dodge.awareness, .load-limit, .prohibited, woa.attack.ranged-forfeits-dodge,
    woa.grapple.modifier.no-reactions, woa.grab.dodge-block, woa.mount.combat.no-dodging, woa.fly.no-dodge
    """
    target = blow.target
    if "grappling" in target.conditions:
        return ("woa.grapple.modifier.no-reactions",)
    if not has_reaction_left(fight, target, "dodge"):
        return None
    if target.conditions and no_dodge(fight, target):
        return ("woa.grab.dodge-block",)
    if rooting := why_rooted(target):
        return (rooting,)
    if missing := why_unexpected(fight, blow, "dodge"):
        return missing
    if misled(blow):
        return ("woa.feint.success",)
    hindered = any(name in SLOWING or not rule_of(fight, name).moves for name in target.conditions)
    if hindered or has_trait(target, "nonproficient armor"):
        return ("woa.reaction.dodge.prohibited",)
    if "shooting" in target.conditions:
        return ("woa.attack.ranged-forfeits-dodge",)
    weight = weight_of(target)
    if weight in LIMITING:
        most = fight.figure(
            "woa.reaction.dodge.load-limit", f"armor_or_load={weight}", "max_dodges_per_round"
        )
        if target.reactions.get("dodge", 0) >= most:
            return ("woa.reaction.dodge.load-limit",)
    return ()


def why_rooted(combatant: Combatant) -> str:
    """Return the topic of what keeps somebody from dodging: the saddle, or being ill at ease in the air."""
    if combatant.mount:
        return "woa.mount.combat.no-dodging"
    return "woa.fly.no-dodge" if aloft.is_flying(combatant) and not aloft.at_ease(combatant) else ""


def dodge_value(fight: Fight, blow: Blow) -> int:
    """Return what a dodge adds to AC (woa.reaction.dodge.value, .feats-and-skills)."""
    return sum(part.value for part in dodge_parts(fight, blow))


def dodge_parts(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the parts of a dodge value: half the better level, and what feat and skill add."""
    target = blow.target
    words = str(fight.figure("woa.reaction.dodge.value", "formula"))
    best = fraction(max(group_level(fight, target, "warrior"), group_level(fight, target, "rogue")), words)
    rule = fight.rule("woa.reaction.dodge.value")
    parts = [Modifier(best, "dodge", "dodging", rule)] if best else []
    levels = group_level(fight, target, "warrior") + group_level(fight, target, "rogue")
    return parts + bonus_on_dodge(fight, target, levels)
