"""The log for machines: what is in a line, where it goes, and the arena that writes it."""

import json
import logging
import signal
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
from tests.support.arena_command import COMMAND, Ended, Run, bot, ended, said, started
from tests.support.arena_server import read_matches
from tests.support.records import make_aborted_record, make_pairing, make_record

Facts = dict[str, Any]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "arena.log"


def lines(path: Path) -> list[Facts]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def logged(path: Path, *calls: Callable[[JsonLog], object]) -> list[Facts]:
    """What these calls log, without the times and the end."""
    with JsonLog(str(path)) as log:
        for call in calls:
            call(log)
    return [{name: fact for name, fact in line.items() if name != "time"} for line in lines(path)][
        :-1
    ]


def late(lag: float, ply: int = 0) -> PlayedMove:
    return PlayedMove(ply, 3, 1.5, 0.0, 1.5, lag)


def die(path: Path, error: BaseException, *calls: Callable[[JsonLog], object]) -> list[Facts]:
    """What is logged when an error ends an arena after these calls."""
    with suppress(type(error)), JsonLog(str(path)) as log:
        for call in calls:
            call(log)
        raise error
    return lines(path)


# What is in a line

EVENTS: dict[str, tuple[Callable[[JsonLog], object], Facts]] = {
    "begun": (
        lambda log: log.log_start("ws://[::1]:1/play", "a.db"),
        {
            "level": "info",
            "event": "arena_started",
            "url": "ws://[::1]:1/play",
            "database": "a.db",
        },
    ),
    "joined": (
        lambda log: log.joined("Ann", "::1"),
        {"level": "info", "event": "bot_joined", "bot": "Ann", "address": "::1"},
    ),
    "left": (
        lambda log: log.left("Ann"),
        {"level": "info", "event": "bot_left", "bot": "Ann"},
    ),
    "refused": (
        lambda log: log.refused("name_taken", "::1"),
        {"level": "warning", "event": "bot_refused", "code": "name_taken", "address": "::1"},
    ),
    "finished": (
        lambda log: log.finished(make_record(winner=2, attempt=7, moves=(late(0),))),
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
    "late": (
        lambda log: log.moved(7, late(0.25, ply=3)),
        {"level": "warning", "event": "lag", "match": 7, "ply": 3, "lag": 0.25},
    ),
}


@pytest.mark.parametrize("what", EVENTS)
def test_what_happens_is_logged(path: Path, what: str) -> None:
    call, line = EVENTS[what]
    assert logged(path, call) == [line]


def test_a_match_that_begins(path: Path) -> None:
    first = logged(path, lambda log: log.started(7, make_pairing()))[0]
    assert (first["event"], first["match"], first["bots"]) == ("match_started", 7, ["anna", "bert"])
    assert (first["game"], first["setup"]) == ("take_stones", {"stones": 7})


def test_moves_in_time_are_not_logged(path: Path) -> None:
    assert logged(path, lambda log: log.moved(7, late(0.1))) == []


def test_a_stall_is_logged_once(path: Path) -> None:
    assert len(logged(path, *[lambda log: log.moved(7, late(0.5))] * 5)) == 1


def test_stalls_are_logged_again_after_a_while(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.server.json_log.LAG_INTERVAL", 0.0)
    assert len(logged(path, *[lambda log: log.moved(7, late(0.5))] * 5)) == 5


def test_a_late_turn_that_ended_the_match(path: Path) -> None:
    record = make_record(fault=Fault(4, None, 5.0, 0.0, 5.0, 0.5))
    events = [line["event"] for line in logged(path, lambda log: log.finished(record))]
    assert events == ["lag", "match_finished"]


def test_times_are_in_utc(path: Path) -> None:
    before = datetime.now(UTC)
    with JsonLog(str(path)):
        pass
    [line] = lines(path)
    assert line["time"].endswith("Z")
    assert abs((datetime.fromisoformat(line["time"]) - before).total_seconds()) < 60


@given(st.text())
def test_whatever_a_bot_is_called_is_one_line(name: str) -> None:
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


def test_errors_of_other_code_are_logged_with_their_trace(path: Path) -> None:
    with JsonLog(str(path)):
        try:
            raise KeyError("nowhere")
        except KeyError:
            logging.getLogger("asyncio").exception("lost")
    assert lines(path)[0]["trace"].endswith("KeyError: 'nowhere'")


def test_other_code_is_not_heard_repeating_itself(path: Path) -> None:
    words = ["full", "full", "empty", "full", "full"]
    found = logged(path, *[lambda _, word=word: logging.warning(word) for word in words])
    assert [line["text"] for line in found] == ["full", "empty", "full"]


def test_other_code_is_heard_again_after_a_while(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.server.json_log.REPEAT_INTERVAL", 0.0)
    assert len(logged(path, *[lambda _: logging.warning("full")] * 2)) == 2


def test_the_arena_may_repeat_itself(path: Path) -> None:
    assert len(logged(path, *[lambda log: log.left("Ann")] * 2)) == 2


def test_after_its_end_nothing_is_logged(path: Path) -> None:
    with JsonLog(str(path)):
        pass
    logging.getLogger("asyncio").warning("late")
    assert len(lines(path)) == 1


# The end


def test_the_end(path: Path) -> None:
    with JsonLog(str(path)):
        pass
    assert lines(path)[-1]["cause"] == "the end"


def test_an_end_by_a_signal_aborts_what_is_played(path: Path) -> None:
    def play(log: JsonLog) -> None:
        for match in (9, 7, 8):
            log.started(match, make_pairing())
        log.finished(make_record(attempt=8))

    *_, seven, nine, end = die(path, KeyboardInterrupt(), play)
    assert [seven["match"], nine["match"]] == [7, 9]
    assert {seven["cause"], nine["cause"]} == {"the arena was stopped"}
    assert (end["level"], end["event"], end["cause"]) == ("info", "arena_stopped", "a signal")


def test_an_end_by_an_error(path: Path) -> None:
    [end] = die(path, ValueError("odd"))
    assert (end["level"], end["cause"]) == ("error", "ValueError: odd")


def test_an_end_by_the_database(path: Path) -> None:
    failed, end = die(path, DatabaseError("disk full"))
    assert (failed["level"], failed["event"]) == ("error", "database_failed")
    assert (failed["cause"], end["event"]) == ("disk full", "arena_stopped")


# The file


def test_a_log_goes_on(path: Path) -> None:
    for _ in range(2):
        with JsonLog(str(path)):
            pass
    assert len(lines(path)) == 2


def test_a_log_that_is_moved_away_begins_anew(path: Path) -> None:
    with JsonLog(str(path)) as log:
        log.left("Ann")
        path.rename(f"{path}.1")
        log.left("Bob")
    assert [line["event"] for line in lines(Path(f"{path}.1"))] == ["bot_left"]
    assert [line.get("bot") for line in lines(path)] == ["Bob", None]


def test_a_log_without_a_place_stops_nobody(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    with JsonLog(str(folder / "arena.log")) as log:
        folder.rename(tmp_path / "gone")
        log.left("Ann")
        log.left("Bob")
    err = capsys.readouterr().err
    assert err.startswith("arena: cannot write the log: [Errno 2] No such file")
    assert err.count("\n") == 1


def test_a_log_goes_on_when_there_is_a_place_again(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    with JsonLog(str(folder / "arena.log")) as log:
        folder.rename(tmp_path / "gone")
        log.left("Ann")
        folder.mkdir()
        log.left("Bob")
    assert [line.get("bot") for line in lines(folder / "arena.log")] == ["Bob", None]


def test_a_full_disk_stops_nobody(capsys: pytest.CaptureFixture[str]) -> None:
    with JsonLog("/dev/full") as log:
        log.left("Ann")
    line = "arena: cannot write the log: [Errno 28] No space left on device\n"
    assert capsys.readouterr().err == line


def test_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    with JsonLog("-") as log:
        log.left("Ann")
    events = [json.loads(line)["event"] for line in capsys.readouterr().err.splitlines()]
    assert events == ["bot_left", "arena_stopped"]


# The arena


def test_a_log_that_cannot_be_opened(db: Path, tmp_path: Path, arena: Run) -> None:
    line = f"arena: cannot write --log {tmp_path}: Is a directory\n"
    assert arena("serve", "--db", db, "--log", tmp_path) == Ended(2, "", line)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_an_arena_that_is_stopped(db: Path, how: signal.Signals) -> None:
    command = [*COMMAND, "serve", "--port", "0", "--db", db, "--stones", "7", "--log", "-"]
    with started(*command) as process:
        address = said(process, r'"arena_started", "url": "([^"]+)"')
        with bot("random", "Ann", address), bot("greedy", "Bob", address):
            said(process, r"(match_finished)")
            process.send_signal(how)
            end = ended(process)
    *rest, last = end.err.splitlines()
    assert (end.status, last) == (
        130,
        "arena: stopped; run the same command on the same database to continue",
    )
    assert json.loads(rest[-1])["event"] == "arena_stopped"
    aborted = [
        facts["match"] for line in rest if (facts := json.loads(line))["event"] == "match_aborted"
    ]
    # One that was decided but not announced yet when the arena was stopped is told as aborted too.
    assert {record.id for record in read_matches(db) if not record.winner} <= {*aborted}


def test_an_arena_with_a_log_still_tells_people(db: Path, path: Path) -> None:
    with started(*COMMAND, "serve", "--port", "0", "--db", db, "--log", path) as process:
        url = said(process, r"(ws://\S+) to play")
        process.send_signal(signal.SIGTERM)
        ended(process)
    begun, end = lines(path)
    assert (begun["url"], begun["database"], end["event"]) == (url, str(db), "arena_stopped")
