"""Found by pytest here, this folder is on the path: tests of all rooms import what is built beside it."""
