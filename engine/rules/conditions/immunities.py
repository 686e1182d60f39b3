"""What a creature is immune to: by its nature, or by a trait "immunity to ..." on its sheet.

Each dialect names the natures and where their immunities are listed (`conditions.immune_natures`). A trait
counts by the rule on the topic `immunity`: srd35.creature-immunities, pf1.immunity,
futurepath.assumed.immunity, woa.immunity.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Harm
from affray.engine.rules.classes.natures import nature_among, natures_of
from affray.engine.rules.classes.sheet_faults import POINTS
from affray.engine.steps import Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Spell
from affray.events.facts.sheet_parts import Rider
from affray.projections.state import Combatant

#: What calls for a Fortitude save and does nothing to a thing.
OF_THE_BODY: Final = "Fortitude effects not affecting objects"
#: Traits that are no natures begin so.
PREFIXES: Final = ("immunity to ", "immune to ")
GAZE: Final = "gaze"
#: What comes of having no air, or of smoke, to those who breathe.
SUFFOCATION: Final = "suffocation"
FEAR: Final = ("mind-affecting", "fear")
MIND: Final = ("mind-affecting",)
#: The immunities that keep off a condition, besides that to the condition itself.
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
#: Other names of an immunity, as stat blocks print them.
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
#: Words that say how an immunity is printed, not what it is to.
_TAILS: Final = (" effects", " effect", " attacks", " damage", " magic")
#: Names that end with such a word and mean what they say.
KEPT_WHOLE: Final = frozenset({"ability damage", "physical ability damage", "precision damage"})
#: Abilities of the body, whose damage an undead of pf1 does not suffer.
BODILY: Final = ("str", "dex", "con")


class Immunity(NamedTuple):
    """An immunity that keeps something off: what it is to, and by which rule."""

    kind: str
    rule: str


def kind_of(name: str) -> str:
    """Return what an immunity of that printed name is to: "mind-affecting effects" means "mind-affecting"."""
    if name in ALIASES:
        return ALIASES[name]
    for tail in _TAILS:
        if name.endswith(tail) and name not in KEPT_WHOLE:
            return kind_of(name.removesuffix(tail))
    return name


def immunities_of(traits: Iterable[str]) -> Iterator[str]:
    """Yield what traits say that their bearer is immune to."""
    for trait in traits:
        for prefix in PREFIXES:
            if trait.startswith(prefix):
                yield kind_of(trait.removeprefix(prefix))


def immunity_to(fight: Fight, victim: Combatant, *kinds: str) -> Immunity | None:
    """Return the first of these kinds of harm to which a creature is immune, None for none."""
    if not kinds:
        return None
    own = set(immunities_of(victim.sheet.traits))
    places = [fight.dialect.conditions.immune_natures.get(one) for one in natures_of(victim)]
    for kind in kinds:
        if kind in own:
            return Immunity(kind, fight.rule("immunity"))
        for place in filter(None, places):
            if kind in fight.figure(*place):
                return Immunity(kind, fight.rule(place[0]))
    return None


def immunities_to_condition(condition: str) -> tuple[str, ...]:
    """Return the immunities that keep a condition off."""
    return (*SPARED_BY.get(condition, ()), condition)


def immunities_to_loss(ability: str, drain: bool) -> tuple[str, ...]:
    """Return the immunities that keep points of an ability from being lost."""
    if drain:
        return "ability loss", "ability drain"
    return ("ability loss", "ability damage", *(("physical ability damage",) if ability in BODILY else ()))


def unaffected_fact(fight: Fight, combatant: Combatant, name: str, immunity: Immunity) -> RuleApplied:
    """Return the fact that something does nothing to a creature because of an immunity."""
    what = f"{name} does nothing: {combatant.sheet.kind}, immunity to {immunity.kind}"
    return RuleApplied(who=combatant.id, what=what, cites=(immunity.rule,))


def is_immune(fight: Fight, victim: Combatant, name: str, kinds: Collection[str]) -> Steps[bool]:
    """Return whether an immunity to one of these kinds keeps something off, and report it."""
    immunity = immunity_to(fight, victim, *kinds)
    if immunity is None:
        return False
    yield unaffected_fact(fight, victim, name, immunity)
    return True


def is_spared_condition(fight: Fight, fact: ConditionGained) -> bool:
    """Say whether an immunity keeps a condition off the one who would gain it."""
    return immunity_to(fight, fight.combatant(fact.who), *immunities_to_condition(fact.condition)) is not None


def condition_does_nothing(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Report that an immunity keeps a condition off."""
    victim = fight.combatant(fact.who)
    yield from is_immune(fight, victim, fact.condition, immunities_to_condition(fact.condition))


