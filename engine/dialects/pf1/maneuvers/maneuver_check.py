"""Combat maneuvers in general: possible targets, what they provoke, the roll (pf1.maneuver.*)."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.dialects.pf1.defense import refuse_to_handle
from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.kernel.actions import permit
from affray.engine.modifiers import effect_parts
from affray.engine.record.blow import Blow, varied
from affray.engine.record.chapters import Attempt
from affray.engine.rules.attacks import natural_weapons
from affray.engine.rules.attacks.attack_roll import strike, weapon_parts
from affray.engine.rules.classes.abilities import blow_parts, lowered
from affray.engine.rules.classes.checks import masters
from affray.engine.rules.classes.sheets import FLYING, ability, has_feat, size_step
from affray.engine.rules.conditions.conditions import condition_parts
from affray.engine.rules.damage.damage import NO_DAMAGE, NO_THREAT
from affray.engine.rules.gear.weapons_in_hand import unarmed
from affray.engine.rules.maneuvers.trample import melee_attempt, provoke_from_target, still_possible
from affray.engine.rules.movement.movement import displaced, fall_over, falls_at
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.turns.actions import refuse_unless_allowed, spending
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.errors import counted
from affray.events.facts import acts
from affray.events.facts.sheet import Modifier, Weapon
from affray.projections.state import Combatant

# --- Combat maneuver bonus and defense: the parts of a maneuver's roll and of its target number
# pf1.cmb, pf1.cmd, pf1.maneuver.size-table.

#: Sizes at which Dexterity replaces Strength (pf1.cmb).
NIMBLE: Final = ("fine", "diminutive", "tiny")
#: Maneuvers that are made with a weapon and take its bonuses (pf1.maneuver.roll).
WITH_WEAPON: Final = ("disarm", "sunder", "trip")
#: Kinds of a monk's bonuses from class and Wisdom, to its CMD too (pf1.monk).
OF_MONKS: Final = ("class", "ability")


def uses_dexterity(fight: Fight, blow: Blow) -> bool:
    """Return whether Dexterity replaces Strength in a maneuver: for the tiny, the agile, the incorporeal.

    pf1.cmb, pf1.feat.agile-maneuvers.
    """
    attacker = blow.attacker
    tiny = attacker.sheet.size in NIMBLE or attacker.sheet.abilities.str is None
    return tiny or has_feat(attacker, "agile maneuvers")


def combat_maneuver_bonus(fight: Fight, blow: Blow) -> tuple[Modifier, ...]:
    """Return the combat maneuver bonus, and that of a weapon that the maneuver is made with.

    pf1.cmb, pf1.maneuver.roll.
    """
    attacker, rule = blow.attacker, fight.rule("pf1.cmb")
    agile = uses_dexterity(fight, blow)
    why = fight.rule("pf1.feat.agile-maneuvers") if has_feat(attacker, "agile maneuvers") else rule
    short, name = ("dex", "Dexterity") if agile else ("str", "Strength")
    parts = [
        Modifier(attacker.sheet.base_attack, "base", "base attack bonus", rule),
        Modifier(ability(attacker.sheet, short), "ability", name, why),
        *special_size(fight, attacker),
    ]
    if blow.intent.maneuver in WITH_WEAPON:
        parts += weapon_parts(fight, attacker, blow.weapon, fight.rule("pf1.maneuver.roll"))
    return tuple(parts)


def special_size(fight: Fight, combatant: Combatant) -> list[Modifier]:
    """Return the special modifier for size, which grows with it (pf1.maneuver.size-table)."""
    topic, size = "pf1.maneuver.size-table", combatant.sheet.size
    value = fight.figure(topic, size.capitalize())
    return [Modifier(value, "size", size, fight.rule(topic))] if value else []


def combat_maneuver_defense(fight: Fight, blow: Blow) -> tuple[Modifier, ...]:
    """Return the parts of the combat maneuver defense from the target's sheet, the denied ones marked.

    Of Armor Class the kinds of bonus count that pf1.cmd lists, and every penalty (pf1.cmd, pf1.monk,
    pf1.feat.agile-maneuvers).
    """
    target, rule = blow.target, fight.rule("pf1.cmd")
    sheet = target.sheet
    base = Modifier(sheet.base_attack, "base", "base attack bonus", rule)
    if has_feat(target, "defensive combat training"):
        trained = fight.rule("pf1.feat.agile-maneuvers")
        base = Modifier(sheet.hit_dice, "base", "Hit Dice, Defensive Combat Training", trained)
    return (
        Modifier(fight.formula("pf1.cmd", "formula"), "base", "base", rule),
        base,
        Modifier(ability(sheet, "str"), "ability", "Strength", rule),
        *lowered(fight, target, "str"),
        *dexterity_parts(fight, blow),
        *special_size(fight, target),
        *armor_parts(fight, blow),
    )


def dexterity_parts(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the Dexterity part of the CMD; the flat-footed are denied a bonus, the helpless have none.

    A penalty stays (pf1.cmd, pf1.helpless.ac).
    """
    target, rule = blow.target, fight.rule("pf1.cmd")
    if is_helpless(fight, target):
        return fight.dialect.defense.helpless_dexterity(fight, blow)
    parts = [Modifier(ability(target.sheet, "dex"), "ability", "Dexterity", rule)]
    parts += lowered(fight, target, "dex", "defense")
    denied = why_flat_footed(fight, blow)
    if denied and sum(part.value for part in parts) > 0:
        said = f"{denied}: Dexterity bonus denied ({rule})"
        parts = [Modifier(part.value, part.kind, part.source, part.rule, said) for part in parts]
    return parts


