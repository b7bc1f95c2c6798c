"""A Blender that records digests: reads what to do line by line from its input, answers line by line."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "scripts")]


def main() -> None:
    """Answer until the input ends."""
    answers = os.fdopen(os.dup(1), "w")
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    from workshop import checkout_as_extension

    checkout_as_extension.load().register()
    from quality import behaviour
    from quality.clips import clips_for

    folder, cache = Path(sys.argv[1]), Path(sys.argv[2])
    for line in sys.stdin:
        asked = json.loads(line)
        if asked == "interface":
            answer = behaviour.interface()
        else:
            tool, name, rig, seed = asked
            clip = next(each for each in clips_for(rig, folder) if each.name == name)
            answer = behaviour.digest(tool, clip, rig, seed, cache)
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
