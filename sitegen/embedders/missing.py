"""The error for a model that cannot be used."""

from __future__ import annotations

from sitegen.diagnostics import Location, SitegenError, error

_SETTING = Location("content/site.toml")


def missing_model(model: str, why: str, hint: str) -> SitegenError:
    """Return the error for a model that cannot be used."""
    text = f'embedding model "{model}" {why}'
    return SitegenError(error("model-missing", text, _SETTING, hint))
