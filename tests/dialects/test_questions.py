"""What is asked in play is answered in every way: each named answer, and of many not the first alone."""

from collections import Counter, defaultdict

import pytest

from affray.engine.book.catalogue import dialects
from affray.engine.rules.position.places import COMPASS
from affray.engine.vocabulary import vocabulary
from tests.scenarios.cases import cases_of
from tests.scenarios.plays import Heard, Plays


def answered(dialect: str, plays: Plays) -> dict[str, list[Heard]]:
    """Return by question what the scenarios of a dialect answer."""
    found: dict[str, list[Heard]] = defaultdict(list)
    for play in plays.of(cases_of(dialect)):
        for one in play.heard:
            if one.kind == "asks":
                found[one.name].append(one)
    return found


@pytest.mark.parametrize("dialect", dialects())
def test_every_named_answer_is_given(dialect: str, all_plays: Plays) -> None:
    """No answer that the vocabulary names goes unplayed; of the eight directions two are enough."""
    missing = []
    found = answered(dialect, all_plays)
    for chapter in vocabulary(dialect).chapters:
        for question, answers in chapter.questions.items():
            given = {chosen.answer for chosen in found.get(question, ())}
            named = {answer for answer in answers if "<" not in answer}
            if not named <= given and (not named <= COMPASS.keys() or len(given) < 2):
                missing.append(f"{question}: {', '.join(sorted(named - given))}")
            elif not given:
                missing.append(f"{question} is never asked")
    assert not missing


@pytest.mark.parametrize("dialect", dialects())
def test_no_question_has_one_answer_only(dialect: str, all_plays: Plays) -> None:
    """Whatever is asked by a rule is answered in two ways at least, one of them not the first offered."""
    by_rule: dict[tuple[str, str], list[Heard]] = defaultdict(list)
    for question, found in answered(dialect, all_plays).items():
        for chosen in found:
            by_rule[question, chosen.rule].append(chosen)
    alone = []
    for (question, rule), found in by_rule.items():
        answers = Counter(chosen.answer for chosen in found)
        if len(answers) < 2 or all(chosen.answer == chosen.options[0] for chosen in found):
            alone.append(f"{question} [{rule}]: {', '.join(answers)}")
    assert not alone
