"""Command `arena serve`, run as in a shell."""

import asyncio
import json
import os
import signal
import socket
from itertools import pairwise
from pathlib import Path

import pytest
from websockets.asyncio.client import connect

from arena.cli.commands.serve import ServeConfig, _serve
from arena.cli.serving import admission_for
from arena.lobby.matchmaking import Matchmaker
from arena.protocol.codec import decode_from_arena
from arena.protocol.player import Challenge, Finished, Move, Started, TakeBack, Turn
from arena.storage.access import add_token
from arena.storage.rewriting import rename_player
from arena.storage.writer import DatabaseWriter
from core import GAMES
from tests.support.cases import loop_over
from tests.support.polling import until
from tests.support.servers.arena_command import (
    COMMAND,
    SMALL,
    CompletedCommand,
    Run,
    configured,
    connect_guest,
    last_line,
    running_process,
    scripted_bots,
    wait_for_exit,
    wait_for_line,
    wait_for_url,
    without_times,
)
from tests.support.servers.arena_server import ScriptedBot, read_matches
from tests.support.tournaments.databases import make_database
from tests.support.tournaments.records import make_pairing, make_record

# Serving


STONES = ["--game", "take_stones", "--stones", "7"]


def serve(db: Path, matches: int, games: list[str] = STONES) -> tuple[int, CompletedCommand]:
    """Serve two bots, press Ctrl-C after `matches` matches, and return the number of the last."""
    with running_process(*COMMAND, "serve", *games, "--port", "0", "--db", db) as process:
        address = wait_for_url(process)
        with scripted_bots(address, "Ann", "Bob"):
            number = wait_for_line(process, r"\[(\d+)\] match", times=matches)
            process.send_signal(signal.SIGINT)
            return int(number), wait_for_exit(process)


@pytest.mark.slow
def test_serving_ends_with_ctrl_c_and_continues_with_its_database(db: Path) -> None:
    finished = 0
    for matches in (4, 1, 1):
        number, end = serve(db, matches)
        assert number == finished + matches
        assert (end.status, end.out) == (130, "")
        finished = len(without_times(read_matches(db)))
    sides = [record.pairing.players for record in read_matches(db) if record.winner]
    assert sides[:2] == [("Ann", "Bob"), ("Bob", "Ann")]
    assert all(one != two for one, two in pairwise(sides))


def test_all_games_are_served(db: Path) -> None:
    serve(db, matches=4, games=["--stones", "7"])
    games = [record.pairing.game for record in read_matches(db)]
    assert games[:4] == ["isolation", "take_stones"] * 2


def test_serving_refuses_a_tournament(complete: Path, arena: Run) -> None:
    line = f"arena: --db {complete} holds a tournament, choose another database\n"
    assert arena("serve", "--db", complete) == CompletedCommand(2, "", line)


def test_a_tournament_refuses_the_database_of_a_served_arena(db: Path, arena: Run) -> None:
    make_database(db, [make_record(make_pairing(None))], None)
    line = f"arena: {db} holds matches that belong to no tournament\n"
    assert arena(*SMALL, "--db", db) == CompletedCommand(2, "", line)


async def test_matchmaking_knows_the_new_name_of_a_bot(db: Path) -> None:
    make_database(db, [make_record(make_pairing(None))], None)
    log = db.with_name("log")
    config = configured(ServeConfig, "serve", "--port", "0", "--log", str(log))
    matchmaker = Matchmaker([make_record(make_pairing(None))])
    with DatabaseWriter(db) as writer:
        admission = admission_for(config.arena)
        serving = asyncio.create_task(_serve(config, writer, admission, None, matchmaker, 1))
        try:
            await until(lambda: log.exists() and "started" in log.read_text(), "the start")
            await asyncio.to_thread(rename_player, db, "anna", "zoe")
            legs = {("zoe", "bert", "take_stones"): 1}
            await until(lambda: matchmaker.legs == legs, "the new name in matchmaking")
        finally:
            serving.cancel()
            await asyncio.wait([serving])


# Challenges


async def play_once(url: str) -> Finished:
    """Challenge a house bot, take a move back, and play to the end."""
    async with connect(url, proxy=None) as connection:
        person = ScriptedBot(connection)
        await person.log_in("Eve", casual=True)
        await person.send(Challenge("take_stones", {"stones": 7}, 1, "random"))
        match = (await person.receive(Started)).match
        await person.play(3)
        assert len((await person.receive(Turn)).moves) == 2
        await person.send(TakeBack(match))
        assert (await person.receive(Turn)).moves == []
        await person.send(Move(match, 0, 1))
        while isinstance(turn := decode_from_arena(await connection.recv()), Turn):
            legal = GAMES[turn.game].position(**turn.setup, moves=turn.moves).legal_moves()
            await person.send(Move(match, turn.ply, legal[0]))
        assert isinstance(turn, Finished)
        return turn


@pytest.mark.usefixtures("measured")
def test_house_bots_play_unrated(db: Path, tokens: Path, arena: Run) -> None:
    words = ["--port", 0, "--db", db, "--offer", "random", "--tokens", tokens]
    with running_process(*COMMAND, "serve", *words) as process:
        finished = asyncio.run(play_once(wait_for_url(process)))
        wait_for_line(process, r"\[(0)\] match")
        process.send_signal(signal.SIGINT)
        assert wait_for_exit(process).status == 130
    [record] = read_matches(db)
    assert (record.pairing.casual, record.pairing.players) == (True, ("Eve", "random"))
    assert [move.move for move in record.moves] == finished.moves
    assert finished.moves[0] == 1
    assert arena("standings", db) == CompletedCommand(0, "no matches\n", "")


