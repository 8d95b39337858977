"""Parsers of argument values."""

import os
import socket
from argparse import ArgumentTypeError
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from ipaddress import ip_network
from pathlib import Path

import pytest

from arena.__main__ import ClosedOutput
from arena.cli import arguments as module
from arena.cli.arguments import (
    UsageError,
    check_anchor,
    parse_anchor,
    parse_origins,
    parse_setups,
    parse_trusted,
    start_time,
)
from arena.cli.parser import parse
from core import GAMES
from core.game import Game, Parameter, Position
from tests.support.cases import loop_over
from tests.support.games.toy_games import NIM, TEN_NIM
from tests.support.tournaments.databases import make_database

# Setups


def stones(*words: str) -> list[int]:
    """Return the numbers of stones that words stand for."""
    setups = parse_setups(["take_stones"], {"stones": words})
    return [setup["stones"] for setup in setups["take_stones"]]


def error_for(*words: str) -> str:
    with pytest.raises(UsageError) as raised:
        stones(*words)
    return str(raised.value)


def test_default_setups(monkeypatch: pytest.MonkeyPatch) -> None:
    assert parse_setups(["take_stones", "isolation"], {"stones": None}) == {
        "take_stones": ({"stones": 20}, {"stones": 30}, {"stones": 50}),
        "isolation": ({"size": 8},),
    }
    monkeypatch.setitem(GAMES, TEN_NIM.name, TEN_NIM)
    assert parse_setups([TEN_NIM.name], {"stones": None}) == {TEN_NIM.name: ({},)}
    assert len(stones(f"3-{module.MAX_SETUPS + 2}")) == module.MAX_SETUPS


def test_setups_within_the_limits_of_a_parameter() -> None:
    found = parse_setups(["isolation"], {"size": ["8", "3-7/2"]})
    assert found == {"isolation": tuple({"size": size} for size in (8, 3, 5, 7))}
    for word, rule in ("2-8", "at least 3, not 2"), ("3-9", "at most 8, not 9"):
        with pytest.raises(UsageError, match=f"^--size must be {rule}$"):
            parse_setups(["isolation"], {"size": [word]})


@loop_over(
    "words, expected",
    ("7 9", [7, 9]),
    ("9 7 9", [9, 7, 9]),
    ("20-23", [20, 21, 22, 23]),
    ("7-7", [7]),
    ("20-100/20", [20, 40, 60, 80, 100]),
    ("20-99/40", [20, 60]),
    ("20-21/100", [20]),
    ("5 20-22 7 50-60/10", [5, 20, 21, 22, 7, 50, 60]),
)
def test_setups_from_numbers_and_ranges(words: str, expected: list[int]) -> None:
    assert stones(*words.split()) == expected


NOT_A_NUMBER = "--stones must be a whole number or a range such as 20-30, not"
NOT_A_RANGE = "a range needs FIRST <= LAST and STEP >= 1"


@loop_over(
    "words, error",
    ("x", f"{NOT_A_NUMBER} 'x'"),
    ("7 1.5", f"{NOT_A_NUMBER} '1.5'"),
    ("1_000", f"{NOT_A_NUMBER} '1_000'"),
    ("20-", f"{NOT_A_NUMBER} '20-'"),
    ("20-30/", f"{NOT_A_NUMBER} '20-30/'"),
    ("20-30-40", f"{NOT_A_NUMBER} '20-30-40'"),
    ("30-20", f"--stones 30-20: {NOT_A_RANGE}"),
    ("20-30/0", f"--stones 20-30/0: {NOT_A_RANGE}"),
    ("7 -3", "--stones must be at least 1, not -3"),
    ("7 0-5", "--stones must be at least 1, not 0"),
    ("1-1000000000", "too many setups of take_stones: 1000000000 (at most 100000)"),
    (f"1-{10**30}/10", f"too many setups of take_stones: {10**29} (at most 100000)"),
    ("1-50000 1-50001", "too many setups of take_stones: 100001 (at most 100000)"),
    ("7 2-5", "stones 2: player 1 cannot move at the start of take_stones"),
    (
        f"7 {10**15}-{10**16}/{10**15}",
        f"stones {10**16}: too many stones for this machine's memory",
    ),
)
def test_invalid_setups(words: str, error: str) -> None:
    assert error_for(*words.split()) == error


@loop_over("word", [5000 * "9", f"1-{5000 * '9'}"])
def test_number_with_too_many_digits(word: str) -> None:
    assert error_for(word) == f"{NOT_A_NUMBER} {word!r}"


