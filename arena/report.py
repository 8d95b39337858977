"""Standings for people and for programs."""

import json
from collections.abc import Iterable, Mapping, Sequence

from arena.results import MatchRecord
from arena.tournament import Standing


def crosstable(table: Sequence[Standing]) -> str:
    """The table as text: for each pair wins and losses, then every bot's forfeits."""
    header = ["#", "bot", "won", "lost", *(line.bot for line in table), "forfeits"]
    rows = [header]
    for place, line in enumerate(table, 1):
        against = [
            "." if other is line else f"{line.beaten[other.bot]}-{other.beaten[line.bot]}"
            for other in table
        ]
        forfeits = sum(line.forfeits.values())
        rows.append(
            [f"{place}", line.bot, f"{line.wins}", f"{line.losses}", *against, f"{forfeits or '.'}"]
        )
    widths = [max(len(row[column]) for row in rows) for column in range(len(header))]
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


def as_json(tables: Mapping[str, Sequence[Standing]], facts: Mapping[str, object]) -> str:
    """The standings in each game as one JSON object, with some facts about the whole."""
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
            }
            for place, line in enumerate(table, 1)
        ]
        for game, table in tables.items()
    }
    return json.dumps({**facts, "standings": standings}, indent=2)
