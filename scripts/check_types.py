"""Check the types of core and add-on with mypy: `python3 scripts/check_types.py`.

All is checked strictly, against stubs of Blender.
"""

from __future__ import annotations

import sys

from workshop import environments, type_check
from workshop.cache import SetupError
from workshop.command_line import Parser, say


def main() -> int:
    """Check all types; 1 when there is anything to mend."""
    Parser(description="Check the types of core and add-on with mypy.").parse_args()
    try:
        problems = type_check.found_problems(environments.ensure(environments.types_environment()))
    except SetupError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    for problem in problems:
        say(str(problem))
    say(f"{len(problems)} to mend in {len({each.file for each in problems})} files")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
