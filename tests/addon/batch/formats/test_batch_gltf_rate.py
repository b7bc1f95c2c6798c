"""glTF files are read at the rate at which they were sampled, and broken ones leave the word to the importer."""

from __future__ import annotations

import json
from pathlib import Path

import bpy
import pytest
from motion_editing.motion_editing_addon.batch.formats import clip_files
from motion_editing.motion_editing_addon.batch.formats.kinds.gltf import USUAL_RATE, sampled_rate


def described(folder: Path, *spans: tuple[float, int]) -> Path:
    """A file with channels of these lengths, in seconds, and numbers of keys."""
    accessors = [{"min": [0.0], "max": [seconds], "count": count} for seconds, count in spans]
    samplers = [{"input": number, "output": 0} for number in range(len(spans))]
    path = folder / "described.gltf"
    path.write_text(json.dumps({"accessors": accessors, "animations": [{"samplers": samplers}]}))
    return path


@pytest.mark.parametrize(
    ("spans", "rate"),
    [
        ([(2.0, 49)], 24),
        ([(1.0, 61), (1.0, 61), (1.0, 31)], 60),
        ([(2.0, 49), (3.3, 5)], 24),
        ([(3.3, 5), (0.71, 9)], USUAL_RATE),
        ([(0.0, 1)], USUAL_RATE),
        ([], USUAL_RATE),
    ],
)
def test_the_rate_is_that_of_most_evenly_keyed_channels(tmp_path, spans, rate):
    assert sampled_rate(described(tmp_path, *spans)) == rate


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"glTF\x02\0\0\0", b'{"animations": [{}]}'])
@pytest.mark.parametrize("suffix", [".glb", ".gltf"])
def test_a_broken_file_has_the_usual_rate(tmp_path, content, suffix):
    path = tmp_path / f"broken{suffix}"
    path.write_bytes(content)
    assert sampled_rate(path) == USUAL_RATE


@pytest.mark.parametrize("suffix", [".glb", ".gltf"])
def test_what_was_written_at_a_rate_is_read_at_it(tmp_path, suffix):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.motion_editing.load_sample_motion(rate=25.0)
    bpy.context.scene.render.fps = 25
    path = tmp_path / f"sample{suffix}"
    clip_files.save(path, like=path)
    assert sampled_rate(path) == 25
    clip_files.start_empty()
    clip_files.load(path)
    (action,) = bpy.data.actions
    frames = [key.co[0] for key in action.layers[0].strips[0].channelbags[0].fcurves[0].keyframe_points]
    assert all(abs(frame - round(frame)) < 1e-3 for frame in frames)
