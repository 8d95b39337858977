"""What every registered game must do, whatever its rules."""

import copy
import itertools
import pickle
from collections.abc import Mapping
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import GAMES, solver_of
from core.game import IllegalMove, Position
from core.search import Limits, search
from core.search.generic import search_position


class Start(NamedTuple):
    """A usual setup of a game."""

    game: str
    setup: Mapping[str, int]

    def __str__(self) -> str:
        return " ".join([self.game, *map(str, self.setup.values())])

    def position(self, moves: list[int] | None = None) -> Position:
        return GAMES[self.game].position(**self.setup, moves=moves or [])


STARTS = [
    Start(name, dict(zip(game.parameters, values, strict=True)))
    for name, game in GAMES.items()
    for values in itertools.product(*(p.usual for p in game.parameters.values()))
]


def playout(data: st.DataObject, start: Start) -> Position:
    """A position some random legal moves from the start, often at the end of the game."""
    position = start.position()
    for _ in range(data.draw(st.integers(0, 40), "plies")):
        if position.is_over:
            break
        position.play(data.draw(st.sampled_from(position.legal_moves()), "move"))
    return position


def unfinished(data: st.DataObject, start: Start) -> Position:
    """A position some random legal moves from the start, in which there is a move."""
    position = playout(data, start)
    if position.is_over:
        position.undo()
    return position


def illegal_move(data: st.DataObject, position: Position) -> int:
    legal = position.legal_moves()
    return data.draw(st.integers(-5, 100).filter(lambda move: move not in legal), "illegal")


def facts(position: Position) -> tuple[object, ...]:
    """All that can be asked of a position."""
    return (
        position.legal_moves(),
        position.moves,
        position.player_to_move,
        position.is_over,
        position.outcome,
        hash(position),
        str(position),
    )


pytestmark = pytest.mark.parametrize("start", STARTS, ids=str)
playouts = given(st.data())


def test_the_name_is_the_key(start: Start) -> None:
    assert GAMES[start.game].name == start.game


def test_usual_values_are_possible(start: Start) -> None:
    parameters = GAMES[start.game].parameters
    assert all(value >= parameters[name].minimum for name, value in start.setup.items())


def test_the_least_values_are_possible(start: Start) -> None:
    game = GAMES[start.game]
    least = {name: parameter.minimum for name, parameter in game.parameters.items()}
    assert game.position(**least).moves == []


def test_less_than_the_least_value_is_refused(start: Start) -> None:
    game = GAMES[start.game]
    for name, parameter in game.parameters.items():
        with pytest.raises(ValueError, match=str(parameter.minimum - 1)):
            game.position(**{**start.setup, name: parameter.minimum - 1})


def test_player_1_begins(start: Start) -> None:
    position = start.position()
    assert (position.player_to_move, position.moves) == (1, [])


def test_a_usual_start_has_a_move(start: Start) -> None:
    assert not start.position().is_over


def test_nothing_can_be_undone_at_the_start(start: Start) -> None:
    with pytest.raises(IndexError):
        start.position().undo()


@playouts
def test_legal_moves_ascend(start: Start, data: st.DataObject) -> None:
    moves = playout(data, start).legal_moves()
    assert moves == sorted(set(moves))


@playouts
def test_the_game_is_over_when_nobody_can_move(start: Start, data: st.DataObject) -> None:
    position = playout(data, start)
    assert position.is_over == (position.legal_moves() == [])


@playouts
def test_there_is_an_outcome_when_the_game_is_over(start: Start, data: st.DataObject) -> None:
    position = playout(data, start)
    assert (position.outcome is not None) == position.is_over
    if position.outcome:
        assert position.outcome.winner in {1, 2, None}
        assert position.outcome.reason


@playouts
def test_players_take_turns(start: Start, data: st.DataObject) -> None:
    position = playout(data, start)
    assert position.player_to_move == 1 + len(position.moves) % 2


@playouts
def test_every_legal_move_can_be_taken_and_undone(start: Start, data: st.DataObject) -> None:
    position = playout(data, start)
    before = facts(position)
    for move in position.legal_moves():
        position.play(move)
        assert position.undo() == move
        assert facts(position) == before


@playouts
def test_undoing_everything_leads_to_the_start(start: Start, data: st.DataObject) -> None:
    position = playout(data, start)
    while position.moves:
        position.undo()
    assert position == start.position()
    assert facts(position) == facts(start.position())


@playouts
def test_the_moves_alone_make_the_position(start: Start, data: st.DataObject) -> None:
    position = playout(data, start)
    again = start.position(position.moves)
    assert again == position
    assert facts(again) == facts(position)


@playouts
def test_whatever_can_be_played_can_be_studied(start: Start, data: st.DataObject) -> None:
    position = playout(data, start)
    assert GAMES[start.game].study(**start.setup, moves=position.moves) == position


@playouts
def test_the_result_is_the_best_evaluation(start: Start, data: st.DataObject) -> None:
    position, evaluate = playout(data, start), GAMES[start.game].evaluate
    if not evaluate:
        return
    value = evaluate(position, 1).value
    while not position.is_over:
        position.play(data.draw(st.sampled_from(position.legal_moves()), "move"))
    result = evaluate(position, 1).value
    assert position.outcome
    assert {1: result >= value, 2: result <= value, None: True}[position.outcome.winner]


