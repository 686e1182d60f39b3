"""Determine whether an attack that missed has struck the target's cover (woa.cover.strike-cover.*)."""

from affray.engine.dialects.woa.defense import defense
from affray.engine.dialects.woa.defense.defense import BARRIER, DENYING, LOST, cover_degree, cover_from
from affray.engine.dialects.woa.mounted.mounted_combat import find_mount_as_cover
from affray.engine.dialects.woa.opportunity.reactions import dodge_value, why_no_dodge
from affray.engine.dialects.woa.position import shared_space, size
from affray.engine.dialects.woa.senses.concealment import (
    concealment_of_origin,
    concealment_penalties,
    penalties_of_veils,
)
from affray.engine.fight.fight import Fight, Standing, is_down, rule_of
from affray.engine.kernel.places import distance
from affray.engine.record.blow import Blow, varied
from affray.engine.rules.attacks.attack_roll import tallies
from affray.engine.rules.classes.sheets import ability, has_trait
from affray.engine.rules.gear.hands import melee_band
from affray.engine.steps import Choice, Steps
from affray.events.facts.flow import ReactionSpent, RuleApplied
from affray.events.facts.sheet import Bonus, Modifier
from affray.projections.state import Combatant

# --- The rules to cite for the defense that a target loses or keeps against one attack (woa.ac.*)
# The parts of an Armor Class come from the sheet and the place; these are the rules by which some of them are
# lost, kept or counted together, for the outcome of the attack to cite.


def cite_guard(fight: Fight, blow: Blow) -> None:
    """Cite the rules by which the target loses or keeps protection against this attack."""
    blow.cites += rules_of_guard(fight, blow)


def rules_of_guard(fight: Fight, blow: Blow) -> list[str]:
    """Return the rules by which the target loses or keeps protection against this attack."""
    target = blow.target
    found = ["woa.attack-bonus.selection"] if blow.weapon.thrown else []
    if blow.melee and blow.weapon.reach and blow.distance > melee_band(blow.attacker, blow.weapon)[0] - 5:
        found.append("woa.attack.reach-weapons")
    reason, topic = fight.dialect.defense.dexterity_denied(fight, blow)
    kinds = {part.kind for part in target.sheet.armor}
    dexterity = ability(target.sheet, "dex")
    if reason:
        found += [topic] if counts_as_helpless(fight, target, reason) else []
        if dexterity > 0:
            found.append("woa.ac.dexterity-bonus-denied")
    elif has_guard_while_unaware(target) and (dexterity > 0 or not kinds.isdisjoint(LOST)):
        found.append("woa.surprise.improved-uncanny-dodge")
    denied = "".join(part.denied for part in fight.dialect.defense.defense_bonus(fight, blow))
    found += [topic for topic in DENYING if denied and f"({fight.rule(topic)})" in denied]
    found += topics_of_dodge_bonuses(blow, reason, dexterity)
    degree, _, topic = cover_degree(fight, blow.attacker, target, blow.melee)
    if degree != "none" and blow.intent.kind != "through":
        found += [topic, "woa.ac.cover-bonus"]
    return [rule for rule in fight.rules(*found) if rule not in blow.cites]


def counts_as_helpless(fight: Fight, target: Combatant, reason: str) -> bool:
    """Return whether the reason for the denied active defense is a condition that makes Dexterity
    count as 0.
    """
    return reason in target.conditions and rule_of(fight, reason).helpless


def has_guard_while_unaware(target: Combatant) -> bool:
    """Return whether an unaware target keeps its guard (woa.surprise.improved-uncanny-dodge)."""
    return not target.aware and not target.acted and has_trait(target, "improved uncanny dodge")


def topics_of_dodge_bonuses(blow: Blow, reason: str, dexterity: int) -> list[str]:
    """Return the topics for dodge bonuses: they add up, and armor does not cap them.

    woa.ac.dodge-bonus-stacks, woa.ac.dodge-bonus-armor-no-cap
    """
    if reason:
        return []
    target = blow.target
    given: list[Bonus | Modifier] = [*target.sheet.armor, *blow.defense_extra]
    given += [one.modifier for one in target.effects if one.stat == "defense"]
    count = sum(part.kind == "dodge" and part.value > 0 for part in given)
    if not count:
        return []
    most = target.sheet.max_dex
    capped = ["woa.ac.dodge-bonus-armor-no-cap"] if most is not None and dexterity > most else []
    return [*capped, *(["woa.ac.dodge-bonus-stacks"] if count > 1 else [])]


# --- Reflex saves and the place: cover, sight of the source, posture, crowding (woa.cover.reflex-save, ...)

HELPS, HURTS, NEITHER = "helps", "hurts", "does not matter"
PRONE, CROUCH, TABLE = (
    "woa.posture.prone.reflex",
    "woa.posture.crouching.modifiers",
    "woa.posture.modifier-table",
)


