"""The conditions of the 3.5 rules: what each changes, denies and forbids (srd35.cond.*)."""

from affray.engine.dialects.srd35.environment.environment_conditions import GOING
from affray.engine.record.conditions import Change, ConditionRule, by_columns

DISTRACTIONS = "skill.concentration-table"
#: Skills that answer to what others do.
REACTIVE = ("listen", "sense motive", "spot")


def fear_penalties(topic: str) -> tuple[Change, ...]:
    """Return fear's penalty on attacks, saves and checks."""
    return (
        *by_columns("attack", "attack-mod.shaken-frightened"),
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


def at_mercy(
    topic: str, *changes: Change, actions: str = "none", down: bool = False, spared: tuple[str, ...] = ()
) -> ConditionRule:
    """Return a condition that leaves a creature helpless, perhaps out of the fight (srd35.helpless.*)."""
    return ConditionRule(
        topic,
        (*by_columns("defense", "ac-mod.helpless"), *changes),
        actions=actions,
        dexterity=False,
        reactions=False,
        helpless=True,
        moves=False,
        down=down,
        spared=spared,
    )


def casting_dc_from(topic: str) -> ConditionRule:
    """Return a state in which casting takes concentration, by the DC of the rule on a topic."""
    return ConditionRule(topic, casting=(topic, "concentration_dc"))


def casting_in_motion(case: str) -> ConditionRule:
    """Return a state in which casting takes concentration, by its row of the skill's table."""
    return ConditionRule(DISTRACTIONS, casting=(DISTRACTIONS, f"case={case}", "dc"))


#: What a creature without a mind to work on is spared.
MINDS = ("mind-affecting",)

DRAINED = tuple(
    Change(stat, "energy-drain.level", (path,), each=True)
    for stat, path in (
        ("attack.melee", "attack"),
        ("attack.ranged", "attack"),
        ("save", "save"),
        ("skill", "skill"),
        ("ability-check", "ability_check"),
    )
)

TABLE = {
    "ability damaged": ConditionRule("cond.ability-damaged"),
    "ability drained": ConditionRule("cond.ability-drained"),
    "blinded": ConditionRule(
        "cond.blinded",
        (
            *by_columns("defense", "ac-mod.blinded"),
            Change("speed", "cond.blinded", ("speed",), eased=("blind-fight", "feat.blind-fight", "speed")),
            Change("check str", "cond.blinded", ("skills",)),
            Change("check dex", "cond.blinded", ("skills",)),
            Change("check.search", "cond.blinded", ("skills",)),
        ),
        dexterity=False,
        dexterity_topic="ac-mod.blinded",
        reactions=False,
    ),
    "cowering": ConditionRule(
        "cond.cowering",
        by_columns("defense", "ac-mod.cowering"),
        budget="actions",
        dexterity=False,
        spared=MINDS,
    ),
    "dazed": ConditionRule("cond.dazed", budget="actions"),
    "dazzled": ConditionRule(
        "cond.dazzled",
        (
            *by_columns("attack", "attack-mod.dazzled"),
            Change("check.search", "cond.dazzled", ("search",)),
            Change("check.spot", "cond.dazzled", ("spot",)),
        ),
    ),
    "commanded": ConditionRule("turn.commanded"),
    "cornered": ConditionRule("turn.cower", actions="none"),
    "dead": ConditionRule("cond.dead", actions="none", reactions=False, moves=False, down=True),
    "deafened": ConditionRule("cond.deafened", (Change("initiative", "cond.deafened", ("initiative",)),)),
    "disabled": ConditionRule(
        "cond.disabled", (Change("speed", "injury.disabled-speed", ("speed",)),), budget="budget"
    ),
    "dying": at_mercy("cond.dying", down=True),
    "energy drained": ConditionRule("cond.energy-drained", DRAINED, spared=("energy drain",)),
    "entangled": ConditionRule(
        "cond.entangled",
        (
            *by_columns("attack", "attack-mod.entangled"),
            *by_columns("defense", "ac-mod.entangled"),
            Change(
                "score.dex.attack", "attack-mod.entangled", ("dexterity",), only=("entangled_attack", "both")
            ),
            Change("score.dex.defense", "ac-mod.entangled", ("dexterity",)),
            Change("score.dex.others", "cond.entangled", ("dex",)),
            Change("speed", "cond.entangled", ("speed",)),
        ),
        rushes=False,
        casting=("cond.entangled", "concentration_dc"),
    ),
    "exhausted": ConditionRule(
        "cond.exhausted",
        (*lowered_abilities("cond.exhausted", "str", "dex"), Change("speed", "cond.exhausted", ("speed",))),
        rushes=False,
        spared=("fatigue",),
    ),
    "fatigued": ConditionRule(
        "cond.fatigued", lowered_abilities("cond.fatigued", "str", "dex"), rushes=False, spared=("fatigue",)
    ),
    "confused": ConditionRule("cond.confused", spared=MINDS),
    "extraordinarily violent motion": casting_in_motion("extraordinarily violent motion"),
    "fascinated": ConditionRule(
        "cond.fascinated",
        tuple(Change(f"check.{skill}", "cond.fascinated", ("reactive_skills",)) for skill in REACTIVE),
        actions="none",
        spared=MINDS,
    ),
    "flat-footed": ConditionRule(
        "cond.flat-footed",
        by_columns("defense", "ac-mod.flat-footed"),
        dexterity=False,
        dexterity_topic="ac-mod.flat-footed",
        reactions=False,
        reflexes=True,
    ),
    "frightened": ConditionRule("cond.frightened", fear_penalties("cond.frightened"), spared=MINDS),
    "grappling": ConditionRule(
        "grapple.no-move",
        moves=False,
        rushes=False,
        casting=("grapple.cast-concentration", "concentration_dc"),
    ),
    "helpless": at_mercy("cond.helpless"),
    "bound": ConditionRule(
        "gear.restraints",
        by_columns("defense", "ac-mod.helpless"),
        dexterity=False,
        reactions=False,
        helpless=True,
        moves=False,
    ),
    "inanimate": ConditionRule("object.ac", actions="none", reactions=False, moves=False, down=True),
    "sheltered": ConditionRule("armor.tower-shield", reactions=False),
    "swallowed": ConditionRule("swallow-whole", moves=False, rushes=False),
    "invisible": ConditionRule("cond.invisible", by_columns("attack", "attack-mod.invisible")),
    "kneeling": ConditionRule("ac-mod.kneeling-sitting", by_columns("defense", "ac-mod.kneeling-sitting")),
    "nauseated": ConditionRule("cond.nauseated", budget="budget"),
    "paralyzed": at_mercy(
        "cond.paralyzed",
        Change("zero.str", "cond.paralyzed", ("helpless",)),
        Change("zero.dex", "cond.paralyzed", ("helpless",)),
        actions="mental",
        spared=("paralysis",),
    ),
    "petrified": at_mercy("cond.petrified", down=True),
    "panicked": ConditionRule(
        "cond.panicked",
        (Change("save", "cond.panicked", ("save",)), Change("check", "cond.panicked", ("ability_check",))),
        spared=MINDS,
    ),
    "pinned": ConditionRule("grapple.pinned-state", moves=False, rushes=False),
    "prone": ConditionRule(
        "cond.prone",
        (
            Change("attack.melee", "attack-mod.prone", ("melee",)),
            Change("attack.ranged", "attack-mod.prone", ("melee",), only=("attack_table_slips", "as-melee")),
            Change(
                "attack.ranged",
                "attack-mod.prone",
                ("ranged_penalty_when_allowed",),
                only=("attack_table_slips", "no-modifier"),
            ),
            *by_columns("defense", "ac-mod.prone"),
        ),
        shoots=("crossbow", "shuriken"),
    ),
    "in driving rain": casting_in_motion("blinding rain or sleet"),
    "in driving hail": casting_in_motion("wind-driven hail, dust"),
    "raging": ConditionRule(
        "class.rage",
        (
            Change("defense.melee", "class.rage", ("ac",), kind="rage"),
            Change("defense.ranged", "class.rage", ("ac",), kind="rage"),
        ),
    ),
    "rebuked": ConditionRule("turn.rebuked", actions="none"),
    "running": ConditionRule("run.action", dexterity=False),
    "charging": ConditionRule("charge.action"),
    "behind the mount": ConditionRule("skill.ride-details", reactions=False),
    "slumped": ConditionRule("mount.rider-unconscious"),
    "on a moving mount": casting_dc_from("mount.cast-moving"),
    "on a running mount": casting_dc_from("mount.cast-running"),
    "total-defense": ConditionRule("total-defense", reactions=False),
    "shaken": ConditionRule("cond.shaken", fear_penalties("cond.shaken"), spared=MINDS),
    "sickened": ConditionRule(
        "cond.sickened", (*all_rolls("cond.sickened"), Change("damage", "cond.sickened", ("damage",)))
    ),
    "squeezing": ConditionRule(
        "squeeze.penalties",
        (*by_columns("attack", "attack-mod.squeezing"), *by_columns("defense", "ac-mod.squeezing")),
    ),
    "stable": at_mercy("cond.stable", down=True),
    "staggered": ConditionRule("cond.staggered", budget="budget"),
    "stunned": ConditionRule(
        "cond.stunned",
        by_columns("defense", "ac-mod.stunned"),
        budget="actions",
        dexterity=False,
        dexterity_topic="ac-mod.stunned",
        reactions=False,
        spared=("stunning",),
        empties=True,
    ),
    "stuck": ConditionRule("gear.splash-table", moves=False, rushes=False),
    "turned": ConditionRule("cond.turned"),
    "wriggling": ConditionRule(
        "squeeze.escape-artist-no-attack",
        (
            Change("defense.melee", "squeeze.escape-artist-ac", ("ac",)),
            Change("defense.ranged", "squeeze.escape-artist-ac", ("ac",)),
        ),
        dexterity=False,
        dexterity_topic="squeeze.escape-artist-ac",
        reactions=False,
    ),
    "unconscious": at_mercy("cond.unconscious", down=True),
    "vigorous motion": casting_in_motion("vigorous motion"),
    "violent motion": casting_in_motion("violent motion"),
    **GOING,
}
