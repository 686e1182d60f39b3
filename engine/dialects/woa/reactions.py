"""Combat reactions: how many a round leaves, and those that come before an attack roll (woa.reaction.*)."""

from affray.engine.dialects.woa import aloft
from affray.engine.dialects.woa.conditions import HALF_REACTIONS, SLOWING
from affray.engine.dialects.woa.defense import lost_items, misled
from affray.engine.dialects.woa.heights import blocks_down
from affray.engine.dialects.woa.horseback import stirrups
from affray.engine.dialects.woa.situation import cover_degree, half_covered, unseen
from affray.engine.fight import Fight
from affray.engine.rules.abilities import has_feat, has_trait, wielded_in_two_hands
from affray.engine.rules.blow import Blow
from affray.engine.rules.conditions import can_react, is_down
from affray.engine.rules.place import distance
from affray.engine.rules.weapons import held_weapons, melee_weapon_at, strikes_in_melee
from affray.engine.steps import Choice, Steps
from affray.events.facts.flow import ReactionSpent, RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

#: What a plan's action does to the reactions of the round, by the tag of the act.
BARRED_BY_PLAN = {
    "cast": "spell.no-combat-reactions",
    "ready": "ready.no-reactions",
    "draw-stowed": "items.manipulate-no-reactions",
}


def total(fight: Fight, who: Combatant) -> int:
    """Return the combat reactions of a round by base attack bonus (woa.reaction.count-by-bab).

    Combat Reflexes adds one; restricted activity leaves half, rounded as the option says.
    """
    count = 0
    for row in fight.figure("reaction.count-by-bab"):
        if who.sheet.base_attack >= row["bab_min"]:
            count = row["reactions_per_round"]
    if has_feat(who, "combat reflexes"):
        count += 1
    if any(name in who.conditions for name in HALF_REACTIONS):
        count //= 2
    return count


def spent(who: Combatant) -> int:
    """Return how many reactions of this round are used, of whatever kind."""
    return sum(who.reactions.values())


def barred(fight: Fight, who: Combatant) -> str:
    """Return the topic of what forbids any reaction now, "" when nothing does.

    Flat-footed (but for Combat Reflexes), conditions, and what is declared for the round
    (option `reactions_lost_from`).
    """
    blocked = can_react(fight, who)
    if blocked and not (blocked == "condition.flat-footed.effects" and has_feat(who, "combat reflexes")):
        return "reaction.flat-footed" if blocked == "condition.flat-footed.effects" else blocked
    if who.plan and fight.option("reactions_lost_from") == "declaration":
        for type_, what, _ in who.plan:
            topic = BARRED_BY_PLAN.get(what)
            if topic and type_ in ("standard", "full-round"):
                return topic
    return ""


def left(fight: Fight, who: Combatant) -> tuple[int, str]:
    """Return how many reactions are left now, and the topic of the rule that says so."""
    topic = barred(fight, who)
    if topic:
        return 0, topic
    return max(0, total(fight, who) - spent(who)), "reaction.count-by-bab"


def able(fight: Fight, who: Combatant, kind: str) -> bool:
    """Say whether a combatant has a reaction of that kind left (woa.total-defense.reactions)."""
    if is_down(fight, who) or not left(fight, who)[0]:
        return False
    restricted = "total-defense" in who.conditions and not has_feat(who, "combat expertise")
    return not restricted or kind in fight.figure("total-defense.reactions", "allowed")


def before_attack(fight: Fight, blow: Blow) -> Steps[None]:
    """Let everybody react before an attack roll: aid to either side, then dodge or block.

    The blow also learns which rules decide about its target's guard.
    """
    blow.cites += guarding(fight, blow)
    if blow.kind in ("ambush",) or blow.needed:
        return
    if blow.melee:
        yield from aids(fight, blow)
    yield from ward_off(fight, blow)


def guarding(fight: Fight, blow: Blow) -> list[str]:
    """Return the rules by which the target loses or gains protection against this blow."""
    found = []
    reason, topic = fight.dialect.points.dexterity_denied(fight, blow)
    kinds = {part.kind for part in blow.target.sheet.armor}
    if reason:
        found += [topic, *(["ac.shield-denied"] if "shield" in kinds else [])]
        found += ["ac.dodge-bonus-denied"] if "dodge" in kinds else []
    if not blow.touch and {"armor", "natural"} <= kinds:
        found.append("ac.natural-armor-no-stack")
    if (rooting := rooted(fight, blow.target)) and nimble(fight, blow.target):
        found.append(rooting)
    if unstirruped(fight, blow.target) and level(fight, blow.target, "warrior"):
        found.append("mount.combat.saddle-required")
    degree, _, topic = cover_degree(fight, blow.attacker, blow.target, blow.melee)
    if degree != "none" and blow.kind != "through":
        found.append(topic)
    return [rule for rule in fight.rules(*found) if rule not in blow.cites]


