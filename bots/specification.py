"""Specifications of bots, the one grammar of them: `spec:4@nodes=9`, `stdio:./mybot --fast`."""

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path, PurePath
from typing import Self

from core.game import Game

MAX_DEPTH = 10**9 - 1  # plies: as of DEPTH
MAX_NODES = 10**15 - 1  # as in a time control, and of NODES
MAX_SIMULATIONS = 999_999  # whose tree fits into memory
LIMITS = re.compile(r"(?::(?P<depth>.*?))?(?:@nodes=(?P<nodes>.*))?", re.DOTALL)
DEPTH = re.compile(r"\d{1,9}", re.ASCII)
DEPTHS = re.compile(r"((?:spec|strong):)(\d{1,9})-(\d{1,9})(?:/(\d{1,9}))?(@nodes=.*)?", re.ASCII)
MAX_DEPTHS = 100  # of a range
NODES = re.compile(r"[1-9]\d{0,14}", re.ASCII)
OPENSPIEL_BOT = re.compile(r"mcts:([1-9]\d{0,5})", re.ASCII)  # with its simulations
PROGRAM_DEPTH = re.compile(r"depth=(\d{1,4})", re.ASCII)  # in front of a program's command
PROGRAM_FOLDER, INNER_FOLDER = "in=", "cd="  # likewise


class Kind(StrEnum):
    """Kinds of bots, by the word in front of the colon.

    Programs of `cmd:` connect to the arena when they are started, as `external:` bots do by
    themselves; those of `stdio:` read and write lines; those of `program:` are programs of an
    assignment, started for each move.
    """

    RANDOM = "random"
    GREEDY = "greedy"
    SPEC = "spec"
    STRONG = "strong"
    PERFECT = "perfect"
    OPENSPIEL = "openspiel"
    PYTHON = "python"
    STDIO = "stdio"
    PROGRAM = "program"
    CMD = "cmd"
    EXTERNAL = "external"


FORMS: Mapping[str, str] = {
    Kind.RANDOM: "random",
    Kind.GREEDY: "greedy",
    Kind.SPEC: "spec:DEPTH[@nodes=N]",
    Kind.STRONG: "strong[:DEPTH][@nodes=N]",
    Kind.PERFECT: "perfect",
    Kind.OPENSPIEL: "openspiel:mcts:SIMULATIONS",
    Kind.PYTHON: "python:MODULE:CLASS",
    Kind.STDIO: "stdio:COMMAND",
    Kind.PROGRAM: "program:COMMAND",
    Kind.CMD: "cmd:COMMAND",
    Kind.EXTERNAL: "external:NAME",
}
SEARCHING = (Kind.SPEC, Kind.STRONG)
BUILT_IN = (Kind.RANDOM, Kind.GREEDY, *SEARCHING, Kind.PERFECT)
PROGRAMS = (Kind.STDIO, Kind.PROGRAM)  # which a process of the package bots asks
COMMANDS = (*PROGRAMS, Kind.CMD)
USERS_CODE = (Kind.PYTHON, *PROGRAMS)  # which is in the folder of bot files


