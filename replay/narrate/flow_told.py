"""Openings, rounds, turns and declarations as they are told."""

from affray.engine.book import Book
from affray.events.facts import acts, declared, flow
from affray.events.wording import counted, listed, square
from affray.projections.deeds import bare_deed, deed, means
from affray.replay.narrate.board import board
from affray.replay.narrate.cast import health, legend
from affray.replay.narrate.line import in_rows
from affray.replay.narrate.tale import Tale
from affray.replay.narrate.words import dice, sign


def opened(tale: Tale, fact: flow.EncounterOpened) -> None:
    """Head the story with the encounter, its dialect and the readings chosen."""
    tale.say("title", f"{fact.name} ({fact.dialect})")
    for option, reading in sorted(fact.options.items()):
        tale.say("setup", f"{option}: {reading}")
    for package in fact.packages or ():
        tale.say("setup", f"package {package.name} {package.version} ({package.digest[:12]})")


def options(tale: Tale, fact: flow.OptionsChanged) -> None:
    """Say which readings hold from here on."""
    by = f" by {fact.by}" if fact.by else ""
    chosen = ", ".join(f"{option} = {reading}" for option, reading in sorted(fact.options.items()))
    tale.say("ruling", f"Other readings from here on{by}: {chosen}")


def entered(tale: Tale, fact: flow.CombatantEntered) -> None:
    """Introduce a combatant."""
    tale.cast.enter(fact.id, fact.side, fact.sheet.name)
    name = tale.name(fact.id)
    called = f"{name} ({fact.id})" if name != fact.id else name
    armed = f", {listed(fact.held)} in hand" if fact.held else ""
    hp = f"{fact.hp} hp" if fact.hp == fact.max_hp else f"{fact.hp}/{fact.max_hp} hp"
    tale.say("setup", f"{called} of the {fact.side} at {square(fact.at)}: {hp}{armed}")


def awareness(tale: Tale, fact: flow.AwarenessSettled) -> None:
    """Show the map as the fight begins, and who is surprised."""
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
    said = f"{tale.name(fact.who)} {fact.total}{thrown}"
    if tale.topic == "initiative":
        tale.add(f", {said}")
    else:
        tale.say("setup", f"Initiative: {said}", topic="initiative", depth=0)


def order(tale: Tale, fact: flow.OrderSet) -> None:
    """Say who acts when."""
    why = f" ({tale.cast.prose(fact.why)})" if fact.why else ""
    tale.say("setup", f"Order: {', '.join(map(tale.name, fact.order))}{why}", depth=0)


def round_began(tale: Tale, fact: flow.RoundBegan) -> None:
    """Head a round."""
    tale.release()
    tale.depth = 0
    tale.say("round", f"Round {fact.number}" if fact.number else "Surprise round", depth=0)


def phase(tale: Tale, fact: flow.PhaseChanged) -> None:
    """Say that the round passes into another phase."""
    tale.say(
        "setup", {"declare": "Everybody declares", "turns": "The turns begin"}.get(fact.phase, fact.phase)
    )


def round_ended(tale: Tale, fact: flow.RoundEnded) -> None:
    """Draw the map as the round leaves it."""
    tale.release()
    rows = (f"After round {fact.number}:", *board(tale.state, tale.cast), *legend(tale.state, tale.cast))
    tale.say("map", in_rows(rows), depth=0)


def turn_began(tale: Tale, fact: flow.TurnBegan) -> None:
    """Head a turn, then say what ended just before it."""
    tale.close()
    held, tale.between, tale.depth, tale.actor = tale.between, False, 0, fact.who
    tale.say("turn", f"{tale.name(fact.who)}'s turn ({health(tale.state.combatants[fact.who])})")
    if held:
        tale.release()


def turn_ended(tale: Tale, fact: flow.TurnEnded) -> None:
    """Say why a turn passed unused; hold back what ends before the next one."""
    tale.depth = 0
    if fact.skipped and fact.skipped != "delays":
        tale.say("note", f"cannot act: {fact.skipped}")
    tale.close()
    tale.between = True


def reacted(tale: Tale, fact: flow.ReactionSpent) -> None:
    """Name a combat reaction; an attack of opportunity speaks for itself."""
    if fact.kind != "opportunity":
        against = f" against {tale.name(fact.against)}" if fact.against else ""
        tale.say("result", f"{tale.name(fact.who)} answers with {fact.kind}{against}")


def planned(tale: Tale, fact: flow.PlanMade) -> None:
    """Say a plan that no declaration said."""
    if not tale.topic.startswith(f"act {fact.who}"):
        intents = [(what, target) for _, what, target in fact.actions]
        tale.say("note", means(fact.who, intents, tale.cast))


def reordered(tale: Tale, fact: flow.InitiativeChanged) -> None:
    """Say where somebody stands in the order from now on."""
    place = f"ahead of {tale.name(fact.before)}" if fact.before else "last"
    tale.say("note", f"{tale.name(fact.who)} acts on {fact.value} from now on, {place}")


def ready_ended(tale: Tale, fact: flow.ReadyEnded) -> None:
    """Say what became of a readied act."""
    how = "takes the readied act" if fact.how == "triggered" else "gives the readied act up"
    tale.say("result" if fact.how == "triggered" else "note", f"{tale.name(fact.who)} {how}")


#: The moments of a round at which a spell that is cast takes effect.
MOMENTS = {"turn-end": "end of the turn", "round-end": "end of the round"}


