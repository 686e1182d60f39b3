"""The conditions of Pathfinder 1e: what each changes, denies and forbids (pf1.cond.*)."""

import re
from typing import Final

from affray.engine.dialects.pf1 import environment, grapple, movement
from affray.engine.dialects.pf1.classes import abilities, channel_energy
from affray.engine.dialects.pf1.conditions.afflictions import BLEED, DRAINED, bleed
from affray.engine.dialects.pf1.maneuvers.trip_and_disarm import MISLED, STOPPED
from affray.engine.fight.fight import Fight, is_down
from affray.engine.record.blow import Blow, Harm
from affray.engine.record.chapters import Change, ConditionRule, in_both_modes
from affray.engine.rules.classes.abilities import ability_now
from affray.engine.rules.classes.feats import RAGING
from affray.engine.rules.classes.sheets import FLYING
from affray.engine.rules.conditions.conditions import PARALYZED, apply_fear_condition
from affray.engine.rules.conditions.fear import (
    ACT,
    ATTACK,
    BABBLE,
    STRIKES_BACK,
    compel,
    fascination_over,
    find_nearest_creature,
    find_way_from_feared,
    strikes_back,
)
from affray.engine.rules.damage.damage import amount_dealt, rolled_part, suffer
from affray.engine.rules.gear import nets, splash_weapons
from affray.engine.rules.movement import skills
from affray.engine.rules.position.places import sees
from affray.engine.steps import Roll, Steps
from affray.events.facts.combat import ConditionGained, Until
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Modifier
from affray.projections.state import Combatant

# --- Confusion in pf1: a creature's acts by the table, and striking back (pf1.cond.confused)

TOPIC: Final = "pf1.cond.confused"
#: The damage type of an empty-handed creature that hurts itself.
BARE: Final = "bludgeoning"
#: The dice in the table's text.
DICE: Final = re.compile(r"\d+d\d+")


def attacked_by(fight: Fight, combatant: Combatant) -> Combatant | None:
    """Return the last attacker of a confused creature while that is alive and in sight, otherwise None."""
    found = [one.against for one in combatant.effects if one.stat == STRIKES_BACK]
    attacker = fight.state.combatants.get(found[-1]) if found else None
    if attacker is None or "dead" in attacker.conditions or not sees(fight, combatant, attacker):
        return None
    return attacker


