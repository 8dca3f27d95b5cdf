"""Lines that a web page or a printout left around the abstracts."""

from __future__ import annotations

import re

_MONTH = (
    r"jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
_DAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?"
_DATE = re.compile(
    rf"""(?:published\ on\ |submitted\ on\ |updated\ |on\ )? (?:{_DAY},?\ )? (?:
        \d{{4}}-\d\d-\d\d (?:[t\ ]\d\d:\d\d\S*)?
      | \d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}
      | (?:{_MONTH})\.?\ \d{{1,2}}(?:st|nd|rd|th)? (?:,?\ \d{{4}})?
      | \d{{1,2}}(?:st|nd|rd|th)?\ (?:of\ )?(?:{_MONTH})\.?,? (?:\ \d{{4}})?
      | (?:{_MONTH})\.?,?\ \d{{4}}
    )""",
    re.VERBOSE,
)
_STRONG = re.compile(
    r"""(?:hugging\ face\ )? daily\ papers (?:\W.{0,60})?
      | by\ ?ak\b .{0,40}
      | page\ \d{1,4} (?:\ ?(?:of|/)\ ?\d{1,4})?
      | \d{1,4}\ ?(?:of|/)\ ?\d{1,4}
      | [-–—]\ ?\d{1,4}\ ?[-–—]
      | submitted\ by (?:\ \S+){0,4}
      | upvotes? (?:\ \d+)? | \d+\ upvotes?
      | view\ all\ (?:\d+\ )?papers
      | get\ trending\ papers\ .{0,60}
    """,
    re.VERBOSE,
)
_WEAK = re.compile(
    r"""\W* (?:
        \d[\d.,]*\ ?[km]?
      | \d+\ (?:authors?|comments?|likes?|replies|votes?|papers?|citations?|models?|datasets?)
      | (?:view|read|see|load|show|open)\ (?:the\ )?(?:paper|more|all|pdf|code|abstract
            |arxiv\ page|on\ arxiv|project\ page|comments?) (?:\ \S+){0,3}
      | (?:log|sign)\ ?(?:in|up|out) (?:\ \S+){0,4}
      | subscribe (?:\ \S+){0,4} | skip\ to\ .{1,30} | back\ to\ .{1,20}
      | ai-generated\ summary | collections? | community | arxiv\ (?:page|explained)
      | (?:ç©)?\ ?copyright\ .{0,40} | ©\ .{0,40}
    ) \W*""",
    re.VERBOSE,
)
_POINTER = re.compile(r"https?://\S+|(?:arxiv|doi) ?: ?\S+(?: \[[\w.-]+\])?")
_PLAIN_WORD = re.compile(r"[^\W\d_]+[:,]?")
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
_LONGEST = 120
_LONGEST_STRONG = 64


def plain(line: str) -> str:
    """Return a line as it is compared: case, spaces and marks of a heading or list taken off."""
    return " ".join(line.casefold().split()).strip("#=*_•·|> ")


def is_strong_debris(line: str) -> bool:
    """Whether a line is page furniture even in the middle of a paragraph."""
    return len(line) <= _LONGEST_STRONG and bool(_STRONG.fullmatch(plain(line)))


def is_weak_debris(line: str) -> bool:
    """Whether a line at the edge of a paragraph is page furniture: a date, a number, a button."""
    if len(line) > _LONGEST:
        return False
    bare = plain(line)
    return any(pattern.fullmatch(bare) for pattern in (_STRONG, _DATE, _WEAK))


def is_debris(text: str) -> bool:
    """Whether a piece that stands alone is page furniture; a mere link is, too."""
    if len(text) > _LONGEST:
        return False
    return is_weak_debris(text) or bool(_POINTER.fullmatch(plain(text)))


def is_fragment(text: str) -> bool:
    """Whether a short piece without the end of a sentence reads like a button, name or heading.

    That is: up to three words of letters only, or up to seven words all in capitals or digits.
    What holds formulas, hyphens or signs, or is written without spaces, is no heading.
    """
    words = text.split()
    if len(words) > 7 or len(_UNSPACED.findall(text)) > 3:
        return False
    if len(words) <= 3:
        return all(_PLAIN_WORD.fullmatch(word) for word in words)
    return all(word[0].isupper() or word[0].isdigit() for word in words)
