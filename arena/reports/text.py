"""Standings, crosstables and other reports as aligned text."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import compress, groupby, islice
from typing import NamedTuple
from unicodedata import combining, east_asian_width

from arena.analysis.accuracy import Accuracy
from arena.model.observer import WorkersStatus
from arena.model.results import MatchRecord, Tally, points_number
from arena.model.visible import printable, visible
from arena.ratings.bradley_terry import Ratings
from arena.ratings.sprt import SequentialTest, estimate_elo, estimate_nelo
from arena.tournament.encounters import Decision, Encounter
from arena.tournament.knockout import bracket
from arena.tournament.round_robin import Scores
from arena.tournament.standings import Standing, group_places
from arena.tournament.tie_breaks import SwissStanding

MAX_LISTED_FORFEITS = 100
MAX_LISTED_BOTS = 5  # in a notice
LAST_LINES, MAX_WORDS = 3, 200  # of a program's last output: lines, characters
NAMED_BOTS = 100  # in a warning; of more bots only the number of groups is given
COLUMN_GAP = "  "
DECISION_NOTES: dict[Decision | None, str] = {
    Decision.SUDDEN_DEATH: "  (sudden death)",
    Decision.SEED: "  (level, better seed)",
}
ROUND_NAMES = {1: "Final", 2: "Semifinals", 4: "Quarterfinals"}  # by number of encounters


class GameStandings(NamedTuple):
    """Standings in one game, with the results, ratings and accuracies that they are based on."""

    standings: Sequence[Standing]
    tally: Tally
    ratings: Ratings
    accuracies: Mapping[str, Accuracy]
    distinct_games: int | None = None  # None if they were not counted


# Standings and ratings


def standings_text(
    standings: Sequence[Standing],
    ratings: Ratings,
    accuracies: Mapping[str, Accuracy],
    width: int | None = None,
) -> str:
    """Format standings as a table, or as one for each group of bots that no match connects.

    It has ratings with margins, wins, draws if there are any, losses, pairs (won-tied-lost) if
    there are any, and forfeits.

    Args:
        standings: Rows of the table, in order.
        ratings: Ratings of the bots; a bot without one gets a dot.
        accuracies: Accuracies of the bots; without any, the table has no such column.
        width: Maximum width in terminal columns, beyond which long names are truncated.
    """
    columns = {
        "drawn": any(standing.draws for standing in standings),
        "pairs": any(any(standing.pairs) for standing in standings),
        "accuracy": bool(accuracies),
    }
    places, tables = group_places(ratings), []
    ranked = groupby(enumerate(standings, 1), lambda item: places[item[1].bot])
    for group in [[*group] for _, group in ranked] or [[]]:
        rows = [["#", "bot", "Elo", "+-", "won", "drawn", "lost", "pairs", "accuracy", "forfeits"]]
        for rank, standing in group:
            accuracy = accuracies.get(standing.bot, Accuracy())
            rows.append(
                [
                    f"{rank}",
                    standing.bot,
                    *rating_text(ratings, standing.bot),
                    f"{standing.wins}",
                    f"{standing.draws}",
                    f"{standing.losses}",
                    "-".join(map(str, standing.pairs)),
                    accuracy_percent(accuracy),
                    f"{standing.forfeits.total() or '.'}",
                ]
            )
        shown = [columns.get(name, True) for name in rows[0]]
        tables.append(aligned_text([[*compress(row, shown)] for row in rows], width))
    return "\n".join(tables)


def matches_text(table: GameStandings, planned: int | None = None) -> str:
    """Format the number of matches, and of distinct games if some are repetitions.

    Args:
        table: Standings in one game.
        planned: Number of matches in all; None if it is not known.
    """
    finished, distinct = table.tally.total(), table.distinct_games
    copies = "" if distinct in (None, finished) else f", {counted(distinct, 'distinct game')}"
    return f"{finished_text(finished, planned)}{copies}"


def rating_text(ratings: Ratings, bot: str) -> list[str]:
    """Format a bot's rating and its margin; each is a dot if the bot is not rated."""
    if bot not in ratings.elo:
        return [".", "."]
    return [f"{ratings.elo[bot]:+z.0f}", f"{ratings.margin(bot):.0f}"]


def first_move_text(ratings: Ratings, *, margin: bool = True) -> str:
    """Format the advantage of player 1 as a line, with or without its margin."""
    text = f"First move: {ratings.first_move:+z.0f} Elo"
    if margin:
        text += f" +- {ratings.first_move_margin:.0f} (+- is a 95 % confidence interval)"
    return f"{text}\n"


