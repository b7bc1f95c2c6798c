"""Take, Change and Tool, and edits that several capabilities share."""

from typing import TYPE_CHECKING

from ..lazy_door import lazy_door

if TYPE_CHECKING:
    from .change import Change
    from .filled_samples import filled_between, repaired
    from .mirror import (
        Mirror,
        MirrorAbout,
        mirror_paths,
        mirrored,
        mirrored_contacts,
        mirrored_names,
        sides_are_even,
    )
    from .options import (
        Named,
        Option,
        Unit,
        choice,
        number,
        numbers,
        option_in,
        options_of,
        switch,
        text,
        whole_number,
    )
    from .place import in_place
    from .propagation_window import PropagationWindow, joint_flags, offsets_in_heading
    from .shared_options import (
        BREAKDOWNS,
        BREAKDOWNS_IF_ASKED,
        EVERY_FRAME,
        KEEP_CONTACTS,
        KEEP_CONTACTS_TEXT,
        KEEP_FLOOR,
        KEEP_FLOOR_TEXT,
        KEEP_PEAKS,
        LOCATION_ERROR,
        REDUCED,
        ROTATION_ERROR,
        SNAP,
        SOFTEN,
        STRENGTH,
    )
    from .standing_feet import contacts_within, joined_contacts, standing_still
    from .take import Take
    from .tool import Tool
else:
    __getattr__ = lazy_door(__name__)
