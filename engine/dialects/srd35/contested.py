"""Points of srd35 where the text is contested and an option decides (contested.toml)."""

from msgspec.structs import replace

from affray.engine.blow import Blow, Harm
from affray.engine.dialects.srd35.attacks import aid_another, shooting
from affray.engine.dialects.srd35.attacks import attack_modifiers as srd35_attack_modifiers
from affray.engine.dialects.srd35.attacks.modifier_tables import of_table
from affray.engine.dialects.srd35.classes import uncanny_dodge
from affray.engine.dialects.srd35.classes.turned_undead import awe_parts
from affray.engine.dialects.srd35.conditions.ability_loss import score_now
from affray.engine.dialects.srd35.conditions.immunities import spared
from affray.engine.dialects.srd35.defense import cover
from affray.engine.dialects.srd35.environment import gm_settings
from affray.engine.dialects.srd35.grapple.grapple_state import opponents
from affray.engine.dialects.srd35.magic.quickened_spells import anticipated, swift_in_play
from affray.engine.dialects.srd35.mounted import ride_skill as srd35_ride_skill
from affray.engine.dialects.srd35.movement.swim import water_cover, water_parts
from affray.engine.dialects.srd35.position import creature_size
from affray.engine.dialects.srd35.senses import concealment, hide, light
from affray.engine.fight import Fight
from affray.engine.grid.cover import Cover
from affray.engine.record.turns import Allowance
from affray.engine.rules.attacks import attack_modifiers
from affray.engine.rules.attacks.attack_roll import common_attack_situation
from affray.engine.rules.conditions.condition_rules import is_down
from affray.engine.rules.damage import injury
from affray.engine.rules.defense import armor_class
from affray.engine.rules.magic import spell_effects
from affray.engine.rules.position.cover_between import cover_between
from affray.engine.rules.position.place import next_to
from affray.engine.rules.turns import action_budget, flow
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Spell, Weapon
from affray.projections.state import Combatant

#: What most turns allow, with the rules by which a move action stands for something else.
USUAL = replace(
    action_budget.FULL,
    swap="action.move-for-standard",
    break_off="full-attack.decide",
    swift_topic="action.swift-immediate",
)


def allowance(fight: Fight, who: Combatant) -> Allowance:
    """Return what this turn allows.

    In the surprise round perhaps no move (surprise_round_action), perhaps one swift action a turn, which the
    core rules do not know (swift_actions).
    """
    if fight.state.round and not who.conditions and not swift_in_play(fight):
        return USUAL
    allowed = action_budget.allowance(fight, who)
    if (
        fight.state.round == 0
        and allowed == action_budget.SINGLE
        and fight.option("surprise_round_action") == "standard-only"
    ):
        return Allowance(1, 0, 1, False, 0, 1, "surprise.round")
    usual = USUAL if allowed == action_budget.FULL else allowed
    if allowed == action_budget.SINGLE:
        usual = replace(allowed, total=fight.formula("action.restricted", "budget"))
    if swift_in_play(fight) and allowed.total and not anticipated(who):
        return replace(usual, swift=fight.figure("action.swift-immediate", "swift_per_turn"))
    return usual


