"""Results and superiority between each two bots as aligned text, as wide as a terminal allows."""

from collections.abc import Callable, Sequence

from arena.model.results import Tally
from arena.model.visible import visible
from arena.ratings.bradley_terry import Ratings
from arena.reports.text import COLUMN_GAP, aligned_text, counted, display_width
from arena.tournament.standings import HeadToHeadRecord, Standing, head_to_head

NAMES_WIDTH = 16  # columns of the names, if one is as long, before bots are left out
LEAST_BOTS = 2  # that a table shows on any terminal
LEAST_COLUMN = 1 + len(COLUMN_GAP)

NO_RESULT, UNKNOWN = ".", "-"
SEE_THE_REST = "arena standings --bot NAME lists those of one bot, --json all"


def crosstable_text(standings: Sequence[Standing], tally: Tally, width: int | None = None) -> str:
    """Format the results between each two bots by side; an exclamation mark marks forfeits.

    Args:
        standings: The bots, in order.
        tally: Results of all matches.
        width: Maximum width in terminal columns; bots that do not fit are left out.
    """
    records = head_to_head(tally)
    has_draws = _has_draws(tally)

    def cell(one: str, two: str) -> str:
        record = records.get((one, two))
        if record is None:
            return NO_RESULT
        return " ".join(side_texts(record, has_draws)) + ("!" if record.forfeits else "")

    heading = f"{_results_name(has_draws)} as player 1, then as player 2; ! marks forfeits\n"
    return heading + _matrix_text([standing.bot for standing in standings], cell, width)


def superiority_text(
    standings: Sequence[Standing], ratings: Ratings, width: int | None = None
) -> str:
    """Format each rated bot's likelihood of superiority; empty if no bot is rated.

    Args:
        standings: The bots, in order.
        ratings: Ratings of the bots.
        width: Maximum width in terminal columns; bots that do not fit are left out.
    """
    rated = [standing.bot for standing in standings if standing.bot in ratings.elo]
    if not rated:
        return ""
    heading = "Likelihood of superiority of the row over the column, in percent\n"
    return heading + _matrix_text(rated, lambda *bots: _superiority(ratings, *bots), width)


def head_to_head_text(
    bot: str,
    standings: Sequence[Standing],
    tally: Tally,
    ratings: Ratings | None = None,
    width: int | None = None,
) -> str:
    """Format the results of one bot against each other bot, an opponent a row.

    Args:
        bot: The name of the bot.
        standings: All bots, in order.
        tally: Results of all matches.
        ratings: Ratings for a column with the likelihood of superiority; None for none.
        width: Maximum width in terminal columns, beyond which long names are truncated.
    """
    records, has_draws = head_to_head(tally), _has_draws(tally)
    superiority = ["superior %"] if ratings else []
    rows = [["#", "opponent", "as player 1", "as player 2", "forfeits", *superiority]]
    for rank, standing in enumerate(standings, 1):
        if standing.bot != bot:
            record = records.get((bot, standing.bot))
            sides = side_texts(record, has_draws) if record else (NO_RESULT, NO_RESULT)
            forfeits = str((record and record.forfeits) or NO_RESULT)
            chance = [_superiority(ratings, bot, standing.bot)] if ratings else []
            rows.append([f"{rank}", standing.bot, *sides, forfeits, *chance])
    heading = f"{_results_name(has_draws)} of {visible(bot)} against each other bot\n"
    return heading + aligned_text(rows, width)


def side_texts(record: HeadToHeadRecord, has_draws: bool) -> tuple[str, str]:
    """Format a bot's results as player 1 and as player 2: wins, draws if there are any, losses."""
    first, second = (
        "-".join(map(str, [won, *([drawn] if has_draws else []), lost]))
        for (won, lost), drawn in zip((record.first, record.second), record.draws, strict=True)
    )
    return first, second


def _has_draws(tally: Tally) -> bool:
    return any(result.winner is None for result in tally)


def _results_name(has_draws: bool) -> str:
    return "Won-drawn-lost" if has_draws else "Won-lost"


def _superiority(ratings: Ratings, one: str, two: str) -> str:
    if one == two or not {one, two} <= ratings.elo.keys():
        return NO_RESULT
    likelihood = ratings.superiority(one, two)
    return UNKNOWN if likelihood is None else f"{100 * likelihood:.1f}"


def _matrix_text(bots: Sequence[str], cell: Callable[[str, str], str], width: int | None) -> str:
    """Format a table with a row and a column for each of the first bots, as far as they fit."""
    shown = bots if width is None else bots[: max(LEAST_BOTS, width // LEAST_COLUMN)]
    rows = [["", "", *(f"{rank}" for rank in range(1, len(shown) + 1))]]
    rows += [
        [f"{rank}", one, *(cell(one, two) for two in shown)] for rank, one in enumerate(shown, 1)
    ]
    if width is None:
        return aligned_text(rows)
    count, needed = _fitting(rows, width)
    text = aligned_text([row[: 2 + count] for row in rows[: 1 + count]], max(width, needed))
    if count == len(bots):
        return text
    left_out = counted(len(bots) - count, "more bot", "more bots")
    return f"{text}and {left_out}: {SEE_THE_REST}\n"


def _fitting(rows: Sequence[Sequence[str]], width: int) -> tuple[int, int]:
    """Return the number of bots that fit, and the width that their table needs."""
    rank, names, *columns = (max(map(display_width, column)) for column in zip(*rows, strict=True))
    needed = rank + len(COLUMN_GAP) + min(names, NAMES_WIDTH)
    for count, column in enumerate(columns):
        wider = needed + len(COLUMN_GAP) + column
        if count >= LEAST_BOTS and wider > width:
            return count, needed
        needed = wider
    return len(columns), needed
