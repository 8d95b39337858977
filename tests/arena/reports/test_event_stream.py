"""A tournament as lines of JSON."""

import json
import math
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from arena.model.results import Fault, PlayedMove, RatedResult, Tally, Termination
from arena.reports.event_stream import Events, schema
from arena.tournament.leaderboard import Scoreboard
from tests.support.records import make_pairing, make_record, make_aborted_record

PAIRING = replace(make_pairing(7, ("anna", "bert"), 20), opening=(3, 9))
MOVE = PlayedMove(2, 1, 0.5, 0.125, 0.375, 0.25)
LOST = replace(
    make_record(PAIRING, 1, Termination.ILLEGAL_MOVE, attempt=9, moves=(MOVE,)),
    fault=Fault(3, 10**30, 1.5, 0.0, 1.5, 0.25),
)
AT = 2000.5  # now

Facts = dict[str, Any]


@pytest.fixture(autouse=True)
def _now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.reports.event_stream.time.time", lambda: AT)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "events.jsonl"


def a_board() -> Scoreboard:
    before = Tally({RatedResult("anna", "bert", 1, Termination.TIMEOUT): 1})
    return Scoreboard(("anna", "bert", "carl"), before, None)


def written(path: Path, *calls: Callable[[Events], object]) -> list[Facts]:
    """The lines that these calls write, without the rating at the end."""
    with Events(str(path), a_board()) as events:
        for call in calls:
            call(events)
    return read(path)[:-1]


def read(path: Path) -> list[Facts]:
    """The lines of a file, each of which fits the schema."""
    found: list[Facts] = [json.loads(line) for line in path.read_bytes().splitlines()]
    for facts in found:
        Draft202012Validator(schema()).validate(facts)
    return found


def stop(error: type[BaseException]) -> None:
    raise error


def names(path: Path) -> list[str]:
    return [facts["event"] for facts in read(path)]


# What is written


def test_scheduled(path: Path) -> None:
    assert written(path, lambda events: events.scheduled(PAIRING)) == [
        {
            "event": "scheduled",
            "at": AT,
            "number": 7,
            "players": ["anna", "bert"],
            "game": "take_stones",
            "setup": {"stones": 20},
            "opening": [3, 9],
        }
    ]


def test_started(path: Path) -> None:
    assert written(path, lambda events: events.started(9, PAIRING)) == [
        {
            "event": "started",
            "at": AT,
            "match": 9,
            "number": 7,
            "players": ["anna", "bert"],
            "game": "take_stones",
            "setup": {"stones": 20},
            "opening": [3, 9],
        }
    ]


def test_moved(path: Path) -> None:
    assert written(path, lambda events: events.moved(9, MOVE)) == [
        {
            "event": "move",
            "at": AT,
            "match": 9,
            "ply": 2,
            "move": 1,
            "elapsed": 0.5,
            "credit": 0.125,
            "charged": 0.375,
            "lag": 0.25,
        }
    ]


def test_finished(path: Path) -> None:
    """Whatever the illegal move was: numbers may be of any length."""
    assert written(path, lambda events: events.finished(LOST))[0] == {
        "event": "finished",
        "at": LOST.finished_at,
        "match": 9,
        "number": 7,
        "players": ["anna", "bert"],
        "winner": 1,
        "termination": "illegal_move",
        "reason": "that is why",
        "moves": [3, 9, 1],
        "fault": {
            "ply": 3,
            "move": 10**30,
            "elapsed": 1.5,
            "credit": 0.0,
            "charged": 1.5,
            "lag": 0.25,
        },
    }


def test_aborted(path: Path) -> None:
    facts = written(path, lambda events: events.finished(make_aborted_record()))[0]
    assert (facts["winner"], facts["termination"], facts["fault"]) == (None, "aborted", None)


