"""How the report looks."""

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #33363d; background: #f8f7f4; max-width: 1100px;
  margin: 2em auto; padding: 0 1em }
h1, h2, h3 { line-height: 1.2; overflow-wrap: anywhere }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; width: 100% }
th { text-align: left; position: sticky; top: 0; background: #f8f7f4 }
th, td { padding: .25em .8em .25em 0; border-bottom: 1px solid #dddad3; vertical-align: top }
a { color: #2a7398 }
img { max-width: 100%; display: block }
section { margin: 2em 0; padding-top: .5em; border-top: 1px solid #dddad3 }
.failed { color: #a33b1c }
.note { color: #777; font-size: 13px }
svg { max-width: 100%; height: auto; display: block }
svg text { font: 12px system-ui, sans-serif; fill: #5c5f66 }
"""
