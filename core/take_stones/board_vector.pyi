from typing import Self, final

import numpy as np
from numpy.typing import NDArray

@final
class BoardVector:
    def __new__(
        cls,
        observations: NDArray[np.int8],
        masks: NDArray[np.int8],
        players: NDArray[np.int8],
        rewards: NDArray[np.float64],
        ends: NDArray[np.uint8],
        final: NDArray[np.int8],
        is_answered: bool,
        player: int = 0,
    ) -> Self: ...
    def reset(self, seed: int) -> None: ...
    def step(self, actions: NDArray[np.int64]) -> None: ...
