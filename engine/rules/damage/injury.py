"""Hit points at and below zero: staggered, disabled, dying, stable, dead."""

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from affray.engine.fight.fight import Fight, rule_of
from affray.engine.rules.attacks.miss_chance import percent_roll
from affray.engine.rules.classes.sheets import has_feat, nature_among
from affray.engine.rules.gear.hands import drop_all
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.errors import counted
from affray.events.facts.combat import ConditionGained, ConditionLost, HitPointsChanged
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant

# --- Hit points that are set by something other than damage


def hit_points_set(
    combatant: Combatant,
    hp: int,
    why: str,
    *cites: str,
    nonlethal: int | None = None,
    temporary: int | None = None,
    change: int | None = None,
) -> HitPointsChanged:
    """Return that somebody has so many hit points now; nonlethal and temporary ones stay unless given.

    The `change` is told as that of the hit points, unless it is something else.
    """
    return HitPointsChanged(
        who=combatant.id,
        hp=hp,
        nonlethal=combatant.nonlethal if nonlethal is None else nonlethal,
        temporary=combatant.temporary if temporary is None else temporary,
        change=hp - combatant.hp if change is None else change,
        why=why,
        cites=cites,
    )


AT_THE_START: Final = "at the start"
"""The source of what a combatant enters with."""
STATES = ("disabled", "staggered", "unconscious", "dying", "stable", "dead")
#: States of health that hit points alone allow, which are changed one for the other.
BY_HIT_POINTS: Final = ("disabled", "dying", "stable")
#: States that something else than hit points can bring about too, which hit points then do not take away.
APART: Final = ("unconscious", "staggered")


def settle_health(fight: Fight, target: Combatant, source: str) -> Steps[None]:
    """Give a combatant the state that its hit points call for."""
    state, topic = state_of(fight, target)
    if state == "" and not any(name in target.conditions for name in STATES):
        return
    if state == "dying" and (yield from fight.dialect.damage.last_stand(fight, target, source)):
        return
    if state == "" or state not in target.conditions:
        yield from change_health(fight, target, state, source, topic)
    elif any(name in target.conditions for name in BY_HIT_POINTS if name != state):
        # It has the state already by something else, such as a spell, beside one of other hit points.
        yield from end_other_states(target, state, (fight.rule(topic),))


