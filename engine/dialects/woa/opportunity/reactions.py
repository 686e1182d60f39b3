"""Implement combat reactions: dodging, blocking, aid and dodging area effects."""

from collections.abc import Sequence

from msgspec import Struct

from affray.engine.dialects.woa.classes.abilities import Saved
from affray.engine.dialects.woa.classes.turned_undead import may_not_act_against
from affray.engine.dialects.woa.conditions.conditions import SLOWING
from affray.engine.dialects.woa.defense.defense import (
    SHIELD,
    is_half_covered,
    is_hidden_weapon_attack,
    lost_items,
    misled,
)
from affray.engine.dialects.woa.grapple.grab_modifiers import is_arm_free_to_block, is_dodging_barred
from affray.engine.dialects.woa.grapple.grapple_checks import OTHER_ARM, WEAPON_ARM
from affray.engine.dialects.woa.mounted.mounted_modifiers import has_stirrups
from affray.engine.dialects.woa.movement import speed
from affray.engine.dialects.woa.opportunity.reaction_budget import has_reaction_left, reaction_spent
from affray.engine.dialects.woa.position import size
from affray.engine.dialects.woa.position.size import height_apart, idle, is_block_barred_from_below, weapon_at
from affray.engine.dialects.woa.senses.concealment import unseen
from affray.engine.dialects.woa.table_cells import cell, table_modifier
from affray.engine.fight.fight import Fight, rule_of
from affray.engine.kernel.places import distance
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.sheets import has_feat, has_trait, wielded_in_two_hands
from affray.engine.rules.gear.hands import held_weapons, strikes_in_melee, wields_two
from affray.engine.rules.mounted.riding import leader
from affray.engine.steps import Choice, Roll, Steps, observed
from affray.events.errors import counted
from affray.events.facts.combat import (
    ConditionGained,
    DamagePart,
    DamageResolved,
    EffectGained,
    ItemStruck,
    Until,
)
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Modifier, Weapon
from affray.projections.state import Combatant

# --- Aid to attacker or target before an attack roll (woa.reaction.aid-attack.*, .aid-defense.*)


def offer_aid(fight: Fight, blow: Blow) -> Steps[None]:
    """Offer aid attack to the attacker's friends in its turn, aid defense to the target's.

    Several may aid, and their bonuses add up; an attack that is itself a reaction cannot be aided
    (woa.reaction.aid-attack.*, woa.reaction.aid-defense.*).

    woa.reaction.aid-attack.effect, woa.reaction.aid-defense.effect, woa.reaction.aid-defense.stacking.
    """
    attacker, target = blow.attacker, blow.target
    own_turn = fight.state.active == leader(fight, attacker).id and blow.intent.kind != "opportunity"
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
        if not can_aid(fight, helper, against, kind):
            continue
        hampered = why_no_aid(fight, helper, against)
        if hampered:
            what = f"cannot aid {friend.id} against {against.id}: {hampered[0]}"
            if own_turn:
                yield RuleApplied(who=helper.id, what=what, cites=fight.rules(hampered[1]))
            continue
        if not own_turn:
            blow.cites.append(fight.rule("woa.reaction.aid-attack.own-turn-only"))
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
        yield reaction_spent(fight, helper, kind, against, topic)
        path = "target_ac_modifier" if kind == "aid-attack" else "ally_ac_bonus"
        blow.defense_extra.append(fight.modifier(topic, path, kind="aid", source=f"aid from {helper.id}"))
    blow.cites += [fight.rule(f"reaction.{kind}.stacking") for kind in given if given[kind] > 1]


def can_aid(fight: Fight, helper: Combatant, against: Combatant, kind: str) -> bool:
    """Return whether a helper could attack `against` in melee and has a reaction left."""
    if not has_reaction_left(fight, helper, kind) or (
        helper.conditions and may_not_act_against(fight, helper, against)
    ):
        return False
    if idle(fight, helper) or height_apart(helper, against) > helper.reach:
        return False
    return weapon_at(fight, helper, against) is not None or distance(helper, against) <= helper.reach


