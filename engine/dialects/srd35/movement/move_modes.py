"""The ways of a move action: the plain one, the least movement, and what else srd35 knows by name."""

from collections.abc import Callable

from affray.engine.dialects.srd35.gear.draw_and_sheathe import is_hidden
from affray.engine.dialects.srd35.movement import balance, swim, tumble, walk_and_run
from affray.engine.dialects.srd35.position import creature_size, escape_artist
from affray.engine.fight.fight import Fight
from affray.engine.record.other_fields import Under
from affray.engine.rules.gear.draw_and_sheathe import refuse_undrawable
from affray.engine.rules.movement import on_foot
from affray.engine.rules.position import squeezing
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ItemChanged
from affray.projections.state import Combatant


def refuse_words(fight: Fight, act: acts.Move) -> None:
    """Refuse what is said of a move to which it does not matter, and to draw what cannot be drawn on it."""
    if act.surface and act.how not in OVER_GROUND:
        told = ", ".join(OVER_GROUND)
        reason = f"what one moves over matters to {told}, not to {act.how!r}"
        raise Refusal(reason, fight.rule("srd35.move-action.move"))
    if act.draw and act.how in WAYS:
        raise Refusal("a weapon is drawn with a plain move only", fight.rule("srd35.move-action.draw"))


def tell_overlooked(fight: Fight, act: acts.Move, moving: Steps[None]) -> Steps[None]:
    """Move, with a word on those whom the way leads past for nothing."""
    notes = tuple(creature_size.note_passed_enemies(fight, fight.state.combatants[act.actor], act.path))
    yield from moving
    yield from notes


def draw_on_the_way(fight: Fight, act: acts.Move, moving: Steps[None]) -> Steps[None]:
    """Move, and draw a weapon on the way (srd35.move-action.draw)."""
    return draw_after_first_step(moving, drawn_on_the_way(fight, fight.combatant(act.actor), act.draw))


def draw_after_first_step(steps: Steps[None], drawn: ItemChanged) -> Steps[None]:
    """Let a move take its course with the weapon drawn after its first step, before which it is refused."""
    sent = yield next(steps)
    yield drawn
    while True:
        try:
            sent = yield steps.send(sent)
        except StopIteration:
            return


def drawn_on_the_way(fight: Fight, mover: Combatant, item: str) -> ItemChanged:
    """Return that a weapon is drawn with a move: it takes some skill at arms (srd35.move-action.draw)."""
    topic = "srd35.move-action.draw"
    rule = fight.rule(topic)
    if mover.sheet.base_attack < fight.figure(topic, "base_attack_bonus"):
        raise Refusal(f"{mover.id} is not skilled enough to draw a weapon on the move", rule)
    refuse_undrawable(mover, item, rule)
    if is_hidden(mover, item):
        raise Refusal(f"the {item} is hidden and not drawn on the move", fight.rule("srd35.skill.sleight"))
    return ItemChanged(who=mover.id, item=item, state="held", cites=(rule,))


WAYS: dict[str, Callable[[Fight, acts.Move], Steps[None]]] = {
    on_foot.MINIMUM: on_foot.least_movement,
    "wriggle": escape_artist.wriggle,
}
"""The ways of moving that srd35 knows by name besides the plain one."""
#: A move in one of these ways.
SPECIAL = f"how in {tuple(WAYS)!r}"
#: A move along a way whose width is said.
NARROW = f"wide and how == {squeezing.SQUEEZE!r}"
#: What `how` may say of a move, and `surface` of what it goes over.
HOW = ("normal", squeezing.SQUEEZE, *WAYS, *walk_and_run.WAYS)
OVER_GROUND = ("balance", "swim", "tumble")
#: The ways of moving under which the height, the DC of a wall and haste count.
READ_BY: Under = {
    "dc": {"how": ("climb",)},
    "up": {"how": ("climb", "fly")},
    "fast": {"how": ("balance", "climb", "swim", "tumble")},
    "wide": {"how": (squeezing.SQUEEZE, "wriggle")},
}
GROUNDS = (*balance.SURFACES, *swim.WATERS, *tumble.SURFACES)
