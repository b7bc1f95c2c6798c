"""The mannequin with a face that smiles, talks and blinks while it walks."""

import bpy
import numpy as np

# Few frames, so that tests take little time.
RATE, FRAMES = 15.0, 178
SHAPES = ("smile", "jaw_open", "blink.L", "blink.R")


def talking_mannequin(*, every=1):
    """Armature and mesh; every shape key has a key on each of some frames, in an action of the mesh's own."""
    bpy.ops.motion_editing.load_sample_motion(character="MANNEQUIN", rate=RATE)
    armature = bpy.context.object
    mesh = next(thing for thing in armature.children if thing.type == "MESH")
    for number, name in enumerate(SHAPES):
        block = mesh.data.shape_keys.key_blocks[name]
        for frame in range(1, FRAMES + 1, every):
            block.value = float(0.5 + 0.5 * np.sin(frame / (5.0 + number) + number))
            block.keyframe_insert("value", frame=frame)
    assert shape_action(mesh) != armature.animation_data.action
    return armature, mesh


def activate(thing):
    """Click an object: it alone is selected, and active."""
    for other in bpy.context.selected_objects:
        other.select_set(False)
    thing.select_set(True)
    bpy.context.view_layer.objects.active = thing


def shape_action(mesh):
    return mesh.data.shape_keys.animation_data.action


def all_keys(action):
    """Every key of every slot, with handles, bit for bit."""
    found = {}
    for bag in action.layers[0].strips[0].channelbags:
        for curve in bag.fcurves:
            points = curve.keyframe_points
            values = [np.empty(2 * len(points), dtype=np.float32) for _ in range(3)]
            for name, each in zip(("co", "handle_left", "handle_right"), values, strict=True):
                points.foreach_get(name, each)
            found[bag.slot.identifier, curve.data_path, curve.array_index] = b"".join(map(bytes, values))
    return found


def shape_values(mesh, name, frames):
    """What a shape key's curve says at some frames."""
    bag = shape_action(mesh).layers[0].strips[0].channelbags[0]
    curve = bag.fcurves.find(f'key_blocks["{name}"].value')
    return [curve.evaluate(frame) for frame in frames]
