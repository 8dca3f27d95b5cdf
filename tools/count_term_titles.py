"""Make ``sitegen/data/term_titles.txt``: how often a term of an abstract is in the paper's title.

Of the abstracts that speak of machine unlearning two thirds have it in the title, of those that
speak of evaluation metrics one in forty: the first is mostly what a paper is about, the second
mostly said in passing. Counted once for the packaged vocabulary, in any of a term's forms::

    python tools/count_term_titles.py arxiv.jsonl.gz > sitegen/data/term_titles.txt

Input: JSON lines with ``title`` and ``abstract``, plain or gzipped. Equal input, equal output.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from sitegen.term_places import find_terms
from sitegen.vocabulary import default_vocabulary
from sitegen.word_columns import read_columns
from tools.count_title_words import papers

LEAST = 8
"""Abstracts that a term needs to be counted."""
PRIOR = 8
"""Abstracts with the average rate that are added to each term's own."""

HEADER = """\
# Terms of aliases.toml (as keys) and the share, in thousandths, of abstracts holding one whose
# title holds it, too. Counted by tools/count_term_titles.py over {papers} papers of computing and
# engineering, arXiv metadata of 2025 (CC0). The average term: {mean}.
"""


def main() -> None:
    """Count and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path)
    vocabulary = default_vocabulary()
    size = len(vocabulary.terms)
    titles, abstracts = zip(*papers(parser.parse_args().files), strict=True)
    # A title is read beside its abstract, whose words tell what its broad forms mean.
    columns = read_columns([f"{one}. {two}" for one, two in zip(titles, abstracts, strict=True)])
    hits = find_terms(columns, vocabulary)
    texts = columns.owners(hits.starts)
    inside = columns.start[hits.starts] <= np.fromiter(map(len, titles), np.int64)[texts]
    codes = texts * size + hits.terms
    held = np.unique(codes[~inside])
    both = np.intersect1d(held, codes[inside])
    papers_with = np.bincount(held % size, minlength=size)
    titles_with = np.bincount(both % size, minlength=size)
    mean = len(both) / len(held)
    print(HEADER.format(papers=len(titles), mean=round(1000 * mean)), end="")
    rates = (titles_with + PRIOR * mean) / (papers_with + PRIOR)
    for at in sorted(range(size), key=lambda at: vocabulary.terms[at].key):
        if papers_with[at] >= LEAST:
            print(vocabulary.terms[at].key, round(1000 * rates[at]))


if __name__ == "__main__":
    main()
