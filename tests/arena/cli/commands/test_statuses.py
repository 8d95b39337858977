"""Exit statuses of all commands: 2 for what is wrong before anything starts, 1 for a failure."""

from pathlib import Path

import pytest

from arena.__main__ import main
from arena.cli.parser import parser
from arena.storage.writer import DatabaseWriter
from tests.support.cases import loop_over
from tests.support.servers.arena_command import Run

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
    "sweep": ("--bots", "random", "greedy"),
    "serve": ("--port", "0"),
}
MISSING = [
    *((name, "missing.db", *words) for name, words in READING.items()),
    *((name, *words, "--db", "missing/x.db") for name, words in PLAYING.items()),
    ("tournament", "missing.toml"),
    ("tournament", "--book", "missing.txt"),
    ("tournament", "--submissions", "missing"),
    ("tournament", "--tokens", "missing.json"),
    ("tournament", "--bot-files", "missing"),
    ("tournament", "--events", "missing/events"),
    ("serve", "--tokens", "missing.json"),
    ("serve", "--log", "missing/log"),
    ("sweep", "--output", "missing/page.html"),
    ("sweep", "--bot-files", "missing"),
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
    ("check", "--bot", "stdio:./missing"),
    ("check-game", "missing"),
    ("games", "missing"),
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


@loop_over("words", MISSING)
def test_missing_file(arena: Run, folder: Path, words: tuple[str, ...]) -> None:
    check_refusal(arena, folder, *words)


@loop_over("words", WRONG_KIND)
def test_file_of_another_kind(arena: Run, folder: Path, words: tuple[str, ...]) -> None:
    check_refusal(arena, folder, *words)


@pytest.mark.slow
@loop_over("words", UNPLAYABLE)
@loop_over("command", ["tournament", "tournament --in-process", "sweep"])
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
    words = ["--submissions", "class", "--sandbox", "off", "--bots", "random", bot]
    check_refusal(arena, folder, "tournament", *words)


@pytest.mark.parametrize("name", PLAYING)
def test_database_in_use(arena: Run, folder: Path, name: str) -> None:
    with DatabaseWriter(folder / "own.db"):
        end = arena(name, *PLAYING[name], "--db", "own.db")
    assert (end.status, end.out) == (1, "")  # it may work later
    assert end.err == "arena: another arena is writing to own.db\n"


def test_every_command_is_in_the_table() -> None:
    (commands,) = (action for action in parser()._actions if action.dest == "command")
    assert {words[0] for words in MISSING} == {*(commands.choices or ())}


def test_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tournament", "--no-such-flag"]) == 2
    assert capsys.readouterr().out == ""
