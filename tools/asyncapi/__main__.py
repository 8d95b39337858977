"""Print the document: `python -m tools.asyncapi > docs/reference/asyncapi.json`."""

from tools.asyncapi.document import text

print(text(), end="")
