"""Implement called shots as a separate act (woa.called-shot.definition, .action-cost, .must-reach-part)."""

from msgspec.structs import replace

from affray.engine.dialects.woa.conditions.impediments import JARRED, record_jarring_attack
from affray.engine.dialects.woa.damage.injury import ANATOMY, CALLED, parts_lacking, random_injury
from affray.engine.dialects.woa.position.size import PERCHED, is_on_body_of
from affray.engine.dialects.woa.table_cells import cell
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import ARMOR_CLASS, Blow, Harm
from affray.engine.rules.attacks.attack_roll import standing_parts
from affray.engine.rules.classes.sheets import has_feat, has_trait, size_step
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.turns.actions import refuse_unless_allowed, spending
from affray.engine.steps import Choice, Refusal, Steps, unknown_word
from affray.events.facts import acts
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Modifier
from affray.projections.state import Combatant

# --- Aiming an attack at a part of the body: its difficulty, and what rules it out (woa.called-shot.*)

TABLE = "woa.called-shot.difficulty-table"
#: Feats that allow any attack to be a called shot, in melee and at range.
DEADLY = {True: "deadly stroke", False: "deadly shot"}
#: Difficulties by the topic of their penalty, as the table names them.
TOPICS = {
    "easy": "woa.called-shot.easy",
    "tricky": "woa.called-shot.tricky",
    "challenging": "woa.called-shot.challenging",
    "almost impossible": "woa.called-shot.almost-impossible",
}
#: A part that creatures may have, such as a dragon's one weak point.
SPOT = "vulnerable spot"
#: The names of impediments in the list, and the feats that cancel them.
CANCELLED = {"range": ("far shot",), "cover": ("careful aim",), "concealment": ("careful aim",)}
#: Conditions and feats by which a target makes itself harder to hit.
EVASIVE = ("total-defense", "wind stance")


def aim_at_part(fight: Fight, blow: Blow, part: str) -> None:
    """Aim an attack at a part of the target's body. Refuse parts that cannot be aimed at.

    woa.called-shot.difficulty-table, .restrictions, .touch-attacks
    """
    refuse_small_target(fight, blow)
    difficulty = difficulty_of(fight, blow.target, part)
    topic = TOPICS[difficulty]
    if part in lacking_parts(fight, blow.target):
        raise Refusal(f"{blow.target.id} has no {part}", fight.rule(ANATOMY))
    if blow.intent.touch:
        blow.intent = replace(blow.intent, against=ARMOR_CLASS)
        blow.cites.append(fight.rule("woa.called-shot.touch-attacks"))
    refuse_impeded(fight, blow)
    blow.intent = replace(blow.intent, body_part=part)
    blow.attack_extra.append(
        fight.modifier(topic, "attack", kind="penalty", source=f"{difficulty} called shot")
    )
    blow.cites.append(fight.rule(TABLE))


def refuse_combined(fight: Fight, combatant: Combatant, part: str, melee: bool, what: str) -> None:
    """Refuse a called shot as part of another attack form without the feat for it."""
    if part and not has_feat(combatant, DEADLY[melee]):
        rule = fight.rule("woa.called-shot.action-cost")
        raise Refusal(f"a called shot cannot be part of {what}", rule)


def aim_attack_at_part(fight: Fight, blow: Blow, part: str, what: str) -> None:
    """Aim an attack of another form at a part, if a feat allows it (woa.called-shot.deadly-feats)."""
    if not part:
        return
    refuse_combined(fight, blow.attacker, part, blow.melee, what)
    aim_at_part(fight, blow, part)
    blow.cites.append(fight.rule("woa.called-shot.deadly-feats"))


