"""Problems: parts of an arena that do not work at the moment."""

from collections.abc import Callable

from arena.model.observer import Observer

Report = Callable[[str], None]
"""Receives why a part does not work, whenever that is noticed; "" once it works."""


def no_report(cause: str) -> None:
    """Drop a report."""


class Problems:
    """Parts of an arena that do not work at the moment."""

    def __init__(self, observer: Observer, notify: Callable[[str], object]) -> None:
        """Start without problems.

        Args:
            observer: Is told about each change.
            notify: Receives a line for the operator about each change.
        """
        self._observer = observer
        self._notify = notify
        self._causes: dict[str, str] = {}  # by part

    def report(self, part: str, cause: str) -> None:
        """Note that a part does not work, and why; or that it works, without a cause."""
        if cause == self._causes.get(part, ""):
            return
        if cause:
            self._causes[part] = cause
            self._notify(f"degraded, {part}: {cause}")
            self._observer.degraded(part, cause)
        else:
            del self._causes[part]
            self._notify(f"recovered: {part}")
            self._observer.recovered(part)
