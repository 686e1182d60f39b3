"""The conditions of Pathfinder 1e: what each changes, denies and forbids (pf1.cond.*)."""

from affray.engine.dialects.pf1.classes import rage, turned_undead
from affray.engine.dialects.pf1.conditions import confusion, panic
from affray.engine.dialects.pf1.conditions.ability_loss import DRAINED
from affray.engine.dialects.pf1.conditions.bleed import BLEED, bleed
from affray.engine.dialects.pf1.environment import dangers
from affray.engine.dialects.pf1.grapple import swallow
from affray.engine.dialects.pf1.maneuvers.feint import MISLED
from affray.engine.dialects.pf1.maneuvers.stand_still import STOPPED
from affray.engine.dialects.pf1.movement import balance, fall, fly, fly_checks
from affray.engine.record.conditions import Change, ConditionRule, in_both_modes
from affray.engine.rules.classes.natures import FLYING
from affray.engine.rules.classes.rage_scores import RAGING
from affray.engine.rules.conditions.mental_actions import PARALYZED
from affray.engine.rules.gear import caltrops, nets, tanglefoot
from affray.engine.rules.movement import balance as balancing
from affray.engine.rules.movement import run_endurance

STATES = frozenset(
    {
        *("borne aloft", "in a chasm", "bound", "climbing", "incorporeal"),
        *("commanded", "concentrating", "holding a charge", "spell resistance lowered"),
        *("gagged", "in silence", "silenced"),
        *("in darkness", "in dim light"),
        nets.TETHERED,
    }
)
"""What rules that are shared with other dialects ask for."""
#: What leaves a creature helpless: its Dexterity is 0 then, which nothing else lowers.
AT_MERCY = ("asleep", "dying", "helpless", PARALYZED, "petrified", "stable", "unconscious")


def all_rolls(topic: str) -> tuple[Change, ...]:
    """Return a condition's one penalty on attacks, saves and checks."""
    return (
        *in_both_modes("attack", topic, "penalty"),
        Change("save", topic, ("penalty",)),
        Change("check", topic, ("penalty",)),
    )


def lower_dexterity(topic: str) -> tuple[Change, ...]:
    """Return what a lower Dexterity score does to its modifier, that of its skills among others."""
    stats = ("attack.dexterity", "defense.melee", "defense.ranged", "save.ref", "initiative", "check dex")
    return tuple(Change(stat, topic, ("dex",), halve=True) for stat in stats)


def lower_strength(topic: str) -> tuple[Change, ...]:
    """Return what a lower Strength score does to its modifier."""
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
    """Return a state in which casting takes concentration, by its row (pf1.cast.concentration-table)."""
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
    balancing.BALANCING: ConditionRule(
        balance.TOPIC,
        dexterity=False,
        reactions=False,
        reflexes=True,
        off_guard=True,
        hurt=balance.check_balance_when_hurt,
    ),
    "broken": ConditionRule("pf1.cond.broken"),
    "charging": ConditionRule("charge"),
    "confused": ConditionRule("pf1.cond.confused", each_turn=confusion.confuse),
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
    **dangers.CONDITIONS,
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
    fall.FALLING: ConditionRule(fall.TOPIC, casting=(fall.TOPIC, "casting_dc")),
    fall.FALLING_FAR: ConditionRule(fall.TOPIC, casting=(fall.TOPIC, "casting_dc")),
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
    FLYING: ConditionRule(fly_checks.TOPIC, turn_over=fly.stay_up, hurt=fly.lose_height_when_hurt),
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
    "nauseated": ConditionRule("pf1.cond.nauseated", budget="budget"),
    "panicked": ConditionRule(
        "pf1.cond.panicked",
        (
            Change("save", "pf1.cond.panicked", ("penalty",)),
            Change("check", "pf1.cond.panicked", ("penalty",)),
        ),
        actions="flight",
        empties=True,
        each_turn=panic.cower_when_cornered,
    ),
    caltrops.HALTED: ConditionRule(caltrops.TOPIC, moves=False),
    caltrops.LAMED: ConditionRule(
        caltrops.TOPIC, (Change("speed", caltrops.TOPIC, ("speed",)),), healed=caltrops.walk_again
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
    **run_endurance.CONDITIONS,
    RAGING: ConditionRule("pf1.rage", in_both_modes("defense", "pf1.rage", "ac"), each_turn=rage.rage_on),
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
    swallow.SWALLOWED: ConditionRule(
        swallow.TOPIC, moves=False, rushes=False, inside=True, each_turn=swallow.digest
    ),
    tanglefoot.STUCK: ConditionRule("gear.splash-table", moves=False, rushes=False),
    "tied up": held_fast("pf1.grapple.options"),
    "total-defense": ConditionRule("total-defense", reactions=False),  # pf1.total-defense
    turned_undead.TURNED: ConditionRule("pf1.turn.feat", each_turn=turned_undead.resist_turning),
    "unconscious": at_mercy("pf1.cond.unconscious", down=True),
    "vigorous motion": casting_disturbed("vigorous motion"),
    "violent motion": casting_disturbed("violent motion"),
    "wriggling": ConditionRule("pf1.squeeze", in_both_modes("defense", "pf1.squeeze", "ac"), dexterity=False),
}
