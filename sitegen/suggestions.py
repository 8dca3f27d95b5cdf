"""Topics that a curator could add, for papers that none covers."""

from __future__ import annotations

from sitegen.digest import Digest
from sitegen.drafts import EXAMPLES, Draft, distinct, document
from sitegen.headers import header_line
from sitegen.records import Topic
from sitegen.topic_discovery import discover_topics


def suggest_topics(digest: Digest) -> tuple[Draft, ...]:
    """Return files of topics that would cover what is uncovered, with papers for example.

    A digest without topics of its own gets those that sitegen found for it, as files to edit.

    Args:
        digest: after all stages.
    """
    papers, described = digest.gathered.papers, digest.described
    curated = digest.gathered.content.topics
    open_to = [at for at in range(len(papers)) if not (curated and described.choices[at].topics)]
    if not open_to:
        return ()
    found = (
        discover_topics(
            [papers[at] for at in open_to],
            [described.taggings[at] for at in open_to],
            described.vectors[open_to],
        )
        if curated
        else described.topics
    )
    taken = {topic.slug for topic in curated}
    order = max((topic.order for topic in curated), default=0)
    return tuple(
        _draft(digest, topic, open_to, order + 10 * number)
        for number, topic in enumerate((each for each in found if each.slug not in taken), 1)
    )


def _draft(digest: Digest, topic: Topic, open_to: list[int], order: int) -> Draft:
    described = digest.described
    phrases = set(topic.phrases)
    examples = [
        f"# for example {digest.gathered.papers[at].id}: {described.namings[at].title}"
        for at in open_to
        if any(tag.name in phrases for tag in described.taggings[at].tags)
    ]
    lines = [
        header_line("title", topic.title),
        header_line("phrases", distinct(topic.phrases)),
        header_line("order", order),
        f"# {len(examples)} papers without a topic hold one of the phrases",
        *examples[:EXAMPLES],
    ]
    return Draft(path=f"content/topics/{topic.slug}.md", text=document(lines))
