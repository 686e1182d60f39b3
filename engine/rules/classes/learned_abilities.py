"""The special abilities that a combatant uses by name, and whether it has learned them."""

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from affray.engine.fight.fight import Fight
from affray.engine.record.sheet_names import details_of
from affray.engine.rules.turns.subjects import rule_about
from affray.engine.steps import Refusal
from affray.events.errors import did_you_mean
from affray.events.facts import acts
from affray.projections.state import Combatant

Abilities: TypeAlias = Mapping[str, tuple[str, str]]
"""By the name under which each is used: the class that has it, and its name on a sheet."""

ABILITY: Final = "special ability"


def refuse_unlearned(
    fight: Fight, act: acts.UseAbility, abilities: Abilities, rules: Mapping[str, str], sheet: Sequence[str]
) -> None:
    """Refuse an ability that the actor has neither of a class nor among the entries of its sheet.

    `rules` are the topics of the abilities by their names on a sheet.
    """
    actor = fight.combatant(act.actor)
    if act.ability not in abilities:
        known = did_you_mean(
            act.ability, (name for name in abilities if has_learned(actor, abilities[name], sheet))
        )
        reason = f"there is no {ABILITY} {act.ability!r}" if act.ability else f"no {ABILITY} is named"
        raise Refusal(f"{reason}{known}", rule_about(fight, acts.UseAbility))
    if not has_learned(actor, abilities[act.ability], sheet):
        listed = abilities[act.ability][1]
        raise Refusal(f"{actor.id} has no {listed}", fight.rule(rules[listed]))


def has_learned(actor: Combatant, ability: tuple[str, str], sheet: Sequence[str]) -> bool:
    """Say whether a combatant has an ability of a class or among the entries of its sheet."""
    name, listed = ability
    return name in actor.sheet.classes or any(True for _ in details_of(listed, sheet))