def why_no_aid(fight: Fight, helper: Combatant, against: Combatant) -> tuple[str, str] | None:
    """Return what prevents a helper from aiding against an enemy within reach, with its topic, or None.

    woa.concealment.total.no-reactions, woa.cover.no-aid-reactions
    """
    if unseen(fight, helper, against):
        return f"{against.id} is unseen", "woa.concealment.total.no-reactions"
    if is_half_covered(fight, helper, against):
        return f"{against.id} has half cover or better", "woa.cover.no-aid-reactions"
    return None


# --- Dodging area effects: shields, deflection, the edge of the area, pits (woa.save.shield-*)


class Area(Struct, frozen=True):
    """The kind of attack that a Reflex save is to avoid.

    It fills an area or (`edge`) only part of the saver's space; hurls physical `missiles`; is a `pit` or the
    like to fall into; comes `unexpected`.
    """

    edge: bool = False
    missiles: bool = False
    pit: bool = False
    unexpected: bool = False


def area_parts(fight: Fight, combatant: Combatant, area: Area) -> tuple[Modifier, ...]:
    """Return the modifiers of a Reflex save against an area effect; those that do not count are denied.

    The shield counts for a saver that expects the attack and can react, but not against falling; deflection
    against hurled objects; the edge of the area gives a bonus (woa.save.shield-bonus-reflex,
    .shield-bonus-denied, .shield-not-vs-falling, .deflection-bonus-reflex, .edge-of-area).
    """
    parts = []
    denied, topic = shield_denied(fight, combatant, area)
    for bonus in combatant.sheet.armor:
        source = bonus.source or bonus.kind
        if bonus.kind == "shield":
            rule = fight.rule(topic)
            parts.append(Modifier(bonus.value, "shield", source, rule, denied))
        elif bonus.kind == "deflection" and area.missiles:
            rule = fight.rule("woa.save.deflection-bonus-reflex")
            parts.append(Modifier(bonus.value, "deflection", source, rule))
    if area.edge:
        topic = "woa.save.edge-of-area"
        parts.append(fight.modifier(topic, "reflex_bonus", kind="circumstance", source="edge of the area"))
    return tuple(parts)


def shield_denied(fight: Fight, combatant: Combatant, area: Area) -> tuple[str, str]:
    """Return why a shield does not help, "" if it does, and the topic of the rule."""
    if area.pit:
        return "no shield keeps from falling", "woa.save.shield-not-vs-falling"
    topic = "woa.save.shield-bonus-denied"
    if area.unexpected or (not combatant.aware and not combatant.acted):
        return "not expected: shield bonus denied", topic
    stiff = next((name for name in combatant.conditions if not rule_of(fight, name).dexterity), "")
    return (f"{stiff}: shield bonus denied", topic) if stiff else ("", "woa.save.shield-bonus-reflex")


def apply_effect_to_shield(
    fight: Fight, combatant: Combatant, parts: Sequence[Modifier], saved: Saved, what: str
) -> Steps[None]:
    """Apply the effect to the shield if the save succeeded only by its bonus.

    woa.save.shield-takes-effect
    """
    shield = next((one for one in parts if one.kind == "shield" and not one.denied), None)
    if shield is None or not saved.success or saved.margin < 0 or saved.margin >= shield.value:
        return
    yield RuleApplied(
        who=combatant.id,
        what=f"the {shield.source} made the difference and takes the effect of {what}",
        cites=fight.rules("woa.save.shield-takes-effect"),
    )


# --- Bonuses of feats and skills to dodging and blocking, and of movement to Armor Class
#
# woa.reaction.dodge.feats-and-skills, woa.reaction.block.feats, woa.aoo.avoid.wind-stance

STANCE = "wind stance"


def bonus_on_dodge(fight: Fight, combatant: Combatant, level: int) -> list[Modifier]:
    """Return the bonuses to a dodge value: for high ranks in Acrobatics, and for the Dodge feat without
    `level`.

    `level` is the level in classes that can dodge without the feat.
    """
    topic = "woa.reaction.dodge.feats-and-skills"
    found = []
    if not level and has_feat(combatant, "dodge"):
        found += table_modifier(fight, topic, "by=dodge feat", "value", kind="dodge", source="Dodge")
    ranks = combatant.sheet.ranks.get("acrobatics", 0)
    least = cell(fight, topic, "by=acrobatics", "ranks") if ranks else None
    if least is not None and ranks >= least.value:
        source = f"Acrobatics ({counted(ranks, 'rank')})"
        found += table_modifier(fight, topic, "by=acrobatics", "value", kind="dodge", source=source)
    return found


