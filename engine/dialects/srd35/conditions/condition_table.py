"""The conditions of the 3.5 rules: what each changes, denies and forbids (srd35.cond.*)."""

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from affray.engine.dialects.srd35.damage import injury
from affray.engine.dialects.srd35.damage.injury import below_death_line
from affray.engine.dialects.srd35.environment import GOING
from affray.engine.fight.fight import Fight, is_down, rule_of
from affray.engine.grid.battlefield import Square
from affray.engine.kernel.durations import lasts_longer
from affray.engine.kernel.places import refuse_apart
from affray.engine.record.blow import Blow, Harm
from affray.engine.record.chapters import Change, ConditionRule, by_columns
from affray.engine.rules.classes.checks import check, saving_throw, skill_parts
from affray.engine.rules.conditions.conditions import (
    apply_fear_condition,
    apply_poison_dose,
    dose_for_weapon,
    find_cause,
    poisons_of,
    spend_poison,
)
from affray.engine.rules.conditions.fear import (
    ACT,
    ATTACK,
    BABBLE,
    FLEE,
    STRIKES_BACK,
    compel,
    fascination_over,
    find_nearest_creature,
    find_squares_away_from,
    strikes_back,
)
from affray.engine.rules.damage.injury import go_limp, is_cause_not_hit_points
from affray.engine.rules.gear.hands import drop_all
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.turns.actions import spending
from affray.engine.steps import Choice, Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import AfflictionEnded, AfflictionHeld, ConditionGained, ConditionLost, Until
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Affliction, Combatant

# --- How a condition combines with those that a combatant already has (srd35.cond.combine)


