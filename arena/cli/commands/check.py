"""Command `arena check`: conformance test of a bot."""

import asyncio
import json
import math
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import ClassVar, TypeVar
from urllib.parse import urlsplit

from arena.analysis.accuracy import has_solver
from arena.analysis.position import analysis_address
from arena.analysis.puzzles import KeptWins, WonPosition, chance, count_kept, draw_positions
from arena.cli import shared_options as shared
from arena.cli.arguments import UsageError, game_metavar, game_name
from arena.cli.output import notify
from arena.cli.serving import check_programs, run_until_terminated
from arena.cli.shared_options import Command
from arena.conformance.random_games import typical_setups
from arena.conformance.scripted_referee import ScriptedReferee
from arena.conformance.steps import CheckFailed
from arena.model.setups import setup_text
from arena.model.visible import visible
from arena.options import argument, option, switch
from arena.reports.progress import with_progress_bar
from arena.reports.text import aligned_text
from arena.runner.conformance import ConformanceTest, InvalidBotArguments, ItemReport, ScriptRunner
from arena.runner.named_bots import bot_words, check_playable, command_sandbox, supported_games
from arena.sandbox.limits import Policy
from arena.sandbox.sandbox import UNPROTECTED
from bots.builtin import create_strategy
from bots.client import ClockReading
from bots.specification import COMMANDS, BotSpec, Kind
from bots.stdio import turn_line
from core import GAMES
from core.game import Position

NAME = "checked"  # of a bot that the check starts
PORT = 8765  # default port for a bot that connects by itself
MATCHES = 2  # simultaneous matches of a built-in bot
STATES = ("ok", "FAILED", "warning", "skipped")
COMPARED = ("perfect", "spec:8", "spec:6", "spec:4", "spec:2", "spec:1", "greedy", "random")
MAX_POSITIONS = 10_000  # drawn and compared in seconds
MAX_LISTED = 20  # lost wins in a text
LEVELS = {1: "easy", 2: "medium", 3: "hard"}
PAGE = "http://localhost:8765/"  # of `arena serve` on this machine
UNLIMITED = ClockReading(math.inf, math.inf, 0.0)

T = TypeVar("T")


@dataclass(frozen=True)
class CheckConfig(Command):
    """Options of `arena check`."""

    command: ClassVar[str] = "check"
    bot: str | None = option(
        "bot to start: random, greedy, spec:DEPTH[@nodes=N], strong[:DEPTH][@nodes=N],"
        " perfect, openspiel:mcts:SIMULATIONS, cmd:COMMAND, stdio:COMMAND or program:COMMAND"
        " (default: wait for a bot to connect)",
        metavar="BOT",
    )
    sandbox: Policy | None = shared.sandbox()
    game: str | None = option(
        "game to check (default: all that the bot plays)", type=game_name, metavar=game_metavar
    )
    json: bool = switch("print the results as JSON")
    timeout: float = shared.timeout()
    positions: int | None = option(
        "measure instead in how many of N won positions the bot keeps the win",
        least=1,
        most=MAX_POSITIONS,
        metavar="N",
    )
    seed: int = option("seed of the positions (default: %(default)s)", default=1)
    url: str | None = argument(
        "URL for the bot to connect to (default: ws://127.0.0.1:8765/play; with --bot, a free"
        " port)",
        required=False,
        nargs="?",
        metavar="URL",
    )

    def check(self) -> None:
        """Check what the options mean together. Raises UsageError."""
        if self.positions is not None and self.game and not has_solver(self.game):
            raise UsageError(f"--positions requires a game with a solver, not {self.game}")
        _address(self)

    def run(self) -> int:
        """Run the conformance test.

        Returns:
            The exit status: 0, or 1 if a required item has failed.

        Raises:
            UsageError: If an argument is invalid.
        """
        policy = self.sandbox
        if self.bot is None:
            runner = ScriptRunner(NAME, None, False, UNPROTECTED)
        else:
            bot = _bot(self.bot, self.game)
            check_programs([bot], policy)
            words = [*bot_words(bot, policy), "--matches", str(MATCHES)]
            command = [*bot.command] if bot.kind is Kind.CMD else words
            is_builtin = bot.kind is not Kind.CMD
            line = None if is_builtin else _turn_line(self)
            runner = ScriptRunner(NAME, command, is_builtin, command_sandbox(bot, policy), line)
        try:
            return run_until_terminated(_check(self, runner))
        except InvalidBotArguments as error:
            raise UsageError(str(error)) from None


