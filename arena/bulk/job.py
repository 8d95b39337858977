"""The job of a run's workers: the settings that, with the pairings, determine its games."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from arena.sandbox.limits import Policy


@dataclass(frozen=True)
class Job:
    """What is the same for all batches of a run; each worker receives it once.

    Attributes:
        bots: Specification of each bot, by its name.
        time: Time control as text.
        seed: Seed of the bots. The seed of a bot in a match is derived from it, from the bot's name
            and from the number of the match.
        bot_files: Folder of the users' modules, in which their programs run, or None.
        sandbox: The sandbox of users' programs; None isolates only program: bots.
    """

    bots: Mapping[str, str]
    time: str
    seed: int
    bot_files: Path | None = None
    sandbox: Policy | None = None
