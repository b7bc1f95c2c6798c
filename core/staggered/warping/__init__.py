"""Time of single variables: where their knots are put, and how it runs between them."""
