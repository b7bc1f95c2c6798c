"""Clean-up of captured motion: what looks like a fault of the capture is listed, and put right if wanted."""

from typing import TYPE_CHECKING

from ..lazy_door import lazy_door

if TYPE_CHECKING:
    from .below_floor import find_below_floor, lifted
    from .better_repair import repaired_where_better
    from .flaw_repair import mended
    from .gaps import find_held
    from .jumps import find_jumps, without_jumps
    from .medians import median_filtered, trimmed_mean
    from .outlier_tool import RemoveOutliers
    from .repair_tool import RepairFlaws
else:
    __getattr__ = lazy_door(__name__)
