"""Machine-readable log: events, repeated messages, the file, and a whole arena."""

import json
import logging
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.model.results import Fault, PlayedMove
from arena.server.json_log import LOGGER_NAME, JsonFormatter, JsonLog
from arena.storage.schema import DatabaseError
from tests.support.tournaments.records import make_aborted_record, make_pairing, make_record

Facts = dict[str, Any]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "arena.log"


def lines(path: Path) -> list[Facts]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def logged(path: Path, *calls: Callable[[JsonLog], object]) -> list[Facts]:
    """Return what these calls log, without the times and the last line."""
    with JsonLog(str(path)) as log:
        for call in calls:
            call(log)
    return [{name: fact for name, fact in line.items() if name != "time"} for line in lines(path)][
        :-1
    ]


def move_with_lag(lag: float, ply: int = 0) -> PlayedMove:
    return PlayedMove(ply, 3, 1.5, 0.0, 1.5, lag)


def logged_with_error(
    path: Path, error: BaseException, *calls: Callable[[JsonLog], object]
) -> list[Facts]:
    """Return what is logged when an exception ends an arena after these calls."""
    with suppress(type(error)), JsonLog(str(path)) as log:
        for call in calls:
            call(log)
        raise error
    return lines(path)


# Events

EVENTS: dict[str, tuple[Callable[[JsonLog], object], Facts]] = {
    "begun": (
        lambda log: log.log_start("ws://[::1]:1/play", "a.db"),
        {"level": "info", "event": "arena_started", "url": "ws://[::1]:1/play", "database": "a.db"},
    ),
    "joined": (
        lambda log: log.joined("Ann", "::1"),
        {"level": "info", "event": "bot_joined", "bot": "Ann", "address": "::1"},
    ),
    "degraded": (
        lambda log: log.degraded("tokens", "no right"),
        {"level": "error", "event": "degraded", "part": "tokens", "cause": "no right"},
    ),
    "recovered": (
        lambda log: log.recovered("tokens"),
        {"level": "info", "event": "recovered", "part": "tokens"},
    ),
    "left": (lambda log: log.left("Ann"), {"level": "info", "event": "bot_left", "bot": "Ann"}),
    "refused": (
        lambda log: log.refused("name_taken", "::1"),
        {
            "level": "warning",
            "event": "bot_refused",
            "code": "name_taken",
            "address": "::1",
            "count": 1,
        },
    ),
    "finished": (
        lambda log: log.finished(make_record(winner=2, attempt=7, moves=(move_with_lag(0),))),
        {
            "level": "info",
            "event": "match_finished",
            "match": 7,
            "winner": "bert",
            "termination": "no_legal_move",
            "cause": "that is why",
            "moves": 1,
            "seconds": 1.75,
        },
    ),
    "aborted": (
        lambda log: log.finished(make_aborted_record(attempt=7)),
        {"level": "warning", "event": "match_aborted", "match": 7, "cause": "that is why"},
    ),
    "move_with_lag": (
        lambda log: log.moved(7, move_with_lag(0.25, ply=3)),
        {"level": "warning", "event": "lag", "match": 7, "ply": 3, "lag": 0.25},
    ),
}


@pytest.mark.parametrize("name", EVENTS)
def test_events_are_logged(path: Path, name: str) -> None:
    call, line = EVENTS[name]
    assert logged(path, call) == [line]


def test_the_start_of_a_match_is_logged(path: Path) -> None:
    first = logged(path, lambda log: log.started(7, make_pairing()))[0]
    assert (first["event"], first["match"], first["bots"]) == ("match_started", 7, ["anna", "bert"])
    assert (first["game"], first["setup"]) == ("take_stones", {"stones": 7})


@pytest.mark.parametrize(
    ("lag", "interval", "count"), [(0.1, None, 0), (0.5, None, 1), (0.5, 0.0, 5)]
)
def test_repeated_lag_is_logged_once_in_an_interval(
    path: Path, monkeypatch: pytest.MonkeyPatch, lag: float, interval: float | None, count: int
) -> None:
    if interval is not None:
        monkeypatch.setattr("arena.server.json_log.LAG_INTERVAL", interval)
    assert len(logged(path, *[lambda log: log.moved(7, move_with_lag(lag))] * 5)) == count


def test_the_lag_of_the_last_turn_is_logged(path: Path) -> None:
    record = make_record(fault=Fault(4, None, 5.0, 0.0, 5.0, 0.5))
    events = [line["event"] for line in logged(path, lambda log: log.finished(record))]
    assert events == ["lag", "match_finished"]


def test_runs_are_appended_to_a_log(path: Path) -> None:
    before = datetime.now(UTC)
    for _ in range(2):
        with JsonLog(str(path)):
            pass
        logging.getLogger("asyncio").warning("after the end")
    assert [line["cause"] for line in lines(path)] == ["the end"] * 2
    for line in lines(path):
        assert line["time"].endswith("Z")
        assert abs((datetime.fromisoformat(line["time"]) - before).total_seconds()) < 60