def immunities_to_rider(rider: Rider) -> tuple[str, ...]:
    """Return the immunities that keep off the whole of what a hit, a spell or a danger brings along."""
    kinds: tuple[str, ...] = () if rider.kind == "other" else (rider.kind,)
    if rider.kind == "ability":
        points = POINTS.fullmatch(rider.effect)
        kinds = immunities_to_loss(points["ability"], bool(points["drain"])) if points else ()
    return (*kinds, OF_THE_BODY) if rider.save == "fort" else kinds


def is_immune_to_rider(fight: Fight, victim: Combatant, rider: Rider) -> Steps[bool]:
    """Return whether an immunity keeps a rider off, and report it."""
    return is_immune(fight, victim, rider.name, immunities_to_rider(rider))


def is_immune_to_loss(fight: Fight, victim: Combatant, ability: str, drain: bool, source: str) -> Steps[bool]:
    """Return whether an immunity keeps points of an ability from being lost, and report it."""
    return is_immune(fight, victim, source, immunities_to_loss(ability, drain))


def untouched(fight: Fight, victim: Combatant, what: str) -> RuleApplied | None:
    """Return that what withers, chokes or sickens a body does nothing to a creature, None if it does."""
    immunity = immunity_to(fight, victim, OF_THE_BODY)
    return unaffected_fact(fight, victim, what, immunity) if immunity else None


def spared_fortitude(fight: Fight, victim: Combatant, what: str) -> Steps[bool]:
    """Return whether nature keeps off what calls for a Fortitude save and does nothing to a thing.

    srd35.creature-immunities, pf1.creature.undead, pf1.creature.construct.
    """
    return is_immune(fight, victim, what, (OF_THE_BODY,))


def spared_hazard(fight: Fight, act: acts.Hazard) -> Steps[None]:
    """Report that a danger to the body alone does nothing to the target of a hazard."""
    yield from spared_fortitude(fight, fight.combatant(act.target), act.source)


def is_hazard_to_body(fight: Fight, act: acts.Hazard) -> bool:
    """Say whether the target of a hazard, which is one to living bodies alone, has none."""
    return immunity_to(fight, fight.combatant(act.target), OF_THE_BODY) is not None


def spared_spell(fight: Fight, caster: Combatant, spell: Spell, target: Combatant) -> Steps[bool]:
    """Return whether a spell on living bodies alone finds none in its target, and report it."""
    return spared_fortitude(fight, target, spell.name)


def is_immune_to_spell(fight: Fight, caster: Combatant, spell: Spell, target: Combatant) -> Steps[bool]:
    """Return whether an immunity to gazes, or to a school of magic, keeps off a spell, and report it."""
    delivery = spell.delivery if spell.delivery == GAZE else ""
    return is_immune(fight, target, spell.name, tuple(filter(None, (delivery, spell.school))))


def is_spared_massive_damage(fight: Fight, victim: Combatant) -> bool:
    """Say whether no blow kills a creature that leaves it hit points: what nature keeps off death at a blow.

    srd35.creature-immunities, pf1.creature.undead, pf1.creature.construct.
    """
    return immunity_to(fight, victim, "death", OF_THE_BODY) is not None


def is_spared_precision(fight: Fight, victim: Combatant) -> bool:
    """Say whether a creature is immune to precision damage by itself (pf1.sneak-attack)."""
    return immunity_to(fight, victim, "precision damage") is not None


def spared_nonlethal(fight: Fight, harm: Harm) -> str:
    """Return why nonlethal damage does nothing to a target, "" where it does.

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
    """Take from a harm what is of a kind that its target is immune to, and return why; "" for nothing.

    `energies` is how much of it is which energy, which resistances meet `apart` or not at all. What a
    resistance takes off wholly is left to that (pf1.immunity, futurepath.assumed.immunity, woa.immunity).
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
