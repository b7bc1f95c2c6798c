"""The formats of files with motion, a file and a class for each; all of them are found by themselves."""
