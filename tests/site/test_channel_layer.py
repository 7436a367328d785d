"""The in-process channel layer: nothing lost silently, nothing scanned, any thread may send."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest
from channels.exceptions import ChannelFull

from rummy_site.channel_layer import SWEEP_SECONDS, ProcessChannelLayer

SOON = 5.0


async def _receive(layer: ProcessChannelLayer, channel: str) -> dict[str, object]:
    return await asyncio.wait_for(layer.receive(channel), SOON)


async def test_messages_of_a_channel_arrive_in_order() -> None:
    layer = ProcessChannelLayer()
    channel = await layer.new_channel()
    for number in range(3):
        await layer.send(channel, {"type": "test", "number": number})
    assert [(await _receive(layer, channel))["number"] for _ in range(3)] == [0, 1, 2]


async def test_a_receiver_that_waits_is_woken() -> None:
    layer = ProcessChannelLayer()
    channel = await layer.new_channel()
    waiting = asyncio.create_task(_receive(layer, channel))
    await asyncio.sleep(0)
    await layer.send(channel, {"type": "test"})
    assert await waiting == {"type": "test"}


async def test_a_channel_that_is_forgotten_keeps_nothing_and_gets_nothing_more() -> None:
    layer = ProcessChannelLayer()
    channel = await layer.new_channel()
    await layer.group_add("group", channel)
    await layer.group_send("group", {"type": "test", "number": 1})
    for _ in range(2):
        await layer.forget(channel)
    await layer.group_send("group", {"type": "test", "number": 2})
    assert (layer._boxes, layer._groups) == ({}, {})


async def test_a_group_message_reaches_its_members_and_nobody_else() -> None:
    layer = ProcessChannelLayer()
    first, second, other = [await layer.new_channel() for _ in range(3)]
    for channel in (first, second):
        await layer.group_add("table", channel)
    await layer.group_add("elsewhere", other)
    await layer.group_send("table", {"type": "test"})
    assert await _receive(layer, first) == await _receive(layer, second) == {"type": "test"}
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(layer.receive(other), 0.05)


async def test_who_has_left_a_group_hears_nothing_more_and_leaves_nothing_behind() -> None:
    layer = ProcessChannelLayer()
    channel = await layer.new_channel()
    await layer.group_add("table", channel)
    await layer.group_discard("table", channel)
    await layer.group_discard("table", channel)
    await layer.group_send("table", {"type": "test"})
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(layer.receive(channel), 0.05)
    assert (layer._boxes, layer._groups) == ({}, {})


async def test_a_full_mailbox_drops_and_counts_and_the_others_get_theirs() -> None:
    layer = ProcessChannelLayer(capacity=2)
    slow, quick = [await layer.new_channel() for _ in range(2)]
    for channel in (slow, quick):
        await layer.group_add("table", channel)
    got = []
    for number in range(5):
        await layer.group_send("table", {"type": "test", "number": number})
        got.append((await _receive(layer, quick))["number"])
    assert got == [0, 1, 2, 3, 4]
    assert layer.dropped == 3
    assert [(await _receive(layer, slow))["number"] for _ in range(2)] == [0, 1]


async def test_sending_to_a_full_channel_is_refused() -> None:
    layer = ProcessChannelLayer(capacity=1)
    await layer.send("full", {"type": "test"})
    with pytest.raises(ChannelFull):
        await layer.send("full", {"type": "test"})
    assert layer.dropped == 1


async def test_many_threads_may_send_at_once_and_nothing_is_lost() -> None:
    layer = ProcessChannelLayer(capacity=10_000)
    channels = [await layer.new_channel() for _ in range(5)]
    for channel in channels:
        await layer.group_add("table", channel)

    def send(sender: int) -> None:
        for number in range(200):
            layer.publish("table", {"type": "test", "from": sender, "number": number})

    threads = [threading.Thread(target=send, args=(sender,)) for sender in range(4)]
    for thread in threads:
        thread.start()
    for channel in channels:
        got = [await _receive(layer, channel) for _ in range(800)]
        for sender in range(4):
            numbers = [message["number"] for message in got if message["from"] == sender]
            assert numbers == list(range(200))
    for thread in threads:
        thread.join()
    assert layer.dropped == 0


async def test_a_message_from_another_thread_wakes_the_receiver_at_once() -> None:
    layer = ProcessChannelLayer()
    channel = await layer.new_channel()
    await layer.group_add("table", channel)
    waiting = asyncio.create_task(_receive(layer, channel))
    await asyncio.sleep(0.05)
    threading.Thread(target=layer.publish, args=("table", {"type": "test"})).start()
    assert (await waiting)["type"] == "test"


async def test_a_receiver_that_gives_up_takes_no_message_with_it() -> None:
    layer = ProcessChannelLayer()
    channel = await layer.new_channel()
    waiting = asyncio.create_task(layer.receive(channel))
    await asyncio.sleep(0)
    await layer.send(channel, {"type": "test"})
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert await _receive(layer, channel) == {"type": "test"}


def test_receivers_in_a_loop_that_has_ended_disturb_no_sender() -> None:
    layer = ProcessChannelLayer()

    async def wait_in_vain() -> None:
        await layer.group_add("table", "gone")
        loop = asyncio.get_running_loop()
        layer._boxes["gone"].waiters.append(loop.create_future())

    asyncio.run(wait_in_vain())
    layer.publish("table", {"type": "test"})
    assert len(layer._boxes["gone"].messages) == 1


async def test_channels_that_nobody_reads_are_forgotten_with_their_groups() -> None:
    layer = ProcessChannelLayer(expiry=60)
    dead, alive = [await layer.new_channel() for _ in range(2)]
    for channel in (dead, alive):
        await layer.group_add("table", channel)
    await layer.group_send("table", {"type": "test"})
    await _receive(layer, alive)
    later = time.monotonic() + 61 + SWEEP_SECONDS
    layer._sweep(later)
    assert list(layer._boxes) == list(layer._groups["table"]) == [alive]


async def test_forgetting_everything_lets_receivers_wait_on() -> None:
    layer = ProcessChannelLayer()
    waiting = asyncio.create_task(_receive(layer, "channel"))
    await asyncio.sleep(0)
    await layer.flush()
    await asyncio.sleep(0)
    await layer.send("channel", {"type": "test"})
    assert await waiting == {"type": "test"}


@pytest.mark.parametrize("name", ["", "with space", "x" * 101])
async def test_names_are_checked(name: str) -> None:
    layer = ProcessChannelLayer()
    with pytest.raises(TypeError):
        await layer.send(name, {"type": "test"})
    with pytest.raises(TypeError):
        await layer.group_add("table", name)
    with pytest.raises(TypeError):
        layer.publish(name, {"type": "test"})
