"""The HIERARCHY part of a BVH file: joints with offsets, channels and End Sites."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import NoReturn

from ..errors import FileFormatError
from .bvh_numbers import read_number

Vector = tuple[float, float, float]

CHANNELS = tuple(f"{axis}{kind}" for kind in ("position", "rotation") for axis in "XYZ")
_CHANNEL_BY_WORD = {channel.lower().encode(): channel for channel in CHANNELS}

_WORD = re.compile(rb"\S+")
_LINE_BREAK = re.compile(rb"\r\n|\r|\n")
# Deeper joints are not indented further: the blanks of a chain of thousands would fill the file.
_DEEPEST_INDENT = 24


@dataclass(frozen=True)
class BvhJoint:
    """One ROOT or JOINT.

    Attributes:
        name: Unique in its file.
        parent: Index of the parent joint, -1 for a root. Parents come before children,
            and all joints below a joint directly follow it.
        offset: Place at rest in the parent's axes, in the file's length unit.
        channels: Names out of CHANNELS in the order of the file.
        end_site: End of the bone in the joint's axes, or None.
    """

    name: str
    parent: int
    offset: Vector
    channels: tuple[str, ...]
    end_site: Vector | None = None


@dataclass
class BvhText:
    """The bytes of a file and how far they are read; makes the one-line errors."""

    file_name: str
    data: bytes
    position: int = 0
    word_start: int = 0

    def word(self) -> bytes:
        """Take the next word; empty at the end of the file."""
        match = _WORD.search(self.data, self.position)
        self.word_start, self.position = match.span() if match else (len(self.data),) * 2
        return match.group() if match else b""

    def words_of_line(self) -> list[bytes]:
        """Take the words up to the end of the line or an opening brace, which is left."""
        line_break = _LINE_BREAK.search(self.data, self.position)
        end = line_break.start() if line_break else len(self.data)
        words = []
        for match in _WORD.finditer(self.data, self.position, end):
            if match.group() == b"{":
                break
            words.append(match.group())
            self.position = match.end()
        return words

    def line_number(self, position: int) -> int:
        """Number of the line, from 1, that holds a byte."""
        return 1 + sum(1 for _ in _LINE_BREAK.finditer(self.data, 0, position))

    def refuse_word(self, expected: str) -> NoReturn:
        """Say what was expected in place of the word that was taken last."""
        raise self.unexpected(expected, self.word_start)

    def unexpected(self, expected: str, position: int) -> FileFormatError:
        """The error that says what was expected in place of the word at a position."""
        match = _WORD.match(self.data, position)
        found = f"found {shown(match.group())}" if match else "the file ends"
        return self.error(f"expected {expected}, {found}", position)

    def error(self, reason: str, position: int) -> FileFormatError:
        """The error that refuses the file for a reason at a position."""
        return FileFormatError(printable(f"{self.file_name}, line {self.line_number(position)}: {reason}"))


def shown(word: bytes) -> str:
    """A word of the file in quotes, cut where it is too long for a message."""
    text = decoded(word[:40])
    return f"'{text[:24]}...'" if len(text) > 24 else f"'{text}'"


def printable(message: str) -> str:
    """The message in one line, whatever the file's words contain."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in message)


def decoded(word: bytes) -> str:
    """Text in UTF-8, or in Latin-1 as older programs write it."""
    try:
        return word.decode("utf-8")
    except UnicodeDecodeError:
        return word.decode("latin-1")


@dataclass
class _OpenJoint:
    """A joint, or an End Site, whose closing brace has not come yet."""

    keyword: str
    index: int = -1
    offset: Vector | None = None


