"""Trees in JSON: nested lists such as `[[3, 12, 8], [2, 4, 6]]`, or objects.

A list is an inner node with its children, a number a leaf. An object may have `name`, `value`,
`children` (a list) and `comment`, and at the root `player`: "max" or "min". Places in
messages are JSON pointers.
"""

import json
from collections import Counter
from typing import Any, TypeVar

from arena.teaching.notation.building import PLAYERS, Builder, Draft, TreeError, shown
from arena.teaching.space import GameTree

_T = TypeVar("_T")

KEYS = ("name", "value", "children", "comment")
MAX_POINTER = 200  # characters of a pointer in a message


def parse_json(text: str) -> GameTree:
    """Return the tree that a JSON text describes. Raises TreeError."""
    try:
        root = json.loads(
            text,
            parse_int=float,
            parse_constant=_refuse_constant,
            object_pairs_hook=_object,
        )
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise TreeError(f"{place}: invalid JSON: {error.msg}") from None
    except RecursionError:
        raise TreeError("the JSON is nested too deeply; brackets may be nested deeper") from None
    is_max = True
    if isinstance(root, dict) and "player" in root:
        player = root.pop("player")
        if not isinstance(player, str) or player not in PLAYERS:
            raise TreeError(f"at /player: the player must be max or min, not {_shown(player)}")
        is_max = PLAYERS[player]
    return _tree(root, is_max)


def _refuse_constant(constant: str) -> None:
    raise TreeError(f"a value must be finite, not {constant}")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object. Raises TreeError if a key is there twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = Counter(name for name, _ in pairs)
        twice = next(name for name in names if names[name] > 1)
        raise TreeError(f"an object has the key {shown(twice)} twice")
    return found


def _tree(root: Any, is_max: bool) -> GameTree:
    builder = Builder()
    waiting: list[tuple[Any, str, Draft | None]] = [(root, "", None)]
    while waiting:
        found, pointer, parent = waiting.pop()
        draft = builder.add(f"at {_shown_pointer(pointer)}", parent)
        children = _read(builder, draft, found)
        below = pointer if isinstance(found, list) else f"{pointer}/children"
        waiting += [
            (child, f"{below}/{index}", draft) for index, child in reversed([*enumerate(children)])
        ]
    return builder.finish(is_max)


def _shown_pointer(pointer: str) -> str:
    """Return the place of a node for a message."""
    if len(pointer) > MAX_POINTER:
        return f"{pointer[:MAX_POINTER]}..."
    return pointer or "the root"


def _read(builder: Builder, draft: Draft, found: Any) -> list[Any]:
    """Read the name and the value of a node, and return its children."""
    if isinstance(found, list):
        if not found:
            raise TreeError(f"{draft.place}: a list needs at least one child")
        return found
    if isinstance(found, float):
        builder.set_value(draft, found)
        return []
    if not isinstance(found, dict):
        raise TreeError(
            f"{draft.place}: a node must be a number, a list or an object, not {_shown(found)}"
        )
    for key in found:
        if key not in KEYS:
            raise TreeError(
                f"{draft.place}: unknown key {shown(key)} (choose from {', '.join(KEYS)})"
            )
    name, value, children = (found.get(key) for key in ("name", "value", "children"))
    if name is not None:
        builder.set_name(draft, _of_type(draft, "name", name, str, "a string"))
    if value is not None:
        builder.set_value(draft, _of_type(draft, "value", value, float, "a number"))
    if children is None:
        return []
    return _of_type(draft, "children", children, list, "a list")


def _of_type(draft: Draft, key: str, value: Any, wanted: type[_T], words: str) -> _T:
    """Return the value of a key. Raises TreeError if it has another type."""
    if not isinstance(value, wanted):
        raise TreeError(f"{draft.place}: the {key} must be {words}, not {_shown(value)}")
    return value


def _shown(value: Any) -> str:
    """Return a JSON value for a message."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    return shown(value) if isinstance(value, str) else json.dumps(value)
