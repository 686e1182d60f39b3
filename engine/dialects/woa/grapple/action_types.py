"""What type of action each deed of a grapple or a grab is (woa.grapple.start.*, woa.grab.*)."""

from affray.engine.dialects.woa.grapple.grab_state import holding
from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.events.facts import acts
from affray.projections.state import Combatant

#: Under these names it stands among what a round has spent that an item was drawn, or a grapple left.
DRAWN, RELEASED = "drawn", "released"

#: What may follow the drawing of an item in the same round.
USES = ("attack", "activate", "called-shot")


def action_to_grapple(fight: Fight, grappler: Combatant, target: Combatant) -> tuple[str, tuple[str, ...]]:
    """Return the action that starting a grapple takes, and the topics that say so.

    woa.grapple.start.action-cost, woa.grapple.start.improved-grab
    """
    held = target in holding(fight, grappler)
    option = "grapple an already grabbed opponent" if held else "grab and start grappling"
    topic = "woa.grapple.start.action-cost"
    if has_feat(grappler, "improved grab"):
        return str(fight.figure("woa.grapple.start.improved-grab", f"option={option}", "action")), (
            "woa.grapple.start.improved-grab",
        )
    return str(fight.figure(topic, f"option={option}", "action")), (topic,)


def grapple_kinds(fight: Fight, grappler: Combatant, act: acts.Grapple) -> tuple[str, ...]:
    """Return the type of action that an act of grappling is; "free" needs no declaration.

    To be asked of what has not been refused: only who does not grapple yet starts to.
    """
    if act.what == "ease" or uses_what_was_drawn(fight, grappler, act):
        return ("free",)
    if act.what != "start":
        return ("grapple",)
    return (action_to_grapple(fight, grappler, fight.combatant(act.target))[0],)


def uses_what_was_drawn(fight: Fight, grappler: Combatant, act: acts.Grapple) -> bool:
    """Say whether an act uses what was drawn this very round (woa.grapple.activity.draw-and-use)."""
    return bool(grappler.spent.get(DRAWN)) and act.what in USES


def action_of_grab(fight: Fight, combatant: Combatant) -> tuple[str, str]:
    """Return the action that a grab takes, and the topic that says so (woa.grab.action, .improved-grab)."""
    topic = "woa.grab.improved-grab" if has_feat(combatant, "improved grab") else "woa.grab.action"
    return str(fight.figure(topic, "action")), topic


def escape_kind(act: acts.Grab) -> str:
    """Return the topic of the way in which a victim gets free: of one, or of several at once."""
    return "woa.grab.escape-many" if len(act.targets) > 1 else "woa.grab.escape-one"


def throw_kind(fight: Fight) -> str:
    """Return the action that a throw takes (option `throw_grabbed`)."""
    return "full-round" if fight.option("throw_grabbed") == "full-round-action" else "standard"


def grab_kinds(fight: Fight, grappler: Combatant, act: acts.Grab) -> tuple[str, ...]:
    """Return the type of action that an act of grabbing or being grabbed is; "free" needs no declaration."""
    if act.what == "start":
        return (action_of_grab(fight, grappler)[0],)
    if act.what == "escape":
        return (str(fight.figure(escape_kind(act), "action")),)
    if act.what == "throw":
        return (throw_kind(fight),)
    if act.what == "drag":
        return ("move",)
    return (str(fight.figure(f"grab.{act.what}", "action")),)
