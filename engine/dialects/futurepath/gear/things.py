"""Things: doors, locks, what lies or stands about, or hangs on somebody (futurepath.object.*).

A thing takes the place of a combatant whose sheet has a `thing`. One with the trait "carried by (NAME)" is
held, carried or worn by that combatant.
"""

from collections.abc import Sequence
from typing import Final

from affray.engine.dialects.futurepath.defense.things_as_cover import CARRIED
from affray.engine.dialects.futurepath.gear.object_defense import base_defense, defense_of_carried
from affray.engine.fight.fight import Fight, is_down
from affray.engine.record.blow import Blow, Harm
from affray.engine.rules.classes.ability_modifiers import ability, has_feat, trait_detail
from affray.engine.rules.classes.ability_scores import lowered
from affray.engine.rules.classes.saves_and_checks import check
from affray.engine.rules.damage.energies import energies_of
from affray.engine.rules.damage.injury import change_health
from affray.engine.rules.opportunity.threatened_squares import threatens
from affray.engine.rules.position.place import refuse_apart
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

#: Which rule divides the damage of an energy to things, and which leave it whole.
DIVIDED: Final = {
    "electricity": "futurepath.object.energy.electricity-fire",
    "fire": "futurepath.object.energy.electricity-fire",
    "cold": "futurepath.object.energy.cold",
}
WHOLE: Final = ("acid", "sonic", "concussion")


def bearer_of(fight: Fight, thing: Combatant) -> Combatant | None:
    """Return who holds, carries or wears a thing; None if nobody does."""
    return fight.state.combatants.get(trait_detail(thing, CARRIED))


def defense_of_thing(fight: Fight, blow: Blow, parts: Sequence[Modifier]) -> tuple[Modifier, ...]:
    """Return the Defense of a thing: by its size, and by whoever has it.

    futurepath.object.defense.base, futurepath.table.object-size-defense,
    futurepath.object.defense.held-carried-worn, futurepath.size.categories-differ-for-objects.
    """
    thing = blow.target
    topics = [
        "futurepath.object.attack-breaking",
        "futurepath.object.defense.base",
        "futurepath.size.categories-differ-for-objects",
    ]
    bearer = bearer_of(fight, thing)
    blow.cites += [rule for rule in fight.rules(*topics) if rule not in blow.cites]
    if bearer is not None:
        return tuple(defense_of_carried(fight, bearer, thing.sheet.size))
    return (base_defense(fight, thing.sheet.size),)


def provoke_bearer(fight: Fight, blow: Blow, declaration: str, delivering: Steps[bool]) -> Steps[bool]:
    """Let whoever has a thing strike at its attacker first, who has not the feat Sunder.

    futurepath.object.attack.held-provokes, futurepath.action.attack-object.provokes-if-attended.
    """
    bearer = bearer_of(fight, blow.target)
    attacker = blow.attacker
    if bearer is not None and threatens(fight, bearer, attacker) and not has_feat(attacker, "sunder"):
        cites = fight.rules(
            "futurepath.object.attack.held-provokes", "futurepath.action.attack-object.provokes-if-attended"
        )
        why = f"strikes at the {blow.target.id} of {bearer.id}"
        yield from fight.dialect.opportunity.provoke(
            fight, attacker, [bearer], why, f"object:{declaration}", *cites
        )
        if is_down(fight, attacker):
            return False
    return (yield from delivering)


def no_threat_to_things(fight: Fight, blow: Blow, natural: int, total: int, needed: int) -> bool:
    """Return that no hit threatens a critical one of a thing (futurepath.object.immunities)."""
    if natural >= blow.weapon.threat:
        blow.cites.append(fight.rule("futurepath.object.immunities"))
    return False


def deal_to_thing(fight: Fight, blow: Blow, critical: bool, dealing: Steps[None]) -> Steps[None]:
    """Deal a hit's damage to a thing, if the weapon does any: the game master says.

    futurepath.object.ineffective-weapons.
    """
    if (yield from is_effective(fight, blow.weapon, blow.target.id)):
        yield from dealing


