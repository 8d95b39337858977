"""The plan of a tournament: all parameters that decide which matches are played."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from random import Random
from typing import Any, Self

from arena.tournament.knockout import knockout, max_match_pairs
from arena.tournament.openings import Opening, random_opening
from arena.tournament.round_robin import (
    MatchPair,
    Scores,
    gauntlet,
    gauntlet_size,
    round_robin,
    round_robin_size,
)
from arena.tournament.swiss import swiss, swiss_size

FORMATS = ("round-robin", "gauntlet", "swiss", "knockout")
MAX_LISTED_SETUPS = 10  # in a message; a longer list is shortened to its ends


@dataclass(frozen=True)
class Plan:
    """Parameters of a tournament. Equal plans have equal schedules.

    Attributes:
        game: Name of the game.
        bots: Specification of each bot by its name, in order of seeding.
        setups: Setups of the game, used in turn; empty with a book.
        time: Time control as text.
        seed: Seed of all random openings.
        format: One of `FORMATS`.
        rounds: Rounds of a Swiss; repetitions of a round robin or a gauntlet, each on new openings.
        seeds: Number of bots, the first ones, that play the gauntlet.
        pairs: Pairs of matches between two bots that meet in a Swiss or a knockout.
        opening_plies: Random moves at the start of a match, without a book.
        book: Openings, used in turn; empty if they are random.
        sprt: Sequential test as text, which may end the tournament early, or None.
        in_process: Whether the bots play in process, without connections.
    """

    game: str
    bots: Mapping[str, str]
    setups: tuple[Mapping[str, int], ...]
    time: str
    seed: int
    format: str = FORMATS[0]
    rounds: int = 1
    seeds: int = 1
    pairs: int = 1
    opening_plies: int = 0
    book: tuple[Opening, ...] = ()
    sprt: str | None = None
    in_process: bool = False

    @property
    def matches(self) -> int:
        """Number of matches; an upper bound if the tournament may end early."""
        bots = len(self.bots)
        match self.format:
            case "round-robin":
                match_pairs = round_robin_size(bots, self.rounds, self.openings_per_round)
            case "gauntlet":
                opponents = bots - self.seeds
                match_pairs = gauntlet_size(
                    self.seeds, opponents, self.rounds, self.openings_per_round
                )
            case "swiss":
                match_pairs = swiss_size(bots, self.rounds, self.pairs)
            case _:
                match_pairs = max_match_pairs(bots, self.pairs)
        return 2 * match_pairs

    @property
    def may_end_early(self) -> bool:
        """Whether `matches` is only an upper bound."""
        return self.format == "knockout" or self.sprt is not None

    @property
    def openings_per_round(self) -> int:
        """Number of different openings in each round of a round robin or a gauntlet."""
        return len(self.book or self.setups)

    def opening(self, number: int) -> Opening:
        """Return the opening with this number, from 0."""
        if self.book:
            return self.book[number % len(self.book)]
        setup = self.setups[number % len(self.setups)]
        random = Random(f"{self.seed}/{number}")
        return random_opening(self.game, setup, self.opening_plies, random)

    def match_pairs(self, scores: Scores) -> Iterator[MatchPair | None]:
        """Return an iterator over the pairs, in order.

        Args:
            scores: Scores of finished pairs by number; may grow during the iteration.

        Returns:
            An iterator whose next item is None while the next pair depends on missing scores.
        """
        bots = [*self.bots]
        match self.format:
            case "round-robin":
                return round_robin(bots, self.rounds, self.openings_per_round)
            case "gauntlet":
                seeds, opponents = bots[: self.seeds], bots[self.seeds :]
                return gauntlet(seeds, opponents, self.rounds, self.openings_per_round)
            case "swiss":
                return swiss(bots, self.rounds, self.pairs, scores)
            case _:
                return knockout(bots, self.pairs, scores)

    def to_json(self) -> str:
        """Encode the plan as a JSON object."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Decode a plan that `to_json` has encoded."""
        fields: dict[str, Any] = json.loads(text)
        fields["setups"] = tuple(fields["setups"])
        fields["book"] = tuple(Opening(setup, tuple(moves)) for setup, moves in fields["book"])
        return cls(**fields)

    def differences(self, given: "Plan") -> list[str]:
        """Describe each parameter in which this stored plan differs from the given plan.

        Returns:
            Phrases such as "seed: stored 1, given 2", in the order of the parameters.
        """
        return describe_differences(json.loads(self.to_json()), json.loads(given.to_json()))


def describe_differences(stored: Mapping[str, Any], given: Mapping[str, Any]) -> list[str]:
    """Describe each field, decoded from JSON, in which a stored plan differs from a given one.

    Returns:
        Phrases such as "seed: stored 1, given 2", in the order of the fields.
    """
    return [
        _difference(name, stored[name], given[name])
        for name in stored
        # Compared as text, since the order of the bots matters.
        if json.dumps(stored[name]) != json.dumps(given[name])
    ]


def setup_text(setup: Mapping[str, int]) -> str:
    """Format a setup, such as "size 8"; empty for a game without parameters."""
    return " ".join(f"{name} {number}" for name, number in setup.items())


def _difference(name: str, stored: Any, given: Any) -> str:
    before, after = _value_text(name, stored), _value_text(name, given)
    note = " (different)" if after == before else ""
    return f"{name}: stored {before}, given {after}{note}"


def _value_text(name: str, value: Any) -> str:
    match name:
        case "bots":
            return ", ".join(bot if bot == spec else f"{bot}={spec}" for bot, spec in value.items())
        case "setups":
            setups = [*map(setup_text, value)]
            if len(setups) > MAX_LISTED_SETUPS:
                return f"{setups[0]} to {setups[-1]} ({len(setups)} setups)"
            return ", ".join(setups) or "none"
        case "in_process":
            return "yes (--in-process)" if value else "no"
        case "book":
            return f"{len(value)} openings" if value else "none"
        case "opening_plies" if isinstance(value, list):  # of a sweep
            return ", ".join(map(str, value))
        case _:
            return "none" if value is None else str(value)
