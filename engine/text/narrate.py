"""Narrate a fight as a story: events in, the prose of a session out."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from msgspec import Struct

from affray.engine.book import Book
from affray.engine.kernel.sheets import score_of
from affray.engine.language.cast import Cast, health, legend
from affray.engine.text.lines import WIDTH, Line, in_rows, markdown, plain
from affray.engine.text.map import board
from affray.engine.text.words import (
    bracketed,
    check,
    dice,
    format_notable_modifiers,
    format_roll_modes,
    sign,
    until,
)
from affray.events.errors import AffrayError, counted, listed, printable, square
from affray.events.facts import acts, combat, flow
from affray.events.facts.flow import Rolled
from affray.events.facts.sheet import SCORES
from affray.projections.deeds import declaration, deed, means, short_act_sentence
from affray.projections.fold import apply
from affray.projections.sentence import (
    being,
    check_label,
    compared,
    defense,
    degree_words,
    faces,
    is_first_of_contest,
    sentence,
    source_words,
    stat_words,
)
from affray.projections.state import Encounter

# --- The memory of a story: the combatants, the rolls not yet used, the open line

_REACTION = re.compile(r"(?:^|\.)[a-z-]+:")


class Tale:
    """The memory of a narrator.

    One line stays open for later facts to join it ("; Goblin 6 -> -9, dying"); `topic` determines which may
    join. Rolls are kept until an outcome uses them.
    """

    def __init__(self, state: Encounter, names: Mapping[str, str] | None = None) -> None:
        self.state = state
        self.cast = Cast.of(state, names=names)
        self.name: Final = self.cast.name
        self.out: list[Line] = []
        self.table: dict[str, Rolled] = {}
        self.actor = ""
        self.aim = ""
        self.depth = 0
        self.topic = ""
        self.unsaid = ""
        self.between = False
        self._open: Line | None = None
        self._held: list[Line] = []

    def say(self, kind: str, text: str, topic: str = "", depth: int | None = None) -> None:
        """Begin a new line; between two turns it is held back until the next heading."""
        self.close()
        line = Line(kind, text, self.depth if depth is None else depth)
        if self.between:
            self._held.append(line)
            return
        self._open, self.topic = line, topic

    def add(self, text: str, kind: str = "") -> None:
        """Join text to the open line, changing its kind if one is named."""
        if self._open is not None:
            self._open.text += text
            self._open.kind = kind or self._open.kind

    def reword(self, change: Callable[[str], str], kind: str) -> None:
        """Replace the text and the kind of the open line."""
        if self._open is not None:
            self._open.text, self._open.kind = change(self._open.text), kind

    def close(self) -> None:
        """Finish the open line."""
        if self._open is not None:
            self.out.append(self._open)
        self._open, self.topic = None, ""

    def release(self) -> None:
        """Output the lines held back between two turns."""
        self.close()
        self.between = False
        self.out += self._held
        self._held = []

    def forget(self, keep: tuple[str, ...], all_rolls: bool) -> None:
        """Reset to the state before the first line, except for the rolls that the next outcome uses."""
        self._open, self._held = None, []
        self.actor = self.aim = self.topic = ""
        self.between, self.depth = False, 0
        if not all_rolls:
            self.table = {key: roll for key, roll in self.table.items() if key in keep}

    def place(self, key: str) -> None:
        """Set the depth of interruption from the key of a roll or choice."""
        part = key.split("/")[1] if key.count("/") else ""
        known = part in self.state.combatants
        self.depth = 0 if known else len(_REACTION.findall(part))

    def take(self, key: str) -> Rolled | None:
        """Take a kept roll."""
        return self.table.pop(key, None)

    def take_all(self) -> list[Rolled]:
        """Take all kept rolls."""
        rolls = list(self.table.values())
        self.table = {}
        return rolls

    def leave(self, keep: tuple[str, ...]) -> None:
        """Output the rolls that no outcome used, except those that the next one will."""
        for key in [key for key in self.table if key not in keep]:
            roll = self.table.pop(key)
            named = key.split("/")[-2] if key.count("/") > 1 else "the roll"
            purpose = check_label(named, self.cast.words) or named
            self.say("chance", f"{self.name(roll.who)}, {purpose}: {dice(roll)}")


# --- The story of openings, rounds, turns and declarations


def opened(tale: Tale, fact: flow.EncounterOpened) -> None:
    """Begin the story with the encounter, its dialect and the readings chosen."""
    tale.cast.follow(fact)
    tale.say("title", f"{fact.name} ({fact.dialect})")
    for option, reading in sorted(fact.options.items()):
        tale.say("setup", f"{option}: {reading}")
    for package in fact.packages or ():
        tale.say("setup", f"package {package.name} {package.version} ({package.digest[:12]})")


def options(tale: Tale, fact: flow.OptionsChanged) -> None:
    """Narrate which readings apply from here on."""
    by = f" by {fact.by}" if fact.by else ""
    chosen = ", ".join(f"{option} = {reading}" for option, reading in sorted(fact.options.items()))
    tale.say("ruling", f"Other readings from here on{by}: {chosen}")


def entered(tale: Tale, fact: flow.CombatantEntered) -> None:
    """Introduce a combatant."""
    tale.cast.follow(fact)
    name = tale.name(fact.id)
    called = f"{name} ({fact.id})" if name != fact.id else name
    armed = f", {listed(fact.held)} in hand" if fact.held else ""
    hp = f"{fact.hp} hp" if fact.hp == fact.max_hp else f"{fact.hp}/{fact.max_hp} hp"
    tale.say("setup", f"{called} of the {fact.side} at {square(fact.at)}: {hp}{armed}")


def awareness(tale: Tale, fact: flow.AwarenessSettled) -> None:
    """Show the map at the beginning of the fight, and list who is surprised."""
    tale.depth = 0
    if not tale.state.begun:
        rows = (*board(tale.state, tale.cast), *legend(tale.state, tale.cast))
        tale.say("map", in_rows(rows))
    if fact.surprised:
        tale.say("setup", f"Surprised: {listed(map(tale.name, fact.surprised))}")


def initiative(tale: Tale, fact: flow.InitiativeRolled) -> None:
    """Gather the initiative rolls on one line."""
    roll = tale.take(fact.key)
    bonus = fact.total - fact.natural
    thrown = f" ({dice(roll)}{sign(bonus)})" if roll else ""
    notes = tale.cast.prose(bracketed(format_roll_modes(fact.parts, tale.cast.words)))
    said = f"{tale.name(fact.who)} {fact.total}{thrown}{notes}"
    if tale.topic == "initiative":
        tale.add(f", {said}")
    else:
        tale.say("setup", f"Initiative: {said}", topic="initiative", depth=0)


def order(tale: Tale, fact: flow.OrderSet) -> None:
    """Narrate the initiative order."""
    why = f" ({tale.cast.prose(fact.why)})" if fact.why else ""
    tale.say("setup", f"Order: {', '.join(map(tale.name, fact.order))}{why}", depth=0)


def round_began(tale: Tale, fact: flow.RoundBegan) -> None:
    """Begin a round."""
    tale.release()
    tale.depth = 0
    tale.say("round", f"Round {fact.number}" if fact.number else "Surprise round", depth=0)


def phase(tale: Tale, fact: flow.PhaseChanged) -> None:
    """Narrate that the round moves to another phase."""
    tale.say("setup", {"declare": "All declare", "turns": "The turns begin"}.get(fact.phase, fact.phase))


def round_ended(tale: Tale, fact: flow.RoundEnded) -> None:
    """Draw the map at the end of the round."""
    tale.release()
    rows = (f"After round {fact.number}:", *board(tale.state, tale.cast), *legend(tale.state, tale.cast))
    tale.say("map", in_rows(rows), depth=0)


def turn_began(tale: Tale, fact: flow.TurnBegan) -> None:
    """Begin a turn, then narrate the effects that ended just before it."""
    tale.close()
    held, tale.between, tale.depth, tale.actor = tale.between, False, 0, fact.who
    tale.say("turn", f"{tale.name(fact.who)}'s turn ({health(tale.state.combatants[fact.who])})")
    if held:
        tale.release()


def turn_ended(tale: Tale, fact: flow.TurnEnded) -> None:
    """Narrate why a turn passed unused; hold back what ends before the next one."""
    tale.depth = 0
    if fact.skipped and fact.skipped != "delays":
        tale.say("note", f"cannot act: {fact.skipped}")
    tale.close()
    tale.between = True


def reacted(tale: Tale, fact: flow.ReactionSpent) -> None:
    """Narrate a combat reaction; an attack of opportunity is narrated by its roll."""
    if fact.kind != "opportunity":
        against = f" against {tale.name(fact.against)}" if fact.against else ""
        tale.say("result", f"{tale.name(fact.who)} answers with {fact.kind}{against}")


def planned(tale: Tale, fact: flow.PlanMade) -> None:
    """Narrate a plan that was not declared."""
    if not tale.topic.startswith(f"act {fact.who}"):
        intents = [(what, target) for _, what, target in fact.actions]
        tale.say("note", means(fact.who, intents, tale.cast))


def reordered(tale: Tale, fact: flow.InitiativeChanged) -> None:
    """Narrate a combatant's new position in the order."""
    place = f"ahead of {tale.name(fact.before)}" if fact.before else "last"
    tale.say("note", f"{tale.name(fact.who)} acts on {fact.value} from now on, {place}")


