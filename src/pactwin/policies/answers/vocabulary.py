"""The words answers are made of: yes and no, refusals, and the constraint taxonomy.

``STATEMENTS`` are the options of choice questions, so everything an answer can mean has one wording
of ours. ``CUES`` are regular expressions, matched without regard to case, that tell which
constraint a reason in a model's own words names; a reason is recognised only if the cues of exactly
one constraint occur (strong cues first, weak ones only where no strong one occurs).
"""

from dataclasses import dataclass

from pactwin.suite import Constraint

STATEMENTS: dict[Constraint, str] = {
    Constraint.NONE: "Nothing prevents it.",
    Constraint.DOES_NOT_FIT: "The object is too big for the opening it would have to go through.",
    Constraint.OPENING_DOWN: "The opening it would have to go through faces down.",
    Constraint.COVERED: "A lid or a cover closes off the place that must be reached.",
    Constraint.OCCUPIED: "The place where the object should go is already taken.",
    Constraint.SUPPORTS_OTHER: "Something rests on the object and would fall or shift with it.",
    Constraint.WOULD_COLLAPSE: (
        "Without the object's weight, what stays behind would lose its balance and tip over."
    ),
    Constraint.UNSTABLE_SUPPORT: "The surface the object would be put on cannot hold it steadily.",
    Constraint.OUT_OF_REACH: "The object is too far away for the robot's arms.",
    Constraint.PATH_BLOCKED: "An obstacle is in the way of the robot's arm or hand.",
}


@dataclass(frozen=True)
class Cues:
    """Regular expressions that point at one constraint."""

    strong: tuple[str, ...]
    weak: tuple[str, ...] = ()


CUES: dict[Constraint, Cues] = {
    Constraint.DOES_NOT_FIT: Cues(
        strong=(
            r"too (?:big|large|wide|tall|long|thick|bulky|fat)\b",
            r"(?:opening|hole|mouth|rim|container|box|cup|bowl|gap)\b[^.;]{0,25}"
            r"\btoo (?:small|narrow|tight)",
            r"(?:does|do|will|would|can)(?:n't| ?not)\b(?: \w+){0,2} fit\b",
            r"\b(?:bigger|larger|wider) than\b",
            r"\b(?:smaller|narrower) than the (?:object|ball|block|cube)",
        ),
    ),
    Constraint.OPENING_DOWN: Cues(
        strong=(
            r"\bupside[- ]down\b",
            r"\binverted\b",
            r"\b(?:turned|flipped) over\b",
            r"\b(?:opening|mouth|rim|open side|open end)\b[^.;]{0,40}"
            r"\b(?:down|downwards?|face[- ]down)\b",
            r"\bfac(?:es|ing) down(?:wards?)?\b",
        ),
    ),
    Constraint.COVERED: Cues(
        strong=(
            r"\blids?\b",
            r"\bcapped\b",
            r"\bcovered (?:by|with)\b",
            r"\bcovers? (?:the|it|its)\b",
            r"\ba cover\b",
            r"\b(?:is|are) (?:closed|sealed|covered|shut)\b",
        ),
    ),
    Constraint.OCCUPIED: Cues(
        strong=(
            r"\boccupied\b",
            r"\boccupies\b",
            r"\balready (?:taken|full|filled|holds?|contains?|has)\b",
            r"\bno (?:free |empty )?(?:room|space) left\b",
            r"\balready (?:is |an? )?(?:\w+ ){0,2}(?:inside|in it|in there)\b",
        ),
    ),
    Constraint.SUPPORTS_OTHER: Cues(
        strong=(
            r"\b(?:is|are|sits?|sitting|rests?|resting|stacked|placed|stands?|standing|lies|lying|"
            r"leans?|leaning|balanced|balancing|perched|something|anything|another|blocks?|objects?|"
            r"items?|cubes?) (?:\w+ ){0,3}on (?:top of )?(?:it|the object|the target)\b",
            r"\brest(?:s|ing)? (?:up)?on\b",
            r"\bon top of it\b",
            r"\bsupport(?:s|ing)\b",
            r"\bhold(?:s|ing) up\b",
            r"\bbears? the weight\b",
            r"\b(?:underneath|beneath|under|below) (?:\w+ ){0,2}"
            r"(?:others?|another|stack|tower|pile)\b",
            r"\b(?:bottom|middle|base) of (?:the|a) (?:stack|tower|pile|bridge)\b",
        ),
        weak=(r"\b(?:would|will|could|might) (?:\w+ )?(?:fall|drop|shift)\b",),
    ),
    Constraint.WOULD_COLLAPSE: Cues(
        strong=(
            r"\bcounter-?(?:weight|balance|balances|balancing|weighs)\b",
            r"\blos(?:e|es|ing) (?:its|their|the) balance\b",
            r"\b(?:un|im)balanced?\b",
            r"\bout of balance\b",
            r"\boverbalances?\b",
        ),
        weak=(
            r"\btip(?:s|ping)?(?: over)?\b",
            r"\btopples?\b",
            r"\bcollapses?\b",
        ),
    ),
    Constraint.UNSTABLE_SUPPORT: Cues(
        strong=(
            r"\b(?:cannot|can't|can not|won't|would not) hold it (?:steady|steadily|stably)\b",
            r"\bunstable (?:surface|support|base|place|ground)\b",
            r"\b(?:surface|support|base|ground|top)\b[^.;]{0,25}\b(?:unstable|uneven|sloped|slanted|"
            r"tilted|pointed|rounded|curved|wobbly|not (?:flat|level|stable))\b",
            r"\b(?:roll|slide|slip)s? off\b",
        ),
    ),
    Constraint.OUT_OF_REACH: Cues(
        strong=(
            r"\btoo far\b",
            r"\bout of (?:\w+ ){0,3}reach\b",
            r"\b(?:beyond|outside|exceeds) (?:\w+ ){0,3}(?:reach|workspace|range)\b",
            r"\bnot within (?:\w+ ){0,3}reach\b",
        ),
        weak=(
            r"(?:cannot|can't|can not|unable to|not able to) (?:be )?reach(?:ed)?\b",
            r"\bunreachable\b",
            r"\bnot reachable\b",
        ),
    ),
    Constraint.PATH_BLOCKED: Cues(
        strong=(
            r"\bobstacles?\b",
            r"\bobstruct(?:s|ed|ing|ion)?\b",
            r"\bblock(?:s|ed|ing) (?:the|its|it|by|access|off)\b",
            r"\bin (?:the|its) way\b",
            r"\bcollid(?:e|es|ing)\b",
            r"\bcollision\b",
        ),
    ),
}

