"""Print the document: `python -m arena.cli.asyncapi > docs/reference/asyncapi.json`."""

from arena.cli.asyncapi.document import text

print(text(), end="")
