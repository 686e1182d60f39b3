"""Who sees whom: concealment, total concealment, and the senses that see through it.

srd35.concealment.*, srd35.light.levels, srd35.blindsight, srd35.cond.invisible, srd35.cond.blinded.
"""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.dialects.srd35.position.inside_objects import (
    COMBAT,
    is_inside_object,
    on_other_planes,
    planes_part,
    sees_across,
)
from affray.engine.dialects.srd35.senses import light
from affray.engine.dialects.srd35.senses.special_senses import BLINDSIGHT, DARKVISION, is_sensed
from affray.engine.fight.fight import Fight, rule_of
from affray.engine.fight.memory import per_fight, per_scene
from affray.engine.grid.concealment import obscured
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.ability_modifiers import has_feat, has_trait
from affray.engine.rules.conditions.condition_rules import blind_to
from affray.engine.rules.defense.armor_class import what_misleads
from affray.engine.rules.position.line_of_effect import sees
from affray.engine.rules.position.place import next_to
from affray.engine.rules.senses.hidden import PINPOINTED, is_hidden_from, knows_square
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

TOTAL, SOME = "srd35.concealment.total-miss-chance", "srd35.concealment.miss-chance"
BLIND_FIGHT = "srd35.feat.blind-fight"
#: Magic that blurs its bearer; with a level, a concealment of that many percent.
BLURRED, VEILED = "blurred", "veiled"
#: What else conceals, or blinds, besides what the rules of conditions say.
OF_SIGHT = frozenset({"invisible", "blinded", "ethereal", light.UNLIT, BLURRED, VEILED})
SENSED = {"blindsense": "blindsight", "tremorsense": "darkvision"}


class Veil(Struct, frozen=True, gc=False):
    """One thing that conceals: the miss chance, why, its topic, and the topics of what led to it."""

    percent: int
    why: str
    topic: str
    topics: tuple[str, ...] = ()


class Look(Struct, frozen=True, gc=False):
    """What a viewer sees of another: what conceals it, and the topics of what saw through the rest."""

    veils: tuple[Veil, ...] = ()
    through: tuple[str, ...] = ()

    @property
    def unseen(self) -> bool:
        """Whether there is no line of sight at all."""
        return any(veil.topic == TOTAL for veil in self.veils)


CLEAR = Look()


def look(fight: Fight, viewer: Combatant, other: Combatant, melee: bool) -> Look:
    """Return what one combatant sees of another.

    To blindsight within its range nothing is concealed (srd35.blindsight).
    """
    told, field = conditions_of_sight(fight), fight.field
    plain = told.isdisjoint(viewer.conditions) and told.isdisjoint(other.conditions)
    # Mostly nothing is in the way: told sooner than it is looked up. What one can be inside of covers.
    clear = plain and not field.concealing and viewer.at not in field.covering
    return CLEAR if clear else looked(fight, viewer, other, melee)


@per_fight()
def conditions_of_sight(fight: Fight) -> frozenset[str]:
    """Return the conditions that may conceal their bearer, or keep it from seeing."""
    rules = fight.dialect.conditions.table.items()
    return OF_SIGHT.union([name for name, rule in rules if rule.veils or rule.sightless])


@per_scene("viewer.id", "other.id", "melee")
def looked(fight: Fight, viewer: Combatant, other: Combatant, melee: bool) -> Look:
    """Return what one combatant sees of another where something may conceal it."""
    through: list[str] = []
    veils = tuple(veils_between(fight, viewer, other, melee, through))
    if veils and is_sensed(fight, viewer, other, BLINDSIGHT):
        return Look((), ("blindsight",))
    return Look(veils, tuple(through))


def veils_between(
    fight: Fight, viewer: Combatant, other: Combatant, melee: bool, through: list[str]
) -> Iterator[Veil]:
    """Yield what conceals one combatant from another; `through` gathers what sees through the rest."""
    total = fight.figure(TOTAL, "miss_chance_percent")
    if is_sensed(fight, viewer, other, "blindsense"):
        total = fight.figure("srd35.blindsight", "blindsense_miss_pct")
    if "invisible" in other.conditions and not has_trait(viewer, "see invisibility"):
        yield Veil(
            total,
            f"{other.id} is invisible",
            TOTAL,
            ("srd35.concealment.total-definition", "srd35.cond.invisible"),
        )
    if "blinded" in viewer.conditions:
        topics = ("srd35.concealment.total-definition", "srd35.cond.blinded")
        yield Veil(total, f"{viewer.id} is blinded", TOTAL, topics)
    if "ethereal" in other.conditions and on_other_planes(viewer, other) and not sees_across(viewer):
        topics = ("srd35.concealment.total-definition", "etherealness")
        yield Veil(total, f"{other.id} is ethereal", TOTAL, topics)
    if is_inside_object(fight, viewer):
        topics = ("srd35.concealment.total-definition", COMBAT)
        yield Veil(total, f"{viewer.id} sees nothing from inside an object", TOTAL, topics)
    blind = blind_to(fight, viewer) if viewer.conditions else ""
    if blind:
        topic, path = rule_of(fight, blind).sightless or ("", "")
        yield Veil(fight.figure(topic, path), f"{viewer.id} is {blind}", topic)
    yield from in_the_dark(fight, viewer, other, through)
    for name, state in other.conditions.items():
        veil = rule_of(fight, name).veils
        if veil is not None:
            yield Veil(fight.figure(*veil), f"{other.id} is {name}", veil[0])
        elif name == BLURRED:
            percent = fight.figure(SOME, "miss_chance_percent")
            yield Veil(percent, f"{other.id} is {name} by magic", SOME, ("srd35.concealment.magical",))
        elif name == VEILED and state.level:
            yield Veil(state.level, f"{other.id} is {name}", "srd35.concealment.varying")
    if obscured(fight.field, (viewer.at, viewer.space), (other.at, other.space), melee=melee):
        percent = fight.figure(SOME, "miss_chance_percent")
        yield Veil(percent, "concealed by the terrain", SOME, (test_of(viewer, other, melee),))


