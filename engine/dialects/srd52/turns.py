"""Turns: initiative and surprise, what a turn allows, and the actions besides attacks and spells."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal

from affray.engine.dialects.srd52 import areas, environment, hiding, mounted, ready, test
from affray.engine.dialects.srd52.classes import ability, fields_of, modifier_of
from affray.engine.dialects.srd52.conditions import (
    DISENGAGED,
    DODGING,
    gain,
    incapacitating,
    rule_on_incapacity,
)
from affray.engine.dialects.srd52.damage import KNOCKED_OUT, become_stable, is_dying, is_object, wake
from affray.engine.dialects.srd52.features import ask, features_of, parts_of, steps_of
from affray.engine.dialects.srd52.gear import spend_action
from affray.engine.dialects.srd52.movement import DASH, full_speed, special_speed, speed_by
from affray.engine.dialects.srd52.position import refuse_unknown_ground, within
from affray.engine.dialects.srd52.ready import can_react as can_react
from affray.engine.dialects.srd52.senses import sees
from affray.engine.fight.fight import Fight, rule_of
from affray.engine.kernel import turns
from affray.engine.kernel.actions import spend
from affray.engine.modifiers import affected_parts
from affray.engine.steps import Choice, Refusal, Roll, Steps, reciting, unknown_word
from affray.events.facts import acts
from affray.events.facts.base import Name, Number
from affray.events.facts.combat import Until
from affray.events.facts.flow import (
    ActionSpent,
    AwarenessSettled,
    InitiativeRolled,
    OrderSet,
    TurnEnded,
)
from affray.events.facts.sheet import SCORES, Modifier
from affray.projections.state import Combatant


class Dash(acts.Act, frozen=True, gc=False, tag="srd52.dash"):
    """Gain extra movement this turn.

    how: the Speed that is added once more.
    bonus: as a Bonus Action, with a feature that allows it.
    """

    how: Literal["normal", "climb", "swim", "fly", "burrow"] = "normal"
    bonus: bool = False


class Disengage(acts.Act, frozen=True, gc=False, tag="srd52.disengage"):
    """Move without provoking Opportunity Attacks this turn.

    bonus: as a Bonus Action, with a feature that allows it.
    """

    bonus: bool = False


class Dodge(acts.Act, frozen=True, gc=False, tag="srd52.dodge"):
    """Avoid attacks until the start of the next turn.

    bonus: as a Bonus Action, with a feature that allows it.
    """

    bonus: bool = False


class Help(acts.Act, frozen=True, gc=False, tag="srd52.help"):
    """Assist an ally with a skill or a tool, or distract an enemy nearby from an ally's attack.

    target: the ally, or the enemy.
    skill: the skill or the tool of the ally's next check; empty to distract an enemy.
    """

    target: Name = ""
    skill: Name = ""


# --- Initiative and surprise

SURPRISED: Final = "surprised"
LOSES_TURN: Final = "loses-first-turn"
"""The reading of surprise by which the surprised miss their first turn."""


def begin(fight: Fight, act: acts.Begin) -> Steps[None]:
    """Start the fight, with these combatants surprised: their Initiative has Disadvantage."""
    state, rule = fight.state, fight.rule("turns.sequence")
    if state.begun:
        raise Refusal("the fight has begun already", rule)
    if not state.combatants:
        raise Refusal("no combatant has entered", rule)
    for one in act.unaware:
        fight.combatant(one)
    refuse_unknown_ground(fight)
    aware = tuple(one for one in state.combatants if one not in act.unaware)
    yield AwarenessSettled(
        aware=aware, surprised=tuple(act.unaware), cites=fight.rules("turns.surprise", "turns.positions")
    )
    yield from turns.advance(fight)


def roll_initiative(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Make the Dexterity check that gives a combatant its place in the order.

    Identical monsters share the roll of the first of them (srd52.turns.initiative-monsters).
    """
    rule, given = fight.rule("turns.initiative-check"), combatant.fixed_initiative
    if is_object(combatant):
        cites = fight.rules("damage.object-no-scores")
        yield InitiativeRolled(
            who=combatant.id, key="", natural=0, total=0, modifier=0, parts=(), cites=cites
        )
        return
    parts = [ability(fight, combatant, "dex"), *test.exhaustion(fight, combatant)]
    parts += [
        Modifier(one.value, one.kind, one.source or one.kind, fight.rule("monster.initiative"))
        for one in combatant.sheet.initiative
    ]
    if not combatant.aware and fight.option("surprise") == LOSES_TURN:
        until = Until("turn-end", combatant.id, 1)
        yield from gain(fight, combatant, SURPRISED, "an ambush", until)
    elif not combatant.aware:
        parts.append(test.source(fight, "turns.surprise", "initiative", "surprised"))
    if "invisible" in combatant.conditions:
        parts.append(test.source(fight, "turns.initiative-invisible", "initiative", "invisible"))
    included = ""
    if name := incapacitating(combatant):
        parts.append(test.source(fight, "turns.initiative-incapacitated", "initiative", name))
        included = name if "includes" in fight.figure("conditions.summary").get(name, ()) else ""
    parts += test.sources_for_checks(fight, combatant)
    parts += test.hampered_by_armor(fight, combatant, "dex")
    parts += parts_of(fight, combatant, "on_check", "initiative")
    dice, listed, total, rules = test.dice_of(fight, affected_parts(combatant, "initiative", parts))
    key, natural, cites = "", 0, (rule, *rules, *fight.rules(*(["conditions.summary"] if included else [])))
    if given is None and fight.option("initiative_method") == "score":
        yield initiative_score(fight, combatant, listed, cites)
        yield from steps_of(fight, combatant, "on_initiative")
        return
    first = None if fields_of(fight, combatant).character else alike_before(fight, combatant)
    if given is None and first is not None:
        natural, cites = first.initiative - total, (*cites, fight.rule("turns.initiative-monsters"))
    elif given is None:
        rolled = yield Roll(combatant.id, "initiative", dice)
        key, natural = rolled.key, rolled.total
    yield InitiativeRolled(
        who=combatant.id,
        key=key,
        natural=natural,
        total=natural + total if given is None else given,
        modifier=total,
        parts=listed,
        cites=cites,
    )
    yield from steps_of(fight, combatant, "on_initiative")