@dataclass(frozen=True)
class BotSpec:
    """A bot as an organiser writes it, without a name. `str` gives the text back.

    Attributes:
        text: The specification as it was written: what plans, databases and messages hold.
        kind: The kind of bot.
        argument: What stands behind the colon, but for the limits of a search.
        depth: The depth of a search in plies, where it is given: 0 for the end of the game.
        nodes: The most nodes to visit for a move, where they are given.
        simulations: The simulations for a move of OpenSpiel's tree search.
        command: The words of the command of a program.
        folder: The folder that a `program:` sees, in the one that programs run in, where it is
            given.
        inner: The folder in that one that the program runs in, where it is given.
    """

    text: str
    kind: Kind
    argument: str = ""
    depth: int | None = None
    nodes: int | None = None
    simulations: int | None = None
    command: tuple[str, ...] = ()
    folder: str | None = None
    inner: str | None = None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the bot of a specification. Raises ValueError with one line."""
        word, colon, argument = text.partition(":")
        kind = word.partition("@")[0]
        if kind in BUILT_IN:
            return cls._built_in(text, Kind(kind))
        if word not in FORMS or not colon:
            raise ValueError(f"unknown bot {text!r} ({_advice(text)})")
        kind = Kind(word)
        if kind in COMMANDS:
            return cls._program(text, kind, argument)
        if kind is Kind.OPENSPIEL:
            return cls._openspiel(text, argument)
        if kind is Kind.PYTHON:
            module, _, name = argument.partition(":")
            if not all(map(str.isidentifier, [*module.split("."), name])):
                raise ValueError(f"bot {text!r}: expected {FORMS[kind]} such as python:mybot:MyBot")
        return cls(text, kind, argument)

    @classmethod
    def _built_in(cls, text: str, kind: Kind) -> Self:
        limits = text.removeprefix(kind)
        if limits and kind not in SEARCHING:
            raise ValueError(f"bot {text!r}: limits apply to {' and '.join(SEARCHING)} only")
        found = LIMITS.fullmatch(limits)
        if not found:
            raise ValueError(f"bot {text!r}: expected {FORMS[kind]}")
        depth, nodes = found["depth"], found["nodes"]
        if depth is not None and not DEPTH.fullmatch(depth):
            expected = f"expected a depth from 0 to {MAX_DEPTH} plies"
            raise ValueError(f"bot {text!r}: {expected}, got {depth!r}")
        if nodes is not None and not NODES.fullmatch(nodes):
            raise ValueError(f"bot {text!r}: expected nodes from 1 to {MAX_NODES}, got {nodes!r}")
        return cls(text, kind, depth=_number(depth), nodes=_number(nodes))

    @classmethod
    def _openspiel(cls, text: str, argument: str) -> Self:
        found = OPENSPIEL_BOT.fullmatch(argument)
        if not found:
            form = f"{FORMS[Kind.OPENSPIEL]} such as openspiel:mcts:1000"
            raise ValueError(f"bot {text!r}: expected {form}, at most {MAX_SIMULATIONS}")
        return cls(text, Kind.OPENSPIEL, argument, simulations=int(found[1]))

    @classmethod
    def _program(cls, text: str, kind: Kind, argument: str) -> Self:
        try:
            words = shlex.split(argument)
        except ValueError as error:
            raise ValueError(f"bot {text!r}: {error}") from None
        folder = inner = depth = None
        while kind is Kind.PROGRAM and words:
            given = PROGRAM_DEPTH.fullmatch(words[0])
            if given:
                depth = int(given[1])
            elif words[0].startswith(PROGRAM_FOLDER):
                folder = words[0].removeprefix(PROGRAM_FOLDER)
            elif folder and words[0].startswith(INNER_FOLDER):
                inner = words[0].removeprefix(INNER_FOLDER)
            else:
                break
            del words[0]
        if not (words and words[0]):
            raise ValueError(f"bot {text!r}: no command")
        command = tuple(words)
        return cls(text, kind, argument, depth, command=command, folder=folder, inner=inner)

    def __str__(self) -> str:
        return self.text

    @property
    def default_name(self) -> str:
        """The name of a bot that is given none."""
        if self.kind in COMMANDS:
            return PurePath(self.command[0]).name
        if self.kind is Kind.PYTHON:
            return self.argument.rpartition(":")[2]
        return self.argument if self.kind is Kind.EXTERNAL else self.text

    @property
    def is_strategy(self) -> bool:
        """Whether a bot is run by the code of the project, as users' Python classes are too.

        The end of such a bot before its first match is a fault of its specification.
        """
        return self.kind not in (Kind.EXTERNAL, *COMMANDS)

    @property
    def is_drawn_by_seed(self) -> bool:
        """Whether a bot of the project draws its moves, by the seed and the moves before."""
        return self.kind in (Kind.RANDOM, Kind.OPENSPIEL)

    @property
    def is_deterministic(self) -> bool:
        """Whether a bot always makes the same move in a position, time permitting."""
        return self.kind in BUILT_IN and self.kind is not Kind.RANDOM

    @property
    def is_cut_by_clock(self) -> bool:
        """Whether a bot of the project searches as long as its clock allows, at most."""
        return self.kind in (*SEARCHING, Kind.OPENSPIEL) and not self.nodes

    def missing_part(self, game: Game) -> str | None:
        """Return the part of a game that the bot needs and the game lacks, if there is one."""
        if self.kind is Kind.PROGRAM and not game.program:
            return "format of programs"
        if self.kind is Kind.PERFECT and not game.solver:
            return "solver"
        if self.kind is Kind.STRONG and not game.strong_search:
            return "strong search"
        if self.kind is Kind.SPEC and self.depth != 0 and not game.evaluate:
            return "evaluation"
        return None

    def check_playable(self, game: Game, name: str) -> None:
        """Raise ValueError if the bot needs a part that a game lacks.

        Args:
            game: The game.
            name: The name of the bot.
        """
        if missing := self.missing_part(game):
            raise ValueError(f"bot {name} cannot play {game.name}, which has no {missing}")

    def check_program(self, folder: Path | None = None) -> None:
        """Check that there is the program of a command, and its folder.

        Args:
            folder: The folder that it runs in; None is the working directory.

        Raises:
            ValueError: There is no such program or folder; one line.
        """
        from arena.sandbox.visible_files import find_program  # which other bots do not need

        place = Path(folder or "", self.folder or "")
        if self.folder is not None and not (self.folder and place.is_dir()):
            raise ValueError(f"bot {self.text!r}: folder {self.folder!r} not found")
        if self.inner is not None:
            outer, place = place.resolve(), Path(place, self.inner).resolve()
            if not (place.is_dir() and place.is_relative_to(outer)):
                raise ValueError(
                    f"bot {self.text!r}: folder {self.inner!r} not found in {self.folder}"
                )
        program = self.command[0]
        if not find_program(program, place):
            exists = "/" in program and (place / program).is_file()
            problem = "is not executable" if exists else "not found"
            raise ValueError(f"bot {self.text!r}: program {program!r} {problem}")


def _number(text: str | None) -> int | None:
    return None if text is None else int(text)


def each_depth(text: str) -> list[str]:
    """Return the specifications of a range of depths, FIRST-LAST[/STEP], or the one that is given.

    Raises:
        ValueError: The range is empty or too long; one line.
    """
    found = DEPTHS.fullmatch(text)
    if not found:
        return [text]
    start, *numbers, nodes = found.groups("")
    first, last, step = (int(number or 1) for number in numbers)
    if not (first <= last and step):
        raise ValueError(f"bot {text!r}: a range needs FIRST <= LAST and STEP >= 1")
    depths = range(first, last + 1, step)
    if len(depths) > MAX_DEPTHS:
        raise ValueError(f"bot {text!r}: too many depths: {len(depths)} (at most {MAX_DEPTHS})")
    return [f"{start}{depth}{nodes}" for depth in depths]


def read_bots(texts: Mapping[str, str]) -> dict[str, BotSpec]:
    """Return the bots of a plan or a message, by name. Raises ValueError."""
    return {name: BotSpec.parse(text) for name, text in texts.items()}


def program_in(folder: Path, command: Sequence[str], inner: str = ".") -> BotSpec:
    """Return the bot whose program sees a folder, and no other.

    Args:
        folder: The folder.
        command: The words that start the program.
        inner: The folder in that one that it runs in.
    """
    options = [f"{PROGRAM_FOLDER}{folder}"] + [f"{INNER_FOLDER}{inner}"] * (inner != ".")
    return BotSpec.parse(f"{Kind.PROGRAM}:{shlex.join([*options, *command])}")


def _advice(text: str) -> str:
    """Return the specification that was probably meant, else all that there are."""
    from difflib import get_close_matches  # slow to import

    kind = text.partition(":")[0].partition("@")[0]
    near = FORMS.get(kind) or next(
        (FORMS[known] for known in get_close_matches(kind.lower(), FORMS, 1)), None
    )
    if not near and "/" in kind:
        near = f"{Kind.STDIO}:{text}"
    return f"did you mean {near!r}?" if near else f"choose from {', '.join(FORMS.values())}"
