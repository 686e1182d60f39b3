"""What is forbidden under `srd35`: by bonds, holds, mounts, fear, rage, places, natures and minds."""

from typing import get_args

from affray.engine.dialects.srd35 import bodiless, hiding, planes, readings, wriggling
from affray.engine.rules.attacks import swarm
from affray.engine.rules.classes import rage, turned
from affray.engine.rules.harm import mental, mind
from affray.engine.rules.holding import bonds, hold
from affray.engine.rules.mounts import saddle
from affray.engine.rules.turns.permit import MARKED, PAIRED, Check
from affray.events.facts import acts
from affray.events.facts.declared import AnyAct

#: What is aimed at somebody.
AIMED = tuple(kind for kind in get_args(AnyAct) if {"target", "strikes"} & set(kind.__struct_fields__))

CHECKS = (
    Check(readings.refuse_change_of_initiative, (acts.Delay, acts.Resume, acts.Ready)),
    Check(mental.refuse_bodily, condition=mental.PARALYZED),
    Check(bonds.refuse_bound, condition="bound"),
    Check(bonds.refuse_beyond_rope, condition="tethered"),
    Check(hold.refuse_no_option, condition="grappling"),
    Check(saddle.refuse_astride, condition=PAIRED),
    Check(turned.refuse_but_flight, condition="turned"),
    Check(turned.refuse_without_orders, condition="commanded"),
    Check(rage.refuse_patience, (acts.Cast, acts.Attack, acts.FullAttack), rage.RAGING),
    Check(wriggling.refuse_attack, wriggling.ATTACKS, wriggling.WRIGGLING),
    Check(swarm.refuse_single, (*swarm.BLOWS, *swarm.HOLDS, acts.Cast)),
    Check(hiding.refuse_unnoticed, (acts.Attack, acts.FullAttack, acts.Charge), MARKED),
    Check(bodiless.refuse_holds, bodiless.HOLDS),
    Check(planes.refuse_other_plane, (*AIMED, acts.Touch), MARKED),
    Check(mind.obey, condition=MARKED),
)
"""In the order in which they are said: the first that forbids an act is the reason that is given."""
