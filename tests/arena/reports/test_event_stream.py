"""Tests of the event stream."""

import itertools
import json
import math
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from io import TextIOWrapper
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from arena.model.results import Fault, PlayedMove, RatedResult, Tally, Termination
from arena.reports.event_stream import EventWriter, schema
from arena.tournament.standings import LiveStandings, StoredResults
from tests.support.tournaments.records import (
    make_aborted_record,
    make_pairing,
    make_record,
    played_matches,
)

PAIRING = replace(make_pairing(7, ("anna", "bert"), 20), opening=(3, 9))
MOVE = PlayedMove(2, 1, 0.5, 0.125, 0.375, 0.25)
LOST = replace(
    make_record(PAIRING, 1, Termination.ILLEGAL_MOVE, attempt=9, moves=(MOVE,)),
    fault=Fault(3, 10**30, 1.5, 0.0, 1.5, 0.25),
)
AT = 2000.5  # the current time

Fields = dict[str, Any]


@pytest.fixture(autouse=True)
def _now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.reports.event_stream.time.time", lambda: AT)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "events.jsonl"


def make_live_standings() -> LiveStandings:
    before = Tally({RatedResult("anna", "bert", 1, Termination.TIMEOUT): 1})
    return LiveStandings(("anna", "bert", "carl"), lambda: StoredResults(before, ()), None)


def written(path: Path, *calls: Callable[[EventWriter], object]) -> list[Fields]:
    """Return the events that these calls write, without the last rating event."""
    with EventWriter(str(path), make_live_standings()) as events:
        for call in calls:
            call(events)
    return read(path)[:-1]


def read(path: Path) -> list[Fields]:
    """Return the events of a file after validating them."""
    found: list[Fields] = [json.loads(line) for line in path.read_bytes().splitlines()]
    for fields in found:
        Draft202012Validator(schema()).validate(fields)
    return found


def stop(error: type[BaseException]) -> None:
    raise error


def event_types(path: Path) -> list[str]:
    return [fields["event"] for fields in read(path)]


# Events


PAIRED = {
    "number": 7,
    "players": ["anna", "bert"],
    "game": "take_stones",
    "setup": {"stones": 20},
    "opening": [3, 9],
}
MOVED = {"ply": 2, "move": 1, "elapsed": 0.5, "credit": 0.125, "charged": 0.375, "lag": 0.25}


@pytest.mark.parametrize(
    ("call", "fields"),
    [
        (lambda events: events.scheduled(PAIRING), {"event": "scheduled", **PAIRED}),
        (lambda events: events.started(9, PAIRING), {"event": "started", "match": 9, **PAIRED}),
        (lambda events: events.moved(9, MOVE), {"event": "move", "match": 9, **MOVED}),
    ],
    ids=["scheduled", "started", "move"],
)
def test_events(path: Path, call: Callable[[EventWriter], object], fields: Fields) -> None:
    assert written(path, call) == [{"at": AT, **fields}]


def test_finished_event(path: Path) -> None:
    """An illegal move may be a number of any length."""
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


def test_finished_event_of_an_aborted_match(path: Path) -> None:
    fields = written(path, lambda events: events.finished(make_aborted_record()))[0]
    assert (fields["winner"], fields["termination"], fields["fault"]) == (None, "aborted", None)


def test_rating_event(path: Path) -> None:
    live_standings = make_live_standings()
    with EventWriter(str(path), live_standings):
        pass
    [fields] = read(path)
    ratings = live_standings.table().ratings
    elo, margin = ratings.elo, ratings.margin("anna")
    no_results = {"wins": 0, "losses": 0, "forfeits": 0, "draws": 0}
    anna = {"bot": "anna", "elo": elo["anna"], "margin": margin}
    bert = {"bot": "bert", "elo": elo["bert"], "margin": pytest.approx(margin)}
    carl = {"bot": "carl", "elo": None, "margin": None}
    assert fields.pop("bots") == [
        anna | no_results | {"wins": 1},
        bert | no_results | {"losses": 1, "forfeits": 1},
        carl | no_results,
    ]
    assert fields == {
        "event": "rating",
        "at": AT,
        "first_move": ratings.first_move,
        "first_move_margin": ratings.first_move_margin,
    }


