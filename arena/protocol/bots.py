"""Messages of /watch about one bot: its record against all opponents, and its latest matches."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from arena.model.results import Outcome
from arena.protocol.positions import RequestId


class FindBot(Struct, frozen=True, tag="find_bot", tag_field="type"):
    """A request for the rating and the results of a bot in each game."""

    request: RequestId
    bot: str


class FindBotMatches(Struct, frozen=True, tag="find_bot_matches", tag_field="type"):
    """A request for what the latest rated matches of a bot in a game show."""

    request: RequestId
    bot: str
    game: str


class Score(Struct, frozen=True, array_like=True):
    """Results of a bot, and the 95 % interval of its share of the points by Wilson.

    It is encoded as an array. Without matches `low` and `high` are None. The interval takes matches
    as independent.
    """

    won: int
    drawn: int
    lost: int
    low: float | None
    high: float | None

    @property
    def played(self) -> int:
        """The number of matches."""
        return self.won + self.drawn + self.lost


class OpponentScore(Struct, frozen=True):
    """Results of a bot against an opponent, as player 1 and as player 2; `elo` is the opponent's.

    `forfeits` counts the forfeits of both bots.
    """

    bot: str
    elo: float
    score: Score
    first: Score
    second: Score
    forfeits: int


class BotStanding(Struct, frozen=True):
    """A bot in one game, from all its rated matches.

    `rank` is 1 for the best of `rated` bots; bots with equal ratings share one. `matches` is
    the number of rated matches of all bots, which the ratings are from. `margin` is
    None in a game with very many bots, `accuracy` if no move was judged. `first` and `second` are
    the results as player 1 and as player 2. `forfeits` are the numbers of losses by termination.
    `opponents` are those with the most matches; `omitted` is the number of the others.
    """

    game: str
    elo: float
    margin: float | None
    rank: int
    is_shared: bool
    rated: int
    matches: int
    score: Score
    first: Score
    second: Score
    forfeits: Mapping[str, int]
    accuracy: float | None
    judged: int
    opponents: Sequence[OpponentScore]
    omitted: int = 0


class BotInfo(Struct, frozen=True, tag="bot", tag_field="type"):
    """A bot in all games where it has finished a rated match, its most frequent one first."""

    request: int
    bot: str
    games: Sequence[BotStanding]


class SetupScore(Struct, frozen=True):
    """Results of a bot with one setup, on both sides, as player 1 and as player 2."""

    setup: Mapping[str, int]
    score: Score
    first: Score
    second: Score


class MoveTimes(Struct, frozen=True):
    """Times charged for `moves` of a bot; the longest one was in `match`, after `ply` moves."""

    moves: int
    median_ms: float
    longest_ms: float
    match: int
    ply: int


class LostWin(Struct, frozen=True):
    """A match in which a bot gave up a won position `blunders` times, the last time at `ply`.

    `ply` is the number of moves before that move. `outcome` is the result of the bot: "won", "lost"
    or "draw".
    """

    match: int
    opponent: str
    setup: Mapping[str, int]
    blunders: int
    ply: int
    outcome: Outcome


class ReportedInfo(Struct, frozen=True):
    """What a bot reported with `moves` of its moves; `depth` and `nodes` are medians."""

    moves: int
    depth: int | None
    nodes: int | None


class BotMatches(Struct, frozen=True, tag="bot_matches", tag_field="type"):
    """What the latest rated matches of a bot in a game show.

    `setups` covers its `matches` among the latest matches of the database. The other numbers
    are from the `latest` ones of these: `times` is None without a move, `reported` without an info.
    `judged` of them are analysed. `since` is the Unix time of the end of the first of `matches`.
    """

    request: int
    bot: str
    game: str
    matches: int
    since: float | None
    setups: Sequence[SetupScore]
    omitted: int
    latest: int
    times: MoveTimes | None
    judged: int
    lost_wins: Sequence[LostWin]
    reported: ReportedInfo | None
