"""The conditions of the 3.5 rules: what each changes, denies and forbids (srd35.cond.*)."""

from affray.engine.dialects.srd35.environment.environment_conditions import GOING
from affray.engine.record.conditions import Change, ConditionRule, by_columns

DISTRACTIONS = "srd35.skill.concentration-table"
#: Skills that answer to what others do.
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
    """Return a state in which casting takes concentration, by the DC of the rule on a topic."""
    return ConditionRule(topic, casting=(topic, "concentration_dc"))


def casting_in_motion(case: str) -> ConditionRule:
    """Return a state in which casting takes concentration, by its row of the skill's table."""
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
    "nauseated": ConditionRule("srd35.cond.nauseated", budget="budget"),
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
