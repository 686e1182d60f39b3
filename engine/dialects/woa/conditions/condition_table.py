"""The conditions of Worlds of Adventure: what each changes, denies and forbids (woa.condition.*)."""

from affray.engine.dialects.woa.grapple.grapple_conditions import HOLDS
from affray.engine.record.conditions import Change, ConditionRule, in_both_modes


def all_rolls(topic: str) -> tuple[Change, ...]:
    """Return a condition's penalty on attacks, saves and checks."""
    return (
        *in_both_modes("attack", topic, "attack"),
        Change("save", topic, ("saves",)),
        Change("check", topic, ("checks",)),
    )


def incapacitated(topic: str, *, down: bool, helpless: bool = True, actions: str = "none") -> ConditionRule:
    """Return a condition in which nothing can be done, but perhaps by the mind, and nothing is warded off."""
    return ConditionRule(
        topic, actions=actions, dexterity=False, reactions=False, helpless=helpless, moves=False, down=down
    )


POSTURES = "posture.modifier-table"
ON_GROUND = ("rows", "posture=kneeling or sitting on ground")
ON_CHAIR = ("rows", "posture=sitting on chair")


def low_posture(topic: str, *path: str) -> tuple[Change, ...]:
    """Return what a low posture changes, by the names that its figures have."""
    if topic == POSTURES:
        names = ("melee_attack", "ac_vs_melee", "ac_vs_ranged")
    else:
        names = ("melee_attack", "melee_ac", "ranged_ac")
    return (
        Change("attack.melee", topic, (*path, names[0])),
        Change("defense.melee", topic, (*path, names[1])),
        Change("defense.ranged", topic, (*path, names[2]), kind="posture"),
    )


def tight_place(topic: str) -> tuple[Change, ...]:
    """Return what a tight place does to AC and Reflex saves, as many times over as its level says."""
    return (
        Change("defense.melee", topic, ("ac",), each=True),
        Change("defense.ranged", topic, ("ac",), each=True),
        Change("save.ref", topic, ("reflex",), each=True),
    )


#: Conditions that take away half of the combat reactions, with the topic that says so.
HALF_REACTIONS = {
    "staggered": "condition.staggered",
    "slowed": "condition.slowed",
    "exhausted": "condition.exhausted",
}
#: What the bonds of an entangled creature do to it.
ENSNARED = (
    *in_both_modes("attack", "condition.entangled", "attack"),
    *in_both_modes("defense", "condition.entangled", "ac"),
    Change("save.ref", "condition.entangled", ("reflex",)),
    Change("check dex", "condition.entangled", ("dex_checks",)),
)

