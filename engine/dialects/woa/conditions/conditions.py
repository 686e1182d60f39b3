"""Define the conditions of Worlds of Adventure: their table, how combatants gain them, and how long they
last.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from affray.engine.dialects.woa.grapple.grapple_checks import HOLDS
from affray.engine.fight.fight import Fight, rule_of
from affray.engine.fight.memory import per_fight
from affray.engine.record.chapters import Change, ConditionRule, in_both_modes
from affray.engine.rules.classes.checks import check_by, skill_parts
from affray.engine.rules.damage.injury import end_other_states
from affray.engine.rules.gear.hands import drop_all
from affray.engine.steps import Choice, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, Until
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Modifier
from affray.projections.state import Combatant

# --- The conditions of Worlds of Adventure: what each changes, denies and forbids (woa.condition.*)


def all_rolls(topic: str) -> tuple[Change, ...]:
    """Return a condition's penalty on attacks, saves and checks."""
    return (
        *in_both_modes("attack", topic, "attack"),
        Change("save", topic, ("saves",)),
        Change("check", topic, ("checks",)),
    )


def incapacitated(
    topic: str, *, down: bool, helpless: bool = True, actions: str = "none", empties: bool = False
) -> ConditionRule:
    """Return a condition that prevents all actions, except perhaps mental ones, and all defense."""
    return ConditionRule(
        topic,
        actions=actions,
        dexterity=False,
        reactions=False,
        helpless=helpless,
        moves=False,
        down=down,
        empties=empties,
    )


POSTURES = "woa.posture.modifier-table"
ON_GROUND = ("rows", "posture=kneeling or sitting on ground")
ON_CHAIR = ("rows", "posture=sitting on chair")


def low_posture(topic: str, *path: str, apart: bool = False) -> tuple[Change, ...]:
    """Return the modifiers of a low posture, using the names of its figures."""
    if topic == POSTURES:
        names = ("melee_attack", "ac_vs_melee", "ac_vs_ranged")
    else:
        names = ("melee_attack", "melee_ac", "ranged_ac")
    return (
        Change("attack.melee", topic, (*path, names[0]), apart=apart),
        Change("defense.melee", topic, (*path, names[1]), apart=apart),
        Change("defense.ranged", topic, (*path, names[2]), kind="posture", apart=apart),
    )


def get_tight_place_changes(topic: str) -> tuple[Change, ...]:
    """Return the penalties of a tight place to AC and Reflex saves, multiplied by the condition's level."""
    return (
        Change("defense.melee", topic, ("ac",), each=True),
        Change("defense.ranged", topic, ("ac",), each=True),
        Change("save.ref", topic, ("reflex",), each=True),
    )


#: Conditions that halve the combat reactions, with the topic of the rule.
HALF_REACTIONS = {
    "staggered": "woa.condition.staggered",
    "slowed": "woa.condition.slowed",
    "exhausted": "woa.condition.exhausted",
}
#: The effects of being entangled.
ENSNARED = (
    *in_both_modes("attack", "woa.condition.entangled", "attack"),
    *in_both_modes("defense", "woa.condition.entangled", "ac"),
    Change("save.ref", "woa.condition.entangled", ("reflex",)),
    Change("check dex", "woa.condition.entangled", ("dex_checks",)),
)

