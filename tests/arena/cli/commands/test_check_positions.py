"""`arena check --positions`: the wins that a bot keeps."""

import json
import shlex
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.take_stones import Board
from core.take_stones.solver import winning_moves
from tests.support.cases import loop_over
from tests.support.servers.arena_command import CompletedCommand, Run, with_flags

FIRST = "while read -r line; do legal=${line##*legal=}; echo ${legal%%,*}; done"
HELLO = """
import json, os
from websockets.sync.client import connect
with connect(os.environ["ARENA_URL"], proxy=None) as arena:
    hello = {{"type": "hello", "protocol": 1, "name": "checked", "games": ["{game}"]}}
    arena.send(json.dumps(hello))
    for frame in arena:
        turn = json.loads(frame)
        if turn["type"] == "turn":
            answer = {{"type": "resign", "match": turn["match"]}}
            arena.send(json.dumps(answer))
"""


def measured(arena: Run, bot: str, *words: object) -> CompletedCommand:
    return arena(*with_flags(["check", "--bot", bot, "--positions", 40], words))


def says_hello(tmp_path: Path, game: str) -> str:
    script = tmp_path / "bot.py"
    script.write_text(HELLO.format(game=game))
    return f"cmd:{shlex.join([sys.executable, str(script)])}"


def test_a_perfect_bot_keeps_all_wins(arena: Run) -> None:
    end = measured(arena, "perfect", "--seed", 2)
    assert (end.status, end.err) == (0, "")
    kept = "perfect keeps 40 of 40 won positions of take_stones won, 100.0 % +- "
    assert end.out.startswith(kept)
    table = end.out[end.out.index("#  bot") :].splitlines()
    places = [(words[0], words[1], words[-2]) for words in map(str.split, table[1:])]
    assert places[0] == ("1", "perfect", "100.0")
    assert [place for place, *_ in places] == [str(number) for number in range(1, 10)]
    assert [float(share) for *_, share in places] == sorted(
        (float(share) for *_, share in places), reverse=True
    )
    assert "Lost wins" not in end.out


def test_lost_wins_have_their_moves_and_a_link(arena: Run) -> None:
    bot = f'stdio:sh -c "{FIRST}"'
    facts = json.loads(measured(arena, bot, "--json").out)
    assert facts["kept"] + len(facts["lost"]) == facts["positions"] == 40
    assert sum(level["positions"] for level in facts["levels"].values()) == 40
    assert facts["built_in"]["perfect"] == 1
    for lost in facts["lost"]:
        board = Board(lost["setup"]["stones"], lost["moves"])
        assert lost["move"] == board.legal_moves()[0]
        assert lost["winning_moves"] == winning_moves(board)
        moves = ",".join(map(str, lost["moves"]))
        page = "http://localhost:8765/#/analysis?game=take_stones"
        stones = lost["setup"]["stones"]
        assert lost["link"] == f"{page}&stones={stones}&moves={moves}&depth="
    text = measured(arena, bot, "--seed", 1, "--game", "take_stones").out  # the defaults
    assert f"keeps {facts['kept']} of 40 " in text
    lines = text[text.index("Lost wins") :].splitlines()[1:]
    for line, lost in zip(lines[:20], facts["lost"], strict=False):
        assert line.startswith(f"  stones {lost['setup']['stones']}, after ")
        assert line.endswith(lost["link"])
    assert lines[20] == f"  and {len(facts['lost']) - 20} more (--json has all)"


def test_a_level_without_positions_has_no_row(arena: Run) -> None:
    out = arena("check", "--bot", "perfect", "--positions", 1).out
    table = out[out.index("level") : out.index("#  bot")].splitlines()
    assert [line.split()[1:] for line in table[1:-1]] == [["1", "100.0", "%"]]


def test_a_resignation_loses_the_win(arena: Run, tmp_path: Path) -> None:
    out = measured(arena, says_hello(tmp_path, "take_stones")).out
    assert " keeps 0 of 40 won positions " in out
    assert ": resigned, " in out


def test_bots_that_cannot_be_measured(arena: Run, tmp_path: Path) -> None:
    line = "arena: the bot was not measured: expected a game with a solver, got isolation\n"
    assert measured(arena, says_hello(tmp_path, "isolation")) == CompletedCommand(1, "", line)
    end = measured(arena, "stdio:sh -c 'while read -r line; do echo 999; done'")
    assert (end.status, end.out) == (1, "")
    assert end.err.startswith("arena: the bot was not measured: expected one of the moves [")


@loop_over(
    ("words", "error"),
    [
        (["--positions", 0], "--positions must be at least 1, not 0"),
        (["--game", "isolation"], "--positions requires a game with a solver, not isolation"),
    ],
)
def test_invalid_arguments(arena: Run, words: list[object], error: str) -> None:
    assert measured(arena, "random", *words) == CompletedCommand(2, "", f"arena: {error}\n")


def test_a_game_without_positions(arena: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.cli.commands.check.typical_setups", lambda _: [{"stones": 3}])
    line = "random games of take_stones have too few positions with few winning moves\n"
    assert measured(arena, "random") == CompletedCommand(2, "", f"arena: --positions: {line}")


def test_ctrl_c_while_positions_are_drawn(arena: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def draw(*_: object) -> Iterator[None]:
        signal.raise_signal(signal.SIGINT)
        yield
        raise AssertionError("the command goes on")

    monkeypatch.setattr("arena.cli.commands.check.draw_positions", draw)
    assert measured(arena, "perfect") == CompletedCommand(130, "", "arena: stopped\n")
