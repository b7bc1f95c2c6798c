"""The samples of the scene's sounds, and the scene frames on which their beats fall.

Blender's `aud` decodes what its users can play, from a file or packed into the blend file. A sound is
decoded once and its beats are found once; moving or trimming a strip afterwards costs nothing.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import bpy
import numpy as np

from ...core.analysis.music import Beats, beats, onsets
from ...core.errors import MotionEditError
from ...core.numerics import Recent
from .compatibility import content_start, strip_ends

if TYPE_CHECKING:
    from collections.abc import Callable

    from bpy.types import Scene, Sound, SoundStrip, Speaker

    # A strip of the sequencer, a speaker in the scene, or the sound alone, heard from the scene's first frame.
    Source = SoundStrip | Speaker | Sound


class SoundError(MotionEditError):
    """A sound cannot be read; the message says which and why."""


class SoundSamples(NamedTuple):
    """What is heard of a sound, and when.

    Attributes:
        samples: (N,) mean of all channels, read-only single precision.
        rate: Samples per second of sound.
        first_frame: Scene frame of the first sample, with fraction.
        frames_per_second: Scene frames per second of sound: the scene's rate, divided by the sound's speed.
    """

    samples: np.ndarray
    rate: float
    first_frame: float
    frames_per_second: float

    @property
    def last_frame(self) -> float:
        """Scene frame at which the last sample ends."""
        return self.first_frame + len(self.samples) / self.rate * self.frames_per_second


@dataclass(frozen=True)
class _Decoded:
    """A whole sound and what was found in it, by the name of the search."""

    samples: np.ndarray
    rate: float
    found: dict[tuple[str, float | None], Beats | np.ndarray]


@dataclass(frozen=True)
class _Placing:
    """Where a sound lies: frame of its first sample, frames per second of sound, frames between which it is heard."""

    start: float
    frames_per_second: float
    first: float
    last: float

    def frames(self, seconds: np.ndarray) -> np.ndarray:
        """Scene frames of the moments that are heard."""
        frames = self.start + seconds * self.frames_per_second
        return frames[(frames >= self.first) & (frames < self.last)]


# The last few sounds: a song of five minutes takes 50 MB.
_decoded: Recent[tuple[object, ...], _Decoded] = Recent(3)


def sound_strips(scene: Scene) -> list[SoundStrip]:
    """Sound strips of the scene's sequencer that can be heard, those in meta strips included, by start."""
    editor = scene.sequence_editor
    strips = [] if editor is None else [each for each in editor.strips_all if isinstance(each, bpy.types.SoundStrip)]
    heard = [strip for strip in strips if strip.sound is not None and not strip.mute]
    return sorted(heard, key=lambda strip: (strip_ends(strip)[0], strip.name))


def samples_of(source: Source, scene: Scene | None = None) -> SoundSamples:
    """What is heard of a strip, speaker or sound: trimmed as the strip is.

    Args:
        source: Where the sound comes from.
        scene: Whose frames count; by default the strip's own, else the current scene.

    Raises:
        SoundError: The sound is missing, cannot be decoded, or is retimed in several parts.
    """
    decoded = _decode(_sound_of(source))
    count = len(decoded.samples)
    placing = _placing(source, _scene_of(source, scene), count / decoded.rate)
    samples_per_frame = decoded.rate / placing.frames_per_second
    heard = (np.array([placing.first, placing.last]) - placing.start) * samples_per_frame
    first, end = np.rint(np.clip(heard, 0, count)).astype(int)
    start = placing.start + first / samples_per_frame
    return SoundSamples(decoded.samples[first:end], decoded.rate, float(start), placing.frames_per_second)


def beats_of(source: Source, *, tempo: float | None = None) -> Beats:
    """Beats of the whole sound in its own seconds, whatever part of it is heard.

    Args:
        source: Where the sound comes from.
        tempo: Beats per minute if they are known.

    Raises:
        SoundError: The sound is missing or cannot be decoded.
    """
    found: Beats = _found(source, "beats", tempo, lambda samples, rate: beats(samples, rate, tempo=tempo))
    return found


def beat_frames(scene: Scene, source: Source, *, tempo: float | None = None) -> np.ndarray:
    """(N,) scene frames, with fractions, of the beats that are heard; none if there is no beat.

    Args:
        source: A strip, speaker or sound.
        tempo: Beats per minute of the sound if they are known, such as half of what was found.

    Raises:
        SoundError: The sound is missing, cannot be decoded, or is retimed in several parts.
    """
    return _placed(scene, source, beats_of(source, tempo=tempo).times)


def onset_frames(scene: Scene, source: Source) -> np.ndarray:
    """(N,) scene frames, with fractions, at which something starts to sound; see `beat_frames`."""
    return _placed(scene, source, _found(source, "onsets", None, onsets))


