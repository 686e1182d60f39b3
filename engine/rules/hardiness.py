"""What hardens a barbarian, and what sharpens a ranger: damage reduction, favored enemies."""

from collections.abc import Iterator

from affray.engine.fight import Fight
from affray.engine.rules import soak
from affray.engine.rules.abilities import has_trait
from affray.engine.rules.blow import Blow, Harm
from affray.engine.rules.monk import at_level
from affray.events.facts.modifier import Modifier


def reduce(fight: Fight, harm: Harm) -> tuple[int, str]:
    """Return what damage reduction leaves; a barbarian has some of his own, of all the best counts.

    srd35.class.barbarian-dr.
    """
    level = harm.target.sheet.classes.get("barbarian", 0)
    if not level or harm.energy:
        return soak.reduce(fight, harm)
    own = at_level(fight.figure("class.barbarian-dr"), level) or 0
    return soak.reduce(fight, harm, own, "class.barbarian-dr")


def favored_enemy(fight: Fight, blow: Blow, detail: str) -> Iterator[Modifier]:
    """Yield the bonus on weapon damage against a favored enemy: "favored enemy undead +4" on the sheet.

    How often one kind may have been raised depends on the ranger's level (srd35.class.favored-enemy).
    """
    kind, _, printed = detail.partition(" +")
    kind = kind.strip("() ")
    target = blow.target
    if (target.sheet.kind != kind and not has_trait(target, kind)) or blow.weapon.family == "spell":
        return
    topic = "class.favored-enemy"
    least, step = fight.figure(topic, "bonus"), fight.figure(topic, "step")
    level = blow.attacker.sheet.classes.get("ranger", 0)
    most = sum(level >= reached for reached in fight.figure(topic, "levels"))
    raised = min((int(printed) - least) // step, most) if printed.isdecimal() else 0
    yield Modifier(
        least + step * max(0, raised), "favored enemy", f"favored enemy: {kind}", fight.rule(topic)
    )
