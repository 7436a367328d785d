"""A player that is a program: it gets a key, sits down, and plays to the end.

    python bot.py http://127.0.0.1:8000 asha                 at a practice table with a bot
    python bot.py http://127.0.0.1:8000 asha mQ0Zk3b1xYvT    in a tournament, by its id

It asks for the password, or reads RUMMY_PASSWORD. It needs Python 3.11 and `pip install
websockets`, and knows only what docs/api.md and docs/protocol.md say. It plays simply: it draws
from the closed deck, throws its dearest card that fits nothing, shows its hand when somebody else
has finished, never buys in again and takes every split. Make a better one: give `play` your own
`choose` and `answer`.
"""

from __future__ import annotations

import asyncio
import getpass
import json
import os
import secrets
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Callable
from itertools import count
from typing import Any

from websockets.asyncio.client import connect

Frame = dict[str, Any]
RANKS = "A23456789TJQK"
NAME = secrets.token_hex(4)  # a bot that is started anew uses none of its old ids
COMMANDS = count(1)


def ask(site: str, path: str, said: Frame | None = None, key: str = "") -> Any:
    """A request to the API: POST where there is something to say."""
    request = urllib.request.Request(  # noqa: S310 - the address is the caller's
        f"{site}/api/{path}",
        data=None if said is None else json.dumps(said).encode(),
        headers={"Content-Type": "application/json"}
        | ({"Authorization": f"Token {key}"} if key else {}),
    )
    with urllib.request.urlopen(request) as answer:  # noqa: S310
        return json.load(answer)


def runs(hand: list[str]) -> list[list[str]]:
    """Pure sequences of three and more, found from the left; no card is used twice."""
    groups = []
    for suit in "CDHS":
        held = {card[0] for card in hand if len(card) == 2 and card[1] == suit}
        run: list[str] = []
        for rank in [*RANKS, ""]:
            if rank and rank in held:
                run.append(rank + suit)
                continue
            if len(run) >= 3:
                groups.append(run)
            run = []
    return groups


def grouping(hand: list[str]) -> list[list[str]]:
    """All cards of the hand: sequences, and the rest in one group."""
    groups = runs(hand)
    rest = Counter(hand) - Counter(card for group in groups for card in group)
    return [*groups, list(rest.elements())] if rest else groups


def dearest(hand: list[str], allowed: list[str]) -> str:
    """The card to throw: none of a sequence, no neighbour, no joker, as high as possible."""
    used = {card for group in runs(hand) for card in group}

    def keeps(card: str) -> tuple[bool, int, int]:
        if card == "JK":
            return (True, 9, 0)
        place = RANKS.index(card[0])
        near = sum(
            other != card and other[1] == card[1] and abs(RANKS.index(other[0]) - place) <= 2
            for other in hand
            if other != "JK"
        )
        return (card in used, near, -place)

    return min(allowed, key=keeps)


def choose(snapshot: Frame) -> Frame | None:
    """What to send for a snapshot; nothing while others have to move."""
    seat, legal = snapshot["seat"], snapshot["legal"]
    may = {move["do"] for move in legal}
    if "draw_closed" in may:
        return {"type": "draw_closed"}
    if not may & {"discard", "declare"}:
        return None
    [me] = [one for one in snapshot["state"]["seats"] if one["seat"] == seat]
    if "declare" in may:
        return {"type": "declare", "groups": grouping(me["hand"])}
    allowed = [move["card"] for move in legal if move["do"] == "discard"]
    return {"type": "discard", "card": dearest(me["hand"], allowed)}


def answer(board: Frame, seat: int) -> Frame | None:
    """What to say between two deals; nothing where this seat is not asked."""
    step = board["step"] or {}
    if seat not in step.get("seats", ()):
        return None
    if step["step"] in ("await_rejoin", "await_rebuy"):
        return {"type": "rejoin", "yes": False}
    if step["step"] == "await_split":
        return {"type": "answer_split", "accepts": True}
    return None


async def play(
    site: str,
    key: str,
    table: str,
    choose: Callable[[Frame], Frame | None] = choose,
    answer: Callable[[Frame, int], Frame | None] = answer,
) -> Frame:
    """Sit at the table until its match is over; the last scoreboard."""
    address = site.replace("http", "ws", 1) + f"/ws/tables/{table}/"
    headers = {"Authorization": f"Token {key}"}
    hello = json.dumps({"type": "hello", "deal": "", "version": 0})
    async with connect(address, additional_headers=headers) as socket:
        seat, answered = None, -1
        await socket.send(hello)
        async for text in socket:
            frame: Frame = json.loads(text)
            board = frame["scoreboard"] if frame["type"] == "snapshot" else frame
            if board.get("status") in ("over", "void"):
                return board
            if frame["type"] == "snapshot":
                seat = frame["seat"]
            if seat is not None and board.get("entries", -1) > answered:
                said = answer(board, seat)
                if said is not None:
                    answered = board["entries"]
                    await socket.send(json.dumps(said))
            if frame["type"] == "snapshot":
                move = choose(frame)
                if move is not None:
                    own = {"id": f"{NAME}-{next(COMMANDS)}", "seen": frame["version"]}
                    await socket.send(json.dumps(move | own | {"deal": frame["deal"]}))
            elif frame["type"] == "refused":
                # Also where it came too fast: a moment later everything is asked for anew.
                await asyncio.sleep(0.5)
                await socket.send(hello)
            elif frame["type"] == "events" and {move["do"] for move in frame["legal"]} & {
                "draw_closed",
                "discard",
                "declare",
            }:
                # A program that keeps no state of its own asks for all of it when it has to move.
                await socket.send(hello)
    raise ConnectionError("The table has closed the connection.")


def join(site: str, key: str, tournament: str) -> str:
    """Join a tournament and wait until a table there calls; the table's id."""
    ask(site, f"tournaments/{tournament}/join/", {}, key)
    while True:
        for call in ask(site, "me/calls/", key=key):
            if call["tournament"] == tournament:
                return str(call["table"])
        time.sleep(2)


def log_in(site: str, username: str) -> str:
    """A key for a name and a password."""
    password = os.environ.get("RUMMY_PASSWORD") or getpass.getpass()
    said = {"username": username, "password": password, "name": "Example bot", "days": 1}
    return str(ask(site, "token/", said)["token"])


def main(site: str, username: str, tournament: str = "") -> None:
    """Get a key, sit down, play, and say how it ended."""
    key = log_in(site, username)
    if tournament:
        table = join(site, key, tournament)
    else:
        wish = {"format": "points", "seats": 2, "stake": 0, "with_bots": True}
        table = ask(site, "quick/", wish, key)["table"]
    board = asyncio.run(play(site, key, table))
    told = {"table": table, "status": board["status"], "lines": board["lines"]}
    sys.stdout.write(json.dumps(told) + "\n")


if __name__ == "__main__":
    main(sys.argv[1].rstrip("/"), *sys.argv[2:4])