def ready_ended(tale: Tale, fact: flow.ReadyEnded) -> None:
    """Narrate the end of a readied act."""
    how = "takes the readied act" if fact.how == "triggered" else "gives the readied act up"
    tale.say("result" if fact.how == "triggered" else "note", f"{tale.name(fact.who)} {how}")


#: The moments of a round at which a spell that is cast takes effect.
MOMENTS = {"turn-end": "end of the turn", "round-end": "end of the round"}


def casting_began(tale: Tale, fact: flow.CastingBegan) -> None:
    """Narrate that a spell takes longer than this turn; one that does not is narrated by its outcome."""
    if fact.when in MOMENTS:
        tale.say("note", f"{tale.name(fact.who)}'s {fact.act.spell} takes effect at the {MOMENTS[fact.when]}")
    elif fact.due:
        spell = fact.act.spell
        tale.say("note", f"{tale.name(fact.who)} works on {spell} until the turn in round {fact.due}")


def casting_ended(tale: Tale, fact: flow.CastingEnded) -> None:
    """Narrate how a long casting ended, or that a spell was countered."""
    if fact.spell:
        if fact.how != "complete":
            tale.say("miss", f"{tale.name(fact.who)}'s {fact.spell} is {fact.how}")
        return
    spell = tale.state.combatants[fact.who].casting
    name = spell.spell if spell is not None else "the spell"
    if fact.how == "complete":
        tale.say("result", f"{tale.name(fact.who)} completes {name}")
    elif fact.how:
        tale.say("miss", f"{tale.name(fact.who)}'s {name} is {fact.how}")


