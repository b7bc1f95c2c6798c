"""The names of the laws, in the order of the tables; without what measures them."""

WORKS, RETURN = "works", "return"
MEASURED = (
    "no pops",
    "bounded",
    "floor",
    "feet",
    "straight legs",
    "anatomy",
    "local",
    "idle first",
    "rhythm",
    "loops",
    "sparse",
    "follows",
    "seen",
    "controls",
)
ALL = (WORKS, *MEASURED, RETURN)
