"""Standings for people and for programs."""

import itertools
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple
from unicodedata import combining, east_asian_width

from arena.analysis.accuracy import Accuracy
from arena.model.results import MatchRecord, Tally
from arena.ratings.bradley_terry import Ratings
from arena.ratings.sprt import SequentialTest, elo_of
from arena.tournament.schedule import Standing
from arena.tournament.swiss import SwissStanding

LISTED = 100  # forfeits
GAP = "  "  # between the columns of a table


def table_text(
    table: Sequence[Standing],
    ratings: Ratings,
    accuracies: Mapping[str, Accuracy],
    width: int | None = None,
) -> str:
    """The table as text: ratings with their margins, wins and losses, forfeits.

    Where matches have been analysed, it has the bots' accuracies. Long names are cut off where it
    would be wider than so many columns.
    """
    judged = ["accuracy"] if accuracies else []
    rows = [["#", "bot", "Elo", "+-", "won", "lost", *judged, "forfeits"]]
    for place, line in enumerate(table, 1):
        score = [*rating_words(ratings, line.bot), f"{line.wins}", f"{line.losses}"]
        if judged:
            score.append(percent(accuracies.get(line.bot, Accuracy())))
        forfeits = sum(line.forfeits.values())
        rows.append([f"{place}", line.bot, *score, f"{forfeits or '.'}"])
    return _aligned(rows, width)


def rating_words(ratings: Ratings, bot: str) -> list[str]:
    """A bot's rating and its margin, or a dot for each if it has none."""
    if bot not in ratings.elo:
        return [".", "."]
    return [f"{ratings.elo[bot]:+z.0f}", f"{ratings.margin(bot):.0f}"]


class Meetings(NamedTuple):
    """What one bot has from another: wins and losses as player 1 and as player 2, forfeits."""

    first: tuple[int, int]
    second: tuple[int, int]
    forfeits: int

    def __str__(self) -> str:
        marks = "!" if self.forfeits else ""
        return f"{self.first[0]}-{self.first[1]} {self.second[0]}-{self.second[1]}{marks}"


NEVER = Meetings((0, 0), (0, 0), 0)


def meetings(tally: Tally) -> dict[tuple[str, str], Meetings]:
    """What each has from each that it has met, by (one, other)."""
    found: dict[tuple[str, str], Meetings] = {}
    for (one, two, winner, termination), times in tally.items():
        won, lost = times * (winner == 1), times * (winner == 2)
        forfeits = times * termination.is_forfeit
        first, second, before = found.get((one, two), NEVER)
        found[one, two] = Meetings((first[0] + won, first[1] + lost), second, before + forfeits)
        first, second, before = found.get((two, one), NEVER)
        found[two, one] = Meetings(first, (second[0] + lost, second[1] + won), before + forfeits)
    return found


def crosstable(table: Sequence[Standing], tally: Tally) -> str:
    """Wins and losses of each pair of bots by side, as text; ! marks forfeits."""
    met = meetings(tally)
    rows = [["", "", *(f"{place}" for place in range(1, len(table) + 1))]]
    rows += [
        [
            f"{place}",
            line.bot,
            *(f"{met.get((line.bot, other.bot), '.')}" for other in table),
        ]
        for place, line in enumerate(table, 1)
    ]
    return "Won-lost as player 1, then as player 2; ! with forfeits\n" + _aligned(rows)


def superiorities(table: Sequence[Standing], ratings: Ratings) -> str:
    """How likely it is, in percent, that each bot is stronger than each other, as text.

    Empty without two that are rated.
    """
    rated = [line.bot for line in table if line.bot in ratings.elo]
    if not rated:
        return ""
    rows = [["", "", *(f"{place}" for place in range(1, len(rated) + 1))]]
    rows += [
        [
            f"{place}",
            one,
            *("." if one == two else f"{100 * ratings.superiority(one, two):.1f}" for two in rated),
        ]
        for place, one in enumerate(rated, 1)
    ]
    return "How likely it is that one is stronger than another, in percent\n" + _aligned(rows)


