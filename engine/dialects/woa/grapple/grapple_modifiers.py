"""What a grapple does to attacks, saves and declarations, inside and outside it (woa.grapple.modifier.*)."""

from collections.abc import Sequence
from typing import Any

from affray.engine.dialects.woa.grapple.grapple_state import FAST, holds_fast, members_of_grapple, opponents
from affray.engine.dialects.woa.grapple.grapple_words import MARGIN, needs_no_win
from affray.engine.dialects.woa.table_cells import cell
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.record.compose import when
from affray.engine.rules.magic.components import COMPONENTS
from affray.engine.steps import Choice, Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

#: Rules of positioning and tactics, by how their topics begin.
POSITIONING = ("flanking.", "high-ground.", "crowd.", "ganging-up.", "posture.", "space.own-space")
#: What one loses who cannot move freely.
ACTIVE = ("dodge", "shield")
INSIDE = "grappling each other"
MANEUVERS = (acts.Push, acts.Overrun, acts.Trip, acts.Grab)
ALONE = (acts.Move, acts.Step, acts.Run, acts.Charge, acts.Stand, acts.Attack, acts.FullAttack)
#: What a grappler may still declare besides the activities of the grapple itself.
FREE = (acts.Enter, acts.Begin, acts.Close, acts.Plan, acts.EndTurn, acts.Grapple, acts.Drop, acts.Hazard)
IN_A_GRAPPLE = (acts.Disarm, acts.Sunder, acts.Activate)


