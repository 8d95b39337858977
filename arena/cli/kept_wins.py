"""Measurement of `arena check --positions`: in how many won positions a bot keeps the win."""

import asyncio
import json
import math
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from arena.analysis.accuracy import has_solver
from arena.analysis.position import analysis_address
from arena.analysis.puzzles import KeptWins, WonPosition, chance, count_kept, draw_positions
from arena.cli.arguments import UsageError
from arena.cli.configuration import CheckConfig
from arena.cli.output import notify
from arena.conformance.random_games import typical_setups
from arena.conformance.scripted_referee import ScriptedReferee
from arena.conformance.steps import CheckFailed
from arena.model.setups import setup_text
from arena.model.visible import visible
from arena.reports.progress import with_progress_bar
from arena.reports.text import aligned_text
from arena.runner.conformance import ScriptRunner
from arena.runner.named_bots import supported_games
from bots.builtin import create_strategy
from bots.client import ClockReading
from bots.specification import BotSpec
from core import GAMES
from core.game import Position

COMPARED = ("perfect", "spec:8", "spec:6", "spec:4", "spec:2", "spec:1", "greedy", "random")
MAX_POSITIONS = 10_000  # drawn and compared in seconds
MAX_LISTED = 20  # lost wins in a text
LEVELS = {1: "easy", 2: "medium", 3: "hard"}
PAGE = "http://localhost:8765/"  # of `arena serve` on this machine
UNLIMITED = ClockReading(math.inf, math.inf, 0.0)

T = TypeVar("T")


def check_positions(count: int, game: str | None) -> None:
    """Check the number of positions, and that the game has some. Raises UsageError."""
    if not 1 <= count <= MAX_POSITIONS:
        raise UsageError(f"--positions must be from 1 to {MAX_POSITIONS}, not {count}")
    if game and not has_solver(game):
        raise UsageError(f"--positions requires a game with a solver, not {game}")


async def measure_kept_wins(
    config: CheckConfig, runner: ScriptRunner, referee: ScriptedReferee
) -> int:
    """Ask a bot for its moves in won positions, and print how many wins it keeps.

    Returns:
        The exit status: 0, or 1 if the bot has not answered with a legal move each time.
    """
    try:
        hello = await runner.run(referee.receive_hello())
        game = next(filter(has_solver, referee.games), None)
        if game is None:
            raise CheckFailed("a game with a solver", ", ".join(referee.games))
        setups = typical_setups(GAMES[game])
        try:
            drawn = draw_positions(game, setups, config.positions or 0, config.seed)
            positions = await _interruptible(drawn)
        except ValueError as error:
            raise UsageError(f"--positions: {error}") from None
        referee.understands_finished = True  # as every bot must
        asked = [(each.setup, each.puzzle.moves) for each in positions]
        script = referee.ask_for_moves(game, with_progress_bar(sys.stderr, asked))
        moves = await runner.run(script)
    except CheckFailed as failure:
        notify(f"the bot was not measured: {failure}")
        return 1
    compared = await _compare(game, config.seed, positions)
    bot = config.bot or hello.name
    measured = _Measured(bot, game, config.seed, positions, moves, compared)
    print(measured.as_json() if config.json else measured.as_text(), end="", flush=True)
    return 0


async def _interruptible(items: Iterable[T]) -> list[T]:
    """Return items that take their time, between which Ctrl-C ends the command."""
    found = []
    for item in items:
        found.append(item)
        await asyncio.sleep(0)
    return found


async def _compare(game: str, seed: int, positions: Sequence[WonPosition]) -> dict[str, KeptWins]:
    """Return the kept wins of the built-in bots that can play the game, by bot."""
    bots = map(BotSpec.parse, COMPARED)
    compared = {}
    for bot in [bot for bot in bots if supported_games(bot, [game])]:
        choose = create_strategy(bot, seed)
        answers = ((each, choose(_position(game, each), UNLIMITED)) for each in positions)
        compared[bot.text] = count_kept(await _interruptible(answers))
    return compared


