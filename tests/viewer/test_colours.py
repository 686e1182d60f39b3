"""The colours of tokens: ten that can be told apart, whatever eyes look at them, and read on either theme."""

import math
import re
from importlib.resources import files
from itertools import combinations

import pytest

Colour = tuple[float, float, float]

EYES = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.01182, 0.04294, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.3039),
    ),
}
"""What linear red, green and blue become (Machado, Oliveira and Fernandes 2009, severity 1)."""
APART = 15
"""Distance in CIELAB: a glance tells two colours apart from about 10 on."""
READABLE = 4.5
"""WCAG 2.1 AA: contrast of text."""


def style() -> str:
    """Return the style sheet with the colours."""
    return (files("affray.replay.viewer") / "page" / "base.css").read_text(encoding="utf-8")


def themes() -> list[dict[str, Colour]]:
    """Return the colours of each theme by the name of their variable, linear."""
    found = []
    for block in re.findall(r":root[^{]*\{([^}]*)\}", style()):
        named = re.findall(r"--([\w-]+): (#[0-9a-f]{3,6});", block)
        found.append({name: linear(value) for name, value in named})
    return found


def linear(text: str) -> Colour:
    """Return a colour of a style sheet as linear red, green and blue."""
    digits = text[1:] if len(text) == 7 else "".join(2 * one for one in text[1:])
    values = (int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4))
    red, green, blue = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values)
    return red, green, blue


def seen(colour: Colour, eyes: str) -> Colour:
    """Return what eyes see of a colour, in CIELAB."""
    red, green, blue = (
        max(0.0, min(1.0, sum(part * value for part, value in zip(row, colour, strict=True))))
        for row in EYES[eyes]
    )
    white = (0.95047, 1.0, 1.08883)
    xyz = (
        0.4124 * red + 0.3576 * green + 0.1805 * blue,
        0.2126 * red + 0.7152 * green + 0.0722 * blue,
        0.0193 * red + 0.1192 * green + 0.9505 * blue,
    )
    x, y, z = (
        share ** (1 / 3) if share > 0.008856 else 7.787 * share + 16 / 116
        for share in (value / most for value, most in zip(xyz, white, strict=True))
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def contrast(one: Colour, other: Colour) -> float:
    """Return the contrast of two colours after WCAG."""
    light, dark = sorted((0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in (one, other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("eyes", EYES)
def test_ten_tokens_are_told_apart(eyes: str) -> None:
    """By everybody, on the light page and on the dark one."""
    sets = themes()
    assert len(sets) == 3
    for colours in sets:
        hues = [seen(colours[f"hue-{number}"], eyes) for number in range(10)]
        assert min(math.dist(*pair) for pair in combinations(hues, 2)) >= APART


def test_letters_and_labels_can_be_read() -> None:
    """A letter on its token, a label in its colour on the sheet, and all other text."""
    for colours in themes():
        for number in range(10):
            hue = colours[f"hue-{number}"]
            assert contrast(hue, colours["on-hue"]) >= READABLE
            assert contrast(hue, colours["sheet"]) >= READABLE
        for text in ("ink", "quiet"):
            for ground in ("paper", "sheet"):
                assert contrast(colours[text], colours[ground]) >= READABLE
