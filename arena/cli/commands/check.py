"""Command `arena check`: conformance test of a bot."""

import asyncio
import json
from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack
from urllib.parse import urlsplit

from arena.cli.arguments import UsageError
from arena.cli.configuration import CheckConfig
from arena.cli.kept_wins import check_positions, measure_kept_wins
from arena.cli.output import notify
from arena.cli.serving import check_programs, run_until_terminated
from arena.conformance.random_games import typical_setups
from arena.conformance.scripted_referee import ScriptedReferee
from arena.model.visible import visible
from arena.runner.conformance import ConformanceTest, InvalidBotArguments, ItemReport, ScriptRunner
from arena.runner.named_bots import bot_words, check_playable, command_sandbox
from arena.sandbox.sandbox import UNPROTECTED
from bots.specification import COMMANDS, BotSpec, Kind
from bots.stdio import turn_line
from core import GAMES

NAME = "checked"  # of a bot that the check starts
PORT = 8765  # default port for a bot that connects by itself
MATCHES = 2  # simultaneous matches of a built-in bot
STATES = ("ok", "FAILED", "warning", "skipped")


def run(config: CheckConfig) -> int:
    """Run the conformance test.

    Returns:
        The exit status: 0, or 1 if a required item has failed.

    Raises:
        UsageError: If an argument is invalid.
    """
    if config.positions is not None:
        check_positions(config.positions, config.game)
    policy = config.sandbox
    if config.bot is None:
        runner = ScriptRunner(NAME, None, False, UNPROTECTED)
    else:
        bot = _bot(config.bot, config.game)
        check_programs([bot], policy)
        words = [*bot_words(bot, policy), "--matches", str(MATCHES)]
        command = [*bot.command] if bot.kind is Kind.CMD else words
        is_builtin = bot.kind is not Kind.CMD
        line = None if is_builtin else _turn_line(config)
        runner = ScriptRunner(NAME, command, is_builtin, command_sandbox(bot, policy), line)
    try:
        return run_until_terminated(_check(config, runner))
    except InvalidBotArguments as error:
        raise UsageError(str(error)) from None
    except (KeyboardInterrupt, asyncio.CancelledError):
        notify("stopped")
        return 130


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
            return await measure_kept_wins(config, runner, referee)
        reports = await test.run()
    counts = Counter(report.state for report in reports)
    if config.json:
        _print_json(config, referee, reports)
    else:
        print(", ".join(f"{counts[state]} {state}" for state in STATES), flush=True)
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
    print(json.dumps(facts, indent=2), flush=True)


def _as_json(report: ItemReport) -> dict[str, object]:
    fields = report._asdict()
    came = fields.pop("received")  # `came` is the published name of the field
    return {**fields, "came": came}
