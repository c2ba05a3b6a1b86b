"""Data from Python and from files: what is accepted, and what is refused with its place."""

import datetime
import json

import numpy as np
import pandas as pd
import pytest

from lfppl import load_data
from lfppl.data import bind, load_all
from lfppl.errors import LfpplError, ModelError


def refusal(value, name="y"):
    """The first line of the message for a datum that is refused."""
    with pytest.raises(ModelError) as refused:
        bind({name: value})
    return str(refused.value).splitlines()[0]


# --- what is accepted ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (3, 3.0),
        (2.5, 2.5),
        (True, 1.0),
        (False, 0.0),
        (np.float32(0.5), 0.5),
        (np.int8(-3), -3.0),
        (np.bool_(True), 1.0),
        (np.array(7), 7.0),
        (10**30, 1e30),
        (float("inf"), float("inf")),
    ],
)
def test_numbers_become_floats(value, number):
    bound = bind({"q": value})["q"]
    assert type(bound) is float
    assert bound == number


@pytest.mark.parametrize(
    "value",
    [
        [1, 2, 3],
        (1.0, 2.0, 3.0),
        range(1, 4),
        np.array([1, 2, 3], dtype=np.uint8),
        pd.Series([1, 2, 3], index=[7, 8, 9]),
        pd.Series([1, 2, 3], dtype="Int64"),
        [np.float32(1), 2, np.array(3)],
    ],
    ids=lambda value: type(value).__name__,
)
def test_vectors_become_float_arrays(value):
    bound = bind({"y": value})["y"]
    assert bound.dtype == np.float64
    np.testing.assert_array_equal(bound, [1.0, 2.0, 3.0])


def test_truth_values_in_a_vector_become_numbers():
    np.testing.assert_array_equal(bind({"y": [True, False, True]})["y"], [1, 0, 1])
    np.testing.assert_array_equal(bind({"y": pd.array([True, False], "boolean")})["y"], [1, 0])


def test_nested_lists_become_matrices():
    assert bind({"A": [[1, 2, 3], [4, 5, 6]]})["A"].shape == (2, 3)
    assert bind({"A": [np.array([1, 2]), [3, 4]]})["A"].shape == (2, 2)
    assert bind({"A": [[[1], [2]]]})["A"].shape == (1, 2, 1)


def test_vectors_may_be_empty():
    assert bind({"y": []})["y"].shape == (0,)


def test_a_data_frame_gives_a_vector_per_column():
    bound = bind(pd.DataFrame({"a": [1, 2], "b": [0.5, 1.5]}))
    assert list(bound) == ["a", "b"]
    np.testing.assert_array_equal(bound["b"], [0.5, 1.5])


def test_no_data_is_fine():
    assert bind(None) == {}
    assert bind({}) == {}


def test_a_model_does_not_change_with_the_array_it_was_given():
    values = np.array([1.0, 2.0])
    bound = bind({"y": values})["y"]
    values[0] = 9.0
    assert bound[0] == 1.0
    with pytest.raises(ValueError, match="read-only"):
        bound[0] = 5.0


def test_columns_of_a_matrix_are_stored_by_rows():
    assert bind({"A": np.asfortranarray(np.eye(3))})["A"].flags.c_contiguous


# --- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "place"),
    [
        (float("nan"), "`y`"),
        ([1, float("nan")], "`y[1]`"),
        ([[1, 2], [3, float("nan")]], "`y[1,1]`"),
        ([1, None], "`y[1]`"),
        (None, "`y`"),
        (pd.NA, "`y`"),
        (pd.Series([1, None], dtype="Int64"), "`y[1]`"),
        (np.ma.array([1, 2, 3], mask=[0, 0, 1]), "`y[2]`"),
    ],
)
def test_a_missing_value_is_named_with_its_index(value, place):
    assert refusal(value) == f"error[missing-value]: {place} is missing (NaN)"