@dataclass
class _Hierarchy:
    """Reads a hierarchy word by word, keeping open joints on a list: chains may be thousands deep."""

    text: BvhText
    joints: list[BvhJoint] = field(default_factory=list)
    opened: list[_OpenJoint] = field(default_factory=list)

    def read(self) -> list[BvhJoint]:
        if self.text.word().lower() != b"hierarchy":
            self.text.refuse_word("'HIERARCHY' as in every BVH file")
        while (word := self.text.word().lower()) != b"motion" or self.opened:
            self.read_entry(word)
        if not self.joints:
            self.text.refuse_word("'ROOT'")
        return self.joints

    def read_entry(self, word: bytes) -> None:
        if not self.opened:
            if word != b"root":
                self.text.refuse_word("'ROOT' or 'MOTION'" if self.joints else "'ROOT'")
            self.begin_joint("ROOT")
        elif word == b"offset":
            self.read_offset()
        elif self.opened[-1].offset is None and word != b"channels":
            self.text.refuse_word("'OFFSET' with three numbers")
        elif word == b"}":
            self.opened.pop()
        elif self.opened[-1].keyword == "End Site":
            self.text.refuse_word("'}' after the OFFSET of the End Site")
        elif word == b"joint":
            self.begin_joint("JOINT")
        elif word == b"end":
            self.begin_end_site()
        elif word == b"channels":
            self.read_channels()
        else:
            self.text.refuse_word("'JOINT', 'End Site', 'CHANNELS' or '}'")

    def begin_joint(self, keyword: str) -> None:
        name = b" ".join(self.text.words_of_line())
        if not name:
            raise self.text.error(f"expected a name after '{keyword}'", self.text.position)
        parent = self.opened[-1].index if self.opened else -1
        self.open_brace(f"{keyword} {decoded(name)}")
        self.opened.append(_OpenJoint(keyword, len(self.joints)))
        self.joints.append(BvhJoint(decoded(name), parent, (0.0, 0.0, 0.0), ()))

    def begin_end_site(self) -> None:
        if self.text.word().lower() != b"site":
            self.text.refuse_word("'Site' after 'End'")
        self.text.words_of_line()  # Some programs name their End Sites.
        self.open_brace("End Site")
        self.opened.append(_OpenJoint("End Site", self.opened[-1].index))

    def open_brace(self, owner: str) -> None:
        if self.text.word() != b"{":
            self.text.refuse_word(f"'{{' after '{owner}'")

    def read_offset(self) -> None:
        x, y, z = (self.read_component() for _ in range(3))
        part = self.opened[-1]
        part.offset = (x, y, z)
        joint = self.joints[part.index]
        if part.keyword != "End Site":
            self.joints[part.index] = replace(joint, offset=part.offset)
        elif joint.end_site is None:
            self.joints[part.index] = replace(joint, end_site=part.offset)

    def read_component(self) -> float:
        number = read_number(self.text.word())
        if number is None:
            self.text.refuse_word("'OFFSET' with three numbers (decimal point, no comma)")
        return number

    def read_channels(self) -> None:
        count = self.text.word()
        if not (count.isdigit() and len(count) == 1):
            self.text.refuse_word("'CHANNELS' with a count and as many names")
        joint = self.joints[self.opened[-1].index]
        if joint.channels:
            self.text.refuse_word(f"one 'CHANNELS' for '{joint.name}'")
        for _ in range(int(count)):
            joint = replace(joint, channels=(*joint.channels, self.read_channel(joint.channels)))
        self.joints[self.opened[-1].index] = joint

    def read_channel(self, before: tuple[str, ...]) -> str:
        channel = _CHANNEL_BY_WORD.get(self.text.word().lower())
        if channel is None or channel in before:
            self.text.refuse_word("a channel such as 'Xposition' or 'Zrotation', each once")
        return channel


def parse_hierarchy(text: BvhText) -> tuple[tuple[BvhJoint, ...], list[str]]:
    """Read up to and with the word MOTION; names that occur twice are made unique with a warning."""
    joints = _Hierarchy(text).read()
    names = unique_names(joint.name for joint in joints)
    warnings = [
        printable(f"{text.file_name}: a second joint '{joint.name}' is called '{name}'")
        for joint, name in zip(joints, names, strict=True)
        if joint.name != name
    ]
    return tuple(replace(joint, name=name) for joint, name in zip(joints, names, strict=True)), warnings


def unique_names(names: Iterable[str]) -> list[str]:
    """Number repeated names as Blender does: 'Foot', 'Foot.001'."""
    names = list(names)
    taken, last_number = set(names), dict[str, int]()
    unique = []
    for name in names:
        chosen, number = name, last_number.get(name, -1) + 1
        # Numbers up to the last one are taken for good: counting goes on from there.
        while number and (chosen := f"{name}.{number:03d}") in taken:
            number += 1
        last_number[name] = number
        taken.add(chosen)
        unique.append(chosen)
    return unique


def format_hierarchy(joints: tuple[BvhJoint, ...]) -> str:
    """The text of a hierarchy, up to the word MOTION.

    Raises:
        ValueError: A joint does not follow its parent's other descendants.
    """
    lines, chain = ["HIERARCHY"], list[int]()
    for index, joint in enumerate(joints):
        while chain and chain[-1] != joint.parent:
            chain.pop()
            lines.append(_indent(len(chain)) + "}")
        if not chain and joint.parent != -1:
            raise ValueError(f"'{joint.name}' must directly follow the joints below its parent")
        lines += _joint_lines(joint, len(chain))
        chain.append(index)
    lines += [_indent(depth) + "}" for depth in reversed(range(len(chain)))]
    return "\n".join([*lines, "MOTION\n"])


def _joint_lines(joint: BvhJoint, depth: int) -> list[str]:
    outer, inner = _indent(depth), _indent(depth + 1)
    lines = [
        f"{outer}{'ROOT' if joint.parent < 0 else 'JOINT'} {joint.name}",
        outer + "{",
        f"{inner}OFFSET {_vector(joint.offset)}",
        f"{inner}CHANNELS {' '.join([str(len(joint.channels)), *joint.channels])}",
    ]
    if joint.end_site is not None:
        offset = f"{_indent(depth + 2)}OFFSET {_vector(joint.end_site)}"
        lines += [f"{inner}End Site", inner + "{", offset, inner + "}"]
    return lines


def _indent(depth: int) -> str:
    return "\t" * min(depth, _DEEPEST_INDENT)


def _vector(vector: Vector) -> str:
    # Offsets add up along a chain, so they get more digits than the rows of a motion.
    return " ".join(f"{round(component, 9) + 0.0:.9f}" for component in vector)
