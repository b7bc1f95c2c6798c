"""Numbers of a rig: what drivers work out, what is keyed, and what is held."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ....core.rig import Channel, Driven, Expression, UnknownExpressionError, Value
from ..action_io.curves.numbers import number_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bpy.types import DriverVariable, FCurve, Object, PoseBone

_ORDERS = frozenset({"XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"})
_PARTS = "location|rotation_euler|rotation_quaternion|scale"
_CHANNEL = re.compile(rf'^pose\.bones\["((?:[^"\\]|\\.)*)"\]\.({_PARTS})(?:\[(\d)\])?$')
_SPACES = {"TRANSFORM_SPACE": "", "LOCAL_SPACE": "LOCAL", "WORLD_SPACE": "POSE"}


class UnknownPartError(Exception):
    """Something of a rig that core does not work out, and why."""


def order_of(bone: PoseBone) -> str:
    """Euler order in which a bone's rotation is taken apart."""
    return bone.rotation_mode if len(bone.rotation_mode) == 3 else "XYZ"


class RigNumbers:
    """The numbers of one armature."""

    def __init__(self, armature: Object) -> None:
        """Look at its drivers."""
        self._armature, self._bones = armature, armature.pose.bones
        self._index = {bone.name: number for number, bone in enumerate(self._bones, start=1)}
        data = armature.animation_data
        curves = data.drivers if data is not None else ()
        self._drivers = {(curve.data_path, curve.array_index): curve for curve in curves if not curve.mute}

    def value(self, path: str, held: float) -> Value:
        """A number of the rig: driven, possibly keyed, or held as it is."""
        curve = self._drivers.get((path, 0))
        return float(held) if curve is None else self._driven(curve)

    def _driven(self, curve: FCurve) -> Driven:
        driver: Any = curve.driver
        polynomial = _polynomial(curve)
        inputs = tuple((each.name, self._variable(each)) for each in driver.variables)
        expression = None
        if driver.type == "SCRIPTED":
            try:
                expression = Expression.parse(driver.expression)
            except UnknownExpressionError:
                raise UnknownPartError(f"driver '{driver.expression}'") from None
            if not expression.names <= {name for name, _value in inputs}:
                raise UnknownPartError(f"driver '{driver.expression}'")
        return Driven(driver.type, inputs, expression, polynomial)

    def _variable(self, variable: DriverVariable) -> Channel | Driven:
        target = variable.targets[0]
        if target.id != self._armature:
            raise UnknownPartError("a driver looks at something else than the rig")
        if variable.type == "SINGLE_PROP":
            return self._single(target.data_path)
        if variable.type == "TRANSFORMS" and target.bone_target in self._index:
            return self._transform(target)
        raise UnknownPartError(f"a driver's variable is of type {variable.type}")

    def _single(self, path: str) -> Channel | Driven:
        found = _CHANNEL.match(path)
        if found is not None and found[1] in self._index:
            order = order_of(self._bones[found[1]])
            return Channel(joint=self._index[found[1]], part=found[2], index=int(found[3] or 0), order=order)
        curve = self._drivers.get((path, 0))
        if curve is not None:
            return self._driven(curve)
        held = number_at(self._armature, path)
        if held is None:
            raise UnknownPartError(f"a driver looks at '{path}'")
        return Channel(name=path, held=float(held))

    def _transform(self, target: Any) -> Channel:
        kind, _, axis = target.transform_type.partition("_")
        part = {"LOC": "location", "ROT": "rotation_euler", "SCALE": "scale"}.get(kind)
        if part is None or axis not in ("X", "Y", "Z"):
            raise UnknownPartError(f"a driver looks at {target.transform_type}")
        bone = self._bones[target.bone_target]
        order = order_of(bone) if target.rotation_mode == "AUTO" else target.rotation_mode
        if part == "rotation_euler" and order not in _ORDERS:
            raise UnknownPartError(f"a driver looks at rotations as {order}")
        space = _SPACES[target.transform_space]
        if space == "POSE" and part != "scale":
            raise UnknownPartError("a driver looks at a bone in the scene")
        return Channel(joint=self._index[bone.name], part=part, index="XYZ".index(axis), order=order, space=space)

    def shared(self, path: str, held: float, muted: bool) -> Value:
        """An influence, zero where it is muted; what is driven is left open.

        Args:
            path: Of the constraint.
            held: Its influence.
            muted: Whether it is muted.
        """
        influence, off = self.value(f"{path}.influence", held), self.value(f"{path}.mute", float(muted))
        if isinstance(off, float):
            return 0.0 if off else influence
        share = Channel(held=influence) if isinstance(influence, float) else influence
        return Driven("SCRIPTED", (("share", share), ("off", off)), Expression.parse("share * (off < 0.5)"))

    def driven_channels(self) -> Iterator[tuple[str, str, int, Driven | UnknownPartError]]:
        """Name of a bone, one of its properties, index of its component, and what sets it or why that is not known."""
        for (path, index), curve in self._drivers.items():
            found = _CHANNEL.match(path)
            if found is None or found[1] not in self._index:
                continue
            try:
                if found[2] == "rotation_quaternion":
                    raise UnknownPartError("its rotation is driven as a quaternion")
                yield found[1], found[2], int(found[3] or index), self._driven(curve)
            except UnknownPartError as why:
                yield found[1], found[2], 0, why


def _polynomial(curve: FCurve) -> tuple[float, ...]:
    """What a driver's curve makes of the driver's number, as coefficients; empty if it leaves it."""
    acting = [modifier for modifier in curve.modifiers if not modifier.mute]
    keys: list[Any] = [tuple(key.co) for key in curve.keyframe_points]
    if keys and (keys != [(0.0, 0.0), (1.0, 1.0)] or curve.extrapolation != "LINEAR"):
        raise UnknownPartError("a driver has a curve")
    if len(acting) > 1 or any(each.type != "GENERATOR" or each.mode != "POLYNOMIAL" for each in acting):
        raise UnknownPartError("a driver has modifiers")
    found = tuple(acting[0].coefficients) if acting else ()
    return () if found == (0.0, 1.0) else found
