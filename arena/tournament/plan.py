"""The plan of a tournament: all parameters that decide which matches are played."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from itertools import islice
from random import Random
from typing import Annotated, Any, Self, TypeVar

import msgspec
from msgspec import Meta, Struct

from arena.model.setups import completed, setup_text
from arena.model.time_control import TimeControl, controls_text
from arena.ratings.sprt import Sprt
from arena.tournament.distinct_openings import (
    DistinctOpenings,
    count_distinct,
    opening_key,
)
from arena.tournament.grid import Cell, grid
from arena.tournament.knockout import knockout, max_match_pairs
from arena.tournament.openings import Opening, random_opening
from arena.tournament.round_robin import (
    MatchPair,
    Scores,
    Size,
    gauntlet,
    gauntlet_size,
    round_robin,
    round_robin_size,
)
from arena.tournament.swiss import swiss, swiss_size

T = TypeVar("T")

Positive = Annotated[int, Meta(ge=1, le=2**62)]
Plies = Annotated[int, Meta(ge=0, le=2**62)]

FORMATS = ("round-robin", "gauntlet", "swiss", "knockout", "grid")
DRAWS = INDEPENDENT, DISTINCT = "independent", "distinct"  # with replacement, and without
BOOK_POLICIES = ("all", "round", "encounter")
SWEEP = "sweep"  # the kind in the plan of a sweep
TIME = "time"  # the setting that is a bot's own time control
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
        rounds: Rounds of a Swiss; repetitions of a round robin, a gauntlet or a grid, each on new
            openings.
        seeds: Number of bots, the first ones, that play the gauntlet.
        pairs: Pairs of matches between two bots that meet in a Swiss or a knockout.
        opening_plies: Random moves at the start of a match, without a book.
        book: Openings, used in turn; empty if they are random.
        sprt: Sequential test as text, which may end the tournament early, or None.
        in_process: Whether the bots play in process, without connections.
        former_sizes: Numbers of bots and rounds before each time that bots were added.
        draw: `DISTINCT`, or `INDEPENDENT` in plans of versions that drew each opening anew.
        book_policy: One of `BOOK_POLICIES`: whether each round of a round robin or a gauntlet plays
            the whole book, or each round or each encounter of any format plays the next opening.
        distinct_only: Whether the schedule ends before an opening would be repeated.
        settings: Settings of single bots as text by key, by their names; `time` is a bot's own time
            control, and the others are for its process (`arena.runner.bot_settings`).
        grid_plies: Numbers of random moves at the start of a match; a grid combines each with each
            setup, instead of `opening_plies`.
    """

    game: str
    bots: Mapping[str, str]
    setups: tuple[Mapping[str, int], ...]
    time: str
    seed: int
    format: str = FORMATS[0]
    rounds: Positive = 1
    seeds: Positive = 1
    pairs: Positive = 1
    opening_plies: Plies = 0
    book: tuple[Opening, ...] = ()
    sprt: str | None = None
    in_process: bool = False
    former_sizes: tuple[Size, ...] = ()
    draw: str = INDEPENDENT
    book_policy: str = BOOK_POLICIES[0]
    distinct_only: bool = False
    settings: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    grid_plies: tuple[Plies, ...] = ()

    @property
    def plies(self) -> tuple[int, ...]:
        """The numbers of random moves at the start of a match; several only in a grid."""
        return self.grid_plies or (self.opening_plies,)

    @property
    def cells(self) -> int:
        """Number of combinations of setups and numbers of opening plies, without a book."""
        return len(self.setups) * len(self.plies)

    def cell(self, number: int) -> Cell:
        """Return the combination that comes with this number, from 0, as they come in turn."""
        setup, plies = divmod(number % self.cells, len(self.plies))
        return Cell(self.setups[setup], self.plies[plies])

    @property
    def matches(self) -> int:
        """Number of matches; an upper bound if the tournament may end early."""
        bots = len(self.bots)
        match self.format:
            case "round-robin" | "grid":
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
    def needs_results(self) -> bool:
        """Whether results decide which matches are played."""
        return self.format in {"swiss", "knockout"} or self.sprt is not None

    @property
    def may_end_early(self) -> bool:
        """Whether `matches` is only an upper bound."""
        return self.format == "knockout" or self.sprt is not None

    @property
    def openings_per_round(self) -> int:
        """Number of openings that two bots play in each round, except in a Swiss or a knockout."""
        if self.book:
            return len(self.book) if self.book_policy == "all" else 1
        return self.cells

    @property
    def openings_of_two(self) -> range:
        """Numbers of the openings that two bots play, at least once they meet, except in a grid.

        Sudden death in a knockout adds more. In a gauntlet with an opening of its own for each
        encounter, the numbers of most bots differ a little.
        """
        if self.format in {"swiss", "knockout"}:
            return range(self.pairs)
        step = 1
        if self.book_policy == "encounter":
            step = self.matches // (2 * self.rounds)
        return range(0, self.rounds * self.openings_per_round * step, step)

    def opening(self, number: int) -> Opening:
        """Return the opening with this number, from 0."""
        if self.book:
            return self.book[number % len(self.book)]
        if self.draw == DISTINCT:
            return self._distinct_openings.opening(number)
        setup, plies = self.cell(number)
        drawn = number + 1 if self.format == "grid" else number  # as sweeps drew them
        return random_opening(self.game, setup, plies, Random(f"{self.seed}/{drawn}"))

    def count_openings(self, numbers: range) -> int:
        """Return how many of the openings with these numbers, from 0 on, are different.

        In a plan of distinct ones alone, those after the first repeated one do not count.
        """
        if self.book or self.draw != DISTINCT:
            if self.distinct_only:
                return sum(1 for _ in islice(self.match_pairs({}), len(numbers)))
            return count_distinct(self.game, map(self.opening, numbers))
        drawn = self._distinct_openings
        count = drawn.count_before_repeat if self.distinct_only else drawn.count
        return count(len(numbers))

    @cached_property
    def _distinct_openings(self) -> DistinctOpenings:
        return DistinctOpenings(self.game, self.setups, self.opening_plies, self.seed)

    def times(self, players: Sequence[str]) -> str | None:
        """Return the time controls of a match, if a player has one of its own; else None."""
        if not self.settings:
            return None
        own = [self.settings.get(player, {}).get(TIME) for player in players]
        if not any(own):
            return None
        usual = TimeControl.parse(self.time)
        one, two = (
            TimeControl.parse(time)._replace(margin=usual.margin) if time else usual for time in own
        )
        return controls_text(one, two)

    @property
    def times_text(self) -> str:
        """The time control, and the bots' own ones."""
        own = [
            f"{name} {settings[TIME]}"
            for name, settings in self.settings.items()
            if TIME in settings
        ]
        return f"{self.time} ({', '.join(own)})" if own else self.time

    def match_pairs(self, scores: Scores, first: int = 1) -> Iterator[MatchPair | None]:
        """Return an iterator over the pairs, in order.

        Args:
            scores: Scores of finished pairs by number; may grow during the iteration.
            first: Number of the first pair, unless pairs depend on scores.

        Returns:
            An iterator; its next item is None while the next pair depends on missing scores.
        """
        pairs = self._pairs_of_format(scores, first)
        return self._without_repeats(pairs) if self.distinct_only else pairs

    def _pairs_of_format(self, scores: Scores, first: int) -> Iterator[MatchPair | None]:
        bots = [*self.bots]
        match self.format:
            case "round-robin":
                return round_robin(
                    bots, self.rounds, self.openings_per_round, self.former_sizes, first
                )
            case "gauntlet":
                seeds, opponents = bots[: self.seeds], bots[self.seeds :]
                return gauntlet(
                    seeds, opponents, self.rounds, self.openings_per_round, self.former_sizes, first
                )
            case "swiss":
                return swiss(bots, self.rounds, self.pairs, scores)
            case "grid":
                return grid(bots, self.rounds, self.openings_per_round, first)
            case _:
                return knockout(bots, self.pairs, scores)

    def opening_of(self, pair: MatchPair) -> int:
        """Return the number, from 0, of the opening that a pair plays."""
        return pair.number - 1 if self.book_policy == "encounter" else pair.opening

    def round_of(self, pair: MatchPair) -> int:
        """Return the round, from 1, in which a pair is played."""
        opening = pair.opening
        match self.format:
            case "swiss":
                return opening // self.pairs + 1
            case "knockout":  # an encounter that is level after all pairs has as many more
                return opening // (2 * self.pairs) + 1
            case "grid":  # each pair has an opening of its own
                return opening // (self.matches // (2 * self.rounds)) + 1
            case _:
                return opening // self.openings_per_round + 1

    def _without_repeats(self, pairs: Iterator[MatchPair | None]) -> Iterator[MatchPair]:
        """Yield the pairs of two bots before the first on a position that was an opening before."""
        played = set()
        for pair in pairs:
            assert pair, "a plan of distinct openings depends on no scores"
            key = opening_key(self.game, self.opening(self.opening_of(pair)))
            if key in played:
                return
            played.add(key)
            yield pair

    def to_json(self) -> str:
        """Encode the plan as a JSON object."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Decode a plan that `to_json` has encoded, or the plan of a sweep, as grids were called.

        Raises:
            ValueError: The text is not such a plan.
        """
        if _decode(text, _Kind).kind == SWEEP:
            sweep = _decode(text, _Sweep)
            plan = cls(
                sweep.game,
                sweep.bots,
                sweep.setups,
                sweep.time,
                sweep.seed,
                format="grid",
                rounds=sweep.pairs,
                in_process=True,
                grid_plies=sweep.opening_plies,
            )
        else:
            plan = _decode(text, cls)
        plan = replace(
            plan,
            setups=tuple(completed(plan.game, setup) for setup in plan.setups),
            book=tuple(Opening(completed(plan.game, setup), moves) for setup, moves in plan.book),
        )
        plan._check()
        return plan

    def _check(self) -> None:
        """Check what the types of the fields do not. Raises ValueError."""
        known = {"format": FORMATS, "draw": DRAWS, "book_policy": BOOK_POLICIES}
        for name, values in known.items():
            if getattr(self, name) not in values:
                raise ValueError(f"the plan has an unknown {name} {getattr(self, name)!r:.99}")
        if not (self.setups or self.book):
            raise ValueError("the plan has neither setups nor a book")
        if bool(self.grid_plies) != (self.format == "grid"):
            raise ValueError(f"grid_plies {self.grid_plies} do not fit the format {self.format}")
        if self.grid_plies:
            parameters = {frozenset(setup) for setup in self.setups}
            if self.book or len(self.bots) < 2 or len(parameters) > 1:
                raise ValueError("the plan of a grid has a book, one bot or different parameters")
            if self.draw != INDEPENDENT:
                raise ValueError(f"the plan of a grid has {self.draw} openings")
        own = [settings[TIME] for settings in self.settings.values() if TIME in settings]
        for time in (self.time, *own):
            TimeControl.parse(time)
        if self.sprt is not None:
            Sprt.parse(self.sprt.split())

    def differences(self, given: "Plan") -> list[str]:
        """Describe each parameter in which this stored plan differs from the given plan.

        Returns:
            Phrases such as "seed: stored 1, given 2", in the order of the parameters.
        """
        return describe_differences(json.loads(self.to_json()), json.loads(given.to_json()))


