"""What feats ask of whoever has them: by the table of the dialect, or the figures of their rules.

A feat whose prerequisites a sheet lacks by the table gives nothing from the moment its bearer enters (option
`feat_prerequisites`). What stands among the figures of a feat's rule is asked wherever the feat is used.
"""

from collections.abc import Collection, Mapping
from typing import Any, Final

from msgspec.structs import replace

from affray.engine.book.errors import UnknownFigure
from affray.engine.book.rule import Prerequisites
from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import Same, per_fight
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.steps import Refusal
from affray.events.facts.sheet import SCORES, Sheet
from affray.projections.state import Combatant

#: What the trait begins with that names a feat which a creature has by nature.
BONUS: Final = "bonus feat "
#: What monks can do without listing it.
UNARMED: Final = "improved unarmed strike"


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


def granted_by_nature(sheet: Sheet, feat: str) -> bool:
    """Say whether a creature has a feat by its nature: its traits say "bonus feat cleave"."""
    return f"{BONUS}{feat}" in sheet.traits or f"{BONUS}{feat.partition(' (')[0]}" in sheet.traits


def grants(known: Prerequisites, sheet: Sheet) -> bool:
    """Say whether a class of the sheet gives the feat without its prerequisites."""
    return any(sheet.classes.get(name) for name in known.granted)


def has_prerequisite_feat(
    table: Mapping[str, Prerequisites], sheet: Sheet, feats: Collection[str], wanted: str, detail: str
) -> bool:
    """Say whether a sheet has a feat that another one asks for, among `feats`, or from a class.

    "weapon focus (*)" is meant for what the other feat is for (`detail`), or for anything if it is for
    nothing.
    """
    base, _, pattern = wanted.partition(" (")
    if pattern:
        one = f"{base} ({detail}" if detail else f"{base} ("
        return any(feat.startswith(one) for feat in feats)
    # Print has both "point blank shot" and "point-blank shot".
    listed = any(feat.replace("-", " ") == wanted.replace("-", " ") for feat in feats)
    return (
        listed
        or (wanted in table and grants(table[wanted], sheet))
        or (wanted == UNARMED and bool(sheet.classes.get("monk")))
    )


def lacked_by_table(
    table: Mapping[str, Prerequisites], sheet: Sheet, feats: Collection[str], feat: str
) -> str:
    """Return the first prerequisite by the dialect's table that a sheet does not meet, "" for none.

    `feats` are those that count. A class that grants the feat asks for nothing, and neither does a feat that
    a creature has by nature.
    """
    base, _, detail = feat.partition(" (")
    known = table.get(base)
    if known is None or grants(known, sheet) or granted_by_nature(sheet, feat):
        return ""
    for score, least in known.abilities.items():
        own = getattr(sheet.abilities, "int_" if score == "int" else score) or 0
        if own < least:
            return f"{SCORES[score]} {least}"
    if sheet.base_attack < known.base_attack:
        return f"base attack bonus {known.base_attack:+d}"
    for wanted in known.feats:
        if not has_prerequisite_feat(table, sheet, feats, wanted, detail):
            return f"the feat {wanted.partition(' (')[0].title()}"
    for name, level in known.levels.items():
        if sheet.classes.get(name, 0) < level:
            return f"{name} level {level}"
    return ""


def unusable_feats(table: Mapping[str, Prerequisites], sheet: Sheet) -> tuple[str, ...]:
    """Return the feats of a sheet that give nothing, since it lacks what they ask for by the table.

    One of them is no prerequisite of another either. O(feats squared).
    """
    usable = dict.fromkeys(sheet.feats)
    while lacking := [feat for feat in usable if lacked_by_table(table, sheet, usable, feat)]:
        for feat in lacking:
            del usable[feat]
    return tuple(dict.fromkeys(feat for feat in sheet.feats if feat not in usable))


def feats_without_effect(fight: Fight, sheet: Sheet) -> tuple[str, ...]:
    """Return the feats of a sheet that give nothing in a fight (option `feat_prerequisites`)."""
    table = fight.book.prerequisites
    if not table or not sheet.feats or fight.option("feat_prerequisites") != "enforced":
        return ()
    return unusable_feats(table, sheet)


def without_feats(sheet: Sheet, feats: Collection[str]) -> Sheet:
    """Return a sheet without some of its feats."""
    return replace(sheet, feats=tuple(feat for feat in sheet.feats if feat not in feats)) if feats else sheet


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
    if fight.book.prerequisites and fight.option("feat_prerequisites") == "ignored":
        return ""
    lacked = lacks_by_sheet(fight, combatant.sheet, topic)
    if lacked or not combatant.losses:
        return lacked
    figures = figures_of_feat(fight, topic)
    return "" if is_exempt(combatant.sheet, topic, figures) else score_lost(fight, combatant, figures)


@per_fight(Same("sheet"), "topic")
def lacks_by_sheet(fight: Fight, sheet: Sheet, topic: str) -> str:
    """Return what a sheet lacks of what the feat on `topic` demands, "" for nothing."""
    return prerequisite_lacked(sheet, topic, figures_of_feat(fight, topic))


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


def missing_for_feat(fight: Fight, combatant: Combatant, feat: str) -> str:
    """Return what a combatant lacks for a feat that its printed sheet lists, "" for nothing."""
    if feat in combatant.unusable:
        return lacked_by_table(fight.book.prerequisites, combatant.sheet, combatant.sheet.feats, feat)
    return lacks_for_feat(fight, combatant, topic_of(feat)) if has_feat(combatant, feat) else ""


def refuse_without(fight: Fight, combatant: Combatant, feat: str) -> str:
    """Refuse the use of a feat that a combatant has not or cannot use; return the id of its rule."""
    topic = topic_of(feat)
    rule = fight.rule(topic)
    missing = missing_for_feat(fight, combatant, feat)
    if not missing and not has_feat(combatant, feat):
        raise Refusal(f"{combatant.id} has no {feat.title()}", rule)
    if missing:
        raise Refusal(f"{feat.title()} takes {missing}", rule)
    return rule
