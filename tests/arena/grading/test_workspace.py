"""Private folder of a submission: its program is built and run."""

import errno
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.grading import workspace as module
from arena.grading.archive import InvalidSubmission
from arena.grading.records import CaseOutcome, CaseRun
from arena.grading.toolchain import Override
from arena.grading.workspace import BuildFailed, ToolMissing, Workspace, failure_of
from arena.sandbox.sandbox import Protection, Sandbox
from arena.sandbox.written_files import MAX_DEPTH, remove_folder
from tests.support.disks import full_disk
from tests.support.grading.grades import cases, output

UNPROTECTED = Sandbox(Protection.NONE, is_root=False)
SIX_LINES = output(tuple("123456"))
Fill = Callable[..., Workspace]


@pytest.fixture
def fill(tmp_path: Path) -> Fill:
    """Return a function that creates a workspace from the texts of files."""

    def create(texts: dict[str, str], seconds: float = 60.0) -> Workspace:
        source, folder = tmp_path / "source", tmp_path / "work"
        for path in (source, folder):
            path.mkdir()
        for name, text in texts.items():
            (source / name).write_text(text)
            (source / name).chmod(0o755)
        workspace = Workspace(folder, UNPROTECTED, seconds)
        workspace.fill({"": source})
        return workspace

    return create


def run_of(workspace: Workspace, override: Override | None = None) -> CaseRun:
    return workspace.run(workspace.build(override or Override()), cases()[0])


def script(text: str) -> dict[str, str]:
    return {"program": f"#!/bin/sh\n{text}\n"}


def test_an_answer(fill: Fill) -> None:
    run = run_of(fill({"main.py": f"import sys\nprint({SIX_LINES!r}, sys.argv[1:])"}))
    assert (run.case, run.outcome, run.detail) == (1, CaseOutcome.ANSWERED, "")
    assert run.output == f"{SIX_LINES} ['7', '3', '1', '4', '2', '3']\n"


def test_a_program_runs_in_a_copy_of_the_folder_of_its_main_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    source = tmp_path / "source" / "code"
    source.mkdir(parents=True)
    text = "import os\nopen('log', 'a').write('x')\nprint(open('log').read(), os.environ['LC_ALL'])"
    (source / "main.py").write_text(text)
    (source / "log").write_text("log")
    (tmp_path / "work").mkdir()
    workspace = Workspace(tmp_path / "work", UNPROTECTED, 60.0)
    workspace.fill({"": source.parent})
    built = workspace.build(Override())
    assert [workspace.run(built, case).output for case in cases()[:2]] == ["logx C.UTF-8\n"] * 2


@pytest.mark.needs("JDK")
@pytest.mark.slow
def test_a_java_program_finds_its_files_and_shows_its_own_line(tmp_path: Path) -> None:
    text = """package a;
    public class Main { public static void main(String[] args) throws Exception {
        System.out.printf("%.1f %b%n", 1.0, Main.class.getResource("/x.txt") != null);
        new java.io.FileWriter("log").close();
        java.nio.file.Files.readAllLines(java.nio.file.Path.of("x.txt"));
        new java.util.Scanner(System.in).nextInt(); } }"""
    folder = tmp_path / "source" / "src"
    (folder / "a").mkdir(parents=True)
    (folder / "a" / "Main-1.java").write_text(text, encoding="utf-16")
    (folder / "x.txt").write_text("x")
    (tmp_path / "work").mkdir()
    workspace = Workspace(tmp_path / "work", UNPROTECTED, 60.0)
    workspace.fill({"": folder.parent})
    run = run_of(workspace)
    assert run.output == "1.0 true\n"
    crash = "java.util.NoSuchElementException in java.util.Scanner at Main.java:6"
    assert run.detail.endswith(f": {crash}")


def test_an_answer_counts_whatever_the_status(fill: Fill) -> None:
    run = run_of(fill(script(f"printf '{SIX_LINES}'; exit 3")))
    assert run.outcome is CaseOutcome.ANSWERED


@pytest.mark.parametrize(
    ("text", "outcome", "detail"),
    [
        ("exit 3", CaseOutcome.CRASH, "the program ended with status 3"),
        ("echo a >&2; echo b >&2; exit 3", CaseOutcome.CRASH, "the program ended with status 3: b"),
        ("kill -SEGV $$", CaseOutcome.CRASH, "the program ended with SIGSEGV"),
        ("true", CaseOutcome.FORMAT, "the program printed nothing"),
        ("echo Move: 3", CaseOutcome.FORMAT, "no line 'Value:'"),
        (
            "while :; do echo 123456789; done",
            CaseOutcome.LIMIT,
            "the program wrote more than 65536",
        ),
    ],
)
def test_bad_ends(fill: Fill, text: str, outcome: CaseOutcome, detail: str) -> None:
    run = run_of(fill(script(text)))
    assert run.outcome is outcome
    assert run.detail.startswith(detail)


def test_a_program_that_hangs(fill: Fill) -> None:
    run = run_of(fill(script(f"printf '{SIX_LINES}'; read line < /dev/zero"), seconds=0.1))
    assert (run.outcome, run.detail) == (CaseOutcome.TIMEOUT, "the program took more than 0.1 s")


