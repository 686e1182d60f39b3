"""Conditions as data, immunities, mental actions and poisoned weapons."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from msgspec.structs import replace

from affray.engine.fight.fight import Fight, condition_changes, rule_of
from affray.engine.kernel.sheets import POINTS
from affray.engine.record.blow import Blow, Harm
from affray.engine.record.chapters import ConditionRule
from affray.engine.rules.attacks.miss_chance import percent_roll
from affray.engine.rules.classes.sheets import nature_among, natures_of
from affray.engine.steps import Refusal, Steps, unknown_word
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, EffectEnded, EffectGained, ResourceSpent, Until
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Modifier, Rider, Spell
from affray.projections.state import Combatant, Condition, Effect

# --- Flight, from a turning or from fear: its cause, and the acts that it still allows (srd35.turn.flee)

#: The movements of flight; they have to lead away.
FLEEING = (acts.Move, acts.Withdraw, acts.Run)
#: Acts that are not decided by the combatant's will.
UNWILLED = (acts.Enter, acts.Begin, acts.Close, acts.Hazard, acts.Rule, acts.Resume, acts.Speak)


def find_cause(fight: Fight, condition: Condition) -> Combatant | None:
    """Return the combatant that caused a condition, if it is known."""
    combatants = fight.state.combatants
    return combatants.get(condition.until.who) or combatants.get(condition.source)


# --- A creature's immunities: by its nature, or by a trait "immunity to ..." on its sheet
# Each dialect names the natures and where their immunities are listed (`conditions.immune_natures`). A trait
# counts by the rule on the topic `immunity`: srd35.creature-immunities, pf1.immunity,
# futurepath.assumed.immunity, woa.immunity.

#: Effects that allow a Fortitude save and do not affect objects.
OF_THE_BODY: Final = "Fortitude effects not affecting objects"
#: The prefix of traits that are no natures.
PREFIXES: Final = ("immunity to ", "immune to ")
GAZE: Final = "gaze"
#: The effects of lack of air, or of smoke, on those that breathe.
SUFFOCATION: Final = "suffocation"
FEAR: Final = ("mind-affecting", "fear")
MIND: Final = ("mind-affecting",)
#: The immunities that prevent a condition, in addition to that to the condition itself.
SPARED_BY: Final[Mapping[str, tuple[str, ...]]] = {
    "asleep": ("sleep",),
    "charmed": (*MIND, "charm"),
    "confused": MIND,
    "cowering": FEAR,
    "dead": ("death",),
    "drowning": (SUFFOCATION,),
    "energy drained": ("energy drain",),
    "exhausted": ("fatigue", "exhaustion"),
    "fascinated": MIND,
    "fatigued": ("fatigue",),
    "frightened": FEAR,
    "holding its breath": (SUFFOCATION,),
    "panicked": FEAR,
    "paralyzed": ("paralysis",),
    "petrified": ("petrification",),
    "shaken": FEAR,
    "stunned": ("stunning",),
}
#: Alternative names of an immunity, as stat blocks print them.
ALIASES: Final[Mapping[str, str]] = {
    "all mind-affecting effects": "mind-affecting",
    "bleeding": "bleed",
    "blindness": "blinded",
    "confusion": "confused",
    "critical hit": "critical hits",
    "daze": "dazed",
    "deafness": "deafened",
    "disease effects": "disease",
    "diseases": "disease",
    "energy drained": "energy drain",
    "exhausted": "exhaustion",
    "fatigued": "fatigue",
    "gazes": "gaze",
    "level drain": "energy drain",
    "magic sleep": "sleep",
    "mind-affecting spells and abilities": "mind-affecting",
    "mind-influencing": "mind-affecting",
    "nausea": "nauseated",
    "negative levels": "energy drain",
    "paralyzed": "paralysis",
    "petrified": "petrification",
    "poisons": "poison",
    "sneak attack": "precision damage",
    "sneak attacks": "precision damage",
    "stun": "stunning",
    "stunned": "stunning",
    "subdual": "nonlethal",
}
#: Words that describe how an immunity is printed, not what it is to.
_TAILS: Final = (" effects", " effect", " attacks", " damage", " magic")
#: Names that end with such a word and are to be taken literally.
KEPT_WHOLE: Final = frozenset({"ability damage", "physical ability damage", "precision damage"})
#: Physical abilities, whose damage does not affect an undead of pf1.
IMMUNITIES_BODILY: Final = ("str", "dex", "con")


class Immunity(NamedTuple):
    """An immunity that prevents something: its kind, and its rule."""

    kind: str
    rule: str


def kind_of(name: str) -> str:
    """Return the kind of an immunity as printed: "mind-affecting effects" means "mind-affecting"."""
    if name in ALIASES:
        return ALIASES[name]
    for tail in _TAILS:
        if name.endswith(tail) and name not in KEPT_WHOLE:
            return kind_of(name.removesuffix(tail))
    return name


def yield_immunities(traits: Iterable[str]) -> Iterator[str]:
    """Yield the immunities that traits give their bearer."""
    for trait in traits:
        for prefix in PREFIXES:
            if trait.startswith(prefix):
                yield kind_of(trait.removeprefix(prefix))


def immunity_to(fight: Fight, victim: Combatant, *kinds: str) -> Immunity | None:
    """Return the first of these kinds of harm to which a creature is immune, None for none."""
    if not kinds:
        return None
    own = set(yield_immunities(victim.sheet.traits))
    places = [fight.dialect.conditions.immune_natures.get(one) for one in natures_of(victim)]
    for kind in kinds:
        if kind in own:
            return Immunity(kind, fight.rule("immunity"))
        for place in filter(None, places):
            if kind in fight.figure(*place):
                return Immunity(kind, fight.rule(place[0]))
    return None


def find_condition_immunities(condition: str) -> tuple[str, ...]:
    """Return the immunities that prevent a condition."""
    return (*SPARED_BY.get(condition, ()), condition)


def find_loss_immunities(ability: str, drain: bool) -> tuple[str, ...]:
    """Return the immunities that prevent the loss of points of an ability."""
    if drain:
        return "ability loss", "ability drain"
    return (
        "ability loss",
        "ability damage",
        *(("physical ability damage",) if ability in IMMUNITIES_BODILY else ()),
    )


def make_unaffected_fact(fight: Fight, combatant: Combatant, name: str, immunity: Immunity) -> RuleApplied:
    """Return the fact that something does not affect a creature because of an immunity."""
    what = f"{name} does nothing: {combatant.sheet.kind}, immunity to {immunity.kind}"
    return RuleApplied(who=combatant.id, what=what, cites=(immunity.rule,))


def is_immune(fight: Fight, victim: Combatant, name: str, kinds: Collection[str]) -> Steps[bool]:
    """Return whether an immunity to one of these kinds prevents something, and report it."""
    immunity = immunity_to(fight, victim, *kinds)
    if immunity is None:
        return False
    yield make_unaffected_fact(fight, victim, name, immunity)
    return True


def is_spared_condition(fight: Fight, fact: ConditionGained) -> bool:
    """Return whether an immunity prevents a condition of the combatant that would gain it."""
    return (
        immunity_to(fight, fight.combatant(fact.who), *find_condition_immunities(fact.condition)) is not None
    )


def report_condition_immunity(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Report that an immunity prevents a condition."""
    victim = fight.combatant(fact.who)
    yield from is_immune(fight, victim, fact.condition, find_condition_immunities(fact.condition))


