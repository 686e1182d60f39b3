"""What a hit does besides its harm: the net that entangles, the maw that grabs (srd35.weapons.net)."""

from affray.engine.blow import Blow
from affray.engine.dialects.srd35.attacks import after_hit
from affray.engine.dialects.srd35.grapple.improved_grab import grab
from affray.engine.dialects.srd35.grapple.restraints import tether
from affray.engine.fight import Fight
from affray.engine.steps import Steps
from affray.events.facts.combat import ConditionGained


def struck(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """Settle what a hit leads to at once, and what follows any hit: see `aftermath.struck`."""
    traits = blow.weapon.traits
    if "entangle" in traits and "dead" not in blow.target.conditions:
        cites = fight.rules("weapons.net", "cond.entangled")
        source = f"net of {blow.attacker.id}"
        yield ConditionGained(who=blow.target.id, condition="entangled", source=source, cites=cites)
        yield from tether(fight, blow.attacker, blow.target)
    if "improved grab" in traits and blow.kind != "grapple":
        yield from grab(fight, blow)
    yield from after_hit.struck(fight, blow, before, standing)
