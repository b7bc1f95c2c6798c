"""The table of all kinds of data that the extension keeps."""

from __future__ import annotations

from types import NoneType

from .migrations import in_one_layer, named_header, unchanged, without
from .schema import Field, Kind, array, single


def _each(field: Field, prefix: str, *names: str) -> dict[str, Field]:
    """The same for some fields."""
    return {prefix + name: field for name in names}


# Staggered poses: P poses that were found, of J joints; a model of K poses that are shown, with V variables


def _track(prefix: str, letters: str, width: int, offset: int) -> dict[str, Field]:
    """A track of the model: knots and intervals, for which two letters stand, of values and offsets so wide."""
    knots, intervals = tuple(letters)
    return {
        f"{prefix}.values": array("f8", f"{knots}*{width}", optional=True, compact=True),
        **_each(array("f8", f"{intervals}*{offset}", optional=True, compact=True), f"{prefix}.", "leaving", "arriving"),
        f"{prefix}.strength": array("f8", intervals, optional=True, compact=True),
    }


def _detail(prefix: str, intervals: str, offset: int, letter: str) -> dict[str, Field]:
    """What the splines of a track leave over, where it does not follow from the rest."""
    return {
        f"{prefix}.measured": single(int, optional=True),
        f"{prefix}.detail.starts": array("i4", f"{intervals}+1", optional=True, compact=True),
        f"{prefix}.detail.times": array("f8", letter, optional=True, compact=True),
        f"{prefix}.detail.offsets": array("f8", f"{letter}*{offset}", optional=True, compact=True),
    }


def _timing(prefix: str) -> dict[str, Field]:
    return {
        **_each(array("f8", "K", optional=True), prefix, "pose_times", "amounts"),
        **_each(array("f8", "K*V", optional=True, compact=True), prefix, "refinements", "extreme_times", "companions"),
        **_each(array("i4", "K*V", optional=True, compact=True), prefix, "collapsed", "present"),
        f"{prefix}span": array("f8", "2", optional=True),
        f"{prefix}anchors": array("i4", "2*V", optional=True),
        **_each(single(float, optional=True), prefix, "margin", "seam"),
        f"{prefix}is_cyclic": single(int, optional=True),
    }


STAGGERED = Kind(
    "staggered",
    version=4,
    damaged="The saved poses are damaged: use Remove Poses, then extract them again",
    newer="The saved poses are from a newer version of the extension: update it, or use Remove Poses",
    fields={
        **_each(array("f8", "P"), "table.", "times", "priorities"),
        "table.refinements": array("f8", "P*J", compact=True),
        "table.root_refinements": array("f8", "P", has_gaps=True),
        **_each(array("i4", "P*J", compact=True), "table.", "collapsed", "present"),
        **_each(array("i4", "P"), "table.", "pinned", "removed", "shown"),
        "table.channels": single(str, optional=True),
        "table.channel_refinements": array("f8", "P*C", optional=True, compact=True),
        "table.channel_collapsed": array("i4", "P*C", optional=True, compact=True),
        **_each(single(int), "", "revision", "from_keys"),
        "keeps_contacts": single(int, optional=True),
        "posed": array("i4", "J", optional=True),
        **_track("standing.rotations", "rR", 4, 3),
        **_track("standing.numbers", "nN", 1, 1),
        **_each(array("f8", "B", compact=True), "", "probability", "probability_times"),
        "joints": single(str),
        "rate": single(float),
        **_each(array("i4", "_", optional=True), "model.", "locations", "scales"),
        **_timing("model.timing."),
        **_timing("model.fitted.timing."),
        **_track("model.rotations", "rR", 4, 3),
        **_track("model.fitted.rotations", "rR", 4, 3),
        **_detail("model.rotations", "R", 3, "D"),
        **_track("model.numbers", "nN", 1, 1),
        **_track("model.fitted.numbers", "nN", 1, 1),
        **_detail("model.numbers", "N", 1, "d"),
        "model.source.rate": single(float, optional=True),
        **_each(single(str, optional=True), "model.source.", "scalar_names", "stepped"),
        "model.source.times": array("f8", "F", optional=True, compact=True),
        # Of joints whose rotations come from single precision, and of all others.
        "model.source.single_joints": array("i4", "s", optional=True),
        "model.source.single_rotations": array("f4", "F*s*4", optional=True, compact=True),
        "model.source.rotations": array("f8", "F*o*4", optional=True, compact=True),
        **_each(array("f8", "F*J*3", optional=True, compact=True), "model.source.", "locations", "scales"),
        "model.source.scalars": array("f8", "F*S", optional=True, compact=True),
    },
    migrations={1: without("model.version"), 2: in_one_layer, 3: unchanged},
)


# Layers, each with T keys of N joints and C channels, and the keys below them

