"""The witness campaign in small: nothing done to a witness file or to its log goes unnamed."""

import random
from pathlib import Path

import pytest

from tests.campaigns.witnesses import Campaign
from tests.replay.signing import FOUGHT, NEEDS_SSH

pytestmark = NEEDS_SSH


@pytest.fixture
def campaign(tmp_path: Path) -> Campaign:
    """A log of which three seals are signed."""
    return Campaign(FOUGHT, tmp_path)


def test_whatever_is_done_is_named(campaign: Campaign) -> None:
    """Lines dropped, doubled, moved, mixed and forged, bytes changed, logs exchanged."""
    campaign.run(campaign.altered(151, random.Random(2)))
    assert campaign.found == []
    assert len(campaign.counts) == 13


def test_seals_cut_off_are_told_by_what_followed(campaign: Campaign) -> None:
    """A file without its newest seals is a good file; that the log went on is all that there is to see."""
    assert len(campaign.cut()) == 2
    assert campaign.found == []


def test_the_judge_sees_what_passes(campaign: Campaign) -> None:
    """What is no alteration is not counted, and a file that is as good is reported."""
    campaign.run([("nothing: at all", campaign.file.data, campaign.log)])
    assert (campaign.found, dict(campaign.counts)) == ([], {})
    twin = type(campaign.log)("main", lambda branch: campaign.digests, whole=True)
    campaign.run([("nothing: but another object", campaign.file.data, twin)])
    assert campaign.found == ["nothing: but another object: nothing is named"]
