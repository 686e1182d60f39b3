"""Polymorph: a creature in the form of a Beast, and how it takes its true form again."""

from fractions import Fraction
from typing import Final

from msgspec import convert
from msgspec.structs import replace

from affray.engine.dialects.srd52 import areas, blocks, damage
from affray.engine.dialects.srd52.classes import fields_of, level_of, rating_of
from affray.engine.dialects.srd52.features import Blow, Casting, Feature, Held
from affray.engine.dialects.srd52.gear import equipped
from affray.engine.dialects.srd52.magic import Cast, end_on, last, unaffected
from affray.engine.dialects.srd52.position import displaced, nearest_free, space_and_reach
from affray.engine.dialects.srd52.spell_effects import row, saved
from affray.engine.fight.fight import Fight
from affray.engine.kernel.sheets import expand_sheet
from affray.engine.record.blocks import StatBlockError
from affray.engine.steps import Refusal, Steps, unknown_word
from affray.events.facts import acts
from affray.events.facts.combat import FormChanged, HitPointsChanged
from affray.events.facts.sheet import Sheet
from affray.projections.state import Combatant

POLYMORPH: Final = "polymorph"


def polymorph(fight: Fight, casting: Casting) -> Steps[None]:
    """Turn a target that fails the save into a Beast, with temporary hit points of the Beast's number."""
    for target in casting.targets:
        if any(one.what == "moonbeam" for one in areas.areas_at(fight, target.at, target.space)):
            yield unaffected(fight, casting, target)
        elif not (yield from saved(fight, casting, target)):
            form = form_of(fight, casting)
            yield from last(fight, casting, target)
            yield from take_form(fight, target, form, f"{POLYMORPH}: {form.name}")
            rule = fight.rule(casting.feature.topic)
            yield from damage.grant_temporary(fight, target, form.hp, POLYMORPH, rule)


def form_of(fight: Fight, casting: Casting) -> Sheet:
    """Return the stat block of a form: the one stated, or one of the packaged sheets by its name."""
    rule = fight.rule(casting.feature.topic)
    if casting.form:
        try:
            return blocks.read((), casting.form, "").sheet
        except StatBlockError as error:
            raise Refusal(f"the form cannot be read: {error}", rule) from error
    from affray.engine.table.scenario_parts import packaged_sheets

    known = packaged_sheets(fight.dialect.name)
    beasts = [name for name, raw in known.items() if raw.get("kind") == BEAST]
    if casting.choice not in beasts:
        raise unknown_word("Beast", casting.choice, beasts, rule)
    return equipped(fight, convert(expand_sheet(known[casting.choice]), Sheet))


BEAST: Final = "beast"


def refuse_form(fight: Fight, casting: Casting) -> None:
    """Refuse a form that is no Beast, or whose Challenge Rating is above that of a target, or its level."""
    form, rule = form_of(fight, casting), fight.rule(casting.feature.topic)
    if form.kind != BEAST:
        raise Refusal(f"{form.name} is no Beast", rule)
    rating = rating_of(str((form.custom or {}).get("challenge", "0")))
    for target in casting.targets:
        own = fields_of(fight, target).challenge
        most = rating_of(own) if own else Fraction(level_of(target.sheet))
        if rating > most:
            raise Refusal(f"{form.name} has a Challenge Rating above {most}, that of {target.id}", rule)


def take_form(fight: Fight, target: Combatant, form: Sheet, why: str) -> Steps[None]:
    """Replace the statistics of a creature, which keeps its name, type, hit points and Hit Dice.

    What it holds and wears melds into the form; effects on it go on.
    """
    own = target.sheet
    custom = {**(form.custom or {}), "character": fields_of(fight, target).character}
    sheet = replace(
        form, name=own.name, kind=own.kind, hp=own.hp, hit_dice=own.hit_dice, worn=(), custom=custom
    )
    yield changed(fight, target, sheet, (), why)
    yield from make_room(fight, target)


def changed(fight: Fight, target: Combatant, sheet: Sheet, held: tuple[str, ...], why: str) -> FormChanged:
    """Return the fact that a creature has another form, or its true one again."""
    side, reach = space_and_reach(fight, sheet)
    return FormChanged(
        who=target.id,
        sheet=sheet,
        space=side,
        reach=reach,
        held=held,
        shifted=sheet is not target.true_form,
        why=why,
        cites=fight.rules("magic.spell-polymorph", "magic.shape-shift"),
    )


def make_room(fight: Fight, target: Combatant) -> Steps[None]:
    """Put a creature that no longer fits where it is into the nearest free place."""
    places = nearest_free(fight, target, target.at)
    if places and target.at not in places:
        yield displaced(target, (places[0],), "makes room", fight.rules("position.occupied"))


def true_form(fight: Fight, held: Held, why: str) -> Steps[None]:
    """Give a creature its true form back, without the temporary hit points that are left."""
    holder = held.holder
    if holder.true_form is None:
        return
    yield changed(fight, holder, holder.true_form, holder.melded, why)
    if holder.temporary:
        yield HitPointsChanged(
            who=holder.id,
            hp=holder.hp,
            nonlethal=0,
            temporary=0,
            change=0,
            why=why,
            cites=fight.rules(held.feature.topic),
        )
    yield from make_room(fight, holder)


def wears_off(fight: Fight, held: Held, blow: Blow, amount: int) -> Steps[None]:
    """End the spell on a creature that has no temporary hit points left."""
    if not held.holder.temporary:
        yield from end_on(fight, held, "no temporary hit points are left")


def dumb(fight: Fight, held: Held, act: acts.Act) -> None:
    """Refuse speech and spells of a creature in the form of a Beast."""
    if isinstance(act, Cast | acts.Speak) and held.holder.true_form is not None:
        raise Refusal(f"{held.holder.id} cannot speak or cast spells", fight.rule(held.feature.topic))


SPELLS: Final[dict[str, Feature]] = row(
    POLYMORPH,
    polymorph,
    seen=True,
    unnoticed=True,
    form=True,
    check=refuse_form,
    after_damage=wears_off,
    over=true_form,
    forbids=dumb,
)
