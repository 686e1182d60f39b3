"""Blows, checks and movement as they are told."""

from affray.events.facts import combat
from affray.events.wording import counted, square
from affray.projections.condition_words import being, degree_words
from affray.projections.sentence import source_words
from affray.replay.narrate.tale import Tale
from affray.replay.narrate.words import (
    bracketed,
    check,
    defense,
    dice,
    faces,
    notable,
    sign,
    until,
)

DOWN = frozenset({"disabled", "staggered", "unconscious", "dying", "stable", "dead"})


def moved(tale: Tale, fact: combat.Moved) -> None:
    """Join the declaration if the way ends where it said, else say where it ends."""
    if not fact.path:
        return
    end = square(fact.path[-1])
    if tale.topic == f"act {fact.who} {end}":
        tale.add(f" ({fact.feet} ft.)")
    elif fact.how == "pushed":
        tale.say("note", f"{tale.name(fact.who)} is pushed to {end}")
    elif fact.how == "fiat":
        tale.say("note", f"{tale.name(fact.who)} is at {end} now")
    else:
        tale.say("note", f"{tale.name(fact.who)} goes {fact.feet} ft. to {end}", depth=0)


def mounted(tale: Tale, fact: combat.Mounted) -> None:
    """Say who sits on whom."""
    tale.say("note", f"{tale.name(fact.who)} rides {tale.name(fact.mount)}")


def dismounted(tale: Tale, fact: combat.Dismounted) -> None:
    """Say who came off its mount, how, and where."""
    tale.say("note", f"{tale.name(fact.who)} {fact.how} from {tale.name(fact.mount)}, to {square(fact.at)}")


def provoked(tale: Tale, fact: combat.Provoked) -> None:
    """Name the opening and whom it is open to."""
    mover, by = tale.name(fact.who), tale.name(fact.by)
    opening = f"{mover} {tale.cast.prose(fact.reason)}"
    if fact.denied:
        tale.say("note", f"{opening}: no attack by {by}, {tale.cast.prose(fact.denied)}")
    else:
        tale.say("result", f"{opening}: an opening for {by}", topic=f"opening {fact.by}")


def attack_resolved(tale: Tale, fact: combat.AttackResolved) -> None:
    """Say the roll, the sum and what it had to reach."""
    roll = tale.take(fact.key)
    who = "" if fact.attacker == tale.actor else f"{tale.name(fact.attacker)}, "
    at = "" if fact.target == tale.aim and not who else f" at {tale.name(fact.target)}"
    aim = f"{who}{fact.weapon}{at}"
    goal = f"{defense(fact.against)} {fact.needed}"
    outcome = {"threat": "hit, a critical threat", "critical": "critical hit"}.get(fact.result, fact.result)
    kind = "miss" if fact.result == "miss" else "hit"
    target = tale.state.combatants.get(fact.target)
    armor = target.sheet.armor if target is not None else ()
    said = [*notable(fact.attack), *notable(fact.defense, defense(fact.against), armor)]
    if not fact.key:
        text = f"{aim}: {outcome} ({tale.cast.prose(fact.why)})"
    else:
        thrown = dice(roll) if roll is not None else f"d20 {fact.natural}"
        text = f"{aim}: {thrown}{sign(fact.total - fact.natural)} = {fact.total} vs {goal}: {outcome}"
        if not fact.why.startswith(f"{fact.total} "):
            text += f" ({tale.cast.prose(fact.why)})"
    tale.say(kind, text + tale.cast.prose(bracketed(said)))


def confirmed(tale: Tale, fact: combat.ConfirmationResolved) -> None:
    """Say whether the threat became a critical hit."""
    roll = tale.take(fact.key)
    thrown = f"{dice(roll)}{sign(fact.total - fact.natural)} = {fact.total}" if roll else str(fact.total)
    outcome = "a critical hit" if fact.confirmed else "an ordinary hit"
    who = "" if fact.attacker == tale.actor else f"{tale.name(fact.attacker)}, "
    tale.say("hit", f"{who}to confirm: {thrown} vs {fact.needed}: {outcome}")


def miss_chance(tale: Tale, fact: combat.MissChanceResolved) -> None:
    """Say what concealment did."""
    roll = tale.take(fact.key)
    thrown = dice(roll) if roll else f"d100 {fact.rolled}"
    outcome = "the blow misses" if fact.missed else "the blow is true"
    why = tale.cast.prose(fact.why)
    tale.say("miss" if fact.missed else "result", f"{why}, {fact.percent}% miss chance: {thrown}: {outcome}")


