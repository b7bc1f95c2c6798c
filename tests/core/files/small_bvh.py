"""A small BVH file, and how it is read."""

from core.files.bvh import read_bvh

SMALL = """HIERARCHY
ROOT Hips
{
\tOFFSET 1 2 3
\tCHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
\tJOINT Leg
\t{
\t\tOFFSET 0 -4 0
\t\tCHANNELS 3 Zrotation Yrotation Xrotation
\t\tEnd Site
\t\t{
\t\t\tOFFSET 0 -3 1
\t\t}
\t}
}
MOTION
Frames: 3
Frame Time: 0.04
10 20 30 5 -6 7 8 9 -10
11 21 31 50 -60 70 80 91 -100
12 22 32 15 -16 17 18 19 -20
"""


def reader_in(tmp_path):
    """Read text or bytes as a file called walk.bvh."""

    def read_text(content):
        path = tmp_path / "walk.bvh"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_bvh(path)

    return read_text
