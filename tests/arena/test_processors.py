"""Processors of this machine."""

from pathlib import Path

import pytest

from arena import processors as module
from arena.processors import processors_apart, usable_processors


@pytest.fixture
def groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put this process into the control group /a/b, on a machine with 8 processors."""
    own = tmp_path / "cgroup"
    own.write_text("4:memory:/x\n0::/a/b\n")
    folder = tmp_path / "groups"
    (folder / "a" / "b").mkdir(parents=True)
    monkeypatch.setattr(module, "OWN_GROUP", own)
    monkeypatch.setattr(module, "GROUPS", folder)
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {*range(8)}, raising=False)
    return folder


def test_processors_are_counted(monkeypatch: pytest.MonkeyPatch, groups: Path) -> None:
    assert groups
    assert usable_processors() == 8
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {3, 5}, raising=False)
    assert usable_processors() == 2
    monkeypatch.delattr("os.sched_getaffinity")
    monkeypatch.setattr("os.cpu_count", lambda: None)
    assert usable_processors() == 1


def test_this_machine_has_a_processor() -> None:
    assert usable_processors() >= 1


@pytest.mark.parametrize(
    ("limits", "usable"),
    [
        ({"a/b": "max 100000"}, 8),
        ({"a/b": "300000 100000"}, 3),
        ({"a/b": "150000 100000"}, 2),
        ({"a/b": "1000 100000"}, 1),
        ({"a": "200000 100000", "a/b": "300000 100000"}, 2),
        ({"": "400000 100000"}, 4),
    ],
)
def test_control_groups_limit_the_processors(
    groups: Path, limits: dict[str, str], usable: int
) -> None:
    for group, text in limits.items():
        (groups / group / "cpu.max").write_text(f"{text}\n")
    assert usable_processors() == usable


def test_without_control_groups_there_is_no_limit(
    groups: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "OWN_GROUP", groups / "absent")
    assert usable_processors() == 8


def test_processors_of_different_cores_come_first(
    groups: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "TOPOLOGY", str(groups / "cpu{}"))
    for number in range(4):
        (groups / f"cpu{number}").write_text(f"{number % 2},{number % 2 + 2}\n")
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 1, 2, 3, 7}, raising=False)
    assert processors_apart() == [0, 1, 7, 2, 3]