# Times of events


def test_lines_are_flushed_at_once(path: Path) -> None:
    with EventWriter(str(path), make_live_standings()) as events:
        events.scheduled(PAIRING)
        assert event_types(path) == ["scheduled"]


@pytest.mark.parametrize(
    ("interval", "expected"),
    [
        (math.inf, ["finished", "rating", "finished", "finished", "rating"]),
        (0.0, [*["finished", "rating"] * 3, "rating"]),
    ],
)
def test_rating_events_are_rate_limited(
    path: Path, monkeypatch: pytest.MonkeyPatch, interval: float, expected: list[str]
) -> None:
    monkeypatch.setattr("arena.reports.event_stream.RATING_INTERVAL", interval)
    with EventWriter(str(path), make_live_standings()) as events:
        for _ in range(3):
            events.finished(LOST)
    assert event_types(path) == expected


@pytest.mark.parametrize(
    ("error", "last"), [(KeyboardInterrupt, ["rating"]), (BrokenPipeError, [])]
)
def test_a_stream_ends_with_a_rating_event_except_after_a_write_error(
    path: Path, error: type[BaseException], last: list[str]
) -> None:
    with pytest.raises(error), EventWriter(str(path), make_live_standings()):
        stop(error)
    assert event_types(path) == last


# Output files


def test_standard_output_stays_open(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    with EventWriter("-", make_live_standings()) as events:
        events.scheduled(PAIRING)
    print("still open")
    lines = capsysbinary.readouterr().out.splitlines()
    assert [json.loads(line)["event"] for line in lines[:-1]] == ["scheduled", "rating"]
    assert lines[-1] == b"still open"


def test_a_file_is_appended_to(path: Path) -> None:
    written(path, lambda events: events.scheduled(replace(PAIRING, players=("石", "ö"))))
    written(path, lambda events: events.started(9, PAIRING))
    assert event_types(path) == ["scheduled", "rating", "started", "rating"]
    assert "石".encode() in path.read_bytes()


def test_a_full_disk() -> None:
    for pairings in ([PAIRING], []):  # also one that is noticed at the end alone
        with (
            pytest.raises(OSError, match="No space left"),
            EventWriter("/dev/full", make_live_standings()) as events,
        ):
            [*map(events.scheduled, pairings)]


def test_a_closed_pipe(tmp_path: Path) -> None:
    """A named pipe, as with `--events >(head -1)`."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with (
        pytest.raises(BrokenPipeError) as raised,
        EventWriter(str(pipe), make_live_standings()),
    ):
        os.close(reader)
    assert raised.value.filename == f"--events {pipe}"


def test_standard_output_without_a_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb", buffering=0) as output:
        monkeypatch.setattr(sys, "stdout", TextIOWrapper(output))
        with pytest.raises(BrokenPipeError) as raised, EventWriter("-", make_live_standings()):
            pass
    assert raised.value.filename is None  # a command ends quietly


def test_a_file_that_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        EventWriter(str(tmp_path), make_live_standings())


def test_match_in_process_has_the_events_of_any_other(path: Path) -> None:
    record = make_record(moves=(MOVE, MOVE))
    with EventWriter(str(path), make_live_standings()) as events:
        events.played(played_matches(record))
    written = [json.loads(line) for line in path.read_text().splitlines()]
    times = [event["at"] for event in written if event["event"] in {"started", "move"}]
    assert [event["event"] for event in written[: len(times) + 1]] == [
        "started",
        *(len(record.moves) * ["move"]),
        "finished",
    ]
    assert times == [
        *itertools.accumulate((m.elapsed for m in record.moves), initial=record.started_at)
    ]
