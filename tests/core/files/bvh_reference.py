"""An obvious reading of well-formed BVH and its forward kinematics, one frame and joint at a time."""

import numpy as np
from scipy.spatial.transform import Rotation


def row_values(text):
    """The numbers of every line after the frame time."""
    lines = text.splitlines()
    first = next(number for number, line in enumerate(lines) if line.lower().startswith("frame time"))
    return np.array([[float(word) for word in line.split()] for line in lines[first + 1 :] if line.strip()])


def global_poses(joints, row):
    """Positions (J, 3) and rotation matrices (J, 3, 3) of one row."""
    positions, matrices = [], []
    values = iter(row)
    for joint in joints:
        place, turn = np.array(joint.offset), np.eye(3)
        for channel in joint.channels:
            value = next(values)
            if channel.endswith("position"):
                place["XYZ".index(channel[0])] = value
            else:
                turn = turn @ Rotation.from_euler(channel[0], value, degrees=True).as_matrix()
        if joint.parent >= 0:
            place = positions[joint.parent] + matrices[joint.parent] @ place
            turn = matrices[joint.parent] @ turn
        positions.append(place)
        matrices.append(turn)
    return np.array(positions), np.array(matrices)