def confuse(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Decide the act of a confused creature at the start of its turn (pf1.cond.confused).

    It attacks its last attacker until that is dead or out of sight; otherwise d% decides by the table.
    """
    if is_down(fight, combatant):
        return
    rule = fight.rule(TOPIC)
    attacker = attacked_by(fight, combatant)
    if attacker is not None:
        yield RuleApplied(who=combatant.id, what=f"strikes back at {attacker.id}", cites=(rule,))
        yield compel(fight, combatant, ATTACK, TOPIC, attacker.id)
        yield from strikes_back(fight, attacker, combatant)
        return
    table = fight.figure(TOPIC)
    rolled = yield Roll(combatant.id, "confusion", f"1d{table[-1]['d100'][1]}")
    row = next(row for row in table if row["d100"][0] <= rolled.total <= row["d100"][1])
    what = str(row["do"])
    yield RuleApplied(who=combatant.id, what=f"confused: {what}", cites=(rule,))
    if what.startswith("act normally"):
        yield compel(fight, combatant, ACT, TOPIC)
    elif what.startswith("attack nearest"):
        near = yield from find_nearest_creature(fight, combatant)
        yield compel(fight, combatant, ATTACK if near else BABBLE, TOPIC, near)
    else:
        yield compel(fight, combatant, BABBLE, TOPIC)
        if found := DICE.search(what):
            yield from hurt_itself(fight, combatant, found.group())


def hurt_itself(fight: Fight, combatant: Combatant, dice: str) -> Steps[None]:
    """Make a confused creature hurt itself with its held weapon: the dice and Strength
    (pf1.cond.confused).
    """
    rolled = yield Roll(combatant.id, "self-harm", dice)
    weapons = (one for one in combatant.sheet.weapons if one.name in combatant.held)
    weapon = next(weapons, None)
    kind, source = (weapon.damage_type, weapon.name) if weapon is not None else (BARE, "its own hands")
    strength = Modifier(ability_now(fight, combatant, "str"), "ability", "Strength", fight.rule(TOPIC))
    harm = Harm(combatant, max(1, rolled.total + strength.value), kind, source, combatant)
    part = rolled_part(harm, dice, rolled)
    yield amount_dealt(fight, harm, part, fight.rule(TOPIC), modifiers=(strength,), why="confused")
    yield from suffer(fight, harm)


def rouse_attacked(fight: Fight, blow: Blow) -> Steps[None]:
    """End fascination by an attack, and draw the confused to their attacker.

    pf1.cond.fascinated, pf1.cond.confused.
    """
    if "fascinated" in blow.target.conditions:
        yield fascination_over(fight, blow.target, f"attacked by {blow.attacker.id}")
    if "confused" in blow.target.conditions:
        yield from strikes_back(fight, blow.attacker, blow.target)


# --- Panic in pf1: a creature that cannot flee cowers (pf1.cond.panicked)


def cower_when_cornered(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Make the panicked cower until their next turn if no path leads away from the feared combatant."""
    found = None if is_down(fight, combatant) else find_way_from_feared(fight, combatant)
    if found is None or found[1]:
        return
    until = Until("turn-start", combatant.id, fight.state.round + 1)
    cites = fight.rules("pf1.cond.panicked", "pf1.cond.cowering")
    cowed = ConditionGained(
        who=combatant.id, condition="cowering", source="cornered", until=until, cites=cites
    )
    yield from apply_fear_condition(fight, cowed)


STATES = frozenset(
    {
        *("borne aloft", "in a chasm", "bound", "climbing", "incorporeal"),
        *("commanded", "concentrating", "holding a charge", "spell resistance lowered"),
        *("gagged", "in silence", "silenced"),
        *("in darkness", "in dim light"),
        *movement.LOADS,
        nets.TETHERED,
    }
)
"""Conditions that rules shared with other dialects ask for."""
#: Conditions that leave a creature helpless: its Dexterity is 0 then, and cannot be lowered further.
AT_MERCY = ("asleep", "dying", "helpless", PARALYZED, "petrified", "stable", "unconscious")


def all_rolls(topic: str) -> tuple[Change, ...]:
    """Return a condition's one penalty on attacks, saves and checks."""
    return (
        *in_both_modes("attack", topic, "penalty"),
        Change("save", topic, ("penalty",)),
        Change("check", topic, ("penalty",)),
    )


def lower_dexterity(topic: str) -> tuple[Change, ...]:
    """Return the changes of the modifiers from a lower Dexterity score, skills included."""
    stats = ("attack.dexterity", "defense.melee", "defense.ranged", "save.ref", "initiative", "check dex")
    return tuple(Change(stat, topic, ("dex",), halve=True) for stat in stats)


def lower_strength(topic: str) -> tuple[Change, ...]:
    """Return the changes of the modifiers from a lower Strength score."""
    stats = ("attack.strength", "damage.strength", "check str")
    return tuple(Change(stat, topic, ("str",), halve=True) for stat in stats)


def at_mercy(topic: str, *changes: Change, actions: str = "none", down: bool = False) -> ConditionRule:
    """Return a condition that leaves a creature helpless, its Dexterity being 0.

    pf1.helpless.ac, pf1.cond.helpless.
    """
    helpless = Change("zero.dex", "pf1.cond.helpless", ("dex",))
    return ConditionRule(
        topic,
        (Change("defense.melee", "pf1.helpless.ac", ("melee",)), *changes, helpless),
        actions=actions,
        dexterity=False,
        reactions=False,
        helpless=True,
        moves=False,
        down=down,
    )


def casting_disturbed(case: str) -> ConditionRule:
    """Return a state in which casting takes a concentration check, by its row
    (pf1.cast.concentration-table).
    """
    topic = "pf1.cast.concentration-table"
    return ConditionRule(topic, casting=(topic, f"case={case}", "dc"))


def held_fast(topic: str) -> ConditionRule:
    """Return a condition that holds a creature immobile, as a pin does (pf1.cond.pinned)."""
    return ConditionRule(
        topic,
        in_both_modes("defense", "pf1.cond.pinned", "ac"),
        dexterity=False,
        reactions=False,
        moves=False,
    )


TABLE = {
    "asleep": at_mercy("pf1.cond.helpless", down=True),
    BLEED: ConditionRule("pf1.cond.bleed", each_turn=bleed),
    "behind the mount": ConditionRule("pf1.skill.ride", reactions=False),
    "blinded": ConditionRule(
        "pf1.cond.blinded",
        (
            *in_both_modes("defense", "pf1.cond.blinded", "ac"),
            Change("check str", "pf1.cond.blinded", ("skills",)),
            Change("check dex", "pf1.cond.blinded", ("skills",)),
        ),
        dexterity=False,
        reactions=False,
    ),
    skills.BALANCING: ConditionRule(
        movement.BALANCE_TOPIC,
        dexterity=False,
        reactions=False,
        reflexes=True,
        off_guard=True,
        hurt=movement.check_balance_when_hurt,
    ),
    "broken": ConditionRule("pf1.cond.broken"),
    "charging": ConditionRule("charge"),
    "confused": ConditionRule("pf1.cond.confused", each_turn=confuse),
    "cowering": ConditionRule(
        "pf1.cond.cowering",
        in_both_modes("defense", "pf1.cond.cowering", "ac"),
        actions="none",
        dexterity=False,
    ),
    "dazed": ConditionRule("pf1.cond.dazed", actions="none"),
    "dazzled": ConditionRule("pf1.cond.dazzled", in_both_modes("attack", "pf1.cond.dazzled", "attack")),
    "dead": ConditionRule("pf1.cond.dead", actions="none", reactions=False, moves=False, down=True),
    "deafened": ConditionRule(
        "pf1.cond.deafened", (Change("initiative", "pf1.cond.deafened", ("initiative",)),)
    ),
    "disabled": ConditionRule(
        "pf1.cond.disabled", (Change("speed", "pf1.cond.disabled", ("speed",)),), budget="budget"
    ),
    "dying": at_mercy("pf1.cond.dying", down=True),
    **environment.CONDITIONS,
    DRAINED: ConditionRule(
        "pf1.cond.energy-drained",
        tuple(
            Change(stat, "pf1.negative-levels", ("penalty",), each=True)
            for stat in ("attack.melee", "attack.ranged", "maneuver defense", "save", "check")
        ),
    ),
    "entangled": ConditionRule(
        "cond.entangled",  # pf1.cond.entangled
        (
            *in_both_modes("attack", "cond.entangled", "attack"),
            *lower_dexterity("cond.entangled"),
            Change("speed", "cond.entangled", ("speed",)),
        ),
        rushes=False,
        casting=("cond.entangled", "dc"),
        part_of=AT_MERCY,
    ),
    "exhausted": ConditionRule(
        "pf1.cond.exhausted",
        (
            *lower_strength("pf1.cond.exhausted"),
            *lower_dexterity("pf1.cond.exhausted"),
            Change("speed", "pf1.cond.exhausted", ("speed",)),
        ),
        rushes=False,
        part_of=AT_MERCY,
    ),
    movement.FALLING: ConditionRule(movement.FALL_TOPIC, casting=(movement.FALL_TOPIC, "casting_dc")),
    movement.FALLING_FAR: ConditionRule(movement.FALL_TOPIC, casting=(movement.FALL_TOPIC, "casting_dc")),
    "extremely violent motion": casting_disturbed("extremely violent motion"),
    "fascinated": ConditionRule(
        "pf1.cond.fascinated",
        (Change("check.perception", "pf1.cond.fascinated", ("skills",)),),
        actions="none",
    ),
    "fatigued": ConditionRule(
        "pf1.cond.fatigued",
        (*lower_strength("pf1.cond.fatigued"), *lower_dexterity("pf1.cond.fatigued")),
        rushes=False,
        part_of=("exhausted", *AT_MERCY),
    ),
    "flat-footed": ConditionRule("pf1.cond.flat-footed", dexterity=False, reactions=False, off_guard=True),
    FLYING: ConditionRule(
        movement.FLY_CHECKS_TOPIC, turn_over=movement.stay_up, hurt=movement.lose_height_when_hurt
    ),
    "frightened": ConditionRule(
        "pf1.cond.frightened", all_rolls("pf1.cond.frightened"), part_of=("panicked",)
    ),
    "grappled": ConditionRule(
        "pf1.cond.grappled",
        (
            *in_both_modes("attack", "pf1.cond.grappled", "attack"),
            *lower_dexterity("pf1.cond.grappled"),
        ),
        reactions=False,
        moves=False,
        part_of=("pinned", *AT_MERCY),
    ),
    "helpless": at_mercy("pf1.cond.helpless"),
    "holding": ConditionRule("pf1.grapple.maintain"),
    "improved cover": ConditionRule("pf1.cover.improved"),
    "invisible": ConditionRule("pf1.cond.invisible", in_both_modes("attack", "pf1.cond.invisible", "attack")),
    "kneeling": ConditionRule(
        "ac-mod.kneeling-sitting",  # pf1.ac-mod.table
        (
            Change("defense.melee", "ac-mod.kneeling-sitting", ("melee",)),
            Change("defense.ranged", "ac-mod.kneeling-sitting", ("ranged",)),
        ),
    ),
    MISLED: ConditionRule("pf1.feat.improved-feint", dexterity=False),
    "nauseated": ConditionRule("pf1.cond.nauseated", reactions=False, budget="budget"),
    "panicked": ConditionRule(
        "pf1.cond.panicked",
        (
            Change("save", "pf1.cond.panicked", ("penalty",)),
            Change("check", "pf1.cond.panicked", ("penalty",)),
        ),
        actions="flight",
        empties=True,
        each_turn=cower_when_cornered,
    ),
    splash_weapons.HALTED: ConditionRule(splash_weapons.TOPIC, moves=False),
    splash_weapons.LAMED: ConditionRule(
        splash_weapons.TOPIC,
        (Change("speed", splash_weapons.TOPIC, ("speed",)),),
        healed=splash_weapons.restore_speed,
    ),
    "in wind with hail": casting_disturbed("wind with hail or debris"),
    "in wind with rain": casting_disturbed("wind with rain or sleet"),
    "inanimate": ConditionRule("pf1.object.ac", actions="none", reactions=False, moves=False, down=True),
    "on a moving mount": ConditionRule("pf1.mount.cast", casting=("pf1.mount.cast", "move")),
    "on a running mount": ConditionRule("pf1.mount.cast", casting=("pf1.mount.cast", "run")),
    PARALYZED: at_mercy(
        "pf1.cond.paralyzed",
        Change("zero.str", "pf1.cond.paralyzed", ("str",)),
        Change("zero.dex", "pf1.cond.paralyzed", ("dex",)),
        actions="mental",
    ),
    "pinned": held_fast("pf1.cond.pinned"),
    "pinning": ConditionRule("pf1.grapple.options", dexterity=False),
    "partial cover": ConditionRule("pf1.cover.partial"),
    "petrified": at_mercy("pf1.cond.petrified", down=True),
    "prone": ConditionRule(
        "pf1.cond.prone",
        (
            Change("attack.melee", "pf1.cond.prone", ("attack",)),
            Change("defense.melee", "pf1.cond.prone", ("ac_melee",)),
            Change("defense.ranged", "pf1.cond.prone", ("ac_ranged",)),
        ),
        shoots=("crossbow", "shuriken"),
    ),
    **skills.CONDITIONS,
    RAGING: ConditionRule(
        "pf1.rage", in_both_modes("defense", "pf1.rage", "ac"), each_turn=abilities.rage_on
    ),
    "running": ConditionRule("run", dexterity=False),
    "shaken": ConditionRule(
        "pf1.cond.shaken", all_rolls("pf1.cond.shaken"), part_of=("frightened", "panicked")
    ),
    "slumped": ConditionRule("pf1.mount.fall"),
    "sickened": ConditionRule(
        "pf1.cond.sickened",
        (*all_rolls("pf1.cond.sickened"), Change("damage", "pf1.cond.sickened", ("damage",))),
    ),
    "squeezing": ConditionRule(
        "pf1.squeeze",
        (*in_both_modes("attack", "pf1.squeeze", "attack"), *in_both_modes("defense", "pf1.squeeze", "ac")),
    ),
    "stable": at_mercy("pf1.cond.stable", down=True),
    "staggered": ConditionRule("pf1.cond.staggered", budget="budget"),
    STOPPED: ConditionRule("pf1.feat.stand-still", moves=False),
    "stunned": ConditionRule(
        "pf1.cond.stunned",
        in_both_modes("defense", "pf1.cond.stunned", "ac"),
        actions="none",
        dexterity=False,
        reactions=False,
        empties=True,
    ),
    grapple.SWALLOWED: ConditionRule(
        grapple.SWALLOW_TOPIC, moves=False, rushes=False, inside=True, each_turn=grapple.digest
    ),
    splash_weapons.STUCK: ConditionRule("gear.splash-table", moves=False, rushes=False),
    "tied up": held_fast("pf1.grapple.options"),
    "total-defense": ConditionRule("total-defense", reactions=False),  # pf1.total-defense
    channel_energy.TURNED: ConditionRule("pf1.turn.feat", each_turn=channel_energy.resist_turning),
    "unconscious": at_mercy("pf1.cond.unconscious", down=True),
    "vigorous motion": casting_disturbed("vigorous motion"),
    "violent motion": casting_disturbed("violent motion"),
    "wriggling": ConditionRule("pf1.squeeze", in_both_modes("defense", "pf1.squeeze", "ac"), dexterity=False),
}