def find_rider_immunities(rider: Rider) -> tuple[str, ...]:
    """Return the immunities that prevent a rider of a hit, a spell or a danger entirely."""
    kinds: tuple[str, ...] = () if rider.kind == "other" else (rider.kind,)
    if rider.kind == "ability":
        points = POINTS.fullmatch(rider.effect)
        kinds = find_loss_immunities(points["ability"], bool(points["drain"])) if points else ()
    return (*kinds, OF_THE_BODY) if rider.save == "fort" else kinds


def is_immune_to_rider(fight: Fight, victim: Combatant, rider: Rider) -> Steps[bool]:
    """Return whether an immunity prevents a rider, and report it."""
    return is_immune(fight, victim, rider.name, find_rider_immunities(rider))


def is_immune_to_loss(fight: Fight, victim: Combatant, ability: str, drain: bool, source: str) -> Steps[bool]:
    """Return whether an immunity prevents the loss of points of an ability, and report it."""
    return is_immune(fight, victim, source, find_loss_immunities(ability, drain))


def untouched(fight: Fight, victim: Combatant, what: str) -> RuleApplied | None:
    """Return the fact that a creature is immune to what withers, chokes or sickens a body, None if it is
    not.
    """
    immunity = immunity_to(fight, victim, OF_THE_BODY)
    return make_unaffected_fact(fight, victim, what, immunity) if immunity else None


def is_spared_fortitude(fight: Fight, victim: Combatant, what: str) -> Steps[bool]:
    """Return whether a creature's nature protects it from Fortitude saves that do not affect objects.

    srd35.creature-immunities, pf1.creature.undead, pf1.creature.construct.
    """
    return is_immune(fight, victim, what, (OF_THE_BODY,))


