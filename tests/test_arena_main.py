"""The arena's command line, from the shell's side."""

import asyncio
import json
import os
import pty
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, closing, contextmanager
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest
from websockets.asyncio.client import connect

from arena.__main__ import main
from arena.messages import Turn
from arena.results import MatchRecord, Pairing, PlayedMove, Termination
from arena.store import Records, Store
from core import GAMES
from core.game import Parameter
from tests import isolation_reference
from tests.conftest import SECONDS, Player, read
from tests.isolation_reference import legal_moves, number
from tests.records import a_record

ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
# For processes that are killed: one that dies while it writes its coverage leaves half a file.
UNMEASURED = {name: value for name, value in ENVIRONMENT.items() if "COVERAGE" not in name}
COMMAND = [sys.executable, "-m", "arena"]
SMALL = ["tournament", "--bots", "random", "greedy", "spec:1", "--stones", "7", "--seed", "1"]
GUEST = ["tournament", "--bots", "random", "external:guest", "--stones", "7", "--seed", "1"]

Process = subprocess.Popen[str]


class Ended(NamedTuple):
    """What the shell sees of a program."""

    status: int | str | None
    out: str
    err: str


Run = Callable[..., Ended]


@pytest.fixture
def arena(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command line in this process."""

    def run(*arguments: object) -> Ended:
        status: int | str | None
        try:
            status = main([str(argument) for argument in arguments])
        except SystemExit as end:
            status = end.code
        return Ended(status, *capsys.readouterr())

    return run


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database of the small tournament, all played."""
    path = tmp_path_factory.mktemp("small") / "arena.db"
    assert main([*SMALL, "--db", str(path)]) == 0
    return path


@pytest.fixture
def complete(small: Path, db: Path) -> Path:
    """A test's own copy of it."""
    return Path(shutil.copy(small, db))


@contextmanager
def started(
    *command: object, err: int = subprocess.PIPE, env: Mapping[str, str] = ENVIRONMENT
) -> Iterator[Process]:
    """A program in a process of its own, which is killed at the end, or after some time."""
    with subprocess.Popen(
        [str(word) for word in command],
        stdout=subprocess.PIPE,
        stderr=err,
        text=True,
        env=env,
        start_new_session=True,
    ) as process:
        watchdog = threading.Timer(SECONDS, process.kill)
        watchdog.start()
        try:
            yield process
        finally:
            watchdog.cancel()
            process.kill()


def said(process: Process, pattern: str, times: int = 1) -> str:
    """Wait until lines on standard error match so often. Returns the last one's first group."""
    assert process.stderr
    for line in process.stderr:
        if found := re.search(pattern, line):
            times -= 1
            if not times:
                return found[1]
    raise AssertionError(f"{pattern} has not been said")


def url(process: Process) -> str:
    return said(process, r"(ws://[^\s,]+)")


def ended(process: Process) -> Ended:
    """Wait for the end of a program."""
    out, err = process.communicate()
    return Ended(process.returncode, out, err)


@contextmanager
def bot(kind: str, name: str, url: str) -> Iterator[None]:
    """A bot that dials in by itself."""
    command = [sys.executable, "-m", "bots", kind, "--name", name, "--url", url]
    with started(*command, err=subprocess.DEVNULL, env=UNMEASURED):
        yield


@asynccontextmanager
async def guest(url: str) -> AsyncIterator[Player]:
    """A bot that does what the test says."""
    async with connect(url, compression=None, proxy=None) as connection:
        player = Player(connection)
        await player.enter("guest")
        yield player


def facts(records: list[MatchRecord]) -> list[object]:
    """All of the matches that count but their times."""
    return [
        (record.pairing, record.result, [move.move for move in record.moves])
        for record in records
        if record.winner
    ]


# A tournament


def test_a_tournament_ends_with_its_table(db: Path, arena: Run) -> None:
    end = arena(*SMALL, "--db", db)
    assert end.status == 0
    assert end.out.startswith("take_stones, time 5+0.05, seed 1: 6 of 6 matches\n\n#  bot ")


def test_without_a_terminal_every_match_is_a_line(db: Path, arena: Run) -> None:
    lines = arena(*SMALL, "--db", db).err.splitlines()
    assert lines[0] == f"arena: seed 1, database {db}"
    assert [line.split()[0] for line in lines[1:]] == [f"[{number}/6]" for number in range(1, 7)]


def test_json_is_all_that_is_printed(db: Path, arena: Run) -> None:
    facts = json.loads(arena(*SMALL, "--json", "--db", db).out)
    assert (facts["seed"], facts["matches"], facts["finished"]) == (1, 6, 6)
    table = facts["standings"]["take_stones"]
    assert {line["bot"] for line in table} == {"random", "greedy", "spec:1"}


def test_bots_of_a_kind_are_numbered(db: Path, arena: Run) -> None:
    end = arena("tournament", "--bots", "greedy", "greedy", "--stones", 5, "--json", "--db", db)
    table = json.loads(end.out)["standings"]["take_stones"]
    assert {line["bot"] for line in table} == {"greedy", "greedy#2"}


def test_all_that_is_asked_for_is_played(db: Path, arena: Run) -> None:
    more = ["--stones", 9, 10, "--rounds", 2, "--opening-plies", 3, "--concurrency", 1]
    arena("tournament", "--bots", "random", "greedy", *more, "--db", db)
    played = [(len(r.pairing.opening), r.pairing.setup["stones"]) for r in read(db)]
    assert played == [(3, 9), (3, 9), (3, 10), (3, 10)] * 2


def test_a_round_robin_of_isolation_is_by_its_rules(db: Path, arena: Run) -> None:
    bots = ["--bots", "random", "greedy", "spec:2"]
    end = arena("tournament", "--game", "isolation", *bots, "--seed", 1, "--db", db)
    assert end.out.startswith("isolation, time 5+0.05, seed 1: 6 of 6 matches\n")
    for record in read(db):
        position = isolation_reference.START
        for played in record.moves:
            assert played.move in map(number, legal_moves(position))
            position = isolation_reference.after([played.move], position)
        assert legal_moves(position) == []
        assert record.result.winner == 1 + "ox".index(position.mover)


def test_a_terminal_gets_a_progress_bar(db: Path) -> None:
    screen, terminal = pty.openpty()
    with (
        open(screen, "rb", buffering=0) as shown,
        started(*COMMAND, *SMALL, "--db", db, err=terminal),
    ):
        os.close(terminal)
        text = b""
        try:
            while some := shown.read(4096):
                text += some
        except OSError:  # how Linux says that the other side is closed
            pass
    assert (b"6/6" in text, b"\x1b[" in text, b"[1/6]" in text) == (True, True, False)


def test_a_new_database_has_a_name_of_its_own(
    tmp_path: Path, arena: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("time.strftime", lambda _: "now")
    for _ in range(2):
        assert arena(*SMALL, "--port", -1).status == 2
    assert {path.name for path in Path("results").glob("*.db")} == {"now.db", "now-2.db"}


def has_ipv6() -> bool:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        return False
    return True


@pytest.mark.skipif(not has_ipv6(), reason="this machine has no IPv6")
def test_over_ipv6(db: Path, arena: Run) -> None:
    assert arena(*SMALL, "--host", "::1", "--db", db).status == 0


def test_an_external_bot_dials_in(db: Path) -> None:
    with started(*COMMAND, *GUEST, "--db", db) as process, bot("greedy", "guest", url(process)):
        assert "2 of 2 matches" in ended(process).out


def children(process: Process) -> list[int]:
    table = subprocess.run(["ps", "-A", "-o", "ppid=,pid="], capture_output=True, check=True)
    rows = [[int(word) for word in line.split()] for line in table.stdout.splitlines()]
    return [pid for parent, pid in rows if parent == process.pid]


def lose_a_bot(db: Path) -> Ended:
    """A tournament whose built-in bot dies in its first match."""

    async def scenario(process: Process) -> None:
        async with guest(url(process)) as player:
            await player.hear(Turn)
            for child in children(process):
                os.kill(child, signal.SIGKILL)
            await player.closed()

    with started(*COMMAND, *GUEST, "--grace", "0", "--db", db) as process:
        asyncio.run(scenario(process))
        return ended(process)


def test_a_bot_that_dies_is_named(db: Path) -> None:
    assert "arena: bot random has left: it ended with status -9\n" in lose_a_bot(db).err


def test_forfeits_stand_below_the_table(db: Path) -> None:
    out = lose_a_bot(db).out
    assert out.partition("Forfeits\n")[2].count("disconnect: player") == 2


# Going on


def test_a_complete_tournament_is_not_played_again(complete: Path, arena: Run) -> None:
    before = read(complete)
    assert "6 of 6 matches are finished" in arena(*SMALL, "--db", complete).err
    assert read(complete) == before


LONG = ["tournament", "--bots", "random", "greedy", "spec:1", "random", "--seed", "5"]
LONG += ["--stones", "10", "15", "20", "--rounds", "2", "--opening-plies", "2"]


def kill_in_the_middle(db: Path, matches: int) -> None:
    """Play until some more matches are finished, and not all of them."""
    with started(*COMMAND, *LONG, "--db", db) as process:
        said(process, r"^\[(\d+)/72\]", times=matches)
        process.kill()
        assert ended(process).status == -signal.SIGKILL


def test_a_tournament_that_is_killed_again_and_again(db: Path, tmp_path: Path, arena: Run) -> None:
    undisturbed = tmp_path / "undisturbed.db"
    arena(*LONG, "--db", undisturbed)
    for matches in (1, 5, 10, 3):
        kill_in_the_middle(db, matches)
    finished = len(facts(read(db)))
    assert 19 <= finished < 72
    assert f"{finished} of 72 matches are finished" in arena(*LONG, "--db", db).err
    assert facts(read(db)) == facts(read(undisturbed))


def interrupt(db: Path, how: signal.Signals) -> Ended:
    """Stop a tournament in the middle of its first match."""

    async def scenario(process: Process) -> None:
        async with guest(url(process)) as player:
            await player.hear(Turn)
            process.send_signal(how)
            assert (await player.closed())[0] == 1012

    with started(*COMMAND, *GUEST, "--db", db) as process:
        asyncio.run(scenario(process))
        return ended(process)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_stopping_says_how_to_go_on(db: Path, how: signal.Signals) -> None:
    words = "arena: stopped; the same command on the same database goes on\n"
    assert interrupt(db, how) == Ended(130, "", words)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_stopping_aborts_what_is_being_played(db: Path, how: signal.Signals) -> None:
    interrupt(db, how)
    assert [record.result.termination for record in read(db)] == [Termination.ABORTED]


def test_what_was_aborted_is_played_again(db: Path) -> None:
    interrupt(db, signal.SIGINT)
    with started(*COMMAND, *GUEST, "--db", db) as process, bot("greedy", "guest", url(process)):
        assert ended(process).status == 0
    assert [record.pairing.number for record in read(db) if record.winner] == [1, 2]


def test_ctrl_c_before_it_has_begun(db: Path, arena: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("secrets.randbits", lambda _: signal.raise_signal(signal.SIGINT))
    words = "arena: stopped; the same command on the same database goes on\n"
    assert arena(*SMALL[:-2], "--db", db) == Ended(130, "", words)


@pytest.mark.parametrize(
    ("other", "difference"),
    [
        (["--seed", "2"], "seed was 1 and is now 2"),
        (["--time", "9"], "time was 5+0.05 and is now 9+0"),
        (["--rounds", "3"], "rounds was 1 and is now 3"),
        (["--opening-plies", "2"], "opening_plies was 0 and is now 2"),
        (["--stones", "8"], "setups was stones 7 and is now stones 8"),
        (
            ["--bots", "greedy", "random"],
            "bots was random, greedy, spec:1 and is now greedy, random",
        ),
    ],
)
def test_another_tournament_is_refused(
    complete: Path, arena: Run, other: list[str], difference: str
) -> None:
    line = f"arena: {complete} holds another tournament: {difference}\n"
    assert arena(*SMALL, *other, "--db", complete) == Ended(2, "", line)


def test_without_a_seed_the_stored_one_goes_on(complete: Path, arena: Run) -> None:
    end = arena(*SMALL[:-2], "--db", complete)
    assert (end.status, end.err.splitlines()[0]) == (0, f"arena: seed 1, database {complete}")


# What cannot be


def pair(*arguments: str) -> list[str]:
    """A tournament of two bots."""
    return ["tournament", "--bots", "random", "greedy", *arguments]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ([], "the following arguments are required: COMMAND"),
        (["chess"], "argument COMMAND: invalid choice: 'chess'"),
        (["standings"], "the following arguments are required: DB"),
        (pair("--colour"), "unrecognized arguments: --colour"),
        (pair("--rounds", "x"), "argument --rounds: invalid int value: 'x'"),
        (pair("--rounds", "0"), "--rounds must be at least 1, not 0"),
        (pair("--opening-plies", "-1"), "--opening-plies must be at least 0, not -1"),
        (pair("--concurrency", "0"), "--concurrency must be at least 1, not 0"),
        (pair("--grace", "-1"), "--grace must be at least 0, not -1.0"),
        (pair("--grace", "nan"), "--grace must be at least 0, not nan"),
        (pair("--time", "soon"), "time 'soon' is not BASE or BASE+INCREMENT"),
        (pair("--time", "0"), "time '0' must be above 0"),
        (pair("--stones", "0"), "stones must be at least 1, not 0"),
        (pair("--stones", "9" * 30), "{'stones': 9999"),
        (pair("--game", "chess"), "argument --game: invalid choice: 'chess'"),
        (["tournament", "--bots", "random"], "a tournament needs at least 2 bots, not 1"),
        (["tournament", "--bots"], "argument --bots: expected at least one argument"),
        (["tournament", "--bots", "random", "external:random"], "two bots are named random"),
        (["tournament", "--bots", "external:x", "external:x"], "two bots are named x"),
        (["tournament", "--bots", "random", "external:"], "bot 'external:': "),
        (["tournament", "--bots", "random", "external: x"], "bot 'external: x': a name has"),
        (["serve", "--concurrency", "-1"], "--concurrency must be at least 1, not -1"),
        (["serve", "--time", "1+"], "time '1+' is not BASE or BASE+INCREMENT"),
        (["serve", "--stones", "-3"], "stones must be at least 1, not -3"),
        (["serve", "--port", "x"], "argument --port: invalid int value: 'x'"),
    ],
)
def test_a_bad_argument_is_one_line(arena: Run, arguments: list[str], line: str) -> None:
    end = arena(*arguments)
    assert (end.status, end.out, end.err.count("\n")) == (2, "", 1)
    assert end.err.startswith(f"arena: {line}")


def test_a_parameter_of_another_game(arena: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    size = Parameter("squares on a side", minimum=1, usual=(7,))
    other = GAMES["take_stones"]._replace(parameters={"size": size})
    monkeypatch.setitem(GAMES, "other", other)
    games = ["isolation", "take_stones"]
    line = "arena: isolation and take_stones has no size\n"
    assert arena("serve", "--game", *games, "--size", 5) == Ended(2, "", line)


def test_a_game_without_parameters(arena: Run) -> None:
    line = "arena: isolation has no stones\n"
    assert arena(*pair("--game", "isolation", "--stones", "5")) == Ended(2, "", line)


def last_line(end: Ended) -> Ended:
    return end._replace(err=end.err.splitlines()[-1])


def test_an_unknown_bot(db: Path, arena: Run) -> None:
    line = "arena: bot chess has left: there is no bot 'chess', but random, greedy, spec, perfect"
    end = arena("tournament", "--bots", "random", "chess", "--db", db)
    assert last_line(end) == Ended(2, "", line)


def test_an_unknown_bot_does_not_bind_the_database(db: Path, arena: Run) -> None:
    arena("tournament", "--bots", "random", "chess", "--stones", "3", "--db", db)
    assert (
        arena("tournament", "--bots", "random", "greedy", "--stones", "3", "--db", db).status == 0
    )


@pytest.mark.parametrize("command", [SMALL, ["serve"]])
def test_a_port_in_use(db: Path, arena: Run, command: list[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        line = f"arena: cannot listen on 127.0.0.1 port {port}: Address already in use"
        assert last_line(arena(*command, "--port", port, "--db", db)) == Ended(2, "", line)


@pytest.mark.parametrize(
    ("host", "port", "reason"),
    [("127.0.0.1", 65536, "port must be 0-65535"), ("x" * 64, 0, "label")],
)
def test_nowhere_to_listen(db: Path, arena: Run, host: str, port: int, reason: str) -> None:
    end = last_line(arena("serve", "--host", host, "--port", port, "--db", db))
    assert end.err.startswith(f"arena: cannot listen on {host} port {port}: ")
    assert (end.status, end.out, reason in end.err) == (2, "", True)


def test_a_host_that_nobody_knows(db: Path, arena: Run) -> None:
    end = last_line(arena("serve", "--host", "nowhere.invalid", "--port", 0, "--db", db))
    assert end.err.startswith("arena: cannot listen on nowhere.invalid port 0: ")
    assert (end.status, "Unknown error" in end.err) == (2, False)


@pytest.mark.parametrize("command", [SMALL, ["serve"]])
def test_no_folder_for_the_database(tmp_path: Path, arena: Run, command: list[str]) -> None:
    path = tmp_path / "no" / "arena.db"
    line = f"arena: cannot write to {path}: No such file or directory\n"
    assert arena(*command, "--db", path) == Ended(1, "", line)


def test_a_database_in_use(db: Path, arena: Run) -> None:
    with Store(db):
        line = f"arena: another arena is writing to {db}\n"
        assert arena(*SMALL, "--db", db) == Ended(1, "", line)


# Analysis


def test_accuracies_are_printed(complete: Path, arena: Run) -> None:
    end = arena("analyse", complete)
    assert (end.status, end.err) == (0, "")
    assert end.out.startswith("take_stones\n\n#  bot     games  kept  blunders  accuracy")


def test_accuracies_stand_beside_the_score(complete: Path, arena: Run) -> None:
    assert "accuracy" not in arena("standings", complete).out
    arena("analyse", complete)
    assert "lost  accuracy" in arena("standings", complete).out


def test_accuracies_as_json_are_those_in_the_standings(complete: Path, arena: Run) -> None:
    facts = json.loads(arena("analyse", complete, "--json").out)["take_stones"]
    table = json.loads(arena("standings", complete, "--json").out)["standings"]["take_stones"]
    assert {line["bot"]: line["accuracy"] for line in table} == facts
    assert sum(accuracy["games"] for accuracy in facts.values()) == 12


def test_what_has_been_analysed_is_remembered(
    complete: Path, arena: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = arena("analyse", complete)
    monkeypatch.delattr("arena.__main__.judge")
    assert arena("analyse", complete) == first


def test_only_what_is_new_is_analysed(db: Path, arena: Run) -> None:
    with Store(db) as store:
        for number in (1, 2):
            pairing = Pairing(None, ("a", "b"), "take_stones", {"stones": 3})
            record = a_record(pairing, 1, moves=(PlayedMove(0, 1, 0.0, 0.0, 0.0),), attempt=number)
            store.begin(pairing, "5", 0.0).result()
            store.finish(record).result()
        store.save_verdicts(1, "k").result()
    assert json.loads(arena("analyse", db, "--json").out)["take_stones"]["a"]["games"] == 2
    with Records(db) as records:
        assert records.verdicts() == {1: "k", 2: "f"}


def test_perfect_makes_no_blunder(db: Path, arena: Run) -> None:
    bots = ["--bots", "perfect", "random", "--stones", 20, 30, 100, "--seed", 1]
    arena("tournament", *bots, "--db", db)
    accuracies = json.loads(arena("analyse", db, "--json").out)["take_stones"]
    assert (accuracies["perfect"]["share"], accuracies["random"]["share"] < 1) == (1.0, True)


def test_a_game_without_a_solver_is_not_analysed(db: Path, arena: Run) -> None:
    arena("tournament", "--game", "isolation", "--bots", "random", "greedy", "--db", db)
    line = "arena: isolation has no solver, its matches are not analysed\n"
    assert arena("analyse", db) == Ended(0, "", line)


def test_perfect_does_not_play_a_game_without_a_solver(db: Path, arena: Run) -> None:
    bots = ["--bots", "perfect", "random", "--game", "isolation"]
    line = "arena: bot perfect has left: this arena plays isolation (unknown_game)"
    assert last_line(arena("tournament", *bots, "--db", db)) == Ended(2, "", line)


def test_no_database_to_analyse(tmp_path: Path, arena: Run) -> None:
    path = tmp_path / "none.db"
    assert arena("analyse", path) == Ended(1, "", f"arena: there is no database {path}\n")


# Standings


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_standings_are_what_the_tournament_prints(
    complete: Path, arena: Run, form: list[str]
) -> None:
    end = arena(*SMALL, *form, "--db", complete)
    assert arena("standings", complete, *form) == Ended(0, end.out, "")


def test_standings_of_no_database(tmp_path: Path, arena: Run) -> None:
    path = tmp_path / "none.db"
    assert arena("standings", path) == Ended(1, "", f"arena: there is no database {path}\n")


def test_standings_of_another_database(tmp_path: Path, arena: Run) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE plan (plan)")
    line = f"arena: {path} is not a database of the arena\n"
    assert arena("standings", path) == Ended(1, "", line)


def test_standings_of_something_else(tmp_path: Path, arena: Run) -> None:
    path = tmp_path / "letter.db"
    path.write_text("Dear Sir or Madam, " * 100)
    end = arena("standings", path)
    assert (end.status, end.out, end.err.count("\n")) == (1, "", 1)
    assert end.err.startswith(f"arena: cannot read {path}: ")


@pytest.mark.parametrize(
    "command",
    [["standings"], ["standings", "--json"], ["analyse"], ["analyse", "--json"], ["--help"]],
    ids=" ".join,
)
def test_a_full_disk_is_one_line(complete: Path, command: list[str]) -> None:
    where = [] if "--help" in command else [str(complete)]
    with open("/dev/full", "w") as full:
        end = subprocess.run(
            [*COMMAND, *command, *where],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env=ENVIRONMENT,
            check=False,
        )
    assert (end.returncode, end.stderr) == (1, "arena: cannot write: No space left on device\n")


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


# Help


@pytest.mark.parametrize("command", [[], ["tournament"], ["serve"], ["standings"], ["analyse"]])
def test_help(arena: Run, command: list[str]) -> None:
    end = arena(*command, "--help")
    assert (end.status, end.err) == (0, "")
    assert end.out.startswith(" ".join(["usage: arena", *command]))


def test_help_imports_nothing_heavy() -> None:
    command = [sys.executable, "-X", "importtime", "-m", "arena", "--help"]
    err = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    imported = {line.rpartition("|")[2].strip() for line in err.splitlines()}
    assert "argparse" in imported
    assert not imported & {"rich", "numpy"}