def difficulty_of(fight: Fight, target: Combatant, part: str) -> str:
    """Return how difficult a part is to hit. Refuse unknown parts.

    A creature's trait such as "vulnerable spot" or "tricky tail" gives it special parts.
    """
    for row in fight.figure(TABLE):
        if part in row["parts"]:
            return str(row["difficulty"])
        if part == SPOT and has_trait(target, SPOT) and any(SPOT in one for one in row["parts"]):
            return str(row["difficulty"])
    for difficulty in TOPICS:
        if has_trait(target, f"{difficulty} {part}"):
            return difficulty
    known = [one for row in fight.figure(TABLE) for one in row["parts"] if SPOT not in one]
    raise unknown_word(f"part of {target.id} to aim at", part, known, fight.rule(TABLE))


def refuse_unknown_part(fight: Fight, target: str, part: str) -> None:
    """Refuse to aim at a part that the target lacks, or, without a target, every combatant in the fight."""
    aimed_at = [fight.combatant(target)] if target else list(fight.state.combatants.values())
    for number, one in enumerate(aimed_at, 1):
        try:
            difficulty_of(fight, one, part)
        except Refusal:
            if number == len(aimed_at):
                raise
        else:
            return


def lacking_parts(fight: Fight, target: Combatant) -> tuple[str, ...]:
    """Return the parts that a creature lacks, if the table of its anatomy is in force."""
    rows = fight.figure(ANATOMY)
    if cell(fight, ANATOMY, 0, "body") is None and any(row["body"] == target.sheet.kind for row in rows):
        return ()
    return parts_lacking(fight, target)


def refuse_small_target(fight: Fight, blow: Blow) -> None:
    """Refuse called shots at much smaller targets.

    woa.called-shot.vs-smaller, option `called_shot_size`
    """
    steps = size_step(blow.attacker) - size_step(blow.target)
    most = fight.figure("woa.called-shot.vs-smaller", "max_smaller_size_categories")
    reading = fight.option("called_shot_size")
    topic = "woa.called-shot.vs-smaller"
    if reading == "two-or-more":
        topic = "woa.size.combat.target-two-smaller"
        most = fight.figure(topic, "size_difference") - 1
    if steps > most:
        why = f"{blow.target.id} is too small for a called shot (called_shot_size: {reading})"
        raise Refusal(why, fight.rule(topic))


def refuse_impeded(fight: Fight, blow: Blow) -> None:
    """Refuse a called shot hampered by anything on the list (woa.called-shot.restrictions).

    Items cancelled by a feat do not count (woa.called-shot.restrictions-negated).
    """
    found = what_hampers_aim(fight, blow)
    for name in found:
        feat = next((one for one in CANCELLED.get(name, ()) if has_feat(blow.attacker, one)), "")
        if not feat:
            raise Refusal(f"{name} would hamper the called shot", fight.rule("woa.called-shot.restrictions"))
        blow.cites.append(fight.rule("woa.called-shot.restrictions-negated"))


def what_hampers_aim(fight: Fight, blow: Blow) -> list[str]:
    """Return the items of the list that would hamper an attack, in the order of the list."""
    stand = standing_parts(fight, blow)
    against = [one for one in stand.situation if one.value < 0 and not one.denied]
    found = {
        "cover": any(one.kind == "cover" for one in stand.place),
        "concealment": any("concealment" in one.source for one in against),
        "range": any(one.source.startswith("range ") for one in against),
        "size": any(one.kind == "size" for one in against),
        "defensive measures": any(
            name in blow.target.conditions or has_feat(blow.target, name) for name in EVASIVE
        ),
    }
    named = [str(one).partition(" (")[0] for one in fight.figure("woa.called-shot.restrictions")]
    return [name for name in named if found.get(name)]


def aim_blow_of_charge(fight: Fight, blow: Blow, part: str) -> Steps[None]:
    """Aim the attack that ends a charge; if something hampers the aim, it is an ordinary attack."""
    if not part:
        return
    try:
        aim_attack_at_part(fight, blow, part, "a charge")
    except Refusal as refusal:
        what = f"an ordinary attack: {refusal.reason}"
        yield RuleApplied(who=blow.attacker.id, what=what, cites=(refusal.rule,))


# --- The injuries of a called shot that hits (woa.called-shot.effect)


