"""Nets, ropes and manacles: binding a victim, and getting free (srd35.gear.restraints, srd35.weapons.net)."""

from typing import Final

from affray.engine.dialects.srd35.maneuvers.bull_rush_and_trip import beats_opposed
from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.kernel.places import next_to
from affray.engine.record.blow import Blow
from affray.engine.record.chapters import Side
from affray.engine.rules.classes.checks import make_skill_check, skill_parts
from affray.engine.rules.conditions.conditions import apply_fear_condition
from affray.engine.rules.gear import nets
from affray.engine.rules.turns.actions import spending
from affray.engine.steps import Refusal, Steps
from affray.events.errors import did_you_mean
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost
from affray.projections.state import Combatant, Condition

RESTRAINTS: Final = "srd35.gear.restraints"
#: The source of being entangled by the spell's rope, which is slipped like a bond.
SNARE: Final = "snare"
#: Declarations still available to the bound; whether a spell needs no gestures is in its components.
STILL_FREE: Final = (acts.GetFree, acts.Cast, acts.EndTurn, acts.Speak, acts.Delay, acts.Resume, acts.Close)
#: Means of binding: the entry of its breaking DC, whether it has a separate DC for slipping out.
KINDS: Final = {
    "hemp rope": "hemp",
    "silk rope": "silk",
    "chain": "chain",
    "manacles": "manacles",
    "masterwork manacles": "masterwork",
}


def bind(fight: Fight, act: acts.Bind) -> Steps[None]:
    """Bind a victim that is helpless or pinned: a full-round action.

    The quality of a rope's knots is the binder's Use Rope check with its bonus; manacles have fixed DCs.
    """
    grappler, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule(RESTRAINTS)
    if act.item not in KINDS:
        reason = f"{act.item!r} cannot be used to bind" if act.item else "name what to bind with"
        raise Refusal(f"{reason}{did_you_mean(act.item, KINDS)}", rule)
    if not next_to(grappler, target) and grappler.at != target.at:
        raise Refusal(f"{target.id} is out of reach", rule)
    if not is_helpless(fight, target) and "pinned" not in target.conditions:
        raise Refusal(f"{target.id} is neither helpless nor pinned", rule)
    yield spending(fight, grappler, "full-round", "bind", rule)
    tied = 0
    if KINDS[act.item] in ("hemp", "silk", "chain"):
        parts = skill_parts(fight, grappler, "use rope", "dex", rule)
        parts.append(fight.modifier(RESTRAINTS, "use_rope", kind="circumstance", source="binding"))
        why = f"binds {target.id}: the DC to slip out"
        tied = yield from make_skill_check(
            fight, grappler, "use rope", parts, rule, why=why, purpose="use-rope"
        )
    gained = ConditionGained(who=target.id, condition="bound", source=act.item, level=tied, cites=(rule,))
    yield from apply_fear_condition(fight, gained)


def get_free(fight: Fight, act: acts.GetFree) -> Steps[None]:
    """Get out of bonds or a net, a full-round action: by Escape Artist, or by Strength, which ruins them."""
    grappler = fight.combatant(act.actor)
    held = "bound" if "bound" in grappler.conditions else "entangled"
    condition = grappler.conditions.get(held)
    snared = condition is not None and condition.source == SNARE
    if condition is None or (held == "entangled" and not snared and "net" not in condition.source):
        raise Refusal(f"nothing holds {grappler.id} that it could break", fight.rule(RESTRAINTS))
    topic = "srd35.skill.escape-artist-table" if snared else RESTRAINTS if held == "bound" else "weapons.net"
    rule = fight.rule(topic)
    if snared and not act.skill:
        raise Refusal("a snare takes Escape Artist to slip out", rule)
    dc = escape_dc(fight, condition, held) if act.skill else burst_dc(fight, condition.source, held)
    bonds = condition.source if held == "entangled" or condition.source in KINDS else "bonds"
    table = fight.dialect.turns.table_rules(fight, "full-round", "Escape from a net")
    provoking = table if topic == "weapons.net" else ()
    success = yield from nets.strain(fight, grappler, act.skill, dc, bonds, rule, *provoking)
    if success:
        how = "slips out" if act.skill else f"breaks the {bonds}"
        yield from restraint_ended(grappler, held, how, rule)


def outpulls(fight: Fight, mine: Side, theirs: Side, rule: str) -> Steps[bool]:
    """Let two combatants pull against each other, and return whether the first wins (opposed_ties)."""
    return (yield from beats_opposed(fight, "strength", mine, theirs, rule)).won


def sturdiness_of_bonds(fight: Fight, grappler: Combatant, item: str) -> tuple[int, int, str] | None:
    """Return (hardness, hit points, rule) of the net or bonds that hold a combatant; None for others."""
    held = grappler.conditions.get("bound")
    if held is not None and held.source == item:
        figures = fight.figure(RESTRAINTS, KINDS[item] if KINDS[item] != "masterwork" else "manacles")
        return int(figures.get("hardness", 0)), int(figures["hp"]), fight.rule(RESTRAINTS)
    net = grappler.conditions.get("entangled")
    if item == "net" and net is not None and "net" in net.source:
        return 0, int(fight.figure("srd35.weapons.net", "hp")), fight.rule("srd35.weapons.net")
    return None


def cut_free(fight: Fight, grappler: Combatant, item: str) -> Steps[None]:
    """Set a victim free whose net or bonds have been cut to pieces."""
    found = sturdiness_of_bonds(fight, grappler, item)
    if found is not None:
        yield from restraint_ended(
            grappler, "entangled" if item == "net" else "bound", f"the {item} is cut", found[2]
        )


def restraint_ended(combatant: Combatant, held: str, how: str, rule: str) -> Steps[None]:
    """End the restraint of a victim, and the rope that went with a net."""
    for condition in (held, *(("tethered",) if held == "entangled" else ())):
        if condition in combatant.conditions:
            yield ConditionLost(who=combatant.id, condition=condition, why=how, cites=(rule,))


def refuse_bound(fight: Fight, grappler: Combatant, act: acts.Act) -> None:
    """Refuse the bound all but trying to get free."""
    done = act.then if isinstance(act, acts.Split) else act
    if not isinstance(done, STILL_FREE):
        raise Refusal(f"{grappler.id} is bound and can only try to get free", fight.rule(RESTRAINTS))


def escape_dc(fight: Fight, condition: Condition, held: str) -> int:
    """Return the DC of Escape Artist: the net's, the manacles', or the result of tying the rope."""
    if condition.source == SNARE:
        return int(fight.figure("srd35.skill.escape-artist-table", SNARE))
    if held == "entangled":
        return nets.dc_of_net(fight, True)
    own = KINDS.get(condition.source, "hemp")
    return condition.level or int(
        fight.figure(RESTRAINTS, own if own == "masterwork" else "manacles", "escape")
    )


def burst_dc(fight: Fight, source: str, held: str) -> int:
    """Return the DC of Strength."""
    if held == "entangled":
        return nets.dc_of_net(fight, False)
    return int(fight.figure(RESTRAINTS, KINDS.get(source, "hemp"), "str"))


def entangle(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """Let a net that hits entangle its target, and hold it by the trailing rope (srd35.weapons.net)."""
    return nets.cast_over(fight, blow, outpulls)
