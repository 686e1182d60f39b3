"""Combat reactions: how many a round leaves, and those that come before an attack roll (woa.reaction.*)."""

from affray.engine.dialects.woa.attacks.defense import SHIELD, lost_items, misled, not_strapped_on, surprises
from affray.engine.dialects.woa.attacks.guard import guarding
from affray.engine.dialects.woa.attacks.situation import half_covered, unseen
from affray.engine.dialects.woa.casting.turned import forced_into_melee, spares
from affray.engine.dialects.woa.elements import aloft
from affray.engine.dialects.woa.harm.conditions import HALF_REACTIONS, SLOWING
from affray.engine.dialects.woa.harm.fear import confronted
from affray.engine.dialects.woa.holding.clutch import OTHER_ARM, WEAPON_ARM
from affray.engine.dialects.woa.holding.clutch_modifiers import blocks_with, no_dodge
from affray.engine.dialects.woa.mounts.horseback import stirrups
from affray.engine.dialects.woa.place import sizes
from affray.engine.dialects.woa.place.heights import apart, blocks_down
from affray.engine.dialects.woa.place.reach import idle, weapon_at
from affray.engine.dialects.woa.reactions.nimble import nimbleness, stoutness
from affray.engine.fight import Fight
from affray.engine.rules.abilities import has_feat, has_trait, wielded_in_two_hands
from affray.engine.rules.blow import Blow
from affray.engine.rules.conditions import can_react, is_down, rule_of
from affray.engine.rules.pairs import leader
from affray.engine.rules.place import distance
from affray.engine.rules.weapons import held_weapons, strikes_in_melee
from affray.engine.steps import Choice, Steps
from affray.events.facts.flow import ReactionSpent, RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

LODGED = "missile lodged"
"""The condition of whoever has a missile in the shield that is a hindrance."""
NAUSEATED = "condition.nauseated"
HALF = "restricted-activity.half-reactions"
RESTRICTED = "slowed"
"""The condition that is the example of restricted activity."""
#: What a plan's action does to the reactions of the round, by the tag of the act.
BARRED_BY_PLAN = {
    "cast": "spell.no-combat-reactions",
    "ready": "ready.no-reactions",
    "draw-stowed": "items.manipulate-no-reactions",
    "handle": "items.manipulate-no-reactions",
    "handle-long": "items.manipulate-no-reactions",
    "maintain": "spell.concentrate-no-reactions",
    "read": "device.scroll-no-reactions",
    "drink": "device.potion-no-reactions",
    "administer": "device.potion-no-reactions",
}


def total(fight: Fight, who: Combatant) -> int:
    """Return the combat reactions of a round by base attack bonus (woa.reaction.count-by-bab).

    Combat Reflexes adds one; restricted activity leaves half, rounded as the option says.
    """
    base, count = who.sheet.base_attack, 0
    for row in fight.figure("reaction.count-by-bab"):
        if row["bab_min"] <= base and (row["bab_max"] is None or base <= row["bab_max"]):
            count = row["reactions_per_round"]
            break
    if has_feat(who, "combat reflexes"):
        count += fight.figure("reaction.combat-reflexes", "extra")
    held = halving(who)
    return share_left(fight, held, count) if held else count


def halving(who: Combatant) -> str:
    """Return the condition that leaves only half of the reactions, "" for none."""
    return next((name for name in HALF_REACTIONS if name in who.conditions), "") if who.conditions else ""


def share_left(fight: Fight, condition: str, count: int) -> int:
    """Return what a condition leaves of so many reactions, rounded down.

    Of those that a spell has slowed their restricted activity tells, of the others the condition itself
    (woa.restricted-activity.half-reactions, woa.condition.staggered, .exhausted).
    """
    if condition == RESTRICTED:
        return count * int(fight.figure(HALF, "factor") * 100) // 100
    above, _, below = str(fight.figure(HALF_REACTIONS[condition], "reactions")).rpartition("/")
    times = int(above) if above.isdigit() else 1
    return count * times // int(below.rstrip(")"))


def halved_by(who: Combatant) -> tuple[str, ...]:
    """Return the topics of the rules that leave half of the reactions, () if none does."""
    held = halving(who)
    return (*([HALF] if held == RESTRICTED else []), HALF_REACTIONS[held]) if held else ()


def paid_by(fight: Fight, who: Combatant) -> tuple[str, ...]:
    """Return the topics of the rules that leave a combatant the reaction that it spends now."""
    topics = ["reaction.count-by-bab"]
    topics += halved_by(who)
    if has_feat(who, "combat reflexes"):
        extra = fight.figure("reaction.combat-reflexes", "extra")
        if "flat-footed" in who.conditions or spent(who) >= total(fight, who) - extra:
            topics.append("reaction.combat-reflexes")
    return tuple(topics)


