"""What TeX commands mean: tables of symbols, functions, accents and alphabets.

Names follow LaTeX and amsmath, characters the Unicode code charts.
"""

from __future__ import annotations

from typing import Final, Literal

Role = Literal[
    "variable",
    "number",
    "relation",
    "binary",
    "tight",
    "punctuation",
    "open",
    "close",
    "function",
    "big",
    "text",
    "space",
    "mark",
]
"""How a symbol behaves: ``tight`` is a binary operator set without spaces in plain text (``m×n``),
``mark`` an ordinary sign such as ``∞`` or ``%``, ``big`` a sum or integral."""


def _words(table: str) -> frozenset[str]:
    """Read a table of words."""
    return frozenset(table.split())


def _pairs(table: str) -> dict[str, str]:
    """Read a table of ``name character`` pairs."""
    words = table.split()
    return dict(zip(words[::2], words[1::2], strict=True))


_VARIABLES: Final = _pairs(
    """
    alpha α beta β gamma γ delta δ epsilon ϵ varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι
    kappa κ lambda λ mu μ nu ν xi ξ omicron ο pi π varpi ϖ rho ρ varrho ϱ sigma σ varsigma ς tau τ
    upsilon υ phi ϕ varphi φ chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ
    Upsilon Υ Phi Φ Psi Ψ Omega Ω ell ℓ hbar ℏ imath ı jmath ȷ wp ℘ Re ℜ Im ℑ aleph ℵ
    """
)
_MARKS: Final = _pairs(
    """
    infty ∞ partial ∂ nabla ∇ emptyset ∅ varnothing ∅ forall ∀ exists ∃ nexists ∄ neg ¬ lnot ¬ top ⊤
    bot ⊥ angle ∠ triangle △ prime ′ degree ° deg ° textdegree ° circledR ® dots … ldots … cdots ⋯
    vdots ⋮ ddots ⋱ dotsc … dotsb ⋯ % % & & # # $ $ _ _ dagger † ddagger ‡ checkmark ✓ square □
    Box □ blacksquare ■ bigstar ★ diamond ⋄ S § P ¶ pounds £ copyright © sharp ♯ flat ♭ natural ♮
    textemdash — textendash – textasciitilde ~ backslash \\ lbrace { rbrace } textmu µ
    textbraceleft { textbraceright }
    """
)
_RELATIONS: Final = _pairs(
    """
    leq ≤ le ≤ leqslant ⩽ geq ≥ ge ≥ geqslant ⩾ neq ≠ ne ≠ approx ≈ approxeq ≊ sim ∼ simeq ≃ cong ≅
    equiv ≡ propto ∝ in ∈ notin ∉ ni ∋ subset ⊂ subseteq ⊆ supset ⊃ supseteq ⊇ subsetneq ⊊ ll ≪ gg ≫
    prec ≺ succ ≻ preceq ⪯ succeq ⪰ lesssim ≲ gtrsim ≳ to → rightarrow → leftarrow ← gets ←
    leftrightarrow ↔ Rightarrow ⇒ Leftarrow ⇐ Leftrightarrow ⇔ iff ⇔ implies ⇒ mapsto ↦
    longrightarrow ⟶ longleftarrow ⟵ Longrightarrow ⟹ hookrightarrow ↪ uparrow ↑ downarrow ↓
    updownarrow ↕ Uparrow ⇑ Downarrow ⇓ nearrow ↗ searrow ↘ rightsquigarrow ⇝ leadsto ⇝ mid ∣ nmid ∤
    parallel ∥ perp ⊥ models ⊨ vDash ⊨ vdash ⊢ dashv ⊣ doteq ≐ triangleq ≜ coloneqq ≔ asymp ≍
    sqsubseteq ⊑ sqsupseteq ⊒ rightleftharpoons ⇌ rightharpoonup ⇀ xrightarrow → xleftarrow ←
    therefore ∴ because ∵ Vert ‖ vert | lvert | rvert | lVert ‖ rVert ‖
    """
)
_BINARIES: Final = _pairs(
    """
    pm ± mp ∓ cup ∪ cap ∩ setminus ∖ wedge ∧ land ∧ vee ∨ lor ∨ oplus ⊕ ominus ⊖ otimes ⊗ odot ⊙
    circ ∘ bullet • div ÷ star ⋆ uplus ⊎ sqcup ⊔ sqcap ⊓ bigcirc ◯ amalg ⨿ ltimes ⋉ rtimes ⋊
    """
)
_TIGHT: Final = _pairs("times × cdot · ast * slash / colon :")
_BIG: Final = _pairs(
    """
    sum ∑ prod ∏ coprod ∐ int ∫ iint ∬ iiint ∭ oint ∮ bigcup ⋃ bigcap ⋂ bigoplus ⨁ bigotimes ⨂
    bigvee ⋁ bigwedge ⋀
    """
)
_OPEN: Final = _pairs("langle ⟨ lfloor ⌊ lceil ⌈ lbrack [ { {")
_CLOSE: Final = _pairs("rangle ⟩ rfloor ⌋ rceil ⌉ rbrack ] } }")