def test_an_output_is_shortened(fill: Fill) -> None:
    assert len(run_of(fill({"main.py": "print('x' * 10_000)"})).output) == 4096


def test_a_makefile(fill: Fill) -> None:
    makefile = "all:\n\tcp source TakeStones\n\trm Makefile\n"
    run = run_of(fill({"Makefile": makefile, "source": "#!/bin/sh\necho Move: 1\n"}))
    assert run.output == "Move: 1\n"


@pytest.mark.parametrize(
    ("texts", "language", "reason", "log"),
    [
        ({"main.py": "print("}, "Python", "the build failed: SyntaxError: ", "main.py"),
        (
            {"Makefile": "all:\n\t@kill $$$$\n"},
            "Makefile",
            "the build ended with status 2: make",
            "make",
        ),
        (
            {"Makefile": "all:\n\t@printf '\\033[2Jdone'\n"},
            "Makefile",
            "make has built no program",
            r"\x1b[2Jdone",
        ),
    ],
)
def test_a_build_that_fails(
    fill: Fill, texts: dict[str, str], language: str, reason: str, log: str
) -> None:
    with pytest.raises(BuildFailed) as raised:
        fill(texts).build(Override())
    assert raised.value.language == language
    assert str(raised.value).startswith(reason)
    assert log in raised.value.log


def test_a_command_that_does_not_exist(fill: Fill) -> None:
    with pytest.raises(BuildFailed, match="nonexistent: No such file or directory"):
        fill({"main.py": ""}).build(Override(build=("./nonexistent",)))


@pytest.mark.parametrize(
    ("override", "reason"),
    [
        (Override(build=("rustc",)), "rustc is not installed (apt-get install rustc)"),
        (Override(), "node is not installed (apt-get install nodejs)"),
    ],
)
def test_a_tool_that_is_not_installed(
    fill: Fill, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, override: Override, reason: str
) -> None:
    workspace = fill({"main.js": "process.argv"})
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ToolMissing, match=f"^{re.escape(reason)}$") as raised:
        workspace.build(override)
    assert raised.value.language == "JavaScript"


def test_an_archive_that_cannot_be_unpacked_on_this_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ada.7z").touch()
    (tmp_path / "work").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ToolMissing, match=r"^no program for .7z files is installed"):
        Workspace(tmp_path / "work", UNPROTECTED, 1.0).fill({"": tmp_path / "ada.7z"})


def test_an_error_of_this_machine_is_none_of_the_submission() -> None:
    with pytest.raises(OSError, match="No space left"):
        failure_of(OSError(errno.ENOSPC, "No space left on device"))


def test_a_full_disk_is_not_a_failure_of_a_run(fill: Fill) -> None:
    workspace = fill({"main.py": "#" * 5000})
    built = workspace.build(Override())
    with full_disk(1000), pytest.raises(OSError, match="File too large"):
        workspace.run(built, cases()[0])


def test_a_build_that_writes_too_much(fill: Fill, tmp_path: Path) -> None:
    workspace = fill({"main.py": ""})
    make = "mkdir -p " + "d/" * (MAX_DEPTH + 2)
    with pytest.raises(BuildFailed, match=r"^the build made more than 64 folders in each other$"):
        workspace.build(Override(build=("sh", "-c", make)))
    remove_folder(tmp_path / "work")


def test_a_full_disk_is_not_the_fault_of_a_submission(
    fill: Fill, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    workspace = fill({"main.py": "print("})
    monkeypatch.setattr(module, "MIN_FREE", 2**63)
    with pytest.raises(OSError, match="No space left on device"):
        workspace.build(Override())
    (tmp_path / "large.py").write_bytes(b"#" * 5000)
    with full_disk(1000), pytest.raises(OSError, match="File too large"):
        workspace.fill({"": tmp_path / "large.py"})


def test_what_a_build_makes_unreadable_is_no_program(fill: Fill) -> None:
    makefile = "TakeStones:\n\tprintf '#!/bin/sh\\n' > main.sh; chmod 755 main.sh\n"
    makefile += "\tln -s main.sh TakeStones; mkfifo pipe; touch a.py; chmod 0 a.py\n"
    workspace = fill({"Makefile": makefile})
    assert workspace.build(Override()).command == ("./main.sh",)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InvalidSubmission, match=r"^cannot be read: No such file or directory$"):
        Workspace(tmp_path, UNPROTECTED, 1.0).fill({"": tmp_path / "missing.py"})


def test_a_command_of_the_teacher(fill: Fill) -> None:
    workspace = fill({"data": ""})
    assert run_of(workspace, Override(run=("echo",))).output == "7 3 1 4 2 3\n"


def test_a_digest_depends_on_files_and_settings(fill: Fill, tmp_path: Path) -> None:
    workspace = fill({"main.py": ""})
    before = workspace.digest(Override())
    assert workspace.digest(Override()) == before
    assert workspace.digest(Override(language="Python")) != before
    (tmp_path / "work" / "main.py").write_text("pass")
    assert workspace.digest(Override()) != before


def test_links_that_a_build_creates_are_not_followed(fill: Fill) -> None:
    makefile = "all:\n\tln -s /etc/passwd main.py\n\tln -s . folder\n"
    with pytest.raises(BuildFailed, match="make has built no program"):
        fill({"Makefile": makefile}).build(Override())
