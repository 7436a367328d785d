"""The schema is true: what the API answers is what it describes, value by value."""

from __future__ import annotations

from typing import Any

import pytest
from drf_spectacular.generators import SchemaGenerator
from jsonschema import Draft202012Validator, FormatChecker

from tests.showcase import Showcase, make_showcase
from tests.site.test_api_roles import address_of, ask, browser, name_of, operations

pytestmark = pytest.mark.django_db

JSON = "application/json"


def validator(described: Any, components: Any) -> Draft202012Validator:
    """For one described answer; what is not described may not be answered."""
    return Draft202012Validator(
        {**closed(described), "components": closed(components)}, format_checker=FormatChecker()
    )


def closed(described: Any) -> Any:
    """A schema whose objects have the properties described, all of them, and no others."""
    if isinstance(described, list):
        return [closed(one) for one in described]
    if not isinstance(described, dict):
        return described
    found = {key: closed(value) for key, value in described.items()}
    properties = found.get("properties")
    if found.get("type") == "object" and isinstance(properties, dict):
        shown = [key for key, value in properties.items() if not value.get("writeOnly")]
        found |= {"additionalProperties": False, "required": shown}
    return found


def faults_of(answer: Any, described: Any, components: Any) -> list[str]:
    """What an answer of 2xx has that its description has not."""
    wanted = described["responses"].get(str(answer.status_code))
    if wanted is None:
        return [f"{answer.status_code} is not described"]
    if answer.status_code == 204:
        return ["something is said"] if answer.content else []
    content = wanted["content"].get(answer["Content-Type"].partition(";")[0])
    if content is None:
        return [f"{answer['Content-Type']} is not described"]
    if answer["Content-Type"] != JSON:
        return []
    found = validator(content["schema"], components).iter_errors(answer.json())
    return [f"{fault.json_path}: {fault.message}"[:200] for fault in found]


@pytest.fixture
def showcase() -> Showcase:
    return make_showcase()


@pytest.mark.parametrize("who", ["player", "operator"])
def test_every_answer_is_as_the_schema_describes_it(showcase: Showcase, who: str) -> None:
    """Fields, types, formats and choices of all that is answered with 2xx."""
    components = SchemaGenerator().get_schema(request=None, public=True)["components"]
    client, wrong, looked_at = browser(showcase, who), {}, 0
    for method, path, described in operations():
        answer = ask(client, showcase, method, path)
        if 200 <= answer.status_code < 300:
            looked_at += 1
            if faults := faults_of(answer, described, components):
                wrong[name_of(method, path)] = faults
    assert wrong == {}
    assert looked_at > 40


def test_a_description_that_lies_is_found_out() -> None:
    """The test above can fail: a field too many, one too few, a wrong type."""
    described = {
        "type": "object",
        "properties": {"rank": {"type": ["integer", "null"]}, "at": {"type": "string"}},
    }
    check = validator(described, {})
    assert list(check.iter_errors({"rank": None, "at": "now"})) == []
    for lie in ({"rank": 1}, {"rank": "1", "at": "now"}, {"rank": 1, "at": "now", "more": 1}):
        assert list(check.iter_errors(lie))


def test_a_list_can_be_walked_by_its_next_with_every_page_as_described(showcase: Showcase) -> None:
    """One row a page, and every page is like the first."""
    components = SchemaGenerator().get_schema(request=None, public=True)["components"]
    client = browser(showcase, "operator")
    walked = 0
    for method, path, described in operations():
        named = {one["name"] for one in described.get("parameters", ())}
        if method != "get" or "limit" not in named:
            continue
        address = f"{address_of(showcase, path)}?limit=1"
        for _page in range(4):
            answer: Any = client.get(address)
            assert faults_of(answer, described, components) == [], path
            assert len(answer.json()["results"]) <= 1
            walked += 1
            if answer.json()["next"] is None:
                break
            address = answer.json()["next"]
    assert walked > 15
