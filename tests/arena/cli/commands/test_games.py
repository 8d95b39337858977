"""`arena games`: the list, as text and as JSON."""

import json

import pytest

from arena.integrations import openspiel_family
from core import GAMES
from tests.support.games.toy_games import NIM
from tests.support.servers.arena_command import Run


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
