"""Other ways to rank a text's phrases, for comparison: KeyBERT as shipped, YAKE, plain TF-IDF."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module, util

from sitegen import embedders

Ranking = list[list[str]]
"""For each text its phrases, best first."""
DEPTH = 20


def keybert(texts: Sequence[str], model: str, longest: int) -> Ranking:
    """Rank as KeyBERT does out of the box, with n-grams of up to ``longest`` words."""
    from keybert import KeyBERT

    extractor = KeyBERT(embedders.load(model).backend)
    found = extractor.extract_keywords(
        list(texts), keyphrase_ngram_range=(1, longest), stop_words="english", top_n=DEPTH
    )
    return [[phrase for phrase, _ in row] for row in found]


def tfidf(texts: Sequence[str], analyzer: Callable[[str], list[str]] | None = None) -> Ranking:
    """Rank phrases by TF-IDF over the given texts.

    Args:
        texts: the corpus.
        analyzer: gives the phrases of a text; None for n-grams of one and two words.
    """
    from sklearn.feature_extraction.text import TfidfVectorizer

    if analyzer:
        vectorizer = TfidfVectorizer(analyzer=analyzer)
    else:
        vectorizer = TfidfVectorizer(ngram_range=(1, 2), stop_words="english")
    weights = vectorizer.fit_transform(texts)
    names = vectorizer.get_feature_names_out()
    rows = (weights[row] for row in range(weights.shape[0]))
    return [
        [names[i] for _, i in sorted(zip(-row.data.round(9), row.indices, strict=True))[:DEPTH]]
        for row in rows
    ]


def has_yake() -> bool:
    """Tell whether the package yake is installed; sitegen does not need it."""
    return util.find_spec("yake") is not None


def yake(texts: Sequence[str]) -> Ranking:
    """Rank by YAKE with n-grams of up to three words."""
    extractor = import_module("yake").KeywordExtractor(n=3, top=DEPTH)
    return [[phrase for phrase, _ in extractor.extract_keywords(text)] for text in texts]


def neighbours(texts: Sequence[str], count: int = 5) -> list[list[int]]:
    """Return each text's nearest others by the cosine of TF-IDF over single words."""
    import numpy as np
    from sklearn.feature_extraction.text import TfidfVectorizer

    weights = TfidfVectorizer(stop_words="english", sublinear_tf=True).fit_transform(texts)
    nearness = (weights @ weights.T).toarray().round(6)
    np.fill_diagonal(nearness, -1)
    ranked: list[list[int]] = np.argsort(-nearness, axis=1, kind="stable")[:, :count].tolist()
    return ranked