def casting_began(tale: Tale, fact: flow.CastingBegan) -> None:
    """Say that a spell takes longer than this turn; one that does not is told by its outcome."""
    if fact.when in MOMENTS:
        tale.say("note", f"{tale.name(fact.who)}'s {fact.act.spell} takes effect at the {MOMENTS[fact.when]}")
    elif fact.due:
        spell = fact.act.spell
        tale.say("note", f"{tale.name(fact.who)} works on {spell} until the turn in round {fact.due}")


def casting_ended(tale: Tale, fact: flow.CastingEnded) -> None:
    """Say how a long casting ended, or that a spell was countered."""
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
    """Say what a rule decided without a number."""
    if fact.what.startswith("says: "):
        return  # the declaration has said it
    aimed = f" (thrown at {square(fact.aimed)})" if fact.aimed else ""
    tale.say("note", f"{tale.name(fact.who) if fact.who else 'Ruling'}: {tale.cast.prose(fact.what)}{aimed}")


def decided(tale: Tale, fact: flow.EncounterDecided) -> None:
    """Say that one side at most is left, and that the fight is over only when it is closed."""
    left = f"One side stands, the {fact.side}" if fact.side else "Nobody stands"
    tale.say("note", f"{left}: close the encounter, or play on", depth=0)


def closed(tale: Tale, fact: flow.EncounterClosed) -> None:
    """End the story: who stands, and what is left of everybody."""
    tale.release()
    tale.depth = 0
    rounds = counted(tale.state.round, "round")
    tale.say("round", f"The end after {rounds}" + (f": {fact.reason}" if fact.reason else ""), depth=0)
    standing = f"Standing: {listed(map(tale.name, fact.standing))}" if fact.standing else "Nobody stands"
    tale.say("summary", standing)
    for one in tale.state.combatants.values():
        tale.say("summary", f"{tale.name(one.id)}, {one.side}: {health(one)}")
    tale.close()


def declare(tale: Tale, fact: declared.Declared) -> None:
    """Say what somebody does; its first consequence may join the line."""
    tale.depth, tale.actor, tale.aim = 0, fact.act.actor, getattr(fact.act, "target", "")
    text = deed(fact.act, tale.cast)
    tale.unsaid = "" if text else bare_deed(fact.act, tale.cast)
    if text:
        tale.say("act", text, topic=f"act {fact.act.actor}{_goal(fact.act)}")


DECLARED = "declared: "
"""What stands before a declaration that the rules refused: it was said, and did not happen."""


def _goal(act: acts.Act) -> str:
    """Return where a movement means to end, as part of the topic that its outcome joins."""
    path = getattr(act, "path", ()) or ((act.to,) if isinstance(act, acts.Step) else ())
    return f" {square(path[-1])}" if path else ""


def refuse(tale: Tale, fact: declared.Refused, book: Book | None) -> None:
    """Say a refusal with its rule, under what was declared, which did not happen."""
    if tale.topic.startswith("act "):
        tale.reword(lambda said: f"{DECLARED}{said}", "declared")
    elif tale.unsaid:
        tale.say("declared", f"{DECLARED}{tale.unsaid}")
    title = f", {book[fact.rule].title}" if book is not None and fact.rule in book else ""
    refused = "stays refused, as when it was declared" if fact.stays else "refused"
    tale.say("refused", f"{refused}: {tale.cast.prose(fact.reason)} ({fact.rule}{title})")


def asked(tale: Tale, fact: declared.Asked) -> None:
    """Say what the fight waits for."""
    tale.place(fact.key)
    options = f" ({' / '.join(fact.options)})" if fact.options else ""
    tale.say("question", f"{tale.name(fact.who)} is asked: {tale.cast.prose(fact.question)}{options}")


def chosen(tale: Tale, fact: declared.Chosen) -> None:
    """Say an answer; that to an opening stands behind it."""
    opening = tale.topic == f"opening {fact.who}"
    tale.place(fact.key)
    if opening and fact.answer in ("take", "decline"):
        tale.add(", taken" if fact.answer == "take" else ", let pass")
        return
    pending = tale.state.pending
    just_asked = pending is not None and pending.key == fact.key
    question = "" if just_asked or not fact.question else f" ({tale.cast.prose(fact.question)})"
    tale.say("result", f"{tale.name(fact.who)} chooses {fact.answer}{question}")


def invalidated(tale: Tale, fact: declared.Invalidated) -> None:
    """Say that a recorded declaration has become impossible."""
    tale.say("refused", f"no longer possible: {tale.cast.prose(fact.reason)} ({fact.rule})")


def contributed(tale: Tale, fact: flow.SeedContributed) -> None:
    """Say what somebody gives to the seed of the dice."""
    tale.say("setup", f"{fact.by or 'Somebody'} gives to the seed of the dice: {fact.words}", depth=0)


def disputed(tale: Tale, fact: declared.Disputed) -> None:
    """Say what somebody contests."""
    tale.say("ruling", f"{fact.by or 'Somebody'} disputes event {fact.event}: {fact.claim}", depth=0)


def ruled(tale: Tale, fact: declared.Ruled) -> None:
    """Say a ruling."""
    author = fact.author or "the game master"
    tale.say("ruling", f"Ruling by {author} ({fact.verdict}): {fact.text or 'no reason given'}", depth=0)


def promoted(tale: Tale, fact: declared.BranchPromoted) -> None:
    """Say that this branch is the main line."""
    by = f" by {fact.by}" if fact.by else ""
    tale.say("ruling", f"The line {fact.name} counts from here on{by}", depth=0)
