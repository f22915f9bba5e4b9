"""Constraints: reasons why an action is infeasible, one row each.

A new constraint needs only a new row of :class:`Constraint`. Its statement becomes an option of
choice questions, of judges and of people, and appears in rationales and baselines; its patterns
read models' own words.
"""

from enum import StrEnum

_THINGS = r"(?:others?|another|blocks?|objects?|items?|things?|cubes?|something|anything|pieces?)"
_NOT = r"(?:does|do|did|will|would|can|could)(?:n't| ?not)"


class Constraint(StrEnum):
    """Reason why an action is infeasible; ``none`` if it is feasible.

    ``statement`` is its wording. ``strong`` and ``weak`` are regular expressions for text in lower
    case in which the question's objects are called "it": a reason names the constraint if one of
    them matches without a negation; weak ones count only if no strong one of any constraint
    matches. ``overrides`` are constraints that the same words mention without meaning them.
    ``of_things`` are constraints caused by an object used for an unusual purpose: they are options
    beside each other, and open answers are not read for them.
    """

    statement: str
    strong: tuple[str, ...]
    weak: tuple[str, ...]
    overrides: tuple[str, ...]
    of_things: bool

    def __new__(
        cls,
        name: str,
        statement: str = "",
        strong: tuple[str, ...] = (),
        weak: tuple[str, ...] = (),
        overrides: tuple[str, ...] = (),
        of_things: bool = False,
    ) -> "Constraint":
        """A member that is its name, with the rest of its row."""
        member = str.__new__(cls, name)
        member._value_ = name
        member.statement, member.strong = statement, strong
        member.weak, member.overrides, member.of_things = weak, overrides, of_things
        return member

    NONE = (
        "none",
        "Nothing prevents it.",
    )
    DOES_NOT_FIT = (
        "does_not_fit",
        "The object is too big for the opening it would have to go through.",
        (
            r"\btoo (?:big|large|wide|tall|long|thick|bulky|fat|broad|huge)\b",
            r"\boversized?\b",
            r"(?:openings?|holes?|mouth|rim|container|box|cup|bowl|gap|slots?|tray|stand|\bit)\b"
            r"[^.;]{0,25}\btoo (?:small|narrow|tight|shallow)",
            rf"\b{_NOT}\b(?: \w+){{0,2}} (?:fit|go in|enter)\b",
            r"\b(?:bigger|larger|wider|longer|taller|thicker|broader|greater) (?:\w+ )?than\b",
            r"\b(?:smaller|narrower|shallower) than\b",
            r"\bexceeds? [^.;]{0,25}\b(?:diameter|width|height|size|opening|mouth|dimensions?)\b",
            r"(?:\bnot|n't) (?:wide|large|big|deep|tall|spacious) enough\b",
            r"\bsize mismatch\b",
        ),
    )
    OPENING_DOWN = (
        "opening_down",
        "What it would have to go into or onto is upside down.",
        (
            r"\bupside[- ]?down\b",
            r"\binverted\b",
            r"\b(?:turned|flipped|tipped) (?:over|around)\b",
            r"\b(?:openings?|mouth|rim|holes?|open (?:side|end|top|face))\b[^.;]{0,40}"
            r"\b(?:down|downwards?|face[- ]down|table|tabletop|ground)\b",
            r"\bfac(?:es|ing) (?:the table|down(?:wards?)?)\b",
            r"\b(?:face|mouth|rim)[- ]down\b",
            r"\bbottom[- ](?:side )?up\b",
            r"\bunderside\b",
            r"\bon its (?:head|rim)\b",
        ),
    )
    COVERED = (
        "covered",
        "A lid or a cover closes off the place that must be reached.",
        (
            r"\blids?\b",
            r"\bcapped\b",
            r"\b(?:under|has) (?:\w+ )?cap\b",
            r"\bcap (?:\w+ ){0,2}on\b",
            r"\bcover(?:s|ed|ing)?\b",
            r"\bclose[sd]\b",
            r"\bshut\b",
            r"\bseal(?:s|ed|ing)?\b",
        ),
    )
    OCCUPIED = (
        "occupied",
        "The place where the object should go is already taken.",
        (
            r"\boccup(?:ied|ies|ying)\b",
            r"\b(?:is|are|place|spot|slot) (?:already )?taken(?: up)?\b",
            r"\balready (?:taken|full|filled|holds?|contains?|has)\b",
            r"\balready (?:\w+ ){0,3}(?:inside|in it|in there|in the)\b",
            r"\balready (?:\w+ ){0,2}there\b",
            r"\b(?:is|are|completely) full\b",
            r"\bfilled (?:with|by|up)\b",
            r"\bno (?:free |empty |more )?(?:room|space|hole|slot|spot|place)\b"
            r"(?: (?:is )?(?:left|free)|[^.;]{0,10} for)",
            r"\bno (?:free|empty) (?:room|space|hole|slot|spot|place)\b",
            r"(?:\bnot|n't) (?:empty|vacant)\b",
            r"\b(?:another|something)\b[^.;]{0,30}\b(?:inside|in (?:it|the|there))\b",
            r"\b(?:something|another \w+)(?: else)? (?:is |stands |sits |lies )?(?:\w+ ){0,2}"
            r"(?:on|in|at) the (?:spot|place)\b",
            r"\b(?:every|each|all)(?: the)? (?:slots?|holes?|places?)\b[^.;]{0,25}"
            r"\b(?:has|have|taken|filled|full|used)\b",
        ),
    )
    SUPPORTS_OTHER = (
        "supports_other",
        "Something rests on the object and would fall or shift with it.",
        (
            rf"\b(?:is|are|sits?|sitting|rests?|resting|stacked|placed|stands?|standing|lies|lying|"
            rf"leans?|leaning|balanced|perched|{_THINGS}) (?:\w+ ){{0,3}}"
            r"(?:up)?(?:on|against|atop) (?:top of )?(?:it|the object|the target)\b",
            rf"\b{_THINGS} (?:\w+ ){{0,2}}(?:on top|above|atop)\b",
            r"\bstacked (?:\w+ )?(?:above|atop|on)\b",
            r"\b(?:up)?on top of it\b",
            r"\bsupport(?:s|ing|ed)?\b(?! surface)",
            r"\bhold(?:s|ing) (?:\w+ ){0,3}up\b",
            r"(?<!\bto )\bcarr(?:y|ies|ying) (?:\w+ )?(?:it|others?|another|weight|\w+ one)\b",
            r"\bbears? the weight\b",
            r"\bload[- ]bearing\b",
            rf"\b(?:underneath|beneath|under|below) (?:\w+ ){{0,3}}"
            rf"(?:{_THINGS}|it|stack|tower|pile|beam)\b",
            r"\b(?:bottom|middle|base|lowest \w+|foundation) of (?:the|a) "
            r"(?:stack|tower|pile|bridge)\b",
            r"\bpillars? of (?:the|a) bridge\b",
        ),
        (
            r"\b(?:would|will|could|might|to) (?:\w+ ){0,2}"
            r"(?:fall|drop|shift|tumble|come down|topple)\b",
            r"\bmake (?:\w+ ){0,5}(?:fall|drop|shift|tumble)\b",
        ),
    )
    WOULD_COLLAPSE = (
        "would_collapse",
        "Without the object's weight, what stays behind would lose its balance and tip over.",
        (
            r"\bcounter-?(?:weight|balance|balances|balanced|balancing|weighs)\b",
            r"\blos(?:e|es|ing) (?:its|their|the) balance\b",
            r"\b(?:un|im)balanced?\b",
            r"\b(?:in|out of) (?:balance|equilibrium)\b",
            r"\boverbalances?\b",
            r"\bbalanc(?:es|ing) (?:it|the)\b",
            r"\bequilibrium\b",
            r"\btorque\b",
            r"\bcent(?:re|er) of (?:mass|gravity)\b",
            r"\bhold(?:s|ing) (?:\w+ ){0,3}down\b",
        ),
        (
            r"\b(?:would|will|to|could|might) (?:\w+ )?tip\b|\btip over\b|\btip(?:s|ping)\b",
            r"\bseesaws?\b",
            r"\btopples?\b",
            r"\bcollapses?\b",
        ),
    )
    UNSTABLE_SUPPORT = (
        "unstable_support",
        "Where the object would be put, it would slide off, roll off or fall out.",
        (
            r"\b(?:cannot|can't|can not|won't|would not|wouldn't) (?:\w+ )?"
            r"(?:hold it (?:steady|steadily|stably)|stay put|be stable)\b",
            r"\bunstable (?:surface|support|base|place|ground)\b",
            r"(?:\bnot|n't|\bno)\b(?: \w+){0,2} (?:flat|level|stable|even|steady) "
            r"(?:enough|\w+ )?(?:surface|support|base|place|top|spot)\b",
            r"\b(?:surface|support|base|ground|top|tip|sides)\b[^.;]{0,25}\b(?:unstable|uneven|"
            r"sloped|sloping|slanted|tilted|pointed|pointy|rounded|curved|wobbly|"
            r"not (?:flat|level|stable))\b",
            r"\b(?:roll|slide|slip)s? (?:right |back )?(?:off|out)\b",
            r"\b(?:on|to) (?:a|the|its|an) (?:point|tip|apex)\b",
        ),
        (r"\b(?:fall|topple)s? off\b",),
    )
    OUT_OF_REACH = (
        "out_of_reach",
        "What the robot would have to reach is too far away for its arms.",
        (
            r"\btoo far\b",
            r"\bout of (?:[\w']+ ){0,3}reach\b",
            r"\b(?:beyond|outside|exceeds)(?: of)? (?:[\w']+ ){0,3}"
            r"(?:reach|workspace|range|length|reachable)\b",
            r"(?:\bnot|n't) within (?:[\w']+ ){0,3}reach\b",
            r"(?:\bnot|n't) (?:long|near|close) enough\b",
            r"\b(?:arms?|hands?) [^.;]{0,15}\btoo short\b",
            r"(?:\bcannot|\bcan't|\bcan not|\bunable to) (?:\w+ )?(?:extend|stretch)\b",
            r"\b(?:farther|further) (?:\w+ )?than\b",
        ),
        (
            r"(?:\bcannot|\bcan't|\bcan not|\bunable to|\bnot able to) (?:be )?reach(?:ed)?\b",
            r"\bunreachable\b",
            r"\bnot reachable\b",
            r"\b(?:walk|step|lean|move) (?:\w+ ){0,2}(?:closer|forward|nearer)\b",
        ),
    )
    PATH_BLOCKED = (
        "path_blocked",
        "An obstacle is in the way of the robot's arm or hand.",
        (
            r"\bobstacles?\b",
            r"\bobstruct(?:s|ed|ing|ion)?\b",
            r"\bblocked\b",
            r"\bblock(?:s|ing) (?:the|its|it|by|access|off)\b",
            r"\bin (?:the|its) way\b",
            r"\bcollid(?:e|es|ing)\b",
            r"\bcollision\b",
            r"\b(?:hit|bump into|run into|knock against)\b",
            r"(?:\bcannot|\bcan't|\bcan not|\bunable to) (?:\w+ )?get (?:past|around)\b",
            r"\b(?:no|not enough|too little|insufficient) clearance\b",
            r"\bprevents? (?:the|its) (?:\w+ )?(?:hand|arm|fingers|gripper)\b",
        ),
        (
            r"\bbehind (?:an?|the|it)\b",
            r"\b(?:caged?|bars|fence[sd]?)\b",
            r"\bseparat(?:es|ed)\b",
        ),
    )
    NEEDS_TWO_HANDS = (
        "needs_two_hands",
        "One hand alone cannot do it; it takes two.",
        (
            r"\b(?:two|both) (?:hands|arms)\b",
            r"\b(?:second|other|another) hand\b",
            r"\b(?:one|single) hand\b",
            r"\b(?:one|single)[- ]handed",
            r"\btoo heavy for (?:one|a single)\b",
            r"\bweight (?:\w+ ){0,4}(?:far|away) from\b",
            r"\bsingle grip\b",
            r"\bwrist\b",
            r"\b(?:hold|keep|held|kept|stay|remain)(?:ing)? (?:\w+ ){0,2}level\b",
        ),
        (r"\b(?:tilt|sag|droop)(?:s|ing)?\b",),
        # Balance and distance are spoken of then too: of the load from the hand.
        ("would_collapse", "out_of_reach"),
    )
    TOO_SHORT = (
        "too_short",
        "It is not long enough.",
        (),
        (),
        (),
        True,
    )
    TOO_THICK = (
        "too_thick",
        "It is too thick for the gap that it would have to go through.",
        (),
        (),
        (),
        True,
    )
    TOO_LOW = (
        "too_low",
        "It is not high enough.",
        (),
        (),
        (),
        True,
    )
    TOO_THIN = (
        "too_thin",
        "It does not fill the room that it would have to fill.",
        (),
        (),
        (),
        True,
    )
    TOO_LIGHT = (
        "too_light",
        "It is not heavy enough.",
        (),
        (),
        (),
        True,
    )
    NO_HOOK = (
        "no_hook",
        "Nothing on it catches behind what it would have to draw.",
        (),
        (),
        (),
        True,
    )
    NO_HOLLOW = (
        "no_hollow",
        "It has no hollow on top that would keep something in.",
        (),
        (),
        (),
        True,
    )
    NO_CHANNEL = (
        "no_channel",
        "Nothing on it keeps what runs along it from running off its sides.",
        (),
        (),
        (),
        True,
    )
    TOO_LIMP = (
        "too_limp",
        "It is limp and gives way where it would have to stay straight.",
        (),
        (),
        (),
        True,
    )
    TOO_NARROW = (
        "too_narrow",
        "It is not wide enough.",
        (),
        (),
        (),
        True,
    )
    TOO_WIDE = (
        "too_wide",
        "It is too wide for the place that it would have to go into.",
        (),
        (),
        (),
        True,
    )
    CLOSED = (
        "closed",
        "It is closed, so that nothing gets in.",
        (),
        (),
        (),
        True,
    )
    FULL = (
        "full",
        "It is full, so that nothing more stays in.",
        (),
        (),
        (),
        True,
    )
