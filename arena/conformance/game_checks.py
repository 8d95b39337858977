"""Checks of a game: their form, and the run of a list of them on random games. Pure."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from arena.conformance.random_games import Counterexample, Kind, RandomGames, Sample, describe_error
from arena.conformance.steps import MAX_QUOTED, CheckFailed
from core.game import Game

Part = Literal["evaluate", "search", "solver", "matching", "strong_search", "encoding"]
MISSING_PARTS: dict[Part, str] = {
    "evaluate": "the game has no evaluation",
    "search": "the game has no compiled search",
    "solver": "the game has no solver",
    "matching": "the game has no matching",
    "strong_search": "the game has no strong search",
    "encoding": "the game has no encoding",
}


class GameCheck(NamedTuple):
    """A check that every game must pass.

    Attributes:
        number: The number of the check.
        title: The requirement, in words.
        examine: Raises CheckFailed, or an error of the game, for a sample that fails.
        kind: The samples to examine; None for the description of the game, without any.
        requires: The numbers of the checks that must pass first; else this one is skipped.
        part: The part of a Game without which the check is skipped.
    """

    number: int
    title: str
    examine: Callable[[Sample], None]
    kind: Kind | None = "positions"
    requires: tuple[int, ...] = (4,)
    part: Part | None = None


class CheckReport(NamedTuple):
    """Result of a check.

    Attributes:
        number: The number of the check.
        title: The title of the check.
        state: ok, FAILED or skipped.
        detail: One line. The number of samples; after a failure the expected and the actual
            behaviour, and the setup and the moves that show it; the reason if it was skipped.
    """

    number: int
    title: str
    state: str
    detail: str = ""


def run_checks(game: Game, seed: int, checks: Sequence[GameCheck]) -> Iterator[CheckReport]:
    """Run checks on random games and yield their reports.

    Args:
        game: A registered game.
        seed: The seed of the random games.
        checks: The checks, each after the checks that it requires.
    """
    games = RandomGames(game, seed)
    states: dict[int, str] = {}
    for check in checks:
        report = _run(check, games, states)
        states[check.number] = report.state
        yield report


def require(condition: bool, expected: str, received: str) -> None:
    """Raise CheckFailed unless a condition holds.

    Args:
        condition: The condition.
        expected: The condition in words.
        received: The behaviour of the game.

    Raises:
        CheckFailed: The condition does not hold.
    """
    if not condition:
        is_cut = len(received) > MAX_QUOTED
        raise CheckFailed(expected, received[:MAX_QUOTED] + "..." * is_cut)


def _run(check: GameCheck, games: RandomGames, states: Mapping[int, str]) -> CheckReport:
    report = CheckReport(check.number, check.title, "skipped")
    missing = [number for number in check.requires if states[number] != "ok"]
    if missing:
        return report._replace(detail=f"requires check {missing[0]}")
    if check.part and getattr(games.game, check.part) is None:
        return report._replace(detail=MISSING_PARTS[check.part])
    try:
        detail = _examine(check, games)
    except Exception as error:  # a game may raise anything
        return report._replace(state="FAILED", detail=describe_error(error))
    return report._replace(state="ok", detail=detail)


def _examine(check: GameCheck, games: RandomGames) -> str:
    """Examine all samples and return their number; raise Counterexample for the first to fail."""
    if check.kind is None:
        check.examine(Sample(games.game, {}))
        return games.game.title
    samples = games.samples(check.kind)
    for sample in samples:
        try:
            check.examine(sample)
        except Exception as error:
            raise Counterexample(error, sample) from error
    return f"{len(samples)} {check.kind if len(samples) > 1 else check.kind.removesuffix('s')}"
