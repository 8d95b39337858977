"""Languages of submissions: which program the files are, how it is built and started. Pure."""

import codecs
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

MAIN = "takestones"
MAIN_NAMES = (MAIN, "take_stones", "main", "__main__", "index", "player", "game", "solution")
JAVA_MAIN = re.compile(r"\bstatic\s+(?:final\s+)?(?:public\s+)?void\s+main\s*\(")
JAVA_PACKAGE = re.compile(r"^\s*package\s+([\w.]+)\s*;", re.MULTILINE)
JAVA_CLASS = re.compile(r"\b(?:class|enum|record|interface)\s+(\w+)")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
PYTHON_MAIN = re.compile(r"__name__\s*==|\bsys\.argv\b")
C_MAIN = re.compile(r"\bmain\s*\(")
JAVASCRIPT_MAIN = re.compile(r"\bprocess\.argv\b")
EXECUTABLE_STARTS = (b"\x7fELF", b"#!")
# A Java machine would take a quarter of the computer's memory before it frees any.
JAVA_OPTIONS = ("-Xmx512m", "-Xss16m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
OUT = "build-of-the-grader"
MAX_NAMED = 5  # files in a reason

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
        command: The words that start it in the submission's folder, before the arguments; empty if
            only the build shows it.
        builds: Commands that build it, of which the first that succeeds counts; without any,
            nothing is to be built.
    """

    language: str
    command: Command
    builds: tuple[Command, ...] = ()


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
        Unrecognised: There is none, or several that could be meant.
    """
    override = override or Override()
    replaced: tuple[Command, ...] = (override.build,) if override.build else ()
    if override.run:
        return Program(override.language or "custom", override.run, replaced)
    languages = [override.language] if override.language else [*RECOGNISERS]
    reasons = []
    for language in languages:
        try:
            program = RECOGNISERS[language](files, override.main)
        except Unrecognised as error:
            reasons.append(str(error))
            continue
        if program:
            return replace(program, builds=replaced or program.builds)
    raise Unrecognised(reasons[0] if reasons else f"no program found{_listed(files)}")


def built_program(files: Sequence[File]) -> Command:
    """Return the command of the program that a Makefile has built.

    Raises:
        Unrecognised: There is none, or several that could be meant.
    """
    classes = [file.path for file in files if file.path.suffix == ".class" and file.stem == MAIN]
    if classes:
        return ("java", *JAVA_OPTIONS, "-cp", str(classes[0].parent), classes[0].stem)
    program = _executable(files, None) or next(
        (
            found
            for language in ("Python", "JavaScript")
            if (found := RECOGNISERS[language](files, None))
        ),
        None,
    )
    if not program:
        raise Unrecognised("make has built no program named TakeStones")
    return program.command


def _makefile(files: Sequence[File], main: str | None) -> Program | None:
    found = [file for file in files if file.path.name in ("Makefile", "makefile", "GNUmakefile")]
    if not found or main:
        return None
    folder = str(_shallowest(found).path.parent)
    return Program("Makefile", (), (("make", "-C", folder),))


def _java(files: Sequence[File], main: str | None) -> Program | None:
    sources = _with_suffix(files, ".java")
    if not sources:
        return None
    mains = [file for file in sources if JAVA_MAIN.search(COMMENT.sub(" ", file.text))]
    file = _main_file(sources, mains, main, "Java")
    text = COMMENT.sub(" ", file.text)
    package = JAVA_PACKAGE.search(text)
    names = JAVA_CLASS.findall(text)
    name = file.path.stem if file.path.stem in names or not names else names[0]
    full_name = f"{package[1]}.{name}" if package else name
    beside = [source for source in sources if source.path.parent == file.path.parent]
    # Editors on Windows save comments in Windows-1252, which javac would refuse as UTF-8.
    encoding = "UTF-8" if all(source.is_utf8 for source in sources) else "windows-1252"
    javac = ("javac", "-nowarn", "-encoding", encoding, "-d", OUT)
    builds = (
        (*javac, *(_argument(source) for source in sources)),
        (*javac, *(_argument(source) for source in beside)),
        (*javac, "-sourcepath", str(_source_root(file.path, package)), _argument(file)),
    )
    return Program("Java", ("java", *JAVA_OPTIONS, "-cp", OUT, full_name), builds)


def _source_root(path: PurePosixPath, package: "re.Match[str] | None") -> PurePosixPath:
    """Return the folder that the packages start in."""
    depth = len(package[1].split(".")) if package else 0
    return path.parents[min(depth, len(path.parents) - 1)]


def _python(files: Sequence[File], main: str | None) -> Program | None:
    sources = _with_suffix(files, ".py")
    if not sources:
        return None
    mains = [file for file in sources if PYTHON_MAIN.search(file.text)]
    path = _argument(_main_file(sources, mains, main, "Python"))
    return Program("Python", ("python3", path), (("python3", "-m", "py_compile", path),))


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
    mains = [file for file in sources if C_MAIN.search(COMMENT.sub(" ", file.text))]
    file = _main_file(sources, mains, main, language)
    words = (*compiler, "-o", f"{OUT}/program")
    alternatives = (
        (*words, *(_argument(source) for source in sources), "-lm"),
        (*words, _argument(file), "-lm"),
    )
    return Program(language, (f"{OUT}/program",), alternatives)


def _javascript(files: Sequence[File], main: str | None) -> Program | None:
    sources = _with_suffix(files, ".js", ".mjs", ".cjs")
    if not sources:
        return None
    mains = [file for file in sources if JAVASCRIPT_MAIN.search(file.text)]
    path = _argument(_main_file(sources, mains, main, "JavaScript"))
    return Program("JavaScript", ("node", path), (("node", "--check", path),))


def _executable(files: Sequence[File], main: str | None) -> Program | None:
    found = [
        file for file in files if file.is_executable and file.start.startswith(EXECUTABLE_STARTS)
    ]
    if not found:
        return None
    path = _main_file(found, found, main, "executable").path
    return Program("executable", (f"./{path}",))


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
        raise Unrecognised(f"{language} files, but none with a main program")
    for name in MAIN_NAMES:
        named = [file for file in mains if file.stem == name]
        if named:
            return _shallowest(named)
    if len(mains) > 1:
        raise Unrecognised(f"several {language} files with a main program{_listed(mains)}")
    return mains[0]


def _listed(files: Sequence[File]) -> str:
    """Return the paths of the first files, as the end of a reason."""
    paths = ", ".join(str(file.path) for file in files[:MAX_NAMED])
    more = len(files) - MAX_NAMED
    return (f": {paths}" if paths else "") + (f" and {more} more" if more > 0 else "")


def _shallowest(files: Iterable[File]) -> File:
    return min(files, key=lambda file: (len(file.path.parts), file.path))
