"""Checks of a game's description and of its positions. Pure.

docs/contributing/add-a-game.md describes the expected behaviour of a game.
"""

import re
from collections.abc import Callable
from functools import partial
from typing import NamedTuple, TypeVar

from arena.conformance.game_checks import GameCheck, require
from arena.conformance.random_games import MAX_PLIES, Sample, describe_error, typical_setups
from arena.conformance.steps import CheckFailed
from arena.model.results import GAME_TERMINATIONS, Termination
from core import game_of
from core.game import BOARD_MODULE, IllegalMove, Outcome, Parameter, Position

NO_MOVES = (-(10**6), -1, 0, 1, 2, 10**6, 2**63, 10**30)  # in most positions

E = TypeVar("E", bound=Exception)


class Facts(NamedTuple):
    """The complete observable state of a position."""

    moves: list[int]
    legal_moves: list[int]
    player_to_move: int
    is_over: bool
    outcome: Outcome | None
    hash: int
    text: str


def facts(position: Position) -> Facts:
    """Return all that can be asked of a position."""
    return Facts(
        [*position.moves],
        [*position.legal_moves()],
        position.player_to_move,
        position.is_over,
        position.outcome,
        hash(position),
        str(position),
    )


def require_facts(position: Position, before: Facts, expected: str) -> None:
    """Raise CheckFailed, with the first difference, unless a position has these facts."""
    after = facts(position)
    for name, one, two in zip(Facts._fields, before, after, strict=True):
        require(one == two, expected, f"{name} {two!r} instead of {one!r}")


def describes_itself(sample: Sample) -> None:
    """Check the title, the parameters and the page of a game; the registry checks the names."""
    game = sample.game
    require(_is_line(game.title), "a title of one line", repr(game.title))
    for name, parameter in game.parameters.items():
        _check_parameter(name, parameter)
    is_complete = game.page is None or game.has_board
    require(is_complete, f"{BOARD_MODULE} in the folder of the page", f"none in {game.page}")


def _check_parameter(name: str, parameter: Parameter) -> None:
    meaning, usual, default = parameter.meaning, parameter.usual, parameter.default
    require(_is_line(meaning), f"the meaning of {name} in one line", repr(meaning))
    are_valid = bool(usual) and not any(map(parameter.broken_limit, usual))
    require(are_valid, f"usual values of {name} within its limits", repr(usual))
    is_valid = default is None or not parameter.broken_limit(default)
    require(is_valid, f"a default of {name} within its limits", repr(default))


def starts(sample: Sample) -> None:
    """Check the position at the start: the class, the player to move, the moves."""
    game, position = sample.game, sample.position()
    kind = type(position).__name__
    require(isinstance(position, game.board), f"a position of {game.board.__name__}", kind)
    owner = game_of(position)
    require(owner is game, "a class of positions of its own", f"that of {owner.name}")
    require(position.moves == [], "no moves at the start", repr(position.moves))
    player = position.player_to_move
    require(player == 1, "player 1 to move at the start", f"player {player}")
    if sample.setup in typical_setups(game):
        require(not position.is_over, "a move at the start of a usual setup", "a finished game")
    _starts_by_default(sample)


def refuses_values_out_of_range(sample: Sample) -> None:
    """Check that each parameter beyond its limits raises ValueError, which names the value."""
    for name, parameter in sample.game.parameters.items():
        _refuses(sample, name, parameter.minimum - 1)
        if parameter.maximum is not None:
            _refuses(sample, name, parameter.maximum + 1)


def _refuses(sample: Sample, name: str, value: int) -> None:
    expected = f"a ValueError in one line that names the value {value} of {name}"
    start = partial(sample.game.position, **{**sample.setup, name: value})
    text = str(raised(start, expected, ValueError))
    require(_is_line(text) and str(value) in text, expected, repr(text))


