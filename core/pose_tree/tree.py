"""A tree of control spaces: what a child blends is a target of its parent (pose trees, 3)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import MotionEditError
from ..motion import Motion, joined
from ..numerics import Array
from .control_space import ControlSpace, EmptySpaceError
from .pose_chart import Flags


class TreeError(MotionEditError):
    """Nodes that are no tree."""


@dataclass(frozen=True, eq=False)
class Node:
    """A control space in a tree.

    Attributes:
        name: Unique among the nodes.
        places: (N, 3) of its own targets.
        poses: Their poses, one frame each.
        held: (N, J) joints that a target includes; None for all.
        held_scalars: (N, S) likewise scalars.
        parent: Name of the node that this one is a target of; None at the top.
        place_in_parent: (3,) where it is a target there.
        owned: (J,) joints that it hands to its parent; None for all that it drives.
        owned_scalars: (S,) likewise scalars.
    """

    name: str
    places: Any
    poses: Motion
    held: Any = None
    held_scalars: Any = None
    parent: str | None = None
    place_in_parent: Any = (0.0, 0.0, 0.0)
    owned: Any = None
    owned_scalars: Any = None


@dataclass(frozen=True, eq=False)
class NodePose:
    """What a node blends.

    Attributes:
        poses: One frame for every place of the cursors.
        joints: (J,) joints that it says something about.
        scalars: (S,) likewise scalars.
    """

    poses: Motion
    joints: Flags
    scalars: Flags


class PoseTree:
    """Nodes with solved control spaces; a moving cursor needs no new solution anywhere.

    Attributes:
        nodes: By name.
        order: Their names, children before their parents.
        spaces: The solved control space of every node; children are its last targets.
    """

    def __init__(self, nodes: Sequence[Node]) -> None:
        """Solve all spaces, children first.

        Raises:
            TreeError: A name is used twice, a parent does not exist, or a node is its own ancestor.
            EmptySpaceError: A node has neither targets nor children.
        """
        self.nodes = {node.name: node for node in nodes}
        if len(self.nodes) != len(nodes):
            raise TreeError("Two nodes have the same name; rename one of them")
        self.order = _bottom_up(self.nodes)
        self.spaces: dict[str, ControlSpace] = {}
        for name in self.order:
            self.spaces[name] = self._solved(self.nodes[name])

    def children(self, name: str) -> list[str]:
        """Names of a node's children, in the order of their targets."""
        return [child for child in self.order if self.nodes[child].parent == name]

    @property
    def tops(self) -> list[str]:
        """Nodes without a parent."""
        return [name for name in self.order if self.nodes[name].parent is None]

    def evaluate(self, cursors: Mapping[str, Any]) -> dict[str, NodePose]:
        """What every node blends, children before their parents.

        Args:
            cursors: For each node the places (M, 3) of its cursor; all nodes the same number of them.
        """
        blended: dict[str, NodePose] = {}
        for name in self.order:
            space = self.spaces[name]
            kids = [blended[child].poses for child in self.children(name)]
            blended[name] = NodePose(space.at(cursors[name], moving_poses=kids), *self._handed_on(name))
        return blended

    def _handed_on(self, name: str) -> tuple[Flags, Flags]:
        """Joints and scalars that a node drives and may hand on."""
        node, space = self.nodes[name], self.spaces[name]
        owned = True if node.owned is None else np.asarray(node.owned, dtype=np.bool_)
        scalars = True if node.owned_scalars is None else np.asarray(node.owned_scalars, dtype=np.bool_)
        return np.logical_and(space.joints, owned), np.logical_and(space.scalars, scalars)

    def _solved(self, node: Node) -> ControlSpace:
        children = self.children(node.name)
        own = np.asarray(node.places, dtype=np.float64).reshape(-1, 3)
        if not len(own) and not children:
            raise EmptySpaceError(f"Node '{node.name}' has no targets; add a pose to it first")
        handed = [self._handed_on(child) for child in children]
        return ControlSpace.build(
            np.concatenate([own, *(np.reshape(self.nodes[child].place_in_parent, (1, 3)) for child in children)]),
            joined([node.poses, *(self._middle(child) for child in children)]),
            held=_flags(node.held, (len(own), len(node.poses.skeleton)), [joints for joints, _ in handed]),
            held_scalars=_flags(
                node.held_scalars, (len(own), len(node.poses.scalar_names)), [scalars for _, scalars in handed]
            ),
            moving=range(len(own), len(own) + len(children)),
        )

    def _middle(self, name: str) -> Motion:
        """Some pose of a child to begin with: the one amid its targets."""
        space = self.spaces[name]
        return space.at(space.places.mean(axis=0))


def _flags(own: Any, shape: tuple[int, int], children: list[Flags]) -> Array:
    flags = np.broadcast_to(np.asarray(True if own is None else own, dtype=np.bool_), shape)
    return np.concatenate([flags, *(child[None] for child in children)])


def _bottom_up(nodes: Mapping[str, Node]) -> list[str]:
    """Names, children before their parents."""
    for node in nodes.values():
        if node.parent is not None and node.parent not in nodes:
            raise TreeError(f"Node '{node.name}' has the parent '{node.parent}', which does not exist")
    depths = {name: len(_ancestors(nodes, name)) for name in nodes}
    return sorted(nodes, key=lambda name: -depths[name])


def _ancestors(nodes: Mapping[str, Node], name: str) -> list[str]:
    ancestors: list[str] = []
    parent = nodes[name].parent
    while parent is not None:
        if parent == name or parent in ancestors:
            raise TreeError(f"Node '{name}' would be its own ancestor; choose another parent")
        ancestors.append(parent)
        parent = nodes[parent].parent
    return ancestors
