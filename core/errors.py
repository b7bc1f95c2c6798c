"""What can go wrong in a way that the user can mend; every message carries the fix or the reason."""


class MotionEditError(Exception):
    """Base of all errors that are shown to the user as one line."""


class TooFewFramesError(MotionEditError):
    """The motion is too short for what was asked."""


class NotFiniteError(MotionEditError):
    """A channel holds NaN or infinite values."""


class FileFormatError(MotionEditError):
    """A file cannot be read; the message names file, line and what was expected there."""


class MissingRoleError(MotionEditError):
    """The character set-up lacks a body part that the tool needs."""


class SkeletonMismatchError(MotionEditError):
    """Two skeletons do not fit together; the message names the joints that are missing."""


class NotInvertibleError(MotionEditError):
    """A time map cannot be inverted because time stands still, runs backward or repeats."""


class TimeOrderError(MotionEditError):
    """Times that must increase do not."""


class FileWriteError(MotionEditError):
    """A file cannot be written; nothing was left half-written."""


class DamagedDataError(MotionEditError):
    """What a file has kept of an earlier edit is not what was written; the message says how to get rid of it."""


class NewerDataError(DamagedDataError):
    """What a file has kept of an earlier edit comes from a later version; the message says how to get rid of it."""