def reasons(who: Combatant, topic: str) -> tuple[str, ...]:
    """Return the topics of all rules by which nothing is left, given the first of them."""
    return halved_by(who) if topic == HALF else (topic,)


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
            if topic and (type_ in ("standard", "full-round") or what == "handle"):
                return topic
    return ""


def left(fight: Fight, who: Combatant) -> tuple[int, str]:
    """Return how many reactions are left now, and the topic of the rule that says so."""
    topic = barred(fight, who)
    if topic:
        few = fight.figure(topic, "reactions") if topic == NAUSEATED else 0
        return max(0, few - spent(who)), topic
    counted = halved_by(who) or ("reaction.count-by-bab",)
    return max(0, total(fight, who) - spent(who)), counted[0]


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
    if blow.target.conditions:
        yield from confronted(fight, blow)
        yield from forced_into_melee(fight, blow)
    if blow.kind != "ambush" and not blow.needed:
        if blow.melee:
            yield from aids(fight, blow)
        yield from ward_off(fight, blow)
    elif blow.kind == "ambush" and could_ward_off(fight, blow.target):
        blow.cites.append(fight.rule("surprise.no-dodge-block"))
    blow.cites += guarding(fight, blow)


def could_ward_off(fight: Fight, who: Combatant) -> bool:
    """Say whether a combatant is of a class, or has the feat, that dodges or blocks at all."""
    return bool(level(fight, who, "warrior") or level(fight, who, "rogue") or has_feat(who, "dodge"))


def aids(fight: Fight, blow: Blow) -> Steps[None]:
    """Offer aid attack to the attacker's friends on its own turn, aid defense to the target's.

    Several may aid, and what they give adds up; an attack that is a reaction itself cannot be aided
    (woa.reaction.aid-attack.*, woa.reaction.aid-defense.*).
    """
    attacker, target = blow.attacker, blow.target
    own_turn = (
        fight.state.active == leader(fight, attacker).id and blow.kind != "opportunity" and not fight.readied
    )
    given: dict[str, int] = {}
    for helper in list(fight.state.combatants.values()):
        if helper is attacker or helper is target:
            continue
        if helper.side == attacker.side:
            kind, against, friend = "aid-attack", target, attacker
        elif helper.side == target.side and own_turn:
            kind, against, friend = "aid-defense", attacker, target
        else:
            continue
        if not could_aid(fight, helper, against, kind):
            continue
        hampered = why_no_aid(fight, helper, against)
        if hampered:
            what = f"cannot aid {friend.id} against {against.id}: {hampered[0]}"
            if own_turn:
                yield RuleApplied(who=helper.id, what=what, cites=fight.rules(hampered[1]))
            continue
        if not own_turn:
            blow.cites.append(fight.rule("reaction.aid-attack.own-turn-only"))
            return
        topic = f"reaction.{kind}.effect"
        order = fight.state.order
        useful = helper.id in order and attacker.id in order
        useful = useful and order.index(helper.id) < order.index(attacker.id)
        options = ("aid", "decline") if useful else ("decline", "aid")
        question = f"{attacker.id} attacks {target.id}: does {helper.id} aid {friend.id}?"
        answer = yield Choice(helper.id, kind, question, options, fight.rule(topic))
        if answer != "aid":
            continue
        given[kind] = given.get(kind, 0) + 1
        yield spend(fight, helper, kind, against, topic)
        path = "target_ac_modifier" if kind == "aid-attack" else "ally_ac_bonus"
        blow.defense_extra.append(fight.modifier(topic, path, kind="aid", source=f"aid from {helper.id}"))
    blow.cites += [fight.rule(f"reaction.{kind}.stacking") for kind in given if given[kind] > 1]


def spend(fight: Fight, who: Combatant, kind: str, against: Combatant, *topics: str) -> ReactionSpent:
    """Return the fact that a combatant uses up one of the five common reactions (woa.reaction.types)."""
    cites = fight.rules(*topics, "reaction.types", *paid_by(fight, who))
    cost = fight.formula(topics[0], "cost") if kind.startswith("aid") else 1
    return ReactionSpent(who=who.id, kind=kind, against=against.id, opportunity="", amount=cost, cites=cites)