def applied(tale: Tale, fact: flow.RuleApplied) -> None:
    """Narrate what a rule decided without a number."""
    if fact.what.startswith("says: "):
        return  # narrated by the declaration
    aimed = f" (thrown at {square(fact.aimed)})" if fact.aimed else ""
    tale.say("note", f"{tale.name(fact.who) if fact.who else 'Ruling'}: {tale.cast.prose(fact.what)}{aimed}")


def counted_on(tale: Tale, fact: combat.CounterChanged) -> None:
    """Narrate a counter."""
    why = f" ({tale.cast.prose(fact.why)})" if fact.why else ""
    tale.say("note", f"{tale.name(fact.who)}, {fact.counter}: {fact.value or 'none'}{why}")


def decided(tale: Tale, fact: flow.EncounterDecided) -> None:
    """Narrate that at most one side is left, and that the fight is only over when it is closed."""
    left = f"Only the {fact.side} are left standing" if fact.side else "No combatant is left standing"
    tale.say("note", f"{left}: close the encounter, or play on", depth=0)


def closed(tale: Tale, fact: flow.EncounterClosed) -> None:
    """End the story: who is standing, and the health of all."""
    tale.release()
    tale.depth = 0
    rounds = counted(tale.state.round, "round")
    tale.say("round", f"The end after {rounds}" + (f": {fact.reason}" if fact.reason else ""), depth=0)
    standing = (
        f"Standing: {listed(map(tale.name, fact.standing))}"
        if fact.standing
        else "No combatant is left standing"
    )
    tale.say("summary", standing)
    for one in tale.state.combatants.values():
        tale.say("summary", f"{tale.name(one.id)}, {one.side}: {health(one)}")
    tale.close()


def declare(tale: Tale, fact: flow.Declared) -> None:
    """Narrate a declaration; its first consequence may join the line."""
    tale.depth, tale.actor, tale.aim = 0, fact.act.actor, getattr(fact.act, "target", "")
    text = deed(fact.act, tale.cast)
    tale.unsaid = "" if text else short_act_sentence(fact.act, tale.cast)
    if text:
        tale.say("act", text, topic=f"act {fact.act.actor}{_goal(fact.act)}")


DECLARED = "declared: "
"""The beginning of a declaration that the rules refused: it did not happen."""


def _goal(act: acts.Act) -> str:
    """Return the end of a movement, as part of the topic that its outcome joins."""
    path = getattr(act, "path", ()) or ((act.to,) if isinstance(act, acts.Step) else ())
    return f" {square(path[-1])}" if path else ""


def refuse(tale: Tale, fact: flow.Refused, book: Book | None) -> None:
    """Narrate a refusal with its rule, below the declaration, which did not happen."""
    if tale.topic.startswith("act "):
        tale.reword(lambda said: f"{DECLARED}{said}", "declared")
    elif tale.unsaid:
        tale.say("declared", f"{DECLARED}{tale.unsaid}")
    title = f", {book[fact.rule].title}" if book is not None and fact.rule in book else ""
    refused = "stays refused, as when it was declared" if fact.stays else "refused"
    tale.say("refused", f"{refused}: {tale.cast.prose(fact.reason)} ({fact.rule}{title})")


def asked(tale: Tale, fact: flow.Asked) -> None:
    """Narrate what the fight waits for."""
    tale.place(fact.key)
    options = f" ({' / '.join(fact.options)})" if fact.options else ""
    tale.say("question", f"{tale.name(fact.who)} is asked: {tale.cast.prose(fact.question)}{options}")


def chosen(tale: Tale, fact: flow.Chosen) -> None:
    """Narrate an answer; the answer to an attack of opportunity follows it on its line.

    One between two turns begins what somebody does there, such as a Legendary Action.
    """
    if tale.between:
        tale.release()
        tale.depth = 0
        tale.say("turn", f"After {tale.name(tale.actor)}'s turn")
    opening = tale.topic == f"opening {fact.who}"
    tale.place(fact.key)
    if opening and fact.answer in ("take", "decline"):
        tale.add(", who attacks" if fact.answer == "take" else ", who does not attack")
        return
    pending = tale.state.pending
    just_asked = pending is not None and pending.key == fact.key
    question = "" if just_asked or not fact.question else f" ({tale.cast.prose(fact.question)})"
    tale.say("result", f"{tale.name(fact.who)} chooses {fact.answer}{question}")


def invalidated(tale: Tale, fact: flow.Invalidated) -> None:
    """Narrate that a recorded declaration is no longer possible."""
    tale.say("refused", f"no longer possible: {tale.cast.prose(fact.reason)} ({fact.rule})")


def contributed(tale: Tale, fact: flow.SeedContributed) -> None:
    """Narrate a contribution to the seed of the dice."""
    tale.say("setup", f"{fact.by or 'Somebody'} adds to the seed of the dice: {fact.words}", depth=0)


