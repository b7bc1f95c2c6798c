"""With a character's mesh active, everything is about the armature that moves it, and about its face."""

import bpy
import pytest
from motion_editing.motion_editing_addon.clip.scope_text import scope_text
from motion_editing.motion_editing_addon.document import scope
from talking_mannequin import FRAMES, activate, all_keys, shape_action, shape_values, talking_mannequin

OPERATORS = bpy.ops.motion_editing
# Tools whose owner may be the mesh itself.
OF_A_FACE = ("tree", "pose_path", "branch")


def new_mesh(name, parent=None):
    mesh = bpy.data.objects.new(name, bpy.data.meshes.new(name))
    bpy.context.collection.objects.link(mesh)
    mesh.parent = parent
    return mesh


def polls():
    names = [name for name in dir(OPERATORS) if not any(word in name for word in OF_A_FACE)]
    return {name: getattr(OPERATORS, name).poll() for name in names}


def panels():
    kinds = [kind for kind in bpy.types.Panel.__subclasses__() if kind.__module__.startswith("motion_editing.")]
    return {
        kind.__name__: kind.poll(bpy.context) for kind in kinds if "poll" in dir(kind) and "tree" not in kind.__name__
    }


def test_polls_and_panels_answer_as_for_the_armature():
    armature, mesh = talking_mannequin(every=20)
    OPERATORS.extract_poses()
    OPERATORS.add_layer()
    activate(armature)
    wanted = polls(), panels()
    assert sum(wanted[0].values()) > 60
    assert sum(wanted[1].values()) > 20
    activate(mesh)
    assert (polls(), panels()) == wanted
    assert scope_text(bpy.context) == f"All visible bones of '{armature.name}'"


TOOLS = [
    ("warp_time", {"use_keytimes": False, "length": 0.8}),
    ("low_pass", {"cutoff": 3.0}),
    ("mirror_motion", {}),
    ("reduce_keys", {}),
]


@pytest.mark.parametrize(("tool", "options"), TOOLS)
def test_a_tool_does_the_same_from_the_mesh_and_the_face_goes_along(tool, options):
    done = []
    for number in (0, 1):
        bpy.ops.wm.read_factory_settings(use_empty=True)
        things = talking_mannequin()
        before = all_keys(shape_action(things[1]))
        activate(things[number])
        assert getattr(OPERATORS, tool)(**options) == {"FINISHED"}
        done.append((all_keys(things[0].animation_data.action), all_keys(shape_action(things[1]))))
        assert done[-1][1] != before
    assert done[0] == done[1]


def test_the_armature_is_found_by_modifier_and_over_parents():
    armature, mesh = talking_mannequin(every=50)
    lashes = new_mesh("lashes", new_mesh("eye", mesh))
    bare = new_mesh("bare")
    modifier = bare.modifiers.new("rig", "ARMATURE")
    for thing, wanted in ((lashes, armature), (bare, bare), (mesh, armature), (armature, armature)):
        activate(thing)
        assert scope.edited_object(bpy.context) == wanted
    modifier.object = armature
    activate(bare)
    assert scope.armatures(bpy.context) == [armature]


def test_shape_keys_over_parents_belong_to_the_armature_too():
    _armature, mesh = talking_mannequin(every=50)
    lashes = new_mesh("lashes", mesh)
    lashes.data.from_pydata([(0, 0, 0)], [], [])
    lashes.shape_key_add(name="Basis")
    flutter = lashes.shape_key_add(name="flutter")
    for frame in (1, FRAMES):
        flutter.keyframe_insert("value", frame=frame)
    activate(lashes)
    OPERATORS.warp_time(use_keytimes=False, length=0.5)
    assert shape_action(lashes).frame_range[1] == pytest.approx(0.5 * FRAMES, abs=1.0)


def test_a_prop_with_keys_of_its_own_stands_for_itself():
    armature, _mesh = talking_mannequin(every=50)
    sword = new_mesh("sword", armature)
    activate(sword)
    assert scope.edited_object(bpy.context) == armature
    sword.keyframe_insert("location", frame=1)
    assert scope.edited_object(bpy.context) == sword
    assert scope.why_not(bpy.context) == "Select an armature"
    assert scope.armatures(bpy.context, any_object=True) == [sword]


def test_a_camera_on_the_rig_is_no_part_of_the_character():
    armature, _mesh = talking_mannequin(every=50)
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    bpy.context.collection.objects.link(camera)
    camera.parent = armature
    activate(camera)
    assert scope.edited_object(bpy.context) == camera


def test_a_selected_mesh_stands_for_its_character():
    armature, mesh = talking_mannequin(every=50)
    bpy.ops.motion_editing.load_sample_motion()
    other = bpy.context.object
    mesh.select_set(True)
    found = scope.selected_objects(bpy.context)
    assert set(found) == {other, armature, mesh}
    assert found.index(armature) < found.index(mesh)


def test_editing_a_pose_from_the_mesh_brings_the_rig_to_pose_mode():
    armature, mesh = talking_mannequin(every=20)
    OPERATORS.extract_poses()
    activate(mesh)
    assert OPERATORS.edit_staggered_pose(pose=1) == {"FINISHED"}
    assert (bpy.context.object, armature.mode) == (armature, "POSE")
    OPERATORS.cancel_staggered_pose()
    assert armature.mode == "OBJECT"


def test_a_layer_takes_up_an_expression():
    armature, mesh = talking_mannequin()
    activate(mesh)
    OPERATORS.add_layer()
    bpy.context.scene.frame_set(100)
    before = shape_values(mesh, "smile", (60, 100, 140))
    mesh.data.shape_keys.key_blocks["smile"].value = 0.5 * before[1]
    OPERATORS.key_layer()
    assert shape_values(mesh, "smile", (100,)) == pytest.approx([0.5 * before[1]], abs=1e-4)
    armature.animation_data.action.motion_editing_layers.layers[0].muted = True
    assert shape_values(mesh, "smile", (60, 100, 140)) == pytest.approx(before, abs=1e-5)
