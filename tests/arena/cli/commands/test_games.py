"""`arena games` and `arena check-game`."""

import json
import re

import pytest

from arena.integrations import openspiel_family
from core import GAMES
from tests.support.cases import loop_over
from tests.support.games.defective_games import broken_heap
from tests.support.games.toy_games import NIM
from tests.support.servers.arena_command import Run

# `arena games`: the list, as text and as JSON


def test_each_game_has_a_line(arena: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openspiel_family, "names", lambda: ["tic_tac_toe"])
    end = arena("games")
    assert (end.status, end.err) == (0, "")
    assert [" ".join(line.split()) for line in end.out.splitlines()] == [
        "take_stones Take-Stones; --stones: number of stones, from 1 (default: 20 30 50)",
        "isolation Isolation; --size: size of the board, from 3 to 8 (default: 8)",
        "openspiel:tic_tac_toe Tic Tac Toe",
    ]


def test_games_of_installed_packages_count(arena: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openspiel_family, "names", list)
    monkeypatch.setitem(GAMES, NIM.name, NIM)
    assert arena("games").out.splitlines()[-1] == (
        "misere_nim   Misère Nim; --heap: size of the heap, from 1 (default: 10)"
    )


def test_json(arena: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openspiel_family, "names", lambda: ["tic_tac_toe"])
    listed = json.loads(arena("games", "--json").out)
    assert [game["name"] for game in listed] == [
        "take_stones",
        "isolation",
        "openspiel:tic_tac_toe",
    ]
    assert listed[1] == {
        "name": "isolation",
        "title": "Isolation",
        "parameters": {"size": GAMES["isolation"].parameters["size"]._asdict() | {"usual": [8]}},
    }


def test_a_missing_library_is_named(arena: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def names() -> list[str]:
        raise ValueError(openspiel_family.INSTALL)

    monkeypatch.setattr(openspiel_family, "names", names)
    end = arena("games")
    assert end.out.splitlines()[-1] == f"openspiel:NAME  {openspiel_family.INSTALL}"
    assert (end.status, len(json.loads(arena("games", "--json").out))) == (0, 2)


# `arena check-game` on our games and on one with a defect


@pytest.mark.slow
@loop_over(
    "game, counts",
    ("take_stones", "23 ok, 0 FAILED, 2 skipped"),
    ("isolation", "23 ok, 0 FAILED, 2 skipped"),  # it has neither a solver nor a matching
)
def test_our_games_pass_with_a_line_for_each_check(game: str, counts: str, arena: Run) -> None:
    end = arena("check-game", game)
    assert (end.status, end.err) == (0, "")
    *lines, last = end.out.splitlines()
    assert last == counts
    assert all(re.fullmatch(r"(ok|skipped) +\d+ [\w ]+: .+", line) for line in lines)
    assert [int(line.split()[1]) for line in lines] == [*range(1, 26)]


def test_failures_have_a_counterexample(arena: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "nim", broken_heap(is_over=False))
    end = arena("check-game", "nim")
    [line] = [line for line in end.out.splitlines() if line.startswith("FAILED    5")]
    assert re.fullmatch(
        r"FAILED    5 lists legal moves: expected .+, got .+; heap=\d+ moves( \d)+", line
    )
    assert end.status == 1
    assert " FAILED, " in end.out.splitlines()[-1]


def test_the_same_seed_checks_the_same_games(arena: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "nim", broken_heap(is_over=False))
    outs = {seed: arena("check-game", "nim", "--seed", seed).out for seed in (1, 2)}
    assert outs[1] == arena("check-game", "nim").out
    assert outs[1] != outs[2]


def test_an_unknown_game_is_refused(arena: Run) -> None:
    end = arena("check-game", "chess")
    assert (end.status, end.out) == (2, "")
    assert end.err == f"arena: NAME: unknown game 'chess' (choose from {', '.join(GAMES)})\n"
