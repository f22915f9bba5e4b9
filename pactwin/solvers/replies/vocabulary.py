"""Vocabulary of answers: yes and no, refusals, and the constraint taxonomy.

``STATEMENTS`` are the options of choice questions, so every possible answer has one wording.
Regular expressions are matched against text in lower case.
"""

from pactwin.suite import Constraint

STATEMENTS = {constraint: constraint.statement for constraint in Constraint}

EARLIER_STATEMENTS = {
    "One hand alone cannot hold the object level; it takes two.": Constraint.NEEDS_TWO_HANDS
}
"""Options of earlier suites that are worded otherwise now."""


# What follows one of these within a few words is denied, not given: "nothing is in the way".
DENIALS = (
    r"(?:\b(?:not|no|nothing|never|without|neither|nor|none|cannot|rather than|instead of)\b|n't\b)"
)

YES_WORDS = (
    "yes", "yeah", "yep", "true", "i think so", "affirmative",
    "oui", "ja", "sí", "si", "sì", "sim", "да", "так", "tak", "ano", "evet", "kyllä", "ναι", "igen",
    "是", "是的", "可以", "能", "はい", "예", "네", "نعم", "हाँ", "हां", "כן", "ya", "có",
)  # fmt: skip
NO_WORDS = (
    "no", "nope", "false", "negative", "no way", "i don't think so", "unfortunately not",
    "i'm afraid not", "of course not", "not at all", "by no means",
    "probably not", "most likely not", "likely not", "definitely not", "certainly not",
    "absolutely not", "infeasible", "unfeasible", "impossible", "not feasible", "not possible",
    "non", "nein", "nee", "nej", "não", "нет", "ні", "nie", "hayır", "όχι", "nem",
    "否", "不", "不是", "不能", "不可以", "不行", "いいえ", "아니요", "아니오", "لا", "नहीं", "לא",
    "tidak", "không",
)  # fmt: skip

# What may stand before a yes or no and leave it one.
HEDGES = (
    r"(?:(?:most likely|very likely|likely|probably|presumably|clearly|definitely|certainly|well|"
    r"no doubt|okay|ok|actually|wait|hmm|unfortunately|sadly|overall|in short|in conclusion|so|"
    r"i(?:'d| would)(?: have to)? say|i(?: would|'d)? (?:think|believe|guess)|i think so|"
    r"my answer is)[\s,:;]+(?:that\s+)?){1,3}"
)

# What may follow a leading yes or no without punctuation between; "no obstacle" must stay unread.
CONTINUATIONS = (
    "because", "since", "as", "it", "this", "that", "the", "there", "you", "he", "she", "and"
)  # fmt: skip

_DONE = "(?:done|carried out|performed|executed|completed|accomplished)"
_WHAT = "(?:it|this|that|the (?:action|instruction|task))"
# What says that the action is feasible; that it is infeasible if a group of it matches.
STATEMENTS_OF_FEASIBILITY = (
    rf"\bcan(not|'t| not)? be {_DONE}\b",
    rf"\bcould(n't| not) be {_DONE}\b",
    rf"\b{_WHAT}(?:'s| is)(n't| not)? (im|in|un)?"
    r"(?:possible|feasible|doable|achievable)\b(?! that)",
    rf"\b{_WHAT} (wouldn't be |would be (?:not |im|in|un))(?:possible|feasible|doable)\b",
    r"^(not |im|in|un)(?:possible|feasible)\b",
    r"\bthe robot can(not|'t| not)? (?:do (?:this|it|so|that)|carry (?:this|it) out|"
    r"(?:carry out|perform|execute|complete|follow) (?:this|the))\b",
    r"\bthe robot (?:(?:should|would|will)(n't| not)? be|is(n't| not)?) able to (?:do|perform)\b",
    r"\bnothing (?:that )?(?:would )?(?:prevents?|stops?) (?:it|this|that|the)\b",
    r"^(?:it|this) can[.!]?$",
    r"\b(?:don't|do not) see why not\b",
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

# What cannot be said of an action that is possible; a yes beside it is taken back.
CONTRADICTIONS_OF_YES = (
    r"\btoo (?:big|large|wide|tall|long|thick|far|narrow)\b",
    r"\b(?:does|do|did|will|would|can|could)(?:n't| ?not) (?:fit|reach|be reached)\b",
    r"\b(?:would|will) (?:\w+ )?(?:fall|tip|topple|collapse|collide)\b",
    r"\bout of (?:[\w']+ ){0,3}reach\b",
    r"\bin the way\b",
)