#: Conditions that remove the shield bonus together with Dexterity and dodge.
TABLE = {
    "flat-footed": ConditionRule(
        "condition.flat-footed.effects",  # woa.condition.flat-footed.effects
        (Change("initiative", "condition.flat-footed.effects", ("initiative",)),),
        reactions=False,
    ),
    "dazzled": ConditionRule("woa.condition.dazzled"),
    "blinded": ConditionRule("woa.condition.blinded", reactions=False),
    "deafened": ConditionRule(
        "woa.condition.deafened", (Change("initiative", "woa.condition.deafened", ("initiative",)),)
    ),
    "shaken": ConditionRule("woa.condition.shaken", all_rolls("woa.condition.shaken")),
    "frightened": ConditionRule("woa.condition.frightened", all_rolls("woa.condition.frightened")),
    "panicked": ConditionRule("woa.condition.panicked", all_rolls("woa.condition.panicked"), empties=True),
    "fleeing": ConditionRule("woa.condition.frightened"),
    "panic subsided": ConditionRule("woa.condition.panicked.escaped"),
    "cowering": ConditionRule("woa.condition.cowering", actions="none", dexterity=False, reactions=False),
    "staggered": ConditionRule("woa.condition.staggered", actions="single"),
    "slowed": ConditionRule("woa.condition.slowed", actions="single"),
    "dazed": ConditionRule("woa.condition.dazed", actions="none", dexterity=False, reactions=False),
    "stunned": ConditionRule(
        "woa.condition.stunned", actions="none", dexterity=False, reactions=False, empties=True
    ),
    "paralyzed": incapacitated("woa.condition.paralyzed", down=False, actions="mental"),
    "immobilized": ConditionRule(
        "woa.condition.immobilized", dexterity=False, reactions=False, helpless=True, moves=False
    ),
    "unconscious": incapacitated("woa.zero-hp.failure", down=True, empties=True),
    "dead": incapacitated("woa.knocked-out.failure", down=True, empties=True),
    "subdued": ConditionRule("woa.nonlethal.zero-hp"),
    "treated": ConditionRule("woa.knocked-out.success"),
    "passed out": incapacitated("woa.condition.enervated", down=True),
    "sickened": ConditionRule("woa.condition.sickened", all_rolls("woa.condition.sickened")),
    "nauseated": ConditionRule(
        "woa.condition.nauseated",
        (
            Change("save", "woa.condition.nauseated", ("saves",)),
            Change("check", "woa.condition.nauseated", ("checks",)),
        ),
        actions="move",
        reactions=False,
    ),
    "incapacitated": ConditionRule(
        "woa.condition.incapacitated", actions="none", dexterity=False, reactions=False
    ),
    "fatigued": ConditionRule(
        "woa.condition.fatigued",
        (*all_rolls("woa.condition.fatigued"), *in_both_modes("defense", "woa.condition.fatigued", "ac")),
    ),
    "exhausted": ConditionRule(
        "woa.condition.exhausted",
        (*all_rolls("woa.condition.exhausted"), *in_both_modes("defense", "woa.condition.exhausted", "ac")),
    ),
    "inanimate": ConditionRule(
        "woa.object.durability-source", actions="none", reactions=False, moves=False, down=True
    ),
    "enervated": ConditionRule("woa.condition.enervated", actions="none", reactions=False),
    "entangled": ConditionRule("woa.condition.entangled", ENSNARED),
    "stuck": ConditionRule("woa.condition.stuck", ENSNARED, moves=False),
    "tethered": ConditionRule("woa.condition.stuck"),
    "prone": ConditionRule(
        "woa.posture.states",
        (
            Change("attack.melee", "woa.posture.prone.melee-attack", ("attack",)),
            Change("defense.melee", "woa.posture.prone.ac", ("melee",)),
            Change("defense.ranged", "woa.posture.prone.ac", ("ranged",), kind="posture"),
        ),
    ),
    "crouching": ConditionRule(
        "woa.posture.crouching.modifiers",
        (
            Change("attack.melee", "woa.posture.crouching.modifiers", ("melee_attack",)),
            Change("defense.melee", "woa.posture.crouching.modifiers", ("melee_ac",)),
            Change("defense.ranged", "woa.posture.crouching.modifiers", ("ranged_ac",), kind="posture"),
        ),
    ),
    # Crawling and crouching together have the modifiers of prone; a prone combatant crawls without further
    # ones.
    "crawling": ConditionRule(
        "woa.posture.crawl-prone", low_posture("woa.posture.crouching.modifiers", apart=True)
    ),
    "kneeling": ConditionRule("woa.posture.kneeling-sitting", low_posture(POSTURES, *ON_GROUND)),
    "sitting": ConditionRule("woa.posture.kneeling-sitting", low_posture(POSTURES, *ON_GROUND)),
    "seated": ConditionRule("woa.posture.kneeling-sitting", low_posture(POSTURES, *ON_CHAIR)),
    "squeezed": ConditionRule("woa.squeezing.penalties", get_tight_place_changes("woa.squeezing.penalties")),
    "stooping": ConditionRule("woa.squeeze.low-ceiling", get_tight_place_changes("woa.squeeze.low-ceiling")),
    "wriggling": ConditionRule(
        "squeezing.escape-artist",
        get_tight_place_changes("squeezing.escape-artist"),
        dexterity=False,
        reactions=False,
    ),
    "worming": ConditionRule(
        "woa.squeeze.very-low-ceiling",
        get_tight_place_changes("woa.squeeze.very-low-ceiling"),
        dexterity=False,
        reactions=False,
    ),
    "sprawling": ConditionRule("woa.posture.stand-free-acrobatics"),
    "running": ConditionRule(
        "woa.run.penalties", in_both_modes("defense", "woa.run.penalties", "ac"), reactions=False
    ),
    "charging": ConditionRule(
        "woa.charge.attack", in_both_modes("defense", "woa.charge.attack", "ac_penalty")
    ),
    "stunting": ConditionRule(
        "woa.charge.alternative.effect",
        in_both_modes("defense", "woa.charge.alternative.effect", "ac_penalty"),
    ),
    "riding a charge": ConditionRule(
        "woa.mount.combat.charge", in_both_modes("defense", "woa.mount.combat.charge", "rider_ac_penalty")
    ),
    "total-defense": ConditionRule("total-defense.reactions"),
    "casting": ConditionRule("woa.spell.no-combat-reactions", reactions=False),
    "readying": ConditionRule(
        "woa.ready.no-reactions",
        tuple(
            Change(f"check.{skill}", "woa.ready.distracted-perception", ("perception_penalty",))
            for skill in ("spot", "listen")
        ),
        reactions=False,
    ),
    "preparing": ConditionRule("woa.ready.window"),
    "missed trigger": ConditionRule("woa.ready.missed-trigger"),
    "kept ready": ConditionRule("woa.ready.multi-round"),
    "drinking": ConditionRule("woa.device.potion-no-reactions", reactions=False),
    "upholding": ConditionRule("woa.spell.concentrate-no-reactions", reactions=False),
    "concentrating": ConditionRule("woa.spell.concentrate-maintain"),
    "unable to concentrate": ConditionRule("woa.spell.concentration-required"),
    "holding a charge": ConditionRule("woa.spell.hold-charge"),
    "materials set up": ConditionRule("woa.spell.component-material"),
    "silenced": ConditionRule("woa.spell.component-verbal"),
    "gagged": ConditionRule("woa.spell.component-verbal"),
    "hasted": ConditionRule("woa.spell.haste-extra-move"),
    "turning": ConditionRule("woa.turn-undead.concentration"),
    "turned": ConditionRule("woa.turn-undead.turned-effects"),
    "awed": ConditionRule("woa.turn-undead.evil-rebuke"),
    "handling": ConditionRule("woa.items.manipulate-no-reactions", reactions=False),
    "defended": ConditionRule("woa.total-defense.consecutive"),
    "shooting": ConditionRule("woa.attack.ranged-forfeits-dodge"),
    "missile lodged": ConditionRule("woa.reaction.block.lodged-missile"),
    "ki move": ConditionRule("woa.class.monk-ki-extra-move"),
    "refocused": ConditionRule("woa.refocus.rule"),
    "disturbed": ConditionRule("woa.spell.damage-concentration"),
    "upset": ConditionRule("woa.spell.maneuver-concentration"),
    "in hand": ConditionRule("woa.mount.control.untrained"),
    "unruly": ConditionRule("woa.mount.attacked.untrained"),
    "bolting": ConditionRule("woa.mount.control.untrained"),
    "beset": ConditionRule("woa.mount.unguided-behavior"),
    "beside the mount": ConditionRule("woa.mount.combat.use-as-cover"),
    "slumped": ConditionRule("woa.mount.rider-unconscious"),
    "swimming": ConditionRule(
        "woa.water.swimming.no-reactions",
        in_both_modes("defense", "woa.water.swimming.ac-penalty", "ac"),
        reactions=False,
        shieldless=True,
    ),
    "in water": ConditionRule("woa.water.general"),
    "in waters": ConditionRule("woa.water.general"),
    "in a current": ConditionRule("woa.water.general"),
    "holding its breath": ConditionRule("woa.water.hold-breath"),
    "drowning": ConditionRule("woa.water.hold-breath"),
    "flying": ConditionRule("woa.fly.kinds"),
    "stalled": ConditionRule("fly.powered.hazard"),
    "exerted": ConditionRule("woa.run.duration"),
    "on its body": ConditionRule("woa.battlefield-monster.concept"),
    "balancing on its body": ConditionRule("woa.battlefield-monster.balance"),
    "winded": ConditionRule("woa.run.rest"),
    "climbing": ConditionRule("woa.move.unusual-modes"),
    "brachiating": ConditionRule("woa.move.unusual-modes"),
    "burrowing": ConditionRule("woa.move.unusual-modes"),
    "jarred": ConditionRule("woa.called-shot.concentration"),
    **HOLDS,
}