def disputed(tale: Tale, fact: flow.Disputed) -> None:
    """Narrate a dispute."""
    tale.say("ruling", f"{fact.by or 'Somebody'} disputes event {fact.event}: {fact.claim}", depth=0)


def ruled(tale: Tale, fact: flow.Ruled) -> None:
    """Narrate a ruling."""
    author = fact.author or "the game master"
    tale.say("ruling", f"Ruling by {author} ({fact.verdict}): {fact.text or 'no reason given'}", depth=0)


def promoted(tale: Tale, fact: flow.BranchPromoted) -> None:
    """Narrate that this branch is the main line."""
    by = f" by {fact.by}" if fact.by else ""
    tale.say("ruling", f"The line {fact.name} counts from here on{by}", depth=0)


# --- The story of attacks, checks and movement


def moved(tale: Tale, fact: combat.Moved) -> None:
    """Join the declaration if the path ends where it was to end, else tell where it ends."""
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
    """Narrate who rides which mount."""
    tale.say("note", f"{tale.name(fact.who)} rides {tale.name(fact.mount)}")


def dismounted(tale: Tale, fact: combat.Dismounted) -> None:
    """Narrate who dismounted, how, and to which square."""
    tale.say("note", f"{tale.name(fact.who)} {fact.how} from {tale.name(fact.mount)}, to {square(fact.at)}")


def provoked(tale: Tale, fact: combat.Provoked) -> None:
    """Narrate the provoking act and the combatants that may attack."""
    mover, by = tale.name(fact.who), tale.name(fact.by)
    opening = f"{mover} {tale.cast.prose(fact.reason)}"
    if fact.denied:
        tale.say("note", f"{opening}: no attack by {by}, {tale.cast.prose(fact.denied)}")
    else:
        tale.say("result", f"{opening}: provokes from {by}", topic=f"opening {fact.by}")


def attack_resolved(tale: Tale, fact: combat.AttackResolved) -> None:
    """Narrate the roll, the total and the defense."""
    roll = tale.take(fact.key)
    who = "" if fact.attacker == tale.actor else f"{tale.name(fact.attacker)}, "
    at = "" if fact.target == tale.aim and not who else f" at {tale.name(fact.target)}"
    aim = f"{who}{fact.weapon}{at}"
    outcome = {"threat": "hit, a critical threat", "critical": "critical hit"}.get(fact.result, fact.result)
    kind = "miss" if fact.result == "miss" else "hit"
    target = tale.state.combatants.get(fact.target)
    armor = target.sheet.armor if target is not None else ()
    words = tale.cast.words
    said = [
        *format_notable_modifiers(fact.attack, words),
        *format_notable_modifiers(fact.defense, words, defense(fact.against, words), armor),
    ]
    if not fact.key:
        text = f"{aim}: {outcome} ({tale.cast.prose(fact.why)})"
    else:
        thrown = dice(roll) if roll is not None else f"d20 {fact.natural}"
        total = f"{thrown}{sign(fact.total - fact.natural)} = {fact.total}"
        text = f"{aim}: {compared(fact, words, total)}: {outcome}"
        if not fact.why.startswith(f"{fact.total} "):
            text += f" ({tale.cast.prose(fact.why)})"
    tale.say(kind, text + tale.cast.prose(bracketed(said)))


def confirmed(tale: Tale, fact: combat.ConfirmationResolved) -> None:
    """Narrate whether the threat became a critical hit."""
    roll = tale.take(fact.key)
    thrown = f"{dice(roll)}{sign(fact.total - fact.natural)} = {fact.total}" if roll else str(fact.total)
    outcome = "a critical hit" if fact.confirmed else "an ordinary hit"
    who = "" if fact.attacker == tale.actor else f"{tale.name(fact.attacker)}, "
    tale.say("hit", f"{who}to confirm: {thrown} vs {fact.needed}: {outcome}")


def miss_chance(tale: Tale, fact: combat.MissChanceResolved) -> None:
    """Narrate the result of concealment."""
    roll = tale.take(fact.key)
    thrown = dice(roll) if roll else f"d100 {fact.rolled}"
    outcome = "the attack misses" if fact.missed else "the attack still hits"
    why = tale.cast.prose(fact.why)
    tale.say("miss" if fact.missed else "result", f"{why}, {fact.percent}% miss chance: {thrown}: {outcome}")


def damaged(tale: Tale, fact: combat.DamageResolved) -> None:
    """Narrate the damage dice and their total."""
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
            # Dice that were rolled for several at once have been told before.
            told = faces(roll) if roll else str(part.total) if part.notation.isdigit() else ""
            text += f" + {part.notation} ({told}) {part.kind}" if told else f" + {part.notation} {part.kind}"
        text += "" if len(fact.dice) == len(main) else f" = {fact.total}"
    text += " nonlethal" if fact.nonlethal else ""
    if fact.reduced:
        text += f", {fact.reduced} of it stopped" if fact.reduced > 0 else f", {-fact.reduced} more"
    text += f" ({tale.cast.prose(fact.why)})" if fact.why else ""
    notes = bracketed(format_notable_modifiers(fact.modifiers, tale.cast.words))
    tale.say("hurt", text + notes, topic=f"harm {fact.target}")


