"""Lasting harm as it is told: lost ability points, poison that works on, time that passes."""

from affray.engine.rules.classes.sheets import score_of
from affray.events.facts import combat, flow
from affray.events.facts.sheet import SCORES
from affray.events.wording import counted
from affray.replay.narrate.tale import Tale


def ability_changed(tale: Tale, fact: combat.AbilityChanged) -> None:
    """Say what an ability has lost, or got back, and what that leaves of a score that damage lowers."""
    one = tale.state.combatants[fact.who]
    ability = SCORES.get(fact.ability, fact.ability)
    lost = fact.damage + fact.drain - sum(one.losses.get(f"{fact.ability}{way}", 0) for way in ("", " drain"))
    if lost <= 0:
        text = f"regains {-lost} {ability}, up to {fact.score}"
    elif fact.ability in SCORES and fact.score == score_of(one.sheet, fact.ability):
        text = f"takes {counted(lost, 'point')} of {ability} damage"
        text += f", {fact.damage} in all" if fact.damage > lost else ""
    else:
        text = f"loses {lost} {ability}, down to {fact.score}"
    tale.say("hurt" if lost > 0 else "hit", f"{tale.name(fact.who)} {text} ({tale.cast.prose(fact.why)})")


def feats_changed(tale: Tale, fact: combat.FeatsChanged) -> None:
    """Say which feats can no longer be used, and which can be used again."""
    before = tale.state.combatants[fact.who].unusable
    for verb, feats in (
        ("can no longer use", [feat for feat in fact.unusable if feat not in before]),
        ("can use again", [feat for feat in before if feat not in fact.unusable]),
    ):
        if feats:
            tale.say("note", f"{tale.name(fact.who)} {verb} {', '.join(feats)} ({tale.cast.prose(fact.why)})")


def wounded(tale: Tale, fact: combat.AfflictionHeld) -> None:
    """Say how severely a wound bleeds that is new or has changed; other afflictions tell by what they do."""
    if fact.rider.name == "bleeding wound" and fact.treated < 0:
        text = f"{tale.name(fact.who)} has a bleeding wound of severity {fact.rider.effect}"
        tale.say("hurt", f"{text} ({tale.cast.prose(fact.by)})" if fact.by else text)


def relieved(tale: Tale, fact: combat.AfflictionEnded) -> None:
    """Say that something works on no longer."""
    held = next((one for one in tale.state.combatants[fact.who].afflictions if one.id == fact.id), None)
    name = held.rider.name if held is not None else "it"
    tale.say("note", f"{tale.name(fact.who)}: the {name} is over ({tale.cast.prose(fact.why)})")


def time(tale: Tale, fact: flow.TimePassed) -> None:
    """Say how much time went by."""
    hours, minutes = divmod(fact.minutes, 60)
    spans = [counted(n, unit) for n, unit in ((hours, "hour"), (minutes, "minute")) if n]
    tale.say("note", f"{' and '.join(spans)} pass{'es' if hours + minutes == 1 else ''}")