def could_aid(fight: Fight, helper: Combatant, against: Combatant, kind: str) -> bool:
    """Say whether a helper could strike `against` in melee and has a reaction left for it."""
    if not able(fight, helper, kind) or (helper.conditions and spares(fight, helper, against)):
        return False
    if idle(fight, helper) or apart(helper, against) > helper.reach:
        return False
    return weapon_at(fight, helper, against) is not None or distance(helper, against) <= helper.reach


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
    """Offer the target to dodge or block, never both (woa.reaction.dodge.not-with-block).

    Whoever would have dodged or blocked and may not has the rule that says so cited with the attack.
    """
    target = blow.target
    if not could_ward_off(fight, target):
        return
    refused = why_no_dodge(fight, blow), why_no_block(fight, blow)
    topics = dict.fromkeys(topic for one in refused if one is not None for topic in one)
    blow.cites += [rule for rule in fight.rules(*topics) if rule not in blow.cites]
    dodge = dodge_value(fight, blow) if not refused[0] and refused[0] is not None else 0
    block = block_value(fight, blow) if not refused[1] and refused[1] is not None else None
    if dodge <= 0 and block is None:
        return
    options: tuple[str, ...] = ("dodge",) if dodge > 0 else ()
    if block is not None:
        options = ("block", *options) if block[0] > dodge else (*options, "block")
    question = f"{blow.attacker.id} attacks {target.id} with the {blow.weapon.name}: dodge or block?"
    topic = "reaction.dodge.not-with-block" if len(options) > 1 else f"reaction.{options[0]}.timing"
    answer = yield Choice(target.id, "react", question, (*options, "decline"), fight.rule(topic))
    if answer not in ("dodge", "block"):
        return
    allowed = [f"reaction.{answer}.eligibility", f"reaction.{answer}.timing"]
    if level(fight, target, "warrior") or level(fight, target, "rogue"):
        allowed.append("class.groups")
    if blow.kind == "opportunity":
        allowed.append("aoo.avoid.dodge" if answer == "dodge" else "aoo.avoid.normal-defenses")
    if answer == "dodge":
        if weight_of(target) in LIMITING:
            allowed.append("reaction.dodge.load-limit")
        yield spend(fight, target, "dodge", blow.attacker, *allowed)
        blow.defense_extra += dodging(fight, blow)
    elif block is not None:
        if stoutness(fight, target, block[1]):
            allowed.append("reaction.block.feats")
        yield spend(fight, target, "block", blow.attacker, *allowed, "reaction.block.means")
        blow.reduction, blow.shielding = block


def kept_from_dodging(fight: Fight, who: Combatant) -> str:
    """Return the topic by which who holds or is held cannot dodge, "" when nothing of that sort forbids it.

    woa.grapple.modifier.no-reactions, woa.grab.dodge-block
    """
    if "grappling" in who.conditions:
        return "grapple.modifier.no-reactions"
    return "grab.dodge-block" if no_dodge(fight, who) else ""


def level(fight: Fight, who: Combatant, group: str) -> int:
    """Return the levels in the classes of a group ("warrior", "rogue") (woa.class.groups)."""
    return sum(who.sheet.classes.get(name, 0) for name in fight.figure("class.groups", group))


def expects(fight: Fight, blow: Blow) -> bool:
    """Say whether the target is aware of the attack and sees the attacker (woa.surprise.no-dodge-block)."""
    target = blow.target
    unaware = not target.aware and not target.acted
    if sizes.on_body(blow):
        return False
    return not unaware and not surprises(blow) and not unseen(fight, target, blow.attacker)


#: Armor or load that limits how often a round one dodges.
LIMITING = ("medium", "heavy")


def weight_of(who: Combatant) -> str:
    """Return the weight of what burdens a combatant most: its armor, or the load that its traits name."""
    worst = next((one for one in ("heavy", "medium") if has_trait(who, f"{one} load")), "")
    armor = who.sheet.armor_weight
    return armor if armor == "heavy" or not worst else worst


def unexpected(fight: Fight, blow: Blow, kind: str) -> tuple[str, ...]:
    """Return the topics by which a target that does not expect a blow cannot dodge or block it.

    woa.surprise.no-dodge-block, woa.reaction.dodge.awareness, woa.reaction.block.awareness,
    woa.concealment.total.no-reactions, woa.battlefield-monster.defense-loss, .reciprocal
    """
    if expects(fight, blow):
        return ()
    target = blow.target
    on_body = sizes.on_body(blow)
    unaware = not target.aware and not target.acted
    found = [on_body] if on_body else [f"reaction.{kind}.awareness"]
    found += ["surprise.no-dodge-block"] if unaware else []
    found += ["concealment.total.no-reactions"] if unseen(fight, target, blow.attacker) else []
    return tuple(found)