def hit_points(tale: Tale, fact: combat.HitPointsChanged) -> None:
    """Narrate hit points before and after, after the damage if it is on the open line."""
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


#: Effects that only record what was narrated, and the one that gives the direction of turning.
UNTOLD = ("turning attempt", "turning met")
#: The kind of effects that only count time, such as the minute after a death.
TIMER = "time"
FACING = "turning undead"
#: Directions in words; the map's top is north.
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
    """Narrate a condition; one that follows from lost hit points joins them."""
    harmed = tale.topic == f"harm {fact.who}"
    bearer = tale.state.combatants.get(fact.who)
    thing = bearer is not None and bearer.sheet.thing is not None
    if harmed and fact.condition in tale.cast.words.fallen:
        tale.add(", destroyed" if thing else f", {fact.condition}")
    elif harmed and fact.condition == "prone":
        tale.add("" if thing else ", falls prone")
    else:
        span = until(fact.until, tale.name(fact.until.who))
        told = degree_words(fact.condition, fact.level, fact.aloft)
        why = ", ".join(filter(None, (tale.cast.prose(fact.source), span)))
        text = f"{tale.name(fact.who)} {being(told)}" + (f" ({why})" if why else "")
        down = fact.condition in tale.cast.words.fallen
        tale.say("hurt" if down else "note", text, topic=f"harm {fact.who}" if down else "")


def condition_lost(tale: Tale, fact: combat.ConditionLost) -> None:
    """Narrate that a condition is over, unless the next one does."""
    if fact.why not in tale.cast.words.fallen:
        tale.say("note", f"{tale.name(fact.who)} {being(fact.condition, False)}")


def effect(tale: Tale, fact: combat.EffectGained) -> None:
    """Narrate an effect that lasts for a while."""
    part = fact.modifier
    if fact.stat in UNTOLD or part.kind == TIMER:
        return
    if fact.stat == FACING:
        way = COMPASS.get(part.source, "all around")
        tale.say("note", f"{tale.name(fact.who)} {part.kind}s the undead {way}, DC {part.value}")
        return
    if fact.stat in tale.cast.words.ongoing:
        span = until(fact.until, tale.name(fact.until.who))
        tale.say(
            "note", tale.cast.prose(f"{tale.name(fact.who)}: {part.source}{f' ({span})' if span else ''}")
        )
        return
    if fact.stat.startswith("no."):
        span = until(fact.until, tale.name(fact.until.who))
        total = stat_words(fact.stat[3:], tale.cast.words)
        lacks = f"{tale.name(fact.who)}'s {part.source} does not count for {total}"
        tale.say("note", tale.cast.prose(f"{lacks} ({span})" if span else lacks))
        return
    what = stat_words(fact.stat, tale.cast.words)
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
    elif part.kind in ("advantage", "disadvantage"):
        what = f"{part.kind} on {what}"
    against = f" against {tale.name(fact.against)}" if fact.against else ""
    source = tale.cast.prose(source_words(part.source))
    details = ", ".join(filter(None, (source, until(fact.until, tale.name(fact.until.who)))))
    tale.say("note", f"{tale.name(fact.who)}: {what}{against} ({details})")


def checked(tale: Tale, fact: combat.CheckResolved) -> None:
    """Narrate a check or a saving throw."""
    roll = tale.take(fact.key)
    outcome = "succeeds" if fact.success else "fails"
    kind = "hit" if fact.success else "miss"
    why = f" ({tale.cast.prose(fact.why)})" if fact.why else ""
    words = tale.cast.words
    name = check(fact.check, words)
    if fact.under or (roll is not None and roll.notation == "1d100"):
        thrown = dice(roll) if roll else str(fact.natural)
        text = f"{name}{why}: {thrown}{sign(fact.total - fact.natural)}, {fact.dc} or less: {outcome}"
    else:
        thrown = dice(roll) if roll else str(fact.natural)
        total = f"{thrown}{sign(fact.total - fact.natural)} = {fact.total}"
        text = f"{name}{why}: {total} vs DC {fact.dc}: {outcome}"
        if fact.against:
            other = tale.name(fact.against)
            first = is_first_of_contest(fact)
            compared_with = f"against {other}" if first else f"vs {fact.dc} of {other}: {outcome}"
            text = f"{name}{why}: {total} {compared_with}"
            kind = "note" if first else kind
    notes = bracketed(format_notable_modifiers(fact.parts, words))
    tale.say(kind, f"{tale.name(fact.who)}, {text}" + tale.cast.prose(notes))


def contested(tale: Tale, fact: combat.ContestResolved) -> None:
    """Narrate two opposed checks."""
    rolls = {roll.who: dice(roll) for roll in tale.take_all()}

    def part(who: str, total: int) -> str:
        thrown = f" ({rolls[who]})" if who in rolls else ""
        return f"{tale.name(who)} {total}{thrown}"

    winner = tale.name(fact.who if fact.won else fact.against)
    said = [
        *format_notable_modifiers(fact.parts, tale.cast.words),
        *format_notable_modifiers(fact.opposed_parts, tale.cast.words, tale.name(fact.against)),
    ]
    sums = f"{part(fact.who, fact.total)} against {part(fact.against, fact.opposed)}"
    text = f"{fact.contest}: {sums}: {winner} wins"
    tale.say("hit" if fact.won else "miss", text + tale.cast.prose(bracketed(said)))


