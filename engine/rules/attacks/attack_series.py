"""The attacks that a full attack allows: how many, and what each has less than the first."""

from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import per_fight
from affray.engine.steps import Refusal
from affray.events.facts import acts
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.events.wording import counted
from affray.projections.state import Combatant


def iteratives(fight: Fight, base_attack: int) -> list[int]:
    """Return the penalty of each attack of a full attack: 0, -5, -10, -15 as the base attack allows.

    srd35.attack.iterative-table, pf1.full-attack.
    """
    step = fight.figure("attack.iterative-table", "step")
    thresholds = fight.figure("attack.iterative-table", "thresholds")
    return [0, *(step * (n + 1) for n, least in enumerate(thresholds) if base_attack >= least)]


def refuse_too_many(actor: Combatant, allowed: int, act: acts.FullAttack, rule: str) -> None:
    """Refuse more strikes than the attacks that a full attack allows."""
    if len(act.strikes) > allowed:
        attacks = counted(allowed, "attack")
        raise Refusal(f"{actor.id} has {attacks} in a full attack, not {len(act.strikes)}", rule)


@per_fight("base_attack")
def iterative_parts(fight: Fight, base_attack: int) -> list[list[Modifier]]:
    """Return the modifiers of each attack that a base attack bonus allows, in order."""
    rule = fight.rule("attack.iterative-table")
    return [
        [Modifier(penalty, "iterative", f"attack {number}", rule)] if penalty else []
        for number, penalty in enumerate(iteratives(fight, base_attack), 1)
    ]


def usual_strikes(
    fight: Fight, attacker: Combatant, enemy: Combatant, weapon: Weapon
) -> tuple[acts.Strike, ...]:
    """Return the strikes of a usual full attack at one enemy: as many as there are, with one weapon."""
    most = fight.dialect.attacks.attack_series(fight, attacker, acts.FullAttack(actor=attacker.id))
    return (acts.Strike(enemy.id, weapon.name),) * len(most)


def usual_shot(fight: Fight, attacker: Combatant, enemy: Combatant, weapon: Weapon) -> acts.Attack:
    """Return a plain shot at an enemy, or a throw of what is thrown."""
    return acts.Attack(actor=attacker.id, target=enemy.id, weapon=weapon.name, thrown=weapon.thrown)


def one_missile(fight: Fight, weapon: Weapon) -> int:
    """Return 1: no shot takes less than one missile."""
    return 1