@pytest.mark.parametrize(
    ("value", "what"),
    [
        ("abc", "`y` is the text 'abc'"),
        ([1, "a"], "`y[1]` is the text 'a'"),
        (["1", "2"], "`y[0]` is the text '1'"),
        (np.array(["a"]), "`y[0]` is the text 'a'"),
        ([[1, 2], [3, "x"]], "`y[1,1]` is the text 'x'"),
        (b"ab", "`y` is the text b'ab'"),
        (1j, "`y` is a complex number"),
        ([1, 2j], "`y[1]` is a complex number"),
        (np.array([1j]), "`y[0]` is a complex number"),
        ({"a": 1}, "`y` is a mapping"),
        ({1, 2}, "`y` is a set"),
        (object(), "`y` is an object"),
        (datetime.date(2020, 1, 1), "`y` is a date"),
        (np.datetime64("2020-01-01"), "`y` is a date"),
        (pd.Categorical(["a", "b"]), "`y[0]` is the text 'a'"),
        (print, "`y` is a builtin_function_or_method"),
    ],
)
def test_what_is_no_number_is_named(value, what):
    assert refusal(value) == f"error[data-not-a-number]: {what} where a number belongs"


@pytest.mark.parametrize(
    ("value", "what"),
    [
        ([[1, 2], [3]], "`y[1]` has 1 element where the rows before it have 2 elements"),
        ([1, [2]], "`y[1]` has 1 element where the rows before it have one number"),
        ([[1, 2], 3], "`y[1]` has one number where the rows before it have 2 elements"),
        ([[[1, 2], [3]]], "`y[0,1]` has 1 element where the rows before it have 2 elements"),
    ],
)
def test_ragged_lists_are_refused(value, what):
    assert refusal(value) == f"error[ragged-data]: {what}"


def test_more_than_three_dimensions_are_refused():
    expected = "`y` has 4 dimensions, and data may have at most 3"
    assert refusal(np.zeros((1, 1, 1, 1))).endswith(expected)
    nested = 1.0
    for _ in range(200):
        nested = [nested]
    assert refusal(nested).endswith(expected)


def test_an_integer_too_large_for_a_double_is_refused():
    expected = "error[too-large-number]: `y[1]` is an integer too large for double precision"
    assert refusal([1, 10**400]) == expected


@pytest.mark.parametrize("name", ["", "  ", 1, None])
def test_names_must_be_text(name):
    assert refusal(1.0, name).startswith("error[datum-without-name]")


@pytest.mark.parametrize("data", [[1, 2], 3, "y"])
def test_data_must_be_a_mapping(data):
    with pytest.raises(LfpplError, match="data must map names to values"):
        bind(data)


# --- files ---------------------------------------------------------------------------------------