def attack_situation(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return what the situation does to the attack (attack_table_slips: blank cells read as melee)."""
    if blow.attacker.effects:
        aid_another.cite_sum(fight, blow.attacker, "attack", blow.target.id, blow.cites)
    creature_size.cite_place(fight, blow)
    blow.cites += concealment.aimed(fight, blow)
    if blow.melee:
        parts = srd35_attack_modifiers.attack_situation(fight, blow) + water_parts(fight, blow)
        if blow.attacker.mount:
            parts += srd35_ride_skill.from_above(fight, blow)
        parts = by_target(fight, blow, parts)
        blow.cites += of_table(fight, "attack-mod.table", parts)
        return parts
    blow.cites += shooting.unhindered(fight, blow)
    parts = common_attack_situation(fight, blow)
    parts += shooting.range_parts(fight, blow) + shooting.melee_parts(fight, blow)
    if attack_modifiers.higher(fight, blow):
        topic = "attack-mod.higher-ground"
        parts.append(fight.modifier(topic, "ranged", kind="circumstance", source="higher ground"))
    if fight.option("attack_table_slips") == "as-melee":
        friend = attack_modifiers.flanking_partner(fight, blow)
        if friend is not None:
            source = f"flanking with {friend.id}"
            parts.append(fight.modifier("attack-mod.flanking", "melee", kind="flanking", source=source))
    parts += water_parts(fight, blow)
    parts = by_target(fight, blow, parts)
    blow.cites += of_table(fight, "attack-mod.table", parts)
    return parts


def by_target(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of an attack with what the target's own state does to them (turned_cowering)."""
    if blow.target.conditions:
        parts += awe_parts(fight, blow)
    if "invisible" in blow.attacker.conditions:
        parts = concealment.unseen_bonus(fight, blow, parts)
    return uncanny_dodge.unflanked(fight, blow, unflanked(fight, blow, parts))


def unflanked(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Deny the bonus of flanking against what has neither front nor back (srd35.creature-immunities)."""
    if not any(part.kind == "flanking" for part in parts) or not spared(fight, blow.target, "flanking"):
        return parts
    rule = fight.rule("creature-immunities")
    blow.cites.append(rule)
    why = f"{blow.target.sheet.kind}: cannot be flanked ({rule})"
    return [replace(part, denied=why) if part.kind == "flanking" else part for part in parts]


def cover_parts(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the bonus of cover, with the test that found it (soft_cover, soft_cover_blocks_aoo)."""
    if blow.target.conditions and (half_submerged := water_cover(fight, blow)):
        return half_submerged
    if blow.target.mount and (hanging := srd35_ride_skill.behind_mount(fight, blow)):
        return hanging
    found = cover.cover_of(fight, blow)
    if found.kind == "cover":
        blow.cites.append(fight.rule(test_of(blow)))
        if found.low:
            blow.cites.append(fight.rule("cover.low-obstacle"))
        place = ", ".join(f"{x},{y}" for x, y in found.squares[:3])
        if hide.IMPROVED_COVER in blow.target.conditions:
            return [gm_settings.improved(fight, "ac", f"cover at {place}")]
        way = "melee" if blow.melee else "ranged"
        return [fight.modifier("ac-mod.cover", way, kind="cover", source=f"cover at {place}")]
    if found.kind == "soft" and soft_cover_counts(fight, blow):
        return [soft_cover(fight, blow, found)]
    return []


def test_of(blow: Blow) -> str:
    """Return the topic of the cover test that applies to an attack."""
    if not blow.melee:
        return "cover.ranged-test"
    close = next_to(blow.attacker, blow.target)
    return "cover.melee-adjacent-test" if close else "cover.melee-reach-test"


def soft_cover_counts(fight: Fight, blow: Blow) -> bool:
    """Say whether creatures in the way give cover against this attack."""
    reading = fight.option("soft_cover")
    if reading == "none" or (reading == "melee-only" and not blow.melee):
        return False
    return blow.kind != "opportunity" or fight.option("soft_cover_blocks_aoo") == "on"


def soft_cover(fight: Fight, blow: Blow, found: Cover) -> Modifier:
    """Return the bonus of soft cover."""
    source = f"soft cover from {', '.join(found.creatures)}"
    return fight.modifier("cover.soft", "ac", kind="cover", source=source)


def dexterity_denied(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return why the target loses its Dexterity: grappling, against outsiders; pinned, against all."""
    reason, topic = armor_class.dexterity_denied(fight, blow)
    attacker, target = blow.attacker, blow.target
    if reason == "attacker unseen" and concealment.sees_invisible(fight, blow):
        reason, topic = armor_class.misled(blow)
    if not reason and (attacker.effects or light.UNLIT in attacker.conditions):
        reason, topic = concealment.unseen_attacker(fight, blow)
        if reason and uncanny_dodge.is_uncanny(fight, target):
            reason, topic = "", ""
    if not reason and "pinned" in target.conditions:
        return "pinned", "ac-mod.pinned" if fight.option("pinned_ac") == "table" else "grapple.pinned-ac"
    if not reason and "grappling" in target.conditions and blow.attacker not in opponents(fight, target):
        return "grappling", "grapple.no-dex"
    return reason, topic


def defense_situation(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return what the situation does to the defense (pinned_ac: the section, or the table and its -5)."""
    parts = armor_class.defense_situation(fight, blow)
    if blow.target.effects:
        aid_another.cite_sum(fight, blow.target, "defense", blow.attacker.id, blow.cites)
    if uncanny_dodge.dodged(fight, blow):
        blow.cites.append(fight.rule("class.uncanny-dodge"))
    if "grappling" in blow.target.conditions:
        parts += grappling(fight, blow)
    blow.cites += of_table(fight, "ac-mod.table", parts)
    mercy = fight.rule("ac-mod.helpless")
    if any(part.rule == mercy for part in parts):
        blow.cites.append(fight.rule("helpless.ac"))
    held = blow.target.conditions.get("pinned")
    if held is None:
        return parts
    if fight.option("pinned_ac") == "table":
        way = "melee" if blow.melee else "ranged"
        parts.append(fight.modifier("ac-mod.pinned", way, kind="penalty", source="pinned"))
        parts.append(
            fight.modifier("ac-mod.pinned", "dex_modifier", kind="ability", source="pinned: Dexterity 0")
        )
    elif held.source != blow.attacker.id:
        parts.append(fight.modifier("grapple.pinned-ac", "ac", kind="penalty", source="pinned"))
    return parts


def grappling(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the row of the table for a grappler who is attacked from outside its grapple."""
    if blow.attacker in opponents(fight, blow.target) or "pinned" in blow.target.conditions:
        return []
    way = "melee" if blow.melee else "ranged"
    return [fight.modifier("ac-mod.grappling", way, kind="penalty", source="grappling")]


def helpless_dexterity(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the modifier of a Dexterity of 0 (helpless_ranged: at range perhaps nothing)."""
    if not blow.melee and fight.option("helpless_ranged") == "no-penalty":
        return []
    return armor_class.helpless_dexterity(fight, blow)


def death_at(fight: Fight, who: Combatant) -> int:
    """Return the hit points at which a combatant is dead (death_line: -10 or minus Constitution)."""
    if fight.option("death_line") == "minus-constitution":
        return -(score_now(fight, who, "con") or 0)
    return injury.death_at(fight, who)


def dying(fight: Fight, who: Combatant) -> Steps[None]:
    """Let the dying roll on their own turns, unless stabilize_timing puts it at the round's end."""
    if fight.option("stabilize_timing") == "own-turn":
        yield from injury.bleed_out(fight, who)


def close_round(fight: Fight) -> Steps[None]:
    """End the round; under stabilize_timing "round-end" the dying roll first."""
    if fight.option("stabilize_timing") == "round-end":
        for who in fight.state.combatants.values():
            if "dying" in who.conditions:
                yield from injury.bleed_out(fight, who)
    yield from flow.close_round(fight)


def flat_entangled_dc(fight: Fight, spell: Spell, topic: str, *path: str) -> int:
    """Return the flat DC to cast while entangled; 0 for any other (entangled_casting_dc)."""
    flat = topic == "cond.entangled" and fight.option("entangled_casting_dc") == "flat"
    return fight.formula(topic, *path) if flat else 0


def reflex_cover(fight: Fight, who: Combatant, target: Combatant) -> tuple[Modifier, ...]:
    """Return what cover gives to a Reflex save: a mount's body does, soft cover nothing (srd35.cover.*)."""
    if target.mount and srd35_ride_skill.BEHIND in target.conditions:
        source = f"cover behind {target.mount}"
        return (fight.modifier("cover.reflex", "reflex", kind="cover", source=source),)
    if cover_between(fight, who, target, False).kind == "soft" and fight.option("soft_cover") != "none":
        return (fight.modifier("cover.soft-limits", "reflex", kind="cover", source="soft cover"),)
    if hide.IMPROVED_COVER in target.conditions and cover_between(fight, who, target, False).kind == "cover":
        return (gm_settings.improved(fight, "reflex", "cover"),)
    return spell_effects.reflex_cover(fight, who, target)


def dying_from(fight: Fight) -> int:
    """Return the highest hit points at which a combatant is dying (srd35.injury.dying: -1)."""
    return int(fight.figure("injury.dying", "from"))


def loss_topics(harm: Harm, hp: int, absorbed: int) -> tuple[str, ...]:
    """Return the topics of the rules by which damage leaves a combatant with `hp` hit points.

    Temporary hit points go first; above 0 nothing else follows (srd35.temp-hp, .injury.no-penalty-above-0).
    """
    lent = ("temp-hp",) if absorbed else ()
    if harm.nonlethal:
        return ("nonlethal.track", *lent)
    return ("hp.thresholds", *lent) if hp <= 0 else ("hp.thresholds", "injury.no-penalty-above-0", *lent)


def aoo_topics(weapon: Weapon) -> tuple[str, ...]:
    """Return the topics of what lets a weapon strike out of turn (srd35.aoo.threatened, .per-opportunity)."""
    reach = ("aoo.reach-weapons",) if weapon.reach else ()
    return ("aoo.threatened", *reach, "aoo.per-opportunity")


def refuse_change_of_initiative(fight: Fight, who: Combatant, act: acts.Act) -> None:
    """Refuse to whoever is down any change of initiative (srd35.injury.no-initiative-change)."""
    if is_down(fight, who):
        raise Refusal(
            f"{who.id} is in no state to change its initiative", fight.rule("injury.no-initiative-change")
        )