def aids(fight: Fight, blow: Blow) -> Steps[None]:
    """Offer aid attack to the attacker's friends on its own turn, aid defense to the target's.

    woa.reaction.aid-attack.*, woa.reaction.aid-defense.*
    """
    attacker, target = blow.attacker, blow.target
    own_turn = fight.state.active == attacker.id and blow.kind != "opportunity" and not fight.readied
    if not own_turn:
        return
    for helper in list(fight.state.combatants.values()):
        if helper is attacker or helper is target:
            continue
        if helper.side == attacker.side:
            kind, against, friend = "aid-attack", target, attacker
        elif helper.side == target.side:
            kind, against, friend = "aid-defense", attacker, target
        else:
            continue
        if not could_aid(fight, helper, against, kind):
            continue
        hampered = why_no_aid(fight, helper, against)
        if hampered:
            what = f"{helper.id} cannot aid {friend.id} against {against.id}: {hampered[0]}"
            yield RuleApplied(who=helper.id, what=what, cites=fight.rules(hampered[1]))
            continue
        topic = f"reaction.{kind}.effect"
        useful = (
            fight.state.order.index(helper.id) < fight.state.order.index(attacker.id)
            if (helper.id in fight.state.order and attacker.id in fight.state.order)
            else False
        )
        options = ("aid", "decline") if useful else ("decline", "aid")
        question = f"{attacker.id} attacks {target.id}: does {helper.id} aid {friend.id}?"
        answer = yield Choice(helper.id, kind, question, options, fight.rule(topic))
        if answer != "aid":
            continue
        cites = fight.rules(topic, "reaction.count-by-bab")
        yield ReactionSpent(who=helper.id, kind=kind, against=against.id, opportunity="", cites=cites)
        path = "target_ac_modifier" if kind == "aid-attack" else "ally_ac_bonus"
        blow.defense_extra.append(fight.modifier(topic, path, kind="aid", source=f"aid from {helper.id}"))


def could_aid(fight: Fight, helper: Combatant, against: Combatant, kind: str) -> bool:
    """Say whether a helper could strike `against` in melee and has a reaction left for it."""
    if not able(fight, helper, kind):
        return False
    return melee_weapon_at(fight, helper, against) is not None or distance(helper, against) <= helper.reach


def why_no_aid(fight: Fight, helper: Combatant, against: Combatant) -> tuple[str, str] | None:
    """Return what keeps a helper from aiding against an enemy within reach, with its topic; None for nothing.

    woa.concealment.total.no-reactions, woa.cover.no-aid-reactions
    """
    if unseen(fight, helper, against):
        return f"{against.id} is unseen", "concealment.total.no-reactions"
    if half_covered(fight, helper, against):
        return f"{against.id} has half cover or better", "cover.no-aid-reactions"
    return None


def ward_off(fight: Fight, blow: Blow) -> Steps[None]:
    """Offer the target to dodge or block, never both (woa.reaction.dodge.not-with-block)."""
    target = blow.target
    dodge, block = dodge_value(fight, blow), block_value(fight, blow)
    if dodge <= 0 and block is None:
        return
    options: tuple[str, ...] = ("dodge",) if dodge > 0 else ()
    if block is not None:
        options = ("block", *options) if block[0] > dodge else (*options, "block")
    question = f"{blow.attacker.id} attacks {target.id} with the {blow.weapon.name}: dodge or block?"
    topic = "reaction.dodge.not-with-block" if len(options) > 1 else f"reaction.{options[0]}.timing"
    answer = yield Choice(target.id, "react", question, (*options, "decline"), fight.rule(topic))
    if answer == "dodge":
        cites = fight.rules("reaction.dodge.eligibility", "reaction.dodge.timing")
        yield ReactionSpent(
            who=target.id, kind="dodge", against=blow.attacker.id, opportunity="", cites=cites
        )
        rule = fight.rule("reaction.dodge.value")
        blow.defense_extra.append(Modifier(dodge, "dodge", "dodging", rule))
    elif answer == "block" and block is not None:
        cites = fight.rules("reaction.block.eligibility", "reaction.block.means", "reaction.block.timing")
        yield ReactionSpent(
            who=target.id, kind="block", against=blow.attacker.id, opportunity="", cites=cites
        )
        blow.reduction = block[0]


