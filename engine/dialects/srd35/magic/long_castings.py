"""What srd35 says besides of castings that outlast a turn: metamagic by spontaneous casters."""

from affray.engine.fight.fight import Fight
from affray.engine.rules.magic.casting_in_progress import (
    begin_casting,
)
from affray.engine.steps import Steps
from affray.events.facts import acts
from affray.events.facts.flow import ActionSpent
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant


def begin_metamagic_casting(fight: Fight, caster: Combatant, spell: Spell, act: acts.Cast) -> Steps[bool]:
    """Begin a casting with metamagic by a spontaneous caster; return whether it outlasts this turn.

    It takes one more full-round action where the spell takes a full round or longer (srd35.cast.one-round,
    srd35.cast.metamagic-spontaneous).
    """
    if spell.casting == "one-round":
        topics = ("srd35.cast.one-round", "srd35.cast.metamagic-spontaneous")
        yield from begin_casting(fight, caster, act, 2, *topics)
        return True
    if spell.casting == "full-round":
        yield from begin_casting(fight, caster, act, 1, "srd35.cast.metamagic-spontaneous")
        return True
    return False


def continue_casting(fight: Fight, caster: Combatant) -> Steps[None]:
    """Spend the turn on a casting that is not due yet."""
    if caster.casting is not None:
        rule = fight.rule("srd35.cast.one-round")
        what = f"go on casting {caster.casting.spell}"
        yield ActionSpent(who=caster.id, kind="full-round", what=what, cites=(rule,))
