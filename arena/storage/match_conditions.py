"""Filters of finished matches as conditions of SQL."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from arena.analysis.accuracy import MoveVerdict
from arena.model.match_filter import MatchFilter
from arena.model.results import Termination
from arena.model.setups import completed
from core import GAMES

ENDED = "termination IS NOT NULL"
DRAWN = f"winner IS NULL AND termination <> '{Termination.ABORTED}'"
PLIES = "json_array_length(opening) + (SELECT count(*) FROM moves WHERE match = id)"
BLUNDERS = (
    f"(SELECT length(verdicts) - length(replace(verdicts, '{MoveVerdict.BLUNDER}', ''))"
    " FROM verdicts WHERE match = id)"
)
OUTCOMES = {"won": "winner = {side}", "lost": "winner = 3 - {side}", "draw": DRAWN}

Value = str | int | float


class Condition(NamedTuple):
    """A condition of SQL, with the values of its question marks."""

    sql: str
    values: tuple[Value, ...] = ()


class Name(NamedTuple):
    """A name of a player, or the beginning of names."""

    text: str
    is_beginning: bool

    def condition(self, column: str) -> Condition:
        """Return the condition on a column with a player's name."""
        if not self.is_beginning:
            return Condition(f"{column} = ?", (self.text,))
        pattern = "".join(f"\\{letter}" if letter in "\\%_" else letter for letter in self.text)
        return Condition(f"{column} LIKE ? ESCAPE '\\'", (f"{pattern}%",))


def selection(selected: MatchFilter, bot: Name | None, opponent: Name | None) -> Condition:
    """Return the condition that a finished match passes a filter.

    Args:
        selected: The filter.
        bot: The name that the `bot` of the filter stands for.
        opponent: The name that its `opponent` stands for.
    """
    sides = (1, 2) if bot or opponent else (1,)
    players = (_joined(" AND ", _of_side(side, selected, bot, opponent)) for side in sides)
    return _joined(" AND ", [_joined(" OR ", players), *_of_match(selected)])


def _of_side(
    side: int, selected: MatchFilter, bot: Name | None, opponent: Name | None
) -> Iterator[Condition]:
    """Yield the conditions on players and outcome, with the bot on a side."""
    yield Condition(ENDED)
    if bot:
        yield bot.condition(f"player{side}")
    if opponent:
        yield opponent.condition(f"player{3 - side}")
    if selected.outcome:
        yield Condition(OUTCOMES[selected.outcome].format(side=side))


def _of_match(selected: MatchFilter) -> Iterator[Condition]:
    """Yield the other conditions."""
    given = {
        "game = ?": selected.game,
        "termination = ?": selected.ending,
        f"{BLUNDERS} <= ?": selected.max_blunders,
        f"{PLIES} >= ?": selected.min_plies,
        f"{PLIES} <= ?": selected.max_plies,
        "finished_at >= ?": selected.since,
        "finished_at < ?": selected.until,
    }
    for sql, value in given.items():
        if value is not None:
            yield Condition(sql, (value,))
    for name, value in selected.setup.items():
        yield _of_parameter(name, value)


def _of_parameter(name: str, value: int) -> Condition:
    """Return the condition on a parameter, which old setups may lack (see setups.completed)."""
    given = Condition(
        "EXISTS (SELECT 1 FROM json_each(setup) WHERE key = ? AND value = ?)", (name, value)
    )
    games = [game for game in GAMES if completed(game, {}).get(name) == value]
    if not games:
        return given
    marks = ", ".join("?" * len(games))
    lacks = "NOT EXISTS (SELECT 1 FROM json_each(setup) WHERE key = ?)"
    usual = Condition(f"game IN ({marks}) AND {lacks}", (*games, name))
    return _joined(" OR ", [given, usual])


def _joined(operator: str, conditions: Iterable[Condition]) -> Condition:
    """Return the conditions joined by an operator; there must be one."""
    parts = [*conditions]
    sql = operator.join(f"({part.sql})" for part in parts)
    return Condition(sql, tuple(value for part in parts for value in part.values))