def level(fight: Fight, who: Combatant, group: str) -> int:
    """Return the levels in the classes of a group ("warrior", "rogue") (woa.class.groups)."""
    return sum(who.sheet.classes.get(name, 0) for name in fight.figure("class.groups", group))


def expects(fight: Fight, blow: Blow) -> bool:
    """Say whether the target is aware of the attack and sees the attacker (woa.surprise.no-dodge-block)."""
    target = blow.target
    unaware = not target.aware and not target.acted
    return not unaware and not unseen(fight, target, blow.attacker)


def dodge_value(fight: Fight, blow: Blow) -> int:
    """Return what a dodge would add to AC against this attack, 0 when the target may not dodge.

    Warriors and rogues (or the Dodge feat), half the better level; armor and load cap dodges a round
    (woa.reaction.dodge.*, woa.attack.ranged-forfeits-dodge).
    """
    target = blow.target
    if not able(fight, target, "dodge"):
        return 0
    if not expects(fight, blow) or misled(blow):
        if unseen(fight, target, blow.attacker):
            blow.cites += [
                rule for rule in fight.rules("concealment.total.no-reactions") if rule not in blow.cites
            ]
        return 0
    warrior, rogue = level(fight, target, "warrior"), level(fight, target, "rogue")
    if not (warrior or rogue or has_feat(target, "dodge")) or rooted(fight, target):
        return 0
    slowed = any(name in SLOWING for name in target.conditions)
    if slowed or "shooting" in target.conditions or has_trait(target, "nonproficient armor"):
        return 0
    weight = target.sheet.armor_weight
    if weight in ("heavy", "medium"):
        most = fight.figure("reaction.dodge.load-limit", f"armor_or_load={weight}", "max_dodges_per_round")
        if target.reactions.get("dodge", 0) >= most:
            return 0
    half = str(fight.figure("reaction.dodge.value", "formula")).split()[0]
    return max(warrior, rogue) // int(half.split("/")[1])


def unstirruped(fight: Fight, who: Combatant) -> bool:
    """Say whether somebody rides without stirrups (woa.mount.combat.saddle-required)."""
    return bool(who.mount) and not stirrups(fight.state.combatants[who.mount])


def nimble(fight: Fight, who: Combatant) -> bool:
    """Say whether somebody has learned to dodge (woa.reaction.dodge.eligibility)."""
    learned = level(fight, who, "warrior") or level(fight, who, "rogue")
    return bool(learned or has_feat(who, "dodge"))


def rooted(fight: Fight, who: Combatant) -> str:
    """Return the topic of what keeps somebody from dodging: the saddle, or being ill at ease in the air."""
    if who.mount:
        return "mount.combat.no-dodging"
    return "fly.no-dodge" if aloft.is_flying(who) and not aloft.at_ease(who) else ""


def block_value(fight: Fight, blow: Blow) -> tuple[int, str] | None:
    """Return (damage reduction, means) of the best block, None when the target may not block.

    Warriors only; melee attacks with shield or weapon, ranged ones with a shield (woa.reaction.block.*). A
    maneuver does no damage that a block could reduce.
    """
    target = blow.target
    warrior = level(fight, target, "warrior")
    if not warrior or blow.maneuver or not able(fight, target, "block") or not expects(fight, blow):
        return None
    if unstirruped(fight, target):
        return None
    if blocks_down(fight, blow):
        blow.cites += [rule for rule in fight.rules("high-ground.blocking") if rule not in blow.cites]
        return None
    best: tuple[int, str] | None = None
    ruined = lost_items(target) if target.items else frozenset()
    shields = [part for part in target.sheet.armor if part.kind == "shield"]
    shield = sum(part.value for part in shields if (part.source or "shield") not in ruined)
    if shield:
        best = (warrior // divisor(fight, "shield") + shield, "shield")
    if blow.melee:
        for weapon in held_weapons(target):
            if strikes_in_melee(weapon) and weapon.wield not in ("natural", "unarmed"):
                value = warrior // share(fight, weapon)
                if value and (best is None or value > best[0]):
                    best = (value, weapon.name)
    return best


def share(fight: Fight, weapon: Weapon) -> int:
    """Return the divisor of the warrior level for a block with a weapon (woa.reaction.block.value)."""
    if wielded_in_two_hands(weapon) and weapon.wield != "light":
        return divisor(fight, "two-handed weapon")
    return divisor(fight, "light weapon" if weapon.wield == "light" else "one-handed weapon")


def divisor(fight: Fight, means: str) -> int:
    """Return the divisor that the block table gives for a means, such as 3 for "1/3 warrior level"."""
    words = str(fight.figure("reaction.block.value", f"blocking_with={means}", "dr"))
    return int(words.split()[0].split("/")[1])
