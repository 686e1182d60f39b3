"""Attacks: declaring a blow, the modifiers on both sides, the roll and its consequences."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from affray.engine.dialects.srd35.classes import abilities
from affray.engine.dialects.srd35.classes.abilities import POWER, has_table
from affray.engine.dialects.srd35.movement.flight import TABLE, carry_out_flight, plan_flight, refuse_to_fly
from affray.engine.dialects.srd35.position import SWARM, very_small
from affray.engine.dialects.srd35.senses import how_located, look
from affray.engine.fight.fight import NO_STRETCH, Fight, is_down, is_helpless
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.grid.distance import opposite
from affray.engine.kernel.actions import check_turn
from affray.engine.kernel.places import anchors_of, distance, next_to, reaches_from, refuse_no_opponent
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks import attack_roll, full_attack
from affray.engine.rules.attacks.aid import AID, helper_and_friend, provoke_as_helped
from affray.engine.rules.attacks.attack_roll import (
    build_blow,
    find_flanking_partner,
    immune_to_criticals,
    increments,
    is_higher,
    strike,
)
from affray.engine.rules.attacks.declared_blow import (
    SHOT,
    SPRING,
    can_finish_by_shot,
    move_and_strike,
    next_blow,
)
from affray.engine.rules.attacks.full_attack import (
    FURTHER,
    HANDS,
    TOPIC,
    TRAINING,
    has_many_arms,
    has_two_weapon_feat,
    lightness,
    refuse_no_shot,
    series_of_second_arm,
)
from affray.engine.rules.attacks.natural_weapons import attempts_to_stun
from affray.engine.rules.classes.abilities import character_level
from affray.engine.rules.classes.checks import explain_missing_prerequisite, masters, refuse_without, topic_of
from affray.engine.rules.classes.sheets import has_feat, has_trait
from affray.engine.rules.conditions.conditions import can_react, has_no_attack
from affray.engine.rules.gear.hands import SPIKES, melee_band, strikes_in_melee
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.movement.movement import (
    is_stopped,
    refuse_after_step,
    refuse_path,
    refuse_prone,
    speed,
)
from affray.engine.rules.opportunity.threatened_squares import threatens
from affray.engine.rules.turns.actions import (
    is_open,
    refuse_unknown_names,
    refuse_unless_allowed,
    rule_about,
    spending,
)
from affray.engine.rules.turns.delay_and_ready import attack_is_lost
from affray.engine.steps import Choice, Refusal, Steps, altered, onward
from affray.events.errors import counted
from affray.events.facts import acts
from affray.events.facts.combat import (
    CheckResolved,
    ConditionLost,
    EffectEnded,
    EffectGained,
    ResourceSpent,
    Until,
)
from affray.events.facts.flow import ActionSpent, ReactionSpent, RuleApplied
from affray.events.facts.sheet import Modifier, Weapon
from affray.projections.state import Combatant

# --- Aid another in full: in melee, with a check, against a condition of a friend (srd35.aid.*)


def with_condition(fight: Fight, act: acts.Aid) -> Steps[None]:
    """Help a friend against a condition; the game master decides whether that ends it.

    srd35.aid.other-uses.
    """
    actor, friend = helper_and_friend(fight, act)
    rule = fight.rule("srd35.aid.other-uses")
    if act.what not in friend.conditions:
        reason = f"{friend.id} is not {act.what}" if act.what else "no condition to help against is named"
        raise Refusal(reason, rule)
    yield spending(fight, actor, "standard", f"aid against {act.what}", rule)
    yield from provoke_as_helped(fight, actor, "", f"helps against {act.what}")
    if is_down(fight, actor):
        return
    source = friend.conditions[act.what].source
    question = f"{actor.id} helps {friend.id}, who is {act.what} ({source}): does that end it?"
    if (yield Choice("", "aid", question, ("ends", "lasts"), rule)) == "ends":
        yield ConditionLost(who=friend.id, condition=act.what, why=f"aid from {actor.id}", cites=(rule,))


def cite_aid_to_attack(fight: Fight, blow: Blow) -> None:
    """Cite the rule that several helpers of the attacker add up, if they do (srd35.aid.stacks)."""
    if helpers(blow.attacker, "attack", blow.target) > 1:
        blow.cites.append(fight.rule("srd35.aid.stacks"))


def cite_aid_to_defense(fight: Fight, blow: Blow) -> None:
    """Cite the rule that several helpers of the target add up, if they do (srd35.aid.stacks)."""
    if helpers(blow.target, "defense", blow.attacker) > 1:
        blow.cites.append(fight.rule("srd35.aid.stacks"))


def helpers(helped: Combatant, stat: str, opponent: Combatant) -> int:
    """Return how many help a combatant's attack or defense against an opponent."""
    return sum(
        one.stat == stat and one.id.endswith(AID) and one.against == opponent.id for one in helped.effects
    )


def cite_lapsed_aid(fight: Fight, combatant: Combatant, opening: Steps[None]) -> Steps[None]:
    """Begin a turn; help that expires unused then cites its rule (srd35.aid.expiry)."""

    def cited(fact: object) -> object:
        if type(fact) is EffectEnded and fact.id.endswith(AID):
            return replace(fact, cites=(*fact.cites, fight.rule("srd35.aid.expiry")))
        return fact

    return altered(opening, cited)