@pytest.mark.usefixtures("measured")
def test_a_log_on_standard_error_is_the_only_output_of_a_trace(db: Path, tmp_path: Path) -> None:
    command = [*COMMAND, "serve", "--port", 0, "--db", db, "--offer", "random", "--log", "-"]
    with running_process(*command, "--trace", tmp_path / "trace") as process:
        asyncio.run(play_once(wait_for_line(process, r"(ws://[^\s,\"]+)")))
        process.send_signal(signal.SIGINT)
        lines = wait_for_exit(process).err.splitlines()
    assert [json.loads(line)["event"] for line in lines][-1] == "arena_stopped"
    traced = [json.loads(line) for line in (tmp_path / "trace").read_text().splitlines()]
    assert {line["connection"] for line in traced} == {1, 2}
    assert "challenge" in {line["in"]["type"] for line in traced if "in" in line}


@pytest.mark.usefixtures("measured")
@pytest.mark.parametrize("log", [pytest.param([], marks=pytest.mark.slow), ["--log", "-"]])
def test_a_trace_that_cannot_be_written_does_not_stop_the_arena(db: Path, log: list[str]) -> None:
    async def join(url: str) -> None:
        async with connect_guest(url):
            pass

    command = [*COMMAND, "serve", "--port", 0, "--db", db, *log]
    with running_process(*command, "--trace", "/dev/full") as process:
        asyncio.run(join(wait_for_line(process, r"(ws://[^\s,\"]+)")))
        process.send_signal(signal.SIGINT)
        lines = wait_for_exit(process).err.splitlines()
    problem = "cannot write /dev/full: No space left on device"
    [line] = [line for line in lines if problem in line]
    assert not log or json.loads(line)["event"] == "message"


# Exposed arenas


EXPOSED = "exposes the arena: pass --tokens FILE, or --open to disable authentication"


@loop_over("command", [SMALL, ["serve"]])
@loop_over("host", ["0.0.0.0", "::", "", "0", "192.0.2.7"])
def test_exposing_it_requires_a_flag(db: Path, arena: Run, command: list[str], host: str) -> None:
    line = f"arena: --host {host} {EXPOSED}\n"
    assert arena(*command, "--host", host, "--db", db) == CompletedCommand(2, "", line)
    assert not db.exists()


@loop_over("host", ["127.0.0.1", "127.1.2.3", "::1", "localhost"])
def test_loopback_hosts_need_no_flag(host: str) -> None:
    config = configured(ServeConfig, "serve", "--host", host)
    assert admission_for(config.arena).authenticator is None


@pytest.mark.parametrize(
    ("addresses", "is_refused"),
    [(["127.0.0.1", "::1"], False), (["127.0.0.1", "192.0.2.7"], True), (["192.0.2.7"], True)],
)
def test_all_addresses_of_a_host_name_are_checked(
    monkeypatch: pytest.MonkeyPatch, arena: Run, db: Path, addresses: list[str], is_refused: bool
) -> None:
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 0)) for address in addresses]
    monkeypatch.setattr("socket.getaddrinfo", lambda *_args, **_options: found)
    end = arena("serve", "--host", "arena.example", "--db", db)
    assert (end.status, EXPOSED in end.err) == (2, is_refused)


@pytest.mark.parametrize("command", [SMALL, ["serve"]])
def test_a_flag_exposes_the_arena(db: Path, arena: Run, tokens: Path, command: list[str]) -> None:
    for flag in (["--open"], ["--tokens", tokens]):
        words = ["--host", "192.0.2.1", *flag, "--port", 0, "--db", db]  # of no machine (RFC 5737)
        end = last_line(arena(*command, *words))
        assert end.err.startswith("arena: cannot listen on 192.0.2.1 port 0: ")


@pytest.fixture
def tokens(tmp_path: Path) -> Path:
    """Create a file with the token of Ann."""
    path = tmp_path / "tokens.json"
    add_token(path, "Ann", 1795286096.0)
    return path


def test_a_trace_that_cannot_be_opened(
    db: Path, arena: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for flag in ("--trace", "--log"):
        line = f"arena: {flag}: {tmp_path} is a folder\n"
        assert arena("serve", flag, tmp_path, "--db", db) == CompletedCommand(2, "", line)
        line = f"arena: {flag} {db} is the file of --db\n"
        assert arena("serve", flag, db, "--db", db) == CompletedCommand(2, "", line)
    monkeypatch.chdir(tmp_path)  # the path of a socket has at most 107 bytes
    with socket.socket(socket.AF_UNIX) as other:
        other.bind("socket")
    line = "arena: --trace: socket is not writable\n"
    assert arena("serve", "--trace", "socket", "--db", db) == CompletedCommand(2, "", line)
    os.mkfifo("pipe")
    line = "arena: cannot write --trace pipe: it is a socket, or a pipe that no process reads\n"
    assert arena("serve", "--trace", "pipe", "--db", db) == CompletedCommand(2, "", line)
