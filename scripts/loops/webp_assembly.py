"""Puts rendered frames together, started by render_loops.py: two pictures side by side with a line of text below each.

Usage: python webp_assembly.py FRAMES_FOLDER OUTPUT_FOLDER
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

LIMIT = 400_000  # bytes of a loop
QUALITIES = (82, 74, 66, 58, 50, 40)
GAP, LINE = 4, 26  # pixels
PAPER, INK = (250, 249, 246), (50, 55, 66)


def frames_of(folder: Path, labels: tuple[str, str]) -> list[Image.Image]:
    """The frames of both pictures beside each other."""
    sides = [sorted((folder / side).glob("*.png")) for side in ("before", "after")]
    return [_beside([Image.open(path).convert("RGB") for path in pair], labels) for pair in zip(*sides, strict=True)]


def _beside(pictures: list[Image.Image], labels: tuple[str, str]) -> Image.Image:
    width, height = pictures[0].size
    whole = Image.new("RGB", (2 * width + GAP, height + LINE), PAPER)
    pen, font = ImageDraw.Draw(whole), ImageFont.load_default(14)
    for number, (picture, label) in enumerate(zip(pictures, labels, strict=True)):
        left = number * (width + GAP)
        whole.paste(picture, (left, 0))
        pen.text((left + width / 2, height + LINE / 2), label, fill=INK, font=font, anchor="mm")
    return whole


def write(frames: list[Image.Image], milliseconds: int, path: Path) -> int:
    """Write the best quality that keeps the limit; gives the bytes.

    Raises:
        SystemExit: Even the lowest quality is too large.
    """
    for quality in QUALITIES:
        frames[0].save(
            path, save_all=True, append_images=frames[1:], duration=milliseconds, loop=0, quality=quality, method=4
        )
        if path.stat().st_size <= LIMIT:
            return path.stat().st_size
    raise SystemExit(f"error: {path.name} has {path.stat().st_size:,} bytes; show fewer frames")


def main() -> None:
    """Every loop that was rendered."""
    rendered, output = Path(sys.argv[1]), Path(sys.argv[2])
    for told in sorted(rendered.glob("*/loop.json")):
        loop = json.loads(told.read_text(encoding="utf-8"))
        path = output / f"{told.parent.name}.webp"
        size = write(frames_of(told.parent, (loop["before"], loop["after"])), loop["milliseconds"], path)
        print(f"{path} ({size:,} bytes)", flush=True)


if __name__ == "__main__":
    main()