SYMBOLS: Final[dict[str, tuple[str, Role]]] = {
    **{name: (char, "variable") for name, char in _VARIABLES.items()},
    **{name: (char, "mark") for name, char in _MARKS.items()},
    **{name: (char, "relation") for name, char in _RELATIONS.items()},
    **{name: (char, "binary") for name, char in _BINARIES.items()},
    **{name: (char, "tight") for name, char in _TIGHT.items()},
    **{name: (char, "big") for name, char in _BIG.items()},
    **{name: (char, "open") for name, char in _OPEN.items()},
    **{name: (char, "close") for name, char in _CLOSE.items()},
    "|": ("‖", "mark"),
}
"""Command name without backslash -> (character, role)."""

CHARACTERS: Final[dict[str, tuple[str, Role]]] = {
    **{char: (char, "relation") for char in "=<>≤≥≠≈∼≃≡∝∈∉⊂⊆⊃⊇≪≫→←↔⇒⇐⇔↦↑↓:"},
    **{char: (char, "binary") for char in "+±∓∪∩∧∨⊕⊗⊙∘"},
    "-": ("−", "binary"),
    "−": ("−", "binary"),
    **{char: (char, "tight") for char in "/×·*"},
    **{char: (char, "punctuation") for char in ",;"},
    **{char: (char, "open") for char in "(["},
    **{char: (char, "close") for char in ")]"},
    "~": (" ", "space"),
}
"""What a single character means in a formula where it is no letter or digit."""

SPACES: Final = frozenset(
    {" ", ",", ";", ":", ">", "!", "/", "quad", "qquad", "enspace", "thinspace"}
)
"""Commands that only set space; ``\\!`` and ``\\/`` set none."""
NARROW: Final = frozenset({"!", "/"})

FUNCTIONS: Final = _words(
    """
    log ln lg exp sin cos tan cot sec csc sinh cosh tanh arcsin arccos arctan max min sup inf lim
    limsup liminf arg det dim ker gcd Pr hom
    """
)
"""Commands for functions set upright."""

OPERATOR_WORDS: Final = FUNCTIONS | {"polylog", "poly", "softmax", "argmax", "argmin", "sigmoid"}
"""Words that are functions where they stand as letters in a formula (``O(n log n)``)."""

ACCENTS: Final = {
    "hat": "\u0302",
    "widehat": "\u0302",
    "tilde": "\u0303",
    "widetilde": "\u0303",
    "bar": "\u0304",
    "overline": "\u0305",
    "vec": "\u20d7",
    "overrightarrow": "\u20d7",
    "dot": "\u0307",
    "ddot": "\u0308",
    "breve": "\u0306",
    "check": "\u030c",
    "acute": "\u0301",
    "grave": "\u0300",
    "mathring": "\u030a",
    "underline": "\u0332",
}
"""Accent command -> combining character."""

