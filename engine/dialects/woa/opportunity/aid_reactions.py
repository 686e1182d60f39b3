"""Aid to attacker or target before an attack roll (woa.reaction.aid-attack.*, .aid-defense.*)."""

from affray.engine.dialects.woa.classes.turned_undead import may_not_act_against
from affray.engine.dialects.woa.defense.cover import half_covered
from affray.engine.dialects.woa.opportunity.reaction_budget import has_reaction_left, reaction_spent
from affray.engine.dialects.woa.position.high_ground import height_apart
from affray.engine.dialects.woa.position.space_and_reach import idle, weapon_at
from affray.engine.dialects.woa.senses.concealment import unseen
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.mounted.rider_and_mount import leader
from affray.engine.rules.position.place import distance
from affray.engine.steps import Choice, Steps
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant


def offer_aid(fight: Fight, blow: Blow) -> Steps[None]:
    """Offer aid attack to the attacker's friends on its own turn, aid defense to the target's.

    Several may aid, and what they give adds up; an attack that is a reaction itself cannot be aided
    (woa.reaction.aid-attack.*, woa.reaction.aid-defense.*).

    woa.reaction.aid-attack.effect, woa.reaction.aid-defense.effect, woa.reaction.aid-defense.stacking.
    """
    attacker, target = blow.attacker, blow.target
    own_turn = fight.state.active == leader(fight, attacker).id and blow.intent.kind != "opportunity"
    given: dict[str, int] = {}
    for helper in list(fight.state.combatants.values()):
        if helper is attacker or helper is target:
            continue
        if helper.side == attacker.side:
            kind, against, friend = "aid-attack", target, attacker
        elif helper.side == target.side and own_turn:
            kind, against, friend = "aid-defense", attacker, target
        else:
            continue
        if not could_aid(fight, helper, against, kind):
            continue
        hampered = why_no_aid(fight, helper, against)
        if hampered:
            what = f"cannot aid {friend.id} against {against.id}: {hampered[0]}"
            if own_turn:
                yield RuleApplied(who=helper.id, what=what, cites=fight.rules(hampered[1]))
            continue
        if not own_turn:
            blow.cites.append(fight.rule("woa.reaction.aid-attack.own-turn-only"))
            return
        topic = f"reaction.{kind}.effect"
        order = fight.state.order
        useful = helper.id in order and attacker.id in order
        useful = useful and order.index(helper.id) < order.index(attacker.id)
        options = ("aid", "decline") if useful else ("decline", "aid")
        question = f"{attacker.id} attacks {target.id}: does {helper.id} aid {friend.id}?"
        answer = yield Choice(helper.id, kind, question, options, fight.rule(topic))
        if answer != "aid":
            continue
        given[kind] = given.get(kind, 0) + 1
        yield reaction_spent(fight, helper, kind, against, topic)
        path = "target_ac_modifier" if kind == "aid-attack" else "ally_ac_bonus"
        blow.defense_extra.append(fight.modifier(topic, path, kind="aid", source=f"aid from {helper.id}"))
    blow.cites += [fight.rule(f"reaction.{kind}.stacking") for kind in given if given[kind] > 1]


def could_aid(fight: Fight, helper: Combatant, against: Combatant, kind: str) -> bool:
    """Say whether a helper could strike `against` in melee and has a reaction left for it."""
    if not has_reaction_left(fight, helper, kind) or (
        helper.conditions and may_not_act_against(fight, helper, against)
    ):
        return False
    if idle(fight, helper) or height_apart(helper, against) > helper.reach:
        return False
    return weapon_at(fight, helper, against) is not None or distance(helper, against) <= helper.reach


def why_no_aid(fight: Fight, helper: Combatant, against: Combatant) -> tuple[str, str] | None:
    """Return what keeps a helper from aiding against an enemy within reach, with its topic; None for nothing.

    woa.concealment.total.no-reactions, woa.cover.no-aid-reactions
    """
    if unseen(fight, helper, against):
        return f"{against.id} is unseen", "woa.concealment.total.no-reactions"
    if half_covered(fight, helper, against):
        return f"{against.id} has half cover or better", "woa.cover.no-aid-reactions"
    return None
