"""Which joints of two skeletons correspond."""
