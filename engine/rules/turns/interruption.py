"""Interruptions: after each of them an action asks again what it needs (srd35.ready.interrupt).

Attacks of opportunity, readied acts and other reactions come into the middle of an action. Whoever is still
capable of it goes on. What an interruption made impossible ends there, with the reason and the rule.
"""

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.fight.fight import Fight, is_down, leaves_nothing, rule_of
from affray.engine.rules.magic.known_spells import named_spell
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant

#: Declarations that ask for themselves, step by step and blow by blow, what they still can. A turn ends
#: whatever comes between: what is due at its end asks for itself.
BY_PARTS: tuple[type[acts.Act], ...] = (
    acts.Attack,
    acts.AwesomeBlow,
    acts.Brace,
    acts.BullRush,
    acts.CalledShot,
    acts.Charge,
    acts.Clamber,
    acts.DirtyTrick,
    acts.Disarm,
    acts.Dismount,
    acts.Drag,
    acts.EndTurn,
    acts.Flyby,
    acts.FullAttack,
    acts.Grab,
    acts.Grapple,
    acts.Jump,
    acts.Manyshot,
    acts.Mount,
    acts.Move,
    acts.Overrun,
    acts.Push,
    acts.Reposition,
    acts.Ride,
    acts.Run,
    acts.Skirmish,
    acts.Split,
    acts.Steal,
    acts.Step,
    acts.Stunt,
    acts.Sunder,
    acts.Trample,
    acts.Trip,
    acts.Withdraw,
)


#: What is done in these declarations, where their names are no nouns.
IN_WORDS = {
    "activate": "the use of the item",
    "aid": "the aid",
    "bind": "the binding",
    "break-free": "the breaking free",
    "burst": "the bursting",
    "cast": "the spell",
    "counter": "the counterspell",
    "demoralize": "the threat",
    "doff": "the taking off",
    "don": "the putting on",
    "draw": "the drawing",
    "envenom": "the smearing of poison",
    "extinguish": "the putting out",
    "gather": "the gathering up",
    "get-free": "the getting free",
    "grip": "the change of grip",
    "guide": "the guiding",
    "handle": "the handling",
    "hide": "the hiding",
    "identify": "the look at the spell",
    "lift": "the lifting",
    "load": "the loading",
    "lower-resistance": "the lowering of resistance",
    "maintain": "the keeping up",
    "pilfer": "the theft",
    "ready": "the readying",
    "recover": "the recovering",
    "redirect": "the redirecting",
    "rouse": "the rousing",
    "seek": "the search",
    "shake-off": "the shaking off",
    "sheathe": "the putting away",
    "shelter": "the sheltering",
    "stabilize": "the first aid",
    "stand": "the standing up",
    "tend-feet": "the care of the feet",
    "treat": "the treatment",
    "turn-undead": "the turning",
    "use-ability": "the use of the ability",
    "use-feat": "the use of the feat",
    "use-skill": "the use of the skill",
}


class Interrupted(Exception):
    """What a combatant was doing cannot go on after an interruption; `lost` tells why."""

    def __init__(self, lost: RuleApplied) -> None:
        self.lost = lost


class Footing(Struct, gc=False):
    """How a combatant stood as an interruption came, and what it could do then.

    `stood` is what an interruption may change of it and of whom it is at. `permitted` says whether nothing
    forbade what it does, `possible` whether it could have been begun just then, told of what asks only so.
    """

    combatant: Combatant
    other: Combatant | None
    stood: tuple[object, ...]
    permitted: bool
    possible: bool = False


def standing(combatant: Combatant, other: Combatant | None = None) -> tuple[object, ...]:
    """Return what an interruption may change of both: places, what is in hand and in store, conditions."""
    own = (combatant.at, combatant.held, tuple(combatant.conditions), tuple(combatant.items.items()))
    if other is None:
        return own
    return (*own, other.at, other.held, tuple(other.conditions), tuple(other.items.items()))


def footing(fight: Fight, combatant: Combatant, other: Combatant | None = None) -> Footing:
    """Return how a combatant stands before it may be interrupted, in what it does at `other`."""
    # Whoever is in no condition does what it was permitted to declare.
    permitted = not combatant.conditions or is_permitted(fight, combatant)
    return Footing(combatant, other, standing(combatant, other), permitted)


def is_permitted(fight: Fight, combatant: Combatant) -> bool:
    """Say whether no condition and no prohibition forbids a combatant what it is doing."""
    try:
        refuse_impeded(fight, combatant, True)
    except Refusal:
        return False
    return True


