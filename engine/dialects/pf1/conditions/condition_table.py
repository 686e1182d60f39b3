"""The conditions of Pathfinder 1e: what each changes, denies and forbids (pf1.cond.*)."""

from affray.engine.record.conditions import Change, ConditionRule, in_both_modes

STATES = frozenset({"borne aloft", "climbing", "flying", "grappled", "grappling"})
"""What rules that are shared with other dialects ask for."""


def all_rolls(topic: str) -> tuple[Change, ...]:
    """Return a condition's one penalty on attacks, saves and checks."""
    return (
        *in_both_modes("attack", topic, "penalty"),
        Change("save", topic, ("penalty",)),
        Change("check", topic, ("penalty",)),
    )


def lower_dexterity(topic: str) -> tuple[Change, ...]:
    """Return what a lower Dexterity score does to its modifier."""
    return tuple(
        Change(stat, topic, ("dex",), halve=True)
        for stat in ("attack.dexterity", "defense.melee", "defense.ranged", "save.ref", "initiative")
    )


def lower_strength(topic: str) -> tuple[Change, ...]:
    """Return what a lower Strength score does to its modifier."""
    return tuple(Change(stat, topic, ("str",), halve=True) for stat in ("attack.strength", "damage.strength"))


def at_mercy(topic: str, down: bool = False) -> ConditionRule:
    """Return a condition that leaves a creature helpless (pf1.helpless.ac)."""
    return ConditionRule(
        topic,
        (Change("defense.melee", "helpless.ac", ("melee",)),),
        actions="none",
        dexterity=False,
        reactions=False,
        helpless=True,
        moves=False,
        down=down,
    )


TABLE = {
    "blinded": ConditionRule(
        "cond.blinded", in_both_modes("defense", "cond.blinded", "ac"), dexterity=False, reactions=False
    ),
    "charging": ConditionRule("charge"),
    "cowering": ConditionRule(
        "cond.cowering", in_both_modes("defense", "cond.cowering", "ac"), actions="none", dexterity=False
    ),
    "dazed": ConditionRule("cond.dazed", actions="none"),
    "dazzled": ConditionRule("cond.dazzled", in_both_modes("attack", "cond.dazzled", "attack")),
    "dead": ConditionRule("cond.dead", actions="none", reactions=False, moves=False, down=True),
    "deafened": ConditionRule("cond.deafened", (Change("initiative", "cond.deafened", ("initiative",)),)),
    "disabled": ConditionRule(
        "cond.disabled", (Change("speed", "cond.disabled", ("speed",)),), actions="single"
    ),
    "dying": at_mercy("cond.dying", down=True),
    "entangled": ConditionRule(
        "cond.entangled",
        (
            *in_both_modes("attack", "cond.entangled", "attack"),
            *lower_dexterity("cond.entangled"),
            Change("speed", "cond.entangled", ("speed",)),
        ),
        rushes=False,
        casting=("cond.entangled", "dc"),
    ),
    "exhausted": ConditionRule(
        "cond.exhausted",
        (
            *lower_strength("cond.exhausted"),
            *lower_dexterity("cond.exhausted"),
            Change("speed", "cond.exhausted", ("speed",)),
        ),
        rushes=False,
    ),
    "fascinated": ConditionRule("cond.fascinated", actions="none"),
    "fatigued": ConditionRule(
        "cond.fatigued", (*lower_strength("cond.fatigued"), *lower_dexterity("cond.fatigued")), rushes=False
    ),
    "flat-footed": ConditionRule("cond.flat-footed", dexterity=False, reactions=False),
    "frightened": ConditionRule("cond.frightened", all_rolls("cond.frightened")),
    "helpless": at_mercy("cond.helpless"),
    "improved cover": ConditionRule("cover.improved"),
    "invisible": ConditionRule("cond.invisible", in_both_modes("attack", "cond.invisible", "attack")),
    "kneeling": ConditionRule(
        "ac-mod.kneeling-sitting",
        (
            Change("defense.melee", "ac-mod.kneeling-sitting", ("melee",)),
            Change("defense.ranged", "ac-mod.kneeling-sitting", ("ranged",)),
        ),
    ),
    "nauseated": ConditionRule("cond.nauseated", actions="move"),
    "panicked": ConditionRule(
        "cond.panicked",
        (Change("save", "cond.panicked", ("penalty",)), Change("check", "cond.panicked", ("penalty",))),
        actions="move",
    ),
    "paralyzed": at_mercy("cond.paralyzed"),
    "partial cover": ConditionRule("cover.partial"),
    "petrified": at_mercy("cond.petrified", down=True),
    "prone": ConditionRule(
        "cond.prone",
        (
            Change("attack.melee", "cond.prone", ("attack",)),
            Change("defense.melee", "cond.prone", ("ac_melee",)),
            Change("defense.ranged", "cond.prone", ("ac_ranged",)),
        ),
        shoots=("crossbow", "shuriken"),
    ),
    "running": ConditionRule("run", dexterity=False),
    "shaken": ConditionRule("cond.shaken", all_rolls("cond.shaken")),
    "sickened": ConditionRule(
        "cond.sickened", (*all_rolls("cond.sickened"), Change("damage", "cond.sickened", ("damage",)))
    ),
    "stable": at_mercy("cond.stable", down=True),
    "staggered": ConditionRule("cond.staggered", actions="single"),
    "stunned": ConditionRule(
        "cond.stunned",
        in_both_modes("defense", "cond.stunned", "ac"),
        actions="none",
        dexterity=False,
        reactions=False,
    ),
    "total-defense": ConditionRule("total-defense", reactions=False),
    "unconscious": at_mercy("cond.unconscious", down=True),
}
