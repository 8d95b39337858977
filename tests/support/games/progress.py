"""Progress reports of searches."""

from collections.abc import Callable

import pytest

from core.search import Progress


class _Enough(Exception):
    """As many reports have come as are wanted."""


def first_reports(search: Callable[[Callable[[Progress], None]], object]) -> list[Progress]:
    """Return the first three progress reports of a search, which the third one ends.

    Args:
        search: Starts the search with a function that receives its reports.
    """
    reports: list[Progress] = []

    def report(progress: Progress) -> None:
        reports.append(progress)
        if len(reports) == 3:
            raise _Enough

    with pytest.raises(_Enough):
        search(report)
    return reports
