"""What is asked in play is answered in every way: each named answer, and of many not the first alone."""

from collections import Counter, defaultdict
from functools import cache

import pytest

from affray.engine.book.source import dialects
from affray.engine.rules.position.chosen_square import COMPASS
from affray.engine.testing import check
from affray.engine.vocabulary import listed_as, vocabulary
from affray.events import MemoryStore
from affray.events.codec import decode
from affray.events.facts.declared import Chosen
from tests.scenarios.test_scenarios import CASES


@cache
def answered(dialect: str) -> dict[str, list[Chosen]]:
    """Return by question what the scenarios of a dialect answer."""
    found: dict[str, list[Chosen]] = defaultdict(list)
    for _, scenario in CASES:
        if scenario.dialect == dialect:
            store = MemoryStore()
            check(scenario, store)
            for event in store.read("main"):
                if event.type == "chosen":
                    chosen = decode(event)
                    found[listed_as(chosen.key.split("/")[2])].append(chosen)
    return found


@pytest.mark.parametrize("dialect", dialects())
def test_every_named_answer_is_given(dialect: str) -> None:
    """No answer that the vocabulary names goes unplayed; of the eight directions two are enough."""
    missing = []
    for chapter in vocabulary(dialect).chapters:
        for question, answers in chapter.questions.items():
            given = {chosen.answer for chosen in answered(dialect).get(question, ())}
            named = {answer for answer in answers if "<" not in answer}
            if not named <= given and (not named <= COMPASS.keys() or len(given) < 2):
                missing.append(f"{question}: {', '.join(sorted(named - given))}")
            elif not given:
                missing.append(f"{question} is never asked")
    assert not missing


@pytest.mark.parametrize("dialect", dialects())
def test_no_question_has_one_answer_only(dialect: str) -> None:
    """Whatever is asked by a rule is answered in two ways at least, one of them not the first offered."""
    by_rule: dict[tuple[str, str], list[Chosen]] = defaultdict(list)
    for question, found in answered(dialect).items():
        for chosen in found:
            by_rule[question, chosen.rule].append(chosen)
    alone = []
    for (question, rule), found in by_rule.items():
        answers = Counter(chosen.answer for chosen in found)
        if len(answers) < 2 or all(chosen.answer == chosen.options[0] for chosen in found):
            alone.append(f"{question} [{rule}]: {', '.join(answers)}")
    assert not alone