#: Conditions under which the shield bonus is lost together with Dexterity and dodge.
TABLE = {
    "flat-footed": ConditionRule(
        "condition.flat-footed.effects",
        (Change("initiative", "condition.flat-footed.effects", ("initiative",)),),
        reactions=False,
    ),
    "dazzled": ConditionRule("condition.dazzled"),
    "blinded": ConditionRule("condition.blinded", reactions=False),
    "deafened": ConditionRule(
        "condition.deafened", (Change("initiative", "condition.deafened", ("initiative",)),)
    ),
    "shaken": ConditionRule("condition.shaken", all_rolls("condition.shaken")),
    "frightened": ConditionRule("condition.frightened", all_rolls("condition.frightened")),
    "panicked": ConditionRule("condition.panicked", all_rolls("condition.panicked"), empties=True),
    "fleeing": ConditionRule("condition.frightened"),
    "panic subsided": ConditionRule("condition.panicked.escaped"),
    "cowering": ConditionRule("condition.cowering", actions="none", dexterity=False, reactions=False),
    "staggered": ConditionRule("condition.staggered", actions="single"),
    "slowed": ConditionRule("condition.slowed", actions="single"),
    "dazed": ConditionRule("condition.dazed", actions="none", dexterity=False, reactions=False),
    "stunned": ConditionRule(
        "condition.stunned", actions="none", dexterity=False, reactions=False, empties=True
    ),
    "paralyzed": incapacitated("condition.paralyzed", down=False, actions="mental"),
    "immobilized": ConditionRule(
        "condition.immobilized", dexterity=False, reactions=False, helpless=True, moves=False
    ),
    "unconscious": incapacitated("zero-hp.failure", down=True),
    "dead": incapacitated("knocked-out.failure", down=True),
    "subdued": ConditionRule("nonlethal.zero-hp"),
    "treated": ConditionRule("knocked-out.success"),
    "passed out": incapacitated("condition.enervated", down=True),
    "sickened": ConditionRule("condition.sickened", all_rolls("condition.sickened")),
    "nauseated": ConditionRule(
        "condition.nauseated",
        (
            Change("save", "condition.nauseated", ("saves",)),
            Change("check", "condition.nauseated", ("checks",)),
        ),
        actions="move",
        reactions=False,
    ),
    "incapacitated": ConditionRule(
        "condition.incapacitated", actions="none", dexterity=False, reactions=False
    ),
    "fatigued": ConditionRule(
        "condition.fatigued",
        (*all_rolls("condition.fatigued"), *in_both_modes("defense", "condition.fatigued", "ac")),
    ),
    "exhausted": ConditionRule(
        "condition.exhausted",
        (*all_rolls("condition.exhausted"), *in_both_modes("defense", "condition.exhausted", "ac")),
    ),
    "enervated": ConditionRule("condition.enervated", actions="none", reactions=False),
    "entangled": ConditionRule("condition.entangled", ENSNARED),
    "stuck": ConditionRule("condition.stuck", ENSNARED, moves=False),
    "tethered": ConditionRule("condition.stuck"),
    "prone": ConditionRule(
        "posture.states",
        (
            Change("attack.melee", "posture.prone.melee-attack", ("attack",)),
            Change("defense.melee", "posture.prone.ac", ("melee",)),
            Change("defense.ranged", "posture.prone.ac", ("ranged",), kind="posture"),
        ),
    ),
    "crouching": ConditionRule(
        "posture.crouching.modifiers",
        (
            Change("attack.melee", "posture.crouching.modifiers", ("melee_attack",)),
            Change("defense.melee", "posture.crouching.modifiers", ("melee_ac",)),
            Change("defense.ranged", "posture.crouching.modifiers", ("ranged_ac",), kind="posture"),
        ),
    ),
    # Crawling on top of crouching makes the modifiers of the prone; the prone crawl as they are.
    "crawling": ConditionRule("posture.crawl-prone", low_posture("posture.crouching.modifiers")),
    "kneeling": ConditionRule("posture.kneeling-sitting", low_posture(POSTURES, *ON_GROUND)),
    "sitting": ConditionRule("posture.kneeling-sitting", low_posture(POSTURES, *ON_GROUND)),
    "seated": ConditionRule("posture.kneeling-sitting", low_posture(POSTURES, *ON_CHAIR)),
    "squeezed": ConditionRule("squeezing.penalties", tight_place("squeezing.penalties")),
    "stooping": ConditionRule("squeeze.low-ceiling", tight_place("squeeze.low-ceiling")),
    "wriggling": ConditionRule(
        "squeezing.escape-artist", tight_place("squeezing.escape-artist"), dexterity=False, reactions=False
    ),
    "worming": ConditionRule(
        "squeeze.very-low-ceiling", tight_place("squeeze.very-low-ceiling"), dexterity=False, reactions=False
    ),
    "sprawling": ConditionRule("posture.stand-free-acrobatics"),
    "running": ConditionRule(
        "run.penalties", in_both_modes("defense", "run.penalties", "ac"), reactions=False
    ),
    "charging": ConditionRule("charge.attack", in_both_modes("defense", "charge.attack", "ac_penalty")),
    "stunting": ConditionRule(
        "charge.alternative.effect", in_both_modes("defense", "charge.alternative.effect", "ac_penalty")
    ),
    "riding a charge": ConditionRule(
        "mount.combat.charge", in_both_modes("defense", "mount.combat.charge", "rider_ac_penalty")
    ),
    "total-defense": ConditionRule("total-defense.reactions"),
    "casting": ConditionRule("spell.no-combat-reactions", reactions=False),
    "readying": ConditionRule(
        "ready.no-reactions",
        tuple(
            Change(f"check.{skill}", "ready.distracted-perception", ("perception_penalty",))
            for skill in ("spot", "listen")
        ),
        reactions=False,
    ),
    "preparing": ConditionRule("ready.window"),
    "missed trigger": ConditionRule("ready.missed-trigger"),
    "kept ready": ConditionRule("ready.multi-round"),
    "drinking": ConditionRule("device.potion-no-reactions", reactions=False),
    "upholding": ConditionRule("spell.concentrate-no-reactions", reactions=False),
    "concentrating": ConditionRule("spell.concentrate-maintain"),
    "unable to concentrate": ConditionRule("spell.concentration-required"),
    "holding a charge": ConditionRule("spell.hold-charge"),
    "materials set up": ConditionRule("spell.component-material"),
    "silenced": ConditionRule("spell.component-verbal"),
    "gagged": ConditionRule("spell.component-verbal"),
    "hasted": ConditionRule("spell.haste-extra-move"),
    "turning": ConditionRule("turn-undead.concentration"),
    "turned": ConditionRule("turn-undead.turned-effects"),
    "awed": ConditionRule("turn-undead.evil-rebuke"),
    "handling": ConditionRule("items.manipulate-no-reactions", reactions=False),
    "defended": ConditionRule("total-defense.consecutive"),
    "shooting": ConditionRule("attack.ranged-forfeits-dodge"),
    "missile lodged": ConditionRule("reaction.block.lodged-missile"),
    "ki move": ConditionRule("class.monk-ki-extra-move"),
    "refocused": ConditionRule("refocus.rule"),
    "disturbed": ConditionRule("spell.damage-concentration"),
    "upset": ConditionRule("spell.maneuver-concentration"),
    "in hand": ConditionRule("mount.control.untrained"),
    "unruly": ConditionRule("mount.attacked.untrained"),
    "bolting": ConditionRule("mount.control.untrained"),
    "beset": ConditionRule("mount.unguided-behavior"),
    "beside the mount": ConditionRule("mount.combat.use-as-cover"),
    "slumped": ConditionRule("mount.rider-unconscious"),
    "swimming": ConditionRule(
        "water.swimming.no-reactions",
        in_both_modes("defense", "water.swimming.ac-penalty", "ac"),
        reactions=False,
        shieldless=True,
    ),
    "in water": ConditionRule("water.general"),
    "in waters": ConditionRule("water.general"),
    "in a current": ConditionRule("water.general"),
    "holding its breath": ConditionRule("water.hold-breath"),
    "drowning": ConditionRule("water.hold-breath"),
    "flying": ConditionRule("fly.kinds"),
    "stalled": ConditionRule("fly.powered.hazard"),
    "exerted": ConditionRule("run.duration"),
    "on its body": ConditionRule("battlefield-monster.concept"),
    "balancing on its body": ConditionRule("battlefield-monster.balance"),
    "winded": ConditionRule("run.rest"),
    "climbing": ConditionRule("move.unusual-modes"),
    "brachiating": ConditionRule("move.unusual-modes"),
    "burrowing": ConditionRule("move.unusual-modes"),
    "jarred": ConditionRule("called-shot.concentration"),
    **HOLDS,
}

#: Conditions that slow: no dodging, charging or defensive disengagement under them.
SLOWING = frozenset({"staggered", "slowed", "exhausted", "entangled"})
