"""Undead under command: how many, their orders, and letting them go (srd35.turn.commanded)."""

from affray.engine.dialects.srd35.classes.turning_power import hit_dice_to_turn
from affray.engine.fight.fight import Fight
from affray.engine.rules.conditions.condition_rules import refuse_down
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, SideChanged
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.projections.state import Combatant


def room_to_command(
    fight: Fight, combatant: Combatant, level: int, target: Combatant, dice: int
) -> Steps[bool]:
    """Say whether the turner can command so many Hit Dice more, letting others go if it will.

    srd35.turn.command-limit, srd35.turn.command-release.
    """
    for other in under_command(fight, combatant):
        if commanded_dice(fight, combatant, target) + dice <= level or other is target:
            continue
        rule = fight.rule("srd35.turn.command-release")
        question = f"does {combatant.id} let {other.id} go to command {target.id}?"
        if (yield Choice(combatant.id, "release", question, ("keep", "release"), rule)) == "release":
            yield from set_free(other, f"released by {combatant.id}", rule)
    held = commanded_dice(fight, combatant, target)
    if held + dice <= level:
        return True
    what = f"{held} + {dice} Hit Dice are more than {combatant.id} can command"
    yield RuleApplied(who=target.id, what=what, cites=(fight.rule("srd35.turn.command-limit"),))
    return False


def commanded_dice(fight: Fight, combatant: Combatant, but: Combatant) -> int:
    """Return the Hit Dice that a cleric commands, not counting one creature."""
    return sum(hit_dice_to_turn(fight, one)[0] for one in under_command(fight, combatant) if one is not but)


def command(fight: Fight, combatant: Combatant, target: Combatant) -> Steps[None]:
    """Put a creature under mental control: on the turner's side, without orders yet."""
    cites = fight.rules("srd35.turn.evil", "srd35.turn.destroy", "srd35.turn.commanded")
    if "under orders" in target.conditions:
        yield from set_free(target, f"commanded by {combatant.id}", fight.rule("srd35.turn.commanded"))
    yield ConditionGained(who=target.id, condition="commanded", source=combatant.id, cites=cites)
    if target.side != combatant.side:
        why = f"commanded by {combatant.id}"
        yield SideChanged(
            who=target.id, side=combatant.side, why=why, cites=(fight.rule("srd35.turn.commanded"),)
        )


def under_command(fight: Fight, master: Combatant) -> list[Combatant]:
    """Return the creatures that a cleric commands, in order of entry."""
    return [
        one
        for one in fight.state.combatants.values()
        if "commanded" in one.conditions
        and one.conditions["commanded"].source == master.id
        and "dead" not in one.conditions
    ]


def order_commanded(fight: Fight, act: acts.TurnUndead) -> Steps[None]:
    """Give commanded creatures orders by thought: a standard action (srd35.turn.commanded)."""
    actor = fight.combatant(act.actor)
    rule = fight.rule("srd35.turn.commanded")
    targets = commanded(fight, actor, act, rule)
    yield spending(fight, actor, fight.figure("srd35.turn.commanded", "order_action"), "orders", rule)
    for target in targets:
        words = f"orders: {act.words}" if act.words else "orders"
        yield ConditionGained(who=target.id, condition="under orders", source=words, cites=(rule,))


def release_commanded(fight: Fight, act: acts.TurnUndead) -> Steps[None]:
    """Give up the command of creatures, at any time (srd35.turn.command-release)."""
    actor = fight.combatant(act.actor)
    rule = fight.rule("srd35.turn.command-release")
    targets = commanded(fight, actor, act, rule)
    refuse_down(fight, actor, "give up its command")
    yield ActionSpent(who=actor.id, kind="free", what="release", cites=(rule,))
    for target in targets:
        yield from set_free(target, f"released by {actor.id}", rule)


def commanded(fight: Fight, actor: Combatant, act: acts.TurnUndead, rule: str) -> list[Combatant]:
    """Return those whom an order or a release means. Refuses those who are not under command."""
    own = under_command(fight, actor)
    if not act.targets:
        raise Refusal(f"no creature under the command of {actor.id} is named", rule)
    for id in act.targets:
        if fight.combatant(id) not in own:
            raise Refusal(f"{id} is not under {actor.id}'s command", rule)
    return [one for one in own if one.id in act.targets]


def set_free(combatant: Combatant, why: str, rule: str) -> Steps[None]:
    """End a command: the creature fights for its own side again."""
    for name in ("under orders", "commanded"):
        if name in combatant.conditions:
            yield ConditionLost(who=combatant.id, condition=name, why=why, cites=(rule,))
    if combatant.own_side:
        yield SideChanged(who=combatant.id, side=combatant.own_side, why=why, cites=(rule,))
