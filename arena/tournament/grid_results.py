"""Results of a grid: strength, the worth of a ply and the advantage of player 1 in each cell."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from arena.model.results import PlayedGame, Tally
from arena.ratings import Anchor
from arena.ratings.bradley_terry import Ratings
from arena.ratings.clusters import PairResult, Share, rate_pairs, share_of_player_1
from arena.ratings.regression import Slope, slope_of_ratings
from arena.tournament.grid import MAX_CELLS, Cell
from arena.tournament.plan import Plan
from arena.tournament.standings import Standing, standings

SEARCHING = re.compile(r"(?:spec|strong):0*([1-9]\d*)(?:@nodes=\d+)?", re.ASCII)  # to a depth

PerfectShares = Mapping[int, float]
"""Share of matches that player 1 would win under perfect play, by the index of the cell."""


def search_depths(plan: Plan) -> dict[str, int]:
    """Return the depth of search of each bot that has a limit of depth, by its name."""
    found = {name: SEARCHING.fullmatch(spec) for name, spec in plan.bots.items()}
    return {name: int(match[1]) for name, match in found.items() if match}


@dataclass
class CellResults:
    """Results of one cell. Estimates are based on the complete pairs.

    Attributes:
        plan: The plan of the grid.
        cell: The cell.
        anchor: The bot with the fixed rating, and that rating in Elo; None for a mean of 0.
        tally: Results of all matches.
        pairs: The pairs of which both matches are finished.
        openings: Number of matches on each opening.
    """

    plan: Plan
    cell: Cell
    anchor: Anchor | None
    tally: Tally = field(default_factory=Tally)
    pairs: list[PairResult] = field(default_factory=list)
    openings: Counter[tuple[int, ...]] = field(default_factory=Counter)
    _games: set[int] = field(default_factory=set)
    _half: dict[int, PlayedGame] = field(default_factory=dict)  # by number of the pair

    def add(self, game: PlayedGame) -> None:
        """Add a match."""
        self.tally[game.result] += 1
        self.openings[game.opening] += 1
        self._games.add(_identity(game))
        pair = (game.number + 1) // 2
        other = self._half.pop(pair, None)
        if other is None:
            self._half[pair] = game
            return
        first, second = sorted((game, other))
        points = first.result.points[0], second.result.points[1]
        players = first.result.one, first.result.two
        self.pairs.append(PairResult(players, points, (_identity(first), _identity(second))))

    @property
    def matches(self) -> int:
        """Number of finished matches."""
        return self.tally.total()

    @property
    def distinct_games(self) -> int:
        """Number of games that differ in the opening or in a move."""
        return len(self._games)

    @property
    def short_openings(self) -> int:
        """Number of matches whose opening is shorter than planned."""
        return sum(
            times
            for opening, times in self.openings.items()
            if len(opening) < self.cell.opening_plies
        )

    @cached_property
    def ratings(self) -> Ratings:
        """The ratings of the bots that have a complete pair."""
        return rate_pairs(self.pairs, self.anchor)

    @cached_property
    def standings(self) -> list[Standing]:
        """The results of each bot, in the order of the plan."""
        found = standings(self.tally, self.ratings, self.plan.bots)
        order = {bot: place for place, bot in enumerate(self.plan.bots)}
        return sorted(found, key=lambda standing: order.get(standing.bot, len(order)))

    @property
    def forfeits(self) -> int:
        """Number of matches that were forfeited."""
        return sum(standing.forfeits.total() for standing in self.standings)

    @cached_property
    def player_1(self) -> Share | None:
        """Share of the points that player 1 has won; None without a complete pair."""
        return share_of_player_1(self.pairs) if self.pairs else None

    @cached_property
    def depths(self) -> dict[str, int]:
        """The depth of each bot that has one."""
        return search_depths(self.plan)

    @property
    def _rated_depths(self) -> dict[str, int]:
        """The depths of the rated bots that have one."""
        rated = self.ratings.elo
        return {bot: depth for bot, depth in self.depths.items() if bot in rated}

    @cached_property
    def ply_worth(self) -> Slope | None:
        """Elo for a ply of search; None without two bots that search to different depths."""
        depths = self._rated_depths
        return slope_of_ratings(self.ratings, depths) if len({*depths.values()}) > 1 else None

    @property
    def has_ply_worth(self) -> bool:
        """Whether the worth of a ply is known, with an interval."""
        return self.ply_worth is not None and math.isfinite(self.ply_worth.margin)

    def step(self, bot: str) -> tuple[float, float] | None:
        """Return how much stronger a bot is than the one with the next lower depth, in Elo.

        Returns:
            The difference and half the width of its 95 % interval; None without such a bot.
        """
        depths = self._rated_depths
        lower = [name for name in depths if depths[name] < depths.get(bot, 0)]
        return self.ratings.difference(bot, max(lower, key=depths.__getitem__)) if lower else None


class GridResults:
    """Results of a grid, by cell.

    Attributes:
        plan: The plan of the grid.
        cells: The results of each cell, in the order of the plan; with more than MAX_CELLS, only of
            the cells that have been played.
    """

    def __init__(
        self, plan: Plan, games: Iterable[PlayedGame], anchor: Anchor | None = None
    ) -> None:
        """Collect the results.

        Args:
            plan: The plan of the grid.
            games: Its matches.
            anchor: The bot with the fixed rating in all cells, and its rating in Elo.
        """
        self.plan = plan
        shown = range(plan.cells if plan.cells <= MAX_CELLS else 0)
        cells = {number: CellResults(plan, plan.cell(number), anchor) for number in shown}
        for game in games:
            number = (game.number - 1) // 2 % plan.cells
            if number not in cells:
                cells[number] = CellResults(plan, plan.cell(number), anchor)
            cells[number].add(game)
        self.cells = [cells[number] for number in sorted(cells)]

    @property
    def matches(self) -> int:
        """Number of finished matches."""
        return sum(cell.matches for cell in self.cells)

    @property
    def mean_ply_worth(self) -> tuple[float, float] | None:
        """The mean worth of a ply, and half the width of its 95 % interval.

        The mean of all cells in which it is known, or None.
        """
        known = [cell.ply_worth for cell in self.cells if cell.ply_worth and cell.has_ply_worth]
        if not known:
            return None
        mean = sum(slope.value for slope in known) / len(known)
        return mean, math.hypot(*(slope.margin for slope in known)) / len(known)


def _identity(game: PlayedGame) -> int:
    """Return a number that is equal for equal openings and moves of the same cell."""
    return hash((game.opening, game.moves))
