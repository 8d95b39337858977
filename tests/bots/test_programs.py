"""Users' programs that play one match after another."""

import shlex
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from arena.model.results import MAX_LOG, Info
from arena.protocol.player import Move, Turn
from arena.sandbox.limits import Policy
from arena.sandbox.sandbox import UNPROTECTED, SandboxUnavailable
from bots.client import ProgramFailed
from bots.program_bot import ProgramBot
from bots.programs import SerialStdioBot, create_program
from bots.specification import BotSpec
from bots.stdio import StdioBot
from tests.support.games.user_programs import GOOD_LINES, faulty_lines, six_lines, write_programs
from tests.support.polling import join, wait_until

TURN = Turn("7", "take_stones", {"stones": 20}, [3], 1, 2, (5000, 5000), 0, "o")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_programs(tmp_path / "bots")


@contextmanager
def serial_bot(command: str, folder: Path | None) -> Iterator[SerialStdioBot]:
    bot = SerialStdioBot(shlex.split(command.removeprefix("stdio:")), UNPROTECTED, folder)
    with closing(bot):
        yield bot


def note(failure: pytest.ExceptionInfo[BaseException]) -> str:
    [text] = failure.value.__notes__
    return str(text)


@pytest.mark.parametrize(
    ("spec", "matches", "kind"),
    [
        (GOOD_LINES, None, SerialStdioBot),
        (GOOD_LINES, 2, StdioBot),
        (six_lines(), None, ProgramBot),
        (six_lines(), 2, ProgramBot),
    ],
)
def test_kinds_of_programs(folder: Path, spec: str, matches: int | None, kind: type) -> None:
    with closing(create_program(BotSpec.parse(spec), None, folder, matches)) as bot:
        assert isinstance(bot, kind)
        bot.start()
        assert bot.answer(TURN) in (1, Move("7", 1, 1))


def test_folders_may_be_relative_but_not_missing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(folder.parent)
    with closing(create_program(BotSpec.parse(GOOD_LINES), None, Path("bots"))) as bot:
        bot.start()
        assert bot.answer(TURN) == Move("7", 1, 1)
        assert bot.name == "lines.sh"
    with pytest.raises(ValueError, match=r"/absent are not a folder$"):
        create_program(BotSpec.parse(GOOD_LINES), None, tmp_path / "absent")


def test_programs_that_cannot_run(folder: Path) -> None:
    with pytest.raises(ValueError, match=r"^bot .*: program '\./absent' not found$"):
        create_program(BotSpec.parse("program:./absent"), None, folder)


def test_a_missing_sandbox(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.sandbox.sandbox.bubblewrap_problem", lambda: "it is absent")
    with pytest.raises(SandboxUnavailable, match=r"^--sandbox require: it is absent$"):
        create_program(BotSpec.parse(GOOD_LINES), Policy.REQUIRE, folder)
    assert create_program(BotSpec.parse(GOOD_LINES), None, folder).sandbox.notice is None
    notice = "programs run with limits, but not isolated: it is absent"
    assert create_program(BotSpec.parse(six_lines()), None, folder).sandbox.notice == notice


def test_a_program_is_kept_for_the_next_match(folder: Path) -> None:
    script = "import os\nwhile input(): print(os.getpid(), flush=True)"
    with serial_bot(shlex.join([sys.executable, "-c", script]), folder) as bot:
        answers = set()
        for _ in range(2):
            bot.start()
            answers.add(bot.answer(TURN))
    assert len(answers) == 1


def test_a_program_that_has_ended_is_started_again(folder: Path) -> None:
    with serial_bot(faulty_lines("exits"), folder) as bot:
        for _ in range(2):
            bot.start()
            with pytest.raises(ProgramFailed, match=r"ended with status 3") as failure:
                bot.answer(TURN)
            assert note(failure) == "mode exits"


def test_a_program_that_ends_between_matches_is_started_again(folder: Path) -> None:
    with serial_bot("sh -c 'read line; echo 1'", folder) as bot:
        bot.start()
        assert bot.answer(TURN) == Move("7", 1, 1)
        assert bot._program
        join(bot._program._reader)
        bot.start()
        assert bot.answer(TURN) == Move("7", 1, 1)


def test_a_program_without_output_has_no_log(folder: Path) -> None:
    with serial_bot("sh -c 'read line; exit 4'", folder) as bot:
        bot.start()
        with pytest.raises(ProgramFailed, match=r"^sh ended with status 4$") as failure:
            bot.answer(TURN)
    assert not hasattr(failure.value, "__notes__")


def test_a_program_that_closes_its_input(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bots.stdio.END_SECONDS", 0.05)
    script = "sh -c 'exec <&-; echo closed >&2; sleep 3600'"
    with serial_bot(script, folder) as bot:
        bot.start()
        program = bot._program
        assert program
        wait_until(lambda: program.log, "output of the program")
        with pytest.raises(ProgramFailed, match=r"^sh closed its input") as failure:
            bot.answer(TURN)
        assert note(failure) == "closed"


def test_a_program_resigns(folder: Path) -> None:
    with serial_bot(faulty_lines("resigns"), folder) as bot:
        bot.start()
        assert bot.answer(TURN) is None


def test_the_log_of_a_move_is_the_end_of_what_was_written_in_the_match(folder: Path) -> None:
    script = "read a; echo first >&2; echo 1; read b; printf '%05000d' 7 >&2; echo 1; read c"
    with serial_bot(f'sh -c "{script}"', folder) as bot:
        bot.start()
        assert bot.answer(TURN) == Move("7", 1, 1, "first")
        bot.start()
        answer = bot.answer(TURN)
        assert isinstance(answer, Move)
        assert answer.log
        assert (len(answer.log), answer.log[-2:]) == (MAX_LOG, "07")


def test_lines_that_are_no_answers_are_in_the_log(folder: Path) -> None:
    with serial_bot("sh -c 'read a; echo three; echo 1; read b'", folder) as bot:
        bot.start()
        assert bot.answer(TURN) == Move(
            "7", 1, 1, "bots: ignored output 'three' (expected a number or resign)"
        )


def test_a_program_may_close_its_standard_error(folder: Path) -> None:
    with serial_bot("sh -c 'exec 2>&-; read a; echo 1; read b; echo 2'", folder) as bot:
        bot.start()
        assert [bot.answer(TURN), bot.answer(TURN)] == [Move("7", 1, 1), Move("7", 1, 2)]


def test_a_program_is_killed_if_it_is_late(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serial_bot(faulty_lines("hangs"), folder) as bot:
        bot.start()
        program = bot._program
        assert program

        def interrupt(_line: str) -> None:
            wait_until(lambda: program.log, "output of the program")
            raise KeyboardInterrupt

        monkeypatch.setattr(program, "ask", interrupt)
        with pytest.raises(KeyboardInterrupt) as failure:
            bot.answer(TURN)
        assert note(failure) == "mode hangs"
        assert program.has_ended


def test_information_is_in_the_message() -> None:
    command = "sh -c 'while read line; do echo 1 depth=3; done'"
    with serial_bot(command, None) as bot:
        bot.start()
        assert bot.answer(TURN) == Move("7", 1, 1, info=Info(depth=3))


def test_variables_are_passed_to_a_program_in_the_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEVEL", "23")
    command = "stdio:sh -c 'while read line; do echo 1${LEVEL}; done'"
    for passed, move in ((["LEVEL"], 123), ([], 1)):
        program = create_program(BotSpec.parse(command), Policy.AUTO, None, 1, passed=passed)
        with closing(program) as bot:
            bot.start()
            assert bot.answer(TURN) == move
