"""What does not burn: tanglefoot goo and thunderstones (srd35.gear.splash-table, pf1.gear.splash-ref)."""

from typing import Any

from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.ability_modifiers import ability, size_step
from affray.engine.rules.classes.ability_scores import ability_now, lowered
from affray.engine.rules.classes.saves_and_checks import check, saving_throw
from affray.engine.rules.conditions.condition_rules import come_over
from affray.engine.rules.gear.substances import TABLE, substance_row
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.turns.action_budget import spending
from affray.engine.rules.turns.expiry import for_rounds
from affray.engine.steps import Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, ResourceSpent
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import SIZES, Weapon
from affray.projections.state import Combatant

STUCK = "stuck"
GOO = "damage to the goo"
MINUTES_PER_HOUR = 60


def entangle_with_goo(
    fight: Fight, holder: Combatant, weapon: Weapon, target: Combatant, row: dict[str, Any]
) -> Steps[None]:
    """Entangle with goo; who fails a Reflex save is glued to the floor. The biggest are not bothered."""
    rule = fight.rule(TABLE)
    if size_step(target) > SIZES.index(row["largest"]):
        yield RuleApplied(who=target.id, what=f"is too big for a {weapon.name}", cites=(rule,))
        return
    rolled = yield Roll(holder.id, "rounds", str(row["duration"]))
    until = for_rounds(fight, holder, rolled.total)
    gained = ConditionGained(
        who=target.id, condition="entangled", source=weapon.name, until=until, cites=(rule,)
    )
    yield from come_over(fight, gained)
    if not (yield from saving_throw(fight, target, "ref", row["reflex_dc"], weapon.name, rule)):
        cut = target.resources.get(GOO, 0)
        if cut and STUCK not in target.conditions:  # of goo that is gone
            yield ResourceSpent(who=target.id, resource=GOO, amount=-cut, cites=(rule,))
        yield ConditionGained(who=target.id, condition=STUCK, source=weapon.name, until=until, cites=(rule,))


def break_free(fight: Fight, act: acts.BreakFree) -> Steps[None]:
    """Get loose from the goo: by a Strength check, or by slashing at it until it gives."""
    actor = fight.combatant(act.actor)
    rule = fight.rule(TABLE)
    held = actor.conditions.get(STUCK)
    if held is None:
        raise Refusal(f"{actor.id} is not stuck", rule)
    row = substance_row(fight, held.source)
    if not row:
        raise Refusal(f"no rule says how to get loose from {held.source}", rule)
    free = False
    if act.weapon:
        weapon = find_weapon(fight, actor, act.weapon)
        if weapon.damage_type != "slashing":
            raise Refusal(f"the {weapon.name} does not cut", rule)
        yield spending(fight, actor, "standard", f"cut at the {held.source}", rule)
        rolled = yield Roll(actor.id, "damage", weapon.damage)
        dealt = max(0, rolled.total + ability_now(fight, actor, "str"))
        yield ResourceSpent(who=actor.id, resource=GOO, amount=dealt, cites=(rule,))
        free = actor.resources[GOO] >= row["slashing"]
    else:
        yield spending(fight, actor, "standard", f"strain against the {held.source}", rule)
        parts = [Modifier(ability(actor.sheet, "str"), "ability", "Strength", rule)]
        parts += lowered(fight, actor, "str")
        free = yield from check(fight, actor, "strength", parts, row["strength_dc"], rule)
    if free:
        yield ConditionLost(who=actor.id, condition=STUCK, why="breaks free", cites=(rule,))


def deafen_around(
    fight: Fight, holder: Combatant, weapon: Weapon, near: list[Combatant], row: dict[str, Any]
) -> Steps[None]:
    """Deafen those around a thunderstone who fail a Fortitude save."""
    rule = fight.rule(TABLE)
    minutes = row["deafened_hours"] * MINUTES_PER_HOUR
    rounds = minutes * fight.figure("round.six-seconds", "rounds_per_minute")
    until = for_rounds(fight, holder, rounds)
    noise = f"{weapon.name} within {row['radius_ft']} ft."
    for one in near:
        if (yield from fight.dialect.gear.spared_noise(fight, one, noise)):
            continue
        if not (yield from saving_throw(fight, one, "fort", row["fort_dc"], noise, rule)):
            fact = ConditionGained(
                who=one.id, condition="deafened", source=weapon.name, until=until, cites=(rule,)
            )
            yield from fight.dialect.conditions.gain(fight, fact)
