"""Movement on the grid: cost, obstacles, other creatures, and what it provokes."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise

from affray.engine.fight import Fight
from affray.engine.rules.classes.ability_modifiers import has_feat, size_step
from affray.engine.rules.conditions.condition_rules import blind_to, is_down, rule_of
from affray.engine.rules.opportunity.attacks_of_opportunity import provoke
from affray.engine.rules.opportunity.threatened_squares import threatens
from affray.engine.rules.turns.action_budget import refuse_unless_allowed, spending
from affray.engine.rules.turns.delay_and_ready import triggered, waiting
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, Moved, Until
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.projections.state import Combatant

Square = tuple[int, int]
SQUARE_FT = 5


def speed(fight: Fight, who: Combatant) -> int:
    """Return the speed in feet that conditions leave to a combatant."""
    feet = fight.dialect.movement.speed(fight, who)
    for name in who.conditions:
        for change in rule_of(fight, name).changes:
            if change.stat == "speed":
                spared = change.eased is not None and has_feat(who, change.eased[0])
                place = change.eased[1:] if change.eased and spared else (change.topic, *change.path)
                feet = feet * int(fight.figure(*place) * 100) // 100
    return feet


def unslowed(fight: Fight, who: Combatant, rule: str) -> str:
    """Return the rule to cite for a way that is too long: that of the movement itself."""
    return rule


def printed_pace(fight: Fight, who: Combatant) -> int:
    """Return the speed in feet before conditions: the sheet's."""
    return who.sheet.speed


def refuse_path(
    fight: Fight,
    who: Combatant,
    path: Sequence[Square],
    feet: int,
    rule: str,
    through: Combatant | None = None,
    how: str = "normal",
) -> tuple[int, int]:
    """Refuse a path that cannot be walked within `feet`; return its cost in feet and diagonals.

    Walls, corners, opponents on the way and any creature at its end forbid it; difficult ground and
    obstacles cost double; `through` may be passed all the same
    (srd35.pass.*, srd35.terrain.*, srd35.obstacle.*, srd35.distance.*).
    """
    if not path:
        raise Refusal("the path is empty", rule)
    for name in who.conditions:
        found = rule_of(fight, name)
        if not found.moves:
            raise Refusal(f"{who.id} is {name} and cannot move", fight.rule(found.topic))
    whole = (who.at, *path)
    dialect = fight.dialect
    for here, there in pairwise(whole):
        if max(abs(here[0] - there[0]), abs(here[1] - there[1])) != 1:
            raise Refusal(f"no step leads from {here[0]},{here[1]} to {there[0]},{there[1]}", rule)
        dialect.movement.refuse_step(fight, who, here, there, there == path[-1], through, how)
    cost = dialect.movement.measure(fight, who, whole, how)
    if cost.feet > feet:
        raise Refusal(
            f"the path costs {cost.feet} ft., {who.id} has {feet} ft.",
            dialect.movement.too_far(fight, who, whole, how, feet)
            or dialect.movement.slowing_rule(fight, who, rule),
        )
    return cost.feet, cost.diagonals


def sizes_apart(fight: Fight, who: Combatant, other: Combatant) -> bool:
    """Say whether two creatures differ enough in size to pass each other (srd35.pass.three-sizes-*)."""
    least: int = fight.figure("pass.three-sizes-larger", "size_difference")
    return abs(size_step(who) - size_step(other)) >= least


def leaving(fight: Fight, mover: Combatant, here: Square, there: Square, how: str) -> list[Combatant]:
    """Return the enemies whose threatened square the mover leaves with this step.

    Leaving provokes, entering does not (srd35.aoo.triggers).
    """
    return [enemy for enemy in fight.enemies(mover) if threatens(fight, enemy, mover, here)]


def once_a_round(fight: Fight, mover: Combatant) -> str:
    """Return the name of the opportunity that all of a mover's movement in one round is."""
    return f"move:{mover.id}:{fight.state.round}"


