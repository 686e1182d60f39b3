"""What a creature is by nature is asked in one way, so that kind, race, trait and condition are the same."""

import re
from pathlib import Path

ENGINE = Path(__file__).parents[2] / "engine"
#: Where the words stand without a question: what is read, printed or said.
ALLOWED = ("classes/natures.py", "classes/sheet_names.py", "classes/sheet_words.py", "conditions/states.py")
NATURES = "incorporeal|gaseous|mindless|dwarf|undead|construct|ooze"
#: A trait, a condition or a kind that is looked at by itself.
ASKED = re.compile(
    rf"""has_trait\([^)]*["']({NATURES})["']|["']({NATURES})["'] (?:not )?in [a-z_.]*(?:traits|conditions)"""
    rf"""|sheet\.kind (?:==|!=) ["']({NATURES})["']"""
)


def test_natures_are_asked_in_one_way() -> None:
    """No rule looks for such a word in one place alone: a weapon's own traits are no nature."""
    found = [
        f"{file.relative_to(ENGINE)}:{number}: {line.strip()}"
        for part in ("rules", "dialects")
        for file in sorted((ENGINE / part).rglob("*.py"))
        if not file.as_posix().endswith(ALLOWED)
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        if ASKED.search(line) and "weapon.traits" not in line
    ]
    assert not found
