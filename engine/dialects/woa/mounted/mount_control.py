"""A mount under control: what combat does to it and how its rider has it in hand (woa.mount.control.*)."""

from affray.engine.dialects.woa.mounted.mounted_modifiers import is_trained
from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.saves_and_checks import skill_parts
from affray.engine.steps import Refusal
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

IN_HAND, UNRULY, BOLTING, BESET = "in hand", "unruly", "bolting", "beset"

KNEES, ONE_HAND, TRIED = "knees", "one hand", "fast in the saddle"


def ride_parts(fight: Fight, combatant: Combatant, rule: str) -> list[Modifier]:
    """Return the parts of a Ride check."""
    return skill_parts(fight, combatant, "ride", "dex", rule)


def refuse_out_of_hand(fight: Fight, steed: Combatant) -> None:
    """Refuse to direct a mount that combat frightens before it is under control this round."""
    if not is_trained(steed) and IN_HAND not in steed.conditions:
        reason = f"{steed.id} is not trained for war and must be brought under control first"
        raise Refusal(reason, fight.rule("woa.mount.control.untrained"))