def renamed_plan(text: str, old: str, new: str) -> str:
    """Return a stored plan with another name of a bot.

    The bot keeps its place, and with it all pairings and openings. A bot that joins by itself does
    so under its new name.

    Raises:
        ValueError: The text is no plan.
    """
    Plan.from_json(text)
    plan = json.loads(text)
    for bots in (plan["bots"], plan.get("settings", {})):
        entries = [(new if name == old else name, value) for name, value in bots.items()]
        bots.clear()
        bots.update(entries)
    if plan["bots"].get(new) == f"external:{old}":
        plan["bots"][new] = f"external:{new}"
    return json.dumps(plan)


class _Kind(Struct):
    """The field that tells the plan of a sweep from other ones, which have none."""

    kind: object = None


class _Sweep(Struct):
    """The plan of a sweep, as earlier versions stored it; `pairs` are those in each cell."""

    game: str
    bots: dict[str, str]
    setups: tuple[dict[str, int], ...]
    opening_plies: tuple[Plies, ...]
    pairs: Positive
    time: str
    seed: int


def _decode(text: str, kind: type[T]) -> T:
    """Decode a JSON object of this type. Raises ValueError."""
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.DecodeError, RecursionError) as error:
        raise ValueError(f"the plan is invalid: {error}") from None