@given(data=st.data(), depth=st.integers(1, 3))
def test_the_compiled_search_is_the_generic_search(
    start: Start, data: st.DataObject, depth: int
) -> None:
    position = unfinished(data, start)
    game = GAMES[start.game]
    depth = min(depth, 2) if len(position.legal_moves()) > 12 else depth
    assert search_position(game, position, Limits(depth), None) == search(position, depth)


@given(data=st.data(), nodes=st.integers(1, 60))
def test_both_searches_stop_at_the_same_node(start: Start, data: st.DataObject, nodes: int) -> None:
    position, game = unfinished(data, start), GAMES[start.game]
    found = search_position(game, position, Limits(2, nodes), None)
    assert found == search(position, 2, nodes=nodes)


@playouts
def test_the_moves_are_a_copy(start: Start, data: st.DataObject) -> None:
    position = playout(data, start)
    before = facts(position)
    position.moves.append(1)
    position.legal_moves().clear()
    assert facts(position) == before


@playouts
def test_an_illegal_move_is_refused(start: Start, data: st.DataObject) -> None:
    position = playout(data, start)
    move = illegal_move(data, position)
    with pytest.raises(IllegalMove) as caught:
        position.play(move)
    assert (caught.value.move, caught.value.number) == (move, len(position.moves) + 1)


@playouts
def test_an_illegal_move_changes_nothing(start: Start, data: st.DataObject) -> None:
    position = playout(data, start)
    before = facts(position)
    with pytest.raises(IllegalMove):
        position.play(illegal_move(data, position))
    assert facts(position) == before


@playouts
def test_an_illegal_move_in_the_history_is_refused(start: Start, data: st.DataObject) -> None:
    position = playout(data, start)
    move = illegal_move(data, position)
    with pytest.raises(IllegalMove) as caught:
        start.position([*position.moves, move])
    assert (caught.value.move, caught.value.number) == (move, len(position.moves) + 1)


@playouts
def test_copies_and_pickles_are_equal(start: Start, data: st.DataObject) -> None:
    position = playout(data, start)
    pickled = pickle.loads(pickle.dumps(position))
    for other in (position.copy(), copy.copy(position), copy.deepcopy(position), pickled):
        assert other == position
        assert facts(other) == facts(position)


@playouts
def test_a_copy_goes_its_own_way(start: Start, data: st.DataObject) -> None:
    position = playout(data, start)
    before = facts(position)
    for move in position.legal_moves()[:1]:
        position.copy().play(move)
    assert facts(position) == before


@playouts
def test_a_move_makes_another_position(start: Start, data: st.DataObject) -> None:
    position = playout(data, start)
    for move in position.legal_moves():
        after = position.copy()
        after.play(move)
        assert after != position


@playouts
def test_a_move_changes_the_text(start: Start, data: st.DataObject) -> None:
    position = playout(data, start)
    for move in position.legal_moves():
        after = position.copy()
        after.play(move)
        assert str(after) != str(position)


def test_the_text_of_a_position_ends_without_a_line_break(start: Start) -> None:
    text = str(start.position())
    assert text == text.strip() != repr(start.position())


def test_a_position_equals_no_other_thing(start: Start) -> None:
    assert start.position() != object()


@given(data=st.data(), depth=st.integers(1, 3))
def test_the_search_finds_a_legal_move(start: Start, data: st.DataObject, depth: int) -> None:
    position = unfinished(data, start)
    assert search(position, depth).move in position.legal_moves()


@given(data=st.data(), depth=st.integers(1, 3))
def test_the_search_changes_nothing(start: Start, data: st.DataObject, depth: int) -> None:
    position = unfinished(data, start)
    before = facts(position)
    search(position, depth)
    assert facts(position) == before


@given(data=st.data(), depth=st.integers(1, 3))
def test_the_same_search_visits_the_same_nodes(
    start: Start, data: st.DataObject, depth: int
) -> None:
    position = unfinished(data, start)
    assert search(position, depth) == search(position.copy(), depth)


@playouts
def test_a_finished_game_cannot_be_searched(start: Start, data: st.DataObject) -> None:
    position = start.position()
    while not position.is_over:
        position.play(data.draw(st.sampled_from(position.legal_moves()), "move"))
    with pytest.raises(ValueError, match="the game is over"):
        search(position)


def test_positions_are_of_the_games_board(start: Start) -> None:
    assert isinstance(start.position(), GAMES[start.game].board)


def test_a_solver_is_there_where_the_game_has_one(start: Start) -> None:
    assert (solver_of(start.position()) is None) == (GAMES[start.game].solver is None)


@playouts
def test_a_winning_move_leaves_no_winning_reply(start: Start, data: st.DataObject) -> None:
    position = unfinished(data, start)
    if solver := solver_of(position):
        winning = solver.winning_moves()
        for move in position.legal_moves():
            solver.play(move)
            assert bool(solver.winning_moves()) == (move not in winning)
            assert solver.undo() == move
        assert solver.winning_moves() == winning