def turning(tale: Tale, fact: combat.TurningResolved) -> None:
    """Narrate a turning check and the Hit Dice it affects, per creature and in total."""
    rolls = {roll.key: roll for roll in tale.take_all()}
    roll, damage = rolls.get(fact.key), rolls.get(fact.damage_key)
    thrown = f"{dice(roll) if roll else fact.natural}{sign(fact.total - fact.natural)} = {fact.total}"
    text = f"turning check: {thrown}: {fact.kind} of up to {fact.most} Hit Dice"
    if damage is not None:
        text += f", {damage.notation} ({faces(damage)}){sign(fact.damage - damage.total)}"
        text += f" = {fact.damage} Hit Dice in all"
    notes = bracketed(format_notable_modifiers(fact.parts, tale.cast.words))
    tale.say("result", text + tale.cast.prose(notes))


def side(tale: Tale, fact: combat.SideChanged) -> None:
    """Narrate which side a combatant fights for now."""
    tale.say("note", f"{tale.name(fact.who)} fights for the {fact.side} now ({tale.cast.prose(fact.why)})")


def item(tale: Tale, fact: combat.ItemChanged) -> None:
    """Narrate the new state of an item; a combatant that falls drops it on the same line."""
    if tale.topic == f"harm {fact.who}" and fact.state == "dropped":
        tale.add(f", drops the {fact.item}")
    elif not tale.topic.startswith(f"act {fact.who}"):
        state = {"held": "is in hand", "stowed": "is put away"}.get(fact.state, f"is {fact.state}")
        tale.say("note", f"{tale.name(fact.who)}'s {fact.item} {state}")


def area_placed(tale: Tale, fact: combat.AreaPlaced) -> None:
    """Narrate an area that is on the map from now on."""
    where = f"around {tale.name(fact.around)}" if fact.around else counted(len(fact.squares), "square")
    whose = f" of {tale.name(fact.who)}" if fact.who else ""
    like = f" ({', '.join(fact.traits)})" if fact.traits else ""
    tale.say("note", f"{tale.cast.prose(fact.what)}{whose}: {where}{like}")


def area_ended(tale: Tale, fact: combat.AreaEnded) -> None:
    """Narrate the end of an area."""
    tale.say("note", f"{tale.cast.prose(fact.what)} is gone ({tale.cast.prose(fact.why)})")


def grip(tale: Tale, fact: combat.GripChanged) -> None:
    """Narrate how a weapon is held, unless the declaration says it."""
    if not tale.topic.startswith(f"act {fact.who}"):
        hands = "both hands" if fact.hands == 2 else "one hand"
        tale.say("note", f"{tale.name(fact.who)}'s {fact.item} is in {hands}")


def item_struck(tale: Tale, fact: combat.ItemStruck) -> None:
    """Narrate the damage to an object, its hardness and its remaining hit points."""
    roll = tale.take(fact.dice[0].key) if fact.dice else None
    thrown = f" ({dice(roll)})" if roll else ""
    text = f"{tale.name(fact.bearer)}'s {fact.item} takes {fact.total}{thrown}, hardness {fact.hardness}"
    tale.say("hurt", f"{text}: {counted(fact.dealt, 'point')}, {fact.left} left")


def injured(tale: Tale, fact: combat.InjurySuffered) -> None:
    """Narrate a lasting injury."""
    roll = tale.take(fact.key)
    thrown = f"{dice(roll)}, " if roll else ""
    # An injury from an earlier fight was rolled there.
    entry = f" ({thrown}entry {fact.entry})" if roll or fact.entry else ""
    tale.say("hurt", f"{tale.name(fact.who)} is left with {fact.name}{entry}")


# --- The story of lasting harm: ability losses, poison, the passage of time


def ability_changed(tale: Tale, fact: combat.AbilityChanged) -> None:
    """Narrate an ability loss or recovery, and the remaining score if damage lowers it."""
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
    """Narrate which feats can no longer be used, and which can be used again."""
    before = tale.state.combatants[fact.who].unusable
    for verb, feats in (
        ("can no longer use", [feat for feat in fact.unusable if feat not in before]),
        ("can use again", [feat for feat in before if feat not in fact.unusable]),
    ):
        if feats:
            tale.say("note", f"{tale.name(fact.who)} {verb} {', '.join(feats)} ({tale.cast.prose(fact.why)})")


def form_changed(tale: Tale, fact: combat.FormChanged) -> None:
    """Narrate that a combatant takes another form, or its true one again."""
    form = "another form" if fact.shifted else "its true form"
    tale.say("note", f"{tale.name(fact.who)} takes {form} ({tale.cast.prose(fact.why)})")


def wounded(tale: Tale, fact: combat.AfflictionHeld) -> None:
    """Narrate the severity of a new or changed bleeding wound; other afflictions show by their effects."""
    if fact.rider.name == "bleeding wound" and fact.treated < 0:
        text = f"{tale.name(fact.who)} has a bleeding wound of severity {fact.rider.effect}"
        tale.say("hurt", f"{text} ({tale.cast.prose(fact.by)})" if fact.by else text)


