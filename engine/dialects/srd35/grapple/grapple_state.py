"""Who has whom in a grapple: taking hold, letting go, and what being held forbids."""

from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.record.blow import Blow, Intent
from affray.engine.record.maneuvers import Side
from affray.engine.rules.attacks.attack_roll import common_attack_situation
from affray.engine.rules.classes.ability_modifiers import ability, has_feat, size_step
from affray.engine.rules.classes.feat_prerequisites import masters
from affray.engine.rules.classes.saves_and_checks import circumstance_parts
from affray.engine.rules.gear.held_weapons import natural_weapons
from affray.engine.rules.gear.weapons_in_hand import unarmed
from affray.engine.steps import Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

BETWEEN = ", "
#: What a grappler may still declare besides the options of the grapple itself.
STILL_FREE = (
    acts.Enter,
    acts.Begin,
    acts.Close,
    acts.EndTurn,
    acts.Grapple,
    acts.Cast,
    acts.Activate,
    acts.Maintain,
    acts.Touch,
    acts.Identify,
    acts.LowerResistance,
    acts.Delay,
    acts.Resume,
    acts.Ready,
    acts.Drop,
    acts.Hazard,
    acts.TotalDefense,
)
#: Abilities that take neither hands nor an action.
OF_THE_MIND = ("rage", "end rage")
#: How many standard actions a casting takes where that is one at least; a full round counts for two.
STANDARD_ACTIONS = {"standard": 1, "full-round": 2}
MOVING = (acts.Move, acts.Step, acts.Withdraw, acts.Run, acts.Charge)


def opponents(fight: Fight, combatant: Combatant) -> list[Combatant]:
    """Return those with whom a combatant grapples, in the order in which they took hold."""
    held = combatant.conditions.get("grappling") or combatant.conditions.get("holding")
    combatants = fight.state.combatants
    return [combatants[id] for id in held.source.split(BETWEEN) if id in combatants] if held else []


def is_pinning(grappler: Combatant, target: Combatant) -> bool:
    """Say whether a combatant has pinned another."""
    return "pinned" in target.conditions and target.conditions["pinned"].source == grappler.id


def pins_an_opponent(fight: Fight, combatant: Combatant) -> bool:
    """Say whether a combatant has pinned any of its opponents."""
    return any(is_pinning(combatant, other) for other in opponents(fight, combatant))


def take_hold(fight: Fight, grappler: Combatant, target: Combatant, *cites: str) -> Steps[None]:
    """Let two combatants grapple each other from now on."""
    for one, other in ((grappler, target), (target, grappler)):
        ids = dict.fromkeys([*(each.id for each in opponents(fight, one)), other.id])
        grappling = (*cites, fight.rule("srd35.cond.grappling"))
        yield ConditionGained(who=one.id, condition="grappling", source=BETWEEN.join(ids), cites=grappling)


def end_grapple(fight: Fight, grappler: Combatant, target: Combatant, why: str, *cites: str) -> Steps[None]:
    """End the grapple of two combatants, and a pin between them; who is free of all steps apart."""
    for one, other in ((grappler, target), (target, grappler)):
        if is_pinning(other, one):
            yield from free_of_pin(one, why, *cites)
        left = [each.id for each in opponents(fight, one) if each is not other]
        how = "holding" if "holding" in one.conditions else "grappling"
        if left:
            source = BETWEEN.join(left)
            yield ConditionGained(who=one.id, condition=how, source=source, cites=cites)
        elif how in one.conditions:
            yield ConditionLost(who=one.id, condition=how, why=why, cites=cites)


def free_of_pin(combatant: Combatant, why: str, *cites: str) -> Steps[None]:
    """End a pin, and the silence that came with it; the grapple goes on."""
    for condition in ("pinned", "silenced"):
        if condition in combatant.conditions:
            yield ConditionLost(who=combatant.id, condition=condition, why=why, cites=cites)


def grapple_check(fight: Fight, combatant: Combatant, against: Combatant, *extra: Modifier) -> Side:
    """Return a grapple check: base attack bonus, Strength, special size modifier, what hampers attacks.

    srd35.grapple.check, srd35.grapple.size-modifier, srd35.feat.improved-grapple.
    """
    rule = fight.rule("srd35.grapple.check")
    parts = [
        Modifier(combatant.sheet.base_attack, "base", "base attack bonus", rule),
        Modifier(ability(combatant.sheet, "str"), "ability", "Strength", rule),
    ]
    size = fight.modifier(
        "srd35.grapple.size-modifier",
        combatant.sheet.size.capitalize(),
        kind="size",
        source=combatant.sheet.size,
    )
    if size.value:
        parts.append(size)
    if has_feat(combatant, "improved grapple"):
        parts.append(
            fight.modifier("srd35.feat.improved-grapple", "check", kind="feat", source="Improved Grapple")
        )
    if "holding" in combatant.conditions:
        parts.append(
            fight.modifier("srd35.improved-grab", "hold_penalty", kind="penalty", source="with one limb")
        )
    blow = Blow(combatant, against, unarmed(fight, combatant), True, 0, Intent("grapple"))
    parts += [*extra, *common_attack_situation(fight, blow), *circumstance_parts(combatant)]
    return Side(combatant, parts, "grapple")


def share_of_opponent(fight: Fight, grappler: Combatant, target: Combatant) -> int:
    """Return how much of a target one grappler takes up, in hundredths of a place."""
    bigger = size_step(grappler) - size_step(target)
    name = (
        "one_or_more_smaller"
        if bigger < 0
        else "same"
        if bigger == 0
        else "one_larger"
        if bigger == 1
        else "two_or_more_larger"
    )
    return int(fight.figure("srd35.grapple.max-grapplers", "weights", name) * 100)