def why_no_dodge(fight: Fight, blow: Blow) -> tuple[str, ...] | None:
    """Return the topics of the rules that forbid a dodge now, () for none; None for who never dodges.

    woa.reaction.dodge.awareness, .load-limit, .prohibited, woa.attack.ranged-forfeits-dodge,
    woa.mount.combat.no-dodging, woa.fly.no-dodge
    """
    target = blow.target
    if target.conditions and (kept := kept_from_dodging(fight, target)):
        return (kept,)
    if rooting := rooted(target):
        return (rooting,)
    if not able(fight, target, "dodge"):
        return None
    if missing := unexpected(fight, blow, "dodge"):
        return missing
    if misled(blow):
        return ("feint.success",)
    hindered = any(name in SLOWING or not rule_of(fight, name).moves for name in target.conditions)
    if hindered or has_trait(target, "nonproficient armor"):
        return ("reaction.dodge.prohibited",)
    if "shooting" in target.conditions:
        return ("attack.ranged-forfeits-dodge",)
    weight = weight_of(target)
    if weight in LIMITING:
        most = fight.figure("reaction.dodge.load-limit", f"armor_or_load={weight}", "max_dodges_per_round")
        if target.reactions.get("dodge", 0) >= most:
            return ("reaction.dodge.load-limit",)
    return ()


def dodge_value(fight: Fight, blow: Blow) -> int:
    """Return what a dodge adds to AC (woa.reaction.dodge.value, .feats-and-skills)."""
    return sum(part.value for part in dodging(fight, blow))


def dodging(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the parts of a dodge value: half the better level, and what feat and skill add."""
    target = blow.target
    words = str(fight.figure("reaction.dodge.value", "formula"))
    best = fraction(max(level(fight, target, "warrior"), level(fight, target, "rogue")), words)
    rule = fight.rule("reaction.dodge.value")
    parts = [Modifier(best, "dodge", "dodging", rule)] if best else []
    levels = level(fight, target, "warrior") + level(fight, target, "rogue")
    return parts + nimbleness(fight, target, levels)


def why_no_block(fight: Fight, blow: Blow) -> tuple[str, ...] | None:
    """Return the topics of the rules that forbid a block now, () for none; None for who never blocks.

    woa.reaction.block.awareness, woa.mount.combat.saddle-required, woa.high-ground.blocking
    """
    target = blow.target
    if not level(fight, target, "warrior"):
        return None
    if unstirruped(fight, target):
        return ("mount.combat.saddle-required",)
    if not able(fight, target, "block"):
        return None
    if missing := unexpected(fight, blow, "block"):
        return missing
    return ("high-ground.blocking",) if not blow.maneuver and blocks_down(fight, blow) else ()


def unstirruped(fight: Fight, who: Combatant) -> bool:
    """Say whether somebody rides without stirrups (woa.mount.combat.saddle-required)."""
    return bool(who.mount) and not stirrups(fight.state.combatants[who.mount])


def rooted(who: Combatant) -> str:
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
    if not warrior or blow.maneuver:
        return None
    best: tuple[int, str] | None = None
    ruined = lost_items(target) if target.items else frozenset()
    shield = sum(
        part.value
        for part in target.sheet.armor
        if part.kind in SHIELD
        and not not_strapped_on(target, part)
        and (part.source or "shield") not in ruined
    )
    if shield and LODGED not in target.conditions and blocks_with(fight, target, OTHER_ARM):
        best = (part_of(fight, target, "shield") + shield, "shield")
    if blow.melee and blocks_with(fight, target, WEAPON_ARM):
        for weapon in held_weapons(target):
            if strikes_in_melee(weapon) and weapon.wield not in ("natural", "unarmed"):
                value = share(fight, target, weapon)
                if value and (best is None or value > best[0]):
                    best = (value, weapon.name)
    if best is not None:
        best = (best[0] + sum(part.value for part in stoutness(fight, target, best[1])), best[1])
    return best


def share(fight: Fight, who: Combatant, weapon: Weapon) -> int:
    """Return what a block with a weapon takes off the damage (woa.reaction.block.value)."""
    if wielded_in_two_hands(weapon) and weapon.wield != "light":
        return part_of(fight, who, "two-handed weapon")
    return part_of(fight, who, "light weapon" if weapon.wield == "light" else "one-handed weapon")


def part_of(fight: Fight, who: Combatant, means: str) -> int:
    """Return the part of the warrior level that the block table gives for a means ("1/3 warrior level")."""
    words = str(fight.figure("reaction.block.value", f"blocking_with={means}", "dr"))
    return fraction(level(fight, who, "warrior"), words)


def fraction(of: int, words: str) -> int:
    """Return the part of a number that words such as "1/3 warrior level" begin with, rounded down."""
    above, below = words.split()[0].split("/")
    return of * int(above) // int(below)
