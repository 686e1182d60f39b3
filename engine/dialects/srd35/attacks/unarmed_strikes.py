"""Bare hands: the fist that stuns, and missiles turned aside (srd35.feat.stunning-fist, .deflect-arrows)."""

from typing import Any

from msgspec.structs import replace

from affray.engine.dialects.srd35.classes.monk_levels import has_table
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.attack_roll import strike
from affray.engine.rules.attacks.weapon_blow import build_blow
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.classes.feat_prerequisites import masters, topic_of
from affray.engine.rules.classes.levels import character_level
from affray.engine.rules.conditions.condition_rules import can_react
from affray.engine.rules.gear.held_weapons import SPIKES
from affray.engine.rules.position.place import distance
from affray.engine.steps import Choice, Steps, altered
from affray.events.facts.combat import CheckResolved
from affray.events.facts.flow import ReactionSpent, RuleApplied
from affray.projections.state import Combatant

DEFLECT = "deflect arrows"
SNATCH = "snatch arrows"
#: Missiles too massive to be turned aside carry this trait.
MASSIVE = "massive"


def rules_of_bare_hands(fight: Fight, blow: Blow) -> tuple[str, ...]:
    """Return the rules that the damage of a bare hand rests on, nothing for one that discharges a spell.

    srd35.unarmed.damage, srd35.feat.improved-unarmed-strike.
    """
    weapon, attacker = blow.weapon, blow.attacker
    if weapon.family == "spell":
        return ()
    feat = "improved unarmed strike"
    # A Medium monk's fists have a table of their own.
    own = any(one.name == weapon.name for one in attacker.sheet.weapons) or has_table(attacker)
    topics = () if own else ("unarmed.damage",)
    return fight.rules(*topics, *((topic_of(feat),) if has_feat(attacker, feat) else ()))


def cite_halved_level(
    fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool, stunning: Steps[None]
) -> Steps[None]:
    """Stun with a fist; half of an odd level in the DC is rounded down (srd35.math.round-down)."""
    rule, halved = fight.rules("srd35.feat.stunning-fist", "srd35.math.round-down")
    if character_level(blow.attacker) % 2 == 0:
        return stunning

    def cited(step: Any) -> Any:
        if not isinstance(step, CheckResolved) or rule not in step.cites:
            return step
        after = step.cites.index(rule) + 1
        return replace(step, cites=(*step.cites[:after], halved, *step.cites[after:]))

    return altered(stunning, cited)


def hands_free(combatant: Combatant) -> int:
    """Return how many of two hands hold neither weapon nor shield."""
    held = sum(
        max(1, one.hands)
        for one in combatant.sheet.weapons
        if one.name in combatant.held and one.wield != "natural" and one.table != SPIKES
    )
    shields = sum(
        part.kind == "shield" and combatant.items.get(part.source) not in ("broken", "dropped", "gone")
        for part in combatant.sheet.armor
    )
    return 2 - held - shields


def is_deflected(fight: Fight, blow: Blow) -> Steps[bool]:
    """Let the target turn aside a missile that hits it; return whether nothing of it arrives.

    Once a round, with a hand free, aware of it and not flat-footed; not spells, not massive missiles. Of
    several on one roll it turns one aside. Snatch Arrows catches it and may throw a thrown weapon back.
    """
    target = blow.target
    if blow.melee or not masters(fight, target, DEFLECT) or not may_deflect(fight, blow):
        return False
    rule = fight.rule("srd35.feat.deflect-arrows")
    snatches = masters(fight, target, SNATCH)
    ways = (("throw back",) if blow.weapon.thrown else ()) + (("catch",) if snatches else ())
    options = ("deflect", *(ways if snatches else ()), "decline")
    question = f"does {target.id} turn the {blow.weapon.name} of {blow.attacker.id} aside?"
    answer = yield Choice(target.id, "deflect", question, options, rule)
    if answer == "decline":
        return False
    yield ReactionSpent(who=target.id, kind=DEFLECT, against=blow.attacker.id, opportunity="", cites=(rule,))
    done = "catches" if answer != "deflect" else "turns aside"
    yield RuleApplied(who=target.id, what=f"{target.id} {done} the {blow.weapon.name}", cites=(rule,))
    if answer == "throw back":
        yield from throw_back(fight, blow)
        blow.outcome.landed = blow.attacker.at
    elif answer == "catch":
        blow.outcome.kept = True
    blow.outcome.deflected = 1
    return blow.intent.arrows == 1


def may_deflect(fight: Fight, blow: Blow) -> bool:
    """Say whether the target can turn this missile aside now."""
    target, weapon = blow.target, blow.weapon
    used = target.reactions.get(DEFLECT, 0) >= fight.figure("srd35.feat.deflect-arrows", "per_round")
    if used or weapon.family == "spell" or MASSIVE in weapon.traits or hands_free(target) < 1:
        return False
    unseen = "invisible" in blow.attacker.conditions or "blinded" in target.conditions
    flat_footed = not target.acted or "flat-footed" in target.conditions
    return not unseen and not flat_footed and not can_react(fight, target)


def throw_back(fight: Fight, blow: Blow) -> Steps[None]:
    """Throw a caught weapon back at whoever threw it, though it is not one's turn."""
    thrower, catcher = blow.attacker, blow.target
    feet = distance(catcher, thrower)
    back = build_blow(fight, catcher, thrower, blow.weapon, "thrown back", melee=False, feet=feet)
    back.cites.append(fight.rule("srd35.feat.deflect-arrows"))
    outer = fight.scope
    fight.scope = f"{outer}.back:{catcher.id}" if outer else f"back:{catcher.id}"
    try:
        yield from strike(fight, back)
    finally:
        fight.scope = outer