class _Measured:
    """The moves of a bot in won positions."""

    def __init__(
        self,
        bot: str,
        game: str,
        seed: int,
        positions: Sequence[WonPosition],
        moves: Sequence[int | None],
        compared: Mapping[str, KeptWins],
    ) -> None:
        self._bot, self._game, self._seed = bot, game, seed
        self._positions = positions
        self._answers = [*zip(positions, moves, strict=True)]
        self._kept = count_kept(self._answers)
        self._compared = compared

    def as_text(self) -> str:
        """Return the tables, and the first wins that were lost."""
        lost = [*self._lost()]
        kept = self._kept
        parts = [
            f"{visible(self._bot)} keeps {kept.kept} of {kept.positions} won positions of"
            f" {self._game} won, {_percent(kept)} +- {100 * kept.margin:.1f};"
            f" chance {100 * chance(self._positions):.0f} % (seed {self._seed})\n",
            aligned_text([["level", "positions", "kept"], *self._level_rows()], names=0),
            aligned_text([["#", "bot", "kept"], *self._comparison_rows()]),
        ]
        if lost:
            lines = [f"  {_line(self._game, each, move)}\n" for each, move in lost[:MAX_LISTED]]
            more = len(lost) - MAX_LISTED
            rest = f"  and {more} more (--json has all)\n" if more > 0 else ""
            parts.append(f"Lost wins (the links lead to arena serve)\n{''.join(lines)}{rest}")
        return "\n".join(parts)

    def as_json(self) -> str:
        """Return the same as a JSON object, with all wins that were lost."""
        facts = {
            "bot": self._bot,
            "game": self._game,
            "seed": self._seed,
            **_fields(self._kept),
            "chance": chance(self._positions),
            "levels": {LEVELS[level]: _fields(kept) for level, kept in self._by_level()},
            "built_in": {bot: kept.share for bot, kept in self._compared.items()},
            "lost": [
                {
                    "setup": each.setup,
                    "moves": each.puzzle.moves,
                    "move": move,
                    "winning_moves": each.puzzle.winning_moves,
                    "link": _link(self._game, each),
                }
                for each, move in self._lost()
            ],
        }
        return f"{json.dumps(facts, indent=2)}\n"

    def _lost(self) -> Iterator[tuple[WonPosition, int | None]]:
        for each, move in self._answers:
            if move not in each.puzzle.winning_moves:
                yield each, move

    def _by_level(self) -> Iterator[tuple[int, KeptWins]]:
        for level in LEVELS:
            answers = [answer for answer in self._answers if answer[0].puzzle.level == level]
            if answers:
                yield level, count_kept(answers)

    def _level_rows(self) -> Iterator[list[str]]:
        for level, kept in self._by_level():
            yield [LEVELS[level], f"{kept.positions}", _percent(kept)]

    def _comparison_rows(self) -> Iterator[list[str]]:
        own = f"{self._bot} (this bot)", self._kept
        ranked = sorted([own, *self._compared.items()], key=lambda row: -row[1].kept)
        for place, (bot, kept) in enumerate(ranked, 1):
            yield [f"{place}", bot, _percent(kept)]


def _percent(kept: KeptWins) -> str:
    """Format a share, rounded down, so that 100 % means no loss."""
    return f"{1000 * kept.kept // kept.positions / 10:.1f} %"


def _fields(kept: KeptWins) -> dict[str, object]:
    return {**kept._asdict(), "share": kept.share, "margin": kept.margin}


def _position(game: str, position: WonPosition) -> Position:
    return GAMES[game].position(**position.setup, moves=position.puzzle.moves)


def _line(game: str, position: WonPosition, move: int | None) -> str:
    puzzle = position.puzzle
    before = " ".join(map(str, puzzle.moves)) or "the start"
    played = "resigned" if move is None else f"played {move}"
    winning = " or ".join(map(str, puzzle.winning_moves))
    setup = setup_text(position.setup)
    return f"{setup}, after {before}: {played}, {winning} wins  {_link(game, position)}"


def _link(game: str, position: WonPosition) -> str:
    return f"{PAGE}{analysis_address(game, position.setup, position.puzzle.moves)}"