def damaged(tale: Tale, fact: combat.DamageResolved) -> None:
    """Say the damage dice and their sum."""
    flat = sum(part.value for part in fact.modifiers if not part.denied)
    main = fact.dice[: max(1, fact.multiplier)]
    rolls = [tale.take(part.key) for part in fact.dice]
    text = f"{tale.name(fact.target)} takes"
    if not main or (len(fact.dice) == 1 and main[0].notation.isdigit()):
        text += f" {fact.total}" + (f" {main[0].kind}" if main and main[0].kind else "")
    else:
        base = f"{main[0].notation}{f'{flat:+d}' if flat else ''}"
        shown = ", ".join(faces(roll) for roll in rolls[: len(main)] if roll is not None)
        text += f" {f'{len(main)} x ({base})' if len(main) > 1 else base}"
        text += f" ({shown})" if shown else ""
        text += f" = {fact.total}" if len(fact.dice) == len(main) else ""
        text += f" {main[0].kind}" if main[0].kind else ""
        for part, roll in zip(fact.dice[len(main) :], rolls[len(main) :], strict=True):
            text += f" + {part.notation} ({faces(roll) if roll else part.total}) {part.kind}"
        text += "" if len(fact.dice) == len(main) else f" = {fact.total}"
    text += " nonlethal" if fact.nonlethal else ""
    if fact.reduced:
        text += f", {fact.reduced} of it stopped" if fact.reduced > 0 else f", {-fact.reduced} more"
    text += f" ({tale.cast.prose(fact.why)})" if fact.why else ""
    tale.say("hurt", text + bracketed(notable(fact.modifiers)), topic=f"harm {fact.target}")


def hit_points(tale: Tale, fact: combat.HitPointsChanged) -> None:
    """Say hit points before and after, behind the damage if it stands there."""
    before = tale.state.combatants[fact.who]
    changes = []
    if fact.temporary != before.temporary:
        changes.append(f"temporary {before.temporary} -> {fact.temporary}")
    if fact.nonlethal != before.nonlethal:
        changes.append(f"nonlethal {before.nonlethal} -> {fact.nonlethal}")
    if fact.hp != before.hp or not changes:
        changes.insert(0, f"{before.hp} -> {fact.hp}")
    after = f"{tale.name(fact.who)} {', '.join(changes)}"
    if tale.topic == f"harm {fact.who}":
        tale.add(f"; {after}")
    else:
        kind = "hurt" if fact.change < 0 else "hit"
        tale.say(kind, f"{after} ({tale.cast.prose(fact.why)})", topic=f"harm {fact.who}")


#: Effects that only keep in mind what has been told, and the one that says which way a turner faces.
UNTOLD = ("turning attempt", "turning met")
FACING = "turning undead"
#: Directions as they are told; the map's top is north.
COMPASS = {
    "0,-1": "to the north",
    "1,-1": "to the northeast",
    "1,0": "to the east",
    "1,1": "to the southeast",
    "0,1": "to the south",
    "-1,1": "to the southwest",
    "-1,0": "to the west",
    "-1,-1": "to the northwest",
}


def gained(tale: Tale, fact: combat.ConditionGained) -> None:
    """Say a condition; what comes of lost hit points joins them."""
    harmed = tale.topic == f"harm {fact.who}"
    bearer = tale.state.combatants.get(fact.who)
    thing = bearer is not None and bearer.sheet.thing is not None
    if harmed and fact.condition in DOWN:
        tale.add(", destroyed" if thing else f", {fact.condition}")
    elif harmed and fact.condition == "prone":
        tale.add("" if thing else ", falls prone")
    else:
        span = until(fact.until, tale.name(fact.until.who))
        told = degree_words(fact.condition, fact.level, fact.aloft)
        why = ", ".join(filter(None, (tale.cast.prose(fact.source), span)))
        text = f"{tale.name(fact.who)} {being(told)}" + (f" ({why})" if why else "")
        down = fact.condition in DOWN
        tale.say("hurt" if down else "note", text, topic=f"harm {fact.who}" if down else "")


def condition_lost(tale: Tale, fact: combat.ConditionLost) -> None:
    """Say that a condition is over, unless the next one says it."""
    if fact.why not in DOWN:
        tale.say("note", f"{tale.name(fact.who)} {being(fact.condition, False)}")


def effect(tale: Tale, fact: combat.EffectGained) -> None:
    """Say what holds for a while."""
    part = fact.modifier
    if fact.stat in UNTOLD:
        return
    if fact.stat == FACING:
        way = COMPASS.get(part.source, "all around")
        tale.say("note", f"{tale.name(fact.who)} {part.kind}s the undead {way}, DC {part.value}")
        return
    if fact.stat.startswith("no."):
        span = until(fact.until, tale.name(fact.until.who))
        lacks = f"{tale.name(fact.who)}'s {part.source} does not count for {fact.stat[3:]}"
        tale.say("note", tale.cast.prose(f"{lacks} ({span})" if span else lacks))
        return
    what = fact.stat.replace("-", " ")
    if what.startswith(("burning ", "ongoing ")):
        what = f"{what} {part.kind}"
    elif part.kind == "compulsion":
        what = f"{what} to {part.source}" if what == "compelled" else what
    elif what == "hold":
        held = "" if part.kind == "body" else f", by the {part.kind}"
        tale.say("note", f"{tale.name(fact.who)} has {tale.cast.prose(part.source)}{held}")
        return
    elif part.value:
        what = f"{part.value:+d} to {what}"
    against = f" against {tale.name(fact.against)}" if fact.against else ""
    source = tale.cast.prose(source_words(part.source))
    details = ", ".join(filter(None, (source, until(fact.until, tale.name(fact.until.who)))))
    tale.say("note", f"{tale.name(fact.who)}: {what}{against} ({details})")


