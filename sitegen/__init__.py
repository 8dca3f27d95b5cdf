"""A static site generator for curated digests of paper abstracts."""

__version__ = "0.1.0"
