"""Swallow whole: down the gullet, and out again (srd35.swallow-whole)."""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow, Intent
from affray.engine.record.maneuvers import Contest
from affray.engine.rules.attacks.rend import natural_weapon_as_printed
from affray.engine.rules.classes.ability_modifiers import size_step, trait_detail
from affray.engine.rules.grapple.holds import end_grapple
from affray.engine.rules.grapple.way_out import step_out
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts.combat import ConditionGained, ConditionLost, ResourceSpent
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

SWALLOW: Final = "swallow-whole"
CUTTING: Final = ("slashing", "piercing")


def is_inside(combatant: Combatant, of: Combatant) -> bool:
    """Say whether a combatant has been swallowed by another."""
    held = combatant.conditions.get("swallowed")
    return held is not None and held.source == of.id


def refuse_inside(fight: Fight, grappler: Combatant, weapon: Weapon) -> None:
    """Refuse to the swallowed what does not cut: anything but light slashing and piercing weapons."""
    cuts = weapon.damage_type in CUTTING or any(trait in CUTTING for trait in weapon.traits)
    if "swallowed" in grappler.conditions and not (cuts and weapon.wield in ("light", "natural")):
        raise Refusal(f"the {weapon.name} does not cut a way out", fight.rule(SWALLOW))


def armor_from_inside(fight: Fight, blow: Blow) -> tuple[Modifier, ...]:
    """Return the Armor Class of a swallower against whom it has swallowed: 10 and half of its natural armor.

    Nothing against others (srd35.swallow-whole).
    """
    if not is_inside(blow.attacker, blow.target):
        return ()
    rule = fight.rule(SWALLOW)
    hide = sum(one.value for one in blow.target.sheet.armor if one.kind == "natural")
    share = int(hide * fight.figure(SWALLOW, "natural_share"))
    return (
        fight.modifier(SWALLOW, "ac", kind="base", source="inside"),
        Modifier(share, "natural", "half of the natural armor", rule),
    )


def refuse_swallow(fight: Fight, grappler: Combatant, target: Combatant) -> None:
    """Refuse to swallow whom one has only just grabbed, has swallowed, or who is too big to go down."""
    rule = fight.rule(SWALLOW)
    if not trait_detail(grappler, "swallow whole"):
        raise Refusal(f"{grappler.id} cannot swallow whole", rule)
    if grappler.spent.get("grab") or is_inside(target, grappler):
        reason = f"{grappler.id} can swallow only an opponent that it held in its mouth as the turn began"
        raise Refusal(reason, rule)
    if size_step(grappler) - size_step(target) < fight.figure(SWALLOW, "min_size_difference"):
        raise Refusal(f"{target.id} is too big to be swallowed", rule)


def swallow(fight: Fight, grappler: Combatant, target: Combatant, contest: Contest) -> Steps[bool]:
    """Swallow the opponent if the check was won; what the gut does is the trait's damage."""
    if not contest.won:
        return False
    rule = fight.rule(SWALLOW)
    yield ConditionGained(who=target.id, condition="swallowed", source=grappler.id, cites=(rule,))
    gut = natural_weapon_as_printed("gut", trait_detail(grappler, "swallow whole"))
    blow = Blow(grappler, target, gut, True, 0, Intent("grapple"))
    yield from fight.dialect.damage.deal(fight, blow, False)
    return True


def cut_out(fight: Fight, combatant: Combatant, of: Combatant, before: int) -> Steps[None]:
    """Let the swallowed out once it has cut deep enough: as the trait "gut 15" says, or the game master."""
    rule = fight.rule(SWALLOW)
    dealt = before - of.hp
    if not is_inside(combatant, of) or dealt <= 0:
        return
    yield ResourceSpent(who=of.id, resource="cut from inside", amount=dealt, cites=(rule,))
    enough = trait_detail(of, "gut")
    if enough.isdecimal():
        free = of.resources["cut from inside"] >= int(enough)
    else:
        question = f"has {combatant.id} cut a hole that is big enough to get out?"
        free = (yield Choice("", "cut-out", question, ("no", "yes"), rule)) == "yes"
    if free:
        yield ConditionLost(who=combatant.id, condition="swallowed", why="cuts a way out", cites=(rule,))
        yield from end_grapple(fight, combatant, of, "cut its way out", rule)
        yield from step_out(fight, combatant, (of,))