#: Conditions that slow: they rule out dodging, charging and defensive disengagement.
SLOWING = frozenset({"staggered", "slowed", "exhausted", "entangled"})


# --- How long an effect measured in rounds lasts (woa.round.effect-duration)

FOR_GOOD = 1_000_000
SECONDS_A_MINUTE = 60


def a_minute(fight: Fight) -> int:
    """Return the rounds of a minute (woa.round.duration)."""
    return int(SECONDS_A_MINUTE // fight.figure("woa.round.duration", "seconds"))


def get_rounds_passed(fight: Fight) -> int:
    """Return the number of rounds passed, including those outside of combat."""
    return fight.state.round + fight.state.minutes * a_minute(fight)


def last_round(fight: Fight, victim: Combatant, rounds: int) -> int:
    """Return the last round of an effect that costs `rounds` rounds of actions.

    The current round counts if the victim has yet to act in it (woa.round.effect-duration).
    """
    state = fight.state
    if state.phase == "declare" or not state.begun or victim.id not in state.order:
        return state.round + rounds - (1 if state.phase == "declare" else 0)
    acting = state.order.index(state.active) if state.active in state.order else -1
    acted = state.order.index(victim.id) <= acting
    return state.round + rounds - (0 if acted else 1)


def for_rounds(fight: Fight, combatant: Combatant, rounds: int) -> Until:
    """Return the end of an effect that costs `rounds` rounds of actions; no end if 0."""
    return Until("round-end", "", last_round(fight, combatant, rounds)) if rounds else Until()


def last_round_of(until: Until) -> int:
    """Return the round in which a duration ends; a duration without an end ends last."""
    return until.round if until.when else FOR_GOOD


# --- Fear: flight, panic, cowering, and what ends it (woa.condition.fear.*, .frightened.*, .panicked.*)

FLEEING = "fleeing"
FEAR = ("shaken", "frightened", "panicked")
#: The condition of being only frightened after escaping in panic; panic returns with its source.
SUBSIDED = "panic subsided"
#: Acts that fleeing combatants may declare in addition to movement.
STILL_FREE = (acts.EndTurn, acts.Speak, acts.Drop, acts.Stand, acts.Close)
MOVING = ("move", "run", "stand")
#: The start of the source name of a shaken condition that outlasts the encounter.
LINGERS = "past fear of "


def find_feared_combatant(fight: Fight, combatant: Combatant) -> Combatant | None:
    """Return the combatant that a frightened or panicked combatant fears, None if it is not present."""
    held = combatant.conditions.get("panicked") or combatant.conditions.get("frightened")
    return fight.state.combatants.get(held.source) if held is not None else None


def targets_of(fight: Fight, act: object) -> tuple[str, ...]:
    """Return the ids of the targets of an act that are in the fight."""
    named = (*getattr(act, "targets", ()), getattr(act, "target", ""))
    return tuple(id for id in named if id in fight.state.combatants)


def change_fear(
    fight: Fight,
    combatant: Combatant,
    name: str,
    other: str,
    topic: str,
    until: Until | None = None,
    source: str = "",
) -> Steps[None]:
    """Change one degree of fear into another, with the same source and the remaining duration."""
    held = combatant.conditions[name]
    cites = fight.rules(topic)
    for lesser in (FLEEING, "cowering", SUBSIDED):
        if lesser in combatant.conditions:
            yield ConditionLost(who=combatant.id, condition=lesser, why=other, cites=cites)
    yield ConditionLost(who=combatant.id, condition=name, why=other, cites=cites)
    if other not in combatant.conditions:
        yield ConditionGained(
            who=combatant.id,
            condition=other,
            source=source or held.source,
            until=held.until if until is None else until,
            cites=cites,
        )


def reduce_fear_of_defeated(fight: Fight, cause: Combatant) -> Steps[None]:
    """Reduce fear of a defeated source to being shaken for the rest of the encounter.

    woa.condition.frightened.source-defeated, woa.condition.panicked.source-defeated
    """
    for combatant in list(fight.state.combatants.values()):
        for name in ("frightened", "panicked"):
            if name in combatant.conditions and combatant.conditions[name].source == cause.id:
                topic = f"condition.{name}.source-defeated"
                yield from change_fear(fight, combatant, name, "shaken", topic, Until())


# --- How a combatant gains conditions: ladders, categories, durations, consequences (woa.condition.*)

CATEGORIES = "woa.condition.category-severest"
#: Ladders on which a further dose of the same category is one step worse, by topic.
LADDERS = ("woa.condition.fear.cumulative", "woa.condition.fatigue.cumulative")
#: Conditions that end by themselves if no duration is given.
PASSING = frozenset({"staggered", "dazed", "stunned"})
#: Distress, which has its own causes.
DISTRESS = frozenset({"sickened", "nauseated", "incapacitated"})
PASSED_OUT = "passed out"


@per_fight()
def severity_ranks(fight: Fight) -> dict[str, tuple[str, int]]:
    """Return the category and the severity, 0 the mildest, of each condition that belongs to a category.

    "a = b" means equal severity; words in brackets are forms of the condition
    (woa.condition.category-severest).
    """
    found: dict[str, tuple[str, int]] = {}
    for category, row in fight.figure(CATEGORIES).items():
        for rank, words in enumerate(row if isinstance(row, list) else ()):
            names = str(words).partition(" (")[0].split(" = ")
            forms = str(words).partition("(")[2].split()[:1]
            found.update(dict.fromkeys((*names, *forms), (category, rank)))
    return found


def severest_of_category(fight: Fight, parts: Sequence[Modifier]) -> tuple[Sequence[Modifier], bool]:
    """Return the parts, denying those superseded by a worse condition of the same category.

    Also return whether conditions of several categories apply at once, which makes them stack
    (woa.condition.stacking).
    """
    known = severity_ranks(fight)
    worst: dict[str, tuple[int, str]] = {}
    for part in parts:
        place = known.get(part.source)
        if place is not None and not part.denied:
            worst[place[0]] = max(worst.get(place[0], (-1, "")), (place[1], part.source))
    if not worst:
        return parts, False
    made = []
    for part in parts:
        place = known.get(part.source)
        if place is not None and not part.denied and place[1] < worst[place[0]][0]:
            why = f"superseded by {worst[place[0]][1]} ({fight.rule(CATEGORIES)})"
            part = replace(part, denied=why)
        made.append(part)
    return made, len(worst) > 1


def gain(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Apply a condition with its ladder, its duration and its consequences.

    A condition that the combatant already has lasts for the longer of the two durations.
    """
    combatant = fight.combatant(fact.who)
    if "dead" in combatant.conditions:
        return
    for topic in LADDERS:
        ladder = fight.figure(topic)
        if fact.condition in ladder:
            stepped = yield from worsen_on_ladder(fight, combatant, fact, topic, ladder)
            if stepped is None:
                return
            fact = stepped
    if fact.condition in PASSING and not fact.until.when:
        topic = "woa.condition.inability.duration"
        rounds = fight.figure(topic, "rounds")
        cites = (*fact.cites, fight.rule(topic))
        fact = replace(fact, until=for_rounds(fight, combatant, rounds), cites=cites)
    held = combatant.conditions.get(fact.condition)
    if held is not None and last_round_of(held.until) >= last_round_of(fact.until):
        return
    yield fact
    yield from bring_consequences(fight, combatant, fact.condition)


def start(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Let a combatant enter with a condition and its consequences, except that nothing drops from
    its hands.
    """
    yield fact
    if fact.condition in ("incapacitated", "enervated"):
        yield from bring_consequences(fight, fight.combatant(fact.who), fact.condition)


def worsen_on_ladder(
    fight: Fight, combatant: Combatant, fact: ConditionGained, topic: str, ladder: Sequence[str]
) -> Steps[ConditionGained | None]:
    """Return the fact for a further dose of a condition on a ladder; None if it changes nothing.

    A dose no worse than the condition held worsens that one by a step; for fear, the same source does so only
    once (woa.condition.fear.cumulative, woa.condition.fatigue.cumulative).
    """
    has = next((name for name in reversed(ladder) if name in combatant.conditions), "")
    if not has or ladder.index(fact.condition) > ladder.index(has):
        return fact
    rule = fight.rule(topic)
    same = combatant.conditions[has].source == fact.source
    worse = ladder[min(ladder.index(has) + 1, len(ladder) - 1)]
    if worse == has or (same and topic == LADDERS[0]):
        yield RuleApplied(who=combatant.id, what=f"is {has} already", cites=(rule,))
        return None
    yield ConditionLost(who=combatant.id, condition=has, why=worse, cites=(rule,))
    return replace(fact, condition=worse, cites=tuple(dict.fromkeys((*fact.cites, rule))))


def bring_consequences(fight: Fight, combatant: Combatant, condition: str) -> Steps[None]:
    """Apply the consequences of a condition: dropped items, falls, passing out when enervated.

    woa.condition.stunned, .panicked, .incapacitated, .enervated, .paralyzed.swimmer
    """
    rule = rule_of(fight, condition)
    if rule.empties:
        yield from drop_all(fight, combatant, (fight.rule(rule.topic),))
    if condition == "unconscious" and "prone" not in combatant.conditions and not combatant.mount:
        yield ConditionGained(
            who=combatant.id, condition="prone", source=condition, cites=fight.rules(rule.topic)
        )
    if condition == "dead":
        yield from end_other_states(combatant, condition, (fight.rule(rule.topic),))
        yield from reduce_fear_of_defeated(fight, combatant)
    if condition == "incapacitated" and "prone" not in combatant.conditions:
        cites = fight.rules("woa.condition.incapacitated")
        yield ConditionGained(who=combatant.id, condition="prone", source=condition, cites=cites)
    elif condition == "enervated" and PASSED_OUT not in combatant.conditions:
        cites = fight.rules("woa.condition.enervated")
        yield ConditionGained(who=combatant.id, condition=PASSED_OUT, source=condition, cites=cites)
        yield from drop_all(fight, combatant, cites)
        if "prone" not in combatant.conditions and not combatant.mount:  # woa.mount.rider-unconscious
            yield ConditionGained(who=combatant.id, condition="prone", source=PASSED_OUT, cites=cites)
    elif condition == "paralyzed":
        yield from stop_paralyzed_movement(fight, combatant)


def stop_paralyzed_movement(fight: Fight, victim: Combatant) -> Steps[None]:
    """Make a paralyzed swimmer sink; the game master decides whether it drowns.

    A flyer falls as soon as it is paralyzed, as whatever strikes it does (woa.condition.paralyzed.swimmer).
    """
    if "swimming" in victim.conditions:
        rule = fight.rule("woa.condition.paralyzed.swimmer")
        yield ConditionLost(who=victim.id, condition="swimming", why="cannot swim", cites=(rule,))
        question = f"{victim.id} is paralyzed in the water: does it go under?"
        if (yield Choice("", "drown", question, ("goes under", "floats"), rule)) == "goes under":
            yield ConditionGained(who=victim.id, condition="drowning", source="paralyzed", cites=(rule,))


def milder_condition(fight: Fight, condition: str, steps: int = 1) -> str:
    """Return the condition `steps` steps milder in its category (worse if negative), "" beyond the mildest.

    Beyond the worst it stays at the worst.
    """
    known = severity_ranks(fight)
    if condition not in known:
        return "" if steps > 0 else condition
    category, rank = known[condition]
    names = {place[1]: name for name, place in reversed(known.items()) if place[0] == category}
    wanted = rank - steps
    return names.get(min(wanted, max(names)), "") if wanted >= 0 else ""


# --- Fatigue, exhaustion, enervation: what ends them (woa.condition.fatigued.recovery and the like)

#: How rest eases weariness: from worst to mildest, with the topic of the rule.
EASES = (
    ("enervated", "exhausted", "woa.condition.enervated.recovery"),
    ("exhausted", "fatigued", "woa.condition.exhausted.recovery"),
    ("fatigued", "", "woa.condition.fatigued.recovery"),
)
ROUSED = "woa.condition.enervated.roused"


def rest_from_weariness(fight: Fight, combatant: Combatant, hours: int) -> Steps[None]:
    """Apply hours of complete rest, which ease weariness one degree after another."""
    for worse, better, topic in EASES:
        needed = fight.figure(topic, "hours")
        if worse in combatant.conditions and hours >= needed:
            hours -= needed
            yield from ease_weariness(fight, combatant, worse, better, "rest", fight.rule(topic))


def ease_weariness(
    fight: Fight, combatant: Combatant, worse: str, better: str, why: str, *cites: str
) -> Steps[None]:
    """Reduce weariness by one degree; a combatant no longer enervated is no longer passed out."""
    yield ConditionLost(who=combatant.id, condition=worse, why=better or why, cites=cites)
    if worse == "enervated" and PASSED_OUT in combatant.conditions:
        yield ConditionLost(who=combatant.id, condition=PASSED_OUT, why="wakes", cites=cites)
    if better and better not in combatant.conditions:
        yield ConditionGained(who=combatant.id, condition=better, source=why, cites=cites)


def wake_enervated(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Make a combatant woken from enervation check Endurance to act as if exhausted.

    On a failure it stays awake but unable to act; by 5 or more it passes out again.
    """
    rule = fight.rule(ROUSED)
    parts = skill_parts(fight, combatant, "endurance", "con", rule)
    dc = fight.figure(ROUSED, "dc")
    by = yield from check_by(fight, combatant, "endurance", parts, dc, rule, why="roused")
    if by >= 0:
        yield from ease_weariness(fight, combatant, "enervated", "exhausted", "roused", rule)
    elif by > -fight.figure(ROUSED, "pass_out_by"):
        yield ConditionLost(who=combatant.id, condition=PASSED_OUT, why="awake", cites=(rule,))
    else:
        yield ConditionGained(who=combatant.id, condition=PASSED_OUT, source="roused in vain", cites=(rule,))


# --- Conditions of woa that do not carry over into another fight

#: Conditions tied to a place, a moment, a ride or another combatant's hold.
LOCAL: Final = frozenset(
    {
        "arm-locked",
        "at an advantage",
        "balancing",
        "balancing on its body",
        "behind cover",
        "behind the mount",
        "beset",
        "beside the mount",
        "bolting",
        "borne aloft",
        "brachiating",
        "burrowing",
        "camouflaged",
        "casting",
        "charging",
        "climbing",
        "clinging",
        "cornered",
        "crawling",
        "defended",
        "disarming a trap",
        "disturbed",
        "drinking",
        "drowning",
        "flat-footed",
        "flying",
        "grabbed",
        "grabbing",
        "grappling",
        "handling",
        "held immobile",
        "held in check",
        "holding breath",
        "holding its breath",
        "in a current",
        "in hand",
        "in moderate darkness",
        "in near-total darkness",
        "in silence",
        "in supernatural darkness",
        "in total darkness",
        "in a chasm",
        "in water",
        "in waters",
        "jarred",
        "kept ready",
        "ki move",
        "locked up",
        "materials set up",
        "missed trigger",
        "mouth clamped",
        "on its body",
        "picking a lock",
        "pinned",
        "preparing",
        "raised",
        "readying",
        "readying for an extended period",
        "refocused",
        "riding a charge",
        "running",
        "seated",
        "shooting",
        "similar tasks",
        "slumped",
        "spellcasting",
        "squeezed",
        "stalled",
        "stooping",
        "stunting",
        "suffocating",
        "swimming",
        "tethered",
        "total-defense",
        "turning",
        "unable to concentrate",
        "unruly",
        "upholding",
        "upset",
        "using certain magic devices",
        "veiled",
        "worming",
        "wriggling",
    }
)


# --- Conditions of woa that are not in the table, by name

STATES = frozenset(
    {
        # concealment, and sight through it
        *("blurred", "camouflaged", "in moderate darkness", "in near-total darkness"),
        *("in supernatural darkness", "in total darkness", "invisible", "veiled"),
        *("see invisibility", "sees through smoke", "true seeing"),
        *("in a chasm", "in silence", "used to being blinded", "used to being deafened"),
        # bodies of air, or none
        *("gaseous", "incorporeal"),
        # position and balance
        *("balancing", "behind cover", "behind the mount", "borne aloft", "bound", "clinging", "cornered"),
        *("holding breath", "raised", "wind stance"),
        # tasks that take concentration (woa.damage.concentration)
        *("disarming a trap", "picking a lock", "readying for an extended period", "similar tasks"),
        *("spellcasting", "using certain magic devices"),
    }
)
"""Conditions that rules refer to and that spells or the game master cause."""

#: Conditions that need a degree, each with the exposure that gives it.
DEGREES: Final[Mapping[str, str]] = {
    "veiled": "veil",
    "behind cover": "improved cover",
    "raised": "height",
    "in water": "water",
    "in waters": "water",
    "in a current": "water",
}


#: The stat of the effect that makes the first attack with a weapon a surprise.
SURPRISE = "surprise attack"