def gain_combined(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Give a condition; if it combines with an existing one, apply the worse.

    The same condition again lasts as long as the longer; fatigue upon fatigue is exhaustion; conditions that
    empty the hands make their bearer drop held items (srd35.cond.combine, .fatigued, .stunned).
    """
    combatant = fight.combatant(fact.who)
    rule = rule_of(fight, fact.condition)
    if fact.condition == "fatigued" and "fatigued" in combatant.conditions:
        fact = replace(fact, condition="exhausted", cites=(*fact.cites, fight.rule("srd35.cond.fatigued")))
    if fact.condition == "exhausted" and "fatigued" in combatant.conditions:
        cites = fight.rules("srd35.cond.combine")
        yield ConditionLost(who=combatant.id, condition="fatigued", why="exhausted", cites=cites)
    worse = "exhausted" if fact.condition == "fatigued" else fact.condition
    held = combatant.conditions.get(worse)
    if held is not None:
        fact = replace(fact, cites=(*fact.cites, fight.rule("srd35.cond.combine")))
        if worse != fact.condition or not lasts_longer(fight, fact.until, held.until):
            yield RuleApplied(who=combatant.id, what=f"is {worse} already, and for as long", cites=fact.cites)
            return
    yield fact
    if rule.empties:
        yield from drop_all(fight, combatant, fight.rules(rule.topic))


DISTRACTIONS = "srd35.skill.concentration-table"
#: Skills that respond to others' acts.
REACTIVE = ("listen", "sense motive", "spot")


def fear_penalties(topic: str) -> tuple[Change, ...]:
    """Return fear's penalty on attacks, saves and checks."""
    return (
        *by_columns("attack", "srd35.attack-mod.shaken-frightened"),
        Change("save", topic, ("save",)),
        Change("skill", topic, ("skill",)),
        Change("ability-check", topic, ("ability_check",)),
    )


def all_rolls(topic: str) -> tuple[Change, ...]:
    """Return a condition's penalty on attacks, saves and checks."""
    return (
        Change("attack.melee", topic, ("attack",)),
        Change("attack.ranged", topic, ("attack",)),
        Change("save", topic, ("save",)),
        Change("skill", topic, ("skill",)),
        Change("ability-check", topic, ("ability_check",)),
    )


def lowered_abilities(topic: str, *abilities: str) -> tuple[Change, ...]:
    """Return the changes of a condition that lowers ability scores."""
    return tuple(Change(f"score.{name}", topic, (name,), "ability") for name in abilities)


def at_mercy(topic: str, *changes: Change, actions: str = "none", down: bool = False) -> ConditionRule:
    """Return a condition that leaves a creature helpless, perhaps out of the fight (srd35.helpless.*)."""
    return ConditionRule(
        topic,
        (*by_columns("defense", "srd35.ac-mod.helpless"), *changes),
        actions=actions,
        dexterity=False,
        reactions=False,
        helpless=True,
        moves=False,
        down=down,
    )


def casting_dc_from(topic: str) -> ConditionRule:
    """Return a state in which casting takes a concentration check, by the DC of the rule on a topic."""
    return ConditionRule(topic, casting=(topic, "concentration_dc"))


def casting_in_motion(case: str) -> ConditionRule:
    """Return a state in which casting takes a concentration check, by its row of the skill's table."""
    return ConditionRule(DISTRACTIONS, casting=(DISTRACTIONS, f"case={case}", "dc"))


DRAINED = tuple(
    Change(stat, "srd35.energy-drain.level", (path,), each=True)
    for stat, path in (
        ("attack.melee", "attack"),
        ("attack.ranged", "attack"),
        ("save", "save"),
        ("skill", "skill"),
        ("ability-check", "ability_check"),
    )
)

TABLE = {
    "ability damaged": ConditionRule("srd35.cond.ability-damaged"),
    "ability drained": ConditionRule("srd35.cond.ability-drained"),
    "asleep": at_mercy("srd35.helpless.definition", down=True),
    "blinded": ConditionRule(
        "srd35.cond.blinded",
        (
            *by_columns("defense", "srd35.ac-mod.blinded"),
            Change(
                "speed",
                "srd35.cond.blinded",
                ("speed",),
                eased=("blind-fight", "srd35.feat.blind-fight", "speed"),
            ),
            Change("check str", "srd35.cond.blinded", ("skills",)),
            Change("check dex", "srd35.cond.blinded", ("skills",)),
            Change("check.search", "srd35.cond.blinded", ("skills",)),
        ),
        dexterity=False,
        dexterity_topic="srd35.ac-mod.blinded",
    ),
    "cowering": ConditionRule(
        "srd35.cond.cowering",
        by_columns("defense", "srd35.ac-mod.cowering"),
        budget="actions",
        dexterity=False,
    ),
    "dazed": ConditionRule("srd35.cond.dazed", budget="actions"),
    "dazzled": ConditionRule(
        "srd35.cond.dazzled",
        (
            *by_columns("attack", "srd35.attack-mod.dazzled"),
            Change("check.search", "srd35.cond.dazzled", ("search",)),
            Change("check.spot", "srd35.cond.dazzled", ("spot",)),
        ),
    ),
    "commanded": ConditionRule("srd35.turn.commanded"),
    "cornered": ConditionRule("srd35.turn.cower", actions="none"),
    "dead": ConditionRule("srd35.cond.dead", actions="none", reactions=False, moves=False, down=True),
    "deafened": ConditionRule(
        "srd35.cond.deafened", (Change("initiative", "srd35.cond.deafened", ("initiative",)),)
    ),
    "disabled": ConditionRule(
        "srd35.cond.disabled", (Change("speed", "srd35.injury.disabled-speed", ("speed",)),), budget="budget"
    ),
    "dying": at_mercy("srd35.cond.dying", down=True),
    "energy drained": ConditionRule("srd35.cond.energy-drained", DRAINED),
    "entangled": ConditionRule(
        "cond.entangled",
        (
            *by_columns("attack", "srd35.attack-mod.entangled"),
            *by_columns("defense", "srd35.ac-mod.entangled"),
            Change(
                "score.dex.attack",
                "srd35.attack-mod.entangled",
                ("dexterity",),
                only=("entangled_attack", "both"),
            ),
            Change("score.dex.defense", "srd35.ac-mod.entangled", ("dexterity",)),
            Change("score.dex.others", "cond.entangled", ("dex",)),
            Change("speed", "cond.entangled", ("speed",)),
        ),
        rushes=False,
        casting=("cond.entangled", "concentration_dc"),
    ),
    "exhausted": ConditionRule(
        "srd35.cond.exhausted",
        (
            *lowered_abilities("srd35.cond.exhausted", "str", "dex"),
            Change("speed", "srd35.cond.exhausted", ("speed",)),
        ),
        rushes=False,
    ),
    "fatigued": ConditionRule(
        "srd35.cond.fatigued",
        lowered_abilities("srd35.cond.fatigued", "str", "dex"),
        rushes=False,
        part_of=("exhausted",),
    ),
    "confused": ConditionRule("srd35.cond.confused"),
    "extraordinarily violent motion": casting_in_motion("extraordinarily violent motion"),
    "fascinated": ConditionRule(
        "srd35.cond.fascinated",
        tuple(Change(f"check.{skill}", "srd35.cond.fascinated", ("reactive_skills",)) for skill in REACTIVE),
        actions="none",
    ),
    "flat-footed": ConditionRule(
        "srd35.cond.flat-footed",
        by_columns("defense", "srd35.ac-mod.flat-footed"),
        dexterity=False,
        dexterity_topic="srd35.ac-mod.flat-footed",
        reactions=False,
        reflexes=True,
        off_guard=True,
    ),
    "frightened": ConditionRule(
        "srd35.cond.frightened",
        fear_penalties("srd35.cond.frightened"),
        part_of=("panicked",),
    ),
    "grappling": ConditionRule(
        "srd35.grapple.no-move",
        moves=False,
        rushes=False,
        casting=("srd35.grapple.cast-concentration", "concentration_dc"),
    ),
    "helpless": at_mercy("srd35.cond.helpless"),
    "bound": ConditionRule(
        "srd35.gear.restraints",
        by_columns("defense", "srd35.ac-mod.helpless"),
        dexterity=False,
        reactions=False,
        helpless=True,
        moves=False,
    ),
    "inanimate": ConditionRule("srd35.object.ac", actions="none", reactions=False, moves=False, down=True),
    "sheltered": ConditionRule("srd35.armor.tower-shield", reactions=False),
    "swallowed": ConditionRule("swallow-whole", moves=False, rushes=False, inside=True),
    "invisible": ConditionRule("srd35.cond.invisible", by_columns("attack", "srd35.attack-mod.invisible")),
    "kneeling": ConditionRule(
        "srd35.ac-mod.kneeling-sitting", by_columns("defense", "srd35.ac-mod.kneeling-sitting")
    ),
    "sitting": ConditionRule(
        "srd35.ac-mod.kneeling-sitting", by_columns("defense", "srd35.ac-mod.kneeling-sitting")
    ),
    "nauseated": ConditionRule("srd35.cond.nauseated", reactions=False, budget="budget"),
    "paralyzed": at_mercy(
        "srd35.cond.paralyzed",
        Change("zero.str", "srd35.cond.paralyzed", ("helpless",)),
        Change("zero.dex", "srd35.cond.paralyzed", ("helpless",)),
        actions="mental",
    ),
    "petrified": at_mercy("srd35.cond.petrified", down=True),
    "panicked": ConditionRule(
        "srd35.cond.panicked",
        (
            Change("save", "srd35.cond.panicked", ("save",)),
            Change("check", "srd35.cond.panicked", ("ability_check",)),
        ),
        empties=True,
    ),
    "pinned": ConditionRule("srd35.grapple.pinned-state", moves=False, rushes=False),
    "prone": ConditionRule(
        "srd35.cond.prone",
        (
            Change("attack.melee", "srd35.attack-mod.prone", ("melee",)),
            Change(
                "attack.ranged", "srd35.attack-mod.prone", ("melee",), only=("attack_table_slips", "as-melee")
            ),
            Change(
                "attack.ranged",
                "srd35.attack-mod.prone",
                ("ranged_penalty_when_allowed",),
                only=("attack_table_slips", "no-modifier"),
            ),
            *by_columns("defense", "srd35.ac-mod.prone"),
        ),
        shoots=("crossbow", "shuriken"),
    ),
    "in driving rain": casting_in_motion("blinding rain or sleet"),
    "in driving hail": casting_in_motion("wind-driven hail, dust"),
    "raging": ConditionRule(
        "srd35.class.rage",
        (
            Change("defense.melee", "srd35.class.rage", ("ac",), kind="rage"),
            Change("defense.ranged", "srd35.class.rage", ("ac",), kind="rage"),
        ),
    ),
    "rebuked": ConditionRule("srd35.turn.rebuked", actions="none"),
    "running": ConditionRule("srd35.run.action", dexterity=False),
    "charging": ConditionRule("srd35.charge.action"),
    "behind the mount": ConditionRule("srd35.skill.ride-details", reactions=False),
    "slumped": ConditionRule("srd35.mount.rider-unconscious"),
    "on a moving mount": casting_dc_from("srd35.mount.cast-moving"),
    "on a running mount": casting_dc_from("srd35.mount.cast-running"),
    "total-defense": ConditionRule("total-defense", reactions=False),
    "shaken": ConditionRule(
        "srd35.cond.shaken",
        fear_penalties("srd35.cond.shaken"),
        part_of=("frightened", "panicked"),
    ),
    "sickened": ConditionRule(
        "srd35.cond.sickened",
        (*all_rolls("srd35.cond.sickened"), Change("damage", "srd35.cond.sickened", ("damage",))),
    ),
    "slowed": ConditionRule("srd35.action.restricted", actions="single"),
    "squeezing": ConditionRule(
        "srd35.squeeze.penalties",
        (
            *by_columns("attack", "srd35.attack-mod.squeezing"),
            *by_columns("defense", "srd35.ac-mod.squeezing"),
        ),
    ),
    "stable": at_mercy("srd35.cond.stable", down=True),
    "staggered": ConditionRule("srd35.cond.staggered", budget="budget"),
    "stunned": ConditionRule(
        "srd35.cond.stunned",
        by_columns("defense", "srd35.ac-mod.stunned"),
        budget="actions",
        dexterity=False,
        dexterity_topic="srd35.ac-mod.stunned",
        reactions=False,
        empties=True,
    ),
    "stuck": ConditionRule("srd35.gear.splash-table", moves=False, rushes=False),
    "turned": ConditionRule("srd35.cond.turned"),
    "wriggling": ConditionRule(
        "srd35.squeeze.escape-artist-no-attack",
        (
            Change("defense.melee", "srd35.squeeze.escape-artist-ac", ("ac",)),
            Change("defense.ranged", "srd35.squeeze.escape-artist-ac", ("ac",)),
        ),
        dexterity=False,
        dexterity_topic="srd35.squeeze.escape-artist-ac",
        reactions=False,
    ),
    "unconscious": at_mercy("srd35.cond.unconscious", down=True),
    "vigorous motion": casting_in_motion("vigorous motion"),
    "violent motion": casting_in_motion("violent motion"),
    **GOING,
}


# --- Fear that adds up, panic and flight, and death at a blow (srd35.cond.fear-ladder, srd35.cond.panicked)

FEAR = ("shaken", "frightened", "panicked")


def frighten(fight: Fight, combatant: Combatant, fact: ConditionGained) -> Steps[None]:
    """Add fear to fear: two of a lesser kind make one of a greater."""
    has = next((name for name in reversed(FEAR) if name in combatant.conditions), "")
    worse = fight.figure("srd35.cond.fear-ladder").get(f"{has}+{fact.condition}", "") if has else ""
    rule = fight.rule("srd35.cond.fear-ladder")
    if has and not worse:
        yield RuleApplied(who=combatant.id, what=f"is {has} already", cites=(rule,))
        return
    if worse:
        yield ConditionLost(who=combatant.id, condition=has, why=worse, cites=(rule,))
        cites = tuple(dict.fromkeys((rule, *fact.cites)))
        fact = ConditionGained(
            who=combatant.id,
            condition=worse,
            source=fact.source,
            until=fact.until,
            level=fact.level,
            cites=cites,
        )
    yield from gain_combined(fight, fact)


def panic(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Choose at random which way the panicked flee; the cornered cower instead (srd35.cond.panicked)."""
    topic = "srd35.cond.panicked"
    ways = ways_out(fight, combatant)
    if not ways:
        until = Until("turn-start", combatant.id, fight.state.round + 1)
        cites = (fight.rule(topic),)
        cowed = ConditionGained(
            who=combatant.id, condition="cowering", source="cornered", until=until, cites=cites
        )
        yield from apply_fear_condition(fight, cowed)
        return
    rolled = yield Roll(combatant.id, "flight", f"1d{len(ways)}")
    x, y = ways[rolled.total - 1]
    yield compel(fight, combatant, f"{FLEE} by {x},{y}", topic)


def ways_out(fight: Fight, combatant: Combatant) -> list[Square]:
    """Return the squares next to a creature that lead away from what it fears, clockwise from above."""
    cause = find_cause(fight, combatant.conditions["panicked"])
    return find_squares_away_from(
        fight, combatant, [cause] if cause is not None else fight.enemies(combatant)
    )


# --- Confusion and fascination, and the acts of a creature under either (srd35.cond.*)

# mental effects at the start of a turn


def settle_confusion_and_panic(fight: Fight, combatant: Combatant) -> Steps[None]:
    """At the start of a turn, decide the acts of the confused and the flight of the panicked."""
    if not combatant.conditions or is_down(fight, combatant):
        return
    if "confused" in combatant.conditions:
        yield from confuse(fight, combatant)
    elif "panicked" in combatant.conditions:
        yield from panic(fight, combatant)


def confuse(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Roll the act of a confused creature, unless it strikes back at its last attacker (srd35.cond.confused).

    If it is impossible the creature babbles.
    """
    topic = "srd35.cond.confused"
    rule = fight.rule(topic)
    back = next((one for one in combatant.effects if one.stat == STRIKES_BACK), None)
    if back is not None and "dead" not in fight.combatant(back.against).conditions:
        yield RuleApplied(who=combatant.id, what=f"strikes back at {back.against}", cites=(rule,))
        yield compel(fight, combatant, ATTACK, topic, back.against)
        return
    table = fight.figure(topic)
    rolled = yield Roll(combatant.id, "confusion", f"1d{table[-1]['d100'][1]}")
    row = next(row for row in table if row["d100"][0] <= rolled.total <= row["d100"][1])
    yield RuleApplied(who=combatant.id, what=f"confused: {row['do']}", cites=(rule,))
    what = str(row["do"])
    cause = find_cause(fight, combatant.conditions["confused"])
    if what.startswith("act normally"):
        yield compel(fight, combatant, ACT, topic)
    elif what.startswith("babble"):
        yield compel(fight, combatant, BABBLE, topic)
    elif what.startswith("attack the nearest"):
        near = yield from find_nearest_creature(fight, combatant)
        yield compel(fight, combatant, ATTACK if near else BABBLE, topic, near)
    elif cause is None or cause is combatant:
        yield RuleApplied(who=combatant.id, what="cannot do that and babbles", cites=(rule,))
        yield compel(fight, combatant, BABBLE, topic)
    else:
        yield compel(fight, combatant, FLEE if what.startswith("flee") else ATTACK, topic, cause.id)


def rouse_attacked(fight: Fight, blow: Blow) -> Steps[None]:
    """End the fascination of an attacked creature, and make the confused strike back on their next turn.

    srd35.cond.fascinated, srd35.cond.confused.
    """
    return rouse_by_attempt(fight, blow.attacker, blow.target)


def rouse_by_attempt(fight: Fight, attacker: Combatant, target: Combatant) -> Steps[None]:
    """Let a special attack have the effects of any attack on the fascinated and confused, with an attack roll
    or not.

    srd35.cond.fascinated, srd35.cond.confused, srd35.special-attack.table.
    """
    if "fascinated" in target.conditions:
        yield fascination_over(fight, target, f"attacked by {attacker.id}")
    if "confused" in target.conditions:
        yield from strikes_back(fight, attacker, target)


# --- How a combatant gains a condition, and the further consequences (srd35.cond.*)


def start_dead(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Make a combatant enter dead: below its death line, as if killed outright (srd35.death-effects)."""
    yield fact
    yield from below_death_line(fight, fight.combatant(fact.who))


def gain_with_consequences(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Give a condition with its consequences: fear adds up, panic drops items, death is final.

    A combatant that becomes helpless loses its holds on items and opponents (srd35.cond.fear-ladder,
    srd35.cond.panicked, srd35.cond.paralyzed, srd35.death-effects).
    """
    combatant = fight.combatant(fact.who)
    if fact.condition in FEAR:
        yield from frighten(fight, combatant, fact)
        return
    had = fact.condition in combatant.conditions
    yield from gain_combined(fight, is_cause_not_hit_points(fact))
    if had or fact.condition not in combatant.conditions:
        return
    if fact.condition == "dead":
        yield from below_death_line(fight, combatant)
    yield from go_limp(fight, combatant, fact.condition)


# --- Conditions of srd35 that a combatant does not take along into another fight

#: Conditions of one place, one moment, one ride, or of a grapple.
LOCAL: Final = frozenset(
    {
        "antimagic",
        "balancing",
        "balancing surely",
        "behind improved cover",
        "behind the mount",
        "borne aloft",
        "charging",
        "checked",
        "choking",
        "climbing",
        "cornered",
        "distracted",
        "diving",
        "drowning",
        "extraordinarily violent motion",
        "flat-footed",
        "flying",
        "grappling",
        "holding",
        "holding its breath",
        "immobile",
        "in a hurricane",
        "in a severe wind",
        "in a strong wind",
        "in a tornado",
        "in a windstorm",
        "in acid",
        "in boiling water",
        "in darkness",
        "in driving hail",
        "in driving rain",
        "in lava",
        "in silence",
        "in smoke",
        "in a chasm",
        "in water",
        "off balance",
        "on a moving mount",
        "on a running mount",
        "on noisy ground",
        "on very noisy ground",
        "pinned",
        "running",
        "sheltered",
        "slumped",
        "squeezing",
        "stalled",
        "swallowed",
        "tethered",
        "total-defense",
        "under attack",
        "unlit",
        "veiled",
        "vigorous motion",
        "violent motion",
        "wriggling",
    }
)


# --- Poison: applied to weapons, exposure of its user, and its secondary effect a minute later (srd35.poison)


def envenom(fight: Fight, act: acts.Envenom) -> Steps[None]:
    """Apply a dose to a weapon in hand, as a standard action; 1 time in 20 it poisons its user."""
    actor = fight.combatant(act.actor)
    rule = fight.rule("srd35.poison")
    dose, weapon = dose_for_weapon(fight, actor, act)
    yield spending(fight, actor, "standard", "poison a weapon", rule)
    yield from fight.dialect.opportunity.provoke(
        fight, actor, threatening(fight, actor), "handles poison", f"poison:{fight.declaration}", rule
    )
    if not is_down(fight, actor):
        yield from apply_poison_dose(fight, actor, dose, weapon)


def poison_from_weapon(fight: Fight, blow: Blow, harm: Harm | None, critical: bool) -> Steps[None]:
    """Apply the poison on a weapon, which the first hit spends (srd35.poison)."""
    doses = yield from spend_poison(fight, blow)
    yield from injury.apply_riders(fight, blow, harm, critical, doses)


def poison_by_fumble(fight: Fight, blow: Blow) -> Steps[None]:
    """Make an attacker that fumbles with a poisoned weapon save by Reflex, or be poisoned itself.

    srd35.poison.
    """
    for poison in poisons_of(blow):
        dc = fight.figure("srd35.poison", "fumble_dc")
        rule = fight.rule("srd35.poison")
        saved = yield from saving_throw(fight, blow.attacker, "ref", dc, "its own poisoned weapon", rule)
        if not saved:
            yield from injury.resist_or_suffer(fight, blow.attacker, poison)


def poison_again(fight: Fight, victim: Combatant, held: Affliction) -> Steps[None]:
    """Apply the secondary effect of poison: another save; a healer's check may replace the save."""
    rule = fight.rule("srd35.poison")
    rider = held.rider
    saved = yield from saving_throw(fight, victim, "fort", held.dc, f"{rider.name}, a minute later", rule)
    if not saved and held.treated >= held.dc:
        saved = True
        what = f"the healer's {held.treated} holds the {rider.name} off"
        yield RuleApplied(who=victim.id, what=what, cites=fight.rules("srd35.skill.heal"))
    why = "held off" if saved else "it has done its worst"
    yield AfflictionEnded(who=victim.id, id=held.id, why=why, cites=(rule,))
    if not saved:
        by = fight.state.combatants.get(held.by)
        yield from injury.apply_effect(fight, victim, rider, rider.secondary, by)


def treat_poison(fight: Fight, act: acts.Treat) -> Steps[None]:
    """Treat the poisoned: a standard action that provokes.

    The Heal check, against the poison's DC, may replace the next save; with several poisons the healer
    chooses one (srd35.skill.heal).
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule("srd35.skill.heal")
    at_work: dict[str, Affliction] = {}
    for one in target.afflictions:
        if one.rider.kind in ("poison", "disease"):
            at_work.setdefault(one.rider.name, one)
    if not at_work:
        raise Refusal(f"no poison or disease is at work in {target.id}", rule)
    refuse_apart(actor, target, rule)
    yield spending(fight, actor, "standard", "treat poison", rule)
    yield from fight.dialect.opportunity.provoke(
        fight, actor, threatening(fight, actor), f"treats {target.id}", f"treat:{fight.declaration}", rule
    )
    if is_down(fight, actor):
        return
    named = next(iter(at_work))
    if len(at_work) > 1:
        question = f"against what does {actor.id} treat {target.id}?"
        named = yield Choice(actor.id, "treat", question, tuple(at_work), rule)
    held = at_work[named]
    total = yield from heal_check(fight, actor, held.dc, rule)
    yield AfflictionHeld(
        who=target.id,
        id=held.id,
        rider=held.rider,
        by=held.by,
        dc=held.dc,
        round=held.round,
        minute=held.minute,
        treated=max(total, held.treated),
        cites=(rule,),
    )


def heal_check(fight: Fight, combatant: Combatant, dc: int, rule: str) -> Steps[int]:
    """Roll a Heal check against a DC and return its total if it succeeds, otherwise -1."""
    parts = skill_parts(fight, combatant, "heal", "wis", rule)
    return dc if (yield from check(fight, combatant, "heal", parts, dc, rule)) else -1


# --- Lasting states in srd35 in addition to the conditions of its table, by name

STATES = frozenset(
    {
        # spells and their like
        *("antimagic", "blinking", "blurred", "charmed", "concentrating", "ethereal", "holding a charge"),
        *("in a chasm", "incorporeal", "spell resistance lowered", "making music"),
        # the voice, the ears, the eyes
        *(
            "distracted",
            "gagged",
            "in silence",
            "on noisy ground",
            "on very noisy ground",
            "silenced",
        ),
        *("bearing a light", "behind improved cover", "unlit", "veiled"),
        # grappled, in the saddle, on the move
        *("borne aloft", "holding", "immobile", "tethered", "under attack", "under orders"),
    }
)
"""States that rules ask for, and that spells or the game master cause."""

#: States that need a degree, or the kind of light, each with the exposure that gives it.
DEGREES: Final[Mapping[str, str]] = {"veiled": "veil", "bearing a light": "light"}
