"""Standings for people and for programs."""

import json
from collections.abc import Iterable, Mapping, Sequence

from arena.analysis import Accuracy
from arena.results import MatchRecord
from arena.tournament import Standing


def crosstable(table: Sequence[Standing], accuracies: Mapping[str, Accuracy]) -> str:
    """The table as text: for each pair wins and losses, then every bot's forfeits.

    Where matches have been analysed, it has the bots' accuracies.
    """
    judged = ["accuracy"] if accuracies else []
    header = ["#", "bot", "won", "lost", *judged, *(line.bot for line in table), "forfeits"]
    rows = [header]
    for place, line in enumerate(table, 1):
        against = [
            "." if other is line else f"{line.beaten[other.bot]}-{other.beaten[line.bot]}"
            for other in table
        ]
        score = [f"{line.wins}", f"{line.losses}"]
        if judged:
            score.append(percent(accuracies.get(line.bot, Accuracy())))
        forfeits = sum(line.forfeits.values())
        rows.append([f"{place}", line.bot, *score, *against, f"{forfeits or '.'}"])
    return _aligned(rows)


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
    accuracies: Mapping[str, Mapping[str, Accuracy]],
    facts: Mapping[str, object],
) -> str:
    """The standings in each game as one JSON object, with some facts about the whole.

    Accuracies are by game and bot; a bot without any has null.
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
                "accuracy": _facts(accuracies.get(game, {}).get(line.bot)),
            }
            for place, line in enumerate(table, 1)
        ]
        for game, table in tables.items()
    }
    return json.dumps({**facts, "standings": standings}, indent=2)


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