def why_no_active_defense(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return why a grappler loses its active defense against a blow, and the topic of the rule.

    woa.grapple.modifier.within, woa.grapple.modifier.from-outside
    """
    if blow.attacker in opponents(fight, blow.target):
        return INSIDE, "woa.grapple.modifier.within"
    return "grappling", "woa.grapple.modifier.from-outside"


def deny_positioning(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Return the modifiers of a blow at a grappler with those of positioning marked as denied.

    woa.grapple.modifier.within, woa.grapple.modifier.from-outside
    """
    reason, topic = why_no_active_defense(fight, blow)
    name = fight.dialect.name
    ignored = tuple(f"{name}.{prefix}" for prefix in POSITIONING)
    why = f"{reason}: positioning does not count ({fight.rule(topic)})"
    counting = [part for part in parts if part.rule.startswith(ignored) and not part.denied]
    if counting:
        blow.cites.append(fight.rule(topic))
    return [
        Modifier(part.value, part.kind, part.source, part.rule, why) if part in counting else part
        for part in parts
    ]


def reflex_in_grapple(fight: Fight, parts: Sequence[Modifier]) -> list[Modifier]:
    """Return the parts of a grappler's Reflex save without Dexterity, dodge and shield bonuses.

    woa.grapple.modifier.from-outside
    """
    why = f"grappling: no such bonus ({fight.rule('woa.grapple.modifier.from-outside')})"
    return [
        Modifier(part.value, part.kind, part.source, part.rule, why)
        if part.value > 0 and (part.kind in ACTIVE or part.kind == "ability")
        else part
        for part in parts
    ]


#: The kinds of blows that strike no other grappler: from within, from an ambush, by a spell, astray.
SURE_OF_AIM = ("grapple", "squeeze", "ambush", "spell", "trample", "astray")


def strike_wrong_grappler(fight: Fight, blow: Blow) -> Steps[None]:
    """Let a blow from outside strike the wrong grappler perhaps; its AC must be beaten all the same.

    Not at the pinned nor at who pins; whether that one covers the other is the game master's to say
    (woa.grapple.modifier.wrong-target, .pin-no-wrong-target).
    """
    target, attacker = blow.target, blow.attacker
    if attacker in opponents(fight, target):
        return
    if any(name in target.conditions for name in FAST) or holds_fast(fight, target):
        yield from sure_aim(fight, blow)
        return
    topic = "woa.grapple.modifier.wrong-target"
    chance = fight.figure(topic, "melee_percent" if blow.melee else "ranged_percent")
    rolled = yield Roll(attacker.id, "wrong-target", "1d100")
    rule = fight.rule(topic)
    if rolled.total > chance:
        what = f"into a grapple: {rolled.total} of {chance}, the blow goes at {target.id} as meant"
        yield RuleApplied(who=attacker.id, what=what, cites=(rule,))
        return
    others = [one for one in members_of_grapple(fight, target) if one is not target and one is not attacker]
    at = 0
    if len(others) > 1:
        at = (yield Roll(attacker.id, "which", f"1d{len(others)}")).total - 1
    blow.target = others[at]
    what = f"into a grapple: {rolled.total} of {chance}, the blow goes at {others[at].id} instead"
    yield RuleApplied(who=attacker.id, what=what, cites=(rule,))


def sure_aim(fight: Fight, blow: Blow) -> Steps[None]:
    """Ask whether who pins gives cover to who is pinned; neither is struck in the other's place."""
    target = blow.target
    topic = "woa.grapple.modifier.pin-no-wrong-target"
    rule = fight.rule(topic)
    what = f"into a grapple: {target.id} is held fast or holds, and is struck at as meant"
    yield RuleApplied(who=blow.attacker.id, what=what, cites=(rule,))
    if not any(name in target.conditions for name in FAST):
        return
    question = f"does whoever holds {target.id} give it cover?"
    degree = yield Choice("", "cover", question, ("none", "one-quarter", "one-half"), rule)
    if degree != "none":
        source = f"{degree} cover: whoever holds {target.id}"
        printed = cell(fight, "woa.cover.table", f"degree={degree}", "ac")
        if printed is not None:
            blow.defense_extra.append(Modifier(printed.value, "cover", source, printed.rule))


def refuse_free_act(fight: Fight, grappler: Combatant, act: Any) -> None:
    """Refuse to a grappler what is no activity of a grapple.

    No maneuvers but disarm and sunder, no movement or blows of its own, nothing that takes longer than a
    standard action (woa.grapple.activity.maneuvers, .other, .one-action, woa.grapple.separate-rules).
    """
    if isinstance(act, (*FREE, *IN_A_GRAPPLE)):
        return
    if isinstance(act, acts.Cast):
        refuse_grapplers_gestures(fight, grappler, act.spell)
    elif isinstance(act, acts.Speak):
        refuse_words(fight, grappler)
    elif isinstance(act, MANEUVERS):
        reason = f"{grappler.id} is grappling: of maneuvers only disarm and sunder are possible"
        raise Refusal(reason, fight.rule("woa.grapple.activity.maneuvers"))
    elif isinstance(act, ALONE):
        raise Refusal(
            f"{grappler.id} is grappling: it neither moves nor trades blows",
            fight.rule("woa.grapple.separate-rules"),
        )
    else:
        what = str(act.__struct_config__.tag).replace("-", " ")
        reason = f"{grappler.id} is grappling: {what} is no activity of a grapple"
        raise Refusal(reason, fight.rule("woa.grapple.activity.other"))


def is_mouth_clamped(fight: Fight, combatant: Combatant) -> bool:
    """Say whether a mouth was clamped when the round began (woa.grapple.hold.clamp-mouth)."""
    clamped = combatant.conditions.get("mouth clamped")
    return clamped is not None and clamped.level < fight.state.round


def refuse_words(fight: Fight, combatant: Combatant) -> None:
    """Refuse to speak with a clamped mouth."""
    if is_mouth_clamped(fight, combatant):
        raise Refusal(f"{combatant.id}'s mouth is clamped", fight.rule("woa.grapple.hold.clamp-mouth"))


def refuse_grapplers_gestures(fight: Fight, combatant: Combatant, name: str) -> None:
    """Refuse a spell that a grappler cannot cast: with gestures, without its components, or too long.

    woa.grapple.activity.cast-components, woa.grapple.activity.other
    """
    spell = next((one for one in combatant.sheet.spells if one.name == name), None)
    if spell is None:
        return
    rule = fight.rule("woa.grapple.activity.cast-components")
    parts = () if spell.ability else spell.components
    if "somatic" in parts:
        raise Refusal(f"{name} needs gestures, which {combatant.id} cannot make in a grapple", rule)
    if "material" in parts and not {COMPONENTS, name} & set(combatant.held):
        raise Refusal(f"{combatant.id} does not hold the components of {name}", rule)
    if spell.casting in ("full-round", "one-round"):
        raise Refusal(f"{name} takes too long in a grapple", fight.rule("woa.grapple.activity.other"))
    if "verbal" in parts:
        refuse_words(fight, combatant)
    least = fight.figure("woa.grapple.outcome.win-by-5", "margin")
    if not needs_no_win(spell) and combatant.spent.get(MARGIN, 0) < least:
        raise Refusal(f"{combatant.id} has not won the check, which {name} asks for", rule)


PROHIBITIONS = (when("'grappling' in conditions", refuse_free_act),)
"""What a grapple forbids."""