def place_on_reflex_save(
    fight: Fight, combatant: Combatant, source: Combatant | None, origin: Standing | None, what: str
) -> Steps[tuple[tuple[Modifier, ...], tuple[str, ...]]]:
    """Return the modifiers of the place to a Reflex save against `what`, with their rules.

    `source` is the combatant that causes it, `origin` where an area effect spreads from (None: no area).
    """
    parts: list[Modifier] = []
    cites: list[str] = []
    if origin is not None:
        given, rules = defense.cover_from_spread(fight, combatant, origin, source)
        parts, cites = [*parts, *given], [*cites, *rules]
    if source is not combatant:
        parts += concealment_on_reflex_save(fight, combatant, source, origin, cites)
    near = source is None or distance(combatant, source) <= source.reach
    if near:
        parts += shared_space.sharing_penalty(fight, combatant, "reflex")
    posture = yield from low_profile(fight, combatant, origin is not None, what)
    found = defense.better_of_cover_and_posture(fight, [*parts, *posture])
    if found != [*parts, *posture]:
        cites.append(fight.rule("woa.cover.overlap-posture"))
    return tuple(found), tuple(dict.fromkeys(cites))


def concealment_on_reflex_save(
    fight: Fight, combatant: Combatant, source: Combatant | None, origin: Standing | None, cites: list[str]
) -> list[Modifier]:
    """Return the penalties for not seeing the source of an effect or its point of origin, the worse of both.

    woa.concealment.reflex-penalty
    """
    topic = "woa.concealment.reflex-penalty"
    seen: list[str] = []
    found: list[str] = []
    parts: list[Modifier] = []
    if source is not None:
        parts = concealment_penalties(fight, combatant, source, False, "ac", topic, seen)
    veils = concealment_of_origin(fight, combatant, origin)
    placed = penalties_of_veils(fight, veils, "ac", topic, found)
    if sum(part.value for part in placed) < sum(part.value for part in parts):
        parts, seen = placed, found
    cites += [rule for rule in seen if rule not in cites]
    return parts


def low_profile(fight: Fight, combatant: Combatant, area: bool, what: str) -> Steps[list[Modifier]]:
    """Return the modifiers of a low posture against a hazard: good against blasts, bad against trampling.

    The game master decides which applies, except for effects that spread through an area
    (woa.posture.prone.reflex, woa.posture.crouching.modifiers, woa.posture.kneeling-sitting).
    """
    if not (size.lies(combatant) or size.has_low_posture(combatant)):
        return []
    answer = HELPS
    if not area:
        question = f"does the low posture of {combatant.id} help or hurt against {what}?"
        answer = yield Choice("", "low", question, (HELPS, HURTS, NEITHER), fight.rule(PRONE))
    return [] if answer == NEITHER else low_posture(fight, combatant, answer == HELPS)


def low_posture(fight: Fight, combatant: Combatant, helps: bool) -> list[Modifier]:
    """Return the modifier of a low posture to a Reflex save: a bonus, or a penalty as under trampling feet.

    woa.posture.prone.reflex, woa.posture.crouching.modifiers, woa.posture.kneeling-sitting
    """
    source = "low" if helps else "cannot get out of the way"
    if size.lies(combatant):
        return [fight.modifier(PRONE, "low_profile" if helps else "trampled", kind="posture", source=source)]
    name = next((one for one in size.LOW if one in combatant.conditions), "")
    if not name:
        return []
    if name == "crouching":
        path = "low_profile_reflex" if helps else "trampled_reflex"
        return [fight.modifier(CROUCH, path, kind="posture", source=source)]
    row = "sitting on chair" if name == "seated" else "kneeling or sitting on ground"
    part = fight.modifier(TABLE, "rows", f"posture={row}", "reflex", kind="posture", source=source)
    return [part if helps else Modifier(-part.value, part.kind, part.source, part.rule)]


TEST, HIT, EVADES = (
    "woa.cover.strike-cover.test",
    "woa.cover.strike-cover.creature-hit",
    "woa.cover.strike-cover.creature-evades",
)
WAIVE, AHEAD, DAMAGE = (
    "woa.cover.strike-cover.waive-dex",
    "woa.cover.strike-cover.preemptive-dodge",
    "woa.cover.strike-cover.damage-by-weapon",
)
#: The kinds of AC parts that a creature in the way may waive, by its answer.
WAIVERS = {
    "waive Dexterity": frozenset({"ability"}),
    "waive dodge": frozenset({"dodge"}),
    "waive both": frozenset({"ability", "dodge"}),
}


def dodge_ahead(fight: Fight, blow: Blow) -> Steps[None]:
    """Let creatures in the way of a shot dodge it beforehand, if they could dodge a shot at themselves.

    woa.cover.strike-cover.preemptive-dodge
    """
    rule = fight.rule(AHEAD)
    for name in cover_from(fight, blow.attacker, blow.target, False).by:
        other = fight.state.combatants[name]
        past = varied(blow, target=other, cites=[], defense_extra=[])
        if BARRIER in other.sheet.traits or dodge_value(fight, past) <= 0 or why_no_dodge(fight, past) != ():
            continue
        question = f"{blow.attacker.id} shoots past {name} at {blow.target.id}: does {name} dodge beforehand?"
        answer = yield Choice(name, "preempt", question, ("decline", "dodge"), rule)
        if answer == "dodge":
            yield ReactionSpent(
                who=name,
                kind="dodge",
                against=blow.attacker.id,
                opportunity=make_dodge_ahead_id(fight),
                cites=(rule,),
            )


