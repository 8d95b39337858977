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


def test_a_smaller_limit_is_tried_where_one_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[int] = []

    def refuse(_: int, new: tuple[int, int]) -> None:
        tried.append(new[0])
        if new[0] > 20_000:
            raise ValueError("current limit exceeds maximum limit")

    monkeypatch.setattr(resource, "getrlimit", lambda _: (256, UNLIMITED))
    monkeypatch.setattr(resource, "setrlimit", refuse)
    allow_descriptors()
    assert tried == [65536, 32768, 16384]
    tried.clear()
    monkeypatch.setattr(resource, "getrlimit", lambda _: (20_001, UNLIMITED))
    allow_descriptors()
    assert tried == [65536, 32768]
