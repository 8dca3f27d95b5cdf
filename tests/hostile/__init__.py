"""Hostile content: a corpus of payloads, and what it must not bring about."""
