"""Files of what the bots of a tournament write, and of the messages with them."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from arena.cli.arguments import UsageError
from arena.cli.configuration import TournamentConfig
from arena.network.trace import Trace
from arena.runner.bot_log import BotLog, open_logs
from arena.runner.named_bots import Bots
from bots.specification import Kind


class BotOutput(NamedTuple):
    """Logs of the bots that the tournament starts, by name, and the trace, if there is one."""

    logs: Mapping[str, BotLog]
    trace: Trace | None


@contextmanager
def bot_output(
    config: TournamentConfig, bots: Bots, report: Callable[[str], object]
) -> Iterator[BotOutput]:
    """Open the files of --bot-logs and --trace; without the flags, keep the latest words alone.

    Args:
        config: The configuration of the tournament.
        bots: The specification of each bot, by name.
        report: Receives an error while the trace is written.

    Raises:
        UsageError: A file cannot be opened.
    """
    started = [name for name, spec in bots.items() if spec.kind is not Kind.EXTERNAL]
    with ExitStack() as stack:
        try:
            logs = open_logs(started, config.bot_logs)
        except OSError as error:
            raise UsageError(
                f"cannot write --bot-logs {error.filename}: {error.strerror}"
            ) from None
        for log in logs.values():
            stack.callback(log.close)
        trace = open_trace(config.trace, report)
        yield BotOutput(logs, stack.enter_context(trace) if trace else None)


def open_trace(path: Path | None, report: Callable[[str], object]) -> Trace | None:
    """Open the file of --trace, if there is one.

    Args:
        path: The file.
        report: Receives an error while it is written.

    Raises:
        UsageError: The file cannot be opened.
    """
    try:
        return Trace(path, report) if path else None
    except OSError as error:
        raise UsageError(f"cannot write --trace {path}: {error.strerror}") from None