def sprt_text(test: SequentialTest) -> str:
    """How a sequential test stands, in a line."""
    lower, upper = test.sprt.bounds
    losses, ties, wins = test.counts
    elo, margin = elo_of(test.counts)
    return (
        f"SPRT {test.sprt}: LLR {test.llr:+z.2f} ({lower:.2f}, {upper:.2f}),"
        f" {test.verdict or 'undecided'} after {test.pairs} pairs"
        f" (won 2-0 {wins}, 1-1 {ties}, lost 0-2 {losses}), Elo {elo:+z.0f} +- {margin:.0f}\n"
    )


def sprt_facts(test: SequentialTest) -> dict[str, object]:
    """How a sequential test stands, for JSON."""
    elo, margin = elo_of(test.counts)
    return {
        "test": str(test.sprt),
        "pairs": test.pairs,
        "counts": test.counts,
        "llr": test.llr,
        "bounds": test.sprt.bounds,
        "verdict": test.verdict,
        "elo": elo,
        "margin": margin,
    }


def swiss_text(lines: Sequence[SwissStanding]) -> str:
    """The points of a Swiss tournament as text."""
    rows = [["#", "bot", "points", "Buchholz", "byes"]]
    rows += [
        [f"{place}", line.bot, f"{line.points}", f"{line.buchholz}", f"{line.byes or '.'}"]
        for place, line in enumerate(lines, 1)
    ]
    return _aligned(rows)


def first_move(ratings: Ratings) -> str:
    """The advantage of player 1, in a line."""
    return (
        f"First move: {ratings.first_move:+z.0f} Elo, +- {ratings.first_move_margin:.0f}"
        " (intervals hold 95 %)\n"
    )


def apart(groups: Sequence[Sequence[str]]) -> str:
    """A warning if the bots are in groups that no match connects; may be empty."""
    if len(groups) < 2:
        return ""
    names = "; ".join(", ".join(group) for group in groups)
    return f"ratings cannot be compared between those that no match connects: {names}\n"


def accuracy_table(accuracies: Mapping[str, Accuracy]) -> str:
    """Every bot's accuracy as text, the best first."""
    ranked = sorted(accuracies.items(), key=lambda item: (-(item[1].share or 0), item[0]))
    rows = [["#", "bot", "games", "kept", "blunders", "accuracy", "blunders per game"]]
    rows += [
        [
            f"{place}",
            bot,
            f"{accuracy.games}",
            f"{accuracy.kept}",
            f"{accuracy.blunders}",
            percent(accuracy),
            f"{accuracy.blunders_per_game:.2f}",
        ]
        for place, (bot, accuracy) in enumerate(ranked, 1)
    ]
    return _aligned(rows)


def percent(accuracy: Accuracy) -> str:
    """The share of won positions that were kept, rounded down: 100 % is without a blunder."""
    share = accuracy.share
    return "." if share is None else f"{int(1000 * share) / 10:.1f} %"


def _aligned(rows: Sequence[Sequence[str]], width: int | None = None) -> str:
    """The rows as lines of text with aligned columns, of which the second holds names.

    Names are cut off where lines would be wider than so many columns.
    """
    widths = [max(map(_columns, column)) for column in zip(*rows, strict=True)]
    if width is not None:
        excess = sum(widths) + len(GAP) * (len(widths) - 1) - width
        widths[1] = max(_columns(rows[0][1]), widths[1] - max(0, excess))
    return "".join(_line(row, widths) for row in rows)


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    cells = []
    for column, (cell, width) in enumerate(zip(row, widths, strict=True)):
        text = _cut(cell, width)
        blanks = " " * (width - _columns(text))
        cells.append(text + blanks if column == 1 else blanks + text)
    return GAP.join(cells).rstrip() + "\n"


