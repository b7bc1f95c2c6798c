"""Targets sorted into child nodes, and laid out for a view."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import bpy
import numpy as np
from bpy_extras.view3d_utils import region_2d_to_location_3d
from mathutils import Quaternion, Vector

from ....core.errors import MotionEditError
from ....core.pose_tree import View, arrange_for_view, cluster_poses
from ...border.translation import counted_text, report_text
from .. import model, spaces
from ..poses import saved_poses, stored_poses
from .solution import place_in

if TYPE_CHECKING:
    from bpy.types import Context, Object, Scene

    from ..settings import MOTIONEDIT_PG_tree_node


def cluster(scene: Scene, owner: Object, number: int, count: int) -> str:
    """Hand the targets of a node on to new children, like poses together; gives what to report.

    A group of one stays a target of the node itself.
    """
    node = model.known_node(owner, number)
    targets = saved_poses.sound_targets(owner, node)
    parts = [saved_poses.pose_of_target(owner, target) for target in targets]
    if not parts:
        raise MotionEditError(f"'{node.name}' has no targets to sort: add poses first")
    groups = cluster_poses(stored_poses.fitted(owner, parts).poses, count)
    names = [target.name for target in targets]
    places = np.array([place_in(node, target) for target in targets])
    made = 0
    for group in np.unique(groups):
        members = np.flatnonzero(groups == group)
        if len(members) > 1:
            made += 1
            _make_child(scene, owner, number, made, [names[member] for member in members], places[members])
    model.tree_of(owner).active = next(
        index for index, each in enumerate(model.tree_of(owner).nodes) if each.number == number
    )
    stayed = int(np.sum(np.bincount(groups) == 1))
    counts = {"count": len(names) - stayed, "poses": counted_text(len(names), "pose")}
    return report_text("{count} of {poses} are in {nodes} now", nodes=counted_text(made, "child node"), **counts)


def _make_child(scene: Scene, owner: Object, number: int, count: int, names: list[str], places: np.ndarray) -> None:
    above = model.known_node(owner, number)
    middle = places.mean(axis=0)
    child = spaces.add_node(scene, owner, f"{above.name} {count}", parent=number, place=middle)
    node, above = model.known_node(owner, child), model.known_node(owner, number)
    # The same space in the scene: no target moves.
    node.space.parent, node.space.matrix_parent_inverse = above.space.parent, above.space.matrix_parent_inverse
    node.space.matrix_basis = above.space.matrix_basis
    node.cursor.location = middle
    node.limited = above.limited
    for each in above.owned:
        node.owned.add().name = each.name
    for name in names:
        spaces.move_target(owner, bpy.data.objects[name], child)


@dataclass(frozen=True)
class ViewOfScene:
    """What a 3D View sees: its rotation as a quaternion, and what is in its middle."""

    rotation: Any
    centre: Any
    width: float
    height: float


def view_of(context: Context, node: MOTIONEDIT_PG_tree_node) -> ViewOfScene:
    """The 3D View's picture at the depth of a node's space."""
    region, data = context.region, context.region_data
    depth = node.space.matrix_world.translation
    corners = ((0, 0), (region.width, 0), (0, region.height))
    low, right, high = (region_2d_to_location_3d(region, data, corner, depth) for corner in corners)
    centre = region_2d_to_location_3d(region, data, (0.5 * region.width, 0.5 * region.height), depth)
    return ViewOfScene(data.view_rotation.copy(), centre, (right - low).length, (high - low).length)


def arrange(
    context: Context, owner: Object, node: MOTIONEDIT_PG_tree_node, view: ViewOfScene, clusters: int, size: float
) -> int:
    """Lay a node's targets and places of children out for a view; gives how many there are."""
    context.view_layer.update()
    things = [*model.targets_of(node), *(place for _child, place in model.places_of_children(owner, node))]
    if not things:
        raise MotionEditError(f"'{node.name}' has no targets to arrange: add poses first")
    places = np.array([place_in(node, thing) for thing in things])
    for thing, place in zip(
        things, arrange_for_view(places, _in_space(node, view, size), clusters=clusters), strict=True
    ):
        thing.parent, thing.location = node.space, place
    return len(things)


def _in_space(node: MOTIONEDIT_PG_tree_node, view: ViewOfScene, size: float) -> View:
    """A view of the scene in the units and axes of a node's space."""
    to_space = node.space.matrix_world.inverted_safe()
    turned = Quaternion(view.rotation)
    right, up = (to_space.to_3x3() @ (turned @ Vector(axis)) for axis in ((1, 0, 0), (0, 1, 0)))
    return View(
        np.array(to_space @ Vector(view.centre)),
        np.array(right.normalized()),
        np.array(up.normalized()),
        size * view.width * right.length,
        size * view.height * up.length,
    )