def initiative_score(
    fight: Fight, combatant: Combatant, parts: Sequence[Modifier], cites: tuple[str, ...]
) -> InitiativeRolled:
    """Return an Initiative score instead of a roll: 10 and the modifiers, more or less with Advantage."""
    kinds = {one.kind for one in parts if not one.denied}
    more = fight.figure("turns.initiative-score-advantage")
    base = fight.formula("turns.initiative-score", "formula")
    base += sum(more[kind] for kind in (test.ADVANTAGE, test.DISADVANTAGE) if kind in kinds)
    total = sum(one.value for one in parts if not one.denied)
    rules = fight.rules(
        "turns.initiative-score", *(["turns.initiative-score-advantage"] if kinds & {*more} else [])
    )
    return InitiativeRolled(
        who=combatant.id,
        key="",
        natural=base,
        total=base + total,
        modifier=total,
        parts=tuple(parts),
        cites=(*cites, *rules),
    )


def alike_before(fight: Fight, combatant: Combatant) -> Combatant | None:
    """Return the first identical monster of the side, if it entered before this one and has rolled."""
    for one in fight.state.combatants.values():
        if one.id == combatant.id:
            return None
        if one.side == combatant.side and one.sheet == combatant.sheet and one.aware == combatant.aware:
            return one if one.fixed_initiative is None else None
    return None


def order(fight: Fight, ids: Sequence[str]) -> Steps[None]:
    """Set the order of turns: by Initiative, then by the reading of ties in force.

    Usually by Dexterity modifier, characters before monsters, then in the order of entry. A controlled mount
    comes right after its rider.
    """
    found, ties = fight.state.combatants, fight.option("initiative_tie")
    for id in ids:
        if id not in fight.state.order:
            yield from steps_of(fight, found[id], "before_order")

    def rank(id: str) -> tuple[int, ...]:
        one = found[id]
        monster = not fields_of(fight, one).character
        dexterity = -modifier_of(fight, one, "dex")
        late = fight.option("surprise") == "also-loses-ties" and not one.aware
        tie = {
            "dex-then-pc": (dexterity, monster),
            "pc-first": (monster, dexterity),
            "monster-first": (not monster, dexterity),
        }[ties]
        return (-one.initiative, late, *tie)

    cites = fight.rules("turns.initiative-order", "turns.initiative-ties")
    ranked = sorted(ids, key=rank)
    yield OrderSet(order=mounted.beside_riders(fight, ranked), cites=cites)


