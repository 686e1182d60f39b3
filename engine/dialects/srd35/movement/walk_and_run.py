"""Going on foot: a move, a run and how long one can keep it up (srd35.speed.run, srd35.run.endurance)."""

from collections.abc import Callable, Mapping

from affray.engine.dialects.srd35.environment import wind
from affray.engine.dialects.srd35.gear.worn_items import HEAVY_LOAD, OVERLOADED
from affray.engine.dialects.srd35.mounted.barding import is_barded
from affray.engine.dialects.srd35.movement import balance, climb, swim, tumble
from affray.engine.dialects.srd35.movement import fly as srd35_fly
from affray.engine.dialects.srd35.movement.load import load_row, pounds_carried
from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.conditions.condition_rules import blind_to
from affray.engine.rules.environment import in_water
from affray.engine.rules.movement import balance as balancing
from affray.engine.rules.movement import on_foot
from affray.engine.rules.movement.fly import refuse_aloft
from affray.engine.rules.movement.pace import with_speed_told
from affray.engine.rules.movement.run_endurance import refuse_winded
from affray.engine.rules.turns.action_budget import refuse_unless_allowed
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.projections.state import Combatant


def refuse_to_move(fight: Fight, act: acts.Move) -> None:
    """Refuse a move to those under too much or out of breath, against the wind, and after a full round."""
    mover = fight.combatant(act.actor)
    if mover.conditions:
        refuse_overloaded(fight, mover)
        refuse_winded(fight, mover, act.how == "double")
        wind.refuse_against(fight, mover, act.path)
    if mover.spent.get("full-round"):
        try:
            refuse_unless_allowed(fight, mover, "move")
        except Refusal as spent:
            reason = f"{spent.reason}: a 5-foot step is all there is"
            raise Refusal(reason, fight.rule("srd35.speed.full-round-five-foot-step")) from None


def tell_move(fight: Fight, act: acts.Move, moving: Steps[None]) -> Steps[None]:
    """Move on foot; tell whence the speed comes, and what a second move action is.

    Whoever has come off narrow or slippery ground stands firmly again.
    """
    mover = fight.state.combatants[act.actor]
    cites = []
    if mover.spent.get("move"):
        cites.append("srd35.speed.double-move")
    elif mover.spent.get("standard"):
        cites.append("srd35.speed.move-plus-action")
    yield from with_speed_told(fight, act.actor, moving, *fight.rules(*cites))
    if mover.conditions:
        yield from balancing.onto_firm_ground(fight, mover)


def refuse_to_run(fight: Fight, act: acts.Run) -> None:
    """Refuse to run to those under too much, out of breath, or blind."""
    mover = fight.combatant(act.actor)
    if mover.conditions:
        refuse_overloaded(fight, mover)
        refuse_winded(fight, mover, True)
        refuse_blind(fight, mover)


def tell_run(fight: Fight, act: acts.Run, running: Steps[None]) -> Steps[None]:
    """Run; tell whence the speed comes, and by which rule it is multiplied."""
    topic = run_multiple_and_rule(fight, fight.combatant(act.actor))[1]
    return with_speed_told(fight, act.actor, running, fight.rule(topic))


def refuse_overloaded(fight: Fight, mover: Combatant) -> None:
    """Refuse to those who bear more than they can carry any way but a stagger of 5 ft. (srd35.load.lift)."""
    if OVERLOADED in mover.conditions:
        raise Refusal(f"{mover.id} bears more than it can carry", fight.rule("srd35.load.lift"))


def refuse_off_the_ground(fight: Fight, act: acts.Move) -> None:
    """Refuse to walk in the air, on a wall, or where the water is too deep to stand.

    srd35.move.fly-table, srd35.skill.climb, srd35.hazard.water-combat.
    """
    mover = fight.combatant(act.actor)
    refuse_aloft(fight, mover, fight.rule(srd35_fly.TABLE))
    if climb.height_climbed(mover):
        raise Refusal(f"{mover.id} is {climb.height_climbed(mover)} ft. up a wall", fight.rule(climb.TOPIC))
    state = mover.conditions.get(in_water.IN_WATER)
    if state is not None and state.source != in_water.FOOTING:
        raise Refusal(f"{mover.id} has no ground under its feet and must swim", fight.rule(in_water.COMBAT))


def refuse_blind(fight: Fight, mover: Combatant) -> None:
    """Refuse to run where one cannot see the ground (srd35.run.action)."""
    if blind_to(fight, mover):
        raise Refusal(f"{mover.id} cannot run where it sees nothing", fight.rule("srd35.run.action"))


def run_multiple(fight: Fight, mover: Combatant) -> int:
    """Return how many times its speed a combatant runs."""
    return run_multiple_and_rule(fight, mover)[0]


def run_multiple_and_rule(fight: Fight, mover: Combatant) -> tuple[int, str]:
    """Return how many times its speed a combatant runs, and the topic of the rule that says so.

    Four, in heavy armor or barding three, under a load what its row says; the Run feat adds to each
    (srd35.speed.run, srd35.speed.run-heavy-armor, srd35.armor.barding, srd35.load.effects-table,
    srd35.feat.run).
    """
    heavy = mover.sheet.armor_weight == "heavy"
    if has_feat(mover, "run"):
        slow = heavy or HEAVY_LOAD in mover.conditions
        return int(fight.figure("srd35.feat.run", "heavy" if slow else "multiple")), "srd35.feat.run"
    if heavy and is_barded(fight, mover):
        return int(fight.figure("srd35.armor.barding", "heavy_run")), "srd35.armor.barding"
    if heavy:
        return int(
            fight.figure("srd35.speed.run-heavy-armor", "heavy_armor_or_load")
        ), "srd35.speed.run-heavy-armor"
    row = load_row(fight, mover) if pounds_carried(mover) else None
    if row is not None:
        return int(row["run"]), "srd35.load.effects-table"
    return int(fight.figure("srd35.speed.run", "multiplier")), "srd35.speed.run"


def refuse_to_withdraw(fight: Fight, act: acts.Withdraw) -> None:
    """Refuse to withdraw to those out of breath or under too much."""
    mover = fight.combatant(act.actor)
    if mover.conditions:
        refuse_overloaded(fight, mover)
        refuse_winded(fight, mover, True)


def tell_withdrawal(fight: Fight, act: acts.Withdraw, moving: Steps[None]) -> Steps[None]:
    """Withdraw; tell whence the speed comes."""
    return with_speed_told(fight, act.actor, moving)


def charge_unless_winded(fight: Fight, act: acts.Charge, charging: Steps[None]) -> Steps[None]:
    """Charge, but not out of breath or under too much (srd35.run.endurance)."""
    mover = fight.combatant(act.actor)
    if mover.conditions:
        refuse_overloaded(fight, mover)
        refuse_winded(fight, mover, True)
    yield from with_speed_told(fight, act.actor, charging)


WAYS: Mapping[str, Callable[[Fight, acts.Move], Steps[None]]] = {
    "double": on_foot.double_move,
    "crawl": on_foot.crawl,
    "tumble": tumble.tumble,
    "balance": balance.balance,
    "climb": climb.climb,
    "swim": swim.swim,
    "fly": srd35_fly.fly,
}