def relieved(tale: Tale, fact: combat.AfflictionEnded) -> None:
    """Narrate that an effect has ended."""
    held = next((one for one in tale.state.combatants[fact.who].afflictions if one.id == fact.id), None)
    name = held.rider.name if held is not None else "it"
    tale.say("note", f"{tale.name(fact.who)}: the {name} is over ({tale.cast.prose(fact.why)})")


def time(tale: Tale, fact: flow.TimePassed) -> None:
    """Narrate how much time passed."""
    hours, minutes = divmod(fact.minutes, 60)
    spans = [counted(n, unit) for n, unit in ((hours, "hour"), (minutes, "minute")) if n]
    tale.say("note", f"{' and '.join(spans)} pass{'es' if hours + minutes == 1 else ''}")


# --- The story of the chains for the dice: begun, given link by link, left


def begun(tale: Tale, fact: flow.ChainBegun) -> None:
    """Narrate that a chain now contributes to the dice."""
    whose = f"{fact.by}'s" if fact.by else "The game master's"
    tale.say(
        "setup", f"{whose} chain of {counted(fact.length, 'link')} begins; anchor {fact.anchor}", depth=0
    )


def given(tale: Tale, fact: flow.LinkGiven) -> None:
    """Narrate who gives a link."""
    tale.say("result", f"{fact.by or 'the game master'} gives link {fact.number}")


def left(tale: Tale, fact: flow.ChainLeft) -> None:
    """Narrate that a player gives no more links, for all to see."""
    reason = f": {fact.reason}" if fact.reason else ""
    tale.say("ruling", f"{fact.by} gives no more links to the dice{reason}", depth=0)


# --- Single facts, for lists of events: each line is understood without the others

ALONE: frozenset[type] = frozenset(
    {
        flow.Chosen,
        flow.Declared,
        flow.EncounterClosed,
        flow.RoundBegan,
        flow.TurnEnded,
        combat.MountDirected,
    }
)
"""Facts for which a list needs other words than a story, which relies on earlier lines or says more."""


def told(fact: Any, cast: Cast) -> str:
    """Return a fact in one sentence with names for ids; a declaration with its id, as in keys of rolls."""
    if type(fact) is flow.Declared:
        by = "" if fact.by in ("", "tactics") else f", said by {fact.by}"
        said = f"{declaration(fact.act, cast)} ({fact.id}{by})"
    else:
        said = sentence(cast.saying(fact), cast.words)
    return cast.capital(said)


def kind_of(fact: object) -> str:
    """Return the kind of line (its colour) of a fact without a line in a story."""
    kind: type = type(fact)
    return "chance" if kind is Rolled else "act" if kind is flow.Declared else "note"


# --- The narrator: facts in, lines out

Teller = Callable[[Tale, Any], None]

TELLERS: dict[type, Teller] = {
    flow.Declared: declare,
    flow.Asked: asked,
    flow.Chosen: chosen,
    flow.Invalidated: invalidated,
    flow.Disputed: disputed,
    flow.SeedContributed: contributed,
    flow.ChainBegun: begun,
    flow.LinkGiven: given,
    flow.ChainLeft: left,
    flow.Ruled: ruled,
    flow.BranchPromoted: promoted,
    flow.EncounterOpened: opened,
    flow.OptionsChanged: options,
    flow.CombatantEntered: entered,
    flow.AwarenessSettled: awareness,
    flow.InitiativeRolled: initiative,
    flow.OrderSet: order,
    flow.RoundBegan: round_began,
    flow.PhaseChanged: phase,
    flow.RoundEnded: round_ended,
    flow.TurnBegan: turn_began,
    flow.TurnEnded: turn_ended,
    flow.ReactionSpent: reacted,
    flow.PlanMade: planned,
    flow.InitiativeChanged: reordered,
    flow.ReadyEnded: ready_ended,
    flow.CastingBegan: casting_began,
    flow.CastingEnded: casting_ended,
    flow.EncounterDecided: decided,
    flow.EncounterClosed: closed,
    flow.RuleApplied: applied,
    combat.Moved: moved,
    combat.Mounted: mounted,
    combat.Dismounted: dismounted,
    combat.Provoked: provoked,
    combat.AttackResolved: attack_resolved,
    combat.ConfirmationResolved: confirmed,
    combat.MissChanceResolved: miss_chance,
    combat.DamageResolved: damaged,
    combat.HitPointsChanged: hit_points,
    combat.ConditionGained: gained,
    combat.ConditionLost: condition_lost,
    combat.EffectGained: effect,
    combat.CheckResolved: checked,
    combat.ContestResolved: contested,
    combat.TurningResolved: turning,
    combat.SideChanged: side,
    combat.ItemChanged: item,
    combat.AreaPlaced: area_placed,
    combat.AreaEnded: area_ended,
    combat.GripChanged: grip,
    combat.ItemStruck: item_struck,
    combat.CounterChanged: counted_on,
    combat.InjurySuffered: injured,
    combat.AbilityChanged: ability_changed,
    combat.FeatsChanged: feats_changed,
    combat.FormChanged: form_changed,
    combat.AfflictionHeld: wounded,
    combat.AfflictionEnded: relieved,
    flow.TimePassed: time,
}
"""Type of fact -> the function that narrates it."""

