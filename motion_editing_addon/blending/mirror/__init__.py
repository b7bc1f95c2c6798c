"""Mirror Motion: left and right exchanged."""