def checked(tale: Tale, fact: combat.CheckResolved) -> None:
    """Say a check or a saving throw."""
    roll = tale.take(fact.key)
    outcome = "succeeds" if fact.success else "fails"
    kind = "hit" if fact.success else "miss"
    why = f" ({tale.cast.prose(fact.why)})" if fact.why else ""
    if roll is not None and roll.notation == "1d100":
        text = f"{check(fact.check)}: {dice(roll)}, {fact.dc} or less: {outcome}"
    else:
        thrown = dice(roll) if roll else str(fact.natural)
        total = f"{thrown}{sign(fact.total - fact.natural)} = {fact.total}"
        text = f"{check(fact.check)}{why}: {total} vs DC {fact.dc}: {outcome}"
    tale.say(kind, f"{tale.name(fact.who)}, {text}" + tale.cast.prose(bracketed(notable(fact.parts))))


def contested(tale: Tale, fact: combat.ContestResolved) -> None:
    """Say two opposed checks."""
    rolls = {roll.who: dice(roll) for roll in tale.take_all()}

    def part(who: str, total: int) -> str:
        thrown = f" ({rolls[who]})" if who in rolls else ""
        return f"{tale.name(who)} {total}{thrown}"

    winner = tale.name(fact.who if fact.won else fact.against)
    said = [*notable(fact.parts), *notable(fact.opposed_parts, tale.name(fact.against))]
    sums = f"{part(fact.who, fact.total)} against {part(fact.against, fact.opposed)}"
    text = f"{fact.contest}: {sums}: {winner} wins"
    tale.say("hit" if fact.won else "miss", text + tale.cast.prose(bracketed(said)))


def turning(tale: Tale, fact: combat.TurningResolved) -> None:
    """Say a turning check, what it affects of one creature and in all."""
    rolls = {roll.key: roll for roll in tale.take_all()}
    roll, damage = rolls.get(fact.key), rolls.get(fact.damage_key)
    thrown = f"{dice(roll) if roll else fact.natural}{sign(fact.total - fact.natural)} = {fact.total}"
    text = f"turning check: {thrown}: {fact.kind} of up to {fact.most} Hit Dice"
    if damage is not None:
        text += f", {damage.notation} ({faces(damage)}){sign(fact.damage - damage.total)}"
        text += f" = {fact.damage} Hit Dice in all"
    tale.say("result", text + tale.cast.prose(bracketed(notable(fact.parts))))


def side(tale: Tale, fact: combat.SideChanged) -> None:
    """Say whom a combatant fights for now."""
    tale.say("note", f"{tale.name(fact.who)} fights for the {fact.side} now ({tale.cast.prose(fact.why)})")


def item(tale: Tale, fact: combat.ItemChanged) -> None:
    """Say what became of an item; whoever goes down drops it in the same breath."""
    if tale.topic == f"harm {fact.who}" and fact.state == "dropped":
        tale.add(f", drops the {fact.item}")
    elif not tale.topic.startswith(f"act {fact.who}"):
        state = {"held": "is in hand", "stowed": "is put away"}.get(fact.state, f"is {fact.state}")
        tale.say("note", f"{tale.name(fact.who)}'s {fact.item} {state}")


def grip(tale: Tale, fact: combat.GripChanged) -> None:
    """Say how a weapon is held, unless the deed has said it."""
    if not tale.topic.startswith(f"act {fact.who}"):
        hands = "both hands" if fact.hands == 2 else "one hand"
        tale.say("note", f"{tale.name(fact.who)}'s {fact.item} is in {hands}")


def item_struck(tale: Tale, fact: combat.ItemStruck) -> None:
    """Say the damage to an object, its hardness and what it has left."""
    roll = tale.take(fact.dice[0].key) if fact.dice else None
    thrown = f" ({dice(roll)})" if roll else ""
    text = f"{tale.name(fact.bearer)}'s {fact.item} takes {fact.total}{thrown}, hardness {fact.hardness}"
    tale.say("hurt", f"{text}: {counted(fact.dealt, 'point')}, {fact.left} left")


def injured(tale: Tale, fact: combat.InjurySuffered) -> None:
    """Say a lasting injury."""
    roll = tale.take(fact.key)
    thrown = f"{dice(roll)}, " if roll else ""
    # One that was suffered in a former fight was rolled for there.
    entry = f" ({thrown}entry {fact.entry})" if roll or fact.entry else ""
    tale.say("hurt", f"{tale.name(fact.who)} is left with {fact.name}{entry}")
