"""What armor and shields come to as they are worn just now (srd35.armor.no-stack, srd35.armor.hasty)."""

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import Same, per_fight
from affray.engine.record.blow import Blow
from affray.events.facts.modifier import Modifier

ONCE = ("armor", "shield")


def armor_as_worn(fight: Fight, blow: Blow, parts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return the parts of the target's Armor Class as what it wears sits now.

    Of two suits of armor, or two shields, the better one counts; what was put on in haste protects less.
    """
    target = blow.target
    hasty = tuple(name for name, state in target.items.items() if state == "hasty") if target.items else ()
    return hastily_worn_parts(fight, parts, hasty)


@per_fight(Same("parts"), "hasty")
def hastily_worn_parts(
    fight: Fight, parts: tuple[Modifier, ...], hasty: tuple[str, ...]
) -> tuple[Modifier, ...]:
    """Return the parts with those lessened that were put on in haste, and the second of a kind denied."""
    made = []
    for part in parts:
        if part.source in hasty and part.kind in ONCE:
            less = part.value + fight.figure("srd35.armor.hasty", "bonus")
            part = replace(
                part,
                value=less,
                source=f"{part.source}, put on in haste",
                rule=fight.rule("srd35.armor.hasty"),
            )
        made.append(part)
    for kind in ONCE:
        same = [part for part in made if part.kind == kind and not part.denied]
        ranked = sorted(same, key=lambda part: -part.value)
        for part in ranked[1:]:
            rule = fight.rule("srd35.armor.no-stack")
            why = f"the {ranked[0].source} protects better ({rule})"
            made[made.index(part)] = replace(part, rule=rule, denied=why)
    return parts if made == list(parts) else tuple(made)


def behind_tower_shield(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return why a target cannot be attacked at all, and the rule's topic: it hides behind a tower shield.

    srd35.armor.tower-shield.
    """
    if "sheltered" in blow.target.conditions:
        return f"{blow.target.id} has total cover behind its shield", "srd35.armor.tower-shield"
    return "", ""
