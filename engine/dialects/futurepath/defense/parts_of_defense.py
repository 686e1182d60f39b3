"""What each part of Defense comes of, and the rules by which some do not count."""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.record.blow import Blow
from affray.events.facts.modifier import Modifier

#: The rule of each kind of part of Defense.
KINDS: Final = {
    "ability": "futurepath.defense.dexterity-modifier",
    "class": "futurepath.defense.class-bonus",
    "equipment": "futurepath.defense.equipment-bonus",
    "armor": "futurepath.defense.equipment-bonus",
    "shield": "futurepath.defense.equipment-bonus",
    "feat": "futurepath.defense.feat-bonus",
    "natural": "futurepath.defense.natural-armor",
    "natural armor": "futurepath.defense.natural-armor",
    "dodge": "futurepath.defense.dodge-bonuses",
    "enhancement": "futurepath.defense.magic-bonuses",
    "deflection": "futurepath.defense.magic-bonuses",
}
WORN: Final = ("equipment", "armor", "shield")


def by_kind(fight: Fight, blow: Blow, parts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return the parts of Defense, each under the rule of its kind; cite what does not count.

    Dexterity, dodging and magic, class, feats, natural armor, size; what is worn counts by half measures for
    those not trained in it, and not against a touch (futurepath.defense.dexterity-modifier,
    futurepath.defense.class-bonus, futurepath.defense.equipment-bonus, futurepath.defense.feat-bonus,
    futurepath.defense.natural-armor, futurepath.defense.dodge-bonuses, futurepath.defense.magic-bonuses).
    """
    formula = fight.rule("futurepath.defense.formula")
    blow.cites += fight.rules(*deciding(fight, blow, parts))
    untrained = {worn.name for worn in blow.target.sheet.worn if not worn.proficient}
    least: dict[str, int] = {}
    for part in parts:
        if part.kind in WORN and part.source in untrained:
            least[part.source] = min(part.value, least.get(part.source, part.value))
    found = []
    for part in parts:
        kind = "feat" if is_by_feat(blow, part) and part.kind != "dodge" else part.kind
        if part.rule == formula and kind in KINDS:
            part = replace(part, rule=fight.rule(KINDS[kind]))
        if part.value > least.get(part.source, part.value) and part.kind in WORN and not part.denied:
            rule = fight.rule(KINDS[part.kind])
            part = replace(part, denied=f"not proficient with the {part.source} ({rule})")
        found.append(part)
    return tuple(found)


def is_by_feat(blow: Blow, part: Modifier) -> bool:
    """Say whether a part of Defense comes of a feat: by its kind, or called after one on the sheet."""
    return part.kind == "feat" or part.source.casefold() in blow.target.sheet.feats


def deciding(fight: Fight, blow: Blow, parts: tuple[Modifier, ...]) -> Iterator[str]:
    """Yield the topics of the rules on what a Defense is made of besides its parts, and on what it lacks.

    futurepath.defense.size-modifier, futurepath.defense.dexterity-denied,
    futurepath.defense.equipment-denied, futurepath.defense.feat-bonus, futurepath.defense.dodge-bonuses.
    """
    if any(part.kind == "size" for part in parts):
        yield "futurepath.defense.size-modifier"
    if any(is_by_feat(blow, part) for part in parts):
        yield "futurepath.defense.feat-bonus"
    if blow.intent.touch and any(part.kind in WORN and part.denied for part in parts):
        yield "futurepath.defense.equipment-denied"
    if not fight.dialect.defense.dexterity_denied(fight, blow)[0]:
        return
    agile = [part for part in parts if part.kind in ("dodge", "ability") and part.value > 0]
    if agile and not is_helpless(fight, blow.target):
        yield "futurepath.defense.dexterity-denied"