def _bot(text: str, game: str | None) -> BotSpec:
    """Return the bot to start, which can play the game if one is given. Raises UsageError."""
    try:
        bot = BotSpec.parse(text)
        if game:
            check_playable({text: bot}, game)
        if bot.kind in COMMANDS:
            bot.check_program()
    except ValueError as error:
        raise UsageError(str(error)) from None
    if bot.kind is Kind.EXTERNAL:
        raise UsageError(f"bot {text!r}: omit --bot for a bot that connects by itself")
    return bot


def _turn_line(config: CheckConfig) -> str:
    """Return the line of a first turn."""
    game = config.game or next(iter(GAMES))
    setup = typical_setups(GAMES[game])[0]
    return turn_line(ScriptedReferee(config.timeout, game, NAME).make_turn("1", game, setup))


async def _check(config: CheckConfig, runner: ScriptRunner) -> int:
    host, port = _address(config)
    referee = ScriptedReferee(config.timeout, config.game, NAME if config.bot else None)
    test = ConformanceTest(runner, referee, _ignore if config.json else _print_report)
    async with AsyncExitStack() as stack:
        try:
            url = await stack.enter_async_context(runner.listen(host, port))
        except (OSError, OverflowError, UnicodeError) as error:
            raise UsageError(f"cannot listen on {host} port {port}: {error}") from None
        if not config.bot:
            notify(f"waiting for your bot at {url}")
        runner.start_program()
        if config.positions is not None:
            return await _measure_kept_wins(config, runner, referee)
        reports = await test.run()
    counts = Counter(report.state for report in reports)
    if config.json:
        _print_json(config, referee, reports)
    else:
        print(", ".join(f"{counts[state]} {state}" for state in STATES))
    return 1 if counts["FAILED"] else 0


def _address(config: CheckConfig) -> tuple[str, int]:
    """Return the host and the port of the URL, or the default ones. Raises UsageError."""
    if config.url is None:
        return "127.0.0.1", 0 if config.bot else PORT
    try:
        url = urlsplit(config.url)
        host, port = url.hostname, url.port
    except ValueError:
        host = port = None
    if not host or port is None or url.scheme != "ws" or url.path not in {"", "/play"}:
        raise UsageError(f"invalid URL {config.url!r} (expected ws://HOST:PORT/play)")
    return host, port


def _print_report(report: ItemReport) -> None:
    detail = report.detail and f": {report.detail}"
    print(visible(f"{report.state:<8} {report.number:>2} {report.title}{detail}"), flush=True)
    lines = {"sent": report.sent, "expected": report.expected, "received": report.received}
    for name, text in lines.items():
        if text:
            print(visible(f"{'':12}{name:<9} {text}"), flush=True)


def _ignore(_report: ItemReport) -> None:
    """Print nothing: the JSON object at the end holds all reports."""


def _print_json(
    config: CheckConfig, referee: ScriptedReferee, reports: Sequence[ItemReport]
) -> None:
    facts = {
        "bot": config.bot,
        "name": referee.hello and referee.hello.name,
        "games": referee.games,
        "passed": not any(report.state == "FAILED" for report in reports),
        "items": [_as_json(report) for report in reports],
    }
    print(json.dumps(facts, indent=2))


def _as_json(report: ItemReport) -> dict[str, object]:
    fields = report._asdict()
    came = fields.pop("received")  # `came` is the published name of the field
    return {**fields, "came": came}


async def _measure_kept_wins(
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
    print(measured.as_json() if config.json else measured.as_text(), end="")
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
