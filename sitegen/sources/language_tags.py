"""Names and codes of languages, as sources write them, to BCP 47 tags."""

from __future__ import annotations

import re

# Name in BibTeX's styles and in English; codes of ISO 639-2; then the tag.
_TABLE = """
afrikaans afr af|albanian alb sqi sq|arabic ara ar|armenian arm hye hy|basque baq eus eu
belarusian bel be|bengali ben bn|bosnian bos bs|brazil brazilian portuguesebr pt-BR
bulgarian bul bg|catalan cat ca|chinese chi zho zh|simplifiedchinese zh-Hans
traditionalchinese zh-Hant|croatian hrv scr hr|czech cze ces cs|danish dan da
dutch dut nld nl|english american british usenglish ukenglish eng en|estonian est et
persian farsi per fas fa|finnish fin fi|french francais fre fra fr|galician glg gl
georgian geo kat ka
german ngerman austrian naustrian swissgerman nswissgerman ger deu de|greek gre ell el
hebrew heb he|hindi hin hi|hungarian magyar hun hu|icelandic ice isl is|indonesian ind id
irish gle ga|italian ita it|japanese jpn ja|kazakh kaz kk|korean kor ko|latin lat la
latvian lav lv|lithuanian lit lt|macedonian mac mkd mk|malay may msa ms|norwegian norsk nor no
nynorsk nno nn|bokmal nob nb|polish pol pl|portuguese portuges por pt|romanian rum ron ro
russian rus ru|serbian srp scc sr|slovak slo slk sk|slovene slovenian slv sl|spanish spa es
swedish swe sv|swahili swa sw|tamil tam ta|thai tha th|turkish tur tr|ukrainian ukr uk
urdu urd ur|vietnamese vie vi|welsh wel cym cy
"""
_TAGS = {
    name: row.split()[-1]
    for row in re.split(r"[|\n]", _TABLE)
    if row.strip()
    for name in row.split()[:-1]
}
_TWO = frozenset(tag for tag in _TAGS.values() if len(tag) == 2)
_TAG = re.compile(r"([a-z]{2,3})(?:-([a-z]{4}))?(?:-([a-z]{2}|\d{3}))?", re.IGNORECASE)


def language_tag(text: str) -> str:
    """Return the BCP 47 tag of a language; empty where the text names none that is known.

    >>> language_tag("eng"), language_tag("ngerman"), language_tag("pt_br"), language_tag("?")
    ('en', 'de', 'pt-BR', '')
    """
    name = text.strip().casefold()[:40]
    if tag := _TAGS.get(re.sub(r"[\W_]+", "", name)):
        return tag
    found = _TAG.fullmatch(name.replace("_", "-"))
    if not found:
        return ""
    language, script, region = found.groups()
    language = _TAGS.get(language, language if language in _TWO else "")
    if not language:
        return ""
    parts = [language, script.title() if script else "", region.upper() if region else ""]
    return "-".join(filter(None, parts))
