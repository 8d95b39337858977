"""Flags of tournaments that are extended, played in parts or have a name."""

import pytest

from arena.cli.arguments import UsageError
from arena.cli.configuration import MergeConfig, TournamentConfig
from arena.tournament.schedule import WHOLE, Part
from tests.support.cases import loop_over
from tests.support.servers.arena_command import configured


def tournament(*words: str) -> TournamentConfig:
    return configured(TournamentConfig, "tournament", *words)


def test_flags_of_runs() -> None:
    config = tournament()
    assert (config.extend, config.part, config.tags) == (False, WHOLE, {})
    config = tournament("--extend", "--part", "2/3", "--event", "Cup", "--site", "")
    assert (config.extend, config.part) == (True, Part(2, 3))
    assert config.tags == {"Event": "Cup", "Site": ""}
    with pytest.raises(UsageError, match=r"^--site: tag Site contains the control character"):
        tournament("--site", "a\nb")
    merging = configured(MergeConfig, "merge", "a.db", "b.db", "--output", "c.db")
    assert [*map(str, merging.db)] == ["a.db", "b.db"]
    assert (str(merging.output), merging.independent) == ("c.db", False)


@loop_over("text", ["0/3", "4/3", "1", "1/0", "a/b", "1/3/3", "-1/3"])
def test_invalid_parts(text: str) -> None:
    with pytest.raises(UsageError, match=f"'{text}' is not a part such as 1/3, up to 3/3"):
        tournament(f"--part={text}")