def why_flat_footed(fight: Fight, blow: Blow) -> str:
    """Return "flat-footed" if the target is, "" if not: its Dexterity does not count then.

    Other reasons that deny Dexterity to AC leave it in the CMD (pf1.cmd).
    """
    reason, _ = fight.dialect.defense.dexterity_denied(fight, blow)
    return reason if reason == "flat-footed" else ""


def armor_parts(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the counting parts of Armor Class on the target's sheet: by kind, and all penalties.

    A dodge bonus is lost with Dexterity to AC (pf1.ac.dodge-lost-with-dex).
    """
    target, rule = blow.target, fight.rule("pf1.cmd")
    monk = OF_MONKS if "monk" in target.sheet.classes else ()
    counted = [
        Modifier(part.value, part.kind, part.source or part.kind, rule)
        for part in target.sheet.armor
        if part.kind in monk or counts(fight, part.kind, part.value)
    ]
    return without_dodge(fight, blow, counted)


def counts(fight: Fight, kind: str, value: int) -> bool:
    """Return whether a modifier of Armor Class applies to the CMD too: listed kinds, and penalties
    (pf1.cmd).
    """
    return value < 0 or kind in fight.figure("pf1.cmd", "adds")


def without_dodge(fight: Fight, blow: Blow, parts: Iterable[Modifier]) -> list[Modifier]:
    """Return the parts with dodge bonuses denied if the target is denied its Dexterity to AC."""
    reason, topic = fight.dialect.defense.dexterity_denied(fight, blow)
    if not reason:
        return list(parts)
    said = f"{reason}: dodge bonuses denied ({fight.rule(topic)})"
    return [
        Modifier(part.value, part.kind, part.source, part.rule, said)
        if part.kind == "dodge" and part.value > 0
        else part
        for part in parts
    ]


def situation_of_target(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the modifiers of the CMD from conditions, temporary effects and features (pf1.cmd,
    pf1.negative-levels).
    """
    target = blow.target
    by_state = [
        *condition_parts(fight, target, "defense.melee"),
        *effect_parts(target, "defense", blow.attacker.id),
        *blow_parts(fight, blow, "defense"),
    ]
    # A condition that lowers both Strength and Dexterity has two effects, distinguished by their sources.
    weaker = [
        replace(part, source=f"{part.source} (Strength)")
        for part in condition_parts(fight, target, "attack.strength")
    ]
    return [
        *condition_parts(fight, target, "maneuver defense"),
        *weaker,
        *without_dodge(fight, blow, (one for one in by_state if counts(fight, one.kind, one.value))),
    ]


# --- Modifiers of a maneuver's roll and its target number from feats and the target's state
# pf1.feat.maneuver-improved, pf1.feat.maneuver-greater, pf1.maneuver.auto.

IMPROVED: Final = "pf1.feat.maneuver-improved"
GREATER: Final = "pf1.feat.maneuver-greater"


def has_improved(combatant: Combatant, name: str) -> bool:
    """Return whether a combatant has the Improved feat of a maneuver, which then does not provoke."""
    return has_feat(combatant, f"improved {name}")


def has_greater(fight: Fight, combatant: Combatant, name: str) -> bool:
    """Return whether a combatant has the Greater feat of a maneuver and can use it."""
    return masters(fight, combatant, f"greater {name}")


def better_at_it(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the bonuses of the Improved and the Greater feat of a maneuver to its roll.

    pf1.feat.maneuver-improved, pf1.feat.maneuver-greater, pf1.feat.greater-grapple.
    """
    name, parts = blow.intent.maneuver, []
    if has_improved(blow.attacker, name):
        parts.append(fight.modifier(IMPROVED, "check", kind="untyped", source=f"improved {name}".title()))
    if name == "grapple" and has_feat(blow.attacker, "greater grapple"):
        topic = "pf1.feat.greater-grapple"
        parts.append(fight.modifier(topic, "check", kind="untyped", source="Greater Grapple"))
    elif has_greater(fight, blow.attacker, name):
        parts.append(fight.modifier(GREATER, "check", kind="untyped", source=f"greater {name}".title()))
    return parts


def stunned_target(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the bonus of maneuvers against the stunned (pf1.maneuver.auto, pf1.cond.stunned)."""
    source = f"{blow.target.id} is stunned"
    return [fight.modifier("pf1.maneuver.auto", "stunned", kind="circumstance", source=source)]


def warded_by_feat(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the bonus of the target's own Improved feat to its CMD against that maneuver."""
    name = blow.intent.maneuver
    if not has_improved(blow.target, name):
        return []
    return [fight.modifier(IMPROVED, "cmd", kind="untyped", source=f"improved {name}".title())]


MODES: Final = "pf1.maneuver.modes"


class Check(Struct, frozen=True, gc=False):
    """The result of a maneuver; `margin` is its total less the CMD: 0 or more if it succeeds, otherwise at
    most 0.

    A natural 20 may succeed below the CMD, a natural 1 or concealment may make a sufficient roll fail.
    """

    won: bool
    margin: int

    def times(self, per: int) -> int:
        """Return how many whole times `per` points the CMD was exceeded by."""
        return self.margin // per


def maneuver_blow(
    fight: Fight,
    attacker: Combatant,
    target: Combatant,
    name: str,
    weapon: Weapon | None = None,
    kind: str = "attack",
) -> Blow:
    """Return the blow that carries the maneuver `name`, with a weapon or without.

    Refuses the attacker itself, and targets that are too big by pf1.maneuver.modes, incorporeal, or out of
    reach.
    """
    means = weapon or unarmed(fight, attacker)
    refuse_immovable(fight, attacker, target, name, means)
    blow = melee_attempt(fight, attacker, target, means, kind, fight.rule("pf1.maneuver.roll"))
    blow.intent = replace(blow.intent, maneuver=name, against=f"CMD against {name}", nonlethal=False)
    return blow


def refuse_immovable(fight: Fight, attacker: Combatant, target: Combatant, name: str, means: Weapon) -> None:
    """Refuse targets that the maneuver `name` can never affect.

    The attacker itself, the too big, swarms, the incorporeal (pf1.maneuver.modes, pf1.creature.swarm,
    pf1.cond.incorporeal).
    """
    if name in natural_weapons.HELD:
        natural_weapons.refuse_hold(fight, attacker, target, name)
    refuse_too_big(fight, attacker, target, name)
    refuse_to_handle(fight, attacker, target, means)


def refuse_too_big(fight: Fight, attacker: Combatant, target: Combatant, name: str) -> None:
    """Refuse the attacker itself, and a target more sizes larger than the table allows
    (pf1.maneuver.modes).
    """
    rule = fight.rule(MODES)
    if target is attacker:
        raise Refusal(f"{attacker.id} cannot {name} itself", rule)
    most = fight.figure(MODES, f"maneuver={name}", "max_size")
    if most is not None and size_step(target) - size_step(attacker) > int(most):
        sizes = counted(int(most), "size category", "size categories")
        raise Refusal(f"{target.id} is more than {sizes} larger than {attacker.id}: too big to {name}", rule)


#: The result of a maneuver that is no longer made: it neither succeeds nor fails by a wide margin.
NOT_MADE: Final = Check(False, 0)


def try_maneuver(fight: Fight, blow: Blow, topic: str, *others: str, item: str = "") -> Steps[Check]:
    """Make the maneuver that a blow carries, by the rule on `topic`, as a standard action."""
    cites = fight.rules(topic, MODES, *others)
    yield spending(fight, blow.attacker, "standard", blow.intent.maneuver, *cites)
    return (yield from attempt_maneuver(fight, Attempt(blow, item, name=fight.declaration), topic))


def attempt_maneuver(fight: Fight, attempt: Attempt, *topics: str) -> Steps[Check]:
    """Make a maneuver, from what it provokes to the roll. `topics` are rules that contribute to the roll."""
    possible = yield from still_possible(fight, attempt)
    if not possible or not (yield from provoke_target(fight, attempt)):
        return NOT_MADE
    return (yield from roll_maneuver(fight, attempt.blow, *topics))


def provoke_target(fight: Fight, attempt: Attempt) -> Steps[bool]:
    """Give the target its attack of opportunity, if it gets one; return whether the attempt goes on.

    Its damage is taken off the roll; Improved feats prevent it (pf1.maneuver.provokes,
    pf1.actions-table.varies).
    """
    blow = attempt.blow
    name, rule = blow.intent.maneuver, fight.rule("pf1.maneuver.provokes")
    if has_improved(blow.attacker, name):
        return True
    opening = yield from provoke_from_target(
        fight,
        attempt,
        f"tries to {name}",
        f"{name}:{attempt.name}",
        rule,
        fight.rule("pf1.actions-table.varies"),
    )
    if opening.hurt > 0:
        blow.attack_extra.append(Modifier(-opening.hurt, "penalty", f"hurt by {blow.target.id}", rule))
    return opening.goes_on


def roll_maneuver(fight: Fight, blow: Blow, *topics: str) -> Steps[Check]:
    """Roll d20 + CMB against the CMD, as an attack roll without damage.

    Against the helpless it succeeds like a natural 20 (pf1.maneuver.roll, pf1.maneuver.auto).
    """
    weapon = replace(blow.weapon, damage=NO_DAMAGE, threat=NO_THREAT, extra=(), riders=())
    rolled = varied(blow, weapon=weapon)
    rolled.cites = list(dict.fromkeys((*blow.cites, *fight.rules("pf1.maneuver.roll", *topics))))
    if is_helpless(fight, blow.target):
        rolled.intent = replace(blow.intent, taken=fight.figure("attack.natural-20", "face"))
        rolled.cites.append(fight.rule("pf1.maneuver.auto"))
    won = yield from strike(fight, rolled, harm=False)
    margin = rolled.outcome.total - rolled.outcome.needed
    return Check(won, max(0, margin) if won else min(0, margin))


# --- Forced movement by a maneuver: how far, step by step, and the opportunities that it gives
# pf1.bull-rush, pf1.drag, pf1.reposition, pf1.feat.maneuver-greater.

#: The points over the CMD for each further stretch: the figures call it `per_5`.
MARGIN: Final = 5


def feet_of(fight: Fight, check: Check, topic: str, figure: str = "ft") -> int:
    """Return how far a success moves its target: 5 feet, and 5 more for each 5 points over the CMD."""
    least, more = (int(fight.figure(topic, name)) for name in (figure, "per_5"))
    return least + check.times(MARGIN) * more


def choose_feet(fight: Fight, attacker: Combatant, most: int, topic: str, question: str) -> Steps[int]:
    """Ask how far, up to `most` feet; without a choice nothing is asked."""
    if most <= SQUARE_FT:
        return most
    options = tuple(str(feet) for feet in range(most, 0, -SQUARE_FT))
    return int((yield Choice(attacker.id, "push", question, options, fight.rule(topic))))


def forced_feet(path: Sequence[Square]) -> int:
    """Return the feet of a path from its first square on: every second diagonal counts two."""
    slanted = sum(a[0] != b[0] and a[1] != b[1] for a, b in pairwise(path))
    return (len(path) - 1 + slanted // 2) * SQUARE_FT


def force(
    fight: Fight, attacker: Combatant, target: Combatant, there: Square, name: str, *cites: str
) -> Steps[bool]:
    """Move the target by a step of the maneuver `name`; return whether it is there and can be moved on.

    It does not provoke, except by the Greater feat from the attacker's friends, once for the whole path. Over
    a brink it falls.
    """
    if has_greater(fight, attacker, name):
        friends = [
            one for one in threatening(fight, target) if one.side == attacker.side and one is not attacker
        ]
        opportunity = f"{name}:{fight.declaration}:{target.id}"
        reason = f"is moved by {attacker.id}"
        yield from fight.dialect.opportunity.provoke(
            fight, target, friends, reason, opportunity, fight.rule(GREATER)
        )
        if "dead" in target.conditions:
            return False
    if falls_at(fight, target, target.at, there):
        yield from fall_over(fight, target, there, name, *cites)
        return False
    yield displaced(target, (there,), name, *cites)
    yield from fight.dialect.grapple.parted(fight, target)
    return target.at == there


def refuse_to_go(fight: Fight, mover: Combatant, path: tuple[Square, ...]) -> None:
    """Refuse to go along with the target if the attacker's state forbids it, as beyond a net's rope."""
    how = "fly" if FLYING in mover.conditions else "normal"
    permit(fight, acts.Move(actor=mover.id, path=path, how=how))


def refuse_without_move(fight: Fight, combatant: Combatant, rule: str) -> None:
    """Refuse a combatant without both a standard and a move action left: a readied act leaves no movement."""
    if fight.readied == combatant.id:
        raise Refusal(f"{combatant.id} has no movement left for it", rule)
    refuse_unless_allowed(fight, combatant, "standard")
    used = combatant.spent.get("standard", 0) + combatant.spent.get("move", 0)
    if used + 2 > fight.dialect.turns.allowance(fight, combatant).total:
        raise Refusal(f"{combatant.id} needs a move and a standard action", rule)