_STILL = {"location": "3", "rotation_quaternion": "4", "rotation_euler": "3", "rotation_axis_angle": "4", "scale": "3"}
_LAYERS = {
    "layers.count": single(int),
    **_each(single(str), "layers.#.", "name", "joints", "scalar_names"),
    "layers.#.times": array("f8", "T#"),
    "layers.#.weights": array("f8", "N#"),
    **_each(array("f8", "T#*N#*3", compact=True), "layers.#.", "turns", "moves", "scalings"),
    "layers.#.changes": array("f8", "T#*C#", compact=True),
    **_each(array("f8", "I#"), "layers.#.", "influence_times", "influence_values"),
    **_each(single(float), "layers.#.", "start", "end", "ease_in", "ease_out"),
    **_each(single(int), "layers.#.", "muted", "solo", "smooth"),
    **_each(single(int), "", "revision", "base_revision"),
    "rate": single(float),
    "bones": single(str, optional=True),
    **{f"still.{name}": array("f4", "B", width, optional=True) for name, width in _STILL.items()},
}
LAYERS = Kind(
    "layers",
    version=2,
    damaged="The saved layers are damaged: use Remove Layer, which leaves the keys as they are",
    newer="The saved layers are from a newer version of the extension: update it, or use Remove Layer",
    fields=_LAYERS,
    migrations={1: without("layers.version")},
)
# From before they were edited, for Cancel.
LAYERS_BEFORE = Kind(
    "layers_before",
    version=2,
    damaged="what was remembered of the layers is damaged",
    newer="what was remembered of the layers is from a newer version of the extension",
    fields=_LAYERS,
    migrations={1: without("layers.version")},
)
# One value where all keys have the same.
_KEYS = {
    "curves": single(str),
    **_each(array("f4", "_", "2", optional=True, compact=True), "", "co", "handle_left", "handle_right"),
    **_each(array("u1", "_", optional=True, compact=True), "", "interpolation", "easing", "type"),
    **_each(array("u1", "_", optional=True, compact=True), "handle_", "left_type", "right_type"),
    **_each(array("b1", "_", optional=True, compact=True), "select_", "control_point", "left_handle", "right_handle"),
    **_each(array("f4", "_", optional=True, compact=True), "", "amplitude", "back", "period"),
}
# The keys that staggered poses were fitted to, and what the motion was then, bone by bone.
STAGGERED_KEYS = Kind(
    "staggered_keys",
    version=1,
    damaged=STAGGERED.damaged,
    newer=STAGGERED.newer,
    fields={**_KEYS, **_each(single(str), "", "still", "digests"), "values": array("f8", "_", optional=True)},
)
LAYERS_BASE = Kind("layers_base", version=1, damaged=LAYERS.damaged, newer=LAYERS.newer, fields=_KEYS)


# What else lies beside the keys of an action

MIRRORED = Kind(
    "mirrored",
    version=1,
    damaged="What Mirror Motion remembers is damaged",
    newer="What Mirror Motion remembers is from a newer version of the extension",
    fields={**_KEYS, **_each(single(str), "", "choices", "still"), "values": array("f8", "_")},
)
REDUCED = Kind(
    "reduced",
    version=1,
    damaged="What Reduce Keys remembers is damaged",
    newer="What Reduce Keys remembers is from a newer version of the extension",
    fields={"states": single(str)},
)
TIME_MAP = Kind(
    "time map {}",
    version=1,
    damaged="The time map '{}' is damaged: warp the time again and keep the map under this name",
    newer="The time map '{}' is from a newer version of the extension: update it, or keep another map under this name",
    fields=_each(array("f8", "N", compact=True), "", "new", "old"),
)
WINDOW = Kind(
    "timeline before",
    version=2,
    damaged="What was remembered of the window is damaged: use Remember, then edit the window again",
    newer="What was remembered of the window is from a newer version of the extension: update it, or use Remember",
    fields={
        "rotations": array("f8", "F", "J", "4", compact=True),
        **_each(array("f8", "F", "J", "3", compact=True), "", "locations", "scales"),
        "scalars": array("f8", "F", "S", compact=True),
        "first frame": single(float),
        "channels": single(str),
        "staggered pose_times": array("f8", "K", optional=True),
        "staggered refinements": array("f8", "K", "V", optional=True, compact=True),
        "staggered collapsed": array("b1", "K", "V", optional=True, compact=True),
        "staggered span": array("f8", "2", optional=True),
        "staggered curves": single(str, optional=True),
        # Keys of all curves with few of them; windows of before they were kept have none.
        **_KEYS,
        "curves": single(str, optional=True),
    },
    migrations={1: unchanged},
)
MATCH_WEB = Kind(
    "match web",
    version=2,
    damaged="The saved repetitions are damaged: search them again",
    newer="The saved repetitions are from a newer version of the extension: update it, or search them again",
    fields={
        **_each(single(int), "", "frames", "stride"),
        "offsets": array("i4", "_", compact=True),
        "path_frames": array("i4 f8", "M*2", compact=True),
        "first frame": single(float),
    },
    migrations={1: named_header},
)


