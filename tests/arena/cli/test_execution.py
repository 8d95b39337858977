"""Tests for the execution of commands."""

import resource

import pytest

from arena.cli.execution import allow_descriptors
from tests.support.cases import loop_over

UNLIMITED = resource.RLIM_INFINITY


@loop_over(
    "limits, wanted",
    (
        ((1024, 4096), [(4096, 4096)]),
        ((4096, 4096), []),
        ((1024, 524288), [(65536, 524288)]),
        ((65535, UNLIMITED), [(65536, UNLIMITED)]),
        ((100_000, 524288), []),
        ((UNLIMITED, UNLIMITED), []),
    ),
)
def test_as_many_files_may_be_open_as_the_system_allows(
    monkeypatch: pytest.MonkeyPatch, limits: tuple[int, int], wanted: list[tuple[int, int]]
) -> None:
    changes: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: limits)
    monkeypatch.setattr(resource, "setrlimit", lambda _, new: changes.append(new))
    allow_descriptors()
    assert changes == wanted
    monkeypatch.setattr(resource, "setrlimit", _refuse)
    allow_descriptors()


def _refuse(*_: object) -> None:
    raise ValueError("not allowed")
