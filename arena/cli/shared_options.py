"""Base of the commands, and options that several of them have."""

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from arena.cli.arguments import (
    UsageError,
    database_to_write,
    game_metavar,
    game_name,
    parse_anchor,
    parse_parameter,
    parse_setups,
)
from arena.model.time_control import TimeControl
from arena.options import Options, argument, option, switch
from arena.sandbox.limits import Policy, parse_policy
from arena.sandbox.sandbox import Sandbox, SandboxUnavailable
from core import GAMES

DEFAULT_TIME = "5+0.05"
DEFAULT_GRACE = 5.0  # seconds
MAX_PORT = 65535
CONTINUATION = "run the same command to continue"
DEFAULT_GAME = next(iter(GAMES))
USUAL, LIMITS = "most used", "limits of a match"  # headings of the help

Setups = tuple[dict[str, int], ...]
Numbers = Mapping[str, Sequence[str] | None]
"""The words that are given for each parameter of the games; None for the usual ones."""


class Command(Options):
    """Command of the arena: its options, as the fields of a frozen dataclass, and what it does.

    Attributes:
        command: The name of the command.
    """

    command: ClassVar[str]

    def run(self) -> int:
        """Run the command and return the exit status.

        Raises:
            UsageError: The options cannot be used.
            DatabaseError: A database cannot be read or written.
            OSError: A file or standard output cannot be written.
        """
        raise AssertionError("each command has its own")

    @property
    def continuation(self) -> str:
        """How to go on after Ctrl-C; empty if nothing is kept."""
        return ""


class PlayingCommand(Command):
    """Command that plays games and has an option for each of their parameters."""

    parameters: Numbers

    @classmethod
    def refusal(cls, game: str) -> str | None:
        """Return why a game cannot be played: an option has the name of one of its parameters."""
        taken = GAMES[game].parameters.keys() & {"help", *cls.declared()}
        if not taken:
            return None
        return (
            f"game {game!r} cannot be played here: its parameter {min(taken)!r} has the name of an"
            f" option of arena {cls.command}"
        )

    def setups_of(self, games: Collection[str]) -> dict[str, Setups]:
        """Return the setups of each game. Raises UsageError."""
        for refusal in filter(None, map(self.refusal, games)):
            raise UsageError(refusal)
        return parse_setups([*games], self.parameters)


def own_sandbox(policy: Policy) -> Sandbox:
    """Return the sandbox of programs that run here. Raises UsageError if it does not work here."""
    try:
        return Sandbox.of(policy)
    except SandboxUnavailable as error:
        raise UsageError(f"{error}; --sandbox off runs programs that you trust") from None


def check_clock(control: TimeControl) -> None:
    """Check that matches over connections have a clock. Raises UsageError."""
    if not control.has_clock:
        raise UsageError(f"--time '{control}' requires arena tournament --workers")


def database() -> Any:
    """Return the argument of a database."""
    return argument("database file", metavar="DB")


def new_database(group: str = "") -> Any:
    """Return the option of a database that is created or continued."""
    return option(
        "database file (default: a new one in results/)", convert=database_to_write, group=group
    )


def anchor(group: str = "") -> Any:
    """Return the option of a bot with a fixed rating."""
    return option(
        "bot with a fixed rating, 0 unless ELO is given (default: the mean rating is 0)",
        metavar="NAME[=ELO]",
        convert=parse_anchor,
        group=group,
    )


def sandbox(group: str = "", default: Policy | None = None) -> Any:
    """Return the option of the sandbox of users' programs."""
    usual = default or "auto for program:, off for stdio: and cmd:"
    return option(
        "sandbox of program:, stdio: and cmd: bots: auto (bubblewrap where it works), require or"
        f" off (default: {usual})",
        default=default,
        type=parse_policy,
        choices=[*Policy],
        metavar="POLICY",
        group=group,
    )


def game(group: str = "") -> Any:
    """Return the option of the only game to play."""
    return option(
        "game to play (default: %(default)s)",
        default=DEFAULT_GAME,
        type=game_name,
        metavar=game_metavar,
        group=group,
    )


def searched_game(group: str = "") -> Any:
    """Return the option of the game whose position is searched."""
    return option("game of the position", type=game_name, metavar=game_metavar, group=group)


def setup(group: str = "") -> Any:
    """Return the option of the parameters of that game."""
    return option(
        "parameters of the game (default: the usual ones)",
        default=(),
        nargs="+",
        type=parse_parameter,
        metavar="NAME=NUMBER",
        group=group,
    )


