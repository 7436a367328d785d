"""What the frames of a socket's player do: commands in the running deal, answers between two deals.

A command is for the deal in which it was decided. One that comes after that deal - sent again after
a lost connection, say - does nothing in the next one, of which its sender had other cards: it gets
the answer it was given before, or is refused. Which deal is meant the frame says itself; else it is
the one that this socket was shown.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from tables import frames as fr
from tables import services, store
from tables.errors import TableCode, TableRefusal
from tables.following import FollowsTable

ANY_DEAL: Final = (fr.AutoDropFrame, fr.BackFrame, fr.LeaveFrame)
"""What is meant as much in the next deal, and between two."""

BetweenDeals = fr.RejoinFrame | fr.OfferSplitFrame | fr.AnswerSplitFrame


class PlaysAtTable(FollowsTable):
    """The part of a table's consumer that acts for its seat. All of it works in the database."""

    def play(self, frame: fr.CommandFrame) -> tuple[str, services.Played]:
        """Play a command; of which deal - none between two - and what came of it."""
        self.seat_as_known()
        deal = store.running_deal(self.viewer.match_id)
        if deal is None or deal.public_id != self.deal:
            self.check_seat()
        seat, _ = self.seat_as_known()
        if frame.deal and (deal is None or deal.public_id != frame.deal):
            version = services.repeated_in(
                deal=frame.deal, table=self.viewer.table, command_id=f"{seat}:{frame.id}"
            )
            if version is not None:
                return "", services.Played(version, (), None, repeated=True)
        if deal is None:
            return "", self._between_deals(frame, seat)
        self._check_deal(frame, deal.public_id)
        played = services.play(
            deal_id=deal.deal_id,
            command=fr.command_of(frame, seat),
            command_id=f"{seat}:{frame.id}",
            now=_now(),
        )
        return deal.public_id, played

    def _check_deal(self, frame: fr.CommandFrame, running: str) -> None:
        """Raises `NO_DEAL` if another deal is meant than the running one."""
        meant = frame.deal or (self.deal if self.is_greeted else running)
        if meant != running and not isinstance(frame, ANY_DEAL):
            raise TableRefusal(
                TableCode.NO_DEAL, "That deal is over, and another one is being played."
            )

    def _between_deals(self, frame: fr.CommandFrame, seat: int) -> services.Played:
        """No deal runs: a player may still leave, and be back."""
        services.check_online(match_id=self.viewer.match_id)
        repeated = services.repeated_at(
            match_id=self.viewer.match_id, command_id=f"{seat}:{frame.id}"
        )
        if repeated is not None:
            return services.Played(repeated, (), None, repeated=True)
        if isinstance(frame, fr.LeaveFrame):
            entry = fr.entry_of(frame, seat)
            services.answer(match_id=self.viewer.match_id, entry=entry, now=_now())
        elif isinstance(frame, fr.AutoDropFrame | fr.BackFrame):
            on = isinstance(frame, fr.AutoDropFrame) and frame.on
            services.set_auto_drop(match_id=self.viewer.match_id, seat=seat, on=on)
        else:
            raise TableRefusal(TableCode.NO_DEAL, "No deal is being played; wait for the next.")
        return services.Played(0, (), None)

    def enter(self, frame: BetweenDeals) -> None:
        """Answer what the match asks between two deals."""
        entry = fr.entry_of(frame, self.seat_now()[0])
        services.answer(match_id=self.viewer.match_id, entry=entry, now=_now())


def _now() -> datetime:
    """The server's time, read at the edge only."""
    return datetime.now(UTC)
