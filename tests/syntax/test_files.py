"""Model files: whatever is wrong with one is said in a sentence."""

import pytest

from lfppl.errors import ModelError
from lfppl.syntax import files as files_module
from lfppl.syntax import read_source


def refused(path):
    with pytest.raises(ModelError) as caught:
        read_source(path)
    return caught.value


def test_a_file_is_read_under_its_name(tmp_path):
    path = tmp_path / "m.lfppl"
    path.write_bytes("(+ 1 é)\r\n".encode())
    source = read_source(path)
    assert (source.name, source.text, source.line(1)) == (str(path), "(+ 1 é)\r\n", "(+ 1 é)")


def test_a_byte_order_mark_is_dropped(tmp_path):
    path = tmp_path / "m.lfppl"
    path.write_bytes(b"\xef\xbb\xbfx")
    assert read_source(str(path)).text == "x"


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_bytes_that_are_no_utf_8_are_shown_with_their_place(tmp_path, mark):
    path = tmp_path / "m.lfppl"
    path.write_bytes(mark + "(let [é 1]\n  é".encode() + b"\xff)")
    error = refused(path)
    assert (error.code, error.span.line, error.span.column) == ("not-utf-8", 2, 4)
    assert "0xFF" in error.message


@pytest.mark.parametrize("contents", ["", "\n \n"])
def test_an_empty_file_is_refused(tmp_path, contents):
    path = tmp_path / "m.lfppl"
    path.write_text(contents)
    assert refused(path).code == "empty-program"


def test_a_directory_is_refused(tmp_path):
    assert refused(tmp_path).code == "is-a-directory"


def test_a_missing_file_is_refused(tmp_path):
    assert refused(tmp_path / "none.lfppl").code == "missing-file"


def test_a_path_that_cannot_be_one_is_refused():
    assert refused("a\0b").code == "unreadable-file"


def test_a_path_below_a_file_is_refused(tmp_path):
    path = tmp_path / "m.lfppl"
    path.write_text("x")
    assert refused(path / "below").code == "unreadable-file"


def test_a_file_beyond_the_limit_is_not_read_whole(tmp_path, monkeypatch):
    monkeypatch.setattr(files_module, "MAX_CHARACTERS", 10)
    path = tmp_path / "m.lfppl"
    path.write_text("x" * 100)
    assert refused(path).code == "too-long"
