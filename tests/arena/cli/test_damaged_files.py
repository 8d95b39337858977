"""Damaged and hostile files: every command answers with one line, and changes nothing.

Bytes are flipped and values are replaced at random, with fixed seeds. The slow part repeats it many
times.
"""

import json
import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import pytest

from arena.cli.pseudonyms import names_file
from tests.support.servers.arena_command import CompletedCommand, Run
from tests.support.tournaments.databases import PLAN, make_database, write_value
from tests.support.tournaments.matches import ENDINGS, play_match

DIFFERENCES = re.compile(r"match \d+: |\d+ match(es)? not checked: ")  # output of arena verify
OFTEN = pytest.mark.parametrize(
    ("seed", "times"),
    [
        (1, 30),
        pytest.param(2, 500, marks=pytest.mark.slow),
        pytest.param(3, 5000, marks=pytest.mark.release),
    ],
)

READING = [
    *(["standings"], ["standings", "--los"], ["standings", "--json"], ["standings", "--names"]),
    *(["verify"], ["export"], ["export", "--format", "jsonl"], ["export", "--format", "csv"]),
    ["report", "--output", "out.html"],
    ["plot", "--output", "out.svg"],
    ["export", "--output", "out.parquet"],
    ["merge", "whole.db", "--independent", "--output", "out.db"],
    ["merge", "whole.db", "--output", "out.db"],
    ["tournament", "--bots", "anna=random", "bert=greedy", "--stones", "7", "--dry-run", "--db"],
    ["analyse"],
]
TEXTS = {
    "whole.pgn": [["import", "FILE", "out.db"]],
    "whole.jsonl": [["import", "FILE", "out.db"]],
    "whole.toml": [["tournament", "FILE", "--dry-run"]],
    "whole.txt": [["tournament", "--bots", "random", "greedy", "--dry-run", "--book", "FILE"]],
    "whole.json": [["token", *words, "--tokens", "FILE"] for words in (["list"], ["add", "dora"])],
    "whole.db.names.json": [["standings", "whole.db", "--names"]],
}
PIECES: Sequence[bytes] = [
    *(b"9" * 5000, b"-5", b"1e999", b"NaN", b"Infinity", b"nan", b"null", b"-1", b"0.5", b"2.0"),
    *(b"[" * 100_000, b'{"a":' * 3000, b'"', b"\\ud800", b"\xff", b"\0", b"\x1b[2J", b"\xc2\x9b"),
    *(b"", b"\n", b"\r", b"\xe2\x80\xa8", b"\xef\xbb\xbf", b"x" * 200_000, b"=", b"{", b"%"),
]
VALUES: Sequence[object] = [
    *(None, 0, 1, -1, 2, 3, 2**63 - 1, -(2**63), 1.5, float("inf"), 1e308, -1e308, 1e18, b"\xff"),
    *("", "{", "null", "[]", "{}", "[" * 100_000, "[1, 2]", "[999]", '{"stones": -5}', "\x1b[2J\0"),
    *('{"stones": 1e999}', f'{{"stones": {"9" * 5000}}}', '{"stones": 7, "stones": 8}', "9" * 5000),
    *("x" * 100_000, "unknown", "isolation", "timeout", "aborted", '{"depth": -1}', "0.5/move"),
]
PLAN_VALUES: Sequence[object] = [
    *(
        None,
        True,
        -1,
        0,
        1,
        2,
        2**62,
        2**63,
        1.5,
        "",
        "x",
        "swiss",
        "knockout",
        "gauntlet",
        "grid",
        "round",
    ),
    *([], {}, [[]], [{}], [{"stones": -1}], [[{"stones": 7}, [99]]], [[2, 1]], {"anna": "random"}),
    *({"anna": {"time": "x"}}, "elo0=0 elo1=5", "elo0=0 elo1=5 alpha=nan", "distinct", "unlimited"),
]
FIELDS = [
    *("game", "bots", "setups", "time", "seed", "format", "rounds", "seeds", "pairs", "settings"),
    *("opening_plies", "book", "sprt", "former_sizes", "draw", "book_policy", "distinct_only"),
    "grid_plies",
]
COLUMNS = {
    "matches": "id number game setup opening player1 player2 time_control started_at finished_at"
    " termination winner reason",
    "moves": "match ply move elapsed credit charged lag",
    "faults": "match ply move elapsed credit charged lag",
    "verdicts": "match verdicts",
    "logs": "match log",
    "tags": "match name value",
    "infos": "match ply info",
    "tallies": "game player1 player2 winner termination matches games",
    "pair_scores": "id game bot opponent first second pairs clusters squares",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arena: Run) -> Path:
    """Return the working directory, with a file of each kind that no command complains of."""
    monkeypatch.chdir(tmp_path)
    records = [play_match(ending, match, match=match) for match, ending in enumerate(ENDINGS, 1)]
    make_database(tmp_path / "whole.db", records)
    for name in ("whole.pgn", "whole.jsonl"):
        assert arena("export", "whole.db", "--output", name).status == 0
    names_file(tmp_path / "whole.db").write_text('{"Ann": "anna", "Bob": "bert"}')
    (tmp_path / "whole.txt").write_text("# a book\nstones=7 1 2\n\nstones=50 # empty\n")
    (tmp_path / "whole.toml").write_text(
        'stones = 7\nbots = ["random", "a=spec:1"]\nrounds = 2\ntime = "5+0.05"\nseed = 1\n'
        '[bot.a]\ntime = "1+1"\n'
    )
    arena("token", "add", "ann", "--tokens", "whole.json")
    return tmp_path