@dataclass
class RecordingGame:
    """Factory of a game that records the setups of its positions."""

    setups: list[dict[str, int]]

    def game(self, **parameters: Parameter) -> Game:
        """Return a game with these parameters."""
        real = GAMES["take_stones"]

        def position(moves: Sequence[int], **setup: int) -> Position:
            assert not moves
            self.setups.append(setup)
            return real.position(stones=7)

        return real._replace(parameters=parameters, position=position)


def test_the_largest_and_the_smallest_setup_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    recording = RecordingGame([])
    game = recording.game(stones=GAMES["take_stones"].parameters["stones"])
    monkeypatch.setitem(GAMES, "take_stones", game)
    stones("7", "90-99", "30")
    assert recording.setups == [{"stones": 99}, {"stones": 7}]


def test_all_combinations_of_two_parameters(monkeypatch: pytest.MonkeyPatch) -> None:
    recording = RecordingGame([])
    rows, columns = Parameter("rows", 1, (3, 4)), Parameter("columns", 1, (5, 6))
    monkeypatch.setitem(GAMES, "board", recording.game(rows=rows, columns=columns))
    setups = parse_setups(["board"], {"rows": None, "columns": ["7-8", "6"]})
    assert [tuple(setup.values()) for setup in setups["board"]] == [
        (3, 7), (3, 8), (3, 6), (4, 7), (4, 8), (4, 6),
    ]  # fmt: skip
    assert recording.setups == [{"rows": 4, "columns": 8}, {"rows": 3, "columns": 6}]


def test_combinations_of_parameters_that_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = Parameter("a number", 1, (1,))
    monkeypatch.setitem(GAMES, "board", RecordingGame([]).game(rows=usual, columns=usual))
    with pytest.raises(UsageError, match="too many setups of take_stones: 1000000 "):
        parse_setups(["board"], {"rows": ["1-1000"], "columns": ["1-1000"]})
    with pytest.raises(UsageError, match="isolation has no parameter --stones"):
        parse_setups(["isolation"], {"stones": ["7"]})


def test_a_game_that_fails_to_start(monkeypatch: pytest.MonkeyPatch) -> None:
    def position(moves: Sequence[int], **setup: int) -> Position:  # noqa: ARG001
        raise ZeroDivisionError(f"no such\n  {[*setup]}")

    monkeypatch.setitem(GAMES, NIM.name, NIM._replace(position=position))
    with pytest.raises(UsageError) as raised:
        parse_setups([NIM.name], {"heap": ["7"]})
    assert str(raised.value) == (
        "game 'misere_nim' cannot start with heap 7: ZeroDivisionError: no such ['heap']"
    )


@loop_over(
    "word, expected",
    ("ann", ("ann", 0.0)),
    ("ann=1500", ("ann", 1500.0)),
    ("ann=-2.5", ("ann", -2.5)),
    ("a=b=1", ("a=b", 1.0)),
    ("spec:4@nodes=100", ("spec:4@nodes=100", 0.0)),
    ("spec:4@nodes=100=7", ("spec:4@nodes=100", 7.0)),
)
def test_anchors(word: str, expected: tuple[str, float]) -> None:
    assert parse_anchor(word) == expected


def test_anchors_are_bots() -> None:
    for anchor, bots in ((None, ["a"]), (("a", 1.0), ["a", "b"]), (("x", 1.0), [])):
        check_anchor(anchor, bots)
    with pytest.raises(UsageError) as raised:
        check_anchor(("x", 0.0), ["a", "b"])
    assert str(raised.value) == "--anchor: unknown bot 'x' (choose from a, b)"


@loop_over("elo", ["", "x", "nan", "inf", "1_000"])
def test_anchor_with_an_invalid_rating(elo: str) -> None:
    with pytest.raises(UsageError) as raised:
        parse(["standings", "x.db", "--anchor", f"ann={elo}"])
    assert str(raised.value) == f"--anchor: 'ann={elo}': {elo!r} is not a rating in Elo"


@loop_over("elo", ["1e308", "100000.5", "-100001"])
def test_anchor_with_a_rating_out_of_range(elo: str) -> None:
    with pytest.raises(UsageError) as raised:
        parse(["standings", "x.db", "--anchor", f"ann={elo}"])
    error = f"--anchor: 'ann={elo}': a rating must be from -100000 to 100000"
    assert str(raised.value) == error


# Start times


@loop_over("text", ["20:00", "00:00", "23:59:59", "07:30"])
def test_time_of_day_is_the_next_one(text: str) -> None:
    at, now = start_time(text), datetime.now()
    assert at.time() == time.fromisoformat(text)
    assert now - timedelta(minutes=1) < at <= now + timedelta(days=1)