def refuse_too_many(fight: Fight, grappler: Combatant, target: Combatant) -> None:
    """Refuse one grappler more than can hold a single opponent (srd35.grapple.max-grapplers)."""
    taken = sum(share_of_opponent(fight, one, target) for one in opponents(fight, target))
    if (
        taken + share_of_opponent(fight, grappler, target)
        > fight.figure("srd35.grapple.max-grapplers", "max") * 100
    ):
        raise Refusal(f"no more can grapple {target.id}", fight.rule("srd35.grapple.max-grapplers"))


def refuse_no_option(fight: Fight, grappler: Combatant, act: acts.Act) -> None:
    """Refuse to a grappler what is no option of the grapple, to the pinned all but getting free.

    Casting takes no gestures and no more than a standard action, a magic item no spell to be completed; a
    full attack may consist of options of the grapple; a pinner may take what its victim wears
    (srd35.grapple.actions, .cast, .pinned-state).
    """
    if isinstance(act, acts.Speak):
        if "silenced" in grappler.conditions:
            raise Refusal(f"{grappler.id} is kept from speaking", fight.rule("srd35.grapple.pinned-silence"))
        return
    if isinstance(act, acts.FullAttack):
        if len({strike.weapon for strike in act.strikes if strike.item == "attack"}) > 1:
            raise Refusal("not with two weapons while grappling", fight.rule("srd35.grapple.no-two-weapons"))
        if all(strike.special == "grapple" for strike in act.strikes):
            return
    if isinstance(act, acts.Disarm):
        target = fight.state.combatants.get(act.target)
        if target is not None and is_pinning(grappler, target) and act.secured == "well":
            return
    if isinstance(act, acts.UseAbility) and act.ability in OF_THE_MIND:
        return
    if isinstance(act, acts.Cast):
        refuse_grapplers_gestures(fight, grappler, act.spell)
    if isinstance(act, acts.Activate):
        refuse_item_in_grapple(fight, grappler, act.item)
    if isinstance(act, MOVING):
        raise Refusal(f"{grappler.id} is grappling and cannot move so", fight.rule("srd35.grapple.no-move"))
    if not isinstance(act, STILL_FREE):
        raise Refusal(f"{grappler.id} is grappling", fight.rule("srd35.grapple.consequences"))


def refuse_item_in_grapple(fight: Fight, grappler: Combatant, name: str) -> None:
    """Refuse to a grappler a magic item whose spell must be completed, and any item to the pinned.

    srd35.grapple.magic-item, srd35.grapple.pinned-state.
    """
    if "pinned" in grappler.conditions:
        raise Refusal(f"{grappler.id} is pinned", fight.rule("srd35.grapple.pinned-state"))
    if any(one.name == name and one.item == "scroll" for one in grappler.sheet.spells):
        raise Refusal(f"the {name} needs a spell to be completed", fight.rule("srd35.grapple.magic-item"))


def refuse_grapplers_gestures(fight: Fight, combatant: Combatant, name: str) -> None:
    """Refuse a spell that a grappler cannot cast: with gestures, or longer than a standard action."""
    rule = fight.rule("srd35.grapple.cast")
    spell = next((one for one in combatant.sheet.spells if one.name == name), None)
    if spell is None:
        return
    if "somatic" in spell.components:
        raise Refusal(f"{name} needs gestures, which {combatant.id} cannot make in a grapple", rule)
    if STANDARD_ACTIONS.get(spell.casting, 0) > fight.formula("srd35.grapple.cast", "max_casting_time"):
        raise Refusal(f"{name} takes too long in a grapple", rule)
    if "precise" in spell.components:
        raise Refusal(f"{name} needs care and precision", fight.rule("srd35.grapple.cast-precise"))


def strike_into_grapple(fight: Fight, blow: Blow) -> Steps[None]:
    """Let an attack from outside at a grappler strike a random one of those who grapple.

    Ranged attacks only, unless option `grapple_melee_target` says so of melee too; Improved Precise Shot
    strikes the one that was meant (srd35.ac-mod.grappling-random-target).
    """
    target = blow.target
    if is_helpless(fight, target):
        return
    reading = fight.option("grapple_melee_target")
    struck_at_random = not blow.melee or reading == "random"
    together = [target, *opponents(fight, target)]
    if not struck_at_random or blow.attacker in together or len(together) < 2:
        return
    if not blow.melee and masters(fight, blow.attacker, "improved precise shot"):
        yield RuleApplied(
            who=blow.attacker.id,
            what=f"into a grapple: {target.id} is struck at, as meant",
            cites=fight.rules("srd35.feat.improved-precise-shot"),
        )
        return
    together.sort(key=lambda one: list(fight.state.combatants).index(one.id))
    rolled = yield Roll(blow.attacker.id, "grappler", f"1d{len(together)}")
    blow.target = together[rolled.total - 1]
    yield RuleApplied(
        who=blow.attacker.id,
        what=f"into a grapple: {blow.target.id} is struck at (grapple_melee_target: {reading})",
        cites=fight.rules("srd35.ac-mod.grappling-random-target"),
    )


def grabbing_weapon(combatant: Combatant) -> Weapon | None:
    """Return the weapon with which a creature grabs, whose damage each won check deals again."""
    return next((one for one in natural_weapons(combatant) if "improved grab" in one.traits), None)