def in_the_dark(fight: Fight, viewer: Combatant, other: Combatant, through: list[str]) -> Iterator[Veil]:
    """Yield what shadow or darkness conceals, unless darkvision sees through it.

    srd35.light.levels, srd35.concealment.darkvision, .low-light.
    """
    if light.UNLIT not in other.conditions:
        return
    found = light.light_seen(fight, viewer, other)
    if found.degree == light.BRIGHT:
        through.extend(found.topics)
        return
    if is_sensed(fight, viewer, other, DARKVISION):
        through += ["srd35.concealment.darkvision", "darkvision"]
        return
    shadowy = found.degree == light.SHADOWY
    percent = fight.figure(light.LEVELS, "shadowy_miss_pct" if shadowy else "dark_miss_pct")
    topics = found.topics if shadowy else (*found.topics, "srd35.concealment.total-definition")
    yield Veil(percent, f"{other.id} is in {found.degree}", SOME if shadowy else TOTAL, topics)


def test_of(viewer: Combatant, other: Combatant, melee: bool) -> str:
    """Return the topic of the test of concealment that applies to an attack."""
    if not melee:
        return "srd35.concealment.ranged-test"
    near = next_to(viewer, other)
    return "srd35.concealment.melee-adjacent-test" if near else "srd35.concealment.melee-reach-test"


def chance_by_concealment(fight: Fight, blow: Blow) -> tuple[int, str, str]:
    """Return (percent, why, topic) of the miss chance; of several concealments the thickest counts.

    The blow knows the other rules that had a part in it (srd35.concealment.*,
    srd35.ac-mod.concealed-invisible).
    """
    found = look(fight, blow.attacker, blow.target, blow.melee)
    if not found.veils:
        return 0, "", ""
    veil = max(found.veils, key=lambda one: one.percent)  # they do not add up
    several = ("srd35.concealment.no-stack",) if len(found.veils) > 1 else ()
    sensed = is_sensed(fight, blow.attacker, blow.target, "blindsense") and found.unseen
    also = ("blindsight",) if sensed else ()
    blow.outcome.miss_chance_cites = fight.rules(
        "srd35.ac-mod.concealed-invisible", *veil.topics, *several, *also
    )
    return veil.percent, veil.why, veil.topic


def cite_sight(fight: Fight, blow: Blow) -> None:
    """Cite with an attack roll what sees through concealment, or that a square is struck at.

    Nobody who is totally concealed can be aimed at; the blow goes into the square where the attacker thinks
    its enemy to be (srd35.concealment.total-attack-square).
    """
    found = look(fight, blow.attacker, blow.target, blow.melee)
    if found.unseen:
        known = how_located(fight, blow.attacker, blow.target)
        if known != PINPOINTED:
            blow.cites += fight.rules(SENSED.get(known, "srd35.concealment.total-attack-square"))
    elif found.through and not found.veils:
        blow.cites += fight.rules(*found.through)


def how_located(fight: Fight, combatant: Combatant, other: Combatant) -> str:
    """Return how a combatant knows the square of another that it does not see, "" if it does not.

    Found by a check, groped, or felt by blindsense or, on the ground, by tremorsense; from inside an object
    one senses what is next to it.
    """
    if knows_square(combatant, other):
        return PINPOINTED
    if is_inside_object(fight, combatant) and next_to(combatant, other):
        return PINPOINTED
    return next((sense for sense in SENSED if is_sensed(fight, combatant, other, sense)), "")


