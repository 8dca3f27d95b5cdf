"""JSON Schema of one line of papers.jsonl: the fields' documentation, published with the data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_TEXT = {"type": "string"}
_SLUG = {"type": "string", "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$"}
_ID = {"type": "string", "pattern": "^[0-9a-hjkmnp-tv-z]{8,}$"}
_SCORE = {"type": "number", "minimum": 0}


def _object(fields: Mapping[str, object]) -> dict[str, object]:
    """Return the schema of an object that has all these fields and no other."""
    return {
        "type": "object",
        "properties": dict(fields),
        "required": list(fields),
        "additionalProperties": False,
    }


def _list(items: Mapping[str, object], description: str) -> dict[str, object]:
    return {"type": "array", "items": dict(items), "description": description}


def _known(description: str) -> dict[str, object]:
    return {"type": ["string", "null"], "description": f"{description}; null where unknown"}


PAPER_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "A paper of the digest",
    **_object(
        {
            "id": {**_ID, "description": "permanent; made from the text, never changed"},
            "url": {"type": "string", "format": "uri"},
            "title": _TEXT,
            "title_source": {
                "enum": ["source", "derived", "curated"],
                "description": "derived: a headline made from the abstract, not the paper's title",
            },
            "names": _list(_TEXT, "what the paper introduces, main name first"),
            "abstract": {"type": "string", "description": "mended, plain Unicode"},
            "abstract_source": {"type": "string", "description": "as it was read"},
            "tags": _list(
                _object(
                    {
                        "name": _TEXT,
                        "slug": _SLUG,
                        "score": _SCORE,
                        "page": {"type": "boolean", "description": "carried by two papers or more"},
                    }
                ),
                "best first",
            ),
            "topics": _list(_SLUG, "primary first"),
            "related": _list(
                _object({"id": _ID, "score": _SCORE, "why": _list(_TEXT, "phrases both hold")}),
                "nearest first",
            ),
            "sources": _list(
                _object(
                    {
                        "file": _TEXT,
                        "position": {"type": "integer", "minimum": 1},
                        "line": {"type": "integer", "minimum": 1},
                        "edition": _TEXT,
                        "date": _known("ISO 8601, as exact as known"),
                    }
                ),
                "where it, or a copy of it, was read",
            ),
            "merged": _list(
                _object({"kind": _TEXT, "score": _SCORE, "abstract_source": _TEXT}),
                "other texts judged to be the same paper",
            ),
            "links": _list(
                _object(
                    {
                        "kind": {"enum": ["code", "data", "model", "demo", "paper", "other"]},
                        "url": {"type": "string", "format": "uri"},
                    }
                ),
                "",
            ),
            "authors": {
                "type": ["array", "null"], "items": _TEXT, "description": "null where unknown",
            },
            "date": _known("as exact as the source gives it"),
            "arxiv": _known("identifier without version"),
            "doi": _known("without resolver"),
            "keywords": {
                "type": ["array", "null"],
                "items": _TEXT,
                "description": "the source's own, beside the tags; null where it has none",
            },
        }
    ),
}  # fmt: skip