@loop_over("text", ["2030-12-31T20:00", "2030-12-31 20:00", "2030-12-31T20:00:00"])
def test_time_on_a_date(text: str) -> None:
    assert start_time(text) == datetime(2030, 12, 31, 20)
    there = datetime(2030, 12, 31, 20, tzinfo=UTC)  # becomes local
    assert start_time("2030-12-31T20:00Z").timestamp() == there.timestamp()
    with pytest.raises(ArgumentTypeError, match=r"must be a time such as .*, not 'soon'"):
        start_time("soon")
    with pytest.raises(ArgumentTypeError, match=r"^must be a time such as .*, not '20:00Z'$"):
        start_time("20:00Z")


# Origins


@loop_over(
    "text, origin",
    ("https://arena.example", "https://arena.example"),
    ("HTTPS://Arena.Example/", "https://arena.example"),
    ("https://arena.example:443", "https://arena.example"),
    ("http://arena.example:80/", "http://arena.example"),
    ("http://arena.example:443", "http://arena.example:443"),
    ("http://[::1]:8765", "http://[::1]:8765"),
)
def test_origins_are_normalised(text: str, origin: str) -> None:
    assert parse_origins([text, "http://a"]) == (origin, "http://a")


@loop_over(
    "text",
    "",
    "*",
    "arena.example",
    "ws://arena.example",
    "https://",
    "https://[::1",
    "https://a:x",
    "https://a/play",
    "https://a#b",
    "https://me@a",
    "https://\u212aelvin.example",
    "https://\u00e4.example",
)
def test_invalid_origins(text: str) -> None:
    with pytest.raises(UsageError) as raised:
        parse(["serve", "--origin", text])
    assert str(raised.value) == f"--origin must be https://HOST or http://HOST:PORT, not {text!r}"


def test_trusted_networks() -> None:
    texts = ["192.0.2.0/24=1000", "2001:db8::/32=9", "198.51.100.7=1"]
    assert parse_trusted(texts) == {
        ip_network("192.0.2.0/24"): 1000,
        ip_network("2001:db8::/32"): 9,
        ip_network("198.51.100.7/32"): 1,
    }


@loop_over(
    "text, problem",
    ("192.0.2.0/24", " must be NETWORK=CONNECTIONS, not '192.0.2.0/24'"),
    ("192.0.2.0/24=0", " must be NETWORK=CONNECTIONS, not '192.0.2.0/24=0'"),
    ("192.0.2.1/24=5", ": '192.0.2.1/24=5': 192.0.2.1/24 has host bits set"),
    ("here=5", ": 'here=5': 'here' does not appear to be an IPv4 or IPv6 network"),
)
def test_invalid_trusted_networks(text: str, problem: str) -> None:
    with pytest.raises(UsageError) as raised:
        parse(["serve", "--trusted", text])
    assert str(raised.value) == f"--trusted{problem}"


# Files that will be written


@pytest.mark.parametrize("check", [module.writable, module.appendable, module.folder_to_fill])
def test_a_place_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, check: Callable[[Path], Path]
) -> None:
    assert check(tmp_path / "new") == tmp_path / "new"
    monkeypatch.setattr("os.access", lambda *_: False)  # root may write anywhere
    with pytest.raises(ValueError, match=f"{tmp_path} is not writable"):
        check(tmp_path / "new")


def test_files_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="File name too long"):
        module.writable(tmp_path / ("x" * 300))
    path = tmp_path / "there"
    path.touch()
    assert module.appendable(path) == path
    monkeypatch.setattr("os.access", lambda *_: False)
    assert module.writable(path) == path  # it is replaced


def test_a_path_that_cannot_be_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the address of a socket is short
    os.mkfifo("fifo")
    assert module.appendable("fifo") == "fifo"  # it may get its reader later
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
        with pytest.raises(ValueError, match="socket is not writable"):
            module.appendable("socket")


def test_a_database_is_no_file_to_replace(tmp_path: Path) -> None:
    path = make_database(tmp_path / "results.xml", [], None)
    for check in module.writable, module.appendable:
        with pytest.raises(ValueError, match=f"^{path} is a database$"):
            check(path)
    assert module.database_to_write(path) == path
    path.write_text("SQLite format 3 is not what this text has.")
    assert module.writable(path) == module.appendable(path) == path


def test_only_a_file_is_replaced() -> None:
    assert module.appendable("/dev/null") == "/dev/null"
    with pytest.raises(ValueError, match="/dev/null is not a file"):
        module.writable("/dev/null")


def test_a_closed_standard_output(monkeypatch: pytest.MonkeyPatch) -> None:
    assert module.appendable("-") == "-"
    monkeypatch.setattr("sys.stdout", ClosedOutput())
    with pytest.raises(ValueError, match="standard output is closed"):
        module.appendable("-")
