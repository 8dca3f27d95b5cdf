"""The commands, one module a group; each parses, calls one function, reports."""
