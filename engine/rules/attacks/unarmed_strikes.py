"""Bare hands that count as armed, and why they give no opening."""

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.classes.feat_prerequisites import topic_of
from affray.engine.rules.opportunity.threatened_squares import endangers
from affray.engine.steps import Steps
from affray.events.facts.flow import RuleApplied


def cite_armed_fists(fight: Fight, blow: Blow) -> Steps[None]:
    """Where the target threatens, say why bare hands give it no opening .

    srd35.unarmed.armed, pf1.unarmed.provokes, pf1.feat.improved-unarmed.
    """
    attacker = blow.attacker
    if endangers(fight, blow.target, attacker):
        feat = "improved unarmed strike"
        cites = fight.rules("unarmed.armed", *((topic_of(feat),) if has_feat(attacker, feat) else ()))
        what = f"{attacker.id} counts as armed and does not provoke"
        yield RuleApplied(who=attacker.id, what=what, cites=cites)
