"""`arena completion`: the scripts, run by the shells that this machine has."""

import shutil
import subprocess
from pathlib import Path

from arena.cli.commands.completion import SHELLS
from tests.support.cases import loop_over
from tests.support.servers.arena_command import Run

# Completes the last of its arguments, as bash does at Tab, and prints the candidates.
COMPLETE = """
source "$1"
shift
function_name=$(complete -p arena | sed 's/.*-F \\([^ ]*\\).*/\\1/')
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
"$function_name" arena "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""


@loop_over("shell", SHELLS)
def test_each_shell_accepts_its_script(shell: str, arena: Run, tmp_path: Path) -> None:
    end = arena("completion", shell)
    assert (end.status, end.err) == (0, "")
    assert "check-game" in end.out
    script = tmp_path / "script"
    script.write_text(end.out)
    if program := shutil.which(shell):
        subprocess.run([program, "-n", script], check=True)


@loop_over(
    "words, candidates",
    ("check", {"check", "check-game"}),
    ("tournament --form", {"--format"}),
    ("tournament --format ", {"round-robin", "gauntlet", "swiss", "knockout", "grid"}),
    ("tournament --bots random st", {"strong"}),
    ("serve --offer spec:1", {"spec:1"}),
    ("tournament --game ", {"take_stones", "isolation"}),
    ("check-game i", {"isolation"}),
    ("token ", {"add", "list", "revoke"}),
    ("standings one", {"one.db"}),
    ("tournament --db one", {"one.db"}),
    ("report one.db --output one", {"one.db"}),
    ("tournament --bot-files o", {"others"}),
    ("completion b", {"bash"}),
)
def test_bash_completes(words: str, candidates: set[str], arena: Run, tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text(arena("completion", "bash").out)
    (tmp_path / "one.db").touch()
    (tmp_path / "others").mkdir()
    command = ["bash", "-c", COMPLETE, "bash", str(script), "arena", *words.split(" ")]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert {*ended.stdout.splitlines()} == candidates


def test_an_unknown_shell_is_refused(arena: Run) -> None:
    end = arena("completion", "cmd.exe")
    assert (end.status, end.out) == (2, "")
    assert "invalid choice: 'cmd.exe' (choose from" in end.err
