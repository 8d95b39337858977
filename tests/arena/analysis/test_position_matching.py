"""Matchings of positions, as spectators see them."""

from collections.abc import Sequence
from typing import NoReturn

import pytest

from arena.analysis.position import TooLarge, find_matching
from arena.protocol.positions import NodeInfo
from arena.protocol.spectator import FindMatching
from core import GAMES
from core.game import Position
from core.take_stones import Board
from core.take_stones.partners import MAX_STONES, find_partners


def request(stones: int, moves: Sequence[int] = ()) -> FindMatching:
    return FindMatching(3, "take_stones", {"stones": stones}, moves)


def test_a_matching_is_that_of_the_game() -> None:
    found = find_matching(request(20, [3, 6]))
    expected = find_partners(Board(20, [3, 6]))
    assert expected
    assert (found.request, found.player) == (3, 1)
    assert [*found.nodes] == [NodeInfo(*node) for node in expected.nodes]
    for name in expected._fields[1:]:
        assert getattr(found, name) == getattr(expected, name)


def test_what_has_no_matching_is_refused_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="illegal move 2"):
        find_matching(request(20, [3, 4]))
    with pytest.raises(ValueError, match=r"^no matching decides isolation$"):
        find_matching(FindMatching(1, "isolation", {}))
    assert find_matching(request(MAX_STONES)).nodes
    with pytest.raises(TooLarge, match="too large for its matching to be shown"):
        find_matching(request(MAX_STONES + 1))
    monkeypatch.setitem(GAMES, "take_stones", GAMES["take_stones"]._replace(matching=exhaust))
    with pytest.raises(ValueError, match="too large for this machine's memory"):
        find_matching(request(7))


def exhaust(_: Position) -> NoReturn:
    raise MemoryError