def walk(
    fight: Fight,
    who: Combatant,
    path: Sequence[Square],
    how: str,
    *cites: str,
    spare: Callable[[int, Combatant], bool] = lambda step, enemy: False,
) -> Steps[bool]:
    """Go along a path already found legal, provoking step by step; return whether the end was reached.

    `spare(step, enemy)` names the steps (from 0) that do not provoke from an enemy. All squares left
    in one round are one opportunity for each enemy (srd35.aoo.per-opportunity). A mover who drops
    stays where it was struck, in the square it was about to leave.
    """
    dialect = fight.dialect
    start = who.at
    done: list[Square] = []
    opportunity = dialect.opportunity.opportunity_name(fight, who)

    def so_far() -> Moved:
        cost = dialect.movement.measure(fight, who, (start, *done), how)
        counted = fight.rules("distance.diagonals") if cost.diagonals else ()
        return Moved(
            who=who.id,
            start=start,
            path=tuple(done),
            feet=cost.feet,
            diagonals=cost.diagonals,
            how=how,
            cites=tuple(dict.fromkeys((*cites, *counted, *cost.cites))),
            **dialect.movement.shape(fight, who, (start, *done), how),
        )

    here = legal = start
    awaited = waiting(fight) and any(
        one.readied is not None and one.readied.trigger.what == "moves"
        for one in fight.state.combatants.values()
    )
    for step, there in enumerate(path):
        if how != "step":
            enemies = [
                enemy
                for enemy in dialect.movement.leaving(fight, who, here, there, how)
                if opportunity not in enemy.opportunities and not spare(step, enemy)
            ]
            if enemies:
                if done:
                    yield so_far()
                    start, done = here, []
                yield from provoke(
                    fight,
                    who,
                    enemies,
                    "leaves a threatened square",
                    opportunity,
                    fight.rule("aoo.triggers"),
                    more=partial(
                        dialect.opportunity.opening_rules, fight, who, here=here, there=there, how=how
                    ),
                )
                if halted(fight, who, here):
                    yield from dialect.movement.step_aside(fight, who, legal)
                    return False
        nearing = dialect.movement.approach(fight, who, here, there)
        if dialect.movement.hindered(fight, who, here, there, how):
            if done:
                yield so_far()
                start, done = here, []
            if not (yield from dialect.movement.crossing(fight, who, here, there, how)):
                yield from dialect.movement.step_aside(fight, who, legal)
                return False
        before, here = here, there
        if dialect.movement.may_stop(fight, who, here):
            legal = here
        done.append(there)
        marked = dialect.movement.noticed(fight, who, before, there, how)
        stops = awaited or nearing is not None or step == len(path) - 1
        if stops or marked:
            yield so_far()
            start, done = here, []
            if marked:
                yield from dialect.movement.entered(fight, who, before, there, how)
            if nearing is not None:
                yield from nearing
            if stops:
                yield from dialect.movement.arrived(fight, who)
            if halted(fight, who, here):
                yield from dialect.movement.step_aside(fight, who, legal)
                return False
    return True


def halted(fight: Fight, who: Combatant, here: Square) -> bool:
    """Say whether a mover can go no further: down, prone, held fast, or no longer where it was."""
    if not who.conditions:
        return who.at != here
    held = any(not rule_of(fight, name).moves for name in who.conditions)
    return held or "prone" in who.conditions or is_down(fight, who) or who.at != here


def move(fight: Fight, act: acts.Move) -> Steps[None]:
    """Move up to one's speed as a move action (srd35.move-action.move)."""
    who = fight.combatant(act.actor)
    refuse_unless_allowed(fight, who, "move")
    refuse_after_step(fight, who)
    rule = fight.rule("move-action.move")
    refuse_prone(fight, who)
    refuse_path(fight, who, act.path, speed(fight, who), rule, how=act.how)
    yield spending(fight, who, "move", "move", rule)
    yield from walk(fight, who, act.path, act.how, rule)


def refuse_prone(fight: Fight, who: Combatant) -> None:
    """Refuse to walk while prone."""
    if "prone" in who.conditions:
        raise Refusal(f"{who.id} is prone and must stand up first", fight.rule("move-action.stand"))


def refuse_rush(fight: Fight, who: Combatant) -> None:
    """Refuse to run or charge while a condition forbids it."""
    for name in who.conditions:
        found = rule_of(fight, name)
        if not found.rushes:
            raise Refusal(f"{who.id} is {name} and can neither run nor charge", fight.rule(found.topic))


def refuse_after_step(fight: Fight, who: Combatant) -> None:
    """Refuse to move any distance in a round with a 5-foot step (srd35.five-foot-step)."""
    if who.spent.get("step"):
        raise Refusal(f"{who.id} has taken a 5-foot step this round", fight.rule("five-foot-step"))


def step(fight: Fight, act: acts.Step) -> Steps[None]:
    """Take a 5-foot step: no action, provokes nothing, in a round without other movement.

    Not into difficult terrain, nor by the slow or the prone (srd35.five-foot-step).
    """
    who = fight.combatant(act.actor)
    refuse_unless_allowed(fight, who, "step")
    rule = fight.rule("five-foot-step")
    if who.spent.get("feet"):
        raise Refusal(f"{who.id} has moved {who.spent['feet']} ft. this round", rule)
    refuse_after_step(fight, who)
    refuse_prone(fight, who)
    if speed(fight, who) < fight.figure("five-foot-step", "min_speed_ft"):
        raise Refusal(f"{who.id} is too slow for a 5-foot step", rule)
    fight.dialect.movement.refuse_rough(fight, who, (act.to,), "step", rule)
    if blind_to(fight, who):
        raise Refusal(f"{who.id} cannot take a 5-foot step in the dark", rule)
    refuse_path(fight, who, (act.to,), SQUARE_FT, rule)
    dialect = fight.dialect
    yield ActionSpent(
        who=who.id, kind="step", what="5-foot step", cites=(rule, *dialect.turns.short_step_rules(fight, who))
    )
    for enemy in leaving(fight, who, who.at, act.to, "step"):
        yield RuleApplied(
            who=who.id,
            what=f"a 5-foot step does not provoke from {enemy.id}",
            cites=(
                *fight.rules("aoo.avoid"),
                *dialect.opportunity.opening_rules(fight, who, enemy, who.at, act.to, "step"),
                *dialect.turns.table_rules(fight, "none", "5-foot step", False),
            ),
        )
    yield from walk(fight, who, (act.to,), "step", rule)


