"""Tables of what was found: tool by law, both halves apart."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .clips import TUNED, UNTOUCHED
from .laws.names import ALL, WORKS
from .tool_names import TOOL_NAMES
from .trials import RIGS, Trial

Outcome = dict[str, Any]
_ORDER = {name: place for place, name in enumerate((*TOOL_NAMES, *RIGS))}
# Outcomes in which the tool did not do what it was asked for, beside those that fall short.
FAILED = ("refused", "raised", "hung", "judge failed")


@dataclass(frozen=True)
class Count:
    """How often a law was tried and broken."""

    tried: int
    broken: int

    def __str__(self) -> str:
        return f"{self.broken}/{self.tried}" if self.broken else f"{self.tried}" if self.tried else ""


def count(outcomes: list[Outcome], law: str) -> Count:
    """How often a law was tried and broken in some trials."""
    if law == WORKS:
        tried = [each for each in outcomes if each["outcome"] != "nothing to ask"]
        return Count(len(tried), sum(_failed(each) for each in tried))
    findings = [each["laws"][law] for each in outcomes if law in each.get("laws", {})]
    return Count(len(findings), sum(finding["broken"] for finding in findings))


def _failed(outcome: Outcome) -> bool:
    return outcome["outcome"] in FAILED or outcome["laws"].get(WORKS, {}).get("broken", False)


def table(outcomes: list[Outcome], rows: Callable[[Outcome], str]) -> list[str]:
    """A Markdown table: rows by some key, a column for every law, and what came of the request."""
    found: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        found.setdefault(rows(outcome), []).append(outcome)
    head = ["", *ALL, "refused", "unchanged", "limited", "met"]
    lines = [_row(head), _row(["---"] * len(head))]
    for name, part in sorted(found.items(), key=lambda pair: _ORDER.get(pair[0], 0)):
        counts = [str(count(part, law)) for law in ALL]
        lines.append(_row([name, *counts, *_extra(part)]))
    return lines


def _extra(outcomes: list[Outcome]) -> list[str]:
    refused = sum(each["outcome"] in FAILED for each in outcomes)
    unchanged = sum(each["outcome"] == "unchanged" for each in outcomes)
    met = [each["met"] for each in outcomes if each.get("met") is not None]
    limited = sum(share < 0.9 for share in met)
    return [str(refused or ""), str(unchanged or ""), str(limited or ""), f"{sum(met) / len(met):.0%}" if met else ""]


def _row(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def worst_cases(outcomes: list[Outcome], *, most: int = 1) -> list[str]:
    """The worst break of every tool and law on the tuned half, with the command that repeats it."""
    lines = []
    tuned = [each for each in outcomes if each["half"] == TUNED]
    for tool in sorted({each["tool"] for each in tuned}):
        for law in ALL:
            broken = [
                each for each in tuned if each["tool"] == tool and each.get("laws", {}).get(law, {}).get("broken")
            ]
            for each in sorted(broken, key=lambda one: -_excess(one["laws"][law]))[:most]:
                lines.append(describe(each, law))
    return lines


def describe(outcome: Outcome, law: str) -> str:
    """One break in one line."""
    finding = outcome["laws"][law]
    value = f"{finding['value']:.3g}" if math.isfinite(finding["value"]) else "no"
    trial = Trial(outcome["tool"], outcome["clip"], outcome["rig"], outcome["seed"])
    asked = json.dumps({key: value for key, value in outcome["parameters"].items() if key != "gains"})
    return f"- {outcome['tool']}, {law}: {value} {finding['text']} · {asked} · `{trial.command}`"


def _excess(finding: dict[str, Any]) -> float:
    return finding["value"] / finding["bound"] if finding["bound"] else finding["value"]


def quality_page(outcomes: list[Outcome], *, about: str) -> str:
    """The whole page benchmarks/QUALITY.md."""
    lines = [
        "# Motion quality",
        "",
        "Every tool on captured clips, hand-keyed motion, loops and rigs, with parameters chosen by chance, judged by",
        "[laws that the tools do not know](../quality/README.md). A cell tells how often a law was tried; `3/20` means",
        "broken in 3 of 20. Only the untouched half counts: nothing was ever chosen on it.",
        "",
        about,
        "",
    ]
    for half, title in ((UNTOUCHED, "The untouched half"), (TUNED, "The tuned half")):
        part = [each for each in outcomes if each["half"] == half]
        lines += [f"## {title}", "", *table(part, lambda each: each["tool"]), ""]
        lines += ["By rig:", "", *table(part, lambda each: each["rig"]), ""]
    failures = sorted(
        {
            f"- {each['tool']} on {each['rig']}: {each['message'].splitlines()[-1]}"
            for each in outcomes
            if each["outcome"] in ("raised", "hung", "judge failed")
        }
    )
    if failures:
        lines += ["## Crashes", "", *failures, ""]
    lines += ["## The worst of the tuned half", "", *worst_cases(outcomes), ""]
    return "\n".join(lines)
