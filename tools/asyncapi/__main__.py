"""Print the document: `python -m tools.asyncapi > docs/reference/asyncapi.json`."""

from core.cli import main
from tools.asyncapi.document import text

main("tools.asyncapi", lambda _: text())