@given(st.text())
def test_any_name_is_logged_on_one_line(name: str) -> None:
    record = logging.LogRecord(
        LOGGER_NAME, 20, "", 0, "", ({"event": "bot_left", "bot": name},), None
    )
    line = JsonFormatter().format(record)
    assert line.isascii()
    assert line.isprintable()
    assert json.loads(line)["bot"] == name


# Other code of the process


def test_warnings_of_other_code_are_logged(path: Path) -> None:
    found = logged(path, lambda _: logging.getLogger("asyncio").warning("took %d s", 3))
    assert found == [
        {"level": "warning", "event": "message", "logger": "asyncio", "text": "took 3 s"}
    ]


def test_errors_of_other_code_are_logged_with_their_traceback(path: Path) -> None:
    with JsonLog(str(path)):
        try:
            raise KeyError("nowhere")
        except KeyError:
            logging.getLogger("asyncio").exception("lost")
    assert lines(path)[0]["trace"].endswith("KeyError: 'nowhere'")


def test_repeated_messages_of_other_code_are_logged_once_in_an_interval(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["full", "full", "empty", "full", "full"]
    calls = [lambda _, word=word: logging.warning(word) for word in words]
    assert [line["text"] for line in logged(path, *calls)] == ["full", "empty", "full"]
    path.unlink()
    assert len(logged(path, *[lambda log: log.left("Ann")] * 2)) == 2  # an event of the arena
    path.unlink()
    monkeypatch.setattr("arena.server.json_log.REPEAT_INTERVAL", 0.0)
    assert [line["text"] for line in logged(path, *calls)] == words


def test_refusals_with_one_code_are_counted_in_few_lines(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(log: JsonLog) -> None:
        for code, address in [("busy", "::1"), ("busy", "::2"), ("full", "::3"), ("busy", "::4")]:
            log.refused(code, address)

    def found(interval: float) -> list[tuple[object, ...]]:
        monkeypatch.setattr("arena.server.json_log.REFUSAL_INTERVAL", interval)
        path.unlink(missing_ok=True)
        *refusals, _ = logged_with_error(path, KeyboardInterrupt(), refuse)
        return [(line["code"], line["address"], line["count"]) for line in refusals]

    begin = [("busy", "::1", 1), ("full", "::3", 1)]
    assert found(1e9) == [*begin, ("busy", "::4", 2)]  # the rest at the end
    assert found(-1.0)[1] == ("busy", "::2", 1)


# The end


def test_a_signal_logs_running_matches_as_aborted(path: Path) -> None:
    def play(log: JsonLog) -> None:
        for match in (9, 7, 8):
            log.started(match, make_pairing())
        log.finished(make_record(attempt=8))

    *_, seven, nine, end = logged_with_error(path, KeyboardInterrupt(), play)
    assert [seven["match"], nine["match"]] == [7, 9]
    assert {seven["cause"], nine["cause"]} == {"the arena was stopped"}
    assert (end["level"], end["event"], end["cause"]) == ("info", "arena_stopped", "a signal")


def test_an_exception_is_logged_as_the_cause(path: Path) -> None:
    [end] = logged_with_error(path, ValueError("odd"))
    assert (end["level"], end["cause"]) == ("error", "ValueError: odd")
    path.unlink()
    failed, end = logged_with_error(path, DatabaseError("disk full"))
    assert (failed["level"], failed["event"]) == ("error", "database_failed")
    assert (failed["cause"], end["event"]) == ("disk full", "arena_stopped")


# The file


def test_a_log_is_opened_again_after_rotation(path: Path) -> None:
    with JsonLog(str(path)) as log:
        log.left("Ann")
        path.rename(f"{path}.1")
        log.left("Bob")
    assert [line["event"] for line in lines(Path(f"{path}.1"))] == ["bot_left"]
    assert [line.get("bot") for line in lines(path)] == ["Bob", None]


def test_a_missing_folder_is_reported_once_until_it_is_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    with JsonLog(str(folder / "arena.log")) as log:
        folder.rename(tmp_path / "gone")
        log.left("Ann")
        log.left("Ann")
        folder.mkdir()
        log.left("Bob")
    assert [line.get("bot") for line in lines(folder / "arena.log")] == ["Bob", None]
    err = capsys.readouterr().err
    assert err.startswith("arena: cannot write the log: [Errno 2] No such file")
    assert err.count("\n") == 1


def test_a_full_disk_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    with JsonLog("/dev/full") as log:
        log.left("Ann")
    line = "arena: cannot write the log: [Errno 28] No space left on device\n"
    assert capsys.readouterr().err == line


def test_a_log_can_go_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    with JsonLog("-") as log:
        log.left("Ann")
    events = [json.loads(line)["event"] for line in capsys.readouterr().err.splitlines()]
    assert events == ["bot_left", "arena_stopped"]
