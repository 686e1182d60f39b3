"""Combat maneuvers in general: who may be its target, what it provokes, the roll (pf1.maneuver.*)."""

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.dialects.pf1.defense.incorporeal import refuse_to_handle
from affray.engine.dialects.pf1.maneuvers.maneuver_feats import has_improved
from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.record.blow import Blow, varied
from affray.engine.record.maneuvers import Attempt
from affray.engine.rules.attacks import swarm_prohibitions
from affray.engine.rules.attacks.attack_roll import strike
from affray.engine.rules.classes.ability_modifiers import size_step
from affray.engine.rules.damage.weapon_damage import NO_DAMAGE, NO_THREAT
from affray.engine.rules.gear.weapons_in_hand import unarmed
from affray.engine.rules.maneuvers.attempts import melee_attempt, provoke_from_target, still_possible
from affray.engine.steps import Refusal, Steps
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.events.wording import counted
from affray.projections.state import Combatant

MODES: Final = "pf1.maneuver.modes"


class Check(Struct, frozen=True, gc=False):
    """How a maneuver came out; `margin` is its total less the CMD: 0 or more if it succeeds, else at most 0.

    A natural 20 may succeed below the CMD, a natural 1 or concealment may foil what reaches it.
    """

    won: bool
    margin: int

    def times(self, per: int) -> int:
        """Return how many times over the CMD was exceeded by so many points."""
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

    Refuses oneself, who is too big by pf1.maneuver.modes, who has no body, and who is out of reach.
    """
    means = weapon or unarmed(fight, attacker)
    refuse_immovable(fight, attacker, target, name, means)
    blow = melee_attempt(fight, attacker, target, means, kind, fight.rule("pf1.maneuver.roll"))
    blow.intent = replace(blow.intent, maneuver=name, against=f"CMD against {name}", nonlethal=False)
    return blow


def refuse_immovable(fight: Fight, attacker: Combatant, target: Combatant, name: str, means: Weapon) -> None:
    """Refuse whom the maneuver `name` could be done to from nowhere.

    Oneself, the too big, swarms, the bodiless (pf1.maneuver.modes, pf1.creature.swarm, pf1.cond.incorporeal).
    """
    if name in swarm_prohibitions.HELD:
        swarm_prohibitions.refuse_hold(fight, attacker, target, name)
    refuse_too_big(fight, attacker, target, name)
    refuse_to_handle(fight, attacker, target, means)


def refuse_too_big(fight: Fight, attacker: Combatant, target: Combatant, name: str) -> None:
    """Refuse oneself, and a target more sizes larger than the table allows (pf1.maneuver.modes)."""
    rule = fight.rule(MODES)
    if target is attacker:
        raise Refusal(f"{attacker.id} cannot {name} itself", rule)
    most = fight.figure(MODES, f"maneuver={name}", "max_size")
    if most is not None and size_step(target) - size_step(attacker) > int(most):
        sizes = counted(int(most), "size category", "size categories")
        raise Refusal(f"{target.id} is more than {sizes} larger than {attacker.id}: too big to {name}", rule)


def attempt_maneuver(fight: Fight, attempt: Attempt, *topics: str) -> Steps[Check | None]:
    """Make a maneuver, from what it provokes to the roll; None if it was not to be made any more.

    `topics` are rules that had a part in the roll.
    """
    if not (yield from still_possible(fight, attempt)):
        return None
    if not (yield from provoke_target(fight, attempt)):
        return None
    return (yield from roll_maneuver(fight, attempt.blow, *topics))


def provoke_target(fight: Fight, attempt: Attempt) -> Steps[bool]:
    """Give the target its attack of opportunity, if it gets one; return whether the attempt goes on.

    The damage that it does is taken off the roll; Improved feats keep it off (pf1.maneuver.provokes,
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
    """Roll d20 + CMB against the CMD, as an attack roll that does no harm.

    Against the helpless it succeeds as a natural 20 does (pf1.maneuver.roll, pf1.maneuver.auto).
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