def is_effective(fight: Fight, weapon: Weapon, thing: str) -> Steps[bool]:
    """Ask the game master whether a weapon can damage a thing at all; what cannot is told.

    futurepath.object.ineffective-weapons.
    """
    rule = fight.rule("futurepath.object.ineffective-weapons")
    question = f"a {weapon.damage_type} {weapon.name} against the {thing}: does it do damage?"
    if (yield Choice("", "effective", question, ("effective", "ineffective"), rule)) == "effective":
        return True
    yield RuleApplied(who="", what=f"the {weapon.name} can do nothing to the {thing}", cites=(rule,))
    return False


def through_hardness(
    fight: Fight, amount: int, energies: dict[str, int], hardness: int, said: list[str]
) -> tuple[int, list[str]]:
    """Return what is left of damage to a thing, and the topics of the rules that had a part in it.

    Electricity and fire are halved, cold is quartered, before hardness comes off; `said` takes up why
    (futurepath.object.energy.electricity-fire, .cold, .acid-sonic, futurepath.object.hardness).
    """
    topics: list[str] = []
    for kind, dealt in energies.items():
        if kind in DIVIDED:
            left = dealt // int(fight.figure(DIVIDED[kind], "divisor"))
            topics.append(DIVIDED[kind])
            said.append(f"{kind} against a thing: {left}")
            amount -= dealt - left
        elif kind in WHOLE:
            topics.append("futurepath.object.energy.acid-sonic")
    if hardness:
        topics.append("futurepath.object.hardness")
        said.append(f"hardness {hardness}")
    return max(0, amount - hardness), topics


def reduce_to_thing(fight: Fight, harm: Harm) -> tuple[int, str]:
    """Return what a thing's nature and hardness leave of damage, and what took the rest.

    futurepath.object.immunities, futurepath.object.hardness, futurepath.object.energy.acid-sonic.
    """
    thing = harm.target.sheet.thing
    assert thing is not None
    if harm.nonlethal:
        harm.reduced_by += fight.rules("futurepath.object.immunities")
        return 0, "no nonlethal damage to things"
    energies = energies_of(harm)
    if harm.damage_type in WHOLE:
        energies = {harm.damage_type: harm.amount, **energies}
    said: list[str] = []
    left, topics = through_hardness(fight, harm.amount, energies, thing.hardness, said)
    harm.reduced_by += fight.rules(*topics)
    return left, "; ".join(said)


def save_of_thing(fight: Fight, combatant: Combatant, kind: str, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of a saving throw; a thing that somebody has saves as its bearer would.

    futurepath.object.saves.attended.
    """
    bearer = bearer_of(fight, combatant)
    if bearer is None:
        return parts
    rule = fight.rule("futurepath.object.saves.attended")
    own = fight.dialect.classes.save_bonus(fight, bearer, kind)
    return [*own, Modifier(0, "untyped", f"as {bearer.id}", rule)]


def never_saves(fight: Fight, combatant: Combatant) -> str:
    """Return the topic by which a saving throw fails unrolled: of things that nobody has.

    futurepath.object.saves.unattended.
    """
    if combatant.sheet.thing is None or bearer_of(fight, combatant) is not None:
        return ""
    return "futurepath.object.saves.unattended"


def break_by_force(fight: Fight, act: acts.Burst) -> Steps[None]:
    """Break a thing with sudden force: a Strength check against its break DC, an attack action.

    Easier by 2 once it has lost half of its hit points (futurepath.object.break, .damaged-easier,
    futurepath.object.attack-breaking).
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule, easier = fight.rule("futurepath.object.break"), "futurepath.object.break.damaged-easier"
    thing = target.sheet.thing
    if thing is None or not thing.break_dc or "dead" in target.conditions:
        raise Refusal(f"{target.id} is nothing to be broken by force", rule)
    refuse_apart(actor, target, rule)
    dc = thing.break_dc
    cites: tuple[str, ...] = (rule,)
    if target.hp * 2 <= target.max_hp:
        dc += int(fight.figure(easier, "dc_modifier"))
        cites = (rule, fight.rule(easier))
    breaking = fight.rules("futurepath.object.attack-breaking", "futurepath.action.attack.definition")
    yield spending(fight, actor, "standard", "break", rule, *breaking)
    parts = [
        Modifier(ability(actor.sheet, "str"), "ability", "Strength", rule),
        *lowered(fight, actor, "str"),
    ]
    if (yield from check(fight, actor, "strength", parts, dc, *cites, why=f"to break {target.id}")):
        yield from change_health(fight, target, "dead", f"broken by {actor.id}", "futurepath.object.break")