# A cue that follows one of these within a few words is denied, not given: "nothing is in the way".
DENIALS = r"(?:\b(?:not|no|nothing|never|without|neither|nor|none|cannot)\b|n't\b)"

YES_WORDS = (
    "yes", "yeah", "yep", "true",
    "oui", "ja", "sí", "si", "sì", "sim", "да", "так", "tak", "ano", "evet", "kyllä", "ναι", "igen",
    "是", "是的", "可以", "能", "はい", "예", "네", "نعم", "हाँ", "हां", "כן", "ya", "có",
)  # fmt: skip
NO_WORDS = (
    "no", "nope", "false",
    "non", "nein", "nee", "nej", "não", "нет", "ні", "nie", "hayır", "όχι", "nem",
    "否", "不", "不是", "不能", "不可以", "不行", "いいえ", "아니요", "아니오", "لا", "नहीं", "לא",
    "tidak", "không",
)  # fmt: skip

# What may follow a leading yes or no without punctuation between; "no obstacle" must stay unread.
CONTINUATIONS = ("because", "since", "as", "it", "this", "that", "the", "there", "you", "he", "she")

FEASIBLE_STATEMENTS = (
    r"\bcan be (?:done|carried out|performed|executed|completed|accomplished)\b",
    r"\b(?:it|this|the (?:action|instruction|task)) is (?:possible|feasible|doable)\b(?! that)",
    r"\bthe robot can (?:do (?:this|it|so|that)|carry (?:this|it) out|"
    r"(?:carry out|perform|execute|complete|follow) (?:this|the))\b",
    r"\bnothing prevents (?:it|this|that|the)\b",
)
INFEASIBLE_STATEMENTS = (
    r"\b(?:cannot|can't|can not|could not|couldn't) be "
    r"(?:done|carried out|performed|executed|completed|accomplished)\b",
    r"\b(?:it|this|the (?:action|instruction|task)) (?:is|would be) "
    r"(?:impossible|infeasible|not possible|not feasible|not doable|unfeasible)\b",
    r"\b(?:it|this|that) (?:isn't|wouldn't be) (?:possible|feasible|doable)\b",
    r"^(?:not possible|impossible|infeasible|not feasible)\b",
    r"\bthe robot (?:cannot|can't|can not) (?:do (?:this|it|so|that)|carry (?:this|it) out|"
    r"(?:carry out|perform|execute|complete|follow) (?:this|the))\b",
)

REFUSALS = (
    r"\b(?:can(?:no|')?t|can not|unable to|not able to|won't|will not) "
    r"(?:help|assist|comply|answer|fulfil|fulfill|provide|process|analy[sz]e|view|see|"
    r"determine|tell|say|judge|discuss|engage)\b",
    r"\bi (?:must|have to) decline\b",
    r"\bas an ai\b",
    r"\bi(?:'m| am) (?:sorry|not sure|unsure)\b",
    r"\bi (?:do not|don't) know\b",
    r"\bagainst (?:my|our) (?:policy|policies|guidelines)\b",
)
