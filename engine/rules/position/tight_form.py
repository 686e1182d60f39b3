"""What a creature takes up where only Escape Artist gets it in (srd35.squeeze.escape-artist, pf1.squeeze)."""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import Square
from affray.engine.rules.position.occupants import holders_of
from affray.engine.rules.position.place import squares_of
from affray.engine.rules.position.squeezing import (
    Form,
    forms,
    full_side,
    least_feet,
    map_forbids,
    narrowest,
    refuse_width,
    squares_at,
)
from affray.engine.steps import Refusal
from affray.events.facts import acts
from affray.projections.state import Combatant

#: The state of whoever wriggles into such a space.
WRIGGLING: Final = "wriggling"
#: What one cannot do while wriggling: every kind of attack.
ATTACKS: Final = (
    acts.Attack,
    acts.FullAttack,
    acts.Manyshot,
    acts.Skirmish,
    acts.Trample,
    acts.Charge,
    acts.CoupDeGrace,
    acts.Trip,
    acts.Disarm,
    acts.Sunder,
    acts.BullRush,
    acts.Overrun,
    acts.Grapple,
)


def tight_form(fight: Fight, combatant: Combatant, there: Square, wide: int) -> Form:
    """Return what a combatant takes up in a tight space, of so many feet if its width is said.

    Refuses a space that is wider, or none at all.
    """
    full = full_side(fight, combatant)
    if wide:
        refuse_width(fight, combatant, wide)
        if wide >= least_feet(fight, combatant):
            rule = fight.rule("squeeze.minimum-width")
            raise Refusal(f"{combatant.id} needs no Escape Artist there", rule)
        form = Form(full, tight=True)
        if not map_forbids(fight, combatant, combatant.at, there, form) and not holders_of(
            fight, combatant, there, full, full
        ):
            return form
    least, own = narrowest(fight, full), set(squares_of(combatant))
    for form in forms(full, sideways=True):
        if own.issuperset(squares_at(there, form)):
            continue  # crosswise in the place that it stands in, it gets into nothing
        if not map_forbids(fight, combatant, combatant.at, there, form) and not holders_of(
            fight, combatant, there, form.columns, form.rows
        ):
            if form.side >= least:
                topic = "squeeze.minimum-width" if form.squeezed else "move-action.move"
                raise Refusal(f"{combatant.id} needs no Escape Artist there", fight.rule(topic))
            return form
    raise Refusal(f"nothing of {combatant.id} fits at {there[0]},{there[1]}", fight.rule("obstacle.blocking"))
