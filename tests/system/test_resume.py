"""Tournaments that are killed repeatedly and resumed: the result is the same."""

import asyncio
import fcntl
import json
import signal
import sys
from pathlib import Path
from random import Random

import pytest

from arena.model.results import MatchResult, Termination
from arena.protocol.player import Turn
from arena.storage.reader import DatabaseReader
from arena.tournament.plan import Plan
from arena.tournament.schedule import Schedule
from tests.support.servers.arena_command import (
    COMMAND,
    GUEST,
    Run,
    connect_guest,
    running_bot,
    running_process,
    wait_for_exit,
    wait_for_url,
    without_times,
)
from tests.support.servers.arena_server import read_matches

KILLS = 20
LINES = [0, 2, 5, 10, 25]  # of output, before a kill: from the start to some matches
STONES = ["--stones", "10-15", "20", "--opening-plies", "2", "--seed", "5"]


def kill(db: Path, command: list[str], lines: int) -> bool:
    """Kill a tournament after some lines of its output; return whether it had not yet ended."""
    with running_process(*COMMAND, *command, "--plain", "--db", db) as process:
        assert process.stderr
        if sys.platform == "linux":  # so that it waits for a reader before it can end
            fcntl.fcntl(process.stderr, fcntl.F_SETPIPE_SZ, 4096)
        for _ in range(lines):
            process.stderr.readline()
        process.kill()
        status = wait_for_exit(process).status
    assert status in {0, -signal.SIGKILL}
    return status != 0


def play(db: Path, command: list[str]) -> None:
    """Play a tournament to its end."""
    with running_process(*COMMAND, *command, "--db", db) as process:
        assert wait_for_exit(process).status == 0


def planned(db: Path) -> set[int | None]:
    """Return the numbers of the matches that the plan has required."""
    with DatabaseReader(db) as records:
        plan = Plan.from_json(records.plan() or "")
        schedule = Schedule(plan, [])
        finished = {number: (players, winner) for number, players, winner in records.results()}
    numbers: set[int | None] = set()
    while pairing := schedule.next_pairing():
        numbers.add(pairing.number)
        schedule.add_result(pairing.number or 0, *finished[pairing.number or 0])
    return numbers


def check(db: Path, undisturbed: Path) -> None:
    """Check that each planned match is played once, with the moves of an undisturbed run."""
    numbers = [record.pairing.number for record in read_matches(db) if record.winner]
    assert (len(numbers), set(numbers)) == (len(planned(db)), planned(db))
    assert without_times(read_matches(db)) == without_times(read_matches(undisturbed))


# Takes 10 s or more: each kill needs a process that plays matches.
def test_tournament_that_is_killed_twenty_times(db: Path, tmp_path: Path) -> None:
    command = ["tournament", "--bots", "random", "greedy", "spec:1", *STONES, "--rounds", "12"]
    undisturbed = tmp_path / "undisturbed.db"
    play(undisturbed, command)
    assert kill(db, command, 10)
    assert without_times(read_matches(db))
    random = Random(1)
    for _ in range(KILLS - 1):
        kill(db, command, random.choice(LINES))
    play(db, command)
    check(db, undisturbed)


def test_an_extension_that_is_killed_is_resumed(db: Path, tmp_path: Path) -> None:
    command = ["tournament", "--bots", "random", "greedy", "spec:1", *STONES]
    extended = [*command, "--bots", "random", "greedy", "spec:1", "spec:2", "--rounds", "3"]
    undisturbed = tmp_path / "undisturbed.db"
    for path in (db, undisturbed):
        play(path, command)
    before = read_matches(db)
    play(undisturbed, [*extended, "--extend"])
    random = Random(3)
    for _ in range(4):
        kill(db, [*extended, "--extend"], random.choice(LINES))
    play(db, [*extended, "--extend"])
    check(db, undisturbed)
    assert read_matches(db)[: len(before)] == before
    play(db, extended)  # nothing is left


def interrupt(db: Path) -> None:
    """Kill a tournament while its first match is played."""

    async def wait_for_turn(url: str) -> None:
        async with connect_guest(url) as player:
            await player.receive(Turn)
            process.kill()
            await player.wait_closed()

    with running_process(*COMMAND, *GUEST, "--db", db) as process:
        asyncio.run(wait_for_turn(wait_for_url(process)))
        assert wait_for_exit(process).status == -signal.SIGKILL


def test_a_match_of_a_killed_arena_is_aborted_and_played_again(db: Path, arena: Run) -> None:
    interrupt(db)
    assert read_matches(db) == []
    with (
        running_process(*COMMAND, *GUEST, "--db", db) as process,
        running_bot("greedy", "guest", wait_for_url(process)),
    ):
        assert "2 of 2 matches" in wait_for_exit(process).out
    results = [(record.pairing.number, record.result) for record in read_matches(db)]
    killed = MatchResult(Termination.ABORTED, None, "the arena was killed")
    assert results[0] == (1, killed)
    assert [(number, bool(result.winner)) for number, result in results[1:]] == [
        (1, True),
        (2, True),
    ]
    assert arena("verify", db).out == "3 matches agree\n"
    lines = arena("export", db, "--format", "jsonl").out.splitlines()[1:]
    assert [json.loads(line)["termination"] == "aborted" for line in lines] == [True, False, False]


@pytest.mark.parametrize(
    "more",
    [
        ["--format", "gauntlet", "--seeds", "2"],
        ["--format", "swiss", "--rounds", "3", "--pairs", "9"],
        ["--format", "knockout", "--pairs", "9"],
    ],
    ids=lambda more: more[1],
)
def test_every_format_is_resumed(db: Path, tmp_path: Path, more: list[str]) -> None:
    bots = ["random", "greedy", "spec:1", "random", "spec:2"]
    command = ["tournament", "--bots", *bots, *STONES, *more]
    undisturbed = tmp_path / "undisturbed.db"
    play(undisturbed, command)
    random = Random(2)
    for _ in range(3):
        kill(db, command, random.choice(LINES))
    play(db, command)
    check(db, undisturbed)
