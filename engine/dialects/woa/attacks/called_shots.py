"""Called shots as an act of their own (woa.called-shot.definition, .action-cost, .must-reach-part)."""

from affray.engine.dialects.woa.attacks.called_shot_aim import DEADLY, aim_at_part
from affray.engine.dialects.woa.damage.injury_table import ANATOMY
from affray.engine.dialects.woa.position.size_difference import PERCHED, well_placed
from affray.engine.dialects.woa.table_cells import cell
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.ability_modifiers import has_feat, has_trait, size_step
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.turns.action_budget import refuse_unless_allowed, spending
from affray.engine.steps import Choice, Steps
from affray.events.facts import acts
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant


def called_shot(fight: Fight, act: acts.CalledShot) -> Steps[None]:
    """Aim one attack at a part of the body: a full-round action, a standard one with the feat for it.

    woa.called-shot.definition, .action-cost, .deadly-feats
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    weapon = find_weapon(fight, actor, act.weapon)
    blow = fight.dialect.attacks.prepare(
        fight, actor, target, weapon, "called", thrown=act.thrown, nonlethal=act.nonlethal
    )
    free = has_feat(actor, DEADLY[blow.melee])
    kind = "standard" if free else "full-round"
    refuse_unless_allowed(fight, actor, kind)
    aim_at_part(fight, blow, act.part)
    asked = ask_about_shot(fight, blow, act.part)
    topic = "woa.called-shot.deadly-feats" if free else "woa.called-shot.action-cost"
    cites = fight.rules("woa.called-shot.definition", topic)
    if asked:
        for topics, question in asked:
            if not (yield from refuse_or_allow_part(fight, blow, act.part, topics, question)):
                return
    if well_placed(actor, target):
        yield from ease_from_body(fight, blow)
    yield spending(fight, actor, kind, f"called shot at the {act.part}", *cites)
    yield from fight.dialect.attacks.deliver(fight, blow)


def ask_about_shot(fight: Fight, blow: Blow, part: str) -> list[tuple[tuple[str, ...], str]]:
    """Return what the game master must say before the shot: whether the part can be reached in melee.

    Of somebody of much larger size it cannot, but for special positioning
    (woa.called-shot.must-reach-part, .vs-larger); whether somebody has it at all, where no table says.
    """
    attacker, target = blow.attacker, blow.target
    found: list[tuple[tuple[str, ...], str]] = []
    rows = fight.figure(ANATOMY)
    if cell(fight, ANATOMY, 0, "body") is None and any(row["body"] == target.sheet.kind for row in rows):
        found.append(((ANATOMY,), f"has {target.id} a {part} to be struck?"))
    if blow.melee and size_step(target) - size_step(attacker) > 1 and not is_up_on_body(fight, attacker):
        topics = ("woa.called-shot.vs-larger", "woa.called-shot.must-reach-part")
        found.append((topics, f"can {attacker.id} reach the {part} of {target.id}?"))
    return found


def is_up_on_body(fight: Fight, combatant: Combatant) -> bool:
    """Say whether somebody is up where a large creature's parts can be reached."""
    aloft = any(name in combatant.conditions for name in ("flying", "climbing", "clinging", PERCHED))
    return aloft or has_trait(combatant, "flying") or fight.field.high(combatant.at, combatant.space)


def ease_from_body(fight: Fight, blow: Blow) -> Steps[None]:
    """From the target's own body, let the game master lower or waive the penalty of the called shot.

    woa.battlefield-monster.called-shot
    """
    rule = fight.rule("woa.battlefield-monster.called-shot")
    question = f"what penalty has {blow.attacker.id} for the called shot from the body of {blow.target.id}?"
    answer = yield Choice("", "called-penalty", question, ("the usual one", "half of it", "none"), rule)
    part = blow.attack_extra.pop()
    share = {"the usual one": part.value, "half of it": -(-part.value // 2), "none": 0}[answer]
    if share:
        blow.attack_extra.append(Modifier(share, part.kind, part.source, part.rule))
    yield RuleApplied(who=blow.attacker.id, what=f"called shot from its body: {answer}", cites=(rule,))


def refuse_or_allow_part(
    fight: Fight, blow: Blow, part: str, topics: tuple[str, ...], question: str
) -> Steps[bool]:
    """Ask the game master about a part; record why there is no shot at it."""
    cites = fight.rules(*topics)
    answer = yield Choice("", "reach-part", question, ("no", "yes"), cites[0])
    what = f"the {part} of {blow.target.id} {'can' if answer == 'yes' else 'cannot'} be reached"
    yield RuleApplied(who=blow.attacker.id, what=what, cites=cites)
    return bool(answer == "yes")