SILENT: frozenset[type] = frozenset(
    {
        flow.BudgetRenewed,
        flow.ActionSpent,
        flow.TurnDelayed,
        combat.MountDirected,
        flow.ActReadied,
        combat.EffectEnded,
        combat.ResourceSpent,
        combat.MaximumChanged,
        combat.DoorMoved,
    }
)
"""Facts that a story leaves out: their declaration or their consequence shows them."""

_OWN_MOVE = (combat.Moved, combat.Provoked, flow.ActionSpent)


class Untellable(AffrayError):
    """A fact that cannot follow from the earlier ones: the log is broken, even with correct digests."""

    status = 1

    def __init__(self, fact: Any, error: Exception) -> None:
        what = fact.__struct_config__.tag
        super().__init__(
            f"broken log: {what} does not fit the events before it ({error!r}); see affray verify"
        )


class Narrator:
    """Narrate a fight as it happens. Folds its own state; `book` provides titles of rules."""

    def __init__(
        self, state: Encounter | None = None, names: Mapping[str, str] | None = None, book: Book | None = None
    ) -> None:
        """Begin at `state`, which is modified and must not be shared; without one, before the first event."""
        self.state = state if state is not None else Encounter()
        self.book = book
        self._tale = Tale(self.state, names)

    def tell(self, facts: Iterable[object]) -> Iterator[Line]:
        """Yield all lines for these facts, including the last one.

        Raises Untellable for a fact that cannot follow from the earlier ones.
        """
        for fact in facts:
            try:
                yield from self._one(fact)
            except (LookupError, AttributeError, TypeError, ValueError) as error:
                raise Untellable(fact, error) from error
        tale = self._tale
        tale.leave(())
        tale.close()
        yield from self._drain()

    def hear(self, facts: Iterable[object]) -> None:
        """Process facts narrated earlier, whose rolls may still be needed."""
        for fact in facts:
            for _ in self._one(fact):
                pass
        self._tale.close()
        self._tale.out = []

    def brief(self, fact: object) -> str:
        """Return one fact as a line of text that is understood alone, for lists of events."""
        return self.entry(fact).text

    def entry(self, fact: object) -> Line:
        """Return one fact as a line that is understood alone, for lists of events, which have no maps.

        Every fact has words here, also those that a story leaves out or joins to others. Raises Untellable
        for a fact that cannot follow from the earlier ones.
        """
        tale = self._tale
        tale.forget(_keys(fact), _needs_all_dice(fact))
        try:
            said = [line for line in self._one(fact) if line.kind != "map"]
        except (LookupError, AttributeError, TypeError, ValueError) as error:
            raise Untellable(fact, error) from error
        tale.close()
        said += [line for line in self._drain() if line.kind != "map"]
        if said and type(fact) not in ALONE:
            return Line(said[0].kind, "; ".join(line.text for line in said))
        return Line(said[0].kind if said else kind_of(fact), told(fact, tale.cast))

    def standing(self) -> Iterator[Line]:
        """Yield the current state of the fight: the map and the health of all."""
        cast = self._tale.cast
        if self.state.terrain:
            yield Line("map", in_rows((*board(self.state, cast), *legend(self.state, cast))))

    def _one(self, fact: object) -> Iterator[Line]:
        tale = self._tale
        if type(fact) is Rolled:
            tale.table[fact.key] = fact
            tale.place(fact.key)
            return
        if tale.table and not _needs_all_dice(fact):
            tale.leave(_keys(fact))
        if isinstance(fact, _OWN_MOVE) and fact.who == tale.actor:
            tale.depth = 0
        if type(fact) is flow.Refused:
            refuse(tale, fact, self.book)
        elif type(fact) not in SILENT:
            TELLERS.get(type(fact), _unheard)(tale, fact)
        apply(self.state, fact)
        yield from self._drain()

    def _drain(self) -> Iterator[Line]:
        lines, self._tale.out = self._tale.out, []
        yield from lines


def _unheard(tale: Tale, fact: Struct) -> None:
    """Narrate a fact without words for a story as an audit does."""
    tale.say("note", sentence(tale.cast.saying(fact), tale.cast.words))


def _needs_all_dice(fact: object) -> bool:
    """Return whether the rolls are kept: two combatants or sides roll, or people one die after another."""
    asked = isinstance(fact, flow.Asked) and bool(fact.notation)
    return asked or isinstance(fact, Rolled | combat.ContestResolved | flow.InitiativeRolled)


def _keys(fact: object) -> tuple[str, ...]:
    """Return the keys of the rolls that a fact uses."""
    if isinstance(fact, combat.DamageResolved | combat.ItemStruck):
        return tuple(part.key for part in fact.dice)
    return tuple(key for name in ("key", "damage_key") if (key := getattr(fact, name, "")))


def lines(
    facts: Iterable[object], names: Mapping[str, str] | None = None, book: Book | None = None, width: int = 80
) -> Iterator[str]:
    """Yield a whole fight as rows of plain text. O(facts), memory proportional to the state."""
    for line in Narrator(None, names, book).tell(facts):
        yield from plain(line, width)


__all__ = [
    "SILENT",
    "TELLERS",
    "WIDTH",
    "Cast",
    "Line",
    "Narrator",
    "board",
    "health",
    "legend",
    "lines",
    "markdown",
    "plain",
    "printable",
]
