"""Cover in Futurepath: by degree, and what becomes of a shot that the cover stops."""

from affray.engine.dialects.futurepath.conditions.degrees import PARTS_COVERED, declared_degree
from affray.engine.dialects.futurepath.contested import in_force, situational
from affray.engine.dialects.futurepath.defense.things_as_cover import (
    HALF,
    cover_past_things,
    degree_in_way,
    is_less,
    thing_between,
)
from affray.engine.fight.fight import Fight
from affray.engine.modifiers import Tally
from affray.engine.record.blow import ARMOR_CLASS, Blow, Intent
from affray.engine.steps import Choice, Steps
from affray.events.facts.combat import AttackResolved
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

FLAT = "futurepath.modifier.defender-behind-cover"


def behind_total_cover(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return that nobody behind total cover, as declared or of a thing, can be attacked: it has no figure.

    futurepath.cover.total.
    """
    attacker, target = blow.attacker, blow.target
    if "total cover" in target.conditions:
        return f"{target.id} has total cover", "futurepath.cover.total"
    if thing := thing_between(fight, attacker, target):
        return f"{target.id} has total cover from {attacker.id}: {thing}", "futurepath.cover.total"
    return "", ""


def rules_of_cover(fight: Fight, blow: Blow, degree: str, flat: bool) -> list[str]:
    """Return the rules that the bonus of cover rests on, by how much is covered.

    futurepath.cover.bonus, futurepath.cover.defense-bonus, futurepath.cover.degree.bottom-half,
    futurepath.cover.degree.one-side, futurepath.cover.reciprocity, futurepath.assumed.low-wall.
    """
    topics = ["futurepath.cover.bonus"]
    if not flat:
        topics.append("futurepath.cover.defense-bonus")
        for part, (known, rule) in PARTS_COVERED.items():
            if degree == known and part in blow.target.conditions:
                topics.append(rule)
    found = cover_past_things(fight, blow.attacker, blow.target, blow.melee)
    if found.kind == "cover" and not degree:
        topics += ["futurepath.assumed.low-wall"] if found.low else []
        back = cover_past_things(fight, blow.target, blow.attacker, blow.melee)
        topics += ["futurepath.cover.reciprocity"] if blow.melee and back.kind == "cover" else []
    return topics


def cover_by_degree(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return what cover adds to Defense: by its degree where one is declared, else a flat bonus.

    A creature in the way is half cover, a thing as much as it covers (futurepath.cover.*,
    futurepath.modifier.defender-behind-cover).
    """
    degree = declared_degree(blow.target, "cover") if blow.target.conditions else ""
    found = cover_past_things(fight, blow.attacker, blow.target, blow.melee)
    if not degree and found.kind in ("none", "total"):
        return []
    if degree == "total":
        degree = ""
    in_way, giver = degree_in_way(fight, found)
    if not degree and in_way and in_way != HALF and not (found.kind == "cover" and is_less(in_way, HALF)):
        return [cover_of_thing(fight, blow, in_way, giver)]
    # The table itself says how much a creature covers.
    known = "known" if degree or found.kind == "soft" else "unknown"
    flat = in_force(fight, "futurepath.table.cover", {"degree of cover": known}, "Defense") == FLAT
    blow.cites += fight.rules(*rules_of_cover(fight, blow, degree, flat))
    source = f"{degree} cover" if degree else "cover"
    if found.kind == "soft" and (flat or not degree):
        source = f"cover from {', '.join(found.creatures)}"
    elif found.squares and (flat or not degree):
        source = f"cover at {', '.join(f'{x},{y}' for x, y in found.squares[:3])}"
    if flat:
        return [situational(fight, FLAT, "melee" if blow.melee else "ranged", source=source)]
    path = (f"degree={degree or 'one-half'}", "defense")
    return [situational(fight, "futurepath.table.cover", *path, source=source)]


def cover_of_thing(fight: Fight, blow: Blow, degree: str, thing: str) -> Modifier:
    """Return what a thing in the way gives that covers another part of the target than half of it."""
    flat = in_force(fight, "futurepath.table.cover", {"degree of cover": "known"}, "Defense") == FLAT
    blow.cites += fight.rules(*rules_of_cover(fight, blow, degree, flat))
    source = f"{degree} cover from {thing}"
    if flat:
        return situational(fight, FLAT, "melee" if blow.melee else "ranged", source=source)
    return situational(fight, "futurepath.table.cover", f"degree={degree}", "defense", source=source)


def strike_cover(fight: Fight, blow: Blow) -> Steps[None]:
    """After a miss, find out whether the cover was struck and who takes the damage.

    It was if the roll would have hit without it. A thing that is the cover takes the damage, a creature if
    the roll exceeds its Defense; if only its Dexterity or dodging saves it, the first target is hit after
    all, unless the creature would rather stand fast (futurepath.cover.strike.*).
    """
    if blow.outcome.natural == fight.figure("futurepath.attack.natural-1", "face"):
        return
    if not any(map(is_cover, blow.outcome.defense_parts)):
        return
    if blow.outcome.total < open_defense(fight, blow).total:
        return
    found = cover_past_things(fight, blow.attacker, blow.target, blow.melee)
    rule = fight.rule("futurepath.cover.strike.determination")
    if not found.creatures:
        yield RuleApplied(who=blow.target.id, what="the attack strikes the cover", cites=(rule,))
        return
    shield = fight.combatant(degree_in_way(fight, found)[1])
    # A shot at what somebody holds strikes the creature in the way as any shot does.
    against = ARMOR_CLASS if blow.intent.item else blow.intent.against
    intent = Intent("cover", against, blow.intent.nonlethal)
    struck = Blow(blow.attacker, shield, blow.weapon, blow.melee, blow.distance, intent)
    struck.outcome = blow.outcome
    if shield.sheet.thing is not None:
        yield RuleApplied(who=shield.id, what=f"the attack strikes the cover: {shield.id}", cites=(rule,))
        yield from fight.dialect.damage.deal(fight, struck, False)
        return
    yield from strike_shield(fight, blow, struck, shield, rule)


def is_cover(part: Modifier) -> bool:
    """Say whether a part of Defense comes from cover."""
    return part.rule in ("futurepath.table.cover", "futurepath.modifier.defender-behind-cover")


def open_defense(fight: Fight, blow: Blow) -> Tally:
    """Return the Defense of a blow's target as it would be without cover."""
    dialect = fight.dialect
    cited, blow.cites = blow.cites, []
    parts = [
        *dialect.defense.defense_bonus(fight, blow),
        *blow.defense_extra,
        *dialect.defense.defense_situation(fight, blow),
    ]
    # What these cite, the roll has cited.
    blow.cites = cited
    return dialect.attacks.stack(fight, [part for part in parts if not is_cover(part)])


def strike_shield(fight: Fight, blow: Blow, struck: Blow, shield: Combatant, rule: str) -> Steps[None]:
    """Compare the roll with the Defense of the creature in the way and deal the damage to whom it falls."""
    dialect = fight.dialect
    tally = open_defense(fight, struck)
    evading = [part for part in tally.parts if part.source == "Dexterity" or part.kind == "dodge"]
    agile = sum(part.value for part in evading if part.value > 0 and not part.denied)
    hit = strikes_cover(fight, struck.outcome.total, tally.total)
    grazed = not hit and strikes_cover(fight, struck.outcome.total, tally.total - agile)
    topic = (
        "futurepath.cover.strike.creature-dodges" if grazed else "futurepath.cover.strike.creature-as-cover"
    )
    yield AttackResolved(
        attacker=blow.attacker.id,
        target=shield.id,
        weapon=blow.weapon.name,
        mode="melee" if blow.melee else "ranged",
        against="Defense of the cover",
        key="",
        natural=blow.outcome.natural,
        total=struck.outcome.total,
        needed=tally.total,
        result="hit" if hit else "miss",
        why=f"{struck.outcome.total} against the Defense {tally.total} of the creature in the way",
        attack=blow.outcome.attack_parts,
        defense=tally.parts,
        cites=(rule, fight.rule(topic)),
    )
    if grazed:
        waive = fight.rule("futurepath.cover.strike.creature-may-waive-dodge")
        question = f"the attack on {blow.target.id} strikes {shield.id}: does it dodge aside?"
        stays = (yield Choice(shield.id, "dodge-aside", question, ("dodge", "stand"), waive)) == "stand"
        yield from dialect.damage.deal(fight, struck if stays else blow, False)
    elif hit:
        yield from dialect.damage.deal(fight, struck, False)


def strikes_cover(fight: Fight, total: int, needed: int) -> bool:
    """Say whether a roll strikes the creature that is the cover: it must exceed, by the default reading."""
    return total > needed or (total == needed and fight.option("cover_struck") == "equal-or-beat")
