"""A Blender that tries tools: reads trials line by line from its input, writes outcomes line by line.

Started by `crew.py`; its input and output are pipes. What Blender itself prints goes elsewhere.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from dataclasses import asdict
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "scripts")]


def main() -> None:
    """Answer every trial until the input ends."""
    answers = os.fdopen(os.dup(1), "w")
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    from workshop import checkout_as_extension

    checkout_as_extension.load().register()
    from quality import trial
    from quality.clips import clips_for

    folder, cache = Path(sys.argv[1]), Path(sys.argv[2])
    known = {}
    for line in sys.stdin:
        asked = json.loads(line)
        rig = asked["rig"]
        if rig not in known:
            known[rig] = {clip.name: clip for clip in clips_for(rig, folder)}
        clip = known[rig][asked["clip"]]
        try:
            result = asdict(trial.run(asked["tool"], clip, rig, asked["seed"], cache))
        except Exception:  # one trial that fails must not end the run; it is told with its traceback
            result = {**asked, "half": clip.half, "outcome": "judge failed", "message": traceback.format_exc()}
        answers.write(json.dumps(result, default=float) + "\n")
        answers.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
