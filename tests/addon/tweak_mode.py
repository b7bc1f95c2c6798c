"""An action that is edited through a strip of the NLA."""


def in_tweak_mode(armature, action):
    """Enter tweak mode of a strip that begins at frame 101."""
    data = armature.animation_data
    track = data.nla_tracks.new()
    strip = track.strips.new("strip", 101, action)
    data.action = None
    strip.select = True
    data.nla_tracks.active = track
    data.use_tweak_mode = True
    return strip
