"""Whether a blow that missed has struck what covered its target (woa.cover.strike-cover.*)."""

from affray.engine.dialects.woa.defense.cover import BARRIER, cover_from
from affray.engine.dialects.woa.mounted.cover_beside_mount import mount_in_way
from affray.engine.dialects.woa.opportunity.dodge import dodge_value, why_no_dodge
from affray.engine.fight.fight import Fight, is_down
from affray.engine.record.blow import Blow, varied
from affray.engine.rules.attacks.attack_roll import tallies
from affray.engine.steps import Choice, Steps
from affray.events.facts.flow import ReactionSpent, RuleApplied
from affray.projections.state import Combatant

TEST, HIT, EVADES = (
    "woa.cover.strike-cover.test",
    "woa.cover.strike-cover.creature-hit",
    "woa.cover.strike-cover.creature-evades",
)
WAIVE, AHEAD, DAMAGE = (
    "woa.cover.strike-cover.waive-dex",
    "woa.cover.strike-cover.preemptive-dodge",
    "woa.cover.strike-cover.damage-by-weapon",
)
#: The kinds of parts of AC that somebody in the way may do without, with the answers that say so.
WAIVERS = {
    "waive Dexterity": frozenset({"ability"}),
    "waive dodge": frozenset({"dodge"}),
    "waive both": frozenset({"ability", "dodge"}),
}


def dodge_ahead(fight: Fight, blow: Blow) -> Steps[None]:
    """Let those in the way of a shot dodge it beforehand, if they could dodge one at themselves.

    woa.cover.strike-cover.preemptive-dodge
    """
    rule = fight.rule(AHEAD)
    for name in cover_from(fight, blow.attacker, blow.target, False).by:
        other = fight.state.combatants[name]
        past = varied(blow, target=other, cites=[], defense_extra=[])
        if BARRIER in other.sheet.traits or dodge_value(fight, past) <= 0 or why_no_dodge(fight, past) != ():
            continue
        question = f"{blow.attacker.id} shoots past {name} at {blow.target.id}: does {name} dodge beforehand?"
        answer = yield Choice(name, "preempt", question, ("decline", "dodge"), rule)
        if answer == "dodge":
            yield ReactionSpent(
                who=name, kind="dodge", against=blow.attacker.id, opportunity=ahead_of(fight), cites=(rule,)
            )


def ahead_of(fight: Fight) -> str:
    """Return how a dodge ahead of the blow that is being resolved is named."""
    return f"ahead:{fight.declaration}:{fight.scope}"


def strike_cover(fight: Fight, blow: Blow) -> Steps[None]:
    """After a miss, settle whether the cover was struck: it would have been a hit without the cover.

    Without it a low posture would count that overlaps with it. A mount beside which its rider hangs is a
    creature in the way (woa.cover.strike-cover.test).
    """
    cover = [part for part in blow.outcome.defense_parts if part.kind == "cover" and not part.denied]
    posture = [part for part in blow.outcome.defense_parts if part.kind == "posture" and part.denied]
    bare = blow.outcome.needed - sum(part.value for part in cover) + sum(part.value for part in posture)
    fumbled = blow.outcome.natural == fight.figure("woa.attack.natural-1", "face")
    if not cover or fumbled or bare > blow.outcome.total:
        return
    found = cover_from(fight, blow.attacker, blow.target, blow.melee)
    what = found.source or found.degree
    mount = mount_in_way(fight, blow)
    if mount is not None and not found.by:
        yield from strike_creature_in_way(fight, blow, mount)
        return
    if not found.by:
        yield RuleApplied(
            who=blow.attacker.id,
            what=f"strikes the cover of {blow.target.id}: {what}",
            cites=fight.rules(TEST),
        )
        return
    other = fight.state.combatants[found.by[0]]
    if ahead_of(fight) in other.opportunities:
        yield RuleApplied(
            who=other.id, what="has dodged beforehand and is not struck", cites=fight.rules(TEST, AHEAD)
        )
        return
    yield from strike_creature_in_way(fight, blow, other)


def strike_creature_in_way(fight: Fight, blow: Blow, other: Combatant) -> Steps[None]:
    """Settle whether a blow that missed strikes the creature in the way, or its target after all.

    woa.cover.strike-cover.creature-hit, .creature-evades, .waive-dex
    """
    past = varied(blow, target=other, cites=[], defense_extra=[], attack_extra=list(blow.attack_extra))
    parts = [part for part in tallies(fight, past)[1].parts if not part.denied and part.kind != "cover"]
    against = sum(part.value for part in parts)
    if blow.outcome.total > against:
        yield from strike_through(fight, blow, past, TEST, HIT)
        return
    gains = {
        answer: sum(max(0, part.value) for part in parts if part.kind in kinds)
        for answer, kinds in WAIVERS.items()
    }
    if blow.outcome.total <= against - gains["waive both"]:
        what = f"catches the blow meant for {blow.target.id}, which does it nothing"
        yield RuleApplied(who=other.id, what=what, cites=fight.rules(TEST, HIT))
        return
    useful = [answer for answer, gain in gains.items() if blow.outcome.total > against - gain]
    question = f"{blow.attacker.id} misses {blow.target.id}: does {other.id} move aside or take the blow?"
    answer = yield Choice(other.id, "cover", question, ("move aside", *useful), fight.rule(WAIVE))
    if answer != "move aside":
        yield from strike_through(fight, blow, past, TEST, WAIVE, HIT)
        return
    what = f"moves aside, and {blow.target.id} is hit after all"
    yield RuleApplied(who=other.id, what=what, cites=fight.rules(TEST, EVADES))
    yield from damage_without_roll(fight, blow, blow.target)


def strike_through(fight: Fight, blow: Blow, past: Blow, *topics: str) -> Steps[None]:
    """Let whoever is in the way take the damage: all of a shot, of other weapons what the game master says.

    woa.cover.strike-cover.damage-by-weapon
    """
    other, weapon = past.target, blow.weapon
    rules = fight.rules(*topics, DAMAGE)
    if not blow.melee:
        share, words = 1, str(fight.figure(DAMAGE, "ranged"))
    elif weapon.reach or weapon.family == "polearm":
        share, words = int(fight.figure(DAMAGE, "polearm_or_similar")), "only the haft"
    else:
        half = str(fight.figure(DAMAGE, "other_melee")).split()[0]
        question = f"{weapon.name} strikes {other.id} in the way: what of the damage does it take?"
        answer = yield Choice("", "covering", question, (half, "none"), fight.rule(DAMAGE))
        share, words = (int(half.split("/")[1]), answer) if answer == half else (0, answer)
    yield RuleApplied(
        who=other.id, what=f"is struck in place of {blow.target.id} ({words} of the damage)", cites=rules
    )
    if share:
        past.damage.divisor = share
        yield from damage_without_roll(fight, past, other)


def damage_without_roll(fight: Fight, blow: Blow, target: Combatant) -> Steps[None]:
    """Deal the damage of a blow that strikes somebody without another roll."""
    dialect = fight.dialect
    before, standing = (target.hp, target.nonlethal, target.temporary), not is_down(fight, target)
    yield from dialect.damage.deal(fight, blow, False)
    yield from dialect.attacks.after_hit(fight, blow, before, standing)
