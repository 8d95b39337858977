"""Names of games of OpenSpiel with parameters, as `connect_four(columns=6,rows=5)`.

OpenSpiel reads them too, but it also prints its errors, and ends the process for some values.
"""

import re
from collections.abc import Mapping
from math import isfinite

Value = bool | int | float | str

GAME_STRING = re.compile(r"(\w+)(?:\((.*)\))?", re.ASCII)
TEXT = re.compile(r"[\w.:;]+", re.ASCII)  # of a parameter that is a text
WHOLE_NUMBER = re.compile(r"-?\d{1,7}", re.ASCII)
BOOLEANS = {"True": True, "False": False, "true": True, "false": False}
MIN_NUMBER = 1  # of a whole number whose usual value is not smaller
MAX_NUMBER = 2000  # larger games take too long


def split(text: str) -> tuple[str, dict[str, str]]:
    """Return the short name of a game and its parameters as they are written.

    Raises:
        ValueError: The text is no game string, in one line.
    """
    match = GAME_STRING.fullmatch(text)
    if not match:
        raise ValueError("expected NAME or NAME(PARAMETER=VALUE,...)")
    parameters: dict[str, str] = {}
    for part in filter(None, (match[2] or "").split(",")):
        name, equals, value = (word.strip() for word in part.partition("="))
        if not equals:
            raise ValueError(f"expected PARAMETER=VALUE, got {part!r:.60}")
        if name in parameters:
            raise ValueError(f"repeated parameter {name!r:.60}")
        parameters[name] = value
    return match[1], parameters


def parse(written: Mapping[str, str], usual: Mapping[str, Value]) -> dict[str, Value]:
    """Return the values of parameters by name, in the order of the names.

    Args:
        written: The parameters as they are written.
        usual: The usual value of each parameter that the game has.

    Raises:
        ValueError: There is no such parameter, or a value is invalid, in one line.
    """
    for name in written:
        if name not in usual:
            known = ", ".join(f"{each}={usual[each]}" for each in sorted(usual)) or "none"
            raise ValueError(f"unknown parameter {name!r:.60} (parameters: {known})")
    return {name: _parse(name, written[name], usual[name]) for name in sorted(written)}


def join(name: str, parameters: Mapping[str, Value]) -> str:
    """Return the game string of a game with parameters, which are in order."""
    written = ",".join(f"{each}={value}" for each, value in parameters.items())
    return f"{name}({written})" if written else name


def _parse(name: str, text: str, usual: Value) -> Value:
    value: Value | None
    match usual:
        case bool():
            expected, value = "True or False", BOOLEANS.get(text)
        case int():
            least = min(MIN_NUMBER, usual)
            expected, value = f"a whole number from {least} to {MAX_NUMBER}", _whole_number(text)
            value = value if value is not None and least <= value <= MAX_NUMBER else None
        case float():
            expected, value = "a number", _number(text)
        case _:
            expected = "letters, digits or any of _.:;"
            value = text if TEXT.fullmatch(text) else None
    if value is None:
        raise ValueError(f"parameter {name}: expected {expected}, got {text!r:.60}")
    return value


def _whole_number(text: str) -> int | None:
    return int(text) if WHOLE_NUMBER.fullmatch(text) else None


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if isfinite(value) else None
