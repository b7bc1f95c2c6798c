"""How the report looks, and the few lines that let its table be sorted."""

STYLE = """
:root { --ink: #2f3238; --soft: #73767d; --line: #e3e0d9; --paper: #faf9f6; --card: #fff; --blue: #2a7398;
  --red: #a33b1c; --amber: #9a6a00 }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 1180px;
  margin: 2em auto; padding: 0 1.5em }
h1, h2, h3 { line-height: 1.25; overflow-wrap: anywhere; font-weight: 600 }
h1 { font-size: 26px; margin-bottom: .1em }
h2 { font-size: 19px; margin: 1.8em 0 .6em }
h3 { font-size: 16px; margin: 0 }
a { color: var(--blue); text-decoration: none }
a:hover { text-decoration: underline }
.soft { color: var(--soft); font-size: 13px; margin: .3em 0 }
.tiles { display: flex; flex-wrap: wrap; gap: .8em; margin: 1.2em 0; padding: 0; list-style: none }
.tiles li { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .5em 1.1em }
.tiles b { display: block; font-size: 22px; font-weight: 600; font-variant-numeric: tabular-nums }
.tiles .bad { border-color: var(--red); color: var(--red) }
.failed { background: #fbefeb; border: 1px solid #e7c4b8; border-radius: 8px; padding: .8em 1em .8em 2em; margin: 0 }
.table { overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: 8px }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; width: 100% }
th { text-align: right; white-space: nowrap; cursor: pointer; background: #f3f1ec; font-weight: 600 }
th:hover { color: var(--blue) }
th, td { padding: .4em .9em; border-bottom: 1px solid var(--line) }
td { text-align: right; white-space: nowrap }
th:first-child, td:first-child { text-align: left; white-space: normal; overflow-wrap: anywhere; min-width: 15em }
tr:last-child td { border-bottom: 0 }
.warnings { color: var(--amber); font-size: 13px; margin: .6em 0 0; padding-left: 1.2em }
.striking { color: var(--amber); font-weight: 600 }
section { content-visibility: auto; contain-intrinsic-size: auto 360px; background: var(--card);
  border: 1px solid var(--line); border-radius: 8px; margin: 1em 0; padding: 1em 1.2em }
section:target { border-color: var(--blue) }
.views { display: flex; gap: 1.2em; align-items: flex-start }
.views figure { margin: .8em 0 0; flex: 0 0 360px; min-width: 0 }
.views .poses { flex: 0 1 auto }
.views img { max-width: 100%; display: block; border-radius: 4px }
@media (max-width: 760px) { .views { display: block } }
dl { display: flex; flex-wrap: wrap; gap: .2em 1.6em; margin: .8em 0 0; font-size: 13px }
dl div { display: flex; gap: .45em }
dt { color: var(--soft) }
dd { margin: 0; font-variant-numeric: tabular-nums }
svg { max-width: 100%; height: auto; display: block }
svg text { font: 12px system-ui, sans-serif; fill: var(--soft) }
"""

# A click on a heading sorts by it, a second one the other way round; what has no value comes last.
SORTING = """
document.querySelectorAll("th").forEach((head, column) => head.addEventListener("click", () => {
  const body = head.closest("table").tBodies[0], up = head.dataset.up !== "1";
  const key = (row) => row.cells[column].dataset.value ?? row.cells[column].textContent;
  const order = (a, b) => a === "" ? 1 : b === "" ? -1
    : (up ? 1 : -1) * (isNaN(a) || isNaN(b) ? a.localeCompare(b) : a - b);
  head.dataset.up = up ? "1" : "0";
  [...body.rows].sort((a, b) => order(key(a), key(b))).forEach((row) => body.append(row));
}));
"""
