"""Helping a friend: against an opponent, or with a skill check."""

from collections.abc import Callable, Mapping
from typing import Final

from affray.engine.fight.fight import Fight, is_down
from affray.engine.kernel.places import distance, reaches, refuse_no_friend, refuse_no_opponent
from affray.engine.record.blow import Blow, Intent
from affray.engine.rules.attacks.attack_roll import reaches_or_natural, refuse_untargetable
from affray.engine.rules.classes.checks import check, skill_parts
from affray.engine.rules.gear.hands import held_weapons, melee_band, strikes_in_melee
from affray.engine.rules.gear.weapons_in_hand import find_weapon, unarmed
from affray.engine.rules.grapple import BETWEEN
from affray.engine.rules.opportunity.threatened_squares import threatening, threatens
from affray.engine.rules.position.places import side_by_side
from affray.engine.rules.turns.actions import spending
from affray.engine.steps import Choice, Refusal, Steps, judged
from affray.events.errors import did_you_mean
from affray.events.facts import acts
from affray.events.facts.combat import AttackResolved, EffectGained, Until
from affray.events.facts.sheet import Modifier, Weapon
from affray.projections.state import Combatant

# --- Helping a friend against an opponent

#: The conditions whose sources name the opponents in a grapple.
GRAPPLES: Final = ("grappling", "grappled", "holding")


def aid(fight: Fight, act: acts.Aid) -> Steps[None]:
    """Help a friend against an opponent: an attack roll against AC 10 gives +2 (srd35.aid.*).

    The bonus counts for the friend's next attack on that opponent, or against its next attack on the friend,
    before the start of the helper's next turn. Several helpers add up (pf1.aid-another, srd35.aid.benefit).
    """
    actor, friend, opponent = (fight.combatant(id) for id in (act.actor, act.friend, act.opponent))
    refuse_no_friend(actor, friend, fight.rule("aid.action"))
    refuse_no_opponent(actor, opponent, fight.rule("aid.action"))
    weapon = choose_aid_weapon(fight, actor, opponent, act.weapon, fight.rule("aid.action"))
    if not is_engaged(fight, friend, opponent):
        raise Refusal(f"{opponent.id} is not engaged with {friend.id}", fight.rule("aid.action"))
    rule = fight.rule("aid.action")
    blow = Blow(actor, opponent, weapon, True, distance(actor, opponent), Intent("aid"), cites=[rule])
    refuse_untargetable(fight, blow)
    yield spending(fight, actor, "standard", "aid another", rule)
    success = yield from roll_aid(fight, blow)
    if not success:
        return
    until = Until("turn-start", actor.id, fight.state.round + 1)
    against = opponent.id
    yield EffectGained(
        who=friend.id,
        id=f"{fight.declaration}:aid",
        stat=act.benefit,
        modifier=fight.modifier("aid.benefit", "bonus", kind="circumstance", source=f"aid from {actor.id}"),
        until=until,
        against=against,
        uses=1,
        cites=(fight.rule("aid.benefit"),),
    )


def choose_aid_weapon(fight: Fight, actor: Combatant, opponent: Combatant, name: str, rule: str) -> Weapon:
    """Return the named weapon, otherwise the first in hand, or the bare hand, that reaches an opponent.

    Refuses a weapon that cannot attack it in melee from there (srd35.aid.action, pf1.aid-another,
    futurepath.attack.aid-another.precondition).
    """
    meant = [find_weapon(fight, actor, name)] if name else held_weapons(actor) or [unarmed(fight, actor)]
    for weapon in meant:
        if strikes_in_melee(weapon) and reaches(actor, opponent, *melee_band(actor, weapon)):
            return weapon
    if not name:
        raise Refusal(f"{actor.id} is in no position to attack {opponent.id}", rule)
    if not strikes_in_melee(meant[0]):
        raise Refusal(f"the {meant[0].name} is no melee weapon", rule)
    raise Refusal(f"{opponent.id} is out of the {meant[0].name}'s reach", rule)


def is_engaged(fight: Fight, friend: Combatant, opponent: Combatant) -> bool:
    """Return whether one of the two threatens the other, or they grapple.

    srd35.aid.action, pf1.aid-another, pf1.grapple.several.
    """
    held = [friend.conditions[one].source for one in GRAPPLES if one in friend.conditions]
    if any(opponent.id in each.split(BETWEEN) for each in held):
        return True
    return threatens(fight, friend, opponent) or threatens(fight, opponent, friend)


