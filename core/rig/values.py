"""Numbers that a rig's drivers work out of channels: influences, switches, weights, driven channels."""

import ast
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

_FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{name: getattr(np, name) for name in ("sin", "cos", "tan", "sqrt", "exp", "floor", "ceil", "degrees", "radians")},
    "abs": np.abs,
    "fabs": np.abs,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "atan2": np.arctan2,
    "pow": np.power,
    "log": np.log,
    "round": np.round,
    "trunc": np.trunc,
    "int": np.trunc,
    "float": np.asarray,
    "min": lambda *values: np.minimum.reduce(np.broadcast_arrays(*values)),
    "max": lambda *values: np.maximum.reduce(np.broadcast_arrays(*values)),
    "clamp": lambda value, low=0.0, high=1.0: np.clip(value, low, high),
    "lerp": lambda start, end, share: start + share * (end - start),
    "smoothstep": lambda low, high, value: _smoothstep(np.clip((value - low) / (high - low), 0.0, 1.0)),
}
_CONSTANTS = {"pi": math.pi, "e": math.e, "tau": math.tau, "True": 1.0, "False": 0.0}
_OPERATORS: dict[type, Callable[..., Any]] = {
    ast.Add: np.add,
    ast.Sub: np.subtract,
    ast.Mult: np.multiply,
    ast.Div: np.divide,
    ast.FloorDiv: np.floor_divide,
    ast.Mod: np.mod,
    ast.Pow: np.power,
    ast.USub: np.negative,
    ast.UAdd: np.positive,
    ast.Not: np.logical_not,
    ast.Eq: np.equal,
    ast.NotEq: np.not_equal,
    ast.Lt: np.less,
    ast.LtE: np.less_equal,
    ast.Gt: np.greater,
    ast.GtE: np.greater_equal,
}


def _smoothstep(share: Any) -> Any:
    return share * share * (3.0 - 2.0 * share)


class UnknownExpressionError(ValueError):
    """An expression does something that is not worked out here."""


@dataclass(frozen=True)
class Expression:
    """A driver's formula over named numbers."""

    tree: ast.expr
    names: frozenset[str]

    @classmethod
    def parse(cls, text: str) -> "Expression":
        """Read a formula in Python's words.

        Raises:
            UnknownExpressionError: It is none, or calls something unknown.
        """
        try:
            tree = ast.parse(text.strip(), mode="eval").body
        except SyntaxError as error:
            raise UnknownExpressionError(text) from error
        _check(tree, text)
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        return cls(tree, frozenset(names - _CONSTANTS.keys() - _FUNCTIONS.keys()))

    def value(self, named: Mapping[str, Any]) -> Any:
        """What it gives: a number, or (F,) numbers where one of the named is."""
        with np.errstate(all="ignore"):
            return np.asarray(_value(self.tree, named), dtype=np.float64)


def _check(node: ast.AST, text: str) -> None:
    known = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp, ast.IfExp, ast.Call, ast.Name, ast.Constant)
    plain = (ast.operator, ast.unaryop, ast.cmpop, ast.boolop, ast.expr_context)
    for each in ast.walk(node):
        called = isinstance(each, ast.Call) and not (isinstance(each.func, ast.Name) and each.func.id in _FUNCTIONS)
        if called or not isinstance(each, (*known, *plain)):
            raise UnknownExpressionError(text)
        if isinstance(each, (ast.operator, ast.unaryop, ast.cmpop)) and type(each) not in _OPERATORS:
            raise UnknownExpressionError(text)
        if isinstance(each, ast.Constant) and not isinstance(each.value, (int, float)):
            raise UnknownExpressionError(text)


def _value(node: ast.expr, named: Mapping[str, Any]) -> Any:
    match node:
        case ast.Constant(value=number):
            return number
        case ast.Name(id=name):
            return named[name] if name in named else _CONSTANTS[name]
        case ast.BinOp(left=left, op=operator, right=right):
            return _OPERATORS[type(operator)](_value(left, named), _value(right, named))
        case ast.UnaryOp(op=operator, operand=operand):
            return _OPERATORS[type(operator)](_value(operand, named))
        case ast.Compare():
            return _compared(node, named)
        case ast.BoolOp(op=operator, values=parts):
            combine = np.logical_and if isinstance(operator, ast.And) else np.logical_or
            return combine.reduce(np.broadcast_arrays(*(_value(part, named) for part in parts)))
        case ast.IfExp(test=test, body=body, orelse=otherwise):
            return np.where(_value(test, named), _value(body, named), _value(otherwise, named))
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return _FUNCTIONS[name](*(_value(each, named) for each in arguments))
    raise UnknownExpressionError(ast.dump(node))


def _compared(node: ast.Compare, named: Mapping[str, Any]) -> Any:
    values = [_value(each, named) for each in (node.left, *node.comparators)]
    pairs = zip(node.ops, values, values[1:], strict=False)
    results = [_OPERATORS[type(operator)](one, other) for operator, one, other in pairs]
    return np.logical_and.reduce(np.broadcast_arrays(*results))


@dataclass(frozen=True)
class Channel:
    """A number of the motion: a custom property, or a component of a joint's own channels.

    Attributes:
        name: Of a scalar; empty for a component.
        held: What it is where the motion does not have it.
        joint: Whose component.
        part: 'location', 'rotation_euler', 'rotation_quaternion' or 'scale'.
        index: Which of its numbers.
        order: Euler order of the joint.
        space: 'LOCAL' or 'POSE' for a component of where the joint is, constraints included; empty for its channels.
    """

    name: str = ""
    held: float = 0.0
    joint: int = 0
    part: str = ""
    index: int = 0
    order: str = "XYZ"
    space: str = ""


@dataclass(frozen=True)
class Driven:
    """A number that a driver works out.

    Attributes:
        combine: 'SUM', 'AVERAGE', 'MIN', 'MAX' or 'SCRIPTED'.
        inputs: Its variables by name.
        expression: For 'SCRIPTED'.
        polynomial: Coefficients of what is made of the result, that of the lowest power first; empty if nothing is.
    """

    combine: str
    inputs: tuple[tuple[str, "Channel | Driven"], ...]
    expression: Expression | None = None
    polynomial: tuple[float, ...] = ()

    def value(self, read: Callable[["Channel | Driven"], Any]) -> Any:
        """The number, or (F,) numbers; `read` gives those of the variables."""
        found = self._combined({name: read(each) for name, each in self.inputs})
        return np.polynomial.polynomial.polyval(found, self.polynomial) if self.polynomial else found

    def _combined(self, named: Mapping[str, Any]) -> Any:
        if self.expression is not None:
            return self.expression.value(named)
        values = np.broadcast_arrays(*(np.asarray(each, dtype=np.float64) for each in named.values())) or [np.zeros(())]
        match self.combine:
            case "AVERAGE":
                return np.mean(values, axis=0)
            case "MIN":
                return np.min(values, axis=0)
            case "MAX":
                return np.max(values, axis=0)
        return np.sum(values, axis=0)


Value = float | Channel | Driven


def channels_of(value: Value) -> list[Channel]:
    """All channels that a number follows from."""
    if isinstance(value, Channel):
        return [value]
    if isinstance(value, Driven):
        return [found for _name, each in value.inputs for found in channels_of(each)]
    return []
