"""The coup de grace."""

from functools import partial

from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.rules.attacks.critical_hits import immune_to_criticals
from affray.engine.rules.classes.saves_and_checks import saving_throw
from affray.engine.rules.conditions.immunities import spared_fortitude
from affray.engine.rules.damage.injury import change_health
from affray.engine.rules.gear.held_weapons import strikes_in_melee
from affray.engine.rules.gear.weapons_in_hand import find_weapon, refuse_lost_weapon
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.position.place import next_to
from affray.engine.rules.turns.action_budget import refuse_unless_allowed
from affray.engine.rules.turns.interruption import footing, goes_on
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import AttackResolved, ResourceSpent
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import Weapon


def coup_de_grace(fight: Fight, act: acts.CoupDeGrace) -> Steps[None]:
    """Finish a helpless opponent: a full-round action that hits and is critical of itself.

    It provokes; who survives the damage saves (Fortitude, DC 10 + damage) or dies
    (srd35.coup-de-grace.*).

    futurepath.attack.coup-de-grace.auto-critical, futurepath.attack.coup-de-grace.fortitude,
    futurepath.attack.coup-de-grace.provokes, futurepath.attack.coup-de-grace.weapons, pf1.coup-de-grace,
    srd35.coup-de-grace.action, srd35.coup-de-grace.auto-crit, srd35.coup-de-grace.crit-immune,
    srd35.coup-de-grace.death-save, srd35.coup-de-grace.provokes.
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    refuse_unless_allowed(fight, actor, "full-round")
    rule = fight.rule("coup-de-grace.action")
    if not is_helpless(fight, target):
        raise Refusal(f"{target.id} is not helpless", rule)
    weapon = find_weapon(fight, actor, act.weapon)
    finishes = fight.dialect.attacks.finishing_weapon(weapon)
    if not strikes_in_melee(weapon) and not (finishes and next_to(actor, target)):
        fit = f"a melee weapon, or a bow or crossbow shot from next to {target.id}"
        reason = f"the {weapon.name} cannot finish {target.id}: that takes {fit}"
        raise Refusal(reason, rule)
    blow = fight.dialect.attacks.prepare(fight, actor, target, weapon, "coup de grace")
    if immune_to_criticals(fight, blow):
        raise Refusal(f"{target.id} is immune to critical hits", fight.rule("coup-de-grace.crit-immune"))
    yield ActionSpent(who=actor.id, kind="full-round", what="coup de grace", cites=(rule,))
    stood = footing(fight, actor, target)
    yield from fight.dialect.opportunity.provoke(
        fight,
        actor,
        threatening(fight, actor),
        "delivers a coup de grace",
        f"coup:{fight.declaration}",
        fight.rule("coup-de-grace.provokes"),
        *fight.dialect.turns.table_rules(fight, "full-round", "Deliver coup de grace"),
    )
    again = partial(refuse_lost_weapon, fight, actor, weapon)
    if not (yield from goes_on(fight, stood, again, "the coup de grace")):
        return
    if weapon.ammunition is not None and not blow.melee:
        cites = (fight.rule("weapon.ammunition"),)
        yield ResourceSpent(who=actor.id, resource=weapon.name, amount=1, cites=cites)
    yield AttackResolved(
        attacker=actor.id,
        target=target.id,
        weapon=weapon.name,
        mode="melee" if blow.melee else "ranged",
        against="helpless",
        key="",
        natural=0,
        total=0,
        needed=0,
        result="critical",
        why="a coup de grace hits and is critical of itself",
        attack=(),
        defense=(),
        cites=(fight.rule("coup-de-grace.auto-crit"),),
    )
    before = target.hp
    yield from fight.dialect.damage.deal(fight, blow, True)
    dealt = before - target.hp
    if "dead" not in target.conditions and dealt > 0:
        topic = "coup-de-grace.death-save"
        undying = fight.dialect.damage.undying(fight, target)
        if undying:
            yield RuleApplied(who=target.id, what="cannot die of it now", cites=fight.rules(topic, undying))
            return
        if (yield from spared_fortitude(fight, target, "a coup de grace")):
            return
        saved = yield from saving_throw(
            fight, target, "fort", fight.formula(topic, "dc") + dealt, "a coup de grace", fight.rule(topic)
        )
        if not saved:
            yield from change_health(fight, target, "dead", "coup de grace", topic)


def bows_finish(weapon: Weapon) -> bool:
    """Say whether a weapon can deliver a coup de grace by a shot: bows and crossbows."""
    return weapon.family in ("bow", "crossbow")
