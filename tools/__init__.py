"""Scripts that make what the package ships: models, word lists, locks."""
