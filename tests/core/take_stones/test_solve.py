"""The solver's command line, run as its users run it."""

import json
import os
import re
import resource
import signal
import subprocess
from pathlib import Path
from typing import Any

from core.cli import shown
from core.take_stones import Board
from core.take_stones.solver import WinningOpenings, solve
from tests.support.cases import loop_over
from tests.support.disks import NO_BYTECODE
from tests.support.games.programs import Ended, Program
from tests.support.polling import TEST_TIMEOUT

PROGRAM = Program("take_stones.solve")

FINISHED = [
    ("1", "player 1 (Max)", "player 2 (Min)"),
    ("3 --taken 2,1,3", "player 2 (Min)", "player 1 (Max)"),
    ("7 --taken 3,6,2,4,1,7", "player 1 (Max)", "player 2 (Min)"),
]


def facts(*arguments: str) -> dict[str, str]:
    """The lines of an answer."""
    return dict(line.split(": ") for line in PROGRAM.output(*arguments).splitlines())


def document(*arguments: str) -> Any:
    return json.loads(PROGRAM.output(*arguments, "--json"))


def without_seconds(answer: str) -> str:
    return re.sub(r"Seconds: \d+\.\d{6}", "", answer)


# A position.


def test_the_example_in_the_help_is_true() -> None:
    example = re.search(
        r"\$ python -m core.take_stones.solve (.+)\n((?: .+\n)+)", PROGRAM.output("--help")
    )
    assert example
    output = re.sub("^  ", "", example[2], flags=re.MULTILINE)
    assert without_seconds(PROGRAM.output(*example[1].split())) == without_seconds(output)


@loop_over(
    "n, taken, mover, winner",
    (1000, [], "player 1 (Max)", "player 1 (Max)"),
    (7, [], "player 1 (Max)", "player 2 (Min)"),
    (1000, [7], "player 2 (Min)", "player 2 (Min)"),
    (1000, [335], "player 2 (Min)", "player 1 (Max)"),
    (1000, [7, 91], "player 1 (Max)", "player 1 (Max)"),
    (10, [4, 8], "player 1 (Max)", "player 2 (Min)"),
)
def test_answers_are_those_of_the_solver(n: int, taken: list[int], mover: str, winner: str) -> None:
    solution = solve(Board(n, taken, any_first=True))
    arguments = ["--taken", ",".join(map(str, taken))] if taken else []
    answer = facts(str(n), *arguments)
    assert re.fullmatch(r"\d+\.\d{6}", answer.pop("Seconds"))
    assert answer == {
        "To move": mover,
        "Winner": winner,
        "Winning moves": " ".join(map(str, solution.winning_moves)) or "none",
        "Matched pairs": str(solution.matched),
        "Unmatched stones": str(solution.unmatched),
        "Outer stones": str(solution.outer),
        "Inner stones": str(solution.inner),
        "Other stones": str(solution.others),
    }


@loop_over("taken", [[], [7], [7, 91], [4]])
def test_json_tells_the_same(taken: list[int]) -> None:
    board = Board(1000, taken, any_first=True)
    arguments = ["--taken", ",".join(map(str, taken))] if taken else []
    answer = document("1000", *arguments)
    assert answer.pop("seconds") >= 0
    assert answer == {
        "n": 1000,
        "taken": taken,
        "player_to_move": board.player_to_move,
        "is_over": False,
        **solve(board)._asdict(),
    }


@loop_over(("arguments", "loser", "winner"), FINISHED)
def test_a_finished_game_has_a_loser_and_no_move(arguments: str, loser: str, winner: str) -> None:
    first, *others = PROGRAM.output(*arguments.split()).splitlines()
    assert first == f"The game is over: {loser} cannot move and loses"
    assert others[:3] == [f"To move: {loser}", f"Winner: {winner}", "Winning moves: none"]


def test_json_has_rows_and_says_that_a_game_is_finished() -> None:
    answer = document("100", "--taken", "1,97")
    assert (answer["is_over"], answer["winner"], answer["winning_moves"]) == (True, 2, [])
    _, *rows, _ = PROGRAM.output("--range", "3", "50", "--json").splitlines()
    assert [json.loads(row.removesuffix(","))["n"] for row in rows] == [*range(3, 51)]