# --- Cleave: a dropped opponent allows a blow at the next (srd35.feat.cleave, .great-cleave)

CLEAVE = "cleave"


def cleave(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """After an opponent dropped, offer one more blow of the same weapon and bonus at another in reach.

    At once and without a step in between; once a round, with Great Cleave any number of times
    (srd35.feat.cleave, srd35.feat.great-cleave).
    """
    if not standing or not is_down(fight, blow.target):
        return
    attacker = blow.attacker
    great = masters(fight, attacker, "great cleave")
    limit = fight.figure("srd35.feat.cleave", "per_round")
    if not masters(fight, attacker, CLEAVE) or (attacker.spent.get(CLEAVE, 0) >= limit and not great):
        return
    found = {one.id: again for one in fight.enemies(attacker) if (again := next_blow(fight, blow, one))}
    if not found or is_down(fight, attacker):
        return
    again_with = "great cleave" if attacker.spent.get(CLEAVE, 0) >= limit else CLEAVE
    rule = fight.rule("srd35.feat.great-cleave" if again_with != CLEAVE else "srd35.feat.cleave")
    question = f"{blow.target.id} drops: which enemy does {attacker.id} strike in the same movement?"
    answer = yield Choice(attacker.id, CLEAVE, question, (*found, "decline"), rule)
    if answer not in found:
        return
    yield ActionSpent(who=attacker.id, kind=CLEAVE, what=again_with, cites=(rule,))
    following = found[answer]
    following.cites.append(rule)
    count = attacker.spent.get(CLEAVE, 0)
    yield from fight.dialect.attacks.deliver(
        fight, following, f"{fight.declaration}#{fight.scope}#cleave{count}"
    )


# --- Helpless defenders: the coup de grace (srd35.helpless.*, srd35.coup-de-grace.*)

UNSEEN = "srd35.coup-de-grace.total-concealment"
#: The stat of the effect of a round spent on locating an unseen victim.
FOUND = "located"


def refuse_distant_shot(fight: Fight, act: acts.CoupDeGrace) -> None:
    """Refuse a coup de grace with a bow except from an adjacent square (srd35.coup-de-grace.bow-adjacent)."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    if is_shot(fight, actor, act) and not next_to(actor, target):
        rule = fight.rule("srd35.coup-de-grace.bow-adjacent")
        raise Refusal(f"{actor.id} must shoot from next to {target.id}", rule)


def is_shot(fight: Fight, actor: Combatant, act: acts.CoupDeGrace) -> bool:
    """Return whether a coup de grace is delivered with a bow."""
    return can_finish_by_shot(find_weapon(fight, actor, act.weapon))


def is_unseen(fight: Fight, actor: Combatant, act: acts.CoupDeGrace) -> bool:
    """Return whether the attacker does not see the target of a coup de grace."""
    target = fight.combatant(act.target)
    melee = strikes_in_melee(find_weapon(fight, actor, act.weapon))
    return is_helpless(fight, target) and look(fight, actor, target, melee).unseen


def locate_first(fight: Fight, act: acts.CoupDeGrace) -> Steps[None] | None:
    """Locate an unseen target of a coup de grace, None if it is seen or located already.

    srd35.coup-de-grace.total-concealment
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    needed = fight.figure(UNSEEN, "full_round_actions") - 1
    if is_unseen(fight, actor, act) and len(rounds_spent(actor, target)) < needed:
        return locate_victim(fight, actor, target)
    return None


def cite_grounds(fight: Fight, act: acts.CoupDeGrace, finishing: Steps[None]) -> Steps[None]:
    """Deliver a coup de grace, citing the rules on the helpless, on bows and the unseen
    (srd35.helpless.definition).
    """
    actor = fight.combatant(act.actor)
    bow = ("srd35.coup-de-grace.bow-adjacent",) if is_shot(fight, actor, act) else ()
    unseen = (UNSEEN,) if is_unseen(fight, actor, act) else ()
    first = next(finishing)
    if isinstance(first, ActionSpent):
        cites = fight.rules("srd35.helpless.definition", *bow, *unseen)
        first = replace(first, cites=(*first.cites, *cites))
    yield from onward(finishing, first)


def rounds_spent(attacker: Combatant, target: Combatant) -> list[str]:
    """Return the ids of the effects of rounds spent on locating a victim."""
    return [effect.id for effect in attacker.effects if effect.stat == FOUND and effect.against == target.id]


def locate_victim(fight: Fight, attacker: Combatant, target: Combatant) -> Steps[None]:
    """Spend a full-round action on finding an unseen victim in a known square."""
    rule = fight.rule(UNSEEN)
    if not next_to(attacker, target) and not how_located(fight, attacker, target):
        raise Refusal(f"{attacker.id} does not know where {target.id} lies", rule)
    yield spending(fight, attacker, "full-round", f"locates {target.id}", rule)
    yield EffectGained(
        who=attacker.id,
        id=f"{fight.declaration}:{FOUND}",
        stat=FOUND,
        modifier=Modifier(0, FOUND, f"{target.id} located", rule),
        until=Until("turn-end", attacker.id, fight.state.round + 1),
        against=target.id,
        cites=(rule,),
    )


# --- Critical hits over a wider range: by weapon, by Improved Critical
#
# srd35.crit.threat, srd35.feat.improved-critical.


def in_threat_range(fight: Fight, blow: Blow, natural: int, total: int, needed: int) -> bool:
    """Return whether a hit threatens a critical hit: a natural roll in the range that hits.

    A keen edge doubles the range; some creatures are immune (srd35.crit.threat,
    srd35.crit.threat-range-doubling, srd35.crit.immune, srd35.crit.spells).
    """
    printed = blow.weapon.threat
    low = keen_threat(fight, blow)
    if natural < low:
        return False
    if immune_to_criticals(fight, blow):
        blow.cites += [rule for rule in fight.rules("srd35.crit.immune") if rule not in blow.cites]
        return False
    blow.cites.append(fight.rule("srd35.crit.threat"))
    if natural < printed:
        blow.cites.append(fight.rule("srd35.crit.threat-range-doubling"))
    if blow.weapon.family == "spell":
        blow.cites.append(fight.rule("srd35.crit.spells"))
    return True


def keen_threat(fight: Fight, blow: Blow) -> int:
    """Return the lowest natural roll that threatens, the range doubled by a keen edge."""
    weapon = blow.weapon
    if "keen" not in weapon.traits:
        return weapon.threat
    low, high = fight.figure("srd35.crit.threat", "default_range")
    span = str(high) if weapon.threat == low else f"{weapon.threat}-{high}"
    ranges = fight.figure("srd35.crit.threat-range-doubling")
    return int(ranges.get(span, weapon.threat))


# --- Options declared before the first attack roll: Power Attack, Combat Expertise, Stunning Fist


def declare_feats(
    fight: Fight, actor: Combatant, act: acts.FullAttack, blows: Sequence[Blow]
) -> list[object]:
    """Return the facts of the options declared with an attack, to be recorded once its action is spent.

    Power Attack, Combat Expertise, Stunning Fist, and the penalty of a flurry (srd35.feat.power-attack,
    srd35.feat.combat-expertise, srd35.feat.stunning-fist, srd35.class.flurry). Refuses options that the
    attacker cannot declare; `blows` are the declared ones.
    """
    facts: list[object] = []
    if act.power:
        facts.append(pledge_power_attack(fight, actor, act.power))
    if getattr(act, "expertise", 0):
        facts += pledge_combat_expertise(fight, actor, act.expertise, blows)
    facts += attempts_to_stun(fight, actor, blows)
    if type(act) is acts.FullAttack:
        if act.rapid_shot:
            refuse_no_shot(fight, actor, blows)
        if act.flurry and not is_open(actor):
            facts.append(abilities.flurry_penalty(fight, actor))
    return facts


def pledge_power_attack(fight: Fight, combatant: Combatant, points: int) -> EffectGained:
    """Take points off all melee attack rolls until the next turn, to add them to damage.

    At most as many as the base attack bonus (srd35.feat.power-attack).
    """
    rule = refuse_without(fight, combatant, "power attack")
    if points not in range(1, combatant.sheet.base_attack + 1):
        raise Refusal(f"Power Attack takes 1 to {combatant.sheet.base_attack} off, not {points}", rule)
    return EffectGained(
        who=combatant.id,
        id=f"{fight.declaration}:power-attack",
        stat=POWER,
        modifier=Modifier(-points, "penalty", "Power Attack", rule),
        until=next_turn(fight, combatant),
        cites=(rule,),
    )


def pledge_combat_expertise(
    fight: Fight, combatant: Combatant, points: int, blows: Sequence[Blow]
) -> list[EffectGained]:
    """Trade attack for a dodge bonus in a melee attack or full attack (srd35.feat.combat-expertise)."""
    rule = refuse_without(fight, combatant, "combat expertise")
    most = min(fight.figure("srd35.feat.combat-expertise", "max"), combatant.sheet.base_attack)
    if points not in range(1, most + 1):
        raise Refusal(f"Combat Expertise trades 1 to {most}, not {points}", rule)
    if not all(blow.melee for blow in blows):
        raise Refusal("Combat Expertise goes with attacks in melee", rule)
    return [
        EffectGained(
            who=combatant.id,
            id=f"{fight.declaration}:expertise-{stat}",
            stat=stat,
            modifier=Modifier(value, kind, "Combat Expertise", rule),
            until=next_turn(fight, combatant),
            cites=(rule,),
        )
        for stat, value, kind in (("attack", -points, "penalty"), ("defense", points, "dodge"))
    ]


def next_turn(fight: Fight, combatant: Combatant) -> Until:
    """Return the start of a combatant's next turn."""
    return Until("turn-start", combatant.id, fight.state.round + 1)


def use_feat(fight: Fight, act: acts.UseFeat) -> Steps[None]:
    """Use a feat that takes no action: naming an opponent for Dodge."""
    actor = fight.combatant(act.actor)
    if act.feat != "dodge":
        reason = f"{act.feat!r} is no feat to be declared by itself" if act.feat else "no feat is named"
        raise Refusal(f"{reason}; there is dodge", rule_about(fight, acts.UseFeat))
    yield from name_dodge_opponent(fight, actor, act.target)


def name_dodge_opponent(fight: Fight, attacker: Combatant, target: str) -> Steps[None]:
    """Name the one opponent against which to dodge, on one's own turn, until another is named.

    srd35.feat.dodge.
    """
    rule = refuse_without(fight, attacker, "dodge")
    check_turn(fight, attacker)
    enemy = fight.combatant(target)
    refuse_no_opponent(attacker, enemy, rule, "to dodge")
    for effect in attacker.effects:
        if effect.modifier.rule == rule:
            yield EffectEnded(who=attacker.id, id=effect.id, why=f"{enemy.id} instead", cites=(rule,))
    yield EffectGained(
        who=attacker.id,
        id=f"{fight.declaration}:dodge",
        stat="defense",
        modifier=fight.modifier("srd35.feat.dodge", "ac_dodge", kind="dodge", source="Dodge"),
        until=Until(),
        against=enemy.id,
        cites=(rule,),
    )


# --- Flanking: which combatants flank, and which cannot (srd35.flank.*)


def flanking_bonus(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the bonus for flanking the target with a friend; denied if the friend does not count.

    Only a friend that threatens the target helps, and no combatant without reach flanks
    (srd35.flank.must-threaten, srd35.flank.reach-zero, srd35.flank.bonus).
    """
    attacker, target = blow.attacker, blow.target
    denied: list[tuple[Combatant, str, list[str]]] = []
    for friend in fight.state.combatants.values():
        if friend.side != attacker.side or friend is attacker or friend is target:
            continue
        if (friend.conditions and is_down(fight, friend)) or not are_opposite(attacker, friend, target):
            continue
        topics = why_cannot_flank(fight, friend, target)
        if not topics and has_trait(target, SWARM):
            topics = ["swarm"]
        if not topics:
            blow.cites += fight.rules(*rules_of_opposite(attacker, friend, target))
            return [flanking_modifier(fight, friend)]
        if next_to(friend, target):
            denied.append((friend, topics[0], topics))
    for friend, topic, topics in denied[:1]:
        blow.cites += fight.rules(*topics)
        part = flanking_modifier(fight, friend)
        reason = f"{friend.id} does not flank ({fight.rule(topic)})"
        return [Modifier(part.value, part.kind, part.source, part.rule, reason)]
    return []


def flanking_modifier(fight: Fight, friend: Combatant) -> Modifier:
    """Return the flanking bonus."""
    return fight.modifier(
        "srd35.flank.bonus", "melee_attack", kind="flanking", source=f"flanking with {friend.id}"
    )


def why_cannot_flank(fight: Fight, friend: Combatant, target: Combatant) -> list[str]:
    """Return the topics of the rules by which a friend on the opposite side does not help to flank."""
    if friend.reach <= fight.figure("srd35.flank.reach-zero", "reach_ft"):
        small = ["srd35.size.tiny-no-flank"] if very_small(fight, friend.sheet) else []
        return ["flank.reach-zero", *small]
    helpless = bool(friend.conditions) and has_no_attack(fight, friend)
    return [] if not helpless and threatens(fight, friend, target) else ["srd35.flank.must-threaten"]


def are_opposite(attacker: Combatant, friend: Combatant, target: Combatant) -> bool:
    """Return whether two combatants are on opposite sides of a third."""
    if attacker.stretch == friend.stretch == target.stretch == NO_STRETCH:
        return opposite((attacker.at, attacker.space), (friend.at, friend.space), (target.at, target.space))
    return any(
        opposite((one, attacker.space), (other, friend.space), (place, target.space))
        for one in anchors_of(attacker)
        for other in anchors_of(friend)
        for place in anchors_of(target)
    )


def rules_of_opposite(attacker: Combatant, friend: Combatant, target: Combatant) -> list[str]:
    """Return the rules that decided which combatants are opposite: the line between centres, and big
    flankers' squares.

    If both are adjacent to a single square, in those of opposite borders or corners, no line needs to be
    traced.
    """
    big = attacker.space > 1 or friend.space > 1
    if not big and target.space == 1 and next_to(attacker, target) and next_to(friend, target):
        return []
    return ["srd35.flank.line-test", "srd35.flank.large-flanker"] if big else ["srd35.flank.line-test"]


# --- Flyby Attack: acting at any point of a flight (srd35.feat.flyby-attack)


def flyby(fight: Fight, act: acts.Flyby) -> Steps[None]:
    """Act at any point of a flight (srd35.feat.flyby-attack)."""
    actor = fight.combatant(act.actor)
    rule = refuse_without(fight, actor, "flyby attack")
    refuse_to_fly(fight, actor)
    refuse_unless_allowed(fight, actor, "standard")
    if actor.spent.get("move") or not fight.dialect.turns.allowance(fight, actor).full:
        raise Refusal(f"{actor.id} has not both a move and a standard action", rule)
    if not 0 <= act.after <= len(act.path):
        raise Refusal(f"`after` must be a number of squares from 0 to {len(act.path)}, not {act.after}", rule)
    if act.then.actor not in ("", actor.id):
        raise Refusal(f"the act on the way is {actor.id}'s own, not {act.then.actor}'s", rule)
    refuse_unknown_names(fight, actor, act.then)
    plan_flight(fight, actor, act.path, act.up)
    before, later = act.path[: act.after], act.path[act.after :]
    stop = (actor.at, *before)[-1]
    yield spending(fight, actor, "move", "fly", fight.rule(TABLE), rule)
    if before and not (yield from carry_out_flight(fight, actor, before, act.up)):
        return
    try:
        steps = fight.dialect.acts[type(act.then)](fight, replace(act.then, actor=actor.id))
        first = next(steps)
    except Refusal as lost:
        yield attack_is_lost(actor, lost, "the act")
    else:
        yield first
        yield from steps
    if later and not (yield from is_stopped(fight, actor, stop, "flight")):
        yield from carry_out_flight(fight, actor, later, 0 if before else act.up)


# --- The beginning of a full attack in srd35: its rules, and the penalty of Rapid Shot


def spend_full_round(
    fight: Fight, actor: Combatant, act: acts.FullAttack, second: str, attacks: int
) -> tuple[ActionSpent]:
    """Spend the full-round action of a full attack, citing its rules.

    Its order if there is one, its step, its special attacks.
    """
    topics = ["srd35.attack-action.multiple", "srd35.action.full-round"]
    if attacks > 1:
        topics.append("srd35.full-attack.order")
    if actor.spent.get("step"):
        topics.append("srd35.full-attack.step")
    if act.whirlwind:
        topics.append("srd35.feat.whirlwind-attack")
    for one in act.strikes:
        if one.special:
            topics.append("srd35.actions-table.notes")
            break
    cites = fight.rules(*topics)
    return (ActionSpent(who=actor.id, kind="full-round", what="full attack", cites=cites),)


def shoot_rapidly(
    fight: Fight, actor: Combatant, act: acts.FullAttack, second: str, attacks: int
) -> Iterator[EffectGained]:
    """Apply the penalty of Rapid Shot to all attacks until the next turn (srd35.feat.rapid-shot)."""
    until = Until("turn-start", actor.id, fight.state.round + 1)
    yield full_attack.rapid_shot(fight, actor, until)


# --- The two tables of favorable and unfavorable conditions (srd35.modifiers.overview)
# The figure of each row belongs to the rule of that row; the tables list the rows, and give each a column for
# melee and one for ranged attacks (srd35.attack-mod.table, srd35.ac-mod.table).


def rules_of_table(fight: Fight, table: str, parts: Sequence[Modifier]) -> tuple[str, ...]:
    """Return the rules to cite for modifiers from the rows of a table.

    `table` is its topic. The overview is cited too if melee and ranged attacks have different figures and the
    column decided.
    """
    rule = fight.rule(table)
    rows = rule.removesuffix("table")
    found = [part.rule for part in parts if part.rule.startswith(rows) and not part.denied]
    if not found:
        return ()
    columns = any(differs_at_range(fight, row) for row in found)
    return (rule, *(fight.rules("srd35.modifiers.overview") if columns else ()))


def differs_at_range(fight: Fight, row: str) -> bool:
    """Return whether a row has a different figure for ranged attacks than for melee."""
    figures = fight.book.figure(row)
    return isinstance(figures, dict) and figures.get("melee") != figures.get("ranged")


def cite_attack_table(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of an attack, citing the table if they are rows of it (srd35.attack-mod.table)."""
    blow.cites += rules_of_table(fight, "srd35.attack-mod.table", parts)
    return parts


def cite_defense_table(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of a defense, citing the table if they are rows of it (srd35.ac-mod.table)."""
    blow.cites += rules_of_table(fight, "srd35.ac-mod.table", parts)
    return parts


def range_penalty(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the penalty for each full range increment (srd35.attack-action.range-increment)."""
    increment = fight.dialect.attacks.range_increment(fight, blow)
    full = increments(blow.distance, increment) if increment else 0
    if not full or "entangle" in blow.weapon.traits:  # a net's reach is no increment
        return []
    topic = "srd35.attack-action.range-increment"
    per = fight.figure(topic, "penalty_per_full_increment")
    return [Modifier(per * full, "penalty", f"range {blow.distance} ft.", fight.rule(topic))]


def higher_ground_at_range(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the bonus of higher ground to a missile, by the table (srd35.attack-mod.higher-ground)."""
    if not is_higher(fight, blow):
        return []
    topic = "srd35.attack-mod.higher-ground"
    return [fight.modifier(topic, "ranged", kind="circumstance", source="higher ground")]


def flanking_at_range(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the flanking bonus of a missile if blank cells count as melee (attack_table_slips).

    srd35.attack-mod.flanking.
    """
    friend = find_flanking_partner(fight, blow) if fight.option("attack_table_slips") == "as-melee" else None
    if friend is None:
        return []
    source = f"flanking with {friend.id}"
    return [fight.modifier("srd35.attack-mod.flanking", "melee", kind="flanking", source=source)]


# --- Shooting and throwing, with the feats of archers (srd35.feat.precise-shot and the like)

UNDER_ATTACK = "under attack"
"""The condition by which the game master declares that a defenseless combatant is under attack."""


def range_increment(fight: Fight, blow: Blow) -> int:
    """Return the weapon's range increment in feet, longer by Far Shot (srd35.feat.far-shot)."""
    feet = blow.weapon.range
    if has_feat(blow.attacker, "far shot"):
        kind = "thrown" if blow.weapon.thrown else "projectile"
        feet = int(feet * fight.figure("srd35.feat.far-shot", kind))
    return feet


def cite_far_shot(fight: Fight, blow: Blow) -> None:
    """Cite Far Shot if it saves a range increment (srd35.feat.far-shot)."""
    plain = blow.weapon.range
    if plain and blow.distance // plain > blow.distance // range_increment(fight, blow):
        blow.cites.append(fight.rule("srd35.feat.far-shot"))


def into_melee(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the penalty for shooting at a target engaged with a friend, or its waiver.

    Precise Shot waives it; and a defenseless combatant is engaged only while it is actually attacked
    (srd35.attack-action.into-melee, .engaged, srd35.feat.precise-shot).
    """
    near = [one for one in fight.allies(blow.attacker) if are_in_melee(fight, one, blow.target)]
    near = near if near and is_too_near_friends(fight, blow, near) else []
    if not near:
        return []
    fighting = [one for one in near if all(takes_part_in_melee(fight, side) for side in (one, blow.target))]
    topic = "srd35.attack-action.into-melee"
    source = f"into melee with {(fighting or near)[0].id}"
    part = fight.modifier(topic, "penalty", kind="penalty", source=source)
    engaged = fight.rule("srd35.attack-action.engaged")
    if not fighting:
        part = replace(part, denied=f"no combatant there is under attack ({engaged})")
    elif has_feat(blow.attacker, "precise shot"):
        blow.cites.append(fight.rule("srd35.feat.precise-shot"))
        part = replace(part, denied=f"Precise Shot ({fight.rule('srd35.feat.precise-shot')})")
    blow.cites.append(engaged)
    return [part]


def are_in_melee(fight: Fight, friend: Combatant, target: Combatant) -> bool:
    """Return whether one of two enemies threatens the other; the dead are in no melee."""
    if "dead" in friend.conditions:
        return False
    pair = ((friend, target), (target, friend))
    return any(not is_down(fight, one) and threatens(fight, one, other) for one, other in pair)


def takes_part_in_melee(fight: Fight, combatant: Combatant) -> bool:
    """Return whether a combatant takes part in a melee: able to, or under attack anyway."""
    return not is_helpless(fight, combatant) or UNDER_ATTACK in combatant.conditions


def is_too_near_friends(fight: Fight, blow: Blow, friends: list[Combatant]) -> bool:
    """Return whether no part of the target is far enough from all of these friends."""
    clear = fight.figure("srd35.attack-action.into-melee", "waived_if_distance_ft")
    return not attack_roll.is_clear_of_friends(friends, blow.target, clear)


def manyshot(fight: Fight, act: acts.Manyshot) -> Steps[None]:
    """Shoot two arrows or more at one target within 30 feet, as a standard action and on one roll.

    More arrows require a higher base attack bonus and have a greater penalty; precision damage counts once,
    only the first arrow can be critical, damage reduction applies to each (srd35.feat.manyshot).
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    topic = "srd35.feat.manyshot"
    rule = refuse_without(fight, actor, "manyshot")
    weapon = find_weapon(fight, actor, act.weapon)
    if weapon.family != "bow":
        raise Refusal(f"Manyshot takes a bow, not the {weapon.name}", rule)
    row = next((row for row in fight.figure(topic, "rows") if row["arrows"] == act.arrows), None)
    if row is None or actor.sheet.base_attack < row["bab"]:
        raise Refusal(f"{actor.id} cannot loose {counted(act.arrows, 'arrow')} at once", rule)
    blow = fight.dialect.attacks.prepare(fight, actor, target, weapon, "attack")
    reach = fight.figure(topic, "range_ft")
    if blow.melee or blow.distance > reach:
        raise Refusal(f"{target.id} is {blow.distance} ft. away; Manyshot reaches {reach} ft.", rule)
    if weapon.ammunition is not None:
        left = weapon.ammunition - actor.resources.get(weapon.name, 0)
        if left < act.arrows:
            raise Refusal(
                f"{actor.id} has {counted(left, 'arrow')} left, not {act.arrows}",
                fight.rule("srd35.move-action.draw"),
            )
    source = f"Manyshot, {counted(act.arrows, 'arrow')}"
    path = (f"arrows={act.arrows}", "attack")
    blow.attack_extra.append(fight.modifier(topic, "rows", *path, kind="penalty", source=source))
    blow.intent = replace(blow.intent, arrows=act.arrows)
    yield spending(fight, actor, "standard", "manyshot", rule)
    if weapon.ammunition is not None:
        further = act.arrows - 1
        cites = (rule, fight.rule("srd35.move-action.draw"))
        yield ResourceSpent(who=actor.id, resource=weapon.name, amount=further, cites=cites)
    yield from fight.dialect.attacks.deliver(fight, blow, fight.declaration)


# --- Fighting on the move: Mobility, Spring Attack, Shot on the Run


def skirmish(fight: Fight, act: acts.Skirmish) -> Steps[None]:
    """Move, attack and move on within one's speed, as a move and a standard action together.

    Spring Attack goes at least 5 feet before and after a melee attack, whose target gets no attack of
    opportunity for it; not in heavy armor. Shot on the Run attacks at range (srd35.feat.spring-attack,
    srd35.feat.shot-on-the-run).
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    weapon = find_weapon(fight, actor, act.weapon)
    melee = strikes_in_melee(weapon)
    feat = SPRING if melee else SHOT
    rule = refuse_without(fight, actor, feat)
    refuse_both_actions(fight, actor, rule)
    if melee and actor.sheet.armor_weight == "heavy":
        raise Refusal(f"{actor.id} wears heavy armor", rule)
    refuse_after_step(fight, actor)
    refuse_prone(fight, actor)
    moving = fight.rule("srd35.move-action.move")
    if act.path:
        refuse_path(fight, actor, act.path, speed(fight, actor), moving)
    refuse_path(fight, actor, (*act.path, *act.onward), speed(fight, actor), moving)
    if melee:
        refuse_no_spring(fight, actor, target, act, weapon)
    yield ActionSpent(who=actor.id, kind="move", what=feat, cites=(rule, moving))
    yield ActionSpent(
        who=actor.id,
        kind="standard",
        what=feat,
        cites=fight.rules(f"attack-action.{'melee' if melee else 'ranged'}"),
    )
    yield from move_and_strike(fight, act, weapon, feat, rule)


def refuse_both_actions(fight: Fight, combatant: Combatant, rule: str) -> None:
    """Refuse a combatant that does not have both a move and a standard action left."""
    refuse_unless_allowed(fight, combatant, "standard")
    total = fight.dialect.turns.allowance(fight, combatant).total
    if combatant.spent.get("standard", 0) + combatant.spent.get("move", 0) + 2 > total:
        raise Refusal(f"{combatant.id} needs a move and a standard action", rule)


def refuse_no_spring(
    fight: Fight, attacker: Combatant, target: Combatant, act: acts.Skirmish, weapon: Weapon
) -> None:
    """Refuse a spring attack without 5 feet of movement on either side, or out of reach of its target."""
    topic = "srd35.feat.spring-attack"
    least = fight.figure(topic, "min_each_side_ft")
    if min(len(act.path), len(act.onward)) * SQUARE_FT < least:
        raise Refusal("a spring attack moves at least 5 ft. before and after the attack", fight.rule(topic))
    near, far = melee_band(attacker, weapon)
    if not reaches_from(attacker, act.path[-1], target, near, far):
        raise Refusal(f"{target.id} is out of reach there", fight.rule("srd35.attack-action.melee"))


# --- Two weapons at once: the penalties of both hands, and the attacks of the off hand (srd35.twf.*)


def two_weapon_penalties(fight: Fight, combatant: Combatant, light: bool, hand: str) -> list[Modifier]:
    """Return the penalty of an attack with the "primary" hand or "off_hand" if both hands attack.

    A light off-hand weapon and the feat lower it; some creatures have none (srd35.twf.extra-attack,
    .light-off-hand, .feat, srd35.assumed.weapon-mastery).
    """
    if full_attack.pays_nothing(combatant):
        return []
    source = f"two weapons, {HANDS[hand]}"
    parts = [fight.modifier("srd35.twf.extra-attack", hand, kind="penalty", source=source)]
    if light:
        parts.append(
            fight.modifier(
                "srd35.twf.light-off-hand", "reduction", kind="untyped", source="light off-hand weapon"
            )
        )
    if has_two_weapon_feat(fight, combatant):
        path = f"reduction_{hand}"
        feat = "Multiweapon Fighting" if has_many_arms(combatant) else "Two-Weapon Fighting"
        parts.append(fight.modifier("srd35.twf.feat", path, kind="untyped", source=feat))
    return parts


def off_hand_series(fight: Fight, combatant: Combatant, hands: int = 1) -> list[list[Modifier]]:
    """Return the attacks of the off hand: one, and one more for each of two feats, 5 lower each time.

    Every one of `hands` off hands has one. The second arm of a superior fighter has as many as the first
    (srd35.feat.improved-two-weapon-fighting, srd35.feat.greater-two-weapon-fighting).
    """
    if hands == 1 and full_attack.is_superior(combatant):
        return series_of_second_arm(fight, combatant)
    each = fight.figure("srd35.twf.extra-attack", "extra_attacks")
    rows: list[list[Modifier]] = [[] for _ in range(each * hands)]
    if hands > 1:
        return rows
    for feat in FURTHER:
        if not masters(fight, combatant, feat):
            break
        topic = f"feat.{feat.replace(' ', '-')}"
        rows.append([fight.modifier(topic, "attack", kind="iterative", source=feat.title())])
    return rows


def table_rules_told(
    fight: Fight, combatant: Combatant, act: acts.FullAttack, second: str, attacks: int
) -> Iterator[RuleApplied]:
    """Report the table's entry for fighting with these two weapons (srd35.twf.table)."""
    light, thrown = lightness(fight, combatant, act, second)
    ways = fight.figure("srd35.twf.table")
    names = [row["circumstances"] for row in ways]
    row = names[2 * has_two_weapon_feat(fight, combatant) + light]
    weapon = find_weapon(fight, combatant, second)
    topics = ["srd35.twf.table"]
    if full_attack.pays_nothing(combatant):
        yield RuleApplied(
            who=combatant.id,
            what="fights with several weapons without a penalty",
            cites=fight.rules("srd35.twf.extra-attack", "srd35.assumed.weapon-mastery"),
        )
        return
    if "double" in weapon.traits:
        topics += ["srd35.twf.double-weapons", "srd35.weapons.double"]
    if thrown:
        topics.append("srd35.twf.thrown")
    if has_two_weapon_feat(fight, combatant):
        topics.append(TOPIC if has_many_arms(combatant) else "srd35.feat.two-weapon-fighting")
    missing = explain_missing_prerequisite(fight, combatant, TRAINING)
    without = f", without the feat, which takes {missing}" if missing else ""
    yield RuleApplied(
        who=combatant.id, what=f"fights with two weapons: {row}{without}", cites=fight.rules(*topics)
    )


# --- Bare hands: the stunning fist, and deflecting missiles (srd35.feat.stunning-fist, .deflect-arrows)

DEFLECT = "deflect arrows"
SNATCH = "snatch arrows"
#: The trait of missiles too massive to be deflected.
MASSIVE = "massive"


def rules_of_bare_hands(fight: Fight, blow: Blow) -> tuple[str, ...]:
    """Return the rules for the damage of a bare hand, none for one that discharges a spell.

    srd35.unarmed.damage, srd35.feat.improved-unarmed-strike.
    """
    weapon, attacker = blow.weapon, blow.attacker
    if weapon.family == "spell":
        return ()
    feat = "improved unarmed strike"
    # A Medium monk's unarmed damage has a separate table.
    own = any(one.name == weapon.name for one in attacker.sheet.weapons) or has_table(attacker)
    topics = () if own else ("unarmed.damage",)
    return fight.rules(*topics, *((topic_of(feat),) if has_feat(attacker, feat) else ()))


def cite_halved_level(
    fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool, stunning: Steps[None]
) -> Steps[None]:
    """Stun with a fist; half of an odd level in the DC is rounded down (srd35.math.round-down)."""
    rule, halved = fight.rules("srd35.feat.stunning-fist", "srd35.math.round-down")
    if character_level(blow.attacker) % 2 == 0:
        return stunning

    def cited(step: object) -> object:
        if not isinstance(step, CheckResolved) or rule not in step.cites:
            return step
        after = step.cites.index(rule) + 1
        return replace(step, cites=(*step.cites[:after], halved, *step.cites[after:]))

    return altered(stunning, cited)


def hands_free(combatant: Combatant) -> int:
    """Return how many of two hands hold neither weapon nor shield."""
    held = sum(
        max(1, one.hands)
        for one in combatant.sheet.weapons
        if one.name in combatant.held and one.wield != "natural" and one.table != SPIKES
    )
    shields = sum(
        part.kind == "shield" and combatant.items.get(part.source) not in ("broken", "dropped", "gone")
        for part in combatant.sheet.armor
    )
    return 2 - held - shields


def is_deflected(fight: Fight, blow: Blow) -> Steps[bool]:
    """Let the target deflect a missile that hits it; return whether none of it arrives.

    Once a round, with a hand free, aware of it and not flat-footed; not spells, not massive missiles. Of
    several on one roll it deflects one. Snatch Arrows catches it and may throw a thrown weapon back.
    """
    target = blow.target
    if not masters(fight, target, DEFLECT) or not may_deflect(fight, blow):
        return False
    rule = fight.rule("srd35.feat.deflect-arrows")
    snatches = masters(fight, target, SNATCH)
    ways = (("throw back",) if blow.weapon.thrown else ()) + (("catch",) if snatches else ())
    options = ("deflect", *(ways if snatches else ()), "decline")
    question = f"does {target.id} turn the {blow.weapon.name} of {blow.attacker.id} aside?"
    answer = yield Choice(target.id, "deflect", question, options, rule)
    if answer == "decline":
        return False
    yield ReactionSpent(who=target.id, kind=DEFLECT, against=blow.attacker.id, opportunity="", cites=(rule,))
    done = "catches" if answer != "deflect" else "turns aside"
    yield RuleApplied(who=target.id, what=f"{target.id} {done} the {blow.weapon.name}", cites=(rule,))
    if answer == "throw back":
        yield from throw_back(fight, blow)
        blow.outcome.landed = blow.attacker.at
    elif answer == "catch":
        blow.outcome.kept = True
    blow.outcome.deflected = 1
    return blow.intent.arrows == 1


def may_deflect(fight: Fight, blow: Blow) -> bool:
    """Return whether the target can deflect this missile now."""
    target, weapon = blow.target, blow.weapon
    used = target.reactions.get(DEFLECT, 0) >= fight.figure("srd35.feat.deflect-arrows", "per_round")
    if used or weapon.family == "spell" or MASSIVE in weapon.traits or hands_free(target) < 1:
        return False
    unseen = "invisible" in blow.attacker.conditions or "blinded" in target.conditions
    flat_footed = not target.acted or "flat-footed" in target.conditions
    return not unseen and not flat_footed and not can_react(fight, target)


def throw_back(fight: Fight, blow: Blow) -> Steps[None]:
    """Throw a caught weapon back at its thrower, out of turn."""
    thrower, catcher = blow.attacker, blow.target
    feet = distance(catcher, thrower)
    back = build_blow(fight, catcher, thrower, blow.weapon, "thrown back", melee=False, feet=feet)
    back.cites.append(fight.rule("srd35.feat.deflect-arrows"))
    outer = fight.scope
    fight.scope = f"{outer}.back:{catcher.id}" if outer else f"back:{catcher.id}"
    try:
        yield from strike(fight, back)
    finally:
        fight.scope = outer