def injure_part(fight: Fight, blow: Blow, harm: Harm, before: int) -> Steps[None]:
    """Injure the part that a called shot has hit, and jar a caster (woa.called-shot.effect, .concentration).

    Damage of half the target's previous hit points makes the injury worse
    (woa.injury.roll.called-shot-massive).
    """
    target = blow.target
    if "dead" in target.conditions:
        return
    extra: tuple[Modifier, ...] = ()
    if harm.amount * 2 >= before:
        topic = "woa.injury.roll.called-shot-massive"
        extra = (fight.modifier(topic, "modifier", kind="circumstance", source="massive called shot"),)
    if JARRED not in target.conditions and "disturbed" in target.conditions:
        yield from record_jarring_attack(fight, target, blow.intent.body_part)
    topic = "woa.injury.cause.called-shot"
    topics = (topic, "woa.called-shot.effect", "woa.called-shot.injury-source")
    yield from random_injury(fight, target, harm, topics, CALLED, blow.intent.body_part, *extra)


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
    if is_on_body_of(actor, target):
        yield from reduce_called_shot_penalty(fight, blow)
    yield spending(fight, actor, kind, f"called shot at the {act.part}", *cites)
    yield from fight.dialect.attacks.deliver(fight, blow)


def ask_about_shot(fight: Fight, blow: Blow, part: str) -> list[tuple[tuple[str, ...], str]]:
    """Return the questions for the game master before the shot: whether the part can be reached in melee.

    A much larger target's cannot be, except from a special position (woa.called-shot.must-reach-part,
    .vs-larger). The game master is also asked whether the target has the part if no table covers it.
    """
    attacker, target = blow.attacker, blow.target
    found: list[tuple[tuple[str, ...], str]] = []
    rows = fight.figure(ANATOMY)
    if cell(fight, ANATOMY, 0, "body") is None and any(row["body"] == target.sheet.kind for row in rows):
        found.append(((ANATOMY,), f"does {target.id} have a {part} that can be struck?"))
    if blow.melee and size_step(target) - size_step(attacker) > 1 and not is_up_on_body(fight, attacker):
        topics = ("woa.called-shot.vs-larger", "woa.called-shot.must-reach-part")
        found.append((topics, f"can {attacker.id} reach the {part} of {target.id}?"))
    return found


def is_up_on_body(fight: Fight, combatant: Combatant) -> bool:
    """Return whether a combatant is high enough to reach a large creature's parts."""
    aloft = any(name in combatant.conditions for name in ("flying", "climbing", "clinging", PERCHED))
    return aloft or has_trait(combatant, "flying") or fight.field.high(combatant.at, combatant.space)


def reduce_called_shot_penalty(fight: Fight, blow: Blow) -> Steps[None]:
    """Let the game master reduce or waive the penalty of a called shot from the target's own body.

    woa.battlefield-monster.called-shot
    """
    rule = fight.rule("woa.battlefield-monster.called-shot")
    question = (
        f"what penalty does {blow.attacker.id} take for the called shot from the body of {blow.target.id}?"
    )
    answer = yield Choice("", "called-penalty", question, ("the usual one", "half of it", "none"), rule)
    part = blow.attack_extra.pop()
    share = {"the usual one": part.value, "half of it": -(-part.value // 2), "none": 0}[answer]
    if share:
        blow.attack_extra.append(Modifier(share, part.kind, part.source, part.rule))
    yield RuleApplied(who=blow.attacker.id, what=f"called shot from its body: {answer}", cites=(rule,))


def refuse_or_allow_part(
    fight: Fight, blow: Blow, part: str, topics: tuple[str, ...], question: str
) -> Steps[bool]:
    """Ask the game master about a part, record the answer, and return whether the shot is possible."""
    cites = fight.rules(*topics)
    answer = yield Choice("", "reach-part", question, ("no", "yes"), cites[0])
    what = f"the {part} of {blow.target.id} {'can' if answer == 'yes' else 'cannot'} be reached"
    yield RuleApplied(who=blow.attacker.id, what=what, cites=cites)
    return bool(answer == "yes")
