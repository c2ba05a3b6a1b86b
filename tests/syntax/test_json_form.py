"""The JSON form: its documentation is true, and its mistakes say where they are."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lfppl.errors import ModelError
from lfppl.source import Source
from lfppl.syntax import read_program
from lfppl.syntax.json_form import program_from_json, program_to_json, read_json, write_json
from lfppl.syntax.json_kinds import KINDS

DOCUMENT = Path(__file__).parents[2] / "docs" / "ast.md"
EXAMPLES = re.findall(r"```lfppl\n(.*?)```\n+```json\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)


def program(*expressions, **keys):
    return {"kind": "program", "expressions": list(expressions), **keys}


def name(id):
    return {"kind": "name", "id": id}


def refused(data):
    with pytest.raises(ModelError) as caught:
        program_from_json(data)
    return caught.value


@pytest.mark.parametrize(("text", "example"), EXAMPLES, ids=[text.strip() for text, _ in EXAMPLES])
def test_documented_examples_are_true(text, example):
    data = json.loads(example)
    expressions = data["expressions"] if data["kind"] == "program" else [data]
    assert program_from_json(program(*expressions)) == read_program(Source("m", text))


def test_every_kind_has_a_documented_example():
    written = "".join(example for _, example in EXAMPLES)
    assert {kind for kind in KINDS if f'"kind": "{kind}"' in written} == set(KINDS)


@pytest.mark.parametrize(
    ("data", "code", "path"),
    [
        ([], "wrong-json-value", "$"),
        ({}, "missing-json-key", "$"),
        ({"kind": "let"}, "unknown-json-kind", "$"),
        ({"kind": "program"}, "missing-json-key", "$"),
        (program(), "wrong-json-value", "$.expressions"),
        (program(1), "wrong-json-value", "$.expressions[0]"),
        (program(version=2), "wrong-json-value", "$.version"),
        (program(source=3), "wrong-json-value", "$.source"),
        (program(source={"name": "m"}), "missing-json-key", "$.source"),
        (program({"kind": "nul"}), "unknown-json-kind", "$.expressions[0]"),
        (program({"kind": "nil", "value": 1}), "unknown-json-key", "$.expressions[0]"),
        (program({"kind": "binding"}), "unknown-json-kind", "$.expressions[0]"),
        (program({"kind": "number", "value": True}), "wrong-json-value", "$.expressions[0].value"),
        (program({"kind": "truth", "value": 1}), "wrong-json-value", "$.expressions[0].value"),
        (program(name("a b")), "wrong-json-value", "$.expressions[0].id"),
        (program(name("12")), "wrong-json-value", "$.expressions[0].id"),
        (
            program({"kind": "text", "value": "\ud800"}),
            "wrong-json-value",
            "$.expressions[0].value",
        ),
        (
            program({"kind": "define", "name": name("if"), "value": name("x")}),
            "wrong-json-value",
            "$.expressions[0].name.id",
        ),
        (
            program({"kind": "function", "parameters": [name("&")], "body": [name("x")]}),
            "wrong-json-value",
            "$.expressions[0].parameters[0].id",
        ),
        (
            program({"kind": "function", "parameters": [], "body": []}),
            "wrong-json-value",
            "$.expressions[0].body",
        ),
        (
            program({"kind": "call", "function": name("let"), "arguments": []}),
            "reserved-callee",
            "$.expressions[0].function.id",
        ),
        (
            program({"kind": "call", "function": {"kind": "nil"}, "arguments": []}),
            "wrong-json-value",
            "$.expressions[0].function",
        ),
        (program({"kind": "nil", "span": [0, 1]}), "span-without-source", "$.expressions[0].span"),
        (
            program({"kind": "nil", "span": [0, 9]}, source={"name": "m", "text": "nil"}),
            "wrong-json-value",
            "$.expressions[0].span",
        ),
    ],
)
def test_mistakes_say_where_they_are(data, code, path):
    error = refused(data)
    assert error.code == code
    assert error.message.startswith((f"{path} ", f"{path}."))


def test_a_misspelt_key_gets_a_suggestion():
    assert 'did you mean "expressions"?' in str(refused({"kind": "program", "expresions": []}))


@pytest.mark.parametrize(
    "text", ["", "{", "[" * 100_000, '{"a": NaN}', '{"a": ' + "1" * 5000 + "}", '{"a" 1}']
)
def test_text_that_is_no_json_is_refused(text):
    with pytest.raises(ModelError):
        read_json(Source("m.json", text))


def test_programs_nested_too_deeply_are_refused():
    node = {"kind": "nil"}
    for _ in range(2500):
        node = {"kind": "vector", "items": [node]}
    assert refused(program(node)).code == "json-nested-too-deeply"


def test_optional_keys_may_be_null_or_missing():
    short = program({"kind": "loop", "count": name("n"), "initial": name("a"), "step": name("f")})
    full = json.loads(json.dumps(short))
    full["expressions"][0] |= {"extra": None, "span": None}
    assert program_from_json(short) == program_from_json(full)


def test_indented_json_reads_back_equal():
    written = read_program(Source("m", "(let [x 1] (f x))"))
    assert read_json(Source("m", write_json(written, indent=2))) == written


def test_json_of_deep_programs_is_not_indented_to_great_length():
    deep = read_program(Source("m", "(f " * 1500 + ")" * 1500))
    assert len(write_json(deep, indent=2)) < 1_000_000


def test_a_program_without_text_is_written_without_spans():
    built = program_from_json(program(name("x")))
    assert program_to_json(built) == {"version": 1, **program(name("x"))}


VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=3)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(["kind", "expressions", "items", "value", "id"]), inner),
        st.fixed_dictionaries({"kind": st.sampled_from(list(KINDS))}, optional={"value": inner}),
    ),
    max_leaves=10,
)


@settings(max_examples=200, deadline=None)
@given(st.one_of(VALUES, st.lists(VALUES).map(lambda items: program(*items))))
def test_any_json_is_read_or_refused_with_a_message(data):
    try:
        read = program_from_json(data)
    except ModelError as error:
        assert error.message
    else:
        assert read.expressions
