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


def incapacitated(
    topic: str, *, down: bool, helpless: bool = True, actions: str = "none", empties: bool = False
) -> ConditionRule:
    """Return a condition in which nothing can be done, but perhaps by the mind, and nothing is warded off."""
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
    """Return what a low posture changes, by the names that its figures have."""
    if topic == POSTURES:
        names = ("melee_attack", "ac_vs_melee", "ac_vs_ranged")
    else:
        names = ("melee_attack", "melee_ac", "ranged_ac")
    return (
        Change("attack.melee", topic, (*path, names[0]), apart=apart),
        Change("defense.melee", topic, (*path, names[1]), apart=apart),
        Change("defense.ranged", topic, (*path, names[2]), kind="posture", apart=apart),
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
    "staggered": "woa.condition.staggered",
    "slowed": "woa.condition.slowed",
    "exhausted": "woa.condition.exhausted",
}
#: What the bonds of an entangled creature do to it.
ENSNARED = (
    *in_both_modes("attack", "woa.condition.entangled", "attack"),
    *in_both_modes("defense", "woa.condition.entangled", "ac"),
    Change("save.ref", "woa.condition.entangled", ("reflex",)),
    Change("check dex", "woa.condition.entangled", ("dex_checks",)),
)

#: Conditions under which the shield bonus is lost together with Dexterity and dodge.
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
    # Crawling on top of crouching makes the modifiers of the prone; the prone crawl as they are.
    "crawling": ConditionRule(
        "woa.posture.crawl-prone", low_posture("woa.posture.crouching.modifiers", apart=True)
    ),
    "kneeling": ConditionRule("woa.posture.kneeling-sitting", low_posture(POSTURES, *ON_GROUND)),
    "sitting": ConditionRule("woa.posture.kneeling-sitting", low_posture(POSTURES, *ON_GROUND)),
    "seated": ConditionRule("woa.posture.kneeling-sitting", low_posture(POSTURES, *ON_CHAIR)),
    "squeezed": ConditionRule("woa.squeezing.penalties", tight_place("woa.squeezing.penalties")),
    "stooping": ConditionRule("woa.squeeze.low-ceiling", tight_place("woa.squeeze.low-ceiling")),
    "wriggling": ConditionRule(
        "squeezing.escape-artist", tight_place("squeezing.escape-artist"), dexterity=False, reactions=False
    ),
    "worming": ConditionRule(
        "woa.squeeze.very-low-ceiling",
        tight_place("woa.squeeze.very-low-ceiling"),
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

#: Conditions that slow: no dodging, charging or defensive disengagement under them.
SLOWING = frozenset({"staggered", "slowed", "exhausted", "entangled"})