def forget() -> None:
    """Drop all remembered sounds."""
    _decoded.clear()


def _found(source: Source, name: str, tempo: float | None, search: Callable[..., Any]) -> Any:
    """What a search finds in the whole sound; every search is made once."""
    decoded = _decode(_sound_of(source))
    if (name, tempo) not in decoded.found:
        decoded.found[name, tempo] = search(decoded.samples, decoded.rate)
    return decoded.found[name, tempo]


def _placed(scene: Scene, source: Source, seconds: np.ndarray) -> np.ndarray:
    decoded = _decode(_sound_of(source))
    return _placing(source, scene, len(decoded.samples) / decoded.rate).frames(seconds)


def _sound_of(source: Source) -> Sound:
    sound = source if isinstance(source, bpy.types.Sound) else source.sound
    if sound is None:
        raise SoundError(f"'{source.name}' has no sound: choose one")
    return sound


def _scene_of(source: Source, scene: Scene | None) -> Scene:
    if scene is not None:
        return scene
    return source.id_data if isinstance(source.id_data, bpy.types.Scene) else bpy.context.scene


def _placing(source: Source, scene: Scene, seconds: float) -> _Placing:
    """Where a sound of so many seconds lies in the scene."""
    rate = scene.render.fps / scene.render.fps_base
    if isinstance(source, bpy.types.Sound):
        return _Placing(scene.frame_start, rate, scene.frame_start, np.inf)
    if isinstance(source, bpy.types.Speaker):
        start = _speaker_start(source, scene)
        return _Placing(start, rate / source.pitch, start, np.inf)
    return _strip_placing(source, rate, seconds)


def _strip_placing(strip: SoundStrip, rate: float, seconds: float) -> _Placing:
    content, trim = content_start(strip)
    start = content - trim + strip.sound_offset * rate
    keys = [key.timeline_frame for key in strip.retiming_keys]
    if not keys:
        return _Placing(start, rate, *strip_ends(strip))
    # Blender tells where retiming keys are, but not which moment of the sound each one holds. The first
    # and the last hold its ends.
    if len(keys) > 2 or trim:
        raise SoundError(
            f"The speed of '{strip.name}' changes along the strip: render it to a sound file and use that instead"
        )
    stretched = rate * (keys[1] - keys[0]) / max(1.0, round(seconds * rate))
    return _Placing(keys[0] + strip.sound_offset * stretched, stretched, *strip_ends(strip))


def _speaker_start(speaker: Speaker, scene: Scene) -> float:
    """Frame at which a speaker is first heard: its sound strip in the NLA, else the scene's start."""
    owners = [speaker, *(thing for thing in scene.objects if thing.data == speaker)]
    tracks = [track for owner in owners if owner.animation_data for track in owner.animation_data.nla_tracks]
    starts = [strip.frame_start for track in tracks for strip in track.strips if strip.type == "SOUND"]
    return min(starts, default=scene.frame_start)


def _decode(sound: Sound) -> _Decoded:
    key = _key(sound)
    return _decoded.get(key) or _decoded.keep(key, _Decoded(*_read(sound), {}))


def _key(sound: Sound) -> tuple[object, ...]:
    """What the samples depend on: the packed data, or the file and when it was written."""
    if sound.packed_file is not None:
        return sound.session_uid, sound.packed_file.size, sound.filepath
    path = _path(sound)
    if not path.is_file():
        raise SoundError(f"The file of the sound '{sound.name}' is missing: {path}")
    written = path.stat()
    return str(path), written.st_mtime_ns, written.st_size


def _path(sound: Sound) -> Path:
    return Path(bpy.path.abspath(sound.filepath, library=sound.library))


def _read(sound: Sound) -> tuple[np.ndarray, float]:
    if sound.packed_file is None:
        return _read_file(_path(sound), sound.name)
    with tempfile.TemporaryDirectory() as folder:
        # The ending of the name helps to choose the decoder.
        path = Path(folder) / f"packed{Path(sound.filepath).suffix}"
        path.write_bytes(sound.packed_file.data)
        return _read_file(path, sound.name)


def _read_file(path: Path, name: str) -> tuple[np.ndarray, float]:
    """Mean of the channels and samples per second."""
    try:
        import aud
    except ImportError as error:
        raise SoundError("This Blender was built without sound, so that music cannot be read") from error
    try:
        sound = aud.Sound(str(path))
        rate, channels = sound.specs
        samples = np.asarray(sound.data(), dtype=np.float32).reshape(-1, int(channels))
    except aud.error as error:
        raise SoundError(f"The sound '{name}' cannot be decoded: use a WAV, FLAC, OGG or MP3 file") from error
    samples = samples.mean(axis=1)
    samples.flags.writeable = False
    return samples, float(rate)