def report_spared_hazard(fight: Fight, act: acts.Hazard) -> Steps[None]:
    """Report that a purely bodily danger does not affect the target of a hazard."""
    yield from is_spared_fortitude(fight, fight.combatant(act.target), act.source)


def is_hazard_to_body(fight: Fight, act: acts.Hazard) -> bool:
    """Return whether a hazard affects only living bodies and its target has none."""
    return immunity_to(fight, fight.combatant(act.target), OF_THE_BODY) is not None


def is_spared_spell(fight: Fight, caster: Combatant, spell: Spell, target: Combatant) -> Steps[bool]:
    """Return whether a spell that affects only living bodies has no effect on its target, and report it."""
    return is_spared_fortitude(fight, target, spell.name)


def is_immune_to_spell(fight: Fight, caster: Combatant, spell: Spell, target: Combatant) -> Steps[bool]:
    """Return whether an immunity to gazes, or to a school of magic, prevents a spell, and report it."""
    delivery = spell.delivery if spell.delivery == GAZE else ""
    return is_immune(fight, target, spell.name, tuple(filter(None, (delivery, spell.school))))


def is_spared_massive_damage(fight: Fight, victim: Combatant) -> bool:
    """Return whether a creature's nature protects it from death by massive damage.

    srd35.creature-immunities, pf1.creature.undead, pf1.creature.construct.
    """
    return immunity_to(fight, victim, "death", OF_THE_BODY) is not None


def is_spared_precision(fight: Fight, victim: Combatant) -> bool:
    """Return whether a creature is by nature immune to precision damage (pf1.sneak-attack)."""
    return immunity_to(fight, victim, "precision damage") is not None


def explain_spared_nonlethal(fight: Fight, harm: Harm) -> str:
    """Return why nonlethal damage does not affect a target, "" if it does.

    futurepath.assumed.nonlethal-immunity, pf1.nonlethal.immune, srd35.nonlethal.immune.
    """
    if not harm.nonlethal:
        return ""
    nature = nature_among(harm.target, fight.figure("nonlethal.immune"))
    if nature:
        harm.reduced_by += (fight.rule("nonlethal.immune"),)
        return f"{nature} is immune to nonlethal damage"
    immunity = immunity_to(fight, harm.target, "nonlethal")
    if immunity is None:
        return ""
    harm.reduced_by += (immunity.rule,)
    return "immunity to nonlethal damage"


def take_off_immune(fight: Fight, harm: Harm, energies: Mapping[str, int], *, apart: bool = False) -> str:
    """Remove from damage the kinds that its target is immune to, and return why; "" for nothing.

    `energies` are the amounts of each energy, which resistances reduce `apart` or not. Damage that a
    resistance absorbs entirely is left to that (pf1.immunity, futurepath.assumed.immunity, woa.immunity).
    """
    target = harm.target
    if not target.sheet.traits:
        return ""
    physical = harm.amount - sum(energies.values())
    reasons = []
    for kind, amount in {harm.damage_type: physical, **energies}.items():
        if (apart or harm.energy) and amount <= target.sheet.resistances.get(kind, 0):
            continue
        if immunity := immunity_to(fight, target, kind):
            harm.amount -= amount
            harm.energies = {other: much for other, much in harm.energies.items() if other != kind}
            harm.reduced_by += (immunity.rule,)
            reasons.append(f"immunity to {kind}")
    return "; ".join(reasons)


# --- Purely mental acts: all that the paralyzed can do
# pf1.cond.paralyzed, srd35.cond.paralyzed, woa.condition.paralyzed.

PARALYZED: Final = "paralyzed"
#: The components for which a caster needs its body.
MENTAL_ACTIONS_BODILY: Final = frozenset({"verbal", "somatic", "material", "focus", "divine focus"})
#: Acts that take only a thought; a spell may.
THOUGHTS: Final = (acts.EndTurn, acts.Maintain, acts.Plan, acts.Redirect)


def is_mental(spell: Spell) -> bool:
    """Return whether casting is purely mental: no words, gestures and materials, or a spell-like ability."""
    if spell.item:
        return False
    return (
        spell.ability == "spell-like" if spell.ability else MENTAL_ACTIONS_BODILY.isdisjoint(spell.components)
    )


def can_act_by_mind(combatant: Combatant) -> bool:
    """Return whether a combatant has any purely mental act left: a spell to maintain or to cast."""
    kept_up = {held.source for held in combatant.conditions.values()}
    return any(
        (spell.concentration and spell.name in kept_up)
        or (is_mental(spell) and (spell.uses is None or combatant.resources.get(spell.name, 0) < spell.uses))
        for spell in combatant.sheet.spells
    )


