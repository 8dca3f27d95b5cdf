"""What the site model hands to those who write files: pages with their views, feeds, data records.

Everything here is frozen and ready to show: texts are chosen, lists are sorted and cut, HTML is
made. Paths are relative to the site's root (``papers/ab12cd34/``, the home page is ``""``); who
writes a file puts the way back to the root before them.
"""

from __future__ import annotations

from sitegen.views.data import (
    EditionRecord,
    Entry,
    Feed,
    MapPoint,
    Record,
    TopicRecord,
)
from sitegen.views.kinds import (
    AliasView,
    Cell,
    DataView,
    EditionCounts,
    EditionItem,
    EditionsView,
    EditionView,
    HomeView,
    IndexView,
    LinkView,
    MapGroup,
    MapView,
    MergedView,
    NotFoundView,
    PaperView,
    PlaceView,
    RelatedView,
    SavedView,
    SearchView,
    Segment,
    StatsView,
    TagView,
    TextView,
    TombstoneView,
    TopicsView,
    TopicTrend,
    TopicView,
    View,
)
from sitegen.views.parts import (
    Anchor,
    Paging,
    Row,
    Section,
    TopicMark,
)
from sitegen.views.site import (
    Info,
    Page,
    Site,
)

__all__ = [
    "AliasView",
    "Anchor",
    "Cell",
    "DataView",
    "EditionCounts",
    "EditionItem",
    "EditionRecord",
    "EditionView",
    "EditionsView",
    "Entry",
    "Feed",
    "HomeView",
    "IndexView",
    "Info",
    "LinkView",
    "MapGroup",
    "MapPoint",
    "MapView",
    "MergedView",
    "NotFoundView",
    "Page",
    "Paging",
    "PaperView",
    "PlaceView",
    "Record",
    "RelatedView",
    "Row",
    "SavedView",
    "SearchView",
    "Section",
    "Segment",
    "Site",
    "StatsView",
    "TagView",
    "TextView",
    "TombstoneView",
    "TopicMark",
    "TopicRecord",
    "TopicTrend",
    "TopicView",
    "TopicsView",
    "View",
]
