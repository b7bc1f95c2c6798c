"""Saved pose trees that were damaged in any way: no traceback anywhere, and Repair Tree and Remove Pose Tree help."""

import random
from types import SimpleNamespace

import bpy
import numpy as np
import pytest
import rigs
from motion_editing.motion_editing_addon.interface.drawing.scene_theme import scene_palette
from motion_editing.motion_editing_addon.interface.drawing.screen_places import ScreenView
from motion_editing.motion_editing_addon.pose_tree import live, model, panel, render_notice
from motion_editing.motion_editing_addon.pose_tree.overlay import overlay_painter
from seen_tree import SIZE, view_at, wide_letters
from tree_rigs import OPERATORS, activate, cursor_of, pose_at_random

ROUNDS = 12
NUMBERS = (-1, 0, 1, 2, 3, 7, 1_000_000, 2**31 - 1, -(2**31))
FLOATS = (float("nan"), float("inf"), float("-inf"), -1.0, 0.0, 1e-30, 1e30)
TEXTS = ("", "[", "{}", "null", '["bone1"]', "[1, 2]", '["bone0", "bone0", "bone9"]', "Body", "x" * 300)
ANYTHING = (*NUMBERS[:4], *FLOATS[:2], *TEXTS[:4], [1, 2, 3], [0.5] * 7, [float("nan")] * 4, {"a": 1}, [True, False])
TOOLS = [
    ("live_pose_tree", {"state": "ON"}),
    ("add_tree_node", {"parent": "Body"}),
    ("add_tree_pose", {}),
    ("add_tree_pose", {"place": "SUGGESTED"}),
    ("add_action_pose", {"action": "Walk", "frame": 3.0}),
    ("replace_tree_pose", {"target": "Pose 1"}),
    ("go_to_tree_pose", {"target": "Pose 2"}),
    ("suggest_tree_place", {}),
    ("end_suggesting", {}),
    ("key_tree_cursor", {"every_node": True}),
    ("rename_tree_node", {"name": "Other"}),
    ("set_tree_parent", {"node": "Arm", "parent": "Body"}),
    ("limit_tree_node", {"what": "NAMED", "names": "bone1"}),
    ("arrange_tree_node", {}),
    ("cluster_tree_node", {"count": 2}),
    ("embed_action", {"action": "Walk"}),
    ("pick_path_pose", {}),
    ("make_tree_branch", {}),
    ("make_tree_branch", {"method": "BLEND"}),
    ("blend_tree_branches", {"other": "Walk Branch"}),
    ("follow_tree_path", {}),
    ("leave_tree_path", {}),
    ("bake_pose_tree", {"use_scene": False, "first": 1, "last": 5}),
    ("remove_tree_path", {}),
    ("remove_tree_node", {"node": "Arm"}),
]


@pytest.fixture(scope="module")
def tree_file(registered_addon, tmp_path_factory):
    """A live tree with two nodes, poses, a path, a branch that is followed, and a ghost, in a file."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    armature = rigs.chain_armature(3, connected=False)
    armature["number"] = 0.5
    rigs.key_bones(armature, [1, 6, 12]).name = "Walk"
    OPERATORS.add_pose_tree(live=False)
    OPERATORS.add_tree_node(name="Arm", parent="Body")
    for node in ("Body", "Arm"):
        for number in range(3):
            pose_at_random(armature, number)
            cursor_of(armature, ("Body", "Arm").index(node)).location = (number, number % 2, 0.3)
            OPERATORS.add_tree_pose(name=f"Pose {number}", node=node)
    model.tree_of(armature).active = 0
    OPERATORS.embed_action(action="Walk", node="Body", count=4)
    OPERATORS.pick_path_pose(frame=5, node="Body")
    OPERATORS.make_tree_branch(margin=3, node="Body")
    OPERATORS.follow_tree_path(node="Body", path="Walk")
    OPERATORS.suggest_tree_place(node="Arm")
    OPERATORS.live_pose_tree(state="ON")
    path = tmp_path_factory.mktemp("tree") / "tree.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    return str(path)


@pytest.fixture
def armature(tree_file):
    bpy.ops.wm.open_mainfile(filepath=tree_file)
    return bpy.data.objects["Rig"]


# Damage


def saved_groups(armature):
    """Everything that is saved of a tree: its groups of properties, and what keeps arrays."""
    tree = model.tree_of(armature)
    yield from (tree, *tree.muted[:2])
    for node in tree.nodes:
        yield from (node, *node.owned, *node.paths, *(path.store for path in node.paths if path.store is not None))
    yield from (thing.motion_editing_control for thing in bpy.data.objects)
    yield from armature.animation_data.action.motion_editing_muted[:2]


def properties_of(group):
    """The properties that the extension gave a group; what keeps arrays has none."""
    names = getattr(type(group), "__annotations__", {})
    return [] if isinstance(group, bpy.types.ID) else [group.bl_rna.properties[name] for name in names]


def damage(chance, armature):
    """Spoil one field of one group; gives what was done, to be read when it matters."""
    group = chance.choice(list(saved_groups(armature)))
    arrays = [key for key in group.keys() if hasattr(group[key], "typecode") or key in ARRAYS]  # noqa: SIM118
    if arrays and chance.random() < 0.6:
        return _damage_kept(chance, group, chance.choice(arrays))
    declared = properties_of(group)
    return _damage_property(chance, group, chance.choice(declared)) if declared else ""


ARRAYS = {"joints", "scalar_names", "stepped", "pose_count", "places", "targets", "rotations", "scalars"}


def _damage_kept(chance, group, key):
    kept = group[key]
    ways = ["delete", "anything"]
    if hasattr(kept, "typecode"):
        ways += ["cut", "longer", "not finite", "far out"]
    way, values = chance.choice(ways), None
    if way == "anything":
        values = chance.choice((*ANYTHING, *NUMBERS))
    elif way != "delete":
        values = np.frombuffer(kept, dtype=kept.typecode).copy()
        if way == "cut":
            values = values[: chance.randrange(1, max(2, len(values)))]
        elif way == "longer":
            values = np.concatenate([values, values[:2]])
        else:
            values[chance.randrange(len(values))] = {"i": 10**9}.get(kept.typecode, np.nan if way[0] == "n" else 1e30)
    del group[key]  # Blender writes a longer array beyond the end of a shorter one
    if values is not None:
        group[key] = values
    return f"{way} {key}"


def _damage_property(chance, group, prop):
    name, kind = prop.identifier, prop.type
    if kind == "COLLECTION":
        items = getattr(group, name)
        if len(items) and chance.random() < 0.5:
            items.remove(chance.randrange(len(items)))
        else:
            items.add()
        return f"{kind} {name}"
    if kind == "POINTER":
        others = {"Object": bpy.data.objects, "Collection": bpy.data.collections, "Mesh": bpy.data.meshes}
        pool = list(others.get(prop.fixed_type.identifier, ()))
        value = chance.choice([None, *pool])
    elif kind == "ENUM":
        value = chance.choice([item.identifier for item in prop.enum_items])
    else:
        value = chance.choice({"INT": NUMBERS, "FLOAT": FLOATS, "STRING": TEXTS, "BOOLEAN": (False, True)}[kind])
    setattr(group, name, value)
    return f"{name} = {value}"


# What everybody does with a tree


class Layout:
    """Stands for Blender's layout, and takes everything."""

    def __getattr__(self, _name):
        return lambda *_arguments, **_options: self

    def split(self, **_options):
        return self