#: With these budgets of a turn the body does nothing.
STILL = ("mental", "none")


# --- Conditions as data: what each one adds, denies and forbids, by topic of its rule


def condition_parts(fight: Fight, combatant: Combatant, stat: str) -> Iterator[Modifier]:
    """Yield the modifiers that the conditions of a combatant give to `stat`.

    A state that several conditions include counts once; its repetitions are included as denied.
    """
    for name, change, denied in condition_changes(fight, combatant, stat):
        part = fight.modifier(change.topic, *change.path, kind=change.kind, source=name)
        if change.each:
            part = replace(part, value=part.value * combatant.conditions[name].level)
        if change.halve or change.negate:
            value = -part.value if change.negate else part.value
            # Two points of an ability are one of its modifier; an odd point has no effect.
            value = int(value / 2) if change.halve else value
            # A lower ability differs from the condition's own penalty: both count.
            kind = "ability" if change.halve else part.kind
            source = f"{name}: lower ability" if change.halve else part.source
            part = Modifier(value, kind, source, part.rule)
        yield replace(part, denied=denied) if denied else part


#: The budgets that a condition's figure leaves of a turn.
BUDGETS: dict[object, str] = {0: "none", "1 move OR 1 standard": "single", "1 move": "move"}


def actions_of(fight: Fight, rule: ConditionRule) -> str:
    """Return the part of a turn that a condition leaves: "any", "single", "move", "flight", "mental" or
    "none".
    """
    if not rule.budget:
        return rule.actions
    return BUDGETS.get(fight.figure(rule.topic, rule.budget), "any")


def number_of_condition(combatant: Combatant, name: str) -> int:
    """Return the number at the end of a condition's source; 0 for a condition given by its name alone."""
    said = combatant.conditions[name].source.rpartition(" ")[2]
    return int(said) if said.isdecimal() else 0


def cannot_act(fight: Fight, combatant: Combatant, mind: bool = False) -> bool:
    """Return whether a combatant's body (with `mind` also its mind) can do nothing now, down or not."""
    return any(makes_powerless(fight, name, mind) for name in combatant.conditions)


def makes_powerless(fight: Fight, name: str, mind: bool = False) -> bool:
    """Return whether a condition lets its bearer's body (with `mind` also its mind) do nothing."""
    rule = rule_of(fight, name)
    return rule.down or actions_of(fight, rule) in (STILL[1:] if mind else STILL)


def condition_leaving_a_move(fight: Fight, combatant: Combatant) -> str:
    """Return the condition that leaves a combatant only a move action of each turn, "" without one."""
    left = (name for name in combatant.conditions if actions_of(fight, rule_of(fight, name)) == "move")
    return next(left, "")


def has_no_attack(fight: Fight, combatant: Combatant) -> bool:
    """Return whether conditions leave a combatant no attack: nothing, purely mental acts, a move or
    flight.
    """
    rules = [rule_of(fight, name) for name in combatant.conditions]
    return any(rule.down or actions_of(fight, rule) in (*STILL, "move", "flight") for rule in rules)


def bars_all_action(fight: Fight, combatant: Combatant, name: str) -> bool:
    """Return whether a condition leaves its bearer no act, purely mental ones included."""
    left = actions_of(fight, rule_of(fight, name))
    return left == "none" or (left == "mental" and not can_act_by_mind(combatant))


def can_react(fight: Fight, combatant: Combatant) -> str:
    """Return the topic of the condition that forbids reactions, "" if none does."""
    for name in combatant.conditions:
        rule = rule_of(fight, name)
        ready = rule.reactions or (rule.reflexes and "combat reflexes" in combatant.sheet.feats)
        if not ready or actions_of(fight, rule) in STILL or rule.down:
            return rule.topic
    return ""


def find_blinding_condition(fight: Fight, combatant: Combatant) -> str:
    """Return the condition that keeps a combatant from seeing, "" if none does."""
    return next((name for name in combatant.conditions if rule_of(fight, name).sightless), "")


def falls_prone(combatant: Combatant, source: str, cites: tuple[str, ...]) -> Iterator[ConditionGained]:
    """Yield the fact that a combatant falls prone; nothing if it is prone already."""
    if "prone" not in combatant.conditions:
        yield ConditionGained(who=combatant.id, condition="prone", source=source, cites=cites)


