"""Plan and schedule of a sweep: the same bots on a grid of setups and opening lengths.

A sweep measures how strength varies over a grid. Its cells are the combinations of a setup and a
number of opening plies. In each cell every two bots meet, each pair of matches on an opening of its
own.

Every two bots meet, not only neighbours in depth. With an expected score of p, a match of two bots
that are d plies apart says d^2 p (1 - p) about the worth of a ply. While a ply is worth less than
200 Elo, distant depths therefore tell more than neighbours: with 8 depths and 50 Elo a ply,
neighbours alone would need 8 times as many matches for the same interval, and with 200 Elo a ply as
many. Besides, differences between distant depths do not add up the errors of all plies between
them, and strength that is not transitive shows, which a chain of neighbours cannot reveal.

An opening of its own for each pair, rather than one for all bots: the openings are the sample that
the intervals refer to, and the more of them, the tighter they are. As the openings are drawn
independently, so are the results of different pairs.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from random import Random
from typing import NamedTuple, Self

from msgspec import Struct

from arena.model.results import Pairing
from arena.model.setups import completed
from arena.model.time_control import TimeControl
from arena.tournament.openings import Opening, random_opening
from arena.tournament.plan import Plan, Plies, Positive, decode_plan, describe_differences
from arena.tournament.round_robin import round_robin
from arena.tournament.schedule import FinishedMatch, NumberSet

KIND = "sweep"  # marks a plan in a database that is not that of a tournament
SEARCHING = re.compile(r"spec:0*([1-9]\d*)", re.ASCII)  # with a limit of depth


class Cell(NamedTuple):
    """One point of the grid: a setup, and the number of random moves at the start of a match."""

    setup: Mapping[str, int]
    opening_plies: int


class SweepPair(NamedTuple):
    """A pair of matches of a sweep.

    Attributes:
        cell: Index of the cell.
        players: Players 1 and 2 of the first match; in the second one the sides are swapped.
    """

    cell: int
    players: tuple[str, str]


@dataclass(frozen=True)
class SweepPlan:
    """Parameters of a sweep. Equal plans have equal schedules.

    Attributes:
        game: Name of the game.
        bots: Specification of each bot by its name, in order.
        setups: Setups of the game.
        opening_plies: Numbers of random moves at the start of a match.
        pairs: Pairs of matches between every two bots in each cell.
        time: Time control as text.
        seed: Seed of all openings and bots.
    """

    game: str
    bots: Mapping[str, str]
    setups: tuple[Mapping[str, int], ...]
    opening_plies: tuple[Plies, ...]
    pairs: Positive
    time: str
    seed: int

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """The points of the grid."""
        return tuple(Cell(setup, plies) for setup in self.setups for plies in self.opening_plies)

    @cached_property
    def depths(self) -> dict[str, int]:
        """The depth of search of each bot that has a limit of depth, by its name."""
        found = {name: SEARCHING.fullmatch(spec) for name, spec in self.bots.items()}
        return {name: int(match[1]) for name, match in found.items() if match}

    @property
    def matches(self) -> int:
        """Number of matches."""
        return 2 * self.pairs * len(self._encounters) * len(self.cells)

    @cached_property
    def _encounters(self) -> list[tuple[str, str]]:
        """Every two bots."""
        return [pair.players for pair in round_robin([*self.bots], rounds=1, openings=1)]

    def match_pair(self, number: int) -> SweepPair:
        """Return the pair with this number, from 1.

        The cells come in turn, and all encounters come in turn in each of them, so that an
        interrupted sweep has about the same number of pairs everywhere.
        """
        encounter, cell = divmod(number - 1, len(self.cells))
        return SweepPair(cell, self._encounters[encounter % len(self._encounters)])

    def opening(self, number: int) -> Opening:
        """Return the opening of the pair with this number."""
        setup, plies = self.cells[self.match_pair(number).cell]
        return random_opening(self.game, setup, plies, Random(f"{self.seed}/{number}"))

    def to_json(self) -> str:
        """Encode the plan as a JSON object."""
        return json.dumps({"kind": KIND, **asdict(self)})

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Decode a plan that `to_json` has encoded.

        Raises:
            ValueError: The text is not such a plan.
        """
        plan = decode_plan(text, cls)
        TimeControl.parse(plan.time)
        setups = tuple(completed(plan.game, setup) for setup in plan.setups)
        return replace(plan, setups=setups)

    def differences(self, given: "SweepPlan") -> list[str]:
        """Describe each parameter in which this stored plan differs from the given plan.

        Returns:
            Phrases such as "seed: stored 1, given 2", in the order of the parameters.
        """
        return describe_differences(json.loads(self.to_json()), json.loads(given.to_json()))