def out_of_sight(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return that total cover, or another plane, protects from an attack of opportunity.

    srd35.cover.total-definition, srd35.etherealness.
    """
    if not sees(fight, blow.attacker, blow.target):
        return f"{blow.target.id} has total cover", "srd35.cover.total-definition"
    if planes_part(blow):
        return f"{blow.target.id} is on another plane", "etherealness"
    return "", ""


def sees_foe(fight: Fight, combatant: Combatant, enemy: Combatant) -> bool:
    """Say whether somebody sees an enemy: there is a line of sight, and it does not hide."""
    if not (combatant.conditions or enemy.conditions or enemy.effects):
        return True
    return not look(fight, combatant, enemy, True).unseen and not (
        enemy.effects and is_hidden_from(enemy, combatant)
    )


def locates(fight: Fight, combatant: Combatant, other: Combatant) -> bool:
    """Say whether a combatant perceives another, or has found out its square by another sense.

    srd35.concealment.total-definition, srd35.skill.hide, srd35.invisibility.grope, srd35.blindsight.
    """
    return sees_foe(fight, combatant, other) or bool(how_located(fight, combatant, other))


def sensed_attacker(fight: Fight, blow: Blow, denied: tuple[str, str]) -> tuple[str, str]:
    """Return why the target loses its Dexterity, if it senses an invisible attacker all the same.

    srd35.attack-mod.invisible, srd35.blindsight, srd35.cond.invisible, srd35.feat.blind-fight.
    """
    return what_misleads(blow) if denied[0] == "attacker unseen" and sees_invisible(fight, blow) else denied


def is_of_the_eyes(fight: Fight, condition: str) -> bool:
    """Say whether a condition hampers those alone who need their eyes."""
    return condition == "blinded" or bool(rule_of(fight, condition).sightless)


def dexterity_without_eyes(fight: Fight, blow: Blow, denied: tuple[str, str]) -> tuple[str, str]:
    """Return why the target loses its Dexterity, if it needs no eyes to know of its attacker.

    srd35.blindsight.
    """
    target, uncanny = blow.target, fight.dialect.defense.uncanny_dodge
    if denied[0] not in target.conditions or not is_of_the_eyes(fight, denied[0]):
        return denied
    if not is_sensed(fight, target, blow.attacker, BLINDSIGHT):
        return denied
    for name in target.conditions:
        rule = rule_of(fight, name)
        kept = rule.dexterity or (rule.off_guard and uncanny(fight, target))
        if not kept and not is_of_the_eyes(fight, name):
            return name, rule.dexterity_topic or rule.topic
    return what_misleads(blow)


def defense_without_eyes(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of the defense, less what sightless eyes take off one that senses its attacker.

    srd35.blindsight.
    """
    target = blow.target
    hampers = [name for name in target.conditions if is_of_the_eyes(fight, name)]
    if not hampers or not is_sensed(fight, target, blow.attacker, BLINDSIGHT):
        return parts
    rule = fight.rule("srd35.blindsight")
    denied = f"{target.id} needs no eyes ({rule})"
    blow.cites.append(rule)
    return [replace(part, denied=denied) if part.source in hampers else part for part in parts]


def unseen_attacker(fight: Fight, blow: Blow, denied: tuple[str, str]) -> tuple[str, str]:
    """Return why the target loses its Dexterity: to who is hidden or in the dark, but for uncanny dodge."""
    if denied[0]:
        return denied
    found = why_unseen(fight, blow)
    return ("", "") if found[0] and fight.dialect.defense.uncanny_dodge(fight, blow.target) else found


def why_unseen(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return why the target does not see its attacker, and the topic of the rule; ("", "") if it does.

    Who does not see the attacker cannot defend itself with Dexterity; Blind-Fight can, in melee
    (srd35.attack-mod.invisible, srd35.skill.hide, srd35.light.levels, srd35.feat.blind-fight).
    """
    attacker, target = blow.attacker, blow.target
    if blow.melee and has_feat(target, "blind-fight"):
        return "", ""
    if attacker.effects and is_hidden_from(attacker, target):
        return "attacker hidden", "srd35.skill.hide"
    if light.UNLIT in attacker.conditions:
        found = look(fight, target, attacker, blow.melee)
        if any(veil.why.endswith(light.DARK) for veil in found.veils):
            return "attacker unseen in the dark", light.LEVELS
    return "", ""


def sees_invisible(fight: Fight, blow: Blow) -> str:
    """Return the topic of the rule by which an invisible attacker has no advantage, "" if it has.

    Against the blinded, those who sense it otherwise and, in melee, those with Blind-Fight.
    """
    attacker, target = blow.attacker, blow.target
    if "blinded" in target.conditions:
        return "srd35.attack-mod.invisible"
    if is_sensed(fight, target, attacker, BLINDSIGHT):
        return "blindsight"
    if has_trait(target, "see invisibility"):
        return "srd35.cond.invisible"
    return BLIND_FIGHT if blow.melee and has_feat(target, "blind-fight") else ""


def invisible_attacker(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of an attack with what invisibility gives denied where it is no advantage.

    srd35.attack-mod.invisible, srd35.cond.invisible.
    """
    row = fight.rule("srd35.attack-mod.invisible")
    if not any(part.rule == row for part in parts):
        return parts
    topic = sees_invisible(fight, blow)
    blow.cites.append(fight.rule(topic or "srd35.cond.invisible"))
    if not topic:
        return parts
    denied = f"no advantage over {blow.target.id} ({fight.rule(topic)})"
    return [replace(part, denied=denied) if part.rule == row else part for part in parts]