def apply_fear_condition(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Apply a condition that takes its bearer's attention, and end what it excludes.

    It is not prevented here: immunities and combinations belong to the point `conditions.gain`.
    """
    yield fact
    yield from fight.dialect.conditions.lapses(fight, fact)


def can_act(fight: Fight, combatant: Combatant) -> bool:
    """Return whether a combatant can act in this turn."""
    return not any(
        rule_of(fight, name).down or bars_all_action(fight, combatant, name) for name in combatant.conditions
    )


def rule_on_condition(fight: Fight, name: str, otherwise: str) -> str:
    """Return the id of the rule on a condition; if the dialect does not list it, of the rule on another
    topic.
    """
    table = fight.dialect.conditions.table
    return fight.rule(table[name].topic if name in table else otherwise)


def refuse_down(fight: Fight, combatant: Combatant, what: str) -> None:
    """Refuse acts without an action to a combatant that is down, by the rule of its condition."""
    for name in combatant.conditions:
        if (rule := rule_of(fight, name)).down:
            raise Refusal(f"{combatant.id} is {name} and cannot {what}", fight.rule(rule.topic))


# --- Poison on weapons: applied to them, spent by the first hit, a danger to its user
# srd35.poison, pf1.poison.

SMEARED = "poison on the "
#: The topic of the rule on poison.
POISON = "poison"


def dose_for_weapon(fight: Fight, actor: Combatant, act: acts.Envenom) -> tuple[Rider, str]:
    """Return the declared dose and the weapon in hand for it. Refuses what the actor does not have.

    srd35.poison, pf1.poison.
    """
    rule = fight.rule(POISON)
    dose = next((one for one in actor.sheet.poisons if act.poison in ("", one.name)), None)
    doses = sum(one == dose for one in actor.sheet.poisons)
    if dose is None:
        if not actor.sheet.poisons:
            raise Refusal(f"{actor.id} has no poison", rule)
        known = dict.fromkeys(one.name for one in actor.sheet.poisons)
        raise unknown_word("poison", act.poison, known, rule, actor.id)
    if actor.resources.get(dose.name, 0) >= doses:
        raise Refusal(f"{actor.id} has no dose of {dose.name} left", rule)
    weapon = act.weapon or next(iter(actor.held), "")
    if not weapon:
        raise Refusal(f"{actor.id} holds no weapon to poison", rule)
    if weapon not in actor.held:
        raise unknown_word("weapon", weapon, actor.held, fight.rule("weapon.in-hand"), actor.id, "in hand")
    if dose.delivery != "injury":
        raise Refusal(f"{dose.name} is no poison for weapons", rule)
    return dose, weapon


def apply_poison_dose(fight: Fight, actor: Combatant, dose: Rider, weapon: str) -> Steps[None]:
    """Apply a dose to a weapon; the user may be exposed to it (srd35.poison, pf1.poison)."""
    rule = fight.rule(POISON)
    yield ResourceSpent(who=actor.id, resource=dose.name, amount=1, cites=(rule,))
    if (yield from is_exposed_to_own(fight, actor)):
        yield from fight.dialect.conditions.take_rider(fight, actor, dose)
    yield EffectGained(
        who=actor.id,
        id=fight.key(actor.id, "smeared"),
        stat=f"{SMEARED}{weapon}",
        modifier=Modifier(0, "poison", dose.name, rule),
        until=Until(),
        cites=(rule,),
    )


def is_exposed_to_own(fight: Fight, victim: Combatant) -> Steps[bool]:
    """Roll whether a combatant that handles poison is exposed to it."""
    percent, rule = fight.figure(POISON, "self_pct"), fight.rule(POISON)
    return (yield from percent_roll(victim, "exposure", percent, f"{percent}% to be exposed", rule))


def poison_on(combatant: Combatant, weapon: str) -> tuple[Effect, Rider] | None:
    """Return the poison on a weapon: the effect that records it, and the poison; None for a clean weapon."""
    for effect in combatant.effects:
        if effect.stat == f"{SMEARED}{weapon}":
            for dose in combatant.sheet.poisons:
                if dose.name == effect.modifier.source:
                    return effect, dose
    return None


def spend_poison(fight: Fight, blow: Blow) -> Steps[tuple[Rider, ...]]:
    """Remove the poison from the weapon that has hit, and return it (srd35.poison, pf1.poison)."""
    found = poison_on(blow.attacker, blow.weapon.name)
    if found is None:
        return ()
    effect, dose = found
    yield EffectEnded(who=blow.attacker.id, id=effect.id, why="used", cites=fight.rules(POISON))
    return (dose,)


def poisons_of(blow: Blow) -> list[Rider]:
    """Return the poisons of a weapon: its natural ones, and the applied one."""
    found = poison_on(blow.attacker, blow.weapon.name)
    own = [one for one in blow.weapon.riders if one.kind == "poison"]
    return own if found is None else [*own, found[1]]
