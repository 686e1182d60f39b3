"""What takes parts of Armor Class away: the touch of the incorporeal, lost Dexterity.

srd35.ac.*, srd35.cond.no-dex-list.
"""

from msgspec.structs import replace

from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.ability_modifiers import ability
from affray.engine.rules.conditions.condition_rules import effect_parts
from affray.engine.rules.defense import armor_class
from affray.engine.rules.defense.force_armor import is_of_force
from affray.events.facts.modifier import Modifier

#: What armor of an unusual kind says of itself where it stops the incorporeal too.
GHOST_TOUCH = "ghost touch"
#: How reasons for a lost Dexterity bonus read in the table of those that there are.
LISTED = {
    "grappling": "grappling vs outsiders",
    "running": "running (no Run feat)",
    "feint": "successful feint against you",
    "balancing": "balancing (too few ranks)",
    "squeezing": "squeezing by Escape Artist",
}


def cite_lost_parts(fight: Fight, blow: Blow, parts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return the parts of the target's Armor Class, citing what took Dexterity and dodging away.

    srd35.ac.flat-footed, srd35.ac.dodge-bonus, srd35.cond.no-dex-list, srd35.ac.armor-cap-not-denied.
    """
    reason, _ = fight.dialect.defense.dexterity_denied(fight, blow)
    if reason:
        cite_denied_dexterity(fight, blow, reason, parts)
    elif ability(blow.target.sheet, "dex") > 0 == blow.target.sheet.max_dex:
        blow.cites.append(fight.rule("srd35.ac.armor-cap-not-denied"))
    return parts


def incorporeal_touch(fight: Fight, blow: Blow, parts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Deny what is no obstacle to the incorporeal: armor, shield and natural armor, unless it is of force.

    srd35.ac.incorporeal-touch.
    """
    rule = fight.rule("srd35.ac.incorporeal-touch")
    denied = f"incorporeal: it does not count ({rule})"
    made = tuple(
        replace(part, denied=denied)
        if part.value > 0 and part.kind in armor_class.PHYSICAL and not stops_incorporeal(part)
        else part
        for part in parts
    )
    if made != parts:
        blow.cites.append(rule)
    return made


def stops_incorporeal(part: Modifier) -> bool:
    """Say whether a part of Armor Class counts no more anyway, or stops the incorporeal as well."""
    return bool(part.denied) or GHOST_TOUCH in part.source or is_of_force(part.source)


def cite_denied_dexterity(fight: Fight, blow: Blow, reason: str, parts: tuple[Modifier, ...]) -> None:
    """Cite the rules by which Dexterity and dodge bonuses are lost for this reason, if any were."""
    lost = {part.kind for part in parts if part.denied.startswith(f"{reason}:")}
    lost |= {part.kind for part in passing_dodges(blow)}
    if "dodge" in lost:
        blow.cites.append(fight.rule("srd35.ac.dodge-bonus"))
    if not lost:
        return
    if reason == "flat-footed":
        blow.cites.append(fight.rule("srd35.ac.flat-footed"))
    listed = "helpless" if is_helpless(fight, blow.target) else LISTED.get(reason, reason)
    if listed in fight.figure("srd35.cond.no-dex-list"):
        blow.cites.append(fight.rule("srd35.cond.no-dex-list"))


def passing_dodges(blow: Blow) -> list[Modifier]:
    """Return the passing dodge bonuses of the target against this attacker."""
    parts = effect_parts(blow.target, "defense", blow.attacker.id)
    return [part for part in parts if part.kind == "dodge" and part.value > 0]


def helpless_at_range(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Return the Dexterity of the helpless against missiles: 0 too, or as ever (helpless_ranged)."""
    return [] if fight.option("helpless_ranged") == "no-penalty" else parts


def cite_helpless(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of the defense, citing srd35.helpless.ac if it has the row on the helpless."""
    row = fight.rule("srd35.ac-mod.helpless")
    if any(part.rule == row for part in parts):
        blow.cites.append(fight.rule("srd35.helpless.ac"))
    return parts
