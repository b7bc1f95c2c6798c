"""Check the types of core and add-on with mypy: `python3 scripts/check_types.py`.

All is checked strictly, against stubs of Blender. What is not typed yet is in
tests/architecture/type_exceptions.toml, whose lines may go and never come.
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
    complaints = type_check.complaints(problems, type_check.listed())
    for complaint in complaints:
        say(complaint)
    say(f"{len(complaints)} to mend; {len(problems)} found in {len({each.file for each in problems})} files")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