def describe_differences(
    stored: Mapping[str, Any],
    given: Mapping[str, Any],
    words: tuple[str, str] = ("stored", "given"),
) -> list[str]:
    """Describe each field, decoded from JSON, in which a stored plan differs from a given one.

    Args:
        stored: The fields of the stored plan.
        given: The fields of the given plan.
        words: The names of the two plans.

    Returns:
        Phrases such as "seed: stored 1, given 2", in the order of the fields.
    """
    return [
        _difference(name, stored[name], given[name], words)
        for name in stored
        # Compared as text, since the order of the bots matters.
        if json.dumps(stored[name]) != json.dumps(given[name])
    ]


def settings_text(name: str, settings: Mapping[str, str]) -> str:
    """Format the settings of a bot, such as "ann time=10+0.1"."""
    return " ".join([name, *(f"{key}={value}" for key, value in settings.items())])


def _difference(name: str, stored: Any, given: Any, words: tuple[str, str]) -> str:
    before, after = _value_text(name, stored), _value_text(name, given)
    note = " (different)" if after == before else ""
    return f"{name}: {words[0]} {before}, {words[1]} {after}{note}"


def _value_text(name: str, value: Any) -> str:
    match name:
        case "bots":
            return ", ".join(bot if bot == spec else f"{bot}={spec}" for bot, spec in value.items())
        case "setups":
            setups = [*map(setup_text, value)]
            if len(setups) > MAX_LISTED_SETUPS:
                return f"{setups[0]} to {setups[-1]} ({len(setups)} setups)"
            return ", ".join(setups) or "none"
        case "settings":
            return "; ".join(map(settings_text, value, value.values())) or "none"
        case "in_process":
            return "yes (--workers)" if value else "no"
        case "book":
            return f"{len(value)} opening{'s' * (len(value) > 1)}" if value else "none"
        case "former_sizes":
            return ", ".join(f"{bots} bots in {rounds} rounds" for bots, rounds in value) or "none"
        case "grid_plies":
            return ", ".join(map(str, value)) or "none"
        case _:
            return "none" if value is None else str(value)