def start_hurt(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Give a combatant that enters hurt the state that its hit points call for."""
    return settle_health(fight, combatant, AT_THE_START)


def settle_condition_by_hit_points(fight: Fight, target: Combatant, before: int, source: str) -> Steps[None]:
    """Give a combatant the state that its hit points call for, of which it had `before`.

    Who was stable, or awake below 0, is dying again by any loss.
    """
    if target.hp < before and ("stable" in target.conditions or is_awake_below_zero(target)):
        yield from change_health(fight, target, "dying", source, "injury.dying")
    yield from settle_health(fight, target, source)


def state_of(fight: Fight, target: Combatant) -> tuple[str, str]:
    """Return the state that hit points call for and the topic of its rule, ("", "") when none.

    futurepath.assumed.nonlethal, futurepath.assumed.destroyed, futurepath.injury.dying-at-minus-1,
    pf1.destroyed-at-0, pf1.injury.disabled,
    pf1.nonlethal.immune, srd35.destroyed-at-0.
    """
    hp = target.hp
    if "dead" in target.conditions or hp <= fight.dialect.damage.death_at(fight, target):
        return "dead", "injury.dead"
    if hp <= 0 and nature_among(target, fight.figure("nonlethal.immune")):
        return "dead", "destroyed-at-0"
    if hp <= fight.dialect.damage.dying_from(fight):
        if is_awake_below_zero(target):
            return "disabled", "injury.disabled"
        return ("stable", "cond.stable") if "stable" in target.conditions else ("dying", "injury.dying")
    if target.nonlethal > hp:
        return "unconscious", "nonlethal.track"
    if hp <= fight.dialect.damage.disabled_from(fight):
        return "disabled", "injury.disabled"
    if target.nonlethal and target.nonlethal == hp:
        return "staggered", "nonlethal.track"
    return "", ""


def is_awake_below_zero(combatant: Combatant) -> bool:
    """Say whether somebody is awake although below 0 hit points: having been stable, and woken of itself."""
    held = combatant.conditions.get("disabled")
    return held is not None and held.level > 0


def highest_disabled(fight: Fight) -> int:
    """Return the highest hit points at which a combatant is disabled: 0."""
    return 0


def highest_dying(fight: Fight) -> int:
    """Return the highest hit points at which a combatant is dying: any below zero."""
    return -1


def change_health(fight: Fight, target: Combatant, state: str, source: str, topic: str) -> Steps[None]:
    """Change from one state of health to another; whoever goes down drops what it holds and falls.

    What it kept up by its mind ends.
    """
    rule = (fight.rule(topic),) if topic else ()
    yield from end_other_states(target, state, rule)
    if not state:
        return
    gained = ConditionGained(who=target.id, condition=state, source=source, cites=rule)
    yield gained
    if state in ("unconscious", "dying", "dead"):
        yield from collapse(
            fight, target, state, rule if state == "dead" else fight.rules("cond.unconscious")
        )
    yield from fight.dialect.conditions.lapses(fight, gained)


def end_other_states(target: Combatant, state: str, cites: tuple[str, ...]) -> Steps[None]:
    """End the states of health that hit points have brought about, but for the one that there is now."""
    for name in STATES:
        held = target.conditions.get(name)
        if held is not None and name != state and not (name in APART and held.level):
            yield ConditionLost(who=target.id, condition=name, why=state or "recovered", cites=cites)


def collapse(fight: Fight, target: Combatant, state: str, cites: tuple[str, ...]) -> Steps[None]:
    """Let a combatant that knows nothing of itself any more drop what it holds, lie, and go limp.

    In the saddle it does not lie.
    """
    yield from drop_all(fight, target, cites)
    if "prone" not in target.conditions and not target.mount:
        yield ConditionGained(who=target.id, condition="prone", source=state, cites=cites)
    yield from fight.dialect.conditions.limp(fight, target)


def go_limp(fight: Fight, combatant: Combatant, condition: str) -> Steps[None]:
    """Let a combatant go limp if the condition that has come over it leaves it no hold on anything.

    The unconscious and the dead drop what they hold and lie (srd35.cond.unconscious, srd35.cond.dead).
    The dead are not dying any more.
    """
    rule = rule_of(fight, condition)
    if condition == "dead":
        yield from end_other_states(combatant, condition, fight.rules(rule.topic))
    if condition in ("unconscious", "dead"):
        yield from collapse(fight, combatant, condition, fight.rules(rule.topic))
    elif rule.helpless or rule.down:
        yield from fight.dialect.conditions.limp(fight, combatant)


def is_cause_not_hit_points(fact: ConditionGained) -> ConditionGained:
    """Return a condition with a level that tells it from what hit points bring about and take away again."""
    return replace(fact, level=max(1, fact.level)) if fact.condition in APART else fact


def bleed_out(fight: Fight, victim: Combatant) -> Steps[None]:
    """At the start of a dying combatant's turn: a chance to stabilize, else 1 hit point lost.

    srd35.injury.stabilize (reading: on the victim's own turns).

    futurepath.assumed.stabilizing.
    """
    percent, rule = fight.figure("injury.stabilize", "chance_pct"), fight.rule("injury.stabilize")
    if (yield from percent_roll(victim, "stabilize", percent, f"{percent}% to stabilize", rule)):
        yield from change_health(fight, victim, "stable", "stabilized", "injury.stabilize")
        return
    yield from lose_one(fight, victim, "dying", "injury.dying", "loss_per_round")


def lose_one(fight: Fight, combatant: Combatant, why: str, topic: str, path: str) -> Steps[None]:
    """Lose what a state costs, by the figure at `path` of its rule, and settle what that does."""
    rule, _ = fight.book.place(topic, path)
    loss = fight.figure(topic, path)
    yield hit_points_set(combatant, combatant.hp - loss, why, rule)
    if is_awake_below_zero(combatant) and why == "strain":
        yield from change_health(fight, combatant, "dying", why, "injury.dying")
    yield from settle_health(fight, combatant, why)


def death_at(fight: Fight, victim: Combatant) -> int:
    """Return the hit points at which a combatant is dead (srd35.injury.dead: -10)."""
    return int(fight.figure("injury.dead", "hp"))


# --- Diehard: on one's feet below 0 hit points, or stable without a roll

TOPIC: Final = "feat.diehard"
SOURCE: Final = "Diehard"


def acts_on(combatant: Combatant, state: str) -> bool:
    """Say whether Diehard keeps a combatant on its feet, in a state of health that allows it to act."""
    return state in combatant.conditions and combatant.conditions[state].source == SOURCE


def last_stand(state: str) -> Callable[[Fight, Combatant, str], Steps[bool]]:
    """Return the steps by which Diehard keeps somebody from dying: it acts on in the `state`, or falls.

    It decides at once: to act on, each standard action at the price of a hit point, or to fall, stable by
    itself. They say whether that settled it (srd35.feat.endurance-diehard, pf1.feat.diehard).
    """

    def stand(fight: Fight, target: Combatant, source: str) -> Steps[bool]:
        """Act on in that state, or fall and be stable, as the target decides."""
        if not has_feat(target, "diehard"):
            return False
        if acts_on(target, state):
            return True
        rule = fight.rule(TOPIC)
        question = f"{target.id} is at {target.hp} hit points: does it act on?"
        if (yield Choice(target.id, "diehard", question, ("act", "fall"), rule)) == "act":
            yield from change_health(fight, target, state, SOURCE, TOPIC)
            return True
        yield RuleApplied(who=target.id, what="stabilizes by itself", cites=(rule,))
        yield from change_health(fight, target, "unconscious", source, "injury.dying")
        yield from change_health(fight, target, "stable", SOURCE, TOPIC)
        return True

    return stand


# --- Hit points and states of health by the game master's word, where hit points decide the state

BY_WORD: Final = "hit points by the game master's word"
"""The source of what follows from hit points that the game master has set."""


def settle(fight: Fight, target: Combatant, before: int) -> Steps[None]:
    """Give a combatant the state that hit points call for which the game master has set.

    That is no harm: nothing is rolled for a great loss. A thing comes to nothing at 0; the dead stay dead.
    """
    if "dead" in target.conditions:
        return
    if target.sheet.thing is None:
        yield from settle_condition_by_hit_points(fight, target, before, BY_WORD)
    elif target.hp <= 0:
        yield from change_health(fight, target, "dead", "ruined", "object.ruined")


def set_state(fight: Fight, target: Combatant, state: str, why: str) -> Steps[bool]:
    """Change to a state of health that hit points allow; return whether it is one of these."""
    if state not in BY_HIT_POINTS or state not in fight.dialect.conditions.table:
        return False
    yield from change_health(fight, target, state, why, rule_of(fight, state).topic)
    return True


def refuse_state(fight: Fight, target: Combatant, hp: int, state: str, *, ends: bool) -> None:
    """Refuse to begin a state of health that so many hit points do not allow, or to end one they call for.

    srd35.cond.dead, pf1.cond.dead, futurepath.injury.dead-at-minus-10.
    """
    if state not in fight.dialect.conditions.table:
        return
    called_for = state_with(fight, target, hp)
    damage, rule = fight.dialect.damage, fight.rule(rule_of(fight, state).topic)
    if ends:
        if state == called_for:
            reason = f"{target.id} is {state} by its {counted(hp, 'hit point')}: set these"
            raise Refusal(reason, rule)
        return
    below = damage.dying_from(fight)
    highest = {"dying": below, "stable": below, "disabled": damage.disabled_from(fight)}
    if hp > highest.get(state, hp) or (state in BY_HIT_POINTS and called_for == "dead"):
        raise Refusal(f"{target.id} cannot be {state} at {counted(hp, 'hit point')}", rule)


def state_with(fight: Fight, target: Combatant, hp: int) -> str:
    """Return the state that the target would have with so many hit points, were it not dead."""
    conditions = {name: held for name, held in target.conditions.items() if name != "dead"}
    return state_of(fight, replace(target, hp=hp, conditions=conditions))[0]