def make_dodge_ahead_id(fight: Fight) -> str:
    """Return the name of a dodge made ahead of the attack being resolved."""
    return f"ahead:{fight.declaration}:{fight.scope}"


def strike_cover(fight: Fight, blow: Blow) -> Steps[None]:
    """After a miss, determine whether the cover was struck: without it the attack would have hit.

    Without cover, an overlapping low posture would count. A mount with its rider hanging at its side is a
    creature in the way (woa.cover.strike-cover.test).
    """
    cover = [part for part in blow.outcome.defense_parts if part.kind == "cover" and not part.denied]
    posture = [part for part in blow.outcome.defense_parts if part.kind == "posture" and part.denied]
    bare = blow.outcome.needed - sum(part.value for part in cover) + sum(part.value for part in posture)
    fumbled = blow.outcome.natural == fight.figure("woa.attack.natural-1", "face")
    if not cover or fumbled or bare > blow.outcome.total:
        return
    found = cover_from(fight, blow.attacker, blow.target, blow.melee)
    what = found.source or found.degree
    mount = find_mount_as_cover(fight, blow)
    if mount is not None and not found.by:
        yield from strike_creature_in_way(fight, blow, mount)
        return
    if not found.by:
        yield RuleApplied(
            who=blow.attacker.id,
            what=f"strikes the cover of {blow.target.id}: {what}",
            cites=fight.rules(TEST),
        )
        return
    other = fight.state.combatants[found.by[0]]
    if make_dodge_ahead_id(fight) in other.opportunities:
        yield RuleApplied(
            who=other.id, what="has dodged beforehand and is not struck", cites=fight.rules(TEST, AHEAD)
        )
        return
    yield from strike_creature_in_way(fight, blow, other)


def strike_creature_in_way(fight: Fight, blow: Blow, other: Combatant) -> Steps[None]:
    """Determine whether an attack that missed strikes the creature in the way, or its target after all.

    woa.cover.strike-cover.creature-hit, .creature-evades, .waive-dex
    """
    past = varied(blow, target=other, cites=[], defense_extra=[], attack_extra=list(blow.attack_extra))
    parts = [part for part in tallies(fight, past)[1].parts if not part.denied and part.kind != "cover"]
    against = sum(part.value for part in parts)
    if blow.outcome.total > against:
        yield from strike_through(fight, blow, past, TEST, HIT)
        return
    gains = {
        answer: sum(max(0, part.value) for part in parts if part.kind in kinds)
        for answer, kinds in WAIVERS.items()
    }
    if blow.outcome.total <= against - gains["waive both"]:
        what = f"catches the blow meant for {blow.target.id}, which does it nothing"
        yield RuleApplied(who=other.id, what=what, cites=fight.rules(TEST, HIT))
        return
    useful = [answer for answer, gain in gains.items() if blow.outcome.total > against - gain]
    question = f"{blow.attacker.id} misses {blow.target.id}: does {other.id} move aside or take the blow?"
    answer = yield Choice(other.id, "cover", question, ("move aside", *useful), fight.rule(WAIVE))
    if answer != "move aside":
        yield from strike_through(fight, blow, past, TEST, WAIVE, HIT)
        return
    what = f"moves aside, and {blow.target.id} is hit after all"
    yield RuleApplied(who=other.id, what=what, cites=fight.rules(TEST, EVADES))
    yield from damage_without_roll(fight, blow, blow.target)


def strike_through(fight: Fight, blow: Blow, past: Blow, *topics: str) -> Steps[None]:
    """Deal the damage to the creature in the way: all of a shot, a share set by the game master otherwise.

    woa.cover.strike-cover.damage-by-weapon
    """
    other, weapon = past.target, blow.weapon
    rules = fight.rules(*topics, DAMAGE)
    if not blow.melee:
        share, words = 1, str(fight.figure(DAMAGE, "ranged"))
    elif weapon.reach or weapon.family == "polearm":
        share, words = int(fight.figure(DAMAGE, "polearm_or_similar")), "only the haft"
    else:
        half = str(fight.figure(DAMAGE, "other_melee")).split()[0]
        question = f"{weapon.name} strikes {other.id} in the way: how much of the damage does it take?"
        answer = yield Choice("", "covering", question, (half, "none"), fight.rule(DAMAGE))
        share, words = (int(half.split("/")[1]), answer) if answer == half else (0, answer)
    yield RuleApplied(
        who=other.id, what=f"is struck in place of {blow.target.id} ({words} of the damage)", cites=rules
    )
    if share:
        past.damage.divisor = share
        yield from damage_without_roll(fight, past, other)


def damage_without_roll(fight: Fight, blow: Blow, target: Combatant) -> Steps[None]:
    """Deal the damage of an attack that strikes a creature without another roll."""
    dialect = fight.dialect
    before, standing = (target.hp, target.nonlethal, target.temporary), not is_down(fight, target)
    yield from dialect.damage.deal(fight, blow, False)
    yield from dialect.attacks.after_hit(fight, blow, before, standing)
