"""Which rules of a dialect a check cites, and the faces that they name."""

from collections.abc import Sequence

from msgspec import Struct

from affray.engine.book import Book, UnknownFigure

TOPICS: dict[str, Sequence[str]] = {
    "attack": ("attack.roll",),
    "attack 20": ("attack.natural-20",),
    "attack 1": ("attack.natural-1",),
    "save": ("save.roll",),
    "save 20": ("save.natural-20",),
    "save 1": ("save.natural-1",),
    "maneuver": ("maneuver.check", "maneuver.roll"),
    "confirm": ("crit.confirm",),
    "minimum": ("damage.minimum", "damage.minimum-1"),
    "round": ("math.round-down",),
    "hit points": ("hp.thresholds",),
    "armor at confirmation": ("ac.natural-armor-confirmation",),
}
"""What a check speaks of -> the topics under which dialects file it; each is looked for in this order."""

FACES = {"attack 20": 20, "save 20": 20, "attack 1": 1, "save 1": 1}
"""The face that the name of such a rule states, for catalogues that print no figure of it."""

ARITHMETIC = "arithmetic"
NOTATION = "notation"
STATED = "stated"
"""What is cited where no rulebook has a say: sums, what dice notation means, the number that a log states."""


class Cited(Struct, frozen=True):
    """The rules of one dialect, by what checks speak of; `faces` are those on which naturals decide."""

    dialect: str
    rules: dict[str, str]
    faces: dict[str, int]

    def rule(self, name: str) -> str:
        """Return the id of a rule; "" where the dialect has none of the kind."""
        return self.rules.get(name, "")


def cited_of(dialect: str) -> Cited:
    """Return the rules that checks of a log played by this dialect cite. Raises UnknownDialect."""
    book = Book.load(dialect)
    rules = {}
    faces = {}
    for name, topics in TOPICS.items():
        known = [topic for topic in topics if book.has(topic)]
        if known:
            rules[name] = book.topic_id(known[0])
        if name in FACES and known:
            try:
                faces[name] = int(book.topic_figure(known[0], "face"))
            except UnknownFigure:
                faces[name] = FACES[name]
    return Cited(dialect, rules, faces)