def test_rating(path: Path) -> None:
    board = a_board()
    with Events(str(path), board):
        pass
    [facts] = read(path)
    elo, margin = board.ratings.elo, board.ratings.margin("anna")
    nothing = {"wins": 0, "losses": 0, "forfeits": 0}
    anna = {"bot": "anna", "elo": elo["anna"], "margin": margin}
    bert = {"bot": "bert", "elo": elo["bert"], "margin": pytest.approx(margin)}
    carl = {"bot": "carl", "elo": None, "margin": None}
    assert facts.pop("bots") == [
        anna | nothing | {"wins": 1},
        bert | nothing | {"losses": 1, "forfeits": 1},
        carl | nothing,
    ]
    assert facts == {
        "event": "rating",
        "at": AT,
        "first_move": board.ratings.first_move,
        "first_move_margin": board.ratings.first_move_margin,
    }


# When


def test_a_line_is_there_at_once(path: Path) -> None:
    with Events(str(path), a_board()) as events:
        events.scheduled(PAIRING)
        assert names(path) == ["scheduled"]


def test_ratings_are_seldom(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.reports.event_stream.RATING_SECONDS", math.inf)
    with Events(str(path), a_board()) as events:
        for _ in range(3):
            events.finished(LOST)
    assert names(path) == ["finished", "rating", "finished", "finished", "rating"]


def test_ratings_come_again(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.reports.event_stream.RATING_SECONDS", 0.0)
    with Events(str(path), a_board()) as events:
        events.finished(LOST)
        events.finished(LOST)
    assert names(path) == [*["finished", "rating"] * 2, "rating"]


def test_it_ends_with_a_rating_when_it_is_stopped(path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), Events(str(path), a_board()):
        stop(KeyboardInterrupt)
    assert names(path) == ["rating"]


def test_nothing_follows_an_error_of_writing(path: Path) -> None:
    with pytest.raises(BrokenPipeError), Events(str(path), a_board()):
        stop(BrokenPipeError)
    assert names(path) == []


# Where


def test_standard_output(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    with Events("-", a_board()) as events:
        events.scheduled(PAIRING)
    print("It is still open.")
    lines = capsysbinary.readouterr().out.splitlines()
    assert [json.loads(line)["event"] for line in lines[:-1]] == ["scheduled", "rating"]
    assert lines[-1] == b"It is still open."


def test_a_file_goes_on(path: Path) -> None:
    written(path, lambda events: events.scheduled(PAIRING))
    written(path, lambda events: events.started(9, PAIRING))
    assert names(path) == ["scheduled", "rating", "started", "rating"]


def test_a_line_that_was_cut_short_stands_alone(path: Path) -> None:
    path.write_text('{"event":"sch')
    with Events(str(path), a_board()) as events:
        events.scheduled(PAIRING)
    first, second, _ = path.read_text().splitlines()
    assert (first, json.loads(second)["event"]) == ('{"event":"sch', "scheduled")


def test_an_empty_file_goes_on_without_an_empty_line(path: Path) -> None:
    path.touch()
    written(path)
    assert names(path) == ["rating"]


def test_names_are_written_in_utf_8(path: Path) -> None:
    pairing = replace(PAIRING, players=("石", "ö"))
    written(path, lambda events: events.scheduled(pairing))
    assert "石".encode() in path.read_bytes()


def test_a_full_disk() -> None:
    with pytest.raises(OSError, match="No space left"), Events("/dev/full", a_board()) as events:
        events.scheduled(PAIRING)


def test_a_disk_that_is_full_at_the_end() -> None:
    with pytest.raises(OSError, match="No space left"), Events("/dev/full", a_board()):
        pass


def test_a_reader_that_has_gone(tmp_path: Path) -> None:
    """A pipe by name, as `--events >(head -1)` makes one."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with pytest.raises(BrokenPipeError), Events(str(pipe), a_board()):
        os.close(reader)


def test_a_file_that_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        Events(str(tmp_path), a_board())
