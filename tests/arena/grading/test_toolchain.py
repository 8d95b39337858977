"""Languages of submissions."""

from pathlib import PurePosixPath

import pytest

from arena.grading.toolchain import File, Override, Unrecognised, built_program, recognise
from tests.support.cases import loop_over

JAVA = "class {} {{ public static void main(String[] args) {{}} }}"


def files(**texts: str) -> list[File]:
    """Return files; in their names, two underscores stand for a dot and three for a slash."""
    return [
        File(PurePosixPath(name.replace("___", "/").replace("__", ".")), text.encode())
        for name, text in texts.items()
    ]


def executable(name: str, start: bytes = b"\x7fELF") -> File:
    return File(PurePosixPath(name), start, is_executable=True)


def test_java() -> None:
    program = recognise(
        files(TakeStones__java=JAVA.format("TakeStones"), Game__java="class Game {}")
    )
    assert (program.language, program.command[0], program.command[-1]) == (
        "Java",
        "java",
        "TakeStones",
    )
    assert program.builds[0][-2:] == ("./TakeStones.java", "./Game.java")


def test_java_in_a_package() -> None:
    program = recognise(
        files(
            src___a___b___Player__java="/* package c; */ package a.b;\n" + JAVA.format("Player"),
            src___a___c___Game__java="package a.c; class Game {}",
            test___PlayerTest__java="package a.b; import org.junit.Test;",
        )
    )
    assert program.command[-3:] == ("-cp", "../build-of-the-grader:.", "a.b.Player")
    assert str(program.folder) == "src"
    assert [build[6:] for build in program.builds] == [
        ("./src/a/b/Player.java", "./src/a/c/Game.java", "./test/PlayerTest.java"),
        ("./src/a/b/Player.java",),
        ("-sourcepath", "src", "./src/a/b/Player.java"),
    ]


@loop_over(
    "comment, encoding",
    ("// Résumé".encode(), "UTF-8"),
    ("// Résumé".encode("cp1252"), "windows-1252"),
    ("// é".encode()[:-1], "UTF-8"),  # the beginning of a long file may end within a character
)
def test_the_encoding_of_java(comment: bytes, encoding: str) -> None:
    other = File(PurePosixPath("Game.java"), comment)
    [build, *_] = recognise([*files(TakeStones__java=JAVA.format("TakeStones")), other]).builds
    assert build[:4] == ("javac", "-nowarn", "-encoding", encoding)


def test_the_main_class_may_have_another_name_than_its_file_but_needs_none() -> None:
    program = recognise(files(Homework__java=JAVA.format("Main")))
    assert program.command[-1] == "Main"
    program = recognise(files(Main__java="void x; static void main(String[] a) {}"))
    assert program.command[-1] == "Main"


def test_the_shallowest_of_several_files_of_the_same_name_is_taken() -> None:
    text = JAVA.format("TakeStones")
    program = recognise(files(old___TakeStones__java=text, TakeStones__java=text))
    assert program.builds[1][6:] == ("./TakeStones.java",)


@loop_over(
    "name, text, command",
    ("take_stones__py", "print()", ("python3", "./take_stones.py")),
    ("any__py", "import sys\nsys.argv", ("python3", "./any.py")),
    ("any__js", "process.argv", ("node", "./any.js")),
    ("any__mjs", "", ("node", "./any.mjs")),
    ("any__c", "int main(void) {}", ("./build-of-the-grader/program",)),
    ("any__cpp", "int main() {}", ("./build-of-the-grader/program",)),
)
def test_other_languages(name: str, text: str, command: tuple[str, ...]) -> None:
    program = recognise(files(**{name: text}))
    assert program.command == command
    assert program.builds


def test_several_source_files_of_c() -> None:
    program = recognise(files(main__c="int main(void) {}", rules__c="", rules__h=""))
    assert program.builds[0][-3:] == ("./main.c", "./rules.c", "-lm")


def test_modules_beside_the_main_program_of_python() -> None:
    program = recognise(files(rules__py="", game__py="if __name__ == '__main__': pass"))
    assert program.command == ("python3", "./game.py")


def test_a_makefile_comes_first() -> None:
    program = recognise(
        files(game___Makefile="", game___TakeStones__java=JAVA.format("TakeStones"))
    )
    assert (program.language, program.command) == ("Makefile", ())
    assert program.builds == (("make", "-C", "game"),)


@loop_over("start", [b"\x7fELF", b"#!/bin/sh\n"])
def test_an_executable(start: bytes) -> None:
    program = recognise([executable("bin/game", start)])
    assert (str(program.folder), program.command) == ("bin", ("./game",))


MAKEFILE = recognise(files(code___Makefile=""))


@loop_over(
    "found, command",
    ([executable("code/stones"), *files(code___stones__c="")], ("./stones",)),
    (files(out___TakeStones__class=""), ("-cp", "../out", "TakeStones")),
    (files(code___main__py=""), ("python3", "./main.py")),
    (files(code___main__js=""), ("node", "./main.js")),
)
def test_programs_that_make_has_built(found: list[File], command: tuple[str, ...]) -> None:
    program = built_program(found, MAKEFILE)
    assert program.command[-len(command) :] == command
    assert str(program.folder) == "code"


def test_make_that_builds_nothing() -> None:
    with pytest.raises(Unrecognised, match=r"^make has built no program named TakeStones$"):
        built_program(files(main__c=""), MAKEFILE)


