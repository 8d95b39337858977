"""A sheet as a LaTeX document."""

from collections.abc import Iterator

from arena.teaching.formats import tex
from arena.teaching.formats.figures import printable
from arena.teaching.formats.tex import escaped
from arena.teaching.practice.exercises import EXAMPLE_WORDS, Exercise, Question, Sheet

FITTED = r"""
\newsavebox{\drawing}
\newcommand{\fitted}[1]{%
  \sbox{\drawing}{#1}%
  \ifdim\wd\drawing>\linewidth \sbox{\drawing}{\resizebox{\linewidth}{!}{\usebox{\drawing}}}\fi
  \ifdim\ht\drawing>0.65\textheight
    \sbox{\drawing}{\resizebox{!}{0.65\textheight}{\usebox{\drawing}}}\fi
  \usebox{\drawing}}
""".strip()

BEGIN = r"\begin{minipage}{\linewidth}\raggedright "


def render(sheet: Sheet) -> str:
    """Return a sheet as a LaTeX document."""
    orientation = ",landscape" if sheet.is_landscape else ""
    lines = [
        r"\documentclass[11pt]{article}",
        f"\\usepackage[{sheet.paper}paper{orientation},margin=15mm]{{geometry}}",
        tex.PREAMBLE,
        FITTED,
        r"\begin{document}",
        r"\pagestyle{empty}\parindent=0pt \raggedright \sffamily",
        f"{{\\Large\\bfseries {escaped(printable(sheet.title))}\\par}}\\bigskip",
    ]
    if not sheet.has_solutions:
        lines.append(r"Name \hrulefill{} Date \hrulefill{}\par\bigskip")
        lines += _tasks(sheet)
    for number, exercise in enumerate(sheet.exercises, 1):
        lines += _exercise(sheet, number, exercise)
    if sheet.has_solutions and sheet.footer:
        lines.append(f"\\bigskip{{\\footnotesize {escaped(printable(sheet.footer))}\\par}}")
    return "\n".join([*lines, r"\end{document}", ""])


def _exercise(sheet: Sheet, number: int, exercise: Exercise) -> Iterator[str]:
    """Yield the lines of an exercise."""
    task = exercise.task
    kind = "Solution" if sheet.has_solutions else "Exercise"
    yield rf"\par\bigskip{BEGIN}"
    yield f"{{\\large\\bfseries {kind} {number}\\par}}\\smallskip"
    yield f"{escaped(printable(task.title))}\\par"
    shown = task.board or (task.source if sheet.has_solutions else "")
    for line in shown.splitlines():
        text = escaped(printable(line)).replace("  ", "~~")
        yield f"{{\\ttfamily\\small {text}\\par}}"
    picture = tex.picture(sheet.figures(exercise))
    yield f"\\medskip\\begin{{center}}\\fitted{{{picture}}}\\end{{center}}"
    if sheet.has_solutions:
        yield r"\end{minipage}\par\medskip"
        yield from _answers(exercise)  # which may be longer than a page
    else:
        yield from _lines(exercise)
        yield r"\end{minipage}"


def _answers(exercise: Exercise) -> Iterator[str]:
    """Yield the answers below a solved tree."""
    for question in exercise.questions:
        if question.answer:
            answer = r"\par ".join(escaped(printable(line)) for line in question.answer)
            size = r"\small " if len(question.answer) > 1 else ""
            yield f"{{{size}{_label(question)} {answer}\\par}}"


def _lines(exercise: Exercise) -> Iterator[str]:
    """Yield lines for the answers below a tree."""
    for question in exercise.questions:
        if not question.is_in_tree:
            yield f"{_label(question)} \\hrulefill\\par\\smallskip"


def _label(question: Question) -> str:
    return f"{{\\color{{plainline}}{escaped(question.label)}:}}"


def _tasks(sheet: Sheet) -> Iterator[str]:
    """Yield the list of questions, and a solved tree."""
    yield r"\begin{enumerate}\renewcommand{\labelenumi}{(\alph{enumi})}\setlength{\itemsep}{0pt}"
    yield from (f"\\item {escaped(text)}" for text in sheet.tasks)
    yield r"\end{enumerate}"
    yield f"{BEGIN}{{\\large\\bfseries Example\\par}}\\smallskip {escaped(EXAMPLE_WORDS)}\\par"
    yield f"\\begin{{center}}\\fitted{{{tex.picture(sheet.example())}}}\\end{{center}}"
    yield r"\end{minipage}"
