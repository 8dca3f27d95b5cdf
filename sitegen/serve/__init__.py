"""A small local server for looking at a digest while it is being edited."""

from sitegen.serve.handler import make_server

__all__ = ["make_server"]
