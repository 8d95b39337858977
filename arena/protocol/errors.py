"""Rejection of a request, as an error code and a message for the sender."""

from typing import Self


class RequestError(Exception):
    """A request that the arena rejects. It is answered with an `error` message.

    Attributes:
        code: The machine-readable error code, such as "name_taken".
    """

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code

    def __reduce__(self) -> tuple[type[Self], tuple[str, str]]:
        """Pickle both arguments: the default would call the class with the text alone."""
        return type(self), (self.code, str(self))