def disconnected_groups_text(groups: Sequence[Sequence[str]]) -> str:
    """Format a warning if the bots form several groups that no match connects; else empty."""
    if len(groups) < 2:
        return ""
    warning = "ratings of groups that no match connects are not comparable"
    if sum(map(len, groups)) > NAMED_BOTS:
        return f"{warning}; there are {len(groups):,} groups\n"
    return f"{warning}: {'; '.join(', '.join(map(visible, group)) for group in groups)}\n"


def forfeits_text(records: Iterable[MatchRecord], number: int) -> str:
    """Format a line with the reason for each of the first forfeits; empty without any.

    Args:
        records: Matches lost by forfeit; at most `MAX_LISTED_FORFEITS` are read.
        number: Number of these matches.
    """
    lines = [
        f"  {match_title(record)}: {record.result.termination}: {visible(record.result.reason)}"
        f"{last_output_text(record)}\n"
        for record in islice(records, MAX_LISTED_FORFEITS)
    ]
    if number > len(lines):
        lines.append(f"  and {number - len(lines)} more\n")
    return "Forfeits\n" + "".join(lines) if lines else ""


def last_output_text(record: MatchRecord) -> str:
    """Format the last lines of what the loser's program has written; empty without any."""
    lines = [*filter(None, map(str.strip, record.log.splitlines()))][-LAST_LINES:]
    words = printable(" | ".join(lines))
    return f'; last output: "{words[-MAX_WORDS:]}"' if words else ""


def names_text(names: Mapping[str, str]) -> str:
    """Format the name of each submission by its pseudonym; empty without any."""
    heading, text = names_block(names)
    return f"{heading}\n{text}" if text else ""


def names_block(names: Mapping[str, str]) -> tuple[str, str]:
    """Return the heading and the lines of the names of submissions."""
    return "Names", "".join(
        f"  {visible(pseudonym)}: {visible(name)}\n" for pseudonym, name in names.items()
    )


def match_title(record: MatchRecord) -> str:
    """Format a match's number, players, game and setup."""
    pairing = record.pairing
    number = record.id if pairing.number is None else pairing.number
    setup = "".join(f", {name} {value}" for name, value in pairing.setup.items())
    return visible(f"match {number}, {' - '.join(pairing.players)}, {pairing.game}{setup}")


# Formats


def workers_text(status: WorkersStatus) -> str:
    """Describe the workers of a run in process in one line, with losses if there were any."""
    rate = status.matches_per_second
    parts = [
        counted(status.workers, "worker"),
        f"{rate:,.0f} matches/s" if rate >= 10 else f"{rate:.1f} matches/s",
        f"{counted(status.in_flight, 'batch', 'batches')} in flight",
    ]
    if status.lost:
        parts.append(f"{counted(status.lost, 'batch', 'batches')} lost")
        parts.append(f"{counted(status.replayed, 'match', 'matches')} played again")
    return ", ".join(parts)