def parameters(group: str = "") -> Any:
    """Return the options of the parameters of the games, a flag for each."""
    return option(
        "parameters of the games", each=_parameters, nargs="+", metavar="N", group=group, default={}
    )


def _parameters() -> dict[str, str]:
    return {
        name: f"{parameter.meaning.replace('%', '%%')}: numbers or ranges FIRST-LAST[/STEP]"
        for game in GAMES.values()
        for name, parameter in game.parameters.items()
    }


def time(
    group: str = "", usual: str = f"{DEFAULT_TIME}; in process: unlimited", *, in_process: bool
) -> Any:
    """Return the option of the time control; `in_process` is whether it may have no clock."""
    more = '; in process also unlimited or "N nodes" for each move' if in_process else ""
    return option(
        'time control in seconds: BASE+INCREMENT or TIME/move, also as "TIME margin SECONDS" with'
        f" a time by which bots may exceed it{more} (default: {usual})",
        metavar="CONTROL",
        convert=TimeControl.parse,
        group=group,
    )


def seed(group: str = "") -> Any:
    """Return the option of the seed."""
    return option("seed of all random choices (default: a random one)", group=group)


def bot_files(group: str = "") -> Any:
    """Return the option of the folder of users' bots."""
    return option(
        "folder of the modules of python:MODULE:CLASS, and the folder in which stdio: and"
        " program: commands run; it is sent to a cluster (default: the working directory)",
        metavar="DIR",
        convert=_folder,
        group=group,
    )


def _folder(path: Path) -> Path:
    """Return the path of a folder. Raises ValueError."""
    if not path.is_dir():
        raise ValueError(f"{path} is not a folder")
    return path


def concurrency(usual: int, group: str = "", default: int | None = None) -> Any:
    """Return the option of the number of simultaneous matches."""
    return option(
        f"maximum number of simultaneous matches (default: {usual})",
        default=default,
        least=1,
        group=group,
    )


def grace(group: str = "", default: float | None = None) -> Any:
    """Return the option of the wait for a bot that has lost its connection."""
    return option(
        f"seconds that a bot may stay disconnected during a match (default: {DEFAULT_GRACE:g})",
        default=default,
        least=0,
        group=group,
    )


def cluster(implied: str = "", group: str = "") -> Any:
    """Return the option of a cluster that plays in process."""
    return option(
        "Dask cluster of the workers: tcp://HOST:PORT or tls://HOST:PORT of its scheduler, or"
        f" local to start one here{implied}",
        metavar="ADDRESS",
        group=group,
    )


def host(group: str = "") -> Any:
    """Return the option of the host to listen on."""
    return option("host to listen on (default: 127.0.0.1)", default="127.0.0.1", group=group)


def port(default: int, group: str = "") -> Any:
    """Return the option of the port to listen on."""
    return option(
        "port to listen on, 0 for a free one (default: %(default)s)",
        default=default,
        least=0,
        most=MAX_PORT,
        group=group,
    )


def pairs(
    meaning: str, metavar: str, convert: Callable[[Sequence[str]], object], group: str
) -> Any:
    """Return the option of names and values, which may be repeated."""
    return option(
        meaning,
        group=group,
        default={},
        convert=convert,
        nargs="+",
        action="extend",
        metavar=metavar,
    )


def access_file(noun: str, name: str) -> Any:
    """Return the option of the file that a command of access manages."""
    return option(f"file of the {noun} (default: %(default)s)", default=Path(name), metavar="FILE")


def tokens(group: str = "") -> Any:
    """Return the option of the file of tokens; `any_bot` excludes it."""
    return option(
        "admit only bots with a token in FILE (see arena token)",
        excludes="authentication",
        metavar="FILE",
        group=group,
    )


def any_bot(group: str = "") -> Any:
    """Return the option that admits bots without tokens."""
    return switch(
        "admit any bot without a token, also from other machines",
        excludes="authentication",
        group=group,
    )


def quiet(group: str = "") -> Any:
    """Return the option that prints nothing while matches are played; `plain` excludes it."""
    return switch("print only problems", excludes="verbosity", group=group)


def plain(group: str = "") -> Any:
    """Return the option that prints lines while matches are played."""
    return switch(
        "print one line per match (default: a live table on a terminal, elsewhere problems and"
        " counts)",
        excludes="verbosity",
        group=group,
    )


def timeout() -> Any:
    """Return the option of the wait for a program."""
    return option(
        "seconds to wait for an answer (default: 10)",
        default=10.0,
        above=0,
        most=3600,
        metavar="SECONDS",
    )
