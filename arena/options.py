"""Options of a command, declared once: as the fields of a frozen dataclass.

The type of a field says how a word is converted: int, float or Path; bool is a switch, and a tuple
takes several words. The help, the keys of a tournament's file, its schema, completions and the
manual page follow from the parser that `Options.add_to` fills.
"""

import os
from argparse import (
    ArgumentError,
    ArgumentParser,
    ArgumentTypeError,
    Namespace,
    _ActionsContainer,
    _StoreAction,
)
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, ClassVar, Self, get_args, get_origin

from core.numbers import parse_integer, parse_number

GIVEN = "given"  # the key of the flags that have been read in the arguments
OPTION = "option"  # the key of the declaration in the metadata of a field


class InvalidOption(ValueError):
    """A value that an option cannot have; the message names the flag, the value and the rule."""


@dataclass(frozen=True)
class Option:
    """Declaration of an option, beside the name, the type and the default of its field.

    Attributes:
        help: The help text.
        group: The heading above the option in the help; "" is the general one.
        excludes: The name of a set of options; at most one of them can be given.
        least: The lowest number.
        above: A number that the value must exceed.
        most: The highest number.
        convert: Converts a value that is given, after argparse; it may raise ValueError.
        each: Returns the names and help texts of several flags, which the field holds by name.
        actions: The help text of each action that the first field chooses from; the other options
            belong to the actions.
        not_for: The action that the option does not belong to.
        environment: The variable of the environment that replaces the default.
        is_flag: Whether it is a flag, and not a positional argument.
        others: Other arguments of `add_argument`; a function returns its value when it is needed.
    """

    help: str
    group: str = ""
    excludes: str = ""
    least: float | None = None
    above: float | None = None
    most: float | None = None
    convert: Callable[[Any], object] | None = None
    each: Callable[[], Mapping[str, str]] | None = None
    actions: Mapping[str, str] | None = None
    not_for: str = ""
    environment: str = ""
    is_flag: bool = True
    others: Mapping[str, Any] = field(default_factory=dict)

    def converted(self, flag: str, value: Any) -> object:
        """Return the value for the field. Raises InvalidOption."""
        if self.least is not None and not value >= self.least:
            raise InvalidOption(f"{flag} must be at least {self.least}, not {value}")
        if self.above is not None and not value > self.above:
            raise InvalidOption(f"{flag} must be above {self.above}, not {value}")
        if self.most is not None and not value <= self.most:
            raise InvalidOption(f"{flag} must be at most {self.most}, not {value}")
        value = tuple(value) if isinstance(value, list) else value
        try:
            return self.convert(value) if self.convert else value
        except ValueError as error:
            name, text = flag.removeprefix("--"), str(error)
            if text.startswith(name):  # a message that names what it is about
                raise InvalidOption(f"{flag}{text.removeprefix(name)}") from None
            raise InvalidOption(about(flag, text)) from None


def about(flag: str, text: str) -> str:
    """Return a message about an option: what it is or must be, or any other text."""
    return f"{flag} {text}" if text.startswith(("is ", "must ")) else f"{flag}: {text}"


