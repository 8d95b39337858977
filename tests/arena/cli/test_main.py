"""Command line of the arena as a whole: errors, help and exit status."""

import argparse
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest

from arena.__main__ import main
from arena.cli.execution import report
from arena.cli.parser import parse, parser
from arena.storage.writer import DatabaseWriter
from core import GAMES
from core.game import Parameter
from tests.support.cases import loop_over
from tests.support.games.installed_games import TOY_GAMES, environment_with, install
from tests.support.games.toy_games import NIM
from tests.support.servers.arena_command import (
    COMMAND,
    SMALL,
    CompletedCommand,
    Run,
    last_line,
    running_process,
    wait_for_exit,
    wait_for_line,
)
from tests.support.tournaments.plans import PLAN


def commands() -> Mapping[str, argparse.ArgumentParser]:
    """Return the parser of each command."""
    [of_commands] = (
        action for action in parser()._actions if isinstance(action, argparse._SubParsersAction)
    )
    return of_commands.choices


# Errors


def pair(*arguments: str) -> list[str]:
    """Return the words of a tournament of two bots."""
    return ["tournament", "--bots", "random", "greedy", *arguments]


@loop_over(
    "arguments, line",
    ([], "the following arguments are required: COMMAND"),
    (["chess"], "COMMAND: invalid choice: 'chess'"),
    (["standings"], "the following arguments are required: DB"),
    (pair("--colour"), "unrecognized arguments: --colour"),
    (["tournament", "x.toml", "--colour", "greedy"], "unrecognized arguments: --colour greedy\n"),
    (["standings", "x.db", "y.db"], "unrecognized arguments: y.db\n"),
    (["tournament", "random", "greedy"], "unrecognized arguments: greedy (bots follow --bots)"),
    (["tournament", "random"], "cannot read random: No such file or directory (bots follow "),
    (["tournament", "random.toml"], "cannot read random.toml: No such file or directory\n"),
    (pair("--rounds", "x"), "--rounds must be a whole number, not 'x'"),
    (pair("--game", "chess"), "--game: unknown game 'chess' (choose from take_stones, "),
    (["tournament", "--bots"], "--bots: expected at least one argument"),
)
def test_invalid_arguments_print_one_line(arena: Run, arguments: list[str], line: str) -> None:
    end = arena(*arguments)
    assert (end.status, end.out, end.err.count("\n")) == (2, "", 1)
    assert end.err.startswith(f"arena: {line}")


INTERNALS = re.compile(
    r"Expected `|invalid \w+ value|\{'|\['|<class|object at 0x|NoneType|Error\b|\$\."
)
WRONG = ("", "=weird", "1.5", 40 * "9")


@loop_over(
    "flag",
    [
        action.option_strings[-1]
        for action in commands()["tournament"]._actions
        if action.option_strings and action.nargs != 0
    ],
)
def test_no_message_about_a_wrong_value_names_internals(
    flag: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arena: Run
) -> None:
    monkeypatch.chdir(tmp_path)
    for value in WRONG:
        end = arena(*pair("--dry-run", "--seed", "1", f"{flag}={value}"))
        assert not INTERNALS.search(end.err)
        assert not end.status or (end.out, end.err.count("\n")) == ("", 1)