def roll_aid(fight: Fight, blow: Blow) -> Steps[bool]:
    """Roll the attack that aids, against the fixed Armor Class of the rule (srd35.aid.action)."""
    dialect = fight.dialect
    parts = [*dialect.attacks.attack_bonus(fight, blow), *dialect.attacks.attack_situation(fight, blow)]
    tally = dialect.attacks.stack(fight, parts)
    needed = fight.figure("aid.action", "ac")

    def judge(key: str, natural: int) -> AttackResolved:
        total = natural + tally.total
        hit = reaches_or_natural(fight, natural, total, needed)
        return AttackResolved(
            attacker=blow.attacker.id,
            target=blow.target.id,
            weapon=blow.weapon.name,
            mode="melee",
            against="aid another",
            key=key,
            natural=natural,
            total=total,
            needed=needed,
            result="hit" if hit else "miss",
            why="aids" if hit else "no help",
            attack=tally.parts,
            defense=(Modifier(needed, "base", "aid another", fight.rule("aid.action")),),
            cites=tuple(blow.cites),
        )

    fact: AttackResolved = yield from judged(
        blow.attacker.id, "aid", judge, fight.dialect.attacks.test_dice(fight, blow.attacker, "aid")
    )
    return fact.result == "hit"


# --- Helping a friend with a skill check (srd35.aid.other-uses, srd35.aid.another-save, pf1.aid-another)

#: How the effects of help end.
AID: Final = ":aid"
TABLE: Final = "actions-table.standard"
#: The row of the table for skills without a separate one.
OTHER: Final = "Use skill that takes one action"


def helper_and_friend(fight: Fight, act: acts.Aid) -> tuple[Combatant, Combatant]:
    """Return the helper and the friend. Refuses help for oneself, for an opponent, and from afar.

    srd35.aid.other-uses, pf1.aid-another.
    """
    actor, friend = fight.combatant(act.actor), fight.combatant(act.friend)
    rule = fight.rule("aid.other-uses")
    refuse_no_friend(actor, friend, rule)
    if not side_by_side(fight, actor, friend) and actor.mount != friend.id and actor.rider != friend.id:
        raise Refusal(f"{actor.id} is not at {friend.id}'s side", rule)
    return actor, friend


def make_skill_aid_resolver(skills: Mapping[str, str]) -> Callable[[Fight, acts.Aid], Steps[None]]:
    """Return the resolver of help with a check of a dialect's skills, given with the ability of each."""

    def with_check(fight: Fight, act: acts.Aid) -> Steps[None]:
        """Make the same check as the friend: a result of 10 gives it +2, until the helper's next turn.

        It provokes if the helped action does (srd35.aid.another-save, srd35.actions-table.standard,
        pf1.aid-another, pf1.actions-table.standard).
        """
        actor, friend = helper_and_friend(fight, act)
        topic = "aid.another-save"
        rules = tuple(dict.fromkeys(fight.rules("aid.other-uses", topic)))
        if act.what not in skills:
            known = did_you_mean(act.what, skills)
            reason = f"there is no skill {act.what!r}" if act.what else "no skill to help with is named"
            raise Refusal(f"{reason}{known}", rules[0])
        yield spending(fight, actor, "standard", f"aid with {act.what}", *rules)
        yield from provoke_as_helped(fight, actor, act.what, f"helps with {act.what}")
        if is_down(fight, actor):
            return
        parts = skill_parts(fight, actor, act.what, skills[act.what], rules[-1])
        dc = fight.figure(topic, "dc")
        if not (yield from check(fight, actor, act.what, parts, dc, *rules, why=f"to help {friend.id}")):
            return
        yield EffectGained(
            who=friend.id,
            id=f"{fight.declaration}{AID}",
            stat=f"check.{act.what}",
            modifier=fight.modifier(topic, "bonus", kind="circumstance", source=f"aid from {actor.id}"),
            until=Until("turn-start", actor.id, fight.state.round + 1),
            uses=1,
            cites=rules[-1:],
        )

    return with_check


def provoke_as_helped(fight: Fight, helper: Combatant, skill: str, reason: str) -> Steps[None]:
    """Let those that threaten a helper attack if the helped action provokes.

    The table of actions says so of first aid; of most uses of a skill it says "usually", and the game master
    decides whether this one does (srd35.actions-table.standard, pf1.actions-table.standard).
    """
    enemies = threatening(fight, helper)
    if not enemies:
        return
    rule = fight.rule(TABLE)
    rows = {row["action"]: row["provokes"] for row in fight.figure(TABLE)}
    provokes = next((said for row, said in rows.items() if f"({skill.title()})" in row), rows[OTHER])
    if provokes not in ("yes", "no"):
        question = f"{helper.id} {reason}: does what it helps with provoke?"
        provokes = yield Choice("", "provokes", question, ("yes", "no"), rule)
    if provokes == "yes":
        opportunity = f"aid:{fight.declaration}"
        yield from fight.dialect.opportunity.provoke(fight, helper, enemies, reason, opportunity, rule)