class StoreOnce(_StoreAction):
    """Action of an option that cannot be repeated, as its last value would count alone."""

    def __call__(
        self,
        parser: ArgumentParser,
        namespace: Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        """Store the value. Raises ArgumentError if the option is given twice."""
        if option_string:
            given = vars(namespace).setdefault(GIVEN, set())
            if self.dest in given:
                raise ArgumentError(self, "is given twice")
            given.add(self.dest)
        super().__call__(parser, namespace, values, option_string)


DECLARATION = {name for name in Option.__dataclass_fields__ if name != "others"}


def option(help: str, *, required: bool = False, **declared: Any) -> Any:  # noqa: A002
    """Return a field that is an option, named after the field.

    Args:
        help: The help text.
        required: Whether the option has no default.
        declared: The attributes of Option; `default` of the field, else None; and arguments of
            `add_argument`.
    """
    default = declared.pop("default", None)
    own = {name: declared.pop(name) for name in DECLARATION & declared.keys()}
    metadata = {OPTION: Option(help, **own, others=declared)}
    if required:
        return field(metadata=metadata)
    if isinstance(default, Mapping):
        return field(default_factory=lambda: default, metadata=metadata)
    return field(default=default, metadata=metadata)


def switch(help: str, **declared: Any) -> Any:  # noqa: A002
    """Return a field that is an option without a value, a bool; the rest is as in `option`."""
    return option(help, default=False, **declared)


def argument(help: str, *, required: bool = True, **declared: Any) -> Any:  # noqa: A002
    """Return a field that is a positional argument; the rest is as in `option`."""
    return option(help, required=required, is_flag=False, **declared)


class Options:
    """Options of a command: the base of a frozen dataclass with fields from `option`.

    Attributes:
        usage: The usage line; None is the generated one.
        epilog: The text below the help.
        without: Inherited options that the command does not have.
    """

    usage: ClassVar[str | None] = None
    epilog: ClassVar[str | None] = None
    without: ClassVar[frozenset[str]] = frozenset()

    def check(self) -> None:
        """Check the options against each other. Raises an error for the user."""

    @classmethod
    def declared(cls) -> dict[str, Option]:
        """Return the declaration of each option by its name."""
        return {place.name: place.metadata[OPTION] for place in cls._places()}

    @classmethod
    def _places(cls) -> list["Field[Any]"]:
        every = fields(cls)  # type: ignore[arg-type]  # of a subclass, which is a dataclass
        return [each for each in every if OPTION in each.metadata and each.name not in cls.without]

    @classmethod
    def add_to(cls, parser: ArgumentParser) -> None:
        """Add the options to the parser of the command."""
        parser.usage, parser.epilog = cls.usage, cls.epilog
        _make_strict(parser)
        first, *rest = places = cls._places()
        actions = first.metadata[OPTION].actions
        if not actions:
            _add(parser, places)
            return
        choices = parser.add_subparsers(dest=first.name, required=True, metavar="ACTION")
        for name, meaning in actions.items():
            of_action = [place for place in rest if place.metadata[OPTION].not_for != name]
            of_it = choices.add_parser(name, help=meaning, description=meaning)
            _make_strict(of_it)
            _add(of_it, of_action)

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Self:
        """Return the options that parsed arguments mean.

        Args:
            given: The values by name, as argparse returns them.

        Raises:
            InvalidOption: A value breaks the rule of its option.
        """
        values: dict[str, object] = {}
        for name, option in cls.declared().items():
            if option.each:
                start = f"{name}."
                own = {key: value for key, value in given.items() if key.startswith(start)}
                values[name] = {key.removeprefix(start): value for key, value in own.items()}
            elif given.get(name) is not None:
                values[name] = option.converted(flag(name), given[name])
        return cls(**values)


def flag(name: str) -> str:
    """Return the flag of an option."""
    return f"--{name.replace('_', '-')}"


def _make_strict(parser: ArgumentParser) -> None:
    """Refuse repeated flags, of which argparse takes the last, and numbers such as 1_000."""
    for action in (None, "store"):
        parser.register("action", action, StoreOnce)
    parser.register("type", int, _integer)
    parser.register("type", float, _number)


def _add(parser: ArgumentParser, places: Sequence["Field[Any]"]) -> None:
    """Add the options that fields declare to a parser."""
    containers: dict[str, _ActionsContainer] = {"": parser}
    taken = {flag(place.name) for place in places} | {"--help"}
    for place in places:
        option: Option = place.metadata[OPTION]
        if option.group not in containers:
            containers[option.group] = parser.add_argument_group(option.group)
        container = containers[option.group]
        if option.excludes:
            if option.excludes not in containers:
                containers[option.excludes] = container.add_mutually_exclusive_group()
            container = containers[option.excludes]
        arguments = _arguments(place)
        if option.each:
            for name, text in option.each().items():
                if flag(name) not in taken:
                    dest = f"{place.name}.{name}"
                    container.add_argument(flag(name), dest=dest, help=text, **arguments)
        else:
            name = flag(place.name) if option.is_flag else place.name
            container.add_argument(name, help=option.help, **arguments)


def _arguments(place: "Field[Any]") -> dict[str, Any]:
    """Return the arguments of `add_argument` that a field stands for, without the help."""
    option: Option = place.metadata[OPTION]
    found = {
        name: value() if callable(value) and name != "type" else value
        for name, value in {**_conversion(place.type), **option.others}.items()
    }
    default = os.environ.get(option.environment) or place.default
    if isinstance(default, str | int | float | Path) and found.get("action") != "store_true":
        found["default"] = default
    if option.is_flag and place.default is place.default_factory is MISSING:
        found["required"] = True
    return found


def _conversion(kind: Any) -> dict[str, Any]:
    """Return the arguments of `add_argument` that follow from the type of a field."""
    if isinstance(kind, UnionType):
        kind = next(each for each in get_args(kind) if each is not NoneType)
    if kind is bool:
        return {"action": "store_true"}
    if get_origin(kind) is tuple and get_args(kind)[-1] is Ellipsis:
        return {**_conversion(get_args(kind)[0]), "nargs": "+"}
    return {"type": kind} if kind in (int, float, Path) else {}


def _integer(text: str) -> int:
    """Convert an argument to an integer. Raises ArgumentTypeError."""
    try:
        return parse_integer(text)
    except ValueError:
        raise ArgumentTypeError(f"must be a whole number, not {text!r}") from None


def _number(text: str) -> float:
    """Convert an argument to a number. Raises ArgumentTypeError."""
    try:
        return parse_number(text)
    except ValueError:
        raise ArgumentTypeError(f"must be a number, not {text!r}") from None


def named_values(words: Sequence[str], form: str) -> dict[str, str]:
    """Return the value of each name in words such as NAME=VALUE.

    Args:
        words: The words.
        form: Their form, for messages.

    Raises:
        ValueError: A word has another form, or a name is given twice.
    """
    found: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise ValueError(f"must be {form}, not {word!r}")
        if name in found:
            raise ValueError(f"repeated {name}")
        found[name] = value
    return found
