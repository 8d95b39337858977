"""Random games of the conformance suite of a game."""

import pytest

from arena.conformance import random_games
from arena.conformance.random_games import Counterexample, Kind, RandomGames, Sample, describe_error
from arena.conformance.steps import CheckFailed
from core import GAMES
from tests.support.cases import loop_over
from tests.support.games.defective_games import broken_heap, sound_game
from tests.support.games.toy_games import TEN_NIM

KINDS: list[Kind] = ["setups", "positions", "unfinished games", "finished games", "endgames"]
NIM = sound_game()
TAKE_STONES = GAMES["take_stones"]


@loop_over("kind", KINDS)
def test_the_same_seed_yields_the_same_samples(kind: Kind) -> None:
    samples = RandomGames(NIM, 1).samples(kind)
    assert samples == RandomGames(NIM, 1).samples(kind)
    assert samples


def test_positions_are_distinct_and_setups_of_all_sizes() -> None:
    assert RandomGames(NIM, 1).samples("positions") != RandomGames(NIM, 2).samples("positions")
    samples = RandomGames(NIM, 1).samples("positions")
    assert len({str(sample) for sample in samples}) == len(samples)
    lengths = [len(sample.moves) for sample in RandomGames(NIM, 1).samples("positions")]
    assert lengths == sorted(lengths)
    sizes = [sample.setup["stones"] for sample in RandomGames(TAKE_STONES, 1).samples("setups")]
    assert sizes[:4] == [20, 30, 50, 1]
    assert len(sizes) == 4 + random_games.SETUPS
    assert all(1 < size < 50 for size in sizes[4:])
    assert len(RandomGames(TEN_NIM, 1).samples("setups")) == 1


def test_kinds_of_positions() -> None:
    games = RandomGames(NIM, 1)
    assert all(sample.position().is_over for sample in games.samples("finished games"))
    assert not any(sample.position().is_over for sample in games.samples("unfinished games"))
    games = RandomGames(TAKE_STONES, 1)
    small = [str(sample) for sample in games.samples("endgames")]
    assert {*small} < {str(sample) for sample in games.samples("unfinished games")}
    assert "stones=50 no moves" not in small


def test_a_game_that_cannot_be_played_is_a_counterexample() -> None:
    games = RandomGames(broken_heap(legal_moves=lambda _: 1 // 0), 1)
    with pytest.raises(Counterexample, match=r"^ZeroDivisionError: .*; heap=6 no moves$"):
        games.samples("positions")


def test_the_text_of_a_sample() -> None:
    assert str(Sample(NIM, {"heap": 6}, (1, 2))) == "heap=6 moves 1 2"
    assert str(Sample(NIM, {})) == "no moves"
    moves = str(Sample(NIM, {}, (1,) * (random_games.MAX_SHOWN + 1))).split()[1:]
    assert moves == ["1"] * random_games.MAX_SHOWN + ["..."]
    assert describe_error(CheckFailed("one", "two\nthree")) == "expected one, got two three"
    assert describe_error(KeyError("x")) == "KeyError: 'x'"