def _cut(text: str, width: int) -> str:
    """The text, or what fits of it with an ellipsis."""
    if _columns(text) <= width:
        return text
    while _columns(text) >= width:
        text = text[:-1]
    return text + "\N{HORIZONTAL ELLIPSIS}"


def _columns(text: str) -> int:
    """How many columns of a terminal a text takes up: East Asian characters are two wide."""
    return sum(
        0 if combining(letter) else 1 + (east_asian_width(letter) in "WF") for letter in text
    )


def forfeits(records: Iterable[MatchRecord], number: int) -> str:
    """So many matches, lost by breaking a rule, a line each, with the reason; may be empty.

    Of very many only the first are listed.
    """
    lines = [
        f"  {title(record)}: {record.result.termination}: {record.result.reason}\n"
        for record in itertools.islice(records, LISTED)
    ]
    if number > len(lines):
        lines.append(f"  and {number - len(lines)} more\n")
    return "Forfeits\n" + "".join(lines) if lines else ""


def title(record: MatchRecord) -> str:
    """Which match it was: its number, the players, the game and what it began with."""
    pairing = record.pairing
    number = record.id if pairing.number is None else pairing.number
    setup = "".join(f", {name} {value}" for name, value in pairing.setup.items())
    return f"match {number}, {' - '.join(pairing.players)}, {pairing.game}{setup}"


class Table(NamedTuple):
    """All there is to say of the bots in one game."""

    standings: Sequence[Standing]
    tally: Tally
    ratings: Ratings
    accuracies: Mapping[str, Accuracy]


def as_json(tables: Mapping[str, Table], facts: Mapping[str, object]) -> str:
    """The standings in each game as one JSON object, with some facts about the whole.

    A bot without a rating or without an accuracy has null. `superiority` says how likely it is that
    the bot is stronger than each other; `meetings` has [won, lost] against each other by side.
    """
    standings = {game: _standings_facts(table) for game, table in tables.items()}
    first = {
        game: {"elo": table.ratings.first_move, "margin": table.ratings.first_move_margin}
        for game, table in tables.items()
    }
    return json.dumps({**facts, "first_move": first, "standings": standings}, indent=2)


def _standings_facts(table: Table) -> list[dict[str, object]]:
    met = meetings(table.tally)
    return [
        {
            "rank": place,
            "bot": line.bot,
            "played": line.played,
            "wins": line.wins,
            "losses": line.losses,
            "forfeits": dict(sorted(line.forfeits.items())),
            "meetings": {
                other: {"first": found.first, "second": found.second, "forfeits": found.forfeits}
                for (one, other), found in sorted(met.items())
                if one == line.bot
            },
            "rating": _rating_facts(table.ratings, line.bot),
            "accuracy": _facts(table.accuracies.get(line.bot)),
        }
        for place, line in enumerate(table.standings, 1)
    ]


def _rating_facts(ratings: Ratings, bot: str) -> dict[str, object] | None:
    if bot not in ratings.elo:
        return None
    others = [other for other in ratings.bots if other != bot]
    return {
        "elo": ratings.elo[bot],
        "margin": ratings.margin(bot),
        "superiority": {other: ratings.superiority(bot, other) for other in others},
    }


def accuracies_as_json(tables: Mapping[str, Mapping[str, Accuracy]]) -> str:
    """The bots' accuracies in each game as one JSON object."""
    facts = {
        game: {bot: _facts(accuracy) for bot, accuracy in sorted(table.items())}
        for game, table in tables.items()
    }
    return json.dumps(facts, indent=2)


def _facts(accuracy: Accuracy | None) -> dict[str, object] | None:
    if accuracy is None:
        return None
    return {
        "games": accuracy.games,
        "kept": accuracy.kept,
        "blunders": accuracy.blunders,
        "share": accuracy.share,
        "blunders_per_game": accuracy.blunders_per_game,
    }
