"""What feats ask of whoever has them, as far as it stands among the figures of their rules."""

from collections.abc import Mapping
from typing import Any, Final

from affray.engine.book.errors import UnknownFigure
from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import Same, per_fight
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.steps import Refusal
from affray.events.facts.sheet import SCORES, Sheet
from affray.projections.state import Combatant

#: What the trait begins with that names a feat which a creature has by nature.
BONUS: Final = "bonus feat "


def topic_of(feat: str) -> str:
    """Return the topic of the rule on a feat."""
    return f"feat.{feat.replace(' ', '-')}"


def is_bonus_feat(sheet: Sheet, topic: str) -> bool:
    """Say whether a creature has the feat on a topic by its nature: its traits say "bonus feat cleave"."""
    told = (trait.removeprefix(BONUS) for trait in sheet.traits if trait.startswith(BONUS))
    return any(topic.endswith(topic_of(name.partition(" (")[0])) for name in told)


def is_exempt(sheet: Sheet, topic: str, figures: Mapping[str, Any]) -> bool:
    """Say whether a feat demands nothing of a creature: by a class that grants it, or by its nature."""
    return any(sheet.classes.get(name) for name in figures.get("granted", ())) or is_bonus_feat(sheet, topic)


def prerequisite_lacked(sheet: Sheet, topic: str, figures: Mapping[str, Any]) -> str:
    """Return the first prerequisite among the figures of a feat that a sheet does not meet, "" for none.

    Those are ability scores, other feats, the base attack bonus and levels of a class; a class that grants
    the feat asks for nothing, and whoever has it as a bonus feat needs nothing.
    """
    if is_exempt(sheet, topic, figures):
        return ""
    for score, name in SCORES.items():
        least = figures.get(score, 0)
        own = getattr(sheet.abilities, "int_" if score == "int" else score) or 0
        if isinstance(least, int) and own < least:
            return f"{name} {least}"
    for name in figures.get("feats", ()):
        if name not in sheet.feats:
            return f"the feat {name.title()}"
    least = figures.get("base_attack_bonus", 0)
    if isinstance(least, int) and sheet.base_attack < least:
        return f"base attack bonus {least:+d}"
    for name, level in figures.get("levels", {}).items():
        if sheet.classes.get(name, 0) < level:
            return f"{name} level {level}"
    return ""


def lacks_for_feat(fight: Fight, combatant: Combatant, topic: str) -> str:
    """Return what a combatant lacks of what the feat on `topic` demands, "" for nothing.

    Ability scores and base attack bonus are those of its figures; a class that grants the feat asks for
    nothing, and so does a bonus feat. Whom lost ability points leave without a score that the feat demands
    cannot use it (srd35.feat.greater-two-weapon-fighting, srd35.feat.improved-two-weapon-fighting).
    """
    lacked = lacks_by_sheet(fight, combatant, topic)
    if lacked or not combatant.losses:
        return lacked
    figures = figures_of_feat(fight, topic)
    return "" if is_exempt(combatant.sheet, topic, figures) else score_lost(fight, combatant, figures)


@per_fight(Same("combatant.sheet"), "topic")
def lacks_by_sheet(fight: Fight, combatant: Combatant, topic: str) -> str:
    """Return what a sheet lacks of what the feat on `topic` demands, "" for nothing."""
    return prerequisite_lacked(combatant.sheet, topic, figures_of_feat(fight, topic))


def figures_of_feat(fight: Fight, topic: str) -> Mapping[str, Any]:
    """Return the figures by name of the feat on `topic`; none where it has none of that kind."""
    try:
        figures = fight.figure(topic)
    except UnknownFigure:
        return {}
    return figures if isinstance(figures, Mapping) else {}


def score_lost(fight: Fight, combatant: Combatant, figures: Mapping[str, Any]) -> str:
    """Return the first ability score demanded that a combatant has no more, "" for none."""
    for score, name in SCORES.items():
        least = figures.get(score, 0)
        steps = fight.dialect.conditions.score_steps(fight, combatant, score, "")
        if isinstance(least, int) and steps and (steps[-1].score or 0) < least:
            return f"{name} {least}"
    return ""


def masters(fight: Fight, combatant: Combatant, feat: str) -> bool:
    """Say whether a combatant has a feat and all that the feat demands."""
    return has_feat(combatant, feat) and not lacks_for_feat(fight, combatant, topic_of(feat))


def refuse_without(fight: Fight, combatant: Combatant, feat: str) -> str:
    """Refuse the use of a feat that a combatant has not or cannot use; return the id of its rule."""
    topic = topic_of(feat)
    rule = fight.rule(topic)
    if not has_feat(combatant, feat):
        raise Refusal(f"{combatant.id} has no {feat.title()}", rule)
    missing = lacks_for_feat(fight, combatant, topic)
    if missing:
        raise Refusal(f"{feat.title()} takes {missing}", rule)
    return rule
