"""Lines that the command of a tournament of submissions prints, without a tournament."""

import pytest

from arena.cli.class_tournament.announcements import announce_screen, print_end
from arena.cli.configuration import TournamentConfig
from tests.support.cases import loop_over
from tests.support.servers.arena_command import configured

CLASS = ["--submissions", "hw2", "--db", "cup.db"]
SCREEN = "show on a projector: http://127.0.0.1:1/?present"
RESULT = "show the result on a projector: arena view cup.db, with ?present after its URL"
NAMES = "names are in cup.db.names.json: arena standings --names cup.db"


@loop_over(
    "words, lines",
    (["--bots", "random", "greedy"], []),
    (CLASS, [SCREEN, RESULT]),
    ([*CLASS, "--anonymous"], [SCREEN, RESULT, NAMES]),
    ([*CLASS, "--anonymous", "--quiet"], [SCREEN]),
)
def test_lines_of_a_class(
    words: list[str], lines: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    config = configured(TournamentConfig, "tournament", *words)
    announce_screen(config, "http://127.0.0.1:1/")
    print_end(config)
    assert capsys.readouterr().err.splitlines() == [f"arena: {line}" for line in lines]