@loop_over(
    "arguments", ["100 --taken 1,50", "--taken 1,50 100", "100 --taken=1,50", "100 --taken 01,050"]
)
def test_ways_to_write_the_same(arguments: str) -> None:
    assert document(*arguments.split())["taken"] == [1, 50]


# A range.


@loop_over(("first", "last"), [("3", "300"), ("1", "2"), ("1000", "1000")])
def test_a_range_has_a_row_for_each_number_of_stones(first: str, last: str) -> None:
    rows = [
        f"{n},{1 if moves else 2},{' '.join(map(str, moves))}"
        for n, moves in WinningOpenings(int(first), int(last))
    ]
    assert PROGRAM.output("--range", first, last).splitlines() == [
        "n,winner,winning_openings",
        *rows,
    ]
    assert document("--range", first, last) == [
        {"n": n, "winner": 1 if moves else 2, "winning_openings": moves}
        for n, moves in WinningOpenings(int(first), int(last))
    ]


def test_rows_come_while_others_are_computed() -> None:
    command = [*PROGRAM.command, "--range", "3", "1000000"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        assert process.stderr
        assert process.stdout.readline() == "n,winner,winning_openings\n"
        assert process.stdout.readline() == "3,2,\n"
        process.stdout.close()  # as head does
        assert (process.stderr.read(), process.wait(TEST_TIMEOUT)) == ("", 141)


# A file.


@loop_over("name, options", [("a.csv", []), ("a.json", ["--json"]), (".csv", []), ("a.b.json", [])])
def test_a_file_has_what_would_be_printed(tmp_path: Path, name: str, options: list[str]) -> None:
    file = tmp_path / name
    assert PROGRAM.output("--range", "3", "99", "--output", str(file), *options) == ""
    wanted = ["--json"] if name.endswith(".json") else []
    assert file.read_text() == PROGRAM.output("--range", "3", "99", *wanted)


def test_a_file_needs_no_standard_output(tmp_path: Path) -> None:
    result = PROGRAM.shell(f"--range 3 9 --output {tmp_path}/a.csv >&-")
    assert (result.returncode, result.stderr) == (0, "")
    assert (tmp_path / "a.csv").read_text() == PROGRAM.output("--range", "3", "9")


def test_a_file_takes_the_place_of_an_older_one(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("older\n" * 1000)
    PROGRAM.output("--range", "3", "9", "--output", str(file))
    assert file.read_text() == PROGRAM.output("--range", "3", "9")
    assert os.listdir(tmp_path) == ["a.csv"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    link = tmp_path / "link.csv"
    link.symlink_to(tmp_path / "a.csv")
    PROGRAM.output("--range", "3", "9", "--output", str(link))
    assert link.is_symlink()
    assert (tmp_path / "a.csv").read_text() == PROGRAM.output("--range", "3", "9")


def not_written(folder: Path, *arguments: str, bytes_left: int = resource.RLIM_INFINITY) -> Ended:
    """Let a range fail to be written over a file of a folder."""
    (folder / "a.csv").write_text("older\n")
    result = subprocess.run(
        [*PROGRAM.command, "--range", "3", "2000", *arguments],
        capture_output=True,
        text=True,
        env=NO_BYTECODE,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_left, bytes_left)),
    )
    assert [file.name for file in folder.iterdir() if file.is_file()] == ["a.csv"]
    assert (folder / "a.csv").read_text() == "older\n"
    return result


def test_a_full_disk_leaves_no_half_file(tmp_path: Path) -> None:
    file = str(tmp_path / "a.csv")
    result = not_written(tmp_path, "--output", file, bytes_left=10_000)
    expected = f"take_stones.solve: cannot write {shown(file)}: File too large\n"
    assert (result.returncode, result.stdout, result.stderr) == (1, "", expected)


@loop_over(
    "name, reason", [("no/a.csv", "No such file or directory"), ("folder.csv", "Is a directory")]
)
def test_a_file_that_cannot_be_written_is_one_line(tmp_path: Path, name: str, reason: str) -> None:
    (tmp_path / "folder.csv").mkdir()
    file = str(tmp_path / name)
    result = not_written(tmp_path, "--output", file)
    expected = f"take_stones.solve: cannot write {shown(file)}: {reason}\n"
    assert (result.returncode, result.stdout, result.stderr) == (1, "", expected)


def test_ctrl_c_leaves_no_half_file(tmp_path: Path) -> None:
    arguments = ["--range", "3", "1000000", "--output", str(tmp_path / "a.csv")]
    with PROGRAM.on_a_terminal(*arguments) as terminal:
        screen = ""
        while not re.search(r" [1-9]\d*/999998", screen):
            more = terminal.read()
            assert more
            screen += more
        assert os.listdir(tmp_path) != []
        terminal.process.send_signal(signal.SIGINT)
        assert terminal.read_to_end().endswith("take_stones.solve: interrupted\r\n")
        assert terminal.process.wait(TEST_TIMEOUT) == 130
    assert os.listdir(tmp_path) == []


# The bar.


def test_a_terminal_shows_a_bar(tmp_path: Path) -> None:
    arguments = ["--range", "3", "2000", "--output", str(tmp_path / "a.csv")]
    with PROGRAM.on_a_terminal(*arguments) as terminal:
        assert "1998/1998" in terminal.read_to_end()


def test_the_rows_come_after_the_bar_is_gone() -> None:
    with PROGRAM.on_a_terminal("--range", "3", "9") as terminal:
        bar, rows = terminal.read_to_end().split("n,winner,winning_openings\r\n")
    assert bar.endswith("\x1b[2K")
    assert rows == "3,2,\r\n4,2,\r\n5,2,\r\n6,2,\r\n7,2,\r\n8,1,3\r\n9,2,\r\n"


def test_the_bar_stays_out_of_the_rows(tmp_path: Path) -> None:
    rows = tmp_path / "rows"
    with rows.open("w") as out:
        ours, theirs = os.openpty()
        command = [*PROGRAM.command, "--range", "3", "99"]
        subprocess.run(command, stdout=out, stderr=theirs, check=True)
        bar = os.read(ours, 4096).decode()
        os.close(ours)
        os.close(theirs)
    assert "0/97" in bar
    assert rows.read_text() == PROGRAM.output("--range", "3", "99")


# Bad input: one line on standard error, exit status 2.


@loop_over(
    "arguments, message",
    ("", "one #stones is needed, not 0; usage: python -m core.take_stones.solve "),
    ("--json", "one #stones is needed, not 0; usage: "),
    ("0", "#stones must be at least 1, not 0"),
    ("-j", "#stones must be a whole number in decimal digits, not '-j'"),
    ("7 --", "there is no option '--'; usage: "),
    ("7 --jso", "there is no option '--jso'; usage: "),
    ("7 --" + "x" * 100, f"there is no option '--{'x' * 38}...'; usage: "),
    ("7 --json --json", "--json is there twice"),
    ("7 --json=1", "--json needs no value; usage: "),
    ("7 --taken", "--taken needs <stone>,<stone>...; usage: "),
    ("7 --taken --json", "a taken stone must be a whole number in decimal digits, not '--json'"),
    ("7 --taken=", "a taken stone must be a whole number in decimal digits, not ''"),
    ("7 --taken 3 6", "one #stones is needed, not 2; usage: "),
    ("7 --taken 3,4", "illegal move 2: stone 4 is neither a factor nor a multiple of the last"),
    ("--range 3", "--range needs <first> <last>; usage: "),
    ("--range=3 5", "--range needs <first> <last>; usage: "),
    ("--range 0 5", "the first #stones must be at least 1, not 0"),
    ("--range 5 4", "the range must go upwards, not from '5' to '4'"),
    ("--range 3 5 7", "--range goes with neither #stones nor --taken; usage: "),
    ("--range 3 5 --taken 3", "--range goes with neither #stones nor --taken; usage: "),
    ("7 --output a.csv", "--output goes with --range only; usage: "),
    ("--range 3 5 --output", "--output needs <file>; usage: "),
    ("--range 3 5 --output=", "the file must end in .csv or .json, not be ''"),
    ("--range 3 5 --json --output a.csv", "--json does not go with 'a.csv', which ends in .csv"),
    (f"{10**15}", f"#stones '{10**15}' is too large for this machine's memory"),
    ("9" * 4000, f"#stones '{'9' * 40}...' is too large for this machine's memory"),
    (f"--range 3 {10**15}", f"#stones '{10**15}' is too large for this machine's memory"),
    (f"--range 3 {2**30}", f"#stones '{2**30}' is too large for this machine's memory"),
)
def test_bad_input_names_the_value_and_the_rule(arguments: str, message: str) -> None:
    assert PROGRAM.refusal(*arguments.split()).startswith(message)