# --- What a turn allows


def budget(fight: Fight, combatant: Combatant) -> Mapping[str, int]:
    """Return the actions of a turn: one action and one Bonus Action, none for the Incapacitated."""
    if incapacitating(combatant):
        return {"action": 0, "bonus": 0}
    allowed: Mapping[str, int] = {
        "action": fight.figure("turns.one-action", "per_turn"),
        "bonus": fight.figure("turns.bonus-action-limit", "per_turn"),
    }
    for function, held in ask(fight, combatant, "budget"):
        allowed = function(fight, held, allowed)
    if fight.readied == combatant.id:
        # A readied action was paid for when it was readied.
        return {"action": combatant.spent.get("action", 0) + 1, "bonus": 0}
    return allowed


def open_turn(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Begin a turn: what was readied lapses, ice is slippery; features that act then do so."""
    yield from ready.lapse(fight, combatant)
    yield from mounted.direct(fight, combatant)
    yield from turns.begin_turn(fight, combatant)
    order = yield from chosen_order(fight, combatant)
    yield from turns.run_condition_steps(fight, combatant, "each_turn", order)
    if environment.is_on_ice(fight, combatant):
        yield from environment.slip(fight, combatant)
    if fight.option("passive_finds_hidden") == "continuous":
        yield from hiding.notice(fight, combatant)
    yield from steps_of(fight, combatant, "turn_start")
    yield from areas.turn_in_areas(fight, combatant, "start")


def close_turn(fight: Fight, combatant: Combatant) -> Steps[None]:
    """End a turn, in which a combatant need not have done anything."""
    steps = turns.close_turn(fight, combatant)
    if combatant.spent:
        return steps
    return reciting(steps, TurnEnded, fight.rule("turns.do-nothing"))


def chosen_order(fight: Fight, combatant: Combatant) -> Steps[list[str]]:
    """Return the conditions that act as a turn begins, in the order that the turn's player chooses."""
    left = [name for name in combatant.conditions if rule_of(fight, name).each_turn is not None]
    if KNOCKED_OUT in combatant.conditions or not is_dying(fight, combatant):
        left = [name for name in left if name != "unconscious"]
    order: list[str] = []
    rule = fight.rule("test.simultaneous-effects")
    while len(left) > 1:
        question = f"the turn of {combatant.id} begins: what comes first?"
        order.append((yield Choice(combatant.id, "first", question, tuple(left), rule)))
        left.remove(order[-1])
    return [*order, *left]


def spend_named(fight: Fight, actor: Combatant, name: str, bonus: bool, *cites: str) -> Steps[None]:
    """Use an action by its name ("dash"), or the Bonus Action with a feature that allows it so."""
    if not bonus:
        yield spend_action(fight, actor, name, *cites, fight.rule("turns.one-action"))
        return
    for held in features_of(fight, actor):
        if name in held.feature.as_bonus:
            yield spend(fight, actor, "bonus", name, *cites, fight.rule(held.feature.topic))
            return
    reason = f"{actor.id} has nothing that makes {name} a Bonus Action"
    raise Refusal(reason, fight.rule("turns.bonus-action-source"))


def refuse_by_feature(fight: Fight, combatant: Combatant, act: acts.Act) -> None:
    """Refuse what a feature of a combatant forbids."""
    for function, held in ask(fight, combatant, "forbids"):
        function(fight, held, act)


def refuse_incapacitated(fight: Fight, combatant: Combatant, act: acts.Act) -> None:
    """Refuse actions, Bonus Actions and Reactions of the Incapacitated."""
    if name := incapacitating(combatant):
        if fight.dialect.kernel.action_type(fight, combatant, act) == "bonus":
            reason = f"{combatant.id} is {name} and has no Bonus Action"
            raise Refusal(reason, fight.rule("turns.bonus-action-denied"))
        raise Refusal(f"{combatant.id} is {name} and cannot act", rule_on_incapacity(fight, name))


def refuse_speech(fight: Fight, combatant: Combatant, act: object) -> None:
    """Refuse speech of the Incapacitated."""
    if name := incapacitating(combatant):
        rule = fight.rule("conditions.incapacitated-speechless")
        raise Refusal(f"{combatant.id} is {name} and cannot speak", rule)


def next_start(fight: Fight, combatant: Combatant) -> Until:
    """Return the start of a combatant's next turn."""
    return Until("turn-start", combatant.id, round_of_next_turn(fight, combatant))


def next_end(fight: Fight, combatant: Combatant) -> Until:
    """Return the end of a combatant's next turn."""
    return Until("turn-end", combatant.id, round_of_next_turn(fight, combatant))


def round_of_next_turn(fight: Fight, combatant: Combatant) -> int:
    """Return the round of a combatant's next turn: this one if its turn is still to come."""
    order, active = fight.state.order, fight.state.active
    if active in order and combatant.id in order and order.index(combatant.id) > order.index(active):
        return fight.state.round
    return fight.state.round + 1


# --- Actions


def dash(fight: Fight, act: Dash) -> Steps[None]:
    """Add the Speed, or a special speed, once more to the movement of this turn."""
    actor, rule = fight.combatant(act.actor), fight.rule("turns.dash")
    if act.how != "normal" and not special_speed(fight, actor, act.how):
        raise Refusal(f"{actor.id} has no {act.how.title()} Speed", fight.rule("turns.dash-special-speed"))
    yield from spend_named(fight, actor, "dash", act.bonus, rule)
    cites = (rule, *fight.rules(*(["turns.dash-special-speed"] if act.how != "normal" else [])))
    feet = speed_by(fight, actor, act.how)
    yield ActionSpent(who=actor.id, kind=DASH, what="dash", amount=feet, cites=cites)


def disengage(fight: Fight, act: Disengage) -> Steps[None]:
    """Provoke no Opportunity Attacks by movement for the rest of the turn."""
    actor, rule = fight.combatant(act.actor), fight.rule("turns.disengage")
    yield from spend_named(fight, actor, "disengage", act.bonus, rule, fight.rule("opportunity.disengage"))
    yield from gain(fight, actor, DISENGAGED, "", Until("turn-end", actor.id, fight.state.round))


def dodge(fight: Fight, act: Dodge) -> Steps[None]:
    """Have attacks made with Disadvantage and Dexterity saves with Advantage until the next turn."""
    actor, rule = fight.combatant(act.actor), fight.rule("turns.dodge-attacks")
    yield from spend_named(fight, actor, "dodge", act.bonus, rule, fight.rule("turns.dodge-saves"))
    yield from gain(fight, actor, DODGING, "", next_start(fight, actor))


def dodges(fight: Fight, combatant: Combatant) -> bool:
    """Return whether the benefits of Dodge last: not for the Incapacitated or at Speed 0."""
    return (
        DODGING in combatant.conditions and not incapacitating(combatant) and full_speed(fight, combatant) > 0
    )


def help_other(fight: Fight, act: Help) -> Steps[None]:
    """Give an ally Advantage on its next check with a skill or tool, or on the next attack on an enemy."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    topic = "turns.help-check" if act.skill else "turns.help-attack"
    rule = fight.rule(topic)
    refuse_help(fight, actor, target, act.skill, rule)
    yield spend(fight, actor, "action", "help", rule)
    helped, id = test.source(fight, topic, "effect", f"help of {actor.id}"), f"help:{actor.id}"
    stat = act.skill or f"attacked by {actor.side}"
    yield test.for_one_roll(target, f"{id}:{fight.declaration}", stat, helped, next_start(fight, actor))


def refuse_help(fight: Fight, actor: Combatant, target: Combatant, skill: str, rule: str) -> None:
    """Refuse help without the proficiency or for no ally, and against what is no enemy nearby."""
    if skill:
        if target is actor or target.side != actor.side:
            raise Refusal(f"{target.id} is no ally of {actor.id}", fight.rule("turns.ally"))
        own = fields_of(fight, actor)
        if skill not in (*own.skills, *own.expertise, *own.tools):
            raise Refusal(f"{actor.id} is not proficient in {skill}", rule)
        return
    if target.side == actor.side:
        reason = f"{target.id} is no enemy of {actor.id}: an ally's check takes a skill"
        raise Refusal(reason, fight.rule("turns.enemy"))
    if not within(actor, target, fight.figure("turns.help-attack", "range_ft")):
        raise Refusal(f"{target.id} is not within reach of the help of {actor.id}", rule)
    if fight.option("help_attack_needs") != "within-5-ft-only" and not sees(fight, actor, target):
        raise Refusal(f"{actor.id} does not see {target.id}", rule)


def stabilize(fight: Fight, act: acts.Stabilize) -> Steps[None]:
    """Give first aid with a Medicine check: the Help action for the dying, an action for the knocked out."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    out = KNOCKED_OUT in target.conditions
    topic = "damage.knock-out-end" if out else "damage.stabilize"
    rule = fight.rule(topic)
    # The action first: without one, the refusal says nothing about the hit points of others.
    spent = spend(fight, actor, "action", "help", rule)
    if not is_dying(fight, target) and not out:
        raise Refusal(f"{target.id} is not dying", rule)
    if not within(actor, target, fight.figure("attacks.reach", "reach_ft")):
        raise Refusal(f"{target.id} is out of the reach of {actor.id}", rule)
    yield spent
    number = fight.figure("damage.stabilize", "dc")
    if out:
        number = int(fight.figure("damage.knock-out-end", "ends", 2).split()[-1])
    if not (yield from test.check(fight, actor, "medicine", number, why="first aid", cites=(rule,))):
        return
    if out:
        yield from wake(fight, target, f"first aid of {actor.id}")
    else:
        yield from become_stable(fight, target, f"first aid of {actor.id}")


def use_skill(fight: Fight, act: acts.UseSkill) -> Steps[None]:
    """Make the ability check that the game master asks for; it takes no action of its own."""
    actor, cites = fight.combatant(act.actor), fight.rules("test.procedure", "test.dc-source")
    sources = []
    if act.target:
        sources = test.charm_part(fight, actor, fight.combatant(act.target), act.skill)
    yield from test.check(fight, actor, act.skill, act.dc, *sources, cites=cites)


class Check(acts.Act, frozen=True, gc=False, tag="srd52.check"):
    """Make an ability check that relies on a sense or a tool.

    skill: the skill, or the ability.
    dc: the DC of the check.
    difficulty: how hard it is, instead of a DC ("easy", "hard").
    sense: the sense that it relies on; empty for none.
    tool: the tool that it is made with; empty for none.
    """

    skill: Name = ""
    dc: Number = 0
    difficulty: Name = ""
    sense: Literal["", "sight", "hearing"] = ""
    tool: Name = ""


def check(fight: Fight, act: Check) -> Steps[None]:
    """Make an ability check with a sense or a tool; it takes no action of its own."""
    actor, cites = fight.combatant(act.actor), fight.rules("test.procedure", "test.dc-source")
    number = act.dc
    if act.difficulty:
        known = fight.figure("test.typical-dcs")
        if act.difficulty not in known:
            raise unknown_word("difficulty", act.difficulty, known, fight.rule("test.typical-dcs"))
        number, cites = known[act.difficulty], (*cites, fight.rule("test.typical-dcs"))
    yield from test.check(fight, actor, act.skill, number, sense=act.sense, tool=act.tool, cites=cites)


class Circumstance(acts.Act, frozen=True, gc=False, tag="srd52.circumstance"):
    """Give a combatant Advantage or Disadvantage on its next roll of a kind, as game master.

    target: the combatant.
    roll: "attack", "save.dex" and the like, a skill or an ability.
    kind: Advantage or Disadvantage.
    source: the circumstance.
    """

    declared_by = "game master"

    target: Name = ""
    roll: Name = ""
    kind: Literal["advantage", "disadvantage"] = "advantage"
    source: Name = "the circumstances"


def circumstance(fight: Fight, act: Circumstance) -> Steps[None]:
    """Give Advantage or Disadvantage on one roll by the game master's word."""
    target, rule = fight.combatant(act.target), fight.rule("test.gm-circumstance")
    known = ("attack", *SCORES, *(f"save.{name}" for name in SCORES), *fight.figure("test.skills"))
    if act.roll not in known:
        raise unknown_word("roll", act.roll, known, rule)
    id = f"circumstance:{target.id}:{fight.declaration}"
    yield test.for_one_roll(target, id, act.roll, Modifier(0, act.kind, act.source, rule))
