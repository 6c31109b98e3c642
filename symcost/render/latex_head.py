r"""The head of a whole LaTeX page: the packages, and fonts where they are needed."""

from __future__ import annotations

from collections.abc import Iterable

from symcost.printing.names import is_wide

_HEAD = r"""\documentclass[11pt,fleqn]{article}
\usepackage[utf8]{inputenc}
\usepackage[margin=1in,top=0.7in,bottom=0.8in]{geometry}
\usepackage{amsmath}
\usepackage{amssymb}
%s\makeatletter
\renewcommand{\section}{\@startsection{section}{1}{0pt}{0pt}{4pt}{\Large\bfseries}}
\renewcommand{\subsection}{\@startsection{subsection}{2}{0pt}{8pt}{2pt}{\large\bfseries}}
\makeatother
\setlength{\parindent}{0pt}
\setlength{\parskip}{6pt}
\raggedright
\allowdisplaybreaks
\setlength{\mathindent}{1.5em}
\renewcommand{\labelitemi}{$\bullet$}
\begin{document}
\setlength{\abovedisplayskip}{4pt}
\setlength{\belowdisplayskip}{4pt}
\setlength{\topsep}{0pt}
"""
_EAST = r"""\ifdefined\pdftexversion
%s\IfFileExists{c70%s.fd}{\usepackage{CJKutf8}%%
\AtBeginDocument{\begin{CJK*}{UTF8}{%s}}\AtEndDocument{\clearpage\end{CJK*}}}{%%
%s}\else\IfFileExists{ctex.sty}{\usepackage[scheme=plain]{ctex}}{}\fi
"""
_FONTS = (("gbsn", "gb2312"), ("min", "shift_jis"), ("bsmi", "big5"), ("mj", "euc_kr"))


def preamble(body: str) -> str:
    """The preamble; letters of East Asia need a font, one whose character set has most of them."""
    letters = sorted({letter for letter in body if is_wide(letter)})
    if not letters:
        return _HEAD % ""
    lacking = {font: [c for c in letters if not c.encode(code, "ignore")] for font, code in _FONTS}
    font = min(lacking, key=lambda each: len(lacking[each]))
    return _HEAD % (_EAST % (_named(lacking[font]), font, font, _named(letters)))


def _named(letters: Iterable[str]) -> str:
    """Letters for which no font is there, by their numbers."""
    return "".join(
        f"\\DeclareUnicodeCharacter{{{ord(c):04X}}}{{U+{ord(c):04X}}}%\n" for c in letters
    )
