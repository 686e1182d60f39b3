"""An option of a grapple in the place of an attack, if it is open when its turn comes."""

from collections.abc import Callable

from affray.engine.fight.fight import Fight
from affray.engine.record.maneuvers import Attempt
from affray.engine.rules.turns.interruption import attack_is_lost
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

#: Raises Refusal for an option that is not open to a grappler against a target.
Refuse = Callable[[Fight, Combatant, Combatant, acts.Grapple], None]


def option_in_place(
    fight: Fight,
    attempt: Attempt,
    refuse: Refuse,
    carry_out: Callable[..., Steps[bool]],
    topic: str,
) -> Steps[bool]:
    """Carry out the option that stands in the place of an attack; return whether it succeeded.

    One that is not open now is lost, and told so. `carry_out` takes what `refuse` does and the modifiers of
    this attack; `topic` is the rule that gives the attack away (srd35.grapple.actions-iterative,
    futurepath.grapple.options-limited).
    """
    blow = attempt.blow
    act = acts.Grapple(
        actor=blow.attacker.id,
        target=blow.target.id,
        what=attempt.item,  # type: ignore[arg-type]
        weapon=attempt.weapon,
    )
    try:
        refuse(fight, blow.attacker, blow.target, act)
    except Refusal as lost:
        yield attack_is_lost(blow.attacker, lost, "the attempt")
        return False
    what = f"grapple: {act.what} in place of an attack"
    yield RuleApplied(who=blow.attacker.id, what=what, cites=fight.rules(topic))
    extra: tuple[Modifier, ...] = tuple(blow.attack_extra)
    return (yield from carry_out(fight, blow.attacker, blow.target, act, *extra))


def activation(grappler: Combatant, target: Combatant, name: str) -> acts.Activate | None:
    """Return the use of a device of the sheet in a grapple: on its user if it helps, else on the opponent.

    None where the sheet says nothing of the device (srd35.grapple.magic-item, woa.grapple.activity.use-item).
    """
    device = next((one for one in grappler.sheet.spells if one.item and one.name == name), None)
    if device is None:
        return None
    helps = device.item == "potion" or device.healing or (device.grants and not device.save)
    aim = grappler if helps else target
    return acts.Activate(actor=grappler.id, item=name, targets=(aim.id,))