@pytest.fixture
def written(tmp_path):
    """Write a file and give its path."""

    def write(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def message(path):
    """The message for a file that is refused, without the folder of the file."""
    with pytest.raises(ModelError) as refused:
        load_data(path)
    return str(refused.value).replace(f"{path.parent}/", "")


def test_json_data(written):
    path = written("d.json", '{"N": 2, "y": [1, 2.5], "A": [[1, 2], [3, 4]], "ok": true}')
    data = load_data(path)
    assert data["N"] == 2.0
    assert data["ok"] == 1.0
    assert data["A"].shape == (2, 2)


def test_infinite_numbers_in_json_may_be_text_or_not(written):
    data = load_data(written("d.json", '{"a": Infinity, "b": "-inf", "c": [1, "+Infinity"]}'))
    assert data["a"] == np.inf
    assert data["b"] == -np.inf
    assert data["c"][1] == np.inf


def test_csv_columns_become_vectors(written):
    data = load_data(written("d.csv", "x, y,ok\r\n1,2.5,TRUE\r\n3,-1e3,false\r\n\r\n"))
    np.testing.assert_array_equal(data["x"], [1, 3])
    np.testing.assert_array_equal(data["y"], [2.5, -1000])
    np.testing.assert_array_equal(data["ok"], [1, 0])


def test_a_byte_order_mark_is_not_part_of_a_name(written):
    assert list(load_data(written("d.csv", b"\xef\xbb\xbfx\n1\n"))) == ["x"]


def test_npz_arrays(tmp_path):
    np.savez(tmp_path / "d.npz", y=np.arange(3), n=np.int64(4))
    data = load_data(tmp_path / "d.npz")
    np.testing.assert_array_equal(data["y"], [0, 1, 2])
    assert data["n"] == 4.0


def test_several_files_add_their_names(written):
    files = [written("a.json", '{"n": 2}'), written("b.csv", "y\n1\n2\n")]
    assert load_all(files).keys() == {"n", "y"}


def test_a_name_in_two_files_is_refused(written):
    files = [written("a.json", '{"y": [2]}'), written("b.csv", "y\n1\n")]
    with pytest.raises(ModelError, match=r"`y` is given twice: in .*a\.json and in .*b\.csv"):
        load_all(files)


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("d.txt", "1", "error[unknown-data-format]: cannot tell the format of the data file d.txt"),
        ("d.json", '{"y": [1,}', "d.json:1:10: error[malformed-data-file]"),
        ("d.json", "[1, 2]", "error[malformed-data-file]: the data file d.json cannot be read: "),
        ("d.json", '{"y": 1, "y": 2}', "error[datum-given-twice]: `y` is given twice"),
        ("d.json", '{"y": NaN}', "error[missing-value]: `y` is missing (NaN)"),
        ("d.json", '{"y": {"a": 1}}', "error[data-not-a-number]: `y` is a mapping"),
        ("d.json", '{"y": "abc"}', "error[data-not-a-number]: `y` is the text 'abc'"),
        ("d.json", "[" * 100_000, "error[malformed-data-file]: the data file d.json"),
        ("d.json", '{"y": ' + "9" * 5000 + "}", "error[malformed-data-file]: the data file d.json"),
        ("d.json", b'{"y": "\xff"}', "d.json:1:8: error[not-utf-8]: byte 0xFF is not UTF-8 text"),
        ("d.csv", "", "error[malformed-data-file]: the data file d.csv cannot be read"),
        ("d.csv", "x,y\n1,a\n", "d.csv:2:3: error[data-not-a-number]: the column `y` holds 'a'"),
        ("d.csv", "x,y\n1,2\n3,\n", "d.csv:3:1: error[missing-value]: the column `y` has no value"),
        ("d.csv", "x\n1\nNA\n", "d.csv:3:1: error[missing-value]: the column `x` has no value"),
        ("d.csv", "x\nnan\n", "d.csv:2:1: error[missing-value]: the column `x` has no value"),
        ("d.csv", "x,y\n1\n", "d.csv:2:1: error[malformed-data-file]"),
        ("d.csv", "x,x\n1,2\n", "error[datum-given-twice]: `x` is given twice"),
        ("d.csv", ",y\n1,2\n", "d.csv:1:1: error[malformed-data-file]"),
        ("d.csv", "x\n2024_01\n", "d.csv:2:1: error[data-not-a-number]"),
        ("d.csv", 'x\n"1\n', "d.csv:2:1: error[malformed-data-file]"),
        ("d.npz", b"PK not a zip", "error[malformed-data-file]: the data file d.npz"),
        ("d.npz", b"", "error[malformed-data-file]: the data file d.npz"),
    ],
)
def test_a_broken_file_is_refused_with_its_place(written, name, content, expected):
    assert message(written(name, content)).startswith(expected)


def test_pickled_objects_are_never_loaded(tmp_path):
    np.savez(tmp_path / "d.npz", y=np.array([print, 1], dtype=object))
    assert message(tmp_path / "d.npz").startswith("error[malformed-data-file]")


def test_a_file_that_is_not_there_is_named(tmp_path):
    assert message(tmp_path / "d.json").startswith("error[missing-file]: there is no file d.json")


def test_a_folder_is_no_file(tmp_path):
    (tmp_path / "d.json").mkdir()
    assert message(tmp_path / "d.json").startswith("error[is-a-directory]: d.json is a directory")


def test_large_tables_are_read_quickly_enough_to_be_usable(written):
    rows = 20_000
    data = load_data(written("d.csv", "x,y\n" + "1.5,2\n" * rows))
    assert data["x"].shape == (rows,)
    assert json.dumps(data["y"][:2].tolist()) == "[2.0, 2.0]"