def check_refusal(end: CompletedCommand) -> None:
    """Check that a command has succeeded, or said in one short line that it has not."""
    assert end.status in (0, 1, 2)
    lines = [line for line in end.err.splitlines() if "has no solver" not in line]
    assert all(line.isprintable() for line in lines)
    if end.status and not (end.status == 1 and DIFFERENCES.match(end.out)):
        assert (end.out, len(lines)) == ("", 1)
        assert len(lines[0]) < 2000


def check_database(arena: Run, random: Random, path: Path) -> None:
    """Run a command on a database, which it must leave as it is."""
    before = path.read_bytes()
    words = random.choice(READING)
    command = [*words, path.name] if words[-1] == "--db" else [words[0], path.name, *words[1:]]
    end = arena(*command)
    check_refusal(end)
    if words != ["analyse"]:
        assert path.read_bytes() == before


def flipped(random: Random, content: bytes) -> bytes:
    """Return a file in which some bytes are others, or whose end is missing."""
    found = bytearray(content)
    for _ in range(random.choice([1, 1, 2, 5, 30])):
        found[random.randrange(len(found))] ^= random.choice([1, 2, 4, 16, 64, 128, 255])
    return bytes(found[: random.randrange(len(found))] if random.random() < 0.05 else found)


def with_piece(random: Random, content: bytes) -> bytes:
    """Return a file with something else in the place of a word."""
    words = content.split(b'"' if random.random() < 0.5 else b" ")
    separator = b'"' if content.count(b'"') + 1 == len(words) else b" "
    words[random.randrange(len(words))] = random.choice(PIECES)
    return separator.join(words)


def run_often(
    folder: Path, seed: int, times: int, change: Callable[[Random, Path], None], arena: Run
) -> None:
    """Check databases that a function has changed."""
    for number in range(times):
        random, path = Random(f"{seed}/{number}"), folder / "damaged.db"
        for old in [*folder.glob("damaged.db*"), *folder.glob("out.*")]:
            old.unlink()
        shutil.copyfile(folder / "whole.db", path)
        change(random, path)
        check_database(arena, random, path)


@OFTEN
@pytest.mark.timeout(1800)
def test_databases_with_other_bytes(folder: Path, arena: Run, seed: int, times: int) -> None:
    def change(random: Random, path: Path) -> None:
        path.write_bytes(flipped(random, path.read_bytes()))

    run_often(folder, seed, times, change, arena)


@OFTEN
@pytest.mark.timeout(1800)
def test_databases_with_other_values(folder: Path, arena: Run, seed: int, times: int) -> None:
    def change(random: Random, path: Path) -> None:
        table = random.choice([*COLUMNS])
        write_value(path, table, random.choice(COLUMNS[table].split()), random.choice(VALUES))

    run_often(folder, seed, times, change, arena)


@OFTEN
@pytest.mark.timeout(1800)
def test_databases_with_other_plans(folder: Path, arena: Run, seed: int, times: int) -> None:
    def change(random: Random, path: Path) -> None:
        plan = json.loads(PLAN)
        for _ in range(random.choice([1, 1, 2, 3])):
            plan[random.choice(FIELDS)] = random.choice(PLAN_VALUES)
        text = json.dumps(plan) if random.random() < 0.9 else random.choice(VALUES)
        write_value(path, "plan", "plan", text)

    run_often(folder, seed, times, change, arena)


@OFTEN
@pytest.mark.timeout(1800)
def test_texts_with_other_bytes(folder: Path, arena: Run, seed: int, times: int) -> None:
    contents = {name: (folder / name).read_bytes() for name in TEXTS}
    for number in range(times):
        random = Random(f"{seed}/{number}")
        name = random.choice([*TEXTS])
        change = random.choice([flipped, with_piece])
        damaged = change(random, contents[name])
        (folder / name).write_bytes(damaged)
        command = random.choice(TEXTS[name])
        end = arena(*[name if word == "FILE" else word for word in command])
        check_refusal(end)
        if end.status:
            assert (folder / name).read_bytes() == damaged
            assert not (folder / "out.db").exists()
        (folder / "out.db").unlink(missing_ok=True)
        (folder / name).write_bytes(contents[name])
