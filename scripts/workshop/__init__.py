"""What the commands in this folder share: places, environments, processes, the command line."""