def any_foe(fight: Fight, who: Combatant, enemy: Combatant) -> bool:
    """Say that somebody sees an enemy, for dialects in which nobody withdraws from the unseen otherwise."""
    return True


def withdraw(fight: Fight, act: acts.Withdraw) -> Steps[None]:
    """Withdraw: up to double speed, the first square left counts as not threatened (srd35.withdraw).

    But by enemies that it does not see. Whoever is restricted to one action withdraws at single speed.
    """
    who = fight.combatant(act.actor)
    allowed = fight.dialect.turns.allowance(fight, who)
    kind, topic = ("full-round", "withdraw") if allowed.full else ("standard", "withdraw.restricted")
    refuse_unless_allowed(fight, who, kind)
    refuse_after_step(fight, who)
    refuse_prone(fight, who)
    if "blinded" in who.conditions or blind_to(fight, who):
        raise Refusal(f"{who.id} cannot withdraw from enemies it does not see", fight.rule("withdraw"))
    rule = fight.rule(topic)
    multiple = fight.figure(topic, "max_speed_multiple")
    refuse_path(fight, who, act.path, speed(fight, who) * multiple, rule)
    yield ActionSpent(who=who.id, kind=kind, what="withdraw", cites=(rule,))
    safe = fight.figure("withdraw", "safe_squares")
    table = fight.dialect.turns.table_rules(fight, "full-round", "Withdraw", False)
    unseen = [enemy for enemy in fight.enemies(who) if not fight.dialect.senses.sees_foe(fight, who, enemy)]
    for enemy in leaving(fight, who, who.at, act.path[0], "withdraw"):
        if enemy in unseen:
            continue
        yield RuleApplied(
            who=who.id,
            what=f"withdrawing, the first square does not provoke from {enemy.id}",
            cites=(*fight.rules("withdraw", "aoo.avoid"), *table),
        )

    def spare(step: int, enemy: Combatant) -> bool:
        return step < safe and enemy not in unseen

    yield from walk(fight, who, act.path, "withdraw", rule, spare=spare)


def run(fight: Fight, act: acts.Run) -> Steps[None]:
    """Run in a straight line: four times the speed, three in heavy armor (srd35.run.action)."""
    who = fight.combatant(act.actor)
    refuse_unless_allowed(fight, who, "full-round")
    refuse_after_step(fight, who)
    refuse_prone(fight, who)
    refuse_rush(fight, who)
    rule = fight.rule("run.action")
    multiple = fight.dialect.movement.run_multiple(fight, who)
    refuse_path(fight, who, act.path, speed(fight, who) * multiple, rule)
    refuse_crooked(who, act.path, rule)
    fight.dialect.movement.refuse_rough(fight, who, act.path, "run", rule)
    yield ActionSpent(who=who.id, kind="full-round", what="run", cites=(rule,))
    if not has_feat(who, "run"):
        yield fight.dialect.movement.running(fight, who)
    yield from walk(fight, who, act.path, "run", rule)


def run_multiple(fight: Fight, who: Combatant) -> int:
    """Return how many times its speed a combatant runs: four, in heavy armor three."""
    heavy = who.sheet.armor_weight == "heavy"
    return int(fight.figure("run.action", "heavy" if heavy else "multiple"))


def refuse_crooked(who: Combatant, path: Sequence[Square], rule: str) -> None:
    """Refuse a path that is not straight."""
    whole = (who.at, *path)
    ways = {(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(whole)}
    if len(ways) > 1:
        raise Refusal("the path is not straight", rule)


def arrived(fight: Fight, who: Combatant) -> Steps[None]:
    """After movement, let whoever readied for it act."""
    yield from triggered(fight, who, "moves")


def running(fight: Fight, who: Combatant) -> ConditionGained:
    """Return the loss of the Dexterity bonus that running brings (srd35.run.action)."""
    until = Until("turn-start", who.id, fight.state.round + 1)
    return ConditionGained(
        who=who.id, condition="running", source="run", until=until, cites=(fight.rule("run.action"),)
    )
