"""Tools used in any order while people do what people do: nothing may break, whatever comes of it."""
