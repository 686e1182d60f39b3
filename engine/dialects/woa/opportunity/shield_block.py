"""What worn and held protection suffers in the place of its bearer (woa.ac.touch-*, woa.reaction.block.*)."""

from typing import Any

from affray.engine.dialects.woa.opportunity.block import LODGED
from affray.engine.dialects.woa.table_cells import cell
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.steps import Choice, Roll, Steps, observed
from affray.events.facts.combat import ConditionGained, DamagePart, DamageResolved, ItemStruck
from affray.events.facts.flow import RuleApplied
from affray.events.wording import counted
from affray.projections.state import Combatant

STOPS = "armor stops"
"""The trait of a touch attack that spares whoever's armor it does not beat, and eats the armor."""
OTHER = "any other"


def name_of_protection(combatant: Combatant, kind: str) -> str:
    """Return the name of the shield or armor that a combatant wears, "" for none."""
    return next((one.source or kind for one in combatant.sheet.armor if one.kind == kind), "")


def suffer_in_place(fight: Fight, blow: Blow, critical: bool, dealing: Steps[None]) -> Steps[None]:
    """Deal the damage of a hit; a shield that blocked it suffers what the blow brings along.

    Acid, fire and the like eat at the shield too; a missile whose damage overcomes its hardness lodges
    in it (woa.reaction.block.shield-suffers-effects, .lodged-missile).
    """
    facts: list[Any] = []
    yield from observed(dealing, facts.append)
    dealt = next((fact for fact in reversed(facts) if isinstance(fact, DamageResolved)), None)
    if dealt is None:
        return
    burning = tuple(part for part in dealt.dice if part.source != blow.weapon.name)
    if burning:
        yield from damage_shield(fight, blow, "shield", burning, "woa.reaction.block.shield-suffers-effects")
    if not blow.melee:
        yield from lodge_in_shield(fight, blow, dealt.total)


def damage_shield(
    fight: Fight, blow: Blow, kind: str, dice: tuple[DamagePart, ...], topic: str
) -> Steps[None]:
    """Let a shield or armor take damage, less its hardness, where a table tells how sturdy it is."""
    target = blow.target
    item = name_of_protection(target, kind)
    total = sum(part.total for part in dice)
    sturdy = hardness(fight, item)
    if sturdy is None:
        what = f"the {item} suffers {counted(total, 'point')} in its bearer's place"
        yield RuleApplied(who=target.id, what=what, cites=(fight.rule(topic),))
        return
    hard, points = sturdy
    taken = max(0, total - hard)
    already = target.resources.get(f"damage to {item}", 0)
    yield ItemStruck(
        attacker=blow.attacker.id,
        bearer=target.id,
        item=item,
        weapon=blow.weapon.name,
        dice=dice,
        modifiers=(),
        total=total,
        hardness=hard,
        dealt=taken,
        left=max(0, points - already - taken),
        cites=fight.rules(topic, "woa.reaction.block.lodged-missile"),
    )


def hardness(fight: Fight, item: str) -> tuple[int, int] | None:
    """Return hardness and hit points of a shield by what it is made of, None if nothing is printed."""
    topic = "woa.reaction.block.lodged-missile"
    made = next((row["made"] for row in fight.figure(topic) if row["made"] in item), OTHER)
    hard, points = cell(fight, topic, f"made={made}", "hardness"), cell(fight, topic, f"made={made}", "hp")
    return None if hard is None or points is None else (hard.value, points.value)


def lodge_in_shield(fight: Fight, blow: Blow, total: int) -> Steps[None]:
    """Let a missile stick in the shield that blocked it, and ask whether it is a hindrance.

    Then the shield blocks no more (woa.reaction.block.lodged-missile).
    """
    target = blow.target
    item = name_of_protection(target, "shield")
    sturdy = hardness(fight, item)
    if sturdy is None or total <= sturdy[0] or LODGED in target.conditions:
        return
    rule = fight.rule("woa.reaction.block.lodged-missile")
    yield RuleApplied(who=target.id, what=f"a missile sticks in the {item}", cites=(rule,))
    blow.outcome.kept = True
    question = f"a missile sticks in the {item} of {target.id}: is it a hindrance?"
    if (yield Choice("", "lodged", question, ("no", "yes"), rule)) == "yes":
        yield ConditionGained(who=target.id, condition=LODGED, source=blow.weapon.name, cites=(rule,))


def taken_by_armor(fight: Fight, blow: Blow) -> Steps[bool]:
    """Say whether armor that a touch attack did not beat takes the effect in the wearer's place.

    Only of attacks that work so: their weapons have the trait "armor stops"
    (woa.ac.touch-armor-takes-effect).
    """
    if not blow.intent.touch or STOPS not in blow.weapon.traits:
        return False
    passed = sum(part.value for part in blow.outcome.defense_parts if part.denied.startswith("touch attack"))
    if blow.outcome.total >= blow.outcome.needed + passed:
        return False
    topic = "woa.ac.touch-armor-takes-effect"
    target = blow.target
    yield RuleApplied(who=target.id, what="is spared: its armor takes the effect", cites=(fight.rule(topic),))
    if name_of_protection(target, "armor"):
        yield from damage_kept_off(fight, blow, "armor", topic)
    return True


def damage_kept_off(fight: Fight, blow: Blow, kind: str, topic: str) -> Steps[None]:
    """Roll the damage of a blow that was kept off, and deal it to what kept it off."""
    weapon = blow.weapon
    rolled = yield Roll(blow.attacker.id, "damage", weapon.damage)
    part = DamagePart(weapon.damage, rolled.key, rolled.total, weapon.damage_type, weapon.name)
    yield from damage_shield(fight, blow, kind, (part,), topic)


def struck_by_touch(fight: Fight, blow: Blow) -> Steps[None]:
    """After a touch attack that only the shield made a miss, let the shield suffer its effect.

    woa.ac.touch-shield-takes-effect
    """
    if blow.outcome.natural == fight.figure("woa.attack.natural-1", "face"):
        return
    shield = sum(
        part.value
        for part in blow.outcome.defense_parts
        if part.kind in ("shield", "shield enhancement") and not part.denied
    )
    if shield and blow.outcome.total >= blow.outcome.needed - shield and blow.weapon.damage_type:
        yield from damage_kept_off(fight, blow, "shield", "woa.ac.touch-shield-takes-effect")
