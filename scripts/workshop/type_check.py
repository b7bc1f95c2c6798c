"""mypy over core and the add-on, compared with the list of what is not typed yet.

The add-on reaches core by relative imports, as Blender loads both within one package. mypy therefore sees the project
through a link named `motion_editing`.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from .cache import SetupError, locked
from .checkout_as_extension import PACKAGE
from .places import PROJECT, cache_folder

LIST = PROJECT / "tests" / "architecture" / "type_exceptions.toml"
CHECKED = ("core", "motion_editing_addon")
# What mypy says of code that is right, because of Blender's ways and its stubs: a pattern of the message, and a reason.
STUB_MISTAKES = {
    r"^Invalid type comment or annotation": "properties are annotations with calls",
    r'^(?!Item "None" of).*"motion_editing\w*"$': "settings and operators of the extension, once it is enabled",
    r'^"PropertyGroup" has no attribute': "settings that are handed on as Blender's class for them",
    r'^"MotionEditOperator" has no attribute': "properties of the operator that a run is for",
    r'definition in base class "(Operator|Panel)"$': "mixins of operators and panels, whose context is never None",
    r'^"(type\[)?\w+\]?" has no attribute "(report|layout|properties|bl_\w+|filepath|poll_message_set)"$': "mixins",
    r'^"(_NewPose|PoseEdit)" has no attribute "(chosen_node|present_tool|tool)"$': "mixins",
    r'^Cannot determine type of "filepath"$': "mixins",
    r'^"(ID|Constraint|Property|Strip|Modifier|FModifier|ActionStrip|Space)" has no attribute': "only some kinds",
    r'^Item "(ActionStrip|Space)" of ".*" has no attribute': "only some kinds have it",
    r'^Item "Bone" of "PoseBone \| Bone" has no attribute "select"$': "before Blender 5.0 they have it",
    r'^"(ContextTempOverride|MatrixStackContext)" has no attribute "__(enter|exit)__"$': "they go with `with`",
    r'^Unsupported right operand type for in \(".*(ID|PoseBone)"\)$': "what a data-block keeps besides its properties",
    r'"(Any \| )?(Vector|Color|Euler|Quaternion|bpy_prop_array)( \| Any)?"; expected "(Iter|Sequ)': "sequences",
    r'"(Any \| )?(Vector|Color|Euler|Quaternion|bpy_prop_array)" object is not iterable': "they are sequences",
    r'(^No overload variant .* "Vector"|^Value of type "bpy_prop_array" is not indexable)$': "they are sequences",
    r'"Matrix"( of ".*")? has no attribute "__iter__"|\(expression has type ".*Matrix", target has type': "too",
    r'expected "Buffer"$': "arrays are buffers; NumPy says so from Python 3.12 on",
    r'has incompatible type "\w+"; expected "(MotionEdit)?Operator( \| None)?"$': "mixins of operators",
    r'has incompatible type "set\[str\]"; expected "set\[Literal\[': "options are sets of plain text",
    r'has incompatible type "str"; expected "Literal\[': "choices are plain text",
    r'expression has type "str", variable has type "Literal\[': "choices are plain text",
    r"variable has type \"Literal\['FULL', 'BACK'": "flat curves have other choices",
    r'(incompatible type|\(got) "(Scene|UILayout|Region|RegionView3D) \| None"[;,] expected "\2"': "there is one",
    r'has incompatible type "ID \| None"; expected "(Object|Action)"$': "settings know what they hang on",
    r'^Item "None" of "ID \| None" has no attribute': "what is part of a data-block",
    r'^Returning Any from function declared to return "(PropertyGroup|MOTIONEDIT_PG_\w+)"': "settings of the extension",
    r'^Returning Any from function declared to return "ndarray\[': "NumPy's operators, for arrays of any type",
    r'supertype "bpy\.types\.\w+"': "methods that Blender calls, whose context is never None",
    r'base class "Operator" defined the type': "options of operators are sets of plain text",
    r"set\[Literal\['RUNNING_MODAL'": "results of operators are sets of plain text",
    r'"_GenericUI" has incompatible type': "what is drawn in a menu gets the menu too",
    r"^Untyped decorator makes function": "handlers that stay when a file is loaded",
    r'^Item "None" of "(Any \| )?(Scene|WindowManager|ViewLayer|Preferences)( \| Any)? \| None"': "there is always one",
    r'^Item "None" of "(Collection|.*Sequence\[Object\]) \| None"': "there is always a view layer",
    r'^Item "None" of "(Any \| )?(Window|Screen|Area|Space|Region\w*|UILayout)( \| Any)? \| None"': "drawing has one",
    r'^Item "None" of "Pose \| None"': "armatures have one",
    r'^Item "\w+" of "Armature \| Camera': "data of an object that is known to be an armature",
    r'of "BlendDataLibraries" does not return a value|^"None" has no attribute "__(enter|exit)__"$': "it has `with`",
    r'^Too many arguments for "Sound"$|^Exception type must be derived from BaseException': "aud's stubs lack both",
}
_LINE = re.compile(r"^(?P<file>.+?):(?P<line>\d+): error: (?P<text>.*)  \[(?P<code>[a-z-]+)\]$")


@dataclass(frozen=True)
class Problem:
    """One error that mypy found."""

    file: str
    line: int
    text: str
    code: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text}  [{self.code}]"


def found_problems(python: Path) -> list[Problem]:
    """Run mypy and give what it found, without what only the stubs are to blame for.

    Args:
        python: Interpreter of an environment with mypy and the stubs of Blender.

    Raises:
        SetupError: mypy could not run.
    """
    link = _link()
    packages = [part for name in CHECKED for part in ("-p", f"{PACKAGE}.{name}")]
    command = [str(python), "-m", "mypy", "--no-error-summary", f"--cache-dir={link.parent / 'cache'}", *packages]
    variables = {**os.environ, "MYPYPATH": str(link.parent)}
    with locked(f"types-of-{link.parent.name}"):
        done = subprocess.run(command, cwd=PROJECT, env=variables, capture_output=True, text=True, check=False)
    # 0: no errors, 1: errors. Everything else is mypy's own trouble, such as a file that cannot be read.
    if done.returncode not in (0, 1) or done.stderr.strip():
        raise SetupError(f"mypy could not run:\n{done.stdout[-2000:]}{done.stderr}")
    return read_problems(done.stdout, link)


def _link() -> Path:
    """Give the link to this checkout; mypy keeps what it found by path, so it is always the same one."""
    checkout = hashlib.sha256(str(PROJECT).encode()).hexdigest()[:12]
    link = cache_folder() / "types" / checkout / PACKAGE
    link.parent.mkdir(parents=True, exist_ok=True)
    try:
        if not link.is_symlink():
            link.symlink_to(PROJECT, target_is_directory=True)
    except OSError as error:
        raise SetupError(f"mypy needs a symbolic link to the project: {error}") from error
    return link


def read_problems(output: str, link: Path) -> list[Problem]:
    """Read what mypy printed, with places in the project in place of those below the link."""
    problems = []
    for line in output.splitlines():
        if match := _LINE.match(line):
            file = Path(os.path.relpath(PROJECT / match["file"], link)).as_posix()
            problems.append(Problem(file, int(match["line"]), match["text"], match["code"]))
    return [each for each in problems if not any(re.search(pattern, each.text) for pattern in STUB_MISTAKES)]


def listed() -> dict[str, set[str]]:
    """Give the kinds of errors that a file may have so far, by file."""
    text = LIST.read_text(encoding="utf-8")
    return {file: set(codes.split()) for file, codes in tomllib.loads(text).items()}


def complaints(problems: Iterable[Problem], allowed: Mapping[str, set[str]]) -> list[str]:
    """Give a line for each problem that is not allowed, and for each line of the list that has become too long."""
    problems = list(problems)
    found = {(each.file, each.code) for each in problems}
    new = [str(each) for each in problems if each.code not in allowed.get(each.file, ())]
    gone = sorted((file, code) for file, codes in allowed.items() for code in codes if (file, code) not in found)
    return new + [f"{LIST.name}: take {code} out of the line of {file}" for file, code in gone]