def is_sweep(plan: str) -> bool:
    """Return whether a stored plan is that of a sweep, not that of a tournament.

    Raises:
        ValueError: The text is no plan.
    """
    return decode_plan(plan, _Kind).kind == KIND


def parse_plan(text: str) -> Plan | SweepPlan:
    """Decode a stored plan, of a tournament or of a sweep.

    Raises:
        ValueError: The text is no plan.
    """
    return SweepPlan.from_json(text) if is_sweep(text) else Plan.from_json(text)


def renamed_plan(text: str, old: str, new: str) -> str:
    """Return a stored plan, of a tournament or a sweep, with another name of a bot.

    The bot keeps its place, and with it all pairings and openings. A bot that joins by itself does
    so under its new name.

    Raises:
        ValueError: The text is no plan.
    """
    parse_plan(text)
    plan = json.loads(text)
    for bots in (plan["bots"], plan.get("settings", {})):
        entries = [(new if name == old else name, value) for name, value in bots.items()]
        bots.clear()
        bots.update(entries)
    if plan["bots"].get(new) == f"external:{old}":
        plan["bots"][new] = f"external:{new}"
    return json.dumps(plan)


class _Kind(Struct):
    """The field that tells a plan of a sweep from one of a tournament, which has none."""

    kind: object = None


class SweepSchedule:
    """Pairings of a sweep that are still to be played, as `arena.bulk.driver` needs them.

    Match numbers start at 1: pair k consists of the matches 2k - 1 and 2k.

    Attributes:
        plan: The plan of the sweep.
        test: None: no sequential test ends a sweep.
        is_decided: False, for the same reason.
    """

    test = None
    is_decided = False

    def __init__(self, plan: SweepPlan, finished: Iterable[FinishedMatch]) -> None:
        """Create the schedule of a plan.

        Args:
            plan: The plan of the sweep.
            finished: The matches finished so far.
        """
        self.plan = plan
        self._finished = NumberSet()
        for number, players, winner in finished:
            self.add_result(number, players, winner)
        self._upcoming = iter(range(1, plan.matches + 1))
        self._cached_opening = 1, plan.opening(1)

    @property
    def finished_count(self) -> int:
        """Number of finished matches."""
        return len(self._finished)

    @property
    def is_over(self) -> bool:
        """Whether all matches are finished."""
        return self.finished_count == self.plan.matches

    def next_pairing(self) -> Pairing | None:
        """Return the next pairing, or None if there is none left."""
        number = next((number for number in self._upcoming if number not in self._finished), None)
        return None if number is None else self._pairing(number)

    def _pairing(self, number: int) -> Pairing:
        pair = (number + 1) // 2
        if self._cached_opening[0] != pair:  # both matches of a pair have the same one
            self._cached_opening = pair, self.plan.opening(pair)
        opening = self._cached_opening[1]
        one, two = self.plan.match_pair(pair).players
        players = (one, two) if number % 2 else (two, one)
        return Pairing(number, players, self.plan.game, opening.setup, opening.moves)

    def add_result(self, number: int, players: tuple[str, str], winner: int | None) -> None:  # noqa: ARG002
        """Add the result of a match; it only matters that the match is finished."""
        self._finished.add(number)