SPACING_ACCENTS: Final = {
    "\u0302": "^",
    "\u0303": "~",
    "\u0304": "¯",
    "\u0305": "¯",
    "\u20d7": "→",
    "\u0307": "˙",
    "\u0308": "¨",
    "\u0306": "˘",
    "\u030c": "ˇ",
    "\u0301": "´",
    "\u0300": "`",
    "\u030a": "˚",
    "\u0332": "_",
}
"""Combining character -> the spacing one that MathML puts above or below."""

ALPHABETS: Final = {
    "mathbf": "bold",
    "bf": "bold",
    "bm": "bold",
    "boldsymbol": "bold",
    "pmb": "bold",
    "mathbb": "double",
    "mathds": "double",
    "Bbb": "double",
    "mathcal": "script",
    "cal": "script",
    "mathscr": "script",
    "mathfrak": "fraktur",
    "mathrm": "upright",
    "rm": "upright",
    "mathsf": "upright",
    "mathtt": "upright",
    "operatorname": "upright",
    "mathit": "italic",
    "it": "italic",
    "mathnormal": "italic",
}
"""Alphabet command -> variant of the letters it holds."""

TEXTS: Final = _words(
    """
    text textbf textit textrm textsf texttt textsc textnormal textup textmd mbox hbox emph
    """
)
"""Commands whose argument is text."""

IGNORED: Final = _words(
    """
    left right big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr displaystyle textstyle scriptstyle
    limits nolimits small large tiny normalsize footnotesize scriptsize mathstrut strut nonumber
    protect relax em bfseries itshape boldmath middle noindent
    """
)
"""Commands that change nothing that is shown here."""

ARGUMENT_DROPPED: Final = frozenset(
    {"label", "tag", "color", "vspace", "hspace", "phantom", "mkern"}
)
"""Commands dropped together with their argument."""

ARGUMENT_BEFORE: Final = frozenset({"textcolor", "colorbox", "href"})
"""Commands whose first argument is not shown and whose second is."""

SUBSCRIPTS: Final = dict(
    zip(
        "0123456789+-−=()aehijklmnoprstuvxβγρϕφχ",
        "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵩᵪ",
        strict=True,
    )
)
SUPERSCRIPTS: Final = dict(
    zip(
        "0123456789+-−=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVWβγδθ⊤",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂᵝᵞᵟᶿᵀ",
        strict=True,
    )
)

DOUBLE_STRUCK: Final = dict(zip("CHNPQRZ", "ℂℍℕℙℚℝℤ", strict=True))
"""Blackboard letters that fonts have; the others stay plain in text."""


def _letters(capitals: int, smalls: int, exceptions: dict[str, str]) -> dict[str, str]:
    """Map A-Z and a-z to a block of mathematical letters, but for those encoded elsewhere."""
    block = {chr(65 + i): chr(capitals + i) for i in range(26)}
    block |= {chr(97 + i): chr(smalls + i) for i in range(26)}
    return block | exceptions


LETTERS: Final[dict[str, dict[str, str]]] = {
    "bold": _letters(0x1D400, 0x1D41A, {}),
    "double": _letters(0x1D538, 0x1D552, DOUBLE_STRUCK),
    "script": _letters(0x1D49C, 0x1D4B6, dict(zip("BEFHILMRego", "ℬℰℱℋℐℒℳℛℯℊℴ", strict=True))),
    "fraktur": _letters(0x1D504, 0x1D51E, dict(zip("CHIRZ", "ℭℌℑℜℨ", strict=True))),
}
"""Variant -> letter -> its mathematical letter, for MathML."""


def symbol(name: str) -> str | None:
    """Return the character of a symbol command (name without backslash), None for other names."""
    found = SYMBOLS.get(name)
    return found[0] if found else None
