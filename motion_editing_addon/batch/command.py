"""The command line: `motion_edit list | info | run | report`."""

from __future__ import annotations

import argparse
import io
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from ...core.errors import MotionEditError
from . import info, run_command
from .formats.file_format import suffixes
from .recipes import edit_list
from .report import page
from .running import worker

# Exit codes.
DONE, SOME_FAILED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130
# Seconds after which nobody waits for a clip any more: the slowest edits of minutes of motion take some minutes.
_TIME_LIMIT = 3600.0


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Say what is wrong in one line, not with the whole usage."""
        print(f"error: {message} (see --help)", file=sys.stderr)
        raise SystemExit(BAD_INPUT)


def main(arguments: Sequence[str], *, start: Sequence[str]) -> int:
    """Do what the arguments ask for.

    Args:
        arguments: Without the program's name.
        start: The command that starts this program again, for workers.

    Returns:
        The exit code: 0 done, 1 some clips failed, 2 the input is wrong, 130 interrupted.
    """
    _print_anything()
    try:
        options = _options(_parser(), arguments)
    except SystemExit as end:
        return int(end.code or 0)
    _stop_politely(options)
    try:
        code: int = options.do(options, start)
        return code
    except KeyboardInterrupt:
        return INTERRUPTED
    except MotionEditError as error:
        for line in str(error).splitlines():
            print(f"error: {line}", file=sys.stderr)
        return BAD_INPUT
    except BrokenPipeError:  # `list | head`
        return DONE


def _print_anything() -> None:
    """Give with backslashes what a terminal or a log has no letters for: a name must not end a night's work."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _stop_politely(options: argparse.Namespace) -> None:
    """Let farms and closed terminals stop a run as Ctrl-C does: workers end, and it is said what is done."""
    # Inside of Blender, Python's own answer to Ctrl-C is not installed.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # A worker just ends, and its clip is tried again: inside of an operator it would look like a failure of the clip.
    for name in ("SIGTERM", "SIGHUP") if options.do is not _work else ():
        number = getattr(signal, name, None)  # Windows has not all of them
        if number is not None and signal.getsignal(number) != signal.SIG_IGN:  # `nohup` wants it to go on
            signal.signal(number, signal.default_int_handler)


def _options(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> argparse.Namespace:
    """What was asked for; names may stand before and after options, and may begin with a dash where they are files."""
    options, rest = parser.parse_known_args(arguments)
    names = [word for word in rest if not word.startswith("-") or Path(word).exists()]
    unknown = [word for word in rest if word not in (*names, "--")]
    if unknown or (names and not hasattr(options, "more")):
        parser.error(f"unrecognized arguments: {' '.join(unknown or names)}")
    if names:
        # argparse gives all names to the first place where some stand.
        getattr(options, options.more).extend(names if options.more == "names" else map(Path, names))
    return options


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="motion_edit", description="Edit motion without a window: one clip or ten thousand.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=_Parser)
    _add_list(commands.add_parser("list", help="name every edit with its parameters, units and defaults"))
    _add_info(commands.add_parser("info", help="print what is in files: frames, rate, bones, contacts, key poses"))
    _add_run(commands.add_parser("run", help="do the steps of a recipe to files"))
    _add_report(commands.add_parser("report", help="write a page with poses and numbers about a run"))
    # Started by `run`; nobody types it.
    commands.add_parser("worker").set_defaults(do=_work)
    return parser


def _add_list(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("names", nargs="*", metavar="EDIT", help="only these")
    parser.add_argument("--json", action="store_true", help="for programs")
    parser.set_defaults(do=_list, more="names")


def _add_info(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="files, or folders with files")
    parser.add_argument("--action", action="append", default=[], metavar="NAME", help="only this action; repeatable")
    parser.add_argument("--json", action="store_true", help="for programs")
    parser.set_defaults(do=_info, more="files")


def _add_run(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("recipe", type=Path, metavar="RECIPE", help="a TOML file, or the name of one that is shipped")
    parser.add_argument("inputs", nargs="*", type=Path, metavar="INPUT", help="files, or folders with files")
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder for the results")
    parser.add_argument("--check", action="store_true", help="only check the recipe")
    choices = [suffix.removeprefix(".") for suffix in suffixes()]
    parser.add_argument("--format", choices=choices, help="of results, if not the input's")
    parser.add_argument("--action", action="append", default=[], metavar="NAME", help="only this action; repeatable")
    parser.add_argument("--jobs", type=_count, default=1, metavar="N", help="processes side by side (default 1)")
    parser.add_argument("--resume", action="store_true", help="skip what a run before this one has done")
    parser.add_argument(
        "--part", type=_part, default=(1, 1), metavar="K/N", help="only the K-th of N shares, for farms"
    )
    parser.add_argument(
        "--time-limit",
        type=_seconds,
        default=_TIME_LIMIT,
        metavar="SECONDS",
        help=f"give a clip up that takes longer (default {_TIME_LIMIT:g}; 0: no limit)",
    )
    parser.add_argument("--dask", metavar="ADDRESS", help="do the jobs on this Dask cluster, such as tcp://farm:8786")
    parser.add_argument(
        "--dask-tls", nargs=3, metavar=("CA", "CERT", "KEY"), help="PEM files for a cluster at a tls:// address"
    )
    parser.add_argument(
        "--accept-failures", action="store_true", help="exit code 0 though clips failed; the report names them"
    )
    parser.add_argument("--no-pictures", action="store_true", help="draw no poses for the report: faster")
    parser.set_defaults(do=_run, more="inputs")


def _add_report(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="DIR", help="output folder of a run")
    parser.add_argument("--to", type=Path, metavar="FILE", help="the page (default DIR/report.html)")
    parser.set_defaults(do=_report)


def _count(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is no whole number of at least 1")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0.0 <= seconds <= threading.TIMEOUT_MAX:
        raise argparse.ArgumentTypeError(f"'{text}' is no number of seconds")
    return seconds


def _part(text: str) -> tuple[int, int]:
    number, slash, shares = text.partition("/")
    if not (slash and number.isdigit() and shares.isdigit() and 1 <= int(number) <= int(shares)):
        raise argparse.ArgumentTypeError(f"'{text}' is no share such as 2/8")
    return int(number), int(shares)


def _list(options: argparse.Namespace, _start: Sequence[str]) -> int:
    print(edit_list.list_text(options.names, as_json=options.json), flush=True)
    return DONE


def _info(options: argparse.Namespace, _start: Sequence[str]) -> int:
    return DONE if info.print_info(options.files, options.action, as_json=options.json) else SOME_FAILED


def _run(options: argparse.Namespace, start: Sequence[str]) -> int:
    return run_command.run_command(options, start)


def _report(options: argparse.Namespace, _start: Sequence[str]) -> int:
    print(f"written: {page.write_report(options.folder, options.to)}", flush=True)
    return DONE


def _work(_options: argparse.Namespace, _start: Sequence[str]) -> int:
    return worker.work()
