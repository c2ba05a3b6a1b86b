"""The reader: every spelling, every bracket mistake, and never anything but a ModelError."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lfppl.errors import ModelError
from lfppl.source import Source
from lfppl.syntax.forms import ListForm, VectorForm
from lfppl.syntax.reader import MAX_CHARACTERS, MAX_NESTING, read_forms
from lfppl.syntax.surface import Name, Nil, Number, Text, Truth


def read(text):
    return read_forms(Source("m", text))


def refused(text):
    with pytest.raises(ModelError) as caught:
        read(text)
    return caught.value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("12", 12),
        ("+1", 1),
        ("-1", -1),
        ("1N", 1),
        ("1.", 1),
        ("1.5", 1.5),
        ("1.5M", 1.5),
        ("-2.5e3", -2500),
        ("1E-3", 0.001),
        ("1e+3", 1000),
        ("010.5", 10.5),
        ("1/3", 1 / 3),
        ("-1/4", -0.25),
        ("0x1F", 31),
        ("-0xff", -255),
        ("017", 15),
        ("2r101", 5),
        ("36rZ", 35),
        ("-16rFF", -255),
        ("##Inf", math.inf),
        ("##-Inf", -math.inf),
        ("9007199254740993", 9007199254740992),
        ("-0.0", 0.0),
    ],
)
def test_numbers_in_all_clojure_spellings(text, value):
    assert read(text) == (Number(float(value)),)


def test_not_a_number_reads_as_one_shared_object():
    assert math.isnan(read("##NaN")[0].value)
    assert read("##NaN") == read("##NaN")


@pytest.mark.parametrize(
    "text", ["1x", "08", "0xG", "1.2.3", "2r12", "1e", "3/x", ".5", "-.5", "99r1"]
)
def test_what_begins_like_a_number_but_is_none_is_refused(text):
    assert refused(text).code == "malformed-number"


@pytest.mark.parametrize("text", ["1e999", "-" + "9" * 400])
def test_numbers_beyond_the_largest_float_are_refused(text):
    assert refused(text).code == "number-too-large"


@pytest.mark.parametrize("text", ["1" * 5000, "36r" + "z" * 5000, "1/" + "3" * 5000])
def test_numbers_of_absurd_length_are_refused(text):
    assert refused(text).code == "malformed-number"


def test_literals_names_and_strings():
    forms = read(r'true false nil mu-1 x\' + - / -> <= "a\n\"\u00e9" :else'.replace("\\'", "'"))
    assert forms == (
        Truth(True),
        Truth(False),
        Nil(),
        *(Name(id) for id in ("mu-1", "x'", "+", "-", "/", "->", "<=")),
        Text('a\n"é'),
        Truth(True),
    )


def test_commas_comments_and_blanks_separate():
    assert read("[1,,2 ; a (comment]\n\t3\xa04]") == (
        VectorForm(tuple(Number(float(i)) for i in (1, 2, 3, 4))),
    )


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("#_a b", ["b"]),
        ("#_ #_ a b c", ["c"]),
        ("#_(a [b]) c", ["c"]),
        ("a #_b", ["a"]),
        ("#_ #_b a c", ["c"]),
    ],
)
def test_discards_drop_the_next_form(text, kept):
    assert read(text) == tuple(Name(id) for id in kept)


def test_every_form_has_its_span():
    (form,) = read("(a\n [b 12])")
    assert (form.span.line, form.span.column, form.span.text) == (1, 1, "(a\n [b 12])")
    vector = form.items[1]
    assert (vector.span.line, vector.span.column, vector.span.text) == (2, 2, "[b 12]")
    assert vector.items[1].span.text == "12"


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("(a", "unclosed-bracket", 1, 1),
        ("(a [b\n", "unclosed-bracket", 1, 4),
        ("a)", "unopened-bracket", 1, 2),
        ("a }", "unopened-bracket", 1, 3),
        ("(a]", "mismatched-bracket", 1, 3),
        ("[a\n b)", "mismatched-bracket", 2, 3),
        ("(a #_)", "nothing-to-discard", 1, 4),
        ("a #_ #_ b", "nothing-to-discard", 1, 3),
        ('(a "b', "unclosed-string", 1, 4),
        (r'"ab\q"', "unknown-escape", 1, 4),
        (r'"\ud800"', "unknown-escape", 1, 2),
        ("(a :key)", "keyword", 1, 4),
        (" {a 1}", "map-or-set", 1, 2),
        ("#{1 2}", "map-or-set", 1, 1),
        ("'(1 2)", "unsupported-syntax", 1, 1),
        ("#(+ % 1)", "unsupported-syntax", 1, 1),
        ("@x", "unsupported-syntax", 1, 1),
        (r"\a", "unsupported-syntax", 1, 1),
        ("a#b #tag", "unexpected-character", 1, 5),
        ("“a”", "unexpected-character", 1, 1),
        ("ab\x00", "unexpected-character", 1, 3),
        ("a ; \ud800", "unexpected-character", 1, 5),
        ("1/0", "ratio-by-zero", 1, 1),
    ],
)
def test_mistakes_are_named_at_their_place(text, code, line, column):
    error = refused(text)
    assert (error.code, error.span.line, error.span.column) == (code, line, column)


def test_a_mismatched_bracket_names_both_places():
    message = str(refused("(let [x 1\n  x)"))
    assert "`)` at 2:4 does not match `[` at 1:6" in message


def test_an_unclosed_bracket_names_where_it_opened_and_where_the_text_ends():
    message = str(refused("(let [x 1]\n  x"))
    assert message.startswith("m:1:1:")
    assert "the text ends at 2:4" in message


def test_nesting_up_to_the_limit_is_read():
    (form,) = read("(" * MAX_NESTING + ")" * MAX_NESTING)
    depth = 0
    while isinstance(form, ListForm):
        depth += 1
        form = form.items[0] if form.items else None
    assert depth == MAX_NESTING


@pytest.mark.parametrize("bracket", ["(", "[", "(["])
def test_a_hundred_thousand_nested_brackets_are_a_message(bracket):
    error = refused(bracket * 100_000)
    assert error.code == "nested-too-deeply"
    assert len(str(error)) < 1000


def test_a_text_beyond_the_size_limit_is_a_message():
    assert refused(" " * (MAX_CHARACTERS + 1)).code == "too-long"


def test_a_long_vector_of_numbers_is_read():
    (form,) = read("[" + " ".join(map(str, range(10_000))) + "]")
    assert [item.value for item in form.items] == list(range(10_000))


PIECES = st.sampled_from(
    [*"()[]{}\"\\;#_'`@^~:.,/+-% \n", "##", "let", "1e", "0x", "nil", "é", "\x7f"]
)


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(), st.lists(PIECES, max_size=30).map("".join)))
def test_any_text_is_read_or_refused_with_a_message(text):
    try:
        forms = read(text)
    except ModelError as error:
        assert error.message
        assert error.span is None or 0 <= error.span.start <= len(text)
    else:
        assert all(form.span.text for form in forms)