def test_a_game_with_the_name_of_an_option_as_a_parameter_is_named(
    arena: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = NIM._replace(parameters={"time": NIM.parameters["heap"]})
    monkeypatch.setitem(GAMES, NIM.name, game)
    line = (
        "arena: warning: game 'misere_nim' cannot be played here: its parameter 'time' has the"
        " name of an option of arena tournament\n"
    )
    assert arena(*pair("--dry-run", "--seed", "1")).err.startswith(line)


def test_parameter_of_another_game(arena: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    side = Parameter("squares on a side", minimum=1, usual=(7,))
    other = GAMES["take_stones"]._replace(parameters={"side": side})
    monkeypatch.setitem(GAMES, "other", other)
    games = ["isolation", "take_stones"]
    line = "arena: isolation and take_stones has no parameter --side\n"
    assert arena("serve", "--game", *games, "--side", 5) == CompletedCommand(2, "", line)


# Games of installed packages

UNUSABLE = (
    "game 'broken' of package 'broken-arena' cannot be used:"
    " ModuleNotFoundError: No module named 'no_such_module'\n"
)


@pytest.fixture
def packages(tmp_path: Path) -> dict[str, str]:
    """Install a game and a broken one; return the environment that has them."""
    folder = tmp_path / "packages"
    folder.mkdir()
    install(folder, "nim-arena", {"misere_nim": f"{TOY_GAMES}:NIM"})
    install(folder, "broken-arena", {"broken": "no_such_module:GAME"})
    return environment_with(folder)


def run_with(packages: dict[str, str], *arguments: object) -> CompletedCommand:
    with running_process(*COMMAND, *arguments, env=packages) as process:
        return wait_for_exit(process)


@pytest.mark.usefixtures("measured")
def test_an_unusable_game_is_named_once(db: Path, packages: dict[str, str]) -> None:
    bots = ["--bots", "random", "greedy", "--game", "misere_nim", "--quiet"]
    end = run_with(packages, "tournament", *bots, "--db", db)
    assert (end.status, end.err) == (0, f"arena: warning: {UNUSABLE}")
    assert "random" in end.out


def test_a_request_for_an_unusable_game_says_why(packages: dict[str, str]) -> None:
    end = run_with(packages, *pair("--game", "broken"))
    assert end == CompletedCommand(2, "", f"arena: --game: {UNUSABLE}")


@pytest.mark.usefixtures("measured")
def test_a_json_log_has_no_warning(db: Path, packages: dict[str, str]) -> None:
    words = ["serve", "--port", 0, "--db", db, "--log", "-"]
    with running_process(*COMMAND, *words, env=packages) as process:
        assert wait_for_line(process, "^(.*)\n").startswith('{"')
        process.terminate()
        assert wait_for_exit(process).status == 130


def test_a_stored_tournament_of_an_unknown_game(db: Path, arena: Run) -> None:
    with DatabaseWriter(db) as writer:
        writer.save_plan(replace(PLAN, game="chess").to_json())
    assert arena("standings", db).status == 0
    end = arena("tournament", "--bots", "random", "greedy", "--game", "chess", "--db", db)
    assert (end.status, end.out) == (2, "")
    assert "'chess' (choose from " in end.err


@loop_over(
    "host, reason",
    ("x" * 64, "label"),
    ("nowhere.invalid", ""),
)
def test_invalid_addresses(db: Path, arena: Run, host: str, reason: str) -> None:
    end = last_line(arena("serve", "--host", host, "--port", 0, "--db", db))
    assert end.err.startswith(f"arena: cannot listen on {host} port 0: ")
    assert (end.status, end.out, reason in end.err) == (2, "", True)
    assert "Unknown error" not in end.err


# Standings


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_standings_equal_the_tournaments(complete: Path, arena: Run, form: list[str]) -> None:
    end = arena(*SMALL, *form, "--db", complete)
    assert arena("standings", complete, *form) == CompletedCommand(0, end.out, "")


@pytest.mark.parametrize("command", [["standings"], ["export"], ["--help"]], ids=" ".join)
def test_full_disk_prints_one_line(complete: Path, command: list[str]) -> None:
    where = [] if "--help" in command else [str(complete)]
    with open("/dev/full", "w") as full:
        end = subprocess.run(
            [*COMMAND, *command, *where],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert (end.returncode, end.stderr) == (1, "arena: cannot write: No space left on device\n")


def test_an_interrupt_is_reported_from_when_a_command_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    handlers = []

    def noted(result: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: object) -> object:
            handlers.append(signal.getsignal(signal.SIGINT))
            return result(*arguments)

        return call

    monkeypatch.setattr(sys, "argv", ["arena", "games"])
    monkeypatch.setattr("arena.__main__.parse", noted(parse))
    monkeypatch.setattr("arena.cli.execution.run", noted(lambda _: 0))
    assert main() == main(["games"]) == 0
    usual = signal.default_int_handler
    assert handlers == [signal.SIG_DFL, usual, usual, usual]


INTERRUPTED_IMPORT = """
import sys
import arena.cli.execution
from arena.__main__ import main

class Interrupted:
    def __getattr__(self, name):
        exec("import os, signal; os.kill(os.getpid(), signal.SIGINT); [*range(10_000)]")

sys.modules["arena.cli.commands.games"] = Interrupted()
sys.exit(main(["games"]))
"""


def test_an_interrupted_import_ends_with_a_status(tmp_path: Path) -> None:
    (tmp_path / "interrupted.py").write_text(INTERRUPTED_IMPORT)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    with running_process(sys.executable, "-m", "interrupted", env=environment) as process:
        assert wait_for_exit(process) == CompletedCommand(130, "", "arena: stopped\n")


def run_without_a_reader(*arguments: object) -> tuple[int, str]:
    """Run a command whose reader has exited; return its status and its standard error."""
    reading, writing = os.pipe()
    os.close(reading)
    end = subprocess.run(
        [*COMMAND, *map(str, arguments)],
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(writing)
    return end.returncode, end.stderr


@pytest.mark.parametrize("command", [["export"], ["--help"]], ids=" ".join)
def test_commands_end_quietly_when_the_reader_exits(complete: Path, command: list[str]) -> None:
    where = [] if "--help" in command else [complete]
    assert run_without_a_reader(*command, *where) == (141, "")


@pytest.mark.slow
def test_events_without_a_reader(db: Path, arena: Run) -> None:
    words = [*SMALL, "--quiet", "--db", db]
    assert run_without_a_reader(*words, "--events", "-") == (141, "")
    assert arena(*words).status == 0  # it continues


# Help


@loop_over("command", [[], ["tournament"], ["serve"], ["standings"], ["analyse"]])
def test_help(arena: Run, command: list[str]) -> None:
    end = arena(*command, "--help")
    assert (end.status, end.err) == (0, "")
    assert end.out.startswith(" ".join(["usage: arena", *command]))


def test_tournaments_import_nothing_heavy() -> None:
    heavy = {"numpy", "rich", "arena.cli.class_tournament", "arena.cli.grid"}
    program = f"import arena.cli.playing, sys; print({heavy} & {{*sys.modules}})"
    command = [sys.executable, "-c", program]
    end = subprocess.run(command, capture_output=True, text=True, check=True)
    assert end.stdout == "set()\n"


@loop_over(
    "words",
    *("standings DB", "verify DB", "plot DB", "export DB", "games", "completion bash", "--help"),
    *(
        "--version",
        "tournament --dry-run",
        "trace --game take_stones --depth 1",
        "check --bot random",
    ),
)
def test_what_cannot_be_printed_is_an_error(
    complete: Path, words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command = [str(complete) if word == "DB" else word for word in words.split()]
    monkeypatch.setattr(sys, "stdout", None)
    assert main(command) == 1
    assert capsys.readouterr().err.endswith("arena: cannot write: standard output is closed\n")


def test_standard_output_that_is_closed_and_not_used(
    complete: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    assert main([*SMALL, "--events", "-", "--db", str(complete.with_name("new.db"))]) == 2
    monkeypatch.setattr(sys, "stdout", None)
    assert main(["export", str(complete), "--output", str(complete.with_name("x.pgn"))]) == 0


def test_names_in_the_encoding_of_the_locale(
    complete: Path, arena: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    arena("rename", complete, "greedy", "J\xfcrgen")
    for command, name in (("standings", b"J\\xfcrgen"), ("plot", "J\xfcrgen".encode())):
        written = BytesIO()
        monkeypatch.setattr(sys, "stdout", TextIOWrapper(written, encoding="ascii"))
        assert main([command, str(complete)]) == 0
        sys.stdout.flush()
        assert name in written.getvalue()


def test_a_reader_that_has_exited(complete: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    stream = os.fdopen(writer, "w")
    monkeypatch.setattr(sys, "stdout", stream)
    assert main(["standings", str(complete)]) == 141
    with pytest.raises(BrokenPipeError):  # what was not written stays in its buffer
        stream.close()


@loop_over("command", ["arena standings missing.db", "bot random --dry-run"])
@pytest.mark.usefixtures("measured")
def test_no_file_takes_the_place_of_a_closed_stream(command: str) -> None:
    name = command.split()[0]
    program = f"""
import sys, take_stones_arena
sys.argv = {command.split()}
take_stones_arena.{name}()
print(open("/dev/null").fileno())
"""
    shell = ["sh", "-c", 'exec "$@" <&- 2>&-', "sh", sys.executable, "-c", program]
    end = subprocess.run(shell, stdout=subprocess.PIPE, text=True, check=True)
    assert int(end.stdout.splitlines()[-1]) > 2


def test_a_fault_of_the_arena_is_raised_again() -> None:
    with pytest.raises(ZeroDivisionError):
        report(ZeroDivisionError(), None)
