"""Bot that starts a program for each move."""

import re
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.protocol.player import Failure, Move, Resign, Turn
from arena.sandbox.limits import Policy
from arena.sandbox.run import Run, run
from arena.sandbox.sandbox import UNPROTECTED, Sandbox
from bots.program_bot import Completed, ProgramBot, ProgramError, judge, log_of
from bots.specification import BotSpec
from core import GAMES
from core.take_stones.six_lines import Answer
from tests.support.polling import TEST_TIMEOUT

FORMAT = GAMES["take_stones"].program

# Prints six lines with the smallest legal move, and writes its arguments to a file; at a depth that
# is listed in `special`, it does something else.
PROGRAM = """
import sys, time
stones, count, *taken, depth = map(int, sys.argv[1:])
with open({log!r}, "a") as file:
    file.write(" ".join(sys.argv[1:]) + "\\n")
special = {special!r}
if depth in special:
    exec(special[depth])
move = next(n for n in range(1, stones + 1) if n not in taken and (
    n % 2 and 2 * n < stones if not taken else n % taken[-1] == 0 or taken[-1] % n == 0))
print("Move:", move)
print("Value: 0.5\\nNumber of Nodes Visited: 3\\nNumber of Nodes Evaluated: 1")
print("Max Depth Reached:", min(depth, {reached}))
print("Avg Effective Branching Factor: 1.0")
"""


def program_bot(command: str, sandbox: Sandbox = UNPROTECTED) -> ProgramBot:
    return ProgramBot(BotSpec.parse(f"program:{command}"), sandbox)


class Fixture:
    """Bot with a program, which logs the arguments of its runs."""

    def __init__(self, folder: Path) -> None:
        self._script, self._log = folder / "program.py", folder / "log"

    def bot(
        self, option: str = "", special: dict[int, str] | None = None, reached: int = 3
    ) -> ProgramBot:
        return program_bot(f"{option} {self.write(special, reached)}")

    def write(self, special: dict[int, str] | None = None, reached: int = 3) -> str:
        """Write the program and return its command."""
        values = {"log": str(self._log), "special": special or {}, "reached": reached}
        self._script.write_text(PROGRAM.format(**values))
        return shlex.join([sys.executable, str(self._script)])

    def runs(self) -> list[str]:
        return self._log.read_text().splitlines()


@pytest.fixture
def program(tmp_path: Path) -> Fixture:
    """Return a fixture for a program in an empty folder."""
    return Fixture(tmp_path)


def make_turn(moves: list[int], milliseconds: int = 60_000_000) -> Turn:
    """Return a turn with 20 stones and a clock for the move."""
    clocks = (milliseconds, milliseconds)
    setup = {"stones": 20}
    return Turn("1", "take_stones", setup, moves, len(moves), 1, clocks, 0, "o", per_move=True)


def failure(answer: Move | Resign) -> Failure:
    assert isinstance(answer, Resign)
    assert answer.failure
    return answer.failure


def test_a_fixed_depth(program: Fixture) -> None:
    assert program.bot("depth=5").answer(make_turn([3, 6])) == Move("1", 2, 1)
    assert program.runs() == ["20 2 3 6 5"]


def test_deepening_ends_with_the_tree(program: Fixture) -> None:
    assert program.bot(reached=2).answer(make_turn([])) == Move("1", 0, 1)
    assert program.runs() == ["20 0 1", "20 0 2", "20 0 3"]


