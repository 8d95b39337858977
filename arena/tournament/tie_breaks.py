"""Standings of a Swiss tournament: points, and the tie-breaks of FIDE between equal points.

Buchholz, Sonneborn-Berger and the direct encounter follow articles 8, 9 and 6 of FIDE's "Play-Off
and Tie-Break Regulations" (Handbook C.07, in force since 1 March 2026), with the points of an
encounter in place of the points of a game. A bye is won, and for these two sums its opponent is a
dummy with the points of the bot itself, or half of the points of all rounds if that is less
(article 16.4).
"""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

Encounters = dict[str | None, float]
"""Points of a bot against each opponent that it has met; None is the opponent of a bye."""


class SwissStanding(NamedTuple):
    """One bot's row in the standings of a Swiss tournament.

    Attributes:
        rank: The rank from 1, which bots share that no tie-break separates.
        bot: Name of the bot.
        points: Points from matches, and points awarded for byes.
        buchholz: Sum of the points of all opponents.
        sonneborn_berger: The same sum, with the points of each opponent times the share of the
            points that the bot has won against it.
        byes: Number of byes.
    """

    rank: int
    bot: str
    points: float
    buchholz: float
    sonneborn_berger: float
    byes: int


def rank(encounters: Mapping[str, Encounters], most: int, rounds: int) -> list[SwissStanding]:
    """Return the standings, the best bot first; bots of the same rank in the given order.

    Args:
        encounters: The encounters of each bot.
        most: The points of an encounter that is won.
        rounds: The number of rounds so far.
    """
    points = {bot: sum(of_bot.values()) for bot, of_bot in encounters.items()}
    rows = []
    for bot, of_bot in encounters.items():
        dummy = min(points[bot], most * rounds / 2)
        strength = {
            opponent: dummy if opponent is None else points[opponent] for opponent in of_bot
        }
        berger = sum(strength[opponent] * won for opponent, won in of_bot.items()) / most
        byes = int(None in of_bot)
        rows.append(SwissStanding(1, bot, points[bot], sum(strength.values()), berger, byes))
    table: list[SwissStanding] = []
    for _, tied in groupby(sorted(rows, key=_order), _order):
        for group in _by_direct_encounter([*tied], encounters, most):
            table += [row._replace(rank=len(table) + 1) for row in group]
    return table


def _order(row: SwissStanding) -> tuple[float, float, float]:
    return -row.points, -row.buchholz, -row.sonneborn_berger


def _by_direct_encounter(
    tied: Sequence[SwissStanding], encounters: Mapping[str, Encounters], most: int
) -> list[list[SwissStanding]]:
    """Return groups of tied bots that their own encounters separate, the best group first.

    If some of them have not met, a bot is first only if it stays so with any result of the
    encounters that are missing.
    """
    bots = {row.bot for row in tied}
    won, missing = {}, {}
    for row in tied:
        met = [points for bot, points in encounters[row.bot].items() if bot in bots]
        won[row.bot], missing[row.bot] = sum(met), len(tied) - 1 - len(met)
    ordered = sorted(tied, key=lambda row: -won[row.bot])
    if any(missing.values()):
        limits = [won[row.bot] + most * missing[row.bot] for row in ordered]
        first = 0
        while first < len(ordered) - 1 and won[ordered[first].bot] > max(limits[first + 1 :]):
            first += 1
        groups = [*([row] for row in ordered[:first]), ordered[first:]]
    else:
        groups = [[*group] for _, group in groupby(ordered, lambda row: won[row.bot])]
    if len(groups) == 1:
        return [[*tied]]
    return [part for group in groups for part in _by_direct_encounter(group, encounters, most)]
