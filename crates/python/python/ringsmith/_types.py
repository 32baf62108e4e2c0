"""What arguments are."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Size = int | Sequence[int] | None
Seed = np.random.Generator | int | None
Seeds = npt.NDArray[np.uint64]