def look_at(armature):
    """Draw the panel, the list and the overlay, as Blender does at every redraw."""
    context, layout = bpy.context, Layout()
    owner = model.owner_in(context)
    if not model.has_tree(owner):
        return
    preferences = SimpleNamespace(system=SimpleNamespace(ui_scale=1.0))
    window = SimpleNamespace(region=SimpleNamespace(width=300), preferences=preferences)
    panel._draw_live(layout, window, owner)
    panel._draw_nodes(layout, owner)
    for node in model.tree_of(owner).nodes:
        panel._draw_node(layout, window, owner, node)
        model.problem_of(owner, node)
        model.target_count(owner, node)
    rows = panel.MOTIONEDIT_UL_tree_nodes.filter_items(None, context, model.tree_of(owner), "nodes")[1]
    assert len(rows) == len(model.tree_of(owner).nodes)
    colours = scene_palette(context)
    seen = overlay_painter.scene_of(context, live.owner_names(), colours)
    overlay_painter.screen_of(seen, "region", ScreenView.of(view_at(0, 0, 0), SIZE), colours, wide_letters)
    render_notice.unbaked_text(context.scene)


def use(tool, options):
    """Call a tool; a refusal is one line that is no traceback. Gives the refusal."""
    if not getattr(OPERATORS, tool).poll():
        return ""
    try:
        getattr(OPERATORS, tool)(**options)
    except RuntimeError as error:
        text = str(error).removeprefix("Error: ").strip()
        assert "Traceback" not in text, (tool, text)
        assert "\n" not in text, (tool, text)
        return text
    return ""


def play(scene):
    for frame in (2, 5):
        scene.frame_set(frame)
    for thing in bpy.data.objects:
        thing.update_tag()
    bpy.context.view_layer.update()


def loaded_again(armature, folder):
    """The character from a file that was saved as it is."""
    name, path = armature.name, str(folder / "damaged.blend")
    kept = list(bpy.app.handlers.save_pre)
    bpy.app.handlers.save_pre.clear()
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.app.handlers.save_pre[:] = kept
    bpy.ops.wm.open_mainfile(filepath=path)
    activate(bpy.data.objects[name])
    return bpy.data.objects[name]


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_a_damaged_tree_is_refused_repaired_and_removed_without_a_traceback(seed, armature, tmp_path, capfd):
    chance = random.Random(seed)
    activate(armature)
    others = {"Rig", "Walk"}
    done = [damage(chance, armature) for _each in range(chance.choice((1, 1, 2, 4, 12)))]
    print(done)
    model.tree_of(armature).version = max(1, model.tree_of(armature).version)
    model.tree_of(armature).revision = model.tree_of(armature).revision % 1000 + 1
    if chance.random() < 0.3:
        armature = loaded_again(armature, tmp_path)
    play(bpy.context.scene)
    look_at(armature)
    for tool, options in chance.sample(TOOLS, 8):
        use(tool, options)
        look_at(armature)
    play(bpy.context.scene)
    refusal = use("repair_pose_tree", {})
    assert "Repair Tree" not in refusal
    look_at(armature)
    for node in model.tree_of(armature).nodes:
        assert "Repair Tree" not in (model.damage_of(armature, node) or "")
    assert "Repair Tree" not in (live.problem_of(armature) or "") + (live.note_of(armature) or "")
    for tool, options in chance.sample(TOOLS, 4):
        assert "use Repair Tree" not in use(tool, options)
    assert use("remove_pose_tree", {}) == ""
    assert not model.has_tree(armature)
    assert not [thing for thing in bpy.data.objects if model.is_part(armature, thing)]
    assert others <= {*bpy.data.objects.keys(), *bpy.data.actions.keys()}
    play(bpy.context.scene)
    output = "".join(capfd.readouterr())
    assert "Traceback" not in output, output
