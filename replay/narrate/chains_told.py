"""The story of chains that the dice follow from: begun, given away link by link, left."""

from affray.events.facts import chains
from affray.events.wording import counted
from affray.replay.narrate.tale import Tale


def begun(tale: Tale, fact: chains.ChainBegun) -> None:
    """Say that the dice follow from a chain too."""
    whose = f"{fact.by}'s" if fact.by else "The game master's"
    tale.say(
        "setup", f"{whose} chain of {counted(fact.length, 'link')} begins; anchor {fact.anchor}", depth=0
    )


def given(tale: Tale, fact: chains.LinkGiven) -> None:
    """Say who gives a link."""
    tale.say("result", f"{fact.by or 'the game master'} gives link {fact.number}")


def left(tale: Tale, fact: chains.ChainLeft) -> None:
    """Say that somebody gives no more links: it is seen by everybody."""
    reason = f": {fact.reason}" if fact.reason else ""
    tale.say("ruling", f"{fact.by} gives no more links to the dice{reason}", depth=0)
