"""Events: all belong to a node, but the end of a trace by its limit."""

from typing import get_args

from arena.teaching.events import Event, Stop


def test_every_event_but_one_has_a_node() -> None:
    assert [kind for kind in get_args(Event) if "node" not in kind._fields] == [Stop]