def refuse_impeded(fight: Fight, combatant: Combatant, permitted: bool) -> None:
    """Refuse to go on to whoever can do nothing any more or, if it was `permitted`, may not do this now."""
    for name in combatant.conditions:
        if leaves_nothing(fight, name):
            raise Refusal(f"{combatant.id} is {name}", fight.rule(rule_of(fight, name).topic))
    act = fight.doing
    if permitted and act is not None and act.actor == combatant.id:
        fight.dialect.turns.prohibitions(fight, combatant, act)


def refuse_if_changed(fight: Fight, before: Footing, again: Callable[[], object]) -> None:
    """Refuse what has become impossible since `before`: by a condition, or because `again` refuses it."""
    if standing(before.combatant, before.other) != before.stood:
        refuse_impeded(fight, before.combatant, before.permitted)
        again()


def about_to_be_interrupted(fight: Fight, combatant: Combatant) -> Footing | None:
    """Return how a combatant stands in the middle of its declaration; None if that asks for itself."""
    act = fight.doing
    if act is None or act.actor != combatant.id or isinstance(act, BY_PARTS):
        return None
    found = footing(fight, combatant)
    found.possible = found.permitted and could_begin(fight, act) is None
    return found


def stop_if_impossible(fight: Fight, before: Footing | None) -> None:
    """End what a combatant does, by raising Interrupted, if the interruption has made it impossible.

    Whoever is down has been told so. What could have been begun before and now cannot is over.
    """
    act = fight.doing
    if before is None or act is None or is_down(fight, before.combatant):
        return
    refused: Refusal | None = None
    try:
        refuse_impeded(fight, before.combatant, before.permitted)
    except Refusal as refusal:
        refused = refusal
    if refused is None and before.possible:
        refused = could_begin(fight, act)
    if refused is not None:
        raise Interrupted(attack_is_lost(before.combatant, refused, what_is_done(act)))


def what_is_done(act: acts.Act) -> str:
    """Return what somebody does, in words: "the spell" for a casting."""
    tag = str(act.__struct_config__.tag)
    return IN_WORDS.get(tag) or f"the {tag.replace('-', ' ')}"


def could_begin(fight: Fight, act: acts.Act) -> Refusal | None:
    """Return why a declaration could not be begun now, what it takes aside; None if it could.

    What it takes is its action, and what it has used up since it began: the last use of a spell is not
    missing to its own casting. A resolver refuses before its first step and changes nothing but by its steps:
    so none is gone through.
    """
    act = as_begun_anew(fight, act)
    readied, scope, counts, doing = fight.readied, fight.scope, dict(fight.counts), fight.doing
    actor = fight.combatant(act.actor)
    resources = actor.resources
    # What is only tried is not being done: an interruption right at its beginning asks nothing again.
    fight.readied, fight.doing, actor.resources = act.actor, None, dict(fight.used_before)
    try:
        next(fight.dialect.acts[type(act)](fight, act), None)
    except Refusal as refusal:
        return refusal
    finally:
        fight.readied, fight.scope, fight.counts, fight.doing = readied, scope, counts, doing
        actor.resources = resources
    return None


def as_begun_anew(fight: Fight, act: acts.Act) -> acts.Act:
    """Return a declaration as it could be begun now.

    What is delivered by touch needs nobody within reach while its charge can be held
    (srd35.cast.hold-charge, woa.spell.hold-charge).
    """
    if not isinstance(act, acts.Cast | acts.Activate) or not fight.dialect.magic.holds_charges:
        return act
    spell = named_spell(fight.combatant(act.actor), act.spell if isinstance(act, acts.Cast) else act.item)
    touching = spell is not None and spell.touch == "melee" and spell.item != "potion"
    return replace(act, targets=()) if touching else act


def attack_is_lost(combatant: Combatant, refused: Refusal, what: str = "the attack") -> RuleApplied:
    """Return that what a combatant was about to do is lost, since by now the rules refuse it."""
    return RuleApplied(who=combatant.id, what=f"{what} is lost: {refused.reason}", cites=(refused.rule,))


def goes_on(fight: Fight, before: Footing, again: Callable[[], object], what: str) -> Steps[bool]:
    """Return whether an action goes on after an interruption; one that does not is told to be lost.

    Whoever is down does not, and has been told so.
    """
    if is_down(fight, before.combatant):
        return False
    try:
        refuse_if_changed(fight, before, again)
    except Refusal as refused:
        yield attack_is_lost(before.combatant, refused, what)
        return False
    return True