@loop_over(
    "found, error",
    ([], "no program found"),
    (files(notes__txt=""), "no program found: notes.txt"),
    (
        files(**{f"{n}__rs": "" for n in "abcdefg"}),
        "no program found: a.rs, b.rs, c.rs, d.rs, e.rs and 2 more",
    ),
    (files(Game__java="class Game {}"), "Java files, but none with a main program"),
    (files(a__py="", b__py=""), "Python files, but none with a main program"),
    (
        files(a__java=JAVA.format("a"), b__java=JAVA.format("b")),
        "several Java files with a main program: a.java, b.java",
    ),
    ([executable("a"), executable("b")], "several executable files with a main program: a, b"),
)
def test_no_program(found: list[File], error: str) -> None:
    with pytest.raises(Unrecognised) as raised:
        recognise(found)
    assert str(raised.value).partition(" (")[0] == error
    assert "hand in" in str(raised.value)


OTHER = JAVA.format("TakeStones") + "// other"
LINES = "\n// nodes visited, nodes evaluated, branching factor"
PYTHON = f"import sys\nsys.argv\n{LINES}"


@loop_over(
    "found",
    files(ada___TakeStones__java=JAVA.format("TakeStones"), bob___TakeStones__java=OTHER),
    files(ada___TakeStones__java=OTHER, bob___code___main__py="import sys; sys.argv"),
    files(hw___ada___Makefile="", hw___bob___main__c="int main(void) {}"),
    files(src___ada___TakeStones__java=OTHER, src___bob___A__java=JAVA.format("A")),
    files(ada__java=JAVA.format("ada"), bob__py="import sys; sys.argv"),
    files(TakeStones__java=OTHER, main__py="import sys; sys.argv"),
    files(TakeStones__java=OTHER, bob___bob__java=JAVA.format("bob")),
    files(main__py="import sys; sys.argv", bob___main__py="import sys; sys.argv #"),
    files(TakeStones__java=OTHER, src___TakeStones__java=JAVA.format("TakeStones")),
    files(ada___Makefile="", bob___Makefile=""),
    files(ada___TakeStones__java=OTHER, bob___TakeStones__java=OTHER),
    files(main__py=PYTHON, ada__py=PYTHON, bob__py=PYTHON),
    files(main__py=PYTHON, ada__py=PYTHON + "import main", board__py="# of ben"),
    files(Main__java=JAVA.format("Main"), Ada__java=JAVA.format("Ada") + LINES),
    files(main__c="int main() {}", ada__c="int main() {}" + LINES),
    files(index__js="process.argv", ada__js="process.argv" + LINES),
)
def test_several_students_never_are_one_program(found: list[File]) -> None:
    with pytest.raises(Unrecognised, match=r"several programs: .*\(hand in one of them; a teacher"):
        recognise(found)


@loop_over(
    "found, main",
    (files(a___TakeStones__java=OTHER, a__zip___TakeStones__java=OTHER), "a/TakeStones.java"),
    (files(code___A__java=OTHER, tests___T__java=JAVA.format("T")), "code/A.java"),
    (files(old___TakeStones__java=OTHER, src___TakeStones__java=JAVA), "src/TakeStones.java"),
    (files(TakeStones__java=OTHER, old___TakeStones__java=JAVA), "TakeStones.java"),
    (files(TakeStones__java=OTHER, plot__py="import sys; sys.argv"), "TakeStones.java"),
    (files(main__py="import sys; sys.argv", game___board__py="__name__ == 1"), "main.py"),
    (files(TakeStones__java=OTHER, Play__java=JAVA.format("Play")), "TakeStones.java"),
    (files(Makefile="", src___main__c="int main(void) {}"), "Makefile"),
    (files(main__py="import sys, player; sys.argv", player__py=PYTHON), "main.py"),
    (files(main__py="import sys, ui; sys.argv", ui__py="import bot", bot__py=PYTHON), "main.py"),
    (files(main__py=PYTHON, plot__py="import sys; sys.argv"), "main.py"),
    (files(main__py=PYTHON, tests___all__py=PYTHON), "main.py"),
    (files(TakeStones__java=JAVA, TakeStones1__java=JAVA + LINES), "TakeStones.java"),
    (files(a___b___A__java="package a.b;" + OTHER, a___c___T__java=f"package a.c; {JAVA}"), None),
)
def test_other_main_programs_of_one_student(found: list[File], main: str | None) -> None:
    if main:
        assert str(recognise(found).main) == main
    else:
        with pytest.raises(Unrecognised, match=r"^several Java files"):
            recognise(found)


BOTH = files(a__java=JAVA.format("a"), b__java=JAVA.format("b"), main__py="")


def test_a_program_in_another_language_is_found() -> None:
    assert recognise(BOTH).language == "Python"


@loop_over(
    "override, last, build",
    (Override(main="b.java"), "b", "javac"),
    (Override(language="Python"), "./main.py", "python3"),
    (Override(build=("make", "x")), "./main.py", "make"),
    (Override(run=("./x", "y")), "y", None),
    (Override(build=("make",), run=("./x",)), "./x", "make"),
)
def test_overrides(override: Override, last: str, build: str | None) -> None:
    program = recognise(BOTH, override)
    assert program.command[-1] == last
    assert (program.builds[0][0] if program.builds else None) == build


def test_an_override_of_a_missing_file() -> None:
    with pytest.raises(Unrecognised, match=r"^no Java file 'c.java'$"):
        recognise(BOTH, Override(language="Java", main="c.java"))


def test_the_main_file_may_replace_a_makefile() -> None:
    found = [*BOTH, *files(Makefile="")]
    assert recognise(found, Override(main="main.py")).language == "Python"