def bonus_on_block(fight: Fight, combatant: Combatant, means: str) -> list[Modifier]:
    """Return the bonuses of feats to a block with a shield or a weapon (woa.reaction.block.feats)."""
    if not combatant.sheet.feats:
        return []
    topic = "woa.reaction.block.feats"
    found = []
    for row in fight.figure(topic):
        fits = means == "shield" if row["with"] == "shield" else means != "shield" and wields_two(combatant)
        if fits and has_feat(combatant, row["feat"]):
            place = f"feat={row['feat']}"
            found += table_modifier(fight, topic, place, "value", kind="block", source=row["feat"])
    return found


def take_stance(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Give the AC bonus of Wind Stance to a combatant that has moved far enough this round.

    woa.aoo.avoid.wind-stance
    """
    topic = "woa.aoo.avoid.wind-stance"
    if not has_feat(combatant, STANCE) or any(one.id.endswith(STANCE) for one in combatant.effects):
        return
    if combatant.spent.get("feet", 0) < fight.figure(topic, f"feat={STANCE}", "distance_ft"):
        return
    for part in table_modifier(fight, topic, f"feat={STANCE}", "ac", kind="dodge", source="Wind Stance"):
        yield EffectGained(
            who=combatant.id,
            id=f"{fight.declaration}:{STANCE}",
            stat="defense",
            modifier=part,
            until=Until("round-end", "", fight.state.round),
            cites=(part.rule,),
        )


# --- Common parts of dodging and blocking: classes and levels, and whether the attack is expected


def group_level(fight: Fight, combatant: Combatant, group: str) -> int:
    """Return the levels in the classes of a group ("warrior", "rogue") (woa.class.groups)."""
    return sum(combatant.sheet.classes.get(name, 0) for name in fight.figure("woa.class.groups", group))


def fraction(of: int, words: str) -> int:
    """Return the share of a number given by the start of a text such as "1/3 warrior level", rounded down."""
    above, below = words.split()[0].split("/")
    return of * int(above) // int(below)


def is_expected(fight: Fight, blow: Blow) -> bool:
    """Return whether the target is aware of the attack and sees the attacker.

    woa.surprise.no-dodge-block
    """
    target = blow.target
    unaware = not target.aware and not target.acted
    if size.on_body(blow):
        return False
    return not unaware and not is_hidden_weapon_attack(blow) and not unseen(fight, target, blow.attacker)


def why_unexpected(fight: Fight, blow: Blow, kind: str) -> tuple[str, ...]:
    """Return the topics by which a target that does not expect an attack cannot dodge or block it.

    woa.surprise.no-dodge-block, woa.reaction.dodge.awareness, woa.reaction.block.awareness,
    woa.concealment.total.no-reactions, woa.battlefield-monster.defense-loss, .reciprocal
    """
    if is_expected(fight, blow):
        return ()
    target = blow.target
    on_body = size.on_body(blow)
    unaware = not target.aware and not target.acted
    found = [on_body] if on_body else [f"reaction.{kind}.awareness"]
    found += ["woa.surprise.no-dodge-block"] if unaware else []
    found += ["woa.concealment.total.no-reactions"] if unseen(fight, target, blow.attacker) else []
    return tuple(found)


# --- Blocking: who may, with what, and its damage reduction (woa.reaction.block.*)

LODGED = "missile lodged"
"""The condition of having a hindering missile in the shield."""


def why_no_block(fight: Fight, blow: Blow) -> tuple[str, ...] | None:
    """Return the topics of the rules that forbid a block now, () if none; None for combatants that never
    block.

    woa.reaction.block.awareness, woa.mount.combat.saddle-required, woa.high-ground.blocking
    """
    target = blow.target
    if not has_reaction_left(fight, target, "block"):
        return None
    if is_without_stirrups(fight, target):
        return ("mount.combat.saddle-required",)
    if missing := why_unexpected(fight, blow, "block"):
        return missing
    return (
        ("woa.high-ground.blocking",)
        if not blow.intent.maneuver and is_block_barred_from_below(fight, blow)
        else ()
    )


def is_without_stirrups(fight: Fight, combatant: Combatant) -> bool:
    """Return whether a combatant rides without stirrups (woa.mount.combat.saddle-required)."""
    return bool(combatant.mount) and not has_stirrups(fight.state.combatants[combatant.mount])


def means_to_block(fight: Fight, blow: Blow) -> list[tuple[int, str]]:
    """Return (damage reduction, means) of each block that the target may make, the best first.

    Only warriors block; melee attacks with shield or weapon, ranged ones with a shield
    (woa.reaction.block.*). A maneuver deals no damage for a block to reduce.
    """
    target = blow.target
    warrior = group_level(fight, target, "warrior")
    if not warrior or blow.intent.maneuver:
        return []
    found: list[tuple[int, str]] = []
    ruined = lost_items(target)
    shield = sum(
        part.value
        for part in target.sheet.armor
        if part.kind in SHIELD and (part.source or "shield") not in ruined
    )
    if shield and LODGED not in target.conditions and is_arm_free_to_block(fight, target, OTHER_ARM):
        found.append((part_of(fight, target, "shield") + shield, "shield"))
    if blow.melee and is_arm_free_to_block(fight, target, WEAPON_ARM):
        for weapon in held_weapons(target):
            if strikes_in_melee(weapon) and weapon.wield not in ("natural", "unarmed"):
                value = value_of_block(fight, target, weapon)
                if value and weapon.name not in [means for _, means in found]:
                    found.append((value, weapon.name))
    found.sort(key=lambda one: -one[0])
    return [
        (value + sum(part.value for part in bonus_on_block(fight, target, means)), means)
        for value, means in found
    ]


def value_of_block(fight: Fight, combatant: Combatant, weapon: Weapon) -> int:
    """Return the damage reduction of a block with a weapon (woa.reaction.block.value)."""
    if wielded_in_two_hands(weapon) and weapon.wield != "light":
        return part_of(fight, combatant, "two-handed weapon")
    return part_of(fight, combatant, "light weapon" if weapon.wield == "light" else "one-handed weapon")


def part_of(fight: Fight, combatant: Combatant, means: str) -> int:
    """Return the share of the warrior level that the block table gives for a means ("1/3 warrior level")."""
    words = str(fight.figure("woa.reaction.block.value", f"blocking_with={means}", "dr"))
    return fraction(group_level(fight, combatant, "warrior"), words)


# --- Dodging: who may, and its bonus to Armor Class (woa.reaction.dodge.*)

#: Armor or load that limits the number of dodges in a round.
LIMITING = ("medium", "heavy")


def weight_of(combatant: Combatant) -> str:
    """Return the weight category of a combatant's armor or of the load that its traits name, the worse of
    both.
    """
    worst = next((one for one in ("heavy", "medium") if has_trait(combatant, f"{one} load")), "")
    armor = combatant.sheet.armor_weight
    return armor if armor == "heavy" or not worst else worst


def why_no_dodge(fight: Fight, blow: Blow) -> tuple[str, ...] | None:
    """Return the topics of the rules that forbid a dodge now, () if none; None for combatants that never
    dodge.

    woa.reaction.dodge.awareness, .load-limit, .prohibited, woa.attack.ranged-forfeits-dodge,
    woa.grapple.modifier.no-reactions, woa.grab.dodge-block, woa.mount.combat.no-dodging, woa.fly.no-dodge
    """
    target = blow.target
    if "grappling" in target.conditions:
        return ("woa.grapple.modifier.no-reactions",)
    if not has_reaction_left(fight, target, "dodge"):
        return None
    if target.conditions and is_dodging_barred(fight, target):
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
    """Return the topic of what prevents dodging: the saddle, or not being at ease in the air."""
    if combatant.mount:
        return "woa.mount.combat.no-dodging"
    return "woa.fly.no-dodge" if speed.is_flying(combatant) and not speed.is_at_ease_aloft(combatant) else ""


def dodge_value(fight: Fight, blow: Blow) -> int:
    """Return the AC bonus of a dodge (woa.reaction.dodge.value, .feats-and-skills)."""
    return sum(part.value for part in dodge_parts(fight, blow))


def dodge_parts(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the parts of a dodge value: half the better level, and bonuses of feat and skill."""
    target = blow.target
    words = str(fight.figure("woa.reaction.dodge.value", "formula"))
    best = fraction(max(group_level(fight, target, "warrior"), group_level(fight, target, "rogue")), words)
    rule = fight.rule("woa.reaction.dodge.value")
    parts = [Modifier(best, "dodge", "dodging", rule)] if best else []
    levels = group_level(fight, target, "warrior") + group_level(fight, target, "rogue")
    return parts + bonus_on_dodge(fight, target, levels)


# --- What precedes an attack roll: aid to either side, then dodging or blocking (woa.reaction.*)


def cite_ambush(fight: Fight, blow: Blow) -> None:
    """Cite why an ambush cannot be dodged or blocked (woa.surprise.no-dodge-block)."""
    if can_dodge_or_block(fight, blow.target):
        blow.cites.append(fight.rule("woa.surprise.no-dodge-block"))


def can_dodge_or_block(fight: Fight, combatant: Combatant) -> bool:
    """Return whether a combatant has a class or the feat for dodging or blocking."""
    return bool(
        group_level(fight, combatant, "warrior")
        or group_level(fight, combatant, "rogue")
        or has_feat(combatant, "dodge")
    )


def offer_dodge_or_block(fight: Fight, blow: Blow) -> Steps[None]:
    """Offer the target to dodge or block, never both (woa.reaction.dodge.not-with-block).

    If the target could have dodged or blocked but may not, the attack cites the rule for it
    (woa.reaction.dodge.timing).
    """
    target = blow.target
    if not can_dodge_or_block(fight, target):
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
        block = yield from choose_block_means(fight, blow, means)
        if bonus_on_block(fight, target, block[1]):
            allowed.append("woa.reaction.block.feats")
        yield reaction_spent(fight, target, "block", blow.attacker, *allowed, "woa.reaction.block.means")
        blow.damage.blocked, blow.damage.blocked_with = block


def choose_block_means(fight: Fight, blow: Blow, means: list[tuple[int, str]]) -> Steps[tuple[int, str]]:
    """Return the shield or weapon with which the target blocks, of its choice if it has several.

    woa.reaction.block.means, .value, .shield-suffers-effects
    """
    if len(means) == 1:
        return means[0]
    rule = fight.rule("woa.reaction.block.means")
    question = f"with what does {blow.target.id} block the {blow.weapon.name}?"
    answer = yield Choice(blow.target.id, "block-with", question, tuple(name for _, name in means), rule)
    return next(one for one in means if one[1] == answer)


# --- Damage to worn and held protection in place of its bearer (woa.ac.touch-*, woa.reaction.block.*)

STOPS = "armor stops"
"""The trait of a touch attack whose effect armor takes instead of its wearer if armor stopped it."""
OTHER = "any other"


def name_of_protection(combatant: Combatant, kind: str) -> str:
    """Return the name of the shield or armor that a combatant wears, "" if none."""
    return next((one.source or kind for one in combatant.sheet.armor if one.kind == kind), "")


def damage_through_block(fight: Fight, blow: Blow, critical: bool, dealing: Steps[None]) -> Steps[None]:
    """Deal the damage of a hit; a shield that blocked it suffers the attack's further effects.

    Acid, fire and the like damage the shield too; a missile whose damage exceeds its hardness lodges in it
    (woa.reaction.block.shield-suffers-effects, .lodged-missile).
    """
    facts: list[object] = []
    yield from observed(dealing, facts.append)
    dealt = next((fact for fact in reversed(facts) if isinstance(fact, DamageResolved)), None)
    if dealt is None:
        return
    burning = tuple(part for part in dealt.dice if part.source != blow.weapon.name)
    if burning:
        yield from damage_shield(fight, blow, "shield", burning, "woa.reaction.block.shield-suffers-effects")
    if not blow.melee:
        yield from lodge_in_shield(fight, blow, dealt.total)


def damage_shield(
    fight: Fight, blow: Blow, kind: str, dice: tuple[DamagePart, ...], topic: str
) -> Steps[None]:
    """Deal damage to a shield or armor, less its hardness, if a table gives its sturdiness."""
    target = blow.target
    item = name_of_protection(target, kind)
    total = sum(part.total for part in dice)
    sturdy = hardness(fight, item)
    if sturdy is None:
        what = f"the {item} suffers {counted(total, 'point')} in its bearer's place"
        yield RuleApplied(who=target.id, what=what, cites=(fight.rule(topic),))
        return
    hard, points = sturdy
    taken = max(0, total - hard)
    already = target.resources.get(f"damage to {item}", 0)
    yield ItemStruck(
        attacker=blow.attacker.id,
        bearer=target.id,
        item=item,
        weapon=blow.weapon.name,
        dice=dice,
        modifiers=(),
        total=total,
        hardness=hard,
        dealt=taken,
        left=max(0, points - already - taken),
        cites=fight.rules(topic, "woa.reaction.block.lodged-missile"),
    )


def hardness(fight: Fight, item: str) -> tuple[int, int] | None:
    """Return hardness and hit points of a shield by its material, None if nothing is printed."""
    topic = "woa.reaction.block.lodged-missile"
    made = next((row["made"] for row in fight.figure(topic) if row["made"] in item), OTHER)
    hard, points = cell(fight, topic, f"made={made}", "hardness"), cell(fight, topic, f"made={made}", "hp")
    return None if hard is None or points is None else (hard.value, points.value)


def lodge_in_shield(fight: Fight, blow: Blow, total: int) -> Steps[None]:
    """Lodge a missile in the shield that blocked it, and ask whether it is a hindrance.

    If it is, the shield cannot block (woa.reaction.block.lodged-missile).
    """
    target = blow.target
    item = name_of_protection(target, "shield")
    sturdy = hardness(fight, item)
    if sturdy is None or total <= sturdy[0] or LODGED in target.conditions:
        return
    rule = fight.rule("woa.reaction.block.lodged-missile")
    yield RuleApplied(who=target.id, what=f"a missile sticks in the {item}", cites=(rule,))
    blow.outcome.kept = True
    question = f"a missile sticks in the {item} of {target.id}: is it a hindrance?"
    if (yield Choice("", "lodged", question, ("no", "yes"), rule)) == "yes":
        yield ConditionGained(who=target.id, condition=LODGED, source=blow.weapon.name, cites=(rule,))


def is_taken_by_armor(fight: Fight, blow: Blow) -> Steps[bool]:
    """Return whether armor that a touch attack did not beat takes the effect instead of its wearer.

    This applies to attacks whose weapons have the trait "armor stops" (woa.ac.touch-armor-takes-effect).
    """
    if not blow.intent.touch or STOPS not in blow.weapon.traits:
        return False
    passed = sum(part.value for part in blow.outcome.defense_parts if part.denied.startswith("touch attack"))
    if blow.outcome.total >= blow.outcome.needed + passed:
        return False
    topic = "woa.ac.touch-armor-takes-effect"
    target = blow.target
    yield RuleApplied(who=target.id, what="is spared: its armor takes the effect", cites=(fight.rule(topic),))
    if name_of_protection(target, "armor"):
        yield from damage_protection(fight, blow, "armor", topic)
    return True


def damage_protection(fight: Fight, blow: Blow, kind: str, topic: str) -> Steps[None]:
    """Roll the damage of an attack that was stopped, and deal it to what stopped it."""
    weapon = blow.weapon
    rolled = yield Roll(blow.attacker.id, "damage", weapon.damage)
    part = DamagePart(weapon.damage, rolled.key, rolled.total, weapon.damage_type, weapon.name)
    yield from damage_shield(fight, blow, kind, (part,), topic)


def struck_by_touch(fight: Fight, blow: Blow) -> Steps[None]:
    """After a touch attack that missed only because of the shield, apply its effect to the shield.

    woa.ac.touch-shield-takes-effect
    """
    if blow.outcome.natural == fight.figure("woa.attack.natural-1", "face"):
        return
    shield = sum(
        part.value
        for part in blow.outcome.defense_parts
        if part.kind in ("shield", "shield enhancement") and not part.denied
    )
    if shield and blow.outcome.total >= blow.outcome.needed - shield and blow.weapon.damage_type:
        yield from damage_protection(fight, blow, "shield", "woa.ac.touch-shield-takes-effect")
