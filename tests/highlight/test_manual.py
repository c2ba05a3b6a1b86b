"""The manual of forms is complete, and its examples are programs that show what they say."""

import pytest

import lfppl
from lfppl.core.desugar.distributions import NAMES
from lfppl.core.desugar.manual import GROUPS, SPECIAL
from lfppl.core.desugar.tables import SUGARS
from lfppl.syntax.parse import SPECIAL_FORMS

ENTRIES = {name: entry for group in GROUPS.values() for name, entry in group.items()}


def test_every_form_has_an_entry_and_every_entry_is_a_form():
    assert set(ENTRIES) == SUGARS.keys() - (NAMES.keys() - {"factor"})
    assert SPECIAL.keys() == SPECIAL_FORMS.keys()


def test_no_form_stands_in_two_groups():
    assert len(ENTRIES) == sum(map(len, GROUPS.values()))


@pytest.mark.parametrize("name", ENTRIES)
def test_examples_of_forms_compile_and_use_the_form(name):
    example = ENTRIES[name].example
    assert f"({name} " in example
    assert lfppl.compile(example).sampled == {}


@pytest.mark.parametrize("name", SPECIAL)
def test_examples_of_special_forms_compile_and_use_the_form(name):
    _, entry = SPECIAL[name]
    assert f"({name} " in entry.example
    assert len(lfppl.compile(entry.example).sampled) == (name == "sample")