def counted(number: int, one: str, many: str = "") -> str:
    """Format a number of things; their plural ends in s unless it is given."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def listed_bots(names: Sequence[str]) -> str:
    """Format the names of a few bots, or the number of many."""
    return ", ".join(names) if len(names) <= MAX_LISTED_BOTS else counted(len(names), "bot")


def finished_text(finished: int, total: int | None = None) -> str:
    """Format the number of finished matches, of all of them if their number is known."""
    if total is None:
        return counted(finished, "match", "matches")
    return f"{finished:,} of {counted(total, 'match', 'matches')}"


def sprt_text(test: SequentialTest) -> str:
    """Format the state of a sequential test: the test, the pairs by score, and the estimates."""
    lower, upper = test.sprt.bounds
    elo, margin = estimate_elo(test.counts)
    nelo, nelo_margin = estimate_nelo(test.counts)
    return (
        f"SPRT {test.sprt} ({test.sprt.model.unit}): LLR {test.llr:+z.2f}"
        f" ({lower:.2f}, {upper:.2f}),"
        f" {test.accepted or 'undecided'} after {counted(test.pairs, 'pair')}\n"
        f"Pairs by score [0, 0.5, 1, 1.5, 2]: {[*test.pair_scores]},"
        f" {test.decisive * 100:.0f} % decisive\n"
        f"Elo {elo:+z.0f} +- {margin:.0f}, normalised Elo {nelo:+z.0f} +- {nelo_margin:.0f}\n"
    )


def swiss_text(standings: Sequence[SwissStanding]) -> str:
    """Format the standings of a Swiss tournament as a table."""
    rows = [["#", "bot", "points", "Buchholz", "Sonneborn-Berger", "byes"]]
    rows += [
        [
            f"{standing.rank}",
            standing.bot,
            f"{points_number(standing.points)}",
            f"{points_number(standing.buchholz)}",
            f"{points_number(round(standing.sonneborn_berger, 2))}",
            f"{standing.byes or '.'}",
        ]
        for standing in standings
    ]
    return aligned_text(rows)


def bracket_text(bots: Sequence[str], pairs: int, scores: Scores) -> str:
    """Format the bracket of a knockout, round by round, with seeds, scores and the champion.

    Args:
        bots: Names of the bots, in order of seeding.
        pairs: Number of pairs in an encounter, without sudden death.
        scores: Scores of finished pairs by number.
    """
    rounds = bracket(bots, pairs, scores)
    seeds: dict[str | None, int] = {bot: seed for seed, bot in enumerate(bots, 1)}
    width = max(len(visible(bot)) for bot in bots)
    lines: list[str] = []
    for round_ in rounds:
        lines.append(ROUND_NAMES.get(len(round_), f"Round of {2 * len(round_)}"))
        lines += [_encounter_line(encounter, seeds, width) for encounter in round_]
        lines.append("")
    champion = rounds[-1][0].winner
    if champion is not None:
        lines.append(f"Champion: {visible(champion)}")
    return "\n".join(lines).rstrip("\n") + "\n"


def _encounter_line(encounter: Encounter, seeds: Mapping[str | None, int], width: int) -> str:
    one, two = encounter.players
    left = f"{seeds.get(one, ''):>3} {visible(one or '?'):{width}}"
    if encounter.decided is Decision.BYE:
        return f"{left}  bye"
    points = " - ".join(f"{points_number(points)}" for points in encounter.points)
    score = "  -  " if None in encounter.players else points
    right = f"{visible(two or '?')} {seeds.get(two, '')}".rstrip()
    note = DECISION_NOTES.get(encounter.decided, "")
    return f"{left}  {score}  {right}{note}"


# Accuracies


def accuracy_text(accuracies: Mapping[str, Accuracy]) -> str:
    """Format each bot's accuracy as a table, the best bot first."""
    ranked = sorted(accuracies.items(), key=lambda item: (-(item[1].share or 0), item[0]))
    rows = [["#", "bot", "games", "kept", "blunders", "accuracy", "blunders per game"]]
    rows += [
        [
            f"{rank}",
            bot,
            f"{accuracy.games}",
            f"{accuracy.kept}",
            f"{accuracy.blunders}",
            accuracy_percent(accuracy),
            f"{accuracy.blunders_per_game:.2f}",
        ]
        for rank, (bot, accuracy) in enumerate(ranked, 1)
    ]
    return aligned_text(rows)


def accuracy_percent(accuracy: Accuracy) -> str:
    """Format the share of kept wins, rounded down, so that 100 % means no blunder."""
    share = accuracy.share
    return "." if share is None else f"{int(1000 * share) / 10:.1f} %"


# Alignment


def aligned_text(rows: Sequence[Sequence[str]], width: int | None = None, names: int = 1) -> str:
    """Align the columns of a table.

    Args:
        rows: The cells of each row, the header included.
        width: Maximum width in terminal columns, beyond which names are truncated.
        names: Index of the column with names, which are aligned to the left.
    """
    rows = [[visible(cell) for cell in row] for row in rows]
    widths = [max(map(display_width, column)) for column in zip(*rows, strict=True)]
    if width is not None:
        excess = sum(widths) + len(COLUMN_GAP) * (len(widths) - 1) - width
        widths[names] = max(display_width(rows[0][names]), widths[names] - max(0, excess))
    return "".join(_aligned_line(row, widths, names) for row in rows)


def _aligned_line(row: Sequence[str], widths: Sequence[int], names: int) -> str:
    cells = []
    for column, (cell, width) in enumerate(zip(row, widths, strict=True)):
        text = _truncated(cell, width)
        blanks = " " * (width - display_width(text))
        cells.append(text + blanks if column == names else blanks + text)
    return COLUMN_GAP.join(cells).rstrip() + "\n"


def _truncated(text: str, width: int) -> str:
    """Return the text, or as much of it as fits, with an ellipsis."""
    if display_width(text) <= width:
        return text
    while display_width(text) >= width:
        text = text[:-1]
    return text + "\N{HORIZONTAL ELLIPSIS}"


def display_width(text: str) -> int:
    """Return the width in terminal columns: East Asian wide characters take two."""
    return sum(
        0 if combining(letter) else 1 + (east_asian_width(letter) in "WF") for letter in text
    )
