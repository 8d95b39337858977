"""Fields that several messages of /watch have."""

from typing import Annotated

from msgspec import Meta

MAX_DEPTH = 50  # plies of a requested search

RequestId = Annotated[int, Meta(ge=0)]
Player = Annotated[int, Meta(ge=1, le=2)]
Depth = Annotated[int, Meta(ge=0, le=MAX_DEPTH)]
