"""Languages of submissions: which program the files are, how it is built and started. Pure."""

import codecs
import posixpath
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from arena.grading.exports import ARCHIVES

MAIN = "takestones"
ASSIGNED = (MAIN, "take_stones")  # names that leave no doubt
MAIN_NAMES = (*ASSIGNED, "main", "__main__", "index", "player", "game", "solution")
JAVA_MAIN = re.compile(r"\bstatic\s+(?:final\s+)?(?:public\s+)?void\s+main\s*\(")
JAVA_PACKAGE = re.compile(r"^\s*package\s+([\w.]+)\s*;", re.MULTILINE)
JAVA_CLASS = re.compile(r"\b(?:class|enum|record|interface)\s+(\w+)")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
PYTHON_MAIN = re.compile(r"__name__\s*==|\bsys\.argv\b")
C_MAIN = re.compile(r"\bmain\s*\(")
JAVASCRIPT_MAIN = re.compile(r"\bprocess\.argv\b")
LINE_WORDS = ("visited", "evaluated", "branching")  # of the lines that a program prints
SCRIPTS = (".py", ".js", ".mjs", ".cjs")
MAINS = {  # of main programs, by the suffix of a file
    ".java": JAVA_MAIN,
    ".py": PYTHON_MAIN,
    **dict.fromkeys((".c", ".cpp", ".cc", ".cxx"), C_MAIN),
    **dict.fromkeys(SCRIPTS[1:], JAVASCRIPT_MAIN),
}
SOURCE_FOLDERS = {"src", "app"}
EXTRA_FOLDERS = {  # of main programs that are not the one to be graded
    *("backup", "example", "examples", "lib", "old", "original", "provided", "scripts", "skeleton"),
    *("starter", "test", "testcases", "tests", "tools"),
}
MAKEFILES = ("Makefile", "makefile", "GNUmakefile")
EXECUTABLE_STARTS = (b"\x7fELF", b"#!")
# A Java machine would take a quarter of the computer's memory before it frees any.
JAVA_OPTIONS = ("-Xmx512m", "-Xss16m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
OUT = "build-of-the-grader"
MAX_NAMED = 5  # files in a reason
NO_PROGRAM = "hand in sources with a main program, such as TakeStones.java"
ONE_PROGRAM = (
    "hand in one of them; a teacher can set main in grade.toml, or give each student a folder"
)

ROOT = PurePosixPath()

Command = tuple[str, ...]


class Unrecognised(Exception):
    """Files that are no program; the text is the reason in one line."""


@dataclass(frozen=True)
class File:
    """File of a submission.

    Attributes:
        path: Its path in the submission.
        start: Its first bytes.
        is_executable: Whether it may be executed.
    """

    path: PurePosixPath
    start: bytes
    is_executable: bool = False

    @property
    def text(self) -> str:
        """Its beginning as text."""
        return self.start.decode(errors="replace")

    @property
    def code(self) -> str:
        """Its beginning, without comments if its language has C's."""
        has_comments = self.path.suffix.lower() in (".java", ".c", ".cpp", ".cc", ".cxx")
        return COMMENT.sub(" ", self.text) if has_comments else self.text

    @property
    def is_utf8(self) -> bool:
        """Whether its beginning is text in UTF-8."""
        try:
            codecs.getincrementaldecoder("utf-8")().decode(self.start)
        except UnicodeDecodeError:
            return False
        return True

    @property
    def stem(self) -> str:
        """Its name without the suffix, in lower case."""
        return self.path.stem.lower()


@dataclass(frozen=True)
class Program:
    """Program of a submission.

    Attributes:
        language: Its language, for people.
        main: The path of its main file; of a Makefile, this is the Makefile.
        command: The words that start it in `folder`, before the arguments; empty if only the build
            shows it.
        builds: Commands in the submission's folder that build it: the first that succeeds counts;
            empty if nothing must be built.
        folder: The folder that it runs in, relative to the submission: the folder of its main file,
            or the one that its packages start in.
    """

    language: str
    main: PurePosixPath
    command: Command
    builds: tuple[Command, ...] = ()
    folder: PurePosixPath = ROOT


@dataclass(frozen=True)
class Override:
    """Settings of a submission that replace recognised values; None leaves a value.

    Attributes:
        language: The only language to look for.
        main: The path of the main file.
        build: The command that builds the program.
        run: The command that starts it.
    """

    language: str | None = None
    main: str | None = None
    build: Command | None = None
    run: Command | None = None


def recognise(files: Sequence[File], override: Override | None = None) -> Program:
    """Return the program that the files of a submission are.

    Raises:
        Unrecognised: No program was found, or several that could be meant.
    """
    override = override or Override()
    replaced: tuple[Command, ...] = (override.build,) if override.build else ()
    if override.run:
        main = PurePosixPath(override.main or override.run[0])
        return Program(override.language or "custom", main, override.run, replaced)
    mains = [] if override.main or override.language else main_files(files)
    reasons = []
    for language in [override.language] if override.language else RECOGNISERS:
        try:
            program = RECOGNISERS[language](files, override.main)
            if program:
                _check_alone(program, mains, files)
                return replace(program, builds=replaced or program.builds)
        except Unrecognised as error:
            reasons.append(str(error))
    none = f"no program found{_listed(files)} ({NO_PROGRAM})"
    raise Unrecognised(reasons[0] if reasons else none)


def main_files(files: Iterable[File]) -> list[File]:
    """Return the Makefiles and the sources with a main program."""
    return [
        file
        for file in files
        if file.path.name in MAKEFILES
        or ((pattern := MAINS.get(file.path.suffix.lower())) and pattern.search(file.code))
    ]


def _check_alone(program: Program, mains: Sequence[File], files: Sequence[File]) -> None:
    """Raise Unrecognised if other main programs may be other students'.

    One of them would get the marks of all. In the folder of the program, main programs in other
    languages count, unless it alone has a usual name, and those in its language that print the
    lines of the assignment and that no other source names, unless it has the assigned name. In
    folders of other programs all count, but not scripts without a usual name below, which may be
    modules.
    """
    own = next((file for file in mains if file.path == program.main), None)
    if not own:
        return
    rivals = _rivals(own, mains, files)
    others = [file for file in mains if file in rivals or _is_other(file, own)]
    if others:
        raise Unrecognised(f"several programs{_listed([own, *others])} ({ONE_PROGRAM})")


def _is_other(file: File, own: File) -> bool:
    """Return whether a main program may be the one of another student."""
    is_below = _root(file).is_relative_to(_root(own))
    is_same_language = _has_suffix_of(own, file)
    is_copy = file.start == own.start and (is_below or _is_packed(file) or _is_packed(own))
    if file is own or is_copy or EXTRA_FOLDERS & {*file.path.parts}:
        return False
    if own.path.name in MAKEFILES:
        return not is_below
    if _root(file) == _root(own):
        return not is_same_language and (_is_usual(file) or not _is_usual(own))
    is_module = file.path.suffix.lower() in SCRIPTS and is_same_language and not _is_usual(file)
    return not (is_below and is_module)


def _rivals(own: File, mains: Iterable[File], files: Iterable[File]) -> Collection[File]:
    """Return the main programs beside another one in its language that are complete without it."""
    if own.stem in ASSIGNED:
        return ()
    sources = [file for file in files if _has_suffix_of(own, file)]
    printing = [file for file in sources if file is not own and _prints_lines(file)]
    used = "\n".join(file.code for file in sources if file not in printing)
    return [
        file
        for file in mains
        if file in printing
        and _root(file) == _root(own)
        and not EXTRA_FOLDERS & {*file.path.parts}
        and not re.search(rf"\b{re.escape(file.path.stem)}\b", used)
    ]


def _has_suffix_of(one: File, two: File) -> bool:
    return one.path.suffix.lower() == two.path.suffix.lower()


def _prints_lines(file: File) -> bool:
    text = file.text.casefold()
    return all(word in text for word in LINE_WORDS)


def _is_packed(file: File) -> bool:
    """Return whether a file was in an archive beside other files: its folder has that name."""
    return any(part.lower().endswith(ARCHIVES) for part in file.path.parts)


def _is_usual(file: File) -> bool:
    return file.stem in MAIN_NAMES or file.path.name in MAKEFILES


def built_program(files: Sequence[File], makefile: Program) -> Program:
    """Return the program that a Makefile has built, which runs in the folder of the Makefile.

    Raises:
        Unrecognised: No program was found, or several that could be meant.
    """
    classes = [file for file in files if file.path.suffix == ".class" and file.stem == MAIN]
    if classes:
        path = _shallowest(classes).path
        place = posixpath.relpath(path.parent, makefile.folder)
        return replace(makefile, command=("java", *JAVA_OPTIONS, "-cp", place, path.stem))
    found = next(
        (
            found
            for language in ("executable", "Python", "JavaScript")
            if (found := RECOGNISERS[language](files, None))
        ),
        None,
    )
    if not found:
        raise Unrecognised("make has built no program named TakeStones")
    inner = posixpath.relpath(found.main, makefile.folder)
    return replace(makefile, command=(*found.command[:-1], f"./{inner}"))


def _makefile(files: Sequence[File], main: str | None) -> Program | None:
    found = [file for file in files if file.path.name in MAKEFILES]
    if not found or main:
        return None
    path = _shallowest(found).path
    make = ("make", "-C", str(path.parent))
    return Program("Makefile", path, (), (make,), path.parent)


def _java(files: Sequence[File], main: str | None) -> Program | None:
    sources = _with_suffix(files, ".java")
    if not sources:
        return None
    file = _main_file(sources, main_files(sources), main, "Java")
    package = JAVA_PACKAGE.search(file.code)
    names = JAVA_CLASS.findall(file.code)
    name = file.path.stem if file.path.stem in names or not names else names[0]
    full_name = f"{package[1]}.{name}" if package else name
    beside = [source for source in sources if source.path.parent == file.path.parent]
    # Editors on Windows save comments in Windows-1252, which javac would refuse as UTF-8.
    encoding = "UTF-8" if all(source.is_utf8 for source in sources) else "windows-1252"
    javac = ("javac", "-nowarn", "-encoding", encoding, "-d", OUT)
    builds = (
        (*javac, *(_argument(source) for source in sources)),
        (*javac, *(_argument(source) for source in beside)),
        (*javac, "-sourcepath", str(_root(file)), _argument(file)),
    )
    # With its own folder, where a program may look for resources.
    class_path = f"{posixpath.relpath(OUT, _root(file))}:."
    command = ("java", *JAVA_OPTIONS, "-cp", class_path, full_name)
    return Program("Java", file.path, command, builds, _root(file))


def _root(file: File) -> PurePosixPath:
    """Return the folder of a file, or the one that its packages in Java start in."""
    package = JAVA_PACKAGE.search(file.code) if file.path.suffix.lower() == ".java" else None
    depth = len(package[1].split(".")) if package else 0
    return file.path.parents[min(depth, len(file.path.parents) - 1)]


def _python(files: Sequence[File], main: str | None) -> Program | None:
    sources = _with_suffix(files, ".py")
    if not sources:
        return None
    file = _main_file(sources, main_files(sources), main, "Python")
    return _script("Python", file, ("python3",), ("python3", "-m", "py_compile"))


def _script(language: str, file: File, command: Command, check: Command) -> Program:
    """Return a program that is not compiled, but checked."""
    path, builds = file.path, ((*check, _argument(file)),)
    return Program(language, path, (*command, f"./{path.name}"), builds, path.parent)


def _c(files: Sequence[File], main: str | None) -> Program | None:
    return _compiled(files, main, "C", (".c",), ("cc", "-O2", "-std=gnu11"))


def _cpp(files: Sequence[File], main: str | None) -> Program | None:
    suffixes = (".cpp", ".cc", ".cxx")
    return _compiled(files, main, "C++", suffixes, ("c++", "-O2", "-std=c++17"))


def _compiled(
    files: Sequence[File],
    main: str | None,
    language: str,
    suffixes: tuple[str, ...],
    compiler: Command,
) -> Program | None:
    sources = _with_suffix(files, *suffixes)
    if not sources:
        return None
    file = _main_file(sources, main_files(sources), main, language)
    words = (*compiler, "-o", f"{OUT}/program")
    alternatives = (
        (*words, *(_argument(source) for source in sources), "-lm"),
        (*words, _argument(file), "-lm"),
    )
    program = posixpath.relpath(f"{OUT}/program", file.path.parent)
    return Program(language, file.path, (f"./{program}",), alternatives, file.path.parent)


def _javascript(files: Sequence[File], main: str | None) -> Program | None:
    sources = _with_suffix(files, ".js", ".mjs", ".cjs")
    if not sources:
        return None
    file = _main_file(sources, main_files(sources), main, "JavaScript")
    return _script("JavaScript", file, ("node",), ("node", "--check"))


def _executable(files: Sequence[File], main: str | None) -> Program | None:
    found = [
        file for file in files if file.is_executable and file.start.startswith(EXECUTABLE_STARTS)
    ]
    if not found:
        return None
    path = _main_file(found, found, main, "executable").path
    return Program("executable", path, (f"./{path.name}",), folder=path.parent)


Recogniser = Callable[[Sequence[File], str | None], Program | None]
RECOGNISERS: dict[str, Recogniser] = {
    "Makefile": _makefile,
    "Java": _java,
    "Python": _python,
    "C": _c,
    "C++": _cpp,
    "JavaScript": _javascript,
    "executable": _executable,
}


def _with_suffix(files: Iterable[File], *suffixes: str) -> list[File]:
    return [file for file in files if file.path.suffix.lower() in suffixes]


def _argument(file: File) -> str:
    """Return the path as an argument, which never looks like a flag or a list of files."""
    return f"./{file.path}"


def _main_file(
    sources: Sequence[File], mains: Sequence[File], main: str | None, language: str
) -> File:
    """Return the main file: the one that is set, that has a usual name, or the only one."""
    if main:
        chosen = [file for file in sources if str(file.path) == main]
        if not chosen:
            raise Unrecognised(f"no {language} file {main!r}")
        return chosen[0]
    if not mains:
        if len(sources) == 1 and language != "Java":
            return sources[0]
        raise Unrecognised(f"{language} files, but none with a main program ({NO_PROGRAM})")
    mains = [file for file in mains if not EXTRA_FOLDERS & {*file.path.parts}] or mains
    for name in MAIN_NAMES:
        named = [file for file in mains if file.stem == name]
        if named:
            return _shallowest(named)
    if len(mains) > 1:
        several = f"several {language} files with a main program{_listed(mains)}"
        raise Unrecognised(f"{several} ({ONE_PROGRAM})")
    return mains[0]


def _listed(files: Sequence[File]) -> str:
    """Return the paths of the first files, as the end of a reason."""
    paths = ", ".join(str(file.path) for file in files[:MAX_NAMED])
    more = len(files) - MAX_NAMED
    return (f": {paths}" if paths else "") + (f" and {more} more" if more > 0 else "")


def _shallowest(files: Iterable[File]) -> File:
    """Return the file in the fewest folders; one in a folder of sources comes first."""
    is_source = {file: bool(SOURCE_FOLDERS & {*file.path.parts}) for file in files}
    return min(files, key=lambda file: (not is_source[file], len(file.path.parts), file.path))