# Kept straight with an object or in a data-block: arrays are flat

# Most joints never move: of these one pose is kept, of the m that move all P poses.
_WIDTHS = {"rotations": 4, "locations": 3, "scales": 3}
TREE_POSES = Kind(
    "tree poses",
    version=1,
    damaged="its poses are not what was saved",
    newer="its poses are from a newer version of the extension",
    fields={
        **_each(single(str, optional=True), "", "joints", "scalar_names", "stepped"),
        "pose_count": single(int),
        **{f"{name}_moving": array("i4", f"m {name}", optional=True) for name in _WIDTHS},
        **{f"{name}_still": array("f4 f8", f"J*{width}", optional=True) for name, width in _WIDTHS.items()},
        **{name: array("f4 f8", f"P*m {name}*{width}", optional=True) for name, width in _WIDTHS.items()},
        "scalars": array("f4 f8", "P*S", optional=True),
    },
)
PATH = Kind(
    "tree path",
    version=1,
    damaged="its places are not what was saved",
    newer="its places are from a newer version of the extension",
    fields={"places": array("f4 f8", "F*3", optional=True), "targets": array("i4", "_", optional=True)},
)
# While a pose is edited: channels of the object and its bones as Blender has them, and the pose that was shown.
CHANNELS = Kind(
    "channels",
    version=1,
    damaged="The channels from before the pose was edited are damaged",
    newer="The channels from before the pose was edited are from a newer version of the extension",
    fields={name: array("f4", f"B*{width}") for name, width in _STILL.items()},
)
SHOWN = Kind(
    "shown pose",
    version=1,
    damaged="The pose that was being edited is damaged",
    newer="The pose that was being edited is from a newer version of the extension",
    fields={
        **{name: array("f8", f"J*{width}") for name, width in _WIDTHS.items()},
        "scalars": array("f8", "_", optional=True),
    },
)
# Kept with an entry of the stack: what a hand did to keys.
KEY_EDIT = Kind(
    "key edit",
    version=1,
    damaged="What was done by hand is damaged: remove this entry",
    newer="What was done by hand is from a newer version of the extension: update it, or remove this entry",
    fields={
        **{
            name: array("f4" if each.types[0] == "f4" else "i4", "_", optional=True)
            for name, each in _KEYS.items()
            if name != "curves"
        },
        **_each(single(str), "", "curves", "digests", "removed", "properties"),
        **_each(array("f8", "_", optional=True), "", "frames", "before", "after"),
    },
)
# From before an armature got the result of retargeting: rotations, locations and scales, and how its soles lie.
POSE_BEFORE = Kind(
    "pose before",
    version=1,
    damaged="The pose from before retargeting is damaged",
    newer="The pose from before retargeting is from a newer version of the extension",
    fields={"pose_before": array("f4", "J*10", optional=True), "soles_before": single(float, optional=True)},
)


# Documents

_NAME, _LIST = Field((str.__name__, NoneType.__name__), optional=True), Field((list.__name__,), optional=True)
BODY = Kind(
    "body",
    version=1,
    damaged="The saved body parts are damaged: use Find Body Parts in the Character panel",
    newer="The saved body parts are from a newer version of the extension: update it, or use Find Body Parts",
    fields={
        **_each(_NAME, "", "root", "head", "up", "forward"),
        **_each(_LIST, "", "torso", "neck", "limbs", "pairs"),
        "height": Field(("float", "int", NoneType.__name__), optional=True),
    },
)
# A parameter of Edit Pose in the stack: of bones that were posed, their channels before and after.
POSE_CHANGE = Kind(
    "pose change",
    version=1,
    damaged="What was posed is damaged: remove this entry",
    newer="What was posed is from a newer version of the extension: update it, or remove this entry",
    fields=_each(Field((list.__name__,)), "", "bones", "shown", "posed"),
)
# A parameter of Layers in the stack: all layers, with times in seconds of the rate.
LAYERS_SET = Kind(
    "layers set",
    version=1,
    damaged="The layers of this edit are damaged: remove this entry",
    newer="The layers of this edit are from a newer version of the extension: update it, or remove this entry",
    fields={"rate": single(float), "layers": Field((dict.__name__,))},
)
MAPPING = Kind(
    "mapping",
    version=1,
    damaged="{} is no mapping: choose a file that Save Mapping wrote",
    newer="{} was saved by a newer version of the extension: update it, or choose another file",
    fields=_each(Field((list.__name__,)), "", "pairs", "source", "target"),
)
