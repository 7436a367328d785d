"""What nobody should send: wrong types, NULs, huge bodies and numbers, strange methods, to every
operation of the schema. It is refused with code, sentence and field, and is never a fault.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

import pytest
from drf_spectacular.generators import SchemaGenerator
from rest_framework.test import APIClient

from tests.showcase import Showcase, make_showcase
from tests.site.test_api_roles import BODIES, address_of, browser, name_of, operations
from tests.tournaments.helpers import a_tournament, join, players

pytestmark = pytest.mark.django_db

HUGE: Final = 10**30
TEXTS: Final = (
    "\x00",
    "a\x00b",
    "x" * 20_000,
    "-1",
    str(HUGE),
    "1e999",
    "[]",
    "\u202e<b>'\"",
    "😀",
)
VALUES: Final[tuple[Any, ...]] = (
    *(None, True, -1, HUGE, 1.5, "", "x" * 100_000, "a\x00b", "\ud800", [], {}, [None], {"a": {}}),
    *([["x"] * 1_000], "<script>alert(1)</script>"),
)
BODIES_OF_ALL: Final[tuple[tuple[bytes, str], ...]] = (
    (b"", "application/json"),
    (b"{", "application/json"),
    (b"[]", "application/json"),
    (b"null", "application/json"),
    (b'"text"', "application/json"),
    (b"17", "application/json"),
    (b"NaN", "application/json"),
    (b"\xff\xfe", "application/json"),
    (b"[" * 20_000, "application/json"),
    (b'{"a":' * 20_000, "application/json"),
    (b'{"code": "' + b"x" * 3_000_000 + b'"}', "application/json"),
    (b"code=x", "application/x-www-form-urlencoded"),
    (b"<code/>", "text/xml"),
)


@pytest.fixture
def showcase() -> Showcase:
    return make_showcase()


@pytest.fixture
def client(showcase: Showcase) -> APIClient:
    """The player's, who may ask for most."""
    return browser(showcase, "player")


def fault_of(answer: Any, *about: Any) -> tuple[Any, ...] | None:
    """What is wrong with an answer to garbage."""
    if answer.status_code >= 500:
        return (*about, answer.status_code)
    if not answer.content:  # of a HEAD
        return None
    is_refusal = answer.status_code >= 400 and answer["Content-Type"] == "application/json"
    if is_refusal and set(answer.json()) != {"code", "detail", "field"}:
        return (*about, answer.content[:100])
    return None


def fields_of(described: dict[str, Any], schema: Any) -> list[str]:
    """The fields of what an operation is sent."""
    content = described.get("requestBody", {}).get("content", {}).get("application/json")
    if content is None:
        return []
    name = content["schema"]["$ref"].rpartition("/")[2]
    return list(schema["components"]["schemas"][name]["properties"])


def test_no_wrong_value_of_a_field_is_a_fault(client: APIClient, showcase: Showcase) -> None:
    """Every field of every body takes each strange value, the others being right."""
    faults, sent = [], 0
    schema = SchemaGenerator().get_schema(request=None, public=True)
    for method, path, described in operations():
        for field in fields_of(described, schema):
            for value in VALUES:
                body = {**BODIES.get(name_of(method, path), {}), field: value}
                answer = client.generic(
                    method.upper(),
                    address_of(showcase, path),
                    json.dumps(body),
                    content_type="application/json",
                )
                faults.append(fault_of(answer, name_of(method, path), field, str(value)[:40]))
                sent += 1
    assert [fault for fault in faults if fault] == []
    assert sent > 200


def test_no_body_is_a_fault(client: APIClient, showcase: Showcase) -> None:
    """Broken, deep, huge, of another kind."""
    faults = []
    for method, path, _described in operations():
        if method != "get":
            for body, kind in BODIES_OF_ALL:
                said: Any = body  # which bytes may be as well
                answer = client.generic(
                    method.upper(), address_of(showcase, path), said, content_type=kind
                )
                faults.append(fault_of(answer, name_of(method, path), body[:20], kind))
    assert [fault for fault in faults if fault] == []


def queries() -> Iterator[tuple[str, str]]:
    """A path and a parameter of its query."""
    for method, path, described in operations():
        for one in described.get("parameters", ()):
            if method == "get" and one["in"] == "query":
                yield path, one["name"]


def test_no_query_is_a_fault(client: APIClient, showcase: Showcase) -> None:
    """Every parameter of every list takes each strange text; NULs are refused."""
    faults, asked = [], 0
    for path, name in queries():
        for text in TEXTS:
            answer = client.get(address_of(showcase, path), {name: text})
            faults.append(fault_of(answer, path, name, text[:20]))
            if "\x00" in text:
                assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
            asked += 1
    assert [fault for fault in faults if fault] == []
    assert asked > 200


def test_no_part_of_an_address_is_a_fault(client: APIClient) -> None:
    """Names, ids and numbers that are none."""
    faults = []
    for method, path, _described in operations():
        if "{" not in path:
            continue
        for text in ("%00", "a%00b", "x" * 3_000, str(HUGE), "0", "..%2f..", "%F0%9F%98%80", "'"):
            parts = dict.fromkeys(("public_id", "number", "key_id", "username", "id"), text)
            answer = client.generic(method.upper(), path.format(**parts))
            assert answer.status_code in (400, 403, 404), (method, path, text[:20])
            faults.append(fault_of(answer, method, path, text[:20]))
    assert [fault for fault in faults if fault] == []


@pytest.mark.parametrize("verb", ["PUT", "TRACE", "FOO", "OPTIONS", "HEAD", "CONNECT"])
def test_no_method_is_a_fault(client: APIClient, showcase: Showcase, verb: str) -> None:
    """What is not offered is refused: with 405, or with 403 where one may do nothing at all."""
    for path in {path for _method, path, _described in operations()}:
        answer = client.generic(verb, address_of(showcase, path))
        assert fault_of(answer, verb, path) is None
        assert answer.status_code in (200, 403, 404, 405), (verb, path)
        if verb in ("PUT", "TRACE", "FOO", "CONNECT"):
            assert answer.status_code in (403, 405), path


@pytest.mark.parametrize(("limit", "rows"), [("1", 1), ("200", 200), ("201", 200), ("0", 50)])
def test_a_page_has_between_one_and_two_hundred_rows(limit: str, rows: int) -> None:
    """Whatever is asked for; what is no number gives the usual fifty."""
    made = a_tournament(capacity=210)
    join(made, *players(210))
    page = APIClient().get(f"/api/tournaments/{made.public_id}/entrants/?limit={limit}").json()
    assert len(page["results"]) == rows