def _starts_by_default(sample: Sample) -> None:
    """Check that a setup that lacks a parameter with a default starts as with the default."""
    game = sample.game
    for name, parameter in game.parameters.items():
        if parameter.default is not None:
            rest = {other: value for other, value in sample.setup.items() if other != name}
            short, full = game.position(**rest), game.position(**game.completed(rest))
            expected = f"{name} {parameter.default} by default"
            require(short == full, expected, f"{short}, not {full}")


def ends(sample: Sample) -> None:
    """Check that a random game has come to an end."""
    has_ended = len(sample.moves) < MAX_PLIES
    require(has_ended, f"an end of a random game within {MAX_PLIES} moves", "none")


def lists_legal_moves(sample: Sample) -> None:
    """Check that legal moves ascend, are the caller's own list, and end with the game."""
    position = sample.position()
    legal, is_over = position.legal_moves(), position.is_over
    require(legal == sorted(set(legal)), "ascending legal moves, each once", repr(legal))
    received = f"is_over {is_over} with the legal moves {legal}"
    require(is_over == (not legal), "legal moves exactly until the game is over", received)
    before = facts(position)
    position.legal_moves().append(-1)
    position.moves.append(-1)
    require_facts(position, before, "lists that the caller may change")


def tells_the_outcome(sample: Sample) -> None:
    """Check that there is an outcome exactly when the game is over, and its fields."""
    position = sample.position()
    outcome = position.outcome
    received = f"is_over {position.is_over} with the outcome {outcome}"
    is_right = (outcome is not None) == position.is_over
    require(is_right, "an outcome exactly when the game is over", received)
    if outcome is not None:
        _check_outcome(outcome, position.player_to_move)


def _check_outcome(outcome: Outcome, player: int) -> None:
    winner, reason, termination = outcome.winner, outcome.reason, outcome.termination
    require(winner in (1, 2, None), "a winner of 1, 2 or None", repr(winner))
    require(_is_line(reason), "a reason of one line", repr(reason))
    if winner is not None:
        names_player = re.search(r"\bplayer [12]\b", reason) is not None
        require(names_player, "a reason that names player 1 or player 2", repr(reason))
    expected = f"a termination of {' or '.join(GAME_TERMINATIONS)}"
    require(termination in GAME_TERMINATIONS, expected, repr(termination))
    if termination == Termination.NO_LEGAL_MOVE:
        expected = f"player {player}, who has no legal move, to lose"
        require(winner == 3 - player, expected, f"the winner {winner}")


def alternates_players(sample: Sample) -> None:
    """Check that players 1 and 2 move in turns."""
    expected = 1 + len(sample.moves) % 2
    player = sample.position().player_to_move
    require(player == expected, f"player {expected} to move", repr(player))


def undoes_moves(sample: Sample) -> None:
    """Check that playing and undoing each legal move restores everything."""
    position, twin = sample.position(), sample.position()
    before = facts(position)
    for move in position.legal_moves():
        position.play(move)
        undone = position.undo()
        require(undone == move, f"undo() to return the move {move}", repr(undone))
        require_facts(position, before, f"everything as it was before move {move} was undone")
        require(position == twin, f"an equal position after move {move} is undone", "another")


def undoes_to_the_start(sample: Sample) -> None:
    """Check that all moves can be undone, and no more."""
    position, start = sample.position(), sample._replace(moves=()).position()
    for _ in sample.moves:
        position.undo()
    expected = "the start after all moves are undone"
    require_facts(position, facts(start), expected)
    require(position == start, expected, "an unequal position")
    raised(position.undo, "an IndexError for undo() at the start", IndexError)
    require_facts(position, facts(start), "no change by undo() at the start")


def is_rebuilt(sample: Sample) -> None:
    """Check that equal positions are equal, and have equal hashes, however they were made."""
    game, played, moves = sample.game, sample.position(), [*sample.moves]
    rebuilt = {
        "copy()": played.copy(),
        "position() with a list of moves": game.position(**sample.setup, moves=moves),
        "position() with a tuple of moves": game.position(**sample.setup, moves=sample.moves),
        "study()": game.study(**sample.setup, moves=moves),
    }
    moves.append(-1)  # the list is the caller's
    for way, position in rebuilt.items():
        expected = f"{way} to equal the position that was played"
        require_facts(position, facts(played), expected)
        require(position == played, expected, "an unequal position")


