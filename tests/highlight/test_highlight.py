"""The lexer and the editors' grammar know every word of the language, and agree on all programs."""

import json
import re
from pathlib import Path

import pytest
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
from pygments.token import Comment, Error, Name, Number, Punctuation, String

from lfppl.core.desugar.tables import SUGARS
from lfppl.highlight.lexer import TOKENS, LfpplLexer
from lfppl.highlight.textmate import SCOPES, grammar, pattern
from lfppl.highlight.words import words
from lfppl.syntax.parse import SPECIAL_FORMS

ROOT = Path(__file__).parents[2]
GRAMMAR = ROOT / "editors/vscode/syntaxes/lfppl.tmLanguage.json"
MODELS = sorted((ROOT / "examples").glob("*.lfppl"))
PROGRAMS = [*MODELS, *sorted((ROOT / "tests/programs/good").glob("*.lfppl"))]


def tokens(text):
    return [(token, part) for token, part in LfpplLexer().get_tokens(text) if part.strip()]


def test_every_form_and_distribution_is_a_word():
    assert SUGARS.keys() | SPECIAL_FORMS.keys() <= words().keys()


@pytest.mark.parametrize("word", words())
def test_the_lexer_gives_every_word_the_token_of_its_class(word):
    assert tokens(word) == [(TOKENS[words()[word]], word)]


@pytest.mark.parametrize("word", words())
def test_the_grammar_gives_every_word_the_scope_of_its_class(word):
    found = {kind for kind in SCOPES if re.fullmatch(pattern(kind), word)}
    assert found == {words()[word]}


@pytest.mark.parametrize("text", ["lets", "my-normal", "normal-2", "sample!", "x.exp"])
def test_names_that_contain_a_word_are_names(text):
    assert tokens(text) == [(Name.Variable, text)]
    assert not any(re.search(pattern(kind), text) for kind in SCOPES)


def test_comments_strings_and_numbers():
    assert tokens('(f "a\\"b" 0x1F -2.5e-3) ; (let') == [
        (Punctuation, "("),
        (Name.Variable, "f"),
        (String, '"a\\"b"'),
        (Number, "0x1F"),
        (Number, "-2.5e-3"),
        (Punctuation, ")"),
        (Comment.Single, "; (let"),
    ]


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_no_program_has_an_unknown_token(path):
    text = path.read_text("utf-8")
    assert "".join(part for _, part in LfpplLexer(stripnl=False).get_tokens(text)) == text
    assert [part for token, part in tokens(text) if token is Error] == []


def test_the_grammar_file_is_up_to_date():
    assert json.loads(GRAMMAR.read_text("utf-8")) == grammar()


def test_pygments_finds_the_lexer():
    assert isinstance(get_lexer_by_name("lfppl"), LfpplLexer)
    assert isinstance(get_lexer_for_filename("model.lfppl"), LfpplLexer)