def test_deepening_ends_before_the_time(program: Fixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bots.program_bot.GROWTH", 1e6)
    assert program.bot().answer(make_turn([])) == Move("1", 0, 1)
    assert program.runs() == ["20 0 1"]


def test_deepening_ends_at_a_depth(program: Fixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bots.program_bot.LAST_DEPTH", 2)
    assert program.bot(reached=99).answer(make_turn([])) == Move("1", 0, 1)
    assert program.runs() == ["20 0 1", "20 0 2"]


def test_a_deeper_search_that_takes_too_long_does_not_count(
    program: Fixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[float] = []

    def run_deeper_briefly(*arguments: Any) -> Run:
        given.append(arguments[-1])
        seconds = 0.1 if len(given) > 1 else given[0]
        return run(*[*arguments[:-1], seconds])

    monkeypatch.setattr("bots.program_bot.GROWTH", 0.0)
    monkeypatch.setattr("bots.program_bot.MOVE_SECONDS", 2 * TEST_TIMEOUT)
    monkeypatch.setattr("bots.program_bot.allowance", lambda _: TEST_TIMEOUT)
    monkeypatch.setattr("bots.program_bot.run", run_deeper_briefly)
    bot = program.bot(special={2: "time.sleep(3600)"})
    assert bot.answer(make_turn([], 10**7)) == Move("1", 0, 1)
    first, deeper = given
    assert deeper < TEST_TIMEOUT < first < 2 * TEST_TIMEOUT


def test_a_deeper_search_that_crashes_does(program: Fixture) -> None:
    answer = program.bot(special={2: "sys.exit(7)"}).answer(make_turn([]))
    assert failure(answer).reason.endswith(" at depth 2 ended with status 7")


@pytest.mark.parametrize(
    ("text", "termination", "reason", "log"),
    [
        (
            "print('thinking', flush=True); time.sleep(3600)",
            "timeout",
            r"took more than 0\.[0-9]+ s",
            None,
        ),
        (
            "print('oh'); print('no', file=sys.stderr); sys.exit(3)",
            "disconnect",
            "ended with status 3",
            "standard output:\noh\nstandard error:\nno",
        ),
        ("import os; os.kill(os.getpid(), 9)", "disconnect", "ended with SIGKILL", ""),
        ("print('x' * 70_000)", "disconnect", "wrote more than 65536 bytes", None),
        ("sys.exit()", "malformed", "printed no line 'Move:'", ""),
    ],
)
def test_failures(
    program: Fixture, text: str, termination: str, reason: str, log: str | None
) -> None:
    milliseconds = 300 if termination == "timeout" else 60_000
    bot = program.bot("depth=4", special={4: text})
    found = failure(bot.answer(make_turn([], milliseconds)))
    assert found.termination == termination
    assert re.fullmatch(rf"python[0-9.]* at depth 4 {reason}", found.reason)
    assert log is None or found.log == log


def test_an_illegal_move_has_a_log(program: Fixture) -> None:
    answer = program.bot("depth=4", special={4: "stones = 99; taken = [98, 7, 1, 2]"}).answer(
        make_turn([3])
    )
    assert isinstance(answer, Move)
    assert answer.move == 4
    assert answer.log
    assert answer.log.startswith("standard output:\nMove: 4\nValue")


def test_a_program_runs_in_its_folder(program: Fixture, tmp_path: Path) -> None:
    script = program.write(reached=1)
    folder = tmp_path / "a folder"
    (folder / "code").mkdir(parents=True)
    text = (
        f"#!/bin/sh\necho x >> log; cat log \"$1\" >> '{tmp_path}/seen'; shift; exec {script} $*\n"
    )
    (folder / "code" / "mine").write_text(text)
    (folder / "code" / "mine").chmod(0o755)
    (folder / "data").write_text("data\n")
    for options in (f"in='{folder}' cd=code", f"in='{folder}' cd=code depth=1"):
        bot = program_bot(f"{options} ./mine ../data")
        assert bot.answer(make_turn([3, 6])) == Move("1", 2, 1)
    # Each run has written into a copy of its own.
    assert {*(tmp_path / "seen").read_text().split("x\n")} == {"", "data\n"}
    assert not (folder / "code" / "log").exists()


@pytest.mark.needs("bubblewrap")
def test_an_isolated_program_writes_into_a_copy_of_its_folder(tmp_path: Path) -> None:
    text = "pwd; echo x >> log; cat log; echo $LC_ALL"
    bot = program_bot(shlex.join([f"in={tmp_path}", "sh", "-c", text]), Sandbox.of(Policy.REQUIRE))
    for _ in range(2):
        seen = failure(bot.answer(make_turn([])))
        assert seen.log == f"standard output:\n{tmp_path}\nx\nC.UTF-8"
    assert [*tmp_path.iterdir()] == []


@pytest.mark.needs("bubblewrap")
def test_a_program_sees_its_folder_alone(tmp_path: Path) -> None:
    for name in ("own", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "seen").touch()
    text = f"ls {tmp_path} {tmp_path}/own; cat seen {tmp_path}/other/seen"
    sandbox = Sandbox.of(Policy.REQUIRE)
    bot = program_bot(shlex.join([f"in={tmp_path}/own", "sh", "-c", text]), sandbox)
    seen = failure(bot.answer(make_turn([])))
    assert seen.log
    assert f"{tmp_path}:\nown\n" in seen.log
    assert f"{tmp_path}/own:\nseen\n" in seen.log
    assert "other" in seen.log.partition("standard error")[2]


def test_a_program_that_disappears(tmp_path: Path) -> None:
    path = tmp_path / "mybot"
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    bot = program_bot(str(path))
    assert bot.name == "mybot"
    path.unlink()
    found = failure(bot.answer(make_turn([])))
    assert found == Failure("disconnect", "cannot run mybot: No such file or directory")
    bot.close()


def make_run(output: str, status: int = 0, excess: str | None = None) -> Run:
    return Run(status, output.encode(), b"", 0.1, excess)


def test_a_run_may_be_complete_or_a_crash() -> None:
    assert FORMAT
    with pytest.raises(ProgramError) as error:
        judge(make_run("", -9, "used more than 1024 MB of memory"), "x", FORMAT)
    expected = Failure("disconnect", "x used more than 1024 MB of memory")
    assert error.value.failure == expected
    labels = ("Move", "Value", "Number of Nodes Visited", "Number of Nodes Evaluated")
    text = "".join(f"{label}: 1\n" for label in labels)
    run = make_run(f"{text}Max Depth Reached: 1\nAvg Effective Branching Factor: 1\n")
    assert judge(run, "x", FORMAT) == Completed(Answer(1, 1), run)
    with pytest.raises(ProgramError) as error:
        judge(make_run("", 3), "x\n" + "y" * 300, FORMAT)
    assert error.value.failure.reason == "x?" + "y" * 198


def test_logs_are_short() -> None:
    text = "".join(f"line {number}\n" for number in range(100))
    assert log_of(make_run(text)) == "standard output:\n" + "\n".join(
        f"line {number}" for number in range(70, 100)
    )
    assert len(log_of(Run(0, b"x" * 9000, b"y" * 9000, 0.1, None))) <= 4000
