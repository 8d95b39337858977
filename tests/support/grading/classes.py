"""Small submissions for a tournament of a class."""

from pathlib import Path

from arena.grading.builds import Build

# Plays the smallest legal move, without a search. A shell starts faster than an interpreter.
PROGRAM = r"""#!/bin/sh
stones=$1 taken=" " last=0 move=1
shift 2
while [ $# -gt 1 ]; do taken="$taken$1 " last=$1; shift; done
is_legal() {
    case $taken in *" $move "*) return 1 ;; esac
    if [ $last = 0 ]; then [ $((move % 2)) = 1 ] && [ $((2 * move)) -lt $stones ]
    else [ $((move % last)) = 0 ] || [ $((last % move)) = 0 ]; fi
}
until is_legal; do move=$((move + 1)); done
printf "Move: $move\nValue: 0.5\nNumber of Nodes Visited: 3\nNumber of Nodes Evaluated: 1\n"
printf "Max Depth Reached: 0\nAvg Effective Branching Factor: 1.0\n"
"""
FAILING = "#!/bin/sh\nexit 3\n"


def write_submission(folder: Path, name: str, text: str = PROGRAM) -> Path:
    """Write a submission, a script, into a folder of submissions, which is returned."""
    path = folder / name
    path.mkdir(parents=True, exist_ok=True)
    (path / "main").write_text(text)
    (path / "main").chmod(0o755)
    return folder


def write_class(folder: Path, *names: str) -> Path:
    """Write submissions that play, and return their folder."""
    for name in names:
        write_submission(folder, name)
    return folder


def program(folder: Path, text: str) -> Build:
    """Return a build that is a shell script."""
    (folder / "main").write_text(f"#!/bin/sh\n{text}\n")
    (folder / "main").chmod(0o755)
    return Build("ada", folder, ("./main",), "")
