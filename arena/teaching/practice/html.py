"""A sheet as an HTML page that loads nothing else."""

from collections.abc import Iterator
from html import escape

from arena.teaching.formats import svg
from arena.teaching.formats.figures import printable
from arena.teaching.practice.exercises import EXAMPLE_WORDS, Exercise, Sheet

STYLE = """\
:root { color-scheme: light }
body { max-width: 1040px; margin: 24px auto; padding: 0 16px; background: #ffffff; color: #1d242b; \
font: 15px/1.45 "Segoe UI", "Helvetica Neue", Arial, sans-serif }
h1 { font-size: 22px; margin: 0 0 12px }
h2 { font-size: 17px; margin: 0 0 4px; break-after: avoid }
p { margin: 4px 0 }
.student { display: flex; gap: 32px; margin: 12px 0 20px }
.student span { flex: 1; border-bottom: 1px solid #59636e; padding-bottom: 4px; color: #59636e }
section { margin: 0 0 34px }
figure { margin: 8px 0; break-inside: avoid }
figure svg { display: block; max-width: 100%; height: auto; margin: 0 auto; \
max-height: HEIGHT }
pre { margin: 8px 0; font: 13px/1.4 "Consolas", "Menlo", monospace; white-space: pre-wrap }
ol { margin: 0 0 24px; padding-left: 24px; list-style-type: lower-alpha }
dl { display: grid; grid-template-columns: 11em 1fr; gap: 4px 12px; margin: 0 }
dt { color: #59636e }
dt::after { content: ":" }
dd { margin: 0 }
dd p { margin: 0 }
.list { columns: 26em; column-gap: 24px; font-size: 0.85em }
.list p { break-inside: avoid }
.line { border-bottom: 1px solid #59636e; min-height: 26px }
footer { color: #59636e; font-size: 12px; overflow-wrap: anywhere }
@media print {
body { margin: 0; padding: 0; max-width: none; font-size: 11pt; print-color-adjust: exact; \
-webkit-print-color-adjust: exact }
section { margin: 0 0 6mm }
.whole { break-inside: avoid }
}
"""


def render(sheet: Sheet) -> str:
    """Return a sheet as an HTML document."""
    title = escape(printable(sheet.title))
    paper = f"{sheet.paper}{' landscape' if sheet.is_landscape else ''}"
    body = [
        line
        for number, exercise in enumerate(sheet.exercises, 1)
        for line in _exercise(sheet, number, exercise)
    ]
    student = '<p class="student"><span>Name</span><span>Date</span></p>'
    heights = (100, 180) if sheet.has_solutions else (120, 190)
    style = STYLE.replace("HEIGHT", f"{heights[not sheet.is_landscape]}mm")
    footer = f"<footer>{escape(printable(sheet.footer))}</footer>"
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title}</title>",
            f"<style>\n@page {{ size: {paper}; margin: 14mm }}\n{style}{svg.STYLE}</style>",
            "</head>",
            "<body>",
            f"<h1>{title}</h1>",
            *([] if sheet.has_solutions else [student, *_tasks(sheet)]),
            *body,
            *([footer] if sheet.has_solutions and sheet.footer else []),
            "</body>",
            "</html>",
            "",
        ]
    )


def _exercise(sheet: Sheet, number: int, exercise: Exercise) -> Iterator[str]:
    """Yield the elements of an exercise, which is on one page; a long solution may be on two."""
    task = exercise.task
    kind = "Solution" if sheet.has_solutions else "Exercise"
    is_long = sheet.has_solutions and any(len(item.answer) > 1 for item in exercise.questions)
    yield "<section>" if is_long else '<section class="whole">'
    yield f'<div class="whole">\n<h2>{kind} {number}</h2>\n<p>{escape(printable(task.title))}</p>'
    if shown := task.board or (task.source if sheet.has_solutions else ""):
        yield f"<pre>{escape(shown)}</pre>"
    tree = svg.render_tree(sheet.figures(exercise), f"Tree of exercise {number}")
    yield f"<figure>{tree}</figure>\n</div>\n<dl>"
    yield from _answers(exercise) if sheet.has_solutions else _lines(exercise)
    yield "</dl>\n</section>"


def _answers(exercise: Exercise) -> Iterator[str]:
    """Yield the answers below a solved tree."""
    for question in exercise.questions:
        if question.answer:
            answer = "".join(f"<p>{escape(line)}</p>" for line in question.answer)
            kind = ' class="list"' if len(question.answer) > 1 else ""
            yield f"<dt>{escape(question.label)}</dt><dd{kind}>{answer}</dd>"


def _lines(exercise: Exercise) -> Iterator[str]:
    """Yield lines for the answers below a tree."""
    for question in exercise.questions:
        if not question.is_in_tree:
            yield f'<dt>{escape(question.label)}</dt><dd class="line"></dd>'


def _tasks(sheet: Sheet) -> Iterator[str]:
    """Yield the list of questions, and a solved tree."""
    yield "<ol>"
    yield from (f"<li>{escape(text)}</li>" for text in sheet.tasks)
    yield f'</ol>\n<section class="whole">\n<h2>Example</h2>\n<p>{EXAMPLE_WORDS}</p>'
    yield f"<figure>{svg.render_tree(sheet.example(), EXAMPLE_WORDS)}</figure>\n</section>"
