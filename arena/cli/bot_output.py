"""Files of what the bots of a tournament write, and of the messages with them."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import NamedTuple

from arena.cli.arguments import UsageError
from arena.cli.tournament_configuration import TournamentConfig
from arena.network.trace import MessageTrace
from arena.runner.bot_log import BotLog, open_logs
from arena.runner.named_bots import Bots
from bots.specification import Kind

MESSAGES = "messages.jsonl"  # all messages from and to bots; their own files end in .log


class BotOutput(NamedTuple):
    """Logs of the bots that the tournament starts, by name, and the trace, if there is one."""

    logs: Mapping[str, BotLog]
    trace: MessageTrace | None


@contextmanager
def bot_output(
    config: TournamentConfig, bots: Bots, report: Callable[[str], object]
) -> Iterator[BotOutput]:
    """Open the files of --logs; without the flag, keep the latest words alone.

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
            logs = open_logs(started, config.logs)
            for log in logs.values():
                stack.callback(log.close)
            trace = MessageTrace(config.logs / MESSAGES, report) if config.logs else None
        except OSError as error:
            raise UsageError(f"cannot write --logs {error.filename}: {error.strerror}") from None
        yield BotOutput(logs, stack.enter_context(trace) if trace else None)
