"""Feinting as a declared move action or on the fly (woa.feint.improved-feint)."""

from affray.engine.dialects.woa.maneuvers import feint
from affray.engine.dialects.woa.turns.declared_actions import keeping
from affray.engine.fight import Fight
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.steps import Steps
from affray.events.facts import acts


def feinting(fight: Fight, act: acts.Feint) -> Steps[None]:
    """Feint: declared as a move action, or on the fly with Improved Feint (woa.feint.improved-feint)."""
    quick = has_feat(fight.combatant(act.actor), "improved feint")
    yield from feint.feint(fight, act) if quick else _planned_feint(fight, act)


_planned_feint = keeping(feint.feint)
