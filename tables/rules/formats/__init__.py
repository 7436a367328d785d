"""Match formats: points, pools, deals, heads-up sets and highest out (rule 6).

Outside of this package only these names are used: a format by its name, `open_match`, the `Match`
with its steps, entries and standings, and its stored form.
"""

from __future__ import annotations

from tables.rules.formats.base import (
    AwaitRebuy,
    AwaitRejoin,
    AwaitSplit,
    DealCorrected,
    DealScored,
    DealsStopped,
    DrawLot,
    Entry,
    LotDrawn,
    MatchOver,
    NextDeal,
    PlayerJoined,
    PlayerLeft,
    RejoinAnswered,
    SplitAnswered,
    SplitOffered,
    Standing,
    Step,
    TimePassed,
)
from tables.rules.formats.deals import DealsFormat, RankBy
from tables.rules.formats.drops_and_splits import drops_left, split_weights
from tables.rules.formats.heads_up import HeadsUpFormat, OnTie
from tables.rules.formats.highest_out import HighestOutFormat
from tables.rules.formats.level import LevelFormat
from tables.rules.formats.match import AnyFormat, Match, Opening, replayed
from tables.rules.formats.points import PointsFormat, winnings_of
from tables.rules.formats.pool_table import PoolFormat
from tables.rules.formats.registry import (
    FORMATS,
    decode_match,
    encode_match,
    format_named,
    open_match,
)

__all__ = [
    "FORMATS",
    "AnyFormat",
    "AwaitRebuy",
    "AwaitRejoin",
    "AwaitSplit",
    "DealCorrected",
    "DealScored",
    "DealsFormat",
    "DealsStopped",
    "DrawLot",
    "Entry",
    "HeadsUpFormat",
    "HighestOutFormat",
    "LevelFormat",
    "LotDrawn",
    "Match",
    "MatchOver",
    "NextDeal",
    "OnTie",
    "Opening",
    "PlayerJoined",
    "PlayerLeft",
    "PointsFormat",
    "PoolFormat",
    "RankBy",
    "RejoinAnswered",
    "SplitAnswered",
    "SplitOffered",
    "Standing",
    "Step",
    "TimePassed",
    "decode_match",
    "drops_left",
    "encode_match",
    "format_named",
    "open_match",
    "replayed",
    "split_weights",
    "winnings_of",
]
