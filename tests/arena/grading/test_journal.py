"""Journal of a grading."""

from pathlib import Path

import msgspec
import pytest
from msgspec import structs

from arena.grading.journal import Header, Journal, JournalMismatch
from arena.grading.records import CaseOutcome, CaseRun, SubmissionRecord
from tests.support.disks import full_disk

HEADER = Header(1, (("3", "0", "0"),), 10.0, "isolated")
RUN = CaseRun(1, CaseOutcome.ANSWERED, "", "Move: 1\n", 0.1)
RECORD = SubmissionRecord("ada", "d1", "Java", runs=(RUN,))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path of a journal with one record."""
    path = tmp_path / "journal.jsonl"
    journal = Journal(path, HEADER)
    assert journal.find("ada", "d1") is None
    journal.add(RECORD)
    journal.close()
    return path


def reopened(path: Path, header: Header = HEADER) -> Journal:
    journal = Journal(path, header)
    journal.close()
    return journal


def test_a_finished_submission_is_found_again(path: Path) -> None:
    assert reopened(path).find("ada", "d1") == RECORD


def test_no_output_controls_a_terminal(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.jsonl", HEADER)
    run = structs.replace(RUN, output="\x1b[2J\x9b2J\u202e")
    record = structs.replace(RECORD, runs=(run,))
    journal.add(record)
    journal.close()
    assert reopened(tmp_path / "journal.jsonl").find("ada", "d1") == record
    text = (tmp_path / "journal.jsonl").read_text()
    assert all(line.isascii() and line.isprintable() for line in text.splitlines())


def test_a_changed_submission_is_not_found(path: Path) -> None:
    assert reopened(path).find("ada", "d2") is None


def test_a_line_that_was_cut_off_is_written_again(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[:-5])
    journal = Journal(path, HEADER)
    assert journal.find("ada", "d1") is None
    journal.add(RECORD)
    journal.close()
    assert path.read_bytes() == content


def test_a_full_disk_leaves_whole_lines(path: Path) -> None:
    content = path.read_bytes()
    journal = Journal(path, HEADER)
    with full_disk(len(content) + 5), pytest.raises(OSError, match="File too large") as raised:
        journal.add(RECORD)
    assert raised.value.filename == str(path)
    assert path.read_bytes() == content
    journal.add(RECORD)
    journal.close()
    assert path.read_bytes() == content + content.splitlines(keepends=True)[1]


def test_a_header_that_was_cut_off_is_written_again(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:10])
    reopened(path)
    assert reopened(path).find("ada", "d1") is None


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"seed": 2}, "--seed: stored 1, given 2"),
        ({"seconds": 5.0}, "--timeout: stored 10.0, given 5.0"),
        ({"sandbox": "none"}, "protection by --sandbox: stored isolated, given none"),
        ({"version": 2}, "version: stored 1, given 2"),
        ({"cases": ()}, "cases: others are stored (--cases, --hardest or the engine differ)"),
    ],
)
def test_another_grading_is_refused(path: Path, changes: dict[str, object], error: str) -> None:
    other = msgspec.structs.replace(HEADER, **changes)
    with pytest.raises(JournalMismatch) as raised:
        Journal(path, other)
    assert str(raised.value) == f"{path} belongs to another grading; {error}"


@pytest.mark.parametrize("damage", [b"{}\n", b"x\n", b"\xff\n"])
@pytest.mark.parametrize("line", [1, 2])
def test_a_damaged_journal_is_refused(path: Path, damage: bytes, line: int) -> None:
    content = b"".join([*path.read_bytes().splitlines(keepends=True)[: line - 1], damage])
    path.write_bytes(content)
    advice = r"\(remove the file to run all submissions again\)$"
    with pytest.raises(JournalMismatch, match=f"{path} is damaged in line {line}: .* {advice}"):
        Journal(path, HEADER)
    assert path.read_bytes() == content
    path.unlink()
    reopened(path)


def test_two_gradings_do_not_write_to_one_journal(path: Path) -> None:
    content = path.read_bytes()
    journal = Journal(path, HEADER)
    with pytest.raises(JournalMismatch, match=f"^another arena grade is writing to {path.parent}$"):
        Journal(path, HEADER)
    journal.close()
    reopened(path)
    assert (path.read_bytes(), [*path.parent.iterdir()]) == (content, [path])
