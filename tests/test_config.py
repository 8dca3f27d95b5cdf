from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegen.config import Config, SourceSpec, load_config, parse_config
from sitegen.diagnostics import SitegenError


def test_a_folder_without_site_toml_gets_defaults(tmp_path: Path) -> None:
    assert load_config(tmp_path) == (Config(), ())


def test_every_key_is_read() -> None:
    config, problems = parse_config(
        """
        title = "Otter acoustics"
        description = "What otters say"
        base_url = "https://lab.example/reading"
        language = "pt-BR"
        repository = "lab/reading"
        [[source]]
        path = "seeds/a.txt"
        title = "May"
        date = "2031-05"
        edition = "may-2031"
        [[source]]
        path = "seeds/*.txt"
        [tags]
        model = "onnx"
        limit = 6
        linked = 4
        aliases = "content/words.toml"
        builtin_aliases = false
        [dedup]
        join = 0.5
        propose = 0.3
        """
    )
    assert problems == ()
    assert config.base_url == "https://lab.example/reading/"
    assert config.base_path == "/reading/"
    assert config.repository == "https://github.com/lab/reading"
    assert config.sources == (
        SourceSpec(pattern="seeds/a.txt", title="May", date="2031-05", edition="may-2031"),
        SourceSpec(pattern="seeds/*.txt"),
    )
    assert (config.tags.model, config.tags.limit, config.tags.linked) == ("onnx", 6, 4)
    assert (config.dedup.join, config.dedup.propose) == (0.5, 0.3)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('titel = "x"', "content/site.toml:1: error: unknown key titel [config-unknown-key]"),
        ("\n\ntitle = 3", "content/site.toml:3: error: title cannot be 3 [config-value]"),
        ('base_url = "lab.example"', "base_url cannot be 'lab.example'"),
        ('base_url = "https://lab.example/?a=1"', "base_url cannot be"),
        ("[tags]\n\nlimit = 99", "content/site.toml:3: error: tags.limit cannot be 99"),
        ("[tags]\nlimit = true", "content/site.toml:2: error: tags.limit cannot be True"),
        ('[[source]]\npath = "a"\n[[source]]\npath="b"\ndate = "May"', "site.toml:5: error"),
        ('[[source]]\ntitle = "x"', "content/site.toml:1: error: a source without path"),
        ("[dedup]\npropose = 0.9", "site.toml:2: error: propose is above join"),
        ('source = "seeds"', "source is not a list of tables"),
        ('tags = "x"', "content/site.toml:1: error: tags is not a table"),
    ],
)
def test_a_wrong_value_is_named_with_its_line(text: str, said: str) -> None:
    _, problems = parse_config(text)
    assert len(problems) == 1
    assert said in str(problems[0])
    assert problems[0].hint


def test_a_misspelt_key_is_answered_with_the_right_one() -> None:
    _, problems = parse_config('[tags]\nmodle = "static"')
    assert problems[0].hint.startswith("did you mean model?")


def test_broken_toml_names_its_line() -> None:
    with pytest.raises(SitegenError, match=r"content/site\.toml:2: error: not valid TOML"):
        parse_config('title = "x"\ndescription = no\n')


def test_latin1_names_its_line(tmp_path: Path) -> None:
    (tmp_path / "content").mkdir()
    (tmp_path / "content/site.toml").write_bytes(b'language = "en"\ntitle = "M\xfcll"\n')
    with pytest.raises(SitegenError, match=r"site\.toml:2: error: not UTF-8"):
        load_config(tmp_path)


@pytest.mark.parametrize(
    ("repository", "address"),
    [
        ("Lab/reading", "https://lab.github.io/reading/"),
        ("lab/lab.github.io", "https://lab.github.io/"),
        ("https://git.example/lab/reading", "http://localhost:8000/"),
    ],
)
def test_base_url_follows_the_repository(repository: str, address: str) -> None:
    config, _ = parse_config("", repository=repository)
    assert config.base_url == address


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused_as_ours(text: str) -> None:
    try:
        config, _ = parse_config(text)
    except SitegenError:
        return
    assert config.base_url.endswith("/")


def test_a_domain_of_ones_own_gives_the_address() -> None:
    config, problems = parse_config('domain = "Lab.example"\n')
    assert (config.base_url, config.domain, problems) == ("https://lab.example/", "lab.example", ())
    _, problems = parse_config(
        'domain = "lab.example"\nbase_url = "https://lab.example/reading/"\n'
    )
    assert str(problems[0]).startswith("content/site.toml:1: error: base_url is not the address of")
    assert parse_config('domain = "https://lab.example"\n')[1][0].hint == (
        'give a host like "lab.example"'
    )
