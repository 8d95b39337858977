"""Rejection of a request, as an error code and a message for the sender."""


class RequestError(Exception):
    """A request that the arena rejects. It is answered with an `error` message.

    Attributes:
        code: The machine-readable error code, such as "name_taken".
    """

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
