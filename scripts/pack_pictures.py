"""Pack the manual's pictures: `python3 scripts/pack_pictures.py` turns docs/pictures/*.png into WebP without loss.

The manual is part of the extension, and WebP is a tenth smaller than the smallest PNG. Pages and README
then show the new files. Run it after new pictures were copied to docs/pictures.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from workshop import environments
from workshop.cache import SetupError
from workshop.command_line import Parser, say
from workshop.places import PROJECT

PACK = """
import sys
from PIL import Image
for path in sys.argv[1:]:
    Image.open(path).convert("RGB").save(path[:-4] + ".webp", lossless=True, quality=100, method=6)
"""


def pack(pictures: list[Path], pages: list[Path]) -> None:
    """Write a WebP beside each picture, let pages show it, and remove the picture."""
    python = environments.ensure(environments.pictures_environment())
    subprocess.run([str(python), "-c", PACK, *map(str, pictures)], check=True)
    for page in pages:
        text = shown = page.read_text(encoding="utf-8")
        for picture in pictures:
            shown = shown.replace(f"pictures/{picture.name}", f"pictures/{picture.stem}.webp")
        if shown != text:
            page.write_text(shown, encoding="utf-8")
    for picture in pictures:
        picture.unlink()


def main() -> int:
    """Pack all PNG pictures of the manual."""
    Parser(description="Turn PNG pictures of the manual into WebP without loss.").parse_args()
    pictures = sorted((PROJECT / "docs" / "pictures").glob("*.png"))
    before = sum(picture.stat().st_size for picture in pictures)
    try:
        pack(pictures, [PROJECT / "README.md", *(PROJECT / "docs").glob("*.md")])
    except SetupError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    after = sum(picture.with_suffix(".webp").stat().st_size for picture in pictures)
    say(f"{len(pictures)} pictures: {before:,} bytes became {after:,}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