def copies(sample: Sample) -> None:
    """Check that a copy and its original do not change each other."""
    original = sample.position()
    twin, before = original.copy(), facts(original)
    for move in original.legal_moves():
        twin.play(move)
        require_facts(original, before, f"no change by move {move} on a copy")
        twin.undo()
    for _ in sample.moves:
        original.undo()
    require_facts(twin, before, "no change of a copy when the original is undone")


def tells_positions_apart(sample: Sample) -> None:
    """Check that a move leads to an unequal position, and that other objects are unequal."""
    position = sample.position()
    require(position != object(), "a position unlike any other object", "an equal object")
    for move in position.legal_moves():
        after = position.copy()
        after.play(move)
        require(after != position, f"another position after move {move}", "an equal one")


def refuses_illegal_moves(sample: Sample) -> None:
    """Check that illegal moves raise IllegalMove and change nothing."""
    position = sample.position()
    before, legal = facts(position), position.legal_moves()
    near = {move + step for move in legal for step in (-1, 1)}
    for move in sorted({*NO_MOVES, *near, *sample.moves} - {*legal}):
        expected = f"an IllegalMove for move {move}"
        error = raised(partial(position.play, move), expected, IllegalMove)
        _check_illegal_move(error, sample, move)
        require_facts(position, before, f"no change by the illegal move {move}")
    expected = f"an IllegalMove for move {move} in the moves of position()"
    rebuild = partial(sample.game.position, **sample.setup, moves=[*sample.moves, move])
    _check_illegal_move(raised(rebuild, expected, IllegalMove), sample, move)


def _check_illegal_move(error: IllegalMove, sample: Sample, move: int) -> None:
    number = len(sample.moves) + 1
    expected = f"an IllegalMove with the move {move} and the number {number}"
    is_right = (error.move, error.number) == (move, number)
    require(is_right, expected, f"the move {error.move} and the number {error.number}")
    require(_is_line(error.rule), f"the rule that move {move} breaks in one line", repr(error.rule))


def has_text(sample: Sample) -> None:
    """Check that str() of a position is a text for people, and that each move changes it."""
    position = sample.position()
    text = str(position)
    is_text = bool(text.strip()) and text != object.__repr__(position)
    require(is_text, "a text for people as str(position)", repr(text))
    require(text == text.strip("\n"), "a text without line breaks at its ends", repr(text))
    for move in position.legal_moves():
        position.play(move)
        require(str(position) != text, f"another text after move {move}", "the same")
        position.undo()


def _is_line(text: str) -> bool:
    return bool(text.strip()) and len(text.splitlines()) == 1


def raised(call: Callable[[], object], expected: str, kind: type[E]) -> E:
    """Return the error of a kind that a call raises; raise CheckFailed for any other end."""
    try:
        call()
    except kind as error:
        return error
    except Exception as error:
        raise CheckFailed(expected, describe_error(error)) from error
    raise CheckFailed(expected, "no error")


RULE_CHECKS = (
    GameCheck(1, "describes itself", describes_itself, None, ()),
    GameCheck(2, "starts with player 1", starts, "setups", (1,)),
    GameCheck(3, "refuses values out of range", refuses_values_out_of_range, "setups", (2,)),
    GameCheck(4, "comes to an end", ends, "finished games", (2,)),
    GameCheck(5, "lists legal moves", lists_legal_moves),
    GameCheck(6, "tells the outcome", tells_the_outcome),
    GameCheck(7, "alternates the players", alternates_players),
    GameCheck(8, "undoes every move", undoes_moves),
    GameCheck(9, "undoes moves to the start", undoes_to_the_start),
    GameCheck(10, "makes equal positions equal", is_rebuilt),
    GameCheck(11, "makes independent copies", copies),
    GameCheck(12, "tells positions apart", tells_positions_apart),
    GameCheck(13, "refuses illegal moves", refuses_illegal_moves),
    GameCheck(14, "has text for people", has_text),
)
