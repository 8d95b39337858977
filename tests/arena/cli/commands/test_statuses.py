"""Exit statuses of all commands: 2 for what is wrong before anything starts, 1 for a failure."""

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from arena.__main__ import main
from arena.cli.parser import parser
from arena.model.results import MatchResult, Termination
from arena.storage.jsonl import format_record
from arena.storage.schema import VERSION
from arena.storage.writer import DatabaseWriter
from tests.support.cases import loop_over
from tests.support.servers.arena_command import Run
from tests.support.tournaments.databases import (
    DOWNGRADE_TO_VERSION_2,
    DOWNGRADE_TO_VERSION_3,
    DOWNGRADE_TO_VERSION_4,
    MOVES,
    PLAN,
    make_database,
    run_script,
)
from tests.support.tournaments.records import make_pairing, make_record

READING = {
    "standings": (),
    "report": ("--output", "page.html"),
    "export": (),
    "verify": (),
    "analyse": (),
    "view": ("--port", "0"),
    "plot": (),
}
PLAYING = {
    "tournament": ("--bots", "random", "greedy"),
    "serve": ("--port", "0"),
}
MISSING = [
    *((name, "missing.db", *words) for name, words in READING.items()),
    *((name, *words, "--db", "missing/x.db") for name, words in PLAYING.items()),
    ("tournament", "missing.toml"),
    ("tournament", "--book", "missing.txt"),
    ("class", "missing"),
    ("tournament", "--tokens", "missing.json"),
    ("tournament", "--bot-files", "missing"),
    ("tournament", "--events", "missing/events"),
    ("serve", "--tokens", "missing.json"),
    ("serve", "--log", "missing/log"),
    ("bot", "stdio:./missing"),
    ("report", "own.db", "--output", "missing/page.html"),
    ("export", "own.db", "--output", "missing/x.pgn"),
    ("plot", "own.db", "--output", "missing/x.svg"),
    ("merge", "own.db", "missing.db", "--output", "x.db"),
    ("merge", "own.db", "own.db", "--output", "missing/x.db"),
    ("import", "missing.pgn", "x.db"),
    ("import", "empty.pgn", "missing/x.db"),
    ("grade", "missing"),
    ("grade", ".", "--output", "note.txt"),
    ("token", "list", "--tokens", "missing.json"),
    ("token", "revoke", "ann", "--tokens", "missing.json"),
    ("token", "add", "ann", "--tokens", "missing/tokens.json"),
    ("ban", "list", "--bans", "missing.json"),
    ("ban", "add", "ann", "--bans", "missing/bans.json"),
    ("serve", "--bans", "missing/bans.json"),
    ("rename", "missing.db", "ann", "bob"),
    ("rename", "", "ann", "bob"),
    ("prune", "missing.db", "--before", "2030-12-31"),
    ("check", "--bot", "stdio:./missing"),
    ("check-game", "missing"),
    ("games", "missing"),
    ("trace", "missing"),
    ("practice", "missing"),
    ("completion", "missing"),
]
WRONG_KIND = [
    *((name, "note.txt", *words) for name, words in READING.items()),
    *((name, *words, "--db", "note.txt") for name, words in PLAYING.items()),
    *((name, *words, "--db", ".") for name, words in PLAYING.items()),
]
UNPLAYABLE = [
    ("gredy",),
    ("spec:-1",),
    ("spec:x",),
    ("perfect", "--game", "isolation"),
    ("stdio:./missing",),
    ("stdio:./note.txt",),
    ("stdio:./no-interpreter",),
    ("program:./missing",),
    ("python:missing:Bot",),
    ("python:mybot:Missing",),
    ("a=random", "a=greedy"),
    (" a=random",),
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a working directory with a database and some files."""
    monkeypatch.chdir(tmp_path)
    with DatabaseWriter(tmp_path / "own.db"):
        pass
    (tmp_path / "note.txt").write_text("Dear Sir or Madam, " * 100)
    (tmp_path / "empty.pgn").touch()
    (tmp_path / "mybot.py").write_text("class Bot:\n  def choose(self, position, clock): ...\n")
    (tmp_path / "no-interpreter").write_text("echo 1\n")
    (tmp_path / "no-interpreter").chmod(0o700)
    return tmp_path


def check_refusal(arena: Run, folder: Path, *words: str) -> str:
    """Check that a command does nothing but print a line."""
    before = files(folder)
    end = arena(*words)
    assert (end.status, end.out, end.err.count("\n")) == (2, "", 1)
    assert end.err.startswith("arena: ")
    assert files(folder) == before
    return end.err


def files(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if "__pycache__" not in path.parts}


@loop_over("words", [*MISSING, *WRONG_KIND])
def test_file_that_is_missing_or_of_another_kind(
    arena: Run, folder: Path, words: tuple[str, ...]
) -> None:
    check_refusal(arena, folder, *words)


@pytest.mark.slow
@loop_over("words", UNPLAYABLE)
@loop_over("command", ["tournament", "tournament --workers"])
def test_unable_to_play(arena: Run, folder: Path, command: str, words: tuple[str, ...]) -> None:
    check_refusal(arena, folder, *command.split(), "--bots", "random", *words)
    check_refusal(arena, folder, *command.split(), "--dry-run", "--bots", "random", *words)


@loop_over("bot", ["cmd:./missing", "cmd:./note.txt"])
def test_command_that_cannot_be_run(arena: Run, folder: Path, bot: str) -> None:
    check_refusal(arena, folder, "tournament", "--bots", "random", bot)


@loop_over("words", [("gredy",), ("perfect", "--game", "isolation"), ("spec:x",)])
def test_bot_that_cannot_be_offered(arena: Run, folder: Path, words: tuple[str, ...]) -> None:
    check_refusal(arena, folder, "serve", "--offer", *words)


@pytest.mark.parametrize("bot", ["gredy", "python:missing:Bot", "stdio:./missing"])
def test_bot_besides_submissions(arena: Run, folder: Path, bot: str) -> None:
    (folder / "class" / "ann").mkdir(parents=True)
    (folder / "class" / "ann" / "main.py").touch()
    words = ["class", "--sandbox", "off", "--bots", "random", bot]
    check_refusal(arena, folder, "class", *words)


@pytest.mark.parametrize("name", PLAYING)
def test_database_in_use(arena: Run, folder: Path, name: str) -> None:
    with DatabaseWriter(folder / "own.db"):
        end = arena(name, *PLAYING[name], "--db", "own.db")
    assert (end.status, end.out) == (1, "")  # it may work later
    assert end.err == "arena: another arena is writing to own.db\n"


# Refused databases


EARLIER = {4: DOWNGRADE_TO_VERSION_4, 3: DOWNGRADE_TO_VERSION_3, 2: DOWNGRADE_TO_VERSION_2}
SMALL_BOTS = ("--bots", "random", "greedy", "--stones", "7")
UNREACHABLE = ("--host", "192.0.2.1")  # an address of no machine (RFC 5737)
# Each ends with an error, whatever matches the database has: some for its plan, some for the host,
# and "verify" as the records are made up.
REFUSING = [
    ("serve", *UNREACHABLE, "--open", "--db", "a.db"),
    ("tournament", *SMALL_BOTS, *UNREACHABLE, "--open", "--db", "a.db"),
    ("tournament", *SMALL_BOTS, "--extend", *UNREACHABLE, "--open", "--db", "a.db"),
    ("tournament", *SMALL_BOTS, "--workers", "--db", "a.db"),
    ("import", "conflict.jsonl", "a.db"),
    ("import", "note.txt", "a.db", "--format", "pgn"),
    ("merge", "a.db", "own.db", "--output", "own.db"),
    ("merge", "a.db", "other.db", "--output", "x.db"),
    ("view", "a.db", *UNREACHABLE),
    ("export", "a.db", "--output", "a.db"),
    ("export", "a.db", "--format", "parquet"),
    ("report", "a.db", "--output", "a.db"),
    ("plot", "a.db", "--output", "a.db"),
    ("standings", "a.db", "--anchor", "nobody=1500"),
    ("verify", "a.db"),
    ("rename", "a.db", "nobody", "eve"),
    ("rename", "a.db", "anna", " eve"),
]


PLAYED = make_record(make_pairing(1), moves=MOVES)


@lru_cache
def database(version: int, plan: str | None) -> bytes:
    """Return a database with a finished match, and one of an arena that was killed."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "a.db"
        make_database(path, [PLAYED, make_record(make_pairing(2), attempt=2)], plan)
        run_script(path, "UPDATE matches SET termination = NULL WHERE id = 2")
        if version in EARLIER:
            run_script(path, EARLIER[version])
        return path.read_bytes()


@pytest.mark.parametrize(
    "version",
    [2, VERSION, *(pytest.param(version, marks=pytest.mark.slow) for version in (3, 4))],
)
@loop_over("plan", [None, PLAN])
@loop_over("words", REFUSING)
def test_a_command_that_refuses_changes_no_database(
    arena: Run, folder: Path, version: int, plan: str | None, words: tuple[str, ...]
) -> None:
    (folder / "a.db").write_bytes(database(version, plan))
    (folder / "other.db").write_bytes(database(version, None if plan else PLAN))
    lost = MatchResult(Termination.RESIGNATION, 2, "player 1 (anna) resigned")
    (folder / "conflict.jsonl").write_text(format_record(replace(PLAYED, result=lost)))
    before = {path: path.read_bytes() for path in files(folder) if path.is_file()}
    end = arena(*words)
    assert end.status in {1, 2}, end
    assert {path: path.read_bytes() for path in files(folder) if path.is_file()} == before


def test_every_command_is_in_the_table() -> None:
    (commands,) = (action for action in parser()._actions if action.dest == "command")
    assert {words[0] for words in MISSING} == {*(commands.choices or ())}


def test_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tournament", "--no-such-flag"]) == 2
    assert capsys.readouterr().out == ""
