"""Interface of games: a Position to play on, and a Game that describes it."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from core.search.result import Limits, Report, SearchResult, StrongResult, Window


BOARD_MODULE = "board.js"  # the file of a game's page that the browser loads


class IllegalMove(ValueError):
    """A move that the rules forbid.

    `move` is the move, `number` its place in the game counted from 1, and `rule` says in words
    which rule it breaks.
    """

    def __init__(self, move: int, number: int, rule: str) -> None:
        super().__init__(move, number, rule)
        self.move = move
        self.number = number
        self.rule = rule

    def __str__(self) -> str:
        return f"illegal move {self.number}: {self.rule}"


class Outcome(NamedTuple):
    """How a game has ended.

    `winner` is 1 or 2, or None for a draw; `reason` says why in words, in which "player 1" and
    "player 2" stand for the players: "player 2 cannot move". `termination` is the kind of end that
    records name: "no_legal_move" for the loss of a player that cannot move, else "game_over".
    """

    winner: int | None
    reason: str
    termination: str = "game_over"

    @classmethod
    def no_legal_move(cls, player: int) -> Self:
        """Return the loss of a player, 1 or 2, that has to move and cannot."""
        return cls(3 - player, f"player {player} cannot move", "no_legal_move")


class Position(Protocol):
    """A game in progress between the players 1 and 2, who move in turn, player 1 first.

    Moves are whole numbers; each game defines their meaning. Equal positions (the same future,
    however it was reached) are equal and have the same hash; a position changes when a move is
    played, so that it may be in a set or a dict only as long as none is. `str(position)` is the
    position for people: one or more lines, the last without a line break.
    """

    @property
    def moves(self) -> list[int]:
        """The moves so far, from first to last."""

    @property
    def player_to_move(self) -> int:
        """1 or 2; when the game is over, the player who would be next."""

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""

    @property
    def outcome(self) -> Outcome | None:
        """How the game has ended; None while it goes on."""

    def legal_moves(self) -> list[int]:
        """Return all legal moves, ascending; none when the game is over."""

    def play(self, move: int) -> None:
        """Play a move. Raises IllegalMove, and then nothing has changed."""

    def undo(self) -> int:
        """Take back the last move and return it. Raises IndexError without one."""

    def copy(self) -> Self:
        """Return an independent copy."""

    def __str__(self) -> str: ...


class Solver(Protocol):
    """Perfect play from a position on, as the game goes on, in a game without draws.

    A player without a winning move has lost, so that a solver cannot express a draw. At the end of
    a game the outcome has the winner, and the solver is not asked.
    """

    def winning_moves(self) -> list[int]:
        """Return the moves with which the player to move wins under perfect play, ascending."""

    def play(self, move: int) -> None:
        """Play a move. Raises IllegalMove, and then nothing has changed."""

    def undo(self) -> int:
        """Take back the last move and return it. Raises IndexError without one."""


class Parameter(NamedTuple):
    """A whole number of a game's setup.

    Attributes:
        meaning: What it is, in words: "size of the board".
        minimum: The least value.
        usual: Some usual values, the most usual one first.
        maximum: The largest value; None if only memory limits it.
        default: The value in a setup without the parameter; None if each setup must have it.
    """

    meaning: str
    minimum: int
    usual: tuple[int, ...]
    maximum: int | None = None
    default: int | None = None

    def broken_limit(self, value: int) -> str | None:
        """Return the limit that a value breaks, such as "at least 3"; None for a valid value."""
        if value < self.minimum:
            return f"at least {self.minimum}"
        if self.maximum is not None and value > self.maximum:
            return f"at most {self.maximum}"
        return None


class Evaluation(NamedTuple):
    """A static evaluation: the value for player 1, and its explanation in words.

    With `is_final` the search does not look deeper, as the game is decided.
    """

    value: float
    words: str
    is_final: bool = False


class MatchingNode(NamedTuple):
    """A move as a node of a matching.

    `kind` is one of the kinds of the matching, `row` the row in a drawing, from 0 at the top;
    `reason` says in words why the move is legal now, and is None if it is not.
    """

    move: int
    kind: str
    row: int
    reason: str | None = None


class Matching(NamedTuple):
    """Perfect play as a maximum matching of moves, in games where each move is made once.

    The winner answers each move with its partner.

    Attributes:
        nodes: The moves that are left and the last one, ascending.
        edges: The pairs of moves that may follow each other.
        pairs: The edges of a maximum matching: partners.
        kinds: The meanings of the kinds of nodes, by name; the winning moves have the first kind.
        last: The last move; None at the start.
        winning_moves: The winning moves, ascending.
        answer: The winning move after which the other pairs remain a maximum matching: the partner
            of the last move, or a first move without a partner. None for a lost position.
        sentences: The reason why the position is won or lost, for people.
    """

    nodes: Sequence[MatchingNode]
    edges: Sequence[tuple[int, int]]
    pairs: Sequence[tuple[int, int]]
    kinds: Mapping[str, str]
    last: int | None
    winning_moves: Sequence[int]
    answer: int | None
    sentences: Sequence[str]


class ProgramAnswer(Protocol):
    """Output of a program that searches one position and ends."""

    @property
    def move(self) -> int:
        """The move that it chose."""

    @property
    def max_depth(self) -> int | None:
        """The depth that the search has reached, in plies; None if it is not known."""


class ProgramFormat(NamedTuple):
    """Command line of programs that search one position and end, as courses ask for.

    Attributes:
        arguments: `arguments(setup, moves, depth)` returns the words after the command.
        parse: Parses the output of the program; it raises ValueError for any other output, with a
            text that follows "printed".
    """

    arguments: Callable[[Mapping[str, int], Sequence[int], int], list[str]]
    parse: Callable[[str], ProgramAnswer]


class MoveNames(NamedTuple):
    """Names of moves as people write them: of the moves so far, and of the legal moves."""

    played: Sequence[str]
    legal: Sequence[str]


class Encoding(NamedTuple):
    """Moves and positions as numbers of fixed ranges, for programs that learn.

    Attributes:
        moves: `moves(**setup)` returns the range that all moves are in.
        length: `length(**setup)` returns the most moves that a game can have.
        shape: `shape(**setup)` returns the shape of an observation.
        observe: `observe(position, player)` returns a new observation of a position by player 1 or
            2: bytes, each 0 or 1, as many as the shape has places, in row-major order. It has all
            that the further game depends on. None with `shape` for a game where each move is
            made at most once, so that the moves of both players are enough.
        vector: The class of objects that step many positions at once (a `board_vector` module of
            a game's package). None for a game without one.
    """

    moves: Callable[..., range]
    length: Callable[..., int]
    shape: Callable[..., tuple[int, ...]] | None = None
    observe: Callable[[Any, int], bytearray] | None = None
    vector: Callable[..., Any] | None = None


class Game(NamedTuple):
    """A game as it is registered.

    Attributes:
        name: The name in commands, messages and databases: lower case and underscores.
        title: The name for people.
        parameters: The parameters of a setup, by name; none for a game with one start position.
        position: `position(**setup, moves=moves)` starts a game and plays the moves. It raises
            ValueError, IllegalMove and MemoryError.
        board: The class of the positions.
        study: As `position`, for the positions that may be analysed, which may be more than those
            that can be reached.
        evaluate: `evaluate(position, player)` is the static evaluation in a search that `player`
            began, 1 or 2; finished games too. None if the game has none.
        decides_early: Whether `is_final` of an evaluation may be set before the game is over.
        search: The search that was compiled for the game and its evaluation, None for the one in
            Python: called with a position where the game is not over, Limits, and a progress
            callback or None.
        solver: `solver(position, seconds)` makes a Solver; it raises MemoryError, and TimeoutError
            after `seconds`, if that is not None. None if the game is not solved, or may end in a
            draw.
        matching: `matching(position)` shows perfect play as a matching; it returns None for a
            position that is too large to be shown, and raises MemoryError. None if the game is not
            decided by one.
        move_name: Returns a move as people write it; by default its number.
        move_names: `move_names(position)` returns the names of moves in a game where they depend
            on the position. None for a game where `move_name` has them.
        plain_evaluate: As `evaluate`, with `is_final` only at the end of the game. None for a game
            that does not decide early.
        read_board: `read_board(text, player)` returns the position that a text shows, in which
            player 1 or 2 is to move; it raises ValueError. None for a game without a notation.
        program: The command line of programs for the game that courses ask for, if there is one.
        page: The folder of the game's board for the web page of the arena, for example
            `importlib.resources.files("package") / "web"`. The arena serves its files below
            /boards/NAME/ and loads the module board.js (docs/reference/boards.md). None for a game
            without a board, which is shown as text.
        strong_search: The search with which the bot `strong` plays, called as `search`. The same
            number of nodes gives the same result. None for a game without one.
        win_value: The value of a game that player 1 wins, which no undecided position reaches; None
            if the evaluation does not promise that.
        search_subtree: As `search`, for a subtree in a Window; it lets several threads search. A
            value outside the window is a bound. None for a game that one thread searches, as where
            the evaluation depends on the player who began the search.
        position_svg: Returns a picture of a position as an SVG document: its root has `viewBox`,
            `width` and `height` in units, its colours are fixed, and it refers to nothing outside.
            None for a game that shows its positions as text (core.picture).
        encoding: Moves and positions for programs that learn. None for a game without.
        search_for_player: `search_for_player(position, limits, report, player)` is as `search`,
            with the evaluation of a search that `player` began, 1 or 2. None if the evaluation
            does not depend on that player, or the game has no search of its own.
    """

    name: str
    title: str
    parameters: Mapping[str, Parameter]
    position: Callable[..., Position]
    board: type[Position]
    study: Callable[..., Position]
    evaluate: Callable[[Any, int], Evaluation] | None = None
    decides_early: bool = False
    search: "Callable[[Any, Limits, Report | None], SearchResult] | None" = None
    solver: Callable[[Any, float | None], Solver] | None = None
    page: "Traversable | None" = None
    program: ProgramFormat | None = None
    matching: Callable[[Any], Matching | None] | None = None
    move_name: Callable[[int], str] = str
    strong_search: "Callable[[Any, Limits, Report | None], StrongResult] | None" = None
    win_value: float | None = None
    search_subtree: "Callable[[Any, Limits, Report | None, Window], SearchResult] | None" = None
    position_svg: Callable[[Any], str] | None = None
    encoding: Encoding | None = None
    search_for_player: "Callable[[Any, Limits, Report | None, int], SearchResult] | None" = None
    move_names: Callable[[Any], MoveNames] | None = None
    plain_evaluate: Callable[[Any, int], Evaluation] | None = None
    read_board: Callable[[str, int], Any] | None = None

    def completed(self, setup: Mapping[str, int]) -> dict[str, int]:
        """Return a setup with the defaults of the parameters that it lacks."""
        defaults = {
            name: parameter.default
            for name, parameter in self.parameters.items()
            if name not in setup and parameter.default is not None
        }
        return {**setup, **defaults}

    def names_in(self, position: Position) -> MoveNames:
        """Return the names of the moves so far and of the legal moves."""
        if self.move_names:
            return self.move_names(position)
        names = map(self.move_name, position.moves), map(self.move_name, position.legal_moves())
        return MoveNames(*map(list, names))

    @property
    def has_board(self) -> bool:
        """Whether `page` lists the module of a board, and it can be read."""
        try:
            entries = self.page.iterdir() if self.page and self.page.is_dir() else ()
            for entry in entries:
                if entry.name == BOARD_MODULE and entry.is_file():
                    entry.read_bytes()
                    return True
        except OSError:
            return False
        return False
