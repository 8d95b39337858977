"""Information in a program's answer: depth=6 eval=1.5 nodes=1234 pv=8,4."""

from msgspec import structs

from arena.model.results import MAX_VARIATION, NOTHING, Info, parse_info

FIELDS = {"eval": "evaluation", "depth": "depth", "nodes": "nodes", "pv": "pv"}  # by key


def read_info(text: str) -> tuple[Info, str]:
    """Return the information of an answer, and its last word that is invalid, if there is one.

    Words with unknown keys are ignored, and the end of a long variation is cut off.
    """
    info, invalid = NOTHING, ""
    for word in text.split():
        key, _, value = word.partition("=")
        if name := FIELDS.get(key):
            texts = value.split(",")[:MAX_VARIATION]
            try:
                found = parse_info({name: texts if key == "pv" else value})
            except ValueError:
                invalid = word
            else:
                info = structs.replace(info, **{name: getattr(found, name)})
    return info, invalid
