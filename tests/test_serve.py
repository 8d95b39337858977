"""arena serve, from the shell's side."""

import json
import re
import signal
from itertools import pairwise
from pathlib import Path

import pytest

from arena.store import Store
from tests.arena_command import COMMAND, SMALL, Ended, Run, bot, ended, facts, said, started, url
from tests.conftest import read

# Serving


STONES = ["--game", "take_stones", "--stones", "7"]
BOTH = ["--stones", "7"]


def serve(db: Path, matches: int, games: list[str] = STONES) -> tuple[int, Ended]:
    """Let two bots in, and press Ctrl-C after so many matches. Returns the number of the last."""
    with started(*COMMAND, "serve", *games, "--port", "0", "--db", db) as process:
        address = url(process)
        with bot("random", "Ann", address), bot("greedy", "Bob", address):
            number = said(process, r"\[(\d+)\] match", times=matches)
            process.send_signal(signal.SIGINT)
            return int(number), ended(process)


def test_serving_ends_with_ctrl_c(db: Path) -> None:
    _, end = serve(db, matches=1)
    assert (end.status, end.out) == (130, "")


def test_whoever_joins_plays(db: Path) -> None:
    serve(db, matches=4)
    players = [record.pairing.players for record in read(db)]
    assert players[:4] == [("Ann", "Bob"), ("Bob", "Ann")] * 2


def test_serving_goes_on_where_it_ended(db: Path) -> None:
    serve(db, matches=1)
    finished = len(facts(read(db)))
    assert serve(db, matches=1)[0] == finished + 1


def test_the_sides_change_from_one_serving_to_the_next(db: Path) -> None:
    for _ in range(3):
        serve(db, matches=1)
    sides = [record.pairing.players for record in read(db) if record.winner]
    assert all(one != two for one, two in pairwise(sides))


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database of an arena that has served both games."""
    path = tmp_path_factory.mktemp("served") / "arena.db"
    serve(path, matches=4, games=BOTH)
    return path


def test_all_games_are_served(served: Path) -> None:
    games = [record.pairing.game for record in read(served)]
    assert games[:4] == ["isolation", "take_stones"] * 2


def test_standings_of_each_game_that_was_served(served: Path, arena: Run) -> None:
    heading = r"^(isolation|take_stones): [1-9]\d* matches\n\n#  bot "
    out = arena("standings", served).out
    assert re.findall(heading, out, re.MULTILINE) == ["isolation", "take_stones"]


def test_standings_of_what_was_served_as_json(served: Path, arena: Run) -> None:
    facts = json.loads(arena("standings", served, "--json").out)
    assert ([*facts["standings"]], facts["matches"]) == (["isolation", "take_stones"], None)


def test_standings_before_the_first_match(db: Path, arena: Run) -> None:
    with Store(db):
        assert arena("standings", db) == Ended(0, "no matches\n", "")


def test_serving_refuses_a_tournament(complete: Path, arena: Run) -> None:
    line = f"arena: {complete} holds a tournament, choose another database\n"
    assert arena("serve", "--db", complete) == Ended(2, "", line)


def test_a_tournament_refuses_what_was_served(served: Path, arena: Run) -> None:
    line = f"arena: {served} holds matches that are no tournament's\n"
    assert arena(*SMALL, "--db", served) == Ended(2, "", line)
