"""Hand-drawn maps: letters stand for creatures, one letter on every square of its space."""

from affray.engine.grid import Battlefield, Space


def drawn(text: str) -> tuple[Battlefield, dict[str, Space]]:
    """The field (floor under every letter but T) and the spaces, from lines that may be indented."""
    rows = [line.strip() for line in text.strip().splitlines()]
    spaces: dict[str, Space] = {}
    for y, row in enumerate(rows):
        for x, letter in enumerate(row):
            if letter.isalpha() and letter != "T" and letter not in spaces:
                side = len(row) - len(row[x:].lstrip(letter)) - x
                spaces[letter] = ((x, y), side)
    plain = ["".join("." if c.isalpha() and c != "T" else c for c in row).replace("_", " ") for row in rows]
    return Battlefield(plain), spaces
