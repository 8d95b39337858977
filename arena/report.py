"""Standings for people and for programs."""

import json
from collections.abc import Iterable, Mapping, Sequence

from arena.analysis import Accuracy
from arena.ratings import Ratings
from arena.results import MatchRecord
from arena.tournament import Standing


def crosstable(
    table: Sequence[Standing], ratings: Ratings, accuracies: Mapping[str, Accuracy]
) -> str:
    """The table as text: ratings with their margins, wins and losses of each pair, forfeits.

    Where matches have been analysed, it has the bots' accuracies.
    """
    judged = ["accuracy"] if accuracies else []
    opponents = [line.bot for line in table]
    header = ["#", "bot", "Elo", "+-", "won", "lost", *judged, *opponents, "forfeits"]
    rows = [header]
    for place, line in enumerate(table, 1):
        against = [
            "." if other is line else f"{line.beaten[other.bot]}-{other.beaten[line.bot]}"
            for other in table
        ]
        score = [*_rating(ratings, line.bot), f"{line.wins}", f"{line.losses}"]
        if judged:
            score.append(percent(accuracies.get(line.bot, Accuracy())))
        forfeits = sum(line.forfeits.values())
        rows.append([f"{place}", line.bot, *score, *against, f"{forfeits or '.'}"])
    return _aligned(rows)


def _rating(ratings: Ratings, bot: str) -> list[str]:
    if bot not in ratings.elo:
        return [".", "."]
    return [f"{ratings.elo[bot]:+.0f}", f"{ratings.margin(bot):.0f}"]


def first_move(ratings: Ratings) -> str:
    """The advantage of player 1, in a line."""
    return (
        f"First move: {ratings.first_move:+.0f} Elo, +- {ratings.first_move_margin:.0f}"
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


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "".join(_line(row, widths) for row in rows)


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    cells = [
        cell.ljust(width) if column == 1 else cell.rjust(width)
        for column, (cell, width) in enumerate(zip(row, widths, strict=True))
    ]
    return "  ".join(cells).rstrip() + "\n"


def forfeits(records: Iterable[MatchRecord]) -> str:
    """Every match that was lost by breaking a rule, a line each, with the reason; may be empty."""
    lines = [
        f"  {title(record)}: {record.result.termination}: {record.result.reason}\n"
        for record in records
        if record.result.termination.is_forfeit
    ]
    return "Forfeits\n" + "".join(lines) if lines else ""


def title(record: MatchRecord) -> str:
    """Which match it was: its number, the players, the game and what it began with."""
    pairing = record.pairing
    number = record.id if pairing.number is None else pairing.number
    setup = "".join(f", {name} {value}" for name, value in pairing.setup.items())
    return f"match {number}, {' - '.join(pairing.players)}, {pairing.game}{setup}"


def as_json(
    tables: Mapping[str, Sequence[Standing]],
    ratings: Mapping[str, Ratings],
    accuracies: Mapping[str, Mapping[str, Accuracy]],
    facts: Mapping[str, object],
) -> str:
    """The standings in each game as one JSON object, with some facts about the whole.

    Ratings are by game, accuracies by game and bot; a bot without any has null. `superiority` says
    how likely it is that the bot is stronger than each other.
    """
    standings = {
        game: [
            {
                "rank": place,
                "bot": line.bot,
                "played": line.played,
                "wins": line.wins,
                "losses": line.losses,
                "beaten": dict(sorted(line.beaten.items())),
                "forfeits": dict(sorted(line.forfeits.items())),
                "rating": _rating_facts(ratings[game], line.bot),
                "accuracy": _facts(accuracies.get(game, {}).get(line.bot)),
            }
            for place, line in enumerate(table, 1)
        ]
        for game, table in tables.items()
    }
    first = {
        game: {"elo": rated.first_move, "margin": rated.first_move_margin}
        for game, rated in ratings.items()
    }
    return json.dumps({**facts, "first_move": first, "standings": standings}, indent=2)


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
