"""Points that abilities have lost when somebody enters.

pf1.ability-damage, srd35.ability-loss.applied.
"""

from collections.abc import Callable

from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.ability_modifiers import score_of
from affray.engine.rules.conditions.immunities import immunities_to_loss, immunity_to
from affray.engine.rules.damage.injury import AT_THE_START
from affray.engine.rules.turns.start_states import newcomer
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.sheet import SCORES
from affray.events.wording import counted

Entry = Callable[[Fight, acts.Enter], Steps[None]]


def refuse_start_losses(fight: Fight, act: acts.Enter) -> None:
    """Refuse an entry with points lost of no ability, of a missing one, or against an immunity.

    pf1.ability-damage, srd35.ability-loss.applied.
    """
    rule = fight.rule("ability-loss.applied")
    for said, points in act.losses:
        name = said.removesuffix(" drain")
        if name not in SCORES:
            raise Refusal(f"{said!r} is no ability: there are {', '.join(SCORES)}", rule)
        if act.sheet is None or score_of(act.sheet, name) is None or points < 1:
            raise Refusal(f"{act.id} cannot have lost {counted(points, 'point')} of {SCORES[name]}", rule)
        kinds = immunities_to_loss(name, said != name)
        if immunity := immunity_to(fight, newcomer(fight, act, act.sheet), *kinds):
            reason = f"{act.id} cannot have lost points of {SCORES[name]}: immunity to {immunity.kind}"
            raise Refusal(reason, immunity.rule)


def start_losses(lose: Callable[..., Steps[None]]) -> Entry:
    """Return what lets a combatant enter with points of its abilities lost, and with what comes of it.

    `lose` takes points off an ability as the dialect says (fight, victim, name, points, source, drain=).
    """

    def lose_at_entry(fight: Fight, act: acts.Enter) -> Steps[None]:
        newcomer = fight.combatant(act.id)
        for said, points in act.losses:
            name, drain = said.removesuffix(" drain"), said.endswith(" drain")
            yield from lose(fight, newcomer, name, points, AT_THE_START, drain=drain)

    return lose_at_entry
